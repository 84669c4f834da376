"""Figures of control: the health of the run, and what was decided and done about it."""

from argus_rl.core.signals.across import Health
from argus_rl.core.signals.middle import Ruling
from argus_rl.ledger.records import EpisodeRecord
from argus_rl.tracking.metric import NAN, Getter, metric


def _zscore(r: EpisodeRecord) -> float:
    return r.verdict.z if r.verdict.rule == "zscore" else NAN


def _spsi(read: Getter) -> Getter:
    return lambda r: NAN if r.spsi.health is Health.unmeasured else read(r)


SPSI = (
    metric(
        "spsi/value",
        "[-0.5, +0.5]",
        "The self-play stability index: healthy from 0.20, consolidating from 0, collapsing below.",
        _spsi(lambda r: r.spsi.value),
    ),
    metric(
        "spsi/information",
        "[0, +0.30]",
        "Its reward for information taken up: +0.30 sat(epi_gain; 0, 0.04).",
        _spsi(lambda r: r.spsi.information),
    ),
    metric(
        "spsi/frontier",
        "[0, +0.20]",
        "Its reward for a frontier to learn from: +0.20 sat(frontier_share; 0.05, 0.25).",
        _spsi(lambda r: r.spsi.frontier),
    ),
    metric(
        "spsi/forgetting",
        "[-0.15, 0]",
        "Its penalty for forgetting: -0.15 sat(-retest_trend; 0, 0.08).",
        _spsi(lambda r: r.spsi.forgetting),
    ),
    metric(
        "spsi/deception",
        "[-0.15, 0]",
        "Its penalty for the strongest detector: -0.15 max(strongest global score, per- "
        "cluster D pressure).",
        _spsi(lambda r: r.spsi.deception),
    ),
    metric(
        "spsi/waste",
        "[-0.20, 0]",
        "Its penalty for wasted compute: -0.20 wasted_share.",
        _spsi(lambda r: r.spsi.waste),
    ),
    metric(
        "spsi/wasted_share",
        "[0, 1]",
        "Share of compute in clusters that are unrewarding, well sampled and not recovering.",
        _spsi(lambda r: r.spsi.wasted_share),
    ),
)

CONTROL = (
    metric(
        "control/refused",
        "0 or 1",
        "Whether the update was refused, in whole or in part.",
        lambda r: float(r.verdict.ruling is Ruling.refuse),
    ),
    metric(
        "control/underpowered",
        "0 or 1",
        "Whether too few retests were there to judge the update.",
        lambda r: float(r.verdict.ruling is Ruling.underpowered),
    ),
    metric(
        "control/divergent",
        "0 or 1",
        "Whether the two gauges disagreed.",
        lambda r: float(r.verdict.divergent),
    ),
    metric(
        "control/streak",
        "episodes",
        "Divergent episodes in a row.",
        lambda r: float(r.verdict.streak),
    ),
    metric(
        "control/severity",
        "[0, 1]",
        "Share of the old weights in the result: 0 keeps the update, 1 undoes it.",
        lambda r: r.rollback.severity,
    ),
    metric(
        "control/retest_z",
        "standard deviations",
        "Retest trend against the run's own history, where the rule is `zscore`.",
        _zscore,
    ),
    metric(
        "control/target",
        "cluster",
        "Cluster that proposals were aimed at; left out where there was no target.",
        lambda r: float(r.curriculum.target) if r.curriculum.target >= 0 else NAN,
    ),
    metric(
        "control/k",
        "chains",
        "Chains per problem.",
        lambda r: float(r.capacity.k),
    ),
    metric(
        "control/max_tokens",
        "tokens",
        "Response tokens per chain.",
        lambda r: float(r.capacity.max_tokens),
    ),
    metric(
        "control/context_rate",
        "[0, 1]",
        "Probability that a proposal is conditioned on an external text.",
        lambda r: r.dials.context_rate,
    ),
    metric(
        "control/temperature",
        "> 0",
        "Sampling temperature of the solver's chains.",
        lambda r: r.dials.temperature,
    ),
    metric(
        "control/frontier_steps",
        "steps",
        "Steps of reasoning that proposals are asked to need.",
        lambda r: float(r.dials.frontier_steps),
    ),
    metric(
        "control/orders",
        "actions",
        "Defenses ordered in the episode.",
        lambda r: float(len(r.defense.orders)),
    ),
    metric(
        "control/with_blind_spot",
        "proposals",
        "Proposals conditioned on a problem that an update made worse.",
        lambda r: float(r.seeding.with_blind_spot),
    ),
    metric(
        "control/with_exemplars",
        "proposals",
        "Proposals conditioned on exemplars of the target cluster.",
        lambda r: float(r.seeding.with_exemplars),
    ),
    metric(
        "control/pairs",
        "pairs",
        "Frontier pairs in the update.",
        lambda r: float(r.learning.pairs),
    ),
    metric(
        "control/replayed",
        "pairs",
        "Pairs of the replay memory in the update.",
        lambda r: float(r.learning.replayed),
    ),
    metric(
        "control/updates",
        "steps",
        "Optimizer steps of the update.",
        lambda r: float(r.learning.updates),
    ),
    metric(
        "control/tokens",
        "tokens",
        "Response tokens trained on.",
        lambda r: float(r.learning.tokens),
    ),
    metric(
        "control/loss",
        "nats per token",
        "Mean training loss of the update.",
        lambda r: r.learning.mean_loss if r.learning.updates else NAN,
    ),
    metric(
        "control/skipped",
        "steps",
        "Steps skipped because loss or gradient was not finite.",
        lambda r: float(r.learning.skipped),
    ),
    metric(
        "control/effective_pairs",
        "pairs",
        "Effective number of pairs under their weights, (sum w)^2 / sum w^2.",
        lambda r: r.weights.effective,
    ),
    metric(
        "control/proposer_weight",
        "[0, 1]",
        "Mean weight of the proposer's own texts.",
        lambda r: r.shaping.weights.mean if r.shaping.weights.n else NAN,
    ),
    metric(
        "control/skill",
        "[0, 1]",
        "Running mean of agreement that raises the lower bar of the frontier.",
        lambda r: r.skill,
    ),
    metric(
        "control/replay_memory",
        "pairs",
        "Pairs in the replay memory.",
        lambda r: float(r.memory.replay),
    ),
    metric(
        "control/library",
        "pairs",
        "Solved problems that retests are drawn from.",
        lambda r: float(r.memory.library),
    ),
    metric(
        "control/blind_spots",
        "problems",
        "Problems whose retest regressed.",
        lambda r: float(r.memory.blind_spots),
    ),
)
