"""The tree that the contracts hold for, and a way to plant an offender beside it."""

import importlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def sources() -> dict[str, str]:
    """Every module of the package by its path from the repository's root."""
    paths = sorted((ROOT / "argus_rl").rglob("*.py"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="session")
def tracked() -> tuple[Path, ...]:
    """Files that git tracks, or would."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return tuple(
            path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in str(path)
        )
    command = [git, "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return tuple(path for line in listed.splitlines() if (path := ROOT / line).is_file())


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """Write a package of given modules, import it, and forget it afterwards."""
    made: list[str] = []
    monkeypatch.syspath_prepend(str(tmp_path))

    def plant(package: str, **modules: str) -> ModuleType:
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text("", encoding="utf-8")
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
        made.append(package)
        importlib.invalidate_caches()
        return importlib.import_module(package)

    yield plant
    for name in [name for name in sys.modules if name.partition(".")[0] in made]:
        del sys.modules[name]
