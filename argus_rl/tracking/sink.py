"""Where a run can be watched: anything that takes a header, episodes and a summary.

The ledger is the source of truth and is written in any case; a sink only shows it. So a sink may
never decide anything, it sees an episode only after that is committed, and it can be fed again
later from the ledger alone (`feed`), which is what `python -m argus_rl.report --to wandb` does.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from argus_rl.ledger.events import Event
from argus_rl.ledger.reading import RunLedger
from argus_rl.ledger.records import EpisodeRecord, RunHeader, RunSummary

Figures = Mapping[str, float]
"""Figures of an evaluation by metric name (`eval/...`)."""


class Sink(Protocol):
    """A place where figures go besides the ledger."""

    def started(self, header: RunHeader) -> None:
        """A run begins or, after a resume, goes on."""
        ...

    def phase(self, episode: int, phase: str, done: float) -> None:
        """A phase of an episode (`propose`, `solve`, ...) is `done` in [0, 1]."""
        ...

    def episode(self, record: EpisodeRecord, events: Sequence[Event]) -> None:
        """An episode is committed."""
        ...

    def evaluated(self, episode: int, figures: Figures) -> None:
        """The held-out evaluation was made after this episode; -1 is before the first."""
        ...

    def finished(self, summary: RunSummary) -> None:
        """The run is over."""
        ...


class Sinks:
    """Several sinks as one, served in order."""

    def __init__(self, sinks: Sequence[Sink]) -> None:
        self._sinks = tuple(sinks)

    def started(self, header: RunHeader) -> None:
        """Tell every sink."""
        for sink in self._sinks:
            sink.started(header)

    def phase(self, episode: int, phase: str, done: float) -> None:
        """Tell every sink."""
        for sink in self._sinks:
            sink.phase(episode, phase, done)

    def episode(self, record: EpisodeRecord, events: Sequence[Event]) -> None:
        """Tell every sink."""
        for sink in self._sinks:
            sink.episode(record, events)

    def evaluated(self, episode: int, figures: Figures) -> None:
        """Tell every sink."""
        for sink in self._sinks:
            sink.evaluated(episode, figures)

    def finished(self, summary: RunSummary) -> None:
        """Tell every sink."""
        for sink in self._sinks:
            sink.finished(summary)


def feed(
    sink: Sink, run: RunLedger, summary: RunSummary, evaluations: Mapping[int, Figures]
) -> None:
    """Show a finished ledger to a sink.

    Args:
        sink: where to show it.
        run: the ledger.
        summary: how the run ended.
        evaluations: figures by the episode that they were made after; -1 is before the first.
    """
    sink.started(run.header)
    early = {at: figures for at, figures in evaluations.items() if at < 0}
    for at, figures in early.items():
        sink.evaluated(at, figures)
    for record in run.records:
        sink.episode(record, [event for event in run.events if event.episode == record.episode])
    for at in evaluations.keys() - early.keys():
        sink.evaluated(at, evaluations[at])
    sink.finished(summary)
