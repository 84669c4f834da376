"""Quantiles of the few distributions that the intervals need.

Everything that is asked of scipy passes through here, so that the rest of the room is plain typed
arithmetic. `scipy.special` is used rather than `scipy.stats` because it loads ten times faster.
"""

import math
from statistics import NormalDist

from scipy import special  # pyright: ignore[reportMissingTypeStubs]  # scipy ships no types

_STANDARD_NORMAL = NormalDist()


def check_level(level: float) -> None:
    """Raises ValueError unless 0 < level < 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie between 0 and 1, not {level}")


def normal_cdf(z: float) -> float:
    """Probability that a standard normal variable is at most z, exact far into the lower tail."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(probability: float) -> float:
    """The z with `normal_cdf(z) == probability`, for 0 < probability < 1."""
    return _STANDARD_NORMAL.inv_cdf(probability)


def two_sided_z(level: float) -> float:
    """The z with `level` of the standard normal's mass between -z and z (1.96 at 0.95)."""
    check_level(level)
    return normal_quantile(0.5 + level / 2.0)


def two_sided_t(level: float, degrees: float) -> float:
    """The same for Student's t with `degrees` > 0 degrees of freedom (2.776 at 0.95 and 4)."""
    check_level(level)
    return float(special.stdtrit(degrees, 0.5 + level / 2.0))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Quantile of the Beta(a, b) distribution, for probability in [0, 1] and a, b > 0."""
    return float(special.betaincinv(a, b, probability))
