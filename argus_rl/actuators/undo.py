"""Taking back: what a defense did wrong, and what was meant for one episode only."""

from dataclasses import replace

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Defense, Dials, Order, PastDefense
from argus_rl.data.memory import Bounds, Memory, add_replay


@actuator(Loop.middle, flag="active_defense")
def undo(
    order: Order, dials: Dials, memory: Memory, past: PastDefense, bounds: Bounds
) -> TurnedEffect:
    """Take one earlier action back, and nothing that other actions did since.

    A dial goes back by what the action added to it. Replay pairs that were dropped are gone; in
    their place the newest solved problems of the library fill the replay memory again.

    Args:
        order: the order to undo.
        dials: as they stand.
        memory: as it stands.
        past: the action to take back (`History.standing_defense`).
        bounds: size of the replay memory.
    """
    turned = _dials_without(past, dials)
    refilled = past.order.action in (Defense.clear_replay, Defense.decay_replay)
    after = _refilled(memory, bounds) if refilled else memory
    changed = (*(("dials",) if turned != dials else ()), *(("memory",) if after != memory else ()))
    return TurnedEffect(
        changed=changed,
        action=order.action,
        detail=f"took back {past.order.action.value} of episode {past.episode}",
        dials=turned,
        memory=after,
    )


def _refilled(memory: Memory, bounds: Bounds) -> Memory:
    have = {pair.problem.id for pair in memory.replay}
    lost = [pair for pair in memory.library if pair.problem.id not in have]
    room = max(0, bounds.replay - len(memory.replay))
    older = replace(memory, replay=tuple(lost[len(lost) - min(room, len(lost)) :]))
    return add_replay(older, memory.replay, bounds)


def _dials_without(past: PastDefense, dials: Dials) -> Dials:
    order, before = past.order, past.dials_before
    match order.action:
        case Defense.force_context:
            return replace(dials, context_rate=before.context_rate)
        case Defense.raise_temperature:
            return replace(dials, temperature=dials.temperature - order.amount)
        case Defense.raise_steps:
            return replace(dials, frontier_steps=dials.frontier_steps - round(order.amount))
        case Defense.quarantine:
            return replace(
                dials, quarantined=tuple(c for c in dials.quarantined if c != order.cluster)
            )
        case Defense.cap_cluster:
            return replace(dials, capped=tuple(c for c in dials.capped if c != order.cluster))
        case _:
            return dials


@actuator(Loop.middle, flag="active_defense")
def expire(dials: Dials, home: Dials, memory: Memory) -> TurnedEffect:
    """End what lasts one episode: context rate, quarantine and caps go home; the rest stays.

    To be called before the orders that waited for the new episode are carried out.

    Args:
        dials: as the last episode left them.
        home: as the run was configured.
        memory: passed through.
    """
    after = replace(
        dials,
        context_rate=home.context_rate,
        quarantined=home.quarantined,
        capped=home.capped,
    )
    return TurnedEffect(
        changed=("dials",) if after != dials else (),
        action=Defense.undo,
        detail="what was meant for one episode is over" if after != dials else "nothing to end",
        dials=after,
        memory=memory,
    )
