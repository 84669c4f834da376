import errno
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from argus_rl.core.errors import CheckpointError, RunDirError, RunStopped
from argus_rl.ledger import files as files_module
from argus_rl.ledger.checkpoints import (
    FOLDER,
    MANIFEST,
    checkpoints_in,
    latest_good,
    save_checkpoint,
    verify,
)
from argus_rl.ledger.files import RunLock, stopping_when_full
from argus_rl.ledger.journal import LEDGER, Journal
from argus_rl.ledger.reading import read_records


@pytest.fixture
def journal(made_run, tmp_path):
    with Journal.start(tmp_path, made_run.header()) as journal:
        yield journal


def fill(journal: Journal, made_run, tmp_path: Path, episodes: int, keep: int = 3) -> None:
    """Commit some episodes, each with a checkpoint of two files and a folder."""

    def adapters(folder: Path) -> None:
        folder.mkdir()
        save_file({"w": np.arange(6.0).reshape(2, 3)}, folder / "solver.safetensors")

    for episode in range(episodes):
        position = journal.commit(made_run.record(episode))
        save_checkpoint(
            tmp_path,
            episode=episode,
            files={"state.json": b"%d" % episode, "adapters": adapters},
            ledger=position,
            keep=keep,
        )


def test_the_newest_checkpoint_is_found_with_all_it_holds(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 5)
    found = latest_good(tmp_path)
    assert (found.episode, found.ledger, found.warnings) == (4, journal.position, ())
    assert (found.path / "state.json").read_bytes() == b"4"
    assert load_file(found.path / "adapters" / "solver.safetensors")["w"].shape == (2, 3)


def test_only_the_newest_are_kept(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 5, keep=2)
    assert [p.name for p in checkpoints_in(tmp_path)] == ["episode-00004", "episode-00005"]
    assert names(tmp_path) == ["episode-00004", "episode-00005"]


def test_the_state_before_the_first_episode_can_be_kept(journal, tmp_path):
    save_checkpoint(tmp_path, episode=-1, files={"a": b"x"}, ledger=journal.position)
    assert latest_good(tmp_path).episode == -1


def names(run_dir: Path) -> list[str]:
    return sorted(path.name for path in (run_dir / FOLDER).iterdir())


def damage_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda c: damage_byte(c / "adapters" / "solver.safetensors"), "safetensors is damaged"),
        (lambda c: (c / "state.json").write_bytes(b""), "state.json is damaged"),
        (lambda c: (c / "state.json").unlink(), "state.json is missing"),
        (lambda c: (c / "stray").write_bytes(b"x"), "stray does not belong"),
        (lambda c: (c / MANIFEST).unlink(), "manifest.json is missing"),
        (lambda c: (c / MANIFEST).write_bytes(b"{"), "manifest.json is damaged"),
        (lambda c: (c / MANIFEST).write_bytes(b"{}"), "missing schema"),
        (lambda c: (c / MANIFEST).write_bytes(b"\xff\xfe"), "manifest.json is damaged"),
    ],
)  # fmt: skip
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(
    journal, made_run, tmp_path, damage, said
):
    fill(journal, made_run, tmp_path, 3)
    damage(tmp_path / FOLDER / "episode-00003")
    found = latest_good(tmp_path)
    assert found.episode == 1
    assert len(found.warnings) == 1
    assert "episode-00003" in found.warnings[0]
    assert said in found.warnings[0]


def test_a_checkpoint_whose_ledger_changed_is_not_used(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 3)
    path = tmp_path / LEDGER
    path.write_bytes(path.read_bytes()[:-5])
    found = latest_good(tmp_path)
    assert found.episode == 1
    assert "the ledger is not the one" in found.warnings[0]


def test_where_all_are_damaged_each_is_named(journal, made_run, tmp_path):
    with pytest.raises(CheckpointError, match="none was ever committed"):
        latest_good(tmp_path)
    fill(journal, made_run, tmp_path, 2)
    for path in checkpoints_in(tmp_path):
        (path / "state.json").unlink()
    with pytest.raises(CheckpointError, match=r"episode-00002.*episode-00001"):
        latest_good(tmp_path)


def test_an_episode_run_again_replaces_its_damaged_checkpoint(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 3)
    (tmp_path / FOLDER / "episode-00003" / "state.json").unlink()
    save_checkpoint(tmp_path, episode=2, files={"a": b"new"}, ledger=journal.position)
    assert (latest_good(tmp_path).path / "a").read_bytes() == b"new"
    assert not [name for name in names(tmp_path) if name.startswith(".")]


def test_leftovers_of_a_killed_write_are_never_read_and_are_cleared(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 2)
    leftover = tmp_path / FOLDER / ".tmp-episode-00003"
    leftover.mkdir()
    (leftover / "state.json").write_bytes(b"half")
    assert latest_good(tmp_path).episode == 1
    save_checkpoint(tmp_path, episode=2, files={"a": b"x"}, ledger=journal.position)
    assert not leftover.exists()


def no_room(path: Path) -> None:
    path.write_bytes(b"half of it")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def no_room_in_rust(path: Path) -> None:
    raise SafetensorError("I/O error: No space left on device (os error 28)")


@pytest.mark.parametrize("writer", [no_room, no_room_in_rust])
def test_a_full_disk_leaves_the_last_checkpoint_and_says_how_to_go_on(
    journal, made_run, tmp_path, writer
):
    fill(journal, made_run, tmp_path, 2)
    before = sorted(p for p in tmp_path.rglob("*"))
    with pytest.raises(RunStopped, match=r"no room left on the disk.*resume="):
        save_checkpoint(tmp_path, episode=2, files={"w": writer}, ledger=journal.position)
    assert sorted(p for p in tmp_path.rglob("*")) == before
    assert latest_good(tmp_path).episode == 1


def test_another_failure_of_a_writer_is_not_taken_for_a_full_disk(journal, tmp_path):
    def broken(path: Path) -> None:
        raise PermissionError(errno.EACCES, "no")

    with pytest.raises(PermissionError):
        save_checkpoint(tmp_path, episode=0, files={"w": broken}, ledger=journal.position)
    assert names(tmp_path) == []


def test_a_ledger_on_a_full_disk_is_put_back_to_its_last_commit(
    journal, made_run, tmp_path, monkeypatch
):
    journal.commit(made_run.record(0))
    before = (tmp_path / LEDGER).read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(files_module.os, "fsync", full)
        with pytest.raises(RunStopped, match="the ledger of episode 1"):
            journal.commit(made_run.record(1))
    assert (tmp_path / LEDGER).read_bytes() == before
    journal.commit(made_run.record(1))
    assert len(read_records(tmp_path)) == 2


@pytest.mark.parametrize("name", ["../x", "a/b", MANIFEST, "", ".."])
def test_a_name_that_leaves_the_checkpoint_is_refused(journal, tmp_path, name):
    with pytest.raises(ValueError, match="cannot name a file"):
        save_checkpoint(tmp_path, episode=0, files={name: b""}, ledger=journal.position)
    with pytest.raises(ValueError, match="keep must be at least 1"):
        save_checkpoint(tmp_path, episode=0, files={}, ledger=journal.position, keep=0)


def test_everything_a_manifest_promises_is_hashed(journal, made_run, tmp_path):
    fill(journal, made_run, tmp_path, 1)
    manifest = verify(checkpoints_in(tmp_path)[0])
    assert set(manifest.files) == {"state.json", "adapters/solver.safetensors"}


def test_a_lock_is_exclusive_and_ends_with_its_block(tmp_path):
    refused = pytest.raises(RunDirError, match=f"in use by process {os.getpid()}")
    with RunLock(tmp_path), refused, RunLock(tmp_path):
        pass
    with RunLock(tmp_path):
        pass
    with pytest.raises(RunDirError, match="not a folder"), RunLock(tmp_path / "nowhere"):
        pass


def test_what_is_safe_is_said_in_one_line(tmp_path):
    with (
        pytest.raises(RunStopped) as error,
        stopping_when_full(tmp_path, "something"),
    ):
        raise OSError(errno.EDQUOT, "quota")
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 3
