"""What the loops may see of a problem: its text, and never its answer.

A `Problem` has no field for a gold answer, so no part that holds one can learn from it. Answers
live in `argus_rl.data.answer_key`, which the import rules keep out of every room of the training
side but the evaluator and the audit.
"""

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """Where a problem text came from."""

    proposed = "proposed"
    """Written by the proposer from scratch (`proposing=fresh`)."""
    varied = "varied"
    """Written by the proposer as a variation of a context text (`proposing=vary`)."""
    grown = "grown"
    """A solved problem with one more step (`proposing=grow`)."""
    context = "context"
    """An unlabelled text that someone else wrote."""
    held_out = "held_out"
    """A problem of the evaluation; it never enters the training path."""
    injected = "injected"
    """Planted by the lab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One word problem, as the training side sees it."""

    id: str
    """Unique within a run, and derived from what made it, so that a resumed run agrees."""
    text: str
    """The problem, ending in its question."""
    source: Source
    """Where the text came from."""
    seed: int = 0
    """The sampling seed that made it; 0 for texts that were not sampled."""
    steps: int = 0
    """Steps of reasoning that the text was asked to need; 0 where nobody asked."""
    parent: str = ""
    """Id of the problem or context text that this one was made from; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One attempt at a problem."""

    problem_id: str
    text: str
    """The response, without prompt and without end-of-sequence token."""
    index: int
    """0 to k-1: with the problem's id it names the random stream that made the chain."""
    tokens: int = 0
    """Length of the response in tokens, the end token included."""
    truncated: bool = False
    """Whether the token budget ended the chain. A truncated chain has no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A solved problem: text, the chain to learn, and the answer that consensus gave."""

    problem: Problem
    chain: Chain
    label: str
    """Canonical key of the consensus answer. It is the model's own opinion, not the truth."""
    score: float
    """Agreement score behind the label, in [0, 1]."""
    cluster: int = -1
    """Cluster of the capability map; -1 where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A proposal before it is solved.

    In modes `fresh` and `vary` the whole text is put to the vote and `ask is problem`. In mode
    `grow` only the new step is: `ask` is the one-step problem that was spliced onto `base`.
    """

    problem: Problem
    """The whole text, which the validator reads and the pair will hold."""
    ask: Problem
    """What the chains are asked."""
    base: Pair | None = None
    """The solved problem that was grown; None for whole proposals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalPrompt:
    """What the proposer is shown for one proposal."""

    id: str
    """Id of the proposal to be."""
    steps: int
    """Steps of reasoning that the problem should need."""
    context: Problem | None = None
    """External text (or blind spot) to vary; None for a fresh problem."""
    exemplars: tuple[str, ...] = ()
    """Texts of the planned cluster, as examples of what to write about."""
    base: Pair | None = None
    """A solved problem to grow by one step (`proposing=grow`)."""
