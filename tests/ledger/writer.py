"""A small run for crash tests: `python writer.py RUN_DIR EPISODES`. It resumes what it finds.

Its "weights" are a chain of digests, so that any lost, repeated or mixed episode shows at the end.
"""

import hashlib
import importlib.util
import sys
from functools import partial
from pathlib import Path

from argus_rl.ledger.checkpoints import checkpoints_in, latest_good, save_checkpoint
from argus_rl.ledger.files import RunLock
from argus_rl.ledger.journal import Journal

spec = importlib.util.spec_from_file_location("made_run", Path(__file__).with_name("made_run.py"))
assert spec is not None
assert spec.loader is not None
made_run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made_run)


def step(state: bytes, episode: int) -> bytes:
    """The state after an episode."""
    return hashlib.sha256(state + str(episode).encode()).digest() * 64


def say(word: str) -> None:
    """Tell the test how far it is."""
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


def main(run_dir: Path, episodes: int) -> None:
    """Run, or go on with, a run."""
    run_dir.mkdir(parents=True, exist_ok=True)
    with RunLock(run_dir):
        if checkpoints_in(run_dir):
            found = latest_good(run_dir)
            state = (found.path / "weights").read_bytes()
            first, journal = found.episode + 1, Journal.resume(run_dir, found.ledger)
        else:
            state, first, journal = b"start", 0, Journal.start(run_dir, made_run.header())
        say("ready")
        with journal:
            for episode in range(first, episodes):
                state = step(state, episode)
                record = made_run.record(episode)
                position = journal.commit(record, made_run.events(record))
                save_checkpoint(
                    run_dir,
                    episode=episode,
                    files={"weights": state, "optimizer": partial(Path.write_bytes, data=state)},
                    ledger=position,
                )
    say("done")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
