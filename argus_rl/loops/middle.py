"""Middle loop (minutes): did I actually learn?

    lesson ----> measure ---> teach ---> measure ---> ERCV ---> accept | refuse
       probe, panel    theta-              theta+     ^         roll back
                       the same items, streams       two gauges that must agree

An update is proposed, verified, and only then committed. The evidence that judges it is measured
with the weights just before and just after it, on pairs it learned from, on pairs it never saw, and
on a panel of past problems.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from argus_rl.actors.learner import most_steps
from argus_rl.actors.workbench import Workbench
from argus_rl.actuators.proposer_shaping import ProposedText
from argus_rl.actuators.rollback import RolledBack
from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.rng import Stream
from argus_rl.core.signals.inner import ShapingEffect, WeightsEffect
from argus_rl.core.signals.middle import (
    Attribution,
    BankReading,
    DefenseDecision,
    Dials,
    EpiplexityReading,
    LearningEffect,
    LieType,
    Measurement,
    PanelScore,
    RetestReading,
    Ruling,
    Verdict,
)
from argus_rl.core.signals.outer import CapacityDecision, MapReading
from argus_rl.data.memory import (
    Memory,
    add_anchors,
    add_blind_spots,
    add_library,
    add_replay,
    drop_blind_spots,
    panel,
    unmastered,
    without_texts,
)
from argus_rl.data.ports import Lesson
from argus_rl.data.problem import Chain, Pair
from argus_rl.data.recombine import recombine
from argus_rl.loops.assembly import Parts
from argus_rl.loops.inner import Attempts
from argus_rl.loops.state import RunState
from argus_rl.sensors.capability_map import Mapped
from argus_rl.sensors.detectors.evidence import Evidence
from argus_rl.text.answers import extract_answer
from argus_rl.text.equations import stated_equations

PROBE_SHARE = 0.2
"""Share of the frontier pairs that the update never sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A proposed update: what it did, and the same measurement before and after it."""

    weights: WeightsEffect
    shaping: ShapingEffect
    learning: LearningEffect
    before: Measurement
    after: Measurement
    undo: Any
    """Snapshot of the learner from before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one update came to."""

    update: Update
    epi: EpiplexityReading
    retest: RetestReading
    verdict: Verdict
    undone: RolledBack
    bank: BankReading
    blame: Attribution | None
    defense: DefenseDecision
    effects: tuple[TurnedEffect, ...]
    map: MapReading
    """With what the retests of its clusters said, if the update stands."""
    committed: str
    """Digest of the weights that the episode leaves."""
    memory: Memory
    dials: Dials


def middle(
    parts: Parts,
    bench: Workbench,
    attempts: Attempts,
    map: MapReading,
    room: CapacityDecision,
    state: RunState,
    stream: Stream,
) -> Outcome:
    """Did I actually learn? Propose an update, verify it, only then commit it."""
    work = set_work(parts, bench, attempts, room, state, stream)
    update = propose_update(parts, work, attempts, state, stream)  # actuators

    epi = parts.epiplexity(update.before, update.after, stream.child("bootstrap"))  # sensor
    retest = parts.retest(update.before, update.after)  # sensor
    verdict = parts.ercv(epi, retest, state.history)  # decider: the only one that may refuse
    verdict = parts.severity(verdict, epi, retest)  # decider
    taught = remember(state, attempts, work.lesson, parts)
    verdict, undone = carry_out(parts, work, update, verdict, state.memory, taught)  # actuator

    noted = note_retests(parts, map, retest)  # sensor
    evidence = Evidence(
        census=attempts.census,
        before=update.before,
        epi=epi,
        retest=retest,
        map=noted,
        history=state.history,
    )
    bank = parts.detector_bank(evidence, parts.cluster_detectors(epi, retest))  # sensors
    blame = find_cause(parts, work, bank, retest, stream.child("blame"))  # sensor
    defense = parts.defense_dispatch(bank, verdict, state.history, state.dials)  # decider
    memory = remember_regressions(undone.memory, work.panel, retest, verdict, parts)
    effects = parts.defending.now(defense, state, memory, update.undo, bench.learner)  # actuators
    return Outcome(
        update=update,
        epi=epi,
        retest=retest,
        verdict=verdict,
        undone=undone,
        bank=bank,
        blame=blame,
        defense=defense,
        effects=effects,
        map=map if verdict.ruling is Ruling.refuse else noted,
        committed=bench.gauge.fingerprint(),
        memory=effects[-1].memory if effects else memory,
        dials=effects[-1].dials if effects else state.dials,
    )


def set_work(
    parts: Parts,
    bench: Workbench,
    attempts: Attempts,
    room: CapacityDecision,
    state: RunState,
    stream: Stream,
) -> "Measuring":
    """Choose what is taught, what is held back, and which past problems are retested."""
    pairs, probe = split(attempts, state.dials, stream.child("probe"))
    return Measuring(
        bench=bench,
        parts=parts,
        lesson=pairs,
        probe=probe,
        replay=state.memory.replay,
        panel=panel(state.memory, panel_size(parts, state), stream.child("panel")),
        room=room,
        stream=stream.child("retest"),
    )


def propose_update(
    parts: Parts, work: "Measuring", attempts: Attempts, state: RunState, stream: Stream
) -> Update:
    """Teach the lesson between two measurements of the same items with the same streams.

    No problem of the retest panel is taught, by itself or as a part of another: the retest would
    measure the teaching and not what is left of the skill.
    """
    learner = work.bench.learner
    before = work.now()
    undo = learner.snapshot()
    weights = parts.weigh([p.score for p in work.lesson], before.lesson_nll)
    texts = proposed_texts(attempts, work.lesson)
    shaping = parts.shape(texts, skill=state.skill, dials=state.dials)
    untested = without_texts(state.memory, [pair.problem.text for pair in work.panel])
    lesson = Lesson(
        pairs=work.lesson,
        weights=weights.weights,
        proposal_weights=shaping.weights,
        replay=untested.replay,
        anchors=untested.anchors,
        earlier=unmastered(untested, barred=state.dials.quarantined),
        recombined=recombined(
            parts, work.lesson, untested.library, state, stream.child("recombine")
        ),
    )
    progress = state.episode / parts.settings.episodes
    learning = parts.teach(lesson, learner, progress, stream.child("learn"))
    return Update(
        weights=weights,
        shaping=shaping,
        learning=learning,
        before=before,
        after=work.now(),
        undo=undo,
    )


def recombined(
    parts: Parts,
    lesson: Sequence[Pair],
    library: Sequence[Pair],
    state: RunState,
    stream: Stream,
) -> tuple[Pair, ...]:
    """Return as many new pairs, made of lesson and library, as the update will draw of them."""
    settings, sampling = parts.settings.learner, parts.settings.sampling
    barred = state.dials.quarantined
    known = [pair for pair in library if pair.cluster not in barred]
    shortest = min(state.dials.frontier_steps + 1, sampling.grow_to)
    steps = most_steps(settings, len(lesson))
    return recombine(
        (*known, *lesson),
        count=round(settings.recombined_mix * settings.batch * steps),
        lengths=range(shortest, sampling.grow_to + 1),
        stream=stream,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """One set of items and streams, to be measured under two sets of weights."""

    bench: Workbench
    parts: Parts
    lesson: tuple[Pair, ...]
    probe: tuple[Pair, ...]
    replay: tuple[Pair, ...]
    panel: tuple[Pair, ...]
    room: CapacityDecision
    stream: Stream

    def now(self) -> Measurement:
        """Measure everything under the present weights."""
        gauge = self.bench.gauge
        nll = gauge.nll([*self.lesson, *self.probe, *self.replay])
        first, second = len(self.lesson), len(self.lesson) + len(self.probe)
        return Measurement(
            fingerprint=gauge.fingerprint(),
            lesson_nll=tuple(nll[:first]),
            probe_nll=tuple(nll[first:second]),
            replay_nll=tuple(nll[second:]),
            panel=tuple(self._panel_scores()),
        )

    def _panel_scores(self) -> Sequence[PanelScore]:
        settings = self.parts.settings
        chains = self.bench.solver.solve(
            [item.problem for item in self.panel],
            chains=settings.control.retest.chains,
            max_tokens=self.room.max_tokens,
            temperature=settings.sampling.temperature,
            stream=self.stream,
        )
        return [
            PanelScore(
                problem_id=item.problem.id,
                cluster=item.cluster,
                agreement=self.parts.chain_consensus(item.problem, own),
                label=item.label,
                held=label_share(own, item.label),
            )
            for item, own in zip(self.panel, chains, strict=True)
        ]


def label_share(chains: Sequence[Chain], label: str) -> float:
    """Share of `chains` that end in the answer with the canonical key `label`, in [0, 1]."""
    answers = [None if c.truncated else extract_answer(c.text) for c in chains]
    return sum(a is not None and a.key == label for a in answers) / max(1, len(chains))


def split(
    attempts: Attempts, dials: Dials, stream: Stream
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs to teach and the probe pairs; quarantined clusters are in neither."""
    pairs = [p for p in attempts.frontier if p.cluster not in dials.quarantined]
    held_back = int(PROBE_SHARE * len(pairs))
    order = stream.generator().permutation(len(pairs))
    probe = frozenset(int(i) for i in order[:held_back])
    return (
        tuple(p for i, p in enumerate(pairs) if i not in probe),
        tuple(p for i, p in enumerate(pairs) if i in probe),
    )


def panel_size(parts: Parts, state: RunState) -> int:
    """Items of the next panel: more of them after an underpowered verdict."""
    return round(parts.settings.control.retest.panel * state.panel_factor)


def proposed_texts(attempts: Attempts, pairs: Sequence[Pair]) -> list[ProposedText]:
    """What shaping needs to know of the texts of `pairs`."""
    by_id = {a.draft.problem.id: a for a in attempts.attempts}
    own = [(pair, by_id[pair.problem.id]) for pair in pairs]
    return [
        ProposedText(
            sound=attempt.premise.sound,
            steps=max(1, len(stated_equations(pair.chain.text))),
            score=attempt.mastery,
            cluster=pair.cluster,
        )
        for pair, attempt in own
    ]


def remember(state: RunState, attempts: Attempts, lesson: Sequence[Pair], parts: Parts) -> Memory:
    """Return the memory with what this episode solved and taught, but for quarantined clusters.

    It holds only if the update stands: what a refused update was made of comes back nowhere, not
    in replay, not as a base for growth, not in what is recombined.
    """
    barred = state.dials.quarantined
    trusted = [pair for pair in attempts.trusted if pair.cluster not in barred]
    mastered = [pair for pair in attempts.mastered if pair.cluster not in barred]
    known = add_anchors(add_library(state.memory, trusted, parts.bounds), mastered)
    return add_replay(known, lesson, parts.bounds)


def carry_out(
    parts: Parts, work: Measuring, update: Update, verdict: Verdict, known: Memory, taught: Memory
) -> tuple[Verdict, RolledBack]:
    """Carry the verdict out. A blend is an update too: it is retested, and undone if it fails."""
    learner = work.bench.learner
    undone = parts.roll_back(verdict, update.undo, known, taught, learner)
    if not 0.0 < undone.severity < 1.0:
        return verdict, undone
    confirmed = parts.confirm(verdict, parts.retest(update.before, work.now()))
    if confirmed.severity >= 1.0:
        undone = parts.roll_back(confirmed, update.undo, known, taught, learner)
    return confirmed, undone


def note_retests(parts: Parts, map: MapReading, retest: RetestReading) -> MapReading:
    """Tell the map what the retests of its clusters said."""
    nothing = Mapped(embeddings=np.zeros((0, 0), dtype=np.float32))
    return parts.capability_map(map.state, nothing, retest.deltas)


def find_cause(
    parts: Parts, work: Measuring, bank: BankReading, retest: RetestReading, stream: Stream
) -> Attribution | None:
    """Ask for a cause where forgetting fired; only pairs of the update can be blamed."""
    if not any(reading.lie is LieType.D for reading in bank.firings):
        return None
    regressed = frozenset(retest.regressed)
    return parts.causal_attribution(
        work.lesson,
        [p.cluster for p in work.lesson],
        [item for item in work.panel if item.problem.id in regressed],
        [item for item in work.panel if item.problem.id not in regressed],
        work.bench.gauge,
        stream=stream,
    )


def remember_regressions(
    memory: Memory,
    past: Sequence[Pair],
    retest: RetestReading,
    verdict: Verdict,
    parts: Parts,
) -> Memory:
    """Make regressed items blind spots and forget those that recovered; a refusal undid both."""
    if verdict.ruling is Ruling.refuse:
        return memory
    regressed = frozenset(retest.regressed)
    recovered = [d.problem_id for d in retest.deltas if d.delta > 0]
    found = [item.problem for item in past if item.problem.id in regressed]
    return add_blind_spots(drop_blind_spots(memory, recovered), found, parts.bounds)
