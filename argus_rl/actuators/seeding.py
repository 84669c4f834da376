"""What the proposer is asked in one episode: the curriculum made concrete.

Each request is drawn by itself from its own stream, so asking for more proposals changes none of
the first ones. In modes `fresh` and `vary` a request shows

    context      with probability `dials.context_rate` (`vary`: always), a text someone else wrote,
    blind spot   in its place with probability `blind_spot_rate`, where one exists,
    exemplars    texts of the planned cluster, where there is a target.

In mode `grow` it is a solved problem of the library to grow by 1 to `grow_by` steps, with
probability `TARGETED` one of the planned cluster where there is a target:

    steps        drawn first, evenly from those in reach beyond `dials.frontier_steps`, up to
                 `grow_to`; then a base that is at most `grow_by` steps short of it:
    context      with probability `dials.context_rate`, a solved context text,
    blind spot   in its place with probability `blind_spot_rate`, a regressed problem,
    own          otherwise a problem that the model made; a share of `FRESH` are new ones instead.

Where no base of one kind is near enough, the other kind stands in. Lessons of one length at a time
teach a model to count, and each then displaces the one before (measured: docs/results.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from argus_rl.config.run import Proposing, SamplingSettings
from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials
from argus_rl.core.signals.outer import CurriculumDecision, SeedingEffect
from argus_rl.data.memory import Memory
from argus_rl.data.problem import Pair, Problem, ProposalPrompt, Source

T = TypeVar("T")

EXEMPLARS = 3
"""Texts of the target cluster that a request shows."""
TARGETED = 0.5
"""Mode `grow`: share of requests that keep to the planned cluster; a lesson on one kind of problem
alone would be forgetting all others."""
FRESH = 0.1
"""Mode `grow`: share of the model's own requests that begin a new problem."""


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
    source = _Source.of(curriculum, dials, memory, contexts, sampling)
    write = source.growing if sampling.proposing is Proposing.grow else source.whole
    requests = tuple(
        write(f"e{episode}.p{i}", stream.child(i).generator()) for i in range(sampling.proposals)
    )
    shown = [_shown(request) for request in requests]
    blind = sum(problem.id in source.blind_ids for problem in shown if problem is not None)
    external = sum(problem.source is Source.context for problem in shown if problem is not None)
    return SeedingPlan(
        changed=("requests",),
        prompts=len(requests),
        with_context=external,
        with_blind_spot=blind,
        with_exemplars=sum(bool(r.exemplars) for r in requests),
        requests=requests,
    )


def _shown(request: ProposalPrompt) -> Problem | None:
    """The problem that a request is made from, if any."""
    return request.base.problem if request.base is not None else request.context


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where requests are drawn from, sorted once an episode."""

    dials: Dials
    sampling: SamplingSettings
    contexts: Sequence[Problem]
    blind_spots: tuple[Problem, ...]
    blind_ids: frozenset[str]
    solved_blind_spots: tuple[Pair, ...]
    everywhere: "_Bases"
    planned: "_Bases"
    """The bases of the target cluster; the same as `everywhere` without a target."""
    texts: tuple[str, ...]
    """Texts of the target cluster."""

    @classmethod
    def of(
        cls,
        curriculum: CurriculumDecision,
        dials: Dials,
        memory: Memory,
        contexts: Sequence[Problem],
        sampling: SamplingSettings,
    ) -> "_Source":
        barred = frozenset(dials.quarantined)
        known = [p for p in memory.library if p.cluster < 0 or p.cluster not in barred]
        planned = [p for p in known if curriculum.target >= 0 and p.cluster == curriculum.target]
        bases = _growable(known, sampling.grow_to)
        blind_ids = frozenset(p.id for p in memory.blind_spots)
        return cls(
            dials=dials,
            sampling=sampling,
            contexts=contexts,
            blind_spots=memory.blind_spots,
            blind_ids=blind_ids,
            solved_blind_spots=tuple(p for p in bases if p.problem.id in blind_ids),
            everywhere=_Bases.of(bases, sampling),
            planned=_Bases.of(_growable(planned, sampling.grow_to) or bases, sampling),
            texts=tuple(p.problem.text for p in planned),
        )

    def whole(self, name: str, rng: np.random.Generator) -> ProposalPrompt:
        """A request for a whole problem."""
        rate = 1.0 if self.sampling.proposing is Proposing.vary else self.dials.context_rate
        external, troubled = self._draw(rng, rate)
        context = None
        if troubled and self.blind_spots:
            context = _pick(self.blind_spots, rng)
        elif external and self.contexts:
            context = _pick(self.contexts, rng)
        return ProposalPrompt(
            id=name,
            steps=self.dials.frontier_steps,
            context=context,
            exemplars=self._exemplars(rng),
        )

    def growing(self, name: str, rng: np.random.Generator) -> ProposalPrompt:
        """A request to grow a solved problem, or now and then for a new one."""
        external, troubled = self._draw(rng, self.dials.context_rate)
        bases = self.planned if rng.random() < TARGETED else self.everywhere
        if troubled and self.solved_blind_spots:
            base = _pick(self.solved_blind_spots, rng)
            longest = min(base.problem.steps + self.sampling.grow_by, self.sampling.grow_to)
            steps = int(rng.integers(base.problem.steps + 1, longest + 1))
            return ProposalPrompt(id=name, steps=steps, base=base)
        levels = bases.levels(self.dials.frontier_steps)
        if not levels or (not external and rng.random() < FRESH):
            return ProposalPrompt(
                id=name, steps=self.dials.frontier_steps, exemplars=self._exemplars(rng)
            )
        steps = _pick(levels, rng)
        kinds = (bases.contexts, bases.own) if external else (bases.own, bases.contexts)
        pairs = next(kind[steps] for kind in kinds if steps in kind)
        return ProposalPrompt(id=name, steps=steps, base=_pick(pairs, rng))

    def _draw(self, rng: np.random.Generator, rate: float) -> tuple[bool, bool]:
        """Whether a request is conditioned on something external, and whether on a blind spot."""
        external, troubled = rng.random() < rate, rng.random() < self.sampling.blind_spot_rate
        return external, external and troubled

    def _exemplars(self, rng: np.random.Generator) -> tuple[str, ...]:
        """A few different texts of the target cluster; none without a target."""
        order = rng.permutation(len(self.texts))[:EXEMPLARS]
        return tuple(self.texts[int(i)] for i in order)


def _growable(pairs: Sequence[Pair], grow_to: int) -> list[Pair]:
    """Pairs that growth may still make longer."""
    return [p for p in pairs if 1 <= p.problem.steps < grow_to]


_Reach = Mapping[int, tuple[Pair, ...]]
"""For each number of steps that growth can reach, the bases that are near enough to it."""


def _reach(pairs: Sequence[Pair], sampling: SamplingSettings) -> _Reach:
    """What `pairs` can grow to, up to `grow_to` in at most `grow_by` steps."""
    near = {
        level: tuple(p for p in pairs if level - sampling.grow_by <= p.problem.steps < level)
        for level in range(2, sampling.grow_to + 1)
    }
    return {level: bases for level, bases in near.items() if bases}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bases:
    """Solved problems that may be grown, by who made them and by what they can grow to."""

    contexts: _Reach
    own: _Reach

    @classmethod
    def of(cls, pairs: Sequence[Pair], sampling: SamplingSettings) -> "_Bases":
        """Sort `pairs`."""
        given = [p for p in pairs if p.problem.source is Source.context]
        made = [p for p in pairs if p.problem.source is not Source.context]
        return cls(contexts=_reach(given, sampling), own=_reach(made, sampling))

    def levels(self, frontier: int) -> list[int]:
        """Numbers of steps in reach beyond `frontier`; the largest where none is beyond."""
        everything = sorted({*self.contexts, *self.own})
        return [level for level in everything if level > frontier] or everything[-1:]


def _pick(items: Sequence[T], rng: np.random.Generator) -> T:
    return items[int(rng.integers(len(items)))]
