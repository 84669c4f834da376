"""One episode's problems, counted: what was asked, refused, solved, and how chains behaved.

Diversity of proposals is measured twice. `unique_share` is the share of distinct texts.
`template_entropy` asks how evenly proposals spread over clusters: `H / log min(n, K)` for n texts
and K clusters, 1 for an even spread and 0 for one cluster. Without a map the kinds are the
openings of the texts (first three words, numbers masked) and K is n: a value that means little by
itself and is read against earlier episodes.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Agreement, Census, PremiseReading, Zone, ZoneDecision
from argus_rl.data.problem import Chain

_NUMBER = re.compile(r"\d[\d.,]*")
_OPENING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What became of an episode's requests before chains were spent."""

    drafts: int
    """Proposals asked for."""
    refused_syntax: int
    """Refused by the syntactic gate."""
    refused_premise: int
    """Refused by the premise validator."""
    context_used: int
    """Proposals conditioned on an external text."""
    texts: tuple[str, ...]
    """All proposals that were problems at all, refused ones included."""
    clusters: tuple[int, ...] = ()
    """Cluster of each text; empty without a map."""
    kinds: int = 0
    """Clusters of the map; 0 without one."""


@sensor(Loop.inner)
def census(
    asked: Asked,
    agreements: Sequence[Agreement],
    zones: Sequence[ZoneDecision],
    premises: Sequence[PremiseReading],
    chains: Sequence[Sequence[Chain]],
) -> Census:
    """Count one episode.

    Args:
        asked: the requests and their texts.
        agreements: one per solved problem.
        zones: the same.
        premises: the validator's reading of each solved problem (taken even where it may not
            refuse: that is how false premises that entered training are known).
        chains: all chains of each solved problem.
    """
    found = Counter(zone.zone for zone in zones)
    k = sum(a.k for a in agreements)
    lengths = [chain for group in chains for chain in group]
    return Census(
        drafts=asked.drafts,
        refused_syntax=asked.refused_syntax,
        refused_premise=asked.refused_premise,
        easy=found[Zone.easy],
        frontier=found[Zone.frontier],
        hard=found[Zone.hard],
        context_used=asked.context_used,
        unique_share=_unique_share(asked.texts),
        template_entropy=_template_entropy(asked),
        mean_score=_mean([a.score for a in agreements]),
        mean_outcome=_mean([a.outcome for a in agreements]),
        distinct_share=_mean([a.distinct / max(1, a.k) for a in agreements], empty=1.0),
        length_spread=_mean([a.length_spread for a in agreements]),
        answerless_share=sum(a.answerless for a in agreements) / k if k else 0.0,
        truncated_share=_mean([float(chain.truncated) for chain in lengths]),
        unsound_share=_mean([float(not p.sound) for p in premises]),
    )


def _mean(values: Sequence[float], *, empty: float = 0.0) -> float:
    return sum(values) / len(values) if values else empty


def _unique_share(texts: Sequence[str]) -> float:
    distinct = {" ".join(text.lower().split()) for text in texts}
    return len(distinct) / len(texts) if texts else 1.0


def _template_entropy(asked: Asked) -> float:
    kinds: Sequence[int | str]
    if asked.kinds > 1 and len(asked.clusters) == len(asked.texts):
        kinds, classes = asked.clusters, asked.kinds
    else:
        kinds, classes = [_opening(text) for text in asked.texts], len(asked.texts)
    n = len(kinds)
    if min(n, classes) < 2:
        return 1.0
    shares = [count / n for count in Counter(kinds).values()]
    spread = -sum(p * math.log(p) for p in shares) / math.log(min(n, classes))
    return min(1.0, max(0.0, spread))


def _opening(text: str) -> str:
    words = _NUMBER.sub("0", text.lower()).split()
    return " ".join(words[:_OPENING])
