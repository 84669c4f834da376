"""Interquartile means over seeds and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from argus_rl.core.stats.aggregate import (
    interquartile_mean,
    paired_seed_difference,
    stratified_bootstrap,
    unpaired_seed_difference,
)

some_values = st.lists(st.floats(-100, 100), min_size=1, max_size=24)


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(some_values)
def test_the_interquartile_mean_is_the_quarter_trimmed_mean(values):
    expected = stats.trim_mean(values, 0.25)
    assert interquartile_mean(values) == pytest.approx(expected, abs=1e-9)


@given(some_values, st.randoms(use_true_random=False))
def test_the_interquartile_mean_ignores_the_order(values, random):
    shuffled = values.copy()
    random.shuffle(shuffled)
    assert interquartile_mean(shuffled) == interquartile_mean(values)


@given(some_values, st.floats(-10, 10), st.floats(-10, 10))
def test_the_interquartile_mean_moves_and_scales_with_its_values(values, factor, shift):
    moved = interquartile_mean([factor * value + shift for value in values])
    assert moved == pytest.approx(factor * interquartile_mean(values) + shift, abs=1e-8)


def test_one_broken_seed_of_five_does_not_move_the_interquartile_mean():
    assert interquartile_mean([10, 11, 12, 13, -1000]) == interquartile_mean([10, 11, 12, 13, 9.9])


@pytest.mark.parametrize(("seeds", "least"), [(3, 0.92), (5, 0.93), (10, 0.93)])
def test_the_interval_over_few_seeds_covers_as_promised(seeds, least):
    rng, hits = stream(1), 0
    for _ in range(800):
        values = rng.normal(size=seeds)
        hits += stratified_bootstrap([values], rng, resamples=300).interval.contains(0.0)
    assert least < hits / 800 < 0.985


def test_for_three_seeds_the_interval_is_students():
    values = [1.0, 2.0, 4.0]
    half = 4.3027 * np.std(values, ddof=1) / math.sqrt(3)
    interval = stratified_bootstrap([values], stream(2), resamples=40_000).interval
    assert interval.half_width == pytest.approx(half, rel=0.02)


def test_strata_are_redrawn_apart_so_their_distance_is_no_noise():
    strata = [[0.0, 0.1, 0.2, 0.1], [10.0, 10.1, 10.2, 10.1]]
    apart = stratified_bootstrap(strata, stream(3)).interval
    mixed = stratified_bootstrap([strata[0] + strata[1]], stream(3)).interval
    assert apart.half_width < 0.2
    assert mixed.half_width > 2.0


def test_a_single_seed_has_no_interval():
    assert stratified_bootstrap([[0.4]], stream()).interval.high == math.inf
    assert unpaired_seed_difference([0.4], [0.5, 0.6], stream()).interval.low == -math.inf


def test_pairing_over_seeds_cancels_what_the_seed_decides():
    start = np.array([0.1, 0.5, 0.9, 0.3, 0.7])
    gain = np.array([0.10, 0.11, 0.09, 0.10, 0.10])
    paired = paired_seed_difference(start, start + gain, stream(4))
    unpaired = unpaired_seed_difference(start, start + gain, stream(4))
    assert paired.interval.excludes(0.0)
    assert not unpaired.interval.excludes(0.0)
    assert paired.value == pytest.approx(0.1)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=8))
def test_swapping_the_presets_mirrors_the_difference(pairs):
    first, second = (list(side) for side in zip(*pairs, strict=True))
    forth = paired_seed_difference(first, second, stream(5), resamples=100)
    back = paired_seed_difference(second, first, stream(5), resamples=100)
    assert forth.value == pytest.approx(-back.value, abs=1e-12)
    assert forth.interval.low == pytest.approx(-back.interval.high, abs=1e-9)


def test_no_seeds_are_refused():
    for make in (lambda: stratified_bootstrap([], stream()), lambda: interquartile_mean([])):
        with pytest.raises(ValueError, match="no"):
            make()
