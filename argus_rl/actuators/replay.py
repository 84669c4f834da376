"""Against memorised replay: forget the replay memory, or its older part.

Clearing all of it takes away what holds old skill in place (one run lost 23 points after it), so
the soft form keeps the newest share. The library of solved problems is not touched by either.
"""

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order
from argus_rl.data.memory import Memory, clear, decay


@actuator(Loop.middle, unless="soft_replay_decay")
def clear_replay(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Empty the replay memory."""
    return _turned(order, dials, memory, clear(memory))


@actuator(Loop.middle, flag="soft_replay_decay")
def decay_replay(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Keep the newest share `order.amount` of the replay memory."""
    return _turned(order, dials, memory, decay(memory, order.amount))


def _turned(order: Order, dials: Dials, before: Memory, after: Memory) -> TurnedEffect:
    return TurnedEffect(
        changed=("memory",) if before != after else (),
        action=order.action,
        detail=f"kept {len(after.replay)} of {len(before.replay)} replay pairs",
        dials=dials,
        memory=after,
    )
