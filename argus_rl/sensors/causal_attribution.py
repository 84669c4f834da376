"""Which training pairs lowered which retest items?

Asked only of pairs that *were* in the update and of items that the same update made worse. One
step on pair i changes the loss of item j by about `-lr g_i . g_j`, so pair i harmed the items R that
regressed, and not the items S that stayed, as far as

    h_i = -g_i . (mean_{j in R} g_j / |g_j|  -  mean_{j in S} g_j / |g_j|)

is positive (TracIn, with the items that stayed as control: what slows everything down explains
nothing). A cluster of pairs is suspect when its mean h stands out, `z_c = sqrt(n_c) (mean_c - mean) /
sd`; the largest z is compared with the largest z under random cluster labels, which pays for having
looked at all clusters. A cause is named only below `level` and with a positive mean.

Embedding similarity is reported beside it: are the items that regressed nearer to the suspected
cluster than the items that stayed? Its p-value shuffles which panel items regressed. Shuffling the
cluster labels instead would be circular, since clusters are made of the same embeddings.
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

from collections import Counter
from collections.abc import Sequence

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
        clusters: cluster of each pair.
        regressed: panel items that the update made worse, with their stored chains.
        retained: panel items that it did not.
        gauge: gradients and embeddings, under either set of weights.
        settings: level, permutations, and how many gradients may be taken.
        stream: names the subsample and the permutations.
    """
    if not regressed or len(pairs) < 2 * _SMALLEST:
        return _no_evidence(regressed, "nothing regressed" if not regressed else "too few pairs")
    rng = stream.generator()
    chosen = _subsample(len(pairs), settings.limit, rng)
    taught = [pairs[i] for i in chosen]
    labels = np.array([clusters[i] for i in chosen])
    bad = [regressed[i] for i in _subsample(len(regressed), settings.limit // 2, rng)]
    good = [retained[i] for i in _subsample(len(retained), settings.limit // 2, rng)]
    harm = _harm(taught, bad, good, gauge, settings.width)
    suspect, influence_p = _suspect(harm, labels, settings.permutations, rng)
    if suspect is None:
        return _no_evidence(regressed, "fewer than two clusters of pairs")
    ours = [taught[i] for i in np.flatnonzero(labels == suspect)]
    similarity_p = _similarity_p(ours, bad, good, gauge, settings.permutations, rng)
    mean = float(harm[labels == suspect].mean())
    if influence_p > settings.level or mean <= 0:
        return _no_evidence(
            regressed,
            f"cluster {suspect} stands out most, but chance does as well",
            influence_p,
            similarity_p,
        )
    effect = _home(regressed)
    order = sorted(np.flatnonzero(labels == suspect), key=lambda i: (-float(harm[i]), int(i)))
    return Attribution(
        cause=int(suspect),
        effect=effect,
        influence_p=influence_p,
        similarity_p=similarity_p,
        pairs=tuple(taught[int(i)].problem.id for i in order[:NAMED]),
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


def _direction(items: Sequence[Pair], gauge: Gauge, width: int) -> Floats:
    """Mean unit gradient of some items; zero for none."""
    if not items:
        return np.zeros(width)
    rows = np.asarray(gauge.gradients(items, width), dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray((rows / np.where(norms > 0, norms, 1.0)).mean(axis=0), dtype=np.float64)


def _harm(
    pairs: Sequence[Pair], bad: Sequence[Pair], good: Sequence[Pair], gauge: Gauge, width: int
) -> Floats:
    """How far each pair's step raises the loss of the bad items above that of the good ones."""
    rows = np.asarray(gauge.gradients(pairs, width), dtype=np.float64)
    contrast = _direction(bad, gauge, width) - _direction(good, gauge, width)
    return -(rows @ contrast)


def _suspect(
    harm: Floats, labels: NDArray[np.int64], permutations: int, rng: np.random.Generator
) -> tuple[int | None, float]:
    """The cluster whose pairs stand out most, and the p-value of standing out so far."""
    names, sizes = np.unique(labels, return_counts=True)
    names, sizes = names[sizes >= _SMALLEST], sizes[sizes >= _SMALLEST]
    spread = float(harm.std())
    if len(names) == 0 or len(np.unique(labels)) < 2 or spread == 0.0:
        return None, 1.0
    scaled = (harm - harm.mean()) / spread

    def stand_out(values: Floats) -> Floats:
        sums = np.array([values[labels == name].sum() for name in names])
        return np.asarray(sums / np.sqrt(sizes), dtype=np.float64)

    scores = stand_out(scaled)
    null = np.array([stand_out(rng.permutation(scaled)).max() for _ in range(permutations)])
    p = permutation_p_value(float(scores.max()), null, Alternative.greater)
    return int(names[int(scores.argmax())]), p


def _similarity_p(
    cause: Sequence[Pair],
    bad: Sequence[Pair],
    good: Sequence[Pair],
    gauge: Gauge,
    permutations: int,
    rng: np.random.Generator,
) -> float:
    """P-value of "the bad items are no nearer to the cause than the good ones"; 1 without either."""
    if not cause or not bad or not good:
        return 1.0
    texts = [pair.problem.text for pair in (*cause, *bad, *good)]
    rows = np.asarray(gauge.embed(texts), dtype=np.float64)
    near = rows[len(cause) :] @ rows[: len(cause)].mean(axis=0)

    def gap(values: Floats) -> float:
        return float(values[: len(bad)].mean() - values[len(bad) :].mean())

    null = np.array([gap(rng.permutation(near)) for _ in range(permutations)])
    return permutation_p_value(gap(near), null, Alternative.greater)
