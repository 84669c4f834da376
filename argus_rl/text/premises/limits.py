"""What cannot be: more taken than there is, parts above the whole, remnants of people, no sharers.

The checks follow one counted set over neighbouring sentences.  They need the set to be closed:
nothing joins it, and what is taken or told apart is said to be of it.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import PEOPLE_AND_ANIMALS, WHOLE_THINGS
from argus_rl.text.premises.reading import Quantity, Reading, singular
from argus_rl.text.premises.rule import comparable, compiled, finding, in_unit_of, written

_TAKES = (
    r"(?:eats?|ate|eaten|gives?|gave|given|takes?|took|taken|sells?|sold|loses?|lost|uses?|used"
    r"|breaks?"
    r"|broke|broken|spends?|spent|drinks?|drank|drunk|throws?|threw|thrown|removes?|removed|burns?"
    r"|burnt"
    r"|burned|pours?|poured|leaks?|leaked|drains?|drained|flies|flew|flown|dies|died|stolen|steals?"
    r"|stole"
    r"|donates?|donated|lends?|lent|returns?|returned|pays?|paid|cuts?|saws?|sawed|snips?|snipped"
    r"|tears?"
    r"|tore|leaves?|left|gets? off|got off|wilt(?:s|ed)?|burst|melt(?:s|ed)?|pops?|popped|run|ran"
    r"|run away"
    r"|escape[sd]?|withdraws?|withdrew|evaporate[sd]?|spill(?:s|ed|t)?|mails?|mailed|posts?|posted"
    r"|ships?"
    r"|shipped|discards?|discarded|swaps?|rots?|rotted|hatch(?:es|ed)?|fell|falls?|drives?|drove"
    r"|goes|went"
    r"|moves?|moved|quit|talks?|talked|carried|driven|brought|taken|phones?|watches|watched|plays?"
    r"|played|resign(?:s|ed)?"
    r"|consumes?|consumed|fetch(?:es|ed)?|collapsed|withdrawn)"
)
_JOINS = re.compile(
    r"\b(?:buys?|bought|finds?|found|receives?|received|wins?|won|collects?|collected|earns?|earned"
    r"|adds"
    r"|bakes?|baked|gains?|gained|arrives?|joins?|joined|comes|came|borrow\w*|refill\w*|overdra\w+"
    r"|owes?"
    r"|another|again|each|every|per|daily|a day|times|grows?|grew|more than|less than|new"
    r"|deposit\w*"
    r"|saves?|saved|restock\w*|rate|groups?|orders?|picks?|gets(?! off)|got(?! off))\b|[FXPT]\d"
)
_NOTHING_JOINS = re.compile(
    r"\b(?:and|but|,|while)? ?(?:none|nobody|no one|nothing|no [a-z]+|never)\b(?: [a-z]+){0,4}?"
    r" (?:added|baked|made|bought|caught|picked|gets? on|got on|came|comes?|arrives?|joins?|joined"
    r"|back|bought|boards?|boarded|refilled)\b"
    r"(?: back| in)?"
)
_NO_MORE = re.compile(r"\bwithout (?:refuel|refill|add|buy|restock|charg|rechar)\w*")
_HAS = (
    r"\b(?:has|have|had|holds?|held|contains?|contained|there (?:are|were|is|was)|with|keeps?|kept"
    r"|owns?"
    r"|into|owned|carries|carried|is carrying|starts? with|started with|bought|of|is|was|houses?"
    r"|lay|lie"
    r"|sat|sit"
    r"|grow|grew|stand|stood|were|live[sd]?)(?: only| exactly| just| nothing but)* <a:NUM>(?! more|"
    r" less| fewer)"
)


def check_removals(reading: Reading) -> Iterator[PremiseFinding]:
    """More taken out of a set, in the sentences behind it, than was there."""
    sentences = [sentence.strip() for sentence in reading.form.split(" . ")]
    for index, sentence in enumerate(sentences[:-1]):
        start = compiled(_HAS).search(sentence)
        names = re.findall(r"\b[A-Z]\d+", sentence)
        if start is None or len(names) != 1 or _JOINS.search(_NOTHING_JOINS.sub("", sentence)):
            continue
        closed = (
            re.search(
                r"\b(?:exactly|only|nothing else|none was added|to give away|for sale)\b",
                sentence,
            )
            is not None
        )
        closed = closed or _NOTHING_JOINS.search(sentence) is not None
        yield from _taken(
            reading, reading.of(start["a"]), sentences[index + 1 : index + 4], closed=closed
        )


def _taken(
    reading: Reading, stock: Quantity, sentences: list[str], *, closed: bool
) -> Iterator[PremiseFinding]:
    rest, history = stock.value, written(stock.value)
    bound = False
    for sentence in sentences:
        plain = _NOTHING_JOINS.sub("", sentence)
        closed = closed or _NO_MORE.search(sentence) is not None
        if "#" in sentence or _JOINS.search(plain) or not re.search(rf"\b{_TAKES}\b", plain):
            return
        bound = bound or closed or _of_it(plain, stock)
        for name in re.findall(r"\b[A-Z]\d+\b", plain):
            part = reading.of(name)
            if re.search(
                rf"\b(?:of|from) (?:the|his|her|their|its|these|those|all) {name}\b", plain
            ):
                continue
            same = (comparable(part, stock) and part.noun in ("", stock.noun)) or _anaphor(
                plain, name
            )
            if (
                not same
                or not bound
                or part.kind != stock.kind
                or part.dimension != stock.dimension
            ):
                return
            rest -= in_unit_of(part, stock)
            history += f" - {written(in_unit_of(part, stock))}"
            if rest < 0:
                yield finding(
                    K.NEGATIVE_REMAINDER, part, f"{history} = {written(rest)}", "not below 0"
                )
                return


def _anaphor(sentence: str, name: str) -> bool:
    return (
        re.search(
            rf"\b{name} (?:[a-z]+ )?(?:of|from) (?:them|it|these|those|the|his|her)\b", sentence
        )
        is not None
    )


def _of_it(sentence: str, stock: Quantity) -> bool:
    """Whether what is taken is said to be of the set."""
    own = re.search(
        r"\b(?:of|from|out of) (?:(?:the|his|her|their|its|these|those) ([a-z]+)|them|it)\b",
        sentence,
    )
    if own is None:
        return False
    return own.group(1) is None or not stock.noun or singular(own.group(1)) == stock.noun


_CUT_FROM = (
    r"\b(?:from|off|out of|of) (?:a|an|the|his|her|this|one|that) (?:[a-z]+ ){0,3}?(?:of |measuring"
    r" |that is"
    r" |holding |with )?<a:U>(?: [a-z]+){0,3}? ?,? (?:[a-z]+ ){1,3}?(?:cuts?|takes?|took|pours?"
    r"|poured|saws?"
    r"|sawed|removes?|drinks?|drank|uses?|used|snips?|tears?|draws?|drew|scoops?)(?: off| out| "
    r"away)?(?: a"
    r" (?:piece|length|strip) of)? <b:U>",
    r"\b(?:cuts?|takes?|took|pours?|poured|saws?|sawed|removes?|drinks?|drank|snips?|draws?|drew"
    r"|tears?"
    r")(?: off| out| away)?(?: a (?:piece|length|strip) of)? <b:U>(?: [a-z]+){0,2} (?:from|off|out "
    r"of) (?:a"
    r"|an|the|his|her|this) (?:(?:[a-z]+ ){0,3}(?:of |measuring |with |holding ))?<a:U>",
)


def check_cuts(reading: Reading) -> Iterator[PremiseFinding]:
    """A longer piece cut from a shorter one, more poured out than was in."""
    for pattern in _CUT_FROM:
        for match in compiled(pattern).finditer(reading.form):
            part, whole = reading.of(match["b"]), reading.of(match["a"])
            if part.dimension == whole.dimension and part.base > whole.base:
                number = whole.base / part.ratio
                expression = f"{written(number)} - {written(part.value)}"
                yield finding(K.NEGATIVE_REMAINDER, part, expression, f"at most {written(number)}")


_APART = re.compile(
    r"\b(?:no|none|nobody|neither|never|not one)\b[^.#]*\b(?:both|two|more than one)\b|\bexactly "
    r"one\b"
    r"|\bno overlap\b|\beither\b[^.#]*\bor\b|\bthe (?:others|rest|remaining|remainder|other "
    r"[a-z]+)\b"
    r"|\ball (?:the )?others?\b|\bevery(?:one|body) else\b|\bonly one\b|\bjust one\b"
)
_LISTED = (
    r"<a:NU>(?P<whole>[^A-Z#]{1,90}?)<b:NU>(?P<one>[^A-Z.#]{1,60}?)<c:NU>"
    r"(?P<two>[^A-Z#]{0,90}?)(?:<d:NU>(?P<three>"
    r"[^A-Z#]*?))?(?= #| [A-Z]\d|$)"
)
_OTHER_SET = re.compile(
    r"\b(?:each|every (?!pupil|child|student|person|one)|per|more|less|fewer|bought|gets|got|added"
    r"|another"
    r"|then|times|than|cost|costs|later|next|after|days?|hours?)\b"
)


def check_listed_parts(reading: Reading) -> Iterator[PremiseFinding]:
    """Kinds of one set, told apart, that are more: "30 balls: 14 red, 19 blue, the rest green"."""
    for match in compiled(_LISTED).finditer(reading.form):
        names = [match[name] for name in "bcd" if match[name]]
        whole, parts = reading.of(match["a"]), [reading.of(name) for name in names]
        before = reading.form[: match.start()].split(" . ")[-1]
        if re.search(r"[A-Z]\d|#", before) or not _APART.search(match.group()):
            continue
        if _OTHER_SET.search(match["whole"] + match["one"] + match["two"]):
            continue
        alike = all(part.kind == whole.kind and part.dimension == whole.dimension for part in parts)
        total = sum((in_unit_of(part, whole) for part in parts), Fraction(0))
        if alike and total > whole.value >= max(in_unit_of(part, whole) for part in parts):
            listed = " - ".join(written(in_unit_of(part, whole)) for part in (whole, *parts))
            expression = f"{listed} = {written(whole.value - total)}"
            yield finding(
                K.PART_EXCEEDS_WHOLE, parts[-1], expression, f"at most {written(whole.value)}"
            )


_NONE_OVER = (
    r"(?:\b(?:no|not a single|not one)\b(?: [a-z]+){0,3}? (?:left|without|over|alone|remain\w*"
    r"|spare|unused|out"
    r"|empty|free|short|excluded|unpacked|aside|behind)\b|\b(?:nobody|no one|none|nothing)\b(?: "
    r"[a-z]+){0,3}?"
    r" (?:left|without|over|alone|remain\w*|out|behind|aside)\b|\b(?:every|each|all the|all)\b(?: "
    r"[a-z]+){0,3}? (?:is"
    r"|was|are|were|being)(?: completely| exactly| quite)? full\b|\bfill\w* (?:every|each|all|up)"
    r"|\b(?:every|each|all)(?: [a-z]+){0,2} (?:is|was|are|were) (?:complete|occupied|taken|filled)"
    r"|\bfill[a-z]*\b[^A-Z.#]*N\d+ exactly\b|\bexactly fill|\bto the last\b|\bwithout (?:a"
    r" |any )?(?:remainder|leftovers?|rest|anyone|one|any)\b|\bwith(?:out)? no remainder\b)"
)
_TEAMS = (
    rf"<a:N>(?P<between>[^A-Z.#]*?)\b(?:of|for|in|into|with) <b:N>(?P<rest>[^A-Z#]*?){_NONE_OVER}",
    rf"<a:N>(?P<between>[^A-Z.#]*?)\b(?:into|among|between|on|in|over|onto) "
    rf"<b:N>(?P<rest>[^A-Z.#]*?){_NONE_OVER}",
)
_PAIRED = (
    r"<a:N>(?: [a-z]+){1,3}? [^A-Z.#]*?\b(?:pair(?:s|ed)? (?:off|up)|in pairs|into pairs|two by two"
    r"|in twos|into"
    r" twos|in couples|form (?:pairs|couples)|as couples)\b[^A-Z#]{0,60}?\b(?:no|nobody|none"
    r"|everybody|everyone|each"
    r"|every|all|without|left)\b"
)
_WHOLE = frozenset(WHOLE_THINGS) | frozenset(PEOPLE_AND_ANIMALS)


def check_full_groups(reading: Reading) -> Iterator[PremiseFinding]:
    """Groups of one size that leave nothing over although the size does not divide the number."""
    for pattern in _TEAMS:
        for match in compiled(pattern).finditer(reading.form):
            things, size = reading.of(match["a"]), reading.of(match["b"])
            equal = pattern is _TEAMS[0] or re.search(
                r"\b(?:equal\w*|evenly|same)\b", match.group()
            )
            grouped = re.search(
                r"\b(?:form\w*|teams?|groups?|pack\w*|seat\w*|sit|sat|tables?|box\w*|rows?|split"
                r"|divid\w+|put|stor\w+"
                r"|sort\w*|arrang\w+|plant\w*|stand|stood|line[sd]?|cartons?|bags?|fill\w*|placed"
                r"|places|travel|deal"
                r"|dealt|shar\w+|hands?|handed|cars?|tents?|stack\w*|load\w*|march\w*|crates?"
                r"|walk\w*|lines?|dance\w*)\b",
                match["between"] + match["rest"],
            )
            if not equal or not grouped or size.value <= 0 or "more" in match.group():
                continue
            if things.value.denominator != 1 or (things.value / size.value).denominator == 1:
                continue
            yield _broken(things.value, size.value, size)
    for match in compiled(_PAIRED).finditer(reading.form):
        things = reading.of(match["a"])
        if things.value % 2 == 1 and things.noun in _WHOLE | {
            "dancer",
            "skater",
            "guest",
            "sock",
            "shoe",
        }:
            yield _broken(things.value, Fraction(2), things)


def _broken(number: Fraction, size: Fraction, claim: Quantity) -> PremiseFinding:
    expression = f"{written(number)} / {written(size)} = {written(number / size)}"
    return finding(K.NON_INTEGER_COUNT, claim, expression, "a whole number")


_SPREAD = (
    r"\b(?:shar\w+|split\w*|divid\w+|distribut\w+|deal\w*|dealt|hand\w*|giv\w+|gave|spread\w*|sit"
    r"|sat|seat\w*|pack\w*"
    r"|put|plac\w+|fill\w*|pour\w*|allot\w*|assign\w*|pile\w*|load\w*|hang"
    r"|hung)\b[^A-Z#]*?\b(?:among|amongst|between"
    r"|to|by|over|on|at|into|in|across|with) (?:(?:all|the|these|those|his|her|their|its|of|each"
    r"|every) )+(?P<noun>"
    r"[a-z]+)\b"
)
_FOR_NONE = (
    r"\b(?:each of|among|amongst|between|for|to|by|into|over|with|in)(?: the| his| her| their| all"
    r"| these)* <z:N>"
)
_ALL_OF_THEM = (
    r"<a:N>(?: [a-z]+){1,3} ?[,;.]? (?:but|and|of whom)? ?<b:N> of (?:them|the [a-z]+"
    r"|those)\b[^#]*?\b(?:equally|evenly"
    r"|equal|same number|shar\w+|split|divid\w+)\b[^#]*?\b(?:among|amongst|between|to|by|over|with"
    r"|for)\b(?: [a-z]+){0,3}? "
    r"(?:present|remain\w*|left|rest|others|still|here)"
)
_GONE = (
    r"<a:N>[^A-Z#]*?<b:N>(?: of them)?(?: [a-z]+){0,4}? (?:off|absent|away|ill|sick|missing|home"
    r"|left|leave|out|gone"
    r"|cancel\w*|broken|resign\w*|adopted|closed|empty|failed|late|sold|decline\w*|quit"
    r"|dropped)\b[^#]*?\b(?:equally|evenly"
    r"|equal|same number|shar\w+|split|divid\w+)\b[^#]*?\b(?:among|amongst|between|to|by|over|with"
    r"|for)\b(?: [a-z]+){0,3}? "
    r"(?:present|remain\w*|left|rest|others|who|still|here|come|turn|stay\w*|there|working|open)"
)


def check_no_sharers(reading: Reading) -> Iterator[PremiseFinding]:
    """Equal shares among the members of a set that was said to be empty."""
    zeros = [q for q in reading.quantities if q.kind == "N" and q.value == 0]
    empty = {q.noun: q for q in reading.quantities if q.kind == "N" and q.value == 0 and q.noun}
    for match in compiled(_SPREAD).finditer(reading.form) if empty else ():
        nobody = empty.get(singular(match["noun"]))
        equal = re.search(r"\b(?:equal\w*|even\w*|same|shar\w+|split|divid\w+)\b", match.group())
        if nobody is not None and equal:
            yield finding(K.ZERO_DIVISION, nobody, "0", "not 0")
    for match in compiled(_FOR_NONE).finditer(reading.form) if zeros else ():
        sentence = reading.form[reading.form.rfind(" . ", 0, match.start()) + 1 :].split(" . ")[0]
        equal = re.search(r"\b(?:equal\w*|even\w*|same|shar\w+|split|divid\w+|fairly)\b", sentence)
        if reading.of(match["z"]).value == 0 and equal:
            yield finding(K.ZERO_DIVISION, reading.of(match["z"]), "0", "not 0")
    for match in compiled(_ALL_OF_THEM).finditer(reading.form):
        if reading.of(match["a"]).value == reading.of(match["b"]).value:
            expression = (
                f"{written(reading.of(match['a']).value)} - {written(reading.of(match['b']).value)}"
            )
            yield finding(K.ZERO_DIVISION, reading.of(match["b"]), expression, "not 0")
    for match in compiled(_GONE).finditer(reading.form):
        there, gone = reading.of(match["a"]), reading.of(match["b"])
        if there.value == gone.value and there.noun and gone.kind == "N":
            expression = f"{written(there.value)} - {written(gone.value)}"
            yield finding(K.ZERO_DIVISION, gone, expression, "not 0")


CHECKS = (
    check_removals,
    check_cuts,
    check_listed_parts,
    check_full_groups,
    check_no_sharers,
)
"""Every check of this module."""
