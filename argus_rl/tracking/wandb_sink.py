"""wandb as a sink: every figure of the table of metrics, with the episode as its own step axis.

wandb's built-in step may only grow, and drops what arrives late; a run that goes on from a
checkpoint would lose its figures. So each figure is logged beside `episode`, and `define_metric`
makes that the axis. The id of the wandb run is kept in the run's folder, so that a resumed run goes
on in it.

wandb is loaded when a run starts to be tracked, never by importing this module: with
`tracking=off` no run needs the package, its files or a network.
"""

import hashlib
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from argus_rl.config.run import TrackingMode, TrackingSettings
from argus_rl.core.errors import ConfigError
from argus_rl.ledger.codec import encode
from argus_rl.ledger.events import Event
from argus_rl.ledger.files import dump, write_whole
from argus_rl.ledger.records import EpisodeRecord, RunHeader, RunSummary
from argus_rl.tracking.metrics import METRICS, figures_of
from argus_rl.tracking.sink import Figures

RUN_ID = "wandb_run_id.txt"
AXIS = "episode"
FAMILIES = (*dict.fromkeys(metric.name.partition("/")[0] for metric in METRICS), "eval")
"""First parts of metric names, in the order of the table."""


class WandbSink:
    """Logs a run to wandb, online or to files."""

    def __init__(self, settings: TrackingSettings, run_dir: Path, *, again: bool = False) -> None:
        """Prepare; nothing is loaded or sent before `started`.

        Args:
            settings: mode, project and name. `off` makes no sense here and is a ValueError.
            run_dir: where wandb's files and the id of its run are kept.
            again: feed a finished ledger to a wandb run of its own.
        """
        if settings.mode is TrackingMode.off:
            raise ValueError("tracking is off: there is nothing to sink into wandb")
        self._settings = settings
        self._run_dir = run_dir
        self._again = again
        self._run: Any = None

    def started(self, header: RunHeader) -> None:
        """Open the wandb run, or go on in it after a resume.

        Raises:
            ConfigError: wandb is not installed, or refuses to start.
        """
        try:
            wandb = importlib.import_module("wandb")
        except ImportError as error:
            raise ConfigError(
                f"tracking.mode={self._settings.mode.value} needs wandb ({error}); "
                "install it with `pip install wandb`, or use tracking=off"
            ) from None
        online = self._settings.mode is TrackingMode.online
        try:
            self._run = wandb.init(
                project=self._settings.project,
                name=self._settings.name or f"{header.preset}-seed{header.seed}",
                group=header.preset,
                id=self._run_id(header),
                resume="allow" if online else None,
                mode=self._settings.mode.value,
                dir=str(self._run_dir),
                config={**header.config, "versions": header.versions, "model": header.model},
                settings=wandb.Settings(console="off", silent=not online),
            )
        except wandb.errors.Error as error:
            reason = str(error).partition("\n")[0]
            raise ConfigError(
                f"tracking.mode={self._settings.mode.value}: wandb did not start ({reason}); "
                "use tracking=offline, or tracking=off"
            ) from None
        self._run.define_metric(AXIS)
        for family in FAMILIES:
            self._run.define_metric(f"{family}/*", step_metric=AXIS)

    def _run_id(self, header: RunHeader) -> str | None:
        """The id of the wandb run, kept beside the ledger; None for one that wandb shall choose."""
        if self._again:
            return None
        path = self._run_dir / RUN_ID
        if path.is_file():
            return path.read_text(encoding="ascii").strip()
        name = str(self._run_dir.resolve()).encode() + dump(encode(header))
        made = hashlib.blake2b(name, digest_size=8).hexdigest()
        write_whole(path, made.encode("ascii"))
        return made

    def phase(self, episode: int, phase: str, done: float) -> None:
        """Ignored: wandb shows episodes."""

    def episode(self, record: EpisodeRecord, events: Sequence[Event]) -> None:  # noqa: ARG002  Sink
        """Log every figure of an episode; its events are in the ledger."""
        self._run.log({AXIS: record.episode, **figures_of(record)})

    def evaluated(self, episode: int, figures: Figures) -> None:
        """Log held-out figures at an episode; -1 is before the first."""
        self._run.log({AXIS: episode, **figures})

    def finished(self, summary: RunSummary) -> None:
        """Put the end of the run into wandb's summary and close it."""
        self._run.summary.update({f"end/{name}": value for name, value in encode(summary).items()})
        self._run.finish(exit_code=0)
        self._run = None
