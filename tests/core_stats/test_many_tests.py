"""Many tests at once and many looks at one: both keep their error rates."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from argus_rl.core.stats.multiple import benjamini_hochberg
from argus_rl.core.stats.permutation import Alternative
from argus_rl.core.stats.sequences import (
    empirical_bernstein_sequence,
    spent_level,
    symmetry_p_values,
)

probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_benjamini_and_hochbergs_own_example_rejects_four_of_fifteen():
    p_values = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
    ]  # fmt: skip
    assert benjamini_hochberg(p_values).rejected == (True,) * 4 + (False,) * 11


@given(probabilities)
def test_adjusted_p_values_are_those_of_scipy(p_values):
    expected = stats.false_discovery_control(p_values)
    assert benjamini_hochberg(p_values).adjusted == pytest.approx(expected)


@given(probabilities, st.randoms(use_true_random=False))
def test_the_order_of_the_tests_does_not_matter(p_values, random):
    order = list(range(len(p_values)))
    random.shuffle(order)
    plain = benjamini_hochberg(p_values).adjusted
    shuffled = benjamini_hochberg([p_values[i] for i in order]).adjusted
    assert shuffled == tuple(plain[i] for i in order)


def test_no_tests_give_no_discoveries():
    assert benjamini_hochberg([]).rejected == ()


def test_with_nothing_to_find_something_is_found_in_one_family_of_twenty():
    families = stream(1).uniform(size=(3000, 10))
    found = [any(benjamini_hochberg(row.tolist()).rejected) for row in families]
    assert 0.04 < np.mean(found) < 0.06


def _null_deltas(rng: np.random.Generator, n: int) -> np.ndarray:
    """Differences of two scores of 8 chains each, with nothing changed."""
    p = rng.beta(0.5, 0.5, size=n)
    return (rng.binomial(8, p) - rng.binomial(8, p)) / 8


def test_the_confidence_sequence_follows_the_published_formula():
    values, budget = [0.9, 0.2, 0.7, 1.0, 0.4] * 40, math.log(2 / 0.05)
    total, spread, stake, weighted, cost = 0.5, 0.25, 0.0, 0.0, 0.0
    low, high = 0.0, 1.0
    for t, x in enumerate(values, 1):
        mean, variance = total / t, spread / t  # of what came before x
        bet = min(math.sqrt(2 * budget / (variance * t * math.log(1 + t))), 0.5)
        stake, weighted = stake + bet, weighted + bet * x
        cost += (x - mean) ** 2 * (-math.log(1 - bet) - bet)
        low = max(low, (weighted - budget - cost) / stake)
        high = min(high, (weighted + budget + cost) / stake)
        total += x
        spread += (x - total / (t + 1)) ** 2
    latest = empirical_bernstein_sequence(values, support=(0.0, 1.0)).latest
    assert (latest.low, latest.high) == pytest.approx((low, high))
    assert 0.5 < low < 0.64 < high < 0.8


def test_the_confidence_sequence_misses_at_any_of_400_looks_in_at_most_5_percent():
    rng, misses = stream(2), 0
    for _ in range(400):
        sequence = empirical_bernstein_sequence(_null_deltas(rng, 400))
        misses += any(interval.excludes(0.0) for interval in sequence.intervals)
    assert misses / 400 <= 0.05


def test_the_confidence_sequence_holds_for_a_skewed_mean_at_the_edge():
    rng, misses = stream(3), 0
    for _ in range(400):
        values = rng.binomial(1, 0.02, size=300).astype(float)
        sequence = empirical_bernstein_sequence(values, support=(0.0, 1.0))
        misses += any(interval.excludes(0.02) for interval in sequence.intervals)
    assert misses / 400 <= 0.05


def test_a_fixed_interval_looked_at_again_and_again_does_not_hold():
    rng, misses = stream(2), 0
    for _ in range(300):
        deltas = _null_deltas(rng, 400)
        n = np.arange(1, 401)
        means = np.cumsum(deltas) / n
        errors = np.sqrt(np.maximum(np.cumsum(deltas**2) / n - means**2, 1e-12) / n)
        misses += bool((np.abs(means[20:]) > 1.96 * errors[20:]).any())
    assert misses / 300 > 0.2


def test_the_confidence_sequence_finds_a_large_loss_and_keeps_narrowing():
    deltas = np.clip(stream(4).normal(-0.4, 0.3, size=200), -1, 1)
    sequence = empirical_bernstein_sequence(deltas)
    assert sequence.latest.high < 0.0
    assert sequence.latest.contains(float(deltas.mean()))
    widths = [interval.half_width for interval in sequence.intervals]
    assert widths == sorted(widths, reverse=True)


def test_before_the_first_value_anything_is_possible():
    latest = empirical_bernstein_sequence([]).latest
    assert (latest.low, latest.high) == (-1.0, 1.0)


def test_a_mean_that_jumps_leaves_the_last_consistent_interval():
    sequence = empirical_bernstein_sequence([1.0] * 300 + [-1.0] * 3000)
    assert sequence.latest.low <= sequence.latest.high
    assert sequence.latest.low > 0.5


@given(st.lists(st.floats(-1, 1), max_size=40))
def test_the_sequence_is_mirrored_with_its_values(values):
    forth = empirical_bernstein_sequence(values).latest
    back = empirical_bernstein_sequence([-value for value in values]).latest
    assert forth.low == pytest.approx(-back.high, abs=1e-9)


@pytest.mark.parametrize("alternative", list(Alternative))
def test_the_symmetry_test_errs_at_any_look_in_at_most_5_percent(alternative):
    rng, errors = stream(5), 0
    for _ in range(600):
        deltas = _null_deltas(rng, 200)
        errors += symmetry_p_values(deltas, alternative=alternative)[-1] <= 0.05
    assert errors / 600 <= 0.05


def _looks_until_a_loss_is_seen(deltas: np.ndarray) -> tuple[int, int]:
    p_values = symmetry_p_values(deltas, alternative=Alternative.less)
    intervals = empirical_bernstein_sequence(deltas).intervals
    return (
        next(i for i, p in enumerate(p_values) if p <= 0.05),
        next(i for i, interval in enumerate(intervals) if interval.high < 0.0),
    )


def test_the_symmetry_test_sees_a_loss_well_before_the_bounded_sequence():
    rng = stream(6)
    runs = [np.clip(rng.normal(-0.15, 0.3, size=600), -1, 1) for _ in range(30)]
    symmetric, bounded = np.mean([_looks_until_a_loss_is_seen(run) for run in runs], axis=0)
    assert symmetric < 0.6 * bounded
    assert symmetry_p_values(runs[0], alternative=Alternative.greater)[-1] > 0.5


@given(st.lists(st.floats(-1e3, 1e3), max_size=30))
def test_anytime_p_values_never_rise_and_do_not_care_for_the_sign(values):
    p_values = symmetry_p_values(values)
    assert list(p_values) == sorted(p_values, reverse=True)
    assert all(0.0 <= p <= 1.0 for p in p_values)
    assert symmetry_p_values([-value for value in values]) == pytest.approx(p_values)


def test_evidence_once_seen_is_kept():
    p_values = symmetry_p_values([1.0] * 20 + [-1.0] * 20)
    assert p_values[-1] == p_values[19] < 0.001


def test_an_overwhelming_loss_does_not_overflow():
    assert symmetry_p_values([50.0] * 5000, alternative=Alternative.less)[-1] == 1.0
    assert symmetry_p_values([-50.0] * 5000, alternative=Alternative.less)[-1] < 1e-100


def test_the_spent_levels_sum_to_no_more_than_the_budget():
    total = math.fsum(spent_level(0.05, look) for look in range(1, 5000))
    assert 0.0499 < total < 0.05


@pytest.mark.parametrize(
    "make",
    [
        lambda: benjamini_hochberg([1.2]),
        lambda: benjamini_hochberg([0.5], rate=0.0),
        lambda: empirical_bernstein_sequence([2.0]),
        lambda: empirical_bernstein_sequence([0.0], support=(1.0, 1.0)),
        lambda: empirical_bernstein_sequence([0.0], level=1.0),
        lambda: symmetry_p_values([0.0], rho=0.0),
        lambda: spent_level(0.05, 0),
    ],
)
def test_impossible_requests_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()
