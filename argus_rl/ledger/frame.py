"""The ledger as a table: `read_ledger(run_dir)` and pandas does the rest.

Nested values become dotted columns (`epiplexity.gain`, `verdict.ruling`), lists stay lists. This is
the only module of the ledger that needs pandas, and no part of a run imports it.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any, cast

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  pandas ships none

from argus_rl.ledger.events import EventKind
from argus_rl.ledger.journal import EPISODE, TIMINGS
from argus_rl.ledger.reading import read_run


def read_ledger(run_dir: str | Path, kind: str = EPISODE) -> pd.DataFrame:
    """Return one row an episode or, with the name of an `EventKind`, one an event of that kind.

    The run's header is under `attrs["header"]`, and a sentence for each damaged line that was left
    out under `attrs["warnings"]`.

    Raises:
        RunDirError: no ledger there, or an empty one.
        ValueError: no such kind.
    """
    run = read_run(Path(run_dir))
    values = (
        run.records
        if kind == EPISODE
        else tuple(event for event in run.events if event.kind is EventKind(kind))
    )
    frame = pd.DataFrame([flatten(dataclasses.asdict(value)) for value in values])
    frame.attrs["header"] = dataclasses.asdict(run.header)
    frame.attrs["warnings"] = list(run.warnings)
    return frame


def read_timings(run_dir: str | Path) -> pd.DataFrame:
    """Return the seconds of each phase, one row an episode that was run; empty where none are."""
    path = Path(run_dir) / TIMINGS
    if not path.is_file():
        return pd.DataFrame()
    rows = path.read_text(encoding="utf-8").split("\n")[:-1]
    return pd.DataFrame([json.loads(row) for row in rows])


def flatten(data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested objects as one object with dotted names."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flat |= flatten(cast("dict[str, Any]", value), f"{name}.")
        else:
            flat[name] = value
    return flat
