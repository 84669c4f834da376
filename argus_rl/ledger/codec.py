"""Frozen dataclasses to plain JSON and back, by their type hints, without loss.

A ledger is only worth keeping if what is read is what was written. So `decode(T, encode(v)) == v`
holds exactly: floats are written by `repr` (the shortest text that gives the same double), NaN and
the infinities as the words `"nan"`, `"inf"` and `"-inf"`, exact rationals as `"p/q"`, tuples as
lists and enumerations as their words. Reading is strict: a field that is missing, unknown or of
another type is a `DataError` that names the place (`record.verdict.ruling`), because a reader that
guesses is one that can be wrong in silence.

A coder is built once a type, from `typing.get_type_hints`. Known are dataclasses, `tuple[T, ...]`,
`tuple[A, B]`, `Mapping[str, T]` and `dict[str, T]`, `StrEnum`, `bool`, `int`, `float`, `str`,
`Fraction`, `T | None`, unions of scalars, and `Any` for plain JSON. Any other hint is a `TypeError`
on first use.
"""

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from argus_rl.core.errors import DataError

T = TypeVar("T")
Json = Any
"""Plain JSON: None, bool, int, float, str, lists of these and dicts from str to these."""

SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""The floats that JSON has no numeral for."""

SCALARS = (bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Coder:
    """How one type is written and read. Both functions take the place, for error messages."""

    encode: Callable[[Any, str], Json]
    decode: Callable[[Json, str], Any]


def encode(value: Any) -> Json:
    """Return the plain JSON of a dataclass instance.

    Raises DataError naming the field whose value is not what its type hint says.
    """
    kind = cast("type[Any]", type(value))
    return coder(kind).encode(value, kind.__name__)


def decode(kind: type[T], data: Json) -> T:
    """Return the `kind` that `data` describes.

    Raises DataError naming the field that is missing, unknown, or of another type.
    """
    return cast(T, coder(kind).decode(data, kind.__name__))


@cache
def coder(hint: Any) -> Coder:
    """Return the coder of a type hint; TypeError for a hint that has none."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enumeration(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return _tuple(arguments)
    if origin in (dict, Mapping) and arguments[0] is str:
        return _mapping(coder(arguments[1]))
    if origin in (types.UnionType, typing.Union):
        return _union(arguments)
    raise TypeError(f"the ledger cannot write the type {hint!r}")


def _wrong(place: str, wanted: str, value: Any) -> DataError:
    return DataError(f"{place}: expected {wanted}, got {value!r:.80}")


def _exactly(kind: type, wanted: str) -> Coder:
    """A coder of values that JSON has a type for; bool is no int."""

    def same(value: Any, place: str) -> Json:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise _wrong(place, wanted, value)
        return value

    return Coder(same, same)


def _encode_float(value: Any, place: str) -> Json:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(place, "a number", value)
    number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def _decode_float(data: Json, place: str) -> float:
    if isinstance(data, str) and data in SPECIAL:
        return SPECIAL[data]
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        raise _wrong(place, "a number", data)
    return float(data)


def _encode_fraction(value: Any, place: str) -> Json:
    if not isinstance(value, Fraction):
        raise _wrong(place, "a Fraction", value)
    return f"{value.numerator}/{value.denominator}"


def _decode_fraction(data: Json, place: str) -> Fraction:
    if not isinstance(data, str):
        raise _wrong(place, "a fraction p/q", data)
    try:
        return Fraction(data)
    except (ValueError, ZeroDivisionError):
        raise _wrong(place, "a fraction p/q", data) from None


def _plain_json(value: Any, place: str) -> Json:
    """Check that a value is plain JSON and copy it, tuples as lists."""
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, (list, tuple)):
        items = cast(Sequence[Any], value)
        return [_plain_json(item, f"{place}[{i}]") for i, item in enumerate(items)]
    if isinstance(value, Mapping):
        return _mapping(_ANY).encode(value, place)
    raise _wrong(place, "plain JSON (finite numbers, text, lists, objects)", value)


def _mapping(values: Coder) -> Coder:
    def walk(code: Callable[[Any, str], Any]) -> Callable[[Any, str], dict[str, Any]]:
        def run(data: Any, place: str) -> dict[str, Any]:
            if not isinstance(data, Mapping):
                raise _wrong(place, "an object", data)
            entries = cast(Mapping[Any, Any], data)
            odd = [key for key in entries if not isinstance(key, str)]
            if odd:
                raise _wrong(place, "names that are text", odd[0])
            return {key: code(item, f"{place}.{key}") for key, item in entries.items()}

        return run

    return Coder(walk(values.encode), walk(values.decode))


def _enumeration(kind: type[StrEnum]) -> Coder:
    words = {member.value: member for member in kind}

    def write(value: Any, place: str) -> Json:
        if not isinstance(value, kind):
            raise _wrong(place, f"a {kind.__name__}", value)
        return value.value

    def read(data: Json, place: str) -> StrEnum:
        if not isinstance(data, str) or data not in words:
            raise _wrong(place, f"one of {', '.join(words)}", data)
        return words[data]

    return Coder(write, read)


def _tuple(arguments: tuple[Any, ...]) -> Coder:
    repeated = len(arguments) == 2 and arguments[1] is Ellipsis
    parts = [coder(argument) for argument in arguments[: 1 if repeated else None]]

    def paired(value: Any, place: str) -> list[tuple[Coder, Any, str]]:
        data = _sequence(value, place)
        coders = parts * len(data) if repeated else parts
        if len(data) != len(coders):
            raise _wrong(place, f"{len(coders)} entries", value)
        return [(coders[i], data[i], f"{place}[{i}]") for i in range(len(data))]

    def write(value: Any, place: str) -> Json:
        return [part.encode(item, where) for part, item, where in paired(value, place)]

    def read(data: Json, place: str) -> tuple[Any, ...]:
        return tuple(part.decode(item, where) for part, item, where in paired(data, place))

    return Coder(write, read)


def _sequence(value: Any, place: str) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise _wrong(place, "a list", value)
    return cast(Sequence[Any], value)


def _dataclass(kind: type) -> Coder:
    hints = typing.get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    getters = {name: attrgetter(name) for name in names}
    coders: dict[str, Coder] = {}

    def of(name: str) -> Coder:
        if name not in coders:
            coders[name] = coder(hints[name])
        return coders[name]

    def write(value: Any, place: str) -> Json:
        if type(value) is not kind:
            raise _wrong(place, f"a {kind.__name__}", value)
        return {
            name: of(name).encode(get(value), f"{place}.{name}") for name, get in getters.items()
        }

    def read(data: Json, place: str) -> Any:
        entries = _fields(data, names, kind.__name__, place)
        values = {name: of(name).decode(entries[name], f"{place}.{name}") for name in names}
        try:
            return kind(**values)
        except ValueError as error:
            raise DataError(f"{place}: {error}") from None

    return Coder(write, read)


def _fields(data: Json, names: Sequence[str], kind: str, place: str) -> Mapping[str, Any]:
    """Check that `data` is an object with these fields and no others."""
    if not isinstance(data, Mapping):
        raise _wrong(place, f"the fields of {kind}", data)
    entries = cast(Mapping[str, Any], data)
    missing = [name for name in names if name not in entries]
    unknown = sorted(set(entries) - set(names))
    if missing:
        raise DataError(f"{place}: missing {', '.join(missing)} of {kind}")
    if unknown:
        raise DataError(f"{place}: unknown {', '.join(unknown)}; {kind} has {', '.join(names)}")
    return entries


def _union(arguments: tuple[Any, ...]) -> Coder:
    others = [argument for argument in arguments if argument is not types.NoneType]
    if len(others) == 1:
        inner = coder(others[0])
    elif all(argument in SCALARS for argument in others):
        inner = _scalar(tuple(others))
    else:
        raise TypeError(f"the ledger cannot tell the members of {arguments!r} apart")
    if len(others) == len(arguments):
        return inner
    return Coder(
        lambda value, place: None if value is None else inner.encode(value, place),
        lambda data, place: None if data is None else inner.decode(data, place),
    )


def _scalar(kinds: tuple[type, ...]) -> Coder:
    """A coder of one of several scalars; NaN and infinity are marked, to differ from words."""
    wanted = " or ".join(kind.__name__ for kind in kinds)

    def write(value: Any, place: str) -> Json:
        kind = next((k for k in SCALARS if k in kinds and isinstance(value, k)), None)
        if kind is None or (kind is int and isinstance(value, bool)):
            raise _wrong(place, wanted, value)
        if kind is not float:
            return value.value if isinstance(value, StrEnum) else value
        number = _encode_float(value, place)
        return {"float": number} if isinstance(number, str) else number

    def read(data: Json, place: str) -> Any:
        if any(type(data) is kind for kind in kinds):
            return data
        if float in kinds and isinstance(data, dict):
            marked = _fields(data, ["float"], "a marked number", place)
            return _decode_float(marked["float"], place)
        raise _wrong(place, wanted, data)

    return Coder(write, read)


_ANY = Coder(_plain_json, _plain_json)
_PLAIN: dict[Any, Coder] = {
    Any: _ANY,
    bool: _exactly(bool, "true or false"),
    int: _exactly(int, "a whole number"),
    float: Coder(_encode_float, _decode_float),
    str: _exactly(str, "text"),
    Fraction: Coder(_encode_fraction, _decode_fraction),
}
