"""How much learnable information did the update take up?

Per update, in nats per response token, with theta- before and theta+ after it:

    epi_gain       = mean_i NLL_i(theta-) - NLL_i(theta+)   on the pairs that were trained on
    epi_gain_probe = the same on pairs of the episode that the update never saw

The first is positive almost always, since training lowers the loss on what it trains on; the second
is what carried over. Both come with standard errors and bootstrap intervals over pairs.
"""

import math
from collections.abc import Sequence

import numpy as np

from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import EpiplexityReading, Measurement
from argus_rl.core.stats.estimate import Floats, IntervalEstimate
from argus_rl.core.stats.intervals import bootstrap_interval

RESAMPLES = 1000
"""Bootstrap resamples per interval."""


@sensor(Loop.middle)
def epiplexity(before: Measurement, after: Measurement, stream: Stream) -> EpiplexityReading:
    """Read the information gain of one update.

    Pairs whose NLL is not finite before or after are left out. With no pair the gain is 0, and with
    fewer than two its interval is unbounded.

    Args:
        before: under the weights before the update.
        after: the same pairs under the weights after it.
        stream: names the resampling.

    Raises:
        ValueError: where before and after differ in their number of pairs.
    """
    lesson = _gains(before.lesson_nll, after.lesson_nll)
    probe = _gains(before.probe_nll, after.probe_nll)
    gain = _interval(lesson, stream.child("lesson"))
    held = _interval(probe, stream.child("probe"))
    return EpiplexityReading(
        gain=gain.value,
        gain_se=_standard_error(lesson),
        gain_low=gain.interval.low,
        gain_high=gain.interval.high,
        probe_gain=held.value,
        probe_se=_standard_error(probe),
        probe_low=held.interval.low,
        probe_high=held.interval.high,
        n=lesson.size,
        n_probe=probe.size,
    )


def _gains(before: Sequence[float], after: Sequence[float]) -> Floats:
    gains = [
        b - a for b, a in zip(before, after, strict=True) if math.isfinite(b) and math.isfinite(a)
    ]
    return np.array(gains, dtype=np.float64)


def _interval(gains: Floats, stream: Stream) -> IntervalEstimate:
    values = gains if gains.size else np.zeros(1)
    return bootstrap_interval(values, stream.generator(), resamples=RESAMPLES)


def _standard_error(gains: Floats) -> float:
    """Standard error of the mean; 0 for fewer than two pairs."""
    return float(gains.std(ddof=1)) / math.sqrt(gains.size) if gains.size > 1 else 0.0
