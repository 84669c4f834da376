"""The map groups problems the same way each time, keeps its names, and never grows."""

import json

import numpy as np
import pytest

from argus_rl.config.control import MapSettings
from argus_rl.core.signals.middle import RetestDelta
from argus_rl.core.signals.outer import MapReading, MapState
from argus_rl.ledger.codec import decode, encode
from argus_rl.sensors.capability_map import RECENT, Mapped, capability_map, no_map

SETTINGS = MapSettings(clusters=4)
TOPICS = np.linalg.qr(np.random.default_rng(7).normal(size=(16, 16)))[0]


def embeddings(topics, seed=0):
    """Unit rows around one direction per topic, with an offset that all share."""
    rng = np.random.default_rng(seed)
    rows = 2.0 + TOPICS[list(topics)] + 0.05 * rng.normal(size=(len(topics), 16))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def batch(topics, seed=0, rewards=None, unsound=None):
    n = len(topics)
    return Mapped(
        texts=tuple(f"problem {i} of topic {t}?" for i, t in enumerate(topics)),
        embeddings=embeddings(topics, seed),
        rewards=tuple(rewards if rewards is not None else [0.5] * n),
        costs=(8.0,) * n,
        unsound=tuple(unsound if unsound is not None else [False] * n),
    )


EMPTY = Mapped(embeddings=np.zeros((0, 16), dtype=np.float32))


def names_by_topic(topics, assignments):
    found = {}
    for topic, name in zip(topics, assignments, strict=True):
        found.setdefault(topic, set()).add(name)
    return found


def test_problems_of_one_topic_share_a_cluster_and_topics_do_not():
    topics = [0, 1, 2, 3] * 8
    reading = capability_map(MapState(), batch(topics), (), SETTINGS)
    names = names_by_topic(topics, reading.assignments)
    assert all(len(found) == 1 for found in names.values())
    assert len(set.union(*names.values())) == 4


def test_the_same_problems_give_the_same_map():
    topics = [0, 1, 2, 3, 3, 3, 1, 0] * 4
    first, second = (capability_map(MapState(), batch(topics), (), SETTINGS) for _ in range(2))
    assert first == second


def test_clusters_keep_their_names_over_many_episodes():
    topics = [0, 1, 2, 3] * 8
    reading = capability_map(MapState(), batch(topics), (), SETTINGS)
    names = names_by_topic(topics, reading.assignments)
    for episode in range(1, 20):
        mix = list(np.random.default_rng(episode).integers(0, 4, size=24))
        reading = capability_map(reading.state, batch(mix, seed=episode), (), SETTINGS)
        assert names_by_topic(mix, reading.assignments).items() <= names.items()
    assert sum(c.n for c in reading.clusters) == 32 + 19 * 24
    assert reading.state.next_id == 4


def test_a_topic_that_comes_late_gets_a_new_name():
    reading = capability_map(MapState(), batch([0, 1] * 8), (), MapSettings(clusters=2))
    known = {c.cluster for c in reading.clusters}
    wider = MapSettings(clusters=3)
    later = capability_map(reading.state, batch([0, 1, 2] * 6, seed=1), (), wider)
    new = {c.cluster for c in later.clusters} - known
    assert len(new) == 1
    assert names_by_topic([0, 1, 2] * 6, later.assignments)[2] == new


def test_a_small_cluster_is_merged_into_its_neighbour():
    topics = [0] * 10 + [1] * 10 + [2]
    reading = capability_map(MapState(), batch(topics), (), MapSettings(clusters=3))
    assert all(c.n >= 3 for c in reading.clusters)
    assert sum(c.n for c in reading.clusters) == 21


def test_counts_rewards_and_unsound_shares_are_those_of_the_cluster():
    topics = [0] * 6 + [1] * 2 + [1] * 2
    rewards = [0.2] * 6 + [0.9] * 4
    reading = capability_map(
        MapState(),
        batch(topics, rewards=rewards, unsound=[True] * 3 + [False] * 7),
        (),
        MapSettings(clusters=2),
    )
    first = next(c for c in reading.clusters if c.n == 6)
    second = next(c for c in reading.clusters if c.n == 4)
    assert (first.mean_reward, first.unsound_share) == (pytest.approx(0.2), 0.5)
    assert (second.mean_reward, second.unsound_share) == (pytest.approx(0.9), 0.0)
    assert first.share == pytest.approx(0.6)
    assert first.episode_share == pytest.approx(0.6)
    assert "topic 0" in first.exemplar


def test_learning_progress_is_the_recent_half_minus_the_older_half():
    one = MapSettings(clusters=1)
    reading = capability_map(MapState(), batch([0] * 4, rewards=[0.2] * 4), (), one)
    assert reading.clusters[0].learning_progress == pytest.approx(0.0)
    reading = capability_map(reading.state, batch([0] * 4, rewards=[0.8] * 4), (), one)
    assert reading.clusters[0].learning_progress == pytest.approx(0.6)


def test_retest_deltas_are_noted_by_cluster_and_the_rest_stays():
    before = capability_map(MapState(), batch([0, 1] * 6), (), MapSettings(clusters=2))
    name = before.clusters[0].cluster
    deltas = [
        RetestDelta(problem_id=str(i), cluster=c, before=0.5, after=0.5 + d, flipped=False)
        for i, (c, d) in enumerate([(name, -0.2), (name, -0.4), (-1, 0.9), (77, 0.9)])
    ]
    after = capability_map(before.state, EMPTY, deltas, MapSettings(clusters=2))
    assert after.clusters[0].last_retest_delta == pytest.approx(-0.3)
    assert after.clusters[1] == before.clusters[1]
    assert after.clusters[0].n == before.clusters[0].n
    assert after.clusters[0].episode_share == before.clusters[0].episode_share


def test_the_state_has_one_size_however_long_the_run_is():
    state, sizes = MapState(), []
    for episode in range(30):
        state = capability_map(state, batch([0, 1, 2, 3] * 20, seed=episode), (), SETTINGS).state
        sizes.append(len(json.dumps(encode(state))))
    assert all(len(c.recent) <= RECENT for c in state.clusters)
    assert sizes[-1] < 1.1 * sizes[5]


def test_a_saved_map_goes_on_as_if_it_had_never_been_saved():
    reading = capability_map(MapState(), batch([0, 1, 2, 3] * 5), (), SETTINGS)
    again = decode(MapReading, json.loads(json.dumps(encode(reading))))
    assert again == reading
    more = batch([0, 1, 2, 3] * 5, seed=3)
    assert capability_map(again.state, more, (), SETTINGS) == capability_map(
        reading.state, more, (), SETTINGS
    )


def test_problems_are_placed_without_being_counted():
    topics = [0, 1, 2, 3] * 5
    reading = capability_map(MapState(), batch(topics), (), SETTINGS)
    assert reading.state.assign(embeddings(topics)) == reading.assignments
    assert MapState().assign(embeddings([0, 1])) == (-1, -1)


def test_identical_problems_make_one_cluster():
    same = batch([0] * 10)
    same = Mapped(
        texts=same.texts,
        embeddings=np.repeat(same.embeddings[:1], 10, axis=0),
        rewards=same.rewards,
        costs=same.costs,
        unsound=same.unsound,
    )
    reading = capability_map(MapState(), same, (), SETTINGS)
    assert [c.n for c in reading.clusters] == [10]


def test_without_a_map_nothing_is_of_any_cluster():
    reading = no_map(MapState(), batch([0, 1]), (), SETTINGS)
    assert (reading.assignments, reading.clusters, reading.state) == ((-1, -1), (), MapState())
