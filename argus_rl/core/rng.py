"""Randomness that is passed, named and derived; nothing here or elsewhere seeds a global generator.

Every stream is named by what it is for: `(run seed, episode, purpose, problem, chain)`. Equal names
give equal streams, whatever ran before, so a chain does not depend on its batch, a measurement
after an update can use the very stream of the one before it, and a resumed run agrees with an
unbroken one.
"""

import hashlib
from dataclasses import dataclass

import numpy as np


def derive_seed(*name: str | int) -> int:
    """Return the 63-bit seed of the stream called `name` (BLAKE2b over its parts)."""
    text = "\x1f".join(str(part) for part in name)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


@dataclass(frozen=True, slots=True)
class Stream:
    """A named source of randomness. It holds no state: asking twice gives the same numbers."""

    name: tuple[str | int, ...]
    """What the stream is for, from the general to the particular."""

    def child(self, *more: str | int) -> "Stream":
        """Return the stream named by this name and `more`."""
        return Stream((*self.name, *more))

    @property
    def seed(self) -> int:
        """The seed of this stream, in [0, 2**63)."""
        return derive_seed(*self.name)

    def generator(self) -> np.random.Generator:
        """Return a fresh NumPy generator at the start of this stream."""
        return np.random.default_rng(self.seed)
