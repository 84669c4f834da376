import json
import os
from pathlib import Path

import pytest

from argus_rl.core.errors import DataError
from argus_rl.data.problem import Source
from argus_rl.data.sources import load_folder, load_problems, problems_of_gsm8k

DATA = Path(os.environ.get("ARGUS_DATA_DIR", Path(__file__).parents[3] / "shared" / "data"))


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def row(number, **more):
    return {
        "id": f"p{number}",
        "question": f"What is {number} + 1?",
        "answer": str(number + 1),
    } | more


def test_problems_and_answers_come_apart(tmp_path):
    problems, key = load_problems(write(tmp_path / "a.jsonl", row(1), row(2)))
    assert [problem.text for problem in problems] == ["What is 1 + 1?", "What is 2 + 1?"]
    assert key.gold("p2") == "3"


def test_ids_are_made_where_there_are_none_and_numbers_may_be_bare(tmp_path):
    path = write(tmp_path / "mine.jsonl", {"question": "How many?", "answer": 7})
    problems, key = load_problems(path)
    assert problems[0].id == "mine-1"
    assert key.gold("mine-1") == "7"


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\ufeff" + json.dumps(row(1)) + "\n\n" + json.dumps(row(2)), encoding="utf-8")
    assert len(load_problems(path)[0]) == 2


def test_a_limit_is_kept(tmp_path):
    path = write(tmp_path / "a.jsonl", *(row(n) for n in range(9)))
    problems, key = load_problems(path, limit=4)
    assert len(problems) == len(key) == 4


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds no problems"),
        (b"\n\n", "holds no problems"),
        (b'{"question": "a?", "answer": "1"}\n{"question"\n', "line 2: is not JSON"),
        (b"[1, 2]\n", "line 1: an object"),
        (b'"text"\n', "line 1: an object"),
        (b'{"answer": "1"}\n', "line 1: `question`"),
        (b'{"question": "", "answer": "1"}\n', "line 1: `question`"),
        (b'{"question": "a?"}\n', "line 1: `answer`"),
        (b'{"question": "a?", "answer": true}\n', "line 1: `answer`"),
        (b'{"question": "a?", "answer": "seven or so, who knows"}\n', "line 1: the answer"),
        (b'{"question": "a?", "answer": "nan"}\n', "line 1: the answer"),
        (b'{"id": 1, "question": "a?", "answer": "1"}\n' * 2, "line 2: the id"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000 + b"\n", "line 1"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(tmp_path, content, says):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=says) as caught:
        load_problems(path)
    assert "bad.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.jsonl: there is no such file"):
        load_problems(tmp_path / "none.jsonl")
    with pytest.raises(DataError, match="is a folder"):
        load_problems(tmp_path)


def test_a_folder_gives_context_without_answers_and_problems_with(tmp_path):
    write(tmp_path / "x_train.jsonl", row(1), row(2), row(3))
    write(tmp_path / "x_test.jsonl", row(4))
    context, problems, key = load_folder(tmp_path, context_limit=2, limit=9)
    assert [one.source for one in context] == [Source.context] * 2
    assert [one.id for one in problems] == ["p4"]
    assert "p4" in key
    assert "p1" not in key


def test_a_folder_without_a_test_file_is_named(tmp_path):
    write(tmp_path / "x_train.jsonl", row(1))
    with pytest.raises(DataError, match=r"holds no \*_test\.jsonl"):
        load_folder(tmp_path, context_limit=2, limit=9)
    with pytest.raises(DataError, match="no such folder"):
        load_folder(tmp_path / "none", context_limit=2, limit=9)


def test_rows_of_the_hub_release_are_read():
    rows = [{"question": "What is 2 + 2?", "answer": "It is <<2+2=4>>4.\n#### 1,004"}]
    problems, key = problems_of_gsm8k(rows, "gsm8k-test")
    assert problems[0].id == "gsm8k-test-0000"
    assert key.gold("gsm8k-test-0000") == "1,004"
    with pytest.raises(DataError, match="gsm8k-test, line 1: `answer`"):
        problems_of_gsm8k([{"question": "a?", "answer": "#### "}], "gsm8k-test")


@pytest.mark.skipif(not DATA.is_dir(), reason="the data folder beside the repository is absent")
@pytest.mark.parametrize(("name", "rows"), [("gsm8k_test", 1319), ("svamp", 1000)])
def test_public_word_problems_load_whole(name, rows):
    problems, key = load_problems(DATA / "wordproblems" / f"{name}.jsonl")
    assert len(problems) == len(key) == rows
