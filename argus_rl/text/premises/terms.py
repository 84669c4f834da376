"""What a few quantities give together, read from the part each of them plays.

Operands are grouped into terms before they are combined: a count of groups and the size of one
group make a product, so "3 packs of 8 and 2 packs of 12" is a sum of two products and never
3 + 8 + 2 + 12.  Every sign pattern of the terms is formed, since a word such as "gave" can stand
for a plus or a minus; shares, rises, comparisons and means are formed where the words name them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from argus_rl.text.premises.cues import TAKING
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.proportions import (
    compared_with,
    comparison,
    difference,
    in_proportion,
    multiples,
    paces,
    ratios,
    shares_of,
    told_twice,
)
from argus_rl.text.premises.relations import Guess
from argus_rl.text.premises.roles import Role
from argus_rl.text.premises.rule import comparable, in_unit_of, written

MAX_TERMS = 6
"""Terms of the longest sum that is formed."""
_MINUS = re.compile(
    r"\b(?:minus|less|fewer|lost|loses?|sold|sells?|gave|gives?|gone|rotten|broken?|burn\w*"
    r"|drop\w*|"
    r"spen[dt]s?|ate|eats?|used?|uses|without|left|leav\w+|remain\w*|took|takes|removed?|dead|died"
    r"|bad|wilted|but|except|discount|coupon|voucher|off|paid|pays?|back)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A number and how it came about."""

    value: Fraction
    """Its value in the unit of the claim."""
    text: str
    """The arithmetic in the numbers of the text."""
    role: Role
    """The role that tells of what the term is an amount."""
    factors: int
    """How many quantities it holds."""


def units_of(role: Role, group: str) -> Fraction | None:
    """How many of `group` a role counts, None where it counts something else."""
    quantity = role.quantity
    if quantity.kind == "N" and quantity.noun == group:
        return quantity.value
    unit = UNITS.get(f"{group}s") or UNITS.get(group)
    if unit is not None and quantity.dimension == unit[0] and unit[1]:
        return quantity.base / unit[1]
    return None


def terms_of(operands: Sequence[Role], claim: Role) -> list[Term] | None:
    """The operands as terms of the claim's type, None where one of them fits nowhere."""
    used = set[int]()
    shared: tuple[int, Fraction] | None = None
    terms = list[tuple[int, Term]]()
    for index, role in enumerate(operands):
        if not role.group or index in used:
            continue
        size = in_unit_of(role.quantity, claim.quantity)
        value, text, factors, at = size, written(size), 1, index
        counter = shared if role.group == "same" else _counter_of(operands, index, used)
        shared = counter
        while counter is not None:
            used |= {at, counter[0]}
            at, value = counter[0], value * counter[1]
            text, factors = f"{written(counter[1])} * {text}", factors + 1
            counter = _counter_of(operands, at, used) if operands[at].group else None
        if factors > 1:
            term = Term(value=value, text=text, role=role, factors=factors)
            terms.append((min(index, at), term))
    last = all(role.quantity.span < claim.quantity.span for role in operands)
    if not terms and len(operands) == 2 and claim.quantity.kind == "M" and last:
        terms = _unnamed_lot(operands)
        used = {0, 1} if terms else used
    for index, role in enumerate(operands):
        if index in used or _only_counts(role, operands):
            continue
        value = in_unit_of(role.quantity, claim.quantity)
        terms.append((index, Term(value=value, text=written(value), role=role, factors=1)))
    found = [term for _, term in sorted(terms, key=lambda item: item[0])]
    kinds = {term.role.quantity.dimension for term in found if term.role.thing}
    kinds = kinds if not claim.thing else set[str]()
    fits = all(comparable(term.role.quantity, claim.quantity) for term in found) and len(kinds) < 2
    fits = fits and not any(
        term.factors == 1 and term.role.group not in ("", claim.group) for term in found
    )
    return found if fits and 0 < len(found) <= MAX_TERMS else None


def _unnamed_lot(operands: Sequence[Role]) -> list[tuple[int, Term]]:
    """A price per one and a number of them, named otherwise ("15 cents a sheet, 40 copies")."""
    priced = [role for role in operands if role.group and role.quantity.kind == "M"]
    counts = [role for role in operands if role.quantity.kind == "N" and not role.group]
    if len(priced) != 1 or len(counts) != 1 or priced[0].group in UNITS:
        return []
    price, number = priced[0].quantity.value, counts[0].quantity.value
    text = f"{written(number)} * {written(price)}"
    return [(0, Term(value=number * price, text=text, role=priced[0], factors=2))]


def _counter_of(
    operands: Sequence[Role], index: int, used: set[int]
) -> tuple[int, Fraction] | None:
    """The operand that says how many groups there are, and their number."""
    group = operands[index].group
    near = sorted(range(len(operands)), key=lambda at: (abs(at - index), at > index))
    for at in near:
        if at == index or at in used:
            continue
        if group == "each":
            quantity = operands[at].quantity
            size = operands[index].quantity
            if quantity.kind == "N" and (size.kind == "M" or quantity.noun != size.noun):
                return at, quantity.value
            continue
        number = units_of(operands[at], group)
        if number is not None:
            return at, number
    return None


def without_counters(operands: Sequence[Role]) -> list[Role]:
    """The operands but those that only count the others ("the two jars")."""
    return [role for role in operands if not _only_counts(role, operands)]


def _only_counts(role: Role, operands: Sequence[Role]) -> bool:
    """Whether a number only says how many of the others there are ("the two jars")."""
    others = [other for other in operands if other is not role]
    if not others or not (
        operands[0] is role or role.gap.endswith(("the ", "both ", "these ", "all ", "in "))
    ):
        return False
    things = {other.thing for other in others} - {""}
    alike = len(others) if len(things) < 2 else 0
    count = role.quantity.value
    timed = role.quantity.dimension in ("time", "calendar") and others[-1].thing != role.thing
    named = role.quantity.noun or timed or role.gap.endswith(("the ", "both ", "these ", "all "))
    return (
        bool(named) and (role.quantity.kind == "N" or timed) and 1 < count == alike == len(others)
    )


def guesses(operands: Sequence[Role], claim: Role, words: str) -> list[Guess]:
    """Every relation of the operands that the claim may state, the likeliest first."""
    shares = [role for role in operands if role.quantity.kind in "PFX"]
    bases = [role for role in operands if role.quantity.kind in "NMU"]
    if claim.quantity.kind == "X":
        return [] if shares else multiples(bases)
    if not shares and len(bases) == 3 and (in_proportion(words) or told_twice(bases, claim)):
        return ratios(bases, claim)
    if shares or claim.quantity.kind == "P":
        return shares_of(shares, bases, claim, words)
    grouped = claim.group or any(role.group for role in bases)
    if len(bases) == 2 and in_proportion(words) and not grouped:
        return []
    if comparison(claim):
        return difference(bases, claim)
    compared = [role for role in bases if comparison(role)]
    if compared:
        return compared_with(compared, bases, claim)
    found = _means(bases, claim, words) + _quotients(bases, claim) + paces(bases, claim)
    if claim.group and found:
        return found
    terms = terms_of(bases, claim)
    if terms is not None:
        found += _sums(terms, claim)
    return found


def _sums(terms: Sequence[Term], claim: Role) -> list[Guess]:
    """The terms added, and every difference of the first or largest and the others."""
    if len(terms) == 1:
        size, counted = terms[0].role.quantity.noun, claim.quantity.noun
        if terms[0].factors < 2 or (size and counted and size != counted):
            return []
        return [(K.PRODUCT, terms[0].text, terms[0].value)]
    worded = [-1 if _takes(term.role) else 1 for term in terms[1:]]
    allowed = [
        pattern
        for pattern in product((1, -1), repeat=len(terms) - 1)
        if all(not told or told == sign for told, sign in zip(_told(terms), pattern, strict=True))
    ]
    patterns = sorted(allowed, key=lambda signs: (list(signs) != worded, -sum(signs)))
    found = list[Guess]()
    for signs in patterns:
        value = terms[0].value + sum(
            (sign * term.value for sign, term in zip(signs, terms[1:], strict=True)), Fraction(0)
        )
        text = terms[0].text + "".join(
            f" {'+' if sign > 0 else '-'} {term.text}"
            for sign, term in zip(signs, terms[1:], strict=True)
        )
        found.append((_kind(terms, signs), text, value))
    if len(terms) == 2 and terms[1].value > terms[0].value:
        text = f"{terms[1].text} - {terms[0].text}"
        found.append((_kind(terms, (-1,)), text, terms[1].value - terms[0].value))
    return found


def _takes(role: Role) -> bool:
    """Whether the words of a clause speak of less rather than of more."""
    words = f"{re.split(r' , | and ', role.gap)[-1]}{role.tail.split(' , ')[0]}"
    less = TAKING.search(words) or _MINUS.search(words)
    return less is not None and _WON.search(words) is None


_LOST = re.compile(
    r"\b(?:lost|loses?|eats?|ate|drops?|dropped|broke|breaks?|burns?|burnt|minus|removes?"
    r"|removed|rotten"
    r"|threw away|throws away|gives? away|gave away|spends?|spent|sells|sold|taken (?:away|out"
    r"|off)|thrown away|cut off"
    r"|died|stolen)\b"
)
_WON = re.compile(r"\b(?:plus|another|finds?|found|wins?|won|receives?|received|adds|added)\b")


def _told(terms: Sequence[Term]) -> list[int]:
    """The signs that the words of each further term leave no doubt about, 0 where they do."""
    first = terms[0].role.gap + terms[0].role.tail.split(" , ")[0]
    if _LOST.search(terms[0].role.gap):
        return [0] * (len(terms) - 1)
    signs = list[int]()
    for term in terms[1:]:
        words = f"{re.split(r' , | and ', term.role.gap)[-1]}{term.role.tail.split(' , ')[0]}"
        lost, won = _LOST.search(words), _WON.search(words)
        signs.append(0 if (lost is None) == (won is None) else -1 if lost else 1)
    return signs if not _LOST.search(first) else [0] * len(signs)


def _kind(terms: Sequence[Term], signs: Sequence[int]) -> K:
    if any(term.factors > 1 for term in terms):
        return K.MULTI_STEP
    if -1 in signs:
        return K.DIFFERENCE
    return K.SUM if len(terms) == 2 else K.LIST_TOTAL


_AVERAGE = re.compile(r"\b(?:average\w*|averaging|mean)\b")


def _means(bases: Sequence[Role], claim: Role, words: str) -> list[Guess]:
    if not _AVERAGE.search(words) or " sum " in words:
        return []
    alike = [role for role in bases if comparable(role.quantity, claim.quantity)]
    if len(alike) < 2 or len(bases) - len(alike) > 1:
        return []
    numbers = [in_unit_of(role.quantity, claim.quantity) for role in alike]
    listed = " + ".join(written(number) for number in numbers)
    return [(K.AVERAGE, f"({listed}) / {len(numbers)}", sum(numbers, Fraction(0)) / len(numbers))]


def _quotients(bases: Sequence[Role], claim: Role) -> list[Guess]:
    """A whole over its groups, or over the size of one group."""
    found = list[Guess]()
    wholes = [
        role
        for role in bases
        if role.group in ("", claim.group)
        and comparable(role.quantity, claim.quantity)
        and not (claim.group and units_of(role, claim.group))
    ]
    if claim.group and len(wholes) == 1:
        whole = in_unit_of(wholes[0].quantity, claim.quantity)
        for role in bases:
            if role is wholes[0]:
                continue
            number = role.quantity.value if claim.group == "each" else units_of(role, claim.group)
            if number:
                text = f"{written(whole)} / {written(number)}"
                found.append((K.QUOTIENT, text, whole / number))
    sizes = [role for role in bases if role.group and role.group == claim.quantity.noun]
    for size in sizes[:1]:
        for role in bases:
            if (
                role is not size
                and comparable(role.quantity, size.quantity)
                and size.quantity.value
            ):
                whole = in_unit_of(role.quantity, size.quantity)
                text = f"{written(whole)} / {written(size.quantity.value)}"
                found.append((K.QUOTIENT, text, whole / size.quantity.value))
    return found
