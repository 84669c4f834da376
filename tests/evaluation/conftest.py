"""Evaluations and run folders made to measure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from argus_rl.evaluation.files import (
    EVALUATION_AFTER,
    EVALUATION_BEFORE,
    RUN_CONFIG,
    RUN_SUMMARY,
    write_result,
)
from argus_rl.evaluation.result import EvaluationPlan, EvaluationResult, ItemResult

PLAN = EvaluationPlan(
    name="held_out",
    stream="0",
    samples=8,
    temperature=0.7,
    max_tokens=64,
    easy_levels=(1, 2),
)


def made_item(name: str, level: int, right: int, *, greedy: bool = False) -> ItemResult:
    return ItemResult(
        id=name,
        level=level,
        greedy_right=greedy,
        greedy_truncated=False,
        greedy_unparsable=False,
        right=right,
        rivals=(8 - right,) if right < 8 else (),
        truncated=0,
        unparsable=0,
    )


def made_result(
    rng: np.random.Generator, accuracy: dict[int, float], per_level: int = 40, name: str = "item"
) -> EvaluationResult:
    """Items whose samples are right with the accuracy of their level."""
    items = [
        made_item(
            f"{name}-{level}-{i}", level, int(rng.binomial(8, p)), greedy=bool(rng.uniform() < p)
        )
        for level, p in accuracy.items()
        for i in range(per_level)
    ]
    return EvaluationResult(plan=PLAN, items=tuple(items))


START = {1: 0.9, 2: 0.9, 3: 0.2, 4: 0.1}


def write_run(
    folder: Path,
    preset: str,
    seed: int,
    gain: float,
    *,
    name: str = "item",
    settings: dict[str, Any] | None = None,
    summary: dict[str, Any] | None = None,
) -> Path:
    """A finished run whose harder levels gained `gain`."""
    folder.mkdir(parents=True)
    config = {"preset": preset, "seed": seed, "run_dir": str(folder), **(settings or {})}
    (folder / RUN_CONFIG).write_text(json.dumps(config), encoding="utf-8")
    end = {level: p + gain * (level > 2) for level, p in START.items()}
    rng = np.random.default_rng(1000 + seed)
    write_result(folder / EVALUATION_BEFORE, made_result(rng, START, name=name))
    write_result(folder / EVALUATION_AFTER, made_result(rng, end, name=name))
    if summary is not None:
        (folder / RUN_SUMMARY).write_text(json.dumps(summary), encoding="utf-8")
    return folder


@pytest.fixture
def result_of() -> Callable[..., EvaluationResult]:
    return made_result


@pytest.fixture
def item_of() -> Callable[..., ItemResult]:
    return made_item


@pytest.fixture
def run_of() -> Callable[..., Path]:
    return write_run


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """Two presets, five seeds each: `argus_full` gains 30 points on harder levels."""
    for seed in range(5):
        figures = {"wasted_share": 0.1 + 0.01 * seed, "refusals": {"right": seed, "note": "x"}}
        write_run(tmp_path / f"full-{seed}", "argus_full", seed, 0.3, summary=figures)
        write_run(tmp_path / f"base-{seed}", "baseline", seed, 0.0)
    return tmp_path
