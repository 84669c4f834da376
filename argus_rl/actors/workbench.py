"""The machine in one bundle: every face that the loops may ask something of.

A loop gets a `Workbench` and never a model. `argus_rl.actors.plant` puts a real policy behind the
faces; `argus_rl.actors.scripted` puts a few lines of arithmetic there, so that the control flow can
be run, tested and taught without weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import ObserverCurve
from argus_rl.data.ports import Gauge, Learner, Proposer, Solver
from argus_rl.data.problem import Chain, Draft, Pair


class Observer(Protocol):
    """A throwaway copy of the starting model that studies what the run produced."""

    def study(self, pairs: Sequence[Pair], stream: Stream) -> ObserverCurve | None:
        """Return the observer's loss curve on `pairs`; None for too few of them."""
        ...


class Keeper(Protocol):
    """Writes the trainable state to a folder and reads it back, bit-equal."""

    def save(self, folder: Path) -> None:
        """Write weights of both roles and the optimizer state under `folder`."""
        ...

    def load(self, folder: Path) -> None:
        """Put back what `save` wrote. Raises `CheckpointError` where the files do not fit."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """Every face of the machine."""

    proposer: Proposer
    solver: Solver
    """Solves under the present weights."""
    labeller: Solver
    """Solves the new step of grown problems: the starting weights, or the present ones."""
    gauge: Gauge
    learner: Learner
    observer: Observer
    keeper: Keeper
    complete: Callable[[Draft, Chain], Chain | None]
    """Makes the best chain on a draft's `ask` a chain on the whole problem; None where they do not
    fit together."""
    description: str
    """What the machine is, for the ledger."""
