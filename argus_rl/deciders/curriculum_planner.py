"""Which cluster should proposals come from?

The naive rule, *lowest mean reward*, feeds what cannot be learned: a cluster of false premises or
unclear questions stays the weakest for ever and takes the compute (a quarter of it in one run).
The gated rule asks first whether a cluster is eligible,

    n >= min_size,  share <= max_share,  last_retest_delta >= regressed,  not capped,

and then takes the highest `4 r (1 - r) (1 - share) + learning progress`: uncertainty is largest at
mean reward r = 1/2, clusters that had much compute wait, and those that improve come first. With no
eligible cluster there is **no target** and context is drawn uniformly; falling back on the weakest
cluster would let the failure in again by the back door.
"""

from argus_rl.config.control import PlannerSettings
from argus_rl.core.roles import Loop, decider
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading, CurriculumDecision

NO_TARGET = -1
"""Proposals are seeded uniformly."""


@decider(Loop.outer, unless="most_learnable_cluster")
def weakest_cluster(
    map: CapabilityReading, settings: PlannerSettings, capped: tuple[int, ...]
) -> CurriculumDecision:
    """Target the cluster with the lowest mean reward among those with `min_size` problems."""
    known = [c for c in map.clusters if c.n >= settings.min_size and c.cluster not in capped]
    if not known:
        return CurriculumDecision(
            target=NO_TARGET,
            reason=f"none of {len(map.clusters)} clusters has {settings.min_size} problems",
        )
    chosen = min(known, key=lambda c: (c.mean_reward, c.cluster))
    return CurriculumDecision(
        target=chosen.cluster,
        reason=f"lowest mean reward {chosen.mean_reward:.2f} of {len(known)} clusters",
    )


@decider(Loop.outer, flag="most_learnable_cluster")
def most_learnable_cluster(
    map: CapabilityReading, settings: PlannerSettings, capped: tuple[int, ...]
) -> CurriculumDecision:
    """Target the eligible cluster that promises most, or none where none is eligible."""
    barred = {c.cluster: _bar(c, settings, capped) for c in map.clusters}
    eligible = [c for c in map.clusters if not barred[c.cluster]]
    if not eligible:
        words = ", ".join(f"{i}: {why}" for i, why in sorted(barred.items())) or "the map is empty"
        return CurriculumDecision(target=NO_TARGET, reason=f"no eligible cluster ({words})")
    chosen = max(eligible, key=lambda c: (_promise(c), -c.cluster))
    return CurriculumDecision(
        target=chosen.cluster,
        reason=(
            f"promise {_promise(chosen):.2f}, the highest of {len(eligible)} eligible: reward "
            f"{chosen.mean_reward:.2f}, share {chosen.share:.2f}, "
            f"progress {chosen.learning_progress:+.2f}"
        ),
    )


def _bar(cluster: ClusterReading, settings: PlannerSettings, capped: tuple[int, ...]) -> str:
    """Why a cluster is not eligible; empty where it is."""
    if cluster.n < settings.min_size:
        return f"only {cluster.n} problems"
    if cluster.cluster in capped:
        return "capped by a defense"
    if cluster.share > settings.max_share:
        return f"had {cluster.share:.2f} of all compute"
    if cluster.last_retest_delta < settings.regressed:
        return f"regressed by {-cluster.last_retest_delta:.2f}"
    return ""


def _promise(cluster: ClusterReading) -> float:
    r = cluster.mean_reward
    return 4.0 * r * (1.0 - r) * (1.0 - cluster.share) + cluster.learning_progress
