"""Figures over seeds: interquartile mean with stratified bootstrap intervals.

The interquartile mean drops the best and the worst quarter of the runs and averages the rest: less
thrown by one lucky or broken seed than a mean, and less noisy than a median (Agarwal et al. 2021,
"Deep Reinforcement Learning at the Edge of the Statistical Precipice"). Like there, int(n / 4) runs
are dropped at each end, so up to three seeds it is the mean. The bootstrap is stratified: runs are
drawn anew inside each stratum (task, condition) and never across.

A percentile interval cannot reach beyond the runs that were seen: with 3 to 5 seeds it covers 68 to
92 % where 95 % is promised (simulated with normal, exponential and Beta data). So the interval here
is Student's, `IQM ± t(n - strata) x bootstrap standard error`, with the factor sqrt(n / (n - 1))
that the bootstrap misses. It covers 87 to 95 % with 3 seeds and 93 to 97 % from 4 seeds on.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from argus_rl.core.stats.distributions import two_sided_t
from argus_rl.core.stats.estimate import (
    Floats,
    Interval,
    IntervalEstimate,
    paired_differences,
    some_floats,
)
from argus_rl.core.stats.intervals import RESAMPLES


def interquartile_mean(values: ArrayLike) -> float:
    """Mean of what is left after dropping int(n / 4) values at each end; shape (n,)."""
    return float(interquartile_means(some_floats(values)[np.newaxis, :])[0])


def interquartile_means(rows: Floats) -> Floats:
    """Interquartile mean of each row: (rows, n) -> (rows,)."""
    ordered = np.sort(rows, axis=1)
    n = ordered.shape[1]
    drop = n // 4
    return np.asarray(ordered[:, drop : n - drop].mean(axis=1), dtype=np.float64)


def _redrawn(stratum: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    return stratum[rng.integers(stratum.size, size=(resamples, stratum.size))]


def _seed_error(draws: Floats, sizes: Sequence[int]) -> float:
    """Bootstrap standard error, with the (n - 1) / n that each stratum's resampling loses."""
    n, free = sum(sizes), sum(sizes) - len(sizes)
    return float(draws.std()) * math.sqrt(n / free)


def _student(value: float, draws: Floats, sizes: Sequence[int], level: float) -> IntervalEstimate:
    n, free = sum(sizes), sum(sizes) - len(sizes)
    if min(sizes) < 2:
        interval = Interval(low=-math.inf, high=math.inf, level=level)
    else:
        half = two_sided_t(level, free) * _seed_error(draws, sizes)
        interval = Interval(low=value - half, high=value + half, level=level)
    return IntervalEstimate(value=value, interval=interval, n=n)


def stratified_bootstrap(
    strata: Sequence[ArrayLike],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """Interquartile mean of all values, with an interval from redrawing runs inside each stratum.

    Args:
        strata: one array of run figures per stratum; one stratum is a plain bootstrap over seeds.
        rng: stream of the resampling.
        resamples: how many resamples to draw.
        level: nominal coverage.

    Returns:
        The figure with n = number of runs; unbounded where a stratum has fewer than two runs.
    """
    arrays = [some_floats(stratum) for stratum in strata]
    if not arrays:
        raise ValueError("no strata")
    value = interquartile_mean(np.concatenate(arrays))
    draws = interquartile_means(
        np.concatenate([_redrawn(array, rng, resamples) for array in arrays], axis=1)
    )
    return _student(value, draws, [int(array.size) for array in arrays], level)


def paired_seed_difference(
    reference: ArrayLike,
    other: ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """Interquartile mean of `other - reference`, both given seed by seed in the same order.

    A seed is redrawn with both its runs, so what the seed decides (start, problems) cancels.
    """
    differences = paired_differences(reference, other)
    return stratified_bootstrap([differences], rng, resamples=resamples, level=level)


def unpaired_seed_difference(
    reference: ArrayLike,
    other: ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """Difference of two interquartile means over different seeds, the two sides being strata."""
    first, second = some_floats(reference), some_floats(other)
    value = interquartile_mean(second) - interquartile_mean(first)
    draws = interquartile_means(_redrawn(second, rng, resamples)) - interquartile_means(
        _redrawn(first, rng, resamples)
    )
    return _student(value, draws, [int(first.size), int(second.size)], level)
