"""Inner loop (seconds): is this attempt valid?

    requests -> proposer -> syntax -> premises -> k chains -> consensus -> zone -> attempts
                            sensor    sensor                  sensor       decider

A text is looked at before a single chain is spent on it. What leaves the loop is an `Attempts`:
solved problems with their agreement and zone, and the proposals that were refused, each with the
reason.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from argus_rl.actors.workbench import Workbench
from argus_rl.actuators.seeding import SeedingPlan
from argus_rl.core.rng import Stream
from argus_rl.core.signals.inner import Agreement, Census, PremiseReading, Zone, ZoneDecision
from argus_rl.core.signals.outer import CapacityDecision
from argus_rl.data.problem import Chain, Draft, Pair
from argus_rl.ledger.records import Gate, RefusedProposal
from argus_rl.loops.assembly import Parts
from argus_rl.loops.state import RunState
from argus_rl.sensors.census import Asked
from argus_rl.text.similarity import NearDuplicates


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One solved problem."""

    draft: Draft
    chains: Sequence[Chain]
    agreement: Agreement
    """Of the chains on what was asked."""
    zone: ZoneDecision
    premise: PremiseReading
    pair: Pair | None
    """Text, chain and label to learn from; None where consensus gave none."""
    mastery: float
    """How surely the policy solves the whole problem, in [0, 1]."""

    @classmethod
    def of(
        cls,
        draft: Draft,
        chains: Sequence[Chain],
        agreement: Agreement,
        zone: ZoneDecision,
        premise: PremiseReading,
        pair: Pair | None,
        mastery: float,
    ) -> "Attempt":
        """Make one from what the loop has in its columns."""
        return cls(
            draft=draft,
            chains=chains,
            agreement=agreement,
            zone=zone,
            premise=premise,
            pair=pair,
            mastery=mastery,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """One episode's problems."""

    attempts: tuple[Attempt, ...]
    refused: tuple[RefusedProposal, ...]
    census: Census
    chains: int
    """Chains spent."""

    def placed(self, clusters: Sequence[int]) -> "Attempts":
        """Return the attempts with the cluster of each pair as the map now has it."""
        rows = zip(self.attempts, clusters, strict=True)
        return replace(
            self,
            attempts=tuple(
                a if a.pair is None else replace(a, pair=replace(a.pair, cluster=c))
                for a, c in rows
            ),
        )

    @property
    def frontier(self) -> tuple[Pair, ...]:
        """The pairs to learn from."""
        return tuple(
            a.pair for a in self.attempts if a.zone.zone is Zone.frontier and a.pair is not None
        )

    @property
    def mastered(self) -> tuple[Pair, ...]:
        """The easy pairs: nothing to learn from, and worth keeping."""
        return tuple(
            a.pair for a in self.attempts if a.zone.zone is Zone.easy and a.pair is not None
        )

    @property
    def trusted(self) -> tuple[Pair, ...]:
        """Frontier and easy pairs: labels good enough to build on."""
        return tuple(
            a.pair for a in self.attempts if a.zone.zone is not Zone.hard and a.pair is not None
        )


def inner(
    parts: Parts,
    bench: Workbench,
    plan: SeedingPlan,
    room: CapacityDecision,
    state: RunState,
    stream: Stream,
) -> Attempts:
    """Is this attempt valid?"""
    drafts = bench.proposer.propose(plan.requests, stream.child("propose"))
    clusters = place(bench, drafts, state)
    well_formed, faulty = gate(parts, drafts, plan, state)  # sensor: is it a problem at all?
    premises = [parts.proposer_validator(d.problem) for d in well_formed]  # sensor
    sound, false = keep_sound(well_formed, premises)
    chains = solve(bench, sound, room, state, stream)
    votes = [parts.chain_consensus(d.ask, c) for d, c in zip(sound, chains, strict=True)]  # sensor
    pairs = [
        complete(bench, draft, c, vote, clusters[draft.problem.id])
        for draft, c, vote in zip(sound, chains, votes, strict=True)
    ]
    mastery = measure_mastery(bench, sound, pairs, votes)
    zones = [  # decider
        parts.frontier_zone(vote, m, state.skill) for vote, m in zip(votes, mastery, strict=True)
    ]
    read = {reading.problem_id: reading for reading in premises}
    slipped = [  # sensor: what nobody refused
        parts.premise_census(d.problem, read[d.problem.id]) for d in sound
    ]
    counted = Asked(
        drafts=len(plan.requests),
        refused_syntax=len(faulty),
        refused_premise=len(false),
        context_used=plan.with_context + plan.with_blind_spot,
        texts=tuple(d.problem.text for d in drafts if d is not None),
        clusters=tuple(clusters.values()),
        kinds=len(state.map.clusters),
    )
    census = parts.census(counted, votes, zones, slipped, chains)  # sensor
    rows = zip(sound, chains, votes, zones, slipped, pairs, mastery, strict=True)
    return Attempts(
        attempts=tuple(Attempt.of(*row) for row in rows),
        refused=(*faulty, *false),
        census=census,
        chains=sum(map(len, chains)),
    )


def place(bench: Workbench, drafts: Sequence[Draft | None], state: RunState) -> dict[str, int]:
    """Cluster of each draft by the id of its problem; -1 where there is no map."""
    problems = [d.problem for d in drafts if d is not None]
    if not state.map.clusters:
        return {p.id: -1 for p in problems}
    found = state.map.assign(bench.gauge.embed([p.text for p in problems]))
    return {p.id: cluster for p, cluster in zip(problems, found, strict=True)}


def gate(
    parts: Parts, drafts: Sequence[Draft | None], plan: SeedingPlan, state: RunState
) -> tuple[list[Draft], list[RefusedProposal]]:
    """Split proposals into problems and non-problems; each text is held against all before it."""
    known = NearDuplicates(pair.problem.text for pair in state.memory.library)
    kept: list[Draft] = []
    refused: list[RefusedProposal] = []
    for draft, request in zip(drafts, plan.requests, strict=True):
        if draft is None:
            refused.append(_refusal(request.id, "", Gate.syntax, "is no problem"))
            continue
        reading = parts.syntactic_gate(draft.problem, known)
        if reading.accepted:
            kept.append(draft)
            known.add(draft.problem.text)
        else:
            refused.append(
                _refusal(draft.problem.id, draft.problem.text, Gate.syntax, reading.fault)
            )
    return kept, refused


def keep_sound(
    drafts: Sequence[Draft], premises: Sequence[PremiseReading]
) -> tuple[list[Draft], list[RefusedProposal]]:
    """Split drafts by the validator's readings."""
    sound = [d for d, p in zip(drafts, premises, strict=True) if p.sound]
    refused = [
        RefusedProposal(
            problem_id=d.problem.id,
            text=d.problem.text,
            gate=Gate.premise,
            reason="; ".join(
                f"{f.expression} is {f.true_value}, not {f.claimed}" for f in p.findings
            ),
            findings=p.findings,
        )
        for d, p in zip(drafts, premises, strict=True)
        if not p.sound
    ]
    return sound, refused


def solve(
    bench: Workbench,
    drafts: Sequence[Draft],
    room: CapacityDecision,
    state: RunState,
    stream: Stream,
) -> list[Sequence[Chain]]:
    """Spend k chains on what each draft asks: whole problems, or new steps by the labeller."""
    chains: dict[str, Sequence[Chain]] = {}
    for solver, group in (
        (bench.solver, [d.ask for d in drafts if d.base is None]),
        (bench.labeller, [d.ask for d in drafts if d.base is not None]),
    ):
        found = solver.solve(
            group,
            chains=room.k,
            max_tokens=room.max_tokens,
            temperature=state.dials.temperature,
            stream=stream.child("solve"),
        )
        chains |= {problem.id: made for problem, made in zip(group, found, strict=True)}
    return [chains[d.ask.id] for d in drafts]


def complete(
    bench: Workbench, draft: Draft, chains: Sequence[Chain], agreement: Agreement, cluster: int
) -> Pair | None:
    """Make the pair that a draft and its consensus amount to; None where there is no consensus."""
    if agreement.best < 0:
        return None
    chain = bench.complete(draft, chains[agreement.best])
    if chain is None:
        return None
    return Pair(
        problem=draft.problem,
        chain=chain,
        label=agreement.majority,
        score=agreement.score,
        cluster=cluster,
    )


def measure_mastery(
    bench: Workbench,
    drafts: Sequence[Draft],
    pairs: Sequence[Pair | None],
    agreements: Sequence[Agreement],
) -> list[float]:
    """How surely the policy solves each whole problem, in [0, 1].

    For a whole proposal that is the agreement of its chains. A grown problem was not solved whole;
    there it is the probability that the policy writes the joined chain, `exp(-NLL)` of all of it.
    """
    grown = [p for p, d in zip(pairs, drafts, strict=True) if p is not None and d.base is not None]
    written = {
        p.problem.id: math.exp(-nll * p.chain.tokens)
        for p, nll in zip(grown, bench.gauge.nll(grown), strict=True)
    }
    return [
        a.score if d.base is None else written.get(d.problem.id, 0.0)
        for d, a in zip(drafts, agreements, strict=True)
    ]


def _refusal(problem_id: str, text: str, by: Gate, reason: str) -> RefusedProposal:
    return RefusedProposal(problem_id=problem_id, text=text, gate=by, reason=reason)
