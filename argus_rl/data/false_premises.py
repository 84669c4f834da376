"""Texts that assert something false, of known kind, for the lab to inject and validators to refuse.

Each starts as a true story of the training draw and is then broken in one place. The kinds carry
the names that `argus_rl.text.premises` uses, so a refusal can be compared with what was planted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from argus_rl.core.rng import Stream
from argus_rl.data.growth import sentences
from argus_rl.data.problem import Problem, Source
from argus_rl.data.splits import Split
from argus_rl.data.stories import Story, draw_story, sentence
from argus_rl.data.story_words import NAMES, pronouns


class FalseKind(StrEnum):
    """What is false."""

    inconsistent_restatement = "inconsistent_restatement"
    """A running total is stated that the story does not come to."""
    negative_remainder = "negative_remainder"
    """More is taken away than there is."""
    non_integer_count = "non_integer_count"
    """A division of things that come whole does not come out."""
    part_exceeds_whole = "part_exceeds_whole"
    """A part is larger than what it is a part of."""
    zero_division = "zero_division"
    """Something is divided into no parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePremise:
    """A text with what is false in it."""

    text: str
    """The problem, question last."""
    kind: FalseKind
    """What is false."""
    span: str
    """The sentence that cannot be true."""


_TOO_MANY = {
    "collecting": "a friend takes {n} of {his} {items}",
    "shopping": "{he} gives away {n} of {his} {items}",
    "packing": "{n} {items} are taken out",
    "riding": "{n} {items} get off",
    "visiting": "{n} {items} leave",
}
"""Sentences that take away, by story type."""
_HALVED = {
    "collecting": "{he} gives away half of {his} {items}",
    "packing": "half of the {items} are taken out",
    "riding": "half of the {items} get off",
    "visiting": "half of the {items} leave",
}
"""Sentences that halve what comes whole."""
_INTO_NONE = {
    "collecting": "{he} packs {his} {items} into {n} equal bags and keeps one bag",
    "packing": "the {items} are packed into {n} equal bags and one bag is kept",
}
"""Sentences that divide."""


def _number(text: str) -> int:
    return int("".join(letter for letter in text if letter.isdigit()))


def _restated(rng: np.random.Generator, steps: int) -> tuple[list[str], int]:
    story = draw_story(rng, steps, Split.train, restate=True)
    said = sentences(story.text)
    place = next(i for i, one in enumerate(said) if one.startswith("So "))
    true = _number(said[place])
    shift = int(rng.integers(1, 10)) * int(rng.choice([-1, 1]))
    wrong = true + shift if true + shift >= 1 else true - shift
    said[place] = said[place].replace(f" {true} ", f" {wrong} ")
    return said, place


def _drawn(rng: np.random.Generator, steps: int, families: tuple[str, ...]) -> Story:
    """A true story of one of the named types."""
    while True:
        story = draw_story(rng, steps, Split.train)
        if story.family in families:
            return story


def _filled(template: str, said: list[str], place: int, number: int) -> str:
    """A planted sentence, in the words of its story."""
    people = [one.split()[0] for one in said[:place] if one.split()[0] in NAMES]
    he, _, his = pronouns(people[-1]) if people else ("it", "it", "its")
    items = said[-1].split()[2]
    return sentence(template.format(n=number, he=he, his=his, items=items)) + "."


def _negative(rng: np.random.Generator, steps: int) -> tuple[list[str], int]:
    story = _drawn(rng, steps, tuple(_TOO_MANY))
    said = sentences(story.text)
    place = int(rng.integers(1, len(said)))
    taken = story.walk.values[place - 1] + int(rng.integers(1, 20))
    said.insert(place, _filled(_TOO_MANY[story.family], said, place, taken))
    return said, place


def _fractional(rng: np.random.Generator, steps: int) -> tuple[list[str], int]:
    while True:
        story = _drawn(rng, steps, tuple(_HALVED))
        odd = [i for i, value in enumerate(story.walk.values) if value % 2]
        if odd:
            break
    said = sentences(story.text)
    place = odd[int(rng.integers(len(odd)))] + 1
    said.insert(place, _filled(_HALVED[story.family], said, place, 0))
    return said, place


def _part(rng: np.random.Generator, steps: int) -> tuple[list[str], int]:
    story = _drawn(rng, steps, ("collecting", "packing", "riding", "visiting"))
    said = sentences(story.text)
    part = story.walk.start + int(rng.integers(1, 20))
    text = f"{part} of the {story.walk.start} {{items}} are new"
    said.insert(1, _filled(text, said, 1, 0))
    return said, 1


def _zero(rng: np.random.Generator, steps: int) -> tuple[list[str], int]:
    story = _drawn(rng, steps, tuple(_INTO_NONE))
    said = sentences(story.text)
    place = int(rng.integers(1, len(said)))
    said.insert(place, _filled(_INTO_NONE[story.family], said, place, 0))
    return said, place


_PLANTERS: dict[FalseKind, Callable[[np.random.Generator, int], tuple[list[str], int]]] = {
    FalseKind.inconsistent_restatement: _restated,
    FalseKind.negative_remainder: _negative,
    FalseKind.non_integer_count: _fractional,
    FalseKind.part_exceeds_whole: _part,
    FalseKind.zero_division: _zero,
}


def draw_false_premise(rng: np.random.Generator, kind: FalseKind, steps: int) -> FalsePremise:
    """A text of `steps` events (and the planted sentence) that asserts something false."""
    said, place = _PLANTERS[kind](rng, steps)
    return FalsePremise(text=" ".join(said), kind=kind, span=said[place])


def false_premise_problems(
    count: int, seed: int, *, steps: int = 3, kinds: tuple[FalseKind, ...] = tuple(FalseKind)
) -> list[tuple[Problem, FalseKind]]:
    """`count` planted problems whose kinds go round through `kinds`."""
    planted: list[tuple[Problem, FalseKind]] = []
    for index in range(count):
        kind = kinds[index % len(kinds)]
        rng = Stream(("false premise", seed, kind.value, steps, index)).generator()
        drawn = draw_false_premise(rng, kind, steps)
        problem = Problem(
            id=f"false-{seed}-{index}", text=drawn.text, source=Source.injected, steps=steps
        )
        planted.append((problem, kind))
    return planted
