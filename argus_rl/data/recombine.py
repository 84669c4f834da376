"""New problems out of solved ones: the beginning of one, the end of another.

    A  Tom has 12 cards. He buys 5 cards. | He sells 3 cards. ...       states 12, 17 | 14
    B  Tom has 20 cards. He loses 3 cards. | He doubles his cards. ...  states 20, 17 | 34
    A before the bar, then B behind it: true, because both stand at `Tom has 17 cards.`

Where two solved problems come to the same state, what follows in one may follow in the other, and
the labels of all steps are known: a step's result depends on the state before it alone. Who holds
the number does not matter, so people are renamed to fit. Nothing is proposed and nothing is solved
for it, so a library of a few hundred problems gives thousands of longer ones. (Crossover, as in
genetic programming, Koza 1992, where both parts fit by their type.)
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from argus_rl.core.rng import Stream
from argus_rl.data.growth import (
    Refusal,
    faithful,
    people_of,
    read_chain,
    sentences,
    state_sentence,
    well_formed,
)
from argus_rl.data.problem import Chain, Pair, Problem, Source
from argus_rl.data.story_words import HE_NAMES, SHE_NAMES

TRIES = 30
"""Crossings drawn for each problem wanted; most have another length than is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A place between two sentences of a solved problem."""

    pair: int
    """Index of the pair."""
    at: int
    """Sentences before the cut."""
    before: int
    """Steps computed before it."""
    behind: int
    """Steps computed behind it."""
    holder: str
    """Who holds the number there; empty for nobody."""


def recombine(
    pairs: Sequence[Pair], count: int, lengths: Sequence[int], stream: Stream
) -> tuple[Pair, ...]:
    """Return up to `count` new pairs, evenly over `lengths`; no text is in `pairs` or comes twice.

    Args:
        pairs: solved problems; only those whose chain goes sentence by sentence have a part in it.
        count: pairs wanted; fewer come where too few states are shared.
        lengths: numbers of steps wanted.
        stream: names the draw.
    """
    if count < 1 or not lengths:
        return ()
    told = [_Told.of(pair) for pair in pairs]
    groups = _shared_states(told)
    if not groups:
        return ()
    known = {pair.problem.text for pair in pairs}
    made: list[Pair] = []
    quota, have = -(-count // len(lengths)), Counter[int]()
    for one, other in _meetings(groups, TRIES * count, stream):
        steps = one.before + other.behind
        if one.pair == other.pair or steps not in lengths or have[steps] >= quota:
            continue
        new = _cross(pairs, told, one, other, f"{stream.seed:x}.{len(made)}")
        if new is None or new.problem.text in known:
            continue
        known.add(new.problem.text)
        have[steps] += 1
        made.append(new)
        if len(made) == count:
            break
    return tuple(made)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A solved problem sentence by sentence; empty where its chain does not go that way."""

    said: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    computed: tuple[bool, ...] = ()

    @classmethod
    def of(cls, pair: Pair) -> "_Told":
        if faithful(pair.chain.text, pair.problem.text) is not None:
            return cls()
        parsed = read_chain(pair.chain.text)
        if isinstance(parsed, Refusal):
            return cls()
        return cls(
            said=tuple(sentences(pair.problem.text)),
            steps=tuple(part.strip() for part in pair.chain.text.split(";")[:-1]),
            values=tuple(step.value for step in parsed[0]),
            computed=tuple(bool(step.operands) for step in parsed[0]),
        )

    def state(self, at: int) -> str | Refusal:
        """The state before sentence `at`."""
        return state_sentence(" ".join([*self.said[:at], self.said[-1]]), self.values[at - 1])

    def people(self, start: int, stop: int | None = None) -> list[str]:
        """Everyone who is named in some of its sentences, in order."""
        named = (name for said in self.said[start:stop] for name in people_of(said))
        return list(dict.fromkeys(named))


def _shared_states(told: Sequence[_Told]) -> list[list[_Cut]]:
    """The cuts of all problems by the state that they stand at, where two problems share it."""
    found: defaultdict[str, list[_Cut]] = defaultdict(list)
    for index, one in enumerate(told):
        for at in range(1, len(one.steps)):
            state = one.state(at)
            if isinstance(state, str):
                holder = "".join(people_of(state)[:1])
                cut = _Cut(
                    pair=index,
                    at=at,
                    before=sum(one.computed[:at]),
                    behind=sum(one.computed[at:]),
                    holder=holder,
                )
                found[_renamed(state, {holder: _called(holder)})].append(cut)
    return [cuts for cuts in found.values() if len({cut.pair for cut in cuts}) > 1]


def _meetings(
    groups: Sequence[Sequence[_Cut]], count: int, stream: Stream
) -> Iterator[tuple[_Cut, _Cut]]:
    """Pairs of cuts at one state, drawn alike from all cuts."""
    rng = stream.generator()
    sizes = np.array([len(group) for group in groups])
    drawn = rng.choice(len(groups), size=count, p=sizes / sizes.sum())
    chosen: list[int] = drawn.tolist()
    first: list[int] = rng.integers(sizes[drawn]).tolist()
    second: list[int] = rng.integers(sizes[drawn]).tolist()
    for group, i, j in zip(chosen, first, second, strict=True):
        yield groups[group][i], groups[group][j]


def _cross(
    pairs: Sequence[Pair], told: Sequence[_Told], one: _Cut, other: _Cut, name: str
) -> Pair | None:
    """The problem that begins as one and ends as the other; None where it makes no sense."""
    start, end = told[one.pair], told[other.pair]
    answer = f"the answer is {end.values[-1]}"
    names = _fitting(start.people(0, one.at), one.holder, end.people(other.at), other.holder)
    if names is None:
        return None
    text = " ".join([*start.said[: one.at], *(_renamed(s, names) for s in end.said[other.at :])])
    steps = (_renamed(step, names) for step in end.steps[other.at :])
    chain = "; ".join([*start.steps[: one.at], *steps, answer])
    if well_formed(text) is not None or faithful(chain, text) is not None:
        return None
    parents = pairs[one.pair], pairs[other.pair]
    problem = Problem(
        id=f"x{name}",
        text=text,
        source=Source.grown,
        steps=one.before + other.behind,
        parent=parents[0].problem.id,
    )
    return Pair(
        problem=problem,
        chain=Chain(problem_id=problem.id, text=chain, index=0, tokens=0, truncated=False),
        label=parents[1].label,
        score=min(parent.score for parent in parents),
        cluster=parents[1].cluster,
    )


def _called(name: str) -> str:
    """What a name may be replaced by: any name with the same pronoun, or itself alone."""
    return "he" if name in HE_NAMES else "she" if name in SHE_NAMES else name


def _fitting(
    known: Sequence[str], holder: str, coming: Sequence[str], held: str
) -> dict[str, str] | None:
    """New names for `coming`: `held` becomes `holder`, the others nobody of `known`."""
    names = {held: holder}
    for name in coming:
        if name in names:
            continue
        pool = {"he": HE_NAMES, "she": SHE_NAMES}.get(_called(name), (name,))
        free = [n for n in (name, *pool) if n not in known and n not in names.values()]
        if not free:
            return None
        names[name] = free[0]
    return names


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """`text` with all names replaced at once."""
    return re.sub(r"[A-Z][a-z]+", lambda found: names.get(found[0], found[0]), text)
