"""What is to be done about this episode's firings: one typed order each, and not too often.

    A drift          force_context    context rate of the next episode
    B copies         raise_temperature
    C memorising     clear_replay, or decay_replay (keep the newest share)
    D forgetting     soft_rollback    unless the update was refused already
    E saturation     raise_steps
    F false premises quarantine       the cluster that holds them
    G capture        cap_cluster      the planner may not target it
    H own action     undo             the last action, and lengthen its cool-down

The strongest firing speaks first and each action is ordered at most once an episode, so several
clusters that forgot lead to one rollback. After an action its cool-down runs for
`settings.cooldown` episodes in which it may not be ordered again: a defense that is repeated before
its effect shows is a second disturbance, not a second remedy. An action that was undone waits
twice as long. What would change an episode that is over waits for the next one (`deferred`).
"""

# ruff: noqa: ARG001 - a null part and an answer take what their like take

from collections.abc import Callable
from dataclasses import dataclass

from argus_rl.config.control import DefenseSettings
from argus_rl.core.roles import Loop, decider
from argus_rl.core.signals.middle import (
    BankReading,
    Defense,
    DefenseDecision,
    DetectorReading,
    Dials,
    History,
    LieType,
    Order,
    Ruling,
    Verdict,
)


@decider(Loop.middle, unless="active_defense")
def no_defense(
    bank: BankReading,
    verdict: Verdict,
    history: History,
    dials: Dials,
    settings: DefenseSettings,
    keep: float = 0.0,
) -> DefenseDecision:
    """Order nothing, whatever fires."""
    return DefenseDecision(orders=(), cooldowns=(), reason="defenses are off")


@decider(Loop.middle, flag="active_defense")
def defense_dispatch(
    bank: BankReading,
    verdict: Verdict,
    history: History,
    dials: Dials,
    settings: DefenseSettings,
    keep: float = 0.0,
) -> DefenseDecision:
    """Answer each firing with its action, where its cool-down and its limit allow one.

    Args:
        bank: the episode's detectors.
        verdict: ERCV's; a refused update needs no second rollback.
        history: past actions and the cool-downs that run.
        dials: as they stand, to stay below the limits.
        settings: sizes of the actions, limits and cool-down.
        keep: share of the replay memory that type C keeps (`soft_replay_decay`); 0 clears it.
    """
    scene = _Scene(verdict=verdict, history=history, dials=dials, settings=settings, keep=keep)
    waiting = {action: left for action, left in history.cooldowns if left > 0}
    cooldowns = {action: left - 1 for action, left in waiting.items()}
    orders: list[Order] = []
    notes: list[str] = []
    for reading in sorted(bank.firings, key=lambda r: r.lie is not LieType.H):
        answer = _ANSWERS[reading.lie](reading, scene)
        if isinstance(answer, str):
            notes.append(f"{reading.lie.value}: {answer}")
        elif waiting.get(answer.action, 0) > 0:
            left = waiting[answer.action]
            notes.append(f"{reading.lie.value}: {answer.action.value} rests for {left} more")
        elif not any(answer.action is order.action for order in orders):
            orders.append(answer)
            waiting[answer.action] = cooldowns[answer.action] = settings.cooldown
            past = history.standing_defense
            if answer.action is Defense.undo and past is not None:
                undone = past.order.action
                waiting[undone] = cooldowns[undone] = 2 * settings.cooldown + max(
                    0, cooldowns.get(undone, 0)
                )
    return DefenseDecision(
        orders=tuple(orders),
        cooldowns=tuple(sorted((a, left) for a, left in cooldowns.items() if left > 0)),
        reason="; ".join([*(f"{o.lie.value}: {o.action.value}" for o in orders), *notes])
        or "nothing fired",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What an answer may depend on besides its firing."""

    verdict: Verdict
    history: History
    dials: Dials
    settings: DefenseSettings
    keep: float


_Answer = Order | str
"""An order, or why there is none."""


def _order(
    reading: DetectorReading, action: Defense, amount: float, *, deferred: bool, cluster: int = -1
) -> Order:
    return Order(
        action=action,
        lie=reading.lie,
        cluster=cluster,
        amount=amount,
        deferred=deferred,
        because=f"score {reading.score:.2f} > {reading.threshold:.2f}: {reading.because}",
    )


def _against_drift(reading: DetectorReading, scene: _Scene) -> _Answer:
    rate = scene.settings.context_rate
    return _order(reading, Defense.force_context, rate, deferred=True)


def _against_copies(reading: DetectorReading, scene: _Scene) -> _Answer:
    room = scene.settings.temperature_max - scene.dials.temperature
    step = min(scene.settings.temperature_step, room)
    if step <= 0:
        return f"temperature is at its limit {scene.settings.temperature_max:g}"
    return _order(reading, Defense.raise_temperature, step, deferred=True)


def _against_memorising(reading: DetectorReading, scene: _Scene) -> _Answer:
    action = Defense.decay_replay if scene.keep > 0 else Defense.clear_replay
    return _order(reading, action, scene.keep, deferred=False)


def _against_forgetting(reading: DetectorReading, scene: _Scene) -> _Answer:
    if scene.verdict.ruling is Ruling.refuse:
        return "the update was refused already"
    severity = scene.settings.rollback_severity
    return _order(reading, Defense.soft_rollback, severity, deferred=False, cluster=reading.cluster)


def _against_saturation(reading: DetectorReading, scene: _Scene) -> _Answer:
    step = min(scene.settings.steps_bump, scene.settings.steps_max - scene.dials.frontier_steps)
    if step <= 0:
        return f"steps are at their limit {scene.settings.steps_max}"
    return _order(reading, Defense.raise_steps, step, deferred=True)


def _against_false_premises(reading: DetectorReading, scene: _Scene) -> _Answer:
    if reading.culprit < 0:
        return "no cluster holds them"
    if reading.culprit in scene.dials.quarantined:
        return f"cluster {reading.culprit} is in quarantine"
    return _order(reading, Defense.quarantine, 0.0, deferred=True, cluster=reading.culprit)


def _against_capture(reading: DetectorReading, scene: _Scene) -> _Answer:
    if reading.culprit < 0:
        return "no cluster took the curriculum"
    if reading.culprit in scene.dials.capped:
        return f"cluster {reading.culprit} is capped"
    return _order(reading, Defense.cap_cluster, 0.0, deferred=True, cluster=reading.culprit)


def _against_own_action(reading: DetectorReading, scene: _Scene) -> _Answer:
    past = scene.history.standing_defense
    if past is None:
        return "no action left to take back"
    return _order(reading, Defense.undo, 0.0, deferred=False, cluster=past.order.cluster)


_ANSWERS: dict[LieType, Callable[[DetectorReading, _Scene], _Answer]] = {
    LieType.A: _against_drift,
    LieType.B: _against_copies,
    LieType.C: _against_memorising,
    LieType.D: _against_forgetting,
    LieType.E: _against_saturation,
    LieType.F: _against_false_premises,
    LieType.G: _against_capture,
    LieType.H: _against_own_action,
}
