"""Which training pairs lowered which retest items?

Asked only of pairs that *were* in the update and of items that the same update made worse. One step
on pair i changes the loss of item j by about `-lr g_i . g_j`, so pair i harmed the items R that
regressed, and not the items S that stayed, as far as

    h_i = -g_i . (mean_{j in R} g_j / |g_j|  -  mean_{j in S} g_j / |g_j|)

is positive (TracIn, with the items that stayed as control: what slows everything down explains
nothing). A cluster of pairs is suspect when its mean h stands out,

    z_c = sqrt(n_c) (mean_c h - mean h),

and the largest z must beat the largest z under two kinds of chance, which pays for having looked at
all clusters: random cluster labels of the pairs, and a random choice of the items that regressed.
The first alone would not do, because pairs of one cluster have similar gradients whatever happened.
`influence_p` is the larger of the two p-values. A cause is named only at or below `level` and with
a positive mean.

Embedding similarity is reported beside it: are the items that regressed nearer to the suspected
cluster than the items that stayed? Its p-value shuffles which panel items regressed. Shuffling the
cluster labels instead would be circular, since clusters are made of the same embeddings.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from argus_rl.config.control import AttributionSettings
from argus_rl.core.rng import Stream
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.middle import Attribution
from argus_rl.core.stats.permutation import Alternative, permutation_p_value
from argus_rl.data.ports import Gauge
from argus_rl.data.problem import Pair

Floats = NDArray[np.float64]

NAMED = 10
"""Most pairs of the cause that are named."""

_SMALLEST = 2
"""Pairs that a cluster needs to be suspected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What every test needs: the gauge, its width, and chance."""

    gauge: Gauge
    width: int
    permutations: int
    rng: np.random.Generator


@sensor(Loop.middle, unless="causal_attribution")
def no_attribution(
    pairs: Sequence[Pair],
    clusters: Sequence[int],
    regressed: Sequence[Pair],
    retained: Sequence[Pair],
    gauge: Gauge,
    settings: AttributionSettings,
    stream: Stream,
) -> Attribution:
    """Look for no cause."""
    return _no_evidence(regressed, "attribution is off")


@sensor(Loop.middle, flag="causal_attribution")
def causal_attribution(
    pairs: Sequence[Pair],
    clusters: Sequence[int],
    regressed: Sequence[Pair],
    retained: Sequence[Pair],
    gauge: Gauge,
    settings: AttributionSettings,
    stream: Stream,
) -> Attribution:
    """Name the cluster of pairs that caused a regression, or say that there is no evidence.

    Args:
        pairs: what the update learned from.
        clusters: cluster of each pair; pairs of no cluster (-1) are never suspected.
        regressed: panel items that the update made worse, with their stored chains.
        retained: panel items that it did not.
        gauge: gradients and embeddings, under either set of weights.
        settings: level, permutations, width of projected gradients, and how many are taken.
        stream: names the subsample and the permutations.
    """
    if not regressed or len(pairs) < 2 * _SMALLEST:
        return _no_evidence(regressed, "nothing regressed" if not regressed else "too few pairs")
    rng = stream.generator()
    look = _Look(gauge=gauge, width=settings.width, permutations=settings.permutations, rng=rng)
    chosen = _subsample(len(pairs), settings.limit, rng)
    taught, labels = [pairs[i] for i in chosen], np.array([clusters[i] for i in chosen])
    bad = [regressed[i] for i in _subsample(len(regressed), settings.limit // 2, rng)]
    good = [retained[i] for i in _subsample(len(retained), settings.limit // 2, rng)]
    influence = _Influence.of(taught, bad, good, look)
    suspect, influence_p = _suspect(influence, labels, look)
    if suspect is None:
        return _no_evidence(regressed, "fewer than two clusters of pairs")
    harm = influence.harm()
    members = [int(i) for i in np.flatnonzero(labels == suspect)]
    similarity_p = _similarity_p([taught[i] for i in members], bad, good, look)
    if influence_p > settings.level or float(harm[members].mean()) <= 0:
        return _no_evidence(
            regressed,
            f"cluster {suspect} stands out most, but chance does as well",
            influence_p,
            similarity_p,
        )
    effect = _home(regressed)
    order = sorted(members, key=lambda i: (-float(harm[i]), i))
    return Attribution(
        cause=suspect,
        effect=effect,
        influence_p=influence_p,
        similarity_p=similarity_p,
        pairs=tuple(taught[i].problem.id for i in order[:NAMED]),
        summary=(
            f"cluster {suspect} caused the drop in cluster {effect}: gradient influence "
            f"p = {influence_p:.3f} over {len(taught)} pairs and {len(bad)} regressed items "
            f"(similarity p = {similarity_p:.3f})"
        ),
    )


def _no_evidence(
    regressed: Sequence[Pair], why: str, influence_p: float = 1.0, similarity_p: float = 1.0
) -> Attribution:
    return Attribution(
        cause=-1,
        effect=_home(regressed),
        influence_p=influence_p,
        similarity_p=similarity_p,
        pairs=(),
        summary=f"no evidence: {why}",
    )


def _home(regressed: Sequence[Pair]) -> int:
    """The cluster that most regressed items are in; the lowest id on a tie; -1 for none."""
    counts = Counter(pair.cluster for pair in regressed)
    return min(counts, key=lambda c: (-counts[c], c), default=-1)


def _subsample(n: int, limit: int, rng: np.random.Generator) -> list[int]:
    if n <= limit:
        return list(range(n))
    return sorted(int(i) for i in rng.choice(n, size=limit, replace=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Influence:
    """Dot products of pair gradients with unit item gradients, shape `[pairs, items]`."""

    dots: Floats
    bad: int
    """The first columns are the items that regressed."""

    @classmethod
    def of(
        cls, pairs: Sequence[Pair], bad: Sequence[Pair], good: Sequence[Pair], look: _Look
    ) -> "_Influence":
        rows = np.asarray(look.gauge.gradients(pairs, look.width), dtype=np.float64)
        items = np.asarray(look.gauge.gradients([*bad, *good], look.width), dtype=np.float64)
        norms = np.linalg.norm(items, axis=1, keepdims=True)
        return cls(dots=rows @ (items / np.where(norms > 0, norms, 1.0)).T, bad=len(bad))

    def harm(self, order: NDArray[np.int64] | None = None) -> Floats:
        """How far each pair's step raises the loss of the bad items above that of the good ones.

        `order` permutes the items, so that others take the place of those that regressed.
        """
        dots = self.dots if order is None else self.dots[:, order]
        harm = -dots[:, : self.bad].mean(axis=1)
        if self.bad < dots.shape[1]:
            harm = harm + dots[:, self.bad :].mean(axis=1)
        return np.asarray(harm, dtype=np.float64)


def _suspect(
    influence: _Influence, labels: NDArray[np.int64], look: _Look
) -> tuple[int | None, float]:
    """The cluster whose pairs stand out most, and the p-value of standing out so far."""
    names, sizes = np.unique(labels, return_counts=True)
    several = len(names) > 1
    counted = (sizes >= _SMALLEST) & (names >= 0)
    names, sizes = names[counted], sizes[counted]
    harm = influence.harm()
    if not len(names) or not several or float(harm.std()) == 0.0:
        return None, 1.0
    member = (labels == names[:, np.newaxis]) / np.sqrt(sizes)[:, np.newaxis]

    def stand_out(values: Floats) -> Floats:
        return np.asarray(member @ (values - values.mean()), dtype=np.float64)

    scores = stand_out(harm)
    draws = range(look.permutations)
    nulls = [[float(stand_out(look.rng.permutation(harm)).max()) for _ in draws]]
    items = influence.dots.shape[1]
    if influence.bad < items:
        shuffled = (influence.harm(look.rng.permutation(items)) for _ in draws)
        nulls.append([float(stand_out(values).max()) for values in shuffled])
    best = float(scores.max())
    p = max(permutation_p_value(best, null, Alternative.greater) for null in nulls)
    return int(names[int(scores.argmax())]), p


def _similarity_p(
    cause: Sequence[Pair], bad: Sequence[Pair], good: Sequence[Pair], look: _Look
) -> float:
    """P-value of "the bad items are no nearer to the cause than the good ones"."""
    if not cause or not bad or not good:
        return 1.0
    texts = [pair.problem.text for pair in (*cause, *bad, *good)]
    rows = np.asarray(look.gauge.embed(texts), dtype=np.float64)
    near = rows[len(cause) :] @ rows[: len(cause)].mean(axis=0)

    def gap(values: Floats) -> float:
        return float(values[: len(bad)].mean() - values[len(bad) :].mean())

    null = np.array([gap(near[look.rng.permutation(len(near))]) for _ in range(look.permutations)])
    return permutation_p_value(gap(near), null, Alternative.greater)
