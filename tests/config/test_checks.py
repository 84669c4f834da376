"""Numbers out of range and keys that contradict each other are found before anything is loaded."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.checks import NEEDS, check, idle_flags, without_idle_flags
from argus_rl.config.control import FLAGS
from argus_rl.config.keys import all_keys, value_at
from argus_rl.config.ranges import CHOICES, RANGES, Range
from argus_rl.config.run import RunSettings
from argus_rl.config.schema import describe, settings_from_plain
from argus_rl.core.values import Settings


def changed(**values: Any) -> RunSettings:
    """Default settings with dotted keys (written with `__`) replaced."""
    settings: Any = RunSettings()
    for name, value in values.items():
        settings = _with(settings, name.split("__"), value)
    return settings


def _with(settings: Settings, path: list[str], value: Any) -> Settings:
    head, *rest = path
    inner = _with(value_at(settings, head), rest, value) if rest else value
    return dataclasses.replace(settings, **{head: inner})


def keys_of_problems(settings: RunSettings) -> set[str]:
    return {problem.key for problem in check(settings)[0]}


def test_the_defaults_are_without_a_problem_or_a_note():
    assert check(RunSettings()) == ((), ())


def test_every_number_has_a_range_and_every_range_a_number():
    numeric = {key.name for key in all_keys().values() if key.kind in (int, float, tuple[int, ...])}
    assert numeric == set(RANGES)


def test_every_choice_is_a_text_key():
    assert all(all_keys()[name].kind is str for name in CHOICES)


def test_every_key_says_what_it_means():
    assert [key.name for key in all_keys().values() if not key.doc] == []


def test_every_flag_that_needs_another_is_a_flag():
    assert set(NEEDS) | set(NEEDS.values()) <= set(FLAGS)


@pytest.mark.parametrize("key", sorted(RANGES))
def test_a_number_outside_its_range_is_named(key: str):
    allowed = RANGES[key]
    for end, step in ((allowed.low, -1), (allowed.high, 1)):
        if math.isfinite(end):
            value: Any = end + step
            if all_keys()[key].kind == tuple[int, ...]:
                value = (int(value),)
            assert key in keys_of_problems(changed(**{key.replace(".", "__"): value}))
    if all_keys()[key].kind is float:
        assert key in keys_of_problems(changed(**{key.replace(".", "__"): math.nan}))


@given(st.floats(), st.floats(-10, 10), st.floats(0.1, 10), st.booleans(), st.booleans())
def test_a_range_holds_what_lies_inside_and_nothing_else(
    value: float, low: float, width: float, without_low: bool, without_high: bool
):
    allowed = Range(low=low, high=low + width, without_low=without_low, without_high=without_high)
    if allowed.holds(value):
        assert low <= value <= low + width
    assert not allowed.holds(math.nan)
    assert allowed.holds(low) is not without_low
    assert allowed.holds(low + width) is not without_high


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"model__kind": "hf"}, "model.path"),
        ({"model__path": "somewhere"}, "model.path"),
        (
            {"model__kind": "hf", "model__path": "here", "learner__muon_lr": 0.01},
            "learner.muon_lr",
        ),
        ({"data__kind": "jsonl"}, "data.path"),
        ({"data__path": "somewhere"}, "data.path"),
        ({"data__kind": "jsonl", "data__path": "no/such/folder"}, "data.path"),
        ({"data__kind": "gsm8k"}, "data.kind"),
        ({"data__context_steps": ()}, "data.context_steps"),
        ({"sampling__chains": 1}, "sampling.chains"),
        ({"sampling__temperature": 0.0}, "sampling.temperature"),
        ({"sampling__temperature": 1.5}, "control.defense.temperature_max"),
        ({"sampling__frontier_steps": 13}, "control.defense.steps_max"),
        ({"sampling__chains": 17, "control__capacity_growth": 0.1}, "control.capacity.k_max"),
        (
            {"sampling__max_tokens": 400, "control__capacity_growth": 0.1},
            "control.capacity.tokens_max",
        ),
        (
            {"learner__replay_mix": 0.6, "learner__anchor_mix": 0.4, "learner__anchors": 9},
            "learner.anchor_mix",
        ),
        ({"learner__anchor_mix": 0.4}, "learner.anchors"),
        ({"learner__warmup": 0.7, "learner__decay": 0.4}, "learner.decay"),
        ({"control__frontier__low": 0.8}, "control.frontier.low"),
        ({"control__ewcs__low": 20.0}, "control.ewcs.low"),
        ({"evaluation__levels": ()}, "evaluation.levels"),
        ({"evaluation__levels": (1, 2, 3, 3)}, "evaluation.levels"),
        ({"evaluation__easy_levels": (1, 1)}, "evaluation.easy_levels"),
        ({"evaluation__levels": (1, 2)}, "evaluation.easy_levels"),
        ({"evaluation__levels": (1, 2, 3, 11)}, "evaluation.levels"),
        ({"resume": "no/such/folder"}, "resume"),
        ({"tracking__mode": "online", "tracking__project": ""}, "tracking.project"),
    ],
)
def test_an_impossible_combination_is_named(values: dict[str, Any], key: str):
    settings = settings_from_plain(describe(changed(**values)))
    assert keys_of_problems(settings) == {key}


def test_a_run_cannot_be_resumed_into_another_folder(tmp_path: Path):
    assert keys_of_problems(changed(resume=str(tmp_path), run_dir="other")) == {"run_dir"}


def test_a_file_is_no_run_folder(tmp_path: Path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert keys_of_problems(changed(run_dir=str(tmp_path / "file"))) == {"run_dir"}


def test_zero_episodes_are_allowed_and_only_evaluate():
    assert check(changed(episodes=0)) == ((), ())


def test_every_problem_is_one_line():
    bad = changed(
        episodes=-1,
        sampling__chains=1,
        control__frontier__low=0.9,
        evaluation__levels=(),
        resume="x",
    )
    problems, _ = check(bad)
    assert len(problems) == 5
    assert all(len(str(problem).splitlines()) == 1 for problem in problems)


@given(st.fixed_dictionaries({flag: st.booleans() for flag in FLAGS if flag != "capacity_growth"}))
def test_turning_idle_flags_off_leaves_none_and_touches_no_other(flags: dict[str, bool]):
    settings = changed(**{f"control__{flag}": on for flag, on in flags.items()})
    idle = idle_flags(settings.control)
    after = without_idle_flags(settings)
    assert idle_flags(after.control) == ()
    for flag, on in flags.items():
        assert value_at(after.control, flag) is (on and flag not in idle)
    assert without_idle_flags(after) == after
