"""Promises of a whole run: sealed answers, false premises kept out, steps that go wrong."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from argus_rl.config.schema import load_settings
from argus_rl.core.errors import RunStopped
from argus_rl.evaluation.material import load_material
from argus_rl.experiment import run as experiment
from argus_rl.ledger.checkpoints import latest_good
from argus_rl.ledger.journal import LEDGER
from argus_rl.ledger.reading import read_records
from argus_rl.model.sft import StepResult, Trainer
from argus_rl.train import main

SMOKE = ("+preset=smoke", "evaluation.per_level=1", "model.threads=1")


def weights_and_ledger(run_dir: Path) -> tuple[bytes, bytes]:
    newest = latest_good(run_dir).path / "weights"
    tensors = b"".join(p.read_bytes() for p in sorted(newest.iterdir()))
    lines = (run_dir / LEDGER).read_bytes().splitlines()
    kept = [line for line in lines if b'"run_finished"' not in line]
    return tensors, b"\n".join(kept)


def test_a_run_with_every_answer_replaced_by_noise_trains_to_bit_equal_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert main([*SMOKE, f"run_dir={tmp_path / 'true'}"]) == 0

    def noisy(settings: Any) -> Any:
        material = load_material(settings)
        assert material.exam is not None
        return dataclasses.replace(
            material, exam=material.exam.with_noise(np.random.default_rng(0))
        )

    monkeypatch.setattr(experiment, "load_material", noisy)
    assert main([*SMOKE, f"run_dir={tmp_path / 'noise'}"]) == 0
    assert weights_and_ledger(tmp_path / "true") == weights_and_ledger(tmp_path / "noise")
    before = "evaluation_before.json"
    assert (tmp_path / "true" / before).read_bytes() != (tmp_path / "noise" / before).read_bytes()


def planted_run(run_dir: Path, *words: str) -> list[Any]:
    """A short real run in which two of five proposals assert something false."""
    common = ("+preset=smoke", "episodes=2", "sampling.proposals=120", "evaluation.per_level=0")
    planted = ("data.false_premises=0.4", "control.map.clusters=24", "model.threads=1")
    assert main([*common, *planted, *words, f"run_dir={run_dir}"]) == 0
    return list(read_records(run_dir))


def test_false_premises_waste_compute_without_the_validator_and_do_not_with_it(tmp_path: Path):
    """Type F: the proposer hallucinates; the same seed with and without the validator."""
    off = planted_run(tmp_path / "off", "control.proposer_validator=false")
    on = planted_run(tmp_path / "on")
    assert sum(r.census.refused_premise for r in on) > 20
    assert sum(r.census.refused_premise for r in off) == 0
    assert min(r.census.unsound_share for r in off) > 0.25
    assert max(r.census.unsound_share for r in on) == 0.0
    assert max(r.spsi.wasted_share for r in off) > max(r.spsi.wasted_share for r in on)
    assert all(a.spsi.value < b.spsi.value for a, b in zip(off, on, strict=True))


def test_a_step_without_a_finite_loss_is_skipped_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    step, calls = Trainer.step, [0]

    def sometimes(self: Trainer, examples: Sequence[Any], lr_scale: float) -> StepResult:
        calls[0] += 1
        if calls[0] == 2:
            with torch.no_grad():
                return StepResult(loss=float("nan"), grad_norm=float("nan"), finite=False)
        return step(self, examples, lr_scale)

    monkeypatch.setattr(Trainer, "step", sometimes)
    assert main([*SMOKE, f"run_dir={tmp_path / 'run'}"]) == 0
    assert sum(r.learning.skipped for r in read_records(tmp_path / "run")) == 1
    assert b'"step_skipped"' in (tmp_path / "run" / LEDGER).read_bytes()


def test_steps_that_go_wrong_in_a_row_stop_the_run_with_the_last_good_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    step, calls = Trainer.step, [0]

    def broken_later(self: Trainer, examples: Sequence[Any], lr_scale: float) -> StepResult:
        calls[0] += 1
        if calls[0] > 4:
            return StepResult(loss=float("inf"), grad_norm=float("nan"), finite=False)
        return step(self, examples, lr_scale)

    run_dir = tmp_path / "run"
    monkeypatch.setattr(Trainer, "step", broken_later)
    words = [*SMOKE, "learner.max_bad_steps=2", "learner.passes=50", f"run_dir={run_dir}"]
    assert main(words) == RunStopped.exit_code
    assert "2 steps in a row" in capfd.readouterr().err
    assert latest_good(run_dir).episode == 0
    monkeypatch.setattr(Trainer, "step", step)
    assert main([f"resume={run_dir}"]) == 0
    assert len(read_records(run_dir)) == 2


def test_the_training_path_is_given_no_key(tmp_path: Path):
    """Nothing that the outer loop receives can show an answer."""
    settings = load_settings([*SMOKE, f"run_dir={tmp_path}"])
    material = load_material(settings)
    assert all(not hasattr(problem, "answer") for problem in material.contexts)
    assert material.exam is not None
    assert "sealed" in repr(material.exam.key)
