"""Write docs/wiring.md: which part reads and writes what, in which loop, and what turns it on.

python scripts/wiring_page.py
"""

import importlib
import pkgutil
from pathlib import Path

import argus_rl
from argus_rl.core.roles import PARTS, Loop, Part, Role
from argus_rl.core.values import Decision, Reading

PAGE = Path(__file__).parents[1] / "docs" / "wiring.md"
ROOMS = ("sensors", "deciders", "actuators")

_QUESTIONS = {
    Loop.outer: "Outer loop, hours: what should I learn?",
    Loop.middle: "Middle loop, minutes: did I actually learn?",
    Loop.inner: "Inner loop, seconds: is this attempt valid?",
    Loop.across: "Across the loops: is the run healthy?",
}

_HEAD = """\
# Wiring

Made by `scripts/wiring_page.py` from the declarations of the parts; do not edit by hand.

A sensor reads and changes nothing, a decider is a pure function from readings to a decision, an
actuator carries a decision out. A part with a flag is on when the flag is; a part marked "unless"
stands in for it while the flag is off.
"""


def load_parts() -> None:
    """Import every module of the three rooms, so that each part is in the table."""
    for room in ROOMS:
        package = importlib.import_module(f"{argus_rl.__name__}.{room}")
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)


def page() -> str:
    """Return the text of the page."""
    load_parts()
    ours = [part for part in PARTS.values() if part.module.startswith("argus_rl.")]
    loops = [
        _loop_table(question, [part for part in ours if part.loop is loop])
        for loop, question in _QUESTIONS.items()
    ]
    return "\n".join([_HEAD, *loops, _signal_table(ours)])


def _loop_table(title: str, parts: list[Part]) -> str:
    lines = [f"## {title}", "", "| part | role | on when | reads | writes | what it does |"]
    lines.append("|---|---|---|---|---|---|")
    order = list(Role)
    for part in sorted(parts, key=lambda p: (order.index(p.role), p.name)):
        reads = ", ".join(dict.fromkeys(kind.__name__ for kind in part.reads))
        summary = part.summary.replace("|", "\\|")
        lines.append(
            f"| `{part.name}` | {part.role} | {_switch(part)} | {reads} | {part.writes.__name__} "
            f"| {summary} |"
        )
    return "\n".join([*lines, ""])


def _switch(part: Part) -> str:
    if part.flag:
        return f"`control.{part.flag}`"
    return f"unless `control.{part.unless}`" if part.unless else "always"


def _signal_table(parts: list[Part]) -> str:
    lines = ["## Signals", "", "| signal | written by | read by |", "|---|---|---|"]
    signals = {kind for part in parts for kind in (part.writes, *part.reads)}
    flowing = [kind for kind in signals if issubclass(kind, Reading | Decision)]
    for kind in sorted(flowing, key=lambda k: k.__name__):
        writers = _names(sorted(p.name for p in parts if p.writes is kind)) or "the loop"
        readers = sorted(p.name for p in parts if any(issubclass(kind, own) for own in p.reads))
        lines.append(
            f"| {kind.__name__} | {writers} | {_names(readers) or 'the loop and the ledger'} |"
        )
    return "\n".join([*lines, ""])


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
