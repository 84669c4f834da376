"""The ledger: one line of JSON for each episode and each event, only ever appended.

A line is `{"schema": 1, "kind": ..., "episode": ..., "data": {...}}`. The first line is the run's
header; an episode's events precede its record, so a record marks its episode as complete. Each
commit is one append followed by `fsync`, and a `Position` (length and SHA-256 of all bytes so far)
goes into the checkpoint that follows. What lies beyond the last checkpoint's position was never
committed: `Journal.resume` cuts it off, the episode is run again, and equal seeds write equal
bytes.

Durations differ between equal runs, so they go to `timings.jsonl`, which nothing depends on.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from argus_rl.core.errors import RunDirError
from argus_rl.ledger.codec import encode
from argus_rl.ledger.events import OUTSIDE, Event, run_started
from argus_rl.ledger.files import dump, fsync_folder, stopping_when_full
from argus_rl.ledger.records import SCHEMA, EpisodeRecord, RunHeader

LEDGER = "ledger.jsonl"
TIMINGS = "timings.jsonl"
HEADER = "run_header"
"""Kind of the first line."""
EPISODE = "episode"
"""Kind of the line that holds an episode's record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """How far a ledger was written when something was committed."""

    length: int
    """Bytes."""
    sha256: str
    """Hexadecimal digest of these bytes."""


def line_of(value: RunHeader | EpisodeRecord | Event) -> bytes:
    """The line of a header, a record or an event, with its line feed."""
    if isinstance(value, Event):
        data = encode(value)
        kind, episode = data.pop("kind"), data.pop("episode")
    elif isinstance(value, EpisodeRecord):
        kind, episode, data = EPISODE, value.episode, encode(value)
    else:
        kind, episode, data = HEADER, OUTSIDE, encode(value)
    return dump({"schema": SCHEMA, "kind": kind, "episode": episode, "data": data}) + b"\n"


class Journal:
    """The append-only ledger of one run. Use as a context manager, under a `RunLock`."""

    def __init__(self, run_dir: Path, file: FileIO, start: Position, digest: Any) -> None:
        """Made by `start` and `resume`."""
        self._run_dir = run_dir
        self._file = file
        self._length = start.length
        self._digest = digest

    @classmethod
    def start(cls, run_dir: Path, header: RunHeader) -> Self:
        """Begin a ledger with its header; what an interrupted start left there is replaced.

        Raises:
            RunStopped: no room on the disk.
        """
        lines = line_of(header) + line_of(run_started(header))
        with stopping_when_full(run_dir, "the header of the ledger"):
            (run_dir / LEDGER).write_bytes(b"")
            file = FileIO(run_dir / LEDGER, "a")
        journal = cls(run_dir, file, Position(length=0, sha256=""), hashlib.sha256())
        journal._append(lines, "the header of the ledger")
        fsync_folder(run_dir)
        return journal

    @classmethod
    def resume(cls, run_dir: Path, position: Position) -> Self:
        """Go on behind `position`; later lines belong to no commit and are cut off.

        Raises:
            RunDirError: the ledger is missing, too short, or not the one the position speaks of.
        """
        path = run_dir / LEDGER
        if not matches(run_dir, position):
            raise RunDirError(
                f"{path} is not the ledger of this checkpoint: its first {position.length} bytes "
                "are missing or have another digest"
            )
        digest = hashlib.sha256(path.read_bytes()[: position.length])
        os.truncate(path, position.length)
        file = FileIO(path, "a")
        os.fsync(file.fileno())
        return cls(run_dir, file, position, digest)

    @property
    def position(self) -> Position:
        """How far the ledger is written and flushed."""
        return Position(length=self._length, sha256=self._digest.hexdigest())

    def commit(self, record: EpisodeRecord, events: Iterable[Event] = ()) -> Position:
        """Append an episode's events and its record, flush them, and return the new position.

        Raises:
            RunStopped: no room on the disk; the ledger is as it was before the call.
            DataError: a value is not of the type that its field says.
        """
        lines = b"".join([*map(line_of, events), line_of(record)])
        return self._append(lines, f"the ledger of episode {record.episode}")

    def note(self, events: Iterable[Event]) -> Position:
        """Append events that belong to no episode's record (the end of a run)."""
        return self._append(b"".join(map(line_of, events)), "events of the ledger")

    def _append(self, lines: bytes, what: str) -> Position:
        with stopping_when_full(self._run_dir, what):
            try:
                written = 0
                while written < len(lines):
                    written += self._file.write(lines[written:]) or 0
                os.fsync(self._file.fileno())
            except OSError:
                os.truncate(self._file.fileno(), self._length)
                raise
        self._length += len(lines)
        self._digest.update(lines)
        return self.position

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def matches(run_dir: Path, position: Position) -> bool:
    """Whether the ledger begins with the bytes that `position` speaks of."""
    path = run_dir / LEDGER
    if not path.is_file() or path.stat().st_size < position.length:
        return False
    with path.open("rb") as file:
        return hashlib.sha256(file.read(position.length)).hexdigest() == position.sha256


def note_timing(run_dir: Path, episode: int, seconds: Mapping[str, float]) -> None:
    """Append the seconds of each phase of an episode to `timings.jsonl`."""
    line = json.dumps({"episode": episode, **seconds})
    with (
        stopping_when_full(run_dir, "the timings"),
        (run_dir / TIMINGS).open("a", encoding="utf-8") as file,
    ):
        file.write(line + "\n")
