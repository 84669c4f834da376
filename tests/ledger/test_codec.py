import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.run import RunSettings
from argus_rl.core.errors import DataError
from argus_rl.core.stats.estimate import Interval
from argus_rl.ledger.codec import coder, decode, encode
from argus_rl.ledger.events import Event, EventKind
from argus_rl.ledger.files import dump
from argus_rl.ledger.records import EpisodeRecord


class Colour(StrEnum):
    red = "red"
    blue = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    x: float
    exact: Fraction = Fraction(1, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    name: str
    n: int
    on: bool
    colour: Colour
    leaves: tuple[Leaf, ...]
    pair: tuple[int, float]
    maybe: Leaf | None
    table: dict[str, str | int | float | bool]
    rates: Mapping[str, float]
    rows: tuple[tuple[Colour, int], ...]
    plain: dict[str, Any]


FLOATS = st.floats(allow_nan=True, allow_infinity=True)
LEAVES = st.builds(Leaf, x=FLOATS, exact=st.fractions())
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TREES = st.builds(
    Tree,
    name=st.text(st.characters(codec=None, exclude_categories=())),
    n=st.integers(),
    on=st.booleans(),
    colour=st.sampled_from(Colour),
    leaves=st.lists(LEAVES, max_size=3).map(tuple),
    pair=st.tuples(st.integers(), FLOATS),
    maybe=st.none() | LEAVES,
    table=st.dictionaries(
        st.text(), st.text() | st.integers() | st.booleans() | FLOATS, max_size=4
    ),
    rates=st.dictionaries(st.text(), FLOATS, max_size=3),
    rows=st.lists(st.tuples(st.sampled_from(Colour), st.integers()), max_size=3).map(tuple),
    plain=st.dictionaries(st.text(), PLAIN, max_size=3),
)
TREE = Tree(
    name="a", n=1, on=True, colour=Colour.red, leaves=(Leaf(x=0.5),), pair=(1, 2.0), maybe=None,
    table={}, rates={}, rows=(), plain={},
)  # fmt: skip


@given(TREES)
def test_what_is_read_is_what_was_written_to_the_last_bit(tree: Tree):
    back = decode(Tree, json.loads(dump(encode(tree))))
    assert repr(back) == repr(tree)


@given(TREES)
def test_equal_values_give_equal_bytes(tree: Tree):
    assert dump(encode(tree)) == dump(encode(decode(Tree, encode(tree))))


@pytest.mark.parametrize("word", ["nan", "inf", "-inf"])
def test_a_word_that_looks_like_a_number_stays_a_word(word: str):
    event = Event(
        kind=EventKind.rollback,
        episode=0,
        because={"word": word, "figure": float(word)},
        done="",
    )
    back = decode(Event, json.loads(dump(encode(event)))).because
    assert back["word"] == word
    assert isinstance(back["figure"], float)
    assert str(back["figure"]) == word


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("n", 1.5, "Tree.n: expected a whole number"),
        ("n", True, "Tree.n: expected a whole number"),
        ("on", 1, "Tree.on: expected true or false"),
        ("colour", "green", "Tree.colour: expected one of red, blue"),
        ("leaves", [{"x": "0.5", "exact": "1/3"}], "Tree.leaves[0].x: expected a number"),
        ("leaves", [{"x": 0.5}], "Tree.leaves[0]: missing exact of Leaf"),
        ("leaves", [{"x": 0.5, "exact": "1/0"}], "Tree.leaves[0].exact: expected a fraction"),
        ("leaves", [{"x": 0, "exact": "1/3", "y": 1}], "Tree.leaves[0]: unknown y; Leaf has x"),
        ("pair", [1], "Tree.pair: expected 2 entries"),
        ("maybe", 3, "Tree.maybe: expected the fields of Leaf"),
        ("table", {"a": None}, "Tree.table.a: expected"),
        ("rates", [], "Tree.rates: expected an object"),
    ],
)  # fmt: skip
def test_a_field_of_another_shape_is_named(field: str, value: object, message: str):
    data = encode(TREE) | {field: value}
    with pytest.raises(DataError) as error:
        decode(Tree, data)
    assert message in str(error.value)


def test_a_value_that_its_field_cannot_hold_is_refused_when_it_is_written():
    wrong = Tree(
        name="a", n="7", on=True, colour=Colour.red, leaves=(), pair=(1, 2.0), maybe=None,  # type: ignore[arg-type]
        table={}, rates={}, rows=(), plain={},
    )  # fmt: skip
    with pytest.raises(DataError, match=r"Tree\.n: expected a whole number, got '7'"):
        encode(wrong)


def test_plain_json_may_not_hide_a_nan():
    with pytest.raises(DataError, match=r"expected plain JSON"):
        coder(dict[str, Any]).encode({"a": [math.nan]}, "config")


def test_a_value_that_refuses_to_be_made_is_a_data_error():
    with pytest.raises(DataError, match="low <= high"):
        decode(Interval, {"low": 2.0, "high": 1.0, "level": 0.95})


def test_a_type_without_a_coder_is_an_error_of_the_programmer():
    with pytest.raises(TypeError, match="cannot write the type"):
        coder(complex)
    with pytest.raises(TypeError, match="cannot tell the members"):
        coder(Leaf | Tree)


def test_all_settings_of_a_run_can_be_written_and_read():
    assert decode(RunSettings, encode(RunSettings())) == RunSettings()


def test_an_episode_comes_back_equal(made_run):
    for episode in range(12):
        record = made_run.record(episode)
        assert decode(EpisodeRecord, json.loads(dump(encode(record)))) == record
