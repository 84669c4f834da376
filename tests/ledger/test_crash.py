import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from argus_rl.ledger.checkpoints import FOLDER, checkpoints_in, latest_good
from argus_rl.ledger.journal import LEDGER
from argus_rl.ledger.reading import read_run

WRITER = Path(__file__).with_name("writer.py")
EPISODES = 120


def run(run_dir: Path, episodes: int = EPISODES) -> subprocess.CompletedProcess[str]:
    """Run the writer to its end."""
    command = [sys.executable, str(WRITER), str(run_dir), str(episodes)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def kill_at(run_dir: Path, delay: float) -> bool:
    """Start or resume the writer and kill it `delay` seconds after it is ready."""
    command = [sys.executable, str(WRITER), str(run_dir), str(EPISODES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def weights_of(run_dir: Path) -> bytes:
    """What the newest good checkpoint holds."""
    return (latest_good(run_dir).path / "weights").read_bytes()


@pytest.mark.slow
def test_a_run_killed_at_25_random_instants_ends_as_one_never_killed(tmp_path):
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    assert run(unbroken).returncode == 0
    rng = np.random.default_rng(20)
    kills = sum(kill_at(broken, float(rng.uniform(0, 0.06))) for _ in range(25))
    assert kills >= 20
    assert run(broken).returncode == 0
    assert (broken / LEDGER).read_bytes() == (unbroken / LEDGER).read_bytes()
    assert weights_of(broken) == weights_of(unbroken)
    assert [p.name for p in checkpoints_in(broken)] == [p.name for p in checkpoints_in(unbroken)]
    assert not [p for p in (broken / FOLDER).iterdir() if p.name.startswith(".")]


def test_a_run_killed_in_the_middle_reads_well_and_goes_on(tmp_path):
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    assert run(unbroken, 12).returncode == 0
    assert kill_at(broken, 0.02)
    if (broken / LEDGER).stat().st_size:
        assert read_run(broken).header.seed == 0
    assert run(broken, 12).returncode == 0
    assert read_run(broken).records[:12] == read_run(unbroken).records


def limited(run_dir: Path, size: int) -> subprocess.CompletedProcess[str]:
    """Run the writer where no file may grow over `size` bytes, as on a full disk."""
    return subprocess.run(
        [sys.executable, "-B", str(WRITER), str(run_dir), "12"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


@pytest.mark.parametrize("size", [1500, 70_000, 110_001])
def test_a_full_disk_stops_the_run_and_more_room_lets_it_finish(tmp_path, size):
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    assert run(unbroken, 12).returncode == 0
    stopped = limited(broken, size)
    assert stopped.returncode != 0
    assert "RunStopped: no room left on the disk while writing" in stopped.stderr
    assert f"resume={broken}" in stopped.stderr
    assert (broken / LEDGER).stat().st_size <= size
    assert run(broken, 12).returncode == 0
    assert (broken / LEDGER).read_bytes() == (unbroken / LEDGER).read_bytes()
    assert weights_of(broken) == weights_of(unbroken)


def test_a_second_process_on_the_same_folder_is_refused_by_name(tmp_path):
    command = [sys.executable, str(WRITER), str(tmp_path), "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        os.kill(first.pid, signal.SIGSTOP)
        second = run(tmp_path)
        first.kill()
    assert second.returncode != 0
    assert f"in use by process {first.pid}" in second.stderr
    assert run(tmp_path, 12).returncode == 0
