"""Where labelled problems come from: JSON Lines files, a hub's data set, or the built-in world.

Every reader returns problems and, apart from them, an `AnswerKey`. A file that cannot be used is
named together with the line at fault.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from argus_rl.core.errors import DataError
from argus_rl.data.answer_key import AnswerKey
from argus_rl.data.generators import StorySpec, held_out
from argus_rl.data.problem import Problem, Source
from argus_rl.text.values import read_value

_GSM8K_MARK = "####"


def load_problems(
    source: Path | StorySpec, *, limit: int | None = None, role: Source = Source.held_out
) -> tuple[list[Problem], AnswerKey]:
    """Problems and their answers.

    Args:
        source: A JSON Lines file with `question` and `answer` (and `id`), or a generator's draw.
        limit: Take at most so many; None takes all.
        role: What the problems are for.

    Raises:
        DataError: naming file and line, where the file is missing, empty or malformed.
        ConfigError: where the draw is impossible.
    """
    if isinstance(source, StorySpec):
        problems, key = held_out(source.levels, source.per_level, source.seed, source.split)
        return problems[:limit], key
    return _from_rows(_rows(source), str(source), limit, role)


def load_folder(
    folder: Path, *, context_limit: int, limit: int
) -> tuple[list[Problem], list[Problem], AnswerKey]:
    """Context texts (without answers) and evaluation problems of a folder.

    The folder holds `*_train.jsonl` for context and `*_test.jsonl` for evaluation; with several of
    a kind the first by name is taken.

    Raises:
        DataError: where one of the two is missing or malformed.
    """
    train, test = _only(folder, "*_train.jsonl"), _only(folder, "*_test.jsonl")
    context, _ = load_problems(train, limit=context_limit, role=Source.context)
    problems, key = load_problems(test, limit=limit)
    return context, problems, key


def problems_of_gsm8k(
    rows: Iterable[Mapping[str, str]], name: str, *, limit: int | None = None
) -> tuple[list[Problem], AnswerKey]:
    """Problems of GSM8K as its hub release writes them: the answer stands behind `####`.

    Args:
        rows: Mappings with `question` and `answer`, as `datasets.load_dataset` yields them.
        name: Names the draw in ids and errors, such as `gsm8k-test`.
        limit: Take at most so many; None takes all.

    Raises:
        DataError: where a row has no question or no marked answer.
    """
    marked = (
        (
            number,
            {
                "id": f"{name}-{number - 1:04d}",
                "question": row.get("question", ""),
                "answer": row.get("answer", "").rpartition(_GSM8K_MARK)[2].strip(),
            },
        )
        for number, row in enumerate(rows, start=1)
    )
    return _from_rows(marked, name, limit, Source.held_out)


def _only(folder: Path, pattern: str) -> Path:
    if not folder.is_dir():
        raise DataError(f"{folder}: there is no such folder")
    found = sorted(folder.glob(pattern))
    if not found:
        raise DataError(f"{folder}: holds no {pattern}")
    return found[0]


def _rows(path: Path) -> Iterable[tuple[int, Any]]:
    """Line numbers and parsed lines of a JSON Lines file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataError(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise DataError(f"{path}: is a folder, not a JSON Lines file") from error
    except PermissionError as error:
        raise DataError(f"{path}: may not be read") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DataError(f"{path}, line {number}: is not JSON") from error


def _from_rows(
    rows: Iterable[tuple[int, Any]], name: str, limit: int | None, role: Source
) -> tuple[list[Problem], AnswerKey]:
    problems: list[Problem] = []
    golds: dict[str, str] = {}
    for number, row in rows:
        if limit is not None and len(problems) >= limit:
            break
        place = f"{name}, line {number}"
        if not isinstance(row, dict):
            raise DataError(f"{place}: an object with `question` and `answer` is needed")
        fields = cast("dict[str, Any]", row)
        question, answer = _field(fields, "question", place), _field(fields, "answer", place)
        answer = answer.rpartition(_GSM8K_MARK)[2].strip()
        problem_id = str(fields.get("id", f"{Path(name).stem}-{number}"))
        if problem_id in golds:
            raise DataError(f"{place}: the id {problem_id!r} was given before")
        if read_value(answer) is None:
            raise DataError(f"{place}: the answer {answer[:40]!r} is no plain numeral")
        problems.append(Problem(id=problem_id, text=question, source=role))
        golds[problem_id] = answer
    if not problems and limit != 0:
        raise DataError(f"{name}: holds no problems")
    return problems, AnswerKey(golds)


def _field(row: Mapping[str, Any], field: str, place: str) -> str:
    value = row.get(field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{place}: `{field}` is missing or empty")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataError(f"{place}: `{field}` holds half a character (a lone surrogate)") from None
    return value.strip()
