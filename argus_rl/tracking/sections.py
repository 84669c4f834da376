"""The page's sections on learning: the verdict, the gauges, each episode, detectors and SPSI.

Each is a function of a `RunView` to HTML, and says in plain words what its picture shows and how to
read it, because the reader may have seen none of these names before.
"""

import math

from argus_rl.core.signals.across import Health
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import Ruling, Verdict
from argus_rl.ledger.records import EpisodeRecord, summarise_run
from argus_rl.tracking import plots
from argus_rl.tracking.console import retest_text
from argus_rl.tracking.html import chip, figure, fold, paragraph, section, table, tag, text
from argus_rl.tracking.metrics_learning import LIES
from argus_rl.tracking.plot_style import to_svg
from argus_rl.tracking.views import Accuracy, RunView

HEALTH_KIND = {
    Health.healthy: "good",
    Health.consolidating: "mild",
    Health.collapsing: "bad",
    Health.unmeasured: "off",
}
OUTCOME_KIND = {"improved": "good", "regressed": "bad"}


def _card(name: str, value: str, note: str = "") -> str:
    small = tag("small", text(note)) if note else ""
    return tag("div", tag("dt", text(name)), tag("dd", text(value), small), kind="card")


def cards(view: RunView) -> str:
    """The run in six figures."""
    run = view.run
    summary = summarise_run(run.header, run.records)
    found = [
        _card("episodes", f"{summary.episodes}", f"of {view.asked} asked for"),
        _card("updates refused", f"{summary.refusals}", f"{summary.underpowered} underpowered"),
        _card("detector firings", f"{summary.firings}"),
        _card("pairs learned", f"{summary.frontier_pairs}"),
    ]
    if view.accuracy is not None:
        change = view.accuracy.groups[0].change
        low, high = f"{change.low:+.1f}", f"{change.high:+.1f}"
        points = _card("held-out change", f"{change.value:+.1f}", f"points [{low}, {high}]")
        found.insert(0, points)
    if not math.isnan(summary.spsi):
        found.append(_card("SPSI at the end", f"{summary.spsi:+.2f}", "reachable: -0.5 to +0.5"))
        found.append(_card("wasted share", f"{summary.wasted_share:.2f}"))
    return tag("dl", *found, kind="cards")


def outcome(view: RunView) -> str:
    """Held-out accuracy before and after."""
    if view.accuracy is None:
        return section(
            "outcome",
            "Outcome",
            paragraph(
                "This run has no evaluation before and after it, so nothing can be claimed about "
                "what it did to the model. The gauges below are the run's own opinion of itself."
            ),
        )
    return section(
        "outcome",
        "Outcome",
        paragraph(
            "The only place where a claim is made: the same held-out problems, with the same "
            "sampling streams, before the first update and after the last. No part of the run has "
            "seen their answers."
        ),
        figure(
            to_svg(plots.accuracy(view.accuracy), "accuracy", "Held-out accuracy before and after"),
            "Share of right samples before (grey) and after (teal) with 95 % intervals. Intervals "
            "that overlap may still hide a change, since the same problems were asked twice: the "
            "column <em>change</em> below compares them problem by problem.",
        ),
        _accuracy_table(view.accuracy),
    )


def _accuracy_table(result: Accuracy) -> str:
    rows = [
        (
            tag("strong", text(group.name)),
            text(group.items),
            text(group.before.text()),
            text(group.after.text()),
            text(group.change.text("+")),
            text(f"{group.detectable:.1f}"),
            text(f"{group.p_value:.3f}" if group.p_value >= 0.001 else "< 0.001"),
            chip(group.outcome, OUTCOME_KIND.get(group.outcome, "off")),
        )
        for group in result.groups
    ]
    heads = ("group", "items", "before, %", "after, %", "change, points", "could have seen",
             "McNemar p", "verdict")  # fmt: skip
    return table(heads, rows, "figures")


def gauges(view: RunView) -> str:
    """The two gauges and what was ruled."""
    control = view.run.header.config.get("control", {})
    trigger = control.get("ercv", {}).get("trigger") if control.get("ercv_rollback") else None
    svg = to_svg(plots.gauges(view.run.records, trigger), "gauges", "Both gauges of each episode")
    return section(
        "gauges",
        "The two gauges",
        paragraph(
            "An update can teach the model its lesson and at the same time make it forget what it "
            "knew. The first gauge sees only the lesson; the second asks past problems again. "
            "Where the first says yes and the second says no, the update is refused."
        ),
        figure(
            svg,
            "Above: how much the loss fell on the pairs the update learned from (blue, positive "
            "almost by construction) and on pairs of the same episode it never saw (light blue). "
            "Below: mean change, on past problems, of the share of chains that give the stored "
            "label, measured afresh before and after each update with the same streams. Bars are "
            "95 % intervals. Red bands are refused updates, amber ones had too few retests to "
            "judge.",
        ),
    )


def episodes(view: RunView) -> str:
    """One row an episode."""
    heads = ("episode", "zones", "information, nats/token", "on past problems", "verdict",
             "fired", "SPSI")  # fmt: skip
    rows = [_episode_row(record) for record in view.run.records]
    return section(
        "episodes",
        "Episode by episode",
        paragraph(
            "Each row is one round: propose problems, solve them, learn from consensus, measure, "
            "rule. Figures in brackets are 95 % intervals; small ones are for pairs held back."
        ),
        table(heads, rows, "episodes"),
    )


def _episode_row(record: EpisodeRecord) -> tuple[str, ...]:
    epi = record.epiplexity
    gain = f"{epi.gain:+.3f} [{epi.gain_low:+.3f}, {epi.gain_high:+.3f}]" if epi.n else "none"
    probe = f"{epi.probe_gain:+.3f} [{epi.probe_low:+.3f}, {epi.probe_high:+.3f}]"
    fired = [chip(d.lie.value, "bad") for d in record.bank.firings if d.cluster < 0]
    inside = sorted(d.cluster for d in record.bank.firings if d.cluster >= 0)
    if inside:
        fired.append(tag("small", text(f"in clusters {' '.join(map(str, inside))}")))
    measured = record.spsi.health is not Health.unmeasured
    value = tag("span", f"{record.spsi.value:+.2f}", kind=HEALTH_KIND[record.spsi.health])
    return (
        text(record.episode),
        _zone_bar(record.census),
        text(gain) + (tag("small", text(probe)) if epi.n_probe else ""),
        text(retest_text(record.retest)),
        _verdict_cell(record.verdict, notable=bool(record.bank.firings)),
        " ".join(fired),
        value if measured else "",
    )


def _zone_bar(census: Census) -> str:
    total = max(1, census.solved)
    parts = (
        ("frontier", "var(--teal)", census.frontier),
        ("easy", "var(--blue)", census.easy),
        ("hard", "var(--amber)", census.hard),
    )
    bars = [
        tag("i", style=f"width:{100 * n / total:.1f}%;background:{colour}")
        for _, colour, n in parts
    ]
    words = ", ".join(f"{n} {name}" for name, _, n in parts)
    return tag("div", *bars, kind="zonebar", title=words, role="img", **{"aria-label": words})


def _verdict_cell(verdict: Verdict, *, notable: bool) -> str:
    """The ruling, with its reason beneath unless it is the usual one and nothing fired."""
    if verdict.ruling is Ruling.accept and notable:
        return chip("accepted", "good") + tag("small", text(verdict.reason))
    if verdict.ruling is Ruling.accept:
        return tag("span", chip("accepted", "good"), title=verdict.reason)
    word = "refused" if verdict.severity >= 1 else f"refused {verdict.severity:.0%}"
    shown = (
        chip("underpowered", "mild") if verdict.ruling is Ruling.underpowered else chip(word, "bad")
    )
    return shown + tag("small", text(verdict.reason))


def detectors(view: RunView) -> str:
    """The detector bank."""
    svg = to_svg(plots.detectors(view.run.records), "detectors", "Detector scores by episode")
    rows = [(tag("strong", lie.value), text(meaning)) for lie, meaning in LIES.items()]
    return section(
        "detectors",
        "Detectors",
        paragraph(
            "Eight ways in which a model that teaches itself can lie to itself. A detector gives "
            "each a score from 0 to 1 in each episode, and fires over its threshold."
        ),
        figure(
            svg,
            "Scores by episode, from pale (0) to red (1); framed cells fired. Beside each type is "
            "the threshold over which it fires.",
        ),
        fold("What each type looks for", table(("type", "what it looks for"), rows)),
    )


def spsi(view: RunView) -> str:
    """The composite index; empty where it was never measured."""
    drawn = plots.spsi(view.run.records)
    if drawn is None:
        return ""
    return section(
        "spsi",
        "Health of the run",
        paragraph(
            "The self-play stability index adds up what speaks for the run (information taken up, "
            "a frontier to learn from) and takes off what speaks against it (forgetting, the "
            "strongest detector, compute spent where nothing is learned)."
        ),
        figure(
            to_svg(drawn, "spsi", "SPSI and its terms by episode"),
            "Bars are the signed terms, the line is their sum. It can reach -0.5 to +0.5: 0.20 and "
            "more is healthy, 0 and more consolidating, below 0 collapsing.",
        ),
    )
