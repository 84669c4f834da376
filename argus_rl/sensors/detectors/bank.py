"""All detectors of one episode, A to H, and type D in each cluster beside them."""

from argus_rl.config.control import DetectorSettings
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import BankReading
from argus_rl.sensors.detectors.capture import capture
from argus_rl.sensors.detectors.drift import drift
from argus_rl.sensors.detectors.evidence import Evidence
from argus_rl.sensors.detectors.forgetting import forgetting
from argus_rl.sensors.detectors.hallucination import hallucination
from argus_rl.sensors.detectors.induced import induced
from argus_rl.sensors.detectors.memorising import memorising
from argus_rl.sensors.detectors.novelty import novelty
from argus_rl.sensors.detectors.saturation import saturation


@sensor(Loop.middle)
def detector_bank(
    evidence: Evidence, clusters: BankReading, settings: DetectorSettings
) -> BankReading:
    """Ask each detector in turn.

    Args:
        evidence: everything that they may read.
        clusters: type D per cluster (`cluster_detectors`, or none).
        settings: threshold and window.
    """
    e = evidence
    return BankReading(
        detectors=(
            drift(e.census, e.history, settings),
            novelty(e.census, e.history, settings),
            memorising(e.before, settings),
            forgetting(e.epi, e.retest, settings),
            saturation(e.census, settings),
            hallucination(e.census, e.map, settings),
            capture(e.census, e.map, e.history, settings),
            induced(e.census, e.history, settings),
            *clusters.detectors,
        )
    )
