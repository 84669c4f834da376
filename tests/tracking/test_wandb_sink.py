import os
import subprocess
import sys

import pytest

from argus_rl.config.run import TrackingMode, TrackingSettings
from argus_rl.core.errors import ConfigError
from argus_rl.ledger.records import summarise_run
from argus_rl.tracking import wandb_sink
from argus_rl.tracking.metrics import METRICS, figures_of
from argus_rl.tracking.wandb_sink import RUN_ID, WandbSink

OFFLINE = TrackingSettings(mode=TrackingMode.offline)


class Recorder:
    """Stands where wandb would: it keeps what it is told."""

    class errors:  # noqa: N801  as wandb calls it
        class Error(Exception):
            """As wandb's own."""

    def __init__(self, fail: bool = False) -> None:
        self.fail = fail
        self.asked: list[dict[str, object]] = []
        self.axes: list[tuple[str, str | None]] = []
        self.rows: list[dict[str, float]] = []
        self.summary: dict[str, object] = {}
        self.closed = False

    def Settings(self, **words: object) -> dict[str, object]:  # noqa: N802  as wandb calls it
        return words

    def init(self, **words: object) -> "Recorder":
        if self.fail:
            raise self.errors.Error("api_key not configured\nlong story")
        self.asked.append(words)
        return self

    def define_metric(self, name: str, step_metric: str | None = None) -> None:
        self.axes.append((name, step_metric))

    def log(self, row: dict[str, float]) -> None:
        self.rows.append(row)

    def finish(self, exit_code: int) -> None:
        self.closed = exit_code == 0


@pytest.fixture
def wandb(monkeypatch):
    recorder = Recorder()
    monkeypatch.setattr(wandb_sink.importlib, "import_module", lambda name: recorder)
    return recorder


def test_every_figure_is_logged_beside_its_episode(wandb, made_run, records, tmp_path):
    sink = WandbSink(OFFLINE, tmp_path)
    sink.started(made_run.header())
    sink.evaluated(-1, {"eval/all/mean": 0.5})
    for record in records:
        sink.episode(record, ())
    sink.finished(summarise_run(made_run.header(), records))
    assert [row["episode"] for row in wandb.rows] == [-1, *range(12)]
    assert wandb.rows[8] == {"episode": 7, **figures_of(records[7])}
    families = {metric.name.partition("/")[0] for metric in METRICS} | {"eval"}
    assert {(f"{family}/*", "episode") for family in families} <= set(wandb.axes)
    assert wandb.summary["end/refusals"] == 1
    assert wandb.closed


def test_a_resumed_run_goes_on_in_the_same_wandb_run(wandb, made_run, tmp_path):
    here, moved, other = tmp_path / "here", tmp_path / "moved", tmp_path / "other"
    here.mkdir()
    other.mkdir()
    WandbSink(OFFLINE, here).started(made_run.header())
    here.rename(moved)
    WandbSink(OFFLINE, moved).started(made_run.header())
    first, second = (asked["id"] for asked in wandb.asked)
    assert first == second == (moved / RUN_ID).read_text()
    WandbSink(OFFLINE, other).started(made_run.header())
    assert wandb.asked[2]["id"] != first


def test_feeding_again_makes_a_run_of_its_own(wandb, made_run, tmp_path):
    WandbSink(OFFLINE, tmp_path, again=True).started(made_run.header())
    assert wandb.asked[0]["id"] is None
    assert not (tmp_path / RUN_ID).exists()


def test_a_refusal_of_wandb_is_one_line_that_says_what_to_do(wandb, made_run, tmp_path):
    wandb.fail = True
    with pytest.raises(ConfigError) as error:
        WandbSink(OFFLINE, tmp_path).started(made_run.header())
    assert "api_key not configured" in str(error.value)
    assert "tracking=off" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_wandb_is_one_line_that_says_what_to_do(monkeypatch, made_run, tmp_path):
    def missing(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(wandb_sink.importlib, "import_module", missing)
    with pytest.raises(ConfigError, match="needs wandb"):
        WandbSink(OFFLINE, tmp_path).started(made_run.header())
    with pytest.raises(ValueError, match="tracking is off"):
        WandbSink(TrackingSettings(), tmp_path)


def test_importing_the_sink_does_not_import_wandb():
    code = "import sys, argus_rl.tracking.wandb_sink; sys.exit('wandb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_offline_wandb_writes_its_files_without_network(made_run, tmp_path):
    made_run.write(tmp_path, episodes=3)
    environment = {**os.environ, "WANDB_BASE_URL": "http://127.0.0.1:9", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "argus_rl.report", str(tmp_path), "--to", "wandb-offline"],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "fed 3 episodes to wandb (offline)" in done.stdout
    files = list(tmp_path.glob("wandb/offline-run-*/run-*.wandb"))
    assert len(files) == 1
    data = files[0].read_bytes()
    for name in (b"gauge/retest_trend", b"spsi/deception", b"eval/all/mean_low"):
        assert name in data
