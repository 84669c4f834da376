"""How true are the labels? The plainest sign of self-deception, and nothing that a run can read.

The audit computes the true answer of each problem text that it can execute (texts of the built-in
world, also those that the model wrote) and compares it with the label that consensus gave. It is
handed to the recorder as a listener; the loops never see it, and no part reads `audit.jsonl`.
"""

from collections.abc import Sequence
from pathlib import Path

from argus_rl.data.executable import executable_answer
from argus_rl.data.problem import Pair
from argus_rl.lab.rows import put_row, read_rows
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
    """Write the audit of one episode's lesson."""
    levels = sorted({pair.problem.steps for pair in pairs})
    by_level = {
        str(level): audit_labels([p for p in pairs if p.problem.steps == level]) for level in levels
    }
    put_row(run_dir / AUDIT, {"episode": episode, **audit_labels(pairs), "levels": by_level})


def label_accuracy(run_dir: Path) -> float:
    """Share of audited labels of a whole run that are true; NaN where none was audited."""
    rows = read_rows(run_dir / AUDIT)
    n = sum(int(row["n"]) for row in rows)
    return sum(int(row["right"]) for row in rows) / n if n else float("nan")
