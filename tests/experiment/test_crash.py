"""Killed at any instant and resumed, a run ends as if it had never been killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from argus_rl.core.errors import CheckpointError, RunStopped
from argus_rl.ledger.checkpoints import checkpoints_in, latest_good
from argus_rl.ledger.journal import LEDGER
from argus_rl.ledger.reading import read_records
from argus_rl.train import main

SCRIPTED = (
    "+preset=argus_full",
    "model=scripted",
    "learner=lora",
    "sampling.proposing=fresh",
    "sampling.proposals=48",
    "episodes=6",
    "evaluation.per_level=2",
    "data.context_limit=60",
)
EMBEDDED = ("+preset=smoke", "episodes=4", "evaluation.per_level=1", "model.threads=1")


def weights(run_dir: Path) -> dict[str, bytes]:
    """Every file of the newest checkpoint but its manifest, which names the ledger's digest."""
    newest = latest_good(run_dir).path
    return {
        str(path.relative_to(newest)): path.read_bytes()
        for path in sorted(newest.rglob("*"))
        if path.is_file()
    }


def assert_equal_runs(one: Path, other: Path) -> None:
    assert (one / LEDGER).read_bytes() == (other / LEDGER).read_bytes()
    assert weights(one) == weights(other)
    for name in ("evaluation_before.json", "evaluation_after.json", "audit.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def start(words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "argus_rl.train", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish_with_kills(words: tuple[str, ...], run_dir: Path, kills: int, longest: float) -> int:
    """Run to the end, killed at random instants on the way; return how many kills hit."""
    rng = np.random.default_rng(7)
    hit = 0
    for attempt in range(kills * 4 + 10):
        if (run_dir / "summary.json").is_file():
            return hit
        begun = (run_dir / "config.json").is_file()
        process = start((f"resume={run_dir}",) if begun else (*words, f"run_dir={run_dir}"))
        if hit < kills:
            time.sleep(float(rng.uniform(0.2, longest)))
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate()
                hit += 1
                continue
        _, error = process.communicate(timeout=300)
        assert process.returncode == 0, (attempt, error.decode())
    raise AssertionError("the run never came to its end")


def test_a_run_resumed_after_a_kill_between_episodes_is_bit_equal(tmp_path: Path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert main([*SCRIPTED, f"run_dir={whole}"]) == 0
    hits = finish_with_kills(SCRIPTED, cut, kills=2, longest=4.0)
    assert hits >= 1
    assert_equal_runs(whole, cut)


@pytest.mark.slow
def test_25_kills_at_random_instants_leave_no_trace(tmp_path: Path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    longer = (*(word for word in SCRIPTED if not word.startswith("episodes")), "episodes=40")
    assert main([*longer, f"run_dir={whole}"]) == 0
    assert finish_with_kills(longer, cut, kills=25, longest=5.0) == 25
    assert_equal_runs(whole, cut)


@pytest.mark.slow
def test_the_embedded_model_survives_kills_with_bit_equal_weights(tmp_path: Path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert main([*EMBEDDED, f"run_dir={whole}"]) == 0
    assert finish_with_kills(EMBEDDED, cut, kills=8, longest=14.0) >= 3
    assert_equal_runs(whole, cut)


def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    whole, hurt = tmp_path / "whole", tmp_path / "hurt"
    assert main([*SCRIPTED, f"run_dir={whole}"]) == 0
    assert main([*SCRIPTED, f"run_dir={hurt}"]) == 0
    newest = checkpoints_in(hurt)[-1]
    (newest / "state.json").write_bytes(b"{}")
    (hurt / "summary.json").unlink()
    assert main([f"resume={hurt}"]) == 0
    assert newest.name in capfd.readouterr().err
    assert_equal_runs(whole, hurt)


def test_a_run_without_a_good_checkpoint_says_so_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    hurt = tmp_path / "hurt"
    assert main([*SCRIPTED, f"run_dir={hurt}"]) == 0
    for checkpoint in checkpoints_in(hurt):
        (checkpoint / "state.json").write_bytes(b"")
    (hurt / "summary.json").unlink()
    capfd.readouterr()
    assert main([f"resume={hurt}"]) == CheckpointError.exit_code
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_finished_run_has_nothing_left_to_do_and_can_be_made_longer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    longer = tmp_path / "longer"
    short = tuple(word for word in SCRIPTED if not word.startswith("episodes"))
    assert main([*short, "episodes=3", f"run_dir={longer}"]) == 0
    capfd.readouterr()
    assert main([f"resume={longer}"]) == 2
    assert "nothing is left to do" in capfd.readouterr().err
    assert main([f"resume={longer}", "episodes=6"]) == 0
    assert len(read_records(longer)) == 6
    assert json.loads((longer / "config.json").read_bytes())["episodes"] == 6


def test_a_run_that_stops_while_it_is_made_longer_is_unfinished_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    short = tuple(word for word in SCRIPTED if not word.startswith("episodes"))
    for run_dir in (whole, cut):
        assert main([*short, "episodes=1", f"run_dir={run_dir}"]) == 0
    assert main([f"resume={whole}", "episodes=3"]) == 0

    def stopped(*_: object) -> None:
        raise RunStopped("stopped before the end was marked")

    with monkeypatch.context() as patch:
        patch.setattr("argus_rl.experiment.run.write_page", stopped)
        assert main([f"resume={cut}", "episodes=3"]) == RunStopped.exit_code
    assert len(read_records(cut)) == 3
    assert not (cut / "summary.json").is_file()
    assert main([f"resume={cut}"]) == 0
    assert_equal_runs(whole, cut)


def test_a_full_disk_stops_the_run_and_leaves_it_resumable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    whole, full = tmp_path / "whole", tmp_path / "full"
    assert main([*SCRIPTED, f"run_dir={whole}"]) == 0
    write, written = Path.write_bytes, [0]

    def no_room(self: Path, data: bytes) -> int:
        if self.name == "state.json":
            written[0] += 1
            if written[0] == 4:
                raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", no_room)
    assert main([*SCRIPTED, f"run_dir={full}"]) == RunStopped.exit_code
    assert f"resume={full}" in capfd.readouterr().err
    assert main([f"resume={full}"]) == 0
    assert_equal_runs(whole, full)


def test_a_second_process_on_the_same_folder_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    run_dir = tmp_path / "run"
    words = tuple(word for word in SCRIPTED if not word.startswith("episodes"))
    first = start((*words, "episodes=200", f"run_dir={run_dir}"))
    try:
        for _ in range(900):
            if (run_dir / "run.lock").is_file() and (run_dir / "run.lock").read_text():
                break
            time.sleep(0.1)
        assert main([f"resume={run_dir}"]) == 2
        assert str(first.pid) in capfd.readouterr().err
    finally:
        first.kill()
        first.communicate()


def test_the_summary_is_plain_json(tmp_path: Path):
    run_dir = tmp_path / "run"
    assert main([*SCRIPTED, f"run_dir={run_dir}"]) == 0
    assert json.loads((run_dir / "summary.json").read_text())["episodes"] == 6
