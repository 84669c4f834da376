"""Words that present a quantity as a result: "in all", "left with", ", so", "hold".

The mark decides how the operands before the claim are combined when they are reported, and how
much company the claim needs to be judged at all.
"""

import re

from argus_rl.text.premises.cues import APPOSED_TOTAL, LEFT_CUE, OVER_CUE, TOTAL_CUE

_TOTAL_BEFORE = re.compile(
    r"(?:\b(?:which|that|this|together|altogether|it|they|these|so) (?:[a-z]+ ){0,2}?(?:makes?"
    r"|totals?|adds? up to|comes? to|amounts? to|gives?|brings?|sums? to)|\bmaking|\btotall?ing"
    r"|\bgiving|\badding up to|\bamounting to|\bcoming to|(?:\b(?:for|with|is|are|was|or|making)"
    r"|[,:]) (?:a |the )?(?:[a-z]+ )??(?:total|sum) of|\btotal [a-z]+ (?:is|was|are|were|comes to"
    r"|of)|(?:^|, |; |: |\band )(?:so )?(?:together|altogether|in all|in total|all told|in sum)"
    r"(?: ,)?(?: [a-z']+){1,4}?|\b(?:bill|total|sum|cost|price) (?:comes?|came|amounts?|amounted"
    r"|was|is)(?: to)?|\bmakes?|\bmade)(?: exactly| a total of| up| up to| him| her| them| [a-z]+"
    r" total of)*(?: the| an?)? ?$"
)
_TOTAL_AFTER = re.compile(
    r" ?(?:[a-z'-]+ ){0,4}?(?:in all|altogether|in total|together|all told|combined|overall"
    r"|between them|in sum)\b"
)
_BARE = re.compile(r" (?:(?!and |to [a-z]|who |that |are |is )[a-z'-]+ ){1,4}$")
_EACH_CLAUSE = re.compile(r"(?:\band|,|;) (?:each|every)\b[^,;]*$")
_LEFT_BEFORE = re.compile(
    r"(?:\bwhich (?:leaves?|left)|\bso (?:[a-z]+ ){0,3}saves?|\bleaving|\b(?:he|she|it|they|that"
    r"|this|[a-z]+) (?:is|was|are|were) left with|\bleft (?:him|her|them|it|us|me) with|, an? "
    r"(?:saving|difference|gap|loss|gain|profit|drop|rise|fall|decrease|increase|raise) of|(?:,"
    r"|which is|making|giving|with|for) an? (?:[a-z]+ )?(?:saving|difference|gap|profit|loss)(?:"
    r" [a-z]+)? of|\bso (?:there (?:are|were)|he has|she has|they have|it has) (?:only )?"
    r"(?=[NMU]\d+ (?:[a-z]+ )?left))(?: [a-z]+){0,2}? ?(?:with )?(?:only |just |exactly )?$"
)
_SO_BEFORE = re.compile(
    r"(?:\bso(?: that)?|\btherefore|\bthus|\bhence|\bwhich means|\bmeaning|:)(?: ,)?(?:"
    r" [a-z'-]+){0,5}(?: N\d+)?(?: [a-z'-]+){0,6} ?$"
)
_SO_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|holds?|held|carr(?:y|ies)|costs?|weighs?|receives?|gets?"
    r"|takes(?: home)?|earns?|contains?|makes?|can|must|each|leaves?|sent|worth|uses?|needs?"
    r"|covers?|got|spent|spends?|pays?|paid|comes? to|totals?|there|:)\b"
)
_REMAINS_AFTER = re.compile(r" (?:[a-z'-]+ ){0,3}?(?:remain|remained|remains|left|stays?)\b")
_REMAINS_BEFORE = re.compile(
    r"\b(?:after\b[^,]*[NMU]\d[^,]*,|from\b[^,]*[NMU]\d[^,]*,[^,]*[NMU]\d[^,]*, and"
    r"|[NMU]\d[^,;]*[;,] (?:and )?) ?(?:there (?:are|were) |he had |she had |they had )?$|\b(?:so"
    r"|therefore|thus|hence)(?: ,)?(?: [a-z]+){0,3} ?$"
)
_USES = re.compile(r"\b(?:hold|holds|held|used up|use up|uses|contain|contains|give|gives) $")
_AFTER_LOSS = re.compile(
    r"(?:and |but |so |, )*after (?:(?:he|she|it|they|[a-z]+)\b[^A-Z]*)?\b(?:bought|buys?|paid"
    r"|pays?"
    r"|spent|spends?"
    r"|gave|gives?|giving|sold|sells?|ate|eats?|used|lost|loses?|lent|donated|removed|took|takes"
    r"|threw|cut"
    r"|buying|paying|spending|selling|eating|using|losing)\b[^A-Z]*[NMU]\d+[^A-Z]*,? (?:there "
    r"(?:were|are|was|is)"
    r"|(?:he|she|it|they|[a-z]+) (?:still )?(?:had|has|have|kept|held|owned|was left with))(?: only"
    r"| just)? $"
)
OVER = re.compile(
    r"(?:over|during|on|in) (?:the|these|those|all) [NU]\d+(?: [a-z]+)?(?: together)? ?,? ?$"
)

_NO_RESULT_AFTER = re.compile(
    r" (?:of |in )?profit\b| (?:[a-z]+ )?(?:(?:are|is|would be|will be) (?:enough|needed)|go with"
    r"|need|serve|last)| [/-]"
)
_PART_AFTER = re.compile(
    r" (?:[a-z]+ ){0,2}(?:each|per|apiece|more|less|fewer|older|younger|times)\b"
    r"| an? (?:piece|head|person|day|week|hour|minute|time) ?(?:[.,;]|$)"
)
_MAKES = re.compile(r"\bma[kd]es?(?: [a-z]+){0,2} ?$")
_THAT_MAKES = re.compile(r"\b(?:which|that|this|it|together|altogether) makes?\b")
_SUMS_TO = re.compile(r"\b(?:adds? up|comes?|amounts?|sums?) to $")
_OTHER_TOTAL = re.compile(r"\band\b.*\btotal of $")


def mark_of(before: str, gap: str, after: str) -> str:
    """What marks a quantity as a result: total, left, product, so, or "" for nothing.

    `before` is the sentence up to the quantity, `gap` its part behind the last operand, and
    `after` what follows the quantity.
    """
    if _PART_AFTER.match(after) or _NO_RESULT_AFTER.match(after):
        return ""
    if gap == " : " or gap.endswith(" in "):
        return ""
    if _LEFT_BEFORE.search(gap) or LEFT_CUE.search(gap):
        return "left"
    clause = re.split(r"[NMU]\d+[^A-Z]*?, and (?=after )", before)[-1]
    if _AFTER_LOSS.match(clause) and not re.match(r" (?:more|less|fewer)", after):
        return "left"
    if _is_total(before, gap, after):
        return "total"
    if _is_product(before, gap):
        return "total" if re.match(r"(?:adding|putting|combining)\b", before) else "product"
    if _REMAINS_AFTER.match(after) and _REMAINS_BEFORE.search(before):
        return "left"
    subject = re.search(r"\b(?:so|therefore|thus|hence) $", before) and re.search(
        r"\b[A-Z]\d", after
    )
    if subject or before.endswith(("the ", "these ", "those ")):
        return ""
    return "so" if _follows(before, after) else ""


def _is_total(before: str, gap: str, after: str) -> bool:
    if OVER.match(before) or before.startswith("between them") or OVER_CUE.match(before):
        return True
    if TOTAL_CUE.search(gap) and not re.match(r"(?:after|when|once) ", before):
        return True
    if gap != before and APPOSED_TOTAL.search(gap):
        return True
    if _BARE.match(gap) and _SUMS_TO.search(gap):
        return True
    bare = _MAKES.search(gap) is not None and _THAT_MAKES.search(gap) is None
    if (bare and not _BARE.match(gap)) or _OTHER_TOTAL.search(gap):
        return False
    if re.search(r", having (?:[a-z]+ ){1,3}$", gap):
        return True
    if _TOTAL_BEFORE.search(gap) or re.match(r"having (?:[a-z]+ )+$", before):
        return True
    linked = re.search(r"[,(:;]|\bso\b", gap) or not re.search(r"\b(?:and|with|of|has|have)\b", gap)
    return _TOTAL_AFTER.match(after) is not None and bool(linked)


def _is_product(before: str, gap: str) -> bool:
    if not _USES.search(gap) or _EACH_CLAUSE.search(before):
        return False
    return bool(_BARE.match(gap) or re.match(r"(?:to|adding|putting) ", before))


def _follows(before: str, after: str) -> bool:
    so = _SO_BEFORE.search(before)
    if so is None:
        return False
    return so.group()[0] == ":" or _SO_VERB.search(so.group() + after[:40]) is not None
