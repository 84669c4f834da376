"""Write docs/flags.md: every key that a user may set, as the code declares it.

python scripts/flags_page.py
"""

from pathlib import Path

from argus_rl.config.checks import NEEDS
from argus_rl.config.control import FLAGS
from argus_rl.config.help import groups, summary
from argus_rl.config.keys import Key, all_keys, expected, plain, value_at
from argus_rl.config.ranges import CHOICES, RANGES
from argus_rl.config.run import RunSettings
from argus_rl.config.schema import load_settings

PAGE = Path(__file__).parents[1] / "docs" / "flags.md"

_HEAD = """\
# Flags and keys

Made by `scripts/flags_page.py` from `argus_rl/config/`; do not edit by hand.

Every key is one word on the command line: `python -m argus_rl.train +preset=argus_full KEY=VALUE`.
`--cfg job` prints what a command composes. The default is that of a command without words; the
column beside it is what `+preset=argus_full` makes of it, where that differs.
"""


def page() -> str:
    """Return the text of the page."""
    bare, full = load_settings([]), load_settings(["+preset=argus_full"])
    flags = {f"control.{flag}" for flag in FLAGS}
    parts = [_HEAD, _group_table(), _flag_table(bare, full)]
    for section in dict.fromkeys(name.rpartition(".")[0] for name in all_keys()):
        keys = [k for n, k in all_keys().items() if n.rpartition(".")[0] == section]
        shown = [key for key in keys if key.name not in flags]
        parts.append(_key_table(section, shown, bare, full))
    return "\n".join(parts)


def _group_table() -> str:
    lines = ["## Groups", "", "| word | meaning |", "|---|---|"]
    for group, options in groups().items():
        plus = "+" if group == "preset" else ""
        lines += [f"| `{plus}{group}={name}` | {_cell(summary(group, name))} |" for name in options]
    return "\n".join([*lines, ""])


def _flag_table(bare: RunSettings, full: RunSettings) -> str:
    lines = [
        "## Flags of the control system",
        "",
        "All off by default: a bare run is the plain self-play baseline.",
        "",
        "| flag | default | `argus_full` | works with | what it turns on |",
        "|---|---|---|---|---|",
    ]
    for flag in FLAGS:
        key = all_keys()[f"control.{flag}"]
        needed = f"`control.{NEEDS[flag]}`" if flag in NEEDS else ""
        default, now = _shown(value_at(bare, key.name)), _shown(value_at(full, key.name))
        lines.append(f"| `{key.name}` | {default} | {now} | {needed} | {_cell(key.doc)} |")
    return "\n".join([*lines, ""])


def _key_table(section: str, keys: list[Key], bare: RunSettings, full: RunSettings) -> str:
    title = f"`{section}`" if section else "The run"
    lines = [
        f"## {title}",
        "",
        "| key | values | default | `argus_full` | meaning |",
        "|---|---|---|---|---|",
    ]
    for key in keys:
        default, now = _shown(value_at(bare, key.name)), _shown(value_at(full, key.name))
        now = "" if now == default else now
        lines.append(f"| `{key.name}` | {_values(key)} | {default} | {now} | {_cell(key.doc)} |")
    return "\n".join([*lines, ""])


def _values(key: Key) -> str:
    if key.name in CHOICES:
        return "one of " + ", ".join(CHOICES[key.name])
    if key.name in RANGES:
        kind = expected(key.kind)
        return f"{kind.partition(',')[0]}, {RANGES[key.name].words()}"
    return expected(key.kind)


def _shown(value: object) -> str:
    text = plain(value)
    if text == "":
        return "(empty)"
    return f"`{str(text).lower() if isinstance(text, bool) else text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")
