r"""The equations a chain states, recomputed exactly.

"Tom has 12 cards and buys 5: 12 + 5 = 17" states one equation that can be checked without knowing
the problem.  The share of true equations, and the values they derive, measure whether two chains
that agree on the answer also agree on the way to it.  The reader is a small exact parser over
fractions: `+ - * x × · / ÷ ^`, parentheses, `a = b = c`, currency signs, percentages, units behind
numbers and the `<<48/2=24>>` annotations of GSM8K.  A side it cannot read safely (variables, words
that compute, unit conversions) gives no equation rather than a wrong one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from argus_rl.text.expression import (
    DROPPED_SIGNS,
    MAX_TOKENS,
    Token,
    UnreadableExpression,
    evaluate_tokens,
    tokens_of,
)
from argus_rl.text.numerals import parse_digits, read_cardinal, words_of

MAX_TEXT = 100_000
"""Characters of a chain that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """One stated equality with both sides recomputed."""

    text: str
    """The equation as stated, blanks normalised."""
    left: Fraction | None
    """Value of the left side; None where it divides by zero."""
    right: Fraction
    """Value of the right side."""
    true: bool
    """Whether the two sides are exactly equal."""


_ANNOTATION = re.compile(r"(=?\s*[$€£]?\s*)<<([^<>]*)>>")
_EQUALITY = re.compile(r"(?<![<>!=~:])==?(?![=>])")
_CLAUSE = re.compile(r"[;\n]|(?<=[^\d\s])\.\s|\.\s+(?=[A-Z])")
_LATEX = [
    (re.compile(pattern), new)
    for pattern, new in (
        (r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))"),
        (r"\\(?:times|cdot|ast)(?![A-Za-z])", "*"),
        (r"\\div(?![A-Za-z])", "/"),
        (r"\\(?:text|mathrm)\s*\{([^{}]*)\}", r" \1 "),
        (r"\\(?:left|right)(?![A-Za-z])|\\[,;!:]|\{,\}", ""),
        (r"\\[()\[\]]", " "),
        (r"\\(?:approx|neq?|leq?|geq?|ne)(?![A-Za-z])", "≈"),
    )
]
_COMPUTING_WORDS = frozenset(
    words_of(
        "of times plus minus half twice double triple by divided multiplied less more "
        "percent over from and than"
    )
)


def stated_equations(text: str) -> tuple[Equation, ...]:
    """Every equation of `text` whose two sides can be read, in order.

    >>> [(e.text, e.true) for e in stated_equations("he has 12 + 5 = 17 cards, 17 / 2 = 8")]
    [('12 + 5 = 17', True), ('17 / 2 = 8', False)]
    """
    if "=" not in text:
        return ()
    plain = _plain(text[:MAX_TEXT])
    return tuple(
        equation
        for clause in _CLAUSE.split(plain)
        if "=" in clause
        for equation in _clause_equations(clause)
    )


_NUMBER_OR_WORD = re.compile(r"(?<![\w.])\d[\d,.]*(?<![.,])|(?<![\w.])\.\d+|[A-Za-z]+")


def numbers_in(text: str) -> tuple[Fraction, ...]:
    """Every number of a text in order, in digits or in words ("two hundred", "dozen")."""
    found = list[Fraction]()
    words = list[str]()
    for match in _NUMBER_OR_WORD.finditer(text[:MAX_TEXT]):
        token = match.group()
        if token[0].isalpha():
            words.append(token.lower())
            continue
        found.extend(_word_numbers(words))
        words.clear()
        value = parse_digits(token)
        if value is not None:
            found.append(value)
    found.extend(_word_numbers(words))
    return tuple(found)


def _word_numbers(words: Sequence[str]) -> Iterator[Fraction]:
    index = 0
    while index < len(words):
        if list(words[index : index + 3]) == ["half", "a", "dozen"]:
            yield Fraction(6)
            index += 3
            continue
        read = read_cardinal(words, index)
        value, index = read or (1, index)
        dozens = index < len(words) and words[index] in ("dozen", "dozens")
        if read is not None or dozens:
            yield Fraction(value * 12 if dozens else value)
        if dozens or read is None:
            index += 1


def _plain(text: str) -> str:
    """Text without currency signs and LaTeX, with annotations as equations of their own."""
    if "<<" in text:
        text = _ANNOTATION.sub(_open_annotation, text)
    if "\\" in text:
        for pattern, new in _LATEX:
            text = pattern.sub(new, text)
    return text.translate(DROPPED_SIGNS)


def _open_annotation(match: re.Match[str]) -> str:
    """Drop an annotation that repeats the equation it stands in, else set it apart."""
    return match.group(1) if match.group(1).startswith("=") else f" ; {match.group(2)} ; "


def _clause_equations(clause: str) -> Iterator[Equation]:
    sides = [tokens_of(side) for side in _EQUALITY.split(clause)]
    for left_side, right_side in pairwise(sides):
        left, right = _expression_at_end(left_side), _expression_at_start(right_side)
        if left is not None and right is not None and (equation := _equation(left, right)):
            yield equation


def _expression_at_start(tokens: Sequence[Token]) -> list[Token] | None:
    """Longest arithmetic expression that opens `tokens`, None where there is none."""
    taken = list[Token]()
    depth, end, index, units = 0, 0, 0, 0
    while index < len(tokens) and len(taken) < MAX_TOKENS:
        token = tokens[index]
        operand_before = bool(taken) and taken[-1].kind in "n)"
        if token.kind == "w" and operand_before:
            units += 1
            index += 1
            if units > 3 or token.text.lower() in _COMPUTING_WORDS:
                break
            continue
        if not _continues(token, operand_before=operand_before, depth=depth, units=units):
            break
        depth += {"(": 1, ")": -1}.get(token.kind, 0)
        units = 0
        taken.append(token)
        index += 1
        if depth == 0 and token.kind in "n)":
            end = len(taken)
    if index < len(tokens) and tokens[index].kind == "v" and end == len(taken):
        return None
    return taken[:end] or None


def _continues(token: Token, *, operand_before: bool, depth: int, units: int) -> bool:
    if token.kind == "n":
        return not operand_before
    if token.kind == "o":
        return operand_before or token.text in "+-"
    if token.kind == "(":
        return not operand_before or (token.tight and not units)
    return token.kind == ")" and operand_before and depth > 0


def _expression_at_end(tokens: Sequence[Token]) -> list[Token] | None:
    """Longest arithmetic expression that closes `tokens`, None where it is not safe to read."""
    taken = list[Token]()
    index = len(tokens)
    while True:
        index = _skip_units(tokens, index)
        start = _operand_start(tokens, index)
        if start is None:
            return None
        taken[:0] = tokens[start:index]
        index = start
        before = tokens[index - 1] if index else None
        if before is None or before.kind in "b(":
            break
        if before.kind == "o":
            signed = before.text in "-+" and (index == 1 or tokens[index - 2].kind in "b(o")
            if signed and (before.tight or index == 1 or tokens[index - 2].kind == "b"):
                taken.insert(0, before)
                index -= 1
                if index and tokens[index - 1].kind == "o":
                    taken.insert(0, tokens[index - 1])
                    index -= 1
                    continue
                break
            taken.insert(0, before)
            index -= 1
            continue
        if before.kind == "w" and before.text.lower() not in _COMPUTING_WORDS:
            return None if len(taken) == 1 else taken
        if before.kind == "w" and before.text.lower() == "of":
            share = _share_before(tokens, index - 1)
            if share is None:
                return None
            taken.insert(0, Token("o", "*"))
            index -= 1
            continue
        return None
    bare = sum(token.kind == "n" for token in taken) == 1 and taken[-1].kind == "n"
    return None if bare and len(taken) < len(tokens) else taken


def _share_before(tokens: Sequence[Token], index: int) -> Token | None:
    """The percentage or the fraction that ends before `index`, as in "20% of" or "3/4 of"."""
    before = tokens[index - 1] if index else None
    if before is None or before.kind != "n":
        return None
    fraction = index >= 2 and tokens[index - 2].text == "/"
    return before if before.percent or fraction else None


def _skip_units(tokens: Sequence[Token], index: int) -> int:
    """Index behind the operand that up to three unit words end in."""
    end = index
    while index and tokens[index - 1].kind == "w" and end - index < 3:
        if tokens[index - 1].text.lower() in _COMPUTING_WORDS:
            return end
        index -= 1
    if index and tokens[index - 1].kind in "n)":
        return index
    return end


def _operand_start(tokens: Sequence[Token], end: int) -> int | None:
    """Index where the operand that ends before `end` starts: a number or a bracket."""
    if end == 0 or len(tokens) - end > MAX_TOKENS:
        return None
    if tokens[end - 1].kind == "n":
        return end - 1
    if tokens[end - 1].kind != ")":
        return None
    depth = 0
    for index in range(end - 1, max(-1, end - MAX_TOKENS), -1):
        depth += {")": 1, "(": -1}.get(tokens[index].kind, 0)
        if depth == 0:
            factor = index and tokens[index - 1].kind == "n" and tokens[index].tight
            return index - 1 if factor else index
    return None


def _equation(left: list[Token], right: list[Token]) -> Equation | None:
    try:
        left_value = evaluate_tokens(left)
        right_value = evaluate_tokens(right)
    except UnreadableExpression:
        return None
    if right_value is None:
        return None
    if any(token.percent for token in right) and left_value == 100 * right_value:
        right_value *= 100
    true = left_value == right_value
    if not true and (_mixes_percentages(left) or _divides_twice(left)):
        return None
    text = f"{_spell(left)} = {_spell(right)}"
    return Equation(text=text, left=left_value, right=right_value, true=true)


def _mixes_percentages(tokens: Sequence[Token]) -> bool:
    """Whether a percentage is added to a plain number ("100 + 10%"), which has no one meaning."""
    numbers = {token.percent for token in tokens if token.kind == "n"}
    return len(numbers) == 2 and any(token.text in "+-" for token in tokens if token.kind == "o")


def _divides_twice(tokens: Sequence[Token]) -> bool:
    """Whether a side reads "a / b / c", which may stand for a divided by the fraction b/c."""
    return any(
        first.text == third.text == "/" for first, third in zip(tokens, tokens[2:], strict=False)
    )


def _spell(tokens: Sequence[Token]) -> str:
    text = " ".join(token.text for token in tokens if token.kind != "w")
    return text.replace("( ", "(").replace(" )", ")")
