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

from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, finding, in_unit_of, written

_QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
_TOTAL_BEFORE = re.compile(
    r"(?:\b(?:which|that|this|together|altogether|it|they|these|and|so|all) (?:[a-z]+ ){0,2}?"
    r"(?:makes?|totals?|adds? up to|comes? to|amounts? to|gives?|brings?|sums? to)"
    r"|\bmaking|\btotall?ing|\bgiving|\badding up to|\bamounting to|\bcoming to"
    r"|\b(?:for|with|is|are|was|or|,|:|making) (?:a |the )?(?:grand )?(?:total|sum) of"
    r"|\b(?:together|altogether|in all|in total|all told|in sum)(?: ,)?(?: that| this| they| these|"
    r" it| there| the| [a-z]+){0,3}? (?:is|are|was|were|has|have|had|makes?|made|hold|holds|weigh|"
    r"cost|own|sold|:)"
    r"|\bmakes?|\bmade)(?: exactly| a total of| up| up to| him| her| them| [a-z]+ total of)*"
    r"(?: the| an?)? ?$"
)
_TOTAL_AFTER = re.compile(
    r" ?(?:[a-z'-]+ ){0,4}?(?:in all|altogether|in total|together|all told|combined|overall|"
    r"between them|in sum)\b"
)
_LEFT_BEFORE = re.compile(
    r"(?:\bwhich (?:leaves?|left)|\bleaving|\b(?:he|she|it|they|that|this|[a-z]+) (?:is|was|are|were)"
    r" left with|\bleft (?:him|her|them|it|us|me)? ?with|, a (?:saving|difference|gap|loss|gain|"
    r"profit|drop|rise|fall|decrease|increase) of|, an? (?:age|price|height|weight) (?:gap|"
    r"difference) of|\bso (?:there (?:are|were)|he has|she has|they have|it has) (?:only )?"
    r"(?=[NMU]\d+ (?:[a-z]+ )?left))"
    r"(?: [a-z]+){0,2}? ?(?:with )?(?:only |just |exactly )?$"
)
_SO_BEFORE = re.compile(
    r"(?:\bso(?: that)?|\btherefore|\bthus|\bhence|\bwhich means|\bmeaning|:)"
    r"(?: ,)?(?: [a-z'-]+){0,8} ?$"
)
_SO_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|holds?|held|carr(?:y|ies)|costs?|weighs?|receives?|gets?|takes"
    r"(?: home)?|earns?|contains?|makes?|can|must|each|leaves?|sent|worth|got|spent|spends?|pays?|"
    r"paid|comes? to|totals?|there|:)\b"
)
_USES = re.compile(r"\b(?:hold|holds|held|used up|use up|uses|contain|contains|give|gives) $")
_EACH = re.compile(
    r"\b(?:each|every|apiece|per|equally|evenly|equal)\b|\b(?:a|an) (?:day|hour|week)"
)
_UNKNOWN = re.compile(
    r"\b(?:some|several|few|many|rest|others?|remaining|remainder|unknown|certain|more than|less "
    r"than|fewer than|as many|as much|twice|half|double|triple|additional|extra|another|except|"
    r"first|second|third|last|next|older|younger|average|mean|if|free|both|ratio|than)\b|[XFP]\d"
)
_TIMES_GAP = re.compile(
    r"\b(?:each|every|apiece|of|with|at|per|holding|containing|carr(?:y|ies)|costs?|for|times|a|an|"
    r"by|hold|x)\b|×|\*"
)
_PLUS_GAP = re.compile(r"(?:^|\s)(?:and|,|;|plus|another|\+|but|then)(?:\s|$)")
_MINUS_GAP = re.compile(
    r"\b(?:gave|gives?|giving|lost|loses?|spent|spends?|ate|eats?|sold|sells?|used|uses?|broke|"
    r"breaks?|donated?|paid|pays?|threw|burns?|burned|minus|took|takes?|removed?|left|leave|away|"
    r"returned|but|daughter|son|only)\b"
)


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


def _judge(
    reading: Reading,
    previous: str,
    before: str,
    after: str,
    operands: Sequence[re.Match[str]],
    name: str,
) -> PremiseFinding | None:
    claim = reading.of(name)
    gap = before[operands[-1].end() :] if operands else before
    mark = _mark(gap, after)
    if not mark:
        return None
    context = before
    texts = [match.group() for match in operands]
    if len(texts) < 2 and mark == "total" and not operands and _refers_back(before, previous):
        context = previous + " . " + before
        texts = [match.group() for match in _QUANTITY.finditer(previous)] + texts
    values = [reading.of(text) for text in texts if text[0] in "NMU"]
    if len(values) != len(texts) or not _enough(values, claim, mark, context):
        return None
    return _compare(values, claim, context, mark)


def _mark(gap: str, after: str) -> str:
    """What marks the quantity between `gap` and `after` as a result, "" for nothing."""
    if re.match(
        r" (?:[a-z]+ ){0,2}(?:each|per|apiece|more|less|fewer|older|younger|times)\b", after
    ):
        return "share" if _SO_BEFORE.search(gap) and "each" in gap else ""
    if _LEFT_BEFORE.search(gap):
        return "left"
    if _TOTAL_BEFORE.search(gap) or (
        _TOTAL_AFTER.match(after) and re.search(r"[,(:;]|\bso\b", gap)
    ):
        return "total"
    if _TOTAL_AFTER.match(after) and not re.search(r"\b(?:and|with|of|has|have)\b", gap):
        return "total"
    if _USES.search(gap):
        return "product"
    so = _SO_BEFORE.search(gap)
    if so and (_SO_VERB.search(so.group())):
        return "so"
    return ""


def _refers_back(before: str, previous: str) -> bool:
    return (
        re.match(
            r"(?:so )?(?:together|altogether|in all|in total|that|this|these|all told)\b", before
        )
        is not None
        and "#" not in previous
    )


def _enough(values: Sequence[Quantity], claim: Quantity, mark: str, context: str) -> bool:
    """Whether the operands are known, and enough of them are of the claim's type."""
    alike = sum(comparable(value, claim) for value in values)
    if len(values) < 2 or len(values) > 8 or alike == 0:
        return False
    if _UNKNOWN.search(re.sub(r"another (?=[NMU]\d)", "", context)):
        return False
    product = _EACH.search(context) is not None or _TIMES_GAP.search(context) is not None
    if mark in ("so", "product"):
        return product if alike < len(values) or mark == "product" else True
    return alike >= 2 or product


def _compare(
    values: Sequence[Quantity], claim: Quantity, context: str, mark: str
) -> PremiseFinding | None:
    numbers = [in_unit_of(value, claim) for value in values]
    if claim.value in _reachable(numbers) or claim.value in _reachable([v.value for v in values]):
        return None
    if any(v.pack > 1 for v in values):
        singles = [value.value / value.pack for value in values]
        if claim.value in _reachable(singles):
            return None
    signs = _signs(context, len(values), mark)
    expression = written(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=True):
        expression += f" {sign} {written(number)}"
    true = _combine(numbers, signs)
    return None if true is None else finding(_kind(signs), claim, expression, true)


def _signs(context: str, count: int, mark: str) -> list[str]:
    """The operation that the words between neighbouring operands ask for."""
    found = list(_QUANTITY.finditer(context))[-count:]
    signs = list[str]()
    for first, second in pairwise(found):
        gap = context[first.end() : second.start()]
        if mark == "left":
            signs.append("-")
        elif _PLUS_GAP.search(gap) and not re.search(r"\b(?:each|every|apiece)\b", gap):
            signs.append("+")
        elif _TIMES_GAP.search(gap):
            signs.append("*")
        else:
            signs.append("+")
    if re.search(r"\b(?:equally|evenly|equal|share[sd]?|split|divided)\b", context) and count == 2:
        return ["/"]
    if count == 2 and _EACH.search(context) and mark != "left":
        return ["*"]
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


def _reachable(numbers: Sequence[Fraction]) -> set[Fraction]:
    """Values of all expressions over a run of neighbouring numbers with + - * and one quotient."""
    values = set(numbers)
    for start in range(len(numbers)):
        partial = {(Fraction(0), numbers[start])}
        total = numbers[start]
        for number in numbers[start + 1 :]:
            total += number
            values.add(total)
            if len(partial) > 200:
                continue
            partial = {
                step
                for done, term in partial
                for step in (
                    (done, term * number),
                    (done + term, number),
                    (done + term, -number),
                )
            }
            values |= {done + term for done, term in partial}
    for first in numbers:
        values |= {first / second for second in numbers if second}
    values |= {abs(value) for value in values}
    count = len(numbers)
    return values | {sum(numbers, Fraction(0)) / count, *(total / count for total in values)}
