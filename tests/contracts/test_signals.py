"""Nothing is measured for nobody: each field of a signal has a reader, each part has a place."""

import ast
import dataclasses
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType

from argus_rl.core.roles import PARTS
from argus_rl.core.values import Decision, Effect, Reading
from tests.contracts.test_parts import ROOMS, modules_of

SIGNALS = ("inner", "middle", "outer", "across")


def signal_types(modules: Iterable[ModuleType]) -> list[type]:
    return [
        item
        for module in modules
        for item in vars(module).values()
        if inspect.isclass(item)
        and item.__module__ == module.__name__
        and issubclass(item, Reading | Decision | Effect)
    ]


def attributes_read(sources: Mapping[str, str]) -> set[str]:
    """Every attribute that is read anywhere, by name."""
    return {
        node.attr
        for text in sources.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def unread(types: Iterable[type], sources: Mapping[str, str]) -> list[str]:
    read = attributes_read(sources)
    return sorted(
        f"{kind.__name__}.{field.name}"
        for kind in types
        for field in dataclasses.fields(kind)
        if field.name not in read
    )


def outside(sources: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in sources.items() if "core/signals/" not in path}


def our_signals() -> list[type]:
    names = [f"argus_rl.core.signals.{name}" for name in SIGNALS]
    return signal_types(importlib.import_module(name) for name in names)


def test_every_field_of_a_signal_has_a_reader(sources: dict[str, str]):
    found = unread(our_signals(), outside(sources))
    assert found == [], "\n".join(found)


def test_a_planted_field_that_nobody_reads_is_found(
    planted: Callable[..., ModuleType], sources: dict[str, str]
):
    planted(
        "planted_signals",
        extra=(
            "from dataclasses import dataclass\n"
            "from argus_rl.core.values import Reading\n"
            "@dataclass(frozen=True, kw_only=True)\n"
            "class Extra(Reading):\n"
            "    trend: float\n"
            "    never_looked_at: float\n"
        ),
    )
    types = signal_types([importlib.import_module("planted_signals.extra")])
    assert unread(types, outside(sources)) == ["Extra.never_looked_at"]


def imported_names(sources: Mapping[str, str], places: tuple[str, ...]) -> set[str]:
    """Names that modules under `places` import from the package."""
    return {
        alias.name
        for path, text in sources.items()
        if path.startswith(places)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("argus_rl.")
        for alias in node.names
    }


def test_every_part_is_used_by_the_loops(sources: dict[str, str]):
    for room in ROOMS.values():
        modules_of(room)
    ours = {part.name for part in PARTS.values() if part.module.startswith("argus_rl.")}
    used = imported_names(sources, ("argus_rl/loops/", "argus_rl/experiment/"))
    used |= imported_names(sources, ("argus_rl/sensors/detectors/bank.py",))
    assert ours - used == set()


def test_every_signal_is_written_or_read_by_somebody(sources: dict[str, str]):
    named = imported_names(outside(sources), ("argus_rl/",))
    assert {kind.__name__ for kind in our_signals()} - named == set()
