"""Known values, properties and coverage of the intervals for one proportion or mean."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.core.stats.intervals import (
    beta_interval,
    bootstrap_interval,
    cluster_bootstrap_interval,
    clustered_wilson,
    wilson,
)


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_published_values(successes, n, low, high):
    interval = wilson(successes, n).interval
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(("n", "half"), [(100, 0.078), (500, 0.035), (1319, 0.022)])
def test_wilson_has_the_half_width_that_is_planned_with(n, half):
    assert wilson(round(0.8 * n), n).interval.half_width == pytest.approx(half, abs=6e-4)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_contains_the_observed_share_and_stays_in_the_unit_range(case):
    successes, n = case
    estimate = wilson(successes, n)
    assert estimate.interval.contains(estimate.value)
    assert 0.0 <= estimate.interval.low < estimate.interval.high <= 1.0
    mirrored = wilson(n - successes, n).interval
    assert estimate.interval.low == pytest.approx(1.0 - mirrored.high)


def test_wilson_covers_a_small_share_of_few_items_about_as_promised():
    n, p = 30, 0.1
    counts = stream().binomial(n, p, size=4000)
    inside = {c: wilson(int(c), n).interval.contains(p) for c in set(counts.tolist())}
    assert 0.93 < np.mean([inside[int(c)] for c in counts]) < 0.99


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_with_one_sample_an_item_the_clustered_interval_is_wilson(case):
    right, n = case
    clustered = clustered_wilson([1.0] * right + [0.0] * (n - right), 1).interval
    plain = wilson(right, n).interval
    assert clustered.low == pytest.approx(plain.low, abs=1e-12)
    assert clustered.high == pytest.approx(plain.high, abs=1e-12)


def test_copies_of_one_sample_are_worth_one_sample():
    rates = [1.0] * 30 + [0.0] * 20
    copies = clustered_wilson(rates, 8).interval
    assert copies.half_width >= wilson(30, 50).interval.half_width * 0.999


@given(st.lists(st.integers(0, 8), min_size=1, max_size=40))
def test_the_clustered_interval_holds_the_mean_and_is_never_empty(counts):
    estimate = clustered_wilson([count / 8 for count in counts], 8)
    assert estimate.interval.contains(estimate.value)
    assert estimate.interval.low < estimate.interval.high


def test_the_clustered_interval_covers_where_items_differ_in_difficulty():
    rng = stream(1)
    hits = 0
    for _ in range(1500):
        difficulty = rng.beta(0.5, 0.5, size=40)
        rates = rng.binomial(8, difficulty) / 8
        hits += clustered_wilson(rates, 8).interval.contains(0.5)
    assert 0.93 < hits / 1500 < 0.98


def test_few_items_that_happen_to_agree_do_not_claim_more_than_their_samples():
    rates = [0.5, 0.625] * 5
    assert clustered_wilson(rates, 8).interval.half_width > wilson(45, 80).interval.half_width


def test_the_clustered_interval_covers_with_four_items():
    rng = stream(12)
    hits = 0
    for _ in range(1500):
        rates = rng.binomial(8, rng.uniform(0.2, 0.8, size=4)) / 8
        hits += clustered_wilson(rates, 8).interval.contains(0.5)
    assert hits / 1500 > 0.93


def test_a_naive_interval_over_all_samples_would_not_cover():
    rng = stream(1)
    hits = 0
    for _ in range(500):
        right = int(rng.binomial(8, rng.beta(0.5, 0.5, size=40)).sum())
        hits += wilson(right, 320).interval.contains(0.5)
    assert hits / 500 < 0.8


def test_the_agreement_posterior_is_the_beta_of_the_textbook():
    interval = beta_interval(8, 8)
    assert interval.low == pytest.approx(0.025 ** (1 / 9))
    assert interval.high == pytest.approx(0.975 ** (1 / 9))
    uniform = beta_interval(0, 0)
    assert (uniform.low, uniform.high) == pytest.approx((0.025, 0.975))


@given(st.integers(1, 40).flatmap(lambda k: st.tuples(st.integers(0, k - 1), st.just(k))))
def test_more_agreement_moves_the_posterior_up(case):
    majority, k = case
    assert beta_interval(majority, k).low < beta_interval(majority + 1, k).low
    assert beta_interval(majority, k).high < beta_interval(majority + 1, k).high


def test_equal_generators_give_equal_bootstrap_intervals():
    values = stream(2).normal(size=30)
    assert bootstrap_interval(values, stream(3)) == bootstrap_interval(values, stream(3))
    assert bootstrap_interval(values, stream(3)) != bootstrap_interval(values, stream(4))


def test_the_bootstrap_agrees_with_student_on_many_normal_values():
    values = stream(5).normal(size=400)
    interval = bootstrap_interval(values, stream(6)).interval
    assert interval.half_width == pytest.approx(1.966 * values.std(ddof=1) / 20, rel=0.06)


@pytest.mark.parametrize("n", [8, 30])
def test_the_bootstrap_covers_the_mean_of_few_normal_values(n):
    rng = stream(7)
    hits = sum(
        bootstrap_interval(rng.normal(size=n), rng, resamples=600).interval.contains(0.0)
        for _ in range(600)
    )
    assert 0.92 < hits / 600 < 0.98


def test_one_value_gives_an_unbounded_bootstrap_interval():
    assert bootstrap_interval([0.3], stream()).interval.high == math.inf


def test_resampling_in_pieces_draws_as_many_as_asked(monkeypatch):
    monkeypatch.setattr("argus_rl.core.stats.intervals._CHUNK", 100)
    values = stream(8).normal(size=40)
    interval = bootstrap_interval(values, stream(9), resamples=501).interval
    assert interval.low < values.mean() < interval.high


def test_whole_clusters_are_resampled_so_copies_add_nothing():
    values = stream(10).normal(size=25)
    single = cluster_bootstrap_interval([[v] for v in values], stream(11)).interval
    copied = cluster_bootstrap_interval([[v] * 20 for v in values], stream(11)).interval
    assert copied.low == pytest.approx(single.low)
    assert copied.high == pytest.approx(single.high)


def test_the_cluster_mean_weighs_values_and_not_clusters():
    assert cluster_bootstrap_interval([[1.0, 1.0, 1.0], [0.0]], stream()).value == 0.75


@pytest.mark.parametrize(
    "make",
    [
        lambda: wilson(1, 0),
        lambda: wilson(3, 2),
        lambda: clustered_wilson([0.5, 1.5], 2),
        lambda: clustered_wilson([0.5], 0),
        lambda: beta_interval(5, 4),
        lambda: bootstrap_interval([], stream()),
        lambda: cluster_bootstrap_interval([], stream()),
        lambda: cluster_bootstrap_interval([[]], stream()),
    ],
)
def test_impossible_counts_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()
