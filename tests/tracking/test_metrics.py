import dataclasses
import importlib.util
import math
from pathlib import Path

import pytest

from argus_rl.core.errors import DataError
from argus_rl.core.signals.across import Health
from argus_rl.evaluation.result import result_from_json
from argus_rl.evaluation.summary import result_to_json
from argus_rl.tracking.metrics import METRICS, evaluation_figures, figures_of, metrics_page

ROOT = Path(__file__).parents[2]
FAMILIES = {"gauge", "zone", "detector", "spsi", "control"}


def test_each_figure_has_one_name_in_a_known_family_and_is_explained():
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    assert {name.partition("/")[0] for name in names} == FAMILIES
    for metric in METRICS:
        assert metric.unit
        assert metric.meaning.endswith(".")
        assert len(metric.meaning) > 12


def test_the_documentation_says_what_the_table_says():
    spec = importlib.util.spec_from_file_location("metrics_page", ROOT / "scripts/metrics_page.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    written = (ROOT / "docs" / "tracking.md").read_text(encoding="utf-8")
    assert written == script.page(), "run `python scripts/metrics_page.py`"
    assert metrics_page() in written


def test_figures_are_those_of_the_record(records):
    figures = figures_of(records[7])
    assert figures["gauge/retest_trend"] == records[7].retest.trend
    assert figures["control/refused"] == 1.0
    assert figures["control/severity"] == 1.0
    assert figures["detector/D"] > 0.5
    assert figures["zone/frontier"] == records[7].census.frontier
    terms = ("information", "frontier", "forgetting", "deception", "waste")
    total = sum(figures[f"spsi/{term}"] for term in terms)
    assert total == pytest.approx(figures["spsi/value"])


def test_what_was_not_measured_is_not_logged(records):
    record = records[2]
    bare = dataclasses.replace(
        record,
        spsi=dataclasses.replace(record.spsi, health=Health.unmeasured),
        retest=dataclasses.replace(record.retest, deltas=(), n=0, regressed=()),
        bank=dataclasses.replace(record.bank, detectors=()),
        learning=dataclasses.replace(record.learning, updates=0),
    )
    figures = figures_of(bare)
    gone = {
        "spsi/value", "gauge/retest_trend", "gauge/flip_rate", "detector/A",
        "detector/D_worst_cluster", "control/loss",
    }  # fmt: skip
    assert gone & set(figures) == set()
    assert gone <= set(figures_of(records[2]))
    assert figures["gauge/retest_n"] == 0.0
    assert not any(math.isnan(value) for value in figures.values())


def test_held_out_figures_carry_their_intervals(made_run):
    result = result_from_json(made_run.evaluation(0.1, 1))
    figures = evaluation_figures(result_to_json(result))
    for scope in ("all", "easy", "harder", "level_8"):
        low, value, high = (figures[f"eval/{scope}/mean{end}"] for end in ("_low", "", "_high"))
        assert low <= value <= high
    with pytest.raises(DataError, match="summaries"):
        evaluation_figures({})
