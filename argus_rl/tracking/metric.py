"""One figure of an episode: how it is called, measured, explained and read."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from argus_rl.ledger.records import EpisodeRecord

Getter = Callable[[EpisodeRecord], float]

NAN = math.nan
"""What a getter returns where there is nothing to tell; the figure is left out of that episode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One figure of an episode."""

    name: str
    """As it is logged: `family/figure`."""
    unit: str
    """Its unit, or the range that it can take."""
    meaning: str
    """One sentence for a reader who has never seen it."""
    get: Getter
    """Reads it in an episode's record; NaN for "nothing to tell"."""


def metric(name: str, unit: str, meaning: str, get: Getter) -> Metric:
    """Return one row of the table."""
    return Metric(name=name, unit=unit, meaning=meaning, get=get)
