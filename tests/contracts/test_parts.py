"""No free-floating features: what lives in the three rooms is a part, and keeps to its role."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import argus_rl.actuators
import argus_rl.deciders
import argus_rl.sensors
from argus_rl.core.ports import Lever
from argus_rl.core.roles import PARTS, PLAIN, Part, Role, WiringError, types_in
from argus_rl.core.values import Decision, Effect, Reading

ROOMS = {
    Role.sensor: argus_rl.sensors,
    Role.decider: argus_rl.deciders,
    Role.actuator: argus_rl.actuators,
}
RETURNS = {Role.sensor: Reading, Role.decider: Decision, Role.actuator: Effect}

OFFENDING_HEAD = """
from dataclasses import dataclass
from argus_rl.core.ports import Lever
from argus_rl.core.roles import Loop, actuator, decider, sensor
from argus_rl.core.values import Decision, Effect, Reading
from argus_rl.core.signals.inner import Zone, ZoneDecision
from argus_rl.core.signals.middle import RetestReading

class Plant(Lever):
    weights = 0

class Machine:
    weights = 0
"""


@pytest.fixture(autouse=True)
def _same_table_afterwards() -> Iterator[None]:
    before = dict(PARTS)
    yield
    for name in set(PARTS) - set(before):
        if not PARTS[name].module.startswith("argus_rl."):
            del PARTS[name]


def modules_of(package: ModuleType) -> list[ModuleType]:
    names = [info.name for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return [package, *(importlib.import_module(name) for name in names)]


def public_functions(package: ModuleType) -> list[str]:
    """Names of the public functions defined in a package, with their module."""
    found: list[str] = []
    for module in modules_of(package):
        for name, item in vars(module).items():
            own = inspect.isfunction(item) and item.__module__ == module.__name__
            if own and not name.startswith("_"):
                found.append(f"{module.__name__}.{name}")
    return sorted(found)


def free_floating(package: ModuleType) -> list[str]:
    declared = {f"{part.module}.{part.name}" for part in PARTS.values()}
    return [name for name in public_functions(package) if name not in declared]


def parts_of(role: Role) -> list[Part]:
    modules_of(ROOMS[role])
    prefix = ROOMS[role].__name__ + "."
    return [part for part in PARTS.values() if part.module.startswith(prefix)]


@pytest.mark.parametrize("role", ROOMS)
def test_every_public_function_of_a_room_is_a_part(role: Role):
    assert public_functions(ROOMS[role])
    assert free_floating(ROOMS[role]) == []


def test_a_planted_free_floating_function_is_found(planted: Callable[..., ModuleType]):
    room = planted("planted_room", floating="def helpful(x: int) -> int:\n    return x\n")
    assert free_floating(room) == ["planted_room.floating.helpful"]


@pytest.mark.parametrize("role", ROOMS)
def test_every_part_lives_in_the_room_of_its_role_and_says_what_it_does(role: Role):
    for part in parts_of(role):
        assert part.role is role, part.name
        assert part.summary.endswith("."), part.name
        assert issubclass(part.writes, RETURNS[role]), part.name


def test_a_decider_takes_readings_decisions_settings_and_plain_values_alone():
    for part in parts_of(Role.decider):
        function = vars(importlib.import_module(part.module))[part.name]
        hints = inspect.get_annotations(inspect.unwrap(function), eval_str=True)
        kinds = [
            kind for name, hint in hints.items() if name != "return" for kind in types_in(hint)
        ]
        strange = [kind.__name__ for kind in kinds if not issubclass(kind, (*PLAIN, tuple))]
        assert strange == [], part.name


def test_only_actuators_hold_a_lever():
    for role in (Role.sensor, Role.decider):
        for part in parts_of(role):
            function = vars(importlib.import_module(part.module))[part.name]
            hints = inspect.get_annotations(inspect.unwrap(function), eval_str=True)
            kinds = [kind for hint in hints.values() for kind in types_in(hint)]
            assert [kind for kind in kinds if Lever in kind.__mro__] == [], part.name


@pytest.mark.parametrize(
    ("offence", "told"),
    [
        (
            "@decider(Loop.inner)\ndef f(machine: Machine) -> ZoneDecision: ...",
            "decider 'f' may take readings and settings, not Machine",
        ),
        (
            "@decider(Loop.inner)\ndef f(machines: tuple[Machine, ...]) -> ZoneDecision: ...",
            "decider 'f' may take readings and settings, not Machine",
        ),
        (
            "@sensor(Loop.inner)\ndef f(plant: Plant) -> RetestReading: ...",
            "sensor 'f' may not hold the lever Plant",
        ),
        (
            "@sensor(Loop.inner)\ndef f(plant: Plant | None) -> RetestReading: ...",
            "sensor 'f' may not hold the lever Plant",
        ),
        (
            "@sensor(Loop.inner)\ndef f() -> ZoneDecision: ...",
            "sensor 'f' must return a Reading",
        ),
        (
            "@decider(Loop.inner)\ndef f() -> RetestReading: ...",
            "decider 'f' must return a Decision",
        ),
        (
            "@actuator(Loop.inner)\ndef f() -> float: ...",
            "actuator 'f' must return a Effect",
        ),
        (
            "@decider(Loop.inner)\ndef f(x) -> ZoneDecision: ...",
            "decider 'f' leaves parameters untyped: ['x']",
        ),
    ],
)
def test_a_planted_part_that_breaks_its_role_never_gets_defined(
    planted: Callable[..., ModuleType], offence: str, told: str
):
    planted("planted_offence", bad=f"{OFFENDING_HEAD}\n{offence}\n")
    with pytest.raises(WiringError) as raised:
        importlib.import_module("planted_offence.bad")
    assert told in str(raised.value)


def test_two_parts_cannot_share_a_name(planted: Callable[..., ModuleType]):
    part = f"{OFFENDING_HEAD}\n@sensor(Loop.inner)\ndef same() -> RetestReading: ...\n"
    planted("planted_twins", one=part, two=part)
    importlib.import_module("planted_twins.one")
    with pytest.raises(WiringError, match="two parts are called 'same'"):
        importlib.import_module("planted_twins.two")
