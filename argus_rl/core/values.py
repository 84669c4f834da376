"""The four kinds of value that travel between parts, and the only ones that do.

A `Reading` is what a sensor saw, a `Decision` is what a decider chose and why, an `Effect` is what
an actuator changed, and `Settings` are the numbers that a user may set. All are frozen: a value
that has been handed on cannot change behind the reader's back, and equal values are equal.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Numbers and switches that a part works with; checked when they are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a sensor saw. Making one changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a decider chose."""

    reason: str
    """One clause a person can read: the figures and the rule that led here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an actuator changed."""

    changed: tuple[str, ...]
    """Names of what is different now (`weights`, `optimizer`, `memory`, ...); empty for nothing."""
