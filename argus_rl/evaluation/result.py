"""What an evaluation leaves: one record per held-out item, and nothing that cannot be recounted.

The counts of an item sum up: right + rivals + truncated + unparsable = samples. All summaries
(`argus_rl.evaluation.summary`) are computed from these records; the file holds them too, for
people, and a reader of the file ignores them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from argus_rl.core.errors import DataError

SCHEMA = 1
"""Version of the evaluation file; a reader refuses any other."""

Json = dict[str, Any]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """One held-out problem: its greedy chain and its samples, against the sealed answer."""

    id: str
    """Id of the problem."""
    level: int
    """Steps of reasoning that it needs; 0 where nobody counted."""
    greedy_right: bool
    """Whether the greedy chain gave the answer."""
    greedy_truncated: bool
    """Whether the token budget ended the greedy chain; it is then not right."""
    greedy_unparsable: bool
    """Whether the greedy chain ended by itself and yet has no readable answer."""
    right: int
    """Samples with the right answer."""
    rivals: tuple[int, ...]
    """Samples for each wrong answer, largest first."""
    truncated: int
    """Samples that the token budget ended; they have no answer."""
    unparsable: int
    """Samples that ended by themselves without a readable answer (format failures)."""

    def __post_init__(self) -> None:
        """Raises ValueError on impossible counts."""
        counts = (self.right, self.truncated, self.unparsable, *self.rivals)
        if min(counts) < 0 or self.samples < 1:
            raise ValueError(f"item {self.id!r} has impossible counts {counts}")
        if self.greedy_right + self.greedy_truncated + self.greedy_unparsable > 1:
            raise ValueError(f"item {self.id!r}: a greedy chain has one outcome")

    @property
    def samples(self) -> int:
        """Samples in all."""
        return self.right + sum(self.rivals) + self.truncated + self.unparsable

    @property
    def rate(self) -> float:
        """Share of samples that are right, in [0, 1]."""
        return self.right / self.samples

    @property
    def silent(self) -> int:
        """Samples without an answer."""
        return self.truncated + self.unparsable


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationPlan:
    """How to evaluate; two results can be compared only if their plans are equal."""

    name: str
    """Name of the held-out set and draw."""
    stream: str
    """Name of the random stream behind the samples: the same before and after an update."""
    samples: int
    """Sampled chains per item, >= 1."""
    temperature: float
    """Sampling temperature, > 0; the greedy chain is extra."""
    max_tokens: int
    """Token budget of a chain, >= 1."""
    easy_levels: tuple[int, ...] = ()
    """Levels that the model was warm-started on; empty where that is unknown."""

    def __post_init__(self) -> None:
        """Raises ValueError on a plan that cannot be carried out."""
        if self.samples < 1 or self.max_tokens < 1 or not self.temperature > 0.0:
            raise ValueError(
                f"an evaluation needs samples >= 1, max_tokens >= 1 and temperature > 0, not {self}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationResult:
    """All items of one evaluation, in the order of the held-out set."""

    plan: EvaluationPlan
    """How it was done."""
    items: tuple[ItemResult, ...]
    """One record per problem, at least one."""

    def __post_init__(self) -> None:
        """Raises DataError without items, on a repeated id, or on a wrong number of samples."""
        if not self.items:
            raise DataError("the evaluation has no items")
        if len({item.id for item in self.items}) < len(self.items):
            raise DataError("two held-out items have the same id")
        if any(item.samples != self.plan.samples for item in self.items):
            raise DataError(f"an item does not have the {self.plan.samples} samples of the plan")


def scopes_of(
    items: Sequence[ItemResult], easy_levels: Sequence[int]
) -> dict[str, tuple[int, ...]]:
    """Names of the groups that figures are given for, each with the positions of its items.

    `all` comes first, then `easy` and `harder` where both the easy levels are known and items of
    that kind exist, then `level L` in rising order where there is more than one level.
    """
    every = range(len(items))
    found: dict[str, tuple[int, ...]] = {"all": tuple(every)}
    if easy_levels:
        easy = tuple(i for i in every if items[i].level in easy_levels)
        harder = tuple(i for i in every if items[i].level > max(easy_levels))
        found |= {name: group for name, group in (("easy", easy), ("harder", harder)) if group}
    levels = sorted({item.level for item in items})
    if len(levels) > 1:
        found |= {
            f"level {level}": tuple(i for i in every if items[i].level == level) for level in levels
        }
    return found


def item_to_json(item: ItemResult) -> Json:
    """The item as a flat JSON object."""
    return {
        "id": item.id,
        "level": item.level,
        "greedy_right": item.greedy_right,
        "greedy_truncated": item.greedy_truncated,
        "greedy_unparsable": item.greedy_unparsable,
        "right": item.right,
        "rivals": list(item.rivals),
        "truncated": item.truncated,
        "unparsable": item.unparsable,
    }


def plan_to_json(plan: EvaluationPlan) -> Json:
    """The plan as a flat JSON object."""
    return {
        "name": plan.name,
        "stream": plan.stream,
        "samples": plan.samples,
        "temperature": plan.temperature,
        "max_tokens": plan.max_tokens,
        "easy_levels": list(plan.easy_levels),
    }


def _field(data: Mapping[str, Any], name: str, kind: type[_T]) -> _T:
    if name not in data:
        raise DataError(f"the evaluation lacks the field {name!r}")
    value = data[name]
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise DataError(f"field {name!r} of the evaluation should be {kind.__name__}: {value!r}")
    return value


def _objects(data: Mapping[str, Any], name: str) -> list[Json]:
    values = cast("list[Any]", _field(data, name, list))
    if any(type(value) is not dict for value in values):
        raise DataError(f"field {name!r} of the evaluation should hold objects")
    return values


def _integers(data: Mapping[str, Any], name: str) -> tuple[int, ...]:
    values = cast("list[Any]", _field(data, name, list))
    if any(type(value) is not int for value in values):
        raise DataError(f"field {name!r} of the evaluation should hold whole numbers")
    return tuple(values)


def item_from_json(data: Mapping[str, Any]) -> ItemResult:
    """Inverse of `item_to_json`. Raises DataError on a missing or mistyped field."""
    try:
        return ItemResult(
            id=_field(data, "id", str),
            level=_field(data, "level", int),
            greedy_right=_field(data, "greedy_right", bool),
            greedy_truncated=_field(data, "greedy_truncated", bool),
            greedy_unparsable=_field(data, "greedy_unparsable", bool),
            right=_field(data, "right", int),
            rivals=_integers(data, "rivals"),
            truncated=_field(data, "truncated", int),
            unparsable=_field(data, "unparsable", int),
        )
    except ValueError as error:
        raise DataError(str(error)) from error


def plan_from_json(data: Mapping[str, Any]) -> EvaluationPlan:
    """Inverse of `plan_to_json`. Raises DataError on a missing or mistyped field."""
    try:
        return EvaluationPlan(
            name=_field(data, "name", str),
            stream=_field(data, "stream", str),
            samples=_field(data, "samples", int),
            temperature=_field(data, "temperature", float),
            max_tokens=_field(data, "max_tokens", int),
            easy_levels=_integers(data, "easy_levels"),
        )
    except ValueError as error:
        raise DataError(str(error)) from error


def result_from_json(data: Mapping[str, Any]) -> EvaluationResult:
    """The result behind an evaluation file; what the file says in summary is not read.

    Raises:
        DataError: another schema version, or a missing or mistyped field.
    """
    schema = _field(data, "schema", int)
    if schema != SCHEMA:
        raise DataError(f"the evaluation has schema {schema}; this version reads schema {SCHEMA}")
    return EvaluationResult(
        plan=plan_from_json(cast("Json", _field(data, "plan", dict))),
        items=tuple(item_from_json(item) for item in _objects(data, "items")),
    )
