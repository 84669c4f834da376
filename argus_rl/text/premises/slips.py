"""Results that are nearly right: a slip is close to the value it should have.

The widest net, cast behind all others.  A quantity that ends a sentence after two or more others
(", using 116 roses"), or a short sentence that takes the last one up ("That left 41 tickets"), is
compared with every plain relation of the quantities before it.  It is refused only where no
combination gives it, one relation gives a value within a quarter of it, and nothing in the words
says that something new is told: no purchase, no list that goes on, no rate, no new subject.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from argus_rl.text.premises.cues import without_counter
from argus_rl.text.premises.derived import combinations_of, one_digit_off
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Reading
from argus_rl.text.premises.relations import NEARNESS, Guess, guesses_of
from argus_rl.text.premises.rule import finding

_QUANTITY = re.compile(r"\b[NMUPFXTY]\d+\b")
_NEW = re.compile(
    r"\b(?:every|per|more|less|fewer|another|additional|extra|others?|second|third|last|next|some"
    r"|if|than|but|while|whereas|times|twice|only|then|also|later|before|until|needs?|want\w*|will"
    r"|would|should|buys?|bought|gave|gives? (?:him|her|them|away)|gets?|got|adds? (?!up)|added"
    r"|finds?|found|donated?|decid\w*|plan\w*|wins?|won|still|now|already|borrow\w*|instead"
    r"|as well as|receives?|received|sells|sold|like|likes|starts?|at|by|of which|with each|slows?"
    r"|wanted|sets? of|plus|first|(?:in|from|of|for) each of|each from|of them (?:are|is|were|was)"
    r"|and(?! (?:so|is|thus|therefore|hence|weighs|costs|measures|has|owes"
    r"|comes|you|for)\b))\b"
)
_KNOWN = re.compile(
    r"\bnow (?:worth|stands?|costs?|has|is)\b|\bat (?:an average|a mean|a speed)\b|\bof which\b"
    r"|\bso (?:there is room|is|one)\b|, or $|: $"
)
_NEW_AFTER = re.compile(
    r"\b(?:every|more|less|fewer|another|additional|extra|times|older|younger|longer|respectively"
    r"|of (?:them|the|his|her|their|these|those)|(?:and|or|at|for|plus|with|but) [A-Z]\d|but|mph)\b"
    r"|[A-Z]\d|^ [-/x]| (?:now|already|today|so far|at a time)\b|^ [a-z]+ (?:are|were|is) [a-z]+ ,"
)
_REST_AFTER = re.compile(
    r"(?: [a-z]+){0,2}? (?:are |were |is |was )?(?:left|remain\w*|stayed|free|unsold|empty"
    r"|unused)\b"
)
_TOTAL_AFTER = re.compile(
    r"(?: [a-z]+){0,2} (?:in total|altogether|in all|all told|together|combined)\b"
)
_RATE_AFTER = re.compile(r" (?:[a-z]+ )?(?:in |for |to )?(?:each|per|apiece|a|an)\b")
_SHARED = re.compile(
    r"\b(?:equal\w*|evenly|shar\w+|split|divid\w+|averag\w*|speed|rate|mean|identical|daily|same)\b"
)
_RESULT = re.compile(
    r"\b(?:so|thus|therefore|hence|altogether|together|in all|total|making|giving|that is)\b|:"
)
_ANAPHOR = re.compile(
    r"(?:(?:that|this|these|those)(?! (?:week|month|year|day|time|morning|evening|night|spring"
    r"|summer|autumn|winter|one|afternoon)) |it (?:has |had |is |was )?(?:therefore|thus|comes?"
    r"|came|makes|takes|took|sh[ra]\w+k|grew|lost|gained|weighs|holds|contains|lasts|lasted"
    r"|follows)\b|(?:so|thus|therefore|hence|together|altogether|both|in all|in total|all told"
    r"|consequently|between them) |(?:her|his|their|its|the) (?:[a-z]+-)?(?:total|sum|whole|harvest"
    r"|combined|joint|contents|difference|change|bill|rest|remainder|average|mean|daily|weekly"
    r"|monthly|gap|lead|loss|profit|savings?|tally|tour|sale|new|reduced|increased|final)\b|since"
    r" [^,]*, |because [^,]*, |all this |[^A-Z]*\b(?:therefore|thus|hence|consequently)\b)"
)


def check_slips(reading: Reading) -> Iterator[PremiseFinding]:
    """Findings about quantities that are nearly what those before them give."""
    sentences = reading.form.split(" . ")
    for index, sentence in enumerate(sentences):
        for match in _QUANTITY.finditer(sentence):
            before, after = sentence[: match.start()], sentence[match.end() :]
            if match.group()[0] not in "NMU" or _NEW_AFTER.search(after):
                continue
            context = _context(before, after, sentences[index - 1] if index else "")
            rate = _RATE_AFTER.match(after) is not None
            if not context or (rate and not _SHARED.search(context + after)):
                continue
            found = _judge(reading, context, match.group())
            if found is None and index and _RESULT.search(_QUANTITY.split(before)[-1]):
                found = _judge(
                    reading, _with_previous(context, sentences[index - 1]), match.group()
                )
            if found is not None:
                yield found


def _context(before: str, after: str, previous: str) -> str:
    """The words that hold the operands, "" where the quantity is not told as a result."""
    before = without_counter(before)
    operands = _QUANTITY.findall(before)
    gap = _QUANTITY.split(before)[-1]
    if _NEW.search(_KNOWN.sub(" ", gap)) or len(gap.split()) > 12 or not _is_result(gap, before):
        return ""
    if len(operands) >= 2:
        return before
    rest = _TOTAL_AFTER.match(after) is not None and not operands
    rest = rest or (gap == before == "" and _REST_AFTER.match(after) is not None)
    known = rest or _ANAPHOR.match(before) or _same_share(before, previous)
    linked = not operands or _RESULT.search(gap) is not None
    if "#" in previous or not known or not linked or " ratio " in previous:
        return ""
    return f"{previous} . {before}"


def _with_previous(context: str, previous: str) -> str:
    return context if " . " in context or "#" in previous else f"{previous} . {context}"


def _is_result(gap: str, before: str) -> bool:
    """Whether the words before a quantity do not simply go on with a list."""
    if gap.endswith(" for ") and not gap.endswith((", for ", "so for ")):
        return False
    if (
        (gap == " : " and re.search(r"N\d+ : $", before))
        or gap in (" - ", " * ")
        or re.search(r"\bages?\b|\bratio\b|[A-Z]\d+ $", before)
    ):
        return False
    if " or " in gap and not re.search(r"[PFX]\d", before):
        return False
    if re.fullmatch(r"(?: [a-z]+){0,2} [,;(] | ?", gap) and not re.search(
        r"\b(?:each|[PFX]\d)", before
    ):
        return _RESULT.search(gap) is not None
    return not _parallel(before)


def _parallel(before: str) -> bool:
    """Whether a list goes on: the word before the quantity stood before an earlier one."""
    words = re.findall(r"([a-z]+) (?=[NMU]\d)|([a-z]+) $", before)
    last = words[-1][1] if words else ""
    return bool(last) and last not in ("is", "are") and last in {word for word, _ in words}


def _same_share(before: str, previous: str) -> bool:
    """Whether a sentence says again, in numbers, of what part the one before spoke ("he lost")."""
    again = re.match(r"(?:he|she|it|they|[a-z]+) ([a-z]{3,}) $", before)
    if again is None or again.group(1) in ("has", "had", "have"):
        return False
    return re.search(r"\b[PFX]\d", previous) is not None and f" {again.group(1)} " in previous


def _judge(reading: Reading, context: str, name: str) -> PremiseFinding | None:
    claim = reading.of(name)
    operands = [reading.of(found) for found in _QUANTITY.findall(context) if found[0] not in "TY"]
    if not 2 <= len(operands) <= 6:
        return None
    if claim.value <= 0 or claim.value in combinations_of(operands, claim):
        return None
    guesses = guesses_of(operands, claim, context)
    if any(guess[2] == claim.value for guess in guesses):
        return None
    near = [guess for guess in guesses if _is_near(guess, claim.value)]
    if not near:
        return None
    kind, expression, true = min(near, key=lambda guess: abs(guess[2] - claim.value))
    return finding(kind, claim, expression, true)


def _is_near(guess: Guess, claimed: Fraction) -> bool:
    apart = abs(guess[2] - claimed)
    shared = guess[0] in (PremiseKind.FRACTION, PremiseKind.PERCENT)
    if apart <= (Fraction(3, 10) if shared else NEARNESS) * guess[2]:
        return True
    return 2 * apart <= guess[2] and one_digit_off(guess[2], claimed)
