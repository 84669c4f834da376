"""Bad input gives one clear line and exit code 2, or a sensible run; never a traceback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from argus_rl.train import main

QUICK = (
    "model=scripted",
    "learner=lora",
    "compute=seconds",
    "episodes=1",
    "evaluation.per_level=1",
    "evaluation.levels=[1,2,3]",
    "data.context_limit=20",
)

WRONG_WORDS = [
    # keys that do not exist
    "control.spis=true",
    "contrl.spsi=true",
    "control=spsi",
    "sampling.k=4",
    "epsiodes=3",
    "nothing",
    "=3",
    "+presets=argus_full",
    "model.knd=hf",
    "learner.learning_rate=0.1",
    "~seed",
    "hydra.run.dir=x",
    # groups and presets that do not exist
    "+preset=argus_ful",
    "model=llama",
    "data=svamp2",
    "tracking=mlflow",
    "compute=days",
    # wrong types
    "seed=abc",
    "episodes=2.5",
    "episodes=many",
    "control.spsi=maybe",
    "sampling.chains=[1,2]",
    "evaluation.levels=3",
    "evaluation.levels=[a,b]",
    "sampling.temperature=hot",
    "model.kind=gpt",
    "sampling.proposing=steal",
    "control.capacity_growth=null",
    # out of range
    "seed=-1",
    "episodes=-1",
    "sampling.chains=1",
    "sampling.chains=0",
    "sampling.chains=-4",
    "sampling.proposals=0",
    "sampling.proposals=-5",
    "sampling.max_tokens=0",
    "sampling.proposal_tokens=0",
    "sampling.temperature=-1",
    "sampling.temperature=0",
    "sampling.temperature=nan",
    "sampling.external_context_rate=1.5",
    "sampling.blind_spot_rate=-0.1",
    "sampling.frontier_steps=0",
    "sampling.batch=0",
    "learner.batch=0",
    "learner.micro_batch=0",
    "learner.lr=-0.1",
    "learner.lr=inf",
    "learner.replay_mix=1.2",
    "learner.replay_memory=-1",
    "learner.max_bad_steps=0",
    "learner.clip=0",
    "control.capacity_growth=-0.1",
    "control.capacity_growth=2",
    "control.replay_keep_fraction=0",
    "control.frontier.high=1.4",
    "control.retest.panel=-1",
    "control.map.clusters=100000",
    "sampling.proposals=100000000",
    "sampling.redrafts=101",
    "control.retest.chains=1",
    "control.ercv.hysteresis=0",
    "control.detectors.threshold=-1",
    "control.map.clusters=0",
    "evaluation.per_level=-1",
    "evaluation.samples=0",
    "evaluation.split=test",
    "evaluation.levels=[0]",
    "evaluation.levels=[11]",
    "evaluation.levels=[1,1]",
    "data.false_premises=2",
    "data.context_limit=-1",
    "model.threads=-2",
    "model.lora_rank=0",
    "keep_checkpoints=0",
]

WRONG_COMBINATIONS = [
    ("control.frontier.low=0.9", "control.frontier.high=0.8"),
    ("learner.replay_mix=0.6", "learner.anchor_mix=0.5"),
    ("control.ercv_zscore=true",),
    ("control.ercv_soft_rollback=true",),
    ("control.most_learnable_cluster=true",),
    ("control.soft_replay_decay=true",),
    ("sampling.proposing=grow", "learner.anchors=0"),
    ("model=hf", "learner.muon_lr=0.01"),
    ("model=hf",),
    ("data=jsonl",),
    ("model.dtype=float8",),
    ("model.device=tpu",),
    ("seed=1", "seed=2"),
    ("seed=1,2",),
    ("resume=x", "run_dir=y"),
    ("evaluation.easy_levels=[9]",),
]


def complaint(words: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> str:
    """The error of a command that must fail: exit code 2, short lines, no traceback."""
    capfd.readouterr()
    code = main(list(words))
    error = capfd.readouterr().err
    assert code == 2, error
    assert "Traceback" not in error
    lines = [line for line in error.splitlines() if line.startswith("error: ")]
    assert 1 <= len(lines) <= 3, error
    assert all(len(line) < 400 for line in lines)
    return error


@pytest.mark.parametrize("word", WRONG_WORDS)
def test_a_wrong_word_is_named_in_one_line(
    word: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    words = tuple(q for q in QUICK if q.partition("=")[0] != word.partition("=")[0].lstrip("+"))
    error = complaint((*words, word, f"run_dir={tmp_path / 'run'}"), capfd)
    named = word.lstrip("+~").partition("=")[0]
    assert named in error or not named
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", WRONG_COMBINATIONS, ids=" ".join)
def test_an_impossible_combination_names_a_key_of_it(
    words: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    run_dir = () if any("run_dir" in w for w in words) else (f"run_dir={tmp_path / 'run'}",)
    error = complaint((*words, *run_dir), capfd)
    assert any(w.partition("=")[0].split(".")[-1] in error for w in words), error


def data_folder(folder: Path, train: str, test: str) -> Path:
    folder.mkdir()
    (folder / "x_train.jsonl").write_text(train, encoding="utf-8")
    (folder / "x_test.jsonl").write_text(test, encoding="utf-8")
    return folder


GOOD = json.dumps({"id": "a", "question": "Tom has 2 cards. How many has he?", "answer": "2"})


@pytest.mark.parametrize(
    ("train", "test", "expected"),
    [
        ("", GOOD, "x_train.jsonl"),
        (GOOD, "", "x_test.jsonl"),
        (GOOD, "{not json", "line 1"),
        (GOOD, GOOD + "\n[1, 2]", "line 2"),
        (GOOD, '{"question": "How many?"}', "answer"),
        (GOOD, '{"answer": "3"}', "question"),
        (GOOD, GOOD.replace('"2"}', '"some cats"}'), "line 1"),
        (GOOD, GOOD + "\n" + GOOD, "a"),
        ('{"question": ""}', GOOD, "line 1"),
    ],
)
def test_a_malformed_data_file_is_named_with_its_line(
    train: str, test: str, expected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    folder = data_folder(tmp_path / "data", train, test)
    words = tuple(q for q in QUICK if "levels" not in q)
    run_dir = f"run_dir={tmp_path / 'run'}"
    error = complaint((*words, "data=jsonl", f"data.path={folder}", run_dir), capfd)
    assert expected in error


def folder_missing(tmp_path: Path) -> str:
    return str(tmp_path / "absent")


def folder_without_run(tmp_path: Path) -> str:
    (tmp_path / "empty").mkdir()
    return str(tmp_path / "empty")


def folder_with_broken_settings(tmp_path: Path) -> str:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{", encoding="utf-8")
    return str(tmp_path / "broken")


def folder_with_foreign_settings(tmp_path: Path) -> str:
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "config.json").write_text('{"colour": "red"}', encoding="utf-8")
    return str(tmp_path / "foreign")


@pytest.mark.parametrize(
    "make",
    [
        folder_missing,
        folder_without_run,
        folder_with_broken_settings,
        folder_with_foreign_settings,
    ],
)
def test_resuming_what_is_no_run_says_so(
    make: Callable[[Path], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    complaint((f"resume={make(tmp_path)}",), capfd)


def test_a_resumed_run_keeps_its_settings(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    assert main([*QUICK, f"run_dir={tmp_path / 'run'}"]) == 0
    assert "seed" in complaint((f"resume={tmp_path / 'run'}", "seed=5"), capfd)


@pytest.mark.parametrize("name", ["absent", "a/b/c", "data.gguf"])
def test_a_missing_model_is_one_line(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    words = ("model=hf", f"model.path={tmp_path / name}", "learner=lora")
    complaint((*words, f"run_dir={tmp_path / 'run'}"), capfd)


def test_a_folder_that_is_no_model_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text('{"model_type": "llama"}', encoding="utf-8")
    words = ("model=hf", f"model.path={tmp_path / 'model'}", "learner=lora")
    complaint((*words, f"run_dir={tmp_path / 'run'}"), capfd)


def test_a_run_folder_that_is_in_the_way_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("x", encoding="utf-8")
    for name in ("file", "full", "file/below"):
        complaint((*QUICK, f"run_dir={tmp_path / name}"), capfd)
    assert (tmp_path / "full" / "thesis.tex").read_text(encoding="utf-8") == "x"


SENSIBLE = {
    "zero episodes only evaluate": ("episodes=0",),
    "a memory of one": ("learner.replay_memory=1", "control.retest.panel=1"),
    "no memory at all": ("learner.replay_memory=0", "control.retest.panel=0"),
    "one proposal": ("sampling.proposals=1",),
    "two chains": ("sampling.chains=2",),
    "all chains truncated, so none has an answer": ("sampling.max_tokens=4",),
    "one cluster": ("control.capability_map=true", "control.map.clusters=1"),
    "no context texts": ("data.context_limit=0",),
    "every proposal false": ("data.false_premises=1.0", "control.proposer_validator=true"),
    "no evaluation": ("evaluation.per_level=0",),
    "learning rate zero": ("learner.lr=0",),
    "one checkpoint": ("keep_checkpoints=1",),
}


@pytest.mark.parametrize("words", SENSIBLE.values(), ids=SENSIBLE.keys())
@pytest.mark.parametrize("preset", ["baseline", "argus_full"])
def test_an_unusual_request_gives_a_sensible_run(
    preset: str, words: tuple[str, ...], tmp_path: Path
):
    keys = {w.partition("=")[0] for w in words}
    quick = tuple(q for q in QUICK if q.partition("=")[0] not in keys)
    whole = () if preset == "baseline" else ("sampling.proposing=fresh", "episodes=3")
    rest = tuple(w for w in whole if w.partition("=")[0] not in keys)
    quick = tuple(q for q in quick if q.partition("=")[0] not in {"episodes"} or not rest)
    run_dir = tmp_path / "run"
    assert main([f"+preset={preset}", *quick, *rest, *words, f"run_dir={run_dir}"]) == 0
    assert (run_dir / "summary.json").is_file()
    assert (run_dir / "ledger.jsonl").stat().st_size > 0
