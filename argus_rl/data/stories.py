"""Drawing a running story: numbers first, wording second, text and chain from both.

A walk `v_0 -> v_1 -> ... -> v_n` through whole numbers from 1 to 99 fixes numbers and operations;
a wording chooses a sentence for each of them. The chain that solves a story *quotes*: every step
first repeats the sentence it uses, then computes:

    Tom has 12 cards: 12; he buys 5 cards: 12 + 5 = 17; the answer is 17

Quoting is what lets a small model find its place in a longer problem than any it was taught;
chains of bare equations do not extrapolate at all. Sealed side: see `argus_rl.data.story_forms`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from argus_rl.data.splits import Split, split_of_numbers, split_of_wording
from argus_rl.data.story_forms import CONNECTORS, FAMILIES, Family, Form, Op, apply
from argus_rl.data.story_words import (
    ANIMALS,
    BOXES,
    ITEMS,
    NAMES,
    PLACES,
    SCENERY,
    THINGS,
    TRIPS,
    VEHICLES,
    pronouns,
)

LARGEST = 99
"""Largest number in a story."""
_OPERANDS = (2, 20)
"""Smallest and largest number that is added or taken away."""
_OPERATION_WEIGHTS = {Op.add: 0.34, Op.subtract: 0.32, Op.multiply: 0.16, Op.divide: 0.18}
_FAMILY_WEIGHTS = (0.36, 0.2, 0.14, 0.1, 0.1, 0.1)
_MASK = "#"
_WORDINGS_A_WALK = 100

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The numbers of a story."""

    start: int
    """First number, 1 to 99."""
    moves: tuple[tuple[Op, int], ...]
    """Operation and operand of each step."""

    @property
    def values(self) -> tuple[int, ...]:
        """All states, first to last; each is from 1 to 99."""
        states = [self.start]
        for op, operand in self.moves:
            state = apply(op, states[-1], operand)
            if state is None:
                raise ValueError(f"{states[-1]} {op.value} {operand} is no whole number")
            states.append(state)
        return tuple(states)

    @property
    def numbers(self) -> tuple[int, ...]:
        """What decides the split: the first number and every operand."""
        return (self.start, *(operand for _, operand in self.moves))


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A problem text with its solution."""

    text: str
    """The problem in plain English, question last."""
    chain: str
    """A quoting chain that solves it."""
    answer: int
    """The true answer, 1 to 99."""
    steps: int
    """Number of events."""
    family: str
    """Name of the story type."""
    walk: Walk
    """The numbers."""
    wording: str
    """The text with every number masked by `#`."""


def _move(rng: np.random.Generator, value: int) -> tuple[Op, int]:
    """One step that stays within 1 to 99."""
    choices: dict[Op, list[int]] = {
        Op.add: [n for n in range(_OPERANDS[0], _OPERANDS[1] + 1) if value + n <= LARGEST],
        Op.subtract: [n for n in range(_OPERANDS[0], _OPERANDS[1] + 1) if value - n >= 1],
        Op.multiply: [n for n in (2, 3) if value * n <= LARGEST],
        Op.divide: [n for n in (2, 3) if value % n == 0],
    }
    ops = [op for op, operands in choices.items() if operands]
    weights = np.array([_OPERATION_WEIGHTS[op] for op in ops])
    op = ops[int(rng.choice(len(ops), p=weights / weights.sum()))]
    return op, choices[op][int(rng.integers(len(choices[op])))]


def draw_walk(rng: np.random.Generator, steps: int, split: Split) -> Walk:
    """A walk of `steps` moves whose numbers belong to `split`."""
    while True:
        start = int(rng.integers(2, 61))
        value = start
        moves: list[tuple[Op, int]] = []
        for _ in range(steps):
            op, operand = _move(rng, value)
            moves.append((op, operand))
            value = apply(op, value, operand) or 0
        walk = Walk(start=start, moves=tuple(moves))
        if split_of_numbers(walk.numbers) is split:
            return walk


def _pick(rng: np.random.Generator, options: Sequence[_T]) -> _T:
    return options[int(rng.integers(len(options)))]


def _nouns(rng: np.random.Generator, family: Family) -> dict[str, str]:
    """Fillers of `{items}` and `{place}` for a story type."""
    match family.name:
        case "collecting":
            return {"items": _pick(rng, ITEMS)}
        case "shopping":
            return {"items": "dollars"}
        case "packing":
            return {"items": _pick(rng, ITEMS), "place": _pick(rng, BOXES)}
        case "riding":
            return {"items": "people", "place": _pick(rng, VEHICLES)}
        case "visiting":
            return {"items": _pick(rng, ANIMALS), "place": _pick(rng, PLACES)}
        case _:
            return {"items": "minutes", "place": _pick(rng, TRIPS)}


def sentence(text: str) -> str:
    """First letter made a capital."""
    return text[:1].upper() + text[1:]


def _people(holder: str) -> dict[str, str]:
    he, him, his = pronouns(holder)
    return {"holder": holder, "he": he, "him": him, "his": his}


def _suits(form: Form, op: Op, operand: int) -> bool:
    return form.op is op and form.operand in (None, operand)


class Teller:
    """Words a walk: keeps who holds the number, who was introduced and which events were told.

    No event is told twice while another would do, so a step that quotes its sentence can be found
    by its words.

    Args:
        rng: Source of every choice.
        family: Story type.
        comparing: Share of steps that are comparisons, where the type has any; in [0, 1].
    """

    def __init__(self, rng: np.random.Generator, family: Family, comparing: float) -> None:
        self._rng = rng
        self._family = family
        self._comparing = comparing
        self._fillers = _nouns(rng, family)
        self._names = list(rng.permutation(NAMES))
        self._told: set[Form] = set()
        self._fillers |= _people(self._names.pop())

    def opening(self) -> str:
        """First sentence, `{n}` left open."""
        return self._fill(_pick(self._rng, self._family.openings))

    def restated(self) -> str:
        """The present number stated again, `{n}` left open."""
        return self._fill(self._family.restated)

    def question(self) -> str:
        """Last sentence without its mark."""
        return self._fill(_pick(self._rng, self._family.questions))

    def event(self, op: Op, operand: int) -> str:
        """A sentence for one move, `{n}` left open where the sentence has a number."""
        forms = [form for form in self._family.forms if _suits(form, op, operand)]
        comparisons = [form for form in forms if form.compares]
        plain = [form for form in forms if not form.compares]
        plain = [form for form in plain if form not in self._told] or plain
        if comparisons and self._names and self._rng.random() < self._comparing:
            other = self._names.pop()
            text = self._fill(_pick(self._rng, tuple(comparisons)), other=other)
            self._fillers |= _people(other)
            return text
        form = _pick(self._rng, tuple(plain))
        self._told.add(form)
        text = self._fill(form)
        if self._rng.random() < 0.2:
            text = _pick(self._rng, CONNECTORS) + text
        return text

    def _fill(self, template: Form | str, other: str = "") -> str:
        text = template.text if isinstance(template, Form) else template
        fillers = self._fillers | {"other": other, "thing": _pick(self._rng, THINGS)}
        return text.format(n="{n}", **fillers)


def _worded(
    rng: np.random.Generator, walk: Walk, *, restate: bool, scenery: int
) -> tuple[str, list[str], str, str]:
    """Opening, events, question and story type for a walk; what changes nothing is an event too."""
    family = FAMILIES[int(rng.choice(len(FAMILIES), p=_FAMILY_WEIGHTS))]
    teller = Teller(rng, family, comparing=float(rng.choice([0.0, 0.3, 1.0], p=[0.45, 0.3, 0.25])))
    opening = teller.opening()
    after = int(rng.integers(len(walk.moves))) if restate else -1
    events: list[str] = []
    for index, (op, operand) in enumerate(walk.moves):
        events.append(teller.event(op, operand))
        if index == after:
            events.append(teller.restated())
    for kind in rng.permutation(len(SCENERY))[:scenery] if scenery else ():
        events.insert(int(rng.integers(len(events) + 1)), SCENERY[int(kind)])
    return opening, events, teller.question(), family.name


def _changes_nothing(event: str) -> bool:
    return event.startswith("so ") or event in SCENERY


def _tell(walk: Walk, opening: str, events: list[str], question: str) -> tuple[str, str, list[str]]:
    """Text and chain of a worded walk, and its sentences with their numbers."""
    values = walk.values
    said = [sentence(opening.format(n=values[0]))]
    chain = [f"{said[0]}: {values[0]}"]
    index = 0
    for event in events:
        if _changes_nothing(event):
            line = event.format(n=values[index])
            chain.append(f"{line}: {values[index]}")
        else:
            op, operand = walk.moves[index]
            line = event.format(n=operand)
            result = values[index + 1]
            chain.append(f"{line}: {values[index]} {op.value} {operand} = {result}")
            index += 1
        said.append(sentence(line))
    chain.append(f"the answer is {values[-1]}")
    text = ". ".join(said) + ". " + sentence(question) + "?"
    return text, "; ".join(chain), said


def _worded_story(
    rng: np.random.Generator, walk: Walk, *, restate: bool, scenery: int
) -> Story | None:
    """One wording of a walk, whatever split it belongs to; None where a sentence came twice."""
    opening, events, question, family = _worded(rng, walk, restate=restate, scenery=scenery)
    text, chain, said = _tell(walk, opening, events, question)
    if len(set(said)) < len(said):
        return None
    return Story(
        text=text,
        chain=chain,
        answer=walk.values[-1],
        steps=len(walk.moves),
        family=family,
        walk=walk,
        wording=". ".join((opening, *events, question)).replace("{n}", _MASK),
    )


def draw_story(
    rng: np.random.Generator,
    steps: int,
    split: Split,
    *,
    restate: bool = False,
    scenery: int = 0,
) -> Story:
    """One true story.

    Args:
        rng: Source of every choice: the same state gives the same story.
        steps: Number of events, at least 1.
        split: Draw that its numbers and its wording must both belong to.
        restate: Whether a true running total is stated once on the way.
        scenery: Number of sentences about something else, 0 to 12; a chain quotes them too, with
            the number as it stands.

    Returns:
        A story in which no sentence occurs twice.
    """
    if steps < 1:
        raise ValueError(f"a story needs at least 1 step, not {steps}")
    while True:
        walk = draw_walk(rng, steps, split)
        for _ in range(_WORDINGS_A_WALK):
            story = _worded_story(rng, walk, restate=restate, scenery=scenery)
            if story is not None and split_of_wording(story.wording) is split:
                return story
