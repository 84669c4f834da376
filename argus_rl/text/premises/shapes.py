"""Sides, perimeters, areas and volumes of plain shapes that a passage tells together.

Each length of a sentence (or of two, where the second takes the shape up) is a side or a way
round, told apart by the words next to it; areas and volumes are told by their units.  Whatever the
order of telling, a shape that is given completely must agree with itself:
$A = ab$, $P = 2(a + b)$, $V = abc$, a square has equal sides, a triangle half the area of its box.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.roles import Role, roles_of
from argus_rl.text.premises.rule import finding, in_unit_of, written

_LENGTHS = ("length", "imperial length")
_ROUND = re.compile(
    r"\b(?:perimeter|fenc\w+|border|edging|frame|boundary|outline|hedge|ribbon|wire|circumference"
    r"|(?:goes|walk\w*|runs?|way|distance|once|all|length) (?:a?round))\b"
)
_ROUND_NEXT = re.compile(
    r" (?:all )?(?:a?round|in perimeter|in circumference)\b(?! [a-z])| (?:of )?(?:fenc\w+"
    r"|border|edging|wire|ribbon|hedge|frame)\b"
)
_ROUND_OF = re.compile(
    r"\b(?:(?:perimeter|boundary|outline) of|(?:fence|hedge|wall|border|way|distance) (?:round"
    r"|around)) (?:an?|the|one) "
)
_SIDE = re.compile(
    r"\b(?:sides?|edges?|length|width|breadth|base|height|long|wide|broad|deep|high|by|x"
    r"|measur\w+|rectang\w+|square)\b|×"
)
_REGULAR = {"equilateral": 3, "square": 4, "pentagon": 5, "hexagon": 6, "octagon": 8}
_BLOCK = re.compile(
    r"\b(?:path|twice|half|third|quarter|strip|circle|circular|radius|diameter|each (?:tile"
    r"|plank|board)|more|less|longer|wider"
    r"|another|apart|walls? of|two (?:rooms|fields|gardens|rectangles|squares))\b"
)


def check_shapes(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about shapes whose sides and size are both told."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    for index, (row, sentence) in enumerate(zip(rows, sentences, strict=True)):
        found = _check(row, sentence)
        if found is None and index + 1 < len(rows) and "#" not in sentences[index + 1]:
            following = sentences[index + 1]
            if re.match(r"(?:its|the|this|that|these|it|a|as|since|because|one|so) ", following):
                found = _check([*row, *rows[index + 1]], f"{sentence} . {following}")
        if found is not None:
            yield found


def _check(row: Sequence[Role], words: str) -> PremiseFinding | None:
    measured = [role for role in row if role.quantity.kind == "U"]
    areas = [role for role in measured if role.quantity.dimension.startswith("square ")]
    volumes = [role for role in measured if role.quantity.dimension.startswith("cubic ")]
    lengths = [role for role in measured if role.quantity.dimension in _LENGTHS]
    rounds = [role for role in lengths if _is_round(role)]
    sides = [role for role in lengths if role not in rounds]
    if _BLOCK.search(words) or not sides or not _SIDE.search(words):
        return None
    if any(role.group or role.quantity.value == 1 for role in areas + volumes + rounds):
        return None
    if len(volumes) == 1 and not areas and not rounds:
        return _volume(sides, volumes[0], words)
    if len(areas) == 1 and not rounds and not volumes:
        return _area(sides, areas[0], words)
    if len(rounds) == 1 and not areas and not volumes:
        return _perimeter(sides, rounds[0], words)
    return None


def _is_round(role: Role) -> bool:
    before = re.split(r"[,;.] ", role.gap)[-1]
    said = _ROUND.search(before)
    if said is not None:
        return re.match(r" of (?:an?|the|one) ", before[said.end() :]) is None
    led = _ROUND_OF.search(role.lead) and re.search(r"\b(?:is|was|equals|measures) $", role.gap)
    return bool(led) or _ROUND_NEXT.match(role.tail) is not None


def _in(role: Role, dimension: str) -> Fraction | None:
    """A side in the unit whose square or cube a dimension names."""
    unit = UNITS.get(dimension.partition(" ")[2])
    if unit is None or unit[0] != role.quantity.dimension:
        return None
    return role.quantity.base / unit[1]


def _area(sides: Sequence[Role], area: Role, words: str) -> PremiseFinding | None:
    numbers = [_in(side, area.quantity.dimension) for side in sides]
    known = [number for number in numbers if number is not None]
    if len(known) != len(sides) or not 1 <= len(known) <= 2:
        return None
    triangle = "triang" in words
    if len(known) == 1:
        if (
            not re.search(
                r"\bsquare (?!metres?|meters?|cm|centi|feet|foot|inch|km|yards?|miles?|m\b)", words
            )
            or triangle
        ):
            return None
        known *= 2
    text = f"{written(known[0])} * {written(known[1])}"
    true = known[0] * known[1]
    if triangle:
        text, true = f"{text} / 2", true / 2
    return _differs(area, sides, text, true)


def _volume(sides: Sequence[Role], volume: Role, words: str) -> PremiseFinding | None:
    numbers = [_in(side, volume.quantity.dimension) for side in sides]
    known = [number for number in numbers if number is not None]
    if len(known) == 1 and re.search(r"\bcube\b|\bcube's\b", words):
        known *= 3
    if len(known) != 3:
        return None
    text = " * ".join(written(number) for number in known)
    return _differs(volume, sides, text, known[0] * known[1] * known[2])


def _perimeter(sides: Sequence[Role], way: Role, words: str) -> PremiseFinding | None:
    numbers = [in_unit_of(side.quantity, way.quantity) for side in sides]
    if len({side.quantity.dimension for side in sides} | {way.quantity.dimension}) != 1:
        return None
    regular = [count for name, count in _REGULAR.items() if re.search(rf"\b{name}", words)]
    if len(numbers) == 1 and regular:
        return _differs(
            way, sides, f"{regular[0]} * {written(numbers[0])}", regular[0] * numbers[0]
        )
    oblong = re.search(r"\b(?:by|x|wide|width|broad|breadth|rectang\w+)\b|×", words)
    if len(numbers) == 2 and oblong and "triang" not in words:
        text = f"2 * ({written(numbers[0])} + {written(numbers[1])})"
        return _differs(way, sides, text, 2 * (numbers[0] + numbers[1]))
    if len(numbers) == 3 and "triang" in words:
        text = " + ".join(written(number) for number in numbers)
        return _differs(way, sides, text, sum(numbers, Fraction(0)))
    return None


def _differs(
    claim: Role, sides: Sequence[Role], text: str, true: Fraction
) -> PremiseFinding | None:
    """A finding where the size differs; a last side that follows the size is the claim itself."""
    if true == claim.quantity.value or true == 0:
        return None
    last = sides[-1].quantity
    if last.span[0] > claim.quantity.span[0] and len(sides) == 2 and " / 2" not in text:
        other = sides[0].quantity
        fair = claim.quantity.value * last.value / true if "+" not in text else None
        if fair is None:
            fair = claim.quantity.value / 2 - in_unit_of(other, last)
        value = written(claim.quantity.value)
        return finding(K.GEOMETRY, last, f"{value} / {written(other.value)}", fair)
    return finding(K.GEOMETRY, claim.quantity, text, true)
