"""Who learns: weighted SFT on the lesson, with replay and anchors mixed into every step.

A step draws its sequences from three piles: `replay_mix` from the replay memory, `anchor_mix` from
easy problems that the starting model solved by itself, and the rest from this episode's frontier
pairs. Each pile is gone through in shuffled rounds, so no pair is seen twice before all have been
seen once.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from argus_rl.actors.gauge import chain_example
from argus_rl.config.run import LearnerSettings
from argus_rl.core.errors import RunStopped
from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import LearningEffect
from argus_rl.data.ports import Lesson
from argus_rl.data.problem import Pair
from argus_rl.model import snapshot as snapshots
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.sft import Trainer, lr_scale
from argus_rl.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Pile:
    """Examples that one share of every step is drawn from."""

    examples: Sequence[Example]
    per_step: int

    def draws(self, rng: np.random.Generator) -> Iterator[list[Example]]:
        """Endless steps' worth of examples, in shuffled rounds."""
        order: list[int] = []
        while True:
            while self.examples and len(order) < self.per_step:
                order += rng.permutation(len(self.examples)).tolist()
            taken, order = order[: self.per_step], order[self.per_step :]
            yield [self.examples[i] for i in taken]


def shares(settings: LearnerSettings, *, replay: int, anchors: int) -> tuple[int, int, int]:
    """Return how many of a step's sequences are lesson, replay and anchors; they add up to `batch`.

    An empty pile's share goes to the lesson.
    """
    from_replay = round(settings.batch * settings.replay_mix) if replay else 0
    from_anchors = round(settings.batch * settings.anchor_mix) if anchors else 0
    return settings.batch - from_replay - from_anchors, from_replay, from_anchors


class PolicyLearner(Lever):
    """Owns the trainable weights and the optimizer of one policy."""

    def __init__(self, policy: Policy, settings: LearnerSettings) -> None:
        """Take the weights as they are; the optimizer starts empty."""
        self._policy = policy
        self._settings = settings
        self._trainer = Trainer(policy, settings)

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:
        """Run one update; see `argus_rl.data.ports.Learner`.

        Raises:
            RunStopped: after `max_bad_steps` steps in a row without a finite loss and gradient.
        """
        if not lesson.pairs:
            return _nothing_learned()
        rng = stream.generator()
        n_lesson, n_replay, n_anchors = shares(
            self._settings, replay=len(lesson.replay), anchors=len(lesson.anchors)
        )
        updates = self._settings.updates or math.ceil(len(lesson.pairs) / n_lesson)
        piles = [
            Pile(self._lesson_examples(lesson, rng), n_lesson).draws(rng),
            Pile(self._plain(lesson.replay), n_replay).draws(rng),
            Pile(self._plain(lesson.anchors), n_anchors).draws(rng),
        ]
        steps = ([e for pile in piles for e in next(pile)] for _ in range(updates))
        scales = [lr_scale(progress, i / updates, self._settings) for i in range(updates)]
        losses, tokens, skipped = self._take(steps, scales)
        return LearningEffect(
            changed=("weights", "optimizer") if losses else (),
            updates=len(losses),
            pairs=len(lesson.pairs),
            replayed=n_replay * updates,
            tokens=tokens,
            mean_loss=math.fsum(losses) / len(losses) if losses else math.nan,
            skipped=skipped,
        )

    def _take(
        self, steps: Iterator[list[Example]], scales: Sequence[float]
    ) -> tuple[list[float], int, int]:
        losses: list[float] = []
        tokens = skipped = in_a_row = 0
        for batch, scale in zip(steps, scales, strict=True):
            result = self._trainer.step(batch, scale)
            if result.finite:
                losses.append(result.loss)
                tokens += sum(1 for e in batch for w in e.weights if w > 0)
                in_a_row = 0
                continue
            skipped, in_a_row = skipped + 1, in_a_row + 1
            if in_a_row >= self._settings.max_bad_steps:
                raise RunStopped(
                    f"loss or gradient was not finite in {in_a_row} steps in a row; the last "
                    "committed episode is safe: start a new run with a lower learner.lr or muon_lr"
                )
        return losses, tokens, skipped

    def _lesson_examples(self, lesson: Lesson, rng: np.random.Generator) -> list[Example]:
        marked = rng.random(len(lesson.pairs)) < 0.5
        found: list[Example] = []
        for pair, weight, shaping, mark in zip(
            lesson.pairs, lesson.weights, lesson.proposal_weights, marked, strict=True
        ):
            if self._policy.joint:
                question = self._settings.question_weight * shaping
                found.append(
                    joint_example(self._policy, pair, weight, question)
                    if mark
                    else chain_example(self._policy, pair, weight, question)
                )
            else:
                found.append(chain_example(self._policy, pair, weight))
                found.append(proposal_example(self._policy, pair, shaping))
        return found

    def _plain(self, pairs: Sequence[Pair]) -> list[Example]:
        question = self._settings.question_weight if self._policy.joint else 0.0
        return [chain_example(self._policy, pair, 1.0, question) for pair in pairs]

    def snapshot(self) -> Snapshot:
        """Return a copy of weights of both roles and optimizer state."""
        return snapshots.take(self._policy, self._trainer)

    def restore(self, snapshot: Snapshot) -> None:
        """Put everything in `snapshot` back, bit-equal."""
        snapshots.restore(self._policy, self._trainer, snapshot)

    def blend(self, snapshot: Snapshot, severity: float) -> None:
        """Set the effective weights to `(1 - severity) * present + severity * snapshot`."""
        snapshots.blend(self._policy, snapshot, severity)

    def save(self, folder: Path) -> None:
        """Write weights and optimizer state under `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        snapshots.save(self.snapshot(), folder)

    def load(self, folder: Path) -> None:
        """Put back what `save` wrote. Raises `CheckpointError` where the files do not fit."""
        self.restore(snapshots.load(folder))


def joint_example(policy: Policy, pair: Pair, weight: float, question_weight: float) -> Example:
    """Return step marks, question and chain as one sequence: proposing and solving at once."""
    dialect = policy.dialect
    written = dialect.propose_prompt(max(1, pair.problem.steps))
    prompt = dialect.encode(written)
    question = dialect.encode_proposal(written, pair.problem.text)
    chain = dialect.encode_chain(pair.chain.text)
    weights = ([0.0] * len(prompt), [question_weight] * len(question), [weight] * len(chain))
    return Example(
        ids=(*prompt, *question, *chain),
        weights=tuple(w for part in weights for w in part),
        role=PolicyRole.solver,
    )


def proposal_example(policy: Policy, pair: Pair, weight: float) -> Example:
    """Return the sequence that teaches the proposer role to write `pair`'s problem."""
    dialect = policy.dialect
    written = dialect.propose_prompt(max(1, pair.problem.steps))
    prompt = dialect.encode(written)
    problem = dialect.encode_proposal(written, pair.problem.text)
    return Example(
        ids=(*prompt, *problem),
        weights=(*([0.0] * len(prompt)), *([weight] * len(problem))),
        role=PolicyRole.proposer,
    )


def _nothing_learned() -> LearningEffect:
    return LearningEffect(
        changed=(), updates=0, pairs=0, replayed=0, tokens=0, mean_loss=math.nan, skipped=0
    )
