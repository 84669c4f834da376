"""Who may know whom: the contracts of pyproject.toml hold, and each is broken by an offender."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OFFENDERS = {
    "layers": ("argus_rl/data/upward.py", "from argus_rl.loops import state\n"),
    "core-is-light": ("argus_rl/core/heavy.py", "import sklearn\n"),
    "deciders-are-pure": ("argus_rl/deciders/chancy.py", "import random\n"),
    "light-rooms": ("argus_rl/sensors/weighty.py", "import torch\n"),
    "answers-stay-sealed": (
        "argus_rl/loops/peeking.py",
        "from argus_rl.data import answer_key\n",
    ),
    "one-door-to-wandb": ("argus_rl/ledger/chatty.py", "import wandb\n"),
    "one-door-to-hydra": ("argus_rl/config/clever.py", "from omegaconf import OmegaConf\n"),
}
SIDEWAYS = ("argus_rl/sensors/sideways.py", "from argus_rl.deciders import ercv\n")
INDIRECT = {
    "argus_rl/deciders/innocent.py": "from argus_rl.core import clocked\n",
    "argus_rl/core/clocked.py": "import time\n",
}
HOMELESS = ("argus_rl/helpers/__init__.py", '"""A room without a floor."""\n')


def lint(folder: Path) -> str:
    """What import-linter says of the package in `folder`, with the contracts of its pyproject."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as f; f()"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(
        [*command, "--no-cache"],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def broken(report: str) -> set[str]:
    return {
        line.rpartition(" BROKEN")[0].strip() for line in report.splitlines() if "BROKEN" in line
    }


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's modules and of its contracts, to plant in."""
    folder = tmp_path_factory.mktemp("copy")
    keep = shutil.ignore_patterns("__pycache__", "*.safetensors", "*.json")
    shutil.copytree(root / "argus_rl", folder / "argus_rl", ignore=keep)
    shutil.copy(root / "pyproject.toml", folder)
    return folder


def plant(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def unplant(folder: Path, files: dict[str, str]) -> None:
    for name in files:
        (folder / name).unlink()
        if name.endswith("__init__.py"):
            (folder / name).parent.rmdir()


def contract_names(root: Path) -> dict[str, str]:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return dict(re.findall(r'^id = "(.*)"\nname = "(.*)"$', text, flags=re.MULTILINE))


def test_every_contract_holds(copy: Path):
    report = lint(copy)
    assert broken(report) == set(), report
    assert "0 broken" in report


def test_every_contract_has_an_offender(root: Path):
    assert set(contract_names(root)) == set(OFFENDERS)


def test_each_contract_is_broken_by_its_offender(copy: Path, root: Path):
    files = dict(OFFENDERS.values())
    plant(copy, files)
    report = lint(copy)
    unplant(copy, files)
    assert broken(report) == set(contract_names(root).values()), report
    for name in files:
        assert name.removesuffix(".py").replace("/", ".") in report


def test_rooms_on_one_floor_do_not_know_each_other(copy: Path, root: Path):
    files = dict([SIDEWAYS])
    plant(copy, files)
    report = lint(copy)
    unplant(copy, files)
    assert broken(report) == {contract_names(root)["layers"]}, report
    assert "argus_rl.sensors.sideways -> argus_rl.deciders.ercv" in report


def test_a_decider_that_is_impure_through_another_module_is_found(copy: Path, root: Path):
    plant(copy, INDIRECT)
    report = lint(copy)
    unplant(copy, INDIRECT)
    assert broken(report) == {contract_names(root)["deciders-are-pure"]}, report


def test_a_room_without_a_floor_is_found(copy: Path, root: Path):
    files = dict([HOMELESS])
    plant(copy, files)
    report = lint(copy)
    unplant(copy, files)
    assert broken(report) == {contract_names(root)["layers"]}, report
