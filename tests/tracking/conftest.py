import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

MADE_RUN = Path(__file__).parents[1] / "ledger" / "made_run.py"


@pytest.fixture(scope="session")
def made_run() -> ModuleType:
    """The module that makes a run which looks like a real one."""
    spec = importlib.util.spec_from_file_location("made_run", MADE_RUN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def records(made_run):
    """The episodes of the made run."""
    return [made_run.record(e) for e in range(12)]
