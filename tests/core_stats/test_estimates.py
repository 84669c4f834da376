"""Figures carry their uncertainty, and refuse to be made without it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.core.stats.distributions import normal_cdf, normal_quantile
from argus_rl.core.stats.estimate import (
    Estimate,
    Interval,
    IntervalEstimate,
    item_means,
    mean_estimate,
    paired_differences,
    paired_mean_estimate,
)

finite = st.floats(-1e6, 1e6)


def test_the_standard_error_is_that_of_a_textbook_sample():
    estimate = mean_estimate([2, 4, 4, 4, 5, 5, 7, 9])
    assert estimate.value == 5.0
    assert estimate.se == pytest.approx(math.sqrt(32 / 7) / math.sqrt(8))
    assert estimate.n == 8


def test_one_value_has_an_unknown_error_and_an_unbounded_interval():
    estimate = mean_estimate([3.0])
    assert estimate.se == math.inf
    assert estimate.interval().contains(-1e300)


def test_the_interval_of_five_values_uses_student_and_not_the_normal():
    estimate = Estimate(value=0.0, se=1.0, n=5)
    assert estimate.interval().high == pytest.approx(2.7764, abs=1e-4)


def test_the_normal_law_is_right_far_into_its_tail():
    assert normal_cdf(1.959964) == pytest.approx(0.975, abs=1e-7)
    assert normal_cdf(-10.0) == pytest.approx(7.61985e-24, rel=1e-5)
    assert normal_cdf(normal_quantile(0.8)) == pytest.approx(0.8)


def test_printing_a_figure_always_shows_its_uncertainty():
    assert str(Estimate(value=0.4123, se=0.0311, n=40)) == "0.412 ± 0.031 (n = 40)"
    assert f"{Estimate(value=0.4123, se=0.0311, n=40):.1%}" == "41.2% ± 3.1% (n = 40)"
    shown = IntervalEstimate(value=0.4, interval=Interval(low=0.3, high=0.5), n=9)
    assert f"{shown:.2f}" == "0.40 [0.30, 0.50] (n = 9)"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Interval(low=1.0, high=0.0),
        lambda: Interval(low=math.nan, high=0.0),
        lambda: Interval(low=0.0, high=1.0, level=1.0),
        lambda: Estimate(value=0.0, se=-1.0, n=3),
        lambda: Estimate(value=math.nan, se=1.0, n=3),
        lambda: Estimate(value=0.0, se=1.0, n=0),
        lambda: mean_estimate([]),
        lambda: mean_estimate([1.0, math.nan]),
        lambda: mean_estimate([[1.0], [2.0]]),
        lambda: paired_differences([1.0], [1.0, 2.0]),
    ],
)
def test_impossible_figures_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()


@given(st.lists(st.tuples(finite, finite), min_size=2, max_size=20))
def test_swapping_before_and_after_turns_the_sign_and_keeps_the_error(pairs):
    before, after = zip(*pairs, strict=True)
    forth, back = paired_mean_estimate(before, after), paired_mean_estimate(after, before)
    assert forth.value == pytest.approx(-back.value)
    assert forth.se == pytest.approx(back.se)


def test_item_means_allow_different_numbers_of_samples():
    assert np.array_equal(item_means([[1, 0], [1, 1, 1], [0]]), [0.5, 1.0, 0.0])


def test_an_interval_excludes_only_what_lies_outside_it():
    interval = Interval(low=-1.0, high=2.0)
    assert interval.contains(-1.0)
    assert not interval.excludes(2.0)
    assert interval.excludes(2.1)
    assert interval.clipped(0.0, 1.0) == Interval(low=0.0, high=1.0)
    assert interval.clipped(5.0, 6.0) == Interval(low=5.0, high=5.0)
