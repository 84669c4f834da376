"""Was each update good? True accuracy just before and just after it, which no part may read.

An update is *bad* when it lowers the share of right greedy answers on the audit draw, whose numbers
and wordings occur nowhere else. The audit wraps the learner, looks under both sets of weights, and
writes `updates.jsonl`; sampling is named by streams, so looking changes nothing that follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from argus_rl.actors.workbench import Workbench
from argus_rl.config.run import RunSettings
from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import LearningEffect, Ruling
from argus_rl.data.generators import held_out
from argus_rl.data.ports import Learner, Lesson, Solver
from argus_rl.data.splits import Split
from argus_rl.evaluation.material import Exam
from argus_rl.evaluation.result import EvaluationPlan
from argus_rl.lab.rows import put_row, read_rows
from argus_rl.ledger.reading import read_records

UPDATES = "updates.jsonl"


def audit_exam(settings: RunSettings) -> Exam:
    """Return the audit's problems: `audit_per_level` of each level of the evaluation."""
    levels, per_level = settings.evaluation.levels, settings.audit_per_level
    problems, key = held_out(levels, per_level, settings.evaluation.seed, Split.audit)
    plan = EvaluationPlan(
        name="audit",
        stream=f"seed-{settings.evaluation.seed}",
        samples=1,
        temperature=settings.sampling.temperature,
        max_tokens=settings.sampling.max_tokens,
        easy_levels=settings.evaluation.easy_levels,
    )
    return Exam(problems=tuple(problems), key=key, plan=plan)


@dataclass(frozen=True, slots=True)
class AuditedLearner(Lever):
    """A learner whose every update is examined."""

    face: Learner
    solver: Solver
    exam: Exam
    path: Path

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:
        """Learn, and note the true accuracy before and after."""
        before = self._right()
        effect = self.face.learn(lesson, progress, stream)
        after = self._right()
        episode = int(stream.name[-2])
        row = {"episode": episode, "before": sum(before), "after": sum(after), "n": len(after)}
        put_row(self.path, row)
        return effect

    def _right(self) -> Sequence[bool]:
        return [item.greedy_right for item in self.exam.sit(self.solver).items]

    def snapshot(self) -> Any:
        """As the face does."""
        return self.face.snapshot()

    def restore(self, snapshot: Any) -> None:
        """As the face does."""
        self.face.restore(snapshot)

    def blend(self, snapshot: Any, severity: float) -> None:
        """As the face does."""
        self.face.blend(snapshot, severity)


def audited(bench: Workbench, settings: RunSettings, run_dir: Path) -> Workbench:
    """Return `bench` with examined updates; unchanged where `audit_per_level` is 0."""
    if settings.audit_per_level == 0:
        return bench
    exam = audit_exam(settings)
    learner = AuditedLearner(bench.learner, bench.solver, exam, run_dir / UPDATES)
    return replace(bench, learner=learner)


def refusals(run_dir: Path) -> dict[str, float]:
    """Count a finished run's verdicts against the truth; empty where updates were not examined.

    `refused_bad` and `accepted_good` are right, `refused_good` and `accepted_bad` are wrong; an
    update that changed nothing on the audit counts as good.
    """
    truth = {row["episode"]: row["after"] - row["before"] for row in read_rows(run_dir / UPDATES)}
    counts = {"refused_bad": 0, "refused_good": 0, "accepted_bad": 0, "accepted_good": 0}
    for record in read_records(run_dir):
        if record.episode in truth:
            done = "refused" if record.verdict.ruling is Ruling.refuse else "accepted"
            counts[f"{done}_{'bad' if truth[record.episode] < 0 else 'good'}"] += 1
    return {name: float(n) for name, n in counts.items()} if truth else {}
