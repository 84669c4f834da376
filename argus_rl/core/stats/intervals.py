"""Intervals for one proportion or one mean.

* `wilson`: score interval of a binomial proportion, good from n = 5 on and never empty at 0 or n
  (Wilson 1927; Brown, Cai & DasGupta 2001).
* `clustered_wilson`: the same for a mean over items with several samples each. Samples of one item
  are not independent, so n is replaced by an effective size p(1-p) / Var(mean), adjusted for the
  few items that the variance was estimated from (Korn & Graubard 1998).
* `beta_interval`: posterior of an agreement rate, Beta(1 + n_maj, 1 + k - n_maj).
* `bootstrap_interval`, `cluster_bootstrap_interval`: percentile bootstrap, with the percentiles
  moved outwards for small n (the expanded percentile interval of Hesterberg 2015); the same
  generator gives the same interval.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from argus_rl.core.stats.distributions import (
    beta_quantile,
    check_level,
    normal_cdf,
    two_sided_t,
    two_sided_z,
)
from argus_rl.core.stats.estimate import Floats, Interval, IntervalEstimate, some_floats

RESAMPLES = 4000
"""Bootstrap resamples; the Monte Carlo error of a 95 % end is then about 2 % of the width."""

_CHUNK = 4_000_000
"""Most indices drawn at once, so that memory stays below about 64 MB."""

RowStatistic = Callable[[Floats], Floats]
"""Maps resamples, shape (resamples, n), to one figure each, shape (resamples,)."""


def row_means(rows: Floats) -> Floats:
    """Mean of each row: (resamples, n) -> (resamples,)."""
    return np.asarray(rows.mean(axis=1), dtype=np.float64)


def _wilson_ends(p: float, n: float, z: float, level: float) -> Interval:
    centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n)
    half = z / (1.0 + z * z / n) * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    low = 0.0 if p == 0.0 else min(max(0.0, centre - half), p)
    high = 1.0 if p == 1.0 else max(min(1.0, centre + half), p)
    return Interval(low=low, high=high, level=level)


def wilson(successes: int, n: int, level: float = 0.95) -> IntervalEstimate:
    """Proportion of successes in n trials with its Wilson interval. Raises ValueError for n < 1."""
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"need 0 <= successes <= n and n >= 1, not {successes} of {n}")
    p = successes / n
    return IntervalEstimate(value=p, interval=_wilson_ends(p, n, two_sided_z(level), level), n=n)


def _effective_size(rates: Floats, samples_per_item: float, level: float) -> float:
    items = rates.size
    p, variance = float(rates.mean()), float(rates.var()) / items
    total = items * samples_per_item
    if variance <= 0.0 or items < 2 or total <= 1.0:
        return float(items)
    raw = min(p * (1.0 - p) / variance, total)
    shrink = two_sided_t(level, total - 1.0) / two_sided_t(level, items - 1)
    return max(raw * min(shrink, 1.0) ** 2, 1.0)


def clustered_wilson(
    rates: ArrayLike, samples_per_item: float, level: float = 0.95
) -> IntervalEstimate:
    """Mean of item rates in [0, 1] with a Wilson interval at the effective sample size.

    Equal to `wilson` where each item has one sample. Where all items have the same rate, nothing
    is known of the variance and each item counts as one observation.

    Args:
        rates: shape (items,), each in [0, 1].
        samples_per_item: independent samples behind each rate, >= 1; caps the effective size.
        level: nominal coverage.
    """
    array = some_floats(rates)
    if samples_per_item < 1.0 or array.min() < 0.0 or array.max() > 1.0:
        raise ValueError("rates must lie in [0, 1] and each needs at least one sample")
    size = _effective_size(array, samples_per_item, level)
    p = min(max(float(array.mean()), 0.0), 1.0)
    interval = _wilson_ends(p, size, two_sided_z(level), level)
    return IntervalEstimate(value=p, interval=interval, n=int(array.size))


def beta_interval(majority: int, k: int, level: float = 0.95) -> Interval:
    """Equal-tailed interval of Beta(1 + majority, 1 + k - majority), the agreement's posterior.

    Args:
        majority: chains that gave the majority answer, 0 to k.
        k: chains in all, >= 0; with k = 0 this is the uniform prior.
        level: posterior mass of the interval.
    """
    check_level(level)
    if not 0 <= majority <= k:
        raise ValueError(f"need 0 <= majority <= k, not {majority} of {k}")
    a, b, tail = 1.0 + majority, 1.0 + k - majority, (1.0 - level) / 2.0
    return Interval(low=beta_quantile(tail, a, b), high=beta_quantile(1 - tail, a, b), level=level)


def resampled(
    values: Floats, rng: np.random.Generator, statistic: RowStatistic, resamples: int
) -> Floats:
    """`statistic` of `resamples` draws of n values with replacement, shape (resamples,)."""
    rows = max(1, _CHUNK // values.size)
    parts = [
        statistic(
            values[rng.integers(values.size, size=(min(rows, resamples - start), values.size))]
        )
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(parts)


def expanded_percentiles(draws: Floats, n: int, level: float) -> Interval:
    """Percentile interval of bootstrap draws, the tails shrunk as if by Student's t at n - 1.

    The plain percentile interval of a mean is narrower than Student's by sqrt((n-1)/n) z / t;
    taking the tail Phi(-sqrt(n/(n-1)) t) undoes both (Hesterberg 2015, section 5.4). For n = 1 the
    data say nothing about spread and the interval is unbounded.
    """
    check_level(level)
    if n < 2:
        return Interval(low=-math.inf, high=math.inf, level=level)
    tail = normal_cdf(-math.sqrt(n / (n - 1.0)) * two_sided_t(level, n - 1))
    low, high = np.quantile(draws, [tail, 1.0 - tail])
    return Interval(low=float(low), high=float(high), level=level)


def bootstrap_interval(
    values: ArrayLike,
    rng: np.random.Generator,
    *,
    statistic: RowStatistic = row_means,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """A statistic of independent values, shape (n,), with its bootstrap interval.

    Raises ValueError where there is no value. With one value the interval is unbounded.
    """
    array = some_floats(values)
    draws = resampled(array, rng, statistic, resamples)
    value = float(statistic(array[np.newaxis, :])[0])
    interval = expanded_percentiles(draws, int(array.size), level)
    return IntervalEstimate(value=value, interval=interval, n=int(array.size))


def cluster_bootstrap_interval(
    clusters: Sequence[ArrayLike],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """Mean of all values, resampling whole clusters (problems, seeds) of any sizes.

    Values inside a cluster may depend on each other in any way; only clusters are independent.

    Args:
        clusters: one array of values per cluster, each with at least one value.
        rng: stream of the resampling.
        resamples: how many resamples to draw.
        level: nominal coverage.
    """
    arrays = [some_floats(cluster) for cluster in clusters]
    if not arrays:
        raise ValueError("no clusters")
    sums = np.array([array.sum() for array in arrays])
    sizes = np.array([float(array.size) for array in arrays])
    count = len(arrays)
    rows = max(1, _CHUNK // count)
    draws: list[Floats] = []
    for start in range(0, resamples, rows):
        picks = rng.integers(count, size=(min(rows, resamples - start), count))
        draws.append(sums[picks].sum(axis=1) / sizes[picks].sum(axis=1))
    interval = expanded_percentiles(np.concatenate(draws), count, level)
    return IntervalEstimate(value=float(sums.sum() / sizes.sum()), interval=interval, n=count)
