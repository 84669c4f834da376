"""Reading a ledger back: typed, and forgiving of exactly what a crash can leave.

A process that was killed can leave half a last line; that is no damage, and it is dropped with a
note. A damaged line elsewhere is named with its number and skipped, so that one bad sector does not
take a run's record with it. Nothing is ever guessed: a line either decodes exactly or is skipped.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from argus_rl.core.errors import DataError, RunDirError
from argus_rl.ledger.codec import decode
from argus_rl.ledger.events import Event, EventKind
from argus_rl.ledger.journal import EPISODE, HEADER, LEDGER
from argus_rl.ledger.records import SCHEMA, EpisodeRecord, RunHeader

KINDS = {HEADER, EPISODE, *(kind.value for kind in EventKind)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a ledger, before its data is typed."""

    number: int
    """From 1."""
    kind: str
    episode: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLedger:
    """Everything that a ledger says, in order."""

    header: RunHeader
    records: tuple[EpisodeRecord, ...]
    events: tuple[Event, ...]
    warnings: tuple[str, ...] = ()
    """One sentence for each line that was skipped."""


def read_lines(run_dir: Path) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Return the ledger's whole lines and a warning for each that is not.

    Raises:
        RunDirError: no such folder, no ledger in it, or an empty one.
    """
    if not run_dir.is_dir():
        raise RunDirError(f"{run_dir} is not a folder")
    path = run_dir / LEDGER
    if not path.is_file():
        raise RunDirError(f"{run_dir} is not a run folder: it has no {LEDGER}")
    rows = path.read_bytes().split(b"\n")
    torn = rows.pop()
    if not rows and not torn:
        raise RunDirError(f"{path} is empty: the run was stopped before it wrote anything")
    lines: list[Line] = []
    warnings: list[str] = []
    for number, row in enumerate(rows, start=1):
        try:
            lines.append(_line(number, row))
        except DataError as error:
            warnings.append(f"{LEDGER} line {number} skipped: {error}")
    if torn:
        warnings.append(f"{LEDGER} line {len(rows) + 1} is half written and was dropped")
    return tuple(lines), tuple(warnings)


def _line(number: int, row: bytes) -> Line:
    try:
        data: Any = json.loads(row)
    except ValueError as error:
        raise DataError(f"not valid JSON ({error})") from None
    if not isinstance(data, dict):
        raise DataError("not a JSON object")
    entries = cast("dict[str, Any]", data)
    schema = entries.get("schema")
    if schema != SCHEMA:
        raise DataError(f"schema {schema!r}; this version reads schema {SCHEMA}")
    kind, episode, payload = entries.get("kind"), entries.get("episode"), entries.get("data")
    if kind not in KINDS or type(episode) is not int or not isinstance(payload, dict):
        raise DataError(f"no known kind with an episode and data: {kind!r}, {episode!r}")
    return Line(
        number=number, kind=str(kind), episode=episode, data=cast("dict[str, Any]", payload)
    )


def read_run(run_dir: Path) -> RunLedger:
    """Return the whole ledger, typed.

    Raises:
        RunDirError: no ledger, an empty one, or one whose header cannot be read.
    """
    lines, skipped = read_lines(run_dir)
    warnings = list(skipped)
    headers: list[RunHeader] = []
    records: list[EpisodeRecord] = []
    events: list[Event] = []
    for line in lines:
        try:
            if line.kind == HEADER:
                headers.append(decode(RunHeader, line.data))
            elif line.kind == EPISODE:
                records.append(decode(EpisodeRecord, line.data))
            else:
                events.append(
                    decode(Event, {**line.data, "kind": line.kind, "episode": line.episode})
                )
        except DataError as error:
            warnings.append(f"{LEDGER} line {line.number} skipped: {error}")
    if not headers:
        raise RunDirError(f"{run_dir / LEDGER} has no readable header: {'; '.join(warnings)}")
    return RunLedger(
        header=headers[0], records=tuple(records), events=tuple(events), warnings=tuple(warnings)
    )


def read_records(run_dir: Path) -> tuple[EpisodeRecord, ...]:
    """Return the typed record of each episode. Raises as `read_run` does."""
    return read_run(run_dir).records
