"""Runs against runs: conditions, pairing over seeds, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from argus_rl.core.errors import DataError, RunDirError
from argus_rl.evaluation.comparison import (
    compare_changes,
    compare_runs,
    comparison_to_json,
)
from argus_rl.evaluation.files import (
    EVALUATION_AFTER,
    RUN_CONFIG,
    run_folders,
)
from argus_rl.evaluation.runs import condition_names, read_run


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def read_all(folder: Path):
    return [read_run(run) for run in run_folders(folder)]


def test_a_preset_that_gains_is_higher_than_the_baseline_where_it_gained(sweep):
    table = compare_runs(read_all(sweep), stream())
    reference, full = table.conditions
    assert (table.reference, reference.name, full.name) == ("baseline", "baseline", "argus_full")
    scopes = {scope.scope: scope for scope in full.scopes}
    assert scopes["harder"].against.word == "higher"
    assert scopes["harder"].against.value == pytest.approx(0.3, abs=0.05)
    assert scopes["harder"].against.paired_seeds == 5
    assert scopes["easy"].against.word == "no evidence"
    assert [s.scope for s in full.scopes][3:] == ["level 1", "level 2", "level 3", "level 4"]
    assert reference.scopes[0].against is None


def test_change_is_after_minus_before_run_by_run(sweep):
    runs = read_all(sweep)
    full = compare_runs(runs, stream()).conditions[1]
    for scope in full.scopes:
        by_seed = dict(scope.change.values)
        for run in runs:
            if run.preset == "argus_full":
                gain = run.after[scope.scope] - run.before[scope.scope]
                assert by_seed[run.seed] == pytest.approx(gain)


def test_numbers_of_the_summaries_are_averaged_with_an_interval(sweep):
    full = compare_runs(read_all(sweep), stream()).conditions[1]
    assert full.figures["wasted_share"].value == pytest.approx(0.12)
    assert full.figures["wasted_share"].interval.contains(0.13)
    assert full.figures["refusals.right"].value == 2.0
    assert "refusals.note" not in full.figures


def test_another_reference_turns_the_difference(sweep):
    runs = read_all(sweep)
    forth = compare_runs(runs, stream()).conditions[1].scopes[0].against
    back = compare_runs(runs, stream(), "argus_full").conditions[1].scopes[0].against
    assert back.value == pytest.approx(-forth.value)
    with pytest.raises(RunDirError, match=r"no run is of 'rzero'.*baseline; argus_full"):
        compare_runs(runs, stream(), "rzero")


def test_an_ablation_is_told_apart_from_its_preset(tmp_path, run_of):
    for seed in range(3):
        for refusing in (True, False):
            run_of(
                tmp_path / f"{refusing}-{seed}",
                "argus_full",
                seed,
                0.1,
                settings={"control": {"ercv_rollback": refusing}, "tracking": {"name": str(seed)}},
            )
    runs = read_all(tmp_path)
    assert set(condition_names(runs)) == {
        "argus_full, control.ercv_rollback=True",
        "argus_full, control.ercv_rollback=False",
    }
    table = compare_runs(runs, stream(), "argus_full, control.ercv_rollback=True")
    assert len(table.conditions) == 2
    with pytest.raises(RunDirError, match="several conditions are of 'argus_full'"):
        compare_runs(runs, stream(), "argus_full")


def test_where_runs_were_written_and_how_they_were_tracked_tells_nothing_apart(tmp_path, run_of):
    for seed in range(2):
        settings = {
            "tracking": {"mode": f"m{seed}"},
            "model": {"threads": seed, "kind": "embedded"},
        }
        run_of(tmp_path / str(seed), "smoke", seed, 0.0, settings=settings)
    assert set(condition_names(read_all(tmp_path))) == {"smoke"}


def test_runs_on_different_items_are_refused_with_the_reason(tmp_path, run_of):
    run_of(tmp_path / "a", "baseline", 0, 0.0)
    run_of(tmp_path / "b", "baseline", 1, 0.0, name="other")
    with pytest.raises(RunDirError, match=r"different held-out items .*0 in common"):
        compare_runs(read_all(tmp_path), stream())


def test_the_same_seed_twice_is_no_second_seed(tmp_path, run_of):
    run_of(tmp_path / "a", "baseline", 4, 0.0)
    run_of(tmp_path / "b", "baseline", 4, 0.0)
    with pytest.raises(RunDirError, match="both baseline with seed 4"):
        compare_runs(read_all(tmp_path), stream())


def test_one_seed_has_no_interval_and_says_so(tmp_path, run_of):
    run_of(tmp_path / "a", "baseline", 0, 0.0)
    run_of(tmp_path / "b", "argus_full", 0, 0.5)
    table = compare_runs(read_all(tmp_path), stream())
    assert table.conditions[1].scopes[0].after.interval is None
    assert table.conditions[1].scopes[0].against.word == "no evidence"
    assert any("one seed: intervals over seeds cannot be had" in note for note in table.notes)


def test_two_seeds_claim_nothing_however_far_apart(tmp_path, run_of):
    for seed in range(2):
        run_of(tmp_path / f"a{seed}", "baseline", seed, 0.0)
        run_of(tmp_path / f"b{seed}", "argus_full", seed, 0.6)
    table = compare_runs(read_all(tmp_path), stream())
    assert all(scope.against.word == "no evidence" for scope in table.conditions[1].scopes)
    assert any("nothing is claimed below 3" in note for note in table.notes)


def test_seeds_that_only_one_side_has_are_left_out_of_the_pairs():
    against = compare_changes({0: 0.0, 1: 0.1, 2: 0.2}, {1: 0.3, 2: 0.4, 9: 5.0}, stream())
    assert against.paired_seeds == 2
    assert against.value == pytest.approx(0.2)
    apart = compare_changes({0: 0.0, 1: 0.1, 2: 0.2}, {5: 0.3, 6: 0.4, 7: 0.5}, stream())
    assert apart.paired_seeds == 0
    assert apart.value == pytest.approx(0.3)


def test_with_nothing_gained_a_difference_is_claimed_in_about_one_case_of_twenty():
    rng, claims = stream(3), 0
    for _ in range(300):
        first, second = (dict(enumerate(rng.normal(size=5))) for _ in range(2))
        claims += compare_changes(first, second, rng).word != "no evidence"
    assert claims / 300 < 0.09


def test_equal_generators_give_equal_tables_and_strict_json(sweep):
    runs = read_all(sweep)
    table = compare_runs(runs, stream(2))
    assert table == compare_runs(runs, stream(2))
    text = json.dumps(comparison_to_json(table), allow_nan=False)
    assert json.loads(text)["conditions"][1]["scopes"][2]["against"]["word"] == "higher"


def test_sweep_folders_are_searched_and_other_folders_refused(sweep, tmp_path):
    assert len(run_folders(sweep)) == 10
    assert run_folders(sweep / "base-0") == (sweep / "base-0",)
    empty = tmp_path / "empty" / "deeper"
    empty.mkdir(parents=True)
    with pytest.raises(RunDirError, match=r"has no config\.json"):
        run_folders(empty)
    with pytest.raises(RunDirError, match="is not a folder"):
        run_folders(sweep / "nowhere")


def test_an_unfinished_run_is_named_with_what_it_lacks(tmp_path, run_of):
    run = run_of(tmp_path / "a", "baseline", 0, 0.0)
    (run / EVALUATION_AFTER).unlink()
    with pytest.raises(RunDirError, match=r"not finished: it has no evaluation_after\.json"):
        read_run(run)


@pytest.mark.parametrize("config", [{"seed": 0}, {"preset": "x", "seed": "0"}, {"preset": "x"}])
def test_a_configuration_without_preset_or_seed_is_refused(tmp_path, run_of, config):
    run = run_of(tmp_path / "a", "baseline", 0, 0.0)
    (run / RUN_CONFIG).write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(RunDirError, match="needs a text `preset` and a whole number `seed`"):
        read_run(run)


def test_a_damaged_evaluation_is_named(tmp_path, run_of):
    run = run_of(tmp_path / "a", "baseline", 0, 0.0)
    (run / EVALUATION_AFTER).write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"evaluation_after\.json is not valid JSON"):
        read_run(run)
