"""One typed record an episode, made of the very values that flowed between its parts.

The loops fill an `EpisodeRecord` with the readings, decisions and effects that they had in hand, so
the ledger needs no second vocabulary: what a sensor saw is what the ledger says it saw. Only bulky
values are summarised (weights of single pairs, chains that are no sample). `RunHeader` says what
made the run and `RunSummary` how it ended.

Nothing here names a time, a host or a folder: a run that was killed and resumed leaves the same
bytes as one that was not. Durations and paths live in files of their own.
"""

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from typing import Any

from argus_rl.core.signals.across import SpsiReading
from argus_rl.core.signals.inner import Census, FalsePremise, ShapingEffect, WeightsEffect, Zone
from argus_rl.core.signals.middle import (
    Attribution,
    BankReading,
    DefenseDecision,
    DefenseEffect,
    Dials,
    EpiplexityReading,
    LearningEffect,
    PrequentialReading,
    RetestReading,
    RollbackEffect,
    Verdict,
)
from argus_rl.core.signals.outer import (
    CapabilityReading,
    CapacityDecision,
    CurriculumDecision,
    SeedingEffect,
)

SCHEMA = 1
"""Version of the ledger's lines; a reader refuses any other."""

PACKAGES = ("argus_rl", "numpy", "peft", "scipy", "tokenizers", "torch", "transformers")
"""Packages whose versions can change a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightSummary:
    """Weights over pairs, in four figures; all 0 for no pairs."""

    n: int
    mean: float
    low: float
    """Smallest weight."""
    high: float
    """Largest weight."""
    effective: float
    """Effective number of pairs, `(sum w)^2 / sum w^2`, in [0, n]."""

    @classmethod
    def of(cls, weights: Sequence[float]) -> "WeightSummary":
        """Summarise weights; order does not matter."""
        n, squares = len(weights), sum(w * w for w in weights)
        return cls(
            n=n,
            mean=sum(weights) / n if n else 0.0,
            low=min(weights, default=0.0),
            high=max(weights, default=0.0),
            effective=sum(weights) ** 2 / squares if squares else 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapingSummary:
    """The proposer's weights, and the three factors behind them (means over its pairs)."""

    weights: WeightSummary
    mean_factuality: float
    mean_difficulty: float
    mean_frontier_fit: float


def summarise_weights(effect: WeightsEffect) -> WeightSummary:
    """The solver's weights in four figures."""
    return WeightSummary.of(effect.weights)


def summarise_shaping(effect: ShapingEffect) -> ShapingSummary:
    """The proposer's weights in four figures, with the factors behind them."""
    return ShapingSummary(
        weights=WeightSummary.of(effect.weights),
        mean_factuality=effect.mean_factuality,
        mean_difficulty=effect.mean_difficulty,
        mean_frontier_fit=effect.mean_frontier_fit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """Digests of all trainable weights at three instants of an episode."""

    before: str
    """As the episode found them."""
    proposed: str
    """As the update left them."""
    committed: str
    """As the verdict left them: `before` after a hard refusal, `proposed` after acceptance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySizes:
    """What the memories hold at the end of the episode, in items."""

    replay: int
    """Pairs that updates are mixed with."""
    library: int
    """Solved problems: bases for growth, and the pool that retests are drawn from."""
    blind_spots: int
    """Problems whose retest regressed."""
    anchors: int = 0
    """Easy problems that the starting model solved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleChain:
    """One chain of a sample problem."""

    text: str
    answer: str
    """Canonical key of its answer; empty for none."""
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleProblem:
    """A solved problem kept for people to look at."""

    problem_id: str
    text: str
    source: str
    """Where the text came from (`argus_rl.data.problem.Source`)."""
    zone: Zone
    score: float
    """Agreement score, in [0, 1]."""
    label: str
    """Canonical key of the consensus answer; empty for none. The model's opinion, not the truth."""
    chains: tuple[SampleChain, ...]
    """A few of its chains, the most agreeing one first."""
    asked: str = ""
    """The one-step problem that was put to the vote in mode `grow`; empty where the text was."""
    cluster: int = -1


class Gate(StrEnum):
    """What refused a proposal."""

    syntax = "syntax"
    """Empty, over-long, without question or number, or a near-duplicate."""
    premise = "premise"
    """Something in the text is demonstrably false."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedProposal:
    """A proposal that no chain was spent on."""

    problem_id: str
    text: str
    gate: Gate
    reason: str
    """One clause a person can read."""
    findings: tuple[FalsePremise, ...] = ()
    """What is false, where the premise gate refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord:
    """Everything one episode saw, decided and changed."""

    episode: int
    """From 0."""
    stream: tuple[str | int, ...]
    """Name of the episode's random stream; the streams of its parts are named below it."""
    seed: int
    """The run's seed."""
    curriculum: CurriculumDecision
    capacity: CapacityDecision
    dials: Dials
    """As the episode was run with."""
    seeding: SeedingEffect
    census: Census
    weights: WeightSummary
    shaping: ShapingSummary
    learning: LearningEffect
    epiplexity: EpiplexityReading
    retest: RetestReading
    verdict: Verdict
    rollback: RollbackEffect
    bank: BankReading
    attribution: Attribution | None
    """None where nobody asked for a cause."""
    defense: DefenseDecision
    effects: tuple[DefenseEffect, ...]
    """Defenses carried out in this episode, those deferred from the last one included."""
    capability: CapabilityReading
    spsi: SpsiReading
    fingerprints: Fingerprints
    memory: MemorySizes
    skill: float = 0.0
    """Running mean of agreement that raises the lower bar of the frontier, in [0, 1]."""
    samples: tuple[SampleProblem, ...] = ()
    refused: tuple[RefusedProposal, ...] = ()
    """A few of the proposals that were refused; the census counts them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeader:
    """What made the run: enough to make it again. The first line of the ledger."""

    preset: str
    seed: int
    episodes: int
    """Episodes asked for."""
    model: str
    """The machine in a sentence."""
    command: str
    """What to type to make this run again, without its folder."""
    config: dict[str, Any]
    """All settings as plain JSON, without the folders of this run."""
    versions: dict[str, str]
    """Versions of Python and of the packages that can change a run."""


LOCAL = ("run_dir", "resume")
"""Settings that say where a run is written, and so are no part of what it is."""


def without_folders(config: dict[str, Any]) -> dict[str, Any]:
    """The settings that define a run: all but those that say where it is written."""
    return {key: value for key, value in config.items() if key not in LOCAL}


def reproducing_command(overrides: Iterable[str]) -> str:
    """The command line that makes a run again, from its overrides; folders are left out."""
    kept = [word for word in overrides if word.partition("=")[0].lstrip("+") not in LOCAL]
    return " ".join(["python -m argus_rl.train", *kept])


def versions_here(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Versions of Python and of those of `packages` that are installed."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """How a run ended; written to `summary.json` and shown at the end. Rates lie in [0, 1]."""

    preset: str
    seed: int
    episodes: int
    """Episodes committed."""
    verdict: str
    """Improved, regressed or no evidence, in words with intervals; empty where nothing was
    evaluated."""
    refusals: int
    """Updates refused in whole or in part."""
    underpowered: int
    """Updates that stood because too few retests were there to judge them."""
    firings: int
    """Detector firings over all episodes."""
    frontier_pairs: int
    """Pairs that updates learned from."""
    wasted_share: float
    """Wasted compute at the end (see SPSI)."""
    spsi: float
    """SPSI of the last episode; NaN where it was not measured."""
    label_accuracy: float
    """Share of audited consensus labels that are true; NaN where nothing was audited."""
    seconds: float
    """Wall-clock time of the process that finished the run."""
    information: PrequentialReading | None = None
    """What a fresh observer learns from what the run solved; None where too little was solved."""


def summarise_run(
    header: RunHeader,
    records: Sequence[EpisodeRecord],
    *,
    verdict: str = "",
    label_accuracy: float = float("nan"),
    seconds: float = 0.0,
) -> RunSummary:
    """Count a run's records."""
    last = records[-1].spsi if records else None
    measured = last is not None and last.health.value != "unmeasured"
    return RunSummary(
        preset=header.preset,
        seed=header.seed,
        episodes=len(records),
        verdict=verdict,
        refusals=sum(r.verdict.ruling.value == "refuse" for r in records),
        underpowered=sum(r.verdict.ruling.value == "underpowered" for r in records),
        firings=sum(len(r.bank.firings) for r in records),
        frontier_pairs=sum(r.learning.pairs for r in records),
        wasted_share=last.wasted_share if last else 0.0,
        spsi=last.value if last is not None and measured else float("nan"),
        label_accuracy=label_accuracy,
        seconds=seconds,
    )
