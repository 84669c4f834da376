"""What a defense leaves behind: the dials and the memory as they are after it.

Both are frozen values of the run's state, so carrying a defense out is making a new value, and
every defense has the same shape: order, dials and memory in, the new dials and memory out.
"""

from dataclasses import dataclass

from argus_rl.core.signals.middle import DefenseEffect, Dials
from argus_rl.data.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedEffect(DefenseEffect):
    """One action carried out, with the state that it leads to."""

    dials: Dials
    memory: Memory

    @property
    def bare(self) -> DefenseEffect:
        """The effect without dials and memory, as the ledger keeps it."""
        return DefenseEffect(changed=self.changed, action=self.action, detail=self.detail)
