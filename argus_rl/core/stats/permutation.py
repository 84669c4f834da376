"""Exact p-values by relabelling: how often would chance alone do as well?

If nothing distinguishes before from after, the sign of every paired difference is a coin flip, and
flipping them all ways gives the exact null distribution of their mean (Fisher's randomisation
test). Up to 2^12 assignments are enumerated; above that, m random ones are drawn and the observed
one is counted among them, p = (1 + hits) / (1 + m), which never is zero and keeps its level
(Phipson & Smyth 2010).
"""

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from argus_rl.core.stats.estimate import Floats, some_floats

_EXACT_UP_TO = 12
_RELATIVE_TIE = 1e-12


class Alternative(StrEnum):
    """Which departures from the null count as extreme."""

    two_sided = "two_sided"
    """Either way."""
    greater = "greater"
    """The observed figure is too large."""
    less = "less"
    """The observed figure is too small."""


def _extremity(values: Floats, alternative: Alternative) -> Floats:
    match alternative:
        case Alternative.two_sided:
            return np.abs(values)
        case Alternative.greater:
            return values
        case Alternative.less:
            return -values


def _at_least(observed: float, null: Floats, alternative: Alternative) -> int:
    """How many null figures are as extreme as the observed one; rounding does not break ties."""
    bar = float(_extremity(np.array([observed]), alternative)[0])
    slack = _RELATIVE_TIE * max(abs(bar), 1.0)
    return int(np.count_nonzero(_extremity(null, alternative) >= bar - slack))


def permutation_p_value(
    observed: float, null: ArrayLike, alternative: Alternative = Alternative.two_sided
) -> float:
    """`(1 + hits) / (1 + m)` for an observed figure and m figures drawn under the null.

    Args:
        observed: the figure of the real labelling.
        null: figures of m random relabellings, shape (m,); centred on zero if two-sided.
        alternative: which side counts.
    """
    draws = some_floats(null)
    return (1 + _at_least(observed, draws, alternative)) / (1 + draws.size)


def sign_flip_p_value(
    differences: ArrayLike,
    rng: np.random.Generator,
    *,
    permutations: int = 9999,
    alternative: Alternative = Alternative.two_sided,
) -> float:
    """P-value for "the paired differences are symmetric about zero", shape (n,).

    Exact for at most 12 differences that are not zero, else by `permutations` random flips.
    """
    array = some_floats(differences)
    moved = array[array != 0.0]
    if moved.size == 0:
        return 1.0
    observed = float(moved.sum())
    if moved.size <= _EXACT_UP_TO:
        bits = np.arange(2**moved.size, dtype=np.int64)[:, np.newaxis]
        masks: NDArray[np.int64] = bits >> np.arange(moved.size, dtype=np.int64) & 1
        sums = np.asarray((1.0 - 2.0 * masks) @ moved, dtype=np.float64)
        return _at_least(observed, sums, alternative) / sums.size
    flips = rng.integers(2, size=(permutations, moved.size))
    return permutation_p_value(observed, (1.0 - 2.0 * flips) @ moved, alternative)
