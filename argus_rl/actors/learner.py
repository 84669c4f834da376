"""Who learns: weighted SFT on the lesson, with replay and anchors mixed into every step.

An update draws its sequences from five piles: at most `replay_mix` from the replay memory, at most
`library_mix` from earlier problems that are not mastered yet, at most `recombined_mix` from new
ones made of solved ones, at most `anchor_mix` from mastered ones, and the rest from this episode's
frontier pairs. No pile is gone through more than `passes`
times, so a small lesson makes a short update, and a small memory a small share of it.
"""

import math
from collections.abc import Sequence
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
class Draws:
    """How many sequences an update takes from each pile, over all its steps."""

    steps: int
    lesson: int
    replay: int
    earlier: int
    recombined: int
    anchors: int


def most_steps(settings: LearnerSettings, lesson: int) -> int:
    """Steps that an update on `lesson` new pairs takes at most, other piles aside."""
    return settings.updates or math.ceil(settings.passes * lesson / settings.batch)


def plan_draws(
    settings: LearnerSettings,
    *,
    lesson: int,
    replay: int = 0,
    earlier: int = 0,
    recombined: int = 0,
    anchors: int = 0,
) -> Draws:
    """Return the draws of an update, given how many pairs each pile holds.

    What the other piles cannot fill of their shares goes to the lesson's own pairs; steps are as
    many as those can fill within `passes`, and at most `updates`.
    """
    limit = settings.passes
    piles = (
        (settings.replay_mix, replay),
        (settings.library_mix, earlier),
        (settings.recombined_mix, recombined),
        (settings.anchor_mix, anchors),
    )
    steps = most_steps(settings, lesson)
    while True:
        total = steps * settings.batch
        others = [min(round(total * share), math.floor(limit * size)) for share, size in piles]
        new = total - sum(others)
        if new <= limit * lesson or steps == 1:
            return Draws(steps, new, *others)
        steps -= 1


def rounds(examples: Sequence[Example], count: int, rng: np.random.Generator) -> list[Example]:
    """Return `count` draws in shuffled rounds: none is drawn twice before all are drawn once."""
    order: list[int] = []
    while examples and len(order) < count:
        order += rng.permutation(len(examples)).tolist()
    return [examples[i] for i in order[:count]]


def batches(
    examples: Sequence[Example], size: int, rng: np.random.Generator
) -> list[list[Example]]:
    """Batches of like lengths in a random order.

    A batch's loss is the mean over its tokens. In a batch of all lengths the long problems would
    hold most of the tokens and the easy ones, which must not be forgotten, hardly any.
    """
    order = sorted(rng.permutation(len(examples)).tolist(), key=lambda i: len(examples[i].ids))
    parts = [order[at : at + size] for at in range(0, len(order), size)]
    return [[examples[i] for i in parts[int(p)]] for p in rng.permutation(len(parts))]


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
        draws = plan_draws(
            self._settings,
            lesson=len(lesson.pairs),
            replay=len(lesson.replay),
            earlier=len(lesson.earlier),
            recombined=len(lesson.recombined),
            anchors=len(lesson.anchors),
        )
        sequences = [
            *rounds(self._lesson_examples(lesson, rng), draws.lesson, rng),
            *rounds(self._plain(lesson.replay), draws.replay, rng),
            *rounds(self._plain(lesson.earlier), draws.earlier, rng),
            *rounds(self._plain(lesson.recombined), draws.recombined, rng),
            *rounds(self._plain(lesson.anchors), draws.anchors, rng),
        ]
        steps = batches(sequences, math.ceil(len(sequences) / draws.steps), rng)
        scales = [lr_scale(progress, i / len(steps), self._settings) for i in range(len(steps))]
        losses, tokens, skipped = self._take(steps, scales)
        return LearningEffect(
            changed=("weights", "optimizer") if losses else (),
            updates=len(losses),
            pairs=len(lesson.pairs),
            replayed=draws.replay,
            recombined=draws.recombined,
            tokens=tokens,
            mean_loss=math.fsum(losses) / len(losses) if losses else math.nan,
            skipped=skipped,
        )

    def _take(
        self, steps: Sequence[list[Example]], scales: Sequence[float]
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
