"""What has the model met, and how does it fare there?

Problems are grouped by the embedding of their text under the frozen base (adapters off), so the map
does not move because the policy did. The grouping is k-means in Euclidean distance, which a shared
offset of all embeddings (language models have one) does not disturb, made to go on for ever:

* the first batch starts from farthest-first centres (deterministic: no random start);
* every later batch is fitted together with the old centres, each of which stands for the problems
  it has met, all of them together for at most `window` problems. So old problems fade from the
  centres, and the state has the same size however long the run is;
* new centres are matched to the old ones greedily by distance, so a cluster keeps its id; an id
  that was given away never comes back for another cluster;
* while fewer than `clusters` are there, far problems may start new ones, and clusters with fewer
  than `min_size` problems are merged into their nearest neighbour.

Counts, rewards and the rest are sums that are only added to. `learning_progress` is the mean
reward of the recent half minus that of the older half of the last `RECENT` problems of a cluster; 0
for fewer than 4.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from argus_rl.config.control import MapSettings
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import RetestDelta
from argus_rl.core.signals.outer import ClusterMemory, ClusterReading, MapReading, MapState

Points = NDArray[np.float64]

RECENT = 64
"""Newest rewards that a cluster remembers one by one."""

_ITERATIONS = 50
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """The problems of one episode, one entry each in every field."""

    texts: tuple[str, ...] = ()
    embeddings: NDArray[np.float32]
    """Shape `[n, d]`."""
    rewards: tuple[float, ...] = ()
    """Agreement scores, in [0, 1]."""
    costs: tuple[float, ...] = ()
    """Chains spent on each."""
    unsound: tuple[bool, ...] = ()
    """Whether the validator finds something false."""


@sensor(Loop.outer, unless="capability_map")
def no_map(
    state: MapState, batch: Mapped, deltas: Sequence[RetestDelta], settings: MapSettings
) -> MapReading:
    """Map nothing: all problems are of no cluster (-1)."""
    return MapReading(state=state, assignments=(-1,) * len(batch.texts))


@sensor(Loop.outer, flag="capability_map")
def capability_map(
    state: MapState, batch: Mapped, deltas: Sequence[RetestDelta], settings: MapSettings
) -> MapReading:
    """Add a batch of problems, and retest deltas, to the map.

    Either may be empty: called with no problems, it only notes the deltas and keeps what it said
    of the last batch.

    Args:
        state: the map so far.
        batch: problems with what became of them.
        deltas: of retested items whose cluster is known.
        settings: number and smallest size of clusters, and the weight of the past.

    Returns:
        The reading, which carries the new state and the cluster of each problem of the batch.
    """
    assignments: tuple[int, ...] = ()
    if batch.texts:
        points = np.asarray(batch.embeddings, dtype=np.float64)
        state = _count(_refit(state, points, settings), points, batch)
        state = _merge_small(state, settings.min_size)
        assignments = state.assign(batch.embeddings)
    state = _note_deltas(state, deltas)
    return MapReading(clusters=_readings(state.clusters), state=state, assignments=assignments)


def _refit(state: MapState, points: Points, settings: MapSettings) -> MapState:
    """The state with centres fitted to the old centres and the new points."""
    old = np.array([c.centre for c in state.clusters]).reshape(-1, points.shape[1])
    counts = np.array([float(c.n) for c in state.clusters])
    past = max(0.0, settings.window - len(points))
    weights = counts * min(1.0, past / counts.sum()) if counts.sum() > 0 else counts
    sample = np.vstack([old, points])
    weight = np.concatenate([weights, np.ones(len(points))])
    centres = _lloyd(sample, weight, _with_seeds(old, points, settings.clusters))
    order = _matched(old, centres)
    clusters = [
        replace(cluster, centre=_centre(centres[order[i]]), episode_n=0, episode_reward_sum=0.0)
        for i, cluster in enumerate(state.clusters)
    ]
    fresh = [centres[j] for j in range(len(centres)) if j not in order]
    clusters += [_new(state.next_id + i, centre) for i, centre in enumerate(fresh)]
    return MapState(clusters=tuple(clusters), next_id=state.next_id + len(fresh))


def _new(cluster: int, centre: Points) -> ClusterMemory:
    return ClusterMemory(
        cluster=cluster,
        centre=_centre(centre),
        n=0,
        cost=0.0,
        reward_sum=0.0,
        unsound=0,
        recent=(),
    )


def _centre(row: Points) -> tuple[float, ...]:
    return tuple(float(x) for x in row)


def _squared(points: Points, centres: Points) -> Points:
    """Squared distances, shape `[points, centres]`."""
    gaps = (
        (points**2).sum(axis=1)[:, np.newaxis] - 2.0 * points @ centres.T + (centres**2).sum(axis=1)
    )
    return np.maximum(gaps, 0.0)


def _with_seeds(old: Points, points: Points, clusters: int) -> Points:
    """Old centres, and farthest-first seeds among the points up to `clusters` in all."""
    if len(old) >= clusters:
        return old
    if not len(old):
        middle = points.mean(axis=0, keepdims=True)
        old = points[[int(_squared(points, middle)[:, 0].argmin())]]
    centres = old
    while len(centres) < clusters:
        gaps = _squared(points, centres).min(axis=1)
        farthest = int(gaps.argmax())
        if gaps[farthest] <= _TOLERANCE:
            break
        centres = np.vstack([centres, points[farthest]])
    return centres


def _lloyd(sample: Points, weight: Points, centres: Points) -> Points:
    """Weighted k-means from given centres; a centre without points stays where it is."""
    centres = centres.copy()
    nearest = np.full(len(sample), -1)
    for _ in range(_ITERATIONS):
        found = _squared(sample, centres).argmin(axis=1)
        if np.array_equal(found, nearest):
            break
        nearest = found
        for j in range(len(centres)):
            mass = weight[nearest == j]
            if mass.sum() > 0:
                centres[j] = mass @ sample[nearest == j] / mass.sum()
    return centres


def _matched(old: Points, new: Points) -> list[int]:
    """For each old centre the index of the new one it became, nearest pairs first."""
    match = [-1] * len(old)
    gaps = _squared(old, new) if len(old) else np.empty((0, len(new)))
    free = set(range(len(new)))
    for flat in np.argsort(gaps, axis=None, kind="stable"):
        i, j = divmod(int(flat), len(new))
        if match[i] < 0 and j in free:
            match[i] = j
            free.remove(j)
    return match


def _count(state: MapState, points: Points, batch: Mapped) -> MapState:
    """The state with each problem of the batch counted in its nearest cluster."""
    centres = np.array([c.centre for c in state.clusters])
    gaps = _squared(points, centres)
    nearest = gaps.argmin(axis=1)
    clusters = list(state.clusters)
    for j, cluster in enumerate(clusters):
        members = [int(i) for i in np.flatnonzero(nearest == j)]
        if members:
            clusters[j] = _grown(cluster, members, gaps[:, j], batch)
    return replace(state, clusters=tuple(clusters))


def _grown(
    cluster: ClusterMemory, members: Sequence[int], gaps: Points, batch: Mapped
) -> ClusterMemory:
    rewards = [batch.rewards[i] for i in members]
    typical = min(members, key=lambda i: (float(gaps[i]), i))
    distance = float(np.sqrt(gaps[typical]))
    nearer = not cluster.exemplar or distance < cluster.exemplar_distance
    return replace(
        cluster,
        n=cluster.n + len(members),
        cost=cluster.cost + sum(batch.costs[i] for i in members),
        reward_sum=cluster.reward_sum + sum(rewards),
        unsound=cluster.unsound + sum(batch.unsound[i] for i in members),
        recent=(*cluster.recent, *rewards)[-RECENT:],
        exemplar=batch.texts[typical] if nearer else cluster.exemplar,
        exemplar_distance=distance if nearer else cluster.exemplar_distance,
        episode_n=len(members),
        episode_reward_sum=sum(rewards),
    )


def _merge_small(state: MapState, min_size: int) -> MapState:
    """The state without small clusters, smallest first into its nearest neighbour."""
    clusters = list(state.clusters)
    while len(clusters) > 1:
        small = min(clusters, key=lambda c: (c.n, -c.cluster))
        if small.n >= min_size:
            break
        clusters.remove(small)
        centres = np.array([c.centre for c in clusters])
        j = int(_squared(np.array([small.centre]), centres)[0].argmin())
        clusters[j] = _joined(clusters[j], small)
    return replace(state, clusters=tuple(clusters))


def _joined(large: ClusterMemory, small: ClusterMemory) -> ClusterMemory:
    total = max(1, large.n + small.n)
    centre = (
        np.array(large.centre) * (large.n / total) + np.array(small.centre) * (small.n / total)
        if small.n
        else np.array(large.centre)
    )
    return replace(
        large,
        centre=_centre(centre),
        n=large.n + small.n,
        cost=large.cost + small.cost,
        reward_sum=large.reward_sum + small.reward_sum,
        unsound=large.unsound + small.unsound,
        recent=(*small.recent, *large.recent)[-RECENT:],
        exemplar=large.exemplar or small.exemplar,
        episode_n=large.episode_n + small.episode_n,
        episode_reward_sum=large.episode_reward_sum + small.episode_reward_sum,
    )


def _note_deltas(state: MapState, deltas: Sequence[RetestDelta]) -> MapState:
    by_cluster: dict[int, list[float]] = {}
    for delta in deltas:
        by_cluster.setdefault(delta.cluster, []).append(delta.delta)
    return replace(
        state,
        clusters=tuple(
            replace(c, last_retest_delta=sum(found) / len(found))
            if (found := by_cluster.get(c.cluster))
            else c
            for c in state.clusters
        ),
    )


def _readings(clusters: Sequence[ClusterMemory]) -> tuple[ClusterReading, ...]:
    cost = sum(c.cost for c in clusters)
    last = sum(c.episode_n for c in clusters)
    return tuple(
        ClusterReading(
            cluster=c.cluster,
            n=c.n,
            share=c.cost / cost if cost else 0.0,
            mean_reward=c.reward_sum / c.n if c.n else 0.0,
            last_retest_delta=c.last_retest_delta,
            learning_progress=_progress(c.recent),
            exemplar=c.exemplar,
            unsound_share=c.unsound / c.n if c.n else 0.0,
            episode_share=c.episode_n / last if last else 0.0,
            episode_reward=c.episode_reward_sum / c.episode_n if c.episode_n else 0.0,
        )
        for c in sorted(clusters, key=lambda c: c.cluster)
    )


def _progress(rewards: Sequence[float]) -> float:
    if len(rewards) < 4:
        return 0.0
    half = len(rewards) // 2
    older, newer = rewards[:half], rewards[half:]
    return sum(newer) / len(newer) - sum(older) / len(older)
