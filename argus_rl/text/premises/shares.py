"""Relations of parts, percentages, comparisons, averages and shapes, as a table of rules."""

import re

from argus_rl.text.premises.findings import PremiseKind
from argus_rl.text.premises.measures import COINS
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.reference import one_share, other_unit
from argus_rl.text.premises.rule import Rule

_MORE = (
    r"(?:more|older|taller|longer|higher|greater|bigger|heavier|larger|wider|further|farther"
    r"|dearer|above|later)"
)
_LESS = r"(?:less|fewer|younger|shorter|lower|smaller|lighter|cheaper|narrower|nearer|below)"
_THE = r"(?:the |a |an |all |his |her |their |its |these |those |this |that |our |my |[a-z]+'s )*"
_CLAIM = (
    r"(?:, so|so|: |, or|, which (?:is|means|makes|gives)|, that is|, i\.e\.|, meaning|, namely"
    r"|\( ?|, making|, giving|and so|, hence|, thus|, therefore|; |, in other words)"
)
_IS = r"(?:is|are|was|were|equals|makes|make|comes to|amounts to|would be)"
_REF = r"(?: [a-z']+){1,4}?"
_HAS = (
    r"(?:is|are|was|has|have|had|weighs?|weighed|costs?|owns?|measures?|scored|scores|earns?"
    r"|earned|gets|got|reads?|collected|sold|picked|raised|ran|runs|walked|turns|made|makes|baked"
    r"|bought|ate|drove|saved|at|for|with|of)"
)


def _counts_packs(reading: Reading, match: re.Match[str]) -> bool:
    """Whether a count in dozens or pairs is restated as a count of the same single things."""
    first, second = reading.of(match["a"]), reading.of(match["c"])
    packed = first if first.pack > 1 else second
    nouns = {first.noun, second.noun} - {
        "person",
        "piece",
        "item",
        "unit",
        "individual",
        "animal",
        "bird",
    }
    same = len(nouns) < 2 or "" in nouns
    more = re.search(rf"\\b{match['c']} (?:free|more|extra|other)\\b", reading.form)
    if " , so " in reading.form[match.end("a") : match.start("c")] and second.pack > 1:
        return False
    return first.pack != second.pack and same and more is None and packed.value > 0


K = PremiseKind

_FOLLOWED = tuple(
    Rule(
        kind=K.COMPARE_MORE,
        pattern=rf"<c:NMU>(?: [a-z]+){{0,3}} , which is <d:NMU>(?: [a-z]+){{0,2}}? {word}(?:"
        rf" [a-z]+)? than (?:the |a |an )?(?P<who>[a-z]+)(?: [a-z]+)? \. (?:the |a |an "
        rf")?(?P=who)(?: thus| therefore| then)? (?:has|is|owns|weighs|costs"
        rf"|scored|got|made|sold|read|ran) "
        r"<b:NMU>(?! (?:more|less|fewer|times))",
        formula=f"c {sign} d",
        claim="b",
        alike="cd",
    )
    for word, sign in ((_MORE, "-"), (_LESS, "+"))
)

COMPARISONS = (
    *_FOLLOWED,
    *(
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<c:NMU>~(?:which|that|this|he|she|it)? ?(?:is|are|was|were|,) (?:exactly )?"
            rf"<d:NMU>(?: [a-z]+){{0,2}}? {word} than (?:(?!and |but |he |she |they )[a-z']+"
            rf" ){{0,4}}?(?:, (?:who|which) (?:[a-z]+ ){{1,2}})?<b:NMU>",
            formula=f"c {sign} d",
            claim="b",
            alike="cd",
        )
        for word, sign in ((_MORE, "-"), (_LESS, "+"))
    ),
    *(
        Rule(
            kind=K.COMPARE_MORE,
            pattern=r"<a:NMU>(?! (?:[a-z]+ )?(?:more|less|fewer|older|younger|taller))"
            r"(?: [a-z]+){0,5} [.,;]? ?(?:and |but |while )?(?!which|that|this|so)(?:[a-z']"
            r" ?){1,40}"
            rf",? ?(?:who |which )?(?:{_HAS} )?(?:exactly )?<d:NMU>(?: [a-z]+){{0,3}}? {word}"
            rf" than(?: [a-z']+){{1,3}}?(?: ,)?(?: and)?(?: (?:is|are|was|has|have|weighs|costs"
            rf"|measures|owns|scored|makes|made)) <c:NMU>(?! (?:[a-z]+ ){{0,2}}(?:more|less|fewer"
            rf"|older|younger|times))",
            formula=f"a {sign} d",
            alike="ad",
        )
        for word, sign in ((_MORE, "+"), (_LESS, "-"))
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<a:NMU>(?: [a-z]+){{0,5}} [.,;] ?(?:[a-z'] ?){{1,40}}<k:XF> as "
        rf"(?:much|many|long|old|tall|far|heavy|big|large|high|wide)(?: [a-z]+)?(?: as{_REF})?(?:"
        rf" ,)? (?:namely|that is|so(?! that){_REF}|i\.e\.|or|which is|\(|:)"
        r" ?<c:NMU>(?! times)",
        formula="k * a",
        alike="a",
        accept=("a / k",),
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=rf"<c:NMU>(?: [a-z]+){{0,3}} (?:is|are|was|were|make up|makes up)"
        rf"(?: exactly| just)? <f:F> of {_THE}<b:NMU>",
        formula="c / f",
        claim="b",
        alike="c",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=r"<c:NMU>(?: [a-z]+){0,3} ,? (?:which is |or )?<k:X> the [a-z]+ of (?:the |a |an"
        r" )<b:NMU>",
        formula="k * b",
        alike="b",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=r"<c:NMU>(?: [a-z]+){0,3} , (?:which is )?(?:exactly )?<k:XF> (?:as [a-z]+(?: "
        r"[a-z]+)? as|the [a-z]+ of)(?: [a-z']+){1,3} ,? ?(?:who|which|has|,|\() ?(?:[a-z]+"
        r" ){0,2}<b:NMU>",
        formula="k * b",
        alike="b",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=r"<c:NMU>(?: [a-z]+){0,2} , (?:which is )?(?:exactly )?<k:XF> as [a-z]+(?:"
        r" [a-z]+)? as (?:the |a |an |his |her )?<b:NMU>",
        formula="k * b",
        alike="b",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=r"<a:NMU> (?:[a-z]+ ){0,3}and (?:[a-z']+ ){1,4}<b:NMU>(?: [a-z]+){0,3} , "
        r"(?:so|which makes|making|which means|which is|that is)~<c:X> as",
        formula="a / b",
        alike="",
        accept=("b / a",),
        holds=lambda reading, match: (
            reading.of(match["a"]).dimension == reading.of(match["b"]).dimension
        ),
    ),
)

PARTS = (
    *(
        Rule(
            kind=kind,
            pattern=pattern,
            formula=formula,
            alike="b",
            accept=(f"b - {formula}",),
        )
        for kind, letter, formula in (
            (K.FRACTION, "F", "f * b"),
            (K.PERCENT, "P", "f * b / 100"),
        )
        for pattern in (
            rf"<f:{letter}> of {_THE}(?:[a-z'-]+ ){{0,4}}?(?:of )?{_THE}<b:NMU>~{_CLAIM}(?:"
            rf" [a-z']+){{0,4}}? ?<c:NMU>(?! (?:[a-z]+ ){{0,2}}(?:each|per|more|less|fewer"
            rf"|apiece))",
            rf"<f:{letter}> of {_THE}<b:NMU>~ , <c:NMU> of them",
            rf"<f:{letter}> of {_THE}(?:[a-z'-]+ ){{0,6}}?<b:NMU>~\. ~(?:those|these) <c:NMU>",
            rf"<f:{letter}> of {_THE}<b:NMU>(?: [a-z]+){{0,2}} {_IS} (?:exactly )?<c:NMU>"
            r"(?! (?:[a-z]+ ){0,2}(?:each|per|more|less|fewer|old))",
            rf"of {_THE}<b:NMU>(?: [a-z]+){{0,5}} ,? ?<f:{letter}> (?:are|were|is|was|of|right"
            rf"|wrong|correct|from|have|had|got)\b~{_CLAIM}(?: [a-z']+){{0,3}}? ?<c:NMU>",
        )
    ),
    Rule(
        kind=K.PERCENT,
        pattern=r"<b:NMU>~<a:NMU>(?: (?!each|per)[a-z']+){0,7} , (?:a|an|which is a|giving a|a "
        r"[a-z]+) (?:[a-z]+ )?(?:rate |share |proportion )?of <c:P>(?! of)",
        formula="100 * a / b",
        alike="",
        accept=(
            "100 * b / a",
            "100 - 100 * a / b",
            "100 - 100 * b / a",
            "100 * (a - b) / b",
        ),
        holds=lambda reading, match: (
            reading.of(match["a"]).kind == reading.of(match["b"]).kind
            and reading.of(match["a"]).value <= reading.of(match["b"]).value
        ),
    ),
    Rule(
        kind=K.PERCENT_CHANGE,
        pattern=r"<p:P> (?:off|discount|reduction)(?: [a-z]+| ,)*? <a:M>(?:(?!"
        r" and)[^A-Z.#])*?(?:sells for|costs?|is sold for|sold for|pays?|paid|is now|now costs"
        r"|comes to|drops to|is reduced to|for only|is yours for|goes for)(?: only| just)? <c:M>",
        formula="a * (100 - p) / 100",
        alike="a",
        accept=("a * p / 100",),
        holds=one_share,
    ),
    Rule(
        kind=K.PERCENT_CHANGE,
        pattern=r"<a:M>~<p:P> (?:off|discount|reduction)~(?:sells for|costs?|is sold for|sold for|"
        r"pays?|paid|is now|now costs|comes to|, to|, so~|down to|price of|price is) <c:M>",
        formula="a * (100 - p) / 100",
        alike="a",
        accept=("a * p / 100",),
        holds=one_share,
    ),
)


CONVERSIONS = (
    Rule(
        kind=K.UNIT_CONVERSION,
        pattern=r"<a:UM>(?: [a-z]+){0,2}? ?(?:, or|\( that is|\( or|\( i\.e\.|\(|, that is|, which"
        r" is|which is|, which equals|, which makes|, i\.e\.|that is|, namely|means|is the same"
        r" as|equals?|is equal to|, meaning|, in other words|makes?|make up|, equivalent to|, the"
        r" same as)(?: ,)?(?: the same as| equal to| exactly| equivalent to| a total of| swimming"
        r"| running| walking| driving| cycling)? <c:UM>(?! (?:[a-z]+ ){0,2}(?:more|less|longer"
        r"|shorter|later|taller|a |an |per |each|older|younger|away|deeper|higher|wider|than|in"
        r"|if|by|with|when)\b)",
        formula="a",
        holds=other_unit,
    ),
    Rule(
        kind=K.UNIT_CONVERSION,
        pattern=r"<a:U> means [a-z]+ <c:U>",
        formula="a",
        holds=other_unit,
    ),
    Rule(
        kind=K.DOZEN_UNITS,
        pattern=r"<a:N>(?: [a-z]+){0,6}? ?(?:, or|\(|, that is|that is|, which is|which is|-|which "
        r"means|which"
        r" equals|which makes|, i\.e\.|, namely|:|[,;.(-] (?:that|this|which|it) (?:means|gave"
        r"|gives|made|makes|is|was)(?: him| her| them| us)?|, so|means|are|is|makes?|, making|, "
        r"giving|,"
        r" which"
        r" makes|, so (?:they|he|she|it|there) (?:had|has|have|are|were))(?: ,)?(?: or| that"
        r" is){0,2} <c:N>",
        formula="a",
        holds=_counts_packs,
    ),
    Rule(
        kind=K.DOZEN_UNITS,
        pattern=r"<a:N>(?: [a-z]+){0,6}?(?: ,)?(?: so| making| which makes| that makes| for a"
        r" total of| a total of| or)?(?: there are| [a-z]+ has)? <c:N>(?: [a-z]+){0,2}? (?:in all"
        r"|altogether|in total|together)",
        formula="a",
        holds=_counts_packs,
    ),
    Rule(
        kind=K.DOZEN_UNITS,
        pattern=r"(?:^|\. |\bsince |\bas )<a:N> (?:is|means|are|has) <c:N>",
        formula="a",
        holds=lambda reading, match: reading.of(match["a"]).pack > 1,
    ),
    Rule(
        kind=K.DOZEN_UNITS,
        pattern=r"<c:N>(?: [a-z]+){0,2} in (?:each |every |a )?<a:N>",
        formula="a",
        holds=lambda reading, match: (
            reading.of(match["a"]).pack > 1
            and reading.of(match["a"]).value <= 12
            and reading.of(match["c"]).pack == 1
        ),
    ),
    *(
        Rule(
            kind=K.UNIT_CONVERSION,
            pattern=rf"(?<!and )<n:N> {coin}\b[^A-Z.#]*?(?:worth|makes?|are|which is|, or|making"
            rf"|that is|i\.e\.|namely"
            rf"|\(|so~|which means|totalling|"
            r"totaling|which makes|a value of|which are worth|for a total of|amounting to) <c:M>",
            formula=f"n * {value.numerator} / {value.denominator}",
        )
        for coin, value in COINS.items()
    ),
)


RULES = COMPARISONS + PARTS + CONVERSIONS
"""Every relation that a pattern and a formula state."""
