"""Size and manners are promises: small files, short functions, annotations, no hidden doors."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

MAX_FILE = 400
MAX_FUNCTION = 60
FRONT_DOORS = {f"argus_rl/{n}.py" for n in ("train", "evaluate", "compare", "calibrate", "report")}
"""May import inside a function, so that their help page loads nothing heavy."""
CATCHES_BROADLY = {"argus_rl/core/errors.py"}
READS_BY_NAME = {"argus_rl/config/keys.py"}
"""May use getattr: a dotted key is a name that is known at run time alone."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def offences(path: str, text: str) -> list[str]:
    """What a module does that no module of the package should."""
    tree = ast.parse(text)
    found = [f"{path}:{n}: {what}" for n, what in _of_tree(path, tree)]
    lines = len(text.splitlines())
    if lines > MAX_FILE:
        found.append(f"{path}: {lines} lines")
    if not ast.get_docstring(tree):
        found.append(f"{path}: no docstring")
    is_package = path.endswith("__init__.py")
    if is_package and any(not isinstance(node, ast.Expr) for node in tree.body):
        found.append(f"{path}: a package is one docstring")
    return found


def _of_tree(path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for function in functions(tree):
        yield from _of_function(path, function)
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(level=level) if level:
                yield node.lineno, "a relative import"
            case ast.ExceptHandler(body=[*_, ast.Raise(exc=None)]):
                pass
            case ast.ExceptHandler(type=None) if path not in CATCHES_BROADLY:
                yield node.lineno, "a bare except"
            case ast.ExceptHandler(type=ast.Name(id="Exception" | "BaseException")) if (
                path not in CATCHES_BROADLY
            ):
                yield node.lineno, "catches Exception"
            case ast.Call(func=ast.Name(id="getattr" | "hasattr" | "setattr" as name)) if (
                path not in READS_BY_NAME
            ):
                yield node.lineno, name
            case ast.Call(func=ast.Attribute() as called) if _is_global_seeder(called):
                yield node.lineno, "a global seeder"
            case ast.Raise(exc=ast.Name(id="NotImplementedError")):
                yield node.lineno, "not implemented"
            case _:
                pass


def _of_function(path: str, function: Function) -> Iterator[tuple[int, str]]:
    length = (function.end_lineno or 0) - function.lineno + 1
    if length > MAX_FUNCTION:
        yield function.lineno, f"{function.name} has {length} lines"
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    bare = [a.arg for a in every if a.annotation is None and a.arg not in ("self", "cls")]
    if bare or function.returns is None:
        yield function.lineno, f"{function.name} is not annotated"
    inner = (node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom))
    if path not in FRONT_DOORS:
        yield from ((node.lineno, f"{function.name} imports inside") for node in inner)


def _is_global_seeder(called: ast.Attribute) -> bool:
    name = ast.unparse(called)
    return bool(
        re.fullmatch(
            r"(torch(\.cuda|\.random)?\.manual_seed(_all)?|(np|numpy)\.random\.seed"
            r"|random\.seed|(transformers\.)?set_seed)",
            name,
        )
    )


def test_every_module_keeps_the_shape(sources: dict[str, str]):
    found = [what for path, text in sources.items() for what in offences(path, text)]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n" * 401, "401 lines"),
        ("x = 1\n", "no docstring"),
        ("def f() -> None:\n" + "    x = 1\n" * 60, "f has 61 lines"),
        ("def f(x) -> int: ...", "f is not annotated"),
        ("def f(x: int): ...", "f is not annotated"),
        ("def f(*, x) -> int: ...", "f is not annotated"),
        ("from . import values", "a relative import"),
        ("def f() -> None:\n    import torch", "f imports inside"),
        ("try: pass\nexcept Exception: pass", "catches Exception"),
        ("try: pass\nexcept: pass", "a bare except"),
        ("getattr(settings, 'x', 1)", "getattr"),
        ("torch.manual_seed(0)", "a global seeder"),
        ("np.random.seed(0)", "a global seeder"),
        ("random.seed(0)", "a global seeder"),
        ("torch.cuda.manual_seed_all(0)", "a global seeder"),
        ("def f() -> None:\n    raise NotImplementedError", "not implemented"),
    ],
)
def test_a_planted_offence_against_the_shape_is_found(text: str, told: str):
    assert any(told in what for what in offences("argus_rl/sensors/planted.py", text))


def test_a_package_that_re_exports_is_found():
    text = '"""A room."""\nfrom argus_rl.core import rng\n'
    assert offences("argus_rl/core/__init__.py", text) == [
        "argus_rl/core/__init__.py: a package is one docstring"
    ]


def test_cleaning_up_and_raising_again_is_no_broad_catch():
    text = '"""Fine."""\ntry:\n    x = 1\nexcept BaseException:\n    x = 2\n    raise\n'
    assert offences("argus_rl/ledger/planted.py", text) == []


def test_a_stream_of_ones_own_is_no_global_seeder():
    text = '"""Fine."""\ngenerator = torch.Generator().manual_seed(3)\n'
    assert offences("argus_rl/model/planted.py", text) == []


LINT_OFFENCES = '''"""Planted."""
import datetime
import os
import torch
from . import thing
def f(a, b: int, c: int, d: int, e: int, g: int, h: int, i: int) -> int:
    print(a)
    torch.manual_seed(0)
    try:
        return eval("1")
    except Exception:
        pass
    return 0
def wide(flag: bool) -> int:
    x = 0
    if flag: x += 1
    for i in range(3):
        if i: x += 1
        elif x: x += 2
        elif x > 3: x += 2
        elif x > 4: x += 2
        while x:
            if x > 9: break
            if x > 8: continue
            if x > 7 and flag or i: x -= 1
    return x or (1 if flag else 2)
# x = 1
now = datetime.datetime.now()
name = open(os.path.join("a", "b"))
y = 3  # type: ignore
long = "LONG"
'''.replace("LONG", 100 * "a")


def test_the_linter_of_the_project_finds_planted_offences(root: Path):
    command = [sys.executable, "-m", "ruff", "check", "--output-format", "json", "--no-cache"]
    done = subprocess.run(
        [*command, "--stdin-filename", "argus_rl/sensors/planted.py", "-"],
        cwd=root,
        input=LINT_OFFENCES,
        check=False,
        capture_output=True,
        text=True,
    )
    codes = {item["code"] for item in json.loads(done.stdout)}
    wanted = {
        "ANN001", "BLE001", "C901", "DTZ005", "ERA001", "FBT001", "PGH003", "PLR0913", "PTH118",
        "S307", "T201", "TID251", "TID252", "E501",
    }  # fmt: skip
    assert wanted <= codes, wanted - codes


# --- what no tracked file says --------------------------------------------------------------------

PRIVATE = re.compile(
    "|".join(
        [
            r"(?<![\w.])/(?:" + "work|tmp/w|root|home|opt" + r")/[\w.]",
            "py" + r"pi\.org",
            "python" + "hosted",
            r"download\.py" + "torch",
            r"extra-index-" + "url",
            r"\bTO" + r"DO\b",
        ]
    )
)
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".yaml",
    ".yml",
    ".txt",
    ".cfg",
    ".json",
    ".ipynb",
    ".sh",
    ".html",
    "",
}


def private_words(path: str, text: str) -> list[str]:
    return [
        f"{path}:{number}: {match.group()}"
        for number, line in enumerate(text.splitlines(), start=1)
        for match in PRIVATE.finditer(line)
    ]


def test_no_tracked_file_names_a_machine_or_a_registry(tracked: tuple[Path, ...], root: Path):
    found: list[str] = []
    for path in tracked:
        if path.suffix in TEXT and path.name != "LICENSE" and path != Path(__file__):
            text = path.read_text(encoding="utf-8", errors="replace")
            found += private_words(str(path.relative_to(root)), text)
    assert found == []


@pytest.mark.parametrize(
    "line",
    ["see /" + "work/main/x", "DIR=/" + "home/me", "https://py" + "pi.org/x", "# TO" + "DO later"],
)
def test_a_planted_private_word_is_found(line: str):
    assert private_words("README.md", line) != []


def test_an_ordinary_path_is_not_private():
    assert private_words("README.md", "frameworks/x a/work/b ./runs/x /home tmp/work") == []
