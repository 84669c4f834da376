"""What detectors look at, and how they tell a fall from noise.

A detector's score is an effect with its noise taken off, as a share of the effect that would be
complete: `sat(effect - 1.64 standard errors; start, full)`. So a score is 0 while nothing changes,
whatever the sample size, and grows with the strength of what it looks for.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import EpiplexityReading, History, Measurement, RetestReading
from argus_rl.core.signals.outer import CapabilityReading
from argus_rl.core.values import Reading

STANDARD_ERRORS = 1.64
"""What is taken off an effect before it counts, in standard errors: one-sided 95 %."""

FEW = 8
"""Proposals, or solved problems, below which an episode says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Reading):
    """Everything that one episode's detectors may read."""

    census: Census
    history: History
    """Earlier episodes; this one is not in it yet."""
    before: Measurement
    """Gauges under the weights before the update."""
    epi: EpiplexityReading
    retest: RetestReading
    map: CapabilityReading
    """The map with this episode's problems in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A figure over the last episodes: what the present one is compared with."""

    mean: float
    sd: float
    """Sample standard deviation; 0 for fewer than two episodes."""
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Reference":
        """Mean and spread of some episodes' figures; none are fine."""
        n = len(values)
        mean = sum(values) / n if n else 0.0
        variance = sum((x - mean) ** 2 for x in values) / (n - 1) if n > 1 else 0.0
        return cls(mean=mean, sd=math.sqrt(variance), n=n)

    def fall(self, value: float, noise: float) -> float:
        """How far `value` lies below the mean beyond what noise explains; 0 without a reference.

        `noise` is the standard error of one episode's figure; where past episodes differed by more
        than that, their spread counts.
        """
        if not self.n:
            return 0.0
        error = max(noise, self.sd) * math.sqrt(1.0 + 1.0 / self.n)
        return max(0.0, self.mean - value - STANDARD_ERRORS * error)

    def lost(self, value: float, noise: float, whole: float = 0.5) -> float:
        """`fall` as a share of `whole` times the mean, in [0, 1]: 1 when half of it is gone."""
        if self.mean <= 0.0:
            return 0.0
        return min(1.0, self.fall(value, noise) / (whole * self.mean))
