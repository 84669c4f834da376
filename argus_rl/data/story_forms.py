"""Every sentence a built-in story may hold, with what it does to the running number.

A story is a chain `v_0, v_1 = f_1(v_0), ..., v_n = f_n(v_(n-1))`: an opening states `v_0`, each
event applies one of `+ - x /`, the question asks for `v_n`. Generator and interpreter read this
one table, so what is written and what is understood cannot come apart.

The table knows what a sentence *means*. It belongs to the sealed side of the house: it may be
imported where `argus_rl.data.answer_key` may, and nowhere on the training path.

Slots: `{n}` a number, `{holder}` the person who holds the number, `{other}` a person introduced
by a comparison, `{he} {him} {his}` the holder's pronouns, `{items}` what is counted, `{place}`
the box, vehicle, place or trip, `{thing}` something with a price.
"""

from dataclasses import dataclass
from enum import StrEnum


class Op(StrEnum):
    """What an event does to the running number; the value is the sign a chain writes."""

    add = "+"
    subtract = "-"
    multiply = "*"
    divide = "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One event sentence without its final period."""

    text: str
    """Template with slots, in lower case but for the slots' own capitals."""
    op: Op
    """What it does to the running number."""
    operand: int | None = None
    """Fixed operand (2 or 3) of a sentence without `{n}`; None where `{n}` gives it."""
    compares: bool = False
    """Whether the sentence introduces `{other}`, who then holds the number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One story type: its openings, events, restatements and questions."""

    name: str
    """Name of the story type."""
    openings: tuple[str, ...]
    """Templates that state the first number."""
    forms: tuple[Form, ...]
    """Events that may follow."""
    restated: str
    """Template that states the present number again."""
    questions: tuple[str, ...]
    """Templates of the final question."""


def _add(*texts: str) -> tuple[Form, ...]:
    return tuple(Form(text=text, op=Op.add) for text in texts)


def _subtract(*texts: str) -> tuple[Form, ...]:
    return tuple(Form(text=text, op=Op.subtract) for text in texts)


def _times(operand: int, *texts: str) -> tuple[Form, ...]:
    return tuple(Form(text=text, op=Op.multiply, operand=operand) for text in texts)


def _over(operand: int, *texts: str) -> tuple[Form, ...]:
    return tuple(Form(text=text, op=Op.divide, operand=operand) for text in texts)


COMPARISONS = (
    Form(text="{other} has {n} more {items} than {holder}", op=Op.add, compares=True),
    Form(text="{other} has {n} fewer {items} than {holder}", op=Op.subtract, compares=True),
    Form(
        text="{other} has twice as many {items} as {holder}",
        op=Op.multiply,
        operand=2,
        compares=True,
    ),
    Form(text="{other} has {n} times as many {items} as {holder}", op=Op.multiply, compares=True),
    Form(
        text="{other} has half as many {items} as {holder}",
        op=Op.divide,
        operand=2,
        compares=True,
    ),
    Form(
        text="{other} has a third as many {items} as {holder}",
        op=Op.divide,
        operand=3,
        compares=True,
    ),
)
"""Sentences that compare a new person with the present holder."""

_HOLDING = (
    *_times(2, "{he} doubles {his} {items}"),
    *_times(3, "{he} triples {his} {items}"),
    *_over(2, "{he} gives away half of {his} {items}", "{he} loses half of {his} {items}"),
    *_over(3, "{he} keeps a third of {his} {items}"),
    *_over(2, "{he} shares {his} {items} equally with one friend"),
    *_over(3, "{he} shares {his} {items} equally with two friends"),
)

_PERSON_QUESTIONS = (
    "how many {items} does {holder} have now",
    "how many {items} does {holder} have in the end",
)

THINGS_OF_A_PERSON = Family(
    name="collecting",
    openings=("{holder} has {n} {items}",),
    forms=(
        *_add("{he} buys {n} {items}", "{he} finds {n} {items}", "{he} wins {n} {items}"),
        *_add("{he} gets {n} more {items}", "a friend gives {him} {n} {items}"),
        *_add("{he} makes {n} {items}", "{he} picks up {n} {items}"),
        *_subtract("{he} sells {n} {items}", "{he} loses {n} {items}", "{he} uses {n} {items}"),
        *_subtract("{he} gives away {n} {items}", "a friend takes {n} of {his} {items}"),
        *_subtract("{he} drops {n} {items}", "{he} throws out {n} {items}"),
        *_HOLDING,
        Form(text="{he} packs {his} {items} into {n} equal bags and keeps one bag", op=Op.divide),
        *COMPARISONS,
    ),
    restated="so {holder} has {n} {items} now",
    questions=_PERSON_QUESTIONS,
)

MONEY_OF_A_PERSON = Family(
    name="shopping",
    openings=("{holder} has {n} {items}",),
    forms=(
        *_add("{he} earns {n} {items}", "{he} finds {n} {items}"),
        *_add("{he} sells a {thing} for {n} {items}", "a friend gives {him} {n} {items}"),
        *_add("{he} wins {n} {items}", "{he} gets {n} more {items}"),
        *_subtract("{he} spends {n} {items}", "{he} loses {n} {items}"),
        *_subtract("{he} buys a {thing} for {n} {items}", "{he} gives away {n} {items}"),
        *_subtract("{he} pays a friend {n} {items}", "a friend takes {n} of {his} {items}"),
        *_HOLDING,
        *COMPARISONS,
    ),
    restated="so {holder} has {n} {items} now",
    questions=_PERSON_QUESTIONS,
)

BOX = Family(
    name="packing",
    openings=("a {place} holds {n} {items}",),
    forms=(
        *_add("{n} {items} are put in", "{n} more {items} are added"),
        *_add("a friend puts in {n} {items}", "the shop sends {n} {items}"),
        *_subtract("{n} {items} are taken out", "{n} {items} fall out"),
        *_subtract("a friend takes {n} {items}", "{n} {items} are sold"),
        *_times(2, "the number of {items} doubles"),
        *_times(3, "the number of {items} triples"),
        *_over(2, "half of the {items} are taken out"),
        *_over(3, "a third of the {items} are kept"),
        Form(text="the {items} are packed into {n} equal bags and one bag is kept", op=Op.divide),
    ),
    restated="so the {place} holds {n} {items} now",
    questions=(
        "how many {items} are in the {place} now",
        "how many {items} are in the {place} in the end",
    ),
)

RIDE = Family(
    name="riding",
    openings=("there are {n} {items} on a {place}",),
    forms=(
        *_add("{n} {items} get on", "{n} more {items} join", "{n} {items} come in"),
        *_subtract("{n} {items} get off", "{n} {items} leave", "{n} {items} walk away"),
        *_times(2, "the number of {items} doubles"),
        *_times(3, "the number of {items} triples"),
        *_over(2, "half of the {items} get off", "half of the {items} leave"),
        *_over(3, "a third of the {items} stay on"),
    ),
    restated="so there are {n} {items} on the {place} now",
    questions=(
        "how many {items} are on the {place} now",
        "how many {items} are on the {place} in the end",
    ),
)

MEADOW = Family(
    name="visiting",
    openings=("there are {n} {items} in a {place}",),
    forms=(
        *_add("{n} {items} come", "{n} more {items} join", "{n} {items} are born"),
        *_subtract("{n} {items} leave", "{n} {items} go away", "{n} {items} are sold"),
        *_times(2, "the number of {items} doubles"),
        *_times(3, "the number of {items} triples"),
        *_over(2, "half of the {items} leave", "half of the {items} go away"),
        *_over(3, "a third of the {items} stay"),
    ),
    restated="so there are {n} {items} in the {place} now",
    questions=(
        "how many {items} are in the {place} now",
        "how many {items} are in the {place} in the end",
    ),
)

TRIP = Family(
    name="timing",
    openings=("a {place} takes {n} {items}",),
    forms=(
        *_add("a stop adds {n} {items}", "a rest adds {n} {items}", "rain adds {n} {items}"),
        *_add("wind adds {n} {items}", "lunch takes {n} more {items}"),
        *_subtract("a new road saves {n} {items}", "less rest saves {n} {items}"),
        *_subtract("a map saves {n} {items}", "a bridge saves {n} {items}"),
        *_times(2, "snow doubles the {items}"),
        *_times(3, "snow triples the {items}"),
        *_over(2, "a fast car saves half of the {items}"),
        *_over(3, "a fast road leaves a third of the {items}"),
    ),
    restated="so the {place} takes {n} {items} now",
    questions=(
        "how many {items} does the {place} take now",
        "how many {items} does the {place} take in the end",
    ),
)

FAMILIES = (THINGS_OF_A_PERSON, MONEY_OF_A_PERSON, BOX, RIDE, MEADOW, TRIP)
"""All story types."""

CONNECTORS = ("then ", "later ", "next ")
"""Words that may open an event."""


def apply(op: Op, value: int, operand: int) -> int | None:
    """`value op operand` as a whole number from 0 up, or None where there is none."""
    if op is Op.add:
        return value + operand
    if op is Op.multiply:
        return value * operand
    if op is Op.subtract:
        return value - operand if value >= operand else None
    return value // operand if operand and value % operand == 0 else None
