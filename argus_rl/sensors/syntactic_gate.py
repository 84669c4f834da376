"""Is this text a problem at all? The first look at a proposal, before its content is judged.

Refused are texts that are empty, too long, without a question, without a number, or nearly a copy
of one that is known. A copy costs chains and teaches nothing; a template with other numbers is no
copy.
"""

import re

from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import SyntaxReading
from argus_rl.data.problem import Problem
from argus_rl.text.similarity import NearDuplicates

LONGEST = 250
"""Words of the longest text that is taken for a problem."""
_DIGIT_OR_NUMBER_WORD = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|hundred|dozen|half|twice|double|triple)\b",
    re.IGNORECASE,
)


@sensor(Loop.inner)
def syntactic_gate(problem: Problem, known: NearDuplicates) -> SyntaxReading:
    """Say whether a text is non-empty, short enough, numeric, a question, and new.

    `known` holds the texts of this run so far; it is only asked.
    """
    return SyntaxReading(
        problem_id=problem.id,
        accepted=not (fault := _fault(problem.text, known)),
        fault=fault,
    )


def _fault(text: str, known: NearDuplicates) -> str:
    words = text.split()
    if not words:
        return "is empty"
    if len(words) > LONGEST:
        return f"is longer than {LONGEST} words"
    if "?" not in text:
        return "asks nothing"
    if not _DIGIT_OR_NUMBER_WORD.search(text):
        return "has no number"
    if text in known:
        return "is nearly a copy of a known problem"
    return ""
