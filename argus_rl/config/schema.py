"""From the command line to frozen `RunSettings`: the only file that knows Hydra and OmegaConf.

Hydra composes the groups and presets of `configs/`; single keys are laid over the result here, one
by one, so that every mistake in a command is found in one go and named by its dotted key. What
leaves this module is a frozen value; nothing below ever sees a DictConfig.

    argv -> words (flags, group options, keys) -> composed DictConfig -> RunSettings -> checks
"""

import copy
import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import hydra
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from argus_rl.config import help as help_page
from argus_rl.config.checks import (
    ConfigProblems,
    Note,
    Problem,
    check,
    range_problems,
    without_idle_flags,
)
from argus_rl.config.keys import all_keys, all_sections, expected, plain, value_at
from argus_rl.config.run import RunSettings
from argus_rl.config.words import Words, known_option, resumed, split_options, unknown_key
from argus_rl.core.errors import ArgusError
from argus_rl.core.values import Settings

CONFIGS = help_page.CONFIGS

ENTRY = "train"
"""The entry file in `configs/`."""

Saved = Callable[[str], Mapping[str, Any]]
"""Reads the plain settings of a run folder (its argument); raises `ArgusError` where it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A command, understood and checked."""

    settings: RunSettings
    notes: tuple[Note, ...]
    """What was asked for and has no effect."""


def run(main: Callable[[RunSettings], int], saved: Saved, argv: Sequence[str] | None = None) -> int:
    """The front door: understand the command, call `main` for each run it asks for.

    Args:
        main: does one run and returns its exit code.
        saved: reads the settings of a run folder, for `resume=`.
        argv: the words after the program's name; those of the process where None.

    Returns:
        0, or the highest exit code of the runs; 2 where the command cannot be understood.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        options, overrides = split_options(words)
        if "help" in options:
            sys.stdout.write(help_page.text())
            return 0
        if "multirun" in options:
            return _sweep(main, overrides)
        request = understand(overrides, saved=saved)
        if "cfg" in options:
            sys.stdout.write(OmegaConf.to_yaml(OmegaConf.create(describe(request.settings))))
            return 0
        return _one(main, request)
    except ArgusError as error:
        return _complain(error)


def load_settings(argv: Sequence[str], saved: Saved | None = None) -> RunSettings:
    """Return the settings of a command (single keys and groups, no sweep).

    Raises:
        ConfigProblems: with everything that is wrong with it.
    """
    return understand(argv, saved=saved).settings


def understand(
    overrides: Sequence[str], *, saved: Saved | None = None, strict_flags: bool = True
) -> Request:
    """Compose and check one run.

    Args:
        overrides: `group=option` and `dotted.key=value` words.
        saved: reads a run folder; without it `resume=` is taken as it stands.
        strict_flags: whether a flag set by hand that has nothing to work with is a problem.

    Raises:
        ConfigProblems: with everything that is wrong, not only the first.
    """
    words = _sort(overrides)
    composed = copy.deepcopy(_composed(tuple(words.groups.items())))
    problems = [*words.problems, *_assign(composed, words.values)]
    settings = _frozen(composed)
    if words.problems:
        raise ConfigProblems((*problems, *range_problems(settings)))
    asked = tuple(words.values) if strict_flags else ()
    found, notes = check(settings, asked)
    problems.extend(found)
    if problems:
        raise ConfigProblems(problems)
    if settings.resume and saved is not None:
        settings = resumed(settings, words, settings_from_plain(saved(settings.resume)))
        notes = ()
    return Request(settings=without_idle_flags(settings), notes=notes)


def describe(settings: Settings) -> dict[str, Any]:
    """Return settings as plain JSON values, for the ledger."""
    return cast("dict[str, Any]", plain(settings))


def settings_from_plain(config: Mapping[str, Any]) -> RunSettings:
    """Return the settings that `describe` wrote down; keys left out keep their defaults.

    Raises:
        ConfigProblems: for keys or values that this version does not know.
    """
    fresh = _fresh()
    values = dict(_leaves(config, ""))
    unknown = [unknown_key(key) for key in values if key not in all_keys()]
    known = {key: value for key, value in values.items() if key in all_keys()}
    problems = [*unknown, *_assign(fresh, known)]
    if problems:
        raise ConfigProblems(problems)
    return _frozen(fresh)


def words_of(settings: RunSettings) -> tuple[str, ...]:
    """Return the words that make `settings` again: its preset, and what differs from it.

    Folders of the run (`run_dir`, `resume`) are left out. `load_settings(words_of(s)) == s` for
    settings without them, whatever command, sweep or resumption they came from.
    """
    known = settings.preset in help_page.groups()["preset"]
    words = [f"+preset={settings.preset}"] if known else []
    base = load_settings(words)
    for name in all_keys():
        value = value_at(settings, name)
        if name not in ("run_dir", "resume") and value != value_at(base, name):
            words.append(f"{name}={_word(value)}")
    return tuple(words)


def _word(value: Any) -> str:
    value = plain(value)
    if isinstance(value, list):
        return "[" + ",".join(str(item) for item in cast("list[Any]", value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _one(main: Callable[[RunSettings], int], request: Request) -> int:
    for note in request.notes:
        sys.stderr.write(f"note: {note}\n")
    try:
        return main(request.settings)
    except ArgusError as error:
        return _complain(error)
    except KeyboardInterrupt:
        sys.stderr.write("stopped by hand; committed episodes are safe (resume=RUN_DIR)\n")
        return 130


def _complain(error: ArgusError) -> int:
    for line in str(error).splitlines():
        sys.stderr.write(f"error: {line}\n")
    return error.exit_code


# --- words of the command line --------------------------------------------------------------------


def _sort(overrides: Sequence[str]) -> Words:
    """Tell groups from keys and check both names and options; values are checked when assigned."""
    groups: dict[str, str] = {}
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    options = help_page.groups()
    for word in overrides:
        try:
            key, value = _parse(word)
            if key in groups or key in values:
                raise ConfigProblems([Problem(key=key, message="is given twice; keep one")])
            if key in options:
                groups[key] = known_option(key, value, options[key])
            elif key in all_keys():
                values[key] = value
            else:
                raise ConfigProblems([unknown_key(key)])
        except ConfigProblems as error:
            problems.extend(error.problems)
    return Words(groups=groups, values=values, problems=tuple(problems))


def _parse(word: str) -> tuple[str, Any]:
    """Return key and value of one word; a leading `+` is allowed and means nothing here."""
    name, equals, text = word.lstrip("+").partition("=")
    if not equals or not name:
        message = "not understood; write KEY=VALUE, for example seed=3 (see --help)"
        raise ConfigProblems([Problem(key=word, message=message)])
    if name.startswith("~"):
        message = "keys cannot be taken away; set them, for example KEY=false"
        raise ConfigProblems([Problem(key=name, message=message)])
    if name == "hydra" or name.startswith(("hydra.", "hydra/")):
        message = "has a meaning in sweeps with a launcher only (-m ... hydra/launcher=NAME)"
        raise ConfigProblems([Problem(key=name, message=message)])
    is_text = name in all_keys() and all_keys()[name].kind is str
    try:
        override = _override(word)
    except ConfigProblems:
        if not is_text:
            raise
        return name, text
    if override.is_sweep_override():
        if not is_text:
            message = f"{text} is several values; add -m to make one run of each"
            raise ConfigProblems([Problem(key=name, message=message)])
        return name, text
    return name, override.value()


def _override(word: str) -> Override:
    try:
        return OverridesParser.create().parse_override(word)
    except HydraException:
        key = word.lstrip("+").partition("=")[0]
        message = "its value is not understood; put it in quotes: " + f"{key}='\"VALUE\"'"
        raise ConfigProblems([Problem(key=key, message=message)]) from None


# --- composing ------------------------------------------------------------------------------------


def _fresh() -> DictConfig:
    """Return the typed defaults, thawed: Hydra cannot merge into frozen dataclasses."""
    config = OmegaConf.structured(RunSettings)
    _thaw(config)
    return config


def _thaw(node: DictConfig) -> None:
    OmegaConf.set_readonly(node, None)
    for key in node:
        child = node[key]
        if isinstance(child, DictConfig):
            _thaw(child)


@cache
def _composed(groups: tuple[tuple[str, str], ...]) -> DictConfig:
    """Let Hydra lay the named options of each group over the defaults; copy before changing."""
    ConfigStore.instance().store(name="run_settings", node=_fresh())
    plus = {"preset": "+"}
    overrides = [f"{plus.get(group, '')}{group}={option}" for group, option in groups]
    try:
        with hydra.initialize_config_dir(str(CONFIGS), version_base="1.3"):
            composed = hydra.compose(ENTRY, overrides)
    except (HydraException, OmegaConfBaseException) as error:
        first = str(error).strip().splitlines()[0]
        raise ConfigProblems([Problem(key=str(CONFIGS), message=first)]) from None
    return composed


def _assign(config: DictConfig, values: Mapping[str, Any]) -> list[Problem]:
    """Set each key in place; return a problem for each value of the wrong type."""
    problems: list[Problem] = []
    for key, value in values.items():
        kind, before = all_keys()[key].kind, OmegaConf.select(config, key)
        try:
            OmegaConf.update(config, key, value)
            OmegaConf.select(config, key, throw_on_missing=True)
        except OmegaConfBaseException:
            OmegaConf.update(config, key, before)
            problems.append(Problem(key=key, message=f"must be {expected(kind)}, not {value!r}"))
    return problems


def _frozen(config: DictConfig) -> RunSettings:
    """Turn a composed configuration into frozen settings; tuples come back as tuples."""
    return cast("RunSettings", _with_tuples(OmegaConf.to_object(config)))


def _with_tuples(value: Any) -> Any:
    if isinstance(value, Settings):
        parts = {
            field.name: _with_tuples(value_at(value, field.name))
            for field in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **parts)
    return tuple(cast("list[Any]", value)) if isinstance(value, list | ListConfig) else value


def _leaves(config: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in config.items():
        key = prefix + str(name)
        if isinstance(value, Mapping) and key in all_sections():
            yield from _leaves(cast("Mapping[str, Any]", value), key + ".")
        else:
            yield key, value


# --- sweeps ---------------------------------------------------------------------------------------


def _sweep(main: Callable[[RunSettings], int], words: Sequence[str]) -> int:
    """Run every combination of the values given, one after another, or by a Hydra launcher."""
    overrides = [word for word in words if not word.startswith(("hydra/", "hydra."))]
    points = list(itertools.product(*(_values(word) for word in overrides)))
    requests: dict[tuple[str, ...], Request] = {}
    problems: dict[Problem, None] = {}
    for point in points:
        try:
            requests[point] = understand(point, strict_flags=False)
        except ConfigProblems as error:
            problems.update(dict.fromkeys(error.problems))
    if any(request.settings.run_dir or request.settings.resume for request in requests.values()):
        message = "a sweep makes a folder for each run; leave run_dir and resume away"
        problems[Problem(key="run_dir", message=message)] = None
    if problems:
        raise ConfigProblems(tuple(problems))
    if len(overrides) < len(words):
        return _launch(main, words)
    codes = [0]
    for number, (point, request) in enumerate(requests.items(), start=1):
        sys.stdout.write(f"[{number}/{len(requests)}] {' '.join(point)}\n")
        codes.append(_one(main, request))
        if codes[-1] == 130:
            break
    return max(codes)


def _values(word: str) -> list[str]:
    """Return the words that one word of a sweep stands for: `seed=0,1` gives two."""
    try:
        override = _override(word)
    except ConfigProblems:
        return [word]
    if not override.is_sweep_override():
        return [word]
    if not override.is_discrete_sweep():
        message = "list the values (a,b,c) or write range(a,b)"
        raise ConfigProblems([Problem(key=override.key_or_group, message=message)])
    return [f"{override.get_key_element()}={value}" for value in override.sweep_string_iterator()]


def _launch(main: Callable[[RunSettings], int], words: Sequence[str]) -> int:
    """Hand a checked sweep to Hydra, whose launchers spread it over processes or a cluster.

    Hydra reports a job that failed and ends the process with exit code 1.
    """

    def job(config: DictConfig) -> None:
        settings = without_idle_flags(_frozen(config))
        code = _one(main, Request(settings=settings, notes=()))
        if code:
            raise ArgusError(f"the run ended with exit code {code}")

    saved_argv = sys.argv
    sys.argv = [saved_argv[0], "-m", *words]
    try:
        hydra.main(version_base="1.3", config_path=str(CONFIGS), config_name=ENTRY)(job)()
    finally:
        sys.argv = saved_argv
    return 0
