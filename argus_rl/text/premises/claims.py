"""Stated results: a quantity that the text derives from the quantities before it.

"12 apples and 7 oranges, so the crate holds 21" claims a result.  Words such as "in all", "which
makes", "left with" or ", so" mark the claim; the quantities before it are its operands.  The
claim is refused only where no plain combination of neighbouring operands gives it, so a text that
computes something else than expected is not called false.  The value reported as true is the one
the wording between the operands asks for.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from argus_rl.text.numerals import words_of
from argus_rl.text.premises.cues import OVER_CUE, TOTAL_CUE, WAY_ROUND
from argus_rl.text.premises.derived import combinations_of, is_slip, nearest
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.marks import OVER, mark_of
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, finding, in_unit_of, written

_QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
_COUNTER = r"(?:^|\. |: |\b(?:the|all|these|those|first|in|on|his|her|their|of|[a-z]+'s) ){}\b"
_END_TO_END = re.compile(
    r"\b(?:end to end|on top of (?:each|one)|side by side|joined|tied together|stacked|in a row)\b"
)
_LOSS = re.compile(
    r"\b(?:gave|gives?|giving|lost|loses?|spent|spends?|ate|eats?|sold|sells?|used|uses?|broke"
    r"|donated?|paid|pays?|threw|removed?|left|leav\w+|returned|fewer|less|minus|but|discount|off"
    r"|coupon)\b"
)
_THE_COUNTED = re.compile(r"(?:the|these|those|all|his|her|their) N\d+ [a-z ]+$")
_OUT_OF = re.compile(
    r"\beach [a-z]+ N\d+ ,|\bevery [NU]\d|\bN\d+ (?:out )?of (?:the |his |her |its |their )?N\d"
)
_SINGLE = re.compile(
    r"\b(?:a|an|one|each|every) (?:[a-z]+ ){1,2}(?:has|holds?|contains?|costs?|weighs?|makes?"
    r"|carries|seats|takes?|lasts?) $"
)
_BACK = re.compile(
    r"(?:so |and )?(?:over the|during the|together|altogether|in all|in total|that|this|these|all"
    r" told|having|both|combined|he now|she now|they now|the (?:two|three|four|line)|the [a-z]+"
    r" of [a-z]+)\b"
)
_MEAN = re.compile(r"\b(?:average|mean)\b")
_PER = re.compile(
    r"(?: [a-z]+)? (?:a|an|per|each|every) (?P<unit>second|minute|hour|day|week|month|year)\b"
)
_EQUAL = re.compile(r"\b(?:equally|evenly|equal|share[sd]?|split|divided)\b")
_DENOMINATION = re.compile(r"M\d+ (?:bills?|notes?|coins?)\b")
_EACH = re.compile(
    r"\b(?:each|every|apiece|per|equally|evenly|equal)\b|\b(?:a|an) (?:day|hour|week)"
)
_UNKNOWN = re.compile(
    r"\b(?:some|several|few|many|rest|others?|remaining|remainder|unknown|certain|more than|less"
    r" than|fewer than|as many|as much|twice|half|(?:double|triple) (?:the|that|as|his|her|what)"
    r"|additional|extra|another|except|herself|himself|themselves"
    r"|first|second|third|last|next|older|younger|average|mean|if|discount|coupon|free|both|ratio"
    r"|for every|full"
    r" of|you|than)\b|[XFP]\d"
)
_TIMES_GAP = re.compile(
    r"\b(?:each|every|apiece|of|with|at|per|holding|containing|carr(?:y|ies)|costs?|for|times|a"
    r"|an|by|hold|x)\b|×|\*"
)
_PLUS_GAP = re.compile(r"(?:^|\s)(?:and|,|;|plus|another|\+|but|then)(?:\s|$)")


def check_claims(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about every marked result of a text."""
    sentences = reading.form.split(" . ")
    for index, sentence in enumerate(sentences):
        previous = sentences[index - 1] if index else ""
        names = list(_QUANTITY.finditer(sentence))
        for position, match in enumerate(names):
            if match.group()[0] in "NMU":
                before = sentence[: match.start()]
                after = sentence[match.end() :]
                found = _judge(reading, previous, before, after, names[:position], match.group())
                if found is not None:
                    yield found


_LIMBS = frozenset(words_of("leg wheel wing eye foot paw ear hand tyre tire corner hoof"))


def _judge(
    reading: Reading,
    previous: str,
    before: str,
    after: str,
    operands: Sequence[re.Match[str]],
    name: str,
) -> PremiseFinding | None:
    claim = reading.of(name)
    if claim.noun in _LIMBS and not any(
        reading.of(match.group()).noun == claim.noun for match in operands
    ):
        return None
    gap = before[operands[-1].end() :] if operands else before
    mark = mark_of(before, gap, after)
    joined = not operands and _END_TO_END.search(previous) is not None
    if joined and re.match(r" (?:long|high|tall|wide)\b", after) and before.startswith("the "):
        mark = "total"
    if not mark or re.search(r"\b(?:into|in) [a-z]+ of [NU]\d", before):
        return None
    if WAY_ROUND.search(before):
        return None
    context = before
    if _refers_back(before, previous, mark, operands=bool(operands)):
        context = previous + " . " + before
    every = _QUANTITY.findall(context)
    judged = list[PremiseFinding]()
    for names in (_without_counter(reading, every, claim, context), every):
        values = [reading.of(text) for text in names if text[0] in "NMU"]
        if len(values) != len(names) or not _enough(values, claim, mark, context):
            continue
        found = _compare(values, claim, context, mark)
        told = [reading.of(text) for text in every if text[0] in "NMUPFX"]
        dropped = mark == "so" and len(names) < len(every) <= 5
        if found is None or (dropped and claim.value in combinations_of(told, claim)):
            return None
        judged.append(found)
    return judged[0] if judged else None


def _refers_back(before: str, previous: str, mark: str, *, operands: bool) -> bool:
    """Whether the operands of the claim stand in the sentence before."""
    if "#" in previous or not previous:
        return False
    if mark == "left":
        few = len(_QUANTITY.findall(before)) < 2
        return few or re.match(r"(?:he|she|they|it) (?!had |has |have )", before) is not None
    if OVER.match(before) or OVER_CUE.match(before):
        return True
    if mark == "total" and _THE_COUNTED.match(before):
        return True
    summed = (
        _BACK.match(before)
        or TOTAL_CUE.search(before)
        or re.match(r"(?:he|she|they) (?:pays?|paid|spends?) $", before)
    )
    return mark == "total" and not operands and summed is not None


def _without_counter(
    reading: Reading, names: list[str], claim: Quantity, context: str
) -> list[str]:
    """Operands without the number that only counts them ("the two tanks", "three games")."""
    for name in names:
        others = [reading.of(other) for other in names if other != name]
        alike = sum(comparable(other, claim) for other in others)
        counter = reading.of(name).kind in "NU" and reading.of(name).value == alike
        factor = re.search(rf"\b{name}(?: [a-z]+){{0,3}} (?:at|of|with) [NMU]\d", context)
        listed = alike > 2 or not factor
        if len(others) > 1 and counter and listed and re.search(_COUNTER.format(name), context):
            return [other for other in names if other != name]
    return names


def _enough(values: Sequence[Quantity], claim: Quantity, mark: str, context: str) -> bool:
    """Whether the operands are known, and enough of them are of the claim's type."""
    alike = [comparable(value, claim) for value in values]
    if len(values) < 2 or len(values) > 8 or not any(alike) or _DENOMINATION.search(context):
        return False
    known = re.sub(
        r"another (?=[NMU]\d)|\bfirst (?=N\d)|\bthe other\b|\bthe (?:first|second|third)\b",
        "",
        context,
    )
    nouns = [value.noun for value in values if value.noun]
    if len(set(nouns)) < len(nouns) == 3 and claim.noun in nouns:
        return False
    if _UNKNOWN.search(known) or _OUT_OF.search(context):
        return False
    gaps = _gaps(context, values)
    factors = [
        (index > 0 and gaps[index - 1] == "*") or (index < len(gaps) and gaps[index] == "*")
        for index in range(len(values))
    ]
    shared = _EQUAL.search(context) is not None and len(values) == 2
    bound = all(fits or factor or shared for fits, factor in zip(alike, factors, strict=True))
    if mark == "product":
        return bound and "*" in gaps
    return bound and (sum(alike) >= 2 or "*" in gaps or shared)


def _compare(
    values: Sequence[Quantity], claim: Quantity, context: str, mark: str
) -> PremiseFinding | None:
    gaps = _gaps(context, values)
    readings = [
        [in_unit_of(value, claim) for value in values],
        [value.value for value in values],
        [value.value / value.pack for value in values],
    ]
    if any(claim.value in _reachable(reading, gaps, context, mark) for reading in readings):
        return None
    if "*" not in gaps and claim.value in _loose(values, claim, mark):
        return None
    signs = ["-" if sign == "+" and mark == "left" else sign for sign in gaps]
    if re.search(r"\b(?:equally|evenly|equal|share[sd]?|split|divided)\b", context):
        signs = ["/"] if len(values) == 2 else signs
    numbers = readings[1] if "*" in signs or "/" in signs else readings[0]
    expression = written(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=True):
        expression += f" {sign} {written(number)}"
    true = _combine(numbers, signs)
    if true is None:
        return None
    plain = mark != "total" and ("*" not in signs or len(signs) == 1)
    close = nearest(readings[0], claim.value) if plain else None
    if close is not None and close[2] != claim.value and abs(true - claim.value) * 4 > abs(true):
        return finding(close[0], claim, close[1], close[2])
    if true == claim.value or (close is not None and close[2] == claim.value):
        return None
    if _kind(signs) is PremiseKind.MULTI_STEP and claim.value > 2 * true > 0:
        return None
    if mark == "so" and not is_slip(_kind(signs), true, claim.value):
        return None
    return finding(_kind(signs), claim, expression, true)


def _loose(values: Sequence[Quantity], claim: Quantity, mark: str) -> set[Fraction]:
    """What operands of unlike kinds, whose structure the words do not tell, can give."""
    alike = all(comparable(value, claim) for value in values)
    nouns = [value.noun for value in values]
    several = len(values) > 2 and (not any(nouns) or len(set(nouns)) == len(nouns))
    listed = alike and (mark in ("total", "left") or several)
    return set() if listed else combinations_of(values, claim)


def _gaps(context: str, values: Sequence[Quantity]) -> list[str]:
    """Signs "*" or "+" between neighbouring operands, by the words that stand there."""
    found = [m for m in _QUANTITY.finditer(context) if m.group()[0] in "NMU"][-len(values) :]
    each = re.match(r"(?:each|every) (?:of )?", context) is not None
    signs = list[str]()
    for (first, second), pair in zip(pairwise(found), pairwise(values), strict=True):
        gap = context[first.end() : second.start()]
        tail = re.split(r"\band\b|[,;.]|\bplus\b", gap)[-1]
        plus = _PLUS_GAP.search(gap) and not re.search(r"\b(?:each|every|apiece)\b", tail)
        money = pair[0].kind == pair[1].kind == "M"
        rate = _PER.match(gap)
        timed = rate is not None and UNITS[rate["unit"]][0] == pair[1].dimension
        apiece = (
            re.match(r"(?: [a-z]+){0,2} (?:each|apiece)\b", context[second.end() :]) is not None
        )
        single = not signs and _SINGLE.search(context[: first.start()]) is not None
        single = single and re.search(r"\bso\b|\btherefore\b", gap) is not None
        adjacent = gap.strip() in ("", "-") and pair[0].kind == "N"
        times = (
            adjacent
            or single
            or _TIMES_GAP.search(gap) is not None
            or (each and not signs)
            or apiece
        )
        apart = (plus and not timed and not single) or money or " . " in gap
        signs.append("*" if (times or timed) and not apart else "+")
    return signs


def _combine(numbers: Sequence[Fraction], signs: Sequence[str]) -> Fraction | None:
    total, term = Fraction(0), numbers[0]
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign == "*":
            term *= number
        elif sign == "/":
            if number == 0:
                return None
            term = term / number if term >= number else number / term if term else term
        else:
            total, term = total + term, number if sign == "+" else -number
    return total + term


def _kind(signs: Sequence[str]) -> PremiseKind:
    kinds = set(signs)
    if kinds == {"+"}:
        return PremiseKind.SUM if len(signs) == 1 else PremiseKind.LIST_TOTAL
    if kinds == {"-"}:
        return PremiseKind.DIFFERENCE
    if kinds == {"*"}:
        return PremiseKind.PRODUCT
    return PremiseKind.QUOTIENT if kinds == {"/"} else PremiseKind.MULTI_STEP


def _reachable(
    numbers: Sequence[Fraction], gaps: Sequence[str], context: str, mark: str
) -> set[Fraction]:
    """Values of the expressions over neighbouring numbers that the words of `context` allow.

    Sums and differences always; products where one number counts groups of the next, quotients
    where things are shared, means where the text speaks of an average.
    """
    values = set(numbers)
    minus = mark != "total" or _LOSS.search(context) is not None
    if not minus and "*" not in gaps and not _EACH.search(context) and not _MEAN.search(context):
        return {sum(numbers[start:], Fraction(0)) for start in range(len(numbers))} | values
    for start in range(len(numbers)):
        if start and gaps[start - 1] == "*":
            continue
        partial = {(Fraction(0), numbers[start])}
        following = [*gaps, "+"][start + 1 :]
        for gap, number, then in zip(gaps[start:], numbers[start + 1 :], following, strict=True):
            sums = {
                (done + term, sign * number)
                for done, term in partial
                for sign in (1, -1)[: 1 + minus]
                if gap != "*"
            }
            products = {(done, term * number) for done, term in partial if gap == "*"}
            partial = sums | products if len(partial) < 300 else products or partial
            if then != "*":
                values |= {done + term for done, term in partial}
        values.add(sum(numbers[start:], Fraction(0)))
    if _EACH.search(context):
        values |= {first / second for first in numbers for second in numbers if second}
        values.add(numbers[0] * sum(numbers[1:], Fraction(0)))
    values |= {abs(value) for value in values}
    if _MEAN.search(context):
        values.add(sum(numbers, Fraction(0)) / len(numbers))
    return values
