"""Carrying out what was ordered: each order goes to the one actuator that can do it.

Orders act on two frozen values, the dials and the memory, and a rollback on the weights besides.
What an order changed is an effect that carries both values as they are after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from argus_rl.actuators.context import force_context
from argus_rl.actuators.frontier import raise_steps
from argus_rl.actuators.quarantine import cap_cluster, quarantine
from argus_rl.actuators.rollback import blend_back
from argus_rl.actuators.temperature import raise_temperature
from argus_rl.actuators.turned import TurnedEffect
from argus_rl.actuators.undo import expire, undo
from argus_rl.core.signals.middle import Defense, DefenseDecision, Dials, History, Order
from argus_rl.data.memory import Bounds, Memory
from argus_rl.data.ports import Learner
from argus_rl.loops.state import RunState

Action = Callable[[Order, Dials, Memory], TurnedEffect]

DIAL_ACTIONS: dict[Defense, Action] = {
    Defense.force_context: force_context,
    Defense.raise_temperature: raise_temperature,
    Defense.raise_steps: raise_steps,
    Defense.quarantine: quarantine,
    Defense.cap_cluster: cap_cluster,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Defending:
    """The actuators behind defense orders, with the sizes they need."""

    forget_replay: Action
    """`clear_replay` or `decay_replay`."""
    bounds: Bounds

    def begin(self, state: RunState) -> tuple[RunState, tuple[TurnedEffect, ...]]:
        """End what was meant for one episode, then carry out what waited for this one."""
        ended = expire(state.dials, state.home_dials, state.memory)
        effects = [ended] if ended.changed else []
        dials, memory = ended.dials, ended.memory
        for order in state.pending:
            effects.append(DIAL_ACTIONS[order.action](order, dials, memory))
            dials, memory = effects[-1].dials, effects[-1].memory
        return replace(state, dials=dials, memory=memory, pending=()), tuple(effects)

    def now(
        self,
        decision: DefenseDecision,
        state: RunState,
        memory: Memory,
        snapshot: Any,
        learner: Learner,
    ) -> tuple[TurnedEffect, ...]:
        """Carry out the orders that do not wait; each sees the values that the last one left."""
        effects: list[TurnedEffect] = []
        dials = state.dials
        for order in waiting_no_more(decision):
            effects.append(self._carry_out(order, dials, memory, state.history, snapshot, learner))
            dials, memory = effects[-1].dials, effects[-1].memory
        return tuple(effects)

    def _carry_out(
        self,
        order: Order,
        dials: Dials,
        memory: Memory,
        history: History,
        snapshot: Any,
        learner: Learner,
    ) -> TurnedEffect:
        match order.action:
            case Defense.clear_replay | Defense.decay_replay:
                return self.forget_replay(order, dials, memory)
            case Defense.soft_rollback:
                return blend_back(order, dials, memory, snapshot, learner)
            case Defense.undo:
                past = history.standing_defense
                if past is None:
                    raise ValueError("an undo was ordered, and no action is left to take back")
                return undo(order, dials, memory, past, self.bounds)
            case _:
                return DIAL_ACTIONS[order.action](order, dials, memory)


def waiting_no_more(decision: DefenseDecision) -> Sequence[Order]:
    """The orders of a decision that are carried out at once."""
    return [order for order in decision.orders if not order.deferred]
