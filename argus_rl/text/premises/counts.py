"""Impossible counts: shares among nobody, fractions of people, parts above the whole."""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.numerals import words_of
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.measures import PEOPLE_AND_ANIMALS, WHOLE_THINGS
from argus_rl.text.premises.reading import Reading, singular
from argus_rl.text.premises.rule import compiled, finding, written

_SHARING = (
    r"\b(?:shar\w+|split\w*|divid\w+|distribut\w+|deal\w*|dealt|hand\w*|giv\w+|gave|pack\w*"
    r"|put\w*|plac\w+|arrang\w+|cut\w*|sort\w*)\b[^.#]*?\b(?:among|amongst|between|into|over|by"
    r"|to)(?: the| his| her| their| its| these| those| each of the| exactly)* <z:N>"
)


_BY_NOBODY = (
    _SHARING,
    r"<z:N>(?: [a-z]+){1,2} (?:shares?|splits?|divides?|shared|divided)\b[^.#]*\b(?:equally"
    r"|evenly)\b",
    r"\b(?:packed|pack|packs|put|divided|split|sorted|arranged|shared)\b[^.#]*\b(?:with|of) <z:N>"
    r"(?: [a-z]+)? (?:in|to|per|on|for) (?:each|every|a)\b",
)
_ALL_AWAY = (
    r"<a:N>[^A-Z.#]*?(?:and|,|but|of whom|;|\.)[^A-Z.#]*?<b:N> (?:of them )?(?:[a-z]+ ){0,3}?"
    r"(?:absent|away|ill|sick|missing|home|left|leave|out|cancel\w*|broken|gone"
    r"|resign\w*)\b[^#]*?\b(?:equally|evenly|equal|same number|share[sd]?|split"
    r"|divide[sd]?)\b[^#]*?\b(?:among|between|to|by|over|with)(?: all)?(?: the| those)?(?:"
    r" [a-z]+){0,2}? (?:present|remain\w*|left|rest|others|who|still|here)"
)


def check_zero_division(reading: Reading) -> Iterator[PremiseFinding]:
    """Equal shares among zero receivers."""
    zeros = {q.span for q in reading.quantities if q.kind == "N" and q.value == 0}
    for pattern in _BY_NOBODY if zeros else ():
        for match in compiled(pattern).finditer(reading.form):
            receivers = reading.of(match["z"])
            if receivers.value == 0 and _equal_shares(match.group(), reading.form):
                yield finding(PremiseKind.ZERO_DIVISION, receivers, "0", "not 0")
    for match in compiled(r"<z:N> (?P<noun>[a-z]+)\b").finditer(reading.form) if zeros else ():
        receivers = reading.of(match["z"])
        shared = re.search(_SHARED_BY.format(match["noun"]), reading.form)
        if receivers.value == 0 and shared and _equal_shares(shared.group(), ""):
            yield finding(PremiseKind.ZERO_DIVISION, receivers, "0", "not 0")
    for match in compiled(_ALL_AWAY).finditer(reading.form):
        there, gone = reading.of(match["a"]), reading.of(match["b"])
        if there.value == gone.value:
            expression = f"{written(there.value)} - {written(gone.value)}"
            yield finding(PremiseKind.ZERO_DIVISION, gone, expression, "not 0")


_SHARED_BY = (
    r"\b(?:shar\w+|split\w*|divid\w+|distribut\w+|deal\w*|dealt|hand\w*|giv\w+)\b[^.#]*\b(?:among"
    r"|amongst|between|to|by) (?:(?:all|the|these|those|his|her|their) )+{}\b"
)


def _equal_shares(matched: str, form: str) -> bool:
    return (
        re.search(
            r"\b(?:equal\w*|even\w*|same|shar\w+|split|divid\w+|among|packed|put)\b", matched + form
        )
        is not None
    )


_NOTHING_LEFT = (
    r"(?:nobody|no one|none|nothing|not one|no(?: [a-z]+){1,2}|without any(?:one)?(?: [a-z]+)?"
    r"|zero)(?: [a-z]+)? (?:left|remain\w*|over|spare|unused|unpacked|out)|no remainder|exactly"
    r" fill"
)
_GROUPED = re.compile(
    r"\b(?:split|splits|divid\w+|sort\w*|arrang\w+|group\w*|seat\w*|form\w*|put\w*)\b.*\binto\b"
)
_GROUPING = (
    r"<a:N>[^A-Z.#]*?\b(?:into|in|among|between|to|on|at|onto|fill\w*)\b[^A-Z.#]*?<b:N>(?P"
    r"<rest>[^A-Z.#]*)"
)


def check_whole_counts(reading: Reading) -> Iterator[PremiseFinding]:
    """Counts of things that come whole, shared out or taken in part without a remainder."""
    for match in compiled(_GROUPING).finditer(reading.form):
        things, groups = reading.of(match["a"]), reading.of(match["b"])
        if groups.value == 0 or (things.value / groups.value).denominator == 1:
            continue
        whole = re.search(_NOTHING_LEFT, match.group()) is not None
        equal = re.search(r"\b(?:equal|equally|evenly|same (?:number|size)|full)\b", match.group())
        sentence = reading.form[reading.form.rfind(" . ", 0, match.start()) + 1 : match.end()]
        people = things.noun in _PEOPLE and _GROUPED.search(sentence) is not None
        if (equal and (whole or people)) or (
            whole and re.search(r"\b(?:full|of N)\b", match.group())
        ):
            quotient = things.value / groups.value
            expression = f"{written(things.value)} / {written(groups.value)} = {written(quotient)}"
            yield finding(PremiseKind.NON_INTEGER_COUNT, groups, expression, "a whole number")
    for match in compiled(_PAIRS).finditer(reading.form):
        people = reading.of(match["a"])
        if people.noun in _PEOPLE and people.value % 2 == 1:
            expression = f"{written(people.value)} / 2 = {written(people.value / 2)}"
            yield finding(PremiseKind.NON_INTEGER_COUNT, people, expression, "a whole number")
    for pattern in _WHOLE_SHARES:
        for match in compiled(pattern).finditer(reading.form):
            things, groups = reading.of(match["a"]), reading.of(match["b"])
            if things.noun not in _PEOPLE or groups.value == 0:
                continue
            quotient = things.value / groups.value
            if quotient.denominator != 1:
                expression = (
                    f"{written(things.value)} / {written(groups.value)} = {written(quotient)}"
                )
                yield finding(PremiseKind.NON_INTEGER_COUNT, groups, expression, "a whole number")
    yield from _fractional_parts(reading)


_PAIRS = (
    r"<a:N>(?: [a-z]+)? [^A-Z.#]*?\b(?:form|in|into|as|make|dance in|work in|walk in) (?:pairs"
    r"|couples|twos)\b[^A-Z.#]*\b(?:no|nobody|none|everybody|everyone|each|every|all|without)\b"
)
_WHOLE_SHARES = (
    r"<a:N>(?: [a-z]+)? (?:are|were) (?:divided|split|shared|distributed)(?: out)? (?:equally"
    r"|evenly) "
    r"(?:among|between|to|into|over)(?: the| his| her)? <b:N>",
    r"\b(?:divid\w+|split\w*|distribut\w+|shar\w+) (?:the |his |her |their )?<a:N>(?: [a-z]+)? "
    r"(?:equally|evenly) (?:among|between|to|into|over)(?: the| his| her)? <b:N>",
    r"<a:N>(?: [a-z]+){1,4} (?:in|into) [a-z]+ of <b:N>[^.#A-Z]*\b(?:every|each|all|no"
    r"|nobody)\b[^.#A-Z]*\b(?:full|in a|left|over|alone)\b",
)
_PART_OF = (
    r"\bof (?:the |all |his |her |their )*<b:N>(?: [a-z]+){0,2} , (?:exactly )?<f:FP>(?! (?:of|more"
    r"|less|off))",
    r"<f:FP> of (?:the |all |his |her |their |its |these |those )*(?:[a-z]+ )?<b:N>",
    r"<b:N> (?P<noun>[a-z]+)(?! each)[^A-Z.#]*?[,.][^A-Z.#]*?<f:FP> of (?:the |all |his |her "
    r"|their |these )*(?P=noun)\b",
)


def _fractional_parts(reading: Reading) -> Iterator[PremiseFinding]:
    for pattern in _PART_OF:
        for match in compiled(pattern).finditer(reading.form):
            part, whole = reading.of(match["f"]), reading.of(match["b"])
            share = part.value / 100 if part.kind == "P" else part.value
            count = share * whole.value
            exact = reading.form[: match.start()].endswith("exactly ") or "exactly" in match.group()
            nouns = _THINGS if exact else _PEOPLE
            if count.denominator != 1 and whole.noun in nouns and whole.value.denominator == 1:
                expression = f"{written(share)} * {written(whole.value)} = {written(count)}"
                yield finding(PremiseKind.NON_INTEGER_COUNT, part, expression, "a whole number")


_PEOPLE = frozenset(word for word in PEOPLE_AND_ANIMALS)
_THINGS = frozenset(word for word in WHOLE_THINGS)

_OF_THEM = (
    r"<b:N>(?: [a-z]+)? of (?P<them>them|whom|which|these|those"
    r"|(?:the|its|his|her|their) (?P<noun>[a-z]+))\b"
)
_TAKEN = re.compile(
    r"\b(?:drive|drove|leave|left|fly|flew|sold?|sells?|ate|eats?|gave|gives?|lost|loses?|took"
    r"|takes?|broke|breaks?|used?|uses|walk|swim|run|ran|removed?|spent|throw|threw|die|died|go"
    r"|went|withdr[ae]ws?|drank|drinks|donate[sd]?|lends?|lent|remove[sd]?)\b"
)
_GROWS = re.compile(
    r"\b(?:buys?|bought|gets?|got|more|another|again|finds?|found|receives?|received|adds?|added"
    r"|bak(?:es|ed)|join|joined|arrives?|arrived|each|every|per|boxes|packs|bags|dozen|times)\b"
)


def check_parts(reading: Reading) -> Iterator[PremiseFinding]:
    """Parts that are larger than the whole they are taken from."""
    yield from _of_them(reading)
    yield from _own_part(reading)
    yield from _of_which(reading)
    yield from _cut_off(reading)
    yield from _separate_parts(reading)
    yield from _whole_shares(reading)


def _of_them(reading: Reading) -> Iterator[PremiseFinding]:
    """More "of them" than the one set that was said to be there."""
    for match in compiled(_OF_THEM).finditer(reading.form):
        part = reading.of(match["b"])
        before = reading.form[: match.start()]
        sets = compiled(_THERE).findall(before)
        counts = re.findall(r"\b[A-Z]\d+\b", before)
        if len(counts) != 1 or len(sets) != 1 or "#" in before or _GROWS.search(before):
            continue
        whole = reading.of(counts[0])
        noun = match["noun"]
        if noun is not None and not same_noun(noun, whole.noun):
            continue
        if part.value > whole.value:
            removal = _removal(reading, match)
            yield _too_large(whole.value, [part.value], reading, match["b"], removal=removal)


_THERE = (
    r"\b(?:has|have|had|is|are|were|was|contains?|contained|holds?|held|owns?|keeps?|kept|with"
    r"|bought|baked|picked|lays?|laid|made|makes?|received|got|invited|planted|grew|grows?)(?:"
    r" only| exactly| just)? <a:NU>|^(?:a [a-z]+ of |the )?<a2:N>"
).replace("<a2:N>", r"N\d+\b")


def _removal(reading: Reading, match: re.Match[str]) -> bool:
    return _TAKEN.search(reading.form[match.start() : match.end() + 40].split(" . ")[0]) is not None


def _too_large(
    whole: Fraction, parts: list[Fraction], reading: Reading, name: str, *, removal: bool
) -> PremiseFinding:
    kind = PremiseKind.NEGATIVE_REMAINDER if removal else PremiseKind.PART_EXCEEDS_WHOLE
    rest = whole - sum(parts, Fraction(0))
    listed = " - ".join(written(value) for value in [whole, *parts])
    expression = f"{listed} = {written(rest)}"
    return finding(kind, reading.of(name), expression, f"at most {written(whole)}")


def _cut_off(reading: Reading) -> Iterator[PremiseFinding]:
    """A longer piece cut from a shorter one, more poured out than was in."""
    for match in compiled(
        r"\bfrom (?:a|an|the|his|her|this|one) <a:U>~\b(?:cuts?|takes?|took|pours?|poured|saws?"
        r"|removes?|drinks?|drank|uses?|used)\b(?:(?! into)[^A-Z.#])*?<b:U>"
    ).finditer(reading.form):
        part, whole = reading.of(match["b"]), reading.of(match["a"])
        if part.dimension == whole.dimension and part.base > whole.base:
            number = whole.base / part.ratio
            yield _too_large(number, [part.value], reading, match["b"], removal=True)


def _of_which(reading: Reading) -> Iterator[PremiseFinding]:
    """More than the whole in "of the 15 puppies, 17 are brown"."""
    for match in compiled(
        r"(?:^|\. |out )of (?:the |his |her |their |these |those |its )?<a:N>(?: [a-z]+){1,5} , "
        r"<b:N> (?!more|other)"
    ).finditer(reading.form):
        part, whole = reading.of(match["b"]), reading.of(match["a"])
        same = part.noun in ("", whole.noun) or not part.noun.endswith("s")
        if same and part.value > whole.value and part.pack == 1:
            yield _too_large(
                whole.value, [part.value], reading, match["b"], removal=_removal(reading, match)
            )


def _own_part(reading: Reading) -> Iterator[PremiseFinding]:
    """A larger number out of a smaller one: "7 of its 5 muffins"."""
    for match in compiled(
        r"<b:NM>(?: [a-z]+)? (?:of|out of|from) (?:his|her|their|its|the|these|those|all) <a:NM>"
    ).finditer(reading.form):
        part, whole = reading.of(match["b"]), reading.of(match["a"])
        if part.kind == whole.kind and part.noun in ("", whole.noun) and part.value > whole.value:
            removal = _TAKEN.search(reading.form[: match.start()].split(" . ")[-1]) is not None
            yield _too_large(whole.value, [part.value], reading, match["b"], removal=removal)


_SEPARATE = re.compile(
    r"\b(?:no|none|nobody|neither|never)\b[^.#]*\bboth\b|\bexactly one\b|\bno overlap\b"
)


def _separate_parts(reading: Reading) -> Iterator[PremiseFinding]:
    """Disjoint parts of a counted whole."""
    for match in compiled(
        r"<a:N>[^A-Z.#]*?(?:has|have|had|are|were|is|,|:|holds?|contains?|with|\.)[^A-Z.#]*?"
        r"<b:N>[^A-Z.#]*?(?:and|,) [^A-Z.#]*?<c:N>(?:[^A-Z.#]*?(?:and|,) [^A-Z.#]*?<d:N>)?(?P"
        r"<rest>[^.]*\.? ?[^.]*)"
    ).finditer(reading.form):
        if not _SEPARATE.search(match.group()):
            continue
        whole = reading.of(match["a"]).value
        names = [match[name] for name in "bcd" if match[name]]
        parts = [reading.of(name).value for name in names]
        if sum(parts) > whole >= max(parts):
            yield _too_large(whole, parts, reading, names[-1], removal=False)


_ONE_EACH = re.compile(
    r"\b(?:exactly|only|just) one\b|\bthe (?:rest|others|remaining|remainder)\b|\beach [a-z]+ "
    r"(?:has|is|chose|picked|voted)\b|\bno one [a-z]+ (?:two|both|more)\b|\bone [a-z]+ each\b"
)
_EATEN = re.compile(
    r"\b(?:ate|eats?|drank|drinks?|used|uses|sold|sells|gave|gives|spent|spends|eaten|drunk|given"
    r"|painted|paints|read|reads|took|takes|got|gets|planted|sowed|sown|sows|covers?|covered|mowed"
    r"|cleaned|filled|walked|drove)\b"
)


def _whole_shares(reading: Reading) -> Iterator[PremiseFinding]:
    """Percentages or fractions of one whole that add up to more than the whole."""
    for sentence in reading.form.split(" . "):
        for letter, whole in (("P", 100), ("F", 1)):
            names = re.findall(rf"\b{letter}\d+\b", sentence)
            total = sum((reading.of(name).value for name in names), Fraction(0))
            if len(names) < 2 or total <= whole:
                continue
            if letter == "P":
                exclusive = _ONE_EACH.search(sentence) is not None
            else:
                exclusive = _one_thing_used_up(sentence)
            if exclusive and not re.search(r"\b(?:of (?:the )?rest|remain\w*|of what)\b", sentence):
                parts = [reading.of(name).value for name in names]
                yield _too_large(Fraction(whole), parts, reading, names[-1], removal=False)


_TIMES = frozenset(words_of("day week month year time hour night morning"))


def _one_thing_used_up(sentence: str) -> bool:
    """Whether every fraction of the sentence is taken from the same single thing."""
    wholes = re.findall(r"F\d+ of (?:(?:a|an|the|his|her|their) )?(?:same )?([a-z]+)", sentence)
    first = [word for word in wholes if word != "it"]
    fractions = re.findall(r"\bF\d+", sentence)
    same = len(set(first) - _TIMES) == 1 and len(wholes) == len(fractions)
    return same and _EATEN.search(sentence) is not None


def same_noun(word: str, noun: str) -> bool:
    """Whether `word`, as written, is a form of the singular `noun`."""
    return singular(word) == noun
