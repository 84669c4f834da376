"""Results that are nearly right: a slip is close to the value it should have.

The widest net, cast behind all others.  A quantity at the end of a clause that follows from the
quantities before it (", using 116 roses"; "That left 41 tickets") is compared with every plain
relation of them.  It is refused only where no combination gives it, one relation gives a value
within a quarter of it, and nothing in the words says that something new is told: no further
purchase, no list that goes on, no rate, no new subject.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.derived import combinations_of, one_digit_off
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, finding, in_unit_of, written

Guess = tuple[PremiseKind, str, Fraction]
"""Kind, expression and value of one relation."""

NEARNESS = Fraction(1, 4)
"""Largest distance of a slip from the true value, as a share of it."""

_QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
_NEW = re.compile(
    r"\b(?:every|per|more|less|fewer|another|additional|extra|others?|second|third|last"
    r"|next|some|if|than|but|while|whereas|times|twice|only|then|also|later|before|until|needs?"
    r"|want\w*|will|would|should|buys?|bought|gave|gives?|gets?|got|adds?|added|finds?|found"
    r"|donated?|decid\w*|plan\w*|wins?|won|still|now|already|borrow\w*|instead|as well as|receives?"
    r"|received"
    r"|sells|sold|and(?! (?:so|is|thus|therefore|hence|weighs|costs|measures|has|owes|comes)\b))\b"
)
_NEW_AFTER = re.compile(
    r"\b(?:every|more|less|fewer|another|additional|extra|times|older|younger|longer"
    r"|of (?:them|the|his|her|their|these|those)|(?:and|or|at|for|plus|with|but) [A-Z]\d|but)\b"
    r"|[A-Z]\d|^ [-/x]| (?:now|already|today|so far)\b"
)
_RATE_AFTER = re.compile(r" (?:[a-z]+ )?(?:in |for |to )?(?:each|per|apiece|a|an)\b")
_SHARED = re.compile(
    r"\b(?:equal\w*|evenly|shar\w+|split|divid\w+|averag\w*|speed|rate|mean|identical|daily)\b"
)
_LINK = re.compile(
    r"(?:[,;(:-]|\bso|\band so|\bthus|\btherefore|\bhence) (?:[a-z]+ing|an?|for|with|at|it|they|he"
    r"|she|his|her|their|its|so|this|that|these|those|in|altogether|together|all|both|thus|so"
    r"|there|or|which (?:is|makes|gives|means|comes|leaves|totals|adds|brings)|namely|therefore"
    r"|hence"
    r"|i\.e\.|each|meaning)\b|[:(-] $|^ costs? $|\b(?:so|thus|therefore|hence|(?<!to )makes?|come "
    r"to|comes to"
    r"|adds? up to|brings? in|runs? to|joined to|amounts? to|fills?|now worth|is worth|priced at"
    r"|totals?)\b"
)
_ANAPHOR = re.compile(
    r"(?:(?:that|this|these|those)(?! (?:week|month|year|day|time|morning|evening|night|spring"
    r"|summer|autumn|winter|one|afternoon)) |it (?:has |had |is |was )?(?:therefore|thus|comes?"
    r"|came|makes|takes|took|sh[ra]\w+k|grew|lost"
    r"|gained|weighs|holds|contains|lasts|lasted|follows)\b|(?:so|thus|therefore|hence|together"
    r"|altogether|both"
    r"|in all|in total|all told|consequently|between them) |(?:her|his|their|its|the) (?:[a-z]+-)?"
    r"(?:total|sum|whole|harvest|combined|joint|contents|difference|change|bill|rest|remainder"
    r"|average|mean|daily|weekly|monthly|gap|lead|loss|profit|savings?)\b|since [^,]*, |because"
    r" [^,]*, )"
)
_TOTAL = re.compile(r"\b(?:total|sum|whole|combined|joint|together|altogether|in all|both)\b")


def check_slips(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about quantities that are nearly what those before them give."""
    sentences = reading.form.split(" . ")
    for index, sentence in enumerate(sentences):
        for match in _QUANTITY.finditer(sentence):
            before, after = sentence[: match.start()], sentence[match.end() :]
            if match.group()[0] not in "NMU" or _NEW_AFTER.search(after):
                continue
            context = _context(before, sentences[index - 1] if index else "")
            if not context or (_RATE_AFTER.match(after) and not _SHARED.search(context + after)):
                continue
            found = _judge(reading, context, match.group())
            if found is not None:
                yield found


def _context(before: str, previous: str) -> str:
    """The words that hold the operands, "" where the quantity is not told as a result."""
    operands = _QUANTITY.findall(before)
    gap = _QUANTITY.split(before)[-1]
    told = _NEW.search(re.sub(r"\bnow worth\b|\bthe car\b", "", gap)) or (
        " or " in gap and not re.search(r"[PFX]\d", before)
    )
    if told or len(gap.split()) > 12 or re.search(r"\bages?\b", before):
        return ""
    if gap in (" : ", " - "):
        return ""
    if len(operands) >= 2:
        return before if _LINK.search(gap) and not _parallel(before) else ""
    known = _ANAPHOR.match(before) or _same_share(before, previous)
    linked = not operands or _LINK.search(gap) is not None
    if "#" in previous or not known or not linked or " ratio " in previous:
        return ""
    return f"{previous} . {before}"


def _parallel(before: str) -> bool:
    """Whether a list goes on: the word before the quantity stood before an earlier one."""
    words = re.findall(r"([a-z]+) (?=[NMU]\d)|([a-z]+) $", before)
    last = words[-1][1] if words else ""
    return bool(last) and last in {word for word, _ in words}


def _same_share(before: str, previous: str) -> bool:
    """Whether a sentence says again, in numbers, of what part the one before spoke ("he lost")."""
    again = re.match(r"(?:he|she|it|they) ([a-z]{3,}) $", before)
    shared = re.search(r"\b[PF]\d", previous) is not None
    return again is not None and shared and f" {again.group(1)} " in previous


def _judge(reading: Reading, context: str, name: str) -> PremiseFinding | None:
    claim = reading.of(name)
    operands = [reading.of(found) for found in _QUANTITY.findall(context) if found[0] not in "TY"]
    if not 2 <= len(operands) <= 5:
        return None
    if claim.value <= 0 or claim.value in combinations_of(operands, claim):
        return None
    near = [
        guess for guess in _guesses(operands, claim, context) if _is_near(guess[2], claim.value)
    ]
    if not near:
        return None
    kind, expression, true = min(near, key=lambda guess: abs(guess[2] - claim.value))
    return finding(kind, claim, expression, true)


def _is_near(true: Fraction, claimed: Fraction) -> bool:
    if true <= 0 or true == claimed:
        return False
    return abs(true - claimed) <= NEARNESS * true or one_digit_off(true, claimed)


def _guesses(operands: Sequence[Quantity], claim: Quantity, context: str) -> list[Guess]:
    """Relations of the operands that the claim may state, nearness aside."""
    shares = [operand for operand in operands if operand.kind in "PFX"]
    bases = [operand for operand in operands if operand.kind in "NMU"]
    alike = [operand for operand in bases if comparable(operand, claim)]
    summed = _TOTAL.search(context.split(" . ")[-1]) is not None
    if len(shares) == 1 and len(bases) == 1 and not summed:
        return _parts(shares[0], in_unit_of(bases[0], claim)) if alike else []
    if shares or not alike:
        return []
    numbers = [in_unit_of(base, claim) for base in bases]
    guesses = list[Guess]()
    if summed and len(alike) < len(bases):
        return []
    if len(alike) == len(bases):
        guesses += _totals(numbers)
    if len(bases) == 2 and not re.search(r"\b(?:plus|flat|fixed)\b", context):
        guesses += _products(numbers)
    return guesses + _mixed(bases, numbers, context)


def _mixed(bases: Sequence[Quantity], numbers: Sequence[Fraction], context: str) -> list[Guess]:
    """Two priced lots, or one and a single price: "five at 80 cents and stamps for $3"."""
    priced = len(re.findall(r"[NU]\d+(?: [a-z]+){0,3} (?:at|of|with|for) [NMU]\d", context))
    listed = [written(number) for number in numbers]
    kinds = "".join(base.kind for base in bases)
    if len(numbers) == 4 and (priced == 2 or kinds == "NMNM"):
        value = numbers[0] * numbers[1] + numbers[2] * numbers[3]
        expression = f"{listed[0]} * {listed[1]} + {listed[2]} * {listed[3]}"
        return [(PremiseKind.MULTI_STEP, expression, value)]
    if len(numbers) == 3 and priced == 1 and bases[0].kind != bases[1].kind:
        value = numbers[0] * numbers[1] + numbers[2]
        return [(PremiseKind.MULTI_STEP, f"{listed[0]} * {listed[1]} + {listed[2]}", value)]
    return []


def _parts(share: Quantity, base: Fraction) -> list[Guess]:
    factor = share.value / 100 if share.kind == "P" else share.value
    if share.kind == "X":
        factors = [(PremiseKind.COMPARE_TIMES, factor)]
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
    kind = PremiseKind.SUM if len(numbers) == 2 else PremiseKind.LIST_TOTAL
    listed = [written(number) for number in numbers]
    guesses = [(kind, " + ".join(listed), total)]
    if len(numbers) == 2:
        large, small = sorted(numbers, reverse=True)
        difference = f"{written(large)} - {written(small)}"
        guesses.append((PremiseKind.DIFFERENCE, difference, large - small))
    return guesses


def _products(numbers: Sequence[Fraction]) -> list[Guess]:
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
