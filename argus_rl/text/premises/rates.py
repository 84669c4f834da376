"""Rates, means, ratios, coins and what everybody knows of units.

These relations need more than one formula: a mean is taken over as many numbers as the text lists,
a rate holds in its own unit of time, a ratio is taken up by the nouns it was stated for.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import COINS, UNITS
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, compiled, finding, in_unit_of, written

_PART_OF_UNIT = (
    r"<f:F> (?:of )?an? (?P<unit>[a-z]+)(?: ,)? (?:which equals|equals|which is|that is|or|is"
    r"|\( or|\("
    r"|has) <c:U>"
)
_FACTS = (
    r"\b(?:there (?:are|were|being)|with|since|as) (?:exactly )?<c:U> in (?:an?|one|each|every) "
    r"(?P<unit>[a-z]+)\b",
    r"\b(?:each|every) (?P<unit>day|week|hour|minute) (?:has|contains) (?:exactly )?<c:U>",
    r"(?:^|\. |, |\b(?:that|since|as|if|because|and|but) )(?:an?|one) (?P<unit>[a-z]+) (?:has"
    r"|is|contains|equals|consists of|=) (?:exactly )?<c:U>"
    r"(?! (?:[a-z]+ ){0,2}(?:than|old|long|late|break|lesson))",
)


def check_unit_facts(reading: Reading) -> Iterator[PremiseFinding]:
    """What everybody knows of units: "there are 60 minutes in an hour"."""
    for match in compiled(_PART_OF_UNIT).finditer(reading.form):
        part, share = reading.of(match["c"]), reading.of(match["f"])
        dimension, ratio = UNITS.get(match["unit"], ("", part.ratio))
        if dimension == part.dimension and ratio > part.ratio and part.base != ratio * share.value:
            expression = f"{written(share.value)} {match['unit']}"
            yield finding(K.UNIT_CONVERSION, part, expression, share.value * ratio / part.ratio)
    for pattern in _FACTS:
        for match in compiled(pattern).finditer(reading.form):
            part = reading.of(match["c"])
            dimension, ratio = UNITS.get(match["unit"], ("", part.ratio))
            if dimension == part.dimension and ratio > part.ratio and part.base != ratio:
                expression = f"1 {match['unit']}"
                yield finding(K.UNIT_CONVERSION, part, expression, ratio / part.ratio)


_RATE = (
    r"<a:NMU>(?: [a-z]+){0,2}? (?:a|an|per|each|every) (?P<unit>second|minute|hour|day|week|month"
    r"|year)(?: [a-z]+){0,3} (?:\.|,|and|so)(?: so| therefore| and)? (?:[a-z]+ ){0,4}?(?:in|for"
    r"|over|during|after) <b:U> ?,? (?:[a-z']+ ){0,4}?<c:NMU>(?! (?:more|less|fewer|(?:[a-z]+ )?"
    r"(?:a|an|per|each|every)\b))"
)


_SPEED = (
    r"<a:U> (?:a|an|per) (?P<unit>hour|minute|second|day)~(?:for|in) <b:U>~\b(?:covers?|covered"
    r"|travels?|travelled|drives|drove|goes|flies|flew|walks|runs|sails|cycles)\b(?: [a-z]+){0,2}"
    r" <c:U>(?! (?:a|an|per|more)\b)"
)


def check_rates(reading: Reading) -> Iterator[PremiseFinding]:
    """A rate, a time, and what comes of it: "25 pages a minute, in 8 minutes 200 pages"."""
    for match in (
        match for pattern in (_RATE, _SPEED) for match in compiled(pattern).finditer(reading.form)
    ):
        rate, time, claim = (reading.of(match[name]) for name in "abc")
        dimension, ratio = UNITS[match["unit"]]
        if reading.form[: match.start("c")].endswith(("the ", "these ", "those ")):
            continue
        lead = reading.form[: match.start()].split(" . ")[-1]
        if (
            time.dimension != dimension
            or not comparable(rate, claim)
            or re.search(r"[A-Z]\d", lead)
        ):
            continue
        if (rate.dimension == "time" and rate.ratio != claim.ratio) or time.ratio < ratio:
            continue
        if rate.kind == "N" and rate.noun != claim.noun:
            continue
        amount, units = in_unit_of(rate, claim), time.base / ratio
        if claim.value != amount * units:
            expression = f"{written(amount)} * {written(units)}"
            yield finding(K.PRODUCT, claim, expression, amount * units)


_MEAN = (
    r"\b(?:average|averages|averaged|averaging|mean|speed|rate of"
    r"|pace)\b(?: [a-z]+){0,4}? <c:NMU>(?! "
    r"(?:more|less|fewer|higher"
    r"|lower))"
)


_MEAN_OF = (
    r"(?:average|mean) of (?P<list>(?:[NMU]\d+(?: [a-z]+)?[ ,and]*){2,8}) (?:is|was|equals) <c:NMU>"
)


def check_averages(reading: Reading) -> Iterator[PremiseFinding]:
    """A mean or a rate after the numbers it is taken over."""
    for match in compiled(_MEAN_OF).finditer(reading.form):
        listed = [reading.of(name) for name in re.findall(r"\b[A-Z]\d+\b", match["list"])]
        claim = reading.of(match["c"])
        if len(listed) > 1 and all(comparable(value, claim) for value in listed):
            true = sum((in_unit_of(value, claim) for value in listed), Fraction(0)) / len(listed)
            if true != claim.value:
                numbers = " + ".join(written(value.value) for value in listed)
                yield finding(K.AVERAGE, claim, f"({numbers}) / {len(listed)}", true)
    for sentence in reading.form.split(" . "):
        for match in compiled(_MEAN).finditer(sentence):
            names = re.findall(r"\b[A-Z]\d+\b", sentence[: match.start()])
            claim = reading.of(match["c"])
            values = [reading.of(name) for name in names]
            counted = len(names) > 2 and values[0].value == len(values) - 1
            if counted and re.search(rf"\b{names[0]} [a-z]", sentence):
                values = values[1:]
            alike = [value for value in values if comparable(value, claim)]
            if len(values) == 2 and any(v.kind not in "NMU" for v in values):
                continue
            lead = sentence[: match.start()]
            if re.search(r"\b(?:more|less|than|if|each|every|per|while|but|sum|total)\b", lead):
                continue
            yield from _judge_mean(values, alike, claim)


def _judge_mean(
    values: list[Quantity], alike: list[Quantity], claim: Quantity
) -> Iterator[PremiseFinding]:
    numbered = len(alike) > 1 and len(alike) == len(values) - 1 and values[0].kind == "N"
    if numbered and alike[0].kind != "N" and values[0].value == len(alike):
        values = alike
    if len(alike) >= 3 or (len(alike) == len(values) == 2 and all(v.kind != "N" for v in alike)):
        numbers = [in_unit_of(value, claim) for value in alike]
        counts = {len(numbers), len(numbers) - 1}
        rest = sum(numbers[1:], Fraction(0)) / (len(numbers) - 1)
        true = sum(numbers, Fraction(0)) / len(numbers)
        listed = " + ".join(written(number) for number in numbers)
        if alike[0].kind != "N" or alike[0].value != len(numbers) - 1:
            rest = true
        if claim.value not in (true, rest) and not counts & {claim.value}:
            yield finding(K.AVERAGE, claim, f"({listed}) / {len(numbers)}", true)
    elif len(values) == 2 and alike:
        whole = alike[-1] if values[0].kind != "M" else alike[0]
        named = [value for value in alike if value.noun and value.noun == claim.noun]
        whole = named[0] if len(named) == 1 else whole
        other = values[0] if whole is values[1] else values[1]
        number = in_unit_of(whole, claim)
        if other.value == 0 or number == 0:
            return
        true = number / other.value
        if claim.value not in (true, other.value / number, (number + other.value) / 2):
            yield finding(K.AVERAGE, claim, f"{written(number)} / {written(other.value)}", true)


def check_coins(reading: Reading) -> Iterator[PremiseFinding]:
    """Several kinds of coins and what they are worth together."""
    for sentence in reading.form.split(" . "):
        coins = re.findall(rf"\b(N\d+) ({'|'.join(COINS)})\b", sentence)
        claim = compiled(_WORTH).search(sentence)
        if len(coins) < 2 or claim is None or len(re.findall(r"\b[MPF]\d", sentence)) != 1:
            continue
        values = [reading.of(name).value * COINS[coin] for name, coin in coins]
        true = sum(values, Fraction(0))
        stated = reading.of(claim["c"] or claim["d"])
        if stated.value != true:
            listed = " + ".join(f"{written(reading.of(n).value)} {coin}" for n, coin in coins)
            yield finding(K.MONEY, stated, listed, true)


_WORTH = (
    r"(?:worth|making|amount to|amounts to|come to|comes to|are|has|have|had|holds?|owns?|makes?"
    r"|which is|which makes|that is|so|amounting to|total of) (?:[a-z]+ ){0,3}?"
    r"<c:M>|<d:M> (?:in all|in total|altogether|together)"
).replace("<d:M>", r"(?P<d>\bM\d+\b)")
