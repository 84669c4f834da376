"""Type E, saturation: the frontier is empty because everything is easy.

    score = sat(0.25 - f_up; 0, 0.20) * easy / (easy + hard)

where f_up is the frontier share with one problem added either way and one standard error on top:
few problems cannot show an empty frontier. An empty frontier among hard problems is no saturation,
and asking for more steps would make it worse.
"""

import math

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, LieType
from argus_rl.sensors.detectors.evidence import FEW


@sensor(Loop.middle)
def saturation(census: Census, settings: DetectorSettings) -> DetectorReading:
    """Score how empty the frontier is on the easy side."""
    score, outside = 0.0, census.easy + census.hard
    if census.solved >= FEW and outside:
        share = (census.frontier + 1) / (census.solved + 2)
        upper = share + math.sqrt(share * (1.0 - share) / census.solved)
        score = sat(0.25 - upper, 0.0, 0.20) * census.easy / outside
    return DetectorReading(
        lie=LieType.E,
        score=score,
        threshold=settings.threshold,
        because=f"{census.easy} easy, {census.frontier} frontier, {census.hard} hard",
    )
