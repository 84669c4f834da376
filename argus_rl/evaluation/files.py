"""The files of a run folder that comparisons read; evaluations are written and read back here."""

import json
from pathlib import Path
from typing import Any, cast

from argus_rl.core.errors import DataError, RunDirError
from argus_rl.evaluation.result import EvaluationResult, Json, result_from_json
from argus_rl.evaluation.summary import result_to_json
from argus_rl.ledger.files import write_whole

EVALUATION_BEFORE = "evaluation_before.json"
"""Evaluation of the weights that a run started from."""
EVALUATION_AFTER = "evaluation_after.json"
"""Evaluation of the weights that a run ended with; its absence marks a run that is not finished."""
RUN_CONFIG = "config.json"
"""Settings of the run, with at least `preset` and `seed`."""
RUN_SUMMARY = "summary.json"
"""Optional figures of the whole run (wasted share, label accuracy, refusals, ...)."""


def read_object(path: Path) -> Json:
    """The JSON object in a file. Raises DataError, naming the file, on anything else."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise DataError(f"{path} should hold a JSON object")
    return cast("Json", data)


def write_object(path: Path, data: Json) -> None:
    """Write a JSON object so that a reader sees the old file or the new one, never a part."""
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    write_whole(path, f"{text}\n".encode())


def write_result(path: Path, result: EvaluationResult) -> None:
    """Write an evaluation file, whole or not at all."""
    write_object(path, result_to_json(result))


def read_result(path: Path) -> EvaluationResult:
    """The evaluation in a file. Raises DataError, naming the file, where it is damaged."""
    data = read_object(path)
    try:
        return result_from_json(data)
    except DataError as error:
        raise DataError(f"{path}: {error}") from error


def is_run_folder(folder: Path) -> bool:
    """Whether a folder was made by a run: it has a configuration or a first evaluation."""
    return (folder / RUN_CONFIG).is_file() or (folder / EVALUATION_BEFORE).is_file()


def run_folders(path: Path, depth: int = 3) -> tuple[Path, ...]:
    """The run folder itself, or the run folders inside a sweep folder, sorted by name.

    Raises:
        RunDirError: no such folder, or no run in it or up to `depth` levels below it.
    """
    if not path.is_dir():
        raise RunDirError(f"{path} is not a folder")
    if is_run_folder(path):
        return (path,)
    level = [path]
    for _ in range(depth):
        level = sorted(child for folder in level for child in folder.iterdir() if child.is_dir())
        found = tuple(folder for folder in level if is_run_folder(folder))
        if found:
            return found
    raise RunDirError(
        f"{path} is not a run folder: it has no {RUN_CONFIG}, and neither has a folder in it"
    )
