import importlib.util
from pathlib import Path

import pytest

from argus_rl.report import PAGE, main

MADE_RUN = Path(__file__).parent / "ledger" / "made_run.py"


@pytest.fixture(scope="module")
def made_run():
    spec = importlib.util.spec_from_file_location("made_run", MADE_RUN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_run_becomes_one_page_with_its_verdict(made_run, tmp_path, capsys):
    made_run.write(tmp_path / "run")
    picture = tmp_path / "gauges.png"
    assert main([str(tmp_path / "run"), "--png", str(picture)]) == 0
    html = (tmp_path / "run" / PAGE).read_text(encoding="utf-8")
    assert '<h1 class="improved">Improved</h1>' in html
    assert "level 8" in html
    assert picture.is_file()
    said = capsys.readouterr()
    assert said.out.startswith("wrote ")
    assert said.err == ""


def test_the_same_run_gives_the_same_page(made_run, tmp_path):
    made_run.write(tmp_path)
    pages = [tmp_path / "a.html", tmp_path / "a.html"]
    read: list[bytes] = []
    for path in pages:
        assert main([str(tmp_path), "--out", str(path)]) == 0
        read.append(path.read_bytes())
    assert read[0] == read[1]


def damaged(folder: Path) -> None:
    path = folder / "evaluation_after.json"
    path.write_text("{", encoding="utf-8")


BAD = {
    "no folder": (lambda f: [str(f / "nowhere")], "is not a folder"),
    "no run": (lambda f: [str(f.parent)], "is not a run folder"),
    "empty ledger": (lambda f: ((f / "ledger.jsonl").write_text(""), [str(f)])[1], "is empty"),
    "no header": (lambda f: ((f / "ledger.jsonl").write_text("{}\n"), [str(f)])[1], "no readable"),
    "out is a folder": (lambda f: [str(f), "--out", str(f)], "cannot be written"),
    "out is nowhere": (lambda f: [str(f), "--out", str(f / "no" / "x.html")], "cannot be written"),
    "png is nowhere": (lambda f: [str(f), "--png", str(f / "no" / "x.png")], "cannot be written"),
    "evaluation": (lambda f: (damaged(f), [str(f)])[1], "evaluation_after.json is not valid JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_request_is_one_line_and_exit_code_2(made_run, tmp_path, capsys, case):
    made_run.write(tmp_path / "run", episodes=2)
    words, said = BAD[case]
    assert main(words(tmp_path / "run")) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert said in error


def test_an_unknown_word_is_refused_with_exit_code_2(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["x", "--to", "paper"])
    assert stop.value.code == 2
    assert "invalid choice" in capsys.readouterr().err


def test_a_damaged_line_is_named_and_the_page_is_made_without_it(made_run, tmp_path, capsys):
    made_run.write(tmp_path, episodes=3)
    path = tmp_path / "ledger.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[4] = b"{rubbish"
    path.write_bytes(b"\n".join(lines))
    assert main([str(tmp_path)]) == 0
    assert "warning: ledger.jsonl line 5 skipped" in capsys.readouterr().err
    assert "ledger.jsonl line 5 skipped" in (tmp_path / PAGE).read_text(encoding="utf-8")


def test_a_run_without_episodes_has_a_page_and_no_picture(made_run, tmp_path, capsys):
    made_run.write(tmp_path, episodes=0)
    assert main([str(tmp_path)]) == 0
    assert main([str(tmp_path), "--png", str(tmp_path / "x.png")]) == 2
    assert "no episode yet" in capsys.readouterr().err
