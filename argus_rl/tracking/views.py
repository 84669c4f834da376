"""What the page shows besides the ledger: held-out accuracy by group, and the audit of labels.

Both are made by rooms that this one may not import, so they arrive as the plain JSON that those
rooms write (`evaluation.verdict.verdict_to_json`, `audit.jsonl`), and are typed here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from argus_rl.core.errors import DataError
from argus_rl.core.stats.estimate import IntervalEstimate
from argus_rl.core.stats.intervals import wilson
from argus_rl.ledger.reading import RunLedger

AUDIT = "audit.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share or a change of one, with its interval; in points of a hundred."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, estimate: Mapping[str, Any]) -> "Rate":
        """From `{"value", "low", "high"}` in [-1, 1]."""
        value, low, high = (100.0 * float(estimate[key]) for key in ("value", "low", "high"))
        return cls(value=value, low=low, high=high)

    def text(self, sign: str = "") -> str:
        """As in `41.5 [37.0, 46.1]`; `sign="+"` writes a plus before gains."""
        return f"{self.value:{sign}.1f} [{self.low:{sign}.1f}, {self.high:{sign}.1f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Held-out accuracy of one group of items, before and after."""

    name: str
    """`all`, `easy`, `harder` or `level N`."""
    items: int
    before: Rate
    after: Rate
    change: Rate
    outcome: str
    """`improved`, `regressed` or `no evidence`."""
    detectable: float
    """Smallest change that so many items would have shown, in points."""
    p_value: float
    """Exact McNemar on the greedy answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """The held-out comparison of a run."""

    outcome: str
    sentence: str
    """The verdict in words with its intervals."""
    groups: tuple[Group, ...]

    @property
    def levels(self) -> tuple[Group, ...]:
        """The groups that are one level each."""
        return tuple(group for group in self.groups if group.name.startswith("level "))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAudit:
    """How many consensus labels of an episode were true, where truth is executable."""

    episode: int
    accuracy: IntervalEstimate
    """With its Wilson interval, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """Everything that the page is made from."""

    run: RunLedger
    accuracy: Accuracy | None
    """None where the run was not evaluated both before and after."""
    start: Rate | None
    """Held-out accuracy before the run; None where it was not evaluated then."""
    audit: tuple[LabelAudit, ...]
    command: str
    """What to type to make this page again."""

    @property
    def asked(self) -> int:
        """Episodes asked for; a run may have been asked for more after its end."""
        return max(self.run.header.episodes, len(self.run.records))


def accuracy_of(verdict: Mapping[str, Any]) -> Accuracy:
    """Type the JSON of a held-out verdict. Raises DataError where it lacks something."""
    try:
        return Accuracy(
            outcome=str(verdict["outcome"]),
            sentence=str(verdict["sentence"]),
            groups=tuple(_group(scope) for scope in cast("Sequence[Any]", verdict["scopes"])),
        )
    except (KeyError, TypeError) as error:
        raise DataError(f"the held-out verdict has no {error}") from None


def _group(scope: Mapping[str, Any]) -> Group:
    return Group(
        name=str(scope["scope"]),
        items=int(scope["items"]),
        before=Rate.of(scope["before"]),
        after=Rate.of(scope["after"]),
        change=Rate.of(scope["change"]),
        outcome=str(scope["outcome"]),
        detectable=100.0 * float(scope["detectable"]),
        p_value=float(scope["p_value"]),
    )


def read_audit(run_dir: Path) -> tuple[tuple[LabelAudit, ...], tuple[str, ...]]:
    """Return the audit of labels by episode, and a warning for each line that cannot be read.

    A line of `audit.jsonl` is an object with at least `episode`, `right` and `n` (whole numbers).
    """
    path = run_dir / AUDIT
    if not path.is_file():
        return (), ()
    found: list[LabelAudit] = []
    warnings: list[str] = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            data: Any = json.loads(line)
            right, n, episode = int(data["right"]), int(data["n"]), int(data["episode"])
            if n:
                found.append(LabelAudit(episode=episode, accuracy=wilson(right, n)))
        except (ValueError, KeyError, TypeError) as error:
            warnings.append(f"{AUDIT} line {number} skipped: {error}")
    return tuple(found), tuple(warnings)
