import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

MADE = Path(__file__).parent / "made.py"


@pytest.fixture(scope="session")
def made() -> ModuleType:
    """Makers of readings with plausible defaults."""
    spec = importlib.util.spec_from_file_location("made_readings", MADE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
