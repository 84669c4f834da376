"""Every key that a user may set: dotted name, type, default, and the sentence that documents it.

The dataclasses of `run` and `control` are the only place where a key is declared. This module reads
them, docstrings under fields included, so that error messages, the help text and `docs/flags.md`
say what the code says.
"""

import ast
import dataclasses
import difflib
import inspect
import itertools
import textwrap
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from argus_rl.config.run import RunSettings
from argus_rl.core.values import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One setting."""

    name: str
    """Dotted name, as on the command line."""
    kind: Any
    """Its type: bool, int, float, str, a StrEnum, or a tuple of ints."""
    default: Any
    doc: str
    """The docstring under the field; empty where the name says it all."""


@cache
def all_keys() -> Mapping[str, Key]:
    """Return every key of a run by dotted name, in the order of declaration."""
    return {key.name: key for key in _walk(RunSettings(), "")}


@cache
def all_sections() -> frozenset[str]:
    """Return the dotted names that hold keys but are none (`control`, `control.ercv`, ...)."""
    parts = (name.split(".") for name in all_keys())
    return frozenset(".".join(p[:n]) for p in parts for n in range(1, len(p)))


def _walk(settings: Settings, prefix: str) -> Iterator[Key]:
    docs = field_docs(type(settings))
    hints = typing.get_type_hints(type(settings))
    for field in dataclasses.fields(settings):
        name, default = prefix + field.name, field.default
        if isinstance(default, Settings):
            yield from _walk(default, name + ".")
        else:
            doc = docs.get(field.name, "")
            yield Key(name=name, kind=hints[field.name], default=default, doc=doc)


def field_docs(owner: type) -> dict[str, str]:
    """Return the docstring under each field of a dataclass (or member of an enum)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    body = typing.cast("ast.ClassDef", tree.body[0]).body
    docs: dict[str, str] = {}
    for statement, following in itertools.pairwise(body):
        target = _assigned(statement)
        match following:
            case ast.Expr(value=ast.Constant(value=str(text))) if target:
                docs[target] = " ".join(text.split())
            case _:
                pass
    return docs


def _assigned(statement: ast.stmt) -> str:
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return ""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that `name` was probably meant to be, or an empty string.

    Whole dotted names are compared first, then the last part alone, so `spsi` finds `control.spsi`.
    """
    names = list(known)
    last = name.rpartition(".")[2]
    same_leaf = [n for n in names if n.rpartition(".")[2] == last]
    if same_leaf:
        return difflib.get_close_matches(name, same_leaf, n=1, cutoff=0.0)[0]
    whole = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    if whole:
        return whole[0]
    longer = [n for n in names if len(name) > 2 and (n.startswith(name) or name.startswith(n))]
    if longer:
        return longer[0]
    by_leaf = {n.rpartition(".")[2]: n for n in reversed(names)}
    leaf = difflib.get_close_matches(last, by_leaf, n=1, cutoff=0.7)
    return by_leaf[leaf[0]] if leaf else ""


def expected(kind: Any) -> str:
    """Say in words what values a key of this type takes."""
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return "one of " + ", ".join(kind)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    if kind in words:
        return words[kind]
    return "a list of whole numbers, such as [1,2,3]"


def value_at(settings: Settings, name: str) -> Any:
    """Return the value of a dotted key.

    Raises:
        KeyError: where there is no such key.
    """
    value: Any = settings
    for part in name.split("."):
        members = {f.name for f in dataclasses.fields(value)}
        if part not in members:
            raise KeyError(name)
        value = getattr(value, part)
    return value


def plain(value: Any) -> Any:
    """Return settings as plain JSON values: dicts, lists, numbers and texts."""
    if isinstance(value, Settings):
        return {f.name: plain(value_at(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [plain(item) for item in typing.cast("tuple[Any, ...]", value)]
    return value
