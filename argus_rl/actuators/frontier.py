"""Against an empty frontier: ask for problems that need more steps."""

from dataclasses import replace

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order
from argus_rl.data.memory import Memory


@actuator(Loop.middle, flag="active_defense")
def raise_steps(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Add `order.amount` steps to what proposals are asked to need."""
    after = dials.frontier_steps + round(order.amount)
    return TurnedEffect(
        changed=("dials",),
        action=order.action,
        detail=f"frontier steps {dials.frontier_steps} to {after}",
        dials=replace(dials, frontier_steps=after),
        memory=memory,
    )
