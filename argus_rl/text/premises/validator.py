"""Does a problem text assert something that is false or impossible?

The check reads the text alone, before any chain is spent on it.  It refuses what it can
demonstrate, and says why: the kind of relation, the place, the expression, the claimed and the true
value.  Estimates, attributed, negated and conditional statements and the final question are not
judged.  Precision comes first, because a refused sound problem narrows what the model can learn; a
text outside the rules passes.
"""

import re
from collections.abc import Callable, Iterator

from argus_rl.text.equations import stated_equations
from argus_rl.text.expression import evaluate
from argus_rl.text.premises.amounts import CHECKS as AMOUNT_CHECKS
from argus_rl.text.premises.asserted import asserted_sentences
from argus_rl.text.premises.changes import check_change, check_clocks, check_percentage_changes
from argus_rl.text.premises.claims import check_claims
from argus_rl.text.premises.counts import check_parts, check_whole_counts, check_zero_division
from argus_rl.text.premises.derived import check_derived
from argus_rl.text.premises.entities import check_entities
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind, PremiseReport
from argus_rl.text.premises.limits import CHECKS as LIMIT_CHECKS
from argus_rl.text.premises.linked import RULES as LINKED_RULES
from argus_rl.text.premises.mentions import check_second_mentions
from argus_rl.text.premises.rates import (
    check_averages,
    check_coins,
    check_rates,
    check_unit_facts,
)
from argus_rl.text.premises.reading import Reading, read_text
from argus_rl.text.premises.results import check_results
from argus_rl.text.premises.rule import findings_of, written
from argus_rl.text.premises.sameness import check_same_amounts
from argus_rl.text.premises.shapes import check_shapes
from argus_rl.text.premises.shares import RULES
from argus_rl.text.premises.slips import check_slips
from argus_rl.text.premises.spans import check_spans
from argus_rl.text.premises.stated import RULES as STATED_RULES
from argus_rl.text.premises.states import check_restatements, check_running_totals
from argus_rl.text.premises.stocks import CHECKS as STOCK_CHECKS
from argus_rl.text.premises.wholes import CHECKS as WHOLE_CHECKS

Check = Callable[[Reading], Iterator[PremiseFinding]]
"""A family of relations: yields what it finds in a text."""

_OPERATOR_KINDS = {
    "+": PremiseKind.SUM,
    "-": PremiseKind.DIFFERENCE,
    "*": PremiseKind.PRODUCT,
    "/": PremiseKind.QUOTIENT,
}


def check_premises(text: str) -> PremiseReport:
    """Everything in `text` that is demonstrably false, one finding per claim, in text order."""
    reading = read_text(text)
    found = dict[tuple[int, int], PremiseFinding]()
    for check in CHECKS:
        for item in check(reading):
            if not _has_remainder(item, reading.text):
                found.setdefault(item.span, item)
    return PremiseReport(findings=tuple(found[span] for span in sorted(found)))


def _has_remainder(item: PremiseFinding, text: str) -> bool:
    """Whether a quotient is told with what remains of the division ("3 each, and 2 remain")."""
    if item.kind not in (PremiseKind.QUOTIENT, PremiseKind.PRODUCT):
        return False
    if item.kind is PremiseKind.QUOTIENT and item.claimed.isdigit():
        true = evaluate(item.true_value)
        near = true is not None and true.denominator != 1 and abs(true - int(item.claimed)) < 1
        if true is not None and true < 1 < int(item.claimed):
            return True
        if near and _COUNTED.match(text, item.span[1]) is not None:
            return True
    return _REMAINDER.match(text, item.span[1]) is not None


_COUNTED = re.compile(
    r" (?:trips?|crossings?|buses|boxes|cars|rows|full|times|packs|bags|tins|loads?|tours?|vans)\b"
)
_REMAINDER = re.compile(
    r"[^.?!]{0,60}\b(?:and|with|but|;) (?:[^.?!]{0,20}\b(?:remain\w*|left)\b|leav\w+ (?:\$?\d"
    r"|a |one |two |three ))"
)


def check_stated_equations(reading: Reading) -> Iterator[PremiseFinding]:
    """Equations written out in the text ("35 + 18 = 52")."""
    if "=" not in reading.text:
        return
    for start, end in asserted_sentences(reading.text):
        sentence = reading.text[start:end]
        for equation in stated_equations(sentence):
            if equation.true:
                continue
            left = equation.text.partition(" = ")[0]
            operators = {token for token in left.split() if token in _OPERATOR_KINDS}
            kind = PremiseKind.MULTI_STEP
            if len(operators) == 1:
                kind = _OPERATOR_KINDS[operators.pop()]
            at = start + max(0, sentence.find("="))
            yield PremiseFinding(
                kind=kind,
                span=(at, at + 1),
                expression=left,
                claimed=written(equation.right),
                true_value="undefined" if equation.left is None else written(equation.left),
            )


def check_rules(reading: Reading) -> Iterator[PremiseFinding]:
    """The relations that are stated as patterns and formulas."""
    for rule in RULES + STATED_RULES + LINKED_RULES:
        yield from findings_of(rule, reading)


CHECKS: tuple[Check, ...] = (
    check_stated_equations,
    check_rules,
    check_shapes,
    check_same_amounts,
    check_results,
    check_averages,
    check_coins,
    check_rates,
    check_unit_facts,
    *AMOUNT_CHECKS,
    check_percentage_changes,
    check_clocks,
    check_spans,
    check_change,
    check_zero_division,
    check_whole_counts,
    check_parts,
    check_restatements,
    *LIMIT_CHECKS,
    *STOCK_CHECKS,
    *WHOLE_CHECKS,
    check_second_mentions,
    check_entities,
    check_running_totals,
    check_claims,
    check_derived,
    check_slips,
)
"""Every family, the most specific first: the first finding about a claim is the one reported."""
