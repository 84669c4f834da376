"""Which draw a problem belongs to, decided by its numbers and by its wording, each on its own.

Two hashes give the numbers of a problem and its wording (the text with numbers masked) one split
each; a generator keeps a problem only where both name the split that it draws for. So no problem
of one split shares its numbers, or its wording, with a problem of another, whatever was drawn
before: disjoint by construction, with no list to keep.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum


class Split(StrEnum):
    """The four draws."""

    train = "train"
    """Warm start, context texts, injected texts."""
    choosing = "choosing"
    """Development: settings may be chosen on it."""
    held_out = "held_out"
    """Reporting only."""
    audit = "audit"
    """The lab's audit stream."""


_SHARES = ((Split.train, 0.7), (Split.choosing, 0.8), (Split.held_out, 0.9), (Split.audit, 1.0))


def _split(key: str) -> Split:
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    point = int.from_bytes(digest, "big") / 2**64
    return next(split for split, upper in _SHARES if point < upper)


def split_of_numbers(numbers: Sequence[int]) -> Split:
    """Split that owns a sequence of numbers (first number and operands, in order)."""
    return _split("numbers " + " ".join(map(str, numbers)))


def split_of_wording(wording: str) -> Split:
    """Split that owns a wording: a problem's text with every number masked."""
    return _split("wording " + wording)
