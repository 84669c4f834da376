"""A flag exists in three places or in none: the configuration, a part, and a switch in assembly."""

import ast
import dataclasses
from collections.abc import Iterable, Mapping

import pytest

from argus_rl.config.control import FLAGS, ControlSettings
from argus_rl.core.roles import PARTS
from tests.contracts.test_parts import ROOMS, modules_of

ASSEMBLY = "argus_rl/loops/assembly.py"


def flags_read(source: str, flags: Iterable[str] = FLAGS) -> set[str]:
    """Flags that a module reads: attributes of something called `control`."""
    known = set(flags)
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and node.attr in known
        and ast.unparse(node.value).rpartition(".")[2].endswith("control")
    }


def readers(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Modules outside the configuration and the assembly that read a flag."""
    read = {
        path: flags_read(text)
        for path, text in sources.items()
        if path != ASSEMBLY and not path.startswith("argus_rl/config/")
    }
    return {path: flags for path, flags in read.items() if flags}


def flags_of_parts() -> set[str]:
    for room in ROOMS.values():
        modules_of(room)
    ours = [part for part in PARTS.values() if part.module.startswith("argus_rl.")]
    return {part.flag for part in ours} | {part.unless for part in ours} - {""}


def test_the_list_of_flags_is_what_the_settings_declare():
    declared = [
        field.name
        for field in dataclasses.fields(ControlSettings)
        if isinstance(field.default, bool) or field.name == "capacity_growth"
    ]
    assert tuple(declared) == FLAGS


def test_every_flag_is_off_by_default():
    settings = ControlSettings()
    off = [f.name for f in dataclasses.fields(settings) if f.name in FLAGS and not f.default]
    assert tuple(off) == FLAGS


def test_every_flag_is_named_by_a_part_and_every_part_names_flags_that_exist():
    assert flags_of_parts() - {""} == set(FLAGS)


def test_every_flag_is_switched_in_the_assembly(sources: dict[str, str]):
    assert flags_read(sources[ASSEMBLY]) == set(FLAGS)


def test_nobody_else_reads_a_flag(sources: dict[str, str]):
    assert readers(sources) == {}


@pytest.mark.parametrize(
    "offence", ["if settings.control.spsi: pass", "x = self.control.ercv_rollback", "control.spsi"]
)
def test_a_planted_reader_of_a_flag_is_found(offence: str):
    assert readers({"argus_rl/loops/inner.py": offence}) != {}


def test_a_part_called_like_its_flag_is_no_reader():
    assert readers({"argus_rl/loops/outer.py": "parts.spsi(reading)"}) == {}
