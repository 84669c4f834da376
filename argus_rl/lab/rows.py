"""One row an episode, in JSON Lines beside the ledger: what the lab writes and no part reads."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from argus_rl.ledger.files import write_whole


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file, oldest first; none where there is no file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def put_row(path: Path, row: Mapping[str, Any]) -> None:
    """Write the row of `row["episode"]` in place of what uncommitted tries at it had written."""
    kept = [old for old in read_rows(path) if old["episode"] < row["episode"]]
    write_whole(path, "".join(f"{json.dumps(line)}\n" for line in [*kept, row]).encode())
