"""Whom a comparison names: "than Max" relates to the quantity that stands with Max.

A text often compares with somebody else than the one whose quantity was told last ("the tower is
30 m higher than the church, which is 62 m high"); a rule must not take the one for the other.
"""

import re

from argus_rl.text.numerals import words_of
from argus_rl.text.premises.reading import Reading

_STOP = frozenset(
    words_of(
        "the a an of his her their its he she it they him them that this those these is was "
        "are were did does do has have had in on at to by and one ones other than who which "
        "last first former latter total number amount"
    )
)
_PRONOUNS = frozenset(words_of("he she it they him her them that this those these his hers"))


def refers(reading: Reading, match: re.Match[str]) -> bool:
    """Whether what a comparison names stands with the quantity before it."""
    first = match.groupdict().get("a")
    if " as many " in match.group() and first is not None and reading.of(first).kind != "N":
        return False
    name = "k" if "k" in match.groupdict() else "d"
    reference = re.search(
        r" (?:than|as [a-z]+(?: [a-z]+)? as|of)((?: [a-z']+){1,4})",
        reading.form[match.end(name) : match.end()],
    )
    if reference is None:
        sentence = reading.form[: match.start()].rpartition(" . ")[2]
        linked = re.search(r" so | which | making | giving ", match.group())
        return not re.search(r"\b[NMU]\d", sentence) or linked is None
    words = reference.group(1).split()
    if words[0] in _PRONOUNS:
        return True
    start = reading.form.rfind(" . ", 0, match.start()) + 1
    before = reading.form[start : match.start(name)].split()
    heads = [word.removesuffix("'s") for word in words if word not in _STOP]
    return not heads or heads[0] in {word.removesuffix("'s") for word in before}


def other_unit(reading: Reading, match: re.Match[str]) -> bool:
    """Whether two measures are of one dimension, in different units, and no scale relates them."""
    first, second = reading.of(match["a"]), reading.of(match["c"])
    other = first.ratio != second.ratio or first.compound != second.compound
    scaled = re.search(r"\b(?:map|maps|scale|model)\b", reading.form) is not None
    lead = reading.form[: match.start("a")]
    paced = r"[NMU]\d+(?: [a-z]+)? an? (?:day|week|hour|minute)\b[^.]*$"
    if re.search(r"\b[FPX]\d+ (?:[a-z]+ ){0,3}$", lead) or re.search(paced, lead):
        return False
    same = first.dimension == second.dimension and first.dimension not in ("", "degree", "money")
    return same and other and not scaled


def stands_alone(reading: Reading, match: re.Match[str]) -> bool:
    """Whether no other quantity stands before the match in its sentence."""
    lead = reading.form[: match.start()].split(" . ")[-1]
    return re.search(r"[A-Z]\d", lead) is None


def one_share(reading: Reading, match: re.Match[str]) -> bool:
    """Whether the sentence of a match tells a single percentage."""
    start = reading.form.rfind(" . ", 0, match.start()) + 1
    end = reading.form.find(" . ", match.end() - 1)
    sentence = reading.form[start : end if end >= 0 else None]
    return len(re.findall(r"\bP\d", sentence)) == 1
