"""One finished run, as comparisons see it: what it was asked for, and its accuracy by group.

A run folder holds `config.json`, `evaluation_before.json`, `evaluation_after.json` and perhaps
`summary.json`. Settings that cannot change what is learned (where it was written, how it was
tracked, how work was batched) do not tell conditions apart.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from argus_rl.core.errors import RunDirError
from argus_rl.evaluation.files import (
    EVALUATION_AFTER,
    EVALUATION_BEFORE,
    RUN_CONFIG,
    RUN_SUMMARY,
    read_object,
    read_result,
)
from argus_rl.evaluation.result import EvaluationPlan, EvaluationResult, Json, scopes_of
from argus_rl.evaluation.verdict import check_comparable

INCIDENTAL = (
    "preset",
    "seed",
    "run_dir",
    "resume",
    "audit",
    "audit_per_level",
    "keep_checkpoints",
    "tracking.",
    "model.threads",
    "model.device",
    "sampling.batch",
    "learner.micro_batch",
)
"""Dotted settings, or beginnings of them, that make no difference to what is learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished run."""

    folder: Path
    """Where it lies."""
    preset: str
    """Preset that it was started with."""
    seed: int
    """Its seed."""
    settings: tuple[tuple[str, str], ...]
    """Dotted settings that can change what is learned, with their values as text, sorted."""
    plan: EvaluationPlan
    """How it was evaluated."""
    items: tuple[tuple[str, int], ...]
    """(id, level) of the held-out items, in order."""
    scope_sizes: dict[str, int]
    """Items in each scope."""
    before: dict[str, float]
    """mean@n by scope for the starting weights."""
    after: dict[str, float]
    """mean@n by scope for the final weights."""
    figures: dict[str, float]
    """Numbers of the summary, nested ones by dotted name."""


def missing_part(folder: Path) -> str | None:
    """What a run folder lacks to be compared, as a clause; None for a finished run."""
    if not (folder / RUN_CONFIG).is_file():
        return f"it has no {RUN_CONFIG}"
    if not (folder / EVALUATION_BEFORE).is_file():
        return f"the run has not started to learn: it has no {EVALUATION_BEFORE}"
    if not (folder / EVALUATION_AFTER).is_file():
        return f"the run is not finished: it has no {EVALUATION_AFTER}"
    return None


def _leaves(data: Json, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Values of a nested object with their dotted names."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _leaves(cast("Json", value), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _is_incidental(name: str) -> bool:
    return any(
        name == entry or (entry[-1] == "." and name.startswith(entry)) for entry in INCIDENTAL
    )


def _means(result: EvaluationResult) -> dict[str, float]:
    groups = scopes_of(result.items, result.plan.easy_levels)
    return {
        scope: sum(result.items[i].rate for i in positions) / len(positions)
        for scope, positions in groups.items()
    }


def _numbers(path: Path) -> dict[str, float]:
    """All finite numbers of a summary; none where there is no summary."""
    if not path.is_file():
        return {}
    return {
        name: float(value)
        for name, value in _leaves(read_object(path))
        if type(value) in (int, float) and math.isfinite(value)
    }


def read_run(folder: Path) -> Run:
    """Read a finished run.

    Raises:
        RunDirError: the run is not finished, or its configuration lacks preset or seed.
        DataError: a file is damaged; the message names it.
    """
    lacking = missing_part(folder)
    if lacking is not None:
        raise RunDirError(f"{folder} cannot be compared: {lacking}")
    config = read_object(folder / RUN_CONFIG)
    preset, seed = config.get("preset"), config.get("seed")
    if not isinstance(preset, str) or type(seed) is not int:
        raise RunDirError(f"{folder / RUN_CONFIG} needs a text `preset` and a whole number `seed`")
    before, after = (read_result(folder / name) for name in (EVALUATION_BEFORE, EVALUATION_AFTER))
    check_comparable(before, after)
    groups = scopes_of(before.items, before.plan.easy_levels)
    return Run(
        folder=folder,
        preset=preset,
        seed=seed,
        settings=tuple(
            sorted(
                (name, str(value)) for name, value in _leaves(config) if not _is_incidental(name)
            )
        ),
        plan=before.plan,
        items=tuple((item.id, item.level) for item in before.items),
        scope_sizes={scope: len(positions) for scope, positions in groups.items()},
        before=_means(before),
        after=_means(after),
        figures=_numbers(folder / RUN_SUMMARY),
    )


def _varying(members: Sequence[Run]) -> list[str]:
    """Settings that do not have the same value in all the runs, sorted."""
    values = [dict(run.settings) for run in members]
    names = sorted({name for settings in values for name in settings})
    return [name for name in names if len({settings.get(name) for settings in values}) > 1]


def condition_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """Name of each run's condition: its preset, and the settings in which runs of it differ.

    All of them are named, so that no ablation is averaged with, or taken for, its plain preset.
    """
    varying = {
        preset: _varying([run for run in runs if run.preset == preset])
        for preset in {run.preset for run in runs}
    }
    names: list[str] = []
    for run in runs:
        mine = dict(run.settings)
        told = [f"{name}={mine.get(name, 'absent')}" for name in varying[run.preset]]
        names.append(", ".join([run.preset, *told]))
    return tuple(names)
