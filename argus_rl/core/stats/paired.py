"""Did the same items get better? Tests and intervals on paired results.

Two systems measured on the same items share the items' difficulty, so the difference is known far
better than either level. For one right-or-wrong result per item, the exact McNemar test looks only
at the items that changed: under "no change", gains are Binomial(gained + lost, 1/2). For several
samples per item, the paired bootstrap resamples items with all their samples. The smallest
difference that n items could have shown is Connor's (1987) sample-size formula, solved for the
difference:

    sqrt(n) d = z_a sqrt(q) + z_b sqrt(q - d^2),    q = share of items that change.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from argus_rl.core.stats.distributions import normal_quantile, two_sided_z
from argus_rl.core.stats.estimate import IntervalEstimate, item_means, paired_differences
from argus_rl.core.stats.intervals import RESAMPLES, bootstrap_interval

_BISECTIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Exact McNemar test of paired right-or-wrong results."""

    gained: int
    """Items wrong before and right after."""
    lost: int
    """Items right before and wrong after."""
    p_value: float
    """Two-sided probability, if nothing changed, of a split at least this uneven; in (0, 1]."""

    def __str__(self) -> str:
        return f"{self.gained} gained, {self.lost} lost, exact McNemar p = {self.p_value:.3g}"


def mcnemar(gained: int, lost: int) -> McNemar:
    """Exact two-sided test: `min(1, 2 P(Binomial(gained + lost, 1/2) <= min(gained, lost)))`."""
    if gained < 0 or lost < 0:
        raise ValueError(f"counts cannot be negative: {gained} gained, {lost} lost")
    changed = gained + lost
    tail = sum(math.comb(changed, count) for count in range(min(gained, lost) + 1))
    return McNemar(gained=gained, lost=lost, p_value=min(1.0, 2 * tail / 2**changed))


def mcnemar_of(before: Sequence[bool], after: Sequence[bool]) -> McNemar:
    """The same from the results themselves. Raises ValueError on unequal lengths."""
    pairs = list(zip(before, after, strict=True))
    return mcnemar(
        gained=sum(1 for first, second in pairs if second and not first),
        lost=sum(1 for first, second in pairs if first and not second),
    )


def paired_bootstrap(
    before: ArrayLike,
    after: ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """Mean of `after - before` over items with its bootstrap interval over items.

    Args:
        before: one figure per item (right or wrong, or a mean over samples), shape (items,).
        after: the same items in the same order, shape (items,).
        rng: stream of the resampling.
        resamples: how many resamples to draw.
        level: nominal coverage.

    Raises:
        ValueError: unequal lengths, or no item.
    """
    differences = paired_differences(before, after)
    return bootstrap_interval(differences, rng, resamples=resamples, level=level)


def paired_bootstrap_of_samples(
    before: Sequence[ArrayLike],
    after: Sequence[ArrayLike],
    rng: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> IntervalEstimate:
    """`paired_bootstrap` for several samples per item; before and after may differ in number.

    Only items are resampled. The spread of an item's difference already holds the noise of its
    samples, so drawing the samples again would count that noise twice.
    """
    return paired_bootstrap(
        item_means(before), item_means(after), rng, resamples=resamples, level=level
    )


def _power_gap(
    difference: float, discordance: float, n: int, z_level: float, z_power: float
) -> float:
    changed = max(discordance, difference)
    spread = math.sqrt(max(changed - difference * difference, 0.0))
    return math.sqrt(n) * difference - z_level * math.sqrt(changed) - z_power * spread


def detectable_difference(
    n: int, discordance: float = 0.2, power: float = 0.8, level: float = 0.95
) -> float:
    """Smallest difference of two paired accuracies that n items show with the given power.

    Args:
        n: items, >= 1.
        discordance: share of items that change either way, in (0, 1]; a difference cannot exceed
            it, so where it is too small for n it is taken to grow with the difference.
        power: probability of finding the difference.
        level: 1 minus the two-sided error rate.

    Returns:
        The difference in [0, 1]; 1.0 where n items could show nothing. About 0.124 for n = 100,
        0.056 for n = 500 (discordance 0.2).
    """
    if n < 1 or not 0.0 < discordance <= 1.0 or not 0.5 <= power < 1.0:
        raise ValueError(f"impossible: n = {n}, discordance = {discordance}, power = {power}")
    z_level, z_power = two_sided_z(level), normal_quantile(power)
    low, high = 0.0, 1.0
    if _power_gap(high, discordance, n, z_level, z_power) < 0.0:
        return 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2.0
        if _power_gap(middle, discordance, n, z_level, z_power) < 0.0:
            low = middle
        else:
            high = middle
    return high


def detectable_mean_difference(
    spread: float, n: int, power: float = 0.8, level: float = 0.95
) -> float:
    """Smallest mean paired difference that n items show: `(z_a + z_b) spread / sqrt(n)`.

    Args:
        spread: standard deviation of the item differences, >= 0.
        n: items, >= 1.
        power: probability of finding the difference.
        level: 1 minus the two-sided error rate.
    """
    if n < 1 or spread < 0.0:
        raise ValueError(f"impossible: n = {n}, spread = {spread}")
    return (two_sided_z(level) + normal_quantile(power)) * spread / math.sqrt(n)
