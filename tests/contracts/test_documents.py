"""The documents say what the code says: pages are in step, and every command shown works."""

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from argus_rl.config.help import CONFIGS, groups
from argus_rl.config.run import RunSettings
from argus_rl.config.schema import describe, run

COMMAND = re.compile(r"python -m (argus_rl(?:\.\w+)+)((?: [^\s`|<>#;&)]+)*)")
PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*(\.\.\.)?|\.\.\.|\$\(.*\)|\[.*|[^\[]*\]")


def script(root: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, root / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["flags", "wiring"])
def test_a_generated_page_is_what_the_code_says(root: Path, name: str):
    page = (root / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert page == script(root, f"{name}_page").page(), f"run scripts/{name}_page.py"


def test_a_page_that_was_edited_by_hand_is_found(root: Path):
    page = (root / "docs" / "flags.md").read_text(encoding="utf-8")
    assert page.replace("0.05", "0.06") != script(root, "flags_page").page()


# --- commands -------------------------------------------------------------------------------------


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Module and words of every command in a text; a line that ends in a backslash goes on."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    return [(module, words.split()) for module, words in COMMAND.findall(joined)]


def documents(root: Path) -> Iterator[tuple[str, str]]:
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    for page in [*pages, *sorted(CONFIGS.rglob("*.yaml")), root / "argus_rl/config/help.py"]:
        if page.is_file():
            yield page.name, page.read_text(encoding="utf-8")


def filled(words: list[str], folder: Path) -> list[str]:
    """The words with a real folder where a document writes RUN_DIR, DIR or a made-up path."""
    made: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if PLACEHOLDER.fullmatch(word) or (
            PLACEHOLDER.fullmatch(value) and key.lstrip("+").isupper()
        ):
            continue
        is_folder = key in ("resume", "run_dir", "data.path", "model.path")
        made.append(f"{key}={folder}" if equals and is_folder else word.strip("'\""))
    return made


def complaint(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the front door says of a command, without carrying it out; empty where it is fine."""

    def main(_: RunSettings) -> int:
        return 0

    def saved(_: str) -> dict[str, Any]:
        return describe(RunSettings(preset="argus_full"))

    run(main, saved, filled(words, folder))
    return "".join(
        line for line in capsys.readouterr().err.splitlines() if line.startswith("error")
    )


def test_every_training_command_that_is_shown_composes(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    seen = 0
    for name, text in documents(root):
        for module, words in commands(text):
            if module == "argus_rl.train":
                seen += 1
                assert complaint(words, tmp_path, capsys) == "", f"{name}: {' '.join(words)}"
    assert seen >= 8


def test_every_module_that_a_command_runs_exists(root: Path):
    shown = {(module, name) for name, text in documents(root) for module, _ in commands(text)}
    assert shown
    assert [pair for pair in shown if importlib.util.find_spec(pair[0]) is None] == []


def test_commands_are_found_in_blocks_in_sentences_and_over_two_lines():
    text = (
        "Run `python -m argus_rl.train +preset=smoke`.\n```\n"
        "python -m argus_rl.train +preset=argus_full \\\n    seed=3   # an ablation\n```\n"
    )
    assert commands(text) == [
        ("argus_rl.train", ["+preset=smoke"]),
        ("argus_rl.train", ["+preset=argus_full", "seed=3"]),
    ]


@pytest.mark.parametrize(
    "command",
    [
        "python -m argus_rl.train +preset=argus_ful",
        "python -m argus_rl.train control.spis=false",
        "python -m argus_rl.train -m seed=0,x",
        "python -m argus_rl.train resume=RUN_DIR seed=3",
    ],
)
def test_a_planted_stale_command_is_found(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    ((_, words),) = commands(command)
    assert complaint(words, tmp_path, capsys) != ""


@pytest.mark.parametrize("preset", groups()["preset"])
def test_a_preset_says_the_command_that_runs_it(preset: str):
    lines = (CONFIGS / "preset" / f"{preset}.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# @package _global_"
    assert lines[1] == f"# python -m argus_rl.train +preset={preset}"


def test_every_make_target_that_is_shown_exists(root: Path):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    shown = {
        (name, target)
        for name, text in documents(root)
        for target in re.findall(r"(?:^|`)make ([a-z]+)", text, flags=re.MULTILINE)
    }
    assert [pair for pair in shown if pair[1] not in targets] == []


def test_make_help_lists_every_target(root: Path):
    done = subprocess.run(["make", "help"], cwd=root, check=True, capture_output=True, text=True)
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE):
        assert f"make {target} " in done.stdout
