"""Relations in which one clause states the rule and the next its result, as a table of rules.

"Carl has 6 more marbles than Ben, so Carl has 21"; "60 m are cut into 5 equal parts of 12 m"; "7
notebooks at $3 each cost $21".
"""

import re

from argus_rl.text.numerals import words_of
from argus_rl.text.premises.findings import PremiseKind
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.reference import refers, stands_alone
from argus_rl.text.premises.rule import Rule

K = PremiseKind

MORE = (
    r"(?:more|older|taller|longer|higher|greater|bigger|heavier|larger|wider|further|farther"
    r"|deeper|dearer)"
)
LESS = r"(?:less|fewer|younger|shorter|lower|smaller|lighter|cheaper|narrower)"
_SO = (
    r"(?: ,)? (?:so|that is|i\.e\.|namely|which is|which means|therefore|thus|hence|or|and so"
    r"|making it|and(?= (?:is|has|weighs|costs|measures)))\b(?! that)(?: ,)?(?: [a-z']+){0,4}? "
)


def _equal_parts(reading: Reading, match: re.Match[str]) -> bool:
    """Whether the sentence shares equally and the claim is the size of one share."""
    start = reading.form.rfind(" . ", 0, match.start()) + 1
    sentence = reading.form[start : match.end()]
    gap = reading.form[match.end("b") : match.start("c")]
    after = reading.form[match.end() : match.end() + 30]
    linked = re.search(
        r"\b(?:each|of|so|gives?|giving|contains?|holds?|per|apiece|gets?|receives?|everybody"
        r"|everyone)\b|^ (?:[a-z]+ )?(?:[a-z]+ )?, $",
        gap,
    )
    shared = re.match(r"(?: [a-z]+){0,3} (?:to|in|per|for|on) (?:a|an|each|every)\b", after)
    equal = re.search(r"\b(?:equal|equally|evenly|same number)\b", sentence)
    other = re.search(r"\b(?:more|except|first|only|and then|costs?|at)\b", gap)
    return equal is not None and other is None and bool(linked or shared)


def _same_pairs(reading: Reading, match: re.Match[str]) -> bool:
    """Whether two uses of a recipe name the same two things."""
    a, b, c, d = (reading.of(match[name]) for name in "abcd")
    first = a.dimension == c.dimension and a.kind == c.kind and a.noun == c.noun
    return first and b.noun == d.noun and b.kind == d.kind


_MONTHS = frozenset(
    words_of(
        "january february march april may june july august september october november december"
    )
)

DIFFERENCES = tuple(
    rule
    for word, sign in ((MORE, "+"), (LESS, "-"))
    for rule in (
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>(?! (?:[a-z]+ )?(?:{MORE}|{LESS}))(?: [a-z]+){{0,5}} [.,;]? ?(?:and "
            rf"|but |while )?(?!which|that|this)(?:[a-z'] ?){{1,40}}<d:NMU>(?: [a-z]+){{0,3}}?"
            rf" {word}(?:(?: [a-z]+){{0,2}}? than(?: [a-z']+){{1,4}}?(?: is| was| does| did|"
            rf" has)?)?{_SO}<c:NMU>"
            r"(?! (?:[a-z]+ ){0,2}(?:more|less|fewer|older|younger|times))",
            formula=f"a {sign} d",
            alike="ad",
            holds=refers,
        ),
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<d:NMU>(?: [a-z]+){{0,3}}? {word}(?: [a-z]+){{0,2}}? than [a-z']+(?:"
            rf" [a-z]+)? , (?:who|which) (?:[a-z]+ ){{1,3}}?<b:NMU>(?: [a-z]+){{0,3}}{_SO}<c:NMU>",
            formula=f"b {sign} d",
            alike="bd",
        ),
        Rule(
            kind=K.COMPARE_MORE,
            pattern=rf"<a:NMU>(?: [a-z]+){{0,5}} ,? ?(?:and|while|but) (?:[a-z']+ ){{0,4}}?<b:NMU>"
            rf"(?: [a-z]+){{0,6}} [,;] (?:which is |that is |so (?:(?!buys|gets|gives|takes"
            rf"|needs|wants)[a-z]+ )"
            rf"{{1,3}}|so there are "
            rf"|there are )?<c:NMU>(?: [a-z]+){{0,2}}? {word}(?: [a-z]+)?(?: than\b| [.,])",
            formula="b - a" if sign == "+" else "a - b",
            alike="ab",
            accept=("b - a", "a - b"),
        ),
    )
)


SHARES = (
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<a:N> (?P<thing>[a-z]+) (?:fill|make|go into|are in|(?:are|were) (?:put|packed)"
        r" (?:into|in)) <b:N> [a-z]+ ,? ?(?:with|of) <c:N> (?P=thing) (?:in )?(?:each|every|per"
        r"|apiece)",
        formula="a / b",
    ),
    Rule(
        kind=K.DIFFERENCE,
        pattern=r"\bafter [a-z]+ing(?: away| up| out)? <b:N> of (?:his|her|their|its|the) <a:N>~,"
        r" ~(?:has|have|had|are)(?: still| only| just| now)? <c:N>",
        formula="a - b",
        alike="ab",
    ),
    Rule(
        kind=K.MONEY,
        pattern=r"<a:M> for <b:N>(?: [a-z]+){1,3} ,? (?:so |and )?(?:one|each|a single)(?:"
        r" [a-z]+)? (?:costs?|is) <c:M>",
        formula="a / b",
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<a:N>(?: [a-z]+)? (?:form|formed|make up|made up|(?:are|were) (?:split|divided"
        r"|sorted|arranged|seated|put))(?: into| in| at)? <b:N> (?:equal )?[a-z]+ of <c:N>",
        formula="a / b",
    ),
    Rule(
        kind=K.PRODUCT,
        pattern=r"buying <a:N>(?: [a-z]+){0,3} at <b:M> (?:each|apiece)(?: [a-z]+){1,2} <c:M>",
        formula="a * b",
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<a:NMU>~\b(?:into|among|amongst|between|to|in|over|by|on) (?:(?:the|his|her"
        r"|their|its|these|those|all|exactly|each|of) )*<b:N>[^A-Z.#]*?<c:NMU>(?! (?:[a-z]+ )?"
        r"(?:more|left|other))",
        formula="a / b",
        alike="a",
        holds=_equal_parts,
    ),
    Rule(
        kind=K.QUOTIENT,
        pattern=r"<b:N>~\b(?:shares?|shared|splits?|divides?"
        r"|divided)\b~<a:NMU>[^A-Z.#]*?\b(?:equally|evenly)\b[^A-Z.#]*?\beach\b(?: of (?:the "
        r"|them )?)?(?:[a-z ]*N\d+)?[^A-Z.#]*?<c:NMU>",
        formula="a / b",
        alike="a",
    ),
    Rule(
        kind=K.PRODUCT,
        pattern=r"<a:N>(?: [a-z]+){0,3} at <b:M> (?:each|apiece|a [a-z]+|per [a-z]+) (?:(?!to"
        r" )[a-z]+ )?(?:costs?|comes? to|makes?|is|are) <c:M>",
        formula="a * b",
        holds=stands_alone,
    ),
    Rule(
        kind=K.PRODUCT,
        pattern=r"<a:N>(?: [a-z]+){0,3} at <b:M> (?:each|apiece|a [a-z]+|per [a-z]+) ,? ?(?:and|so"
        r"|for|which)(?: [a-z]+){0,3} <c:M> (?:for (?:them|all|the)|in all|in total|altogether)",
        formula="a * b",
        holds=stands_alone,
    ),
    Rule(
        kind=K.MONEY,
        pattern=r"\b(?:a|an|one|each) [a-z]+ (?:costs?|is sold for|sells for) <b:M>(?: each)? ?,?"
        r" (?:so|and so|therefore) <a:N>(?: [a-z]+){1,3} (?:costs?|are|is|sell for|bring in) "
        r"<c:M>",
        formula="a * b",
    ),
)

PERCENTAGES = (
    Rule(
        kind=K.PERCENT,
        pattern=r"<a:N>(?: [a-z]+)? (?:of|out of) (?:the |his |her |their )?<b:N>(?: [a-z]+){0,3}"
        r" ?(?:, or|, which is|, that is|\(|, i\.e\.|:) <c:P>",
        formula="100 * a / b",
    ),
    *(
        Rule(
            kind=K.PERCENT_CHANGE,
            pattern=rf"\b(?:{words})(?: [a-z]+)?(?: by)? <p:P>(?: ,)? from <a:NMU>(?:"
            rf" [a-z]+){{0,2}} to <c:NMU>",
            formula=f"a * (100 {sign} p) / 100",
            alike="a",
        )
        for words, sign in (
            ("rose|rises|risen|grew|grows|increased|increases|went up|climbed|raised|raises", "+"),
            (
                "fell|falls|fallen|dropped|drops|decreased|decreases|went down|reduced|cut|lowered",
                "-",
            ),
        )
    ),
    Rule(
        kind=K.PERCENT,
        pattern=r"<b:N>~<a:N>[^A-Z#]*?\b(?:share|proportion|rate|percentage"
        r"|turnout)\b[^A-Z.#]*?<c:P>",
        formula="100 * a / b",
        accept=("100 * b / a", "100 - 100 * a / b"),
        holds=lambda reading, match: reading.of(match["a"]).value <= reading.of(match["b"]).value,
    ),
    Rule(
        kind=K.PERCENT_CHANGE,
        pattern=r"<a:M>~<p:P> (?:off|discount|less) for <c:M>",
        formula="a * (100 - p) / 100",
        alike="a",
    ),
    Rule(
        kind=K.PERCENT_CHANGE,
        pattern=r"discount of <p:P>~<a:M>~(?:costs?|sells for|is|comes to|for) (?:only )?<c:M>",
        formula="a * (100 - p) / 100",
        alike="a",
        accept=("a * p / 100",),
    ),
    Rule(
        kind=K.PERCENT,
        pattern=r"<b:N>~<a:N>~ , (?:which|that|this|or) (?:is |makes up |represents |makes |are"
        r" )?<c:P> of (?:the|all|them|his|her|their)",
        formula="100 * a / b",
        accept=("100 * b / a",),
    ),
    Rule(
        kind=K.PERCENT,
        pattern=r"<f:P> (?:tip |tax )?on (?:a |an |the )?(?:[a-z]+ )?(?:of )?<b:M>(?: [a-z]+){0,2} "
        r"(?:is|comes to|equals|makes|amounts to|which is|, or|, which is) <c:M>",
        formula="f * b / 100",
        alike="b",
    ),
)

PROPORTIONS = (
    Rule(
        kind=K.TIME_SPAN,
        pattern=r"<a:NU>(?: [a-z]+)? in <x:Y> , so ~<c:NU>(?: [a-z]+)? in <y:Y>",
        formula="a + y - x",
        alike="a",
    ),
    Rule(
        kind=K.RATIO,
        pattern=r"<a:N> (?P<one>[a-z]+(?: [a-z]+)?) (?:for|to) every <b:N> (?P<two>[a-z]+(?:"
        r" [a-z]+)?)\b[^A-Z#]*?<c:N> (?P=one)\b~<d:N> (?P=two)\b",
        formula="c * b / a",
        claim="d",
    ),
    Rule(
        kind=K.RATIO,
        pattern=r"(?:from|of) (?P<one>[a-z]+) and (?P<two>[a-z]+) in the ratio <a:N> (?:to|:)"
        r" <b:N>~<c:NU> (?:of )?(?P=one)\b~<d:NU> (?:of )?(?P=two)\b",
        formula="c * b / a",
        claim="d",
    ),
    Rule(
        kind=K.RATIO,
        pattern=r"<a:NU>~ (?:on|in|over|for) (?:a |an )?<b:U>~<c:NU>(?: [a-z]+){0,3} (?:for every"
        r"|per|for each|every) <d:U>",
        formula="a * d / b",
        alike="a",
        holds=lambda reading, match: (
            reading.of(match["b"]).dimension == reading.of(match["d"]).dimension
        ),
    ),
    Rule(
        kind=K.TIME_SPAN,
        pattern=r"from <a:N> (?P<month>[a-z]+) to <b:N> (?P=month)~<c:U>",
        formula="b - a",
        accept=("b - a + 1",),
        holds=lambda reading, match: (
            match["month"] in _MONTHS and reading.of(match["c"]).ratio == 86400
        ),
    ),
    Rule(
        kind=K.INCONSISTENT_RESTATEMENT,
        pattern=r"<a:UM> of (?P<thing>[a-z]+)\b[^#]*?\bthe <c:UM> of (?P=thing) (?:that|which|she"
        r"|he|they|the)\b",
        formula="a",
        alike="a",
    ),
    Rule(
        kind=K.INCONSISTENT_RESTATEMENT,
        pattern=r"(?P<name>[a-z]+) is <a:NU>(?: now| today)?\b[^#A-Z]*?[^#]*?\b(?P=name) , who is"
        r" (?:now |today )?<c:NU>",
        formula="a",
        alike="a",
    ),
    Rule(
        kind=K.COMPARE_TIMES,
        pattern=r"<c:NMU>(?: [a-z]+){0,2} , which is (?:exactly )?<k:XF> (?:the|that|his|her)(?:"
        r" [a-z']+){1,5} ,? ?(?:who|which) (?:is|has|was|costs|weighs) <b:NMU>",
        formula="k * b",
        alike="b",
    ),
    Rule(
        kind=K.RATIO,
        pattern=r"<a:NU>~ (?:for|makes?|serves?|feeds?|fills?) <b:NU>~(?:so|therefore|thus"
        r"|hence)\b~<c:NU>~ (?:for|makes?|serves?|feeds?|fills?) <d:NU>",
        formula="c * b / a",
        claim="d",
        holds=_same_pairs,
    ),
    Rule(
        kind=K.GEOMETRY,
        pattern=r"triangle~(?:sides?|measures?|measuring)~<a:U> , <b:U> ,? ?and <d:U>~perimeter"
        r"(?: [a-z]+){0,3} <c:U>",
        formula="a + b + d",
        alike="abd",
    ),
)


RULES = DIFFERENCES + SHARES + PERCENTAGES + PROPORTIONS
"""Every relation of this module."""
