"""Runs against runs, over seeds: did a preset do better than the reference?

Runs are grouped by condition: the preset, followed by the settings in which runs of that preset
differ (`argus_full, control.ercv_rollback=False`). The figure of a run in a scope is mean@n; its
change is after minus before on the same items. Over the seeds of a condition the interquartile mean
is taken, with a stratified bootstrap interval (`argus_rl.core.stats.aggregate`). A condition is
compared with the reference in the change, paired over the seeds that both have; without two shared
seeds, the two sides are redrawn apart. Intervals are over seeds: they say what a new seed would do
on these held-out items.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from argus_rl.core.errors import RunDirError
from argus_rl.core.stats.aggregate import (
    paired_seed_difference,
    stratified_bootstrap,
    unpaired_seed_difference,
)
from argus_rl.core.stats.estimate import Interval, mean_estimate
from argus_rl.evaluation.result import Json
from argus_rl.evaluation.runs import Run, condition_names

MIN_SEEDS = 3
"""Seeds below which nothing is claimed, whatever the interval says."""
DEFAULT_REFERENCE = "baseline"
"""Condition that the others are compared with, where it is among the runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFigure:
    """A figure over the seeds of one condition."""

    value: float
    """Interquartile mean over seeds (for figures of the summary: the mean)."""
    interval: Interval | None
    """Its interval over seeds; None with a single seed, which cannot tell."""
    values: tuple[tuple[int, float], ...]
    """(seed, figure) of each run, by rising seed."""

    @property
    def seeds(self) -> int:
        """How many runs stand behind it."""
        return len(self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A condition's change minus the reference's change."""

    value: float
    """Difference of interquartile means, or of the paired differences, in [-1, 1]."""
    interval: Interval | None
    """Its interval over seeds; None where either side has a single seed."""
    paired_seeds: int
    """Seeds that both have and that were compared pair by pair; 0 for an unpaired comparison."""
    seeds: int
    """Runs behind the smaller side."""

    @property
    def word(self) -> str:
        """`higher`, `lower` or `no evidence`; nothing is claimed below MIN_SEEDS seeds."""
        if self.seeds < MIN_SEEDS or self.interval is None or not self.interval.excludes(0.0):
            return "no evidence"
        return "higher" if self.value > 0.0 else "lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeComparison:
    """One condition in one group of items."""

    scope: str
    """`all`, `easy`, `harder` or `level L`."""
    items: int
    """Held-out items in the group."""
    before: SeedFigure
    """mean@n of the starting weights."""
    after: SeedFigure
    """mean@n of the final weights."""
    change: SeedFigure
    """After minus before, run by run."""
    against: Against | None
    """Comparison with the reference; None for the reference itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """All runs of one preset with the same settings."""

    name: str
    """Preset, followed by the settings in which runs of that preset differ."""
    seeds: tuple[int, ...]
    """Seeds, rising."""
    scopes: tuple[ScopeComparison, ...]
    """`all` first."""
    figures: dict[str, SeedFigure]
    """Mean of every figure that the runs' summaries hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The whole table."""

    reference: str
    """Name of the condition that the others are compared with."""
    samples: int
    """Samples per item behind mean@n."""
    conditions: tuple[Condition, ...]
    """The reference first."""
    notes: tuple[str, ...]
    """What a reader must know: too few seeds, unpaired comparisons."""


def check_same_items(runs: Sequence[Run]) -> None:
    """Raises RunDirError, naming two runs, unless all were evaluated alike on the same items."""
    first = runs[0]
    for run in runs[1:]:
        if run.items != first.items:
            shared = len(set(run.items) & set(first.items))
            raise RunDirError(
                f"{first.folder} and {run.folder} were evaluated on different held-out items "
                f"({len(first.items)} and {len(run.items)}, {shared} in common): a difference "
                "would tell of the items, not of the runs; evaluate both on the same set"
            )
        if run.plan != first.plan:
            raise RunDirError(
                f"{first.folder} and {run.folder} were evaluated differently: {first.plan} "
                f"against {run.plan}"
            )


def group_runs(runs: Sequence[Run]) -> dict[str, tuple[Run, ...]]:
    """Runs by condition, each by rising seed. Raises RunDirError on a seed given twice."""
    groups: dict[str, list[Run]] = {}
    for run, name in zip(runs, condition_names(runs), strict=True):
        groups.setdefault(name, []).append(run)
    for name, members in groups.items():
        members.sort(key=lambda run: run.seed)
        for first, second in pairwise(members):
            if first.seed == second.seed:
                raise RunDirError(
                    f"{first.folder} and {second.folder} are both {name} with seed {first.seed}: "
                    "the same run twice is no second seed; give one of them"
                )
    return {name: tuple(members) for name, members in groups.items()}


def choose_reference(names: Sequence[str], wanted: str | None) -> str:
    """The condition asked for, by its full name or by a preset that names only one.

    Without a wish it is `baseline` where that names only one, else the first.

    Raises:
        RunDirError: the wish names no condition, or several.
    """
    goal = DEFAULT_REFERENCE if wanted is None else wanted
    matches = [name for name in names if name == goal] or [
        name for name in names if name.startswith(f"{goal}, ")
    ]
    if len(matches) == 1:
        return matches[0]
    if wanted is None:
        return names[0]
    count = "no run is" if not matches else "several conditions are"
    raise RunDirError(f"{count} of {wanted!r}; the runs given are of: {'; '.join(names)}")


def _finite(interval: Interval) -> Interval | None:
    return None if math.isinf(interval.low) or math.isinf(interval.high) else interval


def _over_seeds(
    seeds: Sequence[int], values: Sequence[float], rng: np.random.Generator
) -> SeedFigure:
    estimate = stratified_bootstrap([values], rng)
    return SeedFigure(
        value=estimate.value,
        interval=_finite(estimate.interval),
        values=tuple(zip(seeds, values, strict=True)),
    )


def compare_changes(
    reference: Mapping[int, float], other: Mapping[int, float], rng: np.random.Generator
) -> Against:
    """Compare changes by seed, paired where at least two seeds are shared (or the only one is)."""
    shared = sorted(reference.keys() & other.keys())
    if len(shared) >= 2 or (shared and len(reference) == len(other) == 1):
        pairs = [reference[seed] for seed in shared], [other[seed] for seed in shared]
        estimate = paired_seed_difference(*pairs, rng)
        paired, seeds = len(shared), len(shared)
    else:
        estimate = unpaired_seed_difference(list(reference.values()), list(other.values()), rng)
        paired, seeds = 0, min(len(reference), len(other))
    return Against(
        value=estimate.value,
        interval=_finite(estimate.interval),
        paired_seeds=paired,
        seeds=seeds,
    )


def _changes(runs: Sequence[Run], scope: str) -> dict[int, float]:
    return {run.seed: run.after[scope] - run.before[scope] for run in runs}


def _compare_scope(
    scope: str, runs: Sequence[Run], reference: Sequence[Run] | None, rng: np.random.Generator
) -> ScopeComparison:
    seeds = [run.seed for run in runs]
    changes = _changes(runs, scope)
    against = None
    if reference is not None:
        against = compare_changes(_changes(reference, scope), changes, rng)
    return ScopeComparison(
        scope=scope,
        items=runs[0].scope_sizes[scope],
        before=_over_seeds(seeds, [run.before[scope] for run in runs], rng),
        after=_over_seeds(seeds, [run.after[scope] for run in runs], rng),
        change=_over_seeds(seeds, list(changes.values()), rng),
        against=against,
    )


def _summary_figures(runs: Sequence[Run]) -> dict[str, SeedFigure]:
    """Mean and Student interval of each figure over the runs whose summary holds it."""
    names = dict.fromkeys(name for run in runs for name in run.figures)
    figures: dict[str, SeedFigure] = {}
    for name in names:
        values = [(run.seed, run.figures[name]) for run in runs if name in run.figures]
        estimate = mean_estimate([value for _, value in values])
        figures[name] = SeedFigure(
            value=estimate.value, interval=_finite(estimate.interval()), values=tuple(values)
        )
    return figures


def _condition(
    name: str, runs: Sequence[Run], reference: Sequence[Run] | None, rng: np.random.Generator
) -> Condition:
    return Condition(
        name=name,
        seeds=tuple(run.seed for run in runs),
        scopes=tuple(_compare_scope(scope, runs, reference, rng) for scope in runs[0].before),
        figures=_summary_figures(runs),
    )


def _notes(conditions: Sequence[Condition]) -> tuple[str, ...]:
    notes: list[str] = []
    for condition in conditions:
        against = condition.scopes[0].against
        if len(condition.seeds) == 1:
            notes.append(f"{condition.name} has one seed: intervals over seeds cannot be had.")
        elif len(condition.seeds) < MIN_SEEDS:
            notes.append(
                f"{condition.name} has {len(condition.seeds)} seeds: nothing is claimed below "
                f"{MIN_SEEDS}."
            )
        if against is not None and against.paired_seeds == 0:
            notes.append(f"{condition.name} shares no two seeds with the reference: unpaired.")
        elif against is not None and against.paired_seeds < len(condition.seeds):
            notes.append(
                f"{condition.name} is compared over the {against.paired_seeds} seeds that it "
                "shares with the reference."
            )
    return tuple(notes)


def compare_runs(
    runs: Sequence[Run], rng: np.random.Generator, reference: str | None = None
) -> Comparison:
    """The table of all conditions; equal generators give equal tables.

    Raises:
        RunDirError: no runs, different held-out items, one seed twice, or an unknown reference.
    """
    if not runs:
        raise RunDirError("there is no finished run to compare")
    check_same_items(runs)
    groups = group_runs(runs)
    chosen = choose_reference(list(groups), reference)
    others = [name for name in groups if name != chosen]
    conditions = [
        _condition(chosen, groups[chosen], None, rng),
        *(_condition(name, groups[name], groups[chosen], rng) for name in others),
    ]
    return Comparison(
        reference=chosen,
        samples=runs[0].plan.samples,
        conditions=tuple(conditions),
        notes=_notes(conditions),
    )


def _ends(interval: Interval | None) -> Json:
    if interval is None:
        return {"low": None, "high": None}
    return {"low": interval.low, "high": interval.high}


def _figure_to_json(figure: SeedFigure) -> Json:
    values = {str(seed): value for seed, value in figure.values}
    return {"value": figure.value, **_ends(figure.interval), "by_seed": values}


def _scope_to_json(scope: ScopeComparison) -> Json:
    against = scope.against
    return {
        "scope": scope.scope,
        "items": scope.items,
        "before": _figure_to_json(scope.before),
        "after": _figure_to_json(scope.after),
        "change": _figure_to_json(scope.change),
        "against": against
        and {
            "value": against.value,
            **_ends(against.interval),
            "paired_seeds": against.paired_seeds,
            "word": against.word,
        },
    }


def comparison_to_json(comparison: Comparison) -> Json:
    """The whole table as a JSON object; intervals that cannot be had are null."""
    return {
        "reference": comparison.reference,
        "samples": comparison.samples,
        "notes": list(comparison.notes),
        "conditions": [
            {
                "name": condition.name,
                "seeds": list(condition.seeds),
                "scopes": [_scope_to_json(scope) for scope in condition.scopes],
                "figures": {
                    name: _figure_to_json(figure) for name, figure in condition.figures.items()
                },
            }
            for condition in comparison.conditions
        ],
    }
