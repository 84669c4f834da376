"""Relations that words name outright: comparisons, shares, proportions, rates per unit of time.

"7 more"
" than", "a third of", "for every 2 there are 5", "30 a day, so 210 a week": the words leave only
the direction open, so that a claim is compared with one or two values and not with a sum of terms.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.relations import Guess
from argus_rl.text.premises.roles import Role
from argus_rl.text.premises.rule import comparable, in_unit_of, written

_MORE = re.compile(
    r"(?: (?!and|or|,)[a-z'-]+){0,3}? (?:(?P<up>more(?! (?:and|to|were|was|are|is)\b)|older"
    r"|taller|longer|higher|greater|bigger|heavier"
    r"|larger|wider|further|farther|dearer|above|later|warmer|hotter|deeper|thicker)"
    r"|(?P<down>less|fewer|younger|shorter|lower|smaller|lighter|cheaper|narrower|nearer|below"
    r"|earlier|colder|cooler|shallower|behind|short of)|(?P<odd>faster|slower|quicker))\b"
)


def comparison(role: Role) -> int:
    """+1 where a quantity says how much more, -1 how much less, 2 either way, 0 neither."""
    found = _MORE.match(role.tail)
    if found is None or role.quantity.kind not in "NMU":
        return 0
    return 1 if found["up"] else -1 if found["down"] else 2


_RATIO = re.compile(
    r"\bfor (?:every|each) [NU]\d|\bratio\b|\bmix\w*\b.* to \b|\b[NU]\d+ (?:[a-z]+ )?(?:out of"
    r"|in) (?:every )?N\d"
    r"|\b(?:out )?of every \b|\bN\d+ (?::|to) N\d|\bstands? for\b|\bevery [NU]\d|\bas (?:much"
    r"|many|long) as\b|\bparts?\b|\bscale\b"
)


def in_proportion(words: str) -> bool:
    """Whether words relate amounts in proportion ("for every", "in the ratio")."""
    return _RATIO.search(words) is not None


_PAIR = re.compile(r" (?:parts? )?(?::|to|out of(?: every)?|in every) ")


def told_twice(bases: Sequence[Role], claim: Role) -> bool:
    """Whether two things are told together twice: 3 eggs for 2 cakes, 8 cakes and 12 eggs."""
    first, second, third = (role.thing for role in bases)
    one = first == claim.thing != "" and second == third != "" and first != second
    other = second == claim.thing != "" and first == third != "" and first != second
    return one or other


def ratios(bases: Sequence[Role], claim: Role) -> list[Guess]:
    """The fourth of four amounts in proportion, or a share in the sum of the parts."""
    if _PAIR.fullmatch(bases[2].gap) and not _PAIR.fullmatch(bases[1].gap):
        bases = [bases[1], bases[2], bases[0]]
    first, second, third = (role.quantity.value for role in bases)
    if not first or not second:
        return []
    unit = [in_unit_of(role.quantity, claim.quantity) for role in bases]
    if comparable(bases[1].quantity, claim.quantity) and bases[1].quantity.dimension:
        second = unit[1]
        third = in_unit_of(bases[2].quantity, bases[0].quantity)
    else:
        third = unit[2] if bases[2].quantity.dimension == claim.quantity.dimension else third
    pairs = [(second, first), (first, second)]
    if bases[2].quantity.dimension == claim.quantity.dimension:
        pairs += [(second, first + second), (first, first + second)]
    if third and not bases[2].quantity.dimension:
        pairs.append((first * second / third, third))
    return [
        (K.RATIO, f"{written(third)} * {written(top)} / {written(bottom)}", third * top / bottom)
        for top, bottom in pairs
    ]


def multiples(bases: Sequence[Role]) -> list[Guess]:
    """How many times as much one quantity is as another."""
    things = {role.thing for role in bases} - {""}
    if len(bases) != 2 or not comparable(bases[0].quantity, bases[1].quantity) or len(things) > 1:
        return []
    small, large = sorted(in_unit_of(role.quantity, bases[0].quantity) for role in bases)
    if not small:
        return []
    return [(K.COMPARE_TIMES, f"{written(large)} / {written(small)}", large / small)]


def paces(bases: Sequence[Role], claim: Role) -> list[Guess]:
    """One rate per unit of time told per another unit."""
    if (
        len(bases) != 1
        or not (claim.group and bases[0].group)
        or not comparable(bases[0].quantity, claim.quantity)
    ):
        return []
    one, other = (UNITS.get(f"{role.group}s") for role in (bases[0], claim))
    if one is None or other is None or one[0] != other[0] or one[1] == other[1]:
        return []
    rate, times = in_unit_of(bases[0].quantity, claim.quantity), other[1] / one[1]
    if times > 1:
        return [(K.PRODUCT, f"{written(rate)} * {written(times)}", rate * times)]
    return [(K.AVERAGE, f"{written(rate)} / {written(1 / times)}", rate * times)]


def difference(bases: Sequence[Role], claim: Role) -> list[Guess]:
    if len(bases) != 2 or not all(comparable(role.quantity, claim.quantity) for role in bases):
        return []
    small, large = sorted(in_unit_of(role.quantity, claim.quantity) for role in bases)
    return [(K.COMPARE_MORE, f"{written(large)} - {written(small)}", large - small)]


def compared_with(compared: Sequence[Role], bases: Sequence[Role], claim: Role) -> list[Guess]:
    plain = [role for role in bases if role not in compared]
    if len(compared) != 1 or len(plain) != 1:
        return []
    base, more = plain[0], compared[0]
    if not all(comparable(role.quantity, claim.quantity) for role in (base, more)):
        return []
    first, second = (in_unit_of(role.quantity, claim.quantity) for role in (base, more))
    up = (K.COMPARE_MORE, f"{written(first)} + {written(second)}", first + second)
    down = (K.COMPARE_MORE, f"{written(first)} - {written(second)}", first - second)
    return [up, down] if comparison(more) > 0 else [down, up]


_UP = re.compile(
    r"\b(?:rais\w+|ris\w+|rose|increas\w*|grow\w*|grew|gain\w*|up|more|interest|tax|climb\w*|profit"
    r"|higher|faster|dearer|longer|taller|bigger|heavier|larger|tip|mark-?up|added|adds?|adding"
    r"|on top)\b"
)
_DOWN = re.compile(
    r"\b(?:fall\w*|fell|drop\w*|decreas\w*|reduc\w*|cut\w*|low\w*|los[et]\w*|off|discount\w*"
    r"|shr[aiu]nk\w*"
    r"|down|less|fewer|cheap\w*|short\w*|light\w*|small\w*|rebate)\b"
)
_REST = re.compile(
    r"\b(?:left|leav\w+|remain\w*|rest|others?|not|free|still|un[a-z]+ed|kept|keeps?)\b"
)


def shares_of(
    shares: Sequence[Role], bases: Sequence[Role], claim: Role, words: str
) -> list[Guess]:
    if claim.quantity.kind == "P":
        return _percentages(bases, words) if not shares else []
    alike = [role for role in bases if comparable(role.quantity, claim.quantity)]
    if len(shares) != 1 or len(alike) != 1 or len(bases) != 1 or comparison(bases[0]):
        return []
    share, base = shares[0].quantity, in_unit_of(alike[0].quantity, claim.quantity)
    if share.kind == "X" or (share.kind == "F" and re.search(r" as [a-z]+", shares[0].tail)):
        factors = [(K.COMPARE_TIMES, share.value)]
        if share.value:
            factors.append((K.COMPARE_TIMES, 1 / share.value))
        if re.search(r"\b(?:in all|altogether|together|in total|total)\b", words):
            factors.append((K.COMPARE_TIMES, 1 / (share.value + 1)))
            factors.append((K.COMPARE_TIMES, share.value / (share.value + 1)))
    else:
        part = share.value / 100 if share.kind == "P" else share.value
        plain = (K.PERCENT if share.kind == "P" else K.FRACTION, part)
        changes = list[tuple[K, Fraction]]()
        if _DOWN.search(words):
            changes.append((K.PERCENT_CHANGE, 1 - part))
        if _UP.search(words):
            changes.append((K.PERCENT_CHANGE, 1 + part))
        rest = [(plain[0], 1 - part)] if _REST.search(words) or share.kind == "F" else []
        factors = [*changes, plain, *rest]
    return [
        (kind, f"{written(base)} * {written(value, bracket=True)}", base * value)
        for kind, value in factors
    ]


def _percentages(bases: Sequence[Role], words: str) -> list[Guess]:
    nouns = {role.thing for role in bases} - {""}
    if len(bases) != 2 or not comparable(bases[0].quantity, bases[1].quantity) or len(nouns) > 1:
        return []
    first, second = (in_unit_of(role.quantity, bases[0].quantity) for role in bases)
    if not first or not second:
        return []
    small, large = sorted((first, second))
    share = (K.PERCENT, f"100 * {written(small)} / {written(large)}", 100 * small / large)
    change = (
        K.PERCENT_CHANGE,
        f"100 * ({written(large)} - {written(small)}) / {written(first)}",
        100 * (large - small) / first,
    )
    rest = (
        K.PERCENT,
        f"100 - 100 * {written(small)} / {written(large)}",
        100 - 100 * small / large,
    )
    if re.search(r"\bfrom [NMU]\d", words) and (_UP.search(words) or _DOWN.search(words)):
        return [change]
    return [share, rest, change]
