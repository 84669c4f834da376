"""A run, from settings to verdict.

    material, machine -> evaluation before -> orient -> outer loop -> evaluation after -> verdict

Killed at any instant and started again with `resume=`, it goes on behind the last committed episode
and ends with the same ledger and the same weights.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from argus_rl.actors.plant import policy_workbench
from argus_rl.actors.scripted import scripted_workbench
from argus_rl.actors.timed import Stopwatch, timed
from argus_rl.actors.workbench import Workbench
from argus_rl.config.run import ModelKind, RunSettings
from argus_rl.core.errors import ArgusError, RunDirError
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import Dials, PrequentialReading
from argus_rl.data.problem import Source
from argus_rl.evaluation.files import (
    EVALUATION_AFTER,
    EVALUATION_BEFORE,
    RUN_SUMMARY,
    read_result,
    write_object,
    write_result,
)
from argus_rl.evaluation.material import Material, load_material
from argus_rl.evaluation.result import EvaluationResult
from argus_rl.evaluation.summary import result_to_json
from argus_rl.evaluation.verdict import compare_results, sentence
from argus_rl.experiment.folder import abandon, claim, has_begun, open_folder
from argus_rl.experiment.page import write_page
from argus_rl.experiment.recorder import Listener, RunRecorder, restore
from argus_rl.ledger.checkpoints import latest_good
from argus_rl.ledger.codec import encode
from argus_rl.ledger.events import run_finished
from argus_rl.ledger.files import RunLock
from argus_rl.ledger.journal import Journal
from argus_rl.ledger.reading import read_records
from argus_rl.ledger.records import (
    RunHeader,
    RunSummary,
    reproducing_command,
    summarise_run,
    versions_here,
    without_folders,
)
from argus_rl.loops.assembly import assemble
from argus_rl.loops.outer import orient, outer
from argus_rl.loops.state import RunState
from argus_rl.model.loading import load_policy
from argus_rl.sensors.epiplexity import prequential_epiplexity
from argus_rl.tracking.metrics import evaluation_figures
from argus_rl.tracking.sink import Sink


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachments:
    """What a front door adds to a run: screens, and the lab's listeners and faults."""

    sinks: Callable[[Path], Sink]
    """Makes the screens for a run folder."""
    listener: Callable[[Path], Listener]
    """Makes the audit of labels for a run folder."""
    prepare: Callable[[Workbench, Path], Workbench]
    """Puts planted faults and the examination of updates on the machine."""
    label_accuracy: Callable[[Path], float]
    """Reads the audit back for the summary; NaN for none."""
    refusals: Callable[[Path], dict[str, float]]
    """Counts verdicts against the truth, for the summary; empty for no examination."""


def run_experiment(
    settings: RunSettings, config: dict[str, Any], words: Sequence[str], extras: Attachments
) -> RunSummary:
    """Run `settings` to the end, or go on with the run that it resumes.

    Args:
        settings: checked settings.
        config: the same as plain JSON, for the run folder.
        words: command line words that make the settings again, for the ledger.
        extras: what the front door adds.

    Raises:
        ArgusError: in one line, with what to do; committed episodes are safe.
    """
    material = load_material(settings)
    if material.left_out:
        sys.stderr.write(
            f"note: {material.left_out} of the context texts repeat a held-out problem, so they "
            "are left out\n"
        )
    folder = open_folder(settings)
    with RunLock(folder):
        begun = time.monotonic()
        claim(folder, settings, config)
        try:
            bench = extras.prepare(machine(settings), folder)
            sink = extras.sinks(folder)
        except ArgusError:
            if not settings.resume:
                abandon(folder)
            raise
        header = RunHeader(
            preset=settings.preset,
            seed=settings.seed,
            episodes=settings.episodes,
            model=bench.description,
            command=reproducing_command(words),
            config=without_folders(config),
            versions=versions_here(),
        )
        run = _Run(settings, folder, bench, material, sink, header, extras)
        return run.go(begun)


def machine(settings: RunSettings) -> Workbench:
    """Return the workbench that `settings.model` asks for."""
    if settings.model.kind is ModelKind.scripted:
        return scripted_workbench()
    return policy_workbench(load_policy(settings.model), settings)


PHASES = ("propose", "embed", "solve", "nll", "retest", "snapshot", "learn", "attribute")
"""Phases of an episode in the order in which they begin."""


@dataclass(frozen=True, slots=True)
class _Run:
    settings: RunSettings
    folder: Path
    bench: Workbench
    material: Material
    sink: Sink
    header: RunHeader
    extras: Attachments

    def go(self, begun: float) -> RunSummary:
        """Run what is left of the run and return its summary."""
        self.sink.started(self.header)
        parts, stream = assemble(self.settings), Stream(("run", self.settings.seed))
        bar = EpisodeBar(self.sink)
        watch = Stopwatch(entered=bar.entered)
        bench = timed(self.bench, watch)
        if has_begun(self.folder):
            state, journal = self._resumed()
            before = self._read_before()
        else:
            before = self._evaluate(EVALUATION_BEFORE, -1)
            state = orient(parts, bench, self.material.contexts, first_state(self.settings), stream)
            journal = Journal.start(self.folder, self.header)
        bar.moved_on(state.episode)
        with journal:
            recorder = RunRecorder(
                run_dir=self.folder,
                journal=journal,
                keeper=self.bench.keeper,
                keep=self.settings.keep_checkpoints,
                sink=self.sink,
                watch=watch,
                listener=self.extras.listener(self.folder),
                committed=bar.moved_on,
            )
            if not has_begun(self.folder):
                recorder.checkpoint(-1, state)
            state = outer(parts, bench, self.material.contexts, state, stream, recorder)
            return self._finish(journal, state, before, time.monotonic() - begun)

    def _resumed(self) -> tuple[RunState, Journal]:
        checkpoint = latest_good(self.folder)
        for warning in checkpoint.warnings:
            sys.stderr.write(f"note: {warning}\n")
        state = restore(checkpoint, self.bench.keeper)
        if state.episode >= self.settings.episodes and (self.folder / RUN_SUMMARY).is_file():
            raise RunDirError(
                f"resume: {self.folder} has finished its {state.episode} episodes, so nothing is "
                f"left to do; raise episodes=, or see: python -m argus_rl.report {self.folder}"
            )
        return state, Journal.resume(self.folder, checkpoint.ledger)

    def _evaluate(self, name: str, episode: int) -> EvaluationResult | None:
        exam = self.material.exam
        if exam is None:
            return None
        self.sink.phase(max(episode, 0), "evaluate", 0.0)
        result = exam.sit(self.bench.solver)
        write_result(self.folder / name, result)
        self.sink.evaluated(episode, evaluation_figures(result_to_json(result)))
        return result

    def _read_before(self) -> EvaluationResult | None:
        path = self.folder / EVALUATION_BEFORE
        return read_result(path) if path.is_file() else None

    def _finish(
        self, journal: Journal, state: RunState, before: EvaluationResult | None, seconds: float
    ) -> RunSummary:
        after = self._evaluate(EVALUATION_AFTER, state.episode - 1)
        summary = replace(
            summarise_run(
                self.header,
                read_records(self.folder),
                verdict=verdict_in_words(before, after),
                label_accuracy=self.extras.label_accuracy(self.folder),
                seconds=seconds,
            ),
            information=self._information(state),
        )
        journal.note([run_finished(summary)])
        truth = {"updates": self.extras.refusals(self.folder)}
        write_page(self.folder, f"python -m argus_rl.report {self.folder}")
        write_object(self.folder / RUN_SUMMARY, encode(summary) | truth)  # marks the end
        self.sink.finished(summary)
        return summary

    def _information(self, state: RunState) -> PrequentialReading | None:
        made = [p for p in state.memory.library if p.problem.source is not Source.context]
        curve = self.bench.observer.study(made, Stream(("run", self.settings.seed, "observer")))
        return prequential_epiplexity(curve) if curve is not None else None


@dataclass(slots=True)
class EpisodeBar:
    """Tells a sink how far the episode at work is."""

    sink: Sink
    episode: int = 0

    def moved_on(self, episode: int) -> None:
        """`episode` is at work now."""
        self.episode = episode

    def entered(self, phase: str) -> None:
        """A phase began."""
        done = PHASES.index(phase) / len(PHASES) if phase in PHASES else 0.0
        self.sink.phase(self.episode, phase, done)


def first_state(settings: RunSettings) -> RunState:
    """Return the state that a run begins with."""
    dials = Dials(
        context_rate=settings.sampling.external_context_rate,
        temperature=settings.sampling.temperature,
        frontier_steps=settings.sampling.frontier_steps,
    )
    return RunState(dials=dials, home_dials=dials)


def verdict_in_words(before: EvaluationResult | None, after: EvaluationResult | None) -> str:
    """Say whether held-out accuracy changed, with intervals; empty where it was not measured."""
    if before is None or after is None:
        return ""
    rng = Stream(("verdict",)).generator()
    return sentence(compare_results(before, after, rng))
