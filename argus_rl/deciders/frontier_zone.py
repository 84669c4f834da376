"""Where does a problem lie: can its label be trusted, and is it mastered already?

The frontier is what lies between. With agreement score `s`, the lower bar rises with skill because
a better model agrees with itself more easily:

    hard      s < lo,  lo = low + verifier_strength * skill
    easy      mastery >= high
    frontier  otherwise: the only zone that is trained on

For a whole proposal the chains that label it also measure mastery, so the caller passes
`mastery = agreement.score`. A grown problem is labelled by the vote on its new step alone, while
mastery is the policy's share of right chains on the whole text: there the two differ.
"""

from argus_rl.config.control import FrontierSettings
from argus_rl.core.roles import Loop, decider
from argus_rl.core.signals.inner import Agreement, Zone, ZoneDecision


@decider(Loop.inner)
def frontier_zone(
    agreement: Agreement, mastery: float, skill: float, settings: FrontierSettings
) -> ZoneDecision:
    """Put one problem into its zone.

    Args:
        agreement: of the chains that label the problem.
        mastery: how surely the present policy solves it, in [0, 1].
        skill: running mean of agreement, in [0, 1].
        settings: both bars.
    """
    low = settings.low + settings.verifier_strength * skill
    votes = f"{agreement.majority_count} of {agreement.k} chains"
    if not agreement.majority:
        zone, reason = Zone.hard, "no majority answer, so no label"
    elif agreement.score < low:
        zone, reason = Zone.hard, f"agreement {agreement.score:.2f} < {low:.2f} ({votes})"
    elif mastery >= settings.high:
        zone, reason = Zone.easy, f"mastery {mastery:.2f} >= {settings.high:.2f} ({votes})"
    else:
        zone = Zone.frontier
        reason = (
            f"agreement {agreement.score:.2f} >= {low:.2f} and "
            f"mastery {mastery:.2f} < {settings.high:.2f} ({votes})"
        )
    return ZoneDecision(problem_id=agreement.problem_id, zone=zone, reason=reason)
