"""What a story text truly answers: an interpreter for the built-in world's English.

It reads any text that keeps to the sentences of `argus_rl.data.story_forms`, whoever wrote it (the
generator, the model, or growth), follows the number through the events and returns the last
state. It is how the audit knows whether a label that consensus gave is right.

Sealed side: it may be imported where `argus_rl.data.answer_key` may. A loop that could call it
would be training on the truth.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from argus_rl.data.story_forms import CONNECTORS, FAMILIES, MONEY_OF_A_PERSON, Family, Form, Op
from argus_rl.data.story_words import HE_NAMES, SCENERY, SHE_NAMES

_SLOTS = {
    "n": r"(?P<n>\d{1,6})",
    "holder": r"(?P<holder>[A-Z][a-z]+)",
    "other": r"(?P<other>[A-Z][a-z]+)",
    "he": r"(?P<he>he|she)",
    "him": r"(?P<him>him|her)",
    "his": r"(?P<his>his|her)",
    "items": r"(?P<items>[a-z]+)",
    "place": r"(?P<place>[a-z]+)",
    "thing": r"(?P<thing>[a-z]+)",
}
_SHE = ("she", "her")
_SENTENCE = re.compile(r"[^.?]+[.?]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text that the interpreter could follow to its end."""

    answer: Fraction
    """True last state."""
    steps: int
    """Number of events."""
    numbers: tuple[int, ...]
    """First number and every operand, as in `Walk.numbers`."""
    wording: str
    """The text with every number masked, as in `Story.wording`."""


class _Unreadable(ValueError):
    """The text is no sound story; the message says where it stops being one."""


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    seen: set[str] = set()
    out: list[str] = []
    for index, part in enumerate(parts):
        if index % 2 == 0:
            out.append(re.escape(part))
        else:
            out.append(f"(?P={part})" if part in seen else _SLOTS[part])
            seen.add(part)
    return re.compile("".join(out))


def _lowered(text: str) -> str:
    """First letter made small unless the word is a name."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    return text if word in HE_NAMES + SHE_NAMES else text[:1].lower() + text[1:]


def _without_connector(text: str) -> str:
    for connector in CONNECTORS:
        text = text.removeprefix(connector)
    return text


class _Follower:
    """Follows one text through one story type."""

    def __init__(self, family: Family, opening: Mapping[str, str]) -> None:
        self._family = family
        self._fixed = {key: opening[key] for key in ("items", "place") if key in opening}
        self._holder = opening.get("holder", "")
        self._introduced = {self._holder}
        self.value = Fraction(opening["n"])
        self.numbers = [int(opening["n"])]

    def event(self, text: str) -> None:
        """Apply one sentence to the state."""
        if text in SCENERY:
            return
        for form in self._family.forms:
            found = _pattern(form.text).fullmatch(text)
            if found is not None:
                self._agree(found.groupdict())
                self._apply(form, found.groupdict())
                return
        found = _pattern(self._family.restated).fullmatch(text)
        if found is None:
            raise _Unreadable(f"no event of a {self._family.name} story: {text!r}")
        self._agree(found.groupdict())
        if Fraction(found["n"]) != self.value:
            raise _Unreadable(f"states {found['n']} where the story has {self.value}")

    def question(self, text: str) -> None:
        """Check that the question asks for the running number."""
        for template in self._family.questions:
            found = _pattern(template).fullmatch(text)
            if found is not None:
                self._agree(found.groupdict())
                return
        raise _Unreadable(f"no question of a {self._family.name} story: {text!r}")

    def _agree(self, said: Mapping[str, str]) -> None:
        for key, value in self._fixed.items():
            if said.get(key, value) != value:
                raise _Unreadable(f"speaks of {said[key]} where the story has {value}")
        if said.get("holder", self._holder) != self._holder:
            raise _Unreadable(f"speaks of {said['holder']} where {self._holder} holds the number")
        self._agree_pronouns(said)

    def _agree_pronouns(self, said: Mapping[str, str]) -> None:
        known = self._holder in HE_NAMES + SHE_NAMES
        for key in ("he", "him", "his"):
            if known and key in said and (said[key] in _SHE) != (self._holder in SHE_NAMES):
                raise _Unreadable(f"calls {self._holder} {said[key]!r}")

    def _apply(self, form: Form, said: Mapping[str, str]) -> None:
        operand = form.operand if form.operand is not None else int(said["n"])
        if form.compares:
            if said["other"] in self._introduced:
                raise _Unreadable(f"introduces {said['other']} twice")
            self._holder = said["other"]
            self._introduced.add(self._holder)
        self.value = _computed(form.op, self.value, operand)
        self.numbers.append(operand)


def _computed(op: Op, value: Fraction, operand: int) -> Fraction:
    match op:
        case Op.add:
            result = value + operand
        case Op.subtract:
            result = value - operand
        case Op.multiply:
            result = value * operand
        case Op.divide:
            if operand == 0:
                raise _Unreadable("divides by zero")
            result = value / operand
    if result < 0 or result.denominator != 1:
        raise _Unreadable(f"{value} {op.value} {operand} is no count")
    return result


def _follow(text: str) -> tuple[_Follower, list[str]]:
    sentences = [part.strip() for part in _SENTENCE.findall(text)]
    if len(sentences) < 2 or "".join(text.split()) != "".join("".join(sentences).split()):
        raise _Unreadable("not a sequence of sentences that ends in a question")
    if not sentences[-1].endswith("?") or any(part.endswith("?") for part in sentences[:-1]):
        raise _Unreadable("the last sentence, and only that, must be a question")
    opening, *events, question = (_lowered(part[:-1]) for part in sentences)
    problem: _Unreadable | None = None
    for family in FAMILIES:
        for template in family.openings:
            found = _pattern(template).fullmatch(opening)
            if found is None or (found["items"] == "dollars") is not (family is MONEY_OF_A_PERSON):
                continue
            follower = _Follower(family, found.groupdict())
            try:
                for event in events:
                    follower.event(_without_connector(event))
                follower.question(question)
            except _Unreadable as error:
                problem = error
                continue
            return follower, [opening, *events, question]
    raise problem or _Unreadable(f"no story begins like this: {opening!r}")


def read_story(text: str) -> Reading | None:
    """Follow a text to its end; None where it is no sound story of this world.

    A text that states a false total, takes more than there is, or divides what does not come out
    is not sound: nothing is its true answer.
    """
    try:
        follower, said = _follow(text)
    except _Unreadable:
        return None
    return Reading(
        answer=follower.value,
        steps=len(follower.numbers) - 1,
        numbers=tuple(follower.numbers),
        wording=re.sub(r"\d+", "#", ". ".join(said)),
    )


def executable_answer(text: str) -> Fraction | None:
    """True answer of a text of the story world, or None where it has none."""
    reading = read_story(text)
    return None if reading is None else reading.answer


def why_unreadable(text: str) -> str:
    """Why `executable_answer` gives None, in a sentence; empty where it gives an answer."""
    try:
        _follow(text)
    except _Unreadable as error:
        return str(error)
    return ""
