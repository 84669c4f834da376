"""What a run is given: context texts without answers, and an exam whose key stays sealed.

The training side gets the contexts; the exam can only be sat. So the one object that knows gold
answers has no method that shows one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np

from argus_rl.config.run import DataKind, RunSettings
from argus_rl.core.errors import DataError
from argus_rl.data.answer_key import AnswerKey
from argus_rl.data.contamination import fingerprints, overlap
from argus_rl.data.context import as_context, context_texts
from argus_rl.data.generators import held_out
from argus_rl.data.ports import Solver
from argus_rl.data.problem import Problem
from argus_rl.data.sources import load_folder, problems_of_gsm8k
from argus_rl.data.splits import Split
from argus_rl.evaluation.result import EvaluationPlan, EvaluationResult
from argus_rl.evaluation.suites import evaluate

HUB_GSM8K = "openai/gsm8k"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """Held-out problems, their sealed key, and how they are sampled."""

    problems: tuple[Problem, ...]
    key: AnswerKey
    plan: EvaluationPlan

    def sit(self, solver: Solver) -> EvaluationResult:
        """Evaluate `solver`; the same plan gives the same sampling streams each time."""
        return evaluate(solver, self.problems, self.key, self.plan)

    def with_noise(self, rng: np.random.Generator) -> "Exam":
        """Return the exam with every answer replaced: what is trained must not notice."""
        return replace(self, key=self.key.shuffled(rng))


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a run is given."""

    contexts: tuple[Problem, ...]
    exam: Exam | None
    """None where the evaluation is off (no levels, or a limit of 0)."""
    left_out: int = 0
    """Context texts that repeat a problem of the exam, and were left out for it."""


def load_material(settings: RunSettings) -> Material:
    """Read or draw contexts and exam.

    Raises:
        DataError: a file is missing, empty or malformed; the message names it.
        ConfigError: a draw is impossible.
    """
    contexts, problems, key, name = _drawn(settings)
    exam = _exam(settings, problems, key, name)
    if settings.data.kind is DataKind.generated:  # its splits share neither numbers nor wordings
        return Material(contexts=tuple(contexts), exam=exam)
    known = fingerprints(problem.text for problem in problems)
    clean = tuple(c for c in contexts if overlap(c.text, known) is None)
    return Material(contexts=clean, exam=exam, left_out=len(contexts) - len(clean))


def _exam(
    settings: RunSettings, problems: Sequence[Problem], key: AnswerKey, name: str
) -> Exam | None:
    if not problems:
        return None
    wanted, sampling = settings.evaluation, settings.sampling
    generated = settings.data.kind is DataKind.generated
    plan = EvaluationPlan(
        name=name,
        stream=f"seed-{wanted.seed}",
        samples=wanted.samples,
        temperature=sampling.temperature,
        max_tokens=sampling.max_tokens,
        easy_levels=wanted.easy_levels if generated else (),
    )
    return Exam(problems=tuple(problems), key=key, plan=plan)


def _drawn(
    settings: RunSettings,
) -> tuple[Sequence[Problem], Sequence[Problem], AnswerKey, str]:
    data, wanted = settings.data, settings.evaluation
    if data.kind is DataKind.generated:
        contexts = context_texts(data.context_steps, data.context_limit, settings.seed)
        if wanted.per_level == 0:
            return contexts, (), AnswerKey({}), "none"
        problems, key = held_out(wanted.levels, wanted.per_level, wanted.seed, Split(wanted.split))
        return contexts, problems, key, f"generated-{wanted.split}-{wanted.seed}"
    if data.kind is DataKind.gsm8k and not data.path:
        return _from_hub(settings)
    found = load_folder(Path(data.path), context_limit=data.context_limit, limit=wanted.limit)
    contexts, problems, key = found
    return as_context(contexts, data.context_limit), problems, key, Path(data.path).name


def _from_hub(
    settings: RunSettings,
) -> tuple[Sequence[Problem], Sequence[Problem], AnswerKey, str]:
    limit = settings.data.context_limit
    contexts, _ = problems_of_gsm8k(_hub_rows("train"), "gsm8k-train", limit=limit)
    problems, key = problems_of_gsm8k(
        _hub_rows("test"), "gsm8k-test", limit=settings.evaluation.limit
    )
    return as_context(contexts, limit), problems, key, "gsm8k-test"


def _hub_rows(split: str) -> Sequence[Mapping[str, str]]:
    """Rows of GSM8K from the hub, through the optional `datasets` package."""
    try:
        datasets = import_module("datasets")
    except ImportError as error:
        raise DataError(
            "data=gsm8k without data.path reads the hub and needs the package `datasets`: "
            "pip install 'argus_rl[hub]', or set data.path to a folder of JSON Lines"
        ) from error
    try:
        return datasets.load_dataset(HUB_GSM8K, "main", split=split)
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(
            f"the hub's {HUB_GSM8K} cannot be read ({type(error).__name__}); set data.path to a "
            "folder with *_train.jsonl and *_test.jsonl"
        ) from error
