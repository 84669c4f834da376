"""Writing that survives a crash: bytes reach the disk before anything says that they are there.

A rename is atomic but says nothing of contents, so a file is flushed with `fsync` before it is
renamed and its folder after. A full disk (`ENOSPC`, also a quota or a file-size limit) becomes a
`RunStopped` that says what is safe and how to go on.
"""

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from safetensors import SafetensorError

from argus_rl.core.errors import RunDirError, RunStopped

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers that mean "no room"."""

LOCK = "run.lock"


def fsync_folder(folder: Path) -> None:
    """Flush a folder's entries (new names, renames) to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def fsync_file(path: Path) -> None:
    """Flush a file that somebody else wrote to the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sha256_of(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of a run folder so that a reader sees the old contents or the new, never a part.

    Raises RunStopped where the disk is full.
    """
    aside = path.with_name(path.name + ".tmp")
    with stopping_when_full(path.parent, path.name):
        try:
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
    fsync_folder(path.parent)


def dump(data: Any) -> bytes:
    """Plain JSON as one line of ASCII; equal values give equal bytes."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode("ascii")


def _no_room(error: OSError | SafetensorError) -> bool:
    if isinstance(error, OSError):
        return error.errno in FULL
    return any(f"os error {number}" in str(error) for number in FULL)


@contextmanager
def stopping_when_full(run_dir: Path, what: str) -> Generator[None]:
    """Turn "no room" inside the block into a `RunStopped` that says how to go on."""
    try:
        yield
    except (OSError, SafetensorError) as error:
        if not _no_room(error):
            raise
        raise RunStopped(
            f"no room left on the disk while writing {what}; everything committed before it is "
            f"safe. Make room, then: python -m argus_rl.train resume={run_dir}"
        ) from error


class RunLock:
    """Sole use of a run folder, for one process. The kernel lets go of it when the process dies.

    Use as a context manager. Raises RunDirError, naming the process, where another one has it.
    """

    def __init__(self, run_dir: Path) -> None:
        self._run_dir = run_dir
        self._handle: int | None = None

    def __enter__(self) -> "RunLock":
        if not self._run_dir.is_dir():
            raise RunDirError(f"{self._run_dir} is not a folder")
        try:
            handle = os.open(self._run_dir / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RunDirError(
                f"{self._run_dir} cannot be written ({error.strerror}); choose another run_dir"
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, 32).decode(errors="replace").strip() or "unknown"
            os.close(handle)
            raise RunDirError(
                f"{self._run_dir} is in use by process {owner}; wait for it, stop it, or choose "
                "another run_dir"
            ) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        self._handle = handle
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
