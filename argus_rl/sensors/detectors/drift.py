"""Type A, proposer drift: it asks one kind of question.

Over the last `window` episodes, how much of the spread over clusters H and of the share of distinct
texts u is gone? Either counts, and so does a level so low that no reference is needed:

    score = max(lost(H), lost(u), sat(0.3 - H; 0, 0.3), sat(0.4 - u; 0, 0.4))

`lost` is 1 when half of the reference is gone beyond 1.64 standard errors, with 0.5 / sqrt(n) for H
and the binomial error for u.
"""

import math

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, History, LieType
from argus_rl.sensors.detectors.evidence import FEW, Reference


@sensor(Loop.middle)
def drift(census: Census, history: History, settings: DetectorSettings) -> DetectorReading:
    """Score the narrowing of proposals."""
    past = history.episodes[-settings.window :]
    spread = Reference.of([e.template_entropy for e in past])
    unique = Reference.of([e.unique_share for e in past])
    n = census.drafts - census.refused_syntax
    score = 0.0
    if n >= FEW:
        binomial = math.sqrt(max(unique.mean * (1.0 - unique.mean), 1.0 / n) / n)
        score = max(
            spread.lost(census.template_entropy, 0.5 / math.sqrt(n)),
            unique.lost(census.unique_share, binomial),
            sat(0.3 - census.template_entropy, 0.0, 0.3),
            sat(0.4 - census.unique_share, 0.0, 0.4),
        )
    return DetectorReading(
        lie=LieType.A,
        score=score,
        threshold=settings.threshold,
        because=(
            f"spread over kinds {census.template_entropy:.2f} (was {spread.mean:.2f}), distinct "
            f"texts {census.unique_share:.2f} (was {unique.mean:.2f}), {n} proposals"
        ),
    )
