"""Type C, memorising replay: the past is known by heart while the new is not understood.

Before the update, nats per token of replay pairs against new pairs that no update has seen:

    r = log((new + e) / (replay + e)),  score = sat(r - 1.64 se; log 1.5, log 8)

with e = 0.02 nats, so that two tiny figures are not far apart, and se by the delta method. At the
default threshold it fires when replay costs less than about 29 % of the new.
"""

import math
from collections.abc import Sequence

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import DetectorReading, LieType, Measurement
from argus_rl.sensors.detectors.evidence import STANDARD_ERRORS

_SMALL = 0.02
_ENOUGH = 4


@sensor(Loop.middle)
def memorising(before: Measurement, settings: DetectorSettings) -> DetectorReading:
    """Score the gap between replay and new pairs under the weights before the update."""
    new = [x for x in (*before.lesson_nll, *before.probe_nll) if math.isfinite(x)]
    replay = [x for x in before.replay_nll if math.isfinite(x)]
    score, because = 0.0, f"{len(new)} new pairs and {len(replay)} replay pairs are too few"
    if min(len(new), len(replay)) >= _ENOUGH:
        fresh, fresh_se = _log_mean(new)
        known, known_se = _log_mean(replay)
        error = math.hypot(fresh_se, known_se)
        score = sat(fresh - known - STANDARD_ERRORS * error, math.log(1.5), math.log(8.0))
        because = (
            f"replay {sum(replay) / len(replay):.3f} nats/token, new pairs "
            f"{sum(new) / len(new):.3f} (log ratio {fresh - known:+.2f} ± {error:.2f})"
        )
    return DetectorReading(
        lie=LieType.C, score=score, threshold=settings.threshold, because=because
    )


def _log_mean(values: Sequence[float]) -> tuple[float, float]:
    """Logarithm of the mean (plus a small figure) and its standard error."""
    n = len(values)
    mean = sum(values) / n
    variance = sum((x - mean) ** 2 for x in values) / (n - 1)
    return math.log(mean + _SMALL), math.sqrt(variance / n) / (mean + _SMALL)
