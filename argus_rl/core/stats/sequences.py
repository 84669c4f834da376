"""Looking again and again without being fooled: anytime-valid bounds on paired differences.

A 95 % interval that is looked at after every item misses the truth at *some* look far more often
than in 5 % of the runs. A confidence sequence holds at all looks together, so a panel may be
enlarged until it has decided.

* `empirical_bernstein_sequence`: for values in a known range and a constant conditional mean;
  nothing else is assumed (Waudby-Smith & Ramdas 2024, "Estimating means of bounded random variables
  by betting", theorem 2, predictable plug-in). With X scaled to [0, 1]:

      lambda_t = min(sqrt(2 log(2/alpha) / (s2_{t-1} t log(1 + t))), 1/2)
      centre_t = sum lambda_i X_i / sum lambda_i
      radius_t = (log(2/alpha) + sum 4 (X_i - m_{i-1})^2 psi(lambda_i)) / sum lambda_i,
      psi(l) = (-log(1 - l) - l) / 4.

* `symmetry_p_values`: a sharper test of "before and after are interchangeable", which makes
  every difference symmetric about zero. Since cosh(x) <= exp(x^2 / 2), exp(l S_t - l^2 V_t / 2)
  with S = sum d and V = sum d^2 is a supermartingale for each l (de la Pena 1999); mixing l over
  Normal(0, 1/rho), or its half for one side, gives an e-process, and 1 / max E_t is a p-value at
  every look (Ville's inequality; Howard et al. 2021).
* `spent_level`: the part of an error budget that look or episode number e may use.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from argus_rl.core.stats.distributions import check_level, normal_cdf
from argus_rl.core.stats.estimate import Floats, Interval, as_floats
from argus_rl.core.stats.permutation import Alternative

_BET_CAP = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceSequence:
    """Intervals after 1, 2, ... values that hold the mean at all times together."""

    intervals: tuple[Interval, ...]
    """One per value; each lies inside the one before."""
    support: tuple[float, float]
    """Lowest and highest value that an observation can take."""
    level: float
    """Probability that every interval holds the mean."""

    @property
    def latest(self) -> Interval:
        """What all values together say; the whole support before the first value."""
        if not self.intervals:
            return Interval(low=self.support[0], high=self.support[1], level=self.level)
        return self.intervals[-1]


def _scaled(values: ArrayLike, support: tuple[float, float]) -> Floats:
    low, high = support
    if not low < high:
        raise ValueError(f"the support needs low < high, not {support}")
    array = as_floats(values)
    if array.size and (array.min() < low or array.max() > high):
        raise ValueError(f"a value lies outside the support {support}")
    return (array - low) / (high - low)


def _bernstein_ends(x: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Lower and upper ends on [0, 1] before they are intersected, shapes (n,) and (n,)."""
    times = np.arange(1, x.size + 1, dtype=np.float64)
    means = (0.5 + np.cumsum(x)) / (times + 1.0)
    variances = (0.25 + np.cumsum((x - means) ** 2)) / (times + 1.0)
    known_mean = np.concatenate(([0.5], means[:-1]))
    known_variance = np.concatenate(([0.25], variances[:-1]))
    budget = math.log(2.0 / alpha)
    bets = np.sqrt(2.0 * budget / (known_variance * times * np.log1p(times)))
    bets = np.minimum(bets, _BET_CAP)
    cost = (x - known_mean) ** 2 * (-np.log1p(-bets) - bets)
    stake = np.cumsum(bets)
    centre = np.cumsum(bets * x) / stake
    radius = (budget + np.cumsum(cost)) / stake
    return centre - radius, centre + radius


def empirical_bernstein_sequence(
    values: ArrayLike, *, support: tuple[float, float] = (-1.0, 1.0), level: float = 0.95
) -> ConfidenceSequence:
    """Anytime-valid intervals for the mean of bounded values, in the order of arrival.

    Args:
        values: shape (n,), each inside `support`; paired differences of scores in [0, 1] lie in
            [-1, 1]. n = 0 is allowed.
        support: lowest and highest possible value.
        level: probability that no interval ever misses the mean.

    Returns:
        n nested intervals. If the mean drifts, they may contradict each other; the sequence then
        keeps the last interval before they did.
    """
    check_level(level)
    x = _scaled(values, support)
    low, high = _bernstein_ends(x, 1.0 - level)
    low = np.maximum.accumulate(np.clip(low, 0.0, 1.0))
    high = np.minimum.accumulate(np.clip(high, 0.0, 1.0))
    apart = np.flatnonzero(low > high)
    if apart.size:
        low[apart[0] :], high[apart[0] :] = low[apart[0] - 1], high[apart[0] - 1]
    base, width = support[0], support[1] - support[0]
    return ConfidenceSequence(
        intervals=tuple(
            Interval(low=base + width * float(a), high=base + width * float(b), level=level)
            for a, b in zip(low, high, strict=True)
        ),
        support=support,
        level=level,
    )


def _log_normal_cdf(z: float) -> float:
    """Logarithm of Phi(z), by its tail expansion where Phi(z) underflows."""
    if z > -30.0:
        return math.log(normal_cdf(z))
    return -z * z / 2.0 - math.log(-z) - math.log(2.0 * math.pi) / 2.0


def _log_e_value(total: float, squares: float, rho: float, alternative: Alternative) -> float:
    both = 0.5 * math.log(rho / (rho + squares)) + total * total / (2.0 * (rho + squares))
    z = total / math.sqrt(rho + squares)
    match alternative:
        case Alternative.two_sided:
            return both
        case Alternative.greater:
            return both + math.log(2.0) + _log_normal_cdf(z)
        case Alternative.less:
            return both + math.log(2.0) + _log_normal_cdf(-z)


def symmetry_p_values(
    differences: ArrayLike,
    *,
    alternative: Alternative = Alternative.two_sided,
    rho: float = 1.0,
) -> tuple[float, ...]:
    """Anytime-valid p-value after each paired difference, for "before and after interchangeable".

    Args:
        differences: shape (n,), any scale and any distribution, in the order of arrival.
        alternative: `less` looks for losses only, `greater` for gains only.
        rho: the sum of squared differences at which the test is sharpest, > 0, in squared units.

    Returns:
        n p-values in [0, 1] that never rise. Stopping at any look with p <= alpha errs with
        probability at most alpha.
    """
    if not rho > 0.0:
        raise ValueError(f"rho must be positive, not {rho}")
    array = as_floats(differences)
    totals, squares = np.cumsum(array), np.cumsum(array**2)
    best, p_values = 0.0, list[float]()
    for total, square in zip(totals, squares, strict=True):
        best = max(best, _log_e_value(float(total), float(square), rho, alternative))
        p_values.append(math.exp(-best))
    return tuple(p_values)


def spent_level(alpha: float, look: int) -> float:
    """Error that look number 1, 2, ... may use so that all looks together stay below alpha.

    `alpha x 6 / (pi^2 look^2)`, which sums to alpha over infinitely many looks.
    """
    if look < 1 or not 0.0 < alpha < 1.0:
        raise ValueError(f"need look >= 1 and 0 < alpha < 1, not {look} and {alpha}")
    return alpha * 6.0 / (math.pi**2 * look**2)
