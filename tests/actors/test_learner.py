"""What an update draws: small piles make short updates, and nothing is seen too often."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.actors.learner import batches, plan_draws, rounds
from argus_rl.config.run import LearnerSettings
from argus_rl.model.policy import Example, PolicyRole

sizes = st.integers(0, 400)


@given(
    lesson=st.integers(1, 400),
    replay=sizes,
    earlier=sizes,
    recombined=sizes,
    anchors=sizes,
    updates=st.integers(0, 40),
    passes=st.sampled_from([1.0, 2.0, 3.0]),
)
def test_no_pile_is_gone_through_more_often_than_allowed(
    lesson: int,
    replay: int,
    earlier: int,
    recombined: int,
    anchors: int,
    updates: int,
    passes: float,
):
    settings = LearnerSettings(
        updates=updates,
        passes=passes,
        library_mix=0.2,
        recombined_mix=0.1,
        anchor_mix=0.3,
        batch=8,
    )
    draws = plan_draws(
        settings,
        lesson=lesson,
        replay=replay,
        earlier=earlier,
        recombined=recombined,
        anchors=anchors,
    )
    others = draws.replay + draws.earlier + draws.recombined + draws.anchors
    assert draws.steps >= 1
    assert draws.steps <= updates or not updates
    assert draws.lesson + others == draws.steps * 8
    assert draws.earlier <= min(passes * earlier, round(draws.steps * 8 * 0.2))
    assert draws.recombined <= min(passes * recombined, round(draws.steps * 8 * 0.1))
    assert draws.lesson <= passes * lesson or draws.steps == 1
    assert draws.replay <= min(passes * replay, round(draws.steps * 8 * 0.25))
    assert draws.anchors <= min(passes * anchors, round(draws.steps * 8 * 0.3))


def test_an_empty_memory_leaves_its_share_to_the_lesson():
    settings = LearnerSettings(updates=4, batch=8, library_mix=0.2)
    draws = plan_draws(settings, lesson=99, replay=0, earlier=0, anchors=0)
    assert (draws.lesson, draws.replay, draws.earlier, draws.anchors) == (32, 0, 0, 0)


@given(n=st.integers(1, 30), count=st.integers(0, 100))
def test_nothing_is_drawn_twice_before_all_are_drawn_once(n: int, count: int):
    examples = [Example(ids=(0, i), weights=(0.0, 1.0)) for i in range(n)]
    drawn = Counter(e.ids[1] for e in rounds(examples, count, np.random.default_rng(0)))
    assert drawn.total() == count
    assert max(drawn.values(), default=0) - min((drawn[i] for i in range(n)), default=0) <= 1


@given(st.lists(st.integers(2, 60), min_size=1, max_size=80), st.integers(1, 9))
def test_batches_hold_every_sequence_once_and_like_lengths_together(lengths: list[int], size: int):
    examples = [
        Example(ids=(i,) * n, weights=(0.0, *[1.0] * (n - 1)), role=PolicyRole.solver)
        for i, n in enumerate(lengths)
    ]
    made = batches(examples, size, np.random.default_rng(1))
    assert sorted(e.ids[0] for batch in made for e in batch) == list(range(len(lengths)))
    assert sum(len(batch) < size for batch in made) <= 1
    spans = sorted((min(map(_length, b)), max(map(_length, b))) for b in made)
    assert all(last <= first for (_, last), (first, _) in pairwise(spans))


def _length(example: Example) -> int:
    return len(example.ids)
