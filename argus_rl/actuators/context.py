"""Against proposer drift: for one episode, condition proposals on texts that someone else wrote."""

from dataclasses import replace

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order
from argus_rl.data.memory import Memory


@actuator(Loop.middle, flag="active_defense")
def force_context(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Set the external context rate to `order.amount`; `expire` takes it back an episode later."""
    return TurnedEffect(
        changed=("dials",),
        action=order.action,
        detail=f"context rate {dials.context_rate:.2f} to {order.amount:.2f} for this episode",
        dials=replace(dials, context_rate=order.amount),
        memory=memory,
    )
