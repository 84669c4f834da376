"""Gold answers, sealed.

Answers are kept apart from problems so that a training path which holds problems holds no answer.
Only `argus_rl.data.sources`, `argus_rl.data.generators`, the evaluation and the lab's audit may
import this module (a rule that the import linter checks); the keys are made by the first two. A
run whose keys are replaced by noise (`shuffled`) must train to bit-equal weights.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from argus_rl.core.errors import DataError, SealedAnswerError


class AnswerKey:
    """Gold answers by problem id. Neither its text form nor its errors show any of them.

    Args:
        golds: Answer of each problem, as plain numerals.
    """

    __slots__ = ("_golds",)

    def __init__(self, golds: Mapping[str, str]) -> None:
        self._golds = dict(golds)

    def gold(self, problem_id: str) -> str:
        """The gold answer of a problem.

        Raises:
            SealedAnswerError: where the key holds none for it.
        """
        if problem_id not in self._golds:
            raise SealedAnswerError(
                f"no gold answer for problem {problem_id!r} among the {len(self)} of this key"
            )
        return self._golds[problem_id]

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._golds

    def __len__(self) -> int:
        return len(self._golds)

    def __repr__(self) -> str:
        return f"AnswerKey({len(self)} answers, sealed)"

    def shuffled(self, rng: np.random.Generator) -> "AnswerKey":
        """A noise key: the same ids, each with an answer that is not its own.

        Every answer goes to another problem, and one is added to it where that problem had the
        same; an answer that is no whole number gets another digit in front.
        """
        ids = sorted(self._golds)
        if not ids:
            return AnswerKey({})
        shift = int(rng.integers(1, len(ids))) if len(ids) > 1 else 0
        order = rng.permutation(len(ids))
        noise: dict[str, str] = {}
        for place, index in enumerate(order):
            own = self._golds[ids[int(index)]]
            other = self._golds[ids[int(order[(place + shift) % len(ids)])]]
            noise[ids[int(index)]] = other if other != own else f"1{own.lstrip('-')}"
        return AnswerKey(noise)

    def merged(self, others: Iterable["AnswerKey"]) -> "AnswerKey":
        """One key with the answers of this one and of `others`.

        Raises:
            DataError: where two keys disagree about a problem.
        """
        golds = dict(self._golds)
        for other in others:
            for problem_id, answer in other._golds.items():
                if golds.setdefault(problem_id, answer) != answer:
                    raise DataError(f"two answer keys disagree about problem {problem_id!r}")
        return AnswerKey(golds)

    def save(self, path: Path) -> None:
        """Write the key as JSON."""
        path.write_text(json.dumps(self._golds, sort_keys=True, indent=0) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> "AnswerKey":
        """Read a key that `save` wrote.

        Raises:
            DataError: where the file is missing or is no answer key.
        """
        try:
            golds: Any = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise DataError(f"{path}: there is no such answer key") from error
        except ValueError as error:
            raise DataError(f"{path}: not an answer key (no valid JSON)") from error
        if not isinstance(golds, dict):
            raise DataError(f"{path}: not an answer key (ids with numerals expected)")
        found = cast("dict[str, Any]", golds)
        if not all(isinstance(gold, str) for gold in found.values()):
            raise DataError(f"{path}: not an answer key (ids with numerals expected)")
        return cls(found)
