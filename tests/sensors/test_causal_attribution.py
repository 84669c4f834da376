"""A planted harmful cluster is named, and chance is not."""

import numpy as np
import pytest

from argus_rl.config.control import AttributionSettings
from argus_rl.core.rng import Stream
from argus_rl.sensors.causal_attribution import causal_attribution, no_attribution

SETTINGS = AttributionSettings(permutations=199, width=32)


class Gauge:
    """Gradients and embeddings that were written down beforehand."""

    def __init__(self, gradients, embeddings):
        self.rows = gradients
        self.places = embeddings

    def nll(self, pairs):
        return [1.0 for _ in pairs]

    def gradients(self, pairs, width):
        return np.array([self.rows[p.problem.id] for p in pairs], dtype=np.float32)[:, :width]

    def embed(self, texts):
        rows = np.array([self.places[t] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def fingerprint(self):
        return "f"


def scene(made, seed, *, harmful):
    """Pairs of three clusters with gradients of their own, and a panel part of which regressed."""
    rng = np.random.default_rng(seed)
    pairs = [made.pair(f"t{i}", cluster=i % 3) for i in range(36)]
    regressed = [made.pair(f"r{i}", cluster=5) for i in range(10)]
    retained = [made.pair(f"k{i}", cluster=6) for i in range(20)]
    topics, bad, good = rng.normal(size=(3, 32)), rng.normal(size=32), rng.normal(size=32)
    rows = {p.problem.id: topics[p.cluster] + rng.normal(size=32) for p in pairs}
    rows |= {p.problem.id: bad + rng.normal(size=32) for p in regressed}
    rows |= {p.problem.id: good + rng.normal(size=32) for p in retained}
    if harmful:
        for p in pairs:
            if p.cluster == 1:
                rows[p.problem.id] = rows[p.problem.id] - 1.5 * bad
    else:
        for p in (*regressed, *retained):
            rows[p.problem.id] = rng.normal(size=32)
    places = {p.problem.text: rng.normal(size=8) for p in (*pairs, *regressed, *retained)}
    return pairs, regressed, retained, Gauge(rows, places)


def attribute(made, seed, *, harmful):
    pairs, regressed, retained, gauge = scene(made, seed, harmful=harmful)
    return causal_attribution(
        pairs,
        [p.cluster for p in pairs],
        regressed,
        retained,
        gauge,
        SETTINGS,
        Stream(("test", seed)),
    )


def test_planted_harmful_pairs_are_found(made):
    found = [attribute(made, seed, harmful=True) for seed in range(10)]
    assert [f.cause for f in found] == [1] * 10
    assert all(f.effect == 5 and f.influence_p <= 0.05 for f in found)
    assert all(int(name[1:]) % 3 == 1 for f in found for name in f.pairs)


def test_regressions_at_random_have_no_cause_though_clusters_have_gradients_of_their_own(made):
    found = [attribute(made, seed, harmful=False) for seed in range(30)]
    assert sum(f.cause >= 0 for f in found) <= 4
    assert all(f.pairs == () for f in found if f.cause < 0)


def test_without_regressions_there_is_nothing_to_explain(made):
    pairs, _, retained, gauge = scene(made, 0, harmful=True)
    clusters = [p.cluster for p in pairs]
    found = causal_attribution(pairs, clusters, [], retained, gauge, SETTINGS, Stream(("test",)))
    assert (found.cause, found.effect) == (-1, -1)
    assert "nothing regressed" in found.summary


def test_one_cluster_alone_cannot_be_told_apart(made):
    pairs, regressed, retained, gauge = scene(made, 0, harmful=True)
    found = causal_attribution(
        pairs, [0] * len(pairs), regressed, retained, gauge, SETTINGS, Stream(("test",))
    )
    assert (found.cause, found.influence_p) == (-1, 1.0)


def test_pairs_of_no_cluster_are_never_the_cause(made):
    pairs, regressed, retained, gauge = scene(made, 0, harmful=True)
    clusters = [-1 if p.cluster == 1 else p.cluster for p in pairs]
    found = causal_attribution(
        pairs, clusters, regressed, retained, gauge, SETTINGS, Stream(("test",))
    )
    assert (found.cause, found.pairs) == (-1, ())
    assert found.summary.startswith("no evidence")


def test_nearness_is_judged_against_the_items_that_stayed(made):
    pairs, regressed, retained, gauge = scene(made, 0, harmful=True)
    rng = np.random.default_rng(1)
    for p in (*pairs, *regressed):
        gauge.places[p.problem.text] = np.eye(8)[0] + 0.1 * rng.normal(size=8)
    args = (regressed, retained, gauge, SETTINGS, Stream(("test",)))
    assert causal_attribution(pairs, [p.cluster for p in pairs], *args).similarity_p <= 0.01
    for p in retained:
        gauge.places[p.problem.text] = np.eye(8)[0] + 0.1 * rng.normal(size=8)
    assert causal_attribution(pairs, [p.cluster for p in pairs], *args).similarity_p > 0.01


def test_equal_streams_give_equal_attributions(made):
    assert attribute(made, 3, harmful=True) == attribute(made, 3, harmful=True)


@pytest.mark.parametrize("limit", [12, 128])
def test_only_so_many_gradients_are_taken(made, limit):
    pairs, regressed, retained, gauge = scene(made, 0, harmful=True)
    asked = []
    take = gauge.gradients
    gauge.gradients = lambda items, width: asked.append(len(items)) or take(items, width)
    settings = AttributionSettings(permutations=19, width=32, limit=limit)
    clusters = [p.cluster for p in pairs]
    causal_attribution(pairs, clusters, regressed, retained, gauge, settings, Stream(("test",)))
    assert max(asked) <= limit


def test_the_null_version_names_nobody(made):
    pairs, regressed, retained, gauge = scene(made, 0, harmful=True)
    found = no_attribution(pairs, [0] * 36, regressed, retained, gauge, SETTINGS, Stream(("test",)))
    assert (found.cause, found.influence_p) == (-1, 1.0)
