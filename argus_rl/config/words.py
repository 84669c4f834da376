"""The words of a command that need no Hydra: options with a dash, names, and what resuming allows.

A word is an option (`-m`), a group's option (`model=hf`) or a key (`seed=3`). A resumed run keeps
the configuration that its folder holds; a command may repeat it, but change only what cannot touch
the result: where figures are tracked, how many checkpoints are kept, and more episodes.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from argus_rl.config import help as help_page
from argus_rl.config.checks import ConfigProblems, Problem
from argus_rl.config.keys import all_keys, all_sections, nearest, value_at
from argus_rl.config.run import RunSettings

GROWS_ON_RESUME = "episodes"
FREE_ON_RESUME = (
    "resume",
    "keep_checkpoints",
    "tracking.mode",
    "tracking.project",
    "tracking.name",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A command line, sorted."""

    groups: dict[str, str]
    """Option of each group that was named (`preset`, `model`, ...)."""
    values: dict[str, Any]
    """Value of each dotted key that was set."""
    problems: tuple[Problem, ...]


def split_options(words: Sequence[str]) -> tuple[frozenset[str], list[str]]:
    """Split off the options that begin with a dash."""
    known = {"-h": "help", "--help": "help", "-m": "multirun", "--multirun": "multirun"}
    options: set[str] = set()
    overrides: list[str] = []
    problems: list[Problem] = []
    rest = iter(words)
    for word in rest:
        if word in known:
            options.add(known[word])
        elif word in ("--cfg", "-c", "--cfg=job"):
            options.add("cfg")
            if word != "--cfg=job" and next(rest, "") != "job":
                problems.append(Problem(key=word, message="write --cfg job"))
        elif word.startswith("-"):
            message = "no such option; there are --help, --cfg job and -m"
            problems.append(Problem(key=word, message=message))
        else:
            overrides.append(word)
    if {"cfg", "multirun"} <= options:
        problems.append(Problem(key="--cfg", message="shows one run; leave -m away"))
    if problems and "help" not in options:
        raise ConfigProblems(problems)
    return frozenset(options), overrides


def known_option(group: str, value: Any, known: Sequence[str]) -> str:
    if value is False and "off" in known:
        return "off"
    option = str(value)
    if option not in known:
        close = nearest(option, known)
        hint = f"did you mean {close}? " if close else ""
        message = f"no option {option!r}; {hint}there are {', '.join(known)}"
        raise ConfigProblems([Problem(key=group, message=message)])
    return option


def unknown_key(key: str) -> Problem:
    if key in all_sections():
        example = next(name for name in all_keys() if name.startswith(key + "."))
        return Problem(key=key, message=f"holds several keys; set one of them, such as {example}")
    close = nearest(key, [*all_keys(), *help_page.groups()])
    hint = f"did you mean {close}?" if close else "see docs/flags.md, or --help"
    return Problem(key=key, message=f"no such key; {hint}")


def resumed(asked: RunSettings, words: Words, before: RunSettings) -> RunSettings:
    """Return the settings that a run goes on with: its own, and what may be changed harmlessly."""
    problems: list[Problem] = []
    for group, option in words.groups.items():
        if not (group == "tracking" or (group == "preset" and option == before.preset)):
            message = f"a resumed run keeps its own (preset {before.preset!r}); leave it away"
            problems.append(Problem(key=group, message=message))
    for key in words.values:
        old, new = value_at(before, key), value_at(asked, key)
        if key == GROWS_ON_RESUME and new < old:
            message = f"the run was planned for {old}; a resumed run may only get more"
            problems.append(Problem(key=key, message=message))
        elif key not in (GROWS_ON_RESUME, *FREE_ON_RESUME) and new != old:
            message = f"is {old!r} in that run and stays so; leave it away"
            problems.append(Problem(key=key, message=message))
    if problems:
        raise ConfigProblems(problems)
    changed = {key: value_at(asked, key) for key in words.values if "." not in key}
    by_hand = "tracking" in words.groups or any(key.startswith("tracking.") for key in words.values)
    tracking = asked.tracking if by_hand else before.tracking
    return dataclasses.replace(before, **changed, run_dir="", tracking=tracking)
