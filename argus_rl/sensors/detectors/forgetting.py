"""Type D, forgetting: information up, skill on past problems down.

    score = sat(-trend - t * se; 0, 0.08)   where epi_gain > 0 and n >= 4, else 0

with t the one-sided 95 % quantile of Student's t at n - 1, so the score speaks of what the drop is
at least. It fires at the default threshold when that exceeds 0.04. The same in each cluster, where
the quantile pays for the number of clusters looked at (5 % over m), since one of them always has
the worst luck. A standard error below 0.05 / sqrt(n) is not believed: few items can agree by luck.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

import math
from collections.abc import Sequence

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import (
    BankReading,
    DetectorReading,
    EpiplexityReading,
    LieType,
    RetestReading,
)
from argus_rl.core.stats.distributions import two_sided_t

_ENOUGH = 4
_WHOLE = 0.08
_LEAST_SD = 0.05
_LEVEL = 0.05


@sensor(Loop.middle)
def forgetting(
    epi: EpiplexityReading, retest: RetestReading, settings: DetectorSettings
) -> DetectorReading:
    """Score the drop over the whole panel."""
    return _reading([d.delta for d in retest.deltas], epi, settings, cluster=-1, looks=1)


@sensor(Loop.middle, flag="per_cluster_detectors")
def cluster_detectors(
    epi: EpiplexityReading, retest: RetestReading, settings: DetectorSettings
) -> BankReading:
    """Score the drop in each cluster that has enough panel items."""
    by_cluster: dict[int, list[float]] = {}
    for delta in retest.deltas:
        if delta.cluster >= 0:
            by_cluster.setdefault(delta.cluster, []).append(delta.delta)
    enough = {c: deltas for c, deltas in sorted(by_cluster.items()) if len(deltas) >= _ENOUGH}
    return BankReading(
        detectors=tuple(
            _reading(deltas, epi, settings, cluster=cluster, looks=len(enough))
            for cluster, deltas in enough.items()
        )
    )


@sensor(Loop.middle, unless="per_cluster_detectors")
def no_cluster_detectors(
    epi: EpiplexityReading, retest: RetestReading, settings: DetectorSettings
) -> BankReading:
    """Look at no cluster by itself."""
    return BankReading(detectors=())


def _reading(
    deltas: Sequence[float],
    epi: EpiplexityReading,
    settings: DetectorSettings,
    *,
    cluster: int,
    looks: int,
) -> DetectorReading:
    n = len(deltas)
    trend = sum(deltas) / n if n else 0.0
    score, least = 0.0, 0.0
    if n >= _ENOUGH and epi.gain > 0:
        variance = sum((d - trend) ** 2 for d in deltas) / (n - 1)
        error = max(math.sqrt(variance), _LEAST_SD) / math.sqrt(n)
        least = -trend - two_sided_t(1.0 - 2.0 * _LEVEL / looks, n - 1) * error
        score = sat(least, 0.0, _WHOLE)
    return DetectorReading(
        lie=LieType.D,
        score=score,
        threshold=settings.threshold,
        cluster=cluster,
        because=(
            f"retest {trend:+.3f} over {n} items, a drop of at least {max(0.0, least):.3f}, while "
            f"epi {epi.gain:+.4f}"
        ),
    )
