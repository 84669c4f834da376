"""Does a text that is about to be learned from repeat a problem of the evaluation?

Three signs, from the plainest to the weakest: the same text; the same text but for its numbers;
half or more of its 13-word windows, the measure that is usual for pre-training data (Brown et al.
2020, arXiv 2005.14165, appendix C). Only texts are compared, so any room may ask.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

WINDOW = 13
"""Words a window."""
_TOKEN = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How a text repeats the evaluation."""

    kind: str
    """`same text`, `same wording` or `shared windows`."""
    share: float
    """Share of the text's windows that the evaluation has, in [0, 1]; 1 for the first two."""


def words_of(text: str) -> tuple[str, ...]:
    """Lower-case words and numbers of a text, without marks."""
    return tuple(_TOKEN.findall(text.lower()))


def _masked(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("#" if word[0].isdigit() else word for word in words)


def _windows(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[i : i + WINDOW] for i in range(len(words) - WINDOW + 1)}


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """What is remembered of the evaluation's texts."""

    texts: frozenset[tuple[str, ...]] = field(default=frozenset())
    """Word sequences of the texts."""
    wordings: frozenset[tuple[str, ...]] = field(default=frozenset())
    """Word sequences with every number masked."""
    windows: frozenset[tuple[str, ...]] = field(default=frozenset())
    """Windows of `WINDOW` words."""


def fingerprints(texts: Iterable[str]) -> Fingerprints:
    """Fingerprints of the evaluation's texts."""
    all_words = [words_of(text) for text in texts]
    return Fingerprints(
        texts=frozenset(all_words),
        wordings=frozenset(map(_masked, all_words)),
        windows=frozenset(window for words in all_words for window in _windows(words)),
    )


def overlap(text: str, known: Fingerprints, *, most: float = 0.5) -> Overlap | None:
    """How `text` repeats the evaluation; None where it does not.

    Args:
        text: The text that is about to be learned from.
        known: Fingerprints of the evaluation.
        most: Share of windows from which on a text counts as a repetition, in (0, 1].
    """
    words = words_of(text)
    if words in known.texts:
        return Overlap(kind="same text", share=1.0)
    if _masked(words) in known.wordings:
        return Overlap(kind="same wording", share=1.0)
    windows = _windows(words)
    share = len(windows & known.windows) / len(windows) if windows else 0.0
    return Overlap(kind="shared windows", share=share) if share >= most else None
