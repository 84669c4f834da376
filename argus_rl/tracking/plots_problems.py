"""Pictures of the inner and outer loops: zones, sampling, clusters, and the truth of labels."""

# matplotlib leaves its keyword arguments untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from argus_rl.ledger.records import EpisodeRecord
from argus_rl.tracking.plot_style import (
    AMBER,
    BLUE,
    CYCLE,
    GREY,
    PAPER,
    QUIET,
    RED,
    SKY,
    TEAL,
    VIOLET,
    canvas,
    episode_axis,
    legend_above,
    titled,
)
from argus_rl.tracking.views import LabelAudit

Records = Sequence[EpisodeRecord]


def zones(records: Records) -> Figure:
    """Where each episode's proposals ended: in a zone, or refused before a chain was spent."""
    figure, (axes,) = canvas(1, height=3.2)
    x = [r.episode for r in records]
    stacks = (
        ("frontier", TEAL, [r.census.frontier for r in records]),
        ("easy", SKY, [r.census.easy for r in records]),
        ("hard", AMBER, [r.census.hard for r in records]),
        ("false premise", RED, [r.census.refused_premise for r in records]),
        ("no problem", GREY, [r.census.refused_syntax for r in records]),
    )
    base = [0] * len(x)
    for name, colour, counts in stacks:
        axes.bar(x, counts, bottom=base, width=0.78, color=colour, alpha=0.88, label=name)
        base = [old + new for old, new in zip(base, counts, strict=True)]
    titled(axes, "Proposals by zone", "proposals")
    legend_above(axes, 5)
    episode_axis(axes, x)
    return figure


def sampling(records: Records) -> Figure:
    """How the chains were: agreement, variety, and those that gave no answer; shares in [0, 1]."""
    figure, (axes,) = canvas(1, height=3.0)
    x = [r.episode for r in records]
    lines = (
        ("agreement score", TEAL, "-", [r.census.mean_score for r in records]),
        ("answers alone", BLUE, "-", [r.census.mean_outcome for r in records]),
        ("distinct chains", VIOLET, "-", [r.census.distinct_share for r in records]),
        ("unique proposals", AMBER, "-", [r.census.unique_share for r in records]),
        ("no answer", RED, "--", [r.census.answerless_share for r in records]),
        ("cut off", GREY, "--", [r.census.truncated_share for r in records]),
    )
    for name, colour, style, values in lines:
        axes.plot(
            x, values, style, marker="o", ms=3.5, lw=1.5, color=colour, label=name,
            markeredgecolor=PAPER, markeredgewidth=0.4,
        )  # fmt: skip
    axes.set_ylim(-0.03, 1.03)
    titled(axes, "Chains", "share")
    legend_above(axes, 6)
    episode_axis(axes, x)
    return figure


def clusters(records: Records) -> Figure | None:
    """Share of compute and mean reward of each cluster; None where there is no map."""
    mapped = [r for r in records if r.capability.clusters]
    if not mapped:
        return None
    figure, (upper, lower) = canvas(2, height=5.0)
    x = [r.episode for r in mapped]
    ids = sorted({c.cluster for r in mapped for c in r.capability.clusters})
    shares = [[_share(r, i) for r in mapped] for i in ids]
    base = [0.0] * len(x)
    for place, i in enumerate(ids):
        colour = CYCLE[place % len(CYCLE)]
        upper.bar(x, shares[place], bottom=base, width=0.86, color=colour, alpha=0.85, label=f"{i}")
        base = [old + new for old, new in zip(base, shares[place], strict=True)]
        known = [(r.episode, _reward(r, i)) for r in mapped if _has(r, i)]
        lower.plot(*zip(*known, strict=True), "o-", ms=3.8, lw=1.5, color=colour,
                   markeredgecolor=PAPER, markeredgewidth=0.4)  # fmt: skip
    _mark_targets(lower, mapped)
    upper.set_ylim(0, 1)
    titled(upper, "Share of compute by cluster", "share")
    legend_above(upper, min(len(ids), 10))
    lower.set_ylim(-0.03, 1.03)
    titled(lower, "Mean reward by cluster (ring: the planner's target)", "agreement score")
    episode_axis(lower, x)
    return figure


def _mark_targets(axes: Axes, records: Records) -> None:
    aimed = [r for r in records if _has(r, r.curriculum.target)]
    if aimed:
        rewards = [_reward(r, r.curriculum.target) for r in aimed]
        axes.plot(
            [r.episode for r in aimed], rewards, "o", ms=10, markerfacecolor="none",
            markeredgecolor=QUIET, markeredgewidth=1.2,
        )  # fmt: skip


def _has(record: EpisodeRecord, cluster: int) -> bool:
    return any(c.cluster == cluster for c in record.capability.clusters)


def _share(record: EpisodeRecord, cluster: int) -> float:
    return sum(c.share for c in record.capability.clusters if c.cluster == cluster)


def _reward(record: EpisodeRecord, cluster: int) -> float:
    return sum(c.mean_reward for c in record.capability.clusters if c.cluster == cluster)


def labels(audit: Sequence[LabelAudit]) -> Figure:
    """Share of consensus labels that are true, by episode, with Wilson intervals."""
    figure, (axes,) = canvas(1, height=2.8)
    values = [100 * a.accuracy.value for a in audit]
    low = [100 * (a.accuracy.value - a.accuracy.interval.low) for a in audit]
    high = [100 * (a.accuracy.interval.high - a.accuracy.value) for a in audit]
    x = [a.episode for a in audit]
    axes.errorbar(
        x, values, yerr=(low, high), fmt="o-", ms=4.5, lw=1.4, color=TEAL, capsize=2.5,
        markeredgecolor=PAPER, markeredgewidth=0.6,
    )  # fmt: skip
    axes.set_ylim(-3, 103)
    titled(axes, "Consensus labels that are true", "%")
    episode_axis(axes, x)
    return figure
