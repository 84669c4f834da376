"""How much learnable information did the update take up?

Per update, in nats per response token, with theta- before and theta+ after it:

    epi_gain       = mean_i NLL_i(theta-) - NLL_i(theta+)   on the pairs that were trained on
    epi_gain_probe = the same on pairs of the episode that the update never saw

The first is positive almost always, since training lowers the loss on what it trains on; the second
is what carried over. Both come with standard errors and bootstrap intervals over pairs.

Per run, in bits, from a throwaway observer that starts from the starting weights (prequential
coding; Finzi et al. 2026, Liu et al. 2026): with L_online the NLL of each response before the
observer learned from it, summed, and L_train,k, L_val,k the totals after epoch k,

    S_k = (L_online - L_train,k) / ln 2        MDL_k = S_k / N_train + L_val,k / ln 2 / N_val

and epiplexity is S at the epoch with the smallest description length, at least 0. The validation
split stops the observer before memorising pays.
"""

import math
from collections.abc import Sequence

import numpy as np

from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import (
    EpiplexityReading,
    Measurement,
    ObserverCurve,
    PrequentialReading,
)
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


@sensor(Loop.middle)
def prequential_epiplexity(curve: ObserverCurve) -> PrequentialReading:
    """Read the structure that an observer took from a set of pairs, in bits.

    A curve without epochs, training or validation tokens gives 0 bits and 0 epochs. Epochs
    whose figures are not finite are passed over.
    """
    n_train, n_validation = curve.train_tokens, curve.validation_tokens
    online = sum(curve.online)
    found = [
        ((online - train) / math.log(2.0), validation / math.log(2.0), epoch)
        for epoch, (train, validation) in enumerate(
            zip(curve.train, curve.validation, strict=True), start=1
        )
        if math.isfinite(online - train) and math.isfinite(validation)
    ]
    if not found or not n_train or not n_validation:
        return PrequentialReading(bits=0.0, epochs=0, mdl=0.0)
    bits, validation, epoch = min(found, key=lambda e: (e[0] / n_train + e[1] / n_validation, e[2]))
    return PrequentialReading(
        bits=max(0.0, bits), epochs=epoch, mdl=bits / n_train + validation / n_validation
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
