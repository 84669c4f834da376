"""Two points in time and the time between them, in whatever order a passage tells them.

Years, dates of one month, days of one week and times of day are points; a length of time in the
same passage is what lies between. The check speaks only where a passage tells exactly two points
and one length, and takes both ways of counting where usage allows both (a birthday that is still to
come, a stay that counts its first day).
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.proportions import comparison
from argus_rl.text.premises.reading import Quantity, Reading
from argus_rl.text.premises.roles import Role, roles_of
from argus_rl.text.premises.rule import finding, written

_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEK = re.compile(
    rf"\bfrom (?P<one>{'|'.join(_WEEKDAYS)}) to (?P<two>{'|'.join(_WEEKDAYS)})(?:"
    rf" of the same week)? (?:is|are|makes|,) (?P<c>U\d+)\b"
)
_AGE = re.compile(r"\b(?:born|died|dies|aged?|old|birthday|turned)\b")
_OTHER = re.compile(
    r"\b(?:(?<!first )break|pause|ago|except|minus|each|every|weeks?|half|twice|then|another"
    r"|more than"
    r"|late|delay\w*|early|before"
    r"|after that|if|only|free|paid|per|rest|stops?|stopped)\b"
)
_BOUND = re.compile(
    r"\b(?:over|ends?|ended|until|till|arriv\w+|finish\w*|done|back|clos\w+|lands?|landed"
    r"|reach\w*|from|in all|later|lasts?|lasted|ready|so"
    r"|that is|for|gets? there|was on the road)\b"
)
_SUMMED = re.compile(r" (?:in all|in total|altogether|long|a day|daily|later)\b")


def check_spans(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about lengths of time between two points."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    for match in _WEEK.finditer(reading.form):
        days = reading.of(match["c"])
        true = Fraction((_WEEKDAYS.index(match["two"]) - _WEEKDAYS.index(match["one"])) % 7)
        if days.ratio == 86400 and days.value not in (true, true + 1):
            yield finding(K.TIME_SPAN, days, f"{match['one']} to {match['two']}", true)
    for index, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        found = _between(row, sentence)
        following = sentences[index + 1] if index + 1 < len(rows) else "#"
        if found is None and re.match(r"(?:it|this|that|he|she|they|the) ", following):
            found = _between([*row, *rows[index + 1]], f"{sentence} . {following}")
        if found is not None:
            yield found


def _between(row: Sequence[Role], words: str) -> PremiseFinding | None:
    years = [role for role in row if role.quantity.kind == "Y"]
    clocks = [role for role in row if role.quantity.kind == "T"]
    dates = [role for role in row if role.quantity.kind == "D"]
    if len(years) == 2 and not clocks:
        return _years(years, row, words)
    if len(clocks) == 2 and not years and len(row) == 3 and _BOUND.search(words):
        return _clocks(clocks, row, words)
    if len(dates) == 2 and not years and not clocks and len(row) == 3:
        return _dates(dates, row)
    return None


def _years(years: Sequence[Role], row: Sequence[Role], words: str) -> PremiseFinding | None:
    """The years between two dates, or a year of birth."""
    first, last = sorted(role.quantity.value for role in years)
    aged = _AGE.search(words) is not None
    spans = [
        role
        for role in row
        if role not in years and (role.quantity.ratio == 12 or (aged and _bare(role.quantity)))
    ]
    if len(spans) != 1 or len(row) != 3 or _OTHER.search(words):
        return None
    span, true = spans[0].quantity, last - first
    allowed = {true, true - 1} if aged else {true, true + 1}
    if span.value in allowed or (comparison(spans[0]) and "later" not in spans[0].tail):
        return None
    if years[1].quantity.span > span.span and "born" in years[1].gap:
        value = years[0].quantity.value - span.value
        expression = f"{written(years[0].quantity.value)} - {written(span.value)}"
        return finding(K.TIME_SPAN, years[1].quantity, expression, value)
    return finding(K.TIME_SPAN, span, f"{written(last)} - {written(first)}", true)


def _bare(quantity: Quantity) -> bool:
    return quantity.kind == "N" and not quantity.noun and quantity.value < 130


def _clocks(clocks: Sequence[Role], row: Sequence[Role], words: str) -> PremiseFinding | None:
    """The time between two times of day, or the time at which something ends."""
    lengths = [role for role in row if role.quantity.dimension == "time"]
    if len(lengths) != 1 or lengths[0].group not in ("", "night", "day"):
        return None
    length, (first, last) = lengths[0], (role.quantity for role in clocks)
    plain = re.sub(r"\bevery day\b", "", words) if _SUMMED.match(length.tail) else words
    if _OTHER.search(plain) or (comparison(length) and "later" not in length.tail):
        return None
    cycle = 1440 if first.half_day and last.half_day else 720
    true = (last.value - first.value) % cycle
    told = length.quantity.base / 60
    if told % cycle == true or told >= 1440:
        return None
    if clocks[1].quantity.span > length.quantity.span:
        end = (first.value + told) % cycle
        text = f"{int(end) // 60}:{int(end) % 60:02d}"
        expression = f"{int(first.value) // 60}:{int(first.value) % 60:02d} + {written(told)} min"
        return finding(K.TIME_SPAN, last, expression, text)
    expression = f"{written(last.value)} min - {written(first.value)} min"
    return finding(K.TIME_SPAN, length.quantity, expression, true * 60 / length.quantity.ratio)


def _dates(dates: Sequence[Role], row: Sequence[Role]) -> PremiseFinding | None:
    """The days between two dates of one month."""
    months = {role.quantity.noun for role in dates}
    days = [role for role in row if role.quantity.ratio == 86400]
    if len(months) != 1 or len(days) != 1:
        return None
    first, last = (role.quantity.value for role in dates)
    true, told = last - first, days[0].quantity
    if told.value in (true, true + 1) or true <= 0:
        return None
    return finding(K.TIME_SPAN, told, f"{written(last)} - {written(first)}", true)
