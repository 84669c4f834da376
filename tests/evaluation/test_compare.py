"""The front door: tables, sentences and files on success, one line and exit code 2 on failure."""

import json
import subprocess
import sys

import pytest

from argus_rl.compare import main
from argus_rl.evaluation.files import EVALUATION_AFTER


def one_line(text: str) -> str:
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    assert "Traceback" not in text
    return lines[0]


def test_a_sweep_is_compared_in_tables_and_words(sweep, capsys):
    assert main([str(sweep)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    for text in ("Held-out accuracy", "argus_full", "baseline", "wasted_share", "harder (80)"):
        assert text in shown.out
    assert "argus_full against baseline, change in accuracy (paired over seeds: 5):" in shown.out
    assert "harder: higher, +" in shown.out


def test_figures_and_picture_are_written(sweep, tmp_path, capsys):
    table, picture = tmp_path / "out.json", tmp_path / "out.png"
    assert main([str(sweep), "--json", str(table), "--plot", str(picture)]) == 0
    capsys.readouterr()
    assert json.loads(table.read_text(encoding="utf-8"))["reference"] == "baseline"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000


def test_a_run_given_twice_counts_once(sweep, capsys):
    assert main([str(sweep), str(sweep / "base-0"), str(sweep)]) == 0
    assert "5" in capsys.readouterr().out


def test_an_unfinished_run_is_skipped_by_name_and_the_rest_compared(sweep, capsys):
    (sweep / "full-3" / EVALUATION_AFTER).unlink()
    assert main([str(sweep)]) == 0
    shown = capsys.readouterr()
    line = one_line(shown.err)
    assert "skipped" in line
    assert "full-3" in line
    assert "not finished" in line
    assert "shares with the reference" not in shown.out


def test_only_unfinished_runs_are_an_error(tmp_path, run_of, capsys):
    (run_of(tmp_path / "a", "baseline", 0, 0.0) / EVALUATION_AFTER).unlink()
    assert main([str(tmp_path)]) == 2
    assert "no finished run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["{sweep}/nowhere"], "is not a folder"),
        (["{sweep}/hollow"], "has no config.json"),
        (["{sweep}", "--reference", "rzero"], "no run is of 'rzero'"),
        (["{sweep}", "--json", "{sweep}/none/out.json"], "cannot be written"),
        (["{sweep}", "--plot", "{sweep}/none/out.png"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_gives_one_line_and_exit_code_2(sweep, capsys, arguments, complaint):
    (sweep / "hollow").mkdir()
    assert main([argument.format(sweep=sweep) for argument in arguments]) == 2
    shown = capsys.readouterr()
    assert complaint in one_line(shown.err)
    assert shown.out == ""


def test_different_held_out_items_give_one_line_and_exit_code_2(tmp_path, run_of, capsys):
    run_of(tmp_path / "a", "baseline", 0, 0.0)
    run_of(tmp_path / "b", "argus_full", 0, 0.0, name="other")
    assert main([str(tmp_path)]) == 2
    assert "different held-out items" in one_line(capsys.readouterr().err)


def test_one_seed_is_shown_without_an_interval_and_says_so(tmp_path, run_of, capsys):
    assert main([str(run_of(tmp_path / "a", "baseline", 0, 0.0))]) == 0
    shown = capsys.readouterr().out
    assert "(one seed)" in shown
    assert "intervals over seeds cannot be had" in shown


@pytest.mark.parametrize("arguments", [[], ["x", "--plot", "out.bmp"], ["x", "--refrence", "a"]])
def test_a_wrong_command_line_ends_with_exit_code_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_help_teaches_and_loads_no_torch():
    code = (
        "import sys\nfrom argus_rl.compare import build_parser\n"
        "print(build_parser().format_help())\nassert 'torch' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    for text in ("--reference", "examples:", "interquartile mean", "exit codes"):
        assert text in done.stdout
