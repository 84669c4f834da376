"""How much each frontier pair counts in the update.

Plain consensus SFT weights a pair by how far its chains agreed. Epiplexity-weighted consensus SFT
(EWCS) also asks how much there is to learn from it, which is what the model finds improbable now:

    w_i = clip(score_i * NLL_i / mean_j NLL_j, low, high),  scaled to mean 1

with NLL in nats per response token, before the update. The scale to mean 1 keeps the learning rate
what it says whatever the weights are.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

import math
from collections.abc import Sequence

from argus_rl.config.control import EwcsSettings
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.inner import WeightsEffect


@actuator(Loop.inner, unless="epiplexity_weight")
def score_weighting(
    scores: Sequence[float], nll: Sequence[float], settings: EwcsSettings
) -> WeightsEffect:
    """Weight pairs by agreement alone."""
    return _scaled(scores)


@actuator(Loop.inner, flag="epiplexity_weight")
def ewcs_weighting(
    scores: Sequence[float], nll: Sequence[float], settings: EwcsSettings
) -> WeightsEffect:
    """Weight pairs by agreement times what there is to learn.

    Args:
        scores: agreement of each pair, in [0, 1].
        nll: nats per response token of each pair before the update; one that is not finite counts
            as the mean.
        settings: bounds of a weight before scaling.

    Raises:
        ValueError: where the lengths differ.
    """
    known = [x for x in nll if math.isfinite(x)]
    mean = sum(known) / len(known) if known else 0.0
    ratios = [x / mean if mean > 0 and math.isfinite(x) else 1.0 for x in nll]
    return _scaled(
        [
            min(settings.high, max(settings.low, score * ratio))
            for score, ratio in zip(scores, ratios, strict=True)
        ]
    )


def _scaled(weights: Sequence[float]) -> WeightsEffect:
    total = sum(weights)
    if total <= 0.0:
        return WeightsEffect(changed=("weighting",), weights=(1.0,) * len(weights))
    scale = len(weights) / total
    return WeightsEffect(changed=("weighting",), weights=tuple(w * scale for w in weights))
