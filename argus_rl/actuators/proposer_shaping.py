"""How much the proposer learns from each of its own texts.

    w = max(floor, factuality * difficulty * frontier_fit)

A proposer that is paid for any text learns to write easy or false ones. Factuality is 0 where the
validator found something false and 1 otherwise; difficulty is `sat(steps; 1, target)`; frontier
fit is 1 inside the zone and falls linearly to 0 at score 0 (nobody agrees) and 1 (everybody does).
A quarantined cluster gets the floor.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.config.control import FrontierSettings, ShapingSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, actuator
from argus_rl.core.signals.inner import ShapingEffect
from argus_rl.core.signals.middle import Dials


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedText:
    """What shaping needs to know of one proposal."""

    sound: bool
    """Whether the validator found nothing false in it."""
    steps: int
    """Steps of reasoning that its best chain took."""
    score: float
    """How surely the policy solves it, in [0, 1]."""
    cluster: int = -1


@actuator(Loop.inner, unless="adversarial_proposer")
def uniform_shaping(
    texts: Sequence[ProposedText],
    skill: float,
    dials: Dials,
    frontier: FrontierSettings,
    settings: ShapingSettings,
) -> ShapingEffect:
    """Let each text count the same."""
    factors = [_factors(text, skill, dials, frontier) for text in texts]
    return _effect([1.0] * len(texts), factors)


@actuator(Loop.inner, flag="adversarial_proposer")
def adversarial_shaping(
    texts: Sequence[ProposedText],
    skill: float,
    dials: Dials,
    frontier: FrontierSettings,
    settings: ShapingSettings,
) -> ShapingEffect:
    """Weight each text by factuality x difficulty x frontier fit, at least the floor.

    Args:
        texts: the proposals whose pairs are trained on.
        skill: running mean of agreement; it raises the zone's lower bar.
        dials: target number of steps, and quarantined clusters.
        frontier: the zone.
        settings: the floor.
    """
    factors = [_factors(text, skill, dials, frontier) for text in texts]
    weights = [
        settings.floor
        if text.cluster in dials.quarantined
        else max(settings.floor, factuality * difficulty * fit)
        for text, (factuality, difficulty, fit) in zip(texts, factors, strict=True)
    ]
    return _effect(weights, factors)


_Factors = tuple[float, float, float]
"""Factuality, difficulty and frontier fit."""


def _factors(text: ProposedText, skill: float, dials: Dials, zone: FrontierSettings) -> _Factors:
    target = dials.frontier_steps
    low = zone.low + zone.verifier_strength * skill
    return (
        float(text.sound),
        sat(text.steps, 1, target) if target > 1 else 1.0,
        _fit(text.score, low, zone.high),
    )


def _fit(score: float, low: float, high: float) -> float:
    if score < low:
        return score / low
    return (1.0 - score) / (1.0 - high) if score > high else 1.0


def _effect(weights: Sequence[float], factors: Sequence[_Factors]) -> ShapingEffect:
    n = max(1, len(factors))
    factuality, difficulty, fit = (sum(f[i] for f in factors) / n for i in range(3))
    return ShapingEffect(
        changed=("proposer weighting",),
        weights=tuple(weights),
        mean_factuality=factuality,
        mean_difficulty=difficulty,
        mean_frontier_fit=fit,
    )
