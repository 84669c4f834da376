"""The help text of the training command: what it does, what to type, and where to read on.

It is made from the files of `configs/`, whose first comments are its one-line descriptions, so a
preset or an option that exists is listed and one that does not is not. Nothing heavy is imported.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_INSTALLED = Path(__file__).parents[1] / "configs"
_CHECKOUT = Path(__file__).parents[2] / "configs"

CONFIGS = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
"""Folder of the configuration files: inside the package when installed, beside it in a checkout."""

_HEAD = """\
Train a language model by self-play, and refuse every update on which two gauges disagree.

In each episode the model proposes word problems, solves each several times, learns from what its
chains agree on, and is measured before and after. Everything is written to a ledger in RUN_DIR.

usage: python -m argus_rl.train [+preset=NAME] [GROUP=OPTION ...] [KEY=VALUE ...]

"""

_EXAMPLES = """
examples
  python -m argus_rl.train +preset=argus_full                 everything, on a CPU, in minutes
  python -m argus_rl.train +preset=smoke                      does it work here? under 30 seconds
  python -m argus_rl.train +preset=argus_full control.proposer_validator=false seed=3
                                                              one part taken away: an ablation
  python -m argus_rl.train -m +preset=argus_full,baseline seed=0,1,2
                                                              a sweep: six runs, one by one
  python -m argus_rl.train +preset=argus_full model=hf model.path=DIR data=gsm8k data.path=DIR
                                                              a model and problems of your own
  python -m argus_rl.train resume=RUN_DIR                     go on where a run stopped

options
  --cfg job     print the whole configuration that a command composes, and stop
  -m            make one run of each combination of the values given (a,b,c or range(a,b))
  --help        this page

Every key with its meaning, unit, range and default: docs/flags.md
A mistake in the command is named by its key, all of them at once; the exit code is then 2.
"""


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """Return the options of each group of `configs/`, by name."""
    folders = sorted(path for path in CONFIGS.iterdir() if path.is_dir())
    return {
        folder.name: tuple(sorted(path.stem for path in folder.glob("*.yaml")))
        for folder in folders
    }


def summary(group: str, option: str) -> str:
    """Return the first sentence of the comment on top of an option's file, without its command."""
    text = (CONFIGS / group / f"{option}.yaml").read_text(encoding="utf-8")
    lines = (line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#"))
    told = " ".join(line for line in lines if not line.startswith(("@package", "python -m")))
    return re.split(r"[.;] |\.?$", told, maxsplit=1)[0]


def text() -> str:
    """Return the help page."""
    return _HEAD + _presets() + _groups() + _EXAMPLES


def _presets() -> str:
    lines = [f"  +preset={name:<12} {summary('preset', name)}" for name in groups()["preset"]]
    return "presets\n" + "\n".join(lines) + "\n\n"


def _groups() -> str:
    lines: list[str] = []
    for group, options in groups().items():
        if group != "preset":
            lines += [f"  {group + '=' + name:<23} {summary(group, name)}" for name in options]
    return "groups and their options\n" + "\n".join(lines) + "\n"
