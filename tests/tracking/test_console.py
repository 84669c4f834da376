import dataclasses
import io
from pathlib import Path

from rich.console import Console

from argus_rl.ledger.reading import read_run
from argus_rl.ledger.records import summarise_run
from argus_rl.tracking.console import ConsoleSink, episode_line, retest_text
from argus_rl.tracking.sink import Sinks, feed

RUN_DIR = Path("runs/demo")


def shown(run, terminal: bool, verdict: str = "No evidence.") -> str:
    """What a whole run prints."""
    console = Console(file=io.StringIO(), force_terminal=terminal, width=160)
    sink = ConsoleSink(console, RUN_DIR)
    sink.phase(0, "propose", 0.5)
    feed(Sinks([sink]), run, summarise_run(run.header, run.records, verdict=verdict), {
        -1: {"eval/all/mean": 0.5, "eval/all/mean_low": 0.45, "eval/all/mean_high": 0.55},
    })  # fmt: skip
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_line_holds_zones_both_gauges_with_intervals_verdict_firings_and_health(records):
    line = episode_line(records[7])
    for part in ("easy", "frontier", "hard", "epi +0.053", "retest -0.175", "n=48", "REFUSED 1.00"):
        assert part in line
    assert "fired D" in line
    assert "SPSI +0.18" in line
    assert "accepted" in episode_line(records[2])
    assert "underpowered" in episode_line(records[0])
    assert "skipped 1 non-finite" in episode_line(records[3])


def test_a_trend_without_an_error_is_not_given_one(records):
    retest = records[0].retest
    assert "[" in retest_text(retest)
    assert retest_text(dataclasses.replace(retest, n=0)) == "none yet"
    assert "[" not in retest_text(dataclasses.replace(retest, n=1))


def test_a_file_gets_plain_lines_and_no_bar(made_run, tmp_path):
    made_run.write(tmp_path)
    text = shown(read_run(tmp_path), terminal=False)
    assert "\x1b" not in text
    assert "episode 1 of" not in text
    assert len([line for line in text.splitlines() if line.startswith("ep ")]) == 12
    assert "held-out accuracy before the run: 50.0 % [45.0, 55.0]" in text


def test_the_end_says_the_verdict_where_the_ledger_lies_and_what_to_type(made_run, tmp_path):
    made_run.write(tmp_path)
    for terminal in (False, True):
        text = shown(read_run(tmp_path), terminal, "Improved: by [a lot].")
        assert "Improved: by [a lot]." in text
        assert "runs/demo/ledger.jsonl" in text
        assert "python -m argus_rl.compare runs/demo" in text
    assert "nothing can be claimed" in shown(read_run(tmp_path), False, "")


def test_a_terminal_gets_a_bar_for_the_phase_at_work(made_run, tmp_path):
    made_run.write(tmp_path, episodes=2)
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    sink = ConsoleSink(console, RUN_DIR)
    sink.started(made_run.header())
    sink.phase(3, "solve", 0.4)
    sink.close()
    sink.close()
    assert isinstance(console.file, io.StringIO)
    assert "episode 4 of 12" in console.file.getvalue()
    assert "solve" in console.file.getvalue()
