"""Outer loop (hours): what should I learn?

    map -> planner -> seeding --> inner: attempts --> middle: update, verdict --> ledger
     ^                                                                              |
     +------------------------------- the next episode -----------------------------+

These three files are the control system. Which part stands behind each name is chosen once, in
`argus_rl.loops.assembly`, from the flags of the run; a part that is off is its null version.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from argus_rl.actors.workbench import Workbench
from argus_rl.core.rng import Stream
from argus_rl.data.memory import add_library, set_anchors
from argus_rl.data.problem import Draft, Pair, Problem
from argus_rl.loops.assembly import Parts
from argus_rl.loops.bookkeeping import Episode, advance
from argus_rl.loops.inner import Attempts, complete, inner
from argus_rl.loops.middle import middle
from argus_rl.loops.state import RunState
from argus_rl.sensors.capability_map import Mapped


class Recorder(Protocol):
    """Commits an episode: ledger, checkpoint, screens."""

    def commit(self, episode: Episode) -> None:
        """Write the episode and everything that the next one needs, whole or not at all."""
        ...


def outer(
    parts: Parts,
    bench: Workbench,
    contexts: Sequence[Problem],
    state: RunState,
    run: Stream,
    recorder: Recorder,
) -> RunState:
    """What should I learn? Run the episodes that are left and return the state after them."""
    while state.episode < parts.settings.episodes:
        stream = run.child("episode", state.episode)
        state, waited = parts.defending.begin(state)  # actuators: what the last episode put off
        target = parts.curriculum_planner(state.clusters, capped=state.dials.capped)  # decider
        room = parts.capacity_planner(state.episode)  # decider
        plan = parts.seed_proposer(  # actuator
            state.episode, target, state.dials, state.memory, contexts, stream=stream.child("seed")
        )
        attempts = inner(parts, bench, plan, room, state, stream)
        map = parts.capability_map(state.map, mapped(bench, attempts), ())  # sensor
        attempts = attempts.placed(map.assignments)
        outcome = middle(parts, bench, attempts, map, room, state, stream)
        health = parts.spsi(  # sensor, across
            outcome.epi, attempts.census, outcome.retest, outcome.bank, outcome.map
        )
        episode = Episode(
            state=state,
            target=target,
            room=room,
            plan=plan,
            attempts=attempts,
            outcome=outcome,
            health=health,
            waited=waited,
            after=advance(state, attempts, outcome),
            stream=stream,
        )
        recorder.commit(episode)
        state = episode.after
    return state


def mapped(bench: Workbench, attempts: Attempts) -> Mapped:
    """The episode's problems as the map wants them."""
    own = attempts.attempts
    texts = tuple(a.draft.problem.text for a in own)
    return Mapped(
        texts=texts,
        embeddings=bench.gauge.embed(texts),
        rewards=tuple(a.agreement.score for a in own),
        costs=tuple(float(len(a.chains)) for a in own),
        unsound=tuple(not a.premise.sound for a in own),
    )


def orient(
    parts: Parts, bench: Workbench, contexts: Sequence[Problem], state: RunState, run: Stream
) -> RunState:
    """Let the starting model solve context texts, before the first episode.

    What its chains agree on becomes anchors (mixed into every update) and the first entries of
    the library (bases for growth, and the first retest panel). No answer key is involved.
    """
    texts = contexts[: parts.settings.learner.anchors]
    stream = run.child("orient")
    room = parts.capacity_planner(0)
    chains = bench.solver.solve(
        texts,
        chains=room.k,
        max_tokens=room.max_tokens,
        temperature=state.dials.temperature,
        stream=stream,
    )
    solved = [
        complete(bench, Draft(problem=p, ask=p), own, parts.chain_consensus(p, own), -1)
        for p, own in zip(texts, chains, strict=True)
    ]
    bar = parts.settings.control.frontier.high
    sure = [pair for pair in solved if pair is not None and pair.score >= bar]
    map = parts.capability_map(state.map, first_problems(bench, sure, room.k), ())
    placed = [replace(p, cluster=c) for p, c in zip(sure, map.assignments, strict=True)]
    memory = add_library(set_anchors(state.memory, placed), placed, parts.bounds)
    return replace(state, memory=memory, map=map.state, clusters=map.summary)


def first_problems(bench: Workbench, pairs: Sequence[Pair], k: int) -> Mapped:
    """The problems of the orientation as the map wants them."""
    texts = tuple(p.problem.text for p in pairs)
    return Mapped(
        texts=texts,
        embeddings=bench.gauge.embed(texts),
        rewards=tuple(p.score for p in pairs),
        costs=(float(k),) * len(pairs),
        unsound=(False,) * len(pairs),
    )
