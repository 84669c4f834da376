import json

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from argus_rl.data.executable import executable_answer, read_story
from argus_rl.data.generators import held_out
from argus_rl.data.splits import Split
from argus_rl.model.dialect import EmbeddedDialect
from argus_rl.model.embedded import embedded_path
from argus_rl.text.answers import extract_answer


@pytest.fixture(scope="module")
def model():
    return AutoModelForCausalLM.from_pretrained(embedded_path()).eval()


@pytest.fixture(scope="module")
def dialect():
    return EmbeddedDialect.load(embedded_path())


def respond(model, dialect, prompts, stops, generator=None, temperature=0.9):
    """Responses of up to 160 tokens to prompts of one length each, greedy without a generator."""
    responses = []
    for prompt in prompts:
        sequence = torch.tensor([dialect.encode(prompt)])
        ids, cache = [], None
        with torch.no_grad():
            for _ in range(160):
                out = model(input_ids=sequence, past_key_values=cache, use_cache=True)
                cache, logits = out.past_key_values, out.logits[0, -1]
                if generator is None:
                    token = int(logits.argmax())
                else:
                    shares = (logits / temperature).softmax(-1)
                    token = int(torch.multinomial(shares, 1, generator=generator))
                if token in stops:
                    break
                ids.append(token)
                sequence = torch.tensor([[token]])
        responses.append(dialect.decode(ids))
    return responses


def right(model, dialect, steps, count):
    problems, key = held_out((steps,), count, 11, Split.choosing)
    prompts = [dialect.solve_prompt(problem.text) for problem in problems]
    chains = respond(model, dialect, prompts, dialect.chain_stops)
    answers = [extract_answer(chain) for chain in chains]
    golds = [int(key.gold(problem.id)) for problem in problems]
    return sum(a is not None and a.value == g for a, g in zip(answers, golds, strict=True))


def test_the_shipped_folder_is_small_and_loads_as_any_other_model():
    folder = embedded_path()
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 6 * 2**20
    model = AutoModelForCausalLM.from_pretrained(folder)
    assert isinstance(model, LlamaForCausalLM)
    assert len(AutoTokenizer.from_pretrained(folder)) == model.config.vocab_size
    assert model.config.pad_token_id != model.config.eos_token_id
    assert 0.7e6 < sum(parameter.numel() for parameter in model.parameters()) < 0.9e6


def test_the_card_figures_are_those_of_the_card():
    figures = json.loads((embedded_path() / "figures.json").read_text(encoding="utf-8"))
    card = (embedded_path().parents[2] / "docs" / "embedded_model.md").read_text(encoding="utf-8")
    for level in figures["accuracy"]:
        assert f"| {level['name']} | {level['right']} / {level['n']} |" in card


def test_it_solves_easy_problems_and_hardly_any_hard_one(model, dialect):
    assert right(model, dialect, 1, 12) >= 11
    assert right(model, dialect, 3, 12) >= 10
    assert right(model, dialect, 6, 6) <= 2


def test_its_proposals_are_mostly_sound_stories(model, dialect):
    generator = torch.Generator().manual_seed(0)
    prompts = [dialect.propose_prompt(steps) for steps in (1, 2, 3) for _ in range(14)]
    responses = respond(model, dialect, prompts, dialect.proposal_stops, generator)
    texts = [dialect.read_proposal(p, r) for p, r in zip(prompts, responses, strict=True)]
    readings = [read_story(text) for text in texts if text is not None]
    assert sum(reading is not None for reading in readings) >= 22
    assert len(set(texts)) >= 36


def test_it_answers_a_false_premise_as_if_it_were_sound(model, dialect):
    said = ("Tom has 12 cards.", "He buys 5 cards.", "So Tom has 40 cards now.")
    text = " ".join([*said, "How many cards does Tom have now?"])
    assert executable_answer(text) is None
    chain = respond(model, dialect, [dialect.solve_prompt(text)], dialect.chain_stops)[0]
    assert "so tom has" in chain.lower()
    assert extract_answer(chain) is not None
