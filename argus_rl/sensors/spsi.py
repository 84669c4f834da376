"""The self-play stability index: one number for the health of a run, with its terms.

    SPSI = + 0.30 sat(epi_gain; 0, 0.04)
           + 0.20 sat(frontier_share; 0.05, 0.25)
           - 0.15 sat(-retest_trend; 0, 0.08)
           - 0.15 max(strongest global detector score, type D pressure of one cluster)
           - 0.20 wasted_share

`wasted_share` is the share of compute in clusters that are unrewarding (mean reward < 0.50), well
sampled (n >= 5) and not recovering (last retest delta < 0.05). The terms bound the index to
[-0.5, +0.5]. Healthy from 0.20 on, consolidating from 0, collapsing below. The weights are given,
not fitted: read the terms before the sum.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.across import Health, SpsiReading
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import BankReading, EpiplexityReading, RetestReading
from argus_rl.core.signals.outer import CapabilityReading

HEALTHY, CONSOLIDATING = 0.20, 0.0
"""Lowest SPSI of each label."""


@sensor(Loop.across, flag="spsi")
def spsi(
    epi: EpiplexityReading,
    census: Census,
    retest: RetestReading,
    bank: BankReading,
    map: CapabilityReading,
) -> SpsiReading:
    """Put one episode's gauges together."""
    wasted = _wasted_share(map)
    terms = (
        0.30 * sat(epi.gain, 0.0, 0.04),
        0.20 * sat(census.frontier_share, 0.05, 0.25),
        0.0 - 0.15 * sat(-retest.trend, 0.0, 0.08),
        0.0 - 0.15 * max(bank.strongest_global, bank.cluster_pressure),
        0.0 - 0.20 * wasted,
    )
    value = sum(terms)
    return SpsiReading(
        value=value,
        health=_label(value),
        information=terms[0],
        frontier=terms[1],
        forgetting=terms[2],
        deception=terms[3],
        waste=terms[4],
        wasted_share=wasted,
    )


@sensor(Loop.across, unless="spsi")
def unmeasured_health(
    epi: EpiplexityReading,
    census: Census,
    retest: RetestReading,
    bank: BankReading,
    map: CapabilityReading,
) -> SpsiReading:
    """Leave the index unmeasured; the wasted share is told in any case."""
    return SpsiReading(
        value=0.0,
        health=Health.unmeasured,
        information=0.0,
        frontier=0.0,
        forgetting=0.0,
        deception=0.0,
        waste=0.0,
        wasted_share=_wasted_share(map),
    )


def _label(value: float) -> Health:
    if value >= HEALTHY:
        return Health.healthy
    return Health.consolidating if value >= CONSOLIDATING else Health.collapsing


def _wasted_share(map: CapabilityReading) -> float:
    wasted = sum(
        c.share
        for c in map.clusters
        if c.mean_reward < 0.50 and c.n >= 5 and c.last_retest_delta < 0.05
    )
    return min(1.0, wasted)
