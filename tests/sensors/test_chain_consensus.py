"""Agreement is exact, fair in k, and blind to the order of chains."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.data.problem import Chain, Problem, Source
from argus_rl.sensors.chain_consensus import chain_consensus

PROBLEM = Problem(
    id="p", text="Tom has 12 cards. He buys 5 cards. How many now?", source=Source.proposed
)


def chain(index, text, **more):
    return Chain(problem_id="p", text=text, index=index, tokens=len(text.split()), **more)


def consensus(*texts):
    return chain_consensus(PROBLEM, [chain(i, text) for i, text in enumerate(texts)])


@st.composite
def chain_texts(draw):
    steps = draw(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=3))
    slip = draw(st.sampled_from([0, 0, 0, 1]))
    answer = draw(st.sampled_from(["17", "17.0", "18", "1/2", ""]))
    way = " ; ".join(f"{a} + {b} = {a + b + slip}" for a, b in steps)
    return f"{way} ; the answer is {answer}" if answer else way


def test_outcome_is_the_share_of_agreeing_pairs():
    result = consensus("the answer is 17", "the answer is 17", "the answer is 17", "answer: 3")
    assert result.outcome == pytest.approx(3 * 2 / (4 * 3))
    assert (result.majority, result.majority_count) == ("17", 3)


def test_equal_numbers_written_differently_agree():
    result = consensus("the answer is 17", "the answer is 17.0", "the answer is $17")
    assert result.outcome == 1.0


def test_answers_that_are_close_but_unequal_do_not_agree():
    result = consensus("the answer is 0.3333", "the answer is 1/3")
    assert (result.outcome, result.majority) == (0.0, "")


def test_chains_without_an_answer_agree_with_nobody():
    result = consensus("i do not know", "i do not know", "the answer is 17", "the answer is 17")
    assert result.answerless == 2
    assert result.outcome == pytest.approx(2 / 12)


def test_a_truncated_chain_has_no_answer():
    texts = ["the answer is 17"] * 2
    whole = chain_consensus(PROBLEM, [chain(i, t) for i, t in enumerate(texts)])
    cut = chain_consensus(PROBLEM, [chain(0, texts[0]), chain(1, texts[1], truncated=True)])
    assert (whole.outcome, cut.outcome, cut.answerless) == (1.0, 0.0, 1)


def test_a_tie_gives_neither_label_nor_score():
    result = consensus(*["the answer is 17"] * 2, *["the answer is 3"] * 2)
    assert (result.majority, result.best, result.score) == ("", -1, 0.0)
    assert result.outcome > 0


def test_one_chain_alone_is_no_agreement():
    assert consensus("12 + 5 = 17, the answer is 17").score == 0.0


def test_copying_the_numbers_of_the_problem_earns_nothing():
    ways = ("20 + 1 = 21 ; 21 - 4 = 17", "30 + 1 = 31 ; 31 - 14 = 17")
    copied = consensus(*(f"12 = 12 ; 5 = 5 ; {way} ; the answer is 17" for way in ways))
    assert copied.process == 0.0


def test_chains_that_derive_nothing_agree_on_the_way():
    assert consensus("the answer is 17", "so it is 17. the answer is 17").process == 1.0


def test_false_equations_lower_the_score_and_are_not_taught():
    true = "12 + 5 = 17 ; 17 + 3 = 20 ; the answer is 20"
    false = "12 + 5 = 17 ; 17 + 4 = 20 ; the answer is 20"
    result = consensus(false, true, true)
    assert result.true_share == pytest.approx(5 / 6)
    assert result.score == pytest.approx(5 / 6)
    assert result.best == 1


def test_the_best_chain_is_the_one_whose_way_most_share_and_the_first_on_a_tie():
    odd = "9 + 9 = 18 ; 18 - 1 = 17 ; the answer is 17"
    usual = "12 + 4 = 16 ; 16 + 1 = 17 ; the answer is 17"
    assert consensus(odd, usual, usual).best == 1


def test_copies_have_no_spread_and_count_once():
    result = consensus(*["12 + 5 = 17 ; the answer is 17"] * 4)
    assert (result.distinct, result.length_spread) == (1, 0.0)


@given(st.lists(chain_texts(), min_size=1, max_size=7), st.randoms())
def test_agreement_lies_in_its_range_and_ignores_the_order_of_chains(texts, random):
    chains = [chain(i, text) for i, text in enumerate(texts)]
    result = chain_consensus(PROBLEM, chains)
    figures = (result.outcome, result.process, result.score, result.true_share)
    assert all(0.0 <= figure <= 1.0 for figure in figures)
    assert result.low <= (result.majority_count + 1) / (result.k + 2) <= result.high
    shuffled = random.sample(chains, len(chains))
    other = chain_consensus(PROBLEM, shuffled)
    for name in ("outcome", "process", "score", "true_share", "length_spread", "distinct"):
        assert getattr(other, name) == pytest.approx(getattr(result, name))
    assert (other.majority, other.majority_count) == (result.majority, result.majority_count)
    if result.best >= 0:
        assert shuffled[other.best].index == chains[result.best].index


@given(st.lists(chain_texts(), min_size=3, max_size=3))
def test_grouping_is_transitive(texts):
    def agree(a, b):
        return consensus(a, b).outcome == 1.0

    for a, b, c in itertools.permutations(texts):
        if agree(a, b) and agree(b, c):
            assert agree(a, c)
