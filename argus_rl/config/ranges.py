"""The range of every number that a user may set, in one table.

A test holds the table complete: a number without a range does not pass. What two keys may not be
together is a matter for `argus_rl.config.checks`.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """An interval of allowed values; infinities leave an end open."""

    low: float = -math.inf
    high: float = math.inf
    without_low: bool = False
    """The lower end itself is not allowed."""
    without_high: bool = False
    why: str = ""
    """What is lost outside, where the numbers alone do not say it."""

    def holds(self, value: float) -> bool:
        """Whether `value` is finite and inside."""
        if not math.isfinite(value):
            return False
        above = value > self.low if self.without_low else value >= self.low
        below = value < self.high if self.without_high else value <= self.high
        return above and below

    def words(self) -> str:
        """Say the range: `at least 1`, `above 0 and at most 1`."""
        low = f"{'above' if self.without_low else 'at least'} {self.low:g}"
        high = f"{'below' if self.without_high else 'at most'} {self.high:g}"
        ends = [w for w, end in ((low, self.low), (high, self.high)) if math.isfinite(end)]
        return " and ".join(ends) or "a finite number"


NATURAL = Range(low=0)
COUNT = Range(low=1)
SHARE = Range(low=0, high=1)
SHARE_BELOW_1 = Range(low=0, high=1, without_high=True)
POSITIVE = Range(low=0, without_low=True)
SCORE = Range(low=-1, high=1)

RANGES: dict[str, Range] = {
    "seed": NATURAL,
    "episodes": NATURAL,
    "keep_checkpoints": COUNT,
    "audit_per_level": NATURAL,
    "model.threads": NATURAL,
    "model.lora_rank": COUNT,
    "model.lora_alpha": COUNT,
    "model.lora_dropout": SHARE_BELOW_1,
    "data.context_limit": NATURAL,
    "data.context_steps": Range(low=1, high=10),
    "data.false_premises": SHARE,
    "sampling.proposals": Range(low=1, high=100_000),
    "sampling.chains": Range(low=2, high=256, why="one chain has nobody to agree with"),
    "sampling.max_tokens": Range(low=4),
    "sampling.proposal_tokens": Range(low=4),
    "sampling.temperature": Range(
        low=0, high=5, without_low=True, why="at 0 all chains are copies and always agree"
    ),
    "sampling.proposal_temperature": Range(
        low=0, high=5, without_low=True, why="at 0 equal prompts give equal proposals"
    ),
    "sampling.external_context_rate": SHARE,
    "sampling.blind_spot_rate": SHARE,
    "sampling.frontier_steps": COUNT,
    "sampling.grow_to": COUNT,
    "sampling.grow_by": COUNT,
    "sampling.redrafts": Range(low=0, high=100),
    "sampling.label_agreement": SHARE,
    "sampling.batch": COUNT,
    "learner.updates": NATURAL,
    "learner.passes": POSITIVE,
    "learner.batch": COUNT,
    "learner.micro_batch": COUNT,
    "learner.lr": NATURAL,
    "learner.muon_lr": NATURAL,
    "learner.weight_decay": NATURAL,
    "learner.warmup": SHARE,
    "learner.decay": SHARE,
    "learner.rise": SHARE,
    "learner.cool": SHARE,
    "learner.clip": POSITIVE,
    "learner.replay_mix": SHARE_BELOW_1,
    "learner.replay_memory": NATURAL,
    "learner.library_mix": SHARE,
    "learner.recombined_mix": SHARE,
    "learner.anchor_mix": SHARE_BELOW_1,
    "learner.anchors": NATURAL,
    "learner.question_weight": SHARE,
    "learner.max_bad_steps": COUNT,
    "evaluation.per_level": NATURAL,
    "evaluation.levels": Range(low=1, high=10),
    "evaluation.easy_levels": Range(low=1, high=10),
    "evaluation.limit": COUNT,
    "evaluation.samples": COUNT,
    "evaluation.seed": NATURAL,
    "control.replay_keep_fraction": Range(low=0, high=1, without_low=True),
    "control.capacity_growth": SHARE,
    "control.frontier.low": SHARE,
    "control.frontier.high": SHARE,
    "control.frontier.verifier_strength": SHARE,
    "control.ewcs.low": POSITIVE,
    "control.ewcs.high": POSITIVE,
    "control.shaping.floor": SHARE,
    "control.retest.panel": NATURAL,
    "control.retest.chains": Range(low=2, high=256, why="one chain has nobody to agree with"),
    "control.retest.regressed": Range(low=-1, high=0),
    "control.ercv.trigger": SHARE,
    "control.ercv.min_retests": COUNT,
    "control.ercv.z": Range(high=0),
    "control.ercv.warmup": Range(low=2, why="a standard deviation needs two episodes"),
    "control.ercv.min_sd": POSITIVE,
    "control.ercv.hysteresis": COUNT,
    "control.ercv.epsilon": POSITIVE,
    "control.detectors.threshold": SHARE,
    "control.detectors.window": COUNT,
    "control.defense.cooldown": NATURAL,
    "control.defense.context_rate": SHARE,
    "control.defense.temperature_step": NATURAL,
    "control.defense.temperature_max": Range(low=0, high=5, without_low=True),
    "control.defense.rollback_severity": SHARE,
    "control.defense.steps_bump": NATURAL,
    "control.defense.steps_max": COUNT,
    "control.attribution.level": Range(low=0, high=1, without_low=True),
    "control.attribution.permutations": Range(
        low=19, why="fewer relabellings cannot give a p-value of 0.05"
    ),
    "control.attribution.width": COUNT,
    "control.attribution.limit": COUNT,
    "control.map.clusters": Range(low=1, high=10_000),
    "control.map.min_size": COUNT,
    "control.map.window": COUNT,
    "control.planner.min_size": COUNT,
    "control.planner.max_share": SHARE,
    "control.planner.regressed": SCORE,
    "control.capacity.k_max": Range(low=2, high=256),
    "control.capacity.tokens_max": Range(low=4),
}
"""Range of each numeric key; of a list, of each of its items."""

CHOICES: dict[str, tuple[str, ...]] = {
    "model.dtype": ("auto", "float32", "bfloat16"),
    "model.device": ("auto", "cpu", "cuda"),
    "evaluation.split": ("held_out", "choosing"),
}
"""Allowed texts of keys that are texts but no enums."""
