"""Type G, plateau capture: one cluster takes the curriculum and stops improving.

A cluster's share of each episode's problems, over the last `window` episodes (this one included)
against the `window` ones that the look-back of four windows begins with:

    score_c = sat(growth - 1.64 se; 0, 0.3) * sat(recent; 0.1, 0.3) * (1 - sat(gain; 0.03, 0.10))

with growth = recent share - earlier share, se from the larger of binomial error and the earlier
episodes' own spread, and gain = recent mean reward - earlier mean reward. A cluster that always was
large does not score, nor one that grows and improves. The highest cluster is the culprit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.config.control import DetectorSettings
from argus_rl.core.numeric import sat
from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Census
from argus_rl.core.signals.middle import DetectorReading, EpisodeTrace, History, LieType
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading
from argus_rl.sensors.detectors.evidence import FEW, STANDARD_ERRORS, Reference


@sensor(Loop.middle)
def capture(
    census: Census, map: CapabilityReading, history: History, settings: DetectorSettings
) -> DetectorReading:
    """Score the cluster that grows most without improving."""
    past = history.episodes[-4 * settings.window :]
    now = settings.window - 1
    earlier, recent = past[: max(0, len(past) - now)], past[max(0, len(past) - now) :]
    earlier = earlier[: settings.window]
    found = [
        _course(c, earlier, recent, census.solved)
        for c in map.clusters
        if earlier and census.solved >= FEW
    ]
    worst = max(found, key=lambda c: (c.score, -c.cluster), default=None)
    if worst is None:
        return DetectorReading(
            lie=LieType.G,
            score=0.0,
            threshold=settings.threshold,
            because="too few episodes or problems",
        )
    return DetectorReading(
        lie=LieType.G,
        score=worst.score,
        threshold=settings.threshold,
        because=(
            f"cluster {worst.cluster}: share {worst.share_before:.2f} to {worst.share:.2f}, "
            f"reward {worst.gain:+.2f}"
        ),
        culprit=worst.cluster if worst.score > 0 else -1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Course:
    """How one cluster fared."""

    cluster: int
    share_before: float
    share: float
    gain: float
    """Recent mean reward minus earlier mean reward."""
    score: float


def _course(
    cluster: ClusterReading,
    earlier: Sequence[EpisodeTrace],
    recent: Sequence[EpisodeTrace],
    solved: int,
) -> _Course:
    name = cluster.cluster
    before = Reference.of([dict(e.cluster_shares).get(name, 0.0) for e in earlier])
    shares = [*(dict(e.cluster_shares).get(name, 0.0) for e in recent), cluster.episode_share]
    share = sum(shares) / len(shares)
    pooled = (before.mean * before.n + sum(shares)) / (before.n + len(shares))
    noise = max(before.sd, math.sqrt(pooled * (1.0 - pooled) / solved))
    error = noise * math.sqrt(1.0 / before.n + 1.0 / len(shares))
    gain = _gain(cluster, earlier, recent)
    score = (
        sat(share - before.mean - STANDARD_ERRORS * error, 0.0, 0.3)
        * sat(share, 0.1, 0.3)
        * (1.0 - sat(gain, 0.03, 0.10))
    )
    return _Course(cluster=name, share_before=before.mean, share=share, gain=gain, score=score)


def _gain(
    cluster: ClusterReading, earlier: Sequence[EpisodeTrace], recent: Sequence[EpisodeTrace]
) -> float:
    """Reward now minus reward then; 0 where the cluster has no past."""
    name = cluster.cluster

    def rewards(episodes: Sequence[EpisodeTrace]) -> list[float]:
        return [r[name] for e in episodes if name in (r := dict(e.cluster_rewards))]

    late = rewards(recent) + ([cluster.episode_reward] if cluster.episode_share > 0 else [])
    early = rewards(earlier)
    if not early:
        early, late = late[:1], late[1:]
    if not early or not late:
        return 0.0
    return sum(late) / len(late) - sum(early) / len(early)
