"""What did the update do to skill on past problems?

The same panel is solved with the weights just before and just after the update, with the same
sampling streams, so what differs between the two is the update. A stored score would not do: an
item is in memory *because* its score was high, and measuring it again alone would look like
forgetting (regression to the mean).

    score_i = share of the chains that give the item's stored label
    delta_i = score_i(after) - score_i(before),   trend = mean delta,   se = sd / sqrt(n)

The label is what consensus gave when the item entered the memory. Agreement of the chains among
themselves would do only for items that stay right: a model that drops a mistake on which all its
chains agreed becomes unsure first, and would seem to forget.

An item *flips* when the majority gave the stored label before and does not after. Flips lead the
collapse of voting: an item whose majority is lost does not come back by voting. An item below the
tolerance counts as regressed and becomes a blind spot. With k chains an unchanged item moves by
about 0.1 by chance, so single regressed items mean little; the trend is what is judged.
"""

import math

from argus_rl.config.control import RetestSettings
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import Measurement, PanelScore, RetestDelta, RetestReading


@sensor(Loop.middle)
def retest(before: Measurement, after: Measurement, settings: RetestSettings) -> RetestReading:
    """Compare one panel before and after an update.

    Raises:
        ValueError: where the two panels are not the same problems in the same order.
    """
    if [p.problem_id for p in before.panel] != [p.problem_id for p in after.panel]:
        raise ValueError("the retest panel after the update is not the one before it")
    deltas = tuple(_delta(b, a) for b, a in zip(before.panel, after.panel, strict=True))
    n = len(deltas)
    trend = sum(d.delta for d in deltas) / n if n else 0.0
    variance = sum((d.delta - trend) ** 2 for d in deltas) / (n - 1) if n > 1 else 0.0
    return RetestReading(
        deltas=deltas,
        trend=trend,
        se=math.sqrt(variance / n) if n > 1 else 0.0,
        n=n,
        regressed=tuple(d.problem_id for d in deltas if d.delta < settings.regressed),
        flip_rate=sum(d.flipped for d in deltas) / n if n else 0.0,
    )


def _delta(before: PanelScore, after: PanelScore) -> RetestDelta:
    kept = before.agreement.majority == before.label != ""
    return RetestDelta(
        problem_id=before.problem_id,
        cluster=before.cluster,
        before=before.held,
        after=after.held,
        flipped=kept and after.agreement.majority != before.label,
    )
