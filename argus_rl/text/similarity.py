"""How near two problem texts are to being the same problem.

A text is the set of its word n-grams (shingles), numbers included; the similarity of two texts is
the Jaccard index |A & B| / |A | B| of these sets (Broder 1997).  Because a number is a word like
any other, a template filled with new numbers loses three shingles per number and is a different
problem, while a copy with another comma or capital letter is the same one.
"""

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|%")

Shingle = tuple[str, ...]


def shingles(text: str, n: int = 3) -> frozenset[Shingle]:
    """The word n-grams of `text`, lower case; a shorter text is one shingle, an empty one none.

    Raises ValueError where n < 1.
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    words = [word.replace(",", "").replace("’", "'") for word in _WORD.findall(text.lower())]
    if not words:
        return frozenset()
    return frozenset(tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1)))


def numerals(text: str) -> tuple[str, ...]:
    """The numbers of a text as written, sorted, without grouping commas."""
    return tuple(sorted(word.replace(",", "") for word in _WORD.findall(text) if word[0].isdigit()))


def similarity(a: str, b: str, n: int = 3) -> float:
    """Jaccard index of the n-grams of two texts, in [0, 1]; two empty texts are alike (1.0)."""
    return _jaccard(shingles(a, n), shingles(b, n))


def _jaccard(a: frozenset[Shingle], b: frozenset[Shingle]) -> float:
    if not a and not b:
        return 1.0
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


class NearDuplicates:
    """An index of texts that answers whether a new one nearly repeats any of them.

    Only texts with the same numbers are compared, and only those that share a shingle, through an
    inverted index; a look-up costs the number of shared shingles, not the number of texts.
    """

    def __init__(self, texts: Iterable[str] = (), *, threshold: float = 0.8, n: int = 3) -> None:
        """Index `texts`; `threshold` in (0, 1] is the similarity from which texts are duplicates.

        Raises ValueError where the threshold is out of range.
        """
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must be in (0, 1], got {threshold}")
        self.threshold = threshold
        self.n = n
        self._sizes = list[int]()
        self._holders = dict[tuple[tuple[str, ...], Shingle], list[int]]()
        for text in texts:
            self.add(text)

    def __len__(self) -> int:
        """Number of texts in the index."""
        return len(self._sizes)

    def add(self, text: str) -> None:
        """Put `text` into the index."""
        numbers, parts = numerals(text), shingles(text, self.n)
        for part in parts:
            self._holders.setdefault((numbers, part), []).append(len(self._sizes))
        self._sizes.append(len(parts))

    def nearest(self, text: str) -> float:
        """Largest similarity of `text` to an indexed text with the same numbers, 0.0 for none."""
        numbers, parts = numerals(text), shingles(text, self.n)
        shared = Counter[int]()
        for part in parts:
            shared.update(self._holders.get((numbers, part), ()))
        return max(
            (count / (len(parts) + self._sizes[i] - count) for i, count in shared.items()),
            default=0.0,
        )

    def __contains__(self, text: str) -> bool:
        """Whether `text` nearly repeats an indexed text."""
        return self.nearest(text) >= self.threshold
