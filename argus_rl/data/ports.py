"""The faces of the machine: what parts may ask of the model, and what only actuators may do to it.

A part never sees a model, only one of these. `argus_rl.actors.workbench` puts a real policy behind
them and `argus_rl.actors.scripted` the same without weights, so each loop, test and document can
run on either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import LearningEffect
from argus_rl.data.problem import Chain, Draft, Pair, Problem, ProposalPrompt


class Proposer(Protocol):
    """Writes problems under the present weights."""

    def propose(self, prompts: Sequence[ProposalPrompt], stream: Stream) -> Sequence[Draft | None]:
        """Return one draft a prompt, None where the response is no problem; one batch."""
        ...


class Solver(Protocol):
    """Solves problems under the present weights."""

    def solve(
        self,
        problems: Sequence[Problem],
        *,
        chains: int,
        max_tokens: int,
        temperature: float,
        stream: Stream,
    ) -> Sequence[Sequence[Chain]]:
        """Return `chains` attempts a problem, all in one batch; temperature 0 is greedy.

        The chain (problem, index) depends on the stream, the problem's text and the index alone.
        """
        ...


class Gauge(Protocol):
    """Reads the policy and changes nothing."""

    def nll(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Mean negative log-likelihood of each pair's chain, in nats per response token."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit embeddings `[n, d]` of problem texts under the frozen base (adapters off)."""
        ...

    def gradients(self, pairs: Sequence[Pair], width: int) -> NDArray[np.float32]:
        """Gradient of each pair's loss, randomly projected to `[n, width]` (dot products kept)."""
        ...

    def fingerprint(self) -> str:
        """Digest of all trainable weights."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Everything one update may learn from."""

    pairs: tuple[Pair, ...]
    """This episode's frontier pairs."""
    weights: tuple[float, ...]
    """EWCS weight of each pair; mean 1."""
    proposal_weights: tuple[float, ...]
    """Shaping weight of each pair's text for the proposer, in [floor, 1]."""
    replay: tuple[Pair, ...] = ()
    """Pairs of past episodes."""
    anchors: tuple[Pair, ...] = ()
    """Mastered problems."""
    earlier: tuple[Pair, ...] = ()
    """Problems of past episodes that are not mastered yet."""
    recombined: tuple[Pair, ...] = ()
    """New problems out of solved ones."""


class Learner(Lever, Protocol):
    """Owns the trainable weights and the optimizer."""

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:
        """Run one update; `progress` in [0, 1] is the share of the run behind us."""
        ...

    def snapshot(self) -> Any:
        """Return a copy of both roles' weights and the optimizer state."""
        ...

    def restore(self, snapshot: Any) -> None:
        """Put everything in `snapshot` back, bit-equal."""
        ...

    def blend(self, snapshot: Any, severity: float) -> None:
        """Set the effective weights to `(1 - severity) * present + severity * snapshot`."""
        ...
