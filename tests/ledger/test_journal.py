import json
import math
from dataclasses import replace

import pandas as pd
import pytest

from argus_rl.core.errors import DataError, RunDirError
from argus_rl.ledger.events import EventKind, defenses_ordered, events_of
from argus_rl.ledger.frame import read_ledger, read_timings
from argus_rl.ledger.journal import LEDGER, Journal, note_timing
from argus_rl.ledger.reading import read_lines, read_records, read_run
from argus_rl.ledger.records import (
    SCHEMA,
    WeightSummary,
    reproducing_command,
    summarise_run,
    versions_here,
    without_folders,
)


def test_every_line_carries_schema_kind_and_episode(made_run, tmp_path):
    made_run.write(tmp_path, episodes=3)
    lines = [json.loads(line) for line in (tmp_path / LEDGER).read_bytes().splitlines()]
    assert {line["schema"] for line in lines} == {SCHEMA}
    assert [line["kind"] for line in lines[:2]] == ["run_header", "run_started"]
    assert [line["episode"] for line in lines if line["kind"] == "episode"] == [0, 1, 2]
    assert lines[-1]["kind"] == "run_finished"


def test_a_ledger_is_read_back_typed_and_whole(made_run, tmp_path):
    records = made_run.write(tmp_path)
    run = read_run(tmp_path)
    assert run.header == made_run.header()
    assert run.records == tuple(records) == read_records(tmp_path)
    assert run.warnings == ()
    expected = [event for record in records for event in made_run.events(record)]
    assert list(run.events[1:-1]) == expected


def test_equal_runs_leave_equal_bytes(made_run, tmp_path):
    for name in ("a", "b"):
        made_run.write(tmp_path / name)
    assert (tmp_path / "a" / LEDGER).read_bytes() == (tmp_path / "b" / LEDGER).read_bytes()


def test_no_line_names_a_folder_of_the_run(made_run, tmp_path):
    made_run.write(tmp_path)
    assert str(tmp_path).encode() not in (tmp_path / LEDGER).read_bytes()
    assert without_folders({"seed": 1, "run_dir": "x", "resume": "y"}) == {"seed": 1}
    words = ["+preset=smoke", "run_dir=/a", "resume=/b", "+run_dir=c", "seed=3"]
    assert reproducing_command(words) == "python -m argus_rl.train +preset=smoke seed=3"


def test_resuming_cuts_off_what_was_not_committed_and_goes_on(made_run, tmp_path):
    unbroken, broken = tmp_path / "a", tmp_path / "b"
    unbroken.mkdir()
    broken.mkdir()
    header, records = made_run.header(), [made_run.record(e) for e in range(3)]
    with Journal.start(unbroken, header) as journal:
        for record in records:
            journal.commit(record)
    with Journal.start(broken, header) as journal:
        good = journal.commit(records[0])
        journal.commit(records[2])
    with (broken / LEDGER).open("ab") as file:
        file.write(b'{"schema":1,"kin')
    with Journal.resume(broken, good) as journal:
        journal.commit(records[1])
        last = journal.commit(records[2])
    assert (broken / LEDGER).read_bytes() == (unbroken / LEDGER).read_bytes()
    assert last.length == (broken / LEDGER).stat().st_size


def test_resuming_another_ledger_is_refused(made_run, tmp_path):
    with Journal.start(tmp_path, made_run.header()) as journal:
        position = journal.commit(made_run.record(0))
    path = tmp_path / LEDGER
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(RunDirError, match="not the ledger of this checkpoint"):
        Journal.resume(tmp_path, position)
    path.write_bytes(b"#" + whole[1:])
    with pytest.raises(RunDirError, match="not the ledger of this checkpoint"):
        Journal.resume(tmp_path, position)
    assert path.read_bytes() == b"#" + whole[1:]


def test_a_record_that_cannot_be_written_leaves_the_ledger_alone(made_run, tmp_path):
    with Journal.start(tmp_path, made_run.header()) as journal:
        before = (tmp_path / LEDGER).read_bytes()
        broken = replace(made_run.record(0), skill="high")
        with pytest.raises(DataError, match=r"EpisodeRecord\.skill"):
            journal.commit(broken, made_run.events(made_run.record(0)))
        assert (tmp_path / LEDGER).read_bytes() == before
        assert journal.position.length == len(before)


def test_half_a_last_line_is_dropped_with_a_note(made_run, tmp_path):
    made_run.write(tmp_path, episodes=2)
    path = tmp_path / LEDGER
    path.write_bytes(path.read_bytes()[:-20])
    run = read_run(tmp_path)
    assert len(run.records) == 2
    assert "half written" in run.warnings[0]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (b"\x00\xff{", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b'{"schema":99}', "schema 99"),
        (b'{"schema":1,"kind":"party","episode":0,"data":{}}', "no known kind"),
        (b'{"schema":1,"kind":"episode","episode":0,"data":{}}', "missing episode"),
    ],
)
def test_a_damaged_line_is_named_and_skipped(made_run, tmp_path, damage, said):
    made_run.write(tmp_path, episodes=2)
    path = tmp_path / LEDGER
    lines = path.read_bytes().split(b"\n")
    lines.insert(2, damage)
    path.write_bytes(b"\n".join(lines))
    run = read_run(tmp_path)
    assert len(run.records) == 2
    assert len(run.warnings) == 1
    assert "line 3 skipped" in run.warnings[0]
    assert said in run.warnings[0]


def test_a_folder_without_a_ledger_is_no_run(made_run, tmp_path):
    with pytest.raises(RunDirError, match="not a folder"):
        read_lines(tmp_path / "nowhere")
    with pytest.raises(RunDirError, match=r"has no ledger\.jsonl"):
        read_lines(tmp_path)
    (tmp_path / LEDGER).touch()
    with pytest.raises(RunDirError, match="is empty"):
        read_run(tmp_path)
    (tmp_path / LEDGER).write_bytes(b"rubbish\n")
    with pytest.raises(RunDirError, match="no readable header"):
        read_run(tmp_path)


def test_the_ledger_is_one_call_away_from_pandas(made_run, tmp_path):
    records = made_run.write(tmp_path)
    frame = read_ledger(tmp_path)
    assert list(frame["epiplexity.gain"]) == [r.epiplexity.gain for r in records]
    assert frame.loc[7, "verdict.ruling"] == "refuse"
    assert frame.attrs["header"]["config"]["seed"] == 0
    fired = read_ledger(tmp_path, "detector_fired")
    assert set(fired["because.lie"]) >= {"A", "D", "E"}
    assert read_ledger(tmp_path, "rollback").loc[0, "episode"] == 7
    assert len(pd.read_json(tmp_path / LEDGER, lines=True)) > len(frame)
    with pytest.raises(ValueError, match="party"):
        read_ledger(tmp_path, "party")


def test_times_are_kept_apart_from_the_ledger(made_run, tmp_path):
    assert read_timings(tmp_path).empty
    note_timing(tmp_path, 0, {"solve": 1.5})
    note_timing(tmp_path, 1, {"solve": 2.5})
    assert list(read_timings(tmp_path)["solve"]) == [1.5, 2.5]


def test_events_say_what_happened_and_why_in_order(made_run):
    refused = events_of(made_run.record(7))
    kinds = [event.kind for event in refused]
    assert kinds[:2] == [EventKind.proposal_refused] * 2
    for kind in ("ercv_verdict", "rollback", "detector_fired", "attribution", "defense_applied"):
        assert kind in kinds
    assert kinds.index(EventKind.ercv_verdict) < kinds.index(EventKind.rollback)
    undone = next(event for event in refused if event.kind is EventKind.rollback)
    assert undone.because["before"] == undone.because["committed"] != undone.because["proposed"]
    assert undone.done == "restored weights, optimizer, replay"
    quiet = [event.kind for event in events_of(made_run.record(2))]
    assert EventKind.rollback not in quiet
    assert EventKind.attribution not in quiet
    assert EventKind.step_skipped in [event.kind for event in events_of(made_run.record(3))]


def test_a_defense_is_followed_by_what_it_did(made_run):
    ordered = defenses_ordered(made_run.record(4))
    assert ordered[0].done == "force_context: waits for the next episode"
    outcome = [
        e for e in made_run.events(made_run.record(5)) if e.kind is EventKind.defense_outcome
    ]
    assert len(outcome) == 1
    assert outcome[0].because["applied_in"] == 4
    assert "frontier share 0.12 to" in outcome[0].done


def test_weights_are_told_in_figures_that_keep_their_meaning():
    assert WeightSummary.of([1.0, 1.0, 1.0]).effective == pytest.approx(3.0)
    assert WeightSummary.of([10.0, 0.1, 0.1]).effective < 1.1
    assert WeightSummary.of([]) == WeightSummary(n=0, mean=0.0, low=0.0, high=0.0, effective=0.0)


def test_a_run_is_summed_up_by_counting(made_run):
    records = [made_run.record(e) for e in range(12)]
    summary = summarise_run(made_run.header(), records, verdict="No evidence.")
    assert (summary.episodes, summary.refusals, summary.underpowered) == (12, 1, 1)
    assert summary.firings == sum(len(r.bank.firings) for r in records) > 0
    assert math.isnan(summarise_run(made_run.header(), []).spsi)


def test_the_versions_that_can_change_a_run_are_known():
    found = versions_here(("numpy", "no-such-package-at-all"))
    assert set(found) == {"python", "numpy"}
