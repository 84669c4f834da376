"""The plain relations that a quantity can have to a few others: the candidates for a result.

Sums of a list, differences, products, quotients and means, a share of a whole and what it leaves,
rises and falls by a percentage, and the two-step totals of everyday life (two priced lots, a fixed
charge and a rate, a whole less several parts of one size).
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseKind
from argus_rl.text.premises.reading import Quantity
from argus_rl.text.premises.rule import comparable, in_unit_of, written

Guess = tuple[PremiseKind, str, Fraction]
"""Kind, expression and value of one relation."""

NEARNESS = Fraction(1, 4)
"""Largest distance of a slip from the true value, as a share of it."""

_TOTAL = re.compile(r"\b(?:total|sum|whole|combined|joint|together|altogether|in all|both)\b")
_AVERAGE = re.compile(r"\b(?:average|mean|averag\w+)\b")
_SHAPE = re.compile(r"\b(?:perimeter|area|volume|fence|frame|square yard|wide|triangle)\b")
_CHARGED = re.compile(r"\b(?:plus|flat|fixed)\b")


def guesses_of(operands: Sequence[Quantity], claim: Quantity, context: str) -> list[Guess]:
    """Relations of the operands that the claim may state, nearness aside."""
    shares = [operand for operand in operands if operand.kind in "PFX"]
    bases = [operand for operand in operands if operand.kind in "NMU"]
    alike = [operand for operand in bases if comparable(operand, claim)]
    summed = _TOTAL.search(context.split(" . ")[-1]) is not None
    if len(shares) == 1 and len(bases) == 1 and alike and not summed:
        return _parts(shares[0], in_unit_of(bases[0], claim))
    if shares or not alike:
        return []
    numbers = [in_unit_of(base, claim) for base in bases]
    if _AVERAGE.search(context):
        if " sum " in context:
            return []
        if len(numbers) > 2 and bases[0].kind == "N" and numbers[0] == len(numbers) - 1:
            numbers, alike, bases = numbers[1:], alike[-len(numbers) + 1 :], bases[1:]
        mean = sum(numbers, Fraction(0)) / len(numbers)
        listed = " + ".join(written(number) for number in numbers)
        mean_guess = (PremiseKind.AVERAGE, f"({listed}) / {len(numbers)}", mean)
        return [mean_guess, *_products(numbers, context)] if len(alike) == len(bases) else []
    if _SHAPE.search(context):
        return []
    if len(alike) == len(bases):
        mixed = [] if summed else _products(numbers, context) + _two_steps(bases, numbers, context)
        return _totals(numbers) + mixed
    counted = len(alike) == len(bases) - 1 and bases[0].value == len(alike)
    if counted and len(alike) > 1:
        return _totals([in_unit_of(operand, claim) for operand in alike])
    told = summed and " . " in context
    mixed = [] if told else _two_steps(bases, numbers, context)
    return mixed if summed else mixed + _products(numbers, context)


def _parts(share: Quantity, base: Fraction) -> list[Guess]:
    factor = share.value / 100 if share.kind == "P" else share.value
    if share.kind == "X":
        turned = 1 / factor if factor else factor
        factors = [(PremiseKind.COMPARE_TIMES, factor), (PremiseKind.COMPARE_TIMES, turned)]
    elif share.kind == "F":
        factors = [(PremiseKind.FRACTION, factor), (PremiseKind.FRACTION, 1 - factor)]
    else:
        change = PremiseKind.PERCENT_CHANGE
        factors = [(PremiseKind.PERCENT, factor), (change, 1 - factor), (change, 1 + factor)]
    return [
        (kind, f"{written(base)} * {written(value, bracket=True)}", base * value)
        for kind, value in factors
    ]


def _totals(numbers: Sequence[Fraction]) -> list[Guess]:
    total = sum(numbers, Fraction(0))
    listed = [written(number) for number in numbers]
    if len(numbers) == 2:
        large, small = sorted(numbers, reverse=True)
        difference = f"{written(large)} - {written(small)}"
        return [
            (PremiseKind.SUM, " + ".join(listed), total),
            (PremiseKind.DIFFERENCE, difference, large - small),
        ]
    rest = 2 * numbers[0] - total
    return [
        (PremiseKind.LIST_TOTAL, " + ".join(listed), total),
        (PremiseKind.DIFFERENCE, " - ".join(listed), rest),
    ]


def _products(numbers: Sequence[Fraction], context: str) -> list[Guess]:
    if len(numbers) != 2 or _CHARGED.search(context):
        return []
    first, second = numbers
    guesses = list[Guess]()
    if first > 1 and second > 1:
        expression = f"{written(first)} * {written(second)}"
        guesses.append((PremiseKind.PRODUCT, expression, first * second))
    for top, bottom in ((first, second), (second, first)):
        if bottom > 1:
            expression = f"{written(top)} / {written(bottom)}"
            guesses.append((PremiseKind.QUOTIENT, expression, top / bottom))
    return guesses


def _two_steps(bases: Sequence[Quantity], numbers: Sequence[Fraction], context: str) -> list[Guess]:
    """Two priced lots, one and a single price, or a whole less several equal parts."""
    priced = len(re.findall(r"[NU]\d+(?: [a-z]+){0,3} (?:at|of|with|for) [NMU]\d", context))
    kinds = "".join(base.kind for base in bases)
    text = [written(number) for number in numbers]
    if len(numbers) == 4 and (priced == 2 or kinds in ("NMNM", "NUNU")):
        value = numbers[0] * numbers[1] + numbers[2] * numbers[3]
        return [(PremiseKind.MULTI_STEP, f"{text[0]} * {text[1]} + {text[2]} * {text[3]}", value)]
    if len(numbers) == 4 and kinds == "NNMM":
        value = numbers[0] * numbers[2] + numbers[1] * numbers[3]
        return [(PremiseKind.MULTI_STEP, f"{text[0]} * {text[2]} + {text[1]} * {text[3]}", value)]
    if len(numbers) != 3:
        return []
    first, second, third = numbers
    if kinds in ("NMM", "NUU", "NNN") and priced == 1:
        return [
            (PremiseKind.MULTI_STEP, f"{text[0]} * {text[1]} + {text[2]}", first * second + third)
        ]
    if kinds in ("MNM", "UNU"):
        expression = f"{text[0]} - {text[1]} * {text[2]}"
        return [
            (PremiseKind.MULTI_STEP, expression, first - second * third),
            (PremiseKind.MULTI_STEP, expression.replace("-", "+"), first + second * third),
        ]
    return []
