"""A command becomes frozen settings, or a list of everything that is wrong with it."""

import contextlib
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argus_rl.config.checks import ConfigProblems
from argus_rl.config.control import FLAGS, ControlSettings
from argus_rl.config.help import groups
from argus_rl.config.keys import all_keys, value_at
from argus_rl.config.run import ModelKind, Proposing, RunSettings, TrackingMode
from argus_rl.config.schema import describe, load_settings, run, settings_from_plain, words_of
from argus_rl.core.errors import ConfigError, RunDirError, RunStopped


def complaints(*words: str) -> str:
    with pytest.raises(ConfigProblems) as raised:
        load_settings(words)
    return str(raised.value)


def no_runs(folder: str) -> dict[str, object]:
    raise RunDirError(f"{folder} holds no run")


def test_a_bare_command_has_every_flag_off():
    assert load_settings([]).control == ControlSettings()


def test_argus_full_has_every_flag_on():
    control = load_settings(["+preset=argus_full"]).control
    assert [flag for flag in FLAGS if not value_at(control, flag)] == []
    assert control.capacity_growth == 0.05


def test_baseline_and_argus_full_spend_the_same_compute():
    baseline, full = load_settings(["+preset=baseline"]), load_settings(["+preset=argus_full"])
    for key in ("episodes", "sampling.proposals", "sampling.chains", "sampling.max_tokens"):
        assert value_at(baseline, key) == value_at(full, key)
    assert baseline.evaluation == full.evaluation
    piles = ("anchor_mix", "library_mix", "recombined_mix", "anchors")
    same = dataclasses.replace(
        full.learner, **{key: getattr(baseline.learner, key) for key in piles}
    )
    assert same == baseline.learner


@pytest.mark.parametrize("preset", groups()["preset"])
def test_every_preset_composes_and_carries_its_own_name(preset: str):
    assert load_settings([f"+preset={preset}"]).preset == preset


@pytest.mark.parametrize(
    ("group", "option"),
    [(g, o) for g, options in groups().items() for o in options if g != "preset"],
)
def test_every_option_of_every_group_composes(group: str, option: str, tmp_path: Path):
    more = ["model.path=somewhere"] if option == "hf" else []
    more += [f"data.path={tmp_path}"] if option == "jsonl" else []
    more += ["model=scripted"] if option == "gsm8k" else []
    load_settings([f"{group}={option}", *more])


def test_a_preset_may_be_written_without_its_plus():
    assert load_settings(["preset=argus_full"]) == load_settings(["+preset=argus_full"])


def test_what_is_typed_wins_over_the_preset_in_any_order():
    before = load_settings(["control.spsi=false", "seed=3", "+preset=argus_full"])
    after = load_settings(["+preset=argus_full", "seed=3", "control.spsi=false"])
    assert before == after
    assert not before.control.spsi
    assert before.seed == 3


def test_a_real_model_is_trained_by_adapters_without_muon():
    settings = load_settings(["model=hf", "model.path=some/model"])
    assert settings.model.kind is ModelKind.hf
    assert settings.learner.muon_lr == 0


def test_a_text_may_hold_characters_that_hydra_would_interpret():
    settings = load_settings(["model=hf", "model.path=~/a b,c(1)=[2]", "run_dir='quoted one'"])
    assert settings.model.path == "~/a b,c(1)=[2]"
    assert settings.run_dir == "quoted one"


def test_lists_arrive_as_tuples_so_that_settings_are_hashable():
    settings = load_settings(["evaluation.levels=[1,2]", "evaluation.easy_levels=[1]"])
    assert settings.evaluation.levels == (1, 2)
    assert hash(settings) == hash(
        load_settings(["evaluation.levels=[1,2]", "evaluation.easy_levels=[1]"])
    )


def test_a_sweep_value_without_the_option_m_is_explained():
    assert "add -m" in complaints("seed=0,1")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("control.spis=true", "control.spis: no such key; did you mean control.spsi?"),
        ("spsi=true", "spsi: no such key; did you mean control.spsi?"),
        ("sampling.chain=4", "did you mean sampling.chains?"),
        ("qqqqqq=1", "qqqqqq: no such key; see docs/flags.md"),
        ("control=true", "control: holds several keys"),
        ("control.ercv=zscore", "control.ercv: holds several keys"),
        ("seed=many", "seed: must be a whole number, not 'many'"),
        ("seed=1.5", "seed: must be a whole number, not 1.5"),
        ("seed=null", "seed: must be a whole number, not None"),
        ("seed=-1", "seed: must be at least 0, not -1"),
        ("control.spsi=maybe", "control.spsi: must be true or false"),
        ("learner.lr=fast", "learner.lr: must be a number"),
        ("learner.lr=nan", "learner.lr: must be at least 0, not nan"),
        ("learner.lr=inf", "learner.lr: must be at least 0, not inf"),
        ("sampling.proposing=grwo", "must be one of fresh, vary, grow, not 'grwo'"),
        ("evaluation.levels=3", "evaluation.levels: must be a list of whole numbers"),
        ("evaluation.levels=[1,two]", "evaluation.levels: must be a list of whole numbers"),
        ("+preset=argus", "preset: no option 'argus'; did you mean argus_full?"),
        ("model=bert", "model: no option 'bert'; there are embedded, hf"),
        ("data=gsm", "data: no option 'gsm'; did you mean gsm8k?"),
        ("seed", "seed: not understood; write KEY=VALUE"),
        ("=3", "=3: not understood"),
        ("~control.spsi", "not understood"),
        ("~control.spsi=1", "~control.spsi: keys cannot be taken away"),
        ("hydra.run.dir=x", "hydra.run.dir: has a meaning in sweeps"),
        ("seed=[1", "seed: its value is not understood"),
        ("seed=${nowhere}", "seed: must be a whole number"),
        ("model.dtype=float8", "model.dtype: must be one of auto, float32, bfloat16, not 'float8'"),
        ("model.device=tpu", "model.device: must be one of auto, cpu, cuda"),
        ("evaluation.split=test", "evaluation.split: must be one of held_out, choosing"),
    ],
)
def test_each_mistake_in_a_word_is_one_line_that_names_its_key(word: str, told: str):
    text = complaints(word)
    assert told in text
    assert len(text.splitlines()) == 1


def test_all_mistakes_are_told_at_once():
    text = complaints("control.spis=1", "seed=x", "sampling.chains=1", "model=bert", "what")
    assert [line.partition(":")[0] for line in text.splitlines()] == [
        "control.spis",
        "model",
        "what",
        "seed",
        "sampling.chains",
    ]


def test_a_key_given_twice_is_a_mistake():
    assert complaints("seed=1", "seed=2") == "seed: is given twice; keep one"


@settings(max_examples=60)
@given(st.sampled_from(sorted(all_keys())), st.text(max_size=12))
def test_no_value_however_odd_ends_in_anything_but_settings_or_complaints(key: str, text: str):
    with contextlib.suppress(ConfigError):
        assert isinstance(load_settings([f"{key}={text}"]), RunSettings)


def test_settings_survive_the_ledger():
    for words in ([], ["+preset=argus_full", "seed=7", "evaluation.levels=[1,2,3]"]):
        settings = load_settings(words)
        assert settings_from_plain(describe(settings)) == settings


@pytest.mark.parametrize(
    "words",
    [
        ("+preset=smoke",),
        ("+preset=argus_full", "seed=3", "control.spsi=false", "evaluation.levels=[1,2,3]"),
        ("model=hf", "model.path=a b,c", "learner.lr=3e-5", "sampling.proposing=vary"),
        ("preset=baseline", "tracking=offline", "compute=hours", "learner.weight_decay=1"),
    ],
)
def test_the_words_of_settings_make_them_again(words: tuple[str, ...]):
    settings = load_settings(words)
    assert load_settings(words_of(settings)) == settings


def test_the_words_of_a_preset_are_the_preset():
    assert words_of(load_settings(["+preset=argus_full"])) == ("+preset=argus_full",)


def test_a_ledger_with_a_key_of_another_version_is_refused_by_name():
    config = describe(RunSettings()) | {"colour": "red"}
    with pytest.raises(ConfigProblems, match="colour: no such key"):
        settings_from_plain(config)


def test_a_flag_without_what_it_works_with_is_turned_off_in_an_ablation():
    settings = load_settings(["+preset=argus_full", "control.capability_map=false"])
    assert not settings.control.most_learnable_cluster
    assert not settings.control.per_cluster_detectors
    assert settings.control.ercv_zscore


def test_a_flag_asked_for_by_name_without_what_it_works_with_is_a_mistake():
    assert complaints("control.ercv_zscore=true") == (
        "control.ercv_zscore: has no effect without control.ercv_rollback=true; set that too"
    )


@pytest.mark.parametrize("flag", FLAGS)
def test_every_flag_of_argus_full_can_be_taken_away_alone(flag: str):
    value = "0" if flag == "capacity_growth" else "false"
    settings = load_settings(["+preset=argus_full", f"control.{flag}={value}"])
    assert not value_at(settings.control, flag)


# --- resuming -------------------------------------------------------------------------------------

BEFORE = RunSettings(preset="argus_full", seed=5, episodes=8)


def resume(folder: Path, *words: str) -> RunSettings:
    return load_settings([f"resume={folder}", *words], saved=lambda _: describe(BEFORE))


def test_a_resumed_run_keeps_the_settings_of_its_folder(tmp_path: Path):
    assert resume(tmp_path) == dataclasses.replace(BEFORE, resume=str(tmp_path))


def test_a_resumed_run_may_repeat_what_it_was(tmp_path: Path):
    assert resume(tmp_path, "+preset=argus_full", "seed=5").seed == 5


def test_a_resumed_run_may_be_tracked_otherwise_and_go_on_for_longer(tmp_path: Path):
    settings = resume(tmp_path, "tracking=offline", "tracking.name=again", "episodes=9")
    assert settings.tracking.mode is TrackingMode.offline
    assert settings.tracking.name == "again"
    assert settings.episodes == 9


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["seed=6"], "seed: is 5 in that run and stays so"),
        (["episodes=3"], "episodes: the run was planned for 8"),
        (["control.spsi=true"], "control.spsi: is False in that run"),
        (["+preset=baseline"], "preset: a resumed run keeps its own (preset 'argus_full')"),
        (["compute=hours"], "compute: a resumed run keeps its own"),
        (["run_dir=elsewhere"], "run_dir: a resumed run stays in its folder"),
    ],
)
def test_what_a_resumed_run_may_not_change_is_named(tmp_path: Path, words: list[str], told: str):
    with pytest.raises(ConfigProblems) as raised:
        resume(tmp_path, *words)
    assert told in str(raised.value)


def test_a_folder_that_is_not_there_cannot_be_resumed():
    assert "resume: there is no folder 'nowhere'" in complaints("resume=nowhere")


# --- the front door -------------------------------------------------------------------------------


def test_the_front_door_passes_settings_on_and_returns_the_exit_code():
    seen: list[RunSettings] = []

    def main(settings: RunSettings) -> int:
        seen.append(settings)
        return 7

    assert run(main, no_runs, ["+preset=smoke", "seed=2"]) == 7
    assert seen == [load_settings(["+preset=smoke", "seed=2"])]


def test_a_mistake_is_told_on_the_error_stream_with_exit_code_2(capsys: pytest.CaptureFixture[str]):
    assert run(lambda _: 0, no_runs, ["seed=x", "--wat"]) == 2
    assert run(lambda _: 0, no_runs, ["seed=x", "control.spis=1"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "error: --wat: no such option; there are --help, --cfg job and -m",
        "error: control.spis: no such key; did you mean control.spsi?",
        "error: seed: must be a whole number, not 'x'",
    ]


def test_a_folder_without_a_run_ends_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(lambda _: 0, no_runs, [f"resume={tmp_path}"]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path} holds no run\n"


def test_an_error_of_the_run_is_told_with_its_own_exit_code(capsys: pytest.CaptureFixture[str]):
    def main(_: RunSettings) -> int:
        raise RunStopped("the disk is full")

    assert run(main, no_runs, []) == 3
    assert capsys.readouterr().err == "error: the disk is full\n"


def test_a_run_stopped_by_hand_says_so_without_a_traceback(capsys: pytest.CaptureFixture[str]):
    def main(_: RunSettings) -> int:
        raise KeyboardInterrupt

    assert run(main, no_runs, []) == 130
    assert "stopped by hand" in capsys.readouterr().err


def test_a_note_is_told_and_the_run_goes_on(capsys: pytest.CaptureFixture[str]):
    words = ["+preset=argus_full", "control.active_defense=false"]
    assert run(lambda _: 0, no_runs, words) == 0
    assert capsys.readouterr().err == (
        "note: control.soft_replay_decay: has no effect without control.active_defense=true; "
        "turned off\n"
    )


def test_a_sweep_makes_one_run_of_each_combination(capsys: pytest.CaptureFixture[str]):
    seen: list[tuple[str, int, Proposing]] = []

    def main(settings: RunSettings) -> int:
        seen.append((settings.preset, settings.seed, settings.sampling.proposing))
        return settings.seed

    words = ["-m", "+preset=argus_full,baseline", "seed=range(0,2)"]
    assert run(main, no_runs, words) == 1
    assert seen == [
        ("argus_full", 0, Proposing.grow),
        ("argus_full", 1, Proposing.grow),
        ("baseline", 0, Proposing.fresh),
        ("baseline", 1, Proposing.fresh),
    ]
    assert "[4/4] +preset=baseline seed=1" in capsys.readouterr().out


def test_a_sweep_with_a_mistake_in_one_point_starts_no_run(capsys: pytest.CaptureFixture[str]):
    seen: list[RunSettings] = []
    words = ["-m", "seed=0,x", "control.spis=true,false"]
    assert run(lambda settings: seen.append(settings) or 0, no_runs, words) == 2
    assert seen == []
    assert capsys.readouterr().err.splitlines() == [
        "error: control.spis: no such key; did you mean control.spsi?",
        "error: seed: must be a whole number, not 'x'",
    ]


def test_a_sweep_into_one_folder_is_refused(capsys: pytest.CaptureFixture[str]):
    assert run(lambda _: 0, no_runs, ["-m", "seed=0,1", "run_dir=here"]) == 2
    assert "run_dir: a sweep makes a folder for each run" in capsys.readouterr().err


def test_a_hydra_launcher_runs_the_points_of_a_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    seen: list[tuple[str, int]] = []

    def main(settings: RunSettings) -> int:
        seen.append((settings.preset, settings.seed))
        return 0

    words = ["-m", "hydra/launcher=basic", "+preset=argus_full,baseline", "seed=3"]
    assert run(main, no_runs, words) == 0
    assert seen == [("argus_full", 3), ("baseline", 3)]


def test_a_job_that_fails_under_a_launcher_fails_the_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as raised:
        run(lambda settings: 3 * settings.seed, no_runs, ["-m", "hydra/launcher=basic", "seed=0,1"])
    assert raised.value.code == 1
    assert "the run ended with exit code 3" in capsys.readouterr().err


def test_the_configuration_of_a_sweep_cannot_be_printed(capsys: pytest.CaptureFixture[str]):
    assert run(lambda _: 0, no_runs, ["-m", "seed=0,1", "--cfg", "job"]) == 2
    assert capsys.readouterr().err == "error: --cfg: shows one run; leave -m away\n"


def test_the_configuration_can_be_printed_and_nothing_runs(capsys: pytest.CaptureFixture[str]):
    def main(_: RunSettings) -> int:
        raise AssertionError("it ran")

    assert run(main, no_runs, ["+preset=argus_full", "seed=4", "--cfg", "job"]) == 0
    out = capsys.readouterr().out
    assert "seed: 4" in out
    assert "spsi: true" in out


def test_the_help_page_teaches(capsys: pytest.CaptureFixture[str]):
    assert run(lambda _: 1, no_runs, ["--help"]) == 0
    out = capsys.readouterr().out
    for preset in groups()["preset"]:
        assert f"+preset={preset}" in out
    assert out.count("python -m argus_rl.train") >= 6
    assert "docs/flags.md" in out
    assert all(len(line) <= 110 for line in out.splitlines())


def test_a_command_leaves_nothing_in_the_working_directory(tmp_path: Path):
    code = (
        "import sys; from argus_rl.config.schema import run; "
        "sys.exit(run(lambda s: 0, lambda d: {}, ['+preset=smoke']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == 0
    assert list(tmp_path.iterdir()) == []
