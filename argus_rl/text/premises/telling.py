"""How a text tells a quantity: as news, or as a result of the quantities around it.

A result stands behind a connective ("so", "which makes"), with a word for a total, a rest or a
mean, in apposition ("7 rows of 9, 63 in all"), with a definite article ("the 63 chairs"), behind
the clause that gives its reason, or as what a thing holds, costs or now has. Words of wanting,
buying and getting tell news instead. The answer is a short name, because each way of telling can
state other relations (see `results`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from argus_rl.text.premises.proportions import comparison
from argus_rl.text.premises.roles import QUANTITY, Role

_TOTAL = re.compile(
    r"\b(?:altogether|in all|in total|together|all told|combined|overall|total\w*|sum|between them"
    r"|joint\w*|grand|adds? up|added up)\b|^(?:all )?(?:this|that|these|those"
    r"|they)[a-z ]* amounts? to $"
)
_MAKES = re.compile(
    r"[^,;:]*\b(?<!to )(?:makes?|made|(?<!he )(?<!they )gives?|yields?|comes?(?: out)? (?:to"
    r"|at)|came to|amount\w* to|adds? up to"
    r"|added up to|brings? [a-z ]+ to|equals?|is home to)(?: (?:him|her|them|us|it|room for"
    r"|a total of|exactly|just|only|up to|an? [a-z]+))* $"
)
_HOLDS = re.compile(
    r"[^,;:]*\b(?:fills|holds?|held|contains?|needs?|needed|have|has|costs?|weighs?|owns?"
    r"|there (?:are"
    r"|were)|carr(?:y|ies)|seats?|takes?|took|used?|uses|uses up|used up|requires?|required"
    r"|earns?|pays?|paid"
    r"|produces?|makes?|made|covers?|covered|gets?)(?: (?:him|her|them|us)(?= $)"
    r"|)(?: (?:room for|exactly|just|only|up to))* $"
)
_TOTAL_AFTER = re.compile(
    r"(?: [a-z'-]+){0,3}? ?,? (?:altogether|in all|in total|together|all told|combined|overall"
    r"|in sum"
    r"|between them|all in all)\b(?! with)(?!(?: [a-z]+){0,2} [NMU]\d)"
)
_RESULT = re.compile(
    r"\b(?:so(?! that| far| many| much| long)|thus|hence|therefore|thereby|whereby|consequently"
    r"|accordingly|which (?:is|was|means|makes|made|gives|gave|leaves|left|brings|brought|adds"
    r"|amounts|comes|came|works|equals?|averages)|namely|in other words|meaning|this is"
    r"|this makes|in short|works out|(?:ends?|ended|finish\w*|is left|was left|are left"
    r"|left [a-z]+) (?:up )?with)\b|\bmeans\b|\b(?:corresponds? to|giving|reaching) $"
    r"|^(?: [a-z]+)? equals? $"
    r"|\b(?:making|leaving|spending|totalling)(?: (?!and )[a-z]+){0,3} $"
    r"|[,;(:] that(?: is|'s| was| makes| means| gives| leaves| took| takes)\b"
    r"|\bi\.e\. (?:by |for )?(?:[a-z]+ ){0,3}$|^that (?:is|makes|means|gives|leaves|took|takes"
    r"|left|made|gave)\b"
)
_MEAN = re.compile(
    r"\b(?:average\w*|averaging|mean|speed|pace)\b[^@]*@|@(?: [a-z]+){0,4} on average\b"
)
_THEN_HAS = re.compile(
    r" (?:[a-z]+ ){0,2}?(?:than (?:[a-z']+ ){1,3})?, (?:and )?(?:that is |(?!but|then"
    r"|while)[a-z]+ )?(?:exactly |just )?"
)
_WHICH = re.compile(r" (?:as|the|that)\b[^,;]*, (?:who|which|whose [a-z]+)(?: [a-z]+){1,3} ")
_ADDED = re.compile(
    r"(?:if (?:we|you|one) adds?|add(?: up)?) .*(?:,|and) (?:we|you|one) (?:gets?|have|has"
    r"|obtains?)"
    r"(?: an? [a-z]+ of)? $"
)
_WHO = re.compile(
    r"\b(?:than|as)(?: (?!and|but)[a-z']+){1,3} ,? ?(?:who|which|whose [a-z]+)(?: (?!and"
    r"|but)[a-z]+){1,3} $"
)
_GERUND = re.compile(r"\b(?:making|leaving|spending|totalling)\b")
_SPENT = re.compile(
    r"(?: [a-z]+)? (?:was|were|had been|have been|has been|is|are) (?:spent|used(?: up)?|lost"
    r"|sold|eaten|drunk|gone|missing)\b"
    r"|(?: [a-z]+)? (?:to catch up|too (?:much|many|few|little|short|long)|short)\b"
)
_THUS = re.compile(r"\b(?:thus|hence|therefore|thereby|consequently)\b")
WANT = re.compile(r"\b(?:decid\w+|wants?|wanted|plans?|planned|should|would|could)\b")
_REASON = re.compile(r"(?:given that|since|because|as)\b")
_NOW = re.compile(
    r"\b(?:has|have) now [a-z]+ (?:up )?$|\bnow (?:it|he|she|they) (?:is|has|have|are|weighs?"
    r"|costs?|earns?) $"
    r"|\b(?:then|now|so|thereby) (?:has|have|contains?|holds?|owns?|weighs?|numbers?|counts?"
    r"|measures?|stands? at)"
    r"(?: only| just| exactly)? $"
    r"|\b(?:grows?|grew|ris\w+|rose|falls?|fell|drops?|dropped|shrinks?|swells?|brings?|brought"
    r"|comes?|came)"
    r"(?: [a-z]+){0,3} to $"
)
_SO_THEN = re.compile(
    r"\b(?:therefore|thus|hence|so) ,? ?(?:in|with|for|after|at"
    r"|over) [NU]\d+(?: [a-z]+)? ,? (?:[a-z]+ ){1,4}$"
)
_SO_CLAUSE = re.compile(
    r"\b(?:so|hence|thus|therefore|which means|that means)\b(?! that| far| many| much"
    r"| long)[^,;:]*$"
)
_OPENED = re.compile(
    r"(?:for|from|using|out of|at|with|to|(?!during|according"
    r"|being)[a-z]+ing) [^,.]*, (?:[a-z']+ )*$"
    r"|(?:for|with|from|using) [^,.]*\b(?:takes?|needs?|gets?|uses?|requires?|makes?) $"
)
_LED = re.compile(r"(?:given that|since|because|as|having|when|after|if)\b[^.]* , ")
_CAUSE = re.compile(r"(?:if|given that|since|because|as)\b")
_DEFINITE = re.compile(
    r"(?<!so )\b(?:the|these|those|all|its|his|her|their|this|that|each of the|the other) $"
    r"|^(?:his|her|its|their|this|that) (?:[a-z']+ ){1,3}of $"
)
_REST = re.compile(
    r"\b(?:left|(?<!he )(?<!they )leav\w+|remain\w*|still|unsold|unused|free|empty|stay\w*"
    r"|other|missing|ahead"
    r"|to go|spare|over)\b(?: [a-z]+){0,4} $"
)
_NEW = re.compile(
    r"\b(?:buys?|bought|buying|decid\w+|wants?|wanted|needs?|needed|plans?|planned|hires?|hired"
    r"|must|should|will|would|could|asks?|asked|borrow\w*|another|extra|additional|also|then|later"
    r"|next|now that|new|let|lets|more|than|if|but|while|until|before|first|second|third|last"
    r"|only|instead|finds?|found"
    r"|gets?|got|gave|receives?|received|adds?(?! up)|added(?! up)|orders?|ordered|invit\w+"
    r"|donat\w+|lends?|lent"
    r"|every|per|each|already|wins?|won|goal|capacity|some|twice|once|again|tip|x)\b"
)
_NEW_AFTER = re.compile(
    r"(?: [a-z]+)? (?:and|or|,) (?:and )?[NMU]\d|(?: [a-z]+)? (?:wide|tall|high|deep)\b|"
    r"(?: [a-z]+)? (?:more|less|fewer|extra|additional|another|times|older|younger|other"
    r"|at a time)\b"
    r"| [-/:x*+=]| (?:bills?|notes?|coins?|tip|dollar bills?)\b"
)
_OF_SHARE = re.compile(
    r"(?:an? |the )?(?:increase|decrease|rise|fall|drop|cut|reduction|growth|discount|share"
    r"|score|rate"
    r"|turnout|profit|loss|saving)s? of @|, or @|\bby @|@ (?:cheaper|dearer|more expensive"
    r"|less than before)"
)
_SUBJECT = re.compile(
    r"(?:it|he|she|they|this|that|these|those|the bill|all|his|her|its|their|at) "
)
_CHANGE_OF = re.compile(
    r"\b(?:an?|the) (?:drop|fall|rise|difference|loss|gain|saving|increase|decrease|gap|change"
    r"|reduction"
    r"|lead|margin|profit|growth) of $|\b(?:shrunk|grown|fallen|risen|dropped|sunk|climbed) by $"
)
_AFTER_PAYING = re.compile(
    r"\bafter (?:buying|paying|spending|losing|selling|giving|eating|using) [^,.]*[NMU]\d[^,.]* ,"
    r" (?:(?:he|she|it|they|[a-z]+) )?(?:has|had|keeps?|kept) $"
)
_LEFT_AFTER = re.compile(r"(?: [a-z]+){0,2} (?:left|remain\w*|unsold|stayed|free(?! [a-z]))\b")
_IS_THAN = re.compile(r"(?:with [NMU]\d+(?: [a-z]+)? ,? ?)?(?:so )?(?:[a-z']+ ){1,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A quantity among those of its sentence."""

    claim: Role
    """The quantity itself."""
    before: Sequence[Role]
    """The quantities before it."""
    following: Sequence[Role]
    """The quantities behind it."""


Step = Callable[[Told], "str | None"]
"""One test of a quantity: a cue, "" for news, None for neither."""


def cue_of(claim: Role, before: Sequence[Role], following: Sequence[Role]) -> str:
    """How a quantity is told as a result, empty where it is news."""
    told = Told(claim=claim, before=before, following=following)
    for step in _STEPS:
        cue = step(told)
        if cue is not None:
            return cue
    return ""


def _as_comparison(told: Told) -> str | None:
    """A quantity that is itself a factor or a difference."""
    claim, before, following = told.claim, told.before, told.following
    if claim.quantity.kind == "X":
        if re.match(r" as [a-z]+(?: [a-z]+)? as ", claim.tail) and not before:
            return "difference"
        named = re.match(r" as [a-z]+", claim.tail) and _RESULT.search(claim.gap)
        return "result" if named else ""
    if comparison(claim):
        linked = claim.gap.endswith(", ") or _RESULT.search(claim.gap)
        return "difference" if linked or _IS_THAN.fullmatch(claim.lead) else ""
    sized = re.match(r" (?:tall|high|deep|wide)\b", claim.rest) and _NOW.search(claim.gap)
    if _NEW_AFTER.match(claim.rest) and not sized:
        return ""
    return "compared" if following and _related(following[0]) else None


def _as_named(told: Told) -> str | None:
    """The quantity of whom a comparison names: "than Kai, who has 50"."""
    claim, before = told.claim, told.before
    if not before:
        return None
    previous, later = before[-1], " will " in claim.gap
    if len(before) > 1 and _WHO.search(claim.gap) and not later:
        return "named"
    if not later and previous.quantity.kind in "XF" and _WHICH.fullmatch(claim.gap):
        return "named"
    return "named" if comparison(previous) and _THEN_HAS.fullmatch(claim.gap) else None


def _own_gap(claim: Role, before: Sequence[Role]) -> str:
    """The words before a quantity that do not belong to the one before it."""
    gap = re.split(r"[,;:(.]| and ", claim.gap, maxsplit=1)[-1] if before else claim.gap
    gap = re.sub(r"^(?: [a-z]+)? (?:per|each|every)(?: of [a-z]+)?\b", "", gap)
    return re.sub(r"\b(?:each|every|per)\b", "", gap) if claim.group else gap


def _as_news(told: Told) -> str | None:
    """What is wanted, bought or got, unless a connective makes it a result."""
    claim, before = told.claim, told.before
    gap = _own_gap(claim, before)
    now = _NOW.search(gap) and "so that" not in claim.lead
    alone = not before and " now has " in f" {claim.lead}"
    alone = alone or (not before and re.search(r"\b(?:has|have) $", claim.lead) is not None)
    if now and alone:
        return ""
    if now and not WANT.search(gap) and not claim.group:
        return "total"
    reasoned = before and _CAUSE.match(claim.lead) and " , " in claim.lead
    if _NEW.search(gap) and (WANT.search(gap) or not (_THUS.search(gap) or reasoned)):
        return ""
    return "" if claim.gap.endswith(("so of ", "so for ", "so with ")) else None


def _as_consequence(told: Told) -> str | None:
    """A quantity in a clause with "so" that tells one other at most."""
    claim = told.claim
    if _SO_THEN.search(claim.lead):
        return "result"
    clause = _SO_CLAUSE.search(claim.lead)
    if clause and len(QUANTITY.findall(clause.group())) == 1 and len(claim.gap.split()) <= 5:
        joined = re.search(r"\b(?:and|or|of|but)\b|,", claim.gap) or _NEW.search(clause.group())
        return "result" if joined is None else None
    return _told_share(claim) if claim.quantity.kind == "P" else None


def _as_total(told: Told) -> str | None:
    """A quantity with a word for a total or a mean, or behind a colon."""
    claim, before = told.claim, told.before
    opened = len(before) == 1 and _TOTAL.match(claim.lead)
    gap = _own_gap(claim, before)
    summed = _TOTAL_AFTER.match(claim.rest) or _TOTAL.search(gap) or opened
    if summed and claim.group != "each" and " still " not in f"{claim.tail} ":
        return "total"
    colon = re.search(r":(?: (?!an? )[a-z]+){0,3} $", claim.gap)
    if colon and claim.gap != " : " and not QUANTITY.search(claim.rest.split(" ; ")[0]):
        return "result"
    if _MEAN.search(f"@{claim.tail}"):
        return "mean"
    return "total" if _of_all(claim) or _ADDED.match(claim.lead) else None


def _as_result(told: Told) -> str | None:
    """A quantity behind a connective or a verb of making."""
    claim, before = told.claim, told.before
    if re.search(r"\b(?:average|mean)(?: [a-z]+){0,2} $", claim.gap):
        return "mean"
    if _RESULT.search(claim.gap) and not (claim.group and _GERUND.search(claim.gap)):
        rest = re.sub(r"^ of (?:the |these |his |her |its )?[NMU]\d+", "", claim.rest)
        subject = re.search(r"\b(?:so|therefore|thus|hence) $", claim.gap)
        return "" if subject and QUANTITY.search(rest) else "result"
    if _MEAN.search(f"{claim.gap}@{claim.tail}"):
        return "mean"
    counted = claim.quantity.kind != "M" and not claim.group
    if before and counted and _MAKES.fullmatch(claim.gap):
        return "total"
    sized = before and before[-1].group and counted
    if sized and re.fullmatch(r"(?: [a-z]+){1,2} (?:is|are) (?:exactly )?", claim.gap):
        return "total"
    ended = re.search(r",(?: (?!or|and|but)[a-z]+)? $", claim.gap)
    return "listed" if len(before) >= 3 and ended and " and " in claim.lead else None


def _as_rest(told: Told) -> str | None:
    """What is left or used up, and what is named with "the" or "her"."""
    claim, before = told.claim, told.before
    used_up = re.match(r"(?: [a-z]+)? (?:had|have|has|must have) been [a-z]+", claim.rest)
    if _CHANGE_OF.search(claim.gap) or _AFTER_PAYING.search(claim.lead):
        return "rest"
    if (used_up and re.search(r"[,;] $", claim.gap)) or (
        _SPENT.match(claim.rest) and not _DEFINITE.search(claim.gap)
    ):
        return "rest"
    over = not claim.group and _REST.search(_own_gap(claim, before))
    if over or _LEFT_AFTER.match(claim.rest):
        return "rest"
    if _DEFINITE.search(claim.gap):
        owned = claim.quantity.kind != "N" and claim.gap.endswith(("his ", "her ", "their "))
        return "" if owned else "definite"
    return None


def _as_clause(told: Told) -> str | None:
    """A quantity behind the clause that gives its reason, or what a thing holds or costs."""
    claim, before = told.claim, told.before
    listed = re.fullmatch(r"(?: [a-z]+)? ?,? ?and ", claim.gap)
    if before and (_leads(claim.lead) or _OPENED.match(claim.lead)) and not listed:
        return "reason" if _REASON.match(claim.lead) else "led"
    if claim.group or not _HOLDS.fullmatch(claim.gap):
        return None
    if not before and not _SUBJECT.match(claim.lead):
        return None
    owned = claim.quantity.kind == "M" and re.search(r"\b(?:has|have) $", claim.gap)
    other = re.search(r"\b(?:may|can|could|that|which|who) ", claim.gap)
    return "" if owned or other else "holds"


def _as_place(told: Told) -> str | None:
    """What only the place of a quantity tells."""
    claim, before = told.claim, told.before
    if not before:
        return "plain" if claim.group else "first"
    if claim.group and not claim.gap.endswith(("for ", "at ")):
        return _apposed(claim) or "plain"
    changed = re.search(r"\b(?:or|rest|other)\b", claim.gap) is None
    return _apposed(claim) or ("changed" if changed and claim.gap != " : " else "")


_STEPS: tuple[Step, ...] = (
    _as_comparison,
    _as_named,
    _as_news,
    _as_consequence,
    _as_total,
    _as_result,
    _as_rest,
    _as_clause,
    _as_place,
)


def _related(following: Role) -> bool:
    """Whether a comparison with something told before stands behind the quantity."""
    factor = following.quantity.kind in "XF" and re.match(
        r" (?:as|the [a-z]+ of|that)\b", following.tail
    )
    gap = re.fullmatch(
        r"(?: [a-z]+){0,2} , (?:or |because |since |as )?(?:(?:it|he|she|this|which) (?:is"
        r"|was) )?(?:exactly )?",
        following.gap,
    )
    ends = re.search(r" and |[A-Z]\d", following.rest) is None
    return gap is not None and ends and (factor is not None or comparison(following) != 0)


def _leads(lead: str) -> bool:
    """Whether a subordinate clause stands before the clause of a claim, which holds no other."""
    last = lead.rpartition(" , ")[2]
    joined = last.startswith(("and ", "or ", "but "))
    if _REASON.match(lead):
        return _LED.match(lead) is not None and not joined
    return _LED.match(lead) is not None and not joined and not QUANTITY.search(last)


def _of_all(claim: Role) -> bool:
    """Whether the claim's subject is "all three stages" or "both ropes"."""
    subject = re.search(
        r"(?:^|[,;:] )(?:all|both|the) (?:of the )?[NU]\d+(?:"
        r" of them)?(?: together)? ?((?: ?[a-z']+){1,4}) $",
        claim.lead,
    )
    return subject is not None and not _NEW.search(subject.group(1))


def _told_share(claim: Role) -> str:
    """How a percentage is told as a result."""
    if _RESULT.search(claim.gap):
        return "result"
    led = _LED.match(claim.lead) is not None or _OF_SHARE.search(claim.gap + "@" + claim.tail)
    return _apposed(claim) or ("led" if led else "")


def _apposed(claim: Role) -> str:
    """Whether a quantity stands in plain apposition and no list goes on behind it."""
    before = re.fullmatch(r" ?(?:[a-z'-]+ ){0,6}[,(:;] ?(?:or |at |with |a [a-z]+ of )?", claim.gap)
    after = re.match(
        r"(?: (?!and |or |are |is |were |was )[a-z'-]+){0,3} ?(?:[,.;:)]|$)(?! (?:and )?[NMU]\d)",
        claim.rest,
    )
    return "apposed" if before and after and claim.gap != " : " else ""
