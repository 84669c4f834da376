"""The command that scores the text sensors: its last line, its mistakes, its refusals."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from argus_rl.lab.check import main

ANSWERS = [
    {"completion": "#### 5", "gold": "5", "should_match": True},
    {"completion": "#### 5", "gold": "6", "should_match": False, "tier": "core"},
    {"completion": "#### 5", "gold": "6", "should_match": True, "tier": "policy"},
]
PREMISES = [
    {"text": "12 + 5 = 17. Why?", "label": "true", "kind": "gsm8k_other"},
    {"text": "12 + 5 = 17. Why?", "label": "true", "kind": "sum"},
    {"text": "12 + 5 = 18. Why?", "label": "false", "kind": "sum"},
    {"text": "Blue is a colour. Why?", "label": "false", "kind": "sum"},
]


def write(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def last_line(capsys: pytest.CaptureFixture[str]) -> object:
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_answers_are_counted_by_tier_and_a_row_without_tier_is_core(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["answers", write(tmp_path / "a.jsonl", ANSWERS)]) == 0
    assert last_line(capsys) == {"core": {"right": 2, "n": 2}, "policy": {"right": 0, "n": 1}}


def test_premises_are_counted_by_label_and_real_questions_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["premises", write(tmp_path / "p.jsonl", PREMISES)]) == 0
    assert last_line(capsys) == {
        "gsm8k": {"refused": 0, "n": 1},
        "true": {"refused": 0, "n": 1},
        "false": {"refused": 1, "n": 2},
    }


def test_a_line_separator_inside_a_text_does_not_end_the_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "a.jsonl"
    row = {"completion": "five\u2028#### 5", "gold": "5", "should_match": True}
    file.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    assert main(["answers", str(file)]) == 0
    assert last_line(capsys) == {"core": {"right": 1, "n": 1}}


def test_several_files_are_scored_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = write(tmp_path / "a.jsonl", ANSWERS)
    assert main(["answers", file, file]) == 0
    assert last_line(capsys) == {"core": {"right": 4, "n": 4}, "policy": {"right": 0, "n": 2}}


def test_show_lists_each_mistake_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    main(["premises", "--show", write(tmp_path / "p.jsonl", PREMISES)])
    *mistakes, _ = capsys.readouterr().out.splitlines()
    assert len(mistakes) == 1
    assert "p.jsonl:4" in mistakes[0]
    assert "Blue is a colour" in mistakes[0]


@pytest.mark.parametrize(
    ("what", "content", "reason"),
    [
        ("answers", "{not json", "not a JSON object"),
        ("answers", "[1, 2]", "expected a JSON object"),
        ("answers", '{"completion": "x", "gold": 5, "should_match": true}', "'gold'"),
        ("answers", '{"completion": "x", "gold": "5", "should_match": "yes"}', "'should_match'"),
        ("answers", '{"completion": "x", "gold": "5", "should_match": true, "tier": 1}', "'tier'"),
        ("premises", '{"text": "x", "kind": "sum", "label": "maybe"}', "'label'"),
        ("premises", '{"kind": "sum", "label": "true"}', "'text'"),
        ("premises", "[" * 100_000, "not a JSON object"),
    ],
)
def test_a_malformed_line_is_one_clear_sentence_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, content: str, reason: str
):
    file = tmp_path / "bad.jsonl"
    file.write_text(f"\n{content}\n", encoding="utf-8")
    assert main([what, str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert "bad.jsonl:2" in printed.err
    assert reason in printed.err


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00\xd8"])
def test_a_file_that_cannot_be_read_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
):
    file = tmp_path / "absent.jsonl"
    if content is not None:
        file.write_bytes(content)
    assert main(["answers", str(file)]) == 2
    assert "absent.jsonl" in capsys.readouterr().err


def test_the_module_runs_as_a_command_and_help_teaches(tmp_path: Path):
    command = [sys.executable, "-m", "argus_rl.lab.check"]
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    run = subprocess.run(
        [*command, "answers", write(tmp_path / "a.jsonl", ANSWERS)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert json.loads(run.stdout.splitlines()[-1])["core"]["n"] == 2
    helped = subprocess.run(
        [*command, "--help"], capture_output=True, text=True, check=True, env=environment
    )
    assert "should_match" in helped.stdout
