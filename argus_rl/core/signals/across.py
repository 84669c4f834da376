"""Across the loops: one number for the health of the run, with its terms."""

from dataclasses import dataclass
from enum import StrEnum

from argus_rl.core.values import Reading


class Health(StrEnum):
    """What SPSI says in a word."""

    healthy = "healthy"
    consolidating = "consolidating"
    collapsing = "collapsing"
    unmeasured = "unmeasured"
    """`control.spsi` is off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpsiReading(Reading):
    """The self-play stability index and its signed terms; reachable range [-0.5, +0.5]."""

    value: float
    health: Health
    information: float
    """+0.30 sat(epi_gain; 0, 0.04)."""
    frontier: float
    """+0.20 sat(frontier_share; 0.05, 0.25)."""
    forgetting: float
    """-0.15 sat(-retest_trend; 0, 0.08)."""
    deception: float
    """-0.15 max(strongest global detector score, per-cluster type D pressure)."""
    waste: float
    """-0.20 wasted_share."""
    wasted_share: float
    """Share of compute in clusters that are unrewarding, well sampled and not recovering."""
