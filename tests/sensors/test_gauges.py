"""Epiplexity, retest, census and SPSI say what their formulas say."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.control import RetestSettings
from argus_rl.core.rng import Stream
from argus_rl.core.signals.across import Health
from argus_rl.core.signals.inner import PremiseReading, Zone, ZoneDecision
from argus_rl.core.signals.middle import BankReading, DetectorReading, LieType, ObserverCurve
from argus_rl.core.signals.outer import CapabilityReading, ClusterReading
from argus_rl.data.problem import Chain
from argus_rl.sensors.census import Asked, census
from argus_rl.sensors.epiplexity import epiplexity, prequential_epiplexity
from argus_rl.sensors.retest import retest
from argus_rl.sensors.spsi import spsi, unmeasured_health

STREAM = Stream(("test",))
SETTINGS = RetestSettings()


def test_the_gain_is_what_the_loss_fell_by_on_taught_and_on_held_back_pairs(made):
    before = made.measurement(lesson=[1.0, 2.0, 3.0], probe=[1.0, 1.0])
    after = made.measurement(lesson=[0.5, 1.5, 2.0], probe=[1.1, 0.7])
    reading = epiplexity(before, after, STREAM)
    assert reading.gain == pytest.approx(2 / 3)
    assert reading.probe_gain == pytest.approx(0.1)
    assert reading.gain_low <= reading.gain <= reading.gain_high
    assert (reading.n, reading.n_probe) == (3, 2)
    assert reading == epiplexity(before, after, STREAM)


def test_an_update_that_changed_nothing_gained_nothing(made):
    same = made.measurement(lesson=[1.0, 2.0, 3.0], probe=[0.5, 0.6])
    reading = epiplexity(same, same, STREAM)
    assert (reading.gain, reading.gain_se, reading.gain_low, reading.gain_high) == (0, 0, 0, 0)


def test_one_pair_says_nothing_of_the_spread_and_none_nothing_at_all(made):
    one = epiplexity(made.measurement([1.0]), made.measurement([0.5]), STREAM)
    assert (one.gain, one.gain_low, one.gain_high) == (0.5, -math.inf, math.inf)
    none = epiplexity(made.measurement(), made.measurement(), STREAM)
    assert (none.gain, none.n) == (0.0, 0)


def test_losses_that_are_not_finite_are_left_out(made):
    before = made.measurement([1.0, math.nan, 2.0, 3.0])
    after = made.measurement([0.5, 1.0, 1.5, math.inf])
    reading = epiplexity(before, after, STREAM)
    assert (reading.gain, reading.n) == (0.5, 2)


def curve(train, validation, online=(2.0, 2.0, 2.0, 2.0)):
    return ObserverCurve(
        online=tuple(online),
        train=tuple(train),
        validation=tuple(validation),
        train_tokens=4,
        validation_tokens=2,
    )


def test_prequential_epiplexity_is_read_where_the_description_is_shortest():
    reading = prequential_epiplexity(curve([6.0, 4.0, 0.0], [3.5, 2.0, 5.0]))
    assert reading.epochs == 2
    assert reading.bits == pytest.approx((8.0 - 4.0) / math.log(2))
    assert reading.mdl == pytest.approx(((8.0 - 4.0) / 4 + 2.0 / 2) / math.log(2))


def test_memorising_past_the_best_epoch_adds_no_bits():
    usual = prequential_epiplexity(curve([6.0, 4.0], [3.5, 2.0]))
    longer = prequential_epiplexity(curve([6.0, 4.0, 0.1], [3.5, 2.0, 4.0]))
    assert longer == usual


def test_an_epoch_that_costs_more_bits_than_it_saves_is_not_taken():
    reading = prequential_epiplexity(curve([6.0, 0.0], [2.0, 1.9]))
    assert reading.epochs == 1
    assert reading.bits == pytest.approx(2.0 / math.log(2))


def test_an_observer_that_learned_nothing_found_no_bits():
    assert prequential_epiplexity(curve([9.0], [4.0])).bits == 0.0
    assert prequential_epiplexity(curve([], [])).epochs == 0
    assert prequential_epiplexity(curve([math.nan], [4.0])).epochs == 0


def panels(made, rows):
    before = [made.panel_score(f"q{i}", b, mb) for i, (b, _, mb, _) in enumerate(rows)]
    after = [made.panel_score(f"q{i}", a, ma) for i, (_, a, _, ma) in enumerate(rows)]
    return made.measurement(panel=before), made.measurement(panel=after)


def test_the_trend_is_the_mean_change_on_the_same_items(made):
    before, after = panels(made, [(0.8, 0.6, "7", "7"), (0.5, 0.5, "7", "7"), (0.4, 0.3, "7", "7")])
    reading = retest(before, after, SETTINGS)
    assert reading.trend == pytest.approx(-0.1)
    assert reading.regressed == ("q0", "q2")
    assert reading.se == pytest.approx(0.1 / math.sqrt(3))


def test_an_item_flips_when_its_stored_answer_is_lost(made):
    rows = [(0.8, 0.8, "7", "8"), (0.8, 0.0, "7", ""), (0.5, 0.5, "8", "9"), (0.5, 0.9, "8", "7")]
    reading = retest(*panels(made, rows), SETTINGS)
    assert [d.flipped for d in reading.deltas] == [True, True, False, False]
    assert reading.flip_rate == 0.5


def test_a_panel_must_be_the_same_before_and_after(made):
    before, _ = panels(made, [(0.8, 0.6, "7", "7")] * 2)
    _, after = panels(made, [(0.8, 0.6, "7", "7")])
    with pytest.raises(ValueError, match="panel"):
        retest(before, after, SETTINGS)


def test_an_empty_panel_has_no_trend(made):
    reading = retest(made.measurement(), made.measurement(), SETTINGS)
    assert (reading.trend, reading.se, reading.n, reading.flip_rate) == (0.0, 0.0, 0, 0.0)


def asked(texts, **more):
    figures = {"drafts": 10, "refused_syntax": 1, "refused_premise": 1, "context_used": 2}
    return Asked(texts=tuple(texts), **(figures | more))


def zone(name, where):
    return ZoneDecision(problem_id=name, zone=where, reason="")


def test_the_census_counts_zones_chains_and_false_premises(made):
    agreements = [
        made.agreement("a", 0.2, k=4, answerless=1, distinct=4),
        made.agreement("b", 0.6, k=4, answerless=0, distinct=2),
    ]
    chains = [
        [Chain(problem_id=p, text="x", index=i, truncated=i == 0 and p == "a") for i in range(4)]
        for p in "ab"
    ]
    reading = census(
        asked(["one 1?", "two 2?"]),
        agreements,
        [zone("a", Zone.hard), zone("b", Zone.frontier)],
        [PremiseReading(problem_id="a", sound=False), PremiseReading(problem_id="b", sound=True)],
        chains,
    )
    assert (reading.easy, reading.frontier, reading.hard) == (0, 1, 1)
    assert reading.frontier_share == 0.5
    assert reading.mean_score == pytest.approx(0.4)
    assert reading.distinct_share == pytest.approx(0.75)
    assert reading.answerless_share == pytest.approx(1 / 8)
    assert reading.truncated_share == pytest.approx(1 / 8)
    assert reading.unsound_share == 0.5


def test_an_episode_without_problems_raises_no_alarm():
    reading = census(asked([]), [], [], [], [])
    assert (reading.unique_share, reading.template_entropy, reading.distinct_share) == (1, 1, 1)
    assert reading.frontier_share == 0.0


def test_proposals_that_crowd_one_cluster_have_no_entropy():
    texts = [f"Problem {i}?" for i in range(8)]
    crowded = census(asked(texts, clusters=(3,) * 8, kinds=4), [], [], [], [])
    even = census(asked(texts, clusters=(0, 1, 2, 3) * 2, kinds=4), [], [], [], [])
    assert (crowded.template_entropy, even.template_entropy) == (0.0, pytest.approx(1.0))


def test_without_a_map_kinds_are_the_openings_of_texts():
    same = census(asked([f"Tom has {i} cards and?" for i in range(6)]), [], [], [], [])
    other = census(
        asked([f"{w} sees a bird?" for w in ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay"]]),
        [],
        [],
        [],
        [],
    )
    assert same.template_entropy == 0.0
    assert other.template_entropy == pytest.approx(1.0)


def test_texts_that_differ_in_blanks_and_case_alone_are_one():
    reading = census(asked(["Tom has 3?", "tom  has 3?", "Tom has 4?"]), [], [], [], [])
    assert reading.unique_share == pytest.approx(2 / 3)


def cluster(name, **more):
    figures = {
        "n": 50,
        "share": 0.3,
        "mean_reward": 0.3,
        "last_retest_delta": 0.0,
        "learning_progress": 0.0,
        "exemplar": "",
    }
    return ClusterReading(cluster=name, **(figures | more))


def bank(score, cluster=-1, lie=LieType.A):
    reading = DetectorReading(lie=lie, score=score, threshold=0.5, cluster=cluster)
    return BankReading(detectors=(reading,))


def test_spsi_reaches_plus_and_minus_one_half(made):
    best = spsi(
        made.epi_of(0.04),
        made.census_of(easy=0, frontier=10, hard=0),
        made.retest_of([0.1] * 5),
        bank(0.0),
        CapabilityReading(),
    )
    worst = spsi(
        made.epi_of(-1.0),
        made.census_of(easy=60, frontier=0, hard=0),
        made.retest_of([-0.1] * 5),
        bank(1.0),
        CapabilityReading(clusters=(cluster(0, share=1.0),)),
    )
    assert (best.value, best.health) == (pytest.approx(0.5), Health.healthy)
    assert (worst.value, worst.health) == (pytest.approx(-0.5), Health.collapsing)


@given(
    st.floats(-1, 1),
    st.integers(0, 50),
    st.integers(0, 50),
    st.floats(-1, 1),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_spsi_is_the_sum_of_its_terms_within_its_range(made, gain, easy, frontier, d, lie, share):
    reading = spsi(
        made.epi_of(gain),
        made.census_of(easy=easy, frontier=frontier, hard=5),
        made.retest_of([d] * 4),
        bank(lie),
        CapabilityReading(clusters=(cluster(0, share=share),)),
    )
    terms = (
        reading.information,
        reading.frontier,
        reading.forgetting,
        reading.deception,
        reading.waste,
    )
    assert reading.value == pytest.approx(sum(terms))
    assert -0.5 - 1e-9 <= reading.value <= 0.5 + 1e-9


def test_only_unrewarding_sampled_clusters_that_do_not_recover_are_wasted(made):
    clusters = (
        cluster(0, share=0.1),
        cluster(1, share=0.2, mean_reward=0.5),
        cluster(2, share=0.3, n=4),
        cluster(3, share=0.4, last_retest_delta=0.05),
    )
    args = (made.epi_of(), made.census_of(), made.retest_of([]), bank(0.0))
    wasted = spsi(*args, CapabilityReading(clusters=clusters)).wasted_share
    assert wasted == pytest.approx(0.1)


def test_pressure_in_one_cluster_counts_where_no_detector_of_the_whole_run_rises(made):
    args = (made.epi_of(), made.census_of(), made.retest_of([]))
    reading = spsi(*args, bank(0.8, cluster=3, lie=LieType.D), CapabilityReading())
    assert reading.deception == pytest.approx(-0.15 * 0.8)


def test_unmeasured_health_still_tells_the_waste(made):
    args = (made.epi_of(), made.census_of(), made.retest_of([]), bank(0.0))
    reading = unmeasured_health(*args, CapabilityReading(clusters=(cluster(0, share=0.4),)))
    assert (reading.health, reading.value) == (Health.unmeasured, 0.0)
    assert reading.wasted_share == pytest.approx(0.4)
