"""Things that come whole: exact shares of them, even groups of them, and groups of none.

"Exactly a quarter of the 34 cows" is half a cow; "48 children in 5 equal rows, nobody left out"
cannot be; "packs of 0" hold nothing and divide nothing.  What can be cut or measured (a pizza, a
rope, an hour) is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.roles import Role, roles_of
from argus_rl.text.premises.rule import finding, written

_DIVISIBLE = frozenset(
    [
        "pizza",
        "cake",
        "pie",
        "apple",
        "orange",
        "melon",
        "loaf",
        "bread",
        "sandwich",
        "bar",
        "chocolate",
        "cheese",
        "hour",
        "day",
        "week",
        "month",
        "year",
        "minute",
        "mile",
        "page",
        "acre",
        "hectare",
        "cup",
        "spoon",
        "bottle",
        "glass",
        "litre",
        "sugar",
        "flour",
        "milk",
        "water",
        "ribbon",
        "rope",
        "paper",
        "sheet",
        "point",
        "percent",
        "share",
        "serving",
        "portion",
        "lap",
        "field",
        "garden",
        "land",
        "money",
        "dollar",
        "euro",
        "cookie",
        "brownie",
        "pear",
        "job",
        "watermelon",
        "pancake",
        "piece",
        "plot",
        "part",
    ]
)
_EXACT = re.compile(r"\b(?:exactly|precisely)\b")
_EVEN = re.compile(
    r"\b(?:equal\w*|evenly|even|all of|same (?:number|size)|full|exactly|shared?|shares|split"
    r"|divided?"
    r"|divides)\b"
)
_NONE_LEFT = re.compile(
    r"\bfills? [^.#]*\bexactly\b|\bexactly fills?\b|\b(?:no|none|nobody|nothing|without"
    r"|not (?:one|a single)|not any)\b[^.#]*\b(?:left"
    r"|remain\w*|over|spare|behind|sold|killed"
    r"|unused|alone|out|remainder|missing|unpacked|cut|wait)\b|\b(?:each|every) [a-z]+ (?:is"
    r"|was) (?:full|in|used|placed|on)\b|\ball [a-z]+ full\b|\ball (?:the )?[a-z]+ (?:are"
    r"|were) full\b"
)
_GROUPING = re.compile(
    r"\b(?:shar\w+|split\w*|divid\w+|pack\w*|put\w*|plac\w+|arrang\w+|sort\w*|stand|stood|sit"
    r"|sat|form\w*|makes?|set up|group\w*|boxes|rows|teams"
    r"|piles|bags|hand\w*|deal\w*|dealt|gives?|gave|distribut\w+|stack\w*|inherit\w*|car|cars"
    r"|each|tables|full|fill\w*|tied|bunches)\b"
)


def check_wholes(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about shares and groups of whole things."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    for index, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        if _EXACT.search(sentence):
            yield from _exact_share(row)
        following = sentences[index + 1] if index + 1 < len(rows) else ""
        wider = [*row, *rows[index + 1]] if following and "#" not in following else []
        for roles, words in ((row, sentence), (wider, f"{sentence} . {following}")):
            found = _even_groups(roles, words)
            if found is not None:
                yield found
                break
        yield from _groups_of_none(row, sentence, following)


def _exact_share(row: Sequence[Role]) -> Iterator[PremiseFinding]:
    """A share, said to be exact, of things that come whole."""
    shares = [role for role in row if role.quantity.kind in "FP"]
    bases = [role for role in row if role.quantity.kind == "N" and role.quantity.noun]
    if len(shares) != 1 or len(bases) != 1 or len(row) != 2:
        return
    share, base = shares[0].quantity, bases[0].quantity
    if base.noun in _DIVISIBLE or base.value.denominator != 1 or bases[0].group:
        return
    if not _EXACT.search(shares[0].gap + shares[0].tail) or bases[0].gap.endswith("exactly "):
        return
    if re.match(r" (?:of (?:an?|each|one) (?![a-z]+ of\b)|more|less|full)", shares[0].rest):
        return
    part = share.value / 100 if share.kind == "P" else share.value
    count = part * base.value
    if count.denominator != 1:
        expression = f"{written(part)} * {written(base.value)} = {written(count)}"
        yield finding(K.NON_INTEGER_COUNT, share, expression, "a whole number")


def _even_groups(roles: Sequence[Role], words: str) -> PremiseFinding | None:
    """Things in equal groups with none left over, whose numbers do not divide."""
    counts = [role for role in roles if role.quantity.kind == "N"]
    if len(counts) != 2 or len(roles) != 2 or "#" in words:
        return None
    things, groups = sorted(counts, key=lambda role: -role.quantity.value)
    few = groups.quantity.value
    if few < 2 or few.denominator != 1 or things.quantity.noun in _DIVISIBLE:
        return None
    quotient = things.quantity.value / few
    fits = _EVEN.search(words) and _NONE_LEFT.search(words) and _GROUPING.search(words)
    if quotient.denominator == 1 or not fits or not things.quantity.noun:
        return None
    expression = f"{written(things.quantity.value)} / {written(few)} = {written(quotient)}"
    return finding(K.NON_INTEGER_COUNT, groups.quantity, expression, "a whole number")


_DIVIDING = re.compile(
    r"\b(?:equal\w*|evenly|share[sd]?|split|divid\w+|distribut\w+|deals?|dealt|hand\w*"
    r"|same number|per|each|packs? of|boxes of|bags of"
    r"|rows of|groups of|teams of|poured)\b"
)
_RECEIVERS = re.compile(
    r"\b(?:among|amongst|between|to|into|by|in|of|with|there (?:are|were)|over|on)(?: (?:the"
    r"|his|her|their|its|all|each|only|exactly|of|those|these))* $|^(?:all )?$"
)


def _groups_of_none(row: Sequence[Role], sentence: str, following: str) -> Iterator[PremiseFinding]:
    """A division by a number of groups, or by the size of a group, that is zero."""
    for role in row:
        quantity = role.quantity
        counted = quantity.kind == "N" and quantity.noun
        if quantity.value != 0 or not (counted or quantity.dimension == "time"):
            continue
        others = [other for other in row if other is not role and other.quantity.kind in "NMU"]
        sized = re.search(r"\b(?:packs|boxes|bags|rows|groups|teams|sets|piles) of $", role.lead)
        words = f"{sentence} . {following}" if sized else sentence
        if (others or sized) and _DIVIDING.search(words) and _RECEIVERS.search(role.gap):
            yield finding(K.ZERO_DIVISION, quantity, "0", "not 0")
    nobody = re.search(
        r"\b(?:with|there (?:are|were|being)|as) no"
        r" (?P<who>[a-z]+)\b[^.#]*[NMU]\d[^.#]*\b(?:among|between|to|by) them\b",
        sentence,
    )
    if nobody is not None and re.search(r"\b(?:equal\w*|evenly)\b", sentence) and row:
        yield finding(K.ZERO_DIVISION, row[0].quantity, "0", "not 0")


_ALLOCATED = re.compile(
    r"\b(?:spen[dt]s?|consists?|made (?:up )?of|voted?|votes|marks|budget|goes|go|went|devot\w+"
    r"|are for|is for|invest\w*|contains?|came|come"
    r"|exactly one|only one|just one|nothing else|nothing more|divided|the rest|the others"
    r"|the remainder)\b"
)
_OVERLAP = re.compile(
    r"\b(?:both|also|at least|overlap\w*|some|more|less|off|discount|increase\w*|another|next"
    r"|then|remaining|of (?:the )?rest|year|month|tax|grew|rose)\b"
)


_OF_ONE = re.compile(r"(?:of|from) (?:the|a|an|this|one) (?P<whole>[a-z]+) , ")


def check_fractions_of_one(reading: Reading) -> Iterator[PremiseFinding]:
    """Fractions of one thing that several take, told in one list, beyond all of it."""
    for row, sentence in zip(roles_of(reading), reading.form.split(" . "), strict=True):
        shares = [role for role in row if role.quantity.kind == "F"]
        total = sum((role.quantity.value for role in shares), Fraction(0))
        of_it = all(re.match(r" of (?:it|the same)\b", role.tail) for role in shares)
        one = (len(shares) == len(row) and _OF_ONE.match(sentence)) or of_it
        if len(shares) < 2 or total <= 1 or not one:
            continue
        listed = all(len(role.gap.split()) <= 5 for role in shares[1:])
        if listed and not _OVERLAP.search(sentence):
            text = " - ".join(written(role.quantity.value) for role in shares)
            expression = f"1 - {text} = {written(1 - total)}"
            yield finding(K.PART_EXCEEDS_WHOLE, shares[-1].quantity, expression, "at most 1")


def check_allocations(reading: Reading) -> Iterator[PremiseFinding]:
    """Percentages of one whole, told in one list, that come to more than all of it."""
    for row, sentence in zip(roles_of(reading), reading.form.split(" . "), strict=True):
        shares = [role for role in row if role.quantity.kind == "P"]
        total = sum((role.quantity.value for role in shares), Fraction(0))
        if len(shares) < 3 or total <= 100 or any(role.quantity.value >= 100 for role in shares):
            continue
        listed = all(len(role.gap.split()) <= 6 for role in shares[1:])
        plain = sentence.replace("nothing more", "")
        if listed and _ALLOCATED.search(sentence) and not _OVERLAP.search(plain):
            text = " - ".join(written(role.quantity.value) for role in shares)
            expression = f"100 - {text} = {written(100 - total)}"
            yield finding(K.PART_EXCEEDS_WHOLE, shares[-1].quantity, expression, "at most 100")


_REST_OF = re.compile(r"\bthe (?:rest|others|remaining|remainder|other [a-z]+)\b")


def check_parts_and_rest(reading: Reading) -> Iterator[PremiseFinding]:
    """Parts of a counted whole, and a rest of it, where the parts alone are too many."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    for index, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        following = sentences[index + 1] if index + 1 < len(rows) else ""
        counts = [role for role in row if role.quantity.kind == "N"]
        if len(counts) != len(row) or not 3 <= len(counts) <= 5 or counts[0].group:
            continue
        words = f"{sentence} . {following}"
        if not _REST_OF.search(f"{counts[-1].rest} . {following}") or _SHARED_BY.search(words):
            continue
        whole, parts = counts[0].quantity, [role.quantity for role in counts[1:]]
        own = all(
            part.noun in ("", whole.noun, "one") or part.noun.endswith("one") or " by " in words
            for part in parts
        )
        total = sum((part.value for part in parts), Fraction(0))
        if own and whole.noun and total > whole.value >= max(part.value for part in parts):
            text = " - ".join(written(part.value) for part in parts)
            expression = f"{written(whole.value)} - {text} = {written(whole.value - total)}"
            yield finding(
                K.PART_EXCEEDS_WHOLE, parts[-1], expression, f"at most {written(whole.value)}"
            )


_SHARED_BY = re.compile(
    r"\b(?:both|also|too|each of|per|every|more|another|buys?|bought|gets?|got|found)\b"
)

CHECKS = (check_wholes, check_allocations, check_fractions_of_one, check_parts_and_rest)
"""Every check of this module."""
