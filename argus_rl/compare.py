"""Compare finished runs over seeds and presets: `python -m argus_rl.compare RUN_DIR...`.

A front door: it reads run folders, asks `argus_rl.evaluation.comparison` for the statistics and
prints them. Nothing here loads a model.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from argus_rl.core.errors import ArgusError, RunDirError
from argus_rl.core.rng import Stream
from argus_rl.evaluation.comparison import Comparison, compare_runs, comparison_to_json
from argus_rl.evaluation.files import run_folders, write_object
from argus_rl.evaluation.plot import PLOT_KINDS, save_plot
from argus_rl.evaluation.runs import Run, missing_part, read_run
from argus_rl.evaluation.tables import accuracy_table, condition_sentence, figures_table

_HELP = """
Compare finished runs: did one preset gain more than another, over several seeds?

Each run folder holds its evaluation before and after training on the same held-out
items. For every condition (a preset, and the settings in which its runs differ) the
interquartile mean over seeds is shown with a 95 % interval from a stratified bootstrap;
the change is compared with the reference, paired over the seeds that both have.
Three seeds are the least for any claim, five to ten for a headline.
"""

_EXAMPLES = """
examples:
  python -m argus_rl.train -m +preset=argus_full,baseline seed=0,1,2,3,4    make ten runs
  python -m argus_rl.compare runs/                                          compare all of them
  python -m argus_rl.compare runs/a runs/b --reference argus_full           choose the reference
  python -m argus_rl.compare runs/ --plot compare.png --json compare.json   keep the result

exit codes: 0 compared; 2 a folder or file cannot be used (one line on standard error says why)
"""


def _plot_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in PLOT_KINDS:
        raise argparse.ArgumentTypeError(f"{text}: a plot ends in {', '.join(PLOT_KINDS)}")
    return path


def build_parser() -> argparse.ArgumentParser:
    """The command line, with a help text that teaches."""
    parser = argparse.ArgumentParser(
        prog="python -m argus_rl.compare",
        description=_HELP,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="RUN_DIR", help="a run folder, or a folder of runs"
    )
    parser.add_argument(
        "--reference",
        metavar="PRESET",
        help="condition that the others are compared with (default: baseline, else the first)",
    )
    parser.add_argument(
        "--plot", type=_plot_path, metavar="FILE", help="write a picture (png, svg or pdf)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure as JSON")
    return parser


def read_runs(paths: Sequence[Path], warnings: Console) -> list[Run]:
    """All finished runs in the folders, each once; unfinished ones are named and skipped.

    Raises:
        RunDirError: a path holds no run, or no run is finished.
        DataError: a file of a finished run is damaged.
    """
    folders = dict.fromkeys(folder.resolve() for path in paths for folder in run_folders(path))
    runs: list[Run] = []
    for folder in folders:
        lacking = missing_part(folder)
        if lacking is None:
            runs.append(read_run(folder))
        else:
            warnings.print(f"skipped {folder}: {lacking}", markup=False, soft_wrap=True)
    if not runs:
        raise RunDirError("there is no finished run to compare")
    return runs


def show(comparison: Comparison, console: Console) -> None:
    """Print tables, notes and a sentence per condition."""
    console.print(accuracy_table(comparison))
    figures = figures_table(comparison)
    if figures is not None:
        console.print(figures)
    sentences = (condition_sentence(each, comparison.reference) for each in comparison.conditions)
    for line in [*comparison.notes, *(text for text in sentences if text is not None)]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = build_parser().parse_args(arguments)
    warnings = Console(stderr=True)
    console = Console() if sys.stdout.isatty() else Console(width=140)
    try:
        runs = read_runs(options.folders, warnings)
        comparison = compare_runs(runs, Stream(("compare",)).generator(), options.reference)
        if options.json is not None:
            write_object(options.json, comparison_to_json(comparison))
        if options.plot is not None:
            save_plot(comparison, options.plot)
    except ArgusError as error:
        warnings.print(f"argus_rl.compare: {error}", markup=False, highlight=False, soft_wrap=True)
        return error.exit_code
    except OSError as error:
        warnings.print(
            f"argus_rl.compare: {error.filename} cannot be written: {error.strerror}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
        return 2
    show(comparison, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
