"""Amounts per group, per unit of time and per share, over more than one formula.

"3 km every day, in a week 21 km"; "12 trays, each holding 9 seedlings, make 108"; "$3 to start and
$2 for each kilometre, so 7 km cost $17"; "3 eggs for 2 cakes, so 8 cakes take 12 eggs".
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Quantity, Reading, singular
from argus_rl.text.premises.rule import comparable, compiled, finding, in_unit_of, written

_RATE = (
    r"<a:NMU>(?: [a-z]+){0,3}? (?:a|an|per|each|every) (?P<unit>second|minute|hour|day|week|year)\b"
)
_PERIODS = (
    rf"{_RATE}[^A-Z#]*?\b(?:in|over|during|for|per|within) (?:a|an|one|each|every|the) "
    rf"(?P<time>minute"
    r"|hour|day|week|fortnight)\b[^A-Z.#]*?<c:NMU>(?! (?:more|a|per|each|every)\b)",
    rf"{_RATE}[^A-Z#]*?(?:\bso|which is|that is|therefore|thus|hence|\bor|making|which makes|which "
    rf"means|:)"
    r"~<c:NMU>(?! more)(?: [a-z]+){0,2} (?:a|an|per|each|every|in a|in one) (?P<time>minute|hour"
    r"|day|week"
    r"|fortnight)\b",
    r"\b(?:every|each|per) (?P<unit>second|minute|hour|day|week|year) (?:[a-z]+ "
    r"){0,4}<a:NMU>[^A-Z.#]*?"
    r"\b(?:in|over|during|within|after|for) <b:U>[^A-Z.#]*?<c:NMU>(?! (?:more|a|per|each))",
    rf"{_RATE} , (?:[a-z']+ ){{1,5}}<c:NMU>(?: [a-z]+){{0,2}} (?:in|over|during|within) <b:U>",
    rf"{_RATE}[^A-Z#]*?\b(?:in|over|during|within|after|for) <b:U>[^A-Z.#]*?\b(?:so|thus|therefore"
    rf"|has"
    r"|have|comes? to|makes?|is|are|which)\b~<c:NMU>(?! (?:more|less|fewer|a|per|each))",
)


def check_periods(reading: Reading) -> Iterator[PremiseFinding]:
    """A rate per unit of time and its amount over another time."""
    for pattern in _PERIODS:
        for match in compiled(pattern).finditer(reading.form):
            rate, claim = reading.of(match["a"]), reading.of(match["c"])
            dimension, unit = UNITS[match["unit"]]
            groups = match.groupdict()
            if groups.get("b"):
                time = reading.of(match["b"])
                other, length = time.dimension, time.base
            else:
                other, length = UNITS[match["time"]]
            alike = comparable(rate, claim) and (rate.kind != "N" or _same(rate, claim))
            timed = rate.dimension == "time" and rate.ratio != claim.ratio
            given = reading.form[: match.start("c")].endswith(("the ", "these ", "those "))
            if (
                given
                or timed
                or other != dimension
                or length == unit
                or not alike
                or _lead(reading, match)
            ):
                continue
            number, times = in_unit_of(rate, claim), length / unit
            if claim.value not in (number * times, number) and _working(match["unit"], times):
                expression = f"{written(number)} * {written(times)}"
                yield finding(K.PRODUCT, claim, expression, number * times)


def _working(unit: str, times: Fraction) -> bool:
    """Whether nobody would count part of the time only, as hours of work in a day."""
    return not (unit == "hour" and times >= 24) and times >= 1


def _same(first: Quantity, second: Quantity) -> bool:
    if "time" in (first.noun, second.noun):
        return True
    return first.noun == second.noun or not second.noun or not first.noun


def _lead(reading: Reading, match: re.Match[str]) -> bool:
    """Whether further quantities or an exception stand with the rate."""
    lead = reading.form[: match.start()].split(" . ")[-1]
    excepted = re.search(r"\b(?:except|only|but|if)\b", match.group())
    return excepted is not None or re.search(r"[A-Z]\d", lead) is not None


_SHARED = (
    r"\b(?:shar\w+|split\w*|divid\w+|distribut\w+|deal\w*|dealt|hand\w*|packs?|packed|puts?|places?"
    r"|placed|cuts?|cut|sort\w*|arrang\w+|pours?|poured|spreads?|seats?|seated|saws?|sawn|sawed"
    r"|filled"
    r"|laid|stacks?|stacked|hung|hangs?|planted|plants?|loaded|loads?)\b"
)
_RECEIVES = (
    r"(?:receives?|received|gets?|got|has|had|have|holds?|held|contains?|contained|is|was|are|were"
    r"|pays?"
    r"|paid|takes?|took|weighs?|measures?|carries|of|made up of|with|ends up with|is given|was "
    r"given"
    r"|now has|costs?)"
)
_PORTIONS = (
    rf"{_SHARED}~<a:NMU>~\b(?:among|amongst|between|into|over|to|in|on|onto|across) (?:the |his "
    rf"|her"
    rf" |their |its |all )*<b:N> (?:equal |same )?(?P<group>[a-z]+)[^A-Z#]*?\b(?:each|every|one|a"
    rf"|an|all|any)(?: (?P<again>[a-z]+))?(?: of (?:the |these |them)[a-z]*)? {_RECEIVES}(?: "
    rf"[a-z]+)"
    r"{0,2}? <c:NMU>",
    rf"<a:NMU>~\b(?:are|is|was|were|being|been)\b~{_SHARED}~\b(?:among|amongst|between|into|over|to"
    rf"|in"
    rf"|on|onto|across) (?:the |his |her |their |its |all )*<b:N> (?:equal |same "
    rf")?(?P<group>[a-z]+)"
    rf"[^A-Z#]*?\b(?:each|every|one|a|an|all|any)(?: (?P<again>[a-z]+))?(?: of (?:the |these |them)"
    rf"[a-z]*)? {_RECEIVES}(?: [a-z]+){{0,2}}? <c:NMU>",
    rf"<a:NMU>(?: [a-z]+)? ?[.,]? [^A-Z#]*?{_SHARED}~\b(?:in|into) <b:N> (?:equal |equally long "
    rf"|identical )"
    r"?(?P<group>[a-z]+)(?: of (?:the same|equal) [a-z]+)?(?:(?!\bfirst\b)[^A-Z.#])*?\b(?:of"
    r"|measuring"
    r"|each|long|is|are)(?: [a-z]+){0,2}? <c:NMU>(?P<again>)",
)


def check_portions(reading: Reading) -> Iterator[PremiseFinding]:
    """A whole that is shared out, and what each share is said to be."""
    for pattern in _PORTIONS:
        for match in compiled(pattern).finditer(reading.form):
            whole, number, claim = (reading.of(match[name]) for name in "abc")
            again = match["again"]
            named = not again or singular(again) == singular(match["group"])
            equal = re.search(r"\b(?:equal\w*|evenly|same|alike|identical)\b", match.group())
            fits = comparable(whole, claim) and (whole.kind != "N" or _same(whole, claim))
            if not (named and (equal or again)) or not fits or number.value == 0:
                continue
            if re.search(r"\b(?:more|another|first|extra|some|to be|is to)\b", match.group()):
                continue
            true = in_unit_of(whole, claim) / number.value
            if claim.value not in (true, number.value / (whole.value or 1)):
                expression = f"{written(in_unit_of(whole, claim))} / {written(number.value)}"
                yield finding(K.QUOTIENT, claim, expression, true)


_FEES = (
    r"<a:M>(?P<basis>[^A-Z.#]{1,60}?)\b(?:and|plus|then|,) ~<b:M>(?: [a-z]+){0,2}? (?:for each|for"
    r" every|per|a|an|each|every) (?:further |additional |extra |following |next |other "
    r")?(?P<unit>[a-z]+)\b(?: [a-z]+){0,3}[^A-Z#]*?<c:NU>[^A-Z#]*?"
    r"\b(?:costs?|paid|pays?|asked|asks|charge[sd]?|billed|bill|comes? to|came to|is|was|are|makes?"
    r"|owes?"
    r"|totals?)(?: [a-z]+){0,3}? <d:M>"
)
_BASIS = re.compile(
    r"\b(?:start|coming|call|visit|fixed|flat|base|basic|plus|entry|entrance|booking|begin|fee"
    r"|charge"
    r"|advance|first|deposit|hire|showing|sit|board|service|membership|setup|set)\b"
)


def check_fees(reading: Reading) -> Iterator[PremiseFinding]:
    """A fixed charge, a charge per unit, and the price of some units."""
    for match in compiled(_FEES).finditer(reading.form):
        fixed, rate, units, claim = (reading.of(match[name]) for name in "abcd")
        lead = (
            reading.form[: match.start()].split(" . ")[-1]
            + reading.form[match.start() : match.start("b")]
        )
        unit = UNITS.get(match["unit"])
        if unit is not None:
            fits, number = units.dimension == unit[0], units.base / unit[1]
        else:
            fits, number = units.noun == singular(match["unit"]), units.value
        if not fits or not _BASIS.search(lead):
            continue
        first = re.search(r"\b(?:further|additional|extra|following|next|other)\b", match.group())
        number -= first is not None and "first" in match["basis"]
        true = fixed.value + rate.value * number
        if claim.value not in (true, rate.value * number):
            expression = f"{written(fixed.value)} + {written(rate.value)} * {written(number)}"
            yield finding(K.MULTI_STEP, claim, expression, true)


_FOUR = (
    r"<a:NMU>(?P<one>[^A-Z.#]{0,60}?)<b:NMU>(?P<two>[^A-Z#]{1,90}?)<c:NMU"
    r">(?P<three>[^A-Z.#]{1,60}?)"
    r"<d:NMU>"
)
_FOR_EVERY = re.compile(
    r"\b(?:for every|for each|to every|to each|for|per|to|in|makes?|serves?|feeds?|need|needs"
    r"|takes?"
    r"|with|there are|goes? with|gives?|yields?|uses?|covers?|as much as|cost|costs|are (?:sold"
    r"|needed))\b"
)
_AT_THIS_RATE = re.compile(
    r"\bfor every\b|\bfor each\b|\bto every\b|\b(?:so|therefore|thus|hence|likewise|ratio"
    r"|accordingly"
    r"|this price|that price|same rate|this rate|that rate|scale|parts?|consequently|follows"
    r"|proportion)\b"
)
_NEW_RATE = re.compile(
    r"\b(?:more|but|another|only|extra|left|remaining|also|each|than|if|some|first|then|instead"
    r"|while|already)\b"
)


def check_proportions(reading: Reading) -> Iterator[PremiseFinding]:
    """Two amounts that go together, and two others in the same proportion."""
    for match in compiled(_FOUR).finditer(reading.form):
        a, b, c, d = (reading.of(match[name]) for name in "abcd")
        lead = reading.form[: match.start()].split(" . ")[-1]
        words = f"{lead} {match['one']} {match['two']}"
        linked = _FOR_EVERY.search(f"{lead[-12:]} {match['one']}") and _AT_THIS_RATE.search(words)
        new = _NEW_RATE.search(f"{match['two']} {match['three']}") or re.search(r"[A-Z]\d", lead)
        if not linked or new or not a.value or not b.value:
            continue
        tail = reading.form[match.end() : match.end() + 40]
        one, two = _name(a, match["one"]), _name(b, match["two"])
        taken_up = (_name(c, match["three"]), _name(d, tail))
        if one != two and taken_up == (one, two):
            top, bottom = b, a
        elif one != two and taken_up == (two, one):
            top, bottom = a, b
        else:
            continue
        number, unit = in_unit_of(c, bottom), in_unit_of(top, d)
        if d.value * number == unit * bottom.value or any(q.pack > 1 for q in (a, b, c)):
            continue
        if d.value != number * unit / bottom.value:
            expression = f"{written(number)} * {written(unit)} / {written(bottom.value)}"
            yield finding(K.RATIO, d, expression, number * unit / bottom.value)


def _name(quantity: Quantity, after: str) -> str:
    """What a quantity is of: its dimension and the thing measured, or the noun counted."""
    if quantity.kind == "M":
        return "money"
    filled = re.match(r" (?:[a-z]+ )?of (?:the )?([a-z]+)", after)
    if filled is not None and quantity.kind == "N" and quantity.noun != "part":
        return singular(filled.group(1))
    words = [w for w in re.findall(r"[a-z]+", after) if w not in ("of", "the", "part", "parts")]
    measured = re.match(r" (?:parts? )?(?:of )?([a-z]+)", after)
    if quantity.dimension or quantity.noun == "part":
        thing = measured.group(1) if measured and (" of " in after[:12] or quantity.noun) else ""
        return f"{quantity.dimension} {singular(thing)}"
    return quantity.noun or (singular(words[0]) if words else "")


_TAKEN_UP = r"[^A-Z#]*?<c:NU>(?P<first>[^A-Z#]{1,60}?)<d:NU>(?P<second>[^A-Z#]{1,30})"
_RATIOS = (
    r"(?P<one>[a-z]+) (?:and|to) (?:the |of )?(?P<two>[a-z]+)(?: [a-z]+){0,7}? (?:ratio|proportion"
    rf"|proportions|mixed|combined|blended)(?: of| is| as)? <a:N> (?:to|:) <b:N>{_TAKEN_UP}",
    r"ratio of (?:the )?(?P<one>[a-z]+) to (?:the )?(?P<two>[a-z]+)[^A-Z.#]*? <a:N> (?:to|:) <b:N>"
    rf"{_TAKEN_UP}",
)


def check_mixed_ratios(reading: Reading) -> Iterator[PremiseFinding]:
    """Two things mixed in a ratio, and the amounts of both: "8 litres of blue, 12 of white"."""
    for match in (m for p in _RATIOS for m in compiled(p).finditer(reading.form + " ")):
        a, b, c, d = (reading.of(match[name]) for name in "abcd")
        one, two = singular(match["one"]), singular(match["two"])
        first = _mentions(match["first"], one), _mentions(match["first"], two)
        second = _mentions(match["second"], one), _mentions(match["second"], two)
        if (not comparable(c, d) and c.kind != d.kind) or not a.value or not b.value:
            continue
        if first == (True, False) and second[1] and not second[0]:
            true, spelled = in_unit_of(c, d) * b.value / a.value, (b, a)
        elif first == (False, True) and second[0] and not second[1]:
            true, spelled = in_unit_of(c, d) * a.value / b.value, (a, b)
        else:
            continue
        if d.value != true:
            number = written(in_unit_of(c, d))
            expression = f"{number} * {written(spelled[0].value)} / {written(spelled[1].value)}"
            yield finding(K.RATIO, d, expression, true)


def _mentions(words: str, noun: str) -> bool:
    return noun in {singular(word) for word in words.split()}


CHECKS = (
    check_periods,
    check_portions,
    check_fees,
    check_proportions,
    check_mixed_ratios,
)
"""Every check of this module."""
