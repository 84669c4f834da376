"""Comparisons whose two sides are named apart: "an oak is three times as tall as a birch"."""

import re
from collections.abc import Iterator

from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading, singular
from argus_rl.text.premises.rule import comparable, compiled, finding, in_unit_of, written

_TALL = (
    r"(?:the |an? )?(?P<one>[a-z]+)(?:'s [a-z]+)? (?:is|was|weighs|costs|has|runs|swims|earns"
    r"|scored|made|sold|picked|read|walked) <k:XF> as [a-z]+(?: [a-z]+)? as (?:the |an? )?(?P"
    r"<two>[a-z]+)"
)
_MANY = r"<k:XF> as many (?P<one>[a-z]+) as (?P<two>[a-z]+)"


def check_entities(reading: Reading) -> Iterator[PremiseFinding]:
    """Factors between two named things whose own values are stated elsewhere."""
    for match in compiled(_TALL).finditer(reading.form):
        rest = reading.form[: match.start()] + " | " + reading.form[match.end() :]
        if re.search(r"\b(?:after|g[ai]ves?|given|later|years?)\b", rest):
            continue
        one, two = _value(reading, rest, match["one"]), _value(reading, rest, match["two"])
        if one is not None and two is not None and (one.noun == two.noun or not one.noun):
            yield from _judge(reading.of(match["k"]), one, two)
    for match in compiled(_MANY).finditer(reading.form):
        end = (reading.form + " . ").index(" . ", match.end())
        sentence = reading.form[reading.form.rfind(" . ", 0, match.start()) + 1 : end]
        one = _count(reading, sentence, match["one"])
        two = _count(reading, sentence, match["two"])
        if one is not None and two is not None:
            yield from _judge(reading.of(match["k"]), one, two)


def _judge(factor: Quantity, one: Quantity, two: Quantity) -> Iterator[PremiseFinding]:
    true = factor.value * in_unit_of(two, one)
    if comparable(one, two) and one.value != true:
        expression = f"{written(factor.value)} * {written(in_unit_of(two, one))}"
        yield finding(PremiseKind.COMPARE_TIMES, one, expression, true)


def _value(reading: Reading, form: str, name: str) -> Quantity | None:
    """The one quantity that `name` is said to have, None where there is none or several."""
    if name in ("it", "he", "she", "they", "that", "this", "as"):
        return None
    found = re.findall(
        rf"\b{name}(?:'s [a-z]+)?(?: (?:is|was|measures|weighs|costs|has|at|reaches|stands|ran"
        rf"|runs))?"
        r" ([NMU]\d+)\b",
        form,
    )
    return reading.of(found[0]) if len(found) == 1 else None


def _count(reading: Reading, sentence: str, noun: str) -> Quantity | None:
    """The one count of `noun` in the sentence, None where there is none or several."""
    counts = [reading.of(name) for name in re.findall(r"\bN\d+\b", sentence)]
    found = [count for count in counts if count.noun == singular(noun)]
    return found[0] if len(found) == 1 else None
