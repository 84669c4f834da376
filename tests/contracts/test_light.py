"""Looking at the package costs nothing: no weights, no torch, help in a blink."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("torch", "transformers", "peft", "sklearn", "matplotlib", "pandas", "wandb")
HELP_SECONDS = 2.0

REPORT = "import json, sys; print(json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
HELP = f"""
import contextlib, io, runpy, sys
sys.argv = ["argus_rl.train", "--help"]
with contextlib.redirect_stdout(io.StringIO()) as page, contextlib.suppress(SystemExit):
    runpy.run_module("argus_rl.train", run_name="__main__", alter_sys=True)
assert "+preset=argus_full" in page.getvalue()
{REPORT}
"""


def loaded(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after running `code`."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy():
    assert loaded(f"import argus_rl\n{REPORT}") & {*HEAVY, "numpy", "hydra"} == set()


def test_the_rooms_of_the_control_system_load_no_torch():
    rooms = "sensors.spsi deciders.ercv actuators.rollback config.schema text.answers data.memory"
    code = "\n".join(f"import argus_rl.{room}" for room in rooms.split())
    assert loaded(f"{code}\n{REPORT}") & {"torch", "transformers", "peft"} == set()


def test_the_help_page_loads_nothing_heavy():
    assert loaded(HELP) & set(HEAVY) == set()


def test_the_help_page_answers_within_two_seconds_of_work():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "argus_rl.train", "--help"]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < HELP_SECONDS


@pytest.mark.parametrize("module", ["matplotlib", "torch"])
def test_a_planted_heavy_import_is_seen(module: str, tmp_path: Path):
    assert module in loaded(f"import {module}\n{REPORT}")
