"""Undoing an update, in whole or in part.

A whole refusal (severity 1) restores everything that the update touched: weights of both roles,
optimizer, memory. A partial one blends old and new weights, for LoRA in effective space: with W =
BA the result is `(1 - s) W_new + s W_old`, which interpolating A and B apart would not give. It
keeps the optimizer as the update left it, and says so. Either way the update's pairs leave memory:
what was refused must not come back through replay.
"""

from dataclasses import dataclass
from typing import Any

from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.middle import Dials, Order, RollbackEffect, Ruling, Verdict
from argus_rl.data.memory import Memory
from argus_rl.data.ports import Learner


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack(RollbackEffect):
    """What a verdict undid, with the memory that it leads to."""

    memory: Memory

    @property
    def bare(self) -> RollbackEffect:
        """The effect without the memory, as the ledger keeps it."""
        return RollbackEffect(changed=self.changed, severity=self.severity, kept=self.kept)


@actuator(Loop.middle)
def roll_back(
    verdict: Verdict, snapshot: Any, before: Memory, after: Memory, learner: Learner
) -> RolledBack:
    """Carry a verdict out.

    Args:
        verdict: ruling and severity.
        snapshot: of the learner, from before the update.
        before: memory before the update.
        after: memory with the update's pairs.
        learner: owns weights and optimizer.
    """
    if verdict.ruling is not Ruling.refuse or verdict.severity <= 0.0:
        return RolledBack(changed=(), severity=0.0, kept=(), memory=after)
    changed = ("memory",) if before != after else ()
    if verdict.severity >= 1.0:
        learner.restore(snapshot)
        return RolledBack(
            changed=("weights", "optimizer", *changed), severity=1.0, kept=(), memory=before
        )
    learner.blend(snapshot, verdict.severity)
    return RolledBack(
        changed=("weights", *changed),
        severity=verdict.severity,
        kept=("optimizer",),
        memory=before,
    )


@actuator(Loop.middle, flag="active_defense")
def blend_back(
    order: Order, dials: Dials, memory: Memory, snapshot: Any, learner: Learner
) -> TurnedEffect:
    """Against forgetting that ERCV let pass: blend `order.amount` of the old weights back.

    Memory and optimizer stay as the update left them.
    """
    learner.blend(snapshot, order.amount)
    return TurnedEffect(
        changed=("weights",),
        action=order.action,
        detail=f"{order.amount:.2f} of the weights before the update; optimizer and memory kept",
        dials=dials,
        memory=memory,
    )
