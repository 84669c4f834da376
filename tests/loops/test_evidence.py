"""Propose an update, verify it, only then commit it: the evidence is of that very update."""

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from argus_rl.actors.scripted import Script, scripted_workbench, story
from argus_rl.actors.workbench import Workbench
from argus_rl.config.control import ControlSettings
from argus_rl.config.run import RunSettings, SamplingSettings
from argus_rl.config.schema import load_settings
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import Dials, Ruling
from argus_rl.data.problem import Chain, Problem, Source
from argus_rl.deciders.ercv import keep_severity
from argus_rl.loops.assembly import assemble
from argus_rl.loops.bookkeeping import Episode, record_of
from argus_rl.loops.middle import label_share
from argus_rl.loops.outer import orient, outer
from argus_rl.loops.state import RunState

FULL = load_settings(["+preset=argus_full"]).control
FORGETFUL = Script(start_skill=0.8, gain=0.02, forget_rate=0.4, loss=0.3)


class Episodes:
    """Keeps what a run commits."""

    def __init__(self) -> None:
        self.all: list[Episode] = []

    def commit(self, episode: Episode) -> None:
        self.all.append(episode)


@dataclasses.dataclass(frozen=True)
class Watched:
    """A solver that notes under which weights and streams it was asked."""

    inner: Any
    gauge: Any
    calls: list[tuple[str, Stream, tuple[str, ...]]]

    def solve(self, problems: Sequence[Problem], **rest: Any) -> Sequence[Sequence[Chain]]:
        names = tuple(p.id for p in problems)
        self.calls.append((self.gauge.fingerprint(), rest["stream"], names))
        return self.inner.solve(problems, **rest)


def contexts() -> list[Problem]:
    rng = np.random.default_rng(0)
    return [
        Problem(id=f"context-{i}", text=story("cards", 2, rng), source=Source.context, steps=2)
        for i in range(20)
    ]


def run(
    control: ControlSettings, bench: Workbench, episodes: int = 8, **parts_changed: Any
) -> list[Episode]:
    settings = RunSettings(
        episodes=episodes, control=control, sampling=SamplingSettings(proposals=32, chains=6)
    )
    parts = dataclasses.replace(assemble(settings), **parts_changed)
    kept, stream = Episodes(), Stream(("run", 0))
    dials = Dials(context_rate=0.5, temperature=0.7, frontier_steps=3)
    state = orient(parts, bench, contexts(), RunState(dials=dials, home_dials=dials), stream)
    outer(parts, bench, contexts(), state, stream, kept)
    return kept.all


@pytest.fixture(scope="module")
def watched() -> tuple[list[Episode], list[tuple[str, Stream, tuple[str, ...]]]]:
    bench = scripted_workbench(FORGETFUL)
    calls: list[tuple[str, Stream, tuple[str, ...]]] = []
    bench = dataclasses.replace(bench, solver=Watched(bench.solver, bench.gauge, calls))
    return run(FULL, bench), calls


def test_an_update_is_judged_under_the_weights_just_before_and_just_after_it(watched: Any):
    episodes, calls = watched
    for episode in episodes:
        prints = record_of(episode).fingerprints
        own = [c for c in calls if c[1].name[-2:] == (episode.state.episode, "retest")]
        assert [c[0] for c in own][:2] == [prints.before, prints.proposed]


def test_before_and_after_share_panel_and_sampling_streams(watched: Any):
    episodes, calls = watched
    for episode in episodes:
        first, second, *_ = (
            c for c in calls if c[1].name[-2:] == (episode.state.episode, "retest")
        )
        assert first[1:] == second[1:]
        assert first[1].name[:2] == ("run", 0)


def test_the_panel_holds_past_problems_only(watched: Any):
    episodes, _ = watched
    for episode in episodes:
        fresh = {a.draft.problem.id for a in episode.attempts.attempts}
        assert not fresh & {d.problem_id for d in episode.outcome.retest.deltas}


def test_each_episode_starts_from_what_the_last_one_committed(watched: Any):
    episodes, _ = watched
    for earlier, later in itertools.pairwise(episodes):
        assert later.outcome.update.before.fingerprint == earlier.outcome.committed


def test_the_probe_pairs_are_never_taught(watched: Any):
    episodes, _ = watched
    for episode in episodes:
        taught = episode.outcome.update.learning.pairs
        assert taught == episode.outcome.epi.n
        assert taught + episode.outcome.epi.n_probe == len(episode.attempts.frontier)


def hard_refusals() -> list[Episode]:
    control = dataclasses.replace(FULL, ercv_soft_rollback=False, active_defense=False)
    episodes = run(control, scripted_workbench(FORGETFUL), episodes=12)
    return [e for e in episodes if e.outcome.verdict.ruling is Ruling.refuse]


def test_a_hard_refusal_leaves_weights_memory_and_map_as_they_were():
    refused = hard_refusals()
    assert refused
    for episode in refused:
        prints = record_of(episode).fingerprints
        assert prints.committed == prints.before != prints.proposed
        assert episode.after.memory == episode.state.memory
        seen = {c.cluster: c.last_retest_delta for c in episode.state.map.clusters}
        kept = {c.cluster: c.last_retest_delta for c in episode.after.map.clusters}
        assert all(kept[cluster] == delta for cluster, delta in seen.items())


def test_what_a_refused_update_was_made_of_comes_back_nowhere():
    control = dataclasses.replace(FULL, ercv_soft_rollback=False, active_defense=False)
    episodes = run(control, scripted_workbench(FORGETFUL), episodes=12)
    refused = {
        a.draft.problem.id
        for e in episodes
        if e.outcome.verdict.ruling is Ruling.refuse
        for a in e.attempts.attempts
    }
    last = episodes[-1].after.memory
    stored = {p.problem.id for p in (*last.library, *last.replay, *last.anchors)}
    assert refused
    assert stored
    assert not refused & stored


def test_a_blend_that_fails_the_retest_itself_is_undone_as_a_whole():
    control = dataclasses.replace(FULL, active_defense=False, ercv_zscore=False)
    script = dataclasses.replace(FORGETFUL, loss=0.07, forget_rate=1.0)
    episodes = run(control, scripted_workbench(script), episodes=16)
    whole = [e for e in episodes if "all was undone" in e.outcome.verdict.reason]
    assert whole
    for episode in whole:
        prints = record_of(episode).fingerprints
        assert prints.committed == prints.before


def test_a_soft_refusal_commits_neither_the_old_weights_nor_the_new():
    """The scripted machine's gain is near the trend, so some severities lie inside (0, 1)."""
    control = dataclasses.replace(FULL, active_defense=False)
    script = dataclasses.replace(FORGETFUL, loss=0.07, forget_rate=1.0)
    control = dataclasses.replace(control, ercv_zscore=False)
    episodes = run(control, scripted_workbench(script), episodes=16, confirm=keep_severity)
    soft = [e for e in episodes if 0 < e.outcome.undone.severity < 1]
    assert soft
    for episode in soft:
        prints = record_of(episode).fingerprints
        assert len({prints.before, prints.proposed, prints.committed}) == 3
        assert record_of(episode).rollback.kept == ("optimizer",)


def test_the_share_that_holds_a_label_counts_whole_chains_alone():
    texts = ("the answer is 7", "the answer is 7", "the answer is 8", "no answer")
    chains = [Chain(problem_id="q", text=t, index=i, tokens=5) for i, t in enumerate(texts)]
    assert label_share(chains, "7") == 0.5
    cut = [dataclasses.replace(one, truncated=True) for one in chains]
    assert label_share(cut, "7") == 0.0
    assert label_share([], "7") == 0.0
