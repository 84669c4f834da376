"""One amount told twice: in two units, or in packs and in single things.

"3 km, that is 3,000 m" and "5 dozen rolls, the 60 rolls" state an equation whose ratio everybody
knows, so no nearness is needed; only the words between the two must say that they are the same.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.proportions import comparison
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.roles import Role, roles_of
from argus_rl.text.premises.rule import finding, in_unit_of, written

_SCALE = re.compile(r"\b(?:map|maps|scale|model)\b")
_SAME = re.compile(
    r"(?: [a-z]+){0,3}? ?(?:[,;(:]|[,;] which|[,;] that|which|that|this) ?(?:or|that's|that is"
    r"|this is|it is"
    r"|which is|which are|i\.e\.|in other words ,?|equals?|is|are|means|makes?|make up"
    r"|corresponds? to|amounts? to|has"
    r"|so(?: [a-z]+){1,4}|namely|in [a-z]+|to be exact ,?|equivalent to|the same as|making)"
    r"(?: (?:he|she|it|they) (?:is|are|was|has|weighs?|lasted|swam|ran))?"
    r"(?: (?:equal to|exactly|a total of|the same as|just|only|for|in|of))* "
    r"|(?: (?!and )[a-z]+){0,3}? (?:equals?|means|makes?|make|corresponds? to|amounts? to"
    r"|comes? to|is equal to|is the same as|or"
    r"|contains?|holds?|lasted|lasts?|is|are|fills a [a-z]+ with|of [a-z]+ contains|tub holds"
    r"|bag holds)"
    r"(?: (?:exactly|a total of|just))* | \( "
)
"""Words between two tellings of one amount."""
_NOT_ALL = re.compile(
    r"(?: [a-z]+){0,2} (?:of (?:which|them|the|it|this|that|these)|more|less|fewer|each|per"
    r"|long(?:er)?|later|earlier|before|after|a|an|old|away|apart|in(?! number)|at|on|than|left"
    r"|to|from|with|by|for|and) "
)
_PACED = re.compile(r"[NMU]\d+(?: [a-z]+)? an? (?:day|week|hour|minute)\b")
_PART = re.compile(r"\b[FPX]\d+ (?:[a-z]+ ){0,3}$")


def check_same_amounts(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about neighbours that are told to be one amount and are not."""
    if _SCALE.search(reading.form):
        return
    for row in roles_of(reading):
        for first, claim in pairwise(row):
            if claim.quantity.kind in "NMU" and claim.quantity.value > 0:
                yield from _differs(first, claim)


def _differs(first: Role, claim: Role) -> Iterator[PremiseFinding]:
    one, two = first.quantity, claim.quantity
    units, packs = _two_units(first, claim), _packed(first, claim)
    if not (units or packs) or one.base == two.base or comparison(claim) or claim.group:
        return
    if _PACED.search(first.lead) or _PART.search(first.lead):
        return
    if first.group and (not units or f"{first.group}s" not in UNITS):
        return
    apposed = packs and re.fullmatch(r"(?: of)?(?: [a-z]+){0,3} , ", claim.gap)
    if (apposed or _SAME.fullmatch(claim.gap)) and _NOT_ALL.match(claim.rest) is None:
        kind = K.UNIT_CONVERSION if units else K.DOZEN_UNITS
        number = written(one.value if units else one.value / one.pack)
        expression = number if units else f"{number} * {one.pack}"
        yield finding(kind, two, expression, in_unit_of(one, two))


def _two_units(first: Role, claim: Role) -> bool:
    one, two = first.quantity, claim.quantity
    other = one.ratio != two.ratio or (one.compound and not two.compound)
    return one.dimension == two.dimension != "" and other


def _packed(first: Role, claim: Role) -> bool:
    one, two = first.quantity, claim.quantity
    packs = one.kind == two.kind == "N" and one.pack > 1 and two.pack == 1
    return packs and two.noun in (one.noun, "", "piece", "item", "animal", "person")
