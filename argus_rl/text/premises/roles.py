"""The part that each quantity of a text plays: of what it is, and whether it counts per group.

"9 vans with 8 seats each" holds a count of vans and a size per van; "each of the 4 receives $60"
holds a count and a size per receiver.  Knowing which number counts groups and which is the size of
one group tells a product from a sum without a pattern per sentence.  A role also carries the words
around the quantity, because they decide whether it is told as news or as a result.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Quantity, Reading, singular
from argus_rl.text.premises.vocabulary import MONTHS

MAX_ROLES = 24
"""Quantities of the longest sentence that is read."""

QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
"""A quantity name in an abstract form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A quantity in its sentence."""

    quantity: Quantity
    """The quantity; a count of days or hours is a measure of time here."""
    sentence: int
    """Number of its sentence."""
    lead: str
    """The sentence up to the quantity."""
    gap: str
    """Words between the quantity before (or the start of the sentence) and this one."""
    tail: str
    """Words behind the quantity, up to the next one."""
    rest: str
    """The sentence behind the quantity."""
    group: str
    """Singular noun of which this is the amount per one; "each" where unnamed; empty for none."""

    @property
    def thing(self) -> str:
        """What the quantity is of: its dimension or the noun counted, empty where unknown."""
        return self.quantity.dimension or self.quantity.noun


_PER_AFTER = re.compile(
    r"(?: (?!and |or |more |less |fewer |than |but )[a-z'-]+){0,3}?"
    r" (?:(?P<named>per|every)(?: single)? (?P<noun>[a-z]{2,})"
    r"|(?:in|on|for|to|with|from|at|of|inside|by) (?:each|every|a single|any one)"
    r"(?: of (?:the|its|his|her|their|these|those|them)(?= N\d| [a-z]+ ?[.,;]|$| ?[.,;]))?"
    r"(?: one)?(?: (?P<inside>(?!of)[a-z]{2,}))?|(?P<each>each|apiece|daily|weekly"
    r"|monthly))(?![a-z])"
)
_A_UNIT = re.compile(
    r"(?: of [a-z]+)?(?: (?!and |or |more |less |on |in |of |for |at |to |with |from |by |is "
    r"|are |as |has |like |into |was )"
    r"[a-z'-]+){0,1}?(?: shares?)? an? (?P<noun>[a-z]{2,})(?![a-z])"
)
_SOFT_PER_AFTER = re.compile(
    r"(?: (?!and |or |more |less )[a-z'-]+){0,2}? (?:in|on|to|for|per) (?:an?|one) "
    r"(?P<noun>[a-z]{2,})(?![a-z])"
)
_PER_BEFORE = re.compile(
    r"\b(?:each|every)(?:'s)?(?: (?:of )?(?:the|them|these|those|his|her|its|their|other|single"
    r"|one|such))*"
    r"(?: (?P<number>N\d+))?(?: (?P<noun>[a-z]+)(?:'s)?)?(?: (?!and |but |so |, )[a-z'-]+)*? $"
)
_ONE_BEFORE = re.compile(
    r"(?:^|\. |, |\b(?:if|when|as|since|that|and) )(?:an?|one"
    r"|per) (?:such )?(?P<noun>[a-z]+)(?: of [a-z]+)? "
    r"(?:can |sells for|consists of)?(?: ?(?!and|or|but|with|of|to)[a-z]+)"
    r"(?: room for| exactly| only)? $"
)
_FOR_MANY = re.compile(r" (?:for|per) (?P<noun>[a-z]+s|children|men|women|people)\b")
_SIZED = re.compile(
    r" (?:[a-z'-]+ ){0,2}?(?P<noun>[a-z]+) (?:of|for|at|with|by|x|times|holding|containing|costing"
    r"|weighing|worth|having|carrying|from)(?: only| just| exactly)? $"
)
_EACH_ON = re.compile(r"(?: [a-z]+){1,2} (?:and|plus) ")
_BUNCH = re.compile(
    r"\b(?:into|in|to|onto|of|for) (?:(?:equal|full|small|large) )?(?P<noun>[a-z]+s) (?:of|with"
    r"|holding|containing)(?: exactly)? $"
)
_LIST_ON = re.compile(
    r"(?: [a-z]+)? (?:(?:and|or) (?:[MU]\d|N\d+ ?[.,;])|, (?:and )?[NMU]\d+(?: [a-z]+)? ?(?:,"
    r"|and) (?:and )?[NMU]\d)"
)
_NOT_GROUPS = frozenset(
    (
        "",
        *[
            "gets",
            "has",
            "have",
            "worth",
            "holding",
            "containing",
            "costing",
            "weighing",
            "with",
            "of",
            "brought",
            "received",
            "needs",
            "cost",
            "costs",
            "paid",
            "bought",
        ],
    )
)
_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month"}
_NO_GROUP = frozenset(
    [
        "lot",
        "few",
        "little",
        "little",
        "bit",
        "time",
        "total",
        "half",
        "third",
        "quarter",
        "of",
        "the",
        "and",
        "more",
        "whole",
        "and",
        "or",
    ]
)


def roles_of(reading: Reading) -> list[list[Role]]:
    """The roles of the quantities, sentence by sentence."""
    return [
        _roles_in(reading, sentence, index)
        for index, sentence in enumerate(reading.form.split(" . "))
    ]


def _roles_in(reading: Reading, sentence: str, index: int) -> list[Role]:
    found = list(QUANTITY.finditer(sentence))
    found = found if len(found) <= MAX_ROLES else []
    roles = list[Role]()
    for position, match in enumerate(found):
        start = found[position - 1].end() if position else 0
        end = found[position + 1].start() if position + 1 < len(found) else len(sentence)
        gap, rest = sentence[start : match.start()], sentence[match.end() :]
        quantity = _measured(reading.of(match.group()), rest)
        group = _group(roles, quantity, sentence[: match.start()], gap, rest)
        if not group and quantity.kind in "NMU":
            group = _soft_group(reading.form, sentence[: match.start()], rest)
            if UNITS.get(group, ("",))[0] == quantity.dimension != "":
                group = ""
        roles.append(
            Role(
                quantity=quantity,
                sentence=index,
                lead=sentence[: match.start()],
                gap=gap,
                tail=sentence[match.end() : end],
                rest=rest,
                group=group,
            )
        )
    return roles


def _soft_group(form: str, lead: str, rest: str) -> str:
    """The group of "5 pupils in a group" and "a box holds 6", where the text counts groups."""
    for soft in (_SOFT_PER_AFTER.match(rest), _FOR_MANY.match(rest), _ONE_BEFORE.search(lead)):
        if soft is not None:
            noun = re.escape(singular(soft["noun"]))
            if (
                f"{noun}s" in UNITS
                and soft.re is _SOFT_PER_AFTER
                and re.match(r" ?[,.;]|$", rest[soft.end() :])
            ):
                return noun
            if re.search(
                rf"\b[NU]\d+ (?:[a-z]+ )?{noun}(?:e?s|ren)?\b|\bN\d+ (?:[a-z]+ )?{noun[:-1]}ies\b",
                form,
            ):
                return singular(soft["noun"])
    return ""


def _measured(quantity: Quantity, rest: str) -> Quantity:
    """A count of days, hours or metres as the measure it is ("snowy days")."""
    following = rest.split()[:1]
    if quantity.kind == "N" and quantity.value <= 31 and MONTHS.issuperset(following) and following:
        return replace(quantity, kind="D", noun=following[0])
    if quantity.kind == "N" and quantity.noun and quantity.pack == 1:
        dimension, ratio = UNITS.get(f"{quantity.noun}s", ("", Fraction(1)))
        if dimension in ("time", "calendar"):
            return replace(quantity, kind="U", dimension=dimension, ratio=ratio)
    return quantity


def _group(earlier: Sequence[Role], quantity: Quantity, lead: str, gap: str, rest: str) -> str:
    """Of what one the quantity is the amount."""
    if quantity.kind not in "NMU":
        return ""
    after = _group_behind(rest)
    if after:
        return after
    floating = gap.startswith(" each ") and earlier and earlier[-1].group == "each"
    lead = gap.removeprefix(" each") if floating else lead
    before = _group_before(lead, gap, rest)
    if before is not None:
        return before
    priced = gap == " " and quantity.kind == "M"
    if priced and earlier and earlier[-1].quantity.kind == "N":
        return "each"
    joined = _EACH_ON.fullmatch(gap) and not re.match(r" M\d", rest)
    if earlier and earlier[-1].group == "each" and joined:
        return "same" if _PER_AFTER.match(earlier[-1].rest) is None else ""
    return "" if _LIST_ON.match(rest) else _group_sized(earlier, lead, gap)


def _group_behind(rest: str) -> str:
    """The group in "12 a week", "12 per box", "12 in each box", empty where there is none."""
    after = _PER_AFTER.match(rest)
    if after is not None:
        noun = after["noun"] or after["inside"]
        if after["each"] or not noun:
            return _ADVERBS.get(after["each"] or "", "each")
        if noun not in _NO_GROUP:
            return singular(noun)
    unit = _A_UNIT.match(rest)
    return singular(unit["noun"]) if unit is not None and unit["noun"] not in _NO_GROUP else ""


def _group_before(lead: str, gap: str, rest: str) -> str | None:
    """The group in "each box holds 12", "" where the words forbid one, None where nothing tells."""
    before = _PER_BEFORE.search(re.split(r"[,;:.] | \( | so | and ", lead)[-1])
    if before is not None and (gap.strip() or not before["number"]):
        noun = "" if before["noun"] in (None, "of") else before["noun"]
        if not noun and not before["number"]:
            return ""
        return "each" if before["number"] or noun in _NOT_GROUPS else singular(noun)
    daily = re.search(r"\b(daily|weekly|monthly) (?:average|mean|output|sales)[^,.;]* $", lead)
    if daily is not None:
        return _ADVERBS[daily[1]]
    such = re.search(r"\b(?:one|each|every|a|an|any) (?:such )?(?P<noun>[a-z]+) , $", lead)
    if such is not None and re.match(r" (?:long|high|in length|wide|tall|heavy|each)\b", rest):
        return singular(such["noun"])
    return None


def _group_sized(earlier: Sequence[Role], lead: str, gap: str) -> str:
    """The group in "5 boxes of 12" and "in boxes of 12"."""
    bunch = _BUNCH.search(lead)
    if bunch is not None:
        return singular(bunch["noun"])
    sized = _SIZED.fullmatch(gap)
    if sized is None or not earlier or earlier[-1].quantity.kind != "N":
        return ""
    counted = earlier[-1].quantity.noun
    return counted if counted and f" {counted}" in gap else ""
