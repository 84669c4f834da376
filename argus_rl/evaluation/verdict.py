"""Improved, regressed, or no evidence: two evaluations of the same items, compared pair by pair.

The primary measure is stated beforehand and is one: the mean over items of the change in mean@n
(share of right samples), with its 95 % paired bootstrap interval over items. It was chosen because
n samples an item carry several times the information of one greedy chain. The verdict is `improved`
if the interval lies above zero, `regressed` if below, and else `no evidence`, with the smallest
difference that so many items could have shown.

Two guards: fewer than six items that changed cannot reach p < 0.05 in any exact test (2 / 2^5 >
0.05), so they give no evidence however one-sided; and exact McNemar on the greedy chains is shown
beside the verdict but has no vote in it, or there would be two chances to be right. The verdict on
all items is the claim; those on the easy and the harder ones say where it comes from.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from argus_rl.core.errors import DataError
from argus_rl.core.stats.estimate import Floats, IntervalEstimate
from argus_rl.core.stats.intervals import clustered_wilson
from argus_rl.core.stats.paired import (
    McNemar,
    detectable_mean_difference,
    mcnemar_of,
    paired_bootstrap,
)
from argus_rl.evaluation.result import EvaluationResult, ItemResult, Json, scopes_of
from argus_rl.evaluation.summary import estimate_to_json

MIN_CHANGED_ITEMS = 6
"""Items whose figure must have changed before a verdict may say more than `no evidence`."""


class Outcome(StrEnum):
    """The verdict in words."""

    improved = "improved"
    """The interval of the change lies above zero."""
    regressed = "regressed"
    """The interval of the change lies below zero."""
    no_evidence = "no evidence"
    """Neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeVerdict:
    """Before and after on one group of items. Rates in [0, 1], differences in [-1, 1]."""

    scope: str
    """`all`, `easy`, `harder` or `level L`."""
    items: int
    """Items compared."""
    samples: int
    """Samples per item."""
    before: IntervalEstimate
    """mean@n before."""
    after: IntervalEstimate
    """mean@n after."""
    change: IntervalEstimate
    """Primary measure: mean change of mean@n over items."""
    greedy_change: IntervalEstimate
    """Mean change of the greedy result over items."""
    mcnemar: McNemar
    """Exact test on the greedy results."""
    detectable: float
    """Smallest change of mean@n that so many items show in 80 % of repetitions, in [0, 1]."""
    outcome: Outcome
    """What follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The comparison of two evaluations, group by group."""

    scopes: tuple[ScopeVerdict, ...]
    """`all` first, then `easy` and `harder` where known, then each level."""

    @property
    def overall(self) -> ScopeVerdict:
        """The claim: all items."""
        return self.scopes[0]

    def scope(self, name: str) -> ScopeVerdict | None:
        """The group of this name, None where there is no such group."""
        return next((scope for scope in self.scopes if scope.scope == name), None)


def check_comparable(before: EvaluationResult, after: EvaluationResult) -> None:
    """Raises DataError, saying what differs, unless plans and items are the same."""
    if before.plan != after.plan:
        raise DataError(
            "the two evaluations were made differently and cannot be compared: "
            f"{before.plan} against {after.plan}"
        )
    first = [(item.id, item.level) for item in before.items]
    second = [(item.id, item.level) for item in after.items]
    if first != second:
        shared = len(set(first) & set(second))
        raise DataError(
            "the two evaluations are on different held-out items and cannot be compared: "
            f"{len(first)} and {len(second)} items, {shared} in common"
        )


def decide(change: IntervalEstimate, changed_items: int) -> Outcome:
    """The stated rule on the primary measure."""
    if changed_items < MIN_CHANGED_ITEMS or not change.interval.excludes(0.0):
        return Outcome.no_evidence
    return Outcome.improved if change.value > 0.0 else Outcome.regressed


def _spread(differences: Floats) -> float:
    """Standard deviation of the differences, as if one more item had changed fully.

    Without the extra item, a few items that happen not to change would claim perfect sight.
    """
    squares = float(((differences - differences.mean()) ** 2).sum())
    return math.sqrt((squares + 1.0) / differences.size)


def _compare_items(
    scope: str,
    before: Sequence[ItemResult],
    after: Sequence[ItemResult],
    rng: np.random.Generator,
    level: float,
) -> ScopeVerdict:
    samples = before[0].samples
    rates = np.array([[item.rate for item in side] for side in (before, after)])
    greedy = [[item.greedy_right for item in side] for side in (before, after)]
    differences: Floats = rates[1] - rates[0]
    change = paired_bootstrap(rates[0], rates[1], rng, level=level)
    spread = _spread(differences)
    return ScopeVerdict(
        scope=scope,
        items=len(before),
        samples=samples,
        before=clustered_wilson(rates[0], samples, level),
        after=clustered_wilson(rates[1], samples, level),
        change=_inside(change),
        greedy_change=_inside(paired_bootstrap(greedy[0], greedy[1], rng, level=level)),
        mcnemar=mcnemar_of(greedy[0], greedy[1]),
        detectable=min(1.0, detectable_mean_difference(spread, len(before), level=level)),
        outcome=decide(change, int(np.count_nonzero(differences))),
    )


def _inside(difference: IntervalEstimate) -> IntervalEstimate:
    """The same with its interval cut to what a difference of rates can be."""
    return IntervalEstimate(
        value=difference.value, interval=difference.interval.clipped(-1.0, 1.0), n=difference.n
    )


def compare_results(
    before: EvaluationResult,
    after: EvaluationResult,
    rng: np.random.Generator,
    level: float = 0.95,
) -> Verdict:
    """Compare two evaluations of the same items; equal generators give equal verdicts.

    Raises:
        DataError: different plans or different items.
    """
    check_comparable(before, after)
    groups = scopes_of(before.items, before.plan.easy_levels)
    return Verdict(
        scopes=tuple(
            _compare_items(
                scope,
                [before.items[i] for i in positions],
                [after.items[i] for i in positions],
                rng,
                level,
            )
            for scope, positions in groups.items()
        )
    )


def _points(estimate: IntervalEstimate) -> str:
    low, high = 100 * estimate.interval.low, 100 * estimate.interval.high
    percent = f"{100 * estimate.interval.level:g} %"
    return f"{100 * estimate.value:+.1f} points ({percent} interval {low:+.1f} to {high:+.1f})"


def _clause(scope: ScopeVerdict) -> str:
    text = f"{scope.scope}: {scope.outcome.value}, {_points(scope.change)}"
    if scope.outcome is Outcome.no_evidence:
        text += f", where {100 * scope.detectable:.1f} points could have been seen"
    return text


def sentence(verdict: Verdict) -> str:
    """The verdict as sentences that a person can read, easy and harder items included."""
    claim = verdict.overall
    parts = [
        f"{claim.outcome.value.capitalize()}: mean accuracy over {claim.samples} samples on "
        f"{claim.items} held-out items went from {100 * claim.before.value:.1f} % to "
        f"{100 * claim.after.value:.1f} %, {_points(claim.change)}."
    ]
    if claim.outcome is Outcome.no_evidence:
        parts.append(
            f"With so many items, {100 * claim.detectable:.1f} points could have been seen."
        )
    parts.append(f"Greedy answers: {claim.mcnemar}.")
    groups = [verdict.scope("easy"), verdict.scope("harder")]
    clauses = [_clause(group) for group in groups if group is not None]
    if clauses:
        parts.append("; ".join(clauses).capitalize() + ".")
    return " ".join(parts)


def scope_to_json(scope: ScopeVerdict) -> Json:
    """One group as a JSON object."""
    return {
        "scope": scope.scope,
        "items": scope.items,
        "samples": scope.samples,
        "before": estimate_to_json(scope.before),
        "after": estimate_to_json(scope.after),
        "change": estimate_to_json(scope.change),
        "greedy_change": estimate_to_json(scope.greedy_change),
        "gained": scope.mcnemar.gained,
        "lost": scope.mcnemar.lost,
        "p_value": scope.mcnemar.p_value,
        "detectable": scope.detectable,
        "outcome": scope.outcome.value,
    }


def verdict_to_json(verdict: Verdict) -> Json:
    """The whole verdict as a JSON object, with its sentence."""
    return {
        "outcome": verdict.overall.outcome.value,
        "sentence": sentence(verdict),
        "scopes": [scope_to_json(scope) for scope in verdict.scopes],
    }
