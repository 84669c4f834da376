"""Improved, regressed or no evidence: the rule, its error rate, and its sentence."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.core.errors import DataError
from argus_rl.core.stats.estimate import Interval, IntervalEstimate
from argus_rl.evaluation.result import EvaluationResult
from argus_rl.evaluation.verdict import (
    Outcome,
    compare_results,
    decide,
    sentence,
    verdict_to_json,
)

LEVELS = {1: 0.95, 2: 0.9, 3: 0.3, 4: 0.1}


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_clear_gain_on_harder_items_is_told_with_where_it_came_from(result_of):
    before = result_of(stream(1), LEVELS)
    after = result_of(stream(2), {**LEVELS, 3: 0.7, 4: 0.5})
    verdict = compare_results(before, after, stream())
    assert verdict.overall.outcome is Outcome.improved
    assert verdict.scope("harder").outcome is Outcome.improved
    assert verdict.scope("easy").outcome is Outcome.no_evidence
    assert verdict.overall.mcnemar.p_value < 0.01
    text = sentence(verdict)
    assert text.startswith("Improved: mean accuracy over 8 samples on 160 held-out items went")
    assert "95 % interval +" in text
    assert "easy: no evidence" in text.lower()
    assert "harder: improved" in text


def test_a_loss_is_called_a_regression_and_swapping_sides_swaps_the_word(result_of):
    strong, weak = result_of(stream(1), LEVELS), result_of(stream(2), {**LEVELS, 1: 0.6, 2: 0.5})
    assert compare_results(strong, weak, stream()).overall.outcome is Outcome.regressed
    back = compare_results(weak, strong, stream())
    assert back.overall.outcome is Outcome.improved
    forth = compare_results(strong, weak, stream()).overall
    assert back.overall.change.value == pytest.approx(-forth.change.value)
    assert back.overall.mcnemar.gained == forth.mcnemar.lost


def test_the_same_evaluation_twice_gives_no_evidence_and_what_could_have_been_seen(result_of):
    result = result_of(stream(3), LEVELS)
    verdict = compare_results(result, result, stream())
    assert verdict.overall.outcome is Outcome.no_evidence
    assert verdict.overall.change.value == 0.0
    assert 0.0 < verdict.overall.detectable < 0.05
    assert "points could have been seen" in sentence(verdict)


def test_resampling_alone_is_called_a_change_in_about_one_case_of_twenty(result_of):
    rng, words = stream(4), []
    for _ in range(250):
        before, after = result_of(rng, LEVELS, 15), result_of(rng, LEVELS, 15)
        words.append(compare_results(before, after, rng).overall.outcome)
    assert words.count(Outcome.no_evidence) / 250 > 0.91


def test_the_detectable_change_is_detected_four_times_in_five(result_of):
    rng, seen, sizes = stream(5), 0, []
    for _ in range(120):
        before = result_of(rng, {3: 0.5}, 60)
        after = result_of(rng, {3: 0.59}, 60)
        scope = compare_results(before, after, rng).overall
        sizes.append(scope.detectable)
        seen += scope.outcome is Outcome.improved
    assert np.mean(sizes) == pytest.approx(0.09, abs=0.02)
    assert 0.65 < seen / 120 < 0.92


def test_five_items_that_all_turn_right_are_no_evidence_and_six_are(item_of, result_of):
    plan = result_of(stream(), {1: 0.5}, 1).plan
    for n, expected in ((5, Outcome.no_evidence), (6, Outcome.improved)):
        sides = [
            EvaluationResult(plan=plan, items=tuple(item_of(f"i{i}", 1, right) for i in range(n)))
            for right in (0, 8)
        ]
        assert compare_results(*sides, stream()).overall.outcome is expected


def test_one_item_gives_a_bounded_honest_verdict(item_of, result_of):
    plan = result_of(stream(), {1: 0.5}, 1).plan
    one = EvaluationResult(plan=plan, items=(item_of("only", 1, 3),))
    scope = compare_results(one, one, stream()).overall
    assert (scope.change.interval.low, scope.change.interval.high) == (-1.0, 1.0)
    assert scope.detectable == 1.0


@given(st.floats(-1, 1), st.floats(0, 1), st.integers(0, 100))
def test_the_rule_claims_only_what_the_interval_excludes(value, half, changed):
    change = IntervalEstimate(
        value=value, interval=Interval(low=value - half, high=value + half), n=50
    )
    outcome = decide(change, changed)
    assert (outcome is not Outcome.no_evidence) == (changed >= 6 and abs(value) > half)
    if outcome is not Outcome.no_evidence:
        assert (outcome is Outcome.improved) == (value > 0)


def test_different_items_are_refused_and_counted(result_of):
    before = result_of(stream(1), LEVELS, name="a")
    with pytest.raises(DataError, match=r"different held-out items.*0 in common"):
        compare_results(before, result_of(stream(1), LEVELS, name="b"), stream())


def test_another_order_of_the_items_is_refused(result_of):
    before = result_of(stream(1), LEVELS)
    turned = replace(before, items=before.items[::-1])
    with pytest.raises(DataError, match="160 in common"):
        compare_results(before, turned, stream())


def test_another_plan_is_refused(result_of):
    before = result_of(stream(1), LEVELS)
    warmer = replace(before, plan=replace(before.plan, temperature=1.0))
    with pytest.raises(DataError, match="made differently"):
        compare_results(before, warmer, stream())


def test_equal_generators_give_equal_verdicts_and_plain_json(result_of):
    before, after = result_of(stream(1), LEVELS), result_of(stream(2), LEVELS)
    first = compare_results(before, after, stream(9))
    assert first == compare_results(before, after, stream(9))
    data = verdict_to_json(first)
    assert data["outcome"] == first.overall.outcome.value
    assert [scope["scope"] for scope in data["scopes"]][:3] == ["all", "easy", "harder"]
