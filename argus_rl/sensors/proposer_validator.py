"""Does a problem's text say something that cannot be true?

The check reads the text alone, before any chain is spent on it. What it refuses is demonstrably
false (`12 + 5 is 18`, a part above its whole, half a child), because chains agree on a false
premise and consensus cannot see it. The rules are those of `argus_rl.text.premises.validator`.
"""

from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import FalsePremise, PremiseReading
from argus_rl.data.problem import Problem
from argus_rl.text.premises.validator import check_premises


@sensor(Loop.inner, flag="proposer_validator")
def proposer_validator(problem: Problem) -> PremiseReading:
    """Read one problem; every false statement is a finding with its true value."""
    report = check_premises(problem.text)
    return PremiseReading(
        problem_id=problem.id,
        sound=report.sound,
        findings=tuple(
            FalsePremise(
                kind=found.kind.value,
                start=found.span[0],
                end=found.span[1],
                expression=found.expression,
                claimed=found.claimed,
                true_value=found.true_value,
            )
            for found in report.findings
        ),
    )


@sensor(Loop.inner, unless="proposer_validator")
def trust_premises(problem: Problem) -> PremiseReading:
    """Take every problem for sound."""
    return PremiseReading(problem_id=problem.id, sound=True)
