"""Against chains that agree because they are copies: sample them hotter."""

from dataclasses import replace

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order
from argus_rl.data.memory import Memory


@actuator(Loop.middle, flag="active_defense")
def raise_temperature(order: Order, dials: Dials, memory: Memory) -> TurnedEffect:
    """Add `order.amount` to the solver's sampling temperature."""
    after = dials.temperature + order.amount
    return TurnedEffect(
        changed=("dials",),
        action=order.action,
        detail=f"solver temperature {dials.temperature:.2f} to {after:.2f}",
        dials=replace(dials, temperature=after),
        memory=memory,
    )
