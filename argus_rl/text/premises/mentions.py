"""A thing that is named again with another price, length, age or number.

"A book costs $14. Besides the $41 book she bought a pen"; "Anton turned 9. Anton, who is 11, ...".
The second mention must name the same thing, in the same unit, as one that is known already.
"""

import re
from collections.abc import Iterator

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.reading import Reading, singular
from argus_rl.text.premises.rule import compiled, finding, written

_VALUED = (
    r"(?P<lead>(?:[a-z]+ ){1,4}?)(?:costs?|cost|is|was|are|were|for|at|of|measures|measured|weighs"
    r"|weighed"
    r"|priced at|sells for|sold (?:for|at)|holds?|of length|with|holding|measuring|weighing"
    r"|worth)?(?: exactly)? ?<a:MU>"
    r"(?! (?:more|less|off|longer|shorter|older|younger|taller|heavier|deep|wide|high|cheaper"
    r"|dearer))[^#]*?"
    r"\b(?:the|this|that|these|those|his|her|its)(?: same)? <b:MU>(?: -)?(?: long| old)? "
    r"(?P<again>[a-z]{3,})(?= [.,;:]"
    r"| (?:she|he|it|they|that|which|and|is|are|was|were|for|on|to|at|in|each|apiece|with|into)\b)"
)
_VALUED_BEFORE = (
    r"\b(?:a|an|one) <a:UM> (?:- )?(?P<noun>[a-z]{3,})(?! of)[^A-Z#]*?\b(?:the|this|that|his|her"
    r"|its) <b:UM> (?:- )?"
    r"(?P=noun)\b"
)
_NO_THING = frozenset(("for", "the", "of", "price", "each", "and", "year", "day", "week", "month"))
_TURNED = (
    r"(?P<name>[a-z]+) (?:is|turned|turns|was|weighs|has|earns) <a:NUM>(?: "
    r"[a-z]+){0,2}[^#A-Z]*?\b(?P=name) ,? ?(?:who|whose"
    r" age|at|aged|now aged)(?: is| was| turned| weighs| has| earns)?(?: now| today| just)? "
    r"<b:NUM>(?= [.,]| years?| today| now)"
)
_OWN = (
    r"\b(?:only|exactly|just|no more than) (?:[a-z]+ )?<a:N>[^#]*?\b(?:both of|both|all of|each of"
    r"|all|every one of|one of|of) (?:(?:his|her|its"
    r"|their|these|those|the) )?<b:N>"
)


def check_second_mentions(reading: Reading) -> Iterator[PremiseFinding]:
    """A thing that is taken up again with another price, length or age."""
    for match in compiled(_VALUED).finditer(reading.form):
        first, again = reading.of(match["a"]), reading.of(match["b"])
        same = first.kind == again.kind and first.dimension == again.dimension
        nouns = {singular(word) for word in match["lead"].split() if word not in _NO_THING}
        noun = singular(match["again"]) in nouns
        if (
            same
            and noun
            and first.base != again.base
            and len(re.findall(r"[UM]\d", match.group())) <= 3
        ):
            yield finding(K.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value)
    for match in compiled(_VALUED_BEFORE).finditer(reading.form):
        first, again = reading.of(match["a"]), reading.of(match["b"])
        if first.dimension == again.dimension and first.base != again.base:
            yield finding(K.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value)
    for match in compiled(_TURNED).finditer(reading.form):
        first, again = reading.of(match["a"]), reading.of(match["b"])
        if again.value != first.value:
            yield finding(K.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value)
    for match in compiled(_OWN).finditer(reading.form):
        first, again = reading.of(match["a"]), reading.of(match["b"])
        if first.noun == again.noun != "" and again.value > first.value:
            yield finding(K.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value)
