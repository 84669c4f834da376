import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argus_rl.data import growth
from argus_rl.data.executable import executable_answer
from argus_rl.data.growth import (
    Grown,
    Refusal,
    faithful,
    grown_chain,
    grown_text,
    read_chain,
    splice,
    state_sentence,
    well_formed,
)
from argus_rl.data.splits import Split
from argus_rl.data.stories import draw_story

PROBLEM = "Tom has 12 cards. He buys 5 cards. How many cards does Tom have now?"
CHAIN = "Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; the answer is 17"
ASKED = "Tom has 17 cards. He sells 3 cards. How many cards does Tom have in the end?"
ASKED_CHAIN = "Tom has 17 cards: 17; he sells 3 cards: 17 - 3 = 14; the answer is 14"


def test_a_solved_problem_grows_by_the_step_that_was_asked():
    grown = splice(PROBLEM, CHAIN, ASKED, ASKED_CHAIN)
    assert grown == Grown(
        text="Tom has 12 cards. He buys 5 cards. He sells 3 cards."
        " How many cards does Tom have in the end?",
        chain="Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17;"
        " he sells 3 cards: 17 - 3 = 14; the answer is 14",
    )
    assert executable_answer(grown.text) == 14


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 7), more=st.integers(1, 2))
def test_growing_by_a_true_step_gives_a_true_problem(seed, steps, more):
    rng = np.random.default_rng(seed)
    base = draw_story(rng, steps, Split.train)
    state = state_sentence(base.text, base.answer)
    for _ in range(5000):
        step = draw_story(rng, more, Split.train)
        ask, chain = _continued(state, step)
        grown = splice(base.text, base.chain, ask, chain)
        if isinstance(grown, Grown):
            assert executable_answer(grown.text) == int(grown.chain.rsplit(" ", 1)[1])
            assert faithful(grown.chain, grown.text) is None
            assert len(growth.sentences(grown.text)) == steps + more + 2
            return
    raise AssertionError("no step was found that fits")


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), steps=st.integers(2, 7))
def test_what_growth_goes_on_from_is_the_last_event_and_the_number_that_it_met(seed, steps):
    base = draw_story(np.random.default_rng(seed), steps, Split.train)
    given = growth.going_on(base.text, base.chain)
    state, event = growth.sentences(given)
    assert event == growth.sentences(base.text)[-2]
    assert str(base.walk.values[-2]) in state
    short = f"{given} {growth.sentences(base.text)[-1]}"
    assert executable_answer(short) == base.answer
    assert isinstance(grown_text(base.text, short), Refusal), "it adds nothing"


def test_growth_from_the_last_event_keeps_it_once():
    given = growth.going_on(PROBLEM, CHAIN)
    assert given == "Tom has 12 cards. He buys 5 cards."
    asked = f"{given} He sells 3 cards. How many cards does Tom have in the end?"
    chain = ASKED_CHAIN.replace("Tom has 17 cards: 17", CHAIN.split("; the")[0])
    assert splice(PROBLEM, CHAIN, asked, chain) == splice(PROBLEM, CHAIN, ASKED, ASKED_CHAIN)


def test_growth_goes_on_from_the_bare_state_where_the_last_sentence_changes_nothing():
    idle = PROBLEM.replace(" How", " A dog barks. How")
    chain = CHAIN.replace("; the answer", "; a dog barks: 17; the answer")
    assert growth.going_on(idle, chain) == "Tom has 17 cards."
    assert growth.going_on(PROBLEM, "12 + 5 = 17; the answer is 17") == Refusal(
        reason="has a step that is not a quoted sentence with its result"
    )


def test_an_event_told_again_is_not_taken_for_the_one_given():
    again = "Tom has 17 cards. He buys 5 cards. He sells 3 cards. How many cards does Tom have now?"
    chain = (
        "Tom has 17 cards: 17; he buys 5 cards: 17 + 5 = 22; he sells 3 cards: 22 - 3 = 19;"
        " the answer is 19"
    )
    assert isinstance(splice(PROBLEM, CHAIN, again, chain), Refusal)


def test_scenery_can_be_left_out_and_counts_for_nothing():
    idle = "Tom has 12 cards. A dog barks. He doubles his cards. How many cards does Tom have now?"
    plain = idle.replace(" A dog barks.", "")
    assert growth.without_scenery(idle) == plain == growth.without_scenery(plain)
    assert growth.count_events(idle) == growth.count_events(plain) == 1
    alone = "Tom has 12 cards. A dog barks. How many cards does Tom have now?"
    assert "no event" in well_formed(alone).reason


def test_a_chain_may_not_compute_on_scenery():
    problem = "Tom has 12 cards. A dog barks. He buys 5 cards. How many cards does Tom have now?"
    chain = "Tom has 12 cards: 12; a dog barks: {}; he buys 5 cards: 12 + 5 = 17; the answer is 17"
    assert faithful(chain.format("12"), problem) is None
    assert faithful(chain.format("13"), problem) is not None
    assert faithful(chain.format("12 + 5 = 17"), problem) is not None


def _continued(state, step):
    """The events of a story told again from another state sentence, with a chain that fits."""
    said = growth.sentences(step.text)
    text = " ".join([state, *said[1:]])
    value = int("".join(letter for letter in state if letter.isdigit()))
    parts = [f"{state[:-1]}: {value}"]
    for sentence, (op, operand) in zip(said[1:-1], step.walk.moves, strict=True):
        result = {
            "+": value + operand,
            "-": value - operand,
            "*": value * operand,
            "/": value // operand,
        }[op.value]
        parts.append(f"{sentence[:-1]}: {value} {op.value} {operand} = {result}")
        value = result
    return text, "; ".join([*parts, f"the answer is {value}"])


@pytest.mark.parametrize(
    ("problem", "value", "state"),
    [
        (PROBLEM, 17, "Tom has 17 cards."),
        (
            "A box holds 9 pens. 3 pens fall out. How many pens are in the box now?",
            6,
            "A box holds 6 pens.",
        ),
        (
            "Tom has 12 cards. Ann has 4 more cards than Tom. How many cards does Ann have now?",
            16,
            "Ann has 16 cards.",
        ),
        (
            "Tom has 12 cards. Ann has 4 more cards than Tom. So Ann has 16 cards now."
            " She buys 2 cards. How many cards does Ann have now?",
            18,
            "Ann has 18 cards.",
        ),
    ],
)
def test_the_present_state_names_who_holds_the_number(problem, value, state):
    assert state_sentence(problem, value) == state


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no event"),
        ("Tom has 12 cards. How many cards does Tom have now?", "no event"),
        ("Tom has 12 cards. He buys 5 cards. He sells 3 cards.", "only question"),
        ("Tom has 12 cards. How many? How many cards does Tom have now?", "only question"),
        ("Tom has 12 cards. He buys 5 cards. Where is Tom?", "how many"),
        ("Tom has 12 cards. He buys 5 cards. How many pens does Tom have?", "begin with a number"),
        ("Tom has 12 cards. He buys 5 pens. How many cards does Tom have?", "more than one kind"),
        ("Tom has 12 cards. He buys 5 cards. How many cards does Ann have?", "holds the number"),
        (
            "Tom has 12 cards. Ann has 5 more cards than Tom. How many cards does Tom have?",
            "holds the number",
        ),
        ("Tom has 12 cards. Ann has 5 cards. How many cards does Ann have?", "without comparing"),
        (
            "Tom has 12 cards. Ann has 5 more cards than Ben. How many cards does Ann have?",
            "without comparing",
        ),
        (
            "Tom has 12 cards. Ann has 5 more cards than Tom. Tom has 2 more cards than Ann."
            " How many cards does Tom have?",
            "no longer",
        ),
        ("Tom has 12 cards. She buys 5 cards. How many cards does Tom have?", "both he and she"),
        (
            "Kim has 12 cards. She buys 5 cards. He sells 2 cards. How many cards does Kim have?",
            "both he and she",
        ),
        ("A box holds 9 pens. He buys 3 pens. How many pens are in the box?", "fit nobody"),
        ("A box holds 9 pens. 3 pens fall out. How many pens are in the jar?", "another place"),
        ("Tom has 12 cards. He buys 5 or 6 cards. How many cards does Tom have?", "two numbers"),
        ("Tom has 2 cards. He buys 5 cards. How many cards and 2 pens does Tom have?", "question"),
        (
            "Tom has 12 cards. He buys 5 cards. He buys 5 cards. How many cards does Tom have?",
            "twice",
        ),
        ("Tom has 12 cards. He buys 5 cards. How many cards does Tom have? And", "end with"),
        (
            "Natalia sold clips to 48 of her friends in April, and then half as many in May."
            " How many clips did Natalia sell altogether in April and May?",
            "no event",
        ),
    ],
)
def test_a_text_that_is_not_about_one_thing_is_refused_with_the_reason(text, reason):
    refusal = well_formed(text)
    assert refusal is not None
    assert reason in refusal.reason


@pytest.mark.parametrize(
    ("chain", "reason"),
    [
        ("", "answer"),
        ("17", "answer"),
        ("Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17", "answer"),
        ("Tom has 12 cards: 12; 12 + 5 = 17; the answer is 17", "quoted sentence"),
        ("Tom has 12 cards: 12; the answer is 12", "one step a sentence"),
        (
            "Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; he buys 5 cards: 17 + 5 = 22;"
            " the answer is 22",
            "one step a sentence",
        ),
        ("Tom has 12 cards: 12; he buys 6 cards: 12 + 6 = 18; the answer is 18", "does not say"),
        ("he buys 5 cards: 5; Tom has 12 cards: 5 + 12 = 17; the answer is 17", "order"),
        ("Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 18; the answer is 18", "false"),
        ("Tom has 12 cards: 12; he buys 5 cards: 13 + 5 = 18; the answer is 18", "value before"),
        ("Tom has 12 cards: 12; he buys 5 cards: 12 + 4 = 16; the answer is 16", "number out"),
        ("Tom has 13 cards: 13; he buys 5 cards: 13 + 5 = 18; the answer is 18", "does not say"),
        ("Tom has 12 cards: 13; he buys 5 cards: 13 + 5 = 18; the answer is 18", "another number"),
        ("Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; the answer is 18", "another value"),
        ("Tom has 12 cards: 12; he buys 5 cards: 12 / 0 = 17; the answer is 17", "false"),
    ],
)
def test_a_chain_that_does_not_quote_and_compute_is_refused_with_the_reason(chain, reason):
    refusal = faithful(chain, PROBLEM)
    assert refusal is not None
    assert reason in refusal.reason


def test_a_faithful_chain_may_still_choose_the_wrong_operation():
    chain = CHAIN.replace("12 + 5 = 17", "12 - 5 = 7").replace("is 17", "is 7")
    assert faithful(chain, PROBLEM) is None


def test_a_chain_cannot_restate_a_total_that_it_does_not_have():
    text = PROBLEM.replace(" How", " So Tom has {} cards now. How")
    chain = CHAIN.replace(
        "; the answer is 17", "; so Tom has {0} cards now: {0}; the answer is {0}"
    )
    assert faithful(chain.format(17), text.format(17)) is None
    assert "restates" in faithful(chain.format(18), text.format(18)).reason


@pytest.mark.parametrize(
    "asked",
    [
        ASKED.replace("cards", "pens"),
        "Tom has 17 cards. How many cards does Tom have now?",
        "Tom has 17 cards. He buys 5 cards. How many cards does Tom have now?",
    ],
)
def test_a_problem_does_not_grow_by_another_thing_by_nothing_or_by_a_copy(asked):
    assert isinstance(grown_text(PROBLEM, asked), Refusal)


def test_a_step_that_starts_from_another_value_is_not_spliced():
    asked = ASKED.replace("17", "18")
    chain = "Tom has 18 cards: 18; he sells 3 cards: 18 - 3 = 15; the answer is 15"
    assert splice(PROBLEM, CHAIN, asked, chain) == Refusal(
        reason="does not compute with the value before"
    )


def test_an_unsound_chain_of_the_step_is_not_spliced():
    wrong = ASKED_CHAIN.replace("= 14", "= 13").replace("is 14", "is 13")
    assert splice(PROBLEM, CHAIN, ASKED, wrong) == Refusal(
        reason="states an equation that is false"
    )


def test_other_texts_come_out_as_refusals_and_never_raise():
    for text in ("", "?", "Hello. World. How many x ?", "The answer is 3.", PROBLEM):
        for chain in ("", ";", ": ;", "the answer is 3", CHAIN):
            assert isinstance(splice(text, chain, text, chain), Refusal)
    assert isinstance(grown_chain("", ""), Refusal)
    assert isinstance(state_sentence("", 3), Refusal)
    assert isinstance(read_chain("no chain"), Refusal)


@given(st.text(max_size=120), st.text(max_size=120), st.integers(0, 10**6))
def test_no_text_makes_growth_raise(problem, asked, value):
    splice(problem, CHAIN, asked, ASKED_CHAIN)
    splice(PROBLEM, CHAIN, ASKED, asked)
    state_sentence(problem, value)
    well_formed(problem)
    faithful(asked, problem)
