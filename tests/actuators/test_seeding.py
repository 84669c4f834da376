"""Requests follow the curriculum, each drawn by itself."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.actuators.seeding import EXEMPLARS, seed_proposer
from argus_rl.config.run import Proposing, SamplingSettings
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import Dials
from argus_rl.core.signals.outer import CurriculumDecision, SeedingEffect
from argus_rl.data.memory import Bounds, Memory, add_blind_spots, add_library
from argus_rl.data.problem import Problem, Source

DIALS = Dials(context_rate=0.5, temperature=0.7, frontier_steps=4)
SAMPLING = SamplingSettings(proposals=200)
CONTEXTS = [Problem(id=f"c{i}", text=f"context {i}?", source=Source.context) for i in range(9)]
NOWHERE = CurriculumDecision(target=-1, reason="")
STREAM = Stream(("seed",))


def seed(memory=None, *, dials=DIALS, sampling=SAMPLING, target=NOWHERE, contexts=CONTEXTS):
    return seed_proposer(3, target, dials, memory or Memory(), contexts, sampling, STREAM)


def at(cluster):
    return CurriculumDecision(target=cluster, reason="")


@pytest.fixture
def library(made):
    pairs = [made.pair(f"l{c}{s}{i}", c, s) for c in (0, 1) for s in (1, 2, 3, 4) for i in range(5)]
    return add_library(Memory(), pairs, Bounds())


def growing(**more):
    return replace(SAMPLING, proposing=Proposing.grow, **more)


def test_contexts_come_at_their_rate():
    plan = seed()
    assert 70 <= plan.with_context <= 130
    assert plan.with_context == sum(r.context is not None for r in plan.requests)
    assert seed(dials=replace(DIALS, context_rate=0.0)).with_context == 0
    assert seed(dials=replace(DIALS, context_rate=1.0)).with_context == 200


def test_a_variation_always_has_a_context():
    plan = seed(sampling=replace(SAMPLING, proposing=Proposing.vary))
    assert plan.with_context == 200


def test_blind_spots_take_the_place_of_half_of_the_contexts():
    spot = Problem(id="b", text="blind?", source=Source.proposed)
    plan = seed(add_blind_spots(Memory(), [spot], Bounds()))
    assert 30 <= plan.with_blind_spot <= 75
    assert plan.with_blind_spot == sum(r.context == spot for r in plan.requests)
    never = seed(
        add_blind_spots(Memory(), [spot], Bounds()), sampling=replace(SAMPLING, blind_spot_rate=0.0)
    )
    assert never.with_blind_spot == 0


def test_without_contexts_requests_are_fresh():
    plan = seed(contexts=[])
    assert (plan.with_context, plan.prompts) == (0, 200)
    assert {r.steps for r in plan.requests} == {4}


def test_exemplars_come_from_the_target_cluster_alone(library):
    plan = seed(library, target=at(1))
    texts = {p.problem.text for p in library.library if p.cluster == 1}
    assert plan.with_exemplars == 200
    assert all(len(r.exemplars) == EXEMPLARS for r in plan.requests)
    assert {t for r in plan.requests for t in r.exemplars} <= texts
    assert seed(library).with_exemplars == 0


def bases(plan):
    return [r.base for r in plan.requests if r.base is not None]


def test_growth_asks_for_one_step_more_than_its_base_and_stops_at_its_limit(library):
    short = replace(DIALS, frontier_steps=1)
    plan = seed(library, sampling=growing(grow_to=4), contexts=[], dials=short)
    assert all(r.steps == r.base.problem.steps + 1 <= 4 for r in plan.requests if r.base)
    assert {b.problem.steps for b in bases(plan)} == {1, 2, 3}


def test_growth_spreads_evenly_over_the_steps_it_can_reach_and_begins_some_anew(library):
    dials = replace(DIALS, context_rate=0.0)
    plan = seed(library, sampling=growing(grow_by=3, grow_to=9), dials=dials)
    reached = Counter(r.steps for r in plan.requests if r.base)
    assert set(reached) == {5, 6, 7}
    assert min(reached.values()) > 40
    assert all(1 <= r.steps - r.base.problem.steps <= 3 for r in plan.requests if r.base)
    assert 5 <= len(plan.requests) - len(bases(plan)) <= 40


def test_growth_prefers_the_target_cluster_and_avoids_quarantined_ones(library):
    plan = seed(library, sampling=growing(), target=at(1))
    clusters = Counter(b.cluster for b in bases(plan))
    assert clusters[1] > 1.8 * clusters[0] > 0
    barred = replace(DIALS, quarantined=(1,))
    plan = seed(library, sampling=growing(), target=at(1), dials=barred)
    assert {b.cluster for b in bases(plan)} == {0}


def test_growth_takes_what_bases_there_are_where_one_kind_is_wanting(library, made):
    pair = made.pair("ctx", 0, 2)
    solved = replace(pair, problem=replace(pair.problem, source=Source.context))
    plan = seed(add_library(Memory(), [solved], Bounds()), sampling=growing(grow_by=3))
    assert {r.steps for r in plan.requests if r.base} == {5}
    assert len(bases(plan)) > 170
    assert len(bases(seed(library, sampling=growing()))) > 170


def test_growth_goes_on_below_the_frontier_where_nothing_reaches_beyond_it(made):
    memory = add_library(Memory(), [made.pair("own", 0, 1)], Bounds())
    assert {r.steps for r in seed(memory, sampling=growing()).requests if r.base} == {2}


def test_growth_takes_solved_contexts_at_the_context_rate(library, made):
    pair = made.pair("ctx", 0, 2)
    solved = replace(pair, problem=replace(pair.problem, source=Source.context))
    memory = add_library(library, [solved], Bounds())
    plan = seed(memory, sampling=growing(grow_by=3, grow_to=5))
    assert 70 <= plan.with_context <= 130
    assert plan.with_context == sum(b == solved for b in bases(plan))


def test_growth_takes_a_regressed_problem_in_the_place_of_half_of_the_contexts(library):
    troubled = library.library[0]
    memory = add_blind_spots(library, [troubled.problem], Bounds())
    plan = seed(memory, sampling=growing())
    assert 30 <= plan.with_blind_spot <= 75


def test_growth_without_a_library_begins_new_problems(library):
    alone = seed(sampling=growing())
    assert bases(alone) == []
    assert {r.steps for r in alone.requests} == {DIALS.frontier_steps}


@given(st.integers(1, 30))
def test_asking_for_more_changes_none_of_the_first_requests(count):
    few = seed(sampling=replace(SAMPLING, proposals=count))
    many = seed(sampling=replace(SAMPLING, proposals=count + 7))
    assert many.requests[:count] == few.requests


def test_every_request_has_a_name_of_its_own_and_the_ledger_keeps_the_counts_alone():
    plan = seed()
    assert len({r.id for r in plan.requests}) == 200
    assert type(plan.bare) is SeedingEffect
    assert plan.bare.prompts == 200
