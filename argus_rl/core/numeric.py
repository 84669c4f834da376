"""Small numeric shapes that several parts share."""

import math


def sat(x: float, low: float, high: float) -> float:
    """Return `clip((x - low) / (high - low), 0, 1)`; 0 where `x` is not a number.

    Raises:
        ValueError: when `low >= high`.
    """
    if low >= high:
        raise ValueError(f"sat needs low < high, got {low!r} and {high!r}")
    if math.isnan(x):
        return 0.0
    return min(1.0, max(0.0, (x - low) / (high - low)))
