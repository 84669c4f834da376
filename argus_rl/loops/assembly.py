"""Which part stands behind each name of the loops: the only place that reads a flag.

A part that is off is not skipped but replaced by its null version (`never_refuse`,
`trust_premises`), so the loops never ask whether something is on. Settings are bound here too: what
a loop passes is what changes from call to call.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from argus_rl.actuators.ewcs_weighting import ewcs_weighting, score_weighting
from argus_rl.actuators.learning import teach
from argus_rl.actuators.proposer_shaping import adversarial_shaping, uniform_shaping
from argus_rl.actuators.replay import clear_replay, decay_replay
from argus_rl.actuators.rollback import RolledBack, roll_back
from argus_rl.actuators.seeding import SeedingPlan, seed_proposer
from argus_rl.config.control import ControlSettings
from argus_rl.config.run import RunSettings, SamplingSettings
from argus_rl.core.signals.across import SpsiReading
from argus_rl.core.signals.inner import (
    Agreement,
    Census,
    PremiseReading,
    ShapingEffect,
    SyntaxReading,
    WeightsEffect,
    ZoneDecision,
)
from argus_rl.core.signals.middle import (
    Attribution,
    BankReading,
    DefenseDecision,
    EpiplexityReading,
    LearningEffect,
    RetestReading,
    Verdict,
)
from argus_rl.core.signals.outer import CapacityDecision, CurriculumDecision, MapReading
from argus_rl.data.memory import Bounds
from argus_rl.data.problem import Problem
from argus_rl.deciders.capacity_planner import constant_capacity, growing_capacity
from argus_rl.deciders.curriculum_planner import most_learnable_cluster, weakest_cluster
from argus_rl.deciders.defense_dispatch import defense_dispatch, no_defense
from argus_rl.deciders.ercv import (
    confirm_blend,
    fixed_threshold_verdict,
    full_severity,
    keep_severity,
    never_refuse,
    soft_severity,
    zscore_verdict,
)
from argus_rl.deciders.frontier_zone import frontier_zone
from argus_rl.loops.defending import Defending
from argus_rl.sensors.capability_map import capability_map, no_map
from argus_rl.sensors.causal_attribution import causal_attribution, no_attribution
from argus_rl.sensors.census import census
from argus_rl.sensors.chain_consensus import chain_consensus
from argus_rl.sensors.detectors.bank import detector_bank
from argus_rl.sensors.detectors.evidence import Evidence
from argus_rl.sensors.detectors.forgetting import cluster_detectors, no_cluster_detectors
from argus_rl.sensors.epiplexity import epiplexity
from argus_rl.sensors.proposer_validator import proposer_validator, trust_premises
from argus_rl.sensors.retest import retest
from argus_rl.sensors.spsi import spsi, unmeasured_health
from argus_rl.sensors.syntactic_gate import syntactic_gate
from argus_rl.text.similarity import NearDuplicates

LIBRARY_PER_LEVEL = 1500
BLIND_SPOTS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """One callable behind each name of the loops."""

    syntactic_gate: Callable[[Problem, NearDuplicates], SyntaxReading]
    proposer_validator: Callable[[Problem], PremiseReading]
    premise_census: Callable[[Problem, PremiseReading], PremiseReading]
    """The validator as a mere observer: it looks where it may not refuse, and once where it may."""
    chain_consensus: Callable[[Problem, Sequence[Any]], Agreement]
    frontier_zone: Callable[[Agreement, float, float], ZoneDecision]
    census: Callable[..., Census]
    weigh: Callable[[Sequence[float], Sequence[float]], WeightsEffect]
    shape: Callable[..., ShapingEffect]
    teach: Callable[..., LearningEffect]
    epiplexity: Callable[..., EpiplexityReading]
    retest: Callable[..., RetestReading]
    ercv: Callable[..., Verdict]
    severity: Callable[[Verdict, EpiplexityReading, RetestReading], Verdict]
    confirm: Callable[[Verdict, RetestReading], Verdict]
    roll_back: Callable[..., RolledBack]
    cluster_detectors: Callable[[EpiplexityReading, RetestReading], BankReading]
    detector_bank: Callable[[Evidence, BankReading], BankReading]
    causal_attribution: Callable[..., Attribution]
    defense_dispatch: Callable[..., DefenseDecision]
    defending: Defending
    capability_map: Callable[..., MapReading]
    curriculum_planner: Callable[..., CurriculumDecision]
    capacity_planner: Callable[[int], CapacityDecision]
    seed_proposer: Callable[..., SeedingPlan]
    spsi: Callable[..., SpsiReading]
    bounds: Bounds
    settings: RunSettings
    """The run's numbers; no flag among them is read outside this file."""


def assemble(settings: RunSettings) -> Parts:
    """Choose the parts that the flags ask for and bind their settings."""
    control, sampling = settings.control, settings.sampling
    bounds = Bounds(
        replay=settings.learner.replay_memory,
        blind_spots=BLIND_SPOTS,
        per_level=LIBRARY_PER_LEVEL,
    )
    return Parts(
        syntactic_gate=syntactic_gate,
        proposer_validator=proposer_validator if control.proposer_validator else trust_premises,
        premise_census=_as_read if control.proposer_validator else _looked_at,
        chain_consensus=chain_consensus,
        frontier_zone=partial(frontier_zone, settings=control.frontier),
        census=census,
        weigh=partial(
            ewcs_weighting if control.epiplexity_weight else score_weighting, settings=control.ewcs
        ),
        shape=partial(
            adversarial_shaping if control.adversarial_proposer else uniform_shaping,
            frontier=control.frontier,
            settings=control.shaping,
        ),
        teach=teach,
        epiplexity=epiplexity,
        retest=partial(retest, settings=control.retest),
        ercv=partial(_refusal_rule(control), settings=control.ercv),
        severity=partial(
            soft_severity if control.ercv_soft_rollback else full_severity, settings=control.ercv
        ),
        confirm=confirm_blend if control.ercv_soft_rollback else keep_severity,
        roll_back=roll_back,
        cluster_detectors=partial(
            cluster_detectors if control.per_cluster_detectors else no_cluster_detectors,
            settings=control.detectors,
        ),
        detector_bank=partial(detector_bank, settings=control.detectors),
        causal_attribution=partial(
            causal_attribution if control.causal_attribution else no_attribution,
            settings=control.attribution,
        ),
        defense_dispatch=_dispatch(control),
        defending=Defending(
            forget_replay=decay_replay if control.soft_replay_decay else clear_replay,
            bounds=bounds,
        ),
        capability_map=partial(
            capability_map if control.capability_map else no_map, settings=control.map
        ),
        curriculum_planner=partial(
            most_learnable_cluster if control.most_learnable_cluster else weakest_cluster,
            settings=control.planner,
        ),
        capacity_planner=_capacity(control, sampling),
        seed_proposer=partial(seed_proposer, sampling=sampling),
        spsi=spsi if control.spsi else unmeasured_health,
        bounds=bounds,
        settings=settings,
    )


def _as_read(problem: Problem, reading: PremiseReading) -> PremiseReading:  # noqa: ARG001
    return reading


def _looked_at(problem: Problem, reading: PremiseReading) -> PremiseReading:  # noqa: ARG001
    return proposer_validator(problem)


def _refusal_rule(control: ControlSettings) -> Callable[..., Verdict]:
    if not control.ercv_rollback:
        return never_refuse
    return zscore_verdict if control.ercv_zscore else fixed_threshold_verdict


def _dispatch(control: ControlSettings) -> Callable[..., DefenseDecision]:
    return partial(
        defense_dispatch if control.active_defense else no_defense,
        settings=control.defense,
        keep=control.replay_keep_fraction if control.soft_replay_decay else 0.0,
    )


def _capacity(
    control: ControlSettings, sampling: SamplingSettings
) -> Callable[[int], CapacityDecision]:
    return partial(
        growing_capacity if control.capacity_growth > 0 else constant_capacity,
        chains=sampling.chains,
        max_tokens=sampling.max_tokens,
        growth=control.capacity_growth,
        settings=control.capacity,
    )
