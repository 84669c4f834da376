r"""The one value a short phrase states, as an exact fraction.

What stands behind an answer marker is a phrase, not a number: "**$1,234.50**", "\frac{3}{4} cup",
"2 1/2 hours", "3 + 4 = 7", "minus twelve degrees".  `read_value` gives the value such a phrase
states, or none where it states no value or more than one: lists, ranges, alternatives, conditions,
ratios, clock times and unevaluated expressions are not answers.  Units, currency signs and `%` are
dropped without conversion, scale words multiply, and nothing is evaluated but `a/b` and `w a/b`.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from argus_rl.text.numerals import (
    DENOMINATORS,
    SCALES,
    TENS,
    UNITS,
    parse_digits,
    read_cardinal,
    times_power_of_ten,
)

MAX_PHRASE = 2000
"""Characters of the longest phrase that is read; a longer one states no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A final answer: an exact value and whether it was written as a percentage."""

    value: Fraction
    """The number as written ("50%" has the value 50), exact."""
    percent: bool = False
    """True where the number carried a percent sign or the word."""

    @property
    def key(self) -> str:
        """Canonical name of the answer: equal answers, and only these, share it."""
        return f"{self.value}%" if self.percent else str(self.value)


_VULGAR = {
    char: f" {numerator}/{denominator}"
    for char, numerator, denominator in (
        *(("½", 1, 2), ("⅓", 1, 3), ("⅔", 2, 3), ("¼", 1, 4), ("¾", 3, 4), ("⅕", 1, 5)),
        *(("⅖", 2, 5), ("⅗", 3, 5), ("⅘", 4, 5), ("⅙", 1, 6), ("⅚", 5, 6), ("⅛", 1, 8)),
        *(("⅜", 3, 8), ("⅝", 5, 8), ("⅞", 7, 8), ("⅐", 1, 7), ("⅑", 1, 9), ("⅒", 1, 10)),
    )
}
_PLAIN_CHARACTERS = str.maketrans(
    _VULGAR
    | dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-")
    | {"\u2044": "/", "\u2215": "/", "\u2217": "*", "\u22c5": "·", "\u2019": "'", "。": "."}
    | {"\u200b": "", "\u200e": "", "\u200f": "", "\u2060": "", "\ufeff": "", "°": " "}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_REWRITES = [
    (re.compile(pattern), new)
    for pattern, new in (
        (r"(?<=\S)\s*[—―]\s*|(?<=\S) – (?=[^\W\d])|(?<=\S)\s*--\s+(?=[^\W\d])", " ; "),
        (r"[—–―]", "-"),
        (r"<</?[^<>]*>>", " "),
        (r"~~[^~]*~~", " "),
        (r"</?[A-Za-z][^<>]*>|&nbsp;", " "),
        (r"\\[dtc]?frac\s*(\d)\s*(\d)", r"\\frac{\1}{\2}"),
        (r"(?<=\d)\s*\\[dtc]?frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}", r" \1/\2"),
        (r"\\[dtc]?frac\s*\{\s*([-+]?[\d.,]+)\s*\}\s*\{\s*([\d.,]+)\s*\}", r"\1/\2"),
        (r"\{,\}|\\,(?=\d{3})|\\!", ""),
        (r"(?<=\d),\\!(?=\d)", ","),
        (r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|mbox|bold|boldsymbol|emph)\s*\{", " {"),
        (r"\\(?:left|right|displaystyle|quad|qquad|big|Big)(?![A-Za-z])", " "),
        (r"\^?\s*\{?\s*\\(?:circ|degree)\s*\}?", " "),
        (r"\\times(?![A-Za-z])", "×"),
        (r"\\(?:cdot|ast)(?![A-Za-z])", "·"),
        (r"\\(?:approx|simeq|sim|doteq|equiv)(?![A-Za-z])", "≈"),
        (r"\\(?:ge|geq|le|leq|ne|neq|pm|mp|sqrt|pi|infty)(?![A-Za-z])", "±"),
        (r"\\[()\[\],;: ]", " "),
        (r"\\([$%#&_{}])", r"\1"),
        (r"([A-Za-z])\}?\s*\^\s*\{?\s*-?\d\s*\}?", r"\1"),
        (r"10\s*\^\s*\{\s*([-+]?\d+)\s*\}", r"10^\1"),
        (r"(?i)\b(?:rs|approx|i\.e|e\.g|ca|usd|eur|gbp|inr)\b\.?\s*(?=[\s\d$€£-])", " "),
        (r"[{}`]", " "),
        (r"(?<![\w*)])\*+(?=\S)|(?<=\S)\*+(?![\w*(])|__", ""),
        (r"(?<![A-Za-z\d])_+(?=\S)|(?<=\S)_+(?![A-Za-z\d])", ""),
        (r"(?<=\S)\s*\[\^?\d{1,3}\]", " "),
        (r"(?i)\b(?:minus|negative)\s+(?=[$€£]?\s*[\d.])", "-"),
        (r"\s+", " "),
    )
]


def normalise(text: str) -> str:
    """Plain form of a phrase: one kind of minus, no markup, no LaTeX commands, no unit exponents.

    Full-width digits become plain ones, "½" becomes "1/2", "cm²" becomes "cm".
    """
    text = re.sub(r"10\s*([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", _plain_power, text)
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+", "", text).translate(_PLAIN_CHARACTERS)
    text = unicodedata.normalize("NFKC", text)
    for pattern, new in _REWRITES:
        text = pattern.sub(new, text)
    return text.strip()


def _plain_power(match: re.Match[str]) -> str:
    return "10^" + match.group(1).translate(_SUPERSCRIPTS)


_DIGITS = r"(?:\d{1,3}(?:[ ]\d{3})+(?![\d.,/:]|\w)|\d[\d.,'_]*\d|\d|\.\d+)"
_NUMBER = re.compile(
    rf"""(?<![\w.])(?<!\d[,:/])(?:
      (?P<hex>0[xXbo][0-9A-Fa-f]+)
    | (?P<whole>\d+)(?:\s+and\s+|\s+|\s*&\s*)(?P<top>\d+)\s?/\s?(?P<bottom>\d+)(?![\d.,]*[\d/:])
    | (?P<numerator>{_DIGITS})\s?/\s?[$€£]?(?P<denominator>\d[\d.,]*\d|\d)(?!\w|\s?[/:]\s?\d)
    | (?P<digits>{_DIGITS})(?P<odd>:\d[\d:]*|/\d[\d/]*)?
      (?:[eE](?P<exponent>[-+]?\d+)(?!\w))?
      (?:\s?[x×*·]\s?10\s?(?:\^|\*\*)\s?\(?\s?(?P<power>[-+]?\d+)\)?)?
    )
    (?P<scale>\s?-?(?:hundred|thousand|million|billion|trillion|dozen|lakh|crore)s?\b
      |[kKMB](?!\w)|[bm]n(?!\w))?
    (?P<percent>\s?(?:%|per\s?cent\b|pct\b|percentage\b))?""",
    re.VERBOSE,
)
_SCALE_VALUES = SCALES | {"dozen": 12, "lakh": 10**5, "crore": 10**7}
_SCALE_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "mn": 10**6, "bn": 10**9}

_BOUND_BEFORE = re.compile(r"(?:(?:^|\s),|[*/^√×÷±<>≤≥≠·]|\bsqrt|\*\*)\s*\(?\s*$")
_BOUND_AFTER = re.compile(
    r"\s*(?:[+*×÷^±·√]|/(?!\s*[A-Za-z])|- |-\s*[\d(]|\.?\(\s*[\d.]|[xyz](?!\w)|!=)"
)
_CONDITION = re.compile(
    r"(?i)\b(?:if|unless|otherwise|depending|between|nan|infinity|pi)\b|∞|π|√|±"
)
_REJECTED = re.compile(
    r"(?i)[,;(]?\s*\b(?:(?:and|but)\s+)?(?:not|instead of|rather than)\s+"
    r"(?:the |a |just |only |simply |[$€£]\s*)*-?\d(?:[\d.,/]*\d)?\s?%?"
)
_CUT = re.compile(
    r"(?i)[\s,;]+(?:because|since|as(?! (?:many|much|well))|which|where|given|after|when|for|in|"
    r"on|at|from|per|so|by|with|while)\b|\s;\s|,\s+(?=[A-Za-z])"
)
_ASIDE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_ALTERNATIVE = re.compile(r"(?i)\b(?:or|either|alternatively|maybe|perhaps|possibly)\b")
_SAME = re.compile(r"(?i)^\W*(?:or|i\.?e\.?|that is|equivalently|also written(?: as)?)\W*$")
_FILLER = re.compile(
    r"(?i)^(?:\W|about\b|exactly\b|only\b|just\b|approximately\b|roughly\b|simply\b|therefore\b|"
    r"that\b|a total of\b|equal to\b|thus\b|now\b|then\b|hence\b)*"
)


def read_value(phrase: str, *, marked: bool = True) -> Answer | None:
    """The value that `phrase` states, None where it states none or several.

    `marked` phrases stand behind an answer marker: number words count, and what follows the
    number as an explanation ("18, because 3 x 6 = 18", "7 (not 8)") is set aside.  Unmarked ones
    must hold exactly one number, or end in an equation.
    """
    if len(phrase) > MAX_PHRASE:
        return None
    text = normalise(phrase)
    if _CONDITION.search(text) or "-ish" in text or re.search(r"[<>≤≥≠!]=?\s*-?\d|!=", text):
        return None
    if marked:
        text = _set_aside(text)
    right = _right_hand_side(text)
    if right is None:
        return None
    return _only_value(right, marked=marked)


def _set_aside(text: str) -> str:
    """Drop rejected values, asides in brackets after a number, and explanations."""
    text = _REJECTED.sub(" ", text)
    first = re.search(r"\d", text)
    if first is None:
        return text
    kept = list[str]()
    end = 0
    for aside in _ASIDE.finditer(text):
        content = aside.group(1) or aside.group(2) or ""
        before = text[aside.start() - 1 : aside.start()]
        factor = before in "0123456789." and content[:1].isdigit()
        if aside.start() > first.start() and not factor and not _ALTERNATIVE.search(content):
            kept.append(text[end : aside.start()])
            end = aside.end()
    text = "".join(kept) + text[end:]
    for cut in _CUT.finditer(text):
        head = text[: cut.start()]
        rest = text[cut.end() :]
        if len(list(_NUMBER.finditer(head))) == 1 and not _more_alternatives(rest):
            return head
    return text


def _more_alternatives(rest: str) -> bool:
    return (
        re.match(r"(?i)\s*(?:or\b|maybe\b|perhaps\b|and\b|to\b|but\b|possibly\b)", rest) is not None
    )


def _right_hand_side(text: str) -> str | None:
    """The part behind the last equality sign; None where several quantities are equated."""
    parts = re.split(r"\s*(?:==?|≈|≅|≃)\s*", text)
    if len(parts) == 1:
        return text
    if any(re.search(r"\b(?:or|and)\b|[,;]\s", middle) for middle in parts[1:-1]):
        return None
    return parts[-1] if re.search(r"\d", parts[-1]) else parts[-2]


def _only_value(text: str, *, marked: bool) -> Answer | None:
    matches = list(_NUMBER.finditer(text))
    loose = _count_digit_runs(text, matches)
    if loose:
        return None
    if not matches:
        return _word_value(text) if marked else None
    values = list(_values(text, matches))
    first = values[0]
    if first is None or any(value is None for value in values):
        return None
    if len(matches) == 1:
        tail = text[matches[0].end() :]
        return None if _word_alternative(tail) else first
    between = (text[a.end() : b.start()] for a, b in pairwise(matches))
    same = all(value == first for value in values) and all(_SAME.match(gap) for gap in between)
    return first if same else None


def _count_digit_runs(text: str, matches: list[re.Match[str]]) -> int:
    """Digits that belong to no readable number and to no name such as "B12" or "cm2"."""
    outside = "".join(
        text[start:end]
        for start, end in zip(
            [0, *(match.end() for match in matches)],
            [*(match.start() for match in matches), len(text)],
            strict=True,
        )
    )
    return len(re.findall(r"(?<![A-Za-z\d])\d", outside))


def _word_alternative(tail: str) -> bool:
    found = re.match(r"(?i)\s*(?:or|to)\s+([a-z]+)", tail)
    return found is not None and (found.group(1) in UNITS or found.group(1) in TENS)


def _values(text: str, matches: list[re.Match[str]]) -> Iterator[Answer | None]:
    end = 0
    for match in matches:
        sign = _sign(text[:end], text[end : match.start()])
        value = _magnitude(match, currency=text[: match.start()].rstrip()[-1:] in tuple("$€£¥₹"))
        endless = "." in match.group() and text.startswith("..", match.end())
        if sign == 0 or value is None or endless or _BOUND_AFTER.match(text, match.end()):
            yield None
        else:
            yield Answer(value=sign * value, percent=match.group("percent") is not None)
        end = match.end()


def _sign(before: str, gap: str) -> int:
    """Sign written in `gap`, the text between the last number and this one; 0 where malformed."""
    if _BOUND_BEFORE.search(gap):
        return 0
    lead = gap.rstrip(" $€£¥₹¢(")
    if not lead.endswith(("-", "+")):
        return 1
    rest = lead[:-1].rstrip("$€£¥₹")
    spaced = gap != lead and gap[len(lead)] == " "
    if rest.endswith(("-", "+", "- ", "+ ")):
        return 0
    bound = rest.rstrip()[-1:].isalnum() or rest.rstrip().endswith(")")
    if not rest.strip() and before:
        bound = True
    if bound and (spaced or not rest.endswith(" ")):
        return 0
    return -1 if lead.endswith("-") else 1


def _magnitude(match: re.Match[str], *, currency: bool) -> Fraction | None:
    part = match.groupdict()
    value: Fraction | None = None
    if part["whole"] is not None:
        whole = parse_digits(part["whole"])
        rest = _quotient(part["top"], part["bottom"])
        if whole is not None and rest is not None and rest < 1:
            value = whole + rest
    elif part["numerator"] is not None:
        value = _quotient(part["numerator"], part["denominator"])
    elif part["digits"] is not None and part["odd"] is None:
        value = parse_digits(part["digits"].rstrip(".,"))
        for exponent in (part["exponent"], part["power"]):
            if value is not None and exponent is not None:
                value = times_power_of_ten(value, exponent)
    return None if value is None else value * _scale(part["scale"], currency=currency)


def _quotient(top: str, bottom: str) -> Fraction | None:
    numerator, denominator = parse_digits(top), parse_digits(bottom)
    if numerator is None or not denominator:
        return None
    return numerator / denominator


def _scale(word: str | None, *, currency: bool) -> int:
    if word is None:
        return 1
    name = word.strip(" -").rstrip("s") if len(word) > 2 else word
    if name in _SCALE_VALUES:
        return _SCALE_VALUES[name]
    if name == "B" and not currency:
        return 1
    return _SCALE_LETTERS[name.lower()]


def _word_value(text: str) -> Answer | None:
    """Value of a phrase that opens with a number in words, as in "twenty-one apples"."""
    lead = _FILLER.match(text)
    words = re.findall(r"[a-z]+|%", text[lead.end() if lead else 0 :].lower())
    sign = -1 if words[:1] in (["minus"], ["negative"]) else 1
    words = words[1:] if sign < 0 else words
    read = read_word_number(words)
    if read is None:
        return None
    value, end = read
    rest = words[end:]
    if any(word in UNITS or word in TENS or word in ("or", "and", "to") for word in rest):
        return None
    percent = rest[:1] in (["percent"], ["%"]) or rest[:2] == ["per", "cent"]
    return Answer(value=sign * value, percent=percent)


def read_word_number(words: list[str]) -> tuple[Fraction, int] | None:
    """Number in words at the start of `words`, with halves, thirds, quarters and dozens.

    Returns `(value, words used)`.  "two and a half" is 5/2, "three quarters" 3/4, "a dozen" 12.
    """
    if words[:1] == ["half"]:
        return (Fraction(6), 3) if words[1:3] == ["a", "dozen"] else (Fraction(1, 2), 1)
    if words[:1] in (["a"], ["an"], ["one"]) and words[1:2] and words[1] in DENOMINATORS:
        return Fraction(1, DENOMINATORS[words[1]]), 2
    if words[:2] == ["a", "dozen"]:
        return Fraction(12), 2
    read = read_cardinal(words)
    if read is None:
        return None
    value, end = Fraction(read[0]), read[1]
    if words[end : end + 1] in (["dozen"], ["dozens"]):
        return value * 12, end + 1
    if words[end : end + 1] and words[end] in DENOMINATORS and words[end].endswith("s"):
        return value / DENOMINATORS[words[end]], end + 1
    if words[end : end + 1] == ["and"]:
        rest = read_word_number(words[end + 1 :])
        if rest is not None and rest[0] < 1:
            return value + rest[0], end + 1 + rest[1]
    return value, end
