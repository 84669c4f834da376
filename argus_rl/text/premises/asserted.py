"""Which sentences a problem text asserts.

A question asks, and an estimate, an attributed, a negated or a conditional statement does not claim
to be true; none of these is judged.  The lead of a question ("Since 3 + 4 = 7, how many ...?") is
asserted.
"""

import re
from collections.abc import Sequence

MAX_TEXT = 3000
"""Characters of a text that are read."""

TOKEN = re.compile(
    r"\d[\d,]*\.\d+|\d+(?:,\d{3})+(?!\d)|\d+|\.\d+|(?:[ap]\.\s?m\.|\b(?:Mr|Mrs|Ms|Dr|St|No|e\.g"
    r"|i\.e)\.)|[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)*|[$€£%½¼¾⅓⅔]|[^\s\w]"
)
"""Numbers, words and single signs of a text."""

_NOT_ASSERTED = re.compile(
    r"(?i)\b(?:(?:about|around|nearly|almost)(?= (?:[$€£]?\d|an? (?:dozen|hundred|half|third"
    r"|quarter"
    r"|fifth|sixth|tenth|thousand|million|year|month|week|day|hour|minute|mile)|half|one|two"
    r"|ten|tw[ei]"
    r"|th(?:ir|re|ou)|f[oi]|s[ie]|e[il]|nin))|approximately|roughly|estimat\w+|guess\w*"
    r"|reckon\w*|scribbl\w+|mis(?:read|print|count|heard|hear|calculat)\w*|assum(?:e|es|ed"
    r"|ing)\b|believe[sd]?|thinks?|thought|claim"
    r"(?:s|ed|ing)?|wrong(?:ly)?|mistake\w*|mistaken\w*|incorrect\w*|false|round(?:s|ed|ing)"
    r"|round(?= (?:to|up|down)\b)"
    r"|written|wrote|suppose[sd]?|if|(?:cannot|can't)(?! (?:borrow|get|buy|earn))|pretend\w*"
    r"|instead of|(?:is|are|was|were) not (?=\d|an? (?:half|third|quarter|fifth)|half"
    r"|[a-z]+ times)|not (?:true|divisible"
    r"|equal|possible|enough)|at least|at most|(?<!add )(?<!adds )(?<!adding )(?<!added )up to|"
    r"(?:say(?:s|ing)?|said|told)(?: [a-z]+){0,2}? (?:that|he|she|they|it|there)|unless"
    r"|according to|local time|time zones?|give or take|would"
    r" have|should have|could have|supposedly|allegedly|hardly)\b|≈|~|(?<=\s)[-−]\d"
)


def sentences_of(text: str, tokens: Sequence[re.Match[str]]) -> list[tuple[int, int]]:
    """Token ranges of the sentences, their end marks excluded except question marks."""
    found = list[tuple[int, int]]()
    start = 0
    for index, token in enumerate(tokens):
        word = token.group()
        abbreviated = word[-2:].lower() == "m." and text[token.end() :].lstrip()[:1].isupper()
        if word in (".", "!", "?") or abbreviated:
            end = index + (word != "." and word != "!")
            if end > start and word == "?":
                lead = _premise_end(text, tokens, start, end)
                if lead > start:
                    found.append((start, lead))
                    start = lead
            if end > start:
                found.append((start, end))
            start = index + 1
    if start < len(tokens):
        found.append((start, len(tokens)))
    return found


def is_asserted(text: str, tokens: Sequence[re.Match[str]], start: int, end: int) -> bool:
    sentence = text[tokens[start].start() : tokens[end - 1].end()]
    if sentence.endswith("?"):
        return False
    general = _GENERAL.match(sentence) and not _CONTRARY.search(sentence)
    return not _NOT_ASSERTED.search(sentence[2:] if general else sentence)


_GENERAL = re.compile(
    r"(?i)if (?:(?:you|we|one|a|an|each|every)\b|\d+ |(?:two|three|four|five|six|seven|eight"
    r"|nine|ten) |\S+ \S+ (?:\S+ )?(?:are|is|costs?|takes?)\b)"
)
_CONTRARY = re.compile(
    r"(?i)\b(?:would|could|should|had|were|was|did|will|might|may|in fact|actually|only|instead"
    r"|then|calculate|find|determine|what|how)\b"
)
"""A general "if" ("If 1 ticket costs $13, 6 cost $78") asserts what holds whenever it does."""


_PREMISE_OF_QUESTION = re.compile(
    r"(?i)(?:with|since|given|as|because|knowing)\b[^?]*?,(?= (?:how|what|which|who|when|where|at"
    r"|on|in|to|for)\b)"
)


def _premise_end(text: str, tokens: Sequence[re.Match[str]], start: int, end: int) -> int:
    """Where the asserted lead of a question ends ("Since 3 + 4 = 7, how many ...?"), or `start`."""
    first, last = tokens[start].start(), tokens[end - 1].end()
    lead = _PREMISE_OF_QUESTION.match(text, first, last)
    if lead is None:
        return start
    return next(index for index in range(start, end) if tokens[index].end() == lead.end())


def asserted_sentences(text: str) -> list[tuple[int, int]]:
    """Character ranges of the sentences that a text asserts."""
    tokens = list(TOKEN.finditer(text[:MAX_TEXT]))
    return [
        (tokens[start].start(), tokens[end - 1].end())
        for start, end in sentences_of(text, tokens)
        if is_asserted(text, tokens, start, end)
    ]
