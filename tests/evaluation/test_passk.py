"""pass@k and maj@k: known values, brute force, and monotonicity."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.evaluation.passk import maj_at_k, pass_at_k

votes = st.tuples(
    st.integers(0, 4),
    st.lists(st.integers(1, 3), max_size=3).map(tuple),
    st.integers(0, 2),
).filter(lambda case: case[0] + sum(case[1]) + case[2] >= 1)


def _labels(right: int, rivals: tuple[int, ...], silent: int) -> list[str]:
    wrong = [f"wrong {i}" for i, count in enumerate(rivals) for _ in range(count)]
    return ["right"] * right + wrong + ["silent"] * silent


def _leads(subset: tuple[str, ...]) -> bool:
    wrong = {label for label in subset if label.startswith("wrong")}
    return subset.count("right") > max((subset.count(label) for label in wrong), default=0)


def test_pass_at_k_of_ten_samples_with_three_right():
    assert pass_at_k(10, 3, 1) == pytest.approx(0.3)
    assert pass_at_k(10, 3, 5) == pytest.approx(1 - 21 / 252)
    assert pass_at_k(10, 3, 8) == 1.0


@given(st.integers(1, 64).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_pass_at_k_rises_with_k_from_the_mean_to_any_right(case):
    n, right = case
    curve = [pass_at_k(n, right, k) for k in range(1, n + 1)]
    assert curve == sorted(curve)
    assert curve[0] == pytest.approx(right / n)
    assert curve[-1] == float(right > 0)


@given(votes)
def test_both_agree_with_counting_all_subsets(case):
    labels = _labels(*case)
    for k in range(1, len(labels) + 1):
        subsets = list(combinations(labels, k))
        leading = sum(map(_leads, subsets)) / len(subsets)
        passing = sum("right" in subset for subset in subsets) / len(subsets)
        assert maj_at_k(*case, k) == pytest.approx(leading)
        assert pass_at_k(len(labels), case[0], k) == pytest.approx(passing)


@given(votes)
def test_a_majority_of_one_is_the_mean_and_a_tie_is_no_majority(case):
    right, rivals, silent = case
    n = right + sum(rivals) + silent
    assert maj_at_k(right, rivals, silent, 1) == pytest.approx(right / n)
    assert maj_at_k(right, rivals, silent, n) == float(right > max(rivals, default=0))


def test_samples_without_an_answer_take_a_place_but_do_not_vote():
    assert maj_at_k(1, (), 7, 8) == 1.0
    assert maj_at_k(1, (), 7, 1) == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    "make",
    [
        lambda: pass_at_k(4, 2, 5),
        lambda: pass_at_k(4, 2, 0),
        lambda: pass_at_k(4, 5, 1),
        lambda: maj_at_k(1, (1,), 0, 3),
        lambda: maj_at_k(3, (-1,), 0, 1),
    ],
)
def test_impossible_counts_are_refused(make):
    with pytest.raises(ValueError, match=r"\w"):
        make()
