"""Comparisons, conversions, shares and shapes told over two clauses, as a table of rules.

The first clause gives a quantity, the second relates another to it and states the result: "Ali
picked 14 kg; his father picked three times that amount, 42 kg".  Between the quantities of a rule
stand words alone, never a third quantity, so a rule binds neighbours.  A comparison with a name
("than Max") holds only where that name stands with the first quantity.
"""

import re

from argus_rl.text.premises.findings import PremiseKind
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.reference import other_unit, refers
from argus_rl.text.premises.rule import Rule
from argus_rl.text.premises.stated import LESS, MORE

K = PremiseKind

_RUN = r" (?=[a-z,;.])[^A-Z#]{1,160}?"
"""Words between two neighbours, at most one sentence end among them is usual."""
_IN = r"[^A-Z.#]{1,120}?"
"""Words of one sentence between two neighbours."""
_SAYS = (
    r"\b(?:so(?! that)|namely|that is to say|that is|i\.e\.|which is|which means|which makes|which "
    r"gives|which comes to"
    r"|therefore|thus|hence|making|giving|in other words|that makes|or|and so|meaning|for a total"
    r" of|a total of|that means|this is|this makes|at a price of)"
)
_LINK = (
    rf"(?:[,:;(-] {_SAYS} ,? ?(?:[a-z']+ ){{0,5}}?|{_SAYS} (?:[a-z']+ ){{0,4}}?|[,:(-] (?:with |at"
    r" |and (?:is|has|weighs|costs|measures) |(?=[NMU]\d+(?: [a-z]+){0,2} ?(?:[.,;:)]|$))))"
)
_NO_VERB = r"(?! (?:[a-z]+ ){0,2}?(?:are|were|is|was|in(?! all| total)|on|have|has|at)\b)"
"""Behind a result in plain apposition: no clause of its own starts there."""
_ASIDE = (
    r", (?:is|are|was|weighs|weighed|costs?|measures?|measured|has|had|earns?|earned|scored|owns"
    r"|holds|ran|runs|made|makes|got|gets|reads?|sold|collected|picked|saved|reaches|reached"
    r"|comes? to|stands at|sells for|can hold|contains?) (?:exactly |only |just )?"
)
_WITH = (
    r"(?:at|with|aged|weighing|measuring|costing|scoring|earning|owning|holding|priced at|having)"
)
_NOT_MORE = rf"(?! (?:[a-z]+ ){{0,2}}(?:times|{MORE}|{LESS}|each|apiece)\b)"


_THAT = (
    r"(?: (?!each|every)[a-z]+){0,4}? ?,? ?(?:which|that|this|it|he|she|or)? ?(?:is|was|are|were"
    r"|costs?|weighs|has|measures|makes)? ?,? ?(?:exactly |just )?"
)
_THAN = rf"(?:(?: [a-z]+)? than(?: [a-z']+){{1,4}}?|(?= ?[,:;(.-])|(?: [a-z]+)?(?= ?,? ?{_SAYS}))"
_SO_MANY = r"<k:NMU>(?: (?!are|is|and|for|in|to|of)[a-z]+){0,2}?"

COMPARED = tuple(
    rule
    for word, sign, inverse in ((MORE, "+", "-"), (LESS, "-", "+"))
    for rule in (
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}{_SO_MANY} {word}{_THAN} ?(?:{_LINK}"
            rf"|{_ASIDE})<c:NMU>{_NOT_MORE}{_NO_VERB}",
            formula=f"a {sign} k",
            alike="ak",
            holds=refers,
        ),
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}\b{_WITH} <c:NMU>(?: [a-z]+){{0,2}} ,"
            rf"(?: [a-z']+){{0,4}}? {_SO_MANY} {word}\b{_THAN}(?= [.,;])",
            formula=f"a {sign} k",
            alike="ak",
            holds=refers,
        ),
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>{_NOT_MORE}{_THAT}{_SO_MANY} {word} than"
            rf"(?: [a-z']+){{1,5}}? ,? ?(?:whose [a-z]+ (?:is|was|are)|when(?: there were| it was)?"
            rf"|(?:who|which) [a-z]+(?:"
            rf" [a-z]+){{0,2}}?|and its [a-z]+) <c:NMU>{_NOT_MORE}",
            formula=f"a {inverse} k",
            alike="ak",
        ),
    )
)

_TIMES_THAT = (
    r"<k:XF> (?:(?:that|this|the same) [a-z]+(?: [a-z]+)?|as (?:much|many|long|far|old|tall|high"
    r"|heavy|big|large|deep|wide|fast|often|expensive|dear)(?: [a-z]+)?(?: as(?: [a-z']+){1,4}?)?"
    r"|(?:the|his|her|their|its) [a-z]+ of(?: [a-z']+){1,4}?|what(?: [a-z']+){2,4}?)"
)

TAKEN_UP = (
    *(
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}(?P<who>[a-z]+) (?:[a-z]+ ){{0,2}}<k:NMU>(?: "
            rf"[a-z]+)? {word} \. "
            rf"(?P=who)(?:'s [a-z]+)? (?:is|was|has|had|got|costs|weighs|scored|made|sold|read|ran)"
            rf" <c:NMU>",
            formula=f"a {sign} k",
            alike="ak",
        )
        for word, sign in ((MORE, "+"), (LESS, "-"))
    ),
    *(
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>{_NOT_MORE}[^A-Z.#]*?\. (?:it|he|she|they|this|that) (?:is|has|was"
            rf"|had|costs|weighs|"
            rf"scored|holds) <k:NMU>(?: [a-z]+){{0,2}}? {word} than(?: [a-z']+){{1,4}}? ,? "
            rf"?(?:which|who) [a-z]+(?: "
            rf"only)? <c:NMU>",
            formula=f"a {sign} k",
            alike="ak",
        )
        for word, sign in ((MORE, "-"), (LESS, "+"))
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_THAT}<k:XF> as [a-z]+ as (?:the |a |an )?(?P<who>[a-z]+)[^A-Z#.]*?\. "
        rf"(?:so )?(?:the |a |an "
        r")?(?P=who)[^A-Z#.]*? (?:is|was|has|had|costs|weighs|measures|scored) <c:NMU>",
        formula="a / k",
        alike="a",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}(?P<who>[a-z]+) (?:is|was|has|costs|weighs|runs|earns) "
        rf"<k:XF> as [a-z]+(?:"
        r" [a-z]+)? \. (?:[a-z]+ )?(?P=who) (?:is|was|has|costs|weighs|runs|earns) <c:NMU>",
        formula="k * a",
        alike="a",
    ),
)

MULTIPLIED = (
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}{_TIMES_THAT} ?(?:{_LINK}|"
        rf"{_ASIDE})<c:NMU>{_NOT_MORE}{_NO_VERB}",
        formula="k * a",
        alike="a",
        accept=("a / k",),
        holds=refers,
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_NOT_MORE}{_RUN}\b{_WITH} <c:NMU>(?: [a-z]+){{0,2}} ,(?:"
        rf" [a-z']+){{0,4}}? {_TIMES_THAT}(?= [.,;])",
        formula="k * a",
        alike="a",
        holds=refers,
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_NOT_MORE}{_THAT}<k:XF> (?:as [a-z]+(?: [a-z]+)? as|the [a-z]+ of|that"
        rf" of)(?: [a-z']+){{1,5}}? ,? ?(?:whose(?: [a-z]+){{1,2}} (?:is|was|are|of)|(?:who|which) "
        rf"[a-z]+(?: [a-z]+){{0,3}}?|at|with) <c:NMU>{_NOT_MORE}",
        formula="a / k",
        alike="a",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>{_NOT_MORE}{_THAT}<k:X> (?:the|its|his|her) [a-z]+ of <c:NMU>",
        formula="a / k",
        alike="a",
    ),
)


QUOTIENTS = (
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<a:NMU>~\b(?:fills?|makes?|gives?|yields?) <b:N> (?:equal|identical"
        r"|equally)~\b(?:each|every"
        r"|one)\b~<c:NMU>",
        formula="a / b",
        alike="a",
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<b:N>~\b(?:divide|share|split)\b~<a:NMU>~\b(?:equally|evenly)\b~<c:NMU>(?: "
        r"[a-z]+)?"
        r" (?:each|apiece)\b",
        formula="a / b",
        alike="a",
    ),
    *(
        Rule(
            kind=K.PERCENT_CHANGE,
            pattern=rf"\b(?:{words})(?: in price)?(?: by)? <p:P> ,?~<a:M>~(?:costs?|for|is|are|now"
            rf"|at)(?: only| just"
            rf"| now)? <c:M>",
            formula=f"a * (100 {sign} p) / 100",
            alike="a",
        )
        for words, sign in (
            ("reduced|cut|discounted|lowered|marked down", "-"),
            ("raised|increased|marked up", "+"),
        )
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"\b(?:dividing|sharing|splitting|divided) (?:the |his |her )?<a:NMU>(?: "
        r"[a-z]+){0,2} (?:by"
        r"|among|between|into|over) (?:the )?<b:NMU>[^A-Z.#]*?<c:NMU>(?! more)",
        formula="a / b",
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<b:N> (?P<thing>[a-z]+) (?:to|per|in|for|on) (?:a|an|each|every|one) "
        r"(?P<group>[a-z]+) , <a:N>"
        r" (?P=thing)~<c:N> (?P=group)(?:e?s)?\b",
        formula="a / b",
    ),
    Rule(
        kind=K.PERCENT,
        pattern=r"<f:P>[^A-Z#]{0,40}?\b(?:on|of|for|to) (?:a|an|the|his|her) <b:M>(?: [a-z]+){0,4} "
        r",? ?(?:that|this"
        r"|it|which) (?:is|makes|comes to|means|amounts to|was) (?:an extra |only )?<c:M>",
        formula="f * b / 100",
        accept=("b - f * b / 100", "b + f * b / 100"),
    ),
)

CONVERTED = (
    Rule(
        kind=K.UNIT_CONVERSION,
        pattern=r"<a:U>(?: [a-z]+){0,4} ?[,.;:(] (?:[a-z]+ )?(?:so|or|those|these|that is to say"
        r"|that is|that"
        r" makes|this is|(?:expressed |measured |given )?in [a-z]+(?: ,)?(?: that is| this is)?"
        r"|converted to [a-z]+ ,(?: that"
        r" is| this is)?|in other words ,|which makes|making|to be exact ,|equal to|equivalent to"
        r"|i\.e\.|namely|and that is|as much as|the equivalent of) <c:U>(?! (?:[a-z]+ ){0,2}(?:more"
        r"|less|longer|later|each|per|a|an|in|at|on|from|are|stand|stands|represents?|take|takes"
        r"|needs?)\b)",
        formula="a",
        holds=other_unit,
    ),
    Rule(
        kind=K.UNIT_CONVERSION,
        pattern=r"<a:U>(?: [a-z]+){0,3} (?:is equal to|are equal to|equals?|corresponds? to"
        r"|amounts?"
        r" to|is equivalent to|is the same (?:length|weight|time|as)(?: as)?|contains?|converts? to"
        r"|works? out (?:at|as|to)|makes?|come to|comes to|measures|holds?|yields?|fills?|is) "
        r"(?:exactly )?<c:U>"
        r"(?! (?:[a-z]+ ){0,2}(?:more|less|longer|later|old|each|per|a|an|away)\b)",
        formula="a",
        holds=other_unit,
    ),
)


def _square(quantity: Quantity, side: Quantity, power: str) -> bool:
    """Whether a quantity is an area (or volume) in the unit of a side."""
    stated, _, unit = quantity.dimension.partition(" ")
    return stated == power and UNITS.get(unit) == (side.dimension, side.ratio)


def _area(reading: Reading, match: re.Match[str]) -> bool:
    return _square(reading.of(match["c"]), reading.of(match["a"]), "square")


def _volume(reading: Reading, match: re.Match[str]) -> bool:
    return _square(reading.of(match["c"]), reading.of(match["a"]), "cubic")


_LONG = r" (?:long|in length|wide|in width|broad|tall|high|deep|across)"
_OBLONGS = (
    rf"<a:U>(?:{_LONG})? (?:by|x|×) (?:[a-z]+ ){{0,2}}?<b:U>(?:{_LONG})?(?! (?:by|x|×))",
    rf"(?<!, )<a:U>{_LONG}~(?:and|,)~<b:U>{_LONG}(?! (?:,|and|, and) U)",
)
_SIDES = (
    r"\b(?:sides?|edges?) of <a:U> ,? ?(?:the|a|this) square\b",
    r"\bsquare\b~(?:sides?|edges?)\b~<a:U>",
    r"\bsquare\b~<a:U> (?:on each|along each|per|long on each|in each) (?:side|edge)",
    r"\b(?:sides?|edges?|side length) of (?:a|the|one|this) square\b~<a:U>",
)
_ROUND_AFTER = r"(?= of (?:frame|fence|fencing|edging|wire|tape|border|ribbon|hedge|wall)\b)"
_ROUND = (
    r"\b(?:perimeter|fence|fencing|border|edging|edge|frame|boundary|outline|hedge|wall round"
    r"|distance (?:round|around)|way (?:round|around)|walk (?:round|around)|once (?:round|around)"
    r"|length (?:round|around)|round (?:it|the field|the garden)(?: once)? , [a-z]+|round it|around"
    r" it|all round)\b"
)

SHAPES = (
    *(
        Rule(kind=K.GEOMETRY, pattern=pattern, formula=formula, alike=alike, holds=holds)
        for pattern, formula, alike, holds in (
            *(
                entry
                for oblong in _OBLONGS
                for entry in (
                    (
                        rf"{oblong}[^A-Z#]*?{_ROUND}(?: [a-z]+){{0,4}} <c:U>",
                        "2 * (a + b)",
                        "ab",
                        None,
                    ),
                    (rf"{oblong}{_IN}<c:U>{_ROUND_AFTER}", "2 * (a + b)", "ab", None),
                    (rf"{oblong}(?:(?!each)[^A-Z.#])*?<c:U>", "a * b", "", _area),
                )
            ),
            *(
                entry
                for side in _SIDES
                for entry in (
                    (rf"{side}[^A-Z#]*?{_ROUND}(?: [a-z]+){{0,4}} <c:U>", "4 * a", "a", None),
                    (rf"{side}{_IN}<c:U>", "a * a", "", _area),
                )
            ),
            (
                r"<a:U>~(?:by|and|x|×|,)~<b:U>~(?:by|and|x|×|,)~<d:U>[^A-Z.#]*?<c:U>",
                "a * b * d",
                "",
                _volume,
            ),
            (
                rf"\b(?:triangle|triangular|three sides)\b~<a:U>~<b:U>~<d:U>[^A-Z#]*?(?:{_ROUND}|in"
                r" all|in total)(?: [a-z]+){0,4} <c:U>",
                "a + b + d",
                "abd",
                None,
            ),
        )
    ),
)

RULES = COMPARED + TAKEN_UP + MULTIPLIED + QUOTIENTS + CONVERTED + SHAPES
"""Every relation of this module."""
