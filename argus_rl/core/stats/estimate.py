"""Numbers that carry their uncertainty in the type.

A figure without its uncertainty invites a claim that the data do not make, so the values here
print both or nothing: `0.412 ± 0.031 (n = 40)` for an estimate with a standard error, and
`0.412 [0.35, 0.47] (n = 40)` for one with an interval. The standard error of a mean of n
independent values is s / sqrt(n), with s^2 the variance that divides by n - 1; of one value it is
unknown, which is written as infinite rather than as zero.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from argus_rl.core.stats.distributions import check_level, two_sided_t

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A range that holds the true value in `level` of all repetitions."""

    low: float
    """Lower end, in the unit of the figure; may be minus infinity."""
    high: float
    """Upper end, never below `low`; may be plus infinity."""
    level: float = 0.95
    """Nominal coverage, between 0 and 1."""

    def __post_init__(self) -> None:
        """Raises ValueError on ends in the wrong order, a NaN, or an impossible level."""
        check_level(self.level)
        if not self.low <= self.high:
            raise ValueError(f"an interval needs low <= high, not {self.low} and {self.high}")

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2.0

    def contains(self, value: float) -> bool:
        """Whether the value lies inside, ends included."""
        return self.low <= value <= self.high

    def excludes(self, value: float) -> bool:
        """Whether the value lies strictly outside."""
        return not self.contains(value)

    def clipped(self, low: float, high: float) -> "Interval":
        """The part inside the range that the figure can take, as an interval of the same level."""
        return Interval(
            low=min(max(self.low, low), high),
            high=max(min(self.high, high), low),
            level=self.level,
        )

    def __format__(self, spec: str) -> str:
        """`[low, high]`, each end formatted by `spec` (default `.3f`)."""
        spec = spec or ".3f"
        return f"[{self.low:{spec}}, {self.high:{spec}}]"

    def __str__(self) -> str:
        return format(self, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its standard error."""

    value: float
    """The point estimate."""
    se: float
    """Standard error, same unit, >= 0; infinite where the data cannot tell."""
    n: int
    """How many independent observations stand behind it, >= 1."""

    def __post_init__(self) -> None:
        """Raises ValueError on a NaN, a negative standard error or an empty sample."""
        if math.isnan(self.value) or not self.se >= 0.0:
            raise ValueError(f"an estimate needs a value and a standard error >= 0, not {self!r}")
        if self.n < 1:
            raise ValueError(f"an estimate needs at least one observation, not {self.n}")

    def interval(self, level: float = 0.95) -> Interval:
        """Student's t interval with n - 1 degrees of freedom; unbounded for n = 1."""
        check_level(level)
        if self.n < 2 or math.isinf(self.se):
            return Interval(low=-math.inf, high=math.inf, level=level)
        half = two_sided_t(level, self.n - 1) * self.se
        return Interval(low=self.value - half, high=self.value + half, level=level)

    def __format__(self, spec: str) -> str:
        """`value ± se (n = ...)`, both numbers formatted by `spec` (default `.3f`)."""
        spec = spec or ".3f"
        return f"{self.value:{spec}} ± {self.se:{spec}} (n = {self.n})"

    def __str__(self) -> str:
        return format(self, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalEstimate:
    """A value with an interval that need not be symmetric about it."""

    value: float
    """The point estimate."""
    interval: Interval
    """Its interval, same unit."""
    n: int
    """How many independent observations (items, seeds) stand behind it, >= 1."""

    def __post_init__(self) -> None:
        """Raises ValueError on a NaN or an empty sample."""
        if math.isnan(self.value) or self.n < 1:
            raise ValueError(f"an estimate needs a value and n >= 1, not {self!r}")

    def __format__(self, spec: str) -> str:
        """`value [low, high] (n = ...)`, numbers formatted by `spec` (default `.3f`)."""
        spec = spec or ".3f"
        return f"{self.value:{spec}} {self.interval:{spec}} (n = {self.n})"

    def __str__(self) -> str:
        return format(self, "")


def as_floats(values: ArrayLike) -> Floats:
    """The values as a one-dimensional float array. Raises ValueError on other shapes and NaN."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"expected one dimension of values, not shape {array.shape}")
    if np.isnan(array).any():
        raise ValueError("a value is NaN")
    return array


def some_floats(values: ArrayLike) -> Floats:
    """`as_floats`, and ValueError where there is no value at all."""
    array = as_floats(values)
    if array.size == 0:
        raise ValueError("no values")
    return array


def mean_estimate(values: ArrayLike) -> Estimate:
    """Mean of independent values, shape (n,), with standard error s / sqrt(n)."""
    array = some_floats(values)
    n = array.size
    se = float(array.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(value=float(array.mean()), se=se, n=n)


def paired_differences(before: ArrayLike, after: ArrayLike) -> Floats:
    """`after - before` item by item, shapes (n,) and (n,). Raises ValueError on unequal lengths."""
    first, second = some_floats(before), some_floats(after)
    if first.shape != second.shape:
        raise ValueError(f"paired values need equal lengths, not {first.size} and {second.size}")
    return second - first


def paired_mean_estimate(before: ArrayLike, after: ArrayLike) -> Estimate:
    """Mean of `after - before` over items, with the standard error of the differences."""
    return mean_estimate(paired_differences(before, after))


def item_means(samples_per_item: Sequence[ArrayLike]) -> Floats:
    """Mean of each item's samples, shape (items,); items may have different numbers of samples."""
    return np.array([some_floats(samples).mean() for samples in samples_per_item], dtype=np.float64)
