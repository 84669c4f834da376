import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from argus_rl.data.false_premises import false_premise_problems
from argus_rl.data.growth import state_sentence
from argus_rl.data.splits import Split
from argus_rl.data.stories import draw_story
from argus_rl.model.dialect import SEPARATOR, STEP, EmbeddedDialect, readable
from argus_rl.model.embedded import embedded_path

TOKENIZER = AutoTokenizer.from_pretrained(embedded_path())
DIALECT = EmbeddedDialect(TOKENIZER)
BOS, EOS, PAD = TOKENIZER.bos_token_id, TOKENIZER.eos_token_id, TOKENIZER.pad_token_id
PROBLEM = "Tom has 12 cards. He buys 5 cards. How many cards does Tom have now?"


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 10))
def test_every_text_of_the_world_survives_encoding_and_decoding(seed, steps):
    story = draw_story(np.random.default_rng(seed), steps, Split.held_out, restate=True)
    for text in (story.text, story.chain):
        ids = DIALECT.encode_chain(text)
        assert DIALECT.decode(ids) == text
        assert TOKENIZER.unk_token_id not in ids


def test_false_premises_are_written_in_words_that_the_model_knows():
    for problem, _ in false_premise_problems(200, 0):
        assert TOKENIZER.unk_token_id not in DIALECT.encode(problem.text), problem.text


def test_digits_are_single_tokens():
    assert len(DIALECT.encode_chain("12 + 345 = 357")) == 2 + 1 + 3 + 1 + 3 + 1


def test_every_prompt_has_exactly_one_start_token_and_no_end_token():
    prompts = (
        DIALECT.solve_prompt(PROBLEM),
        DIALECT.propose_prompt(3),
        DIALECT.grow_prompt("Tom has 12 cards."),
        "<bos> " + DIALECT.solve_prompt(PROBLEM),
    )
    for prompt in prompts:
        ids = DIALECT.encode(prompt)
        assert ids[0] == BOS
        assert ids.count(BOS) == 1
        assert EOS not in ids


def test_the_tokenizer_itself_adds_one_start_token():
    ids = TOKENIZER(DIALECT.solve_prompt(PROBLEM))["input_ids"]
    assert ids == DIALECT.encode(DIALECT.solve_prompt(PROBLEM))


def test_a_chain_ends_with_the_end_token_which_is_not_the_padding():
    assert DIALECT.encode_chain("the answer is 3")[-1] == EOS
    assert EOS in DIALECT.chain_stops
    assert DIALECT.padding == PAD
    assert PAD not in (*DIALECT.chain_stops, *DIALECT.proposal_stops)


def test_whoever_solves_is_not_told_the_number_of_steps():
    assert STEP not in DIALECT.solve_prompt(PROBLEM)
    assert DIALECT.solve_prompt(PROBLEM).endswith(SEPARATOR)


def test_a_proposal_is_asked_for_in_marks_one_a_step():
    assert DIALECT.propose_prompt(4).count(STEP) == 4
    assert DIALECT.grow_prompt("Tom has 12 cards.").count(STEP) == 1
    assert DIALECT.grow_prompt("Tom has 12 cards.", 3).count(STEP) == 3


def test_a_context_lends_its_first_sentence_and_an_exemplar_who_and_where():
    assert DIALECT.propose_prompt(1, PROBLEM) == f"{STEP} Tom has 12 cards."
    assert DIALECT.propose_prompt(1, None, ("A", PROBLEM)) == f"{STEP} Tom has"
    assert (
        DIALECT.propose_prompt(1, PROBLEM, ("A box holds 3 pens.",)) == f"{STEP} Tom has 12 cards."
    )
    assert DIALECT.propose_prompt(1, "no sentence") == STEP
    assert DIALECT.propose_prompt(1, "", ("",)) == STEP


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("context", [None, PROBLEM])
def test_a_proposal_that_was_encoded_is_read_back(steps, context):
    prompt = DIALECT.propose_prompt(steps, context)
    ids = DIALECT.encode_proposal(prompt, PROBLEM)
    assert ids[-1] in DIALECT.proposal_stops
    assert DIALECT.read_proposal(prompt, DIALECT.decode(ids)) == PROBLEM


def test_growth_goes_on_from_the_state_it_was_given():
    prompt = DIALECT.grow_prompt(state_sentence(PROBLEM, 17))
    asked = "Tom has 17 cards. He sells 3 cards. How many cards does Tom have now?"
    response = DIALECT.decode(DIALECT.encode_proposal(prompt, asked))
    assert response == "He sells 3 cards. How many cards does Tom have now?"
    assert DIALECT.read_proposal(prompt, response) == asked


def test_events_that_are_given_count_among_the_steps_asked_for():
    given = "Tom has 12 cards. He buys 5 cards."
    assert DIALECT.grow_prompt(given, 2).count(STEP) == 3
    assert DIALECT.grow_prompt("Tom has 12 cards.", 2).count(STEP) == 2


def test_a_problem_that_begins_otherwise_cannot_be_the_response_to_a_prompt():
    with pytest.raises(ValueError, match="does not begin"):
        DIALECT.encode_proposal(DIALECT.grow_prompt("Ann has 3 cards."), PROBLEM)


@pytest.mark.parametrize("response", ["", "He buys 5 cards.", "How many? How many?", "<sep>"])
def test_a_response_without_its_one_question_is_no_proposal(response):
    assert DIALECT.read_proposal(DIALECT.propose_prompt(2), response) is None


def test_what_follows_the_separator_is_not_part_of_a_proposal():
    assert DIALECT.read_proposal(STEP, f"{PROBLEM} {SEPARATOR} Tom has") == PROBLEM


def test_english_gets_its_capitals_back():
    assert readable("tom has 5 pens. he sells 2. ann") == "Tom has 5 pens. He sells 2. Ann"
    assert (
        readable("a box holds 3 pens: 3; ann and tomato") == "A box holds 3 pens: 3; Ann and tomato"
    )


def test_foreign_words_become_unknown_and_do_not_raise():
    ids = DIALECT.encode(DIALECT.solve_prompt("Janet’s ducks lay $16 eggs per day — 50%?"))
    assert TOKENIZER.unk_token_id in ids
    assert isinstance(DIALECT.decode(ids), str)


def bare_tokenizer(pad):
    vocab = {"<pad>": 0, "<bos>": 1, "<eos>": 2, "<unk>": 3, STEP: 4}
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(vocab, unk_token="<unk>")),
        pad_token=pad,
        bos_token="<bos>",
        eos_token="<eos>",
        unk_token="<unk>",
        additional_special_tokens=[STEP],
    )


def test_a_tokenizer_of_another_model_is_refused():
    with pytest.raises(ValueError, match="<sep>"):
        EmbeddedDialect(bare_tokenizer("<pad>"))


def test_a_tokenizer_that_pads_with_its_end_token_is_refused():
    tokenizer = AutoTokenizer.from_pretrained(embedded_path())
    tokenizer.pad_token = tokenizer.eos_token
    with pytest.raises(ValueError, match="stop"):
        EmbeddedDialect(tokenizer)
