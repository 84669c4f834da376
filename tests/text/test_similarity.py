"""Near duplicates: numbers count, form does not, and the index agrees with the pairwise measure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.text.similarity import NearDuplicates, shingles, similarity

FIRST = "Tom has 12 cards and buys 5 cards from Ann at the fair. How many cards does Tom have now?"
COPY = "Tom has 12 cards, and buys 5 cards from Ann at the fair! How many cards does tom have now"
OTHER = FIRST.replace("12", "13")


def test_case_and_punctuation_do_not_make_another_problem():
    assert similarity(FIRST, COPY) == 1.0
    assert COPY in NearDuplicates([OTHER, FIRST])


def test_another_number_makes_another_problem():
    assert similarity(FIRST, OTHER) < 1
    assert OTHER not in NearDuplicates([FIRST], threshold=0.1)


def test_a_few_other_words_with_the_same_numbers_remain_a_duplicate():
    changed = FIRST.replace("at the fair", "at the market")
    assert changed in NearDuplicates([FIRST], threshold=0.5)
    assert changed not in NearDuplicates([FIRST], threshold=1.0)


def test_grouping_commas_do_not_change_a_number():
    assert similarity("it costs 1,200 dollars", "it costs 1200 dollars") == 1.0


def test_short_and_empty_texts_have_a_similarity():
    assert shingles("") == frozenset()
    assert shingles("one two") == {("one", "two")}
    assert similarity("", "") == 1.0
    assert similarity("", "word") == 0.0


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ValueError, match="threshold"):
        NearDuplicates(threshold=0)
    with pytest.raises(ValueError, match="at least 1"):
        shingles("a b", n=0)


TEXTS = st.lists(
    st.sampled_from(["tom", "ann", "has", "buys", "3", "5", "cards", "pens", "and"]), max_size=12
).map(" ".join)


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_in_the_unit_interval(a: str, b: str):
    assert similarity(a, b) == similarity(b, a)
    assert 0 <= similarity(a, b) <= 1
    assert similarity(a, a) == 1.0


@given(st.lists(TEXTS, max_size=6), TEXTS)
def test_the_index_finds_the_largest_pairwise_similarity(seen: list[str], text: str):
    def numbers(words: str) -> list[str]:
        return sorted(word for word in words.split() if word.isdigit())

    alike = [similarity(text, old) for old in seen if numbers(old) == numbers(text) and old]
    index = NearDuplicates(seen)
    assert len(index) == len(seen)
    if text:
        assert index.nearest(text) == pytest.approx(max(alike, default=0.0))
