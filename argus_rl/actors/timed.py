"""The same machine with a stopwatch: which face took how long, and which one is at work now.

The loops know nothing of time. A `Timed` workbench wraps each face, adds up seconds per phase, and
calls back when a phase begins, which is what a progress bar listens to.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argus_rl.actors.workbench import Workbench
from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import LearningEffect
from argus_rl.data.ports import Gauge, Learner, Lesson, Proposer, Solver
from argus_rl.data.problem import Chain, Draft, Pair, Problem, ProposalPrompt


@dataclass(slots=True)
class Stopwatch:
    """Adds up seconds per phase."""

    entered: Callable[[str], None]
    """Called with the name of each phase as it begins."""
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def phase(self, name: str) -> Generator[None]:
        """Count the block's time to `name`."""
        self.entered(name)
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begin

    def lap(self) -> dict[str, float]:
        """Return the seconds so far, rounded to milliseconds, and start again from nothing."""
        taken = {name: round(seconds, 3) for name, seconds in self.seconds.items()}
        self.seconds.clear()
        return taken


def timed(bench: Workbench, watch: Stopwatch) -> Workbench:
    """Return `bench` with every face under `watch`."""
    return replace(
        bench,
        proposer=_Proposer(bench.proposer, watch),
        solver=_Solver(bench.solver, watch),
        labeller=_Solver(bench.labeller, watch),
        gauge=_Gauge(bench.gauge, watch),
        learner=_Learner(bench.learner, watch),
    )


@dataclass(frozen=True, slots=True)
class _Proposer:
    face: Proposer
    watch: Stopwatch

    def propose(self, prompts: Sequence[ProposalPrompt], stream: Stream) -> Sequence[Draft | None]:
        with self.watch.phase("propose"):
            return self.face.propose(prompts, stream)


@dataclass(frozen=True, slots=True)
class _Solver:
    face: Solver
    watch: Stopwatch

    def solve(
        self,
        problems: Sequence[Problem],
        *,
        chains: int,
        max_tokens: int,
        temperature: float,
        stream: Stream,
    ) -> Sequence[Sequence[Chain]]:
        purpose = str(stream.name[-1])
        with self.watch.phase(purpose):
            return self.face.solve(
                problems,
                chains=chains,
                max_tokens=max_tokens,
                temperature=temperature,
                stream=stream,
            )


@dataclass(frozen=True, slots=True)
class _Gauge:
    face: Gauge
    watch: Stopwatch

    def nll(self, pairs: Sequence[Pair]) -> Sequence[float]:
        with self.watch.phase("nll"):
            return self.face.nll(pairs)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        with self.watch.phase("embed"):
            return self.face.embed(texts)

    def gradients(self, pairs: Sequence[Pair], width: int) -> NDArray[np.float32]:
        with self.watch.phase("attribute"):
            return self.face.gradients(pairs, width)

    def fingerprint(self) -> str:
        return self.face.fingerprint()


@dataclass(frozen=True, slots=True)
class _Learner(Lever):
    face: Learner
    watch: Stopwatch

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:
        with self.watch.phase("learn"):
            return self.face.learn(lesson, progress, stream)

    def snapshot(self) -> Any:
        with self.watch.phase("snapshot"):
            return self.face.snapshot()

    def restore(self, snapshot: Any) -> None:
        with self.watch.phase("snapshot"):
            self.face.restore(snapshot)

    def blend(self, snapshot: Any, severity: float) -> None:
        with self.watch.phase("snapshot"):
            self.face.blend(snapshot, severity)
