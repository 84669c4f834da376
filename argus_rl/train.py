"""`python -m argus_rl.train +preset=argus_full`: one self-play run that can refuse its own updates.

Everything heavy is loaded after the command line has been understood, so `--help` and mistakes in a
command answer at once.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from argus_rl.config.run import RunSettings
from argus_rl.config.schema import describe, run, words_of
from argus_rl.experiment.folder import saved_settings


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (that of the process where None); return the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    return run(train, saved_settings, words)


def train(settings: RunSettings) -> int:
    """Do one run and return its exit code. Raises `ArgusError` with one line for the user."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # spinning threads starve a busy machine
    attached = import_module("argus_rl.lab.attached")
    experiment = import_module("argus_rl.experiment.run")
    experiment.run_experiment(
        settings, describe(settings), words_of(settings), attached.attachments(settings)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
