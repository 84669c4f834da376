"""Numerals: digits with separators and whole numbers in words."""

from fractions import Fraction

import pytest

from argus_rl.text.numerals import (
    MAX_DIGITS,
    parse_digits,
    read_cardinal,
    times_power_of_ten,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", Fraction(2469, 2)),
        ("1.234.567", 1234567),
        ("1.234,5", Fraction(2469, 2)),
        ("3,5", Fraction(7, 2)),
        ("007", 7),
        (".5", Fraction(1, 2)),
        ("1,23,456", 123456),
    ],
)
def test_separators_are_read_where_they_cannot_be_mistaken(text: str, value: Fraction):
    assert parse_digits(text) == value


@pytest.mark.parametrize("text", ["1.2.3", "1,23,4", "1000,000", "", ".", "9" * (MAX_DIGITS + 1)])
def test_malformed_and_endless_digits_have_no_value(text: str):
    assert parse_digits(text) is None


@pytest.mark.parametrize(
    ("words", "value", "used"),
    [
        ("twenty one apples", 21, 2),
        ("two hundred and five", 205, 4),
        ("three thousand forty", 3040, 3),
        ("a hundred pens", 100, 2),
        ("five and six", 5, 1),
        ("twenty twelve", 20, 1),
        ("one million two hundred thousand", 1_200_000, 5),
    ],
)
def test_cardinals_in_words_are_read_as_far_as_they_go(words: str, value: int, used: int):
    assert read_cardinal(words.split()) == (value, used)


def test_words_that_are_no_number_give_none():
    assert read_cardinal(["apples"]) is None
    assert read_cardinal(["a", "pear"]) is None
    assert read_cardinal([]) is None


def test_exponents_beyond_reason_give_none():
    assert times_power_of_ten(Fraction(5), "-1") == Fraction(1, 2)
    assert times_power_of_ten(Fraction(5), "99999") is None
