"""Pictures of the middle loop: the two gauges, held-out accuracy, the detectors, and SPSI.

Each is a pure function of records to a figure. The one to look at first is `gauges`: an update that
lowers the loss on its own lesson (upper panel up) while skill on past problems falls (lower panel
down) is what this system exists to refuse.
"""

# matplotlib leaves its keyword arguments untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from argus_rl.core.signals.across import Health
from argus_rl.core.signals.middle import LieType, Ruling
from argus_rl.core.stats.estimate import Estimate
from argus_rl.ledger.records import EpisodeRecord
from argus_rl.tracking.metrics_learning import LIES
from argus_rl.tracking.plot_style import (
    AMBER,
    BLUE,
    GREY,
    INK,
    PAPER,
    QUIET,
    RED,
    RULE,
    SKY,
    TEAL,
    VIOLET,
    canvas,
    episode_axis,
    legend_above,
    titled,
)
from argus_rl.tracking.views import Accuracy

Records = Sequence[EpisodeRecord]

FIXED = "fixed_threshold"
"""The rule (`Verdict.rule`) that refuses below a fixed bar."""


def _episodes(records: Records) -> list[int]:
    return [record.episode for record in records]


def _mark_rulings(axes: Axes, records: Records, *, words: bool) -> None:
    """Shade refused episodes in red, and underpowered ones in amber."""
    for record in records:
        refused = record.verdict.ruling is Ruling.refuse
        if record.verdict.ruling is Ruling.accept:
            continue
        colour = RED if refused else AMBER
        axes.axvspan(
            record.episode - 0.45, record.episode + 0.45, color=colour, alpha=0.14, lw=0, zorder=0
        )
        if words and refused:
            axes.annotate(
                "refused",
                (record.episode, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, -3),
                textcoords="offset points",
                ha="center",
                va="top",
                color=RED,
                fontsize=8.5,
                fontweight="bold",
            )


def _whiskers(
    axes: Axes, x: list[float], rows: list[tuple[float, float, float]], colour: str, label: str
) -> None:
    """Draw values with their intervals; rows are (value, low, high)."""
    values = [value for value, _, _ in rows]
    below = [value - low for value, low, _ in rows]
    above = [high - value for value, _, high in rows]
    axes.errorbar(
        x, values, yerr=(below, above), fmt="o-", ms=4.5, lw=1.4, elinewidth=1.2, capsize=2.5,
        markeredgecolor=PAPER, markeredgewidth=0.6, color=colour, label=label,
    )  # fmt: skip


def _draw_information(axes: Axes, records: Records) -> None:
    learned = [r for r in records if r.epiplexity.n]
    probed = [r for r in records if r.epiplexity.n_probe]
    axes.axhline(0, color=QUIET, lw=0.8)
    if learned:
        rows = [(r.epiplexity.gain, r.epiplexity.gain_low, r.epiplexity.gain_high) for r in learned]
        x = [r.episode - 0.08 for r in learned]
        _whiskers(axes, x, rows, BLUE, "on the lesson")
    if probed:
        rows = [
            (r.epiplexity.probe_gain, r.epiplexity.probe_low, r.epiplexity.probe_high)
            for r in probed
        ]
        x = [r.episode + 0.08 for r in probed]
        _whiskers(axes, x, rows, SKY, "on pairs held back")
    titled(axes, "Information gained by the update", "nats per token")
    if learned or probed:
        legend_above(axes, 2)


def _draw_retest(axes: Axes, records: Records, trigger: float | None) -> None:
    tested = [r for r in records if r.retest.n > 1]
    axes.axhline(0, color=QUIET, lw=0.8)
    if tested:
        rows: list[tuple[float, float, float]] = []
        for r in tested:
            estimate = Estimate(value=r.retest.trend, se=r.retest.se, n=r.retest.n)
            rows.append((r.retest.trend, estimate.interval().low, estimate.interval().high))
        x = [float(r.episode) for r in tested]
        _whiskers(axes, x, rows, VIOLET, "mean change on past problems")
    fixed = [r.episode for r in records if r.verdict.rule == FIXED and trigger is not None]
    if fixed and trigger is not None:
        ends = (min(fixed) - 0.6, max(fixed) + 0.6)
        axes.hlines(-trigger, *ends, color=RED, lw=1.1, ls=(0, (4, 3)), label="fixed bar")
    titled(axes, "Skill on past problems", "change of score")
    if tested or fixed:
        legend_above(axes, 2)


def gauges(records: Records, trigger: float | None = None) -> Figure:
    """Both gauges of each episode with 95 % intervals; refused episodes are shaded.

    Args:
        records: at least one episode.
        trigger: `control.ercv.trigger`, drawn over the episodes that the fixed rule judged.
    """
    figure, (upper, lower) = canvas(2, height=5.0)
    _draw_information(upper, records)
    _draw_retest(lower, records, trigger)
    for axes in (upper, lower):
        _mark_rulings(axes, records, words=axes is upper)
    episode_axis(lower, _episodes(records))
    return figure


def accuracy(result: Accuracy) -> Figure:
    """Held-out accuracy before and after: by level where there are levels, else by group."""
    groups = result.levels or result.groups
    figure, (axes,) = canvas(1, height=3.4)
    for place, group in enumerate(groups):
        axes.plot(
            [place - 0.12, place + 0.12],
            [group.before.value, group.after.value],
            color=RULE,
            lw=1.2,
        )
    for shift, colour, name in ((-0.12, GREY, "before"), (0.12, TEAL, "after")):
        rates = [group.before if name == "before" else group.after for group in groups]
        axes.errorbar(
            [place + shift for place in range(len(groups))],
            [rate.value for rate in rates],
            yerr=([r.value - r.low for r in rates], [r.high - r.value for r in rates]),
            fmt="o", ms=6, color=colour, elinewidth=1.5, capsize=3, label=name,
            markeredgecolor=PAPER, markeredgewidth=0.6,
        )  # fmt: skip
    axes.set_xticks(range(len(groups)), [g.name.removeprefix("level ") for g in groups])
    axes.set_xlabel("steps of reasoning" if result.levels else "group of items")
    axes.set_ylabel("accuracy, %")
    axes.set_ylim(-3, 103)
    titled(axes, "Held-out accuracy")
    legend_above(axes, 2)
    return figure


WORST = "D  worst single cluster"
_HEAT = LinearSegmentedColormap.from_list(
    "score", [(0.0, "#dd962f10"), (0.55, "#dd962fd0"), (1.0, "#d64550")]
)


def detectors(records: Records) -> Figure:
    """Score of each detector in each episode; a ring marks those that fired, over their threshold.

    The last row is the highest type D score of a single cluster.
    """
    rows = [lie.value for lie in LieType] + [WORST]
    figure, (axes,) = canvas(1, height=0.36 * len(rows) + 1.1)
    thresholds: dict[str, set[float]] = {row: set() for row in rows}
    cells: dict[tuple[int, str], tuple[float, bool]] = {}
    for record in records:
        for d in record.bank.detectors:
            row = d.lie.value if d.cluster < 0 else WORST
            thresholds[row].add(round(d.threshold, 3))
            key = (record.episode, row)
            score, fired = cells.get(key, (0.0, False))
            cells[key] = (max(score, d.score), fired or d.fires)
    for (episode, row), (score, fired) in cells.items():
        y = rows.index(row)
        box = ((episode - 0.46, y - 0.42), 0.92, 0.84)
        axes.add_patch(_cell(*box, colour=_HEAT(score)))
        axes.text(
            episode, y, f"{score:.2f}"[1:] if score < 1 else "1", ha="center", va="center",
            fontsize=7.5, color=INK, alpha=1.0 if fired else 0.6,
            fontweight="bold" if fired else "normal",
        )  # fmt: skip
        if fired:
            axes.add_patch(_cell(*box, colour="none", edge=INK))
    axes.set_yticks(range(len(rows)), [_row_label(row, thresholds[row]) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    titled(axes, "Detector scores")
    episode_axis(axes, _episodes(records))
    return figure


def _row_label(row: str, thresholds: set[float]) -> str:
    """The type, its short name, and the threshold over which it fires."""
    short = row if row == WORST else f"{row}  {LIES[LieType(row)].partition(':')[0]}"
    if not thresholds:
        return short
    low, high = min(thresholds), max(thresholds)
    bar = f"{low:.2g}" if low == high else f"{low:.2g} to {high:.2g}"
    return f"{short}  > {bar}"


def _cell(
    corner: tuple[float, float],
    width: float,
    height: float,
    *,
    colour: str | tuple[float, float, float, float],
    edge: str = "none",
) -> FancyBboxPatch:
    return FancyBboxPatch(
        corner, width, height, boxstyle="round,pad=0,rounding_size=0.08", facecolor=colour,
        edgecolor=edge, linewidth=1.6, mutation_aspect=1.0,
    )  # fmt: skip


TERMS = (
    ("information", BLUE),
    ("frontier", TEAL),
    ("forgetting", VIOLET),
    ("deception", RED),
    ("waste", AMBER),
)
"""Terms of SPSI with their colours, as they are stacked."""


def spsi(records: Records) -> Figure | None:
    """SPSI with its signed terms stacked above and below zero; None where it was never measured."""
    measured = [r for r in records if r.spsi.health is not Health.unmeasured]
    if not measured:
        return None
    figure, (axes,) = canvas(1, height=3.6)
    x = _episodes(measured)
    above, below = [0.0] * len(x), [0.0] * len(x)
    for name, colour in TERMS:
        values = [_term(r, name) for r in measured]
        base = above if name in ("information", "frontier") else below
        axes.bar(x, values, bottom=base, width=0.62, color=colour, alpha=0.8, label=name)
        base[:] = [old + value for old, value in zip(base, values, strict=True)]
    axes.plot(x, [r.spsi.value for r in measured], "o-", color=INK, ms=4.5, lw=1.5, label="SPSI")
    for height, word in ((0.2, "healthy from here"), (0.0, "collapsing below")):
        axes.axhline(height, color=QUIET, lw=0.8, ls=(0, (3, 3)) if height else "-")
        axes.annotate(
            word, (1.0, height), xycoords=("axes fraction", "data"), xytext=(-2, 2),
            textcoords="offset points", ha="right", va="bottom", fontsize=7.5, color=QUIET,
        )  # fmt: skip
    axes.set_ylim(-0.55, 0.55)
    titled(axes, "SPSI and its terms", "reachable: -0.5 to +0.5")
    legend_above(axes, 6)
    episode_axis(axes, x)
    axes.set_xlim(right=max(x) + 0.6 + max(1.0, 0.13 * len(x)))
    return figure


def _term(record: EpisodeRecord, name: str) -> float:
    reading = record.spsi
    return {
        "information": reading.information,
        "frontier": reading.frontier,
        "forgetting": reading.forgetting,
        "deception": reading.deception,
        "waste": reading.waste,
    }[name]
