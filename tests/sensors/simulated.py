"""Self-play histories made of numbers, quiet or with a planted fault, before the detector bank."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from argus_rl.config.control import DetectorSettings
from argus_rl.core.signals.middle import (
    BankReading,
    Defense,
    Dials,
    History,
    LieType,
    Order,
    PastDefense,
)
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading
from argus_rl.sensors.detectors.bank import detector_bank
from argus_rl.sensors.detectors.evidence import Evidence
from argus_rl.sensors.detectors.forgetting import cluster_detectors

CLUSTERS = 8
SETTINGS = DetectorSettings()
DIALS = Dials(context_rate=0.5, temperature=0.7, frontier_steps=3)


@dataclass(frozen=True, kw_only=True)
class World:
    """What an episode's figures are drawn from."""

    shares: np.ndarray
    zones: np.ndarray
    rewards: np.ndarray
    distinct: float = 0.5
    spread: float = 0.15
    unique: float = 0.95
    drop: float = 0.0
    unsound: float = 0.0
    replay: float = 1.0
    """Nats per token on replay over those on new pairs."""
    nll: float = 0.3


@dataclass(frozen=True, kw_only=True)
class Run:
    """One simulated run."""

    made: Any
    seed: int
    problems: int = 60
    change: Callable[[World, int], World] = field(default=lambda world, episode: world)
    ordered: tuple[int, ...] = ()
    """Episodes in which a defense was ordered."""

    def banks(self, episodes: int = 12) -> list[BankReading]:
        rng = np.random.default_rng(self.seed)
        zones = 0.7 * rng.dirichlet([4, 4, 4]) + 0.1
        world = World(
            shares=rng.dirichlet(np.full(CLUSTERS, 2.0)),
            zones=zones / zones.sum(),
            rewards=rng.uniform(0.3, 0.9, CLUSTERS),
            distinct=rng.uniform(0.3, 0.7),
            spread=rng.uniform(0.05, 0.3),
            unique=rng.uniform(0.85, 1.0),
        )
        history, banks = History(), []
        for episode in range(episodes):
            now = self.change(world, episode)
            evidence = self._evidence(now, history, rng)
            clusters = cluster_detectors(evidence.epi, evidence.retest, SETTINGS)
            banks.append(detector_bank(evidence, clusters, SETTINGS))
            history = self._after(history, evidence, episode)
        return banks

    def _evidence(self, world: World, history: History, rng: np.random.Generator) -> Evidence:
        made, n = self.made, self.problems
        members = rng.multinomial(n, world.shares)
        easy, frontier, hard = (int(x) for x in rng.multinomial(n, world.zones))
        shares = members[members > 0] / n
        census = made.census_of(
            drafts=n,
            refused_syntax=0,
            easy=easy,
            frontier=frontier,
            hard=hard,
            unique_share=rng.binomial(n, world.unique) / n,
            template_entropy=float(-(shares * np.log(shares)).sum() / np.log(CLUSTERS)),
            distinct_share=float(np.clip(rng.normal(world.distinct, 0.2, n), 0.125, 1).mean()),
            length_spread=float(rng.gamma(2, world.spread / 2, n).mean()),
            unsound_share=rng.binomial(n, world.unsound) / n,
        )
        deltas = rng.normal(-world.drop, 0.17, 64) * (rng.random(64) < 0.7)
        homes = [int(c) for c in rng.choice(CLUSTERS, 64, p=world.shares)]
        return Evidence(
            census=census,
            history=history,
            before=made.measurement(
                lesson=rng.gamma(3, world.nll / 3, 20),
                probe=rng.gamma(3, world.nll / 3, 5),
                replay=rng.gamma(3, world.replay * world.nll / 3, 64),
            ),
            epi=made.epi_of(),
            retest=made.retest_of([float(d) for d in np.clip(deltas, -1, 1)], homes),
            map=CapabilityReading(
                clusters=tuple(
                    ClusterReading(
                        cluster=c,
                        n=n * (len(history.episodes) + 1),
                        share=float(world.shares[c]),
                        mean_reward=float(world.rewards[c]),
                        last_retest_delta=0.0,
                        learning_progress=0.0,
                        exemplar="",
                        unsound_share=world.unsound,
                        episode_share=float(members[c] / n),
                        episode_reward=float(
                            np.clip(
                                rng.normal(world.rewards[c], 0.3 / (1 + members[c]) ** 0.5), 0, 1
                            )
                        ),
                    )
                    for c in range(CLUSTERS)
                )
            ),
        )

    def _after(self, history: History, evidence: Evidence, episode: int) -> History:
        clusters = evidence.map.clusters
        trace = self.made.trace_of(
            episode,
            evidence.census,
            cluster_shares=tuple((c.cluster, c.episode_share) for c in clusters),
            cluster_rewards=tuple((c.cluster, c.episode_reward) for c in clusters),
        )
        defenses = history.defenses
        if episode in self.ordered:
            order = Order(action=Defense.raise_steps, lie=LieType.E, amount=1)
            past = PastDefense(
                episode=episode,
                order=order,
                frontier_share_before=trace.frontier_share,
                dials_before=DIALS,
            )
            defenses = (*defenses, past)
        return replace(history, episodes=(*history.episodes, trace), defenses=defenses)


def planted(onset: int, **changes: Any) -> Callable[[World, int], World]:
    """A change of the world from `onset` on; a callable gets the old value and the time since."""

    def change(world: World, episode: int) -> World:
        if episode < onset:
            return world
        new = {
            name: value(getattr(world, name), episode - onset) if callable(value) else value
            for name, value in changes.items()
        }
        return replace(world, **new)

    return change
