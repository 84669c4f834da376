"""What happens to a quantity: percentages up and down, clocks, money handed over."""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.rule import comparable, compiled, finding, written

_UP = re.compile(
    r"\b(?:rais\w+|ris\w+|rose|increas\w*|grow\w*|grew|goes up|went up|climb\w*|gain\w*|marks? up"
    r"|marked up|add\w*|swell\w*)\b"
)
_DOWN = re.compile(
    r"\b(?:fall\w*|fell|drop\w*|decreas\w*|reduc\w*|cut\w*|lower\w*|los[et]\w*|shrink\w*|shrank"
    r"|discount\w*|marked down|marks? down|goes down|went down|declin\w*)\b"
)
_SERIES = (
    r"<a:NMU>(?P<steps>(?: [a-z]+| ,| \.)*? (?:by|and|,|of|then|again|increased|rose|gained|grew"
    r"|fell"
    r"|lost|decreased|dropped|declined) (?:a |another |an )?<p:P>"
    r"(?:[^A-Z.#]*?[PY]\d+)*)[^A-Z.#]*?(?:, to|to|reaching|reaches|is now|now costs?|ending at"
    r"|ends at|, so(?: [a-z']+){1,5}?|becomes|making it|which makes it|which brings it to"
    r"|bringing it to|and (?:is )?now(?: stands at| costs| is)?|and is(?: now)?(?: worth| priced "
    r"at)?|, and(?: [a-z]+){0,3} (?:costs|is"
    r"|stands at)|, which is|, giving)(?:"
    r" exactly| now| only)* <c:NMU>(?! (?:more|less|fewer))"
)


def check_percentage_changes(reading: Reading) -> Iterator[PremiseFinding]:
    """Quantities that rise or fall by percentages to a stated value."""
    for match in compiled(_SERIES).finditer(reading.form):
        start, end = reading.of(match["a"]), reading.of(match["c"])
        if not comparable(start, end):
            continue
        lead = reading.form[: match.start()].split(" . ")[-1][-60:]
        factors = _factors(reading, lead + match["steps"])
        if not factors:
            continue
        value, expression = start.value, written(start.value)
        for factor in factors:
            value *= factor
            expression += f" * {written(factor, bracket=True)}"
        change = value - start.value
        if end.value not in (value, abs(change)):
            yield finding(PremiseKind.PERCENT_CHANGE, end, expression, value)


def _factors(reading: Reading, steps: str) -> list[Fraction]:
    """Growth factors of the percentages in `steps`; empty where a direction is not stated."""
    factors, direction, position = list[Fraction](), 0, 0
    for match in re.finditer(r"\bP\d+\b", steps):
        words = steps[position : match.start()]
        up, down = _UP.search(words) is not None, _DOWN.search(words) is not None
        if up != down:
            direction = 1 if up else -1
        if direction == 0 or (up and down):
            return []
        factors.append(1 + direction * reading.of(match.group()).value / 100)
        position = match.end()
    return factors


_SPAN_CUE = (
    r"(?:, so|so|, a|, an|, or|, which is|which is|lasting|lasts|, for|\(|: |; |that is|, that is"
    r"|having (?:lasted|taken|worked|slept)|took|takes|taking|after|, giving|making|makes|for|runs?"
    r"|ran|lasts?|is|are|means|, i\.e\.)"
)
_CLOCKS = rf"<a:T>~<b:T>[^A-Z.#]*?{_SPAN_CUE}(?: [a-z]+)*? ?<c:U>(?! (?:before|earlier))"
_LATER = r"<a:T>~<b:T>(?: [a-z]+)? ,? ?<c:U> (?:later|in all|in total|altogether|long)\b"
_THEREFORE = (
    r"<a:T>~<b:T>~\. ~\b(?:so|therefore|thus|hence|is|lasted|took|for|lasts|takes|have|had|has|was"
    r"|spent|worked|slept|travel\w*|open)\b~<c:U>(?! (?:before|earlier|later|after|each|per|more"
    r"|break))"
)
_IN = r"<a:T>[^A-Z#]*?<b:T> , in <c:U>(?= \.)"
_BETWEEN = r"<a:T>~\. (?:after|for) <c:U>~(?:at|until|by) <b:T>"
_ARRIVES = (
    r"<a:T>~(?:lasts|takes|runs for|continues for|lasting|taking|and after|for)(?: [a-z]+){0,3}? "
    r"<c:U>~(?:ends|ending|finish|over|arriv|until|reach|done|ready)[^A-Z.#]*?<b:T>"
)


def check_clocks(reading: Reading) -> Iterator[PremiseFinding]:
    """Two times of day and the stated time between them."""
    for pattern in (_CLOCKS, _LATER, _THEREFORE, _ARRIVES, _BETWEEN, _IN):
        for match in compiled(pattern).finditer(reading.form):
            first, last = reading.of(match["a"]), reading.of(match["b"])
            span = reading.of(match["c"])
            if span.dimension != "time" or _repeated(reading.form, match):
                continue
            cycle = 1440 if first.half_day and last.half_day else 720
            true = (last.value - first.value) % cycle
            if span.base / 60 % cycle == true:
                continue
            expression = f"{_clock(last)} - {_clock(first)}"
            yield finding(PremiseKind.TIME_SPAN, span, expression, written(true * 60 / span.ratio))


def _repeated(form: str, match: re.Match[str]) -> bool:
    """Whether the span adds up several days or leaves out a break."""
    around = form[match.start() : match.end() + 30].split(" . ")
    inside = form[match.start() : match.end()].count(" . ") + 1
    around = " . ".join(around[:inside])
    return (
        re.search(
            r"\b(?:week|weekly|days|daily total|break|lunch|minus|except|total|every|each day"
            r"|monday|saturday|sunday|months?)\b",
            around,
        )
        is not None
    )


def _clock(moment: Quantity) -> str:
    hours, minutes = divmod(int(moment.value), 60)
    return f"{hours}:{minutes:02d}"


_PAYS = (
    r"(?:note|bill|pays?|paid|hands?|handed|gives?|gave|with)\b[^.#]*?(?:gets?|got|receives?"
    r"|received|is given|was given|change of|and)(?: back)?(?: [a-z]+){0,2}? <c:M>(?= back| \.|$| "
    r"in"
    r" change| change| of change| as change)|\bpays?\b[^.#]*?\bchange (?:is|was|of|comes to)(?:"
    r" [a-z]+)? <d:M>"
)


def check_change(reading: Reading) -> Iterator[PremiseFinding]:
    """Money handed over, the prices paid and the change got back."""
    for sentence in _sentences_with(reading.form, r"\b(?:back|change|receives?)\b"):
        match = compiled(_PAYS).search(sentence)
        if match is None:
            yield from _change_from(reading, sentence)
            continue
        before = re.findall(r"\bM\d+\b", sentence[: match.start("c" if match["c"] else "d")])
        others = re.findall(r"\b[NUP]\d+\b", sentence[: match.start("c" if match["c"] else "d")])
        if len(before) == 1 and not others:
            before = _only_price(reading.form, sentence) + before
        values = [reading.of(name).value for name in before]
        change = reading.of(match["c"] or match["d"])
        if len(values) < 2 or others:
            continue
        paid = max(values)
        spent = sum(values, Fraction(0)) - paid
        if change.value != paid - spent and change.value not in {paid - v for v in values}:
            prices = " - ".join(written(value) for value in values if value != paid)
            yield finding(PremiseKind.MONEY, change, f"{written(paid)} - {prices}", paid - spent)


def _only_price(form: str, sentence: str) -> list[str]:
    """The price in the sentence before, where it is the only quantity there."""
    earlier = form[: form.find(sentence)].split(" . ")
    names = re.findall(r"\b[A-Z]\d+\b", earlier[-2]) if len(earlier) > 1 else []
    if re.search(r"\b(?:each|every|per|apiece)\b", earlier[-2] if names else ""):
        return []
    return names if len(names) == 1 and names[0][0] == "M" else []


def _change_from(reading: Reading, sentence: str) -> Iterator[PremiseFinding]:
    """Change named before the money handed over: "got $4 back from $10"."""
    match = compiled(
        r"<c:M> (?:back|change|in change|of change) (?:from|out of) (?:a |his |her |the )?<b:M>"
    ).search(sentence)
    prices = re.findall(r"\b[NMUP]\d+\b", sentence[: match.start()]) if match else []
    if match is None or not prices:
        return
    one_price = re.search(r"\b(N\d+)(?: [a-z]+){1,3} (?:at|for) (M\d+)", sentence)
    if one_price is not None and prices == list(one_price.groups()):
        spent = [reading.of(prices[0]).value * reading.of(prices[1]).value]
    elif all(name[0] == "M" for name in prices):
        spent = [reading.of(name).value for name in prices]
    else:
        return
    paid, change = reading.of(match["b"]), reading.of(match["c"])
    true = paid.value - sum(spent, Fraction(0))
    if change.value not in {true, *(paid.value - value for value in spent)}:
        expression = " - ".join(written(value) for value in [paid.value, *spent])
        yield finding(PremiseKind.MONEY, change, expression, true)


def _sentences_with(form: str, cue: str) -> Iterator[str]:
    return (sentence for sentence in form.split(" . ") if re.search(cue, sentence))
