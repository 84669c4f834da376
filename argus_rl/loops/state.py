"""What survives an episode: one frozen value, saved with the weights and restored with them."""

from dataclasses import dataclass, replace

from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import Dials, History, Order
from argus_rl.core.signals.outer import CapabilityReading, MapState
from argus_rl.data.memory import Memory

SKILL_MEMORY = 0.8
"""How much of the old skill estimate one episode keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """Everything of a run that is not weights or optimizer."""

    episode: int = 0
    """The episode to run next."""
    memory: Memory = Memory()
    dials: Dials
    home_dials: Dials
    """Where the dials return to when an action of one episode is over."""
    history: History = History()
    map: MapState = MapState()
    """The capability map: centres and counts."""
    clusters: CapabilityReading = CapabilityReading()
    """What the map said at the end of the last episode."""
    pending: tuple[Order, ...] = ()
    """Defenses that wait for the next episode."""
    skill: float = 0.0
    """Running mean of agreement, in [0, 1]; it raises the lower bar of the frontier."""
    panel_factor: float = 1.0
    """Growth of the retest panel after an underpowered verdict."""

    def practised(self, census: Census) -> "RunState":
        """Return the state with its skill estimate moved towards this episode's mean agreement."""
        if not census.solved:
            return self
        if self.skill == 0.0:
            return replace(self, skill=census.mean_score)
        return replace(
            self, skill=SKILL_MEMORY * self.skill + (1 - SKILL_MEMORY) * census.mean_score
        )
