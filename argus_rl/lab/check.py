"""Score the text sensors on a labelled file.

How often does the answer reader agree with the labels, and how many sound and false problems does
the premise validator refuse?  The last line printed is one JSON object:

    python -m argus_rl.lab.check answers FILE...    {"core": {"right": 95, "n": 95}, ...}
    python -m argus_rl.lab.check premises FILE...   {"gsm8k": {"refused": 0, "n": 120}, ...}

A row of an answers file holds `completion, gold, should_match` and perhaps `tier` (core where
absent); a row of a premises file holds `text, label` (true or false) and `kind`.  Exit code 2 and
one line on standard error tell of a file that cannot be read.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

from argus_rl.text.answers import answers_match, extract_answer
from argus_rl.text.premises.validator import check_premises

Row = dict[str, object]
"""One line of a labelled file."""

Counts = dict[str, dict[str, int]]
"""Group -> counts."""


class BadRow(ValueError):
    """A file or a line of it cannot be scored; the message names both."""


def rows_of(path: Path) -> Iterator[tuple[str, Row]]:
    """The objects of a JSON Lines file with their place ("file:line"). Raises BadRow."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRow(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            row: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadRow(f"{place}: not a JSON object ({error})") from error
        if not isinstance(row, dict):
            raise BadRow(f"{place}: expected a JSON object, got {type(row).__name__}")
        yield place, cast(Row, row)


def text_field(row: Row, name: str, place: str) -> str:
    """A string field of a row. Raises BadRow where it is absent or of another type."""
    value = row.get(name)
    if not isinstance(value, str):
        raise BadRow(f"{place}: field {name!r} must be a string, got {value!r}")
    return value


def score_answers(rows: Iterator[tuple[str, Row]], report: Callable[[str], None]) -> Counts:
    """Right verdicts and rows per tier; each mistake is passed to `report`."""
    counts: Counts = {}
    for place, row in rows:
        tier = row.get("tier", "core")
        if not isinstance(tier, str):
            raise BadRow(f"{place}: field 'tier' must be a string, got {tier!r}")
        should = row.get("should_match")
        if not isinstance(should, bool):
            raise BadRow(f"{place}: field 'should_match' must be true or false, got {should!r}")
        completion, gold = text_field(row, "completion", place), text_field(row, "gold", place)
        answer = extract_answer(completion)
        right = answers_match(answer, gold) == should
        group = counts.setdefault(tier, {"right": 0, "n": 0})
        group["n"] += 1
        group["right"] += right
        if not right:
            read = "no answer" if answer is None else answer.key[:40]
            report(f"{place}: read {read}, gold {gold[:40]!r}, should match: {should}")
    return counts


def score_premises(rows: Iterator[tuple[str, Row]], report: Callable[[str], None]) -> Counts:
    """Refused texts and rows per group (gsm8k, true, false); each mistake goes to `report`."""
    counts: Counts = {}
    for place, row in rows:
        label, kind = text_field(row, "label", place), text_field(row, "kind", place)
        if label not in ("true", "false"):
            raise BadRow(f"{place}: field 'label' must be 'true' or 'false', got {label!r}")
        text = text_field(row, "text", place)
        found = check_premises(text).findings
        name = "gsm8k" if kind.startswith("gsm8k") else label
        group = counts.setdefault(name, {"refused": 0, "n": 0})
        group["n"] += 1
        group["refused"] += bool(found)
        if bool(found) != (label == "false"):
            why = "; ".join(f"{f.kind}: {f.expression}, claimed {f.claimed}" for f in found)
            report(f"{place}: {kind} labelled {label}, found {why or 'nothing'}: {text[:120]!r}")
    return counts


SCORES = {"answers": score_answers, "premises": score_premises}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m argus_rl.lab.check",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("what", choices=sorted(SCORES), help="which reader to score")
    made.add_argument("files", nargs="+", type=Path, metavar="FILE", help="labelled JSON Lines")
    made.add_argument("--show", action="store_true", help="list every mistake before the result")
    return made


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _say_nothing(line: str) -> None:
    del line


def main(argv: Sequence[str] | None = None) -> int:
    """Score the files; returns the exit code (0 scored, 2 a file cannot be scored)."""
    arguments = parser().parse_args(argv)
    report = _say if arguments.show else _say_nothing
    rows = (row for path in arguments.files for row in rows_of(path))
    try:
        counts = SCORES[arguments.what](rows, report)
    except BadRow as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{json.dumps(counts)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
