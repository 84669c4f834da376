"""Plain arithmetic, read and evaluated exactly.

Tokens are numbers, operators, brackets, words and variables; a recursive descent over
`sum -> product -> signed -> power -> atom` evaluates them as fractions.  Digits, exponents, depth
and the size of intermediate results are bounded, so that no expression costs more than a moment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from argus_rl.text.numerals import MAX_DIGITS, parse_digits

MAX_TOKENS = 120
"""Tokens of the longest side that is evaluated."""

MAX_BITS = 2048
"""Size of the largest numerator or denominator a side may reach."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    """n number, o operator, ( ) brackets, w word, v variable, b break."""
    text: str
    value: Fraction | None = None
    percent: bool = False
    tight: bool = False
    """Written directly behind the token before it, or a sign directly before its number."""


class UnreadableExpression(ValueError):
    """The side is no plain arithmetic expression."""


_LEXER = re.compile(
    r"(?P<clock>\d{1,2}:\d{2})|(?P<n>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)(?P<percent>\s?%|\s?percent\b)?"
    r"|(?P<o>\*\*|[-+*/÷×·^−–∙]|[xX](?=\s*[(\d.-]))"
    r"|(?P<w>(?:(?<=\d)[-/]\s?(?=[A-Za-z]{2}))?[A-Za-z][\w'’]*(?:\s?[-/]\s?[A-Za-z]+)*)"
    r"|(?P<p>[()])|(?P<s>\s+)|(?P<b>.)",
    re.DOTALL,
)
_OPERATORS = {"x": "*", "X": "*", "×": "*", "·": "*", "∙": "*", "÷": "/", "−": "-", "–": "-"} | {
    "**": "^"
}
DROPPED_SIGNS = str.maketrans("", "", "$€£¥₹`\\")
"""Currency and markup that carry no value, for `str.translate`."""
_UNIT_LETTERS = frozenset("gmhlLkaI")


def evaluate(expression: str) -> Fraction | None:
    """Exact value of a plain arithmetic expression; None where it is malformed or divides by zero.

    >>> evaluate("2 * (3 + 4) / 4")
    Fraction(7, 2)
    """
    try:
        return evaluate_tokens(tokens_of(expression.translate(DROPPED_SIGNS)))
    except UnreadableExpression:
        return None


def tokens_of(side: str) -> list[Token]:
    """The tokens of a text; what cannot be part of an expression is a break."""
    tokens = list[Token]()
    blank = True
    for match in _LEXER.finditer(side):
        kind, text = match.lastgroup, match.group()
        if kind == "s":
            blank = True
            continue
        if match.group("n") is not None:
            value = parse_digits(match.group("n")) if len(text) <= MAX_DIGITS else None
            percent = match.group("percent") is not None
            if value is not None and percent:
                value /= 100
            tokens.append(Token("b" if value is None else "n", text, value, percent, not blank))
        elif kind == "o":
            tight = side[match.end() : match.end() + 1].strip() != "" and blank
            tokens.append(Token("o", _OPERATORS.get(text, text), tight=tight))
        elif kind == "w":
            variable = len(text) == 1 and text not in _UNIT_LETTERS
            tokens.append(Token("v" if variable else "w", text, tight=not blank))
        else:
            tokens.append(Token(text if kind == "p" else "b", text, tight=not blank))
        blank = False
    return tokens


def evaluate_tokens(tokens: Sequence[Token]) -> Fraction | None:
    """Exact value of an expression, None where it divides by zero."""
    if len(tokens) == 1 and tokens[0].value is not None:
        return tokens[0].value
    if len(tokens) > MAX_TOKENS:
        raise UnreadableExpression
    parser = _Parser([token for token in tokens if token.kind != "w"])
    try:
        value = parser.sum()
    except ZeroDivisionError:
        return None
    if parser.index != len(parser.tokens):
        raise UnreadableExpression
    return value


class _Parser:
    """Recursive descent over `sum -> product -> signed -> power -> atom`."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0

    def sum(self) -> Fraction:
        value = self.product()
        while operator := self.take("+-"):
            other = self.product()
            value = _bounded(value + other if operator == "+" else value - other)
        return value

    def product(self) -> Fraction:
        value = self.signed()
        while True:
            if operator := self.take("*/"):
                other = self.signed()
                value = _bounded(value * other if operator == "*" else value / other)
            elif self.index < len(self.tokens) and self.tokens[self.index].kind == "(":
                value = _bounded(value * self.signed())
            else:
                return value

    def signed(self) -> Fraction:
        negative = False
        while operator := self.take("+-"):
            negative ^= operator == "-"
        value = self.power()
        return -value if negative else value

    def power(self) -> Fraction:
        value = self.atom()
        if not self.take("^"):
            return value
        exponent = self.signed()
        size = max(value.numerator.bit_length(), value.denominator.bit_length())
        if exponent.denominator != 1 or abs(exponent) * size > MAX_BITS:
            raise UnreadableExpression
        return Fraction(value**exponent.numerator)

    def atom(self) -> Fraction:
        token = self.tokens[self.index] if self.index < len(self.tokens) else None
        if token is None or self.depth > 20:
            raise UnreadableExpression
        self.index += 1
        if token.value is not None:
            return token.value
        if token.kind != "(":
            raise UnreadableExpression
        self.depth += 1
        value = self.sum()
        self.depth -= 1
        if self.index >= len(self.tokens) or self.tokens[self.index].kind != ")":
            raise UnreadableExpression
        self.index += 1
        return value

    def take(self, operators: str) -> str:
        """The next token's text when it is one of `operators`, which is then used up, else ""."""
        if self.index < len(self.tokens):
            token = self.tokens[self.index]
            if token.kind == "o" and token.text in operators:
                self.index += 1
                return token.text
        return ""


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise UnreadableExpression
    return value
