"""The folder of a run: where it lies, what it was asked to be, and whether it can go on."""

import itertools
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from argus_rl.config.run import RunSettings
from argus_rl.core.errors import RunDirError
from argus_rl.evaluation.files import (
    EVALUATION_AFTER,
    RUN_CONFIG,
    RUN_SUMMARY,
    read_object,
    write_object,
)
from argus_rl.ledger.checkpoints import checkpoints_in
from argus_rl.ledger.files import LOCK

RUNS = Path("runs")


def saved_settings(folder: str) -> dict[str, Any]:
    """Return the plain settings that the run in `folder` was started with.

    Raises:
        RunDirError: it is no folder of a run.
    """
    path = Path(folder)
    if not path.is_dir():
        raise RunDirError(f"resume: {folder} is not a folder; give the folder of an earlier run")
    if not (path / RUN_CONFIG).is_file():
        raise RunDirError(
            f"resume: {folder} holds no {RUN_CONFIG}, so it is not the folder of a run"
        )
    return read_object(path / RUN_CONFIG)


def folder_of(settings: RunSettings) -> Path:
    """Return the folder that a run is written to: resumed, named, or named by preset and time."""
    if settings.resume:
        return Path(settings.resume)
    if settings.run_dir:
        return Path(settings.run_dir)
    preset = re.sub(r"[^A-Za-z0-9_.-]+", "-", settings.preset) or "run"
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    name = f"{preset}-seed{settings.seed}-{now}"
    names = itertools.chain([name], (f"{name}-{i}" for i in itertools.count(2)))
    return next(RUNS / one for one in names if not (RUNS / one).exists())


def open_folder(settings: RunSettings) -> Path:
    """Return the folder of a run; a new one is made.

    Raises:
        RunDirError: the folder holds something else, or cannot be made.
    """
    folder = folder_of(settings)
    if settings.resume:
        return folder
    if folder.is_file():
        raise RunDirError(f"run_dir: {folder} is a file; choose another run_dir")
    with _explaining(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def claim(folder: Path, settings: RunSettings, config: dict[str, Any]) -> None:
    """Write the settings of a new run, or of one that is to go on for more episodes.

    To be called under the run's lock, so that of two runs at one moment only one writes.

    Raises:
        RunDirError: the folder of a new run is not empty, or cannot be written.
    """
    if settings.resume:
        _extend(folder, settings.episodes)
        return
    if any(path.name != LOCK for path in folder.iterdir()):
        raise RunDirError(
            f"run_dir: {folder} is not empty; go on with it by resume={folder}, or choose another"
        )
    with _explaining(folder):
        write_object(folder / RUN_CONFIG, config)


def abandon(folder: Path) -> None:
    """Take the settings of a run away that has not begun, so that its folder may be used again."""
    if not has_begun(folder):
        (folder / RUN_CONFIG).unlink(missing_ok=True)


def _extend(folder: Path, episodes: int) -> None:
    """Ask a run for more episodes than before: its end so far is no end any more."""
    saved = saved_settings(str(folder))
    if saved.get("episodes") == episodes:
        return
    with _explaining(folder):
        for name in (EVALUATION_AFTER, RUN_SUMMARY):
            (folder / name).unlink(missing_ok=True)
        write_object(folder / RUN_CONFIG, saved | {"episodes": episodes})


@contextmanager
def _explaining(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        raise RunDirError(f"run_dir: {folder} cannot be written ({reason})") from error


def has_begun(folder: Path) -> bool:
    """Whether the run in `folder` got as far as its first checkpoint."""
    return bool(checkpoints_in(folder))
