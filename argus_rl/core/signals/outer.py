"""Outer loop: what should I learn? Clusters, the curriculum's target, and room to think."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    episode_share: float = 0.0
    """Its share of the problems that were mapped last (one episode's), in [0, 1]."""
    episode_reward: float = 0.0
    """Mean agreement score of those problems; 0 where it had none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityReading(Reading):
    """The map: what the model has met, and how it fares there."""

    clusters: tuple[ClusterReading, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterMemory:
    """What one cluster remembers of its problems; the same size however long the run is."""

    cluster: int
    """Its id, never given to another cluster of the run."""
    centre: tuple[float, ...]
    """Mean embedding of its problems (not of unit length)."""
    n: int
    """Problems met so far."""
    cost: float
    """Chains spent on them."""
    reward_sum: float
    """Sum of their agreement scores."""
    unsound: int
    """Problems in which the validator finds something false."""
    recent: tuple[float, ...]
    """Agreement scores of the newest problems, oldest first."""
    last_retest_delta: float = 0.0
    exemplar: str = ""
    exemplar_distance: float = 0.0
    """Distance of the exemplar from the centre when it was chosen."""
    episode_n: int = 0
    """Problems among those mapped last."""
    episode_reward_sum: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """All that the capability map carries from one episode to the next."""

    clusters: tuple[ClusterMemory, ...] = ()
    next_id: int = 0
    """Id of the next new cluster."""

    def assign(self, embeddings: NDArray[np.float32]) -> tuple[int, ...]:
        """Ids of the nearest clusters of `embeddings`, shape `[n, d]`; -1 for an empty map."""
        if not self.clusters:
            return (-1,) * len(embeddings)
        centres = np.array([c.centre for c in self.clusters], dtype=np.float64)
        points = np.asarray(embeddings, dtype=np.float64).reshape(-1, centres.shape[1])
        gaps = (centres**2).sum(axis=1) - 2.0 * points @ centres.T
        return tuple(self.clusters[int(i)].cluster for i in gaps.argmin(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class MapReading(CapabilityReading):
    """The map with what it needs to go on; the ledger keeps its `summary` alone."""

    state: MapState = MapState()
    assignments: tuple[int, ...] = ()
    """Cluster of each problem that was mapped last, in the order given."""

    @property
    def summary(self) -> CapabilityReading:
        """The reading without centres and assignments."""
        return CapabilityReading(clusters=self.clusters)


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
