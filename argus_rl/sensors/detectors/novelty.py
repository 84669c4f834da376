"""Type B, novelty collapse: chains agree because they are copies.

Consensus is evidence only among chains that could have disagreed. Over the last `window` episodes,
how much of the share of distinct chains d and of the spread of their lengths l is gone, while
answers still agree?

    score = (0.7 lost(d) + 0.3 lost(l)) * sat(mean outcome; 0.2, 0.6)

Standard errors per episode of n solved problems: 0.2 / sqrt(n) for d, l / sqrt(n) for l. Where
chains had no spread of length to lose, d counts alone.
"""

import math

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, History, LieType
from argus_rl.sensors.detectors.evidence import FEW, Reference

_NO_SPREAD = 0.01


@sensor(Loop.middle)
def novelty(census: Census, history: History, settings: DetectorSettings) -> DetectorReading:
    """Score the loss of variety among agreeing chains."""
    past = history.episodes[-settings.window :]
    distinct = Reference.of([e.distinct_share for e in past])
    spread = Reference.of([e.length_spread for e in past])
    score = 0.0
    if census.solved >= FEW:
        root = math.sqrt(census.solved)
        copies = distinct.lost(census.distinct_share, 0.2 / root)
        alike = (
            spread.lost(census.length_spread, spread.mean / root)
            if spread.mean > _NO_SPREAD
            else copies
        )
        score = (0.7 * copies + 0.3 * alike) * sat(census.mean_outcome, 0.2, 0.6)
    return DetectorReading(
        lie=LieType.B,
        score=score,
        threshold=settings.threshold,
        because=(
            f"distinct chains {census.distinct_share:.2f} (was {distinct.mean:.2f}), spread of "
            f"lengths {census.length_spread:.2f} (was {spread.mean:.2f}), answers agree "
            f"{census.mean_outcome:.2f}"
        ),
    )
