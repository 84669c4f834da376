"""What a run remembers of its problems, as one frozen value and the pure functions that change it.

Four stores with four readers. `replay` is mixed into updates, so that a lesson does not erase the
one before. `library` holds every solved problem by level: growth takes its bases there and the
retest panel is drawn from it. `blind_spots` are problems that an update made worse; the proposer
is seeded with them. `anchors` are mastered problems, first those that the starting model solved by
itself, then whatever turns out to be easy on the way; they belong to every lesson and to every
panel, because forgetting shows first in what was once sure.

A `Memory` is never changed, only replaced. That makes undoing an update's memory the same as
keeping the old value, and each store is bounded, so that a long run does not grow.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from argus_rl.core.rng import Stream
from argus_rl.data.problem import Pair, Problem, Source

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much each store holds; the oldest goes first."""

    replay: int = 64
    """Pairs in the replay memory (`learner.replay_memory`)."""
    blind_spots: int = 64
    """Problems that an update made worse."""
    per_level: int = 1500
    """Pairs of the library with the same number of steps."""

    def __post_init__(self) -> None:
        """Raises ValueError on a negative size."""
        if min(self.replay, self.blind_spots, self.per_level) < 0:
            raise ValueError(f"a memory cannot hold less than nothing: {self!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Everything that is remembered, oldest first in each store."""

    replay: tuple[Pair, ...] = ()
    """Pairs that updates are mixed with."""
    blind_spots: tuple[Problem, ...] = ()
    """Problems whose retest regressed."""
    library: tuple[Pair, ...] = ()
    """Solved problems: bases for growth, and the pool of the retest panel."""
    anchors: tuple[Pair, ...] = ()
    """Mastered problems, first those that the starting model solved."""


def _newest(items: Sequence[T], limit: int) -> tuple[T, ...]:
    return tuple(items[max(0, len(items) - limit) :])


def add_replay(memory: Memory, pairs: Sequence[Pair], bounds: Bounds) -> Memory:
    """Return `memory` with `pairs` at the new end of the replay memory."""
    return replace(memory, replay=_newest((*memory.replay, *pairs), bounds.replay))


def add_library(memory: Memory, pairs: Sequence[Pair], bounds: Bounds) -> Memory:
    """Return `memory` with `pairs` in the library, the newest `per_level` of each level kept.

    A text that is there already is replaced: the newer chain and label are the better informed.
    """
    by_text = {pair.problem.text: pair for pair in memory.library}
    for pair in pairs:
        by_text.pop(pair.problem.text, None)
        by_text[pair.problem.text] = pair
    kept: list[Pair] = []
    room: dict[int, int] = {}
    for pair in reversed(by_text.values()):
        used = room.get(pair.problem.steps, 0)
        if used < bounds.per_level:
            room[pair.problem.steps] = used + 1
            kept.append(pair)
    return replace(memory, library=tuple(reversed(kept)))


def add_blind_spots(memory: Memory, problems: Sequence[Problem], bounds: Bounds) -> Memory:
    """Return `memory` with `problems` as the newest blind spots, each once."""
    by_id = {problem.id: problem for problem in memory.blind_spots}
    for problem in problems:
        by_id.pop(problem.id, None)
        by_id[problem.id] = problem
    return replace(memory, blind_spots=_newest(tuple(by_id.values()), bounds.blind_spots))


def drop_blind_spots(memory: Memory, recovered: Iterable[str]) -> Memory:
    """Return `memory` without the blind spots whose ids are in `recovered`."""
    gone = frozenset(recovered)
    return replace(memory, blind_spots=tuple(p for p in memory.blind_spots if p.id not in gone))


def set_anchors(memory: Memory, pairs: Sequence[Pair]) -> Memory:
    """Return `memory` with `pairs` as its anchors."""
    return replace(memory, anchors=tuple(pairs))


def add_anchors(memory: Memory, pairs: Sequence[Pair]) -> Memory:
    """Return `memory` with `pairs` among its anchors, the newest of each number of steps kept.

    No number of steps gets more of them than the most frequent one had before, so what is mastered
    later does not crowd out what was known first. Without anchors there are none to join.
    """
    known = {pair.problem.text for pair in memory.anchors}
    counts = Counter(pair.problem.steps for pair in memory.anchors)
    limit = max(counts.values(), default=0)
    levels: dict[int, list[Pair]] = {}
    for pair in (*memory.anchors, *(p for p in pairs if p.problem.text not in known)):
        levels.setdefault(pair.problem.steps, []).append(pair)
    kept = [pair for level in sorted(levels) for pair in _newest(levels[level], limit)]
    return replace(memory, anchors=tuple(kept))


def unmastered(memory: Memory, barred: Sequence[int] = ()) -> tuple[Pair, ...]:
    """Return what the library holds besides contexts and anchors, but for clusters in `barred`."""
    known = {pair.problem.text for pair in memory.anchors}
    return tuple(
        pair
        for pair in memory.library
        if pair.problem.source is not Source.context
        and pair.problem.text not in known
        and pair.cluster not in barred
    )


def clear(memory: Memory) -> Memory:
    """Return `memory` with an empty replay memory; the library stays."""
    return replace(memory, replay=())


def decay(memory: Memory, keep: float) -> Memory:
    """Return `memory` with the newest share `keep` of the replay memory, in [0, 1], rounded up."""
    if not 0.0 <= keep <= 1.0:
        raise ValueError(f"the share to keep must lie in [0, 1], not {keep}")
    count = math.ceil(keep * len(memory.replay))
    return replace(memory, replay=_newest(memory.replay, count))


def without_texts(memory: Memory, texts: Iterable[str]) -> Memory:
    """Return `memory` without the pairs whose problems are among `texts`."""
    gone = frozenset(texts)
    replay, library, anchors = (
        tuple(pair for pair in store if pair.problem.text not in gone)
        for store in (memory.replay, memory.library, memory.anchors)
    )
    return replace(memory, replay=replay, library=library, anchors=anchors)


def without_cluster(memory: Memory, cluster: int) -> Memory:
    """Return `memory` without the pairs of `cluster` in any store, nor their problems."""
    pairs = (*memory.replay, *memory.library, *memory.anchors)
    gone = {p.problem.id for p in pairs if p.cluster == cluster}
    return replace(
        memory,
        replay=tuple(p for p in memory.replay if p.cluster != cluster),
        library=tuple(p for p in memory.library if p.cluster != cluster),
        anchors=tuple(p for p in memory.anchors if p.cluster != cluster),
        blind_spots=tuple(p for p in memory.blind_spots if p.id not in gone),
    )


def panel(
    memory: Memory, size: int, stream: Stream, clusters: tuple[int, ...] = ()
) -> tuple[Pair, ...]:
    """Return the retest panel: up to `size` past problems, spread evenly over what there is.

    Clusters take turns, and inside a cluster the levels (`problem.steps`) do, so a small cluster or
    a level that is not proposed any more is retested as often as a large one. Equal streams and
    memories give equal panels.

    Args:
        memory: library and anchors are the pool; a text that is in both counts once.
        size: items wanted; fewer come where the pool is smaller.
        stream: names the draw.
        clusters: clusters to draw from; empty for all.
    """
    rng = stream.generator()
    pool = {pair.problem.text: pair for pair in (*memory.anchors, *memory.library)}
    strata: dict[int, dict[int, list[Pair]]] = {}
    for pair in pool.values():
        if not clusters or pair.cluster in clusters:
            levels = strata.setdefault(pair.cluster, {})
            levels.setdefault(pair.problem.steps, []).append(pair)
    queues = [
        _turns([_shuffled(levels[level], rng) for level in sorted(levels)])
        for _, levels in sorted(strata.items())
    ]
    return tuple(_turns(_shuffled(queues, rng))[:size])


def _shuffled(items: Sequence[T], rng: np.random.Generator) -> list[T]:
    return [items[int(i)] for i in rng.permutation(len(items))]


def _turns(queues: Sequence[Sequence[T]]) -> list[T]:
    """Take one item of each queue in turn until all are empty."""
    longest = max((len(queue) for queue in queues), default=0)
    return [queue[i] for i in range(longest) for queue in queues if i < len(queue)]
