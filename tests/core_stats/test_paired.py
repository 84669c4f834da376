"""Paired tests: known values, symmetry, level and power."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from argus_rl.core.stats.paired import (
    detectable_difference,
    detectable_mean_difference,
    mcnemar,
    mcnemar_of,
    paired_bootstrap,
    paired_bootstrap_of_samples,
)
from argus_rl.core.stats.permutation import (
    Alternative,
    permutation_p_value,
    sign_flip_p_value,
)


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test_and_symmetric(gained, lost):
    result = mcnemar(gained, lost)
    assert result.p_value == mcnemar(lost, gained).p_value
    if gained + lost:
        exact = stats.binomtest(gained, gained + lost, 0.5).pvalue
        assert result.p_value == pytest.approx(exact)
    else:
        assert result.p_value == 1.0


def test_mcnemar_needs_six_to_nothing():
    assert mcnemar(5, 0).p_value > 0.05
    assert mcnemar(6, 0).p_value == 2 / 64


def test_mcnemar_counts_only_the_items_that_changed():
    before = [True, True, False, False, False]
    after = [True, False, True, True, False]
    result = mcnemar_of(before, after)
    assert (result.gained, result.lost) == (2, 1)


@pytest.mark.parametrize(("n", "points"), [(100, 12.4), (500, 5.6), (1319, 3.4)])
def test_the_detectable_difference_is_the_one_that_is_planned_with(n, points):
    assert 100 * detectable_difference(n) == pytest.approx(points, abs=0.06)


def test_the_detectable_difference_is_detected_four_times_in_five():
    n, discordance = 300, 0.2
    difference = detectable_difference(n, discordance)
    p_gain = (discordance + difference) / 2
    rng, hits = stream(), 0
    for _ in range(1500):
        gained, lost, _ = rng.multinomial(n, [p_gain, discordance - p_gain, 1 - discordance])
        z = (gained - lost) / np.sqrt(max(gained + lost, 1))
        hits += abs(z) > 1.96
    assert 0.77 < hits / 1500 < 0.83


@given(st.integers(1, 3000), st.floats(0.01, 1.0))
def test_more_items_detect_smaller_differences(n, discordance):
    assert detectable_difference(n + 1, discordance) <= detectable_difference(n, discordance)
    assert 0.0 < detectable_difference(n, discordance) <= 1.0


def test_three_items_can_show_nothing():
    assert detectable_difference(3, 0.2) == 1.0


def test_the_detectable_mean_follows_the_normal_formula():
    assert detectable_mean_difference(0.4, 100) == pytest.approx(2.8016 * 0.04, rel=1e-4)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=2, max_size=30))
def test_swapping_the_sides_mirrors_the_paired_interval(pairs):
    before, after = (np.array(side) / 8 for side in zip(*pairs, strict=True))
    forth = paired_bootstrap(before, after, stream(1), resamples=200)
    back = paired_bootstrap(after, before, stream(1), resamples=200)
    assert forth.value == pytest.approx(-back.value)
    assert forth.interval.low == pytest.approx(-back.interval.high)
    assert forth.interval.high == pytest.approx(-back.interval.low)


def test_pairing_removes_the_difficulty_of_the_items():
    rng = stream(2)
    difficulty = rng.uniform(size=200)
    interval = paired_bootstrap(difficulty, difficulty + 0.05, rng).interval
    assert interval.low == pytest.approx(0.05)
    assert interval.high == pytest.approx(0.05)


def test_samples_are_averaged_within_their_item():
    before, after = [[0, 1], [1, 1]], [[1, 1, 1], [1, 0, 0]]
    estimate = paired_bootstrap_of_samples(before, after, stream())
    assert estimate.value == pytest.approx((0.5 - 2 / 3) / 2)
    assert estimate.n == 2


def test_the_paired_interval_keeps_its_level_when_nothing_changed():
    rng, misses = stream(3), 0
    for _ in range(800):
        difficulty = rng.beta(0.5, 0.5, size=60)
        before, after = (rng.binomial(8, difficulty) / 8 for _ in range(2))
        misses += paired_bootstrap(before, after, rng, resamples=500).interval.excludes(0.0)
    assert 0.02 < misses / 800 < 0.08


def test_the_sign_flip_test_is_exact_for_few_differences():
    assert sign_flip_p_value([1, 2, 3, 4, 5], stream()) == 2 / 32
    assert sign_flip_p_value([1, 2, 3, 4, 5], stream(), alternative=Alternative.greater) == 1 / 32
    assert sign_flip_p_value([1, 2, 3, 4, 5], stream(), alternative=Alternative.less) == 1.0
    assert sign_flip_p_value([0.1, 0.2, -0.3], stream()) == 1.0
    assert sign_flip_p_value([0.0, 0.0], stream()) == 1.0


def test_rounding_does_not_break_ties_of_the_sign_flip_test():
    differences = [-0.4, -0.4, -0.3, 0.3, 0.1, 0.4]
    assert sign_flip_p_value(differences, stream()) == 58 / 64


def test_zeros_do_not_dilute_the_sign_flip_test():
    assert sign_flip_p_value([1, 1, 1, 0, 0, 1, 1, 1], stream()) == 2 / 64


def test_the_drawn_sign_flip_test_agrees_with_the_exact_law_of_signs():
    differences = [1.0] * 15 + [-1.0] * 5
    exact = stats.binomtest(15, 20, 0.5).pvalue
    assert sign_flip_p_value(differences, stream(4)) == pytest.approx(exact, abs=0.008)


def test_the_sign_flip_test_keeps_its_level():
    rng = stream(5)
    small = [sign_flip_p_value(rng.normal(size=10), rng) <= 0.05 for _ in range(800)]
    assert 0.03 < np.mean(small) < 0.07


def test_a_permutation_p_value_is_never_zero():
    assert permutation_p_value(10.0, np.zeros(99)) == 0.01
    assert permutation_p_value(-10.0, np.zeros(99), Alternative.greater) == 1.0
    assert permutation_p_value(-10.0, np.zeros(99), Alternative.less) == 0.01


@pytest.mark.parametrize(
    "make",
    [
        lambda: mcnemar(-1, 2),
        lambda: mcnemar_of([True], [True, False]),
        lambda: detectable_difference(0),
        lambda: detectable_difference(10, discordance=0.0),
        lambda: detectable_mean_difference(-1.0, 5),
        lambda: paired_bootstrap([], [], stream()),
    ],
)
def test_impossible_questions_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()
