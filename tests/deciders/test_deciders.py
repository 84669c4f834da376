"""Zones, verdicts, planners: each decision follows its rule, and says why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.control import (
    CapacitySettings,
    ErcvSettings,
    FrontierSettings,
    PlannerSettings,
)
from argus_rl.core.signals.inner import Zone
from argus_rl.core.signals.middle import History, RetestReading, Ruling, Verdict
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading
from argus_rl.deciders.capacity_planner import constant_capacity, growing_capacity
from argus_rl.deciders.curriculum_planner import most_learnable_cluster, weakest_cluster
from argus_rl.deciders.ercv import (
    confirm_blend,
    fixed_threshold_verdict,
    full_severity,
    keep_severity,
    never_refuse,
    soft_severity,
    zscore_verdict,
)
from argus_rl.deciders.frontier_zone import frontier_zone

ZONE = FrontierSettings()
ERCV = ErcvSettings()
PLAN = PlannerSettings()
SHARE = st.floats(0, 1)


@pytest.mark.parametrize(
    ("score", "skill", "zone"),
    [
        (0.39, 0.0, Zone.hard),
        (0.40, 0.0, Zone.frontier),
        (0.79, 0.0, Zone.frontier),
        (0.80, 0.0, Zone.easy),
        (0.49, 0.5, Zone.hard),
        (0.50, 0.5, Zone.frontier),
    ],
)
def test_a_whole_proposal_is_zoned_by_its_score_and_the_bar_rises_with_skill(
    made, score, skill, zone
):
    agreement = made.agreement(score=score)
    assert frontier_zone(agreement, score, skill, ZONE).zone is zone


def test_a_grown_problem_is_trusted_by_its_vote_and_mastered_by_the_policy(made):
    sure = made.agreement(score=0.95)
    assert frontier_zone(sure, 0.3, 0.5, ZONE).zone is Zone.frontier
    assert frontier_zone(sure, 0.9, 0.5, ZONE).zone is Zone.easy
    assert frontier_zone(made.agreement(score=0.2), 0.3, 0.5, ZONE).zone is Zone.hard


def test_a_problem_without_a_label_is_hard_whatever_the_score(made):
    assert frontier_zone(made.agreement(score=0.7, majority=""), 0.7, 0.0, ZONE).zone is Zone.hard


@given(SHARE, SHARE, SHARE)
def test_zones_are_ordered_by_score(made, first, second, skill):
    order = [Zone.hard, Zone.frontier, Zone.easy]
    low, high = sorted((first, second))
    zones = [frontier_zone(made.agreement(score=s), s, skill, ZONE).zone for s in (low, high)]
    assert order.index(zones[0]) <= order.index(zones[1])


def history(made, trends, streak=0):
    traces = tuple(made.trace_of(e, made.census_of(), retest_trend=t) for e, t in enumerate(trends))
    return History(episodes=traces, streak=streak)


def trend_of(made, trend, n=10):
    return made.retest_of([trend] * n)


def test_an_update_is_refused_when_information_rose_and_skill_fell(made):
    verdict = fixed_threshold_verdict(made.epi_of(), trend_of(made, -0.06), History(), ERCV)
    assert (verdict.ruling, verdict.divergent, verdict.streak) == (Ruling.refuse, True, 1)
    assert "retest -0.060" in verdict.reason


@pytest.mark.parametrize(("gain", "trend"), [(0.03, -0.05), (0.03, 0.1), (0.0, -0.5)])
def test_an_update_stands_where_the_gauges_do_not_disagree(made, gain, trend):
    verdict = fixed_threshold_verdict(made.epi_of(gain), trend_of(made, trend), History(), ERCV)
    assert (verdict.ruling, verdict.severity, verdict.streak) == (Ruling.accept, 0.0, 0)


@pytest.mark.parametrize("rule", [fixed_threshold_verdict, zscore_verdict])
def test_too_few_retests_are_underpowered_and_never_a_refusal(made, rule):
    past = history(made, [0.0, 0.01, 0.0, -0.01, 0.0])
    verdict = rule(made.epi_of(), trend_of(made, -0.9, n=3), past, ERCV)
    assert (verdict.ruling, verdict.divergent) == (Ruling.underpowered, False)


@given(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.lists(st.floats(-0.1, 0.1), max_size=8))
def test_a_worse_trend_is_never_judged_more_mildly(made, first, second, past):
    low, high = sorted((first, second))
    known = history(made, past)
    for rule in (fixed_threshold_verdict, zscore_verdict):
        worse = rule(made.epi_of(), trend_of(made, low), known, ERCV)
        better = rule(made.epi_of(), trend_of(made, high), known, ERCV)
        assert (worse.ruling is Ruling.refuse) >= (better.ruling is Ruling.refuse)


def test_before_its_warmup_the_zscore_rule_is_the_fixed_one(made):
    past = history(made, [0.0, 0.01, -0.01])
    args = (made.epi_of(), trend_of(made, -0.06), past, ERCV)
    assert zscore_verdict(*args) == fixed_threshold_verdict(*args)


def test_after_its_warmup_the_zscore_rule_compares_with_this_runs_own_history(made):
    past = history(made, [0.0, 0.01, -0.01, 0.0])
    verdict = zscore_verdict(made.epi_of(), trend_of(made, -0.04), past, ERCV)
    assert (verdict.rule, verdict.ruling) == ("zscore", Ruling.refuse)
    assert verdict.z == pytest.approx(-0.04 / (2 / 3 * 1e-4) ** 0.5)
    noisy = history(made, [0.1, -0.1, 0.05, -0.05])
    kept = zscore_verdict(made.epi_of(), trend_of(made, -0.06), noisy, ERCV)
    assert kept.ruling is Ruling.accept


def test_an_update_that_improved_less_than_usual_is_not_refused(made):
    past = history(made, [0.10, 0.11, 0.10, 0.11])
    verdict = zscore_verdict(made.epi_of(), trend_of(made, 0.01), past, ERCV)
    assert verdict.z < ERCV.z
    assert verdict.ruling is Ruling.accept


def test_episodes_without_a_panel_are_no_history(made):
    traces = tuple(made.trace_of(e, made.census_of(), retest_n=0) for e in range(6))
    args = (made.epi_of(), trend_of(made, -0.001), History(episodes=traces), ERCV)
    assert zscore_verdict(*args).rule == "fixed_threshold"


@pytest.mark.parametrize("odd", [{"learned": False}, {"retest_n": 1}, {"refused": True}])
def test_episodes_that_measured_nothing_usual_are_no_history(made, odd):
    traces = tuple(made.trace_of(e, made.census_of(), **odd) for e in range(6))
    args = (made.epi_of(), trend_of(made, -0.002), History(episodes=traces), ERCV)
    assert zscore_verdict(*args).rule == "fixed_threshold"


def test_hysteresis_waits_for_divergence_in_a_row(made):
    patient = replace(ERCV, hysteresis=2)
    args = (made.epi_of(), trend_of(made, -0.2))
    first = fixed_threshold_verdict(*args, History(), patient)
    second = fixed_threshold_verdict(*args, History(streak=first.streak), patient)
    assert (first.ruling, first.divergent) == (Ruling.accept, True)
    assert (second.ruling, second.streak) == (Ruling.refuse, 2)


def test_never_refuse_accepts_and_tells_what_the_rule_would_have_said(made):
    verdict = never_refuse(made.epi_of(), trend_of(made, -0.5), History(), ERCV)
    assert (verdict.ruling, verdict.severity, verdict.divergent) == (Ruling.accept, 0.0, True)


@given(st.floats(-0.5, 0.5), st.floats(0.0001, 0.2))
def test_soft_severity_is_the_given_formula_and_full_severity_is_one(made, trend, gain):
    epi, retest = made.epi_of(gain), trend_of(made, trend)
    verdict = fixed_threshold_verdict(epi, retest, History(), ERCV)
    soft = soft_severity(verdict, epi, retest, ERCV)
    full = full_severity(verdict, epi, retest, ERCV)
    if verdict.ruling is Ruling.refuse:
        assert soft.severity == pytest.approx(min(1.0, abs(retest.trend) / gain))
        assert full.severity == 1.0
    else:
        assert soft.severity == full.severity == 0.0


def cluster(name, **more):
    figures = {
        "n": 50,
        "share": 0.1,
        "mean_reward": 0.5,
        "last_retest_delta": 0.0,
        "learning_progress": 0.0,
        "exemplar": "",
    }
    return ClusterReading(cluster=name, **(figures | more))


def plan(*clusters, capped=(), planner=most_learnable_cluster):
    return planner(CapabilityReading(clusters=clusters), PLAN, capped)


def test_the_most_learnable_cluster_is_half_known_and_little_visited():
    decision = plan(cluster(1, mean_reward=0.1), cluster(2, mean_reward=0.5), cluster(3, share=0.2))
    assert decision.target == 2
    assert plan(cluster(1), cluster(2, learning_progress=0.2)).target == 2


@pytest.mark.parametrize("bar", [{"n": 2}, {"share": 0.26}, {"last_retest_delta": -0.021}], ids=str)
def test_with_no_eligible_cluster_there_is_no_target_never_the_weakest(bar):
    decision = plan(cluster(1, mean_reward=0.0, **bar), cluster(2, **bar))
    assert decision.target == -1
    assert "no eligible cluster" in decision.reason


def test_an_empty_map_and_capped_clusters_give_no_target():
    for planner in (weakest_cluster, most_learnable_cluster):
        assert plan(planner=planner).target == -1
        assert plan(cluster(4), capped=(4,), planner=planner).target == -1


@st.composite
def clusters(draw):
    count = draw(st.integers(0, 6))
    return tuple(
        cluster(
            name,
            n=draw(st.integers(0, 8)),
            share=draw(SHARE),
            mean_reward=draw(SHARE),
            last_retest_delta=draw(st.floats(-0.2, 0.2)),
            learning_progress=draw(st.floats(-0.5, 0.5)),
        )
        for name in range(count)
    )


@given(clusters(), st.sets(st.integers(0, 5)))
def test_the_planner_never_targets_an_ineligible_cluster(found, capped):
    decision = plan(*found, capped=tuple(capped))
    chosen = [c for c in found if c.cluster == decision.target]
    eligible = [
        c
        for c in found
        if c.n >= PLAN.min_size
        and c.share <= PLAN.max_share
        and c.last_retest_delta >= PLAN.regressed
        and c.cluster not in capped
    ]
    assert bool(chosen) == bool(eligible)
    assert all(c in eligible for c in chosen)


def test_the_weakest_cluster_has_the_lowest_reward_among_those_sampled():
    decision = plan(
        cluster(1, mean_reward=0.4),
        cluster(2, mean_reward=0.2),
        cluster(3, mean_reward=0.0, n=2),
        planner=weakest_cluster,
    )
    assert decision.target == 2


CAPACITY = CapacitySettings()


def test_capacity_grows_by_its_rate_up_to_its_limits():
    first = growing_capacity(0, 8, 256, 0.05, CAPACITY)
    later = growing_capacity(5, 8, 256, 0.05, CAPACITY)
    late = growing_capacity(100, 8, 256, 0.05, CAPACITY)
    assert (first.k, first.max_tokens) == (8, 256)
    assert (later.k, later.max_tokens) == (round(8 * 1.05**5), round(256 * 1.05**5))
    assert (late.k, late.max_tokens) == (16, 384)


@given(st.integers(0, 60), st.integers(1, 16), st.integers(1, 384), SHARE)
def test_capacity_never_shrinks_over_episodes(episode, k, tokens, growth):
    now = growing_capacity(episode, k, tokens, growth, CAPACITY)
    after = growing_capacity(episode + 1, k, tokens, growth, CAPACITY)
    assert k <= now.k <= after.k <= 16
    assert tokens <= now.max_tokens <= after.max_tokens <= 384


def test_without_growth_capacity_is_what_was_configured():
    decision = constant_capacity(9, 20, 999, 0.5, CAPACITY)
    assert (decision.k, decision.max_tokens) == (20, 999)


def test_a_blend_that_fell_becomes_a_whole_refusal():
    refused = Verdict(
        ruling=Ruling.refuse, severity=0.4, divergent=True, streak=1, rule="", z=0.0, reason=""
    )

    def retested(trend: float) -> RetestReading:
        return RetestReading(deltas=(), trend=trend, se=0.02, n=9, regressed=(), flip_rate=0.0)

    assert confirm_blend(refused, retested(-0.05)).severity == 1.0
    assert confirm_blend(refused, retested(-0.01)).severity == 1.0
    assert confirm_blend(refused, retested(0.0)) == refused
    assert confirm_blend(refused, retested(0.05)) == refused
    accepted = replace(refused, ruling=Ruling.accept, severity=0.0)
    assert confirm_blend(accepted, retested(-0.5)) == accepted
    assert keep_severity(refused, retested(-0.5)) == refused
