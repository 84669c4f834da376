"""What a training run is watched by: the terminal, wandb, and the audit of labels."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from argus_rl.actors.workbench import Workbench
from argus_rl.config.run import RunSettings, TrackingMode
from argus_rl.data.problem import Pair
from argus_rl.experiment.recorder import Listener
from argus_rl.experiment.run import Attachments
from argus_rl.lab.audit import audit_episode, label_accuracy
from argus_rl.lab.faults import hallucinating
from argus_rl.lab.updates import audited, refusals
from argus_rl.tracking.console import ConsoleSink
from argus_rl.tracking.sink import Sink, Sinks
from argus_rl.tracking.wandb_sink import WandbSink


def attachments(settings: RunSettings) -> Attachments:
    """Return the screens, the audit and the planted fault that `settings` ask for."""
    return Attachments(
        sinks=partial(_sinks, settings),
        listener=(lambda folder: partial(audit_episode, folder))
        if settings.audit
        else _no_listener,
        prepare=partial(_prepared, settings),
        refusals=refusals,
        label_accuracy=label_accuracy if settings.audit else _nothing_audited,
    )


def _sinks(settings: RunSettings, folder: Path) -> Sink:
    sinks: list[Sink] = [ConsoleSink(Console(), folder)]
    if settings.tracking.mode is not TrackingMode.off:
        sinks.append(WandbSink(settings.tracking, folder))
    return Sinks(sinks)


def _prepared(settings: RunSettings, bench: Workbench, folder: Path) -> Workbench:
    faulty = hallucinating(bench, settings.data.false_premises)
    return audited(faulty, settings, folder)


def _no_listener(folder: Path) -> Listener:  # noqa: ARG001
    return _ignore


def _ignore(episode: int, pairs: Sequence[Pair]) -> None:
    """Audit nothing."""


def _nothing_audited(folder: Path) -> float:  # noqa: ARG001
    return math.nan
