from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argus_rl.core.rng import Stream
from argus_rl.data.executable import executable_answer
from argus_rl.data.growth import faithful, well_formed
from argus_rl.data.problem import Chain, Pair, Problem, Source
from argus_rl.data.recombine import recombine
from argus_rl.data.splits import Split
from argus_rl.data.stories import draw_story


def solved(name: str, text: str, chain: str, steps: int) -> Pair:
    return Pair(
        problem=Problem(id=name, text=text, source=Source.proposed, steps=steps),
        chain=Chain(problem_id=name, text=chain, index=0),
        label=chain.rsplit(" ", 1)[1],
        score=1.0,
    )


def library(seed: int, size: int) -> list[Pair]:
    rng = np.random.default_rng(seed)
    stories = [draw_story(rng, int(rng.integers(1, 5)), Split.train) for _ in range(size)]
    return [solved(f"p{i}", s.text, s.chain, s.steps) for i, s in enumerate(stories)]


TOM = solved(
    "tom",
    "Tom has 12 cards. He buys 5 cards. He sells 3 cards. How many cards does Tom have now?",
    "Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; he sells 3 cards: 17 - 3 = 14;"
    " the answer is 14",
    2,
)
BEN = solved(
    "ben",
    "Ben has 20 cards. He drops 3 cards. He doubles his cards. Tom has 4 more cards than Ben."
    " How many cards does Tom have now?",
    "Ben has 20 cards: 20; he drops 3 cards: 20 - 3 = 17; he doubles his cards: 17 * 2 = 34;"
    " Tom has 4 more cards than Ben: 34 + 4 = 38; the answer is 38",
    3,
)


def test_where_two_problems_meet_one_may_end_as_the_other():
    made = {p.problem.text: p for p in recombine([TOM, BEN], 8, range(1, 9), Stream(("meet",)))}
    text = (
        "Tom has 12 cards. He buys 5 cards. He doubles his cards. Sam has 4 more cards than Tom."
        " How many cards does Sam have now?"
    )
    assert made[text].chain.text == (
        "Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; he doubles his cards: 17 * 2 = 34;"
        " Sam has 4 more cards than Tom: 34 + 4 = 38; the answer is 38"
    )
    assert made[text].label == "38"
    assert made[text].problem.steps == 3
    assert made[text].problem.parent == "tom"


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_what_is_made_of_true_problems_is_true_new_and_of_the_lengths_wanted(seed):
    pairs = library(seed, 200)
    made = recombine(pairs, 60, (3, 4, 5), Stream((seed,)))
    assert len(made) > 10
    for pair in made:
        text, chain = pair.problem.text, pair.chain.text
        assert well_formed(text) is None
        assert faithful(chain, text) is None
        assert str(executable_answer(text)) == pair.label == chain.rsplit(" ", 1)[1]
    texts = [p.problem.text for p in (*pairs, *made)]
    assert len(set(texts)) == len(texts) - (200 - len({p.problem.text for p in pairs}))
    assert len({p.problem.id for p in made}) == len(made)
    assert max(Counter(p.problem.steps for p in made).values()) <= 20
    assert {p.problem.steps for p in made} <= {3, 4, 5}


def test_the_same_stream_makes_the_same_problems_and_another_stream_others():
    pairs = library(0, 150)
    made = [recombine(pairs, 30, (4, 5), Stream((name,))) for name in ("a", "a", "b")]
    assert made[0] == made[1] != made[2]


@pytest.mark.parametrize(
    ("pairs", "count", "lengths"),
    [
        ([], 5, (3,)),
        ([TOM], 5, (3,)),
        ([TOM, BEN], 0, (3,)),
        ([TOM, BEN], 5, ()),
        ([TOM, solved("odd", TOM.problem.text, "12 + 5 - 3 = 14; the answer is 14", 2)], 5, (2,)),
    ],
)
def test_where_nothing_fits_nothing_is_made(pairs, count, lengths):
    assert recombine(pairs, count, lengths, Stream(("none",))) == ()
