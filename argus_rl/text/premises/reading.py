"""A problem text as a line of words and typed quantities.

"Maya packs 12 apples and $7" becomes `maya packs N0 apples and M1`, so that a relation between
quantities is one short pattern, whatever the numbers are and however they are written.  The letter
tells the type: N count or bare number, M money, U measure with a unit, P percentage, F fraction,
X factor ("twice", "three times"), T time of day, Y year.  A sentence that is not asserted
(questions, estimates, attributed, negated or conditional statements) becomes `#`.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from fractions import Fraction

from argus_rl.text.numerals import DENOMINATORS, SCALES, parse_digits, read_cardinal
from argus_rl.text.premises.asserted import MAX_TEXT, TOKEN, is_asserted, sentences_of
from argus_rl.text.premises.measures import PACKS, SHORT_UNITS, UNITS
from argus_rl.text.premises.vocabulary import (
    AMOUNTS,
    BEFORE_YEAR,
    CURRENCY,
    EVEN_PLURALS,
    FACTOR_WORDS,
    FRACTION_CHARS,
    LABELS,
    OCCASIONS,
    OF_A_WHOLE,
    STOP_NOUN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One quantity of the text."""

    kind: str
    """Type letter, one of N M U P F X T Y."""
    value: Fraction
    """Value as written (12 for "a dozen", 30 for "30%", minutes after midnight for a clock)."""
    span: tuple[int, int]
    """Characters [start, end) in the text."""
    dimension: str = ""
    """Dimension of a measure or of money, else empty."""
    ratio: Fraction = Fraction(1)
    """Size of its unit in the smallest unit of the dimension."""
    noun: str = ""
    """Head noun behind a count, singular; empty where there is none."""
    compound: bool = False
    """Whether it was given in two units ("2 hours and 15 minutes")."""
    pack: int = 1
    """12 where the count was given in dozens, 2 in pairs; the value counts single things."""
    half_day: bool = True
    """Whether a time of day carries a.m. or p.m. or is in 24 hours."""

    @property
    def base(self) -> Fraction:
        """Value in the smallest unit of its dimension."""
        return self.value * self.ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text in its abstract form."""

    text: str
    """The text as given, at most `MAX_TEXT` characters."""
    form: str
    """Words and quantity names; sentences end in " . "."""
    quantities: tuple[Quantity, ...]
    """The quantities by number."""

    def of(self, name: str) -> Quantity:
        """The quantity a name such as "N3" stands for."""
        return self.quantities[int(name[1:])]


@dataclass(slots=True)
class _Reader:
    """Walks over the tokens once and collects words and quantities."""

    text: str
    tokens: list[re.Match[str]]
    words: list[str]
    quantities: list[Quantity] = field(default_factory=list[Quantity])
    form: list[str] = field(default_factory=list[str])

    def read(self, start: int, end: int) -> None:
        index = start
        while index < end:
            taken = self._factor(index) or self._clock(index) or self._number(index, end)
            if taken:
                index = taken
            else:
                self.form.append(self.words[index])
                index += 1

    def word(self, index: int) -> str:
        return self.words[index] if 0 <= index < len(self.words) else ""

    def add(self, quantity: Quantity) -> None:
        self.form.append(f"{quantity.kind}{len(self.quantities)}")
        self.quantities.append(quantity)

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.tokens[start].start(), self.tokens[end - 1].end()

    def _factor(self, index: int) -> int:
        """Read "twice" and "thrice"."""
        value = FACTOR_WORDS.get(self.words[index])
        if self.word(index + 1) in ("the", "that", "his", "her", "what"):
            value = {"double": 2, "triple": 3}.get(self.words[index], value)
        if value is None:
            return 0
        span = self.span(index, index + 1)
        self.add(Quantity(kind="X", value=Fraction(value), span=span))
        return index + 1

    def _clock(self, index: int) -> int:
        """Read a time of day ("9:40 a.m.", "noon", "10 p.m.", "half past nine")."""
        word = self.words[index]
        if word in ("noon", "midday", "midnight"):
            minutes = 720 if word != "midnight" else 0
            self.add(Quantity(kind="T", value=Fraction(minutes), span=self.span(index, index + 1)))
            return index + 1
        if not (word.isdigit() and len(word) <= 2):
            return 0
        end, minutes = index + 1, 60 * int(word)
        clock = False
        minute = self.word(index + 2)
        if self.word(index + 1) == ":" and len(minute) == 2 and minute.isdigit():
            minutes, end, clock = minutes + int(minute), index + 3, True
        half = {"am": 0, "pm": 720}.get(self.word(end).replace(".", "").replace(" ", ""))
        known = half is not None or minutes >= 780
        if half is not None:
            minutes = minutes % 720 + half
            end, clock = end + 1, True
        elif self.word(end) in ("o'clock", "o’clock"):
            end, clock = end + 1, True
        if not clock or minutes > 1440:
            return 0
        span = self.span(index, end)
        self.add(Quantity(kind="T", value=Fraction(minutes), span=span, half_day=known))
        return end

    def _number(self, index: int, limit: int) -> int:
        """Read a number with its unit; returns the index behind it, 0 where none starts here."""
        start, dimension = index, ""
        if self.words[index] in CURRENCY:
            dimension, index = CURRENCY[self.words[index]], index + 1
        if (
            self._names_a_model(index)
            or self.word(index - 1) in LABELS
            or self.word(index + 1) in ("th", "st", "nd", "rd")
        ):
            return 0
        read = self._value(index, limit) if index < limit else None
        if read is None:
            return 0
        value, end, fraction = read
        if self.word(end) in SCALES and self.word(end) != "hundred":
            value, end = value * SCALES[self.word(end)], end + 1
        if self.word(end) in ("percent", "%") or self.words[end : end + 2] == ["per", "cent"]:
            end += 2 if self.word(end) == "per" else 1
            self.add(Quantity(kind="P", value=value, span=self.span(start, end)))
            return end
        if dimension:
            span = self.span(start, end)
            self.add(Quantity(kind="M", value=value, span=span, dimension=dimension))
            return end
        amount = self.word(end + 1) == "this" and self.word(end + 2) in AMOUNTS
        if self.word(end) == "times" and (amount or self.word(end + 1) not in OCCASIONS):
            self.add(Quantity(kind="X", value=value, span=self.span(start, end + 1)))
            return end + 1
        return self._with_unit(start, end, value, fraction=fraction)

    def _names_a_model(self, index: int) -> bool:
        """Whether a long number belongs to a name, as in "the Widgeteer 3000"."""
        name = self.tokens[index - 1].group() if index else ""
        plain = name[:1].isupper() and name.lower() not in BEFORE_YEAR
        return plain and self.words[index].isdigit() and len(self.words[index]) > 3

    def _with_unit(self, start: int, end: int, value: Fraction, *, fraction: bool) -> int:
        pack = 1
        if self.word(end) == "baker's" and self.word(end + 1) in PACKS:
            pack, value, end = 13, value * 13, end + 2
        elif self.word(end) in PACKS and not fraction:
            size = PACKS[self.word(end)]
            pack, value, end = size, value * size, end + 1
            if self.words[end : end + 3] == ["and", "a", "half"]:
                value, end = value + Fraction(size, 2), end + 3
            end += self.word(end) == "of"
        unit_at = end + (self.word(end) == "-")
        square = self.word(unit_at) in ("square", "sq", "cubic")
        name = self.word(unit_at + square)
        short = name in SHORT_UNITS and not self.words[end - 1][-1:].isdigit()
        article = end + (self.word(end) == "of")
        part = fraction and self.word(article) in ("a", "an") and self.word(article + 1) in UNITS
        if part and self.word(article + 1) not in SHORT_UNITS:
            return self._measure(start, article + 2, value, "")
        if pack == 1 and name in UNITS and not short:
            return self._measure(start, unit_at + square + 1, value, self.word(unit_at) * square)
        kind = "F" if fraction else "N"
        if kind == "N" and self._is_year(start, value, end):
            kind = "Y"
        noun = self._noun(unit_at)
        span = self.span(start, end)
        self.add(Quantity(kind=kind, value=value, span=span, noun=noun, pack=pack))
        return end

    def _measure(self, start: int, end: int, value: Fraction, power: str) -> int:
        """Add a measure; "2 hours and 15 minutes" is one."""
        name, first_end = self.word(end - 1), end
        dimension, ratio = UNITS[name]
        if power:
            dimension, ratio = f"{power} {name}", Fraction(1)
        while not power:
            step = end + (self.word(end) in ("and", ","))
            more = parse_digits(self.word(step)) if self.word(step)[:1].isdigit() else None
            next_dimension, next_ratio = UNITS.get(self.word(step + 1), ("", Fraction(1)))
            if more is None or next_dimension != dimension or next_ratio >= ratio:
                break
            value, end, ratio = value * ratio / next_ratio + more, step + 2, next_ratio
        kind = "M" if dimension in ("money", "euro") else "U"
        if kind == "M":
            value, ratio = value * ratio, Fraction(1)
        self.add(
            Quantity(
                kind=kind,
                value=value,
                span=self.span(start, end),
                dimension=dimension,
                ratio=ratio,
                compound=end > first_end,
            )
        )
        return end

    def _noun(self, index: int) -> str:
        noun = ""
        for word in self.words[index : index + 3]:
            if word in STOP_NOUN or not word.isalpha():
                break
            noun = word
            if word.endswith("s") or word in EVEN_PLURALS:
                break
        return singular(noun)

    def _is_year(self, start: int, value: Fraction, end: int) -> bool:
        before = self.word(start - 1)
        year = 1000 <= value <= 2100 and len(self.words[start]) == 4 and end == start + 1
        paired = (
            before == "and" and len(self.word(start - 2)) == 4 and self.word(start - 2).isdigit()
        )
        return year and (paired or before in BEFORE_YEAR)

    def _value(self, index: int, limit: int) -> tuple[Fraction, int, bool] | None:
        """Value, index behind it and whether it is a fraction below one."""
        word = self.words[index]
        if word in FRACTION_CHARS:
            return Fraction(*FRACTION_CHARS[word]), index + 1, True
        if word[0].isdigit() or word[0] == ".":
            return self._digits(index)
        return self._number_words(index, limit)

    def _digits(self, index: int) -> tuple[Fraction, int, bool] | None:
        value = parse_digits(self.words[index])
        if value is None:
            return None
        end = index + 1
        nxt = self.word(end)
        if nxt == "/" and self.word(end + 1).isdigit() and int(self.word(end + 1)[:9]):
            return value / int(self.word(end + 1)[:9]), end + 2, True
        if nxt in FRACTION_CHARS:
            return value + Fraction(*FRACTION_CHARS[nxt]), end + 1, False
        if nxt.isdigit() and self.word(end + 1) == "/" and self.word(end + 2).isdigit():
            bottom = int(self.word(end + 2)[:9])
            if bottom:
                return value + Fraction(int(nxt[:9]), bottom), end + 3, False
        return self._and_a_half(value, end)

    def _and_a_half(self, value: Fraction, end: int) -> tuple[Fraction, int, bool]:
        part = self.word(end + 3) == "of"
        if (
            not part
            and self.words[end : end + 2] == ["and", "a"]
            and self.word(end + 2) in DENOMINATORS
        ):
            return value + Fraction(1, DENOMINATORS[self.word(end + 2)]), end + 3, False
        return value, end, False

    def _number_words(self, index: int, limit: int) -> tuple[Fraction, int, bool] | None:
        word, after = self.words[index], self.word(index + 1)
        if word in ("a", "an") and after in UNITS and self.words[index + 2 : index + 3] == ["and"]:
            smaller = UNITS.get(self.word(index + 4), ("", Fraction(0)))
            nested = smaller[0] == UNITS[after][0] and smaller[1] < UNITS[after][1]
            if nested and self.word(index + 3).isdigit():
                return Fraction(1), index + 1, False
        if word == "half" and after not in ("past", "-"):
            if self.words[index + 1 : index + 3] == ["a", "dozen"]:
                return Fraction(1, 2), index + 2, False
            return Fraction(1, 2), index + 1, True
        if word in ("a", "an", "one") and after in DENOMINATORS and after not in ("fourths",):
            if self.word(index + 2) in ("to", "past"):
                return None
            return Fraction(1, DENOMINATORS[after]), index + 2, True
        things = self.word(index + 3)[:1].isalpha() and self.word(index + 2) == "of"
        counted = after == "dozen" or (after in ("score", "gross") and things)
        if word in ("a", "one") and counted:
            return Fraction(1), index + 1, False
        return self._cardinal(index, limit)

    def _are_parts(self, count: int, after: int) -> bool:
        """Whether "quarters" are fractions here and not coins."""
        said = self.word(after) in OF_A_WHOLE and count in (1, 3)
        return self.word(after) == "of" or said

    def _cardinal(self, index: int, limit: int) -> tuple[Fraction, int, bool] | None:
        """A whole number in words, with the fraction it may count or carry."""
        plain = [w for w in self.words[index : min(limit, index + 12)] if w != "-"]
        read = read_cardinal(plain)
        halved = (
            self.words[index + 1 : index + 3] == ["and", "a"] and self.word(index + 3) == "half"
        )
        pronoun = plain[:1] == ["one"] and self.word(index + 1) not in PACKS and not halved
        if read is None or (pronoun and read[1] == 1):
            return None
        end = index
        for _ in range(read[1]):
            end += 1 + (self.word(end) == "-")
        if self.word(end) == "-" and self.word(end + 1) in DENOMINATORS:
            end += 1
        if self.word(end) in DENOMINATORS and self.word(end).endswith("s"):
            coins = read[0] >= DENOMINATORS[self.word(end)] or (
                self.word(end) == "quarters" and not self._are_parts(read[0], end + 1)
            )
            if not coins:
                return Fraction(read[0], DENOMINATORS[self.word(end)]), end + 1, True
        return self._and_a_half(Fraction(read[0]), end)


def singular(noun: str) -> str:
    """Rough singular, enough to compare two mentions of a noun."""
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses", "oes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us")) and len(noun) > 2:
        return noun[:-1]
    return {"children": "child", "people": "person", "men": "man", "women": "woman"}.get(noun, noun)


def _plain(word: str) -> str:
    """A word in small letters, its accents left out."""
    if word.isascii():
        return word.lower()
    if word in FRACTION_CHARS:
        return word
    parts = unicodedata.normalize("NFKD", word.lower().replace("’", "'"))
    return "".join(part for part in parts if not unicodedata.combining(part)) or word


def read_text(text: str) -> Reading:
    """The abstract form of a problem text; only what the text asserts takes part."""
    text = text[:MAX_TEXT]
    tokens = list(TOKEN.finditer(text))
    words = [_plain(match.group()) for match in tokens]
    reader = _Reader(text, tokens, words)
    for start, end in sentences_of(text, tokens):
        if is_asserted(text, tokens, start, end):
            reader.read(start, end)
        else:
            reader.form.append("#")
        reader.form.append(".")
    return Reading(text=text, form=" ".join(reader.form), quantities=tuple(reader.quantities))
