"""Outer loop: what should I learn? Clusters, the curriculum's target, and room to think."""

from dataclasses import dataclass

from argus_rl.core.values import Decision, Effect, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterReading(Reading):
    """One cluster of problems."""

    cluster: int
    n: int
    """Problems seen in it so far."""
    share: float
    """Its share of all compute so far, in [0, 1]."""
    mean_reward: float
    """Mean agreement score of its problems, in [0, 1]."""
    last_retest_delta: float
    """Mean retest delta of its panel items in the last episode that had some; 0 before."""
    learning_progress: float
    """Mean reward of the recent half of its problems minus that of the older half."""
    exemplar: str
    """The problem nearest to its centre."""
    unsound_share: float = 0.0
    """Share of its problems in which the validator finds something false."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityReading(Reading):
    """The map: what the model has met, and how it fares there."""

    clusters: tuple[ClusterReading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CurriculumDecision(Decision):
    """Which cluster proposals should come from; -1 for no target (uniform context)."""

    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacityDecision(Decision):
    """Room to think in this episode."""

    k: int
    """Chains per problem."""
    max_tokens: int
    """Response tokens per chain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedingEffect(Effect):
    """What the proposer is asked in this episode."""

    prompts: int
    """Proposals asked for."""
    with_context: int
    """Of these, conditioned on an external text."""
    with_blind_spot: int
    """Of these, conditioned on a problem that the last update made worse."""
    with_exemplars: int
    """Of these, conditioned on exemplars of the target cluster."""
