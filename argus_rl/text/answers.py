r"""The final answer of a completion, as an exact rational number or none.

Everything that rewards a chain rests on this reading, so it abstains where a reader could differ.
Only the first assistant turn counts, and reasoning in `<think>` tags does not.  The last marker
decides, in this order of kinds: `#### x`, `\boxed{x}`, `<answer>x</answer>`, a JSON field
`answer`, then `the answer is / answer: / A:`.  Without a marker the last sentence with a number
must hold exactly one, or end in an equation.  Values are compared as fractions, without tolerance,
and nothing is evaluated, so that a completion cannot cost time or earn credit by being odd.
"""

import re
from collections.abc import Iterator

from argus_rl.text.values import MAX_PHRASE, Answer, read_value

__all__ = ["Answer", "answers_match", "extract_answer", "first_turn", "parse_answer"]

MAX_COMPLETION = 200_000
"""Characters of the first turn that are read, counted from its end."""

_BREAK = re.compile(
    r"<\|(?:im_end|endoftext|eot_id|end_of_text|end|eom_id)\|>|</s>|<end_of_turn>"
    r"|^[ \t*#]*(?:Question|Q|Problem|User|Human)[*]*:"
    r"|(?P<open><think(?:ing)?>)|(?P<close></think(?:ing)?>)",
    re.MULTILINE,
)
_THINK_END = re.compile(r"</think(?:ing)?>|(?P<stop><\|(?:im_end|endoftext|eot_id)\|>|</s>)")


def first_turn(completion: str) -> str | None:
    """The first assistant turn without its reasoning, None where the reasoning never closes."""
    kept = list[str]()
    position = 0
    while found := _BREAK.search(completion, position):
        if found.group("close"):
            kept.clear()
            position = found.end()
        elif found.group("open"):
            kept.append(completion[position : found.start()])
            end = _THINK_END.search(completion, found.end())
            if end is None or end.group("stop"):
                return None
            position = end.end()
        else:
            kept.append(completion[position : found.start()])
            return "".join(kept)
    return "".join(kept) + completion[position:]


def extract_answer(completion: str) -> Answer | None:
    """The final answer of a completion, None where it gives no single exact number.

    >>> extract_answer("12 + 5 = 17; the answer is 17").key
    '17'
    """
    turn = first_turn(completion)
    if turn is None:
        return None
    turn = turn[-MAX_COMPLETION:]
    for find in (_hash_phrase, _boxed_phrase, _tag_phrase, _json_phrase, _stated_phrase):
        phrase = find(turn)
        if phrase is not None:
            return read_value(phrase)
    return _unmarked(turn)


def parse_answer(text: str) -> Answer | None:
    """The value of a plain numeral such as a gold answer ("1,200", "-3", "3/4", "50%")."""
    return read_value(text)


def answers_match(answer: Answer | None, gold: str | Answer) -> bool:
    """True where `answer` has the value of `gold`; p% equals p and p/100.

    Two percentages are equal only by their written value.  None never matches.
    """
    wanted = parse_answer(gold) if isinstance(gold, str) else gold
    if answer is None or wanted is None:
        return False
    if answer.value == wanted.value:
        return True
    if answer.percent == wanted.percent:
        return False
    percentage, plain = (answer, wanted) if answer.percent else (wanted, answer)
    return percentage.value == 100 * plain.value


_HASHES = re.compile(r"(?<!#)####(?!#)([^\n]*)")
_HEADING = re.compile(
    r"(?i)\W*(?:step|part|case|solution|explanation|reasoning|(?:final )?answer|conclusion|check|"
    r"verification|given|note|calculation|summary|result)s?\b(?:[^\d\n]*|\W*\d+\s*[:.)-].*)$"
)


def _hash_phrase(turn: str) -> str | None:
    for found in reversed(list(_HASHES.finditer(turn))):
        line = found.group(1)
        at_line_start = not turn[: found.start()].rpartition("\n")[2].strip()
        if not (at_line_start and _HEADING.match(line)):
            return _first_sentence(_after_label(line))
    return None


def _after_label(line: str) -> str:
    """A marker's line without a second label, as in "#### Answer: 18"."""
    return re.sub(r"(?i)^\W*(?:final )?answer\W*(?:is\b|:)\s*", "", line)


_BOX = re.compile(r"\\f?boxed\s*(\{|\d+|(?=\\))")


def _boxed_phrase(turn: str) -> str | None:
    """Content of the last box; an empty phrase where the box is cut off."""
    boxes = list(_BOX.finditer(turn))
    if not boxes:
        return None
    last = boxes[-1]
    if last.group(1) != "{":
        return last.group(1)
    depth = 1
    for index in range(last.end(), min(len(turn), last.end() + MAX_PHRASE)):
        escaped = turn[index - 1] == "\\"
        depth += {"{": 1, "}": -1}.get(turn[index], 0) * (not escaped)
        if depth == 0:
            return turn[last.end() : index]
    return ""


_TAG = re.compile(r"(?i)<(?P<end>/?)answer>")


def _tag_phrase(turn: str) -> str | None:
    tags = list(_TAG.finditer(turn))
    if not tags:
        return None
    if not tags[-1].group("end") or len(tags) < 2 or tags[-2].group("end"):
        return ""
    content = turn[tags[-2].end() : tags[-1].start()]
    return _stated_phrase(content) or content


_JSON = re.compile(
    r"(?i)[{,]\s*[\"'](?:final[_ ]?)?answer[\"']\s*:\s*"
    r"(?:\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|(?P<nested>[\[{])|(?P<bare>[^,}\n\"']*)(?=[,}\n]))"
)


def _json_phrase(turn: str) -> str | None:
    fields = list(_JSON.finditer(turn))
    if not fields:
        return None
    return next(value for value in fields[-1].groups() if value is not None)


_PHRASE = re.compile(
    r"\banswer\b(?:\s+(?:to|for)\s[^.:\n]{0,120}?)?(?:\s*\([^()\n]{0,60}\))?[\s*_\"'`]{0,4}"
    r"(?:(?:is|was|are|equals|would be|will be|should be|must be|comes (?:out )?to)(?!\w)|[:=])"
    r"[*_]{0,3}\s{0,2}:?"
    r"|^[ \t*]*a[*]*:[*]*",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY_CLAIM = re.compile(
    r"(?i)\s*(?:(?:therefore|indeed|also|clearly)\s+)?(?:correct|right|clear|shown|given)\b"
)


def _stated_phrase(turn: str) -> str | None:
    for found in reversed(list(_PHRASE.finditer(turn))):
        rest = turn[found.end() : found.end() + 2 * MAX_PHRASE]
        if not re.search(r"[^\W_]", rest) or _EMPTY_CLAIM.match(rest):
            continue
        lines = (line for line in rest.split("\n") if re.search(r"[^\W_]|[½⅓¼¾⅔]", line))
        return _first_sentence(next(lines))
    return None


_SENTENCE_END = re.compile(r"[!?。！？](?=\D|$)|(?<!\bapprox)(?<!\b[Rr]s)(?<!\.)\.(?![.\w(])")


def _first_sentence(line: str) -> str:
    for end in _SENTENCE_END.finditer(line):
        if re.search(r"\w", line[: end.start()]):
            return line[: end.start()]
    return line


def _unmarked(turn: str) -> Answer | None:
    """The value of the last sentence with a number, where nothing marks an answer."""
    for sentence in _sentences_from_the_end(turn):
        if len(sentence) > MAX_PHRASE:
            return None
        if not re.search(r"\d", sentence) or re.search(r"[-+*/×÷=(]\s*$", sentence):
            continue
        return read_value(sentence, marked=False)
    return None


def _sentences_from_the_end(turn: str) -> Iterator[str]:
    for line in reversed(re.sub(r"<<[^<>\n]*>>", "", turn).split("\n")):
        yield from reversed(re.split(r"(?<=[!?。！？])|(?<=\.)(?=\s|$)", line))
