"""Middle loop: did I actually learn? Gauges, verdict, detectors, attribution and defenses."""

from dataclasses import dataclass
from enum import StrEnum

from argus_rl.core.signals.inner import Agreement
from argus_rl.core.values import Decision, Effect, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelScore:
    """One item of the retest panel under one set of weights."""

    problem_id: str
    cluster: int
    """Cluster of the item; -1 where there is no capability map."""
    agreement: Agreement
    label: str
    """Canonical key of the answer that consensus gave when the item entered the memory."""
    held: float
    """Share of the chains that give that answer, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement(Reading):
    """Both gauges' raw figures under one set of weights."""

    fingerprint: str
    """Digest of the weights that were measured."""
    lesson_nll: tuple[float, ...]
    """Nats per response token of each pair that the update learns from."""
    probe_nll: tuple[float, ...]
    """The same for pairs of the episode that the update never sees."""
    replay_nll: tuple[float, ...]
    """The same for the replay memory."""
    panel: tuple[PanelScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpiplexityReading(Reading):
    """Information taken up by one update: NLL before minus NLL after, in nats per token."""

    gain: float
    """On the pairs that were trained on; positive almost by construction."""
    gain_se: float
    gain_low: float
    """Lower end of its 95 % bootstrap interval."""
    gain_high: float
    probe_gain: float
    """On the held-back pairs of the same episode."""
    probe_se: float
    probe_low: float
    probe_high: float
    n: int
    n_probe: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrequentialReading(Reading):
    """Epiplexity of what a run solved, in bits: first-pass online loss minus final loss."""

    bits: float
    """Area of the online loss curve above the observer's final loss; at least 0."""
    epochs: int
    """Passes of the observer that minimise the description length on the validation split."""
    mdl: float
    """Description length at that epoch, in bits per response token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverCurve(Reading):
    """How an observer, fresh from the starting weights, learned a set of pairs; in nats."""

    online: tuple[float, ...]
    """NLL of each training response on the first pass, before the observer learned from it."""
    train: tuple[float, ...]
    """NLL of all training responses together, measured again after each epoch."""
    validation: tuple[float, ...]
    """NLL of all validation responses together, after each epoch; never learned from."""
    train_tokens: int
    """Response tokens of the training set."""
    validation_tokens: int
    """Response tokens of the validation set."""
    skipped: int = 0
    """Observer steps skipped because loss or gradient was not finite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetestDelta:
    """One panel item before and after the update."""

    problem_id: str
    cluster: int
    before: float
    after: float
    flipped: bool
    """The majority gave the stored answer before, and another answer (or none) after."""

    @property
    def delta(self) -> float:
        """Score after minus score before, in [-1, 1]."""
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class RetestReading(Reading):
    """Skill on past problems: fresh scores after the update minus fresh scores before it."""

    deltas: tuple[RetestDelta, ...]
    trend: float
    """Mean delta; 0 for an empty panel."""
    se: float
    """Standard error of the mean over items; 0 for fewer than two items."""
    n: int
    regressed: tuple[str, ...]
    """Ids of items whose score fell by more than the tolerance."""
    flip_rate: float
    """Share of items answered with the stored label before and otherwise after."""


class Ruling(StrEnum):
    """What ERCV says of an update."""

    accept = "accept"
    refuse = "refuse"
    underpowered = "underpowered"
    """Too few retests to say; the update stands and the next panel is enlarged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Decision):
    """The decision about an update."""

    ruling: Ruling
    severity: float
    """Share of the old weights in the result: 0 keeps the update, 1 undoes it."""
    divergent: bool
    """Whether the gauges disagreed in this episode."""
    streak: int
    """Divergent episodes in a row, this one included."""
    rule: str
    """`fixed_threshold`, `zscore`, `calibrated` or `never_refuse`."""
    z: float
    """Standardised trend where the rule is `zscore`; 0 otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningEffect(Effect):
    """What one update did."""

    updates: int
    pairs: int
    replayed: int
    tokens: int
    """Response tokens trained on."""
    mean_loss: float
    skipped: int
    """Steps skipped because the loss or the gradient was not finite."""
    recombined: int = 0
    """Sequences drawn from new problems that were made of solved ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackEffect(Effect):
    """What a verdict undid."""

    severity: float
    kept: tuple[str, ...]
    """What the refusal left as the update had made it."""


class LieType(StrEnum):
    """The ways in which a self-improving model lies to itself."""

    A = "A"
    """Proposer drift: it asks one kind of question."""
    B = "B"
    """Novelty collapse: chains agree because they are copies."""
    C = "C"
    """Memorising replay."""
    D = "D"
    """Forgetting."""
    E = "E"
    """Saturation: the frontier is empty."""
    F = "F"
    """Hallucinated premises that all chains accept."""
    G = "G"
    """Plateau capture: one cluster takes the curriculum and stops improving."""
    H = "H"
    """Defense-induced collapse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorReading(Reading):
    """One detector's score in one episode."""

    lie: LieType
    score: float
    """In [0, 1]."""
    threshold: float
    cluster: int = -1
    """The cluster that it speaks of; -1 for the whole run."""
    because: str = ""
    """The figures behind the score, for a person."""
    culprit: int = -1
    """Cluster that a score of the whole run (F, G) puts it down to; -1 for none."""

    @property
    def fires(self) -> bool:
        """Whether the score is over its threshold."""
        return self.score > self.threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class BankReading(Reading):
    """All detectors of one episode: A to H for the whole run, and D per cluster."""

    detectors: tuple[DetectorReading, ...]

    @property
    def firings(self) -> tuple[DetectorReading, ...]:
        """The detectors that fire, strongest first."""
        return tuple(sorted((d for d in self.detectors if d.fires), key=lambda d: -d.score))

    @property
    def strongest_global(self) -> float:
        """The highest score among the detectors of the whole run; 0 for none."""
        return max((d.score for d in self.detectors if d.cluster < 0), default=0.0)

    @property
    def cluster_pressure(self) -> float:
        """The highest type D score of a single cluster; 0 for none."""
        scores = [d.score for d in self.detectors if d.cluster >= 0 and d.lie is LieType.D]
        return max(scores, default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution(Reading):
    """Which training pairs lowered which retest items; `cause` is -1 for "no evidence"."""

    cause: int
    """Cluster of the harmful pairs; -1 where there is no evidence."""
    effect: int
    """Cluster of the items that regressed; -1 where none did."""
    influence_p: float
    """Permutation p-value of gradient influence."""
    similarity_p: float
    """Permutation p-value of embedding similarity."""
    pairs: tuple[str, ...]
    """Ids of the pairs of the cause, most harmful first."""
    summary: str


class Defense(StrEnum):
    """What can be done about a firing."""

    force_context = "force_context"
    raise_temperature = "raise_temperature"
    clear_replay = "clear_replay"
    decay_replay = "decay_replay"
    soft_rollback = "soft_rollback"
    raise_steps = "raise_steps"
    quarantine = "quarantine"
    cap_cluster = "cap_cluster"
    undo = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One action against one firing."""

    action: Defense
    lie: LieType
    cluster: int = -1
    amount: float = 0.0
    """Size of the change in the action's own unit (rate, temperature, steps, severity, share)."""
    deferred: bool = False
    """Whether it waits for the next episode."""
    because: str = ""
    """The reading that caused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseDecision(Decision):
    """What is to be done about this episode's firings."""

    orders: tuple[Order, ...]
    cooldowns: tuple[tuple[Defense, int], ...]
    """Actions that may not be taken, and for how many more episodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenseEffect(Effect):
    """One action carried out."""

    action: Defense
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dials(Reading):
    """What defenses can turn; part of the run's state."""

    context_rate: float
    """Probability that a proposal is conditioned on an external text, in [0, 1]."""
    temperature: float
    """Sampling temperature of the solver's chains."""
    frontier_steps: int
    """Steps of reasoning that proposals are asked to need."""
    quarantined: tuple[int, ...] = ()
    """Clusters whose pairs may not enter an update in this episode."""
    capped: tuple[int, ...] = ()
    """Clusters that the planner may not target in this episode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastDefense:
    """An action that was taken, and the episode before it, to judge it by later."""

    episode: int
    order: Order
    frontier_share_before: float
    dials_before: Dials


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeTrace:
    """What later episodes need to know of an earlier one."""

    episode: int
    epi_gain: float
    retest_trend: float
    retest_n: int
    refused: bool = False
    """Whether the update was refused, so that its trend is no example of what is usual."""
    learned: bool = True
    """Whether an update was made; without one the trend is exactly 0, and no example either."""
    frontier_share: float
    unique_share: float
    template_entropy: float
    distinct_share: float
    length_spread: float
    mean_score: float
    cluster_shares: tuple[tuple[int, float], ...] = ()
    """Share of *that episode's* problems in each cluster (`ClusterReading.episode_share`)."""
    cluster_rewards: tuple[tuple[int, float], ...] = ()
    """Mean agreement score of that episode's problems in each cluster that had some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Reading):
    """The episodes so far, oldest first."""

    episodes: tuple[EpisodeTrace, ...] = ()
    streak: int = 0
    """Divergent episodes in a row, up to now."""
    defenses: tuple[PastDefense, ...] = ()
    """Actions that were carried out, oldest first."""
    cooldowns: tuple[tuple[Defense, int], ...] = ()
    """Actions that may not be taken, and for how many more episodes."""

    @property
    def standing_defense(self) -> PastDefense | None:
        """The newest action that can be taken back and was not; each undo took back one."""
        undone = 0
        for past in reversed(self.defenses):
            if past.order.action is Defense.undo:
                undone += 1
            elif past.order.action is not Defense.soft_rollback:
                if not undone:
                    return past
                undone -= 1
        return None
