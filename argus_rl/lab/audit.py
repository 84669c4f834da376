"""How true are the labels? The plainest sign of self-deception, and nothing that a run can read.

The audit computes the true answer of each problem text that it can execute (texts of the built-in
world, also those that the model wrote) and compares it with the label that consensus gave. It is
handed to the recorder as a listener; the loops never see it, and no part reads `audit.jsonl`.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from argus_rl.data.executable import executable_answer
from argus_rl.data.problem import Pair
from argus_rl.tracking.views import AUDIT


def audit_labels(pairs: Sequence[Pair]) -> dict[str, int]:
    """Count labels: `n` with executable truth, `right` among them, and `unreadable` texts."""
    truths = [executable_answer(pair.problem.text) for pair in pairs]
    right = sum(
        truth is not None and str(truth) == pair.label
        for pair, truth in zip(pairs, truths, strict=True)
    )
    known = sum(truth is not None for truth in truths)
    return {"n": known, "right": right, "unreadable": len(pairs) - known}


def audit_episode(run_dir: Path, episode: int, pairs: Sequence[Pair]) -> None:
    """Append the audit of one episode's lesson, in place of what an uncommitted try had written."""
    path = run_dir / AUDIT
    kept = [row for row in _rows(path) if int(row["episode"]) < episode]
    levels = sorted({pair.problem.steps for pair in pairs})
    by_level = {
        str(level): audit_labels([p for p in pairs if p.problem.steps == level]) for level in levels
    }
    row = {"episode": episode, **audit_labels(pairs), "levels": by_level}
    text = "".join(f"{json.dumps(line)}\n" for line in [*kept, row])
    aside = path.with_name(f"{AUDIT}.partial")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def label_accuracy(run_dir: Path) -> float:
    """Share of audited labels of a whole run that are true; NaN where none was audited."""
    rows = _rows(run_dir / AUDIT)
    n = sum(int(row["n"]) for row in rows)
    return sum(int(row["right"]) for row in rows) / n if n else float("nan")


def _rows(path: Path) -> list[dict[str, int]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
