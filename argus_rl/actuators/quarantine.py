"""Against a cluster that harms: keep it out of updates, or out of the curriculum.

`quarantine` (false premises) forgets what memory holds of the cluster, bars its pairs from the
next update and lets the proposer's weight for them fall to the floor. `cap_cluster` (plateau
capture) only bars the planner from targeting it. Both last for one episode: `expire` lifts them.
"""

from dataclasses import replace

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order
from argus_rl.data.memory import Memory, without_cluster


@actuator(Loop.middle, flag="active_defense")
def quarantine(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Bar the pairs of `order.cluster` from the next update and drop them from memory."""
    after = without_cluster(memory, order.cluster)
    gone = len(memory.library) - len(after.library)
    return TurnedEffect(
        changed=("dials", "memory") if after != memory else ("dials",),
        action=order.action,
        detail=f"cluster {order.cluster} out of updates; {gone} solved problems of it dropped",
        dials=replace(dials, quarantined=_with(dials.quarantined, order.cluster)),
        memory=after,
    )


@actuator(Loop.middle, flag="active_defense")
def cap_cluster(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Bar the planner from targeting `order.cluster` in the next episode."""
    return TurnedEffect(
        changed=("dials",),
        action=order.action,
        detail=f"cluster {order.cluster} is no target",
        dials=replace(dials, capped=_with(dials.capped, order.cluster)),
        memory=memory,
    )


def _with(clusters: tuple[int, ...], cluster: int) -> tuple[int, ...]:
    return tuple(sorted({*clusters, cluster}))
