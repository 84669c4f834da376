"""Inner loop: is this attempt valid? Premises, agreement of chains, zones, and their census."""

from dataclasses import dataclass
from enum import StrEnum

from argus_rl.core.values import Decision, Effect, Reading


class Zone(StrEnum):
    """How hard a problem is for the present model."""

    hard = "hard"
    """The label cannot be trusted: agreement below the lower bar."""
    frontier = "frontier"
    """Trusted, and not mastered yet: the only zone that is trained on."""
    easy = "easy"
    """Mastered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxReading(Reading):
    """Whether one proposal is a problem text at all."""

    problem_id: str
    accepted: bool
    fault: str = ""
    """What is wrong with it; empty for an accepted one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePremise:
    """One statement of a problem text that cannot be true."""

    kind: str
    start: int
    end: int
    expression: str
    claimed: str
    true_value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseReading(Reading):
    """What the validator saw in one problem text."""

    problem_id: str
    sound: bool
    """Whether nothing in the text is demonstrably false."""
    findings: tuple[FalsePremise, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(Reading):
    """How far k chains agree on one problem."""

    problem_id: str
    k: int
    outcome: float
    """Unbiased pair agreement on the final answer, `sum n_a (n_a - 1) / (k (k - 1))`, in [0, 1]."""
    process: float
    """Mean F1 of derived values over pairs of majority chains, times `true_share`, in [0, 1]."""
    score: float
    """`outcome * process`, in [0, 1]."""
    true_share: float
    """Share of the majority chains' stated equations that are true, in [0, 1]."""
    majority: str
    """Canonical key of the majority answer; empty on a tie or where no chain has an answer."""
    majority_count: int
    """Chains that gave the majority answer."""
    answerless: int
    """Chains without an answer (each a class of its own)."""
    best: int
    """Index of the most agreeing majority chain; -1 where there is no majority."""
    distinct: int
    """Different chain texts among the k."""
    length_spread: float
    """Standard deviation of chain lengths over their mean; 0 for copies."""
    low: float
    """Lower end of the 95 % Beta(1 + n_maj, 1 + k - n_maj) interval of the majority's share."""
    high: float
    """Upper end of that interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneDecision(Decision):
    """Where one problem lies."""

    problem_id: str
    zone: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Census(Reading):
    """One episode's problems, counted."""

    drafts: int
    """Proposals asked for."""
    refused_syntax: int
    """Refused by the syntactic gate."""
    refused_premise: int
    """Refused by the premise validator, before a chain was spent."""
    easy: int
    frontier: int
    hard: int
    context_used: int
    """Proposals that were conditioned on an external text."""
    unique_share: float
    """Distinct texts among the proposals (numbers included), in [0, 1]."""
    template_entropy: float
    """Normalised entropy of the proposals over clusters (or opening words), in [0, 1]."""
    mean_score: float
    """Mean agreement score over solved problems."""
    mean_outcome: float
    """Mean answer agreement over solved problems."""
    distinct_share: float
    """Mean share of distinct chain texts per problem, in (0, 1]."""
    length_spread: float
    """Mean relative spread of chain lengths."""
    answerless_share: float
    """Share of chains without an answer."""
    truncated_share: float
    """Share of chains that the token budget ended."""
    unsound_share: float
    """Share of the solved problems that the validator finds false, refused or not."""

    @property
    def solved(self) -> int:
        """Problems that chains were spent on."""
        return self.easy + self.frontier + self.hard

    @property
    def frontier_share(self) -> float:
        """Frontier problems over solved ones; 0 where none was solved."""
        return self.frontier / self.solved if self.solved else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsEffect(Effect):
    """Weights for the solver's pairs, scaled to mean 1."""

    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapingEffect(Effect):
    """Weights for the proposer's pairs, in [floor, 1]."""

    weights: tuple[float, ...]
    mean_factuality: float
    mean_difficulty: float
    mean_frontier_fit: float
