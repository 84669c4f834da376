"""What is wrong with a configuration, all of it at once, before anything heavy is loaded.

Two lists come back. A `Problem` stops the run: a number out of range, or keys that contradict each
other. A `Note` does not: a flag that has nothing to work with, as when an ablation of `argus_full`
turns off `capability_map` and the planner that needs the map is still on. Such a flag is turned off
and the user is told; only where it was asked for by name on the command line is it a problem.
"""

import dataclasses
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from argus_rl.config.control import ControlSettings
from argus_rl.config.keys import value_at
from argus_rl.config.ranges import CHOICES, RANGES
from argus_rl.config.run import DataKind, ModelKind, Proposing, RunSettings, TrackingMode
from argus_rl.core.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that must be changed before the run can start."""

    key: str
    """The dotted key."""
    message: str
    """What is wrong, and what to write instead."""

    def __str__(self) -> str:
        return f"{self.key}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that has no effect here."""

    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}"


class ConfigProblems(ConfigError):
    """Everything that is wrong with a configuration; the message has one line a problem."""

    def __init__(self, problems: Collection[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


NEEDS: dict[str, str] = {
    "most_learnable_cluster": "capability_map",
    "per_cluster_detectors": "capability_map",
    "soft_replay_decay": "active_defense",
    "ercv_soft_rollback": "ercv_rollback",
    "ercv_zscore": "ercv_rollback",
}
"""Flags that do nothing without another flag."""


def check(
    settings: RunSettings, asked: Collection[str] = ()
) -> tuple[tuple[Problem, ...], tuple[Note, ...]]:
    """Return every problem and every note of `settings`.

    Args:
        settings: the whole configuration of a run.
        asked: dotted keys that the user set by hand; a flag among them that has nothing to work
            with is a problem and no note.
    """
    problems = [*range_problems(settings)]
    for rule in _RULES:
        problems.extend(rule(settings))
    notes: list[Note] = []
    for flag in idle_flags(settings.control):
        key, message = f"control.{flag}", f"has no effect without control.{NEEDS[flag]}=true"
        if key in asked:
            problems.append(Problem(key=key, message=f"{message}; set that too"))
        else:
            notes.append(Note(key=key, message=f"{message}; turned off"))
    notes.extend(_without_effect(settings))
    return tuple(problems), tuple(notes)


def _without_effect(settings: RunSettings) -> Iterator[Note]:
    """Settings that are allowed, and leave a part with nothing to do."""
    control, sampling = settings.control, settings.sampling
    if control.ercv_rollback and control.retest.panel < control.ercv.min_retests:
        yield Note(
            key="control.retest.panel",
            message=f"is below control.ercv.min_retests={control.ercv.min_retests}, so no update "
            "can be refused",
        )
    if sampling.proposing is Proposing.grow and sampling.grow_to <= sampling.frontier_steps:
        yield Note(
            key="sampling.grow_to",
            message=f"is not above sampling.frontier_steps={sampling.frontier_steps}, so no "
            "problem grows beyond the frontier",
        )


def idle_flags(control: ControlSettings) -> tuple[str, ...]:
    """Return the flags that are on while the flag they work with is off."""
    return tuple(
        flag
        for flag, needed in NEEDS.items()
        if value_at(control, flag) and not value_at(control, needed)
    )


def without_idle_flags(settings: RunSettings) -> RunSettings:
    """Turn off the flags that have nothing to work with."""
    off = dict.fromkeys(idle_flags(settings.control), False)
    return dataclasses.replace(settings, control=dataclasses.replace(settings.control, **off))


def range_problems(settings: RunSettings) -> Iterator[Problem]:
    """Yield a problem for each key whose value lies outside its own range."""
    for key, allowed in RANGES.items():
        value = value_at(settings, key)
        if not all(allowed.holds(number) for number in _numbers(value)):
            why = f" ({allowed.why})" if allowed.why else ""
            yield Problem(key=key, message=f"must be {allowed.words()}, not {_shown(value)}{why}")
    for key, texts in CHOICES.items():
        value = value_at(settings, key)
        if value not in texts:
            yield Problem(key=key, message=f"must be one of {', '.join(texts)}, not {value!r}")


def _numbers(value: Any) -> tuple[float, ...]:
    return cast("tuple[float, ...]", value) if isinstance(value, tuple) else (value,)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ",".join(str(number) for number in _numbers(value)) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _model(settings: RunSettings) -> Iterator[Problem]:
    model = settings.model
    if model.kind is ModelKind.hf and not model.path:
        yield Problem(
            key="model.path",
            message="model=hf needs one; write model.path=DIR, a GGUF file, or a hub id",
        )
    if model.kind is not ModelKind.hf and model.path:
        yield Problem(
            key="model.path",
            message=f"model={model.kind} takes no path; add model=hf, or leave the path away",
        )
    if model.kind is ModelKind.hf and settings.learner.muon_lr > 0:
        yield Problem(
            key="learner.muon_lr",
            message="Muon trains the embedded model only; set it to 0 (or learner=lora)",
        )


def _data(settings: RunSettings) -> Iterator[Problem]:
    kind, path = settings.data.kind, settings.data.path
    if kind is DataKind.jsonl and not path:
        yield Problem(
            key="data.path",
            message="data=jsonl needs one; write data.path=DIR, a folder with *_train.jsonl "
            "and *_test.jsonl",
        )
    if kind is DataKind.generated and path:
        yield Problem(
            key="data.path",
            message="generated problems come from no folder; add data=jsonl or data=gsm8k",
        )
    elif path and not Path(path).is_dir():
        yield Problem(
            key="data.path", message=f"there is no folder {path!r}; give one that has *.jsonl files"
        )
    if kind is DataKind.gsm8k and settings.model.kind is ModelKind.embedded:
        yield Problem(
            key="data.kind",
            message="the embedded model reads generated stories only; use data=generated, "
            "or add model=hf model.path=DIR",
        )
    if not settings.data.context_steps:
        yield Problem(key="data.context_steps", message="is empty; write for example [1,2,3]")


def _sampling(settings: RunSettings) -> Iterator[Problem]:
    sampling, control = settings.sampling, settings.control
    if control.capacity_growth > 0 and sampling.chains > control.capacity.k_max:
        yield Problem(
            key="control.capacity.k_max",
            message=f"is below sampling.chains={sampling.chains}; raise it, or set "
            "control.capacity_growth=0",
        )
    if control.capacity_growth > 0 and sampling.max_tokens > control.capacity.tokens_max:
        yield Problem(
            key="control.capacity.tokens_max",
            message=f"is below sampling.max_tokens={sampling.max_tokens}; raise it, or set "
            "control.capacity_growth=0",
        )
    if control.defense.temperature_max < sampling.temperature:
        yield Problem(
            key="control.defense.temperature_max",
            message=f"is below sampling.temperature={sampling.temperature:g}; raise it",
        )
    if control.defense.steps_max < sampling.frontier_steps:
        yield Problem(
            key="control.defense.steps_max",
            message=f"is below sampling.frontier_steps={sampling.frontier_steps}; raise it",
        )


def _learner(settings: RunSettings) -> Iterator[Problem]:
    learner = settings.learner
    others = learner.replay_mix + learner.library_mix + learner.recombined_mix
    if others + learner.anchor_mix >= 1:
        yield Problem(
            key="learner.anchor_mix",
            message=f"with replay_mix, library_mix and recombined_mix at {others:g} together it "
            "leaves nothing of an update to new pairs; their sum must be below 1",
        )
    if learner.anchor_mix > 0 and learner.anchors == 0:
        yield Problem(
            key="learner.anchors",
            message=f"learner.anchor_mix={learner.anchor_mix:g} needs some; raise it, or set "
            "learner.anchor_mix=0",
        )
    if settings.sampling.proposing is Proposing.grow and learner.anchors == 0:
        yield Problem(
            key="learner.anchors",
            message="sampling.proposing=grow starts from context texts that the starting model "
            "solves; raise it (300 is usual)",
        )
    if learner.warmup + learner.decay > 1:
        yield Problem(
            key="learner.decay",
            message=f"with learner.warmup={learner.warmup:g} it covers more than the run; their "
            "sum must be at most 1",
        )


def _control(settings: RunSettings) -> Iterator[Problem]:
    control = settings.control
    for section, low, high in (
        ("frontier", control.frontier.low, control.frontier.high),
        ("ewcs", control.ewcs.low, control.ewcs.high),
    ):
        if low >= high:
            yield Problem(
                key=f"control.{section}.low",
                message=f"{low:g} must be below control.{section}.high={high:g}",
            )


def _evaluation(settings: RunSettings) -> Iterator[Problem]:
    levels, easy = settings.evaluation.levels, settings.evaluation.easy_levels
    for name, given in (("levels", levels), ("easy_levels", easy)):
        if len(set(given)) != len(given):
            yield Problem(key=f"evaluation.{name}", message=f"{_shown(given)} names a level twice")
    if not levels:
        yield Problem(key="evaluation.levels", message="is empty; write for example [1,2,3,4]")
    strange = [str(level) for level in easy if level not in levels]
    if levels and strange:
        yield Problem(
            key="evaluation.easy_levels",
            message=f"{', '.join(strange)} not in evaluation.levels={_shown(levels)}; "
            "set both, or leave easy_levels=[]",
        )


def _run(settings: RunSettings) -> Iterator[Problem]:
    if settings.resume and settings.run_dir:
        yield Problem(
            key="run_dir", message="a resumed run stays in its folder; leave run_dir away"
        )
    if settings.resume and not Path(settings.resume).is_dir():
        yield Problem(
            key="resume", message=f"there is no folder {settings.resume!r}; give that of a run"
        )
    if settings.run_dir and Path(settings.run_dir).is_file():
        yield Problem(key="run_dir", message=f"{settings.run_dir!r} is a file; give a folder")
    if settings.tracking.mode is not TrackingMode.off and not settings.tracking.project:
        yield Problem(key="tracking.project", message="is empty; wandb needs a project's name")


_RULES: tuple[Callable[[RunSettings], Iterator[Problem]], ...] = (
    _run,
    _model,
    _data,
    _sampling,
    _learner,
    _control,
    _evaluation,
)
