"""Every figure that a run logs: its name, unit, meaning, and where it is read in the record.

This table is the only place where a figure gets its name. wandb logs what is in it, and
`docs/tracking.md` is printed from it (`python scripts/metrics_page.py`), so a figure that nobody
can explain cannot be logged. Names say what they belong to: `gauge/` (did we learn), `zone/` (what
the problems were like), `detector/` (which lie), `spsi/` (is the run healthy), `control/` (what was
decided and done), `eval/` (held-out accuracy, the only place where claims are made).

A getter returns NaN where there is nothing to tell; such a figure is left out of that episode.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from argus_rl.core.errors import DataError
from argus_rl.ledger.records import EpisodeRecord
from argus_rl.tracking.metrics_control import CONTROL, SPSI
from argus_rl.tracking.metrics_learning import DETECTOR, GAUGE, ZONE

METRICS = (*GAUGE, *ZONE, *DETECTOR, *SPSI, *CONTROL)
"""Every figure of an episode, in the order of the documentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationMetric:
    """One figure of a held-out evaluation; logged with ends `_low` and `_high` for each scope."""

    name: str
    """`eval/SCOPE/name` when logged, SCOPE being `all`, `easy`, `harder` or `level_N`; also its
    name in the summaries of an evaluation file."""
    meaning: str


EVALUATION = (
    EvaluationMetric(name="mean", meaning="Share of right samples (pass@1)."),
    EvaluationMetric(name="greedy", meaning="Accuracy of the greedy chains."),
    EvaluationMetric(name="truncated", meaning="Share of samples that the token budget ended."),
    EvaluationMetric(name="unparsable", meaning="Share of samples without a readable answer."),
)
"""Every figure of an evaluation; each lies in [0, 1] and has its 95 % interval."""


def figures_of(record: EpisodeRecord) -> dict[str, float]:
    """Return all figures of an episode by name; those that are NaN are left out."""
    values = {metric.name: metric.get(record) for metric in METRICS}
    return {name: value for name, value in values.items() if not math.isnan(value)}


def evaluation_figures(evaluation: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures of an evaluation file by metric name, intervals included.

    Args:
        evaluation: the JSON object of `evaluation_before.json` or `evaluation_after.json`.

    Raises:
        DataError: the object has no summaries, or one of them lacks a figure.
    """
    figures: dict[str, float] = {}
    try:
        for summary in cast("list[dict[str, Any]]", evaluation["summaries"]):
            scope = str(summary["scope"]).replace(" ", "_")
            for metric in EVALUATION:
                estimate = cast("dict[str, float]", summary[metric.name])
                for end, key in (("", "value"), ("_low", "low"), ("_high", "high")):
                    figures[f"eval/{scope}/{metric.name}{end}"] = float(estimate[key])
    except (KeyError, TypeError) as error:
        raise DataError(f"the evaluation has no figure {error}") from None
    return figures


def metrics_page() -> str:
    """The Markdown table of all metrics, for `docs/tracking.md`."""
    rows = [f"| `{m.name}` | {m.unit} | {m.meaning} |" for m in METRICS]
    rows += [f"| `eval/SCOPE/{m.name}` | [0, 1] | {m.meaning} |" for m in EVALUATION]
    return "\n".join(["| metric | unit or range | what it is |", "|---|---|---|", *rows])
