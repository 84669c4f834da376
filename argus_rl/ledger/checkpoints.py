"""An episode is committed whole or not at all, and what was committed can be proven good.

Order of a commit: (1) the ledger's lines are appended and flushed; (2) the payload is written into
`checkpoints/.tmp-*`; (3) a manifest with the SHA-256 of every file, and the ledger's length and
SHA-256, is written; (4) all is flushed; (5) the folder is renamed to `checkpoints/episode-NNNNN`,
which is the instant of commitment; (6) the oldest checkpoints are removed. A process killed before
(5) leaves the last checkpoint in force, with some ledger lines behind its position, which a resume
cuts off; one killed after (5) leaves the new one.

`latest_good` trusts nothing: it hashes every file, and the ledger's prefix, before it hands a
checkpoint out; damaged ones are named and the one before is tried.
"""

import json
import re
import shutil
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argus_rl.core.errors import CheckpointError, DataError
from argus_rl.ledger.codec import decode, encode
from argus_rl.ledger.files import (
    dump,
    fsync_file,
    fsync_folder,
    sha256_of,
    stopping_when_full,
)
from argus_rl.ledger.journal import Position, matches

FOLDER = "checkpoints"
MANIFEST = "manifest.json"
SCHEMA = 1
NAME = re.compile(r"episode-(\d{5,})")
ASIDE = (".tmp-", ".old-")
"""How names of unfinished or replaced folders begin; nothing under them is ever read."""

Payload = Callable[[Path], Any] | bytes
"""Contents of one entry: bytes, or a function that writes a file or a folder at the path given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a checkpoint says of itself."""

    schema: int
    episode: int
    """The last episode that is in it; -1 for the state before the first."""
    ledger: Position
    """How far the ledger was when it was written."""
    files: dict[str, str]
    """SHA-256 of each file, by its path inside the checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A checkpoint whose files were all found to be what was written."""

    path: Path
    episode: int
    """The last episode that is in it; -1 for the state before the first."""
    ledger: Position
    warnings: tuple[str, ...] = ()
    """One sentence for each newer checkpoint that is damaged."""


def checkpoints_in(run_dir: Path) -> tuple[Path, ...]:
    """Folders of the run's checkpoints, oldest first, good or not."""
    folder = run_dir / FOLDER
    if not folder.is_dir():
        return ()
    found = [path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_dir()]
    return tuple(sorted(found, key=lambda path: int(path.name.partition("-")[2])))


def save_checkpoint(
    run_dir: Path,
    *,
    episode: int,
    files: Mapping[str, Payload],
    ledger: Position,
    keep: int = 2,
) -> Checkpoint:
    """Write a checkpoint, whole or not at all, and remove all but the newest `keep`.

    Args:
        run_dir: the run's folder.
        episode: the last episode that is in it; -1 for the state before the first.
        files: contents by name.
        ledger: what `Journal.commit` returned.
        keep: checkpoints to keep, at least 1; with 1 there is none to fall back to.

    Raises:
        RunStopped: no room on the disk; what was there before is as it was.
        ValueError: a name that leaves the folder or is taken, or `keep` below 1.
    """
    _check_names(files, keep)
    folder = run_dir / FOLDER
    name = f"episode-{episode + 1:05d}"
    with stopping_when_full(run_dir, f"the checkpoint of episode {episode}"):
        folder.mkdir(exist_ok=True)
        clear_aside(run_dir)
        with _removed_on_failure(folder / f".tmp-{name}") as aside:
            _write(aside, files, episode, ledger)
            _put_in_place(aside, folder / name)
    fsync_folder(run_dir)
    for old in checkpoints_in(run_dir)[:-keep]:
        _retire(old)
    return Checkpoint(path=folder / name, episode=episode, ledger=ledger)


def _check_names(files: Mapping[str, Payload], keep: int) -> None:
    if keep < 1:
        raise ValueError(f"keep must be at least 1, not {keep}")
    for name in files:
        if Path(name).name != name or name in (MANIFEST, "", ".", ".."):
            raise ValueError(f"{name!r} cannot name a file of a checkpoint")


@contextmanager
def _removed_on_failure(aside: Path) -> Generator[Path]:
    """Make a folder for the block; where the block fails, remove it to give its room back."""
    aside.mkdir()
    try:
        yield aside
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _write(aside: Path, files: Mapping[str, Payload], episode: int, ledger: Position) -> None:
    for name, payload in files.items():
        if isinstance(payload, bytes):
            (aside / name).write_bytes(payload)
        else:
            payload(aside / name)
    written = _files_under(aside)
    manifest = Manifest(
        schema=SCHEMA,
        episode=episode,
        ledger=ledger,
        files={path.relative_to(aside).as_posix(): sha256_of(path) for path in written},
    )
    (aside / MANIFEST).write_bytes(dump(encode(manifest)) + b"\n")
    for path in (*written, aside / MANIFEST):
        fsync_file(path)
    for path in (*(p for p in aside.rglob("*") if p.is_dir()), aside):
        fsync_folder(path)


def _files_under(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def _put_in_place(aside: Path, target: Path) -> None:
    """Rename, the instant of commitment. A damaged checkpoint of that name gives way."""
    if target.exists():
        target.rename(target.with_name(f".old-{target.name}"))
    aside.rename(target)
    fsync_folder(target.parent)
    shutil.rmtree(target.with_name(f".old-{target.name}"), ignore_errors=True)


def _retire(path: Path) -> None:
    """Remove a checkpoint; renamed first, so that half of it is never taken for one."""
    gone = path.with_name(f".old-{path.name}")
    path.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def clear_aside(run_dir: Path) -> None:
    """Remove what interrupted writes left behind."""
    folder = run_dir / FOLDER
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name.startswith(ASIDE):
            shutil.rmtree(path, ignore_errors=True)


def latest_good(run_dir: Path) -> Checkpoint:
    """Return the newest checkpoint that is provably what was written.

    Raises:
        CheckpointError: there is none; the message names the damage of each.
    """
    warnings: list[str] = []
    for path in reversed(checkpoints_in(run_dir)):
        try:
            manifest = verify(path)
        except CheckpointError as error:
            warnings.append(str(error))
            continue
        if not matches(run_dir, manifest.ledger):
            warnings.append(f"{path.name}: the ledger is not the one it was written with")
            continue
        return Checkpoint(
            path=path,
            episode=manifest.episode,
            ledger=manifest.ledger,
            warnings=tuple(f"damaged checkpoint skipped: {w}" for w in warnings),
        )
    detail = "; ".join(warnings) or "none was ever committed"
    raise CheckpointError(f"{run_dir} has no good checkpoint: {detail}")


def verify(path: Path) -> Manifest:
    """Hash every file of a checkpoint and return its manifest.

    Raises:
        CheckpointError: naming the checkpoint and the file that is damaged, missing or too many.
    """
    manifest = _read_manifest(path)
    found = {p.relative_to(path).as_posix() for p in _files_under(path)} - {MANIFEST}
    for name, digest in manifest.files.items():
        if name not in found:
            raise CheckpointError(f"{path.name}: {name} is missing")
        if sha256_of(path / name) != digest:
            raise CheckpointError(f"{path.name}: {name} is damaged (its digest differs)")
    unknown = sorted(found - set(manifest.files))
    if unknown:
        raise CheckpointError(f"{path.name}: {unknown[0]} does not belong to it")
    return manifest


def _read_manifest(path: Path) -> Manifest:
    try:
        manifest = decode(Manifest, json.loads((path / MANIFEST).read_bytes()))
    except FileNotFoundError:
        raise CheckpointError(f"{path.name}: {MANIFEST} is missing") from None
    except (json.JSONDecodeError, UnicodeDecodeError, DataError) as error:
        raise CheckpointError(f"{path.name}: {MANIFEST} is damaged ({error})") from None
    if manifest.schema != SCHEMA:
        raise CheckpointError(f"{path.name}: schema {manifest.schema}, this version reads {SCHEMA}")
    return manifest
