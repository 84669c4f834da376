"""Stated equations: which are read, which are true, what a chain derives."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.text.equations import numbers_in, stated_equations
from argus_rl.text.expression import evaluate

TRUE = [
    "12 + 5 = 17",
    "12+5=17.",
    "$1,200 / 4 = $300",
    "3 x 4 = 12",
    "3×4=12",
    "20 ÷ 5 = 4",
    "10% of 50 = 5",
    "1/2 of 10 = 5",
    "50% = 0.5",
    "8/32*100 = 25%",
    "5 apples + 3 apples = 8 apples",
    "2 hours * 60 minutes/hour = 120 minutes",
    "2(3+4) = 14",
    "-6 + 3 = -3",
    "10 - -3 = 13",
    "2^3 = 8",
    "total = 12 + 5 = 17",
    "48/2 = <<48/2=24>>24 clips",
    "a total of $<<3000+1800=4800>>4,800 per year",
    "\\frac{1}{2} \\times 4 = 2",
]
FALSE = ["12 + 5 = 18", "3 x 4 = 13", "7/0 = 0", "10/3 = 3.33", "48/2 = <<48/2=23>>23"]
UNREAD = [
    "x + 4 = 9",
    "5x = 10",
    "1 hour = 60 minutes",
    "boxes of 4 = 12",
    "price - 6 = 3",
    "half of 10 = 4",
    "100 + 10% = 110",
    "5 + 3 >= 7",
    "9^9^9^9 = 1",
    "= 5",
    "5 =",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_true_equation_is_read_once_and_true(text: str):
    assert [equation.true for equation in stated_equations(text)] == [True]


@pytest.mark.parametrize("text", FALSE)
def test_a_false_equation_is_read_and_false(text: str):
    assert [equation.true for equation in stated_equations(text)] == [False]


@pytest.mark.parametrize("text", UNREAD)
def test_a_side_that_is_not_plain_arithmetic_gives_no_equation(text: str):
    assert stated_equations(text) == ()


def test_a_chain_of_equalities_gives_one_equation_per_sign():
    left, right = stated_equations("2 * 3 + 1 = 6 + 1 = 8")
    assert (left.left, left.right, left.true) == (7, 7, True)
    assert (right.left, right.right, right.true) == (7, 8, False)


def test_numbers_are_found_in_digits_and_in_words():
    text = "Two hundred and five of 1,250.5 items, two dozen and .5 more"
    assert numbers_in(text) == (205, Fraction(2501, 2), 24, Fraction(1, 2))


@given(st.integers(-999, 999), st.integers(-999, 999), st.integers(1, 99), st.integers(-3, 3))
def test_an_equation_is_true_exactly_when_its_sides_are_equal(a: int, b: int, c: int, off: int):
    result = Fraction(a + b, c) + off
    text = f"({a} + {b}) / {c} = {result.numerator} / {result.denominator}"
    (equation,) = stated_equations(text)
    assert equation.true == (off == 0)
    assert equation.left == Fraction(a + b, c)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_large_numbers_are_added_exactly(a: int, b: int):
    assert evaluate(f"{a:,} + {b}") == a + b


@given(st.text(alphabet="0123456789+-*/^()=x.,% $<>;abn", max_size=80))
def test_no_text_raises(text: str):
    stated_equations(text)
    numbers_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000 + "=1",
        "1+" * 30_000 + "1=3",
        "=" * 50_000,
        "9" * 50_000 + "=1",
        "1 a " * 20_000,
    ],
)
def test_work_is_bounded_on_any_input(text: str):
    start = time.process_time()
    stated_equations(text)
    assert time.process_time() - start < 2


def test_a_typical_chain_takes_well_under_a_millisecond():
    chain = "12 + 5 = 17; 17 - 3 = 14; 14 * 2 = 28; the answer is 28"
    start = time.process_time()
    for _ in range(200):
        stated_equations(chain)
    assert (time.process_time() - start) / 200 < 1e-3
