"""The quantities of a passage on which a result can rest, the nearest first.

A result rests on what was told before it in its sentence, together with the sentence before where
that is too little, or on what stands behind it where it is told first.  A comparison rests on the
one or two quantities it names.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.proportions import comparison
from argus_rl.text.premises.roles import Role
from argus_rl.text.premises.terms import without_counters

Window = tuple[list[Role], str]
"""Operands and the words they stand in."""

MAX_OPERANDS = 6
"""Operands of the longest claim that is judged."""

_PRONOUNS = ("he", "she", "it", "they", "him", "her")
_FOLLOWS = re.compile(
    r"(?:her|his|its|their|the|this|that|so|on average|he|she|it|they|thus|an?)\b"
)
_NAMED = re.compile(
    r"(?: [a-z]+){0,3}? (?:than|as [a-z]+(?: [a-z]+)? as)(?: the| a| an| his"
    r"| her)? (?P<who>[a-z]+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a claim stands in a text."""

    rows: Sequence[Sequence[Role]]
    """The roles of the text, sentence by sentence."""
    sentences: Sequence[str]
    """The sentences in abstract form."""
    index: int
    """Number of the claim's sentence."""
    position: int
    """Number of the claim in its sentence."""

    @property
    def claim(self) -> Role:
        """The claim itself."""
        return self.rows[self.index][self.position]

    @property
    def before(self) -> list[Role]:
        """The quantities before the claim in its sentence."""
        return list(self.rows[self.index][: self.position])

    @property
    def after(self) -> list[Role]:
        """The quantities behind the claim in its sentence."""
        return list(self.rows[self.index][self.position + 1 :])

    @property
    def sentence(self) -> str:
        """The claim's sentence."""
        return self.sentences[self.index]

    def earlier(self, back: int = 1) -> str:
        """The asserted sentence so many before the claim's, empty where there is none."""
        at = self.index - back
        return self.sentences[at] if at >= 0 and "#" not in self.sentences[at] else ""


def used(operands: Sequence[Role]) -> list[Role]:
    """The operands but points in time and mere counters."""
    return without_counters([role for role in operands if role.quantity.kind not in "TYD"])


def windows_of(place: Place, cue: str) -> list[Window]:
    """Operands the claim may rest on with their words, the nearest first."""
    if cue in ("compared", "difference"):
        return _compared(place, cue)
    after = place.after
    if cue == "first":
        linked = len(used(after)) == 2 and _stated_first(place.claim, after[0])
        return [(after, place.sentence)] if linked else []
    found = _in_sentence(place, cue)
    if cue != "mean" or _FOLLOWS.match(place.sentence):
        found += _with_earlier(place)
    fewest = 1 if f"{place.claim.group}s" in UNITS else 2
    return [(ops, words) for ops, words in found if fewest <= len(used(ops)) <= MAX_OPERANDS]


def _in_sentence(place: Place, cue: str) -> list[Window]:
    before, after = place.before, place.after
    found = list[Window]()
    if cue == "plain" and not before and len(used(after)) == 2:
        found.append((after, place.sentence))
    around = cue not in ("rest", "plain", "mean")
    if after and len(before) + len(after) <= MAX_OPERANDS and around:
        found.append((before + after, place.sentence))
    if before:
        found.append((before, place.claim.lead))
    return found


def _with_earlier(place: Place) -> list[Window]:
    """The operands of the sentence before, and of the one before that where they are few."""
    sentence, before = place.earlier(), place.before
    if not sentence:
        return []
    earlier = list(place.rows[place.index - 1])
    words = f"{sentence} . {place.claim.lead}"
    found: list[Window] = [(earlier + before, words)]
    if before:
        found.append((earlier, words))
    if len(earlier + before) < 3 and place.earlier(2):
        wider = list(place.rows[place.index - 2]) + earlier + before
        found.append((wider, f"{place.earlier(2)} . {words}"))
    return found


def _compared(place: Place, cue: str) -> list[Window]:
    """The one quantity before a claim, with the comparison behind it, or the two it differs by."""
    before, sentence = used(place.before), place.sentence
    wanted = 2 if cue == "difference" else 1
    if len(before) < wanted and place.earlier():
        before = [*used(place.rows[place.index - 1]), *before]
        sentence = f"{place.earlier()} . {sentence}"
    if len(before) != wanted or any(role.group or comparison(role) for role in before):
        return []
    if cue == "compared":
        return [([*before, place.after[0]], sentence)]
    dated = re.search(r"\b(?:will|ago|years?)\b", sentence)
    return [(before, sentence)] if not dated and _names_other(place) else []


def _names_other(place: Place) -> bool:
    """Whether a difference is one to somebody who was told of ("taller than Tim")."""
    named = _NAMED.match(place.claim.rest)
    if named is None:
        return False
    if named["who"] in _PRONOUNS:
        return place.claim.quantity.kind != "X"
    known = place.claim.lead + (place.sentences[place.index - 1] if place.index else "")
    return re.search(rf"\b{named['who']}", known) is not None


def _stated_first(claim: Role, following: Role) -> bool:
    """Whether the words behind a first quantity relate it to what follows."""
    if re.search(r"\b(?:and|but)\b|[A-Z]\d+ out of\b", following.tail):
        return False
    related = re.fullmatch(
        r"(?: [a-z']+){0,6}? ?(?:is|are|was|were|make|makes|, (?:which|that) (?:is|are|was|makes))"
        r"(?: exactly| just| precisely)? ",
        claim.tail,
    )
    if re.fullmatch(r"(?: [a-z']+){0,6}? , ", claim.tail):
        return following.quantity.kind in "XFP" or comparison(following) != 0
    return related is not None or re.search(r"\b(?:and|but)\b|,|out of", claim.tail) is None
