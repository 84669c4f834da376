import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argus_rl.data.executable import executable_answer, read_story, why_unreadable
from argus_rl.data.growth import count_events, faithful, well_formed
from argus_rl.data.splits import Split, split_of_numbers, split_of_wording
from argus_rl.data.stories import LARGEST, Walk, draw_story
from argus_rl.data.story_forms import FAMILIES, Op

SPLITS = st.sampled_from(list(Split))


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 10), split=SPLITS)
def test_numbers_and_wording_of_a_story_each_belong_to_its_split_alone(seed, steps, split):
    story = draw_story(np.random.default_rng(seed), steps, split)
    assert split_of_numbers(story.walk.numbers) is split
    assert split_of_wording(story.wording) is split
    assert story.wording == re.sub(r"\d+", "#", story.wording)


@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(1, 10),
    restate=st.booleans(),
    idle=st.integers(0, 4),
)
def test_the_interpreter_reads_from_the_text_what_the_generator_put_in(seed, steps, restate, idle):
    rng = np.random.default_rng(seed)
    story = draw_story(rng, steps, Split.train, restate=restate, scenery=idle)
    reading = read_story(story.text)
    assert reading is not None, why_unreadable(story.text)
    assert reading.answer == story.answer
    assert reading.steps == steps
    assert reading.numbers == story.walk.numbers
    assert reading.wording == story.wording


@given(
    seed=st.integers(0, 2**32),
    steps=st.integers(1, 10),
    restate=st.booleans(),
    idle=st.integers(0, 4),
)
def test_every_story_and_its_chain_pass_the_checks_that_growth_makes(seed, steps, restate, idle):
    rng = np.random.default_rng(seed)
    story = draw_story(rng, steps, Split.train, restate=restate, scenery=idle)
    assert well_formed(story.text) is None
    assert faithful(story.chain, story.text) is None
    assert count_events(story.text) == steps
    assert story.chain.endswith(f"the answer is {story.answer}")


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 10))
def test_all_states_are_whole_numbers_from_1_to_99(seed, steps):
    story = draw_story(np.random.default_rng(seed), steps, Split.train)
    assert all(1 <= value <= LARGEST for value in story.walk.values)
    assert story.walk.values[-1] == story.answer


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 10), split=SPLITS)
def test_the_same_stream_tells_the_same_story(seed, steps, split):
    first = draw_story(np.random.default_rng(seed), steps, split)
    assert draw_story(np.random.default_rng(seed), steps, split) == first


def test_no_sentence_of_a_story_occurs_twice():
    rng = np.random.default_rng(3)
    for _ in range(200):
        said = re.findall(r"[^.?]+[.?]", draw_story(rng, 8, Split.train).text)
        assert len(set(said)) == len(said)


def test_every_story_type_operation_and_comparison_occurs():
    rng = np.random.default_rng(4)
    stories = [draw_story(rng, 4, Split.train) for _ in range(400)]
    assert {story.family for story in stories} == {family.name for family in FAMILIES}
    assert {op for story in stories for op, _ in story.walk.moves} == set(Op)
    text = " ".join(story.text for story in stories)
    for words in ("more cards than", "dollars", "minutes", "half of", "a third", "doubles"):
        assert words in text


def test_every_sentence_form_occurs_in_the_training_draw():
    rng = np.random.default_rng(5)
    text = " ".join(draw_story(rng, 8, Split.train).text for _ in range(1500)).lower()
    for family in FAMILIES:
        for form in family.forms:
            pattern = re.sub(r"\\\{\w+\\\}", r"[a-z0-9]+", re.escape(form.text))
            assert re.search(pattern, text), form.text


def test_words_are_shared_between_splits():
    words = {}
    for split in Split:
        rng = np.random.default_rng(6)
        text = " ".join(draw_story(rng, 6, split).text for _ in range(400))
        words[split] = set(re.findall(r"[A-Za-z]+", text))
    assert all(words[split] <= words[Split.train] for split in Split)


def test_a_story_without_steps_is_refused():
    with pytest.raises(ValueError, match="at least 1 step"):
        draw_story(np.random.default_rng(0), 0, Split.train)


def test_a_walk_that_leaves_the_whole_numbers_is_refused():
    with pytest.raises(ValueError, match="no whole number"):
        _ = Walk(start=5, moves=((Op.divide, 2),)).values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Tom has 5 cards. He sells 8 cards. How many cards does Tom have now?", "no count"),
        ("Tom has 5 cards. He loses half of his cards. How many cards does Tom have now?", "count"),
        ("Tom has 5 cards. She buys 8 cards. How many cards does Tom have now?", "calls Tom"),
        ("Tom has 5 cards. He buys 8 pens. How many cards does Tom have now?", "speaks of pens"),
        ("Tom has 5 cards. He buys 8 cards. How many cards does Ann have now?", "speaks of Ann"),
        (
            "Tom has 5 cards. Ann has 3 more cards than Tom. Tom has 2 more cards than Ann."
            " How many cards does Tom have now?",
            "twice",
        ),
        (
            "Tom has 5 cards. He buys 8 cards. So Tom has 14 cards now."
            " How many cards does Tom have now?",
            "states 14",
        ),
        ("A box holds 4 pens. They are packed into 0 equal bags. How many?", "no event"),
        ("Janet's ducks lay 16 eggs. How many eggs are left?", "no story begins"),
        ("How many?", "not a sequence"),
        ("", "not a sequence"),
        ("Tom has 5 cards. How many cards does Tom have now? He buys 3.", "question"),
        ("Tom has 5 cards. How many cards does Tom have now? and", "not a sequence"),
    ],
)
def test_a_text_that_is_no_sound_story_has_no_answer_and_a_reason(text, reason):
    assert executable_answer(text) is None
    assert reason in why_unreadable(text)


def test_a_readable_text_has_no_reason():
    text = "Tom has 5 cards. He buys 8 cards. How many cards does Tom have now?"
    assert executable_answer(text) == 13
    assert not why_unreadable(text)


@given(st.text(max_size=200))
def test_the_interpreter_never_raises(text):
    executable_answer(text)
    well_formed(text)
    faithful(text, text)
