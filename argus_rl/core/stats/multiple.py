"""Many tests at once: the Benjamini-Hochberg procedure.

Testing m clusters at 5 % each finds something by accident in 1 - 0.95^m of all looks. The procedure
sorts the p-values, finds the largest rank r with p_(r) <= r q / m, and rejects the r smallest: the
expected share of false discoveries among the rejected is then at most q for independent or
positively dependent tests (Benjamini & Hochberg 1995).
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Discoveries:
    """Which of several tests count, in the order in which they were given."""

    adjusted: tuple[float, ...]
    """Adjusted p-values in [0, 1]: the smallest false discovery rate at which each is rejected."""
    rejected: tuple[bool, ...]
    """Whether each null hypothesis is rejected at `rate`."""
    rate: float
    """The false discovery rate that was asked for, in (0, 1)."""


def adjusted_p_values(p_values: Sequence[float]) -> tuple[float, ...]:
    """`min over ranks s >= r of m p_(s) / s`, at most 1, in the given order."""
    if any(not 0.0 <= p <= 1.0 for p in p_values):
        raise ValueError("a p-value lies outside [0, 1]")
    m = len(p_values)
    adjusted = [1.0] * m
    running = 1.0
    for rank, index in zip(
        range(m, 0, -1), sorted(range(m), key=lambda i: p_values[i], reverse=True), strict=True
    ):
        running = min(running, m * p_values[index] / rank)
        adjusted[index] = running
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float], rate: float = 0.05) -> Discoveries:
    """Tests that stand after correction for their number; an empty sequence gives none."""
    if not 0.0 < rate < 1.0:
        raise ValueError(f"the false discovery rate must lie between 0 and 1, not {rate}")
    adjusted = adjusted_p_values(p_values)
    return Discoveries(adjusted=adjusted, rejected=tuple(p <= rate for p in adjusted), rate=rate)
