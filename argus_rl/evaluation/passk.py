"""Unbiased pass@k and maj@k from n samples of one item.

With c of n samples right, a random subset of k holds no right one with probability
C(n-c, k) / C(n, k), so (Chen et al. 2021, "Evaluating Large Language Models Trained on Code")

    pass@k = 1 - C(n-c, k) / C(n, k).

maj@k is the probability that in a random subset of k the right answer has strictly more votes than
any other answer; a tie has no majority. It is exact too: the number of subsets with g right votes
is C(c, g) times a coefficient of a product of polynomials, one factor per rival answer, each with
fewer than g votes. Samples without an answer take a place and vote for nothing.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb


def _check(n: int, k: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"need 1 <= k <= n, not k = {k} of n = {n} samples")


def pass_at_k(n: int, right: int, k: int) -> float:
    """Probability in [0, 1] that k of the n samples, drawn without return, hold a right one."""
    _check(n, k)
    if not 0 <= right <= n:
        raise ValueError(f"need 0 <= right <= n, not {right} of {n}")
    return 1.0 - comb(n - right, k) / comb(n, k)


def _times(first: Sequence[int], second: Sequence[int], degree: int) -> list[int]:
    """Product of two polynomials, lowest coefficient first, cut off after x^degree."""
    product = [0] * (degree + 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second[: degree + 1 - i]):
            product[i + j] += a * b
    return product


def _ways(right: int, rivals: tuple[int, ...], silent: int, k: int, votes: int) -> int:
    """Subsets of k with `votes` right ones and fewer votes for every rival."""
    rest = k - votes
    ways = [comb(silent, j) for j in range(min(silent, rest) + 1)]
    for rival in rivals:
        ways = _times(ways, [comb(rival, j) for j in range(min(rival, votes - 1) + 1)], rest)
    return comb(right, votes) * (ways[rest] if rest < len(ways) else 0)


@lru_cache(maxsize=65536)
def maj_at_k(right: int, rivals: tuple[int, ...], silent: int, k: int) -> float:
    """Probability in [0, 1] that the right answer alone leads among k of the samples.

    Args:
        right: samples with the right answer.
        rivals: samples for each wrong answer.
        silent: samples without an answer.
        k: size of the vote, 1 to `right + sum(rivals) + silent`.
    """
    n = right + sum(rivals) + silent
    _check(n, k)
    if min(right, silent, *rivals) < 0:
        raise ValueError("vote counts cannot be negative")
    favourable = sum(
        _ways(right, rivals, silent, k, votes) for votes in range(1, min(right, k) + 1)
    )
    return favourable / comb(n, k)
