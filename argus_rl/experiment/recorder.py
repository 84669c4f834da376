"""Committing an episode: ledger, then checkpoint, then the screens. Whole, or not at all.

The state of a run is its weights (with the optimizer) and one frozen `RunState`. Both go into the
checkpoint that follows the ledger's lines, and the checkpoint is what makes an episode count.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from argus_rl.actors.timed import Stopwatch
from argus_rl.actors.workbench import Keeper
from argus_rl.core.errors import CheckpointError, DataError
from argus_rl.core.signals.middle import PastDefense
from argus_rl.data.problem import Pair
from argus_rl.ledger.checkpoints import Checkpoint, save_checkpoint
from argus_rl.ledger.codec import decode, encode
from argus_rl.ledger.events import events_of
from argus_rl.ledger.journal import Journal, note_timing
from argus_rl.loops.bookkeeping import Episode, record_of
from argus_rl.loops.state import RunState
from argus_rl.tracking.sink import Sink

STATE = "state.json"
WEIGHTS = "weights"

Listener = Callable[[int, Sequence[Pair]], None]
"""Is told the lesson of each episode before it is committed; nothing it does is read back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecorder:
    """Writes what the outer loop hands over."""

    run_dir: Path
    journal: Journal
    keeper: Keeper
    keep: int
    sink: Sink
    watch: Stopwatch
    listener: Listener
    committed: Callable[[int], None]
    """Is told the number of the next episode, after each commit."""

    def commit(self, episode: Episode) -> None:
        """Write the episode and everything that the next one needs.

        Raises:
            RunStopped: no room on the disk; the last committed episode is safe.
        """
        number = episode.state.episode
        record = record_of(episode)
        events = events_of(record, refused=episode.attempts.refused, past=judged(episode))
        self.listener(number, episode.attempts.frontier)
        self.journal.commit(record, events)
        self.checkpoint(number, episode.after)
        note_timing(self.run_dir, number, self.watch.lap())
        self.committed(number + 1)
        self.sink.episode(record, events)

    def checkpoint(self, episode: int, state: RunState) -> None:
        """Save weights and state as of after `episode`; -1 is before the first."""
        text = json.dumps(encode(state), separators=(",", ":")).encode()
        save_checkpoint(
            self.run_dir,
            episode=episode,
            files={STATE: text, WEIGHTS: self._save_weights},
            ledger=self.journal.position,
            keep=self.keep,
        )

    def _save_weights(self, folder: Path) -> None:
        folder.mkdir()
        self.keeper.save(folder)


def judged(episode: Episode) -> tuple[PastDefense, ...]:
    """Actions whose outcome this episode shows: those of the episode before it."""
    return tuple(
        past for past in episode.state.history.defenses if past.episode == episode.state.episode - 1
    )


def restore(checkpoint: Checkpoint, keeper: Keeper) -> RunState:
    """Put the weights of a checkpoint back and return its state.

    Raises:
        CheckpointError: its contents do not fit this version or this model.
    """
    keeper.load(checkpoint.path / WEIGHTS)
    try:
        return decode(RunState, json.loads((checkpoint.path / STATE).read_bytes()))
    except (ValueError, DataError) as error:
        raise CheckpointError(
            f"{checkpoint.path.name}: {STATE} cannot be read ({error})"
        ) from error
