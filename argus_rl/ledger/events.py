"""Things that happened: each event says because of what, and what was done.

An episode's record holds every reading; its events are the few sentences that somebody asks for
first. Both are written by the same call, from the same values: `events_of` reads a finished record,
so an event can never say what its record does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from argus_rl.core.signals.middle import Attribution, PastDefense, Ruling
from argus_rl.ledger.records import EpisodeRecord, RefusedProposal, RunHeader, RunSummary

Scalar = str | int | float | bool

OUTSIDE = -1
"""Episode of what happens before the first one."""


class EventKind(StrEnum):
    """What can happen."""

    run_started = "run_started"
    proposal_refused = "proposal_refused"
    step_skipped = "step_skipped"
    ercv_verdict = "ercv_verdict"
    rollback = "rollback"
    detector_fired = "detector_fired"
    attribution = "attribution"
    defense_applied = "defense_applied"
    defense_outcome = "defense_outcome"
    capability_snapshot = "capability_snapshot"
    run_finished = "run_finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened."""

    kind: EventKind
    episode: int
    """The episode it happened in; -1 before the first."""
    because: dict[str, Scalar]
    """The figures or words that led to it, by name."""
    done: str
    """What was done, as a person would say it."""


def run_started(header: RunHeader) -> Event:
    """A run began."""
    return Event(
        kind=EventKind.run_started,
        episode=OUTSIDE,
        because={"preset": header.preset, "seed": header.seed, "model": header.model},
        done=f"started a run of {header.episodes} episodes",
    )


def run_finished(summary: RunSummary) -> Event:
    """A run came to its end. Says nothing of time, which differs between equal runs."""
    return Event(
        kind=EventKind.run_finished,
        episode=summary.episodes - 1,
        because={
            "refusals": summary.refusals,
            "firings": summary.firings,
            "wasted_share": summary.wasted_share,
            "spsi": summary.spsi,
        },
        done=f"finished after {summary.episodes} episodes. {summary.verdict}".strip(),
    )


def proposal_refused(episode: int, refused: RefusedProposal) -> Event:
    """A gate refused a proposal before a chain was spent on it."""
    because: dict[str, Scalar] = {
        "problem_id": refused.problem_id,
        "gate": refused.gate.value,
        "reason": refused.reason,
    }
    for finding in refused.findings[:1]:
        because |= {
            "kind": finding.kind,
            "start": finding.start,
            "end": finding.end,
            "expression": finding.expression,
            "claimed": finding.claimed,
            "true_value": finding.true_value,
        }
    return Event(
        kind=EventKind.proposal_refused,
        episode=episode,
        because=because,
        done="refused the proposal; no chain was spent on it",
    )


def step_skipped(record: EpisodeRecord) -> Event:
    """Optimizer steps were skipped because loss or gradient was not finite."""
    learning = record.learning
    return Event(
        kind=EventKind.step_skipped,
        episode=record.episode,
        because={"skipped": learning.skipped, "mean_loss": learning.mean_loss},
        done=f"skipped {learning.skipped} optimizer steps and kept the weights of the step before",
    )


def ercv_verdict(record: EpisodeRecord) -> Event:
    """The two gauges were compared and a ruling given."""
    verdict, retest, epi = record.verdict, record.retest, record.epiplexity
    done = {
        Ruling.accept: "accepted the update",
        Ruling.underpowered: "let the update stand; too few retests to judge it",
        Ruling.refuse: f"refused the update, severity {verdict.severity:.2f}",
    }
    return Event(
        kind=EventKind.ercv_verdict,
        episode=record.episode,
        because={
            "epi_gain": epi.gain,
            "retest_trend": retest.trend,
            "retest_se": retest.se,
            "retests": retest.n,
            "divergent": verdict.divergent,
            "rule": verdict.rule,
            "reason": verdict.reason,
        },
        done=done[verdict.ruling],
    )


def rollback(record: EpisodeRecord) -> Event:
    """A verdict was carried out on the weights."""
    effect = record.rollback
    kept = f"; kept {', '.join(effect.kept)}" if effect.kept else ""
    return Event(
        kind=EventKind.rollback,
        episode=record.episode,
        because={
            "severity": effect.severity,
            "reason": record.verdict.reason,
            "before": record.fingerprints.before,
            "proposed": record.fingerprints.proposed,
            "committed": record.fingerprints.committed,
        },
        done=f"restored {', '.join(effect.changed) or 'nothing'}{kept}",
    )


def detectors_fired(record: EpisodeRecord) -> tuple[Event, ...]:
    """One event for each detector over its threshold, strongest first."""
    return tuple(
        Event(
            kind=EventKind.detector_fired,
            episode=record.episode,
            because={
                "lie": reading.lie.value,
                "cluster": reading.cluster,
                "score": reading.score,
                "threshold": reading.threshold,
                "figures": reading.because,
            },
            done=f"type {reading.lie.value} fired"
            + (f" in cluster {reading.cluster}" if reading.cluster >= 0 else ""),
        )
        for reading in record.bank.firings
    )


def attribution(episode: int, reading: Attribution) -> Event:
    """A cause was looked for."""
    return Event(
        kind=EventKind.attribution,
        episode=episode,
        because={
            "cause": reading.cause,
            "effect": reading.effect,
            "influence_p": reading.influence_p,
            "similarity_p": reading.similarity_p,
            "pairs": " ".join(reading.pairs),
        },
        done=reading.summary,
    )


def defenses_ordered(record: EpisodeRecord) -> tuple[Event, ...]:
    """One event for each order, with what carrying it out changed, where that is done already."""
    details = {effect.action: effect.detail for effect in record.effects}
    return tuple(
        Event(
            kind=EventKind.defense_applied,
            episode=record.episode,
            because={
                "lie": order.lie.value,
                "cluster": order.cluster,
                "amount": order.amount,
                "reading": order.because,
                "reason": record.defense.reason,
            },
            done=f"{order.action.value}: "
            + (
                "waits for the next episode"
                if order.deferred
                else details.get(order.action, "done")
            ),
        )
        for order in record.defense.orders
    )


def defense_outcome(
    episode: int, past: PastDefense, *, frontier_share: float, retest_trend: float
) -> Event:
    """What an earlier action did, judged an episode later."""
    change = frontier_share - past.frontier_share_before
    return Event(
        kind=EventKind.defense_outcome,
        episode=episode,
        because={
            "action": past.order.action.value,
            "lie": past.order.lie.value,
            "applied_in": past.episode,
            "frontier_share_before": past.frontier_share_before,
            "frontier_share_after": frontier_share,
            "retest_trend_after": retest_trend,
        },
        done=f"{past.order.action.value} of episode {past.episode}: frontier share "
        f"{past.frontier_share_before:.2f} to {frontier_share:.2f} ({change:+.2f})",
    )


def capability_snapshot(record: EpisodeRecord) -> Event:
    """The map as it was after the episode."""
    clusters = record.capability.clusters
    because: dict[str, Scalar] = {"clusters": len(clusters), "target": record.curriculum.target}
    for c in clusters:
        because[f"share_{c.cluster}"] = c.share
        because[f"reward_{c.cluster}"] = c.mean_reward
    return Event(
        kind=EventKind.capability_snapshot,
        episode=record.episode,
        because=because,
        done=f"mapped {sum(c.n for c in clusters)} problems into {len(clusters)} clusters",
    )


def events_of(
    record: EpisodeRecord,
    *,
    refused: Sequence[RefusedProposal] = (),
    past: Iterable[PastDefense] = (),
) -> tuple[Event, ...]:
    """All events of an episode, in the order in which things happened.

    Args:
        record: the finished episode.
        refused: every refused proposal (the record keeps only a few).
        past: actions of earlier episodes whose outcome this episode shows.
    """
    found = [proposal_refused(record.episode, one) for one in refused or record.refused]
    if record.learning.skipped:
        found.append(step_skipped(record))
    found.append(ercv_verdict(record))
    if record.rollback.severity > 0:
        found.append(rollback(record))
    found += detectors_fired(record)
    if record.attribution is not None:
        found.append(attribution(record.episode, record.attribution))
    found += [
        defense_outcome(
            record.episode,
            one,
            frontier_share=record.census.frontier_share,
            retest_trend=record.retest.trend,
        )
        for one in past
    ]
    found += defenses_ordered(record)
    if record.capability.clusters:
        found.append(capability_snapshot(record))
    return tuple(found)
