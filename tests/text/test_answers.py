"""The final answer of a completion: markers, numerals, abstentions, equality, bounded work."""

import json
import os
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.text.answers import (
    Answer,
    answers_match,
    extract_answer,
    first_turn,
    parse_answer,
)

DATA = Path(os.environ.get("ARGUS_DATA_DIR", Path(__file__).parents[2] / ".." / "shared" / "data"))

READ = [
    ("#### 1,234", "1234"),
    ("#### 1.234,50", "1234.5"),
    ("#### 1'234.50", "1234.5"),
    ("#### 12,34,567", "1234567"),
    ("#### 18\u202f000", "18000"),
    ("#### 0,5", "1/2"),
    ("#### -$1,234.50", "-1234.5"),
    ("#### ($-5)", "-5"),
    ("#### minus twelve", "-12"),
    ("#### 1½", "3/2"),
    ("#### 3 1/2 cups", "7/2"),
    ("#### 2.5 million dollars", "2500000"),
    ("#### $5k", "5000"),
    ("#### 1.5 × 10²", "150"),
    ("#### one hundred and five", "105"),
    ("#### two-thirds of it", "2/3"),
    ("#### 18 cm^{2}", "18"),
    ("#### 18 (3 x 6)", "18"),
    ("#### 18 - 2 = 16", "16"),
    ("#### Answer: 18", "18"),
    ("#### Final answer\n\\boxed{18}", "18"),
    ("\\boxed{\\boxed{18\\text{ apples}}}", "18"),
    ("\\boxed{-\\dfrac{3}{4}}", "-3/4"),
    ("\\boxed{\\$1{,}234}", "1234"),
    ("<think>\nThe answer is 5.\n</think><answer> $18 </answer>", "18"),
    ("reasoning 5 </think> The answer is 18.", "18"),
    ('```json\n{"work": "x", "answer": "1,234"}\n```', "1234"),
    ("**Final Answer:** **18**", "18"),
    ("The answer is:\n\n$$18$$", "18"),
    ("The answer is not 18 but 20.", "20"),
    ("The answer is 18 because 3 x 6 = 18.", "18"),
    ("The answer is 18. The answer is", "18"),
    ("#### 0.5 or 1/2", "1/2"),
    ("A: 10", "10"),
    ("I did 3 things. Then he had 18 left.", "18"),
    ("9 * 2 = $<<9*2=18>>18 a day.", "18"),
    ("Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; the answer is 17", "17"),
]
ABSTAIN = [
    "#### nan",
    "#### Infinity",
    "#### None",
    "#### 1.2.3",
    "#### 0x12",
    "#### --5",
    "#### 7/0",
    "#### 10:00",
    "#### 3:2",
    "#### 10-12",
    "#### 16, 17",
    "#### 5 out of 8",
    "#### 5 feet 6 inches",
    "#### 12 apples and 3 pears",
    "#### 18 if lucky",
    "#### 9**9**9**9",
    "#### 2^10",
    "#### 1e999999999",
    "#### 0.333...",
    "#### 0.(3)",
    "#### ±5",
    "#### 18x",
    "####\n18",
    "\\boxed{2\\sqrt{3}}",
    "\\boxed{18",
    "<answer>18",
    '{"answer": [1, 2]}',
    "<think>The answer is 5",
    "The answer is 1, 2 or 3.",
    "The answer is x = 5 or x = 6.",
    "The answer is not 18.",
    "18 18 18",
    "So 12 apples and 3 pears are left.",
    "",
]


@pytest.mark.parametrize(("completion", "value"), READ)
def test_an_answer_is_read_in_every_usual_form(completion: str, value: str):
    assert answers_match(extract_answer(completion), value)


@pytest.mark.parametrize("completion", ABSTAIN)
def test_an_ambiguous_or_malformed_answer_is_none(completion: str):
    assert extract_answer(completion) is None


def test_the_last_marker_of_the_strongest_kind_decides():
    assert extract_answer("The answer is 5. #### 6\nThe answer is 7.") == Answer(value=Fraction(6))
    assert extract_answer("#### 6\nWait.\n#### 7") == Answer(value=Fraction(7))
    assert extract_answer("\\boxed{1} <answer>2</answer>") == Answer(value=Fraction(1))


@pytest.mark.parametrize("stop", ["<|im_end|>", "</s>", "<|eot_id|>", "\nUser: and now?\n"])
def test_only_the_first_turn_counts(stop: str):
    assert answers_match(extract_answer(f"The answer is 5.{stop}The answer is 6."), "5")


def test_a_turn_that_never_stops_reasoning_is_no_turn():
    assert first_turn("so <think>hmm") is None


def test_a_percentage_equals_its_number_and_its_share_but_not_another_percentage():
    half = extract_answer("#### 50%")
    assert answers_match(half, "50")
    assert answers_match(half, "0.5")
    assert answers_match(half, "50%")
    assert not answers_match(half, "5000")
    assert not answers_match(half, "5000%")
    assert half is not None
    assert half.key != Answer(value=Fraction(50)).key


def test_none_matches_nothing():
    assert not answers_match(None, "0")
    assert not answers_match(extract_answer("#### 5"), "nan")


@given(st.integers(min_value=-(10**30), max_value=10**30))
def test_every_integer_survives_writing_and_reading(number: int):
    for text in (f"#### {number}", f"#### {number:,}", f"\\boxed{{{number}}}", f"answer: {number}"):
        assert extract_answer(text) == Answer(value=Fraction(number))


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=999))
def test_every_fraction_is_read_exactly(number: Fraction):
    answer = extract_answer(f"The answer is {number}.")
    assert answer == Answer(value=number)
    assert parse_answer(str(number)) == answer


@given(st.integers(0, 10**6), st.integers(0, 999_999))
def test_decimals_are_never_rounded(whole: int, decimals: int):
    text = f"{whole}.{decimals:06d}"
    assert extract_answer(f"#### {text}") == Answer(value=Fraction(text))


@given(st.text(max_size=300))
def test_no_text_raises(text: str):
    extract_answer(text)
    answers_match(extract_answer(f"#### {text}"), text)


@pytest.mark.parametrize(
    "part",
    ["9", "9**", "#### 1 ", "\\boxed{", "<think>", "the answer is ", "(", "= ", '{"answer": ', "½"],
)
def test_work_is_bounded_on_any_input(part: str):
    start = time.process_time()
    extract_answer("#### " + part * 20_000)
    extract_answer("the answer is " + part * 20_000)
    extract_answer(part * 20_000)
    assert time.process_time() - start < 3


def test_the_labelled_completions_are_judged_right():
    file = DATA / "answers" / "dev.jsonl"
    if not file.exists():
        pytest.skip(f"no labelled answers at {file}")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]
    wrong = [
        row["id"]
        for row in rows
        if answers_match(extract_answer(row["completion"]), row["gold"]) != row["should_match"]
    ]
    assert wrong == []
