"""What pyproject declares is what the code imports, and constraints.txt pins all of it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

IMPORTED_AS = {"scikit-learn": "sklearn", "hydra-core": "hydra"}


def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[; ]", line)[0].lower() for line in requirements}


def third_party(sources: Mapping[str, str]) -> dict[str, str]:
    """Top-level third-party modules that are imported, each with one place."""
    found: dict[str, str] = {}
    for path, text in sources.items():
        for module in imported(ast.parse(text)):
            top = module.partition(".")[0]
            if top != "argus_rl" and top not in sys.stdlib_module_names:
                found[top] = path
    return found


def imported(tree: ast.Module) -> Iterator[str]:
    """Modules that a module imports, by statement or by `importlib.import_module("name")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=str(module), level=0):
                yield module
            case ast.Call(
                func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=name)]
            ):
                yield str(name)
            case _:
                pass


def test_every_import_is_declared(root: Path, sources: dict[str, str]):
    declared = project(root)
    every = names(declared["dependencies"])
    for extra in ("hub", "pandas", "vllm"):
        every |= names(declared["optional-dependencies"][extra])
    importable = {IMPORTED_AS.get(name, name) for name in every}
    undeclared = {m: path for m, path in third_party(sources).items() if m not in importable}
    assert undeclared == {}


def test_every_declared_dependency_is_used(root: Path, sources: dict[str, str]):
    declared = {IMPORTED_AS.get(n, n) for n in names(project(root)["dependencies"])}
    assert declared - set(third_party(sources)) == set()


@pytest.mark.parametrize(
    "text",
    ["import requests", "from requests.auth import x", "importlib.import_module('requests')"],
)
def test_a_planted_import_is_found(text: str):
    assert third_party({"argus_rl/x.py": text}) == {"requests": "argus_rl/x.py"}


def test_the_standard_library_and_the_package_itself_are_not_third_party():
    assert third_party({"x.py": "import os\nfrom argus_rl.core import rng\nimport json"}) == {}


def test_every_dependency_is_pinned(root: Path):
    pins = (root / "constraints.txt").read_text(encoding="utf-8").lower()
    pinned = set(re.findall(r"^([\w.-]+)==", pins, flags=re.MULTILINE))
    declared = project(root)
    wanted = names(declared["dependencies"]) | names(declared["optional-dependencies"]["dev"])
    assert {name.replace("-", "_") for name in wanted} <= {n.replace("-", "_") for n in pinned}


def test_constraints_hold_versions_and_nothing_else(root: Path):
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.]+", line)]
    assert odd == []


def test_the_makefile_installs_the_torch_that_is_pinned(root: Path):
    pins = (root / "constraints.txt").read_text(encoding="utf-8")
    version = re.search(r"^torch==(.*)$", pins, flags=re.MULTILINE)
    assert version is not None
    assert f"TORCH_VERSION := {version.group(1)}\n" in (root / "Makefile").read_text(
        encoding="utf-8"
    )
