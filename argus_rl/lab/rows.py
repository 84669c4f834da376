"""One row an episode, in JSON Lines beside the ledger: what the lab writes and no part reads."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from argus_rl.ledger.files import write_whole


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, oldest first; none where there is no file.

    A line that is no row (half written by another hand, say) is left out: no part of a run rests
    on these files, so none may stop for them.
    """
    if not path.is_file():
        return []
    found = (_row(line) for line in path.read_text(encoding="utf-8", errors="replace").split("\n"))
    return [row for row in found if row is not None]


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("episode"), int) else None


def put_row(path: Path, row: Mapping[str, Any]) -> None:
    """Write the row of `row["episode"]` in place of what uncommitted tries at it had written."""
    kept = [old for old in read_rows(path) if old["episode"] < row["episode"]]
    write_whole(path, "".join(f"{json.dumps(line)}\n" for line in [*kept, row]).encode())
