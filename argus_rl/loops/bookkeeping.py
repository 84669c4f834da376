"""What an episode leaves behind: its record for the ledger, and the state of the next one."""

from dataclasses import dataclass, replace

from argus_rl.actuators.seeding import SeedingPlan
from argus_rl.actuators.turned import TurnedEffect
from argus_rl.core.rng import Stream
from argus_rl.core.signals.across import SpsiReading
from argus_rl.core.signals.inner import Zone
from argus_rl.core.signals.middle import EpisodeTrace, History, PastDefense, Ruling
from argus_rl.core.signals.outer import CapacityDecision, CurriculumDecision
from argus_rl.ledger.records import (
    EpisodeRecord,
    Fingerprints,
    Gate,
    MemorySizes,
    RefusedProposal,
    SampleChain,
    SampleProblem,
    ShapingSummary,
    WeightSummary,
)
from argus_rl.loops.inner import Attempt, Attempts
from argus_rl.loops.middle import Outcome
from argus_rl.loops.state import RunState
from argus_rl.text.answers import extract_answer

SAMPLES_PER_ZONE = 2
SAMPLE_CHAINS = 3
REFUSED_SAMPLES = 8
TRACES = 200
"""Episodes that history remembers."""
LARGEST_PANEL = 8.0
"""Most that an underpowered verdict may enlarge the panel by, in all."""


def advance(state: RunState, attempts: Attempts, outcome: Outcome) -> RunState:
    """Return the state that the next episode starts from."""
    deferred = tuple(order for order in outcome.defense.orders if order.deferred)
    history = History(
        episodes=(*state.history.episodes, trace_of(state, attempts, outcome))[-TRACES:],
        streak=0 if outcome.verdict.ruling is Ruling.refuse else outcome.verdict.streak,
        defenses=(
            *state.history.defenses,
            *(
                PastDefense(
                    episode=state.episode,
                    order=order,
                    frontier_share_before=attempts.census.frontier_share,
                    dials_before=state.dials,
                )
                for order in outcome.defense.orders
            ),
        )[-TRACES:],
        cooldowns=outcome.defense.cooldowns,
    )
    underpowered = outcome.verdict.ruling is Ruling.underpowered
    return replace(
        state.practised(attempts.census),
        episode=state.episode + 1,
        memory=outcome.memory,
        dials=outcome.dials,
        history=history,
        map=outcome.map.state,
        clusters=outcome.map.summary,
        pending=deferred,
        panel_factor=min(LARGEST_PANEL, 2 * state.panel_factor) if underpowered else 1.0,
    )


def trace_of(state: RunState, attempts: Attempts, outcome: Outcome) -> EpisodeTrace:
    """What later episodes need to know of this one."""
    census = attempts.census
    return EpisodeTrace(
        episode=state.episode,
        epi_gain=outcome.epi.gain,
        retest_trend=outcome.retest.trend,
        retest_n=outcome.retest.n,
        refused=outcome.verdict.ruling is Ruling.refuse,
        learned=outcome.update.learning.updates > 0,
        frontier_share=census.frontier_share,
        unique_share=census.unique_share,
        template_entropy=census.template_entropy,
        distinct_share=census.distinct_share,
        length_spread=census.length_spread,
        mean_score=census.mean_score,
        cluster_shares=tuple((c.cluster, c.episode_share) for c in outcome.map.clusters),
        cluster_rewards=tuple(
            (c.cluster, c.episode_reward) for c in outcome.map.clusters if c.episode_share > 0
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """Everything that one pass of the outer loop had in hand."""

    state: RunState
    """As the episode was run with."""
    target: CurriculumDecision
    room: CapacityDecision
    plan: SeedingPlan
    attempts: Attempts
    outcome: Outcome
    health: SpsiReading
    waited: tuple[TurnedEffect, ...]
    """Defenses that the last episode put off."""
    after: RunState
    """What the next episode starts from."""
    stream: Stream


def record_of(episode: Episode) -> EpisodeRecord:
    """Return the typed record of one episode."""
    state, after = episode.state, episode.after
    attempts, outcome = episode.attempts, episode.outcome
    shaping, update = outcome.update.shaping, outcome.update
    return EpisodeRecord(
        episode=state.episode,
        stream=episode.stream.name,
        seed=int(episode.stream.name[1]),
        curriculum=episode.target,
        capacity=episode.room,
        dials=state.dials,
        seeding=episode.plan.bare,
        census=attempts.census,
        weights=WeightSummary.of(outcome.update.weights.weights),
        shaping=ShapingSummary(
            weights=WeightSummary.of(shaping.weights),
            mean_factuality=shaping.mean_factuality,
            mean_difficulty=shaping.mean_difficulty,
            mean_frontier_fit=shaping.mean_frontier_fit,
        ),
        learning=outcome.update.learning,
        epiplexity=outcome.epi,
        retest=outcome.retest,
        verdict=outcome.verdict,
        rollback=outcome.undone.bare,
        bank=outcome.bank,
        attribution=outcome.blame,
        defense=outcome.defense,
        effects=tuple(effect.bare for effect in (*episode.waited, *outcome.effects)),
        capability=outcome.map.summary,
        spsi=episode.health,
        fingerprints=Fingerprints(
            before=update.before.fingerprint,
            proposed=update.after.fingerprint,
            committed=outcome.committed,
        ),
        memory=MemorySizes(
            replay=len(after.memory.replay),
            library=len(after.memory.library),
            blind_spots=len(after.memory.blind_spots),
            anchors=len(after.memory.anchors),
        ),
        skill=after.skill,
        samples=samples_of(attempts),
        refused=tuple(sorted(attempts.refused, key=_dullness)[:REFUSED_SAMPLES]),
    )


def samples_of(attempts: Attempts) -> tuple[SampleProblem, ...]:
    """A few problems of each zone, for people to look at."""
    found: list[SampleProblem] = []
    for zone in Zone:
        own = [a for a in attempts.attempts if a.zone.zone is zone]
        found += [sample_of(a) for a in own[:SAMPLES_PER_ZONE]]
    return tuple(found)


def _dullness(refused: RefusedProposal) -> bool:
    """False premises first: what they claim is worth reading."""
    return refused.gate is not Gate.premise


def sample_of(attempt: Attempt) -> SampleProblem:
    """One problem with its most agreeing chain first."""
    best = attempt.agreement.best
    order = sorted(range(len(attempt.chains)), key=lambda i: (i != best, i))[:SAMPLE_CHAINS]
    chains = [attempt.chains[i] for i in order]
    answers = [None if c.truncated else extract_answer(c.text) for c in chains]
    problem, ask = attempt.draft.problem, attempt.draft.ask
    return SampleProblem(
        problem_id=problem.id,
        text=problem.text,
        source=problem.source.value,
        zone=attempt.zone.zone,
        score=attempt.agreement.score,
        label=attempt.agreement.majority,
        chains=tuple(
            SampleChain(text=c.text, answer=a.key if a else "", truncated=c.truncated)
            for c, a in zip(chains, answers, strict=True)
        ),
        asked=ask.text if attempt.draft.base is not None else "",
        cluster=attempt.pair.cluster if attempt.pair else -1,
    )
