"""Type F, hallucinated premises that all chains accept.

Agreement cannot see a false premise, so the validator looks at every solved problem, even where it
may not refuse. With u the lower end of the 90 % Wilson interval of the unsound share, and b the
share of compute that went into broken clusters (n >= 5, more than half unsound):

    score = max(sat(u; 0.02, 0.20), sat(b; 0.02, 0.15))

The culprit is the cluster with most unsound compute, where at least a quarter of it is unsound.
"""

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, LieType
from argus_rl.core.signals.outer import CapabilityReading
from argus_rl.core.stats.intervals import wilson
from argus_rl.sensors.detectors.evidence import FEW

_SAMPLED = 5
_BROKEN = 0.5
_TAINTED = 0.25


@sensor(Loop.middle)
def hallucination(
    census: Census, map: CapabilityReading, settings: DetectorSettings
) -> DetectorReading:
    """Score the false premises that chains were spent on."""
    sampled = [c for c in map.clusters if c.n >= _SAMPLED]
    broken = sum(c.share for c in sampled if c.unsound_share > _BROKEN)
    least = 0.0
    if census.solved >= FEW:
        unsound = round(census.unsound_share * census.solved)
        least = wilson(unsound, census.solved, level=0.9).interval.low
    tainted = [c for c in sampled if c.unsound_share >= _TAINTED]
    culprit = max(tainted, key=lambda c: (c.share * c.unsound_share, -c.cluster), default=None)
    return DetectorReading(
        lie=LieType.F,
        score=max(sat(least, 0.02, 0.20), sat(broken, 0.02, 0.15)),
        threshold=settings.threshold,
        because=(
            f"{census.unsound_share:.2f} of {census.solved} solved problems have a false premise "
            f"(at least {least:.2f}); broken clusters took {broken:.2f} of compute"
        ),
        culprit=culprit.cluster if culprit is not None else -1,
    )
