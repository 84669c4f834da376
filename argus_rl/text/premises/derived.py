"""Any result a text claims to follow from its own quantities.

The widest net, cast last: where a connective ("so", "which means", "that is", "because ..., ")
joins a quantity to the quantities before it, some plain combination of them must give it.  The
check forms every combination of at most three operands with + - * / (percentages and fractions
as shares, rises and falls) and refuses only a claim that none of them reaches; what the text adds
as new information ("so he buys 5 more") is not a result and is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from argus_rl.text.premises.cues import RESULT_CUE, WAY_ROUND, without_counter
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, finding, in_unit_of, written

MAX_OPERANDS = 6
"""Operands of the longest claim that is judged."""

_QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
_CONNECTIVE = re.compile(
    r"(?:,|\band|;|\.|:)? ?\b(?:so(?! that| far| many| much| long)|therefore|thus|hence"
    r"|consequently)\b|\bwhich (?:works? out (?:to|at)|means|equals|makes?|gives?|leaves?|left"
    r"|brings?|adds? up to|comes? to|amounts? to)\b|[,;(] ?that (?:is|makes|leaves|gives)\b"
    r"|i\.e\.|\bnamely\b|, (?:making|giving|leaving|reaching|having (?:lost|gained|saved|grown"
    r"|spent))\b"
)
_LEAD = re.compile(
    r"(?:^|\. )(?:because(?! of)|since|dividing|sharing|splitting|adding|between them)\b[^.]*, "
)
_SHARED_LEAD = re.compile(r"(?:dividing|sharing|splitting)\b")
_NEW_INFORMATION = re.compile(
    r"\b(?:buys?|bought|buying|decid\w+|wants?|wanted|needs?|needed|gives?|gave|sold|sells?|adds?"
    r"|added|puts?|plans?|planned|hires?|hired|uses?|used|must|should|will|would|could|asks?"
    r"|asked|borrow\w*|goes|went|works?(?! out)|worked|thinking|adding|driving|dedicat\w+"
    r"|watch\w*|leaves (?:the|home)|you|orders?|ordered|brings?|brought|bakes?|baked|makes? "
    r"(?:her|him|them)|only|another|extra|additional|picks?|picked|finds?|found|eats?|ate|drinks?"
    r"|drank|reads?|pours?|throws?|invit\w+|removes?|removed|returns?|donat\w+|lends?|lent|cuts?"
    r"|every|after|before|until|first|next|than|if|when|while|but|grabs?|purchas\w+|offers?"
    r"|charges?|chooses?|chose|tells?|starts?|stops?|agree\w*|per|each|for|in|during|within|on"
    r"|with)\b"
)
_INTENTION = re.compile(
    r"\b(?:decid\w+|plans?|planned|wants?|wanted|only|must|should|will|would|could|dedicat\w+"
    r"|needs?)\b"
)
_HEDGE_AFTER = re.compile(
    r" (?:[a-z]+ )?(?:of (?:them|the|these|those|his|her|their)|(?:are|is) (?:enough|needed)|"
    r"(?:[a-z]+ )?(?:go with|need|serve)|more(?! [a-z]* ?than)|less|fewer|extra|each|apiece|at a"
    r" time|times|(?:for|per) (?:each|every)|-)\b| [-/]"
)
_RATE_AFTER = re.compile(
    r"(?: [a-z]+){0,2} (?:a|per|each|every) (?:day|week|hour|minute|month|year)|(?: [a-z]+){0,4}"
    r" on average"
)
_UNKNOWN = re.compile(
    r"\b(?:some|several|few|many|rest|others?|remainder|unknown|certain|except|if|x|average of"
    r"|additional|whatever|rather|instead|too|also gets|plus tax|fee|bonus|tip|ratio"
    r"|for every"
    r"|herself|himself|themselves|respectively|M\d+ (?:bills?|notes?|coins?)|N\d+ : N\d+"
    r"|half that)\b|T\d"
)
_UP = re.compile(r"\b(?:rais\w+|ris\w+|rose|increas\w*|grow\w*|grew|gain\w*|up|more|interest)\b")
_DOWN = re.compile(
    r"\b(?:fall\w*|fell|drop\w*|decreas\w*|reduc\w*|cut\w*|lower\w*|los[et]\w*|off|discount\w*"
    r"|down|less)\b"
)


def check_derived(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about every quantity that a connective presents as a result."""
    sentences = reading.form.split(" . ")
    for index, sentence in enumerate(sentences):
        for match in _QUANTITY.finditer(sentence):
            if match.group()[0] not in "NMUP":
                continue
            before, after = sentence[: match.start()], sentence[match.end() :]
            context = _context(without_counter(before), after, sentences[:index])
            if match.group()[0] == "P" and _LEAD.match(before):
                continue
            led = _SHARED_LEAD.match(before) is not None
            hedged = _HEDGE_AFTER.match(after) is not None and not led
            hedged = hedged or WAY_ROUND.search(before) is not None
            plain = context.replace("in other words", "")
            if context and not hedged and not _UNKNOWN.search(plain):
                found = _judge(reading, context, match.group())
                rest = re.match(r"(?: [a-z]+){0,2} (?:remain|left|stay)", after)
                if found is not None and not (rest and found.kind is PremiseKind.PRODUCT):
                    yield found


def _context(before: str, after: str, earlier: Sequence[str]) -> str:
    """The text that holds the operands of a claim behind `before`, "" where it claims nothing."""
    gap = _QUANTITY.split(before)[-1]
    if RESULT_CUE.search(gap) and not _INTENTION.search(gap):
        return _operands(before, earlier)
    link = _last_link(before)
    if link < 0:
        return ""
    tail = before[link:]
    new = _NEW_INFORMATION.search(tail) is not None and not _RATE_AFTER.match(after)
    new = new or _INTENTION.search(tail) is not None
    if len(_QUANTITY.findall(tail)) > 1 or len(tail.split()) > 9 or new:
        return ""
    if tail.endswith((" of ", "the ", "these ", "those ", "a ", "an ")):
        return ""
    if before[link:].strip() == "" and _QUANTITY.search(after):
        return ""
    return _operands(before, earlier)


def _operands(before: str, earlier: Sequence[str]) -> str:
    """The sentence up to the claim, with earlier ones until it holds two quantities."""
    context = before
    if len(_QUANTITY.findall(context)) < 2 and earlier:
        context = f"{earlier[-1]} . {context}"
        if len(_QUANTITY.findall(context)) < 2 and len(earlier) > 1:
            context = f"{earlier[-2]} . {context}"
    return "" if "#" in context else context


def _last_link(before: str) -> int:
    """Where the words between the connective and the claim start, -1 without a connective."""
    ends = [match.end() for match in _CONNECTIVE.finditer(before)]
    lead = _LEAD.match(before)
    if lead is not None:
        ends.append(lead.end())
    return max(ends, default=-1)


def _judge(reading: Reading, context: str, name: str) -> PremiseFinding | None:
    claim = reading.of(name)
    operands = [reading.of(found) for found in _QUANTITY.findall(context)]
    operands = [operand for operand in operands if operand.kind not in "TY"]
    if len(operands) > 2 and re.search(r"\b(?:the|these|both) N\d+ (?:[a-z]+ )*$", context):
        counter = operands[-1]
        operands = operands[:-1] if counter.value == len(operands) - 1 else operands
    if not 2 <= len(operands) <= MAX_OPERANDS:
        return None
    if claim.kind != "P" and not any(comparable(operand, claim) for operand in operands):
        return None
    if claim.value in combinations_of(operands, claim):
        return None
    guess = _guess(operands, claim, context)
    if guess is None or not is_slip(guess[0], guess[2], claim.value):
        return None
    kind, expression, true = guess
    return finding(kind, claim, expression, true)


def combinations_of(operands: Sequence[Quantity], claim: Quantity) -> set[Fraction]:
    """Every value that at most three operands, or all of them added, can give."""
    plain = [_shares(operand, claim) for operand in operands]
    values = {value for options in plain for value in options}
    for first, second in combinations(plain, 2):
        values |= _pairs(first, second)
    for one, two, three in combinations(plain, 3):
        for pair, last in (
            (_pairs(one, two), three),
            (_pairs(one, three), two),
            (_pairs(two, three), one),
        ):
            values |= _pairs(pair, last)
    numbers = [in_unit_of(operand, claim) for operand in operands if operand.kind in "NMU"]
    for start in range(len(numbers)):
        for end in range(start + 2, len(numbers) + 1):
            total = sum(numbers[start:end], Fraction(0))
            values |= {total, total / (end - start), 2 * numbers[start] - total}
    if len(numbers) == 4:
        values.add(numbers[0] * numbers[1] + numbers[2] * numbers[3])
        values.add(numbers[0] - numbers[1] * numbers[2] - numbers[3])
    if claim.kind == "P":
        values |= {(b - a) / a for a in numbers for b in numbers if a}
        values |= {100 * value for value in values} | {100 - 100 * value for value in values}
    return values | {abs(value) for value in values}


def _shares(operand: Quantity, claim: Quantity) -> set[Fraction]:
    """The numbers an operand can stand for: a share also means what it leaves or adds."""
    if operand.kind == "P":
        share = operand.value / 100
        plain = {operand.value} if claim.kind == "P" else set[Fraction]()
        return {share, 1 - share, 1 + share} | plain
    if operand.kind == "F":
        return {operand.value, 1 - operand.value, 1 + operand.value}
    if operand.kind == "X":
        return {operand.value, operand.value + 1, operand.value - 1}
    return {in_unit_of(operand, claim), operand.value, operand.value / operand.pack}


def _pairs(first: set[Fraction], second: set[Fraction]) -> set[Fraction]:
    values = set[Fraction]()
    for a in first:
        for b in second:
            values |= {a + b, a - b, b - a, a * b}
            if a:
                values.add(b / a)
            if b:
                values.add(a / b)
    return values


_EQUAL = re.compile(r"\b(?:equal\w*|evenly|shar\w+|split\w*|divid\w+|dealt|poured)\b")
_GROUPS = re.compile(
    r"\b(?:each|every|apiece|per|at|times|a (?:minute|hour|day|week|month|case|box))\b|\bof N\d"
)
_TAKEN = re.compile(
    r"\b(?:remov\w+|los[et]\w*|sold|gave|gives?|spent|spends?|ate|eats?|used|left|leav\w+|drop\w*"
    r"|fell|older|younger|more|fewer|less|taller|difference|remain\w*|stay\w*|out of|burst|lost"
    r"|change|pays? with)\b"
)


def _guess(
    operands: Sequence[Quantity], claim: Quantity, context: str
) -> tuple[PremiseKind, str, Fraction] | None:
    """Kind, expression and value that the wording of `context` asks for."""
    bases = [operand for operand in operands if operand.kind in "NMU"]
    shares = [operand for operand in operands if operand.kind in "PFX"]
    if shares and bases:
        return _share_guess(shares[0], bases[0], claim, context)
    if claim.kind == "P" and len(bases) == 2 and max(b.value for b in bases):
        small, large = sorted(bases, key=lambda base: base.value)
        if re.search(r"\bfrom [NMU]\d", context) and (_UP.search(context) or _DOWN.search(context)):
            grown = f"100 * ({written(large.value)} - {written(small.value)})"
            true = 100 * (large.value - small.value) / bases[0].value
            return PremiseKind.PERCENT_CHANGE, f"{grown} / {written(bases[0].value)}", true
        expression = f"100 * {written(small.value)} / {written(large.value)}"
        return PremiseKind.PERCENT, expression, 100 * small.value / large.value
    if len(bases) < 2 or claim.kind == "P":
        return None
    numbers = [in_unit_of(base, claim) for base in bases]
    worded = _worded(numbers, context)
    close = nearest(numbers, claim.value)
    return worded if close is None or _near(worded[2], claim.value) else close


def _near(value: Fraction, claimed: Fraction) -> bool:
    """Whether a value is so close to the claim that it is what the claim got wrong."""
    return abs(value - claimed) * 4 <= abs(value)


def is_slip(kind: PremiseKind, true: Fraction, claimed: Fraction) -> bool:
    """Whether a claim is near enough to a value to be a slip: twice as much at most, or a digit."""
    if true == claimed or true <= 0:
        return False
    share = 2 if kind in (PremiseKind.SUM, PremiseKind.LIST_TOTAL, PremiseKind.PRODUCT) else 1
    close = share * abs(true - claimed) <= true
    return close or one_digit_off(true, claimed) or claimed in (10 * true, true / 10)


def one_digit_off(true: Fraction, claimed: Fraction) -> bool:
    """Whether two whole numbers differ by one in one digit, or in the order of their digits."""
    first, second = str(true), str(claimed)
    if len(first) != len(second) or true < 10 or true.denominator * claimed.denominator != 1:
        return False
    apart = [abs(int(a) - int(b)) for a, b in zip(first, second, strict=True) if a != b]
    return apart == [1] or sorted(first) == sorted(second)


def nearest(
    numbers: Sequence[Fraction], claimed: Fraction
) -> tuple[PremiseKind, str, Fraction] | None:
    """The operation on two numbers, or the sum of several, that comes closest to a claim.

    A wrong result is nearly always a slip, so the relation that is meant gives about that value;
    None where none gives it.
    """
    total = sum(numbers, Fraction(0))
    kind = PremiseKind.SUM if len(numbers) == 2 else PremiseKind.LIST_TOTAL
    guesses = [_spelled(kind, "+", numbers, total)]
    rest = 2 * numbers[0] - total
    guesses.append(_spelled(PremiseKind.DIFFERENCE, "-", numbers, rest))
    if len(numbers) == 2:
        first, second = numbers
        guesses.append(_spelled(PremiseKind.DIFFERENCE, "-", [second, first], -rest))
        guesses.append(_spelled(PremiseKind.PRODUCT, "*", numbers, first * second))
        if first and second:
            guesses.append(_spelled(PremiseKind.QUOTIENT, "/", numbers, first / second))
            turned = _spelled(PremiseKind.QUOTIENT, "/", [second, first], second / first)
            guesses.append(turned)
    near = [guess for guess in guesses if guess[2] > 0 and _near(guess[2], claimed)]
    return min(near, key=lambda guess: abs(guess[2] - claimed), default=None)


def _worded(numbers: Sequence[Fraction], context: str) -> tuple[PremiseKind, str, Fraction]:
    """The operation that the words of `context` ask for."""
    if len(numbers) == 2 and _EQUAL.search(context) and numbers[0] >= numbers[1] > 0:
        return _spelled(PremiseKind.QUOTIENT, "/", numbers, numbers[0] / numbers[1])
    if _TAKEN.search(context):
        total = numbers[0] - sum(numbers[1:], Fraction(0))
        return _spelled(PremiseKind.DIFFERENCE, "-", numbers, abs(total))
    if len(numbers) == 2 and _GROUPS.search(context):
        return _spelled(PremiseKind.PRODUCT, "*", numbers, numbers[0] * numbers[1])
    kind = PremiseKind.SUM if len(numbers) == 2 else PremiseKind.LIST_TOTAL
    return _spelled(kind, "+", numbers, sum(numbers, Fraction(0)))


def _share_guess(
    share: Quantity, base: Quantity, claim: Quantity, context: str
) -> tuple[PremiseKind, str, Fraction]:
    factor = share.value / 100 if share.kind == "P" else share.value
    kind = {"P": PremiseKind.PERCENT, "F": PremiseKind.FRACTION}.get(
        share.kind, PremiseKind.COMPARE_TIMES
    )
    if share.kind == "P" and (_UP.search(context) or _DOWN.search(context)):
        kind = PremiseKind.PERCENT_CHANGE
        factor = 1 + factor if _UP.search(context) else 1 - factor
    number = in_unit_of(base, claim)
    return kind, f"{written(number)} * {written(factor, bracket=True)}", number * factor


def _spelled(
    kind: PremiseKind, sign: str, numbers: Sequence[Fraction], value: Fraction
) -> tuple[PremiseKind, str, Fraction]:
    return kind, f" {sign} ".join(written(number) for number in numbers), value
