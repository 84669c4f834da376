"""The control system on the scripted machine: flags matter, sensors and deciders change nothing."""

import dataclasses
import functools
import json
import os
import pickle
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from argus_rl.actors.scripted import Script, ScriptedLearner, scripted_workbench, story
from argus_rl.actors.workbench import Workbench
from argus_rl.config.checks import NEEDS
from argus_rl.config.control import FLAGS, ControlSettings
from argus_rl.config.run import RunSettings, SamplingSettings
from argus_rl.config.schema import load_settings
from argus_rl.core.rng import Stream
from argus_rl.core.roles import PARTS, Role
from argus_rl.core.signals.middle import Dials, LieType, Ruling
from argus_rl.data.ports import Gauge
from argus_rl.data.problem import Pair, Problem, Source
from argus_rl.ledger.records import EpisodeRecord
from argus_rl.loops.assembly import Parts, assemble
from argus_rl.loops.bookkeeping import Episode, record_of
from argus_rl.loops.outer import orient, outer
from argus_rl.loops.state import RunState

FULL = load_settings(["+preset=argus_full"]).control
OFF = ControlSettings()
SCRIPT = Script(start_skill=0.8, gain=0.05, forget_rate=0.35, loss=0.2)
EPISODES = 10
GOLDEN = Path(__file__).with_name("golden_baseline.json")


@dataclasses.dataclass(frozen=True)
class Memorising:
    """A gauge by which texts of past episodes are known by heart, so that type C has its day."""

    inner: Gauge

    def nll(self, pairs: Sequence[Pair]) -> Sequence[float]:
        newest = max((episode_of(pair) for pair in pairs), default=0)
        scale = [8.0 if episode_of(pair) == newest else 0.4 for pair in pairs]
        return [nats * s for nats, s in zip(self.inner.nll(pairs), scale, strict=True)]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.inner.embed(texts)

    def gradients(self, pairs: Sequence[Pair], width: int) -> NDArray[np.float32]:
        return self.inner.gradients(pairs, width)

    def fingerprint(self) -> str:
        return self.inner.fingerprint()


def episode_of(pair: Pair) -> int:
    """The episode that a scripted problem was proposed in; -1 for a context text."""
    found = re.match(r"e(\d+)", pair.problem.id)
    return int(found.group(1)) if found else -1


class Collector:
    """Keeps the records that a run commits."""

    def __init__(self) -> None:
        self.records: list[EpisodeRecord] = []

    def commit(self, episode: Episode) -> None:
        self.records.append(record_of(episode))


def settings_with(control: ControlSettings) -> RunSettings:
    sampling = SamplingSettings(proposals=32, chains=6)
    small = dataclasses.replace(
        control,
        retest=dataclasses.replace(control.retest, panel=24, chains=6),
        attribution=dataclasses.replace(control.attribution, permutations=19),
    )
    return RunSettings(episodes=EPISODES, sampling=sampling, control=small)


def contexts() -> list[Problem]:
    rng = np.random.default_rng(0)
    topics = ("cards", "shells", "coins", "books", "apples")
    texts = [story(topic, 2, rng) for topic in topics for _ in range(4)]
    return [
        Problem(id=f"context-{i}", text=text, source=Source.context, seed=i, steps=2)
        for i, text in enumerate(texts)
    ]


def play(
    control: ControlSettings,
    change: Callable[[Parts, Workbench], Parts] = lambda parts, _: parts,
) -> list[EpisodeRecord]:
    """A whole run of the scripted machine."""
    settings = settings_with(control)
    bench = scripted_workbench(SCRIPT)
    bench = dataclasses.replace(bench, gauge=Memorising(bench.gauge))
    parts = change(assemble(settings), bench)
    dials = Dials(context_rate=0.5, temperature=0.7, frontier_steps=3)
    state = RunState(dials=dials, home_dials=dials)
    run, recorder = Stream(("run", 0)), Collector()
    state = orient(parts, bench, contexts(), state, run)
    outer(parts, bench, contexts(), state, run, recorder)
    return recorder.records


@functools.cache
def everything_on() -> list[EpisodeRecord]:
    return play(FULL)


@functools.cache
def everything_off() -> list[EpisodeRecord]:
    return play(OFF)


def test_the_same_run_twice_gives_the_same_ledger():
    assert play(FULL) == everything_on()


def test_the_scripted_run_reaches_what_the_control_system_is_for():
    records = everything_on()
    assert any(record.verdict.ruling is Ruling.refuse for record in records)
    assert any(record.retest.regressed for record in records)
    assert any(record.census.refused_premise for record in records)
    assert any(record.effects for record in records)
    assert {LieType.A, LieType.C, LieType.D} <= {
        d.lie for record in records for d in record.bank.firings
    }


@pytest.mark.parametrize("flag", FLAGS)
def test_taking_a_flag_from_argus_full_changes_the_ledger(flag: str):
    value = 0.0 if flag == "capacity_growth" else False
    assert play(dataclasses.replace(FULL, **{flag: value})) != everything_on()


@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag not in NEEDS])
def test_giving_a_flag_to_the_baseline_changes_the_ledger(flag: str):
    value = 0.05 if flag == "capacity_growth" else True
    assert play(dataclasses.replace(OFF, **{flag: value})) != everything_off()


def test_the_baseline_refuses_nothing_and_acts_on_nothing():
    for record in everything_off():
        assert record.verdict.ruling is Ruling.accept
        assert record.census.refused_premise == 0
        assert record.effects == ()
        assert record.fingerprints.committed == record.fingerprints.proposed


def golden_figures(records: Sequence[EpisodeRecord]) -> list[dict[str, Any]]:
    """What the baseline did, to six digits: counts, gauges, and what was learned."""
    return [
        {
            "zones": [r.census.easy, r.census.frontier, r.census.hard],
            "gain": float(f"{r.epiplexity.gain:.6g}"),
            "trend": float(f"{r.retest.trend:.6g}"),
            "ruling": r.verdict.ruling.value,
            "weights": [float(f"{w:.6g}") for w in (r.weights.low, r.weights.high)],
            "replay": r.memory.replay,
            "pairs": r.learning.pairs,
            "capacity": [r.capacity.k, r.capacity.max_tokens],
        }
        for r in records
    ]


def test_all_flags_off_gives_the_golden_ledger():
    figures = golden_figures(everything_off())
    if os.environ.get("WRITE_GOLDEN"):
        lines = ",\n".join(json.dumps(figure) for figure in figures)
        GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert figures == golden, "the baseline changed; if it should, run with WRITE_GOLDEN=1"


def test_any_flag_that_matters_to_the_update_leaves_the_golden_ledger():
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for flag in ("proposer_validator", "ercv_rollback", "epiplexity_weight"):
        assert golden_figures(play(dataclasses.replace(OFF, **{flag: True}))) != golden


# --- who changes the world ------------------------------------------------------------------------


def world(bench: Workbench) -> bytes:
    """All that a part could change: the machine, and the global generators."""
    learner = bench.learner
    assert isinstance(learner, ScriptedLearner)
    return pickle.dumps((learner.state, np.random.get_state(), random.getstate()))


def watched(run: Callable[..., Any], bench: Workbench, told: list[str]) -> Callable[..., Any]:
    """`run`, noting its name in `told` where the world or an argument is different after it."""
    name = (run.func if isinstance(run, functools.partial) else run).__name__

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        before = world(bench), pickle.dumps(_values(args, kwargs))
        result = run(*args, **kwargs)
        if before != (world(bench), pickle.dumps(_values(args, kwargs))):
            told.append(name)
        return result

    return wrapped


def _values(args: Any, kwargs: Any) -> list[str]:
    return [repr(value) for value in (*args, *kwargs.values())]


def passive(parts: Parts) -> dict[str, Callable[..., Any]]:
    """The callables of `parts` that are sensors or deciders, by their name in the loops."""
    found: dict[str, Callable[..., Any]] = {}
    for field in dataclasses.fields(parts):
        item = getattr(parts, field.name)
        function = item.func if isinstance(item, functools.partial) else item
        name = getattr(function, "__name__", "")
        if name in PARTS and PARTS[name].role is not Role.actuator:
            found[field.name] = item
    return found


@pytest.mark.parametrize("control", [FULL, OFF], ids=["argus_full", "baseline"])
def test_no_sensor_or_decider_changes_the_world(control: ControlSettings):
    told: list[str] = []

    def change(parts: Parts, bench: Workbench) -> Parts:
        own = {name: watched(run, bench, told) for name, run in passive(parts).items()}
        assert len(own) >= 12
        return dataclasses.replace(parts, **own)

    play(control, change)
    assert told == []


def test_a_planted_sensor_that_changes_the_world_is_found():
    told: list[str] = []

    def change(parts: Parts, bench: Workbench) -> Parts:
        def meddling(*args: Any, **kwargs: Any) -> Any:
            learner = bench.learner
            assert isinstance(learner, ScriptedLearner)
            learner.state.skill["cards"] *= 0.999
            return parts.chain_consensus(*args, **kwargs)

        return dataclasses.replace(parts, chain_consensus=watched(meddling, bench, told))

    play(OFF, change)
    assert set(told) == {"meddling"}


def test_a_planted_sensor_that_draws_from_a_global_generator_is_found():
    told: list[str] = []

    def change(parts: Parts, bench: Workbench) -> Parts:
        def careless(*args: Any, **kwargs: Any) -> Any:
            np.random.random()
            return parts.chain_consensus(*args, **kwargs)

        return dataclasses.replace(parts, chain_consensus=watched(careless, bench, told))

    play(OFF, change)
    assert set(told) == {"careless"}
