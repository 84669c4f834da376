"""Three roles, checked when a part is defined: sensors read, deciders choose, actuators change.

`@sensor`, `@decider` and `@actuator` do not wrap the function. They check its signature once, at
import, and write it into the table of parts, from which the wiring page and the contract tests are
made: a part that returns the wrong kind of value, a decider that takes anything but readings,
decisions, settings and plain values, or a sensor that holds a lever never gets as far as a run.
"""

import inspect
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, ParamSpec, TypeVar

from argus_rl.core.ports import Lever
from argus_rl.core.values import Decision, Effect, Reading, Settings

P = ParamSpec("P")
R = TypeVar("R", bound=Reading)
D = TypeVar("D", bound=Decision)
E = TypeVar("E", bound=Effect)

PLAIN = (Reading, Decision, Settings, Enum, int, float, bool, str, type(None))


class Role(StrEnum):
    """What a part may do."""

    sensor = "sensor"
    decider = "decider"
    actuator = "actuator"


class Loop(StrEnum):
    """The loop that a part works in."""

    inner = "inner"
    middle = "middle"
    outer = "outer"
    across = "across"


class WiringError(TypeError):
    """A part breaks the rules of its role; the message names the part and the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One row of the table of parts."""

    name: str
    role: Role
    loop: Loop
    flag: str
    """The flag under `control.` that turns the part on; empty for a part that is always on."""
    unless: str
    """The flag whose absence selects this part (it is the null version); empty otherwise."""
    module: str
    writes: type
    """The kind of value that the part returns."""
    reads: tuple[type, ...]
    """The readings, decisions and settings among its parameters."""
    summary: str
    """The first line of the part's docstring."""


PARTS: dict[str, Part] = {}
"""Every part that has been imported, by name."""


def sensor(
    loop: Loop, *, flag: str = "", unless: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a sensor: it returns a `Reading` and holds no lever."""

    def declare(run: Callable[P, R]) -> Callable[P, R]:
        _register(run, Role.sensor, loop, flag, unless, Reading)
        return run

    return declare


def decider(
    loop: Loop, *, flag: str = "", unless: str = ""
) -> Callable[[Callable[P, D]], Callable[P, D]]:
    """Declare a decider: a pure function of readings, decisions and settings to a `Decision`."""

    def declare(run: Callable[P, D]) -> Callable[P, D]:
        _register(run, Role.decider, loop, flag, unless, Decision)
        return run

    return declare


def actuator(
    loop: Loop, *, flag: str = "", unless: str = ""
) -> Callable[[Callable[P, E]], Callable[P, E]]:
    """Declare an actuator: it carries a decision out and returns an `Effect`."""

    def declare(run: Callable[P, E]) -> Callable[P, E]:
        _register(run, Role.actuator, loop, flag, unless, Effect)
        return run

    return declare


def _register(
    run: Callable[..., Any], role: Role, loop: Loop, flag: str, unless: str, returns: type
) -> None:
    name = run.__name__
    hints = typing.get_type_hints(run)
    writes = hints.pop("return", None)
    if not (isinstance(writes, type) and issubclass(writes, returns)):
        raise WiringError(f"{role} {name!r} must return a {returns.__name__}, not {writes!r}")
    missing = set(inspect.signature(run).parameters) - set(hints)
    if missing:
        raise WiringError(f"{role} {name!r} leaves parameters untyped: {sorted(missing)}")
    reads = tuple(t for hint in hints.values() for t in types_in(hint))
    _check_parameters(name, role, reads)
    known = PARTS.get(name)
    if known is not None and known.module != run.__module__:
        raise WiringError(f"two parts are called {name!r}: {known.module} and {run.__module__}")
    PARTS[name] = Part(
        name=name,
        role=role,
        loop=loop,
        flag=flag,
        unless=unless,
        module=run.__module__,
        writes=writes,
        reads=tuple(t for t in reads if issubclass(t, (Reading, Decision, Settings))),
        summary=(inspect.getdoc(run) or "").partition("\n")[0],
    )


def _check_parameters(name: str, role: Role, reads: Iterable[type]) -> None:
    for kind in reads:
        if role is Role.decider and not issubclass(kind, PLAIN):
            raise WiringError(
                f"decider {name!r} may take readings and settings, not {kind.__name__}"
            )
        if role is not Role.actuator and Lever in kind.__mro__:
            raise WiringError(f"{role} {name!r} may not hold the lever {kind.__name__}")


def types_in(hint: Any) -> tuple[type, ...]:
    """Return the classes inside a type hint: `tuple[A, ...] | None` gives `(A, NoneType)`."""
    if hint is Ellipsis:
        return ()
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is not None:
        return tuple(t for arg in typing.get_args(hint) for t in types_in(arg))
    return (hint,) if isinstance(hint, type) else ()
