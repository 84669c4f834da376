"""How far do k chains agree on one problem, on the answer and on the way to it?

Answers are exact rationals grouped by equality, never by closeness: `a ~ b` and `b ~ c` must give
`a ~ c`. A chain without an answer, or one that the token budget ended, is a class of its own that
agrees with nobody. With n_a chains for answer a,

    outcome = sum_a n_a (n_a - 1) / (k (k - 1))       unbiased in k
    process = mean F1 of derived values over pairs of majority chains, times their share of true
              equations
    score   = outcome * process

A chain's derived values are the results of its equations without the problem's own numbers and
without the final answer, so copying the question earns nothing; two chains that derive nothing
agree (F1 of two empty sets is 1). The majority is the answer with the most chains; on a tie there
is none, and neither label nor score. The best chain is the majority chain with the highest mean
F1 to the others times its own share of true equations.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from argus_rl.core.roles import Loop, sensor
from argus_rl.core.signals.inner import Agreement
from argus_rl.core.stats.estimate import Interval
from argus_rl.core.stats.intervals import beta_interval
from argus_rl.data.problem import Chain, Problem
from argus_rl.text.answers import extract_answer
from argus_rl.text.equations import numbers_in, stated_equations


@sensor(Loop.inner)
def chain_consensus(problem: Problem, chains: Sequence[Chain]) -> Agreement:
    """Measure the agreement of `chains` on `problem`.

    `best` is a position in `chains`. The figures do not depend on the order of the chains, and of
    equally good chains the one with the lowest `Chain.index` is best.
    """
    given = frozenset(numbers_in(problem.text))
    ways = {text: _way(text, given) for text in {chain.text for chain in chains}}
    taken = [None if chain.truncated else ways[chain.text] for chain in chains]
    counts = Counter(way.answer for way in taken if way is not None and way.answer)
    majority = _majority(counts)
    members = [i for i, way in enumerate(taken) if way is not None and way.answer == majority]
    team = _Team.of([ways[chains[i].text] for i in members] if majority else [])
    k = len(chains)
    outcome = _pair_share(counts.values(), k)
    interval = _interval(counts[majority] if majority else 0, k)
    best = (
        min(range(len(members)), key=lambda j: (-team.merits[j], chains[members[j]].index))
        if majority
        else -1
    )
    return Agreement(
        problem_id=problem.id,
        k=k,
        outcome=outcome,
        process=team.process,
        score=outcome * team.process,
        true_share=team.true_share,
        majority=majority,
        majority_count=counts[majority] if majority else 0,
        answerless=k - counts.total(),
        best=members[best] if majority else -1,
        distinct=len({chain.text.strip() for chain in chains}),
        length_spread=_spread([chain.tokens or len(chain.text) for chain in chains]),
        low=interval.low,
        high=interval.high,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """What one chain says: its answer and how it got there."""

    answer: str
    """Canonical key; empty for none."""
    derived: frozenset[Fraction]
    stated: int
    true: int


@lru_cache(maxsize=4096)
def _way(text: str, given: frozenset[Fraction]) -> _Way:
    answer = extract_answer(text)
    equations = stated_equations(text)
    final = frozenset[Fraction]() if answer is None else frozenset({answer.value})
    return _Way(
        answer=answer.key if answer is not None else "",
        derived=frozenset(e.right for e in equations) - final - given,
        stated=len(equations),
        true=sum(e.true for e in equations),
    )


def _majority(counts: Counter[str]) -> str:
    """The answer with the most chains; empty on a tie or without answers."""
    top = counts.most_common(2)
    if not top or (len(top) == 2 and top[0][1] == top[1][1]):
        return ""
    return top[0][0]


def _pair_share(sizes: Iterable[int], k: int) -> float:
    if k < 2:
        return 0.0
    return sum(n * (n - 1) for n in sizes) / (k * (k - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    """The majority chains among themselves."""

    process: float
    true_share: float
    merits: tuple[float, ...]
    """Mean F1 of each chain to the others times its own share of true equations."""

    @classmethod
    def of(cls, ways: Sequence[_Way]) -> "_Team":
        stated, true = sum(w.stated for w in ways), sum(w.true for w in ways)
        true_share = true / stated if stated else 1.0
        kinds = Counter(way.derived for way in ways)
        others = max(1, len(ways) - 1)
        mean_f1 = {
            mine: (sum(n * _f1(mine, theirs) for theirs, n in kinds.items()) - 1.0) / others
            for mine in kinds
        }
        agreement = sum(mean_f1[w.derived] for w in ways) / len(ways) if len(ways) > 1 else 0.0
        return cls(
            process=min(1.0, agreement * true_share),
            true_share=true_share,
            merits=tuple(
                round(mean_f1[w.derived] * (w.true / w.stated if w.stated else 1.0), 12)
                for w in ways
            ),
        )


def _f1(first: frozenset[Fraction], second: frozenset[Fraction]) -> float:
    total = len(first) + len(second)
    return 2.0 * len(first & second) / total if total else 1.0


@lru_cache(maxsize=1024)
def _interval(majority: int, k: int) -> Interval:
    return beta_interval(majority, k)


def _spread(lengths: Sequence[int]) -> float:
    """Standard deviation over mean."""
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    if mean == 0.0:
        return 0.0
    return sqrt(sum((x - mean) ** 2 for x in lengths) / len(lengths)) / mean
