"""`python -m argus_rl.report RUN_DIR`: a run as one page that opens offline, or fed to wandb again.

Everything on the page comes from the run's folder: the ledger, the evaluations before and after,
and the audit of labels. Exit code 0, or 2 with one line that says what is wrong.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from argus_rl.config.run import TrackingMode, TrackingSettings
from argus_rl.core.errors import ArgusError
from argus_rl.evaluation.files import EVALUATION_AFTER, EVALUATION_BEFORE, read_result
from argus_rl.evaluation.summary import result_to_json
from argus_rl.experiment.page import PAGE, held_out, write_page, write_picture
from argus_rl.ledger.reading import RunLedger, read_run
from argus_rl.ledger.records import summarise_run
from argus_rl.tracking.metrics import evaluation_figures
from argus_rl.tracking.sink import feed
from argus_rl.tracking.wandb_sink import WandbSink

MODES = {"wandb": TrackingMode.online, "wandb-offline": TrackingMode.offline}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m argus_rl.report",
        description="Make one self-contained HTML page of a run, or feed its ledger to wandb.",
    )
    made.add_argument("run_dir", type=Path, metavar="RUN_DIR", help="folder of the run")
    made.add_argument(
        "--out", type=Path, metavar="FILE", help=f"where the page goes (RUN_DIR/{PAGE})"
    )
    made.add_argument(
        "--png", type=Path, metavar="FILE", help="also write the picture of the two gauges"
    )
    made.add_argument("--to", choices=MODES, help="feed the ledger to wandb instead")
    made.add_argument("--project", default="argus_rl", help="wandb project (%(default)s)")
    return made


def send_to_wandb(run_dir: Path, run: RunLedger, settings: TrackingSettings) -> None:
    """Feed a ledger and its evaluations to a new wandb run."""
    places = {-1: EVALUATION_BEFORE, len(run.records) - 1: EVALUATION_AFTER}
    figures = {
        at: evaluation_figures(result_to_json(read_result(run_dir / name)))
        for at, name in places.items()
        if (run_dir / name).is_file()
    }
    result = held_out(run_dir)
    summary = summarise_run(run.header, run.records, verdict=result.sentence if result else "")
    feed(WandbSink(settings, run_dir, again=True), run, summary, figures)


def run_report(options: argparse.Namespace, command: str) -> str:
    """Do what the command line asks; returns the line to print."""
    run_dir: Path = options.run_dir
    if options.to:
        mode = MODES[options.to]
        run = read_run(run_dir)
        send_to_wandb(run_dir, run, TrackingSettings(mode=mode, project=options.project))
        return f"fed {len(run.records)} episodes to wandb ({mode.value})"
    path = write_page(run_dir, command, options.out)
    if not options.png:
        return f"wrote {path}"
    write_picture(run_dir, options.png)
    return f"wrote {path} and {options.png}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(words)
    try:
        done = run_report(options, " ".join(["python -m argus_rl.report", *words]))
    except ArgusError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    sys.stdout.write(done + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
