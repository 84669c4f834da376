"""Figures of one evaluation, each with its interval: overall, by level, easy and harder.

Greedy accuracy has a Wilson interval. Figures over several samples an item (mean@n, pass@k, maj@k,
the rates of truncated and unreadable samples) have a Wilson interval at the effective sample size,
because samples of one item are not independent (`argus_rl.core.stats.intervals.clustered_wilson`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.core.stats.estimate import IntervalEstimate
from argus_rl.core.stats.intervals import clustered_wilson, wilson
from argus_rl.evaluation.passk import maj_at_k, pass_at_k
from argus_rl.evaluation.result import (
    SCHEMA,
    EvaluationResult,
    ItemResult,
    Json,
    item_to_json,
    plan_to_json,
    scopes_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Figures of a group of items; every rate lies in [0, 1]."""

    scope: str
    """`all`, `easy`, `harder` or `level L`."""
    greedy: IntervalEstimate
    """Accuracy of the greedy chains."""
    mean: IntervalEstimate
    """mean@n: share of right samples, which is pass@1."""
    pass_at: tuple[IntervalEstimate, ...]
    """pass@k for k = 1 to n."""
    majority_at: tuple[IntervalEstimate, ...]
    """maj@k for k = 1 to n."""
    truncated: IntervalEstimate
    """Share of samples that the token budget ended."""
    unparsable: IntervalEstimate
    """Share of samples that ended by themselves without a readable answer."""
    greedy_truncated: IntervalEstimate
    """Share of greedy chains that the token budget ended."""
    greedy_unparsable: IntervalEstimate
    """Share of greedy chains that ended by themselves without a readable answer."""


def _share(flags: Sequence[bool], level: float) -> IntervalEstimate:
    return wilson(sum(flags), len(flags), level)


def summarise(items: Sequence[ItemResult], scope: str = "all", level: float = 0.95) -> Summary:
    """Figures of some items (at least one) that all have the same number of samples."""
    n = items[0].samples
    passes = [[pass_at_k(n, item.right, k) for item in items] for k in range(1, n + 1)]
    majorities = [
        [maj_at_k(item.right, item.rivals, item.silent, k) for item in items]
        for k in range(1, n + 1)
    ]
    return Summary(
        scope=scope,
        greedy=_share([item.greedy_right for item in items], level),
        mean=clustered_wilson([item.rate for item in items], n, level),
        pass_at=tuple(clustered_wilson(values, n / k, level) for k, values in enumerate(passes, 1)),
        majority_at=tuple(
            clustered_wilson(values, n / k, level) for k, values in enumerate(majorities, 1)
        ),
        truncated=clustered_wilson([item.truncated / n for item in items], n, level),
        unparsable=clustered_wilson([item.unparsable / n for item in items], n, level),
        greedy_truncated=_share([item.greedy_truncated for item in items], level),
        greedy_unparsable=_share([item.greedy_unparsable for item in items], level),
    )


def summaries(result: EvaluationResult, level: float = 0.95) -> tuple[Summary, ...]:
    """One summary per scope: `all` first, then `easy`, `harder` and each level."""
    groups = scopes_of(result.items, result.plan.easy_levels)
    return tuple(
        summarise([result.items[i] for i in positions], scope, level)
        for scope, positions in groups.items()
    )


def estimate_to_json(estimate: IntervalEstimate) -> Json:
    """`{"value", "low", "high", "level", "n"}`."""
    return {
        "value": estimate.value,
        "low": estimate.interval.low,
        "high": estimate.interval.high,
        "level": estimate.interval.level,
        "n": estimate.n,
    }


def summary_to_json(summary: Summary) -> Json:
    """The summary as a JSON object; pass@k and maj@k as lists from k = 1."""
    return {
        "scope": summary.scope,
        "greedy": estimate_to_json(summary.greedy),
        "mean": estimate_to_json(summary.mean),
        "pass_at": [estimate_to_json(value) for value in summary.pass_at],
        "majority_at": [estimate_to_json(value) for value in summary.majority_at],
        "truncated": estimate_to_json(summary.truncated),
        "unparsable": estimate_to_json(summary.unparsable),
        "greedy_truncated": estimate_to_json(summary.greedy_truncated),
        "greedy_unparsable": estimate_to_json(summary.greedy_unparsable),
    }


def result_to_json(result: EvaluationResult) -> Json:
    """The evaluation file: plan, summaries for people, and the items that they come from."""
    return {
        "schema": SCHEMA,
        "plan": plan_to_json(result.plan),
        "summaries": [summary_to_json(summary) for summary in summaries(result)],
        "items": [item_to_json(item) for item in result.items],
    }
