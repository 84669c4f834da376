"""Phrases that present the next quantity as a result, beyond the plain connectives.

"Bringing the weekend figure to", "a combined load of", "pooling their savings gives them" and "over
the three days they drove" all announce a total; "the piece that remained measured" and "so empty
seats number" announce a rest.  Each pattern is matched against the words between the last quantity
and the claim, and ends where the claim starts.
"""

import re

_VERB = (
    r"(?:is|are|was|were|has|have|had|holds?|held|offers?|offered|weighs?|weighed|counts?|counted"
    r"|drove|drives?|ran|runs?|walked|walks?|made|makes?|sold|sells?|read|reads?|earned|earns?"
    r"|spent|spends?|paid|pays?|costs?|cost|collected|collects?|picked|picks?|baked|bakes?|covered"
    r"|covers?|measures?|measured|raised|raises?|got|gets?|scored|scores?|saved|saves?|came to"
    r"|comes? to|did|does|owns?|owned|worked|works?|caught|found|used|uses?|produced|produces?"
    r"|carr(?:y|ies|ied)|took|takes?|gave|gives?|received|receives?|cycled|swam|grew|drank|ate"
    r"|planted|welcomed|served|lasted|lasts?|reached|reaches|stood at|stands at|amounts? to"
    r"|amounted to|equals?|totals?|totalled|totaled|employs?|seats?|contains?|contained)"
)
_BY = r"(?:only |just |exactly |as many as |a total of |a full |altogether |no fewer than )*"
_WHOLE = r"(?:total|sum|combined|joint|grand total|overall|aggregate|united|cumulative|collective)"

WAY_ROUND = re.compile(r"\b(?:perimeter|boundary|outline)\b")
"""A way round takes its sides twice; which sides, only the rules of shapes can say."""

TOTAL_CUE = re.compile(
    rf"(?:\b(?:bring(?:s|ing)?|brought|tak(?:es?|ing)|took|push(?:es|ing)?|put(?:s|ting)?|lift(?:s"
    rf"|ing))\b(?: [a-z']+){{1,6}} (?:to|up to|at)"
    rf"|(?:[;:]|\bso|\band|^)(?: by [a-z ]+?)? ?,? ?(?:the|her|his|their|its|our|my) (?:[a-z]+"
    rf" )?{_WHOLE}(?: [a-z']+){{0,3}}? (?:is|was|are|were|stood at|stands at|came to|comes to"
    rf"|reached|reaches|being|equals|now"
    rf" is|:)"
    rf"|\b{_WHOLE} (?:[a-z]+ )?:"
    rf"|^total (?:[a-z]+ )?(?:is|was|:|of|comes to|came to)"
    rf"|\bwhich (?:gives?|makes?|adds? up to|comes? to|brings?|is|means)(?: [a-z']+){{0,2}}"
    rf" (?:a|an) (?:[a-z]+ ){{1,3}}of"
    rf"|, (?:making|giving|forming|totalling|totaling)(?: [a-z']+){{0,2}}? (?:a|an) (?:[a-z]+"
    rf" ){{1,3}}of"
    rf"|(?:^|[,;:] |\band )(?:so |and )?(?:together|altogether|in all|in total|all told|in sum"
    rf"|overall|all in all|combined|jointly|between them|taken together|put together|added up"
    rf"|added together|counted together|laid end to end|in combination)(?: ,)?(?: [a-z']+){{0,4}}?"
    rf" {_VERB}"
    rf"|^(?:pooling|adding|putting|combining|counting|joining|stacking|summing|totalling|totaling)"
    rf" [^A-Z.#]*?(?:gives?|makes?|yields?|brings?|produces?|gets?|leaves?|,(?:"
    rf" [a-z']+){{1,3}})(?: them| him| her| us| it)?"
    rf"|^(?:put|placed|taken|laid|joined|added|pooled|counted|weighed|stacked|tied|glued) "
    rf"[^A-Z.#]*?"
    rf", (?:[a-z']+ ){{1,3}}(?:{_VERB}|measure|weigh|come to|make|reach|give)"
    rf"|(?:^|, |and )(?:over|in|during|across|on|for|throughout) (?:all |both |the whole )?(?:the"
    rf" |these |those )?(?:N\d+ |U\d+ |whole |entire |two |full )?(?:[a-z]+ )?,? ?(?:[a-z']+ )"
    rf"{{1,3}}therefore {_VERB})"
    rf" {_BY}$"
)
"""What announces a total, up to the claim."""

APPOSED_TOTAL = re.compile(
    rf"(?:[,;:(]|\bis|\bso|\bmakes?) (?:a |an |the )(?:[a-z]+ )?{_WHOLE}(?: [a-z']+){{0,3}}? of"
    rf" {_BY}$"
)
"""A total in apposition to the operands: ", a combined load of"."""

OVER_CUE = re.compile(
    rf"^(?:so |and )?(?:over|in|during|across|on|throughout|for) (?:all )?(?:the|these|those|both)"
    rf" (?:course of (?:the|these|those) )?(?:whole |entire )?(?:[NU]\d+|weekend|whole [a-z]+"
    rf"|entire [a-z]+)(?: (?!together)[a-z]+)?(?: together| combined| altogether)? ?,?"
    rf" ?(?:[a-z']+ ){{1,3}}?{_VERB} {_BY}$"
)
"""A sentence that sums up the one before: "over the three days they drove"."""

LEFT_CUE = re.compile(
    r"(?:\b(?:the|a) (?:piece|part|rest|remainder|remaining [a-z]+|others?|[a-z]+) (?:that|which)"
    r" (?:remained|remains|was left|is left|were left|are left|stayed)(?: over| behind)? (?:was"
    r"|is|measures|measured|weighs|weighed|holds|of|came to|still had|were|are)"
    r"|\b(?:a|an|the) (?:loss|saving|reduction|drop|fall|decrease|decline|difference|gap|profit"
    r"|gain|rise|increase|remainder|rest|balance|margin|lead|surplus|shortfall|deficit|head start"
    r"|remaining [a-z]+)(?: [a-z]+){0,2}? (?:of|is|was|being|:)"
    r"|, (?:leaving|saving|losing|gaining|keeping|retaining|reducing [a-z ]*to|cutting [a-z ]*to"
    r"|lowering [a-z ]*to|reduced to)(?: (?!the |a |an )[a-z]+){0,3}?"
    r"|\bafter (?:it|he|she|they|[a-z]+) [^A-Z.#]*[NMU]\d+[^A-Z.#]*?,? ?(?:there (?:were|are)"
    r"|(?:he|she|it|they|[a-z]+) (?:had|has|have|kept|held|owned)(?: still)?)"
    r"|\bwhich (?:left|leaves|saved|saves)(?: [a-z']+){0,4}?(?: with)?)"
    r" (?:only |just |exactly |a |some )*$"
)
"""What announces a rest or a difference, up to the claim."""

RESULT_CUE = re.compile(
    r"(?:(?:^|[,;:] |\band )(?:in other words|that is to say|to put it differently|put differently"
    r"|that is|this is|that means|this means|which means|i\.e\.|namely|consequently"
    r"|accordingly|it follows that|expressed in [a-z]+|this gives|that gives|this makes"
    r"|that makes|this yields|that made|that gave|this gave|and that is)(?: ,)?(?: that is)?(?:"
    r" [a-z']+){0,4}?"
    r"|\btherefore(?: [a-z']+){1,3})"
    r" (?:only |just |exactly |a total of )*$"
)
"""What announces any result at the start of a clause."""


TAKING = re.compile(
    r"\b(?:sold|sells?|selling|gave|gives?|given|giving|eat|ate|eats|eaten|spen[dt]s?|pays?"
    r"|paid|uses?|used|cuts?"
    r"|cut off|drawn|draws?|drew|drained?|pour(?:s|ed)?|pumped|leak\w*|takes?|took|taken"
    r"|withdr[ae]w\w*|remov\w+"
    r"|lost|loses?|breaks?|broke|leave|leaves|(?:went|goes?|go) (?:away|home|off|by|out)"
    r"|gets? off|got off|off|fl(?:y|ew|ies)|away|swam"
    r"|dr[io]ve|drove|ran|escap\w+|died?|dies|burn\w*|thr[eo]ws?|threw|thrown|lends?|lent"
    r"|hand\w*|donat\w+"
    r"|dr[aiu]nks?|drinks?|deliver\w*|unload\w*|goes? (?:on|to|for)|evaporat\w+|melt\w*|sank"
    r"|sinks?|sunk|fell|falls?|popped|burst|stolen|stole|shipped|resign\w*|reject\w*"
    r"|absent|sick|ill|cancel\w*|quit|rotten|checked out|buys|bought|absent)\b"
)
"""Words for what makes an amount smaller."""

GAINING = re.compile(
    r"\b(?:more|another|gets?(?! off)|got(?! off)|receiv\w+|finds?|found|add(?:s|ed)|join\w*"
    r"|arriv\w+|came|come back|returns?|returned"
    r"|wins?|won|earn\w*|bak(?:es|ed)|refilled|born|grew|grows?|collect\w*|gains?|gained|each"
    r"|every|per"
    r"|gave (?:him|her|them|it|me|us)|gives? (?:him|her|them|it)|times|twice|addition|plus"
    r"|besides|boards?|boarded|deposit\w*)\b"
)
"""Words for what makes an amount larger, or leaves open how large it is."""


def without_counter(before: str) -> str:
    """A sentence up to a claim, without a number that only counts what went before ("the two")."""
    counter = re.search(r"\b(?:the|these|those|all|both) [NU]\d+\b", before)
    if counter is None or len(re.findall(r"\b[NMUPFXTY]\d+\b", before)) != 1:
        return before
    return before.replace(counter.group(), "the few")
