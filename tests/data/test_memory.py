"""Memory is a value: bounded, deterministic, and spread over what was met."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.core.rng import Stream
from argus_rl.data.memory import (
    Bounds,
    Memory,
    add_anchors,
    add_blind_spots,
    add_library,
    add_replay,
    clear,
    decay,
    drop_blind_spots,
    panel,
    set_anchors,
    unmastered,
    without_cluster,
)
from argus_rl.data.problem import Chain, Pair, Problem, Source

STREAM = Stream(("test",))


def pair(name, cluster=0, steps=1, text=None):
    problem = Problem(
        id=str(name), text=text or f"problem {name}?", source=Source.proposed, steps=steps
    )
    chain = Chain(problem_id=str(name), text="the answer is 7", index=0)
    return Pair(problem=problem, chain=chain, label="7", score=0.6, cluster=cluster)


def pairs(n, **more):
    return [pair(i, **more) for i in range(n)]


def test_the_replay_memory_keeps_the_newest():
    memory = add_replay(Memory(), pairs(5), Bounds(replay=3))
    memory = add_replay(memory, [pair("new")], Bounds(replay=3))
    assert [p.problem.id for p in memory.replay] == ["3", "4", "new"]


def test_mastered_problems_join_the_anchors_without_crowding_out_the_first():
    first = [pair(f"e{i}", steps=1 + i % 2) for i in range(6)]
    memory = add_anchors(set_anchors(Memory(), first), [pair(f"n{i}", steps=4) for i in range(9)])
    counts = Counter(p.problem.steps for p in memory.anchors)
    assert counts == {1: 3, 2: 3, 4: 3}
    assert [p.problem.id for p in memory.anchors if p.problem.steps == 4] == ["n6", "n7", "n8"]
    assert add_anchors(memory, memory.anchors) == memory
    assert add_anchors(Memory(), first).anchors == ()


def test_what_is_mastered_or_given_or_barred_is_not_to_be_learned_again():
    library = [pair("own"), pair("sure"), pair("barred", cluster=3)]
    given = pair("ctx")
    given = replace(given, problem=replace(given.problem, source=Source.context))
    memory = add_library(Memory(), [*library, given], Bounds())
    memory = set_anchors(memory, [library[1]])
    assert unmastered(memory, barred=(3,)) == (library[0],)


def test_a_memory_of_size_zero_stays_empty():
    none = Bounds(replay=0, blind_spots=0, per_level=0)
    memory = add_replay(add_library(Memory(), pairs(3), none), pairs(3), none)
    assert add_blind_spots(memory, [pair(1).problem], none) == Memory()
    with pytest.raises(ValueError, match="less than nothing"):
        Bounds(replay=-1)


def test_the_library_is_bounded_at_each_level_and_drops_the_oldest():
    many = [pair(i, steps=1 + i % 2) for i in range(10)]
    memory = add_library(Memory(), many, Bounds(per_level=2))
    assert [p.problem.id for p in memory.library] == ["6", "7", "8", "9"]


def test_a_text_is_in_the_library_once_with_its_newest_chain():
    memory = add_library(Memory(), [pair("old", text="same?"), pair(1)], Bounds())
    memory = add_library(memory, [pair("new", text="same?")], Bounds())
    assert [p.problem.id for p in memory.library] == ["1", "new"]


def test_blind_spots_are_listed_once_and_leave_when_they_recover():
    problems = [pair(i).problem for i in (1, 2, 1, 3)]
    memory = add_blind_spots(Memory(), problems, Bounds(blind_spots=2))
    assert [p.id for p in memory.blind_spots] == ["1", "3"]
    assert [p.id for p in drop_blind_spots(memory, ["1"]).blind_spots] == ["3"]


@given(st.integers(0, 20), st.floats(0, 1))
def test_decay_keeps_the_newest_share_rounded_up(n, keep):
    memory = add_replay(Memory(), pairs(n), Bounds())
    kept = decay(memory, keep).replay
    assert kept == memory.replay[n - len(kept) :]
    assert keep * n <= len(kept) + 1e-9 < keep * n + 1 + 1e-6


def test_clearing_replay_leaves_the_library():
    memory = add_library(add_replay(Memory(), pairs(3), Bounds()), pairs(3), Bounds())
    assert clear(memory).replay == ()
    assert clear(memory).library == memory.library


def test_a_cluster_leaves_every_store():
    mixed = [pair(i, cluster=i % 2) for i in range(6)]
    memory = add_library(add_replay(Memory(), mixed, Bounds()), mixed, Bounds())
    memory = add_blind_spots(set_anchors(memory, mixed), [p.problem for p in mixed], Bounds())
    left = without_cluster(memory, 1)
    for store in (left.replay, left.library, left.anchors):
        assert {p.cluster for p in store} == {0}
    assert [p.id for p in left.blind_spots] == ["0", "2", "4"]


@st.composite
def libraries(draw):
    shapes = draw(st.lists(st.tuples(st.integers(-1, 3), st.integers(1, 4)), max_size=40))
    return add_library(
        Memory(), [pair(i, cluster=c, steps=s) for i, (c, s) in enumerate(shapes)], Bounds()
    )


@given(libraries(), st.integers(0, 30))
def test_a_panel_is_as_large_as_it_can_be_and_as_even_as_it_can_be(memory, size):
    drawn = panel(memory, size, STREAM)
    assert len(drawn) == min(size, len(memory.library))
    assert len({p.problem.id for p in drawn}) == len(drawn)
    have = Counter(p.cluster for p in memory.library)
    took = Counter(p.cluster for p in drawn)
    least = min((took[c] for c in have if took[c] < have[c]), default=None)
    if least is not None:
        assert max(took.values(), default=0) <= least + 1


def test_levels_take_turns_inside_a_cluster():
    crowd = [pair(i, steps=1) for i in range(50)] + [pair(f"h{i}", steps=5) for i in range(4)]
    memory = add_library(Memory(), crowd, Bounds())
    levels = Counter(p.problem.steps for p in panel(memory, 8, STREAM))
    assert levels == {1: 4, 5: 4}


def test_equal_streams_give_equal_panels_and_others_differ():
    memory = add_library(Memory(), pairs(40), Bounds())
    assert panel(memory, 10, STREAM) == panel(memory, 10, STREAM)
    assert panel(memory, 10, STREAM) != panel(memory, 10, STREAM.child("other"))


def test_anchors_are_retested_and_a_text_counts_once():
    memory = set_anchors(add_library(Memory(), [pair("a", text="x?")], Bounds()), pairs(2))
    memory = set_anchors(memory, [*memory.anchors, pair("b", text="x?")])
    assert {p.problem.text for p in panel(memory, 9, STREAM)} == {"x?", "problem 0?", "problem 1?"}
    assert len(panel(memory, 9, STREAM)) == 3


def test_a_panel_of_named_clusters_holds_no_other():
    memory = add_library(Memory(), [pair(i, cluster=i % 3) for i in range(12)], Bounds())
    assert {p.cluster for p in panel(memory, 6, STREAM, clusters=(1, 2))} == {1, 2}
