import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import argus_rl
from argus_rl.core.errors import DataError, SealedAnswerError
from argus_rl.data.answer_key import AnswerKey

KEY = AnswerKey({"a": "31", "b": "47", "c": "53"})
SEALED = ("answer_key", "executable", "generators", "sources", "stories", "story_forms")


def test_a_key_answers_for_the_problems_it_holds():
    assert KEY.gold("b") == "47"
    assert "b" in KEY
    assert "z" not in KEY
    assert len(KEY) == 3


def test_a_missing_answer_is_an_error_that_names_the_problem():
    with pytest.raises(SealedAnswerError, match="'z'") as caught:
        KEY.gold("z")
    assert "31" not in str(caught.value)


def test_the_text_form_of_a_key_shows_no_answer():
    for text in (repr(KEY), str(KEY), f"{KEY}"):
        assert not any(answer in text for answer in ("31", "47", "53"))
    assert not hasattr(KEY, "__dict__")


@given(
    st.dictionaries(st.text(max_size=5), st.integers(-50, 50).map(str), max_size=30),
    st.integers(0, 2**32),
)
def test_a_noise_key_has_the_same_ids_and_no_right_answer(golds, seed):
    noise = AnswerKey(golds).shuffled(np.random.default_rng(seed))
    assert len(noise) == len(golds)
    assert all(noise.gold(problem_id) != answer for problem_id, answer in golds.items())


def test_the_same_stream_gives_the_same_noise():
    one, other = (KEY.shuffled(np.random.default_rng(4)) for _ in range(2))
    assert [one.gold(i) for i in "abc"] == [other.gold(i) for i in "abc"]


def test_a_saved_key_loads_again(tmp_path):
    KEY.save(tmp_path / "key.json")
    again = AnswerKey.load(tmp_path / "key.json")
    assert [again.gold(i) for i in "abc"] == ["31", "47", "53"]


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"a": 3}', b"\xff\xfe", b"{"])
def test_a_file_that_is_no_key_is_named(tmp_path, content):
    path = tmp_path / "key.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"key\.json"):
        AnswerKey.load(path)


def test_a_missing_key_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.json"):
        AnswerKey.load(tmp_path / "none.json")


def test_keys_merge_unless_they_disagree():
    assert KEY.merged([AnswerKey({"d": "1"}), KEY]).gold("d") == "1"
    with pytest.raises(DataError, match="'a'"):
        KEY.merged([AnswerKey({"a": "32"})])


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_what_growth_and_dialect_read_knows_no_operation_and_no_answer():
    root = Path(argus_rl.__file__).parent
    open_files = ["data/growth.py", "data/story_words.py", "data/contamination.py"]
    for name in [*open_files, "model/dialect.py", "model/embedded.py"]:
        for module in imports(root / name):
            assert module.removeprefix("argus_rl.data.") not in SEALED, (name, module)
