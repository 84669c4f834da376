"""Type H, defense-induced collapse: our own action did it.

The frontier share after the newest action that still stands, against the share before it, less
what would have been lost anyway:

    induced = before - after - max(0, decline per episode before) * episodes since
    score   = sat((induced - 1.64 se) / before; 0, 0.5)

`before` is the mean over up to `window` episodes that end with the one in which the action was
ordered (one episode alone would look like a collapse when it was a peak), `after` the mean since.
An action older than `window` episodes is not blamed any more.
"""

import math
from collections.abc import Sequence

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, History, LieType
from argus_rl.sensors.detectors.evidence import FEW, STANDARD_ERRORS, Reference


@sensor(Loop.middle)
def induced(census: Census, history: History, settings: DetectorSettings) -> DetectorReading:
    """Score the fall of the frontier share since the last action."""
    past = history.standing_defense
    if past is None:
        return _quiet(settings, "no action stands")
    known = [e for e in history.episodes if e.episode <= past.episode][-settings.window :]
    since = [e.frontier_share for e in history.episodes if e.episode > past.episode]
    shares = [e.frontier_share for e in known] or [past.frontier_share_before]
    after = Reference.of([*since, census.frontier_share])
    if after.n > settings.window or census.solved < FEW:
        return _quiet(settings, "the last action is too old, or too few problems were solved")
    before = Reference.of(shares)
    anyway = _decline(shares) * (after.n + 1) / 2.0
    binomial = math.sqrt(max(before.mean * (1.0 - before.mean), 0.01) / census.solved)
    error = max(binomial, before.sd) * math.sqrt(1.0 / before.n + 1.0 / after.n)
    fall = before.mean - after.mean - anyway - STANDARD_ERRORS * error
    return DetectorReading(
        lie=LieType.H,
        score=sat(fall / before.mean, 0.0, 0.5) if before.mean > 0 else 0.0,
        threshold=settings.threshold,
        because=(
            f"frontier share {before.mean:.2f} to {after.mean:.2f} since "
            f"{past.order.action.value} in episode {past.episode}"
        ),
    )


def _quiet(settings: DetectorSettings, why: str) -> DetectorReading:
    return DetectorReading(lie=LieType.H, score=0.0, threshold=settings.threshold, because=why)


def _decline(shares: Sequence[float]) -> float:
    """Loss per episode along the least-squares line; 0 where it rises or for one episode."""
    n = len(shares)
    if n < 2:
        return 0.0
    middle, mean = (n - 1) / 2.0, sum(shares) / n
    slope = sum((i - middle) * (x - mean) for i, x in enumerate(shares)) / sum(
        (i - middle) ** 2 for i in range(n)
    )
    return max(0.0, -slope)
