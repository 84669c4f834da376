"""Detectors are quiet while nothing changes, and rise with what they look for."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.control import DetectorSettings
from argus_rl.core.signals.middle import Defense, Dials, History, LieType, Order, PastDefense
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading
from argus_rl.sensors.detectors.capture import capture
from argus_rl.sensors.detectors.drift import drift
from argus_rl.sensors.detectors.evidence import Reference
from argus_rl.sensors.detectors.forgetting import (
    cluster_detectors,
    forgetting,
    no_cluster_detectors,
)
from argus_rl.sensors.detectors.hallucination import hallucination
from argus_rl.sensors.detectors.induced import induced
from argus_rl.sensors.detectors.memorising import memorising
from argus_rl.sensors.detectors.novelty import novelty
from argus_rl.sensors.detectors.saturation import saturation

SETTINGS = DetectorSettings()
ONSET = 7
FIRST = np.eye(8)[0]


@pytest.fixture(scope="module")
def simulated():
    path = Path(__file__).with_name("simulated.py")
    spec = importlib.util.spec_from_file_location("simulated_runs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def fires(bank, lie):
    return any(d.lie is lie for d in bank.firings)


@pytest.mark.parametrize("problems", [24, 60])
def test_runs_in_which_nothing_changes_stay_quiet(made, simulated, problems):
    banks = [
        bank
        for seed in range(25)
        for bank in simulated.Run(
            made=made, seed=seed, problems=problems, ordered=(2, 5, 8)
        ).banks()
    ]
    alarms = [d for bank in banks for d in bank.firings]
    assert len(alarms) <= 3, [(d.lie, d.cluster, d.because) for d in alarms]
    for lie in LieType:
        scores = [d.score for b in banks for d in b.detectors if d.lie is lie and d.cluster < 0]
        assert np.mean(scores) < 0.05, lie


FAULTS = {
    "one cluster": (LieType.A, {"shares": lambda s, _: 0.9 * FIRST + 0.1 * s}),
    "duplicates": (LieType.A, {"unique": 0.4}),
    "copies": (LieType.B, {"distinct": 0.13, "spread": 0.005}),
    "replay by heart": (LieType.C, {"replay": 0.1}),
    "forgetting": (LieType.D, {"drop": 0.2}),
    "all easy": (LieType.E, {"zones": np.array([0.92, 0.04, 0.04])}),
    "false premises": (LieType.F, {"unsound": 0.3}),
    "capture": (
        LieType.G,
        {"shares": lambda s, t: (k := min(0.7, 0.2 * (t + 1))) * FIRST + (1 - k) * s},
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_after_its_onset_and_not_before(made, simulated, fault):
    lie, changes = FAULTS[fault]
    change = simulated.planted(ONSET, **changes)
    runs = [simulated.Run(made=made, seed=s, change=change).banks() for s in range(10)]
    found = sum(any(fires(bank, lie) for bank in run[ONSET:]) for run in runs)
    early = sum(any(fires(b, lie) and b.firings for b in run[:ONSET]) for run in runs)
    assert found >= 8
    assert early <= 1


def test_a_frontier_that_falls_after_an_action_is_put_down_to_it(made, simulated):
    change = simulated.planted(ONSET, zones=np.array([0.85, 0.05, 0.10]))
    blamed = spared = 0
    for seed in range(10):
        acted = simulated.Run(made=made, seed=seed, change=change, ordered=(ONSET - 1,)).banks()
        idle = simulated.Run(made=made, seed=seed, change=change).banks()
        blamed += any(fires(bank, LieType.H) for bank in acted)
        spared += not any(fires(bank, LieType.H) for bank in idle)
    assert blamed >= 6
    assert spared == 10


def steady(made, **more):
    census = made.census_of(**more)
    return History(episodes=tuple(made.trace_of(e, census) for e in range(3)))


@given(st.floats(0, 1), st.floats(0, 1))
def test_drift_grows_as_proposals_narrow(made, first, second):
    history = steady(made)
    low, high = sorted((first, second))
    narrow = drift(made.census_of(template_entropy=low), history, SETTINGS).score
    wide = drift(made.census_of(template_entropy=high), history, SETTINGS).score
    assert 0.0 <= wide <= narrow <= 1.0


def test_drift_needs_no_past_to_see_one_kind_of_question(made):
    census = made.census_of(template_entropy=0.0)
    assert drift(census, History(), SETTINGS).fires


def test_copies_that_do_not_agree_are_no_novelty_collapse(made):
    history = steady(made)
    copies = {"distinct_share": 0.13, "length_spread": 0.0}
    assert novelty(made.census_of(**copies), history, SETTINGS).fires
    assert not novelty(made.census_of(**copies, mean_outcome=0.1), history, SETTINGS).fires


@given(st.floats(0.01, 1.0), st.floats(0.01, 1.0))
def test_memorising_grows_as_replay_gets_cheaper(made, first, second):
    low, high = sorted((first, second))
    known = memorising(made.measurement([0.5] * 20, [0.5] * 5, [0.5 * low] * 20), SETTINGS)
    less = memorising(made.measurement([0.5] * 20, [0.5] * 5, [0.5 * high] * 20), SETTINGS)
    assert 0.0 <= less.score <= known.score <= 1.0


def test_two_tiny_losses_are_not_memorisation(made):
    assert memorising(made.measurement([0.01] * 9, [], [0.0005] * 9), SETTINGS).score == 0.0


def test_memorising_says_nothing_without_replay(made):
    assert memorising(made.measurement([0.5] * 9, [0.5], []), SETTINGS).score == 0.0


@given(st.floats(0, 0.5), st.floats(0, 0.5))
def test_forgetting_grows_with_the_drop(made, first, second):
    noise = np.random.default_rng(0).normal(0, 0.1, 40)
    low, high = sorted((first, second))
    small = forgetting(made.epi_of(), made.retest_of(list(noise - low)), SETTINGS)
    large = forgetting(made.epi_of(), made.retest_of(list(noise - high)), SETTINGS)
    assert 0.0 <= small.score <= large.score <= 1.0


def test_a_drop_without_information_gain_is_no_type_d(made):
    drop = made.retest_of([-0.3] * 20)
    assert forgetting(made.epi_of(), drop, SETTINGS).fires
    assert not forgetting(made.epi_of(-0.01), drop, SETTINGS).fires


def test_a_cluster_that_forgets_is_seen_where_the_whole_panel_hides_it(made):
    rng = np.random.default_rng(1)
    deltas = [*rng.normal(-0.35, 0.1, 10), *rng.normal(0.05, 0.1, 70)]
    panel = made.retest_of([float(d) for d in deltas], [3] * 10 + [1] * 35 + [2] * 35)
    assert not forgetting(made.epi_of(), panel, SETTINGS).fires
    bank = cluster_detectors(made.epi_of(), panel, SETTINGS)
    assert [d.cluster for d in bank.firings] == [3]
    assert no_cluster_detectors(made.epi_of(), panel, SETTINGS).detectors == ()


def test_clusters_with_few_items_and_items_without_cluster_are_not_judged(made):
    panel = made.retest_of([-0.9] * 8, [5] * 3 + [-1] * 5)
    assert cluster_detectors(made.epi_of(), panel, SETTINGS).detectors == ()


def test_an_empty_frontier_among_hard_problems_is_no_saturation(made):
    assert saturation(made.census_of(easy=58, frontier=1, hard=1), SETTINGS).fires
    assert not saturation(made.census_of(easy=1, frontier=1, hard=58), SETTINGS).fires
    assert not saturation(made.census_of(easy=5, frontier=0, hard=0), SETTINGS).fires


def cluster(name, **more):
    figures = {
        "n": 50,
        "share": 0.2,
        "mean_reward": 0.5,
        "last_retest_delta": 0.0,
        "learning_progress": 0.0,
        "exemplar": "",
    }
    return ClusterReading(cluster=name, **(figures | more))


def test_false_premises_are_put_down_to_the_cluster_that_holds_them(made):
    clusters = (cluster(4, unsound_share=0.8, share=0.2), cluster(5, unsound_share=0.0))
    reading = hallucination(
        made.census_of(unsound_share=0.3), CapabilityReading(clusters=clusters), SETTINGS
    )
    assert (reading.fires, reading.cluster, reading.culprit) == (True, -1, 4)


def test_false_premises_fire_without_a_map_and_name_nobody(made):
    reading = hallucination(made.census_of(unsound_share=0.3), CapabilityReading(), SETTINGS)
    assert (reading.fires, reading.culprit) == (True, -1)


def captured(made, shares, rewards):
    """A history in which cluster 0 had these shares and rewards, the last of which is now."""
    census = made.census_of()
    past = tuple(
        made.trace_of(e, census, cluster_shares=((0, s),), cluster_rewards=((0, r),))
        for e, (s, r) in enumerate(zip(shares[:-1], rewards[:-1], strict=True))
    )
    now = cluster(0, episode_share=shares[-1], episode_reward=rewards[-1])
    return capture(census, CapabilityReading(clusters=(now,)), History(episodes=past), SETTINGS)


def test_a_cluster_that_grows_is_captured_only_where_it_stops_improving(made):
    shares = [0.1, 0.1, 0.1, 0.6, 0.6, 0.6]
    flat = captured(made, shares, [0.5] * 6)
    assert (flat.fires, flat.culprit) == (True, 0)
    assert not captured(made, shares, [0.4, 0.4, 0.4, 0.6, 0.65, 0.7]).fires


def test_a_cluster_that_always_was_large_is_no_capture(made):
    assert captured(made, [0.6] * 6, [0.5] * 6).score == 0.0


DIALS = Dials(context_rate=0.5, temperature=0.7, frontier_steps=3)


def acted(made, shares, episode):
    past = PastDefense(
        episode=episode,
        order=Order(action=Defense.raise_steps, lie=LieType.E, amount=1),
        frontier_share_before=shares[episode],
        dials_before=DIALS,
    )
    traces = tuple(
        made.trace_of(e, made.census_of(), frontier_share=s) for e, s in enumerate(shares)
    )
    return History(episodes=traces, defenses=(past,))


def test_a_decline_that_was_under_way_is_not_put_down_to_the_action(made):
    now = made.census_of(easy=54, frontier=6, hard=0)
    sudden = induced(now, acted(made, [0.5, 0.5, 0.5], 2), SETTINGS)
    gradual = induced(now, acted(made, [0.7, 0.5, 0.3], 2), SETTINGS)
    assert sudden.fires
    assert gradual.score == 0.0


def test_an_old_action_and_an_undone_one_are_not_blamed(made):
    now = made.census_of(easy=58, frontier=1, hard=1)
    assert induced(now, acted(made, [0.5] * 6, 1), SETTINGS).score == 0.0
    history = acted(made, [0.5, 0.5, 0.5], 2)
    undone = PastDefense(
        episode=2,
        order=Order(action=Defense.undo, lie=LieType.H),
        frontier_share_before=0.5,
        dials_before=DIALS,
    )
    taken_back = History(episodes=history.episodes, defenses=(*history.defenses, undone))
    assert taken_back.standing_defense is None
    assert induced(now, taken_back, SETTINGS).score == 0.0


@given(st.lists(st.floats(0, 1), max_size=6), st.floats(0, 1), st.floats(0, 1))
def test_noise_only_ever_lowers_a_fall(values, now, noise):
    reference = Reference.of(values)
    assert 0.0 <= reference.fall(now, noise) <= reference.fall(now, 0.0) <= 1.0
    assert 0.0 <= reference.lost(now, noise) <= 1.0
