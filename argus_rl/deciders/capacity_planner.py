"""How much room to think in this episode: chains per problem and tokens per chain.

    k = min(k_max, max(k0, round(k0 (1 + g)^e)))

and the same for the token budget. Agreement is the unbiased pair agreement, so scores at
different k can be compared; nothing else that depends on k may be.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from argus_rl.config.control import CapacitySettings
from argus_rl.core.roles import Loop, decider
from argus_rl.core.signals.outer import CapacityDecision


@decider(Loop.outer, unless="capacity_growth")
def constant_capacity(
    episode: int, chains: int, max_tokens: int, growth: float, settings: CapacitySettings
) -> CapacityDecision:
    """Keep both figures as configured."""
    return CapacityDecision(k=chains, max_tokens=max_tokens, reason="growth is off")


@decider(Loop.outer, flag="capacity_growth")
def growing_capacity(
    episode: int, chains: int, max_tokens: int, growth: float, settings: CapacitySettings
) -> CapacityDecision:
    """Let both figures grow by `growth` an episode, up to their limits.

    Args:
        episode: number of the episode, from 0.
        chains: k at the start.
        max_tokens: token budget of a chain at the start.
        growth: g, in [0, 1].
        settings: the limits.
    """
    factor = (1.0 + growth) ** episode
    return CapacityDecision(
        k=min(settings.k_max, max(chains, round(chains * factor))),
        max_tokens=min(settings.tokens_max, max(max_tokens, round(max_tokens * factor))),
        reason=(
            f"factor {factor:.2f} in episode {episode}, at most {settings.k_max} chains and "
            f"{settings.tokens_max} tokens"
        ),
    )
