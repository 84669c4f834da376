"""The page of a run: gathered from its folder, written as one self-contained HTML file."""

import dataclasses
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from argus_rl.core.errors import RunDirError
from argus_rl.core.rng import Stream
from argus_rl.evaluation.files import EVALUATION_AFTER, EVALUATION_BEFORE, read_result
from argus_rl.evaluation.summary import estimate_to_json, summaries
from argus_rl.evaluation.verdict import compare_results, verdict_to_json
from argus_rl.ledger.reading import read_run
from argus_rl.tracking.page import page
from argus_rl.tracking.plot_style import write_png
from argus_rl.tracking.plots import gauges
from argus_rl.tracking.views import Accuracy, Rate, RunView, accuracy_of, read_audit

PAGE = "report.html"


def held_out(run_dir: Path) -> Accuracy | None:
    """The held-out comparison of a run; None where it was not evaluated both before and after."""
    before, after = run_dir / EVALUATION_BEFORE, run_dir / EVALUATION_AFTER
    if not (before.is_file() and after.is_file()):
        return None
    verdict = compare_results(
        read_result(before), read_result(after), Stream(("verdict",)).generator()
    )
    return accuracy_of(verdict_to_json(verdict))


def started_at(run_dir: Path) -> Rate | None:
    """Held-out accuracy before the run; None where it was not evaluated then."""
    before = run_dir / EVALUATION_BEFORE
    if not before.is_file():
        return None
    return Rate.of(estimate_to_json(summaries(read_result(before))[0].mean))


def write_page(run_dir: Path, command: str, out: Path | None = None) -> Path:
    """Write the page of a run and return where it lies.

    Args:
        run_dir: folder of the run.
        command: what to type to make this page again; it is shown on it.
        out: where the page goes; `report.html` in the run's folder where None.

    Raises:
        ArgusError: the folder is no run, its ledger is empty, or the page cannot be written.
    """
    run = read_run(run_dir)
    audit, skipped = read_audit(run_dir)
    run = dataclasses.replace(run, warnings=(*run.warnings, *skipped))
    for warning in run.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    path = out or run_dir / PAGE
    view = RunView(
        run=run,
        accuracy=held_out(run_dir),
        start=started_at(run_dir),
        audit=audit,
        command=command,
    )
    with _writing(path):
        path.write_text(page(view), encoding="utf-8")
    return path


def write_picture(run_dir: Path, png: Path) -> None:
    """Write the picture of the two gauges.

    Raises:
        RunDirError: the run has no episode yet, or the file cannot be written.
    """
    records = read_run(run_dir).records
    if not records:
        raise RunDirError(f"{run_dir} has no episode yet, so there is no picture of its gauges")
    with _writing(png):
        write_png(gauges(records), png)


@contextmanager
def _writing(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise RunDirError(f"{path} cannot be written: {error.strerror}") from None
