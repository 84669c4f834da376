"""The machine without weights: the same faces over a handful of numbers.

`skill[topic]` is the probability that a chain on that topic is right, learning raises it for the
topics of the lesson, and now and then lowers it everywhere instead, so that a forgetting update is
part of the script. Some proposals hold a false premise, some are no problems at all. Every branch
of the control system is reached within seconds, which is what contract tests and a first look at
the loops need.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argus_rl.actors.workbench import Workbench
from argus_rl.core.errors import CheckpointError
from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import LearningEffect, ObserverCurve
from argus_rl.data.ports import Lesson
from argus_rl.data.problem import Chain, Draft, Pair, Problem, ProposalPrompt, Source

TOPICS = ("cards", "shells", "coins", "books", "apples")
EMBEDDING = 16
SHORTEST = 8
"""Token budget that a scripted chain needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What happens when."""

    start_skill: float = 0.7
    """Probability of a right chain on every topic at the start."""
    gain: float = 0.03
    """Skill that one update adds to the topics it learned from."""
    forget_rate: float = 0.25
    """Share of updates that forget: they cost every topic `loss`."""
    loss: float = 0.4
    false_premises: float = 0.15
    """Share of proposals that state a wrong total."""
    malformed: float = 0.05
    """Share of proposals that are no problem."""


@dataclass(slots=True)
class ScriptedState(Lever):
    """The whole of the machine's changing state."""

    skill: dict[str, float]
    fit: float = 1.0
    """Nats per token on any pair; falls with every update."""
    updates: int = 0
    moments: dict[str, float] = field(default_factory=dict[str, float])
    """Stands for an optimizer: the last change of each topic's skill."""


def scripted_workbench(script: Script = Script()) -> Workbench:
    """Return a workbench whose faces share one `ScriptedState`."""
    state = ScriptedState(skill=dict.fromkeys(TOPICS, script.start_skill))
    start = ScriptedState(skill=dict(state.skill))
    return Workbench(
        proposer=ScriptedProposer(script, state),
        solver=ScriptedSolver(state),
        labeller=ScriptedSolver(start),
        gauge=ScriptedGauge(state),
        learner=ScriptedLearner(script, state),
        observer=ScriptedObserver(),
        keeper=ScriptedKeeper(state),
        complete=lambda draft, chain: None if draft.base is not None else chain,
        description="scripted machine, no weights",
    )


def topic_of(text: str) -> str:
    """Return the topic that a text is about; the first one for a text about none."""
    return next((topic for topic in TOPICS if topic in text), TOPICS[0])


@dataclass(frozen=True, slots=True)
class ScriptedProposer:
    """Writes little stories; now and then a false one or none."""

    script: Script
    state: ScriptedState

    def propose(self, prompts: Sequence[ProposalPrompt], stream: Stream) -> Sequence[Draft | None]:
        """Return one draft a prompt."""
        return [self._draft(prompt, stream.child(prompt.id)) for prompt in prompts]

    def _draft(self, prompt: ProposalPrompt, stream: Stream) -> Draft | None:
        rng = stream.generator()
        if rng.random() < self.script.malformed:
            return None
        topic = TOPICS[int(rng.integers(len(TOPICS)))]
        text = story(topic, prompt.steps, rng, false=rng.random() < self.script.false_premises)
        source = Source.proposed if prompt.context is None else Source.varied
        parent = "" if prompt.context is None else prompt.context.id
        problem = Problem(
            id=prompt.id,
            text=text,
            source=source,
            seed=stream.seed,
            steps=prompt.steps,
            parent=parent,
        )
        return Draft(problem=problem, ask=problem)


def story(topic: str, steps: int, rng: np.random.Generator, *, false: bool = False) -> str:
    """Return a story of `steps` additions about `topic`; a false one states a wrong total."""
    start = int(rng.integers(2, 30))
    events = [int(rng.integers(1, 9)) for _ in range(max(1, steps))]
    lines = [f"Tom has {start} {topic}."]
    lines += [f"He finds {n} {topic}." for n in events]
    if false:
        lines.append(
            f"{start} {topic} and {events[0]} {topic} make {start + events[0] + 3} {topic}."
        )
    return " ".join([*lines, f"How many {topic} does Tom have now?"])


def story_sum(text: str) -> int:
    """Return what a story of this script adds up to."""
    events = [line for line in text.split(".") if " has " in line or " finds " in line]
    return sum(int(word) for line in events for word in line.split() if word.isdigit())


@dataclass(frozen=True, slots=True)
class ScriptedSolver:
    """Adds up rightly with the topic's probability."""

    state: ScriptedState

    def solve(
        self,
        problems: Sequence[Problem],
        *,
        chains: int,
        max_tokens: int,
        temperature: float,
        stream: Stream,
    ) -> Sequence[Sequence[Chain]]:
        """Return `chains` attempts a problem; `max_tokens` under 8 truncates all of them."""
        return [
            [
                cut_off(p, i, max_tokens)
                if max_tokens < SHORTEST
                else self._chain(p, i, stream.child(p.id, i), temperature)
                for i in range(chains)
            ]
            for p in problems
        ]

    def _chain(self, problem: Problem, index: int, stream: Stream, temperature: float) -> Chain:
        rng = stream.generator()
        right = story_sum(problem.text)
        slip = int(rng.integers(1, 9)) if temperature > 0 else 1
        chance = float(rng.random()) if temperature > 0 else 0.5
        value = right if chance < self.state.skill[topic_of(problem.text)] else right + slip
        text = f"{value - 1} + 1 = {value}. The answer is {value}"
        tokens = len(text.split()) + 1
        return Chain(problem_id=problem.id, text=text, index=index, tokens=tokens)


def cut_off(problem: Problem, index: int, tokens: int) -> Chain:
    """Return a chain that its token budget ended."""
    return Chain(
        problem_id=problem.id, text="The total is", index=index, tokens=tokens, truncated=True
    )


@dataclass(frozen=True, slots=True)
class ScriptedGauge:
    """Reads the shared state."""

    state: ScriptedState

    def nll(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """One figure for all pairs, a little higher for weak topics."""
        return [
            self.state.fit + 0.1 * (1.0 - self.state.skill[topic_of(p.problem.text)]) for p in pairs
        ]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors by topic, with a little of each text's own."""
        rows = np.zeros((len(texts), EMBEDDING), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[TOPICS.index(topic_of(text))] = 1.0
            digest = hashlib.blake2b(text.encode(), digest_size=1).digest()[0]
            row[len(TOPICS) + digest % (EMBEDDING - len(TOPICS))] = 0.1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(texts) else rows

    def gradients(self, pairs: Sequence[Pair], width: int) -> NDArray[np.float32]:
        """The embedding padded or cut to `width`."""
        rows = self.embed([p.problem.text for p in pairs])
        return np.pad(rows, ((0, 0), (0, max(0, width - EMBEDDING))))[:, :width]

    def fingerprint(self) -> str:
        """Digest of skill and fit."""
        return digest_of(self.state)


def digest_of(state: ScriptedState) -> str:
    """Digest of what stands for weights."""
    text = json.dumps([state.skill, state.fit], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class ScriptedLearner(Lever):
    """Moves the shared state."""

    script: Script
    state: ScriptedState

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:  # noqa: ARG002
        """Raise the skill of the lesson's topics; now and then forget on all of them."""
        topics = {topic_of(p.problem.text) for p in lesson.pairs}
        forgets = stream.generator().random() < self.script.forget_rate
        for topic in TOPICS if topics else ():
            change = self.script.gain if topic in topics and not forgets else 0.0
            change -= self.script.loss if forgets else 0.0
            self.state.moments[topic] = change
            self.state.skill[topic] = min(1.0, max(0.0, self.state.skill[topic] + change))
        self.state.fit *= 0.9 if topics else 1.0
        self.state.updates += 1
        return LearningEffect(
            changed=("weights", "optimizer"),
            updates=1,
            pairs=len(lesson.pairs),
            replayed=len(lesson.replay),
            tokens=sum(p.chain.tokens for p in lesson.pairs),
            mean_loss=self.state.fit,
            skipped=0,
        )

    def snapshot(self) -> Any:
        """Return a copy of the state."""
        s = self.state
        return (dict(s.skill), s.fit, s.updates, dict(s.moments))

    def restore(self, snapshot: Any) -> None:
        """Put the state back."""
        skill, self.state.fit, self.state.updates, moments = snapshot
        self.state.skill = dict(skill)
        self.state.moments = dict(moments)

    def blend(self, snapshot: Any, severity: float) -> None:
        """Mix skill and fit with the snapshot's."""
        skill, fit, _, _ = snapshot
        for topic in TOPICS:
            now = self.state.skill[topic]
            self.state.skill[topic] = (1 - severity) * now + severity * skill[topic]
        self.state.fit = (1 - severity) * self.state.fit + severity * fit


@dataclass(frozen=True, slots=True)
class ScriptedObserver:
    """Studies nothing: it has no weights."""

    def study(self, pairs: Sequence[Pair], stream: Stream) -> ObserverCurve | None:  # noqa: ARG002
        """There is no curve."""
        return None


@dataclass(frozen=True, slots=True)
class ScriptedKeeper:
    """One small JSON file."""

    state: ScriptedState

    def save(self, folder: Path) -> None:
        """Write the state."""
        s = self.state
        text = json.dumps([s.skill, s.fit, s.updates, s.moments])
        (folder / "scripted.json").write_text(text, encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Read the state back."""
        try:
            skill, fit, updates, moments = json.loads(
                (folder / "scripted.json").read_text(encoding="utf-8")
            )
        except (OSError, ValueError) as error:
            raise CheckpointError(f"{folder}: no scripted state in it ({error})") from error
        self.state.skill, self.state.fit = skill, fit
        self.state.updates, self.state.moments = updates, moments
