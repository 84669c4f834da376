"""Quantities that a text states although the rest of it already determines them.

A text is over-determined where it tells two facts and also what they come to.  Such a result is
recognised by how it stands: behind a connective, with a word for a total or a rest, in apposition,
with a definite article, or as the first part of a sentence whose other quantities explain it.  It is
compared with every relation its operands can have (`terms`); a result that none of them gives and
that one of them nearly gives is false.  How near it has to be depends on how plainly it is told.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from argus_rl.text.premises.derived import combinations_of, one_digit_off
from argus_rl.text.premises.findings import PremiseFinding
from argus_rl.text.premises.findings import PremiseKind as K
from argus_rl.text.premises.measures import UNITS
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.relations import Guess
from argus_rl.text.premises.roles import QUANTITY, Role, roles_of
from argus_rl.text.premises.rule import comparable, finding, in_unit_of, written
from argus_rl.text.premises.terms import comparison, guesses, in_proportion, without_counters

_TOTAL = re.compile(
    r"\b(?:altogether|in all|in total|together|all told|combined|overall|total\w*|sum|between them"
    r"|joint\w*|grand|adds? up|added up)\b"
)
_MAKES = re.compile(
    r"[^,;:]*\b(?<!to )(?:makes?|made|(?<!he )(?<!they )gives?|yields?|comes?(?: out)? (?:to"
    r"|at)|came to|amount\w* to|adds? up to"
    r"|added up to|brings? [a-z ]+ to|equals?|is home to)(?: (?:him|her|them|us|it|room for"
    r"|a total of|exactly|just|only|up to))* $"
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
_ADDED = re.compile(r"if (?:we|you|one) adds? .*, (?:we|you|one) (?:gets?|have|has|obtains?) $")
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
_WANT = re.compile(r"\b(?:decid\w+|wants?|wanted|plans?|planned|should|would|could)\b")
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
    r"\b(?:left|(?<!he )(?<!they )leav\w+|remain\w*|rest|still|unsold|unused|free|empty|stay\w*"
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
_SCALE = re.compile(r"\b(?:map|maps|scale|model)\b")
_SAME = re.compile(
    r"(?: [a-z]+){0,3}? ?(?:[,;(:]|[,;] which|[,;] that|which|that|this) ?(?:or|that's|that is"
    r"|this is|it is"
    r"|which is|which are|i\.e\.|in other words ,?|equals?|is|are|means|makes?|make up"
    r"|corresponds? to|amounts? to|has"
    r"|so(?: [a-z]+){1,4}|namely|in [a-z]+|to be exact ,?|equivalent to|the same as|making)"
    r"(?: (?:he|she|it|they) (?:is|are|was|has|weighs?|lasted|swam|ran))?"
    r"(?: (?:equal to|exactly|a total of|the same as|just|only|for|in|of))* "
    r"|(?: (?!and )[a-z]+){0,3}? (?:equals?|means|makes?|make|corresponds? to|amounts? to"
    r"|comes? to|is equal to|is the same as|or"
    r"|contains?|holds?|lasted|lasts?|is|are|fills a [a-z]+ with|of [a-z]+ contains|tub holds"
    r"|bag holds)"
    r"(?: (?:exactly|a total of|just))* | \( "
)
"""Words between two tellings of one amount."""
_NOT_ALL = re.compile(
    r"(?: [a-z]+){0,2} (?:of (?:which|them|the|it|this|that|these)|more|less|fewer|each|per"
    r"|long(?:er)?|later|earlier|before|after|a|an|old|away|apart|in(?! number)|at|on|than|left"
    r"|to|from|with|by|for|and) "
)
_SHARED = re.compile(
    r"\b(?:equal\w*|evenly|shar(?:e|ed|ing|es(?! of))|split\w*|divid\w+|same|apiece|identical"
    r"|alike|dealt|lasts?)\b"
)
_CHANGE = re.compile(r"\b(?:change|back)\b")
_OPEN = re.compile(
    r"\band (?:an?|the|some|his|her|their|one) [a-z]+(?: [a-z]+)? ?(?:[.,]|$)|\b(?:rest|some"
    r"|others(?! [NMU]\d)|certain|remaining(?! [NMU]\d)|several|few|unknown|couple|except"
    r"|whatever|number of|enough|everything|else|herself|himself|themselves|other(?! [NMU]\d))\b"
)
"""Words for amounts that are not told."""
_LIKEWISE = re.compile(r"; |\b(?:so|thus|therefore|accordingly|likewise|rate)\b")
_PARTED = re.compile(r"\bratio\b|\bfor every\b|\bparts?\b|\bmix\w*|\bstands? for\b|N\d+ to N\d")
_ORDINAL = re.compile(r"\b(?:third|fourth|fifth)\b|\baverage\w*\b.*\baverage")


_GIVEN = frozenset(
    (
        K.PRODUCT,
        K.QUOTIENT,
        K.FRACTION,
        K.PERCENT,
        K.PERCENT_CHANGE,
        K.COMPARE_MORE,
        K.COMPARE_TIMES,
    )
)
"""Relations whose words say so themselves, unlike a sum or a difference."""

_ALLOWED: dict[str, frozenset[K]] = {
    "total": frozenset(
        (
            K.RATIO,
            K.SUM,
            K.LIST_TOTAL,
            K.PRODUCT,
            K.MULTI_STEP,
            K.DIFFERENCE,
            K.FRACTION,
            K.PERCENT,
            K.PERCENT_CHANGE,
        )
    ),
    "rest": frozenset((K.DIFFERENCE, K.MULTI_STEP)),
    "holds": frozenset((K.PRODUCT, K.MULTI_STEP, K.PERCENT_CHANGE)),
    "result": frozenset(K),
    "mean": frozenset((K.AVERAGE, K.QUOTIENT)),
    "definite": frozenset(K) - {K.AVERAGE, K.COMPARE_TIMES, K.COMPARE_MORE},
    "reason": frozenset(K),
    "cause": frozenset(K),
    "led": _GIVEN | {K.AVERAGE, K.MULTI_STEP, K.RATIO},
    "apposed": _GIVEN | {K.RATIO},
    "first": _GIVEN - {K.QUOTIENT},
    "plain": frozenset((K.QUOTIENT, K.RATIO)),
    "changed": frozenset((K.PERCENT_CHANGE, K.RATIO)),
    "listed": frozenset((K.LIST_TOTAL,)),
    "named": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
    "compared": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
    "difference": frozenset((K.COMPARE_MORE, K.COMPARE_TIMES)),
}
"""The relations that each way of telling a result can state."""

_SUMS = (K.SUM, K.LIST_TOTAL)
_LOOSE = ("total", "result")
_PLAIN = ("total", "result", "rest")


def check_results(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about every quantity that the others of its passage determine."""
    sentences = reading.form.split(" . ")
    roles = roles_of(reading)
    for index, row in enumerate(roles):
        found = dict[str, list[PremiseFinding]]()
        for position, claim in enumerate(row):
            if claim.quantity.kind not in "NMUPX" or claim.quantity.value <= 0:
                continue
            if position and not _SCALE.search(reading.form):
                yield from _same_amount(row[position - 1], claim)
            cue = _cue(claim, row[:position], row[position + 1 :])
            if not cue:
                continue
            windows = _windows(roles, sentences, index, position, cue)
            paid = not claim.group and re.search(r"\b(?:pays?|paid) $", claim.gap)
            if paid and _CHANGE.search(reading.text):
                continue
            guess = _judge(claim, windows, cue)
            if guess is not None:
                told = "first" if cue == "first" else "later"
                made = finding(guess[0], claim.quantity, guess[1], guess[2])
                found.setdefault(told, []).append(made)
        yield from found.get("later", found.get("first", []))


def _same_amount(first: Role, claim: Role) -> Iterator[PremiseFinding]:
    """One amount in two units, or in packs and in single things."""
    one, two = first.quantity, claim.quantity
    paced = re.search(r"[NMU]\d+(?: [a-z]+)? an? (?:day|week|hour|minute)\b", first.lead)
    if paced or re.search(r"\b[FPX]\d+ (?:[a-z]+ ){0,3}$", first.lead):
        return
    units = one.dimension == two.dimension != "" and (
        one.ratio != two.ratio or (one.compound and not two.compound)
    )
    packs = one.kind == two.kind == "N" and one.pack > 1 and two.pack == 1
    packs = packs and two.noun in (one.noun, "", "piece", "item", "animal", "person")
    if not (units or packs) or one.base == two.base or comparison(claim) or claim.group:
        return
    if first.group and (not units or f"{first.group}s" not in UNITS):
        return
    apposed = packs and re.fullmatch(r"(?: of)?(?: [a-z]+){0,3} , ", claim.gap)
    if (apposed or _SAME.fullmatch(claim.gap)) and _NOT_ALL.match(claim.rest) is None:
        true = in_unit_of(one, two)
        kind = K.UNIT_CONVERSION if units else K.DOZEN_UNITS
        expression = (
            written(one.value) if units else f"{written(one.value / one.pack)} * {one.pack}"
        )
        yield finding(kind, two, expression, true)


def _cue(claim: Role, before: Sequence[Role], following: Sequence[Role]) -> str:
    """How a quantity is told as a result, empty where it is not."""
    position, previous = len(before), before[-1] if before else None
    if claim.quantity.kind == "X":
        if re.match(r" as [a-z]+(?: [a-z]+)? as ", claim.tail) and position == 0:
            return "difference"
        named = re.match(r" as [a-z]+", claim.tail) and _RESULT.search(claim.gap)
        return "result" if named else ""
    if comparison(claim):
        told = re.search(r", $", claim.gap) or _RESULT.search(claim.gap)
        told = told or re.fullmatch(
            r"(?:so )?(?:[a-z']+ ){1,3}(?:is|was|has|had|weighs|are|costs|ran|jumped) ", claim.lead
        )
        return "difference" if told else ""
    sized = re.match(r" (?:tall|high|deep|wide)\b", claim.rest) and _NOW.search(claim.gap)
    if _NEW_AFTER.match(claim.rest) and not sized:
        return ""
    if following and _related(claim, following[0]):
        return "compared"
    if position > 1 and _WHO.search(claim.gap) and " will " not in claim.gap:
        return "named"
    later = " will " in claim.gap
    if previous and not later and previous.quantity.kind in "XF" and _WHICH.fullmatch(claim.gap):
        return "named"
    if previous is not None and comparison(previous) and _THEN_HAS.fullmatch(claim.gap):
        return "named"
    gap = claim.gap if position == 0 else re.split(r"[,;:(.]| and ", claim.gap, maxsplit=1)[-1]
    gap = re.sub(r"^(?: [a-z]+)? (?:per|each|every)(?: of [a-z]+)?\b", "", gap)
    if claim.group:
        gap = re.sub(r"\b(?:each|every|per)\b", "", gap)
    if (
        _NOW.search(gap)
        and "so that" not in claim.lead
        and not _WANT.search(gap)
        and not claim.group
    ):
        return "total"
    reasoned = position and _CAUSE.match(claim.lead) and " , " in claim.lead
    if _NEW.search(gap) and (_WANT.search(gap) or not (_THUS.search(gap) or reasoned)):
        return ""
    if claim.gap.endswith(("so of ", "so for ", "so with ")):
        return ""
    if _SO_THEN.search(claim.lead):
        return "result"
    clause = _SO_CLAUSE.search(claim.lead)
    if clause and len(QUANTITY.findall(clause.group())) == 1 and len(claim.gap.split()) <= 5:
        joined = re.search(r"\b(?:and|or|of|but)\b|,", claim.gap)
        if joined is None:
            return "result"
    if claim.quantity.kind == "P":
        return _told_share(claim)
    opened = position == 1 and _TOTAL.match(claim.lead)
    summed = _TOTAL_AFTER.match(claim.rest) or _TOTAL.search(gap) or opened
    if summed and claim.group != "each":
        return "total"
    colon = re.search(r":(?: (?!an? )[a-z]+){0,3} $", claim.gap)
    if colon and claim.gap != " : " and not QUANTITY.search(claim.rest.split(" ; ")[0]):
        return "result"
    if _MEAN.search(f"@{claim.tail}"):
        return "mean"
    if following_all(claim) or _ADDED.match(claim.lead):
        return "total"
    if _RESULT.search(claim.gap) and not (claim.group and _GERUND.search(claim.gap)):
        subject = re.search(r"\b(?:so|therefore|thus|hence) $", claim.gap) and QUANTITY.search(
            re.sub(r"^ of (?:the |these |his |her |its )?[NMU]\d+", "", claim.rest)
        )
        return "" if subject else "result"
    if _MEAN.search(f"{claim.gap}@{claim.tail}"):
        return "mean"
    if position and claim.quantity.kind != "M" and _MAKES.fullmatch(claim.gap):
        return "total"
    if (
        position >= 3
        and re.search(r",(?: (?!or|and|but)[a-z]+)? $", claim.gap)
        and " and " in claim.lead
    ):
        return "listed"
    used_up = re.match(r"(?: [a-z]+)? (?:had|have|has|must have) been [a-z]+", claim.rest)
    if (used_up and re.search(r"[,;] $", claim.gap)) or _SPENT.match(claim.rest):
        return "rest"
    if (not claim.group and _REST.search(gap)) or re.match(
        r"(?: [a-z]+){0,2} (?:left|remain\w*|unsold|stayed|free(?! [a-z]))\b", claim.rest
    ):
        return "rest"
    if _DEFINITE.search(claim.gap):
        owned = claim.quantity.kind != "N" and claim.gap.endswith(("his ", "her ", "their "))
        return "" if owned else "definite"
    listed = re.fullmatch(r"(?: [a-z]+)? ?,? ?and ", claim.gap)
    if position and (_leads(claim.lead) or _OPENED.match(claim.lead)) and not listed:
        return "reason" if _REASON.match(claim.lead) else "led"
    if not claim.group and _HOLDS.fullmatch(claim.gap):
        paid = claim.quantity.kind == "M" and re.search(r"\b(?:has|have) $", claim.gap)
        follows = re.match(
            r"(?:it|he|she|they|this|that|these|those|the bill|all|his|her|its|their|at) ",
            claim.lead,
        )
        loose = position == 0 and follows is None
        other = re.search(r"\b(?:may|can|could|that|which|who) ", claim.gap)
        if not loose:
            return "" if paid or other else "holds"
    if position == 0:
        return "plain" if claim.group else "first"
    if claim.group and not claim.gap.endswith(("for ", "at ")):
        return _apposed(claim) or "plain"
    changed = re.search(r"\b(?:or|rest|other)\b", claim.gap) is None
    return _apposed(claim) or ("changed" if changed and claim.gap != " : " else "")


def _related(claim: Role, following: Role) -> bool:
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


_OF_SHARE = re.compile(
    r"(?:an? |the )?(?:increase|decrease|rise|fall|drop|cut|reduction|growth|discount|share"
    r"|score|rate"
    r"|turnout|profit|loss|saving)s? of @|, or @|\bby @|@ (?:cheaper|dearer|more expensive"
    r"|less than before)"
)


def _leads(lead: str) -> bool:
    """Whether a subordinate clause stands before the clause of a claim, which holds no other."""
    last = lead.rpartition(" , ")[2]
    joined = last.startswith(("and ", "or ", "but "))
    if _REASON.match(lead):
        return _LED.match(lead) is not None and not joined
    return _LED.match(lead) is not None and not joined and not QUANTITY.search(last)


def following_all(claim: Role) -> bool:
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


def _windows(
    roles: Sequence[Sequence[Role]],
    sentences: Sequence[str],
    index: int,
    position: int,
    cue: str,
) -> list[tuple[list[Role], str]]:
    """Operands the claim may rest on with their words, the nearest first."""
    row = roles[index]
    before, after = list(row[:position]), list(row[position + 1 :])
    sentence = sentences[index]
    found = list[tuple[list[Role], str]]()
    if cue in ("compared", "difference"):
        return _compared_windows(roles, sentences, index, position, cue)
    if cue == "first":
        linked = len(_used(after)) == 2 and _stated_first(row[position], after[0])
        return [(after, sentence)] if linked else []
    if cue == "plain" and not before and len(_used(after)) == 2:
        found.append((after, sentence))
    if after and len(before) + len(after) <= 6 and cue not in ("rest", "plain", "mean"):
        found.append((before + after, sentence))
    if before:
        found.append((before, row[position].lead))
    follows = re.match(
        r"(?:her|his|its|their|the|this|that|so|on average|he|she|it|they|thus|an?)\b", sentence
    )
    if index and "#" not in sentences[index - 1] and (cue != "mean" or follows):
        earlier = list(roles[index - 1])
        words = f"{sentences[index - 1]} . {row[position].lead}"
        found.append((earlier + before, words))
        if before:
            found.append((earlier, words))
        if len(earlier + before) < 3 and index > 1 and "#" not in sentences[index - 2]:
            wider = list(roles[index - 2]) + earlier + before
            found.append((wider, f"{sentences[index - 2]} . {words}"))
    fewest = 1 if f"{row[position].group}s" in UNITS else 2
    return [(ops, words) for ops, words in found if fewest <= len(_used(ops)) <= 6]


def _compared_windows(
    roles: Sequence[Sequence[Role]],
    sentences: Sequence[str],
    index: int,
    position: int,
    cue: str,
) -> list[tuple[list[Role], str]]:
    """The one quantity before a claim, with the comparison behind it, or the two it differs by."""
    row, sentence = roles[index], sentences[index]
    before = _used(row[:position])
    wanted = 2 if cue == "difference" else 1
    if len(before) < wanted and index and "#" not in sentences[index - 1]:
        before = [*_used(roles[index - 1]), *before]
        sentence = f"{sentences[index - 1]} . {sentence}"
    if len(before) != wanted or any(role.group or comparison(role) for role in before):
        return []
    if cue == "difference" and re.search(r"\b(?:will|ago|years?)\b", sentence):
        return []
    if cue == "compared":
        return [([*before, row[position + 1]], sentence)]
    named = re.match(
        r"(?: [a-z]+){0,3}? (?:than|as [a-z]+(?: [a-z]+)? as)(?: the| a| an| his"
        r"| her)? (?P<who>[a-z]+)",
        row[position].rest,
    )
    factor = row[position].quantity.kind == "X"
    if (
        named is not None
        and not factor
        and named["who"] in ("he", "she", "it", "they", "him", "her")
    ):
        return [(before, sentence)] if cue == "difference" and len(before) == 2 else []
    if named is None or named["who"] in ("he", "she", "it", "they"):
        return []
    known = named is not None and re.search(
        rf"\b{named['who']}", row[position].lead + sentences[index - 1] * (index > 0)
    )
    return [(before, sentence)] if known else []


def _stated_first(claim: Role, following: Role) -> bool:
    """Whether the words behind a first quantity relate it to what follows."""
    if re.search(r"\b(?:and|but)\b|[A-Z]\d+ out of\b", following.tail):
        return False
    related = re.fullmatch(
        r"(?: [a-z']+){0,6}? ?(?:is|are|was|were|make|makes|, (?:which|that) (?:is|are|was|makes))"
        r"(?: exactly| just| precisely)? ",
        claim.tail,
    )
    if re.fullmatch(r"(?: [a-z']+){0,6}? , ", claim.tail):
        return following.quantity.kind in "XFP" or comparison(following) != 0
    return related is not None or re.search(r"\b(?:and|but)\b|,|out of", claim.tail) is None


def _used(operands: Sequence[Role]) -> list[Role]:
    return without_counters([role for role in operands if role.quantity.kind not in "TYD"])


def _judge(claim: Role, windows: Sequence[tuple[list[Role], str]], cue: str) -> Guess | None:
    value = claim.quantity.value
    near = list[Guess]()
    for operands, words in windows:
        used = _used(operands)
        found = guesses(used, claim, words + claim.tail)
        if not found and len(used) == 2 and in_proportion(words):
            continue
        listed = cue == "total" and len(used) > 2 and not any(role.group for role in used)
        last = all(role.quantity.span < claim.quantity.span for role in used)
        divided = bool(claim.group) and any(guess[0] is K.QUOTIENT for guess in found)
        sure = last and (
            claim.quantity.kind == "P"
            or divided
            or _in_ratio(found)
            or _multiplied(used)
            or _changed(found)
        )
        other = cue == "result" and value in {role.quantity.value for role in used}
        free = cue != "mean" and not listed and len(used) <= 3 and not (found and (sure or other))
        grouped = len(used) == 3 and any(role.group for role in used) and found
        if (
            free
            and not (grouped and cue in _PLAIN)
            and value in combinations_of([role.quantity for role in used], claim.quantity)
        ):
            return None
        if any(guess[2] == value for guess in found) or _repeats(claim, used, cue):
            return None
        if cue == "definite" and not (_known(claim, used) or _gathered(claim, used)):
            continue
        at = claim.lead in ("at ", "at a rate of ", "with ")
        if cue == "plain" and not at and not _SHARED.search(words + claim.rest):
            continue
        likewise = in_proportion(words) or _LIKEWISE.search(words)
        if cue == "plain" and _in_ratio(found) and not likewise:
            continue
        if cue == "changed" and _in_ratio(found):
            if not _PARTED.search(words) or _WANT.search(claim.lead):
                continue
        told = words if cue == "changed" or "self" in words else words.removesuffix(claim.gap)
        if _OPEN.search(told) or (cue == "mean" and _ORDINAL.search(words)):
            continue
        near += [
            guess
            for guess in found
            if (
                guess[0] in _ALLOWED[cue]
                or (cue == "led" and guess[0] in _SUMS and _one_thing(used, claim))
            )
            and is_near(guess, value, cue)
        ]
    return near[0] if near else None


def _multiplied(operands: Sequence[Role]) -> bool:
    """Whether "as many" or "that" binds a factor to its base."""
    return any(
        role.quantity.kind in "XF" and re.match(r" (?:as|that)\b", role.tail) for role in operands
    )


def _in_ratio(found: Sequence[Guess]) -> bool:
    """Whether the words relate four amounts in proportion."""
    return bool(found) and found[0][0] is K.RATIO


def _changed(found: Sequence[Guess]) -> bool:
    """Whether the words speak of a rise or fall by a percentage."""
    return bool(found) and found[0][0] is K.PERCENT_CHANGE


def _repeats(claim: Role, operands: Sequence[Role], cue: str) -> bool:
    """Whether a quantity only repeats one that was told."""
    return any(
        role.quantity.value == claim.quantity.value
        and role.quantity.kind in "NMU"
        and comparable(role.quantity, claim.quantity)
        and cue != "mean"
        and (cue != "result" or not claim.thing or role.thing in ("", claim.thing))
        for role in operands
    )


def _known(claim: Role, operands: Sequence[Role]) -> bool:
    """Whether what a definite quantity is of was told of before."""
    thing = claim.thing
    return thing != "" and any(thing in (role.thing, role.group) for role in operands)


def _gathered(claim: Role, operands: Sequence[Role]) -> bool:
    """Whether "its 37 cats" gathers counts of different things told just before."""
    nouns = [role.quantity.noun for role in operands]
    apart = len(set(nouns)) == len(nouns) > 1 and all(nouns)
    told = all(role.sentence == claim.sentence - 1 for role in operands)
    return (
        apart
        and told
        and re.search(r"\b(?:its|these|those|all|their) $|^the $", claim.gap) is not None
    )


def _one_thing(operands: Sequence[Role], claim: Role) -> bool:
    """Whether all the quantities are of one named thing, so that a list cannot go on."""
    things = {role.thing for role in operands} - {""}
    return things == {claim.thing} and claim.thing != ""


def is_near(guess: Guess, claimed: Fraction, cue: str) -> bool:
    """Whether a claim can be a slip for a value: within a fourth, or more where told plainly."""
    true, plainly = guess[2], cue in _PLAIN
    if true <= 0:
        return False
    apart = abs(true - claimed)
    if guess[0] in _GIVEN and (9 * apart <= 4 * true if plainly else 3 * apart <= true):
        return True
    digit = one_digit_off(true, claimed) and 10 * apart <= (7 if cue in _LOOSE else 5) * true
    return apart * (3 if plainly else 4) <= true or digit
