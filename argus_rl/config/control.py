"""The control system's flags (all off: the plain self-play baseline) and the numbers of its parts.

Each flag is one word on the command line (`control.spsi=false`), so each ablation is too. Numbers
marked "given" are those of the system we implement and stay the defaults of `preset=argus_full`.
"""

from dataclasses import dataclass

from argus_rl.core.values import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierSettings(Settings):
    """Frontier zoning."""

    low: float = 0.4
    """Lower bar of the frontier at skill 0, in [0, 1] (given)."""
    high: float = 0.8
    """Upper bar, in [0, 1]: at or over it a problem is easy (given)."""
    verifier_strength: float = 0.2
    """How far the lower bar rises with skill: `low + verifier_strength * skill` (given)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EwcsSettings(Settings):
    """Epiplexity-weighted consensus SFT."""

    low: float = 0.1
    """Smallest weight before scaling to mean 1."""
    high: float = 10.0
    """Largest weight before scaling to mean 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapingSettings(Settings):
    """Weights of the proposer's own texts."""

    floor: float = 0.05
    """Smallest weight: a hallucinated proposal keeps this much (given)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetestSettings(Settings):
    """The retest panel."""

    panel: int = 64
    """Past problems in the panel of one episode."""
    chains: int = 8
    """Chains per panel item, before and after the update."""
    regressed: float = -0.02
    """An item whose score changes by less is regressed and becomes a blind spot (given)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErcvSettings(Settings):
    """Epiplexity-retest cross-validation: when to refuse an update."""

    trigger: float = 0.05
    """Fixed mode refuses when the trend is below minus this (given)."""
    min_retests: int = 4
    """Retests needed before either mode may refuse (given)."""
    z: float = -2.5
    """Z-score mode refuses below this (given)."""
    warmup: int = 4
    """Episodes before z-scores are used (given)."""
    min_sd: float = 1e-4
    """Smallest standard deviation that a z-score divides by (given)."""
    hysteresis: int = 1
    """Divergent episodes in a row that are needed (given)."""
    epsilon: float = 1e-6
    """Smallest information gain that soft severity divides by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorSettings(Settings):
    """The detector bank."""

    threshold: float = 0.5
    """A score above this fires; calibration replaces it by the 99 % quantile under no change."""
    window: int = 3
    """Past episodes that running references are taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseSettings(Settings):
    """What defenses do, and how often they may."""

    cooldown: int = 3
    """Episodes before the same action may be taken again."""
    context_rate: float = 1.0
    """Type A: external context rate of the next episode."""
    temperature_step: float = 0.1
    """Type B: added to the solver's temperature."""
    temperature_max: float = 1.2
    """Type B: highest temperature."""
    rollback_severity: float = 0.5
    """Type D: share of the old weights that is blended back."""
    steps_bump: int = 1
    """Type E: added to the target number of steps."""
    steps_max: int = 12
    """Type E: largest target number of steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionSettings(Settings):
    """Causal attribution of regressions to training pairs."""

    level: float = 0.05
    """Permutation p-value below which a cause is named."""
    permutations: int = 499
    """Random relabellings per test."""
    width: int = 512
    """Dimensions that gradients are projected to."""
    limit: int = 128
    """Most training pairs, and most panel items, whose gradients are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSettings(Settings):
    """The capability map."""

    clusters: int = 8
    """Clusters of k-means (given)."""
    min_size: int = 3
    """Clusters smaller than this are merged into their nearest neighbour."""
    window: int = 2048
    """Weight of the past in a refit, in problems; the rest fades from the centres alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerSettings(Settings):
    """The curriculum planner."""

    min_size: int = 3
    """Problems a cluster needs to be eligible (given)."""
    max_share: float = 0.25
    """Largest share of compute that a cluster may have taken and still be eligible."""
    regressed: float = -0.02
    """A cluster whose last retest delta is below this is not eligible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CapacitySettings(Settings):
    """The capacity planner."""

    k_max: int = 16
    """Most chains per problem (given)."""
    tokens_max: int = 384
    """Most response tokens per chain (given)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSettings(Settings):
    """Flags, all off by default, and the numbers of each part."""

    capability_map: bool = False
    """Cluster problems and keep statistics per cluster."""
    most_learnable_cluster: bool = False
    """Use the eligibility-gated planner instead of `weakest_cluster`."""
    per_cluster_detectors: bool = False
    """Look for forgetting (type D) in each cluster, besides the whole run."""
    active_defense: bool = False
    """Let detector firings lead to actions."""
    soft_replay_decay: bool = False
    """On memorised replay (type C), keep the newest part instead of clearing."""
    replay_keep_fraction: float = 0.5
    """The part of the replay memory that soft decay keeps, in (0, 1] (given)."""
    proposer_validator: bool = False
    """Refuse false-premise proposals before they are solved."""
    adversarial_proposer: bool = False
    """Weight the proposer's texts by factuality x difficulty x frontier fit."""
    causal_attribution: bool = False
    """On forgetting (type D), name the training pairs that caused it."""
    ercv_rollback: bool = False
    """Refuse an update on which the two gauges disagree."""
    ercv_soft_rollback: bool = False
    """Refuse in part: blend old and new weights by severity instead of undoing all."""
    ercv_zscore: bool = False
    """Judge the retest trend against this run's own history."""
    epiplexity_weight: bool = False
    """EWCS: weight pairs by agreement x learnable information."""
    spsi: bool = False
    """Compute the composite health index each episode."""
    capacity_growth: float = 0.0
    """Growth of k and of the token budget per episode, in [0, 1]; 0.05 in `argus_full` (given)."""

    frontier: FrontierSettings = FrontierSettings()
    ewcs: EwcsSettings = EwcsSettings()
    shaping: ShapingSettings = ShapingSettings()
    retest: RetestSettings = RetestSettings()
    ercv: ErcvSettings = ErcvSettings()
    detectors: DetectorSettings = DetectorSettings()
    defense: DefenseSettings = DefenseSettings()
    attribution: AttributionSettings = AttributionSettings()
    map: MapSettings = MapSettings()
    planner: PlannerSettings = PlannerSettings()
    capacity: CapacitySettings = CapacitySettings()


FLAGS = (
    "capability_map",
    "most_learnable_cluster",
    "per_cluster_detectors",
    "active_defense",
    "soft_replay_decay",
    "proposer_validator",
    "adversarial_proposer",
    "causal_attribution",
    "ercv_rollback",
    "ercv_soft_rollback",
    "ercv_zscore",
    "epiplexity_weight",
    "spsi",
    "capacity_growth",
)
"""Every flag of the control system, in the order of the documentation."""
