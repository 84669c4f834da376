"""What the proposer is asked in one episode: the curriculum made concrete.

Each request is drawn by itself from its own stream, so asking for more proposals changes none of
the first ones. In modes `fresh` and `vary`:

    context      with probability `dials.context_rate` (`vary`: always), a text someone else wrote,
    blind spot   in its place with probability `blind_spot_rate`, where one exists,
    exemplars    texts of the planned cluster, where there is a target.

In mode `grow` a request is a solved problem of the library to grow by one step, or, with
probability `dials.context_rate`, a context text from which a new base may come. Half of the bases
are of the highest level that the frontier allows, half of any level below it: the first climbs,
the second keeps what was climbed. A request never asks for more than `dials.frontier_steps` steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from argus_rl.config.run import Proposing, SamplingSettings
from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials
from argus_rl.core.signals.outer import CurriculumDecision, SeedingEffect
from argus_rl.data.memory import Memory
from argus_rl.data.problem import Pair, Problem, ProposalPrompt

T = TypeVar("T")

EXEMPLARS = 3
"""Texts of the target cluster that a request shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedingPlan(SeedingEffect):
    """The requests themselves, and their counts."""

    requests: tuple[ProposalPrompt, ...]

    @property
    def bare(self) -> SeedingEffect:
        """The counts alone, as the ledger keeps them."""
        return SeedingEffect(
            changed=self.changed,
            prompts=self.prompts,
            with_context=self.with_context,
            with_blind_spot=self.with_blind_spot,
            with_exemplars=self.with_exemplars,
        )


@actuator(Loop.outer)
def seed_proposer(
    episode: int,
    curriculum: CurriculumDecision,
    dials: Dials,
    memory: Memory,
    contexts: Sequence[Problem],
    sampling: SamplingSettings,
    stream: Stream,
) -> SeedingPlan:
    """Write the proposer's requests for one episode.

    Args:
        episode: number of the episode; it is part of each request's id.
        curriculum: the target cluster, or none.
        dials: context rate and target number of steps.
        memory: blind spots, and the library that bases and exemplars come from.
        contexts: external texts, without answers.
        sampling: how many proposals, in which mode, and the blind spot rate.
        stream: names the draw; request i depends on it and on i alone.
    """
    source = _Source.of(curriculum, dials, memory, contexts)
    requests: list[ProposalPrompt] = []
    blind = 0
    for i in range(sampling.proposals):
        rng = stream.child(i).generator()
        name = f"e{episode}.p{i}"
        context = source.context(rng, sampling)
        if sampling.proposing is Proposing.grow and context is None and source.levels:
            base = source.base(rng)
            request = ProposalPrompt(id=name, steps=base.problem.steps + 1, base=base)
        else:
            request = ProposalPrompt(
                id=name,
                steps=dials.frontier_steps,
                context=context,
                exemplars=source.exemplars(rng),
            )
        blind += context is not None and context.id in source.blind_ids
        requests.append(request)
    return SeedingPlan(
        changed=("requests",),
        prompts=len(requests),
        with_context=sum(r.context is not None for r in requests) - blind,
        with_blind_spot=blind,
        with_exemplars=sum(bool(r.exemplars) for r in requests),
        requests=tuple(requests),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where requests are drawn from, sorted once an episode."""

    rate: float
    contexts: Sequence[Problem]
    blind_spots: tuple[Problem, ...]
    blind_ids: frozenset[str]
    levels: tuple[tuple[Pair, ...], ...]
    """Bases by level, lowest first; no empty level."""
    texts: tuple[str, ...]
    """Texts of the target cluster."""

    @classmethod
    def of(
        cls,
        curriculum: CurriculumDecision,
        dials: Dials,
        memory: Memory,
        contexts: Sequence[Problem],
    ) -> "_Source":
        barred = frozenset(dials.quarantined)
        known = [p for p in memory.library if p.cluster < 0 or p.cluster not in barred]
        target = curriculum.target
        planned = [p for p in known if target >= 0 and p.cluster == target]
        levels = _levels(planned, dials) or _levels(known, dials)
        return cls(
            rate=dials.context_rate,
            contexts=contexts,
            blind_spots=memory.blind_spots,
            blind_ids=frozenset(p.id for p in memory.blind_spots),
            levels=levels,
            texts=tuple(p.problem.text for p in planned),
        )

    def context(self, rng: np.random.Generator, sampling: SamplingSettings) -> Problem | None:
        """A blind spot, an external text, or none."""
        rate = 1.0 if sampling.proposing is Proposing.vary else self.rate
        wanted, troubled = rng.random() < rate, rng.random() < sampling.blind_spot_rate
        if wanted and troubled and self.blind_spots:
            return _pick(self.blind_spots, rng)
        return _pick(self.contexts, rng) if wanted and self.contexts else None

    def base(self, rng: np.random.Generator) -> Pair:
        """A solved problem to grow."""
        climb = rng.random() < 0.5
        return _pick(self.levels[-1] if climb else _pick(self.levels, rng), rng)

    def exemplars(self, rng: np.random.Generator) -> tuple[str, ...]:
        """A few different texts of the target cluster; none without a target."""
        order = rng.permutation(len(self.texts))[:EXEMPLARS]
        return tuple(self.texts[int(i)] for i in order)


def _levels(pairs: Sequence[Pair], dials: Dials) -> tuple[tuple[Pair, ...], ...]:
    """Pairs that may be grown, by number of steps, lowest first."""
    found: dict[int, list[Pair]] = {}
    for pair in pairs:
        if 1 <= pair.problem.steps < dials.frontier_steps:
            found.setdefault(pair.problem.steps, []).append(pair)
    return tuple(tuple(found[level]) for level in sorted(found))


def _pick(items: Sequence[T], rng: np.random.Generator) -> T:
    return items[int(rng.integers(len(items)))]
