"""What a story takes out of a stock, and what it says again of it.

One walk over the quantities of a passage keeps the stock that was told first of each thing.  What
is taken from it, or said to be part of it, must not exceed it; a stock that is emptied cannot be
shared among; and a stock that is named again with "the" or "her" must have the size it had.  A
stock is dropped as soon as the words leave open whether it is still the same.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from argus_rl.text.premises.cues import GAINING, TAKING
from argus_rl.text.premises.derived import combinations_of
from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.proportions import comparison
from argus_rl.text.premises.reading import Reading, singular
from argus_rl.text.premises.roles import QUANTITY, Role, roles_of
from argus_rl.text.premises.rule import finding, in_unit_of, written

_DIVIDED = re.compile(r"\b(?:cut|divided|split|broken) (?:up )?into\b")
_CREDIT = re.compile(
    r"\b(?:overdr\w+|loans?|credit|debts?|owes?|borrow\w*|below|negative|degrees?|depth|minus)\b"
)
_OVERLAP = re.compile(r"\b(?:both|several|overlap\w*)\b")
_CLOSED = re.compile(
    r"\b(?:no (?:more|others?|new|further|one|way|[a-z]+ (?:is|was|are|were|joined|fell|came|comes?"
    r"|returns?))|none|never|nobody|nothing"
    r"|without|before (?:any|anybody|anyone|another|new)|from (?:it|them|this|that|these)|in it"
    r"|all (?:the|he|she) [a-z]+ has"
    r"|nor|all (?:he|she|they) (?:has|had|owns?|owned)|is all|not (?:[a-z]+ )?(?:add|buy|get"
    r"|bake|refill)\w*|(?:puts|put|adds?) nothing)\b"
)
_OF_IT = re.compile(
    r"(?: [a-z]+)? (?:out )?of (?:them|these|those|which|whom|it|that [a-z]+|(?:[a-z]+'s|the"
    r"|his|her|its|their|these|those)(?: same)? (?P<noun>[a-z]+))\b"
)
_OF_WHICH = re.compile(r"(?:[,;(] |^)(?:out )?of (?:which|whom|these|those|them)\b[^,;]*$")
_KINDS = re.compile(
    r"(?: (?:different|various|kinds?|types?|colou?rs?|groups?|sets?)\b| [a-z]+ (?:of|with|from"
    r"|for)\b)"
)
_SHARED = re.compile(
    r"\b(?:equal\w*|evenly|share[sd]?|sharing|split|divid\w+|deals?|dealt|distribut\w+)\b"
)
_WHO_STAY = re.compile(
    r"\b(?:remain\w*|left|rest|others|still|present|stay\w*|that (?:finish\w*|remain\w*|arrived"
    r"|came)|who (?:came|come|finish\w*|passed|arrived|turned up|took part))\b"
)


@dataclass(slots=True)
class _Stock:
    """A thing that is there, and what was taken of it."""

    role: Role
    roles: list[Role] = field(default_factory=list[Role])
    taken: list[Fraction] = field(default_factory=list[Fraction])

    @property
    def rest(self) -> Fraction:
        return self.role.quantity.value - sum(self.taken, Fraction(0))


def check_stocks(reading: Reading) -> Iterator[PremiseFinding]:
    """More taken than there is, parts above their whole, and shares among nobody."""
    sentences = reading.form.split(" . ")
    passage = list[list[Role]]()
    for row, sentence in zip(roles_of(reading), sentences, strict=True):
        if "#" in sentence:
            break
        passage.append(row)
    yield from _walk(passage, sentences)


def _walk(passage: Sequence[Sequence[Role]], sentences: Sequence[str]) -> Iterator[PremiseFinding]:
    told = " . ".join(sentences)
    lent = re.sub(r"\b(?:without|cannot|not|no) borrow\w*", "", told)
    if _OVERLAP.search(told) or _CREDIT.search(lent):
        return
    stock: _Stock | None = None
    for index, row in enumerate(passage):
        taking = False
        for role in row:
            stock, taking = _followed(stock, role, taking=taking, first=role is _first(passage))
            if stock is None or not stock.roles or stock.roles[-1] is not role or stock.rest >= 0:
                continue
            if _alone(stock, passage) and _bound(role, stock, told):
                yield _too_much(role, stock, took=_takes(role))
                stock = None
        if stock is not None and stock.taken and stock.rest == 0 and index + 1 < len(sentences):
            yield from _among_nobody(stock, sentences[index + 1])


def _first(passage: Sequence[Sequence[Role]]) -> Role | None:
    """The first amount of a passage that can be a stock."""
    return next(
        (
            role
            for row in passage
            for role in row
            if role.quantity.kind in "NMU" and not role.group and not comparison(role)
        ),
        None,
    )


def _takes(role: Role) -> bool:
    return TAKING.search(_DIVIDED.sub(" ", _clause(role))) is not None


def _followed(
    stock: _Stock | None, role: Role, *, taking: bool, first: bool
) -> tuple[_Stock | None, bool]:
    """The stock after one more quantity, and whether a list of takings goes on."""
    paced = role.group in ("day", "week", "month", "year")
    if role.quantity.kind not in "NMU" or (role.group and not paced) or comparison(role):
        return None, taking
    if stock and _DEFINITE.search(role.gap) and role.quantity.value == stock.rest:
        return stock, taking
    gained = GAINING.search(_CLOSED.sub(" ", _clause(role))) is not None
    took = _takes(role)
    taken = stock is not None and (_part(role, stock) or (took and not gained))
    if not taken and (stock is None or gained or not (taking and _listed(role))):
        plain = not took and (not gained or first) and _whole(role)
        return (_Stock(role=role) if plain else None), False
    if stock is None or not _fits(role, stock):
        return None, True
    stock.taken.append(in_unit_of(role.quantity, stock.role.quantity))
    stock.roles.append(role)
    return stock, True


def _alone(stock: _Stock, passage: Sequence[Sequence[Role]]) -> bool:
    """Whether the sentence of the stock tells no other amount of its kind."""
    others = [
        role
        for role in passage[stock.role.sentence]
        if role.quantity.kind == stock.role.quantity.kind and role not in stock.roles
    ]
    return len(others) == 1


def _clause(role: Role) -> str:
    """The words of the clause of a quantity."""
    before = re.split(r"[,;:(.] ", role.gap)[-1]
    after = re.split(r" [,;:(]| and [a-z]+ ", role.tail)[0]
    return f"{before}{after}"


def _listed(role: Role) -> bool:
    """Whether a quantity goes on with the taking before it ("35 on Monday, 30 on Tuesday")."""
    return (
        re.fullmatch(
            r"(?: [a-z]+){0,4} (?:,|;|and|then)(?:"
            r" and)?(?: then)?(?: on [a-z]+ ,?)?(?: [a-z]+){0,2} ",
            role.gap,
        )
        is not None
    )


def _whole(role: Role) -> bool:
    """Whether a quantity is told as something that is there, not as a part or a kind."""
    return not _OF_IT.match(role.rest) and not _KINDS.match(role.tail) and not _sizes(role)


def _sizes(role: Role) -> bool:
    """Whether a measure only tells the size of a thing ("a 5-litre bucket")."""
    return role.quantity.kind == "U" and _ATTRIBUTE.match(role.rest) is not None


def _part(role: Role, stock: _Stock) -> bool:
    whole = stock.role
    led = re.search(
        r"(?:^|[,;] )(?:of|among|out of|from) (?:(?:the|a|his|her|its|their|these"
        r"|all)(?: [a-z']+)? )?$",
        whole.lead,
    )
    near = (
        role.sentence == whole.sentence and not role.quantity.noun and not role.quantity.dimension
    )
    if led is not None and near and "," in role.gap:
        return True
    calendar = re.search(
        r"\b(?:week|month|year|fortnight|january|february|march|april|may|june|july|august"
        r"|september|october|november|december)(?: ,)?(?: which)? has $",
        whole.lead,
    )
    timed = role.quantity.dimension == whole.quantity.dimension in ("time", "calendar")
    if calendar is not None and timed and role.sentence <= whole.sentence + 1:
        return True
    found = _OF_IT.match(role.rest)
    if found is not None:
        noun = found["noun"]
        if noun is not None and stock.role.quantity.kind != "N":
            return False
        return noun is None or singular(noun) == stock.role.quantity.noun
    return _OF_WHICH.search(role.gap) is not None


def _fits(role: Role, stock: _Stock) -> bool:
    """Whether a quantity can be an amount of the stock."""
    quantity, whole = role.quantity, stock.role.quantity
    if quantity.kind == "N" and not quantity.noun and whole.kind in "NU" and _part(role, stock):
        return True
    if _sizes(role):
        return False
    stuff = [
        re.match(r" of (?!that|it|the|this|these|those|them)([a-z]+)", other.rest)
        for other in (role, stock.role)
    ]
    if quantity.kind == "U" and stuff[0] and stuff[1] and stuff[0][1] != stuff[1][1]:
        return False
    if whole.kind != quantity.kind or whole.dimension != quantity.dimension:
        return False
    return whole.kind != "N" or quantity.noun in ("", whole.noun) or _part(role, stock)


def _bound(role: Role, stock: _Stock, told: str) -> bool:
    """Whether the words say that all of it came out of this stock."""
    if stock.role.group:
        return _part(role, stock)
    if stock.role.quantity.kind == "U" and re.search(
        r"\b(?:cuts?|saws?|sawn|pours?|poured)\b", told
    ):
        return role.sentence <= stock.role.sentence + 1
    bare = (
        role.quantity.kind == "N"
        and not role.quantity.noun
        and role.sentence == stock.role.sentence
    )
    return bare or _part(role, stock) or _CLOSED.search(told) is not None


def _too_much(role: Role, stock: _Stock, *, took: bool) -> PremiseFinding:
    whole = stock.role.quantity.value
    listed = " - ".join(written(value) for value in (whole, *stock.taken))
    kind = K.NEGATIVE_REMAINDER if took else K.PART_EXCEEDS_WHOLE
    expression = f"{listed} = {written(stock.rest)}"
    return finding(kind, role.quantity, expression, f"at most {written(whole)}")


def _among_nobody(stock: _Stock, following: str) -> Iterator[PremiseFinding]:
    if _SHARED.search(following) and _WHO_STAY.search(following):
        whole = stock.role.quantity.value
        listed = " - ".join(written(value) for value in (whole, *stock.taken))
        yield finding(K.ZERO_DIVISION, stock.roles[-1].quantity, listed, "not 0")


_ATTRIBUTE = re.compile(
    r" (?:- )?(?!of|in|at|on|and|or|is|are|was|were|for|to|from|with|left|long|more|by|per|an?"
    r"|each|every|during|after|before|this|that"
    r"|then|but|which|away|off|out|worth|deep|high|wide|tall|so)[a-z]+ (?!of)"
)
_DEFINITE = re.compile(
    r"\b(?:the|these|those|his|her|their|its|(?:each|every one|all|both|half|a third|a quarter) of"
    r" (?:the|these|those|his|her|their|its)|this) $"
)
_CHANGED = re.compile(
    r"\b(?:more|another|buys?|bought|gets?|got|loses?|lost|sold|sells?|gave|gives?|adds?|added"
    r"|eats?|ate|takes?"
    r"|took|removed?|joins?|joined|left|leaves?|new|another|last|next|first|second|remaining|if"
    r"|rest|return\w*|arriv\w+|broke\w*"
    r"|borrow\w*|receiv\w+|yesterday|tomorrow|later|moved?|donat\w+|found"
    r"|finds?)\b"
)


def check_named_again(reading: Reading) -> Iterator[PremiseFinding]:
    """A count, price or age that is taken up with "the" and another number."""
    sentences = reading.form.split(" . ")
    rows = roles_of(reading)
    earlier = list[Role]()
    for index, row in enumerate(rows):
        if "#" in sentences[index]:
            break
        for role in row:
            first = _first_told(role, earlier)
            if first is not None and not _explained(role, earlier):
                between = " . ".join(sentences[first.sentence : index + 1])
                if not _CHANGED.search(between):
                    true = in_unit_of(first.quantity, role.quantity)
                    yield finding(K.INCONSISTENT_RESTATEMENT, role.quantity, written(true), true)
            earlier.append(role)


def _first_told(role: Role, earlier: Sequence[Role]) -> Role | None:
    """The one earlier quantity that a definite one takes up with another value."""
    quantity = role.quantity
    if quantity.kind in "UM" and re.fullmatch(r" of (?:the|this|that|these) ", role.gap):
        whole = [other for other in earlier if other.quantity.dimension == quantity.dimension]
        shared = (
            earlier and earlier[-1].quantity.kind in "FP" and earlier[-1].sentence == role.sentence
        )
        known = len(whole) == 1 and not whole[0].group and not comparison(whole[0]) and shared
        same = (
            known
            and whole[0].quantity.base != quantity.base
            and re.match(r" (?:is|are|was|were|of) | ?[.,;]|$", role.rest)
        )
        return whole[0] if same else None
    if (
        quantity.kind != "N"
        or not quantity.noun
        or not _DEFINITE.search(role.gap)
        or comparison(role)
    ):
        return None
    same = [
        other
        for other in earlier
        if other.quantity.kind == "N" and other.quantity.noun == quantity.noun
    ]
    if len(same) != 1 or same[0].group or comparison(same[0]) or _DEFINITE.search(same[0].gap):
        return None
    first = same[0]
    if "every" in first.gap:
        return None
    subset = quantity.value < first.quantity.value and re.search(r"(?<!of )\bthe $", role.gap)
    return first if first.quantity.value != quantity.value and not subset else None


def _explained(role: Role, earlier: Sequence[Role]) -> bool:
    """Whether the quantity can be a result of those before it."""
    if role.gap == " of its ":
        earlier = earlier[:-1]
    operands = [other.quantity for other in earlier if other.quantity.kind not in "TYD"][-4:]
    return len(operands) > 1 and role.quantity.value in combinations_of(operands, role.quantity)


_PRICED = re.compile(
    r"(?:^|\. |\bwhere |\band )(?:an?|each|one|every)"
    r" (?P<thing>[a-z]+(?: [a-z]+)?)(?: of [a-z]+)? (?:costs?|is|sells for) (?P<a>M\d+)"
    r"(?! (?:more|less|off))[^#]*?\bN\d+ (?:of (?:these|them|the) "
    r"|such )?(?P<again>[a-z]+(?: [a-z]+)?)(?: [a-z]+)? (?:at|for) (?P<b>M\d+) "
    r"(?:each|apiece|an? [a-z]+|per [a-z]+)"
)
_PAID_EACH = re.compile(
    r"(?:^|\. )(?:an?|each|one|every) (?P<thing>[a-z]+(?: [a-z]+)?) (?:costs?|is"
    r"|sells for) (?P<a>M\d+)"
    r"(?! (?:more|less|off))[^#]*?\b(?:pays?|paid) (?P<b>M\d+) (?:for (?:each|every)"
    r"|per) (?P<again>[a-z]+)"
)
_NAMED_PRICE = re.compile(
    r"(?:^|\. )an? (?P<thing>[a-z]+(?: [a-z]+)?) (?:costs?|is|sells for) (?P<a>M\d+)(?! (?:more"
    r"|less|off))[^#]*?"
    r"\b(?:an?|the|this|that|of the|these) (?P<b>M\d+) (?P<again>[a-z]+)\b"
)
_AGED = re.compile(
    r"\b(?:is|turned|turns|aged|was) (?P<a>[NU]\d+)(?! (?:[a-z]+ ){0,2}(?:more|less|older"
    r"|younger|taller|than))(?: old| years old| last week| today)?"
    r"[^#]*?\b(?:the |, )(?P<b>U\d+) - old (?P<who>[a-z]+)"
)
_REPRICED = re.compile(
    r"\b(?:sale|discount|rais\w+|now|another|other|instead|reduc\w+|if|off|later|year|offer"
    r"|increas\w+|cheaper|dearer|adults?|child\w*)\b"
)


def check_priced_again(reading: Reading) -> Iterator[PremiseFinding]:
    """A price or an age that is told again with another number."""
    for pattern in (_PRICED, _PAID_EACH, _NAMED_PRICE, _AGED):
        for match in pattern.finditer(reading.form):
            first, again = reading.of(match["a"]), reading.of(match["b"])
            if pattern is _AGED:
                ages = re.findall(r"\bU\d+ - old\b", match.group())
                alike = (
                    len(ages) == 1
                    and again.ratio == 12
                    and len(QUANTITY.findall(match.group())) <= 4
                )
            else:
                last = singular(match["thing"].split()[-1])
                alike = last in {singular(word) for word in match["again"].split()}
                alike = alike and not _REPRICED.search(match.group())
            if alike and first.value != again.value:
                yield finding(K.INCONSISTENT_RESTATEMENT, again, written(first.value), first.value)


CHECKS = (check_stocks, check_named_again, check_priced_again)
"""Every check of this module."""
