"""Quantities that a text states although the rest of it already determines them.

A text is over-determined where it tells two facts and also what they come to. Such a result is
recognised by how it stands: behind a connective, with a word for a total or a rest, in apposition,
with a definite article, or as the first part of a sentence whose other quantities explain it. It is
compared with every relation its operands can have (`terms`); a result that none of them gives and
that one of them nearly gives is false. How near it has to be depends on how plainly it is told.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.derived import combinations_of, one_digit_off
from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.proportions import in_proportion
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.relations import Guess
from argus_rl.text.premises.roles import Role, roles_of
from argus_rl.text.premises.rule import comparable, finding
from argus_rl.text.premises.telling import WANT, cue_of
from argus_rl.text.premises.terms import guesses
from argus_rl.text.premises.windows import Place, Window, used, windows_of

_SHARED = re.compile(
    r"\b(?:equal\w*|evenly|shar(?:e|ed|ing|es(?! of))|split\w*|divid\w+|same|apiece|identical"
    r"|alike|dealt|lasts?)\b"
)
_CHANGE = re.compile(r"\b(?:change|back)\b")
_OPEN = re.compile(
    r"\band (?:an?|the|some|his|her|their|one) [a-z]+(?: [a-z]+)? ?(?:[.,]|$)|\b(?:rest|some"
    r"|others(?! [NMU]\d)|certain|remaining(?! [NMU]\d)|several|few|unknown|couple|except"
    r"|whatever|a number of|enough|everything|else|herself|himself|themselves|other(?! [NMU]\d))\b"
)
"""Words for amounts that are not told."""
_LIKEWISE = re.compile(r"; |\b(?:so|thus|therefore|accordingly|likewise|rate)\b")
_PAYMENT = re.compile(r"\bM\d+ (?:notes?|bills?|coins?)\b")
_PARTED = re.compile(r"\bratio\b|\bfor every\b|\bparts?\b|\bmix\w*|\bstands? for\b|N\d+ to N\d")
_ORDINAL = re.compile(r"\b(?:third|fourth|fifth)\b|\baverage\w*\b.*\baverage")
_GIVEN = frozenset(
    (
        K.PRODUCT,
        K.QUOTIENT,
        K.FRACTION,
        K.PERCENT,
        K.PERCENT_CHANGE,
        K.COMPARE_MORE,
        K.COMPARE_TIMES,
    )
)
"""Relations whose words say so themselves, unlike a sum or a difference."""
_ALLOWED: dict[str, frozenset[K]] = {
    "total": frozenset(
        (
            K.RATIO,
            K.SUM,
            K.LIST_TOTAL,
            K.PRODUCT,
            K.COMPARE_MORE,
            K.MULTI_STEP,
            K.DIFFERENCE,
            K.FRACTION,
            K.PERCENT,
            K.PERCENT_CHANGE,
        )
    ),
    "rest": frozenset((K.DIFFERENCE, K.MULTI_STEP)),
    "holds": frozenset((K.PRODUCT, K.MULTI_STEP, K.PERCENT_CHANGE, K.RATIO)),
    "result": frozenset(K),
    "mean": frozenset((K.AVERAGE, K.QUOTIENT)),
    "definite": frozenset(K) - {K.AVERAGE, K.COMPARE_TIMES, K.COMPARE_MORE},
    "reason": frozenset(K),
    "led": _GIVEN | {K.AVERAGE, K.MULTI_STEP, K.RATIO},
    "apposed": _GIVEN | {K.RATIO},
    "first": _GIVEN - {K.QUOTIENT},
    "plain": frozenset((K.QUOTIENT, K.RATIO)),
    "changed": frozenset((K.PERCENT_CHANGE, K.RATIO)),
    "listed": frozenset((K.LIST_TOTAL,)),
    "named": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
    "compared": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
    "difference": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
}
"""The relations that each way of telling a result can state."""
_PLAINEST = (
    *("result", "total", "mean", "rest", "reason", "named", "compared", "difference"),
    *("listed", "holds", "led", "apposed", "definite", "plain", "changed", "first"),
)
"""Ways of telling a result, the plainest first: where several numbers of a sentence contradict each
other, the one that is told as the result is reported."""

_SUMS = (K.SUM, K.LIST_TOTAL)
_LOOSE = ("total", "result")
_WEAK = ("total", "plain", "changed", "definite", "holds")
_PLAIN = ("total", "result", "rest")


def check_results(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about every quantity that the others of its passage determine."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    for index, row in enumerate(rows):
        found = dict[str, list[PremiseFinding]]()
        for position, claim in enumerate(row):
            if claim.quantity.kind not in "NMUPX" or claim.quantity.value <= 0:
                continue
            cue = cue_of(claim, row[:position], row[position + 1 :])
            if not cue or _asks_change(claim, reading.text):
                continue
            place = Place(rows=rows, sentences=sentences, index=index, position=position)
            guess = _judge(claim, windows_of(place, cue), cue)
            if guess is not None:
                made = finding(guess[0], claim.quantity, guess[1], guess[2])
                found.setdefault(cue, []).append(made)
        yield from found[min(found, key=_PLAINEST.index)] if found else ()


def _asks_change(claim: Role, text: str) -> bool:
    """Whether money is paid of which the text speaks of change."""
    paid = not claim.group and re.search(r"\b(?:pays?|paid) $", claim.gap)
    return bool(paid) and _CHANGE.search(text) is not None


def _judge(claim: Role, windows: Sequence[Window], cue: str) -> Guess | None:
    """The nearest relation that a claim misses, None where one gives it or none is near."""
    near = list[Guess]()
    for operands, words in windows:
        known = used(operands)
        found = guesses(known, claim, words + claim.tail)
        if not found and len(known) == 2 and in_proportion(words):
            continue
        if _is_given(claim, known, found, cue):
            return None
        if _says_so(claim, known, found, cue, words):
            near += [guess for guess in found if _may_be_meant(guess, claim, known, cue)]
    return near[0] if near else None


def _is_given(claim: Role, known: Sequence[Role], found: Sequence[Guess], cue: str) -> bool:
    """Whether operands give the claim, by a relation of their words or by any combination.

    Any combination of few operands counts only where the words do not settle the relation, since
    three numbers can be combined to a great many values.
    """
    value = claim.quantity.value
    if any(guess[2] == value for guess in found) or _repeats(claim, known, cue):
        return True
    listed = cue == "total" and len(known) > 2 and not any(role.group for role in known)
    grouped = len(known) == 3 and any(role.group for role in known) and cue in _PLAIN
    other = cue == "result" and value in {role.quantity.value for role in known}
    settled = bool(found) and (grouped or other or _is_settled(claim, known, found))
    if cue == "mean" or listed or len(known) > 3 or settled:
        return False
    return value in combinations_of([role.quantity for role in known], claim.quantity)


def _is_settled(claim: Role, known: Sequence[Role], found: Sequence[Guess]) -> bool:
    """Whether the words before a claim leave no doubt about its relation."""
    if not all(role.quantity.span < claim.quantity.span for role in known):
        return False
    divided = bool(claim.group) and any(guess[0] is K.QUOTIENT for guess in found)
    worded = found[0][0] in (K.RATIO, K.PERCENT_CHANGE)
    return claim.quantity.kind == "P" or divided or worded or _multiplied(known)


def _says_so(
    claim: Role, known: Sequence[Role], found: Sequence[Guess], cue: str, words: str
) -> bool:
    """Whether the words of a window go with the way the claim is told."""
    ratio = bool(found) and found[0][0] is K.RATIO
    last = all(role.quantity.span < claim.quantity.span for role in known)
    if ratio and not last and cue in _WEAK:
        return False
    if cue == "definite" and ratio and not in_proportion(words):
        return False
    if cue == "first" and _PAYMENT.search(words):
        return False
    if cue == "definite" and not (_known(claim, known) or _gathered(claim, known)):
        return False
    if cue == "holds" and ratio and not _LIKEWISE.search(words):
        return False
    if cue == "plain":
        at = claim.lead in ("at ", "at a rate of ", "with ")
        likewise = not ratio or in_proportion(words) or _LIKEWISE.search(words)
        if not likewise or not (at or _SHARED.search(words + claim.rest)):
            return False
    priced = claim.group or WANT.search(claim.lead)
    if cue == "changed" and ratio and (priced or not _PARTED.search(words)):
        return False
    told = words if cue == "changed" or "self" in words else words.removesuffix(claim.gap)
    return not _OPEN.search(told) and not (cue == "mean" and _ORDINAL.search(words))


def _may_be_meant(guess: Guess, claim: Role, known: Sequence[Role], cue: str) -> bool:
    """Whether a relation can be what a claim states and is nearly what it says."""
    summed = cue == "led" and guess[0] in _SUMS and _one_thing(known, claim)
    return (guess[0] in _ALLOWED[cue] or summed) and is_near(guess, claim.quantity.value, cue)


def _multiplied(operands: Sequence[Role]) -> bool:
    """Whether "as many" or "that" binds a factor to its base."""
    return any(
        role.quantity.kind in "XF" and re.match(r" (?:as|that)\b", role.tail) for role in operands
    )


def _repeats(claim: Role, operands: Sequence[Role], cue: str) -> bool:
    """Whether a quantity only repeats one that was told."""
    return any(
        role.quantity.value == claim.quantity.value
        and role.quantity.kind in "NMU"
        and comparable(role.quantity, claim.quantity)
        and cue != "mean"
        and (cue != "result" or not claim.thing or role.thing in ("", claim.thing))
        for role in operands
    )


def _known(claim: Role, operands: Sequence[Role]) -> bool:
    """Whether what a definite quantity is of was told of before."""
    thing = claim.thing
    return thing != "" and any(thing in (role.thing, role.group) for role in operands)


def _gathered(claim: Role, operands: Sequence[Role]) -> bool:
    """Whether "its 37 cats" gathers counts of different things told just before."""
    nouns = [role.quantity.noun for role in operands]
    apart = len(set(nouns)) == len(nouns) > 1 and all(nouns)
    told = all(role.sentence == claim.sentence - 1 for role in operands)
    return (
        apart
        and told
        and re.search(r"\b(?:its|these|those|all|their) $|^the $", claim.gap) is not None
    )


def _one_thing(operands: Sequence[Role], claim: Role) -> bool:
    """Whether all the quantities are of one named thing, so that a list cannot go on."""
    things = {role.thing for role in operands} - {""}
    return things == {claim.thing} and claim.thing != ""


def is_near(guess: Guess, claimed: Fraction, cue: str) -> bool:
    """Whether a claim can be a slip for a value: within a fourth, or more where told plainly."""
    true, plainly = guess[2], cue in _PLAIN
    if true <= 0:
        return False
    apart = abs(true - claimed)
    named = guess[0] in _GIVEN or guess[0] is K.RATIO
    if named and (9 * apart <= 4 * true if plainly else 3 * apart <= true):
        return True
    digit = one_digit_off(true, claimed) and 10 * apart <= (7 if cue in _LOOSE else 5) * true
    return apart * (3 if plainly else 4) <= true or digit
