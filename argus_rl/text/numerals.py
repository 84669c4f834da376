"""Numerals as they are written, read exactly.

One reading of "1,234.50", "1.234,50", "1'234", "2.5e3" and "two hundred and five" serves the whole
text room, so that the answer of a chain, its equations and the premises of a problem cannot
disagree about what a string of digits means.  The comma groups thousands and the point is the
decimal sign; other conventions are read only where they cannot be mistaken for these.  Values are
exact fractions.  Strings longer than `MAX_DIGITS` digits and exponents beyond `MAX_EXPONENT` have
no value, which bounds the work on any input.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

MAX_DIGITS = 300
"""Digits a numeral may have; longer ones have no value."""

MAX_EXPONENT = 300
"""Largest absolute power of ten that is read."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a blank-separated list, in order."""
    return tuple(text.split())


UNITS = {
    word: value
    for value, word in enumerate(
        words_of(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen "
            "fourteen fifteen sixteen seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate(
        words_of("twenty thirty forty fifty sixty seventy eighty ninety"), start=2
    )
} | {"fourty": 40}
SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_ORDINALS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "fifteenth": 15,
    "sixteenth": 16,
    "twentieth": 20,
    "hundredth": 100,
}
DENOMINATORS = _ORDINALS | {f"{word}s": value for word, value in _ORDINALS.items() if value > 2}

_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+\.?\d*|\.\d+")
_ZERO_COMMA = re.compile(r"0+,\d+")
_DECIMAL_COMMA = re.compile(r"\d+,(?:\d{1,2}|\d{4,})")
_EUROPEAN = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")
_MARKED = re.compile(
    r"[1-9]\d{0,2}(?P<mark>['\u2019_ \u00a0\u2009\u202f])\d{3}(?:(?P=mark)\d{3})*(?:[.,]\d+)?"
)
_MARKS = str.maketrans("", "", "'\u2019_ \u00a0\u2009\u202f")


def parse_digits(text: str) -> Fraction | None:
    """Value of one unsigned run of digits and separators, None when it is malformed.

    >>> parse_digits("1,234.5"), parse_digits("1.2.3")
    (Fraction(2469, 2), None)
    """
    if len(text) > 2 * MAX_DIGITS:
        return None
    if _PLAIN.fullmatch(text):
        plain = text
    elif _THOUSANDS.fullmatch(text) or _INDIAN.fullmatch(text):
        plain = text.replace(",", "")
    elif _ZERO_COMMA.fullmatch(text) or _DECIMAL_COMMA.fullmatch(text):
        plain = text.replace(",", ".")
    elif _EUROPEAN.fullmatch(text):
        plain = text.replace(".", "").replace(",", ".")
    elif _MARKED.fullmatch(text):
        plain = text.translate(_MARKS).replace(",", ".")
    else:
        return None
    if len(plain) > MAX_DIGITS:
        return None
    whole, _, decimals = plain.partition(".")
    return Fraction(int(f"{whole}{decimals}" or "0"), 10 ** len(decimals))


def times_power_of_ten(value: Fraction, exponent: str) -> Fraction | None:
    """`value` x 10**exponent, None where the exponent is too large to be meant."""
    if len(exponent) > 5 or abs(int(exponent)) > MAX_EXPONENT:
        return None
    return value * Fraction(10) ** int(exponent)


def read_cardinal(words: Sequence[str], start: int = 0) -> tuple[int, int] | None:
    """Read a whole number in words from lower-case `words[start:]`.

    Returns `(value, index after the last word used)`, or None when no number starts there.
    Hyphenated words must be split before ("twenty-one" -> "twenty", "one").
    """
    total, group, index, last = 0, 0, start, start
    room = 1000  # the next unit must be smaller than the zeros the last word left open
    while index < len(words):
        word = words[index]
        value = UNITS.get(word, TENS.get(word, -1))
        if value >= 0 and value < room and not (value == 0 and index > start):
            group += value
            room = 10 if word in TENS else 0
        elif word == "hundred" and 0 < group < 100:
            group, room = group * 100, 100
        elif word in SCALES and word != "hundred" and group > 0 and index > start:
            total, group, room = total + group * SCALES[word], 0, 1000
        elif word == "and" and room >= 100 and index > start and words[index - 1] in SCALES:
            index += 1
            continue
        elif word == "a" and index == start and words[index + 1 : index + 2] in _SCALE_STARTS:
            group = 1
        else:
            break
        index += 1
        last = index
    return (total + group, last) if last > start else None


_SCALE_STARTS = [[word] for word in SCALES]
