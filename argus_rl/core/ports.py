"""Who may change the world. A `Lever` is a face of the machine that changes it.

The faces themselves (`argus_rl.data.ports`) speak of problems and chains; this marker lets
`argus_rl.core.roles` refuse a sensor or a decider that asks for one of them.
"""

from typing import Protocol


class Lever(Protocol):
    """Marks a face that changes weights, optimizer, memory or sampling. Only actuators hold one."""
