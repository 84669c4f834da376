"""Each firing gets its one action, cool-downs are respected, and nothing is done twice."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.control import DefenseSettings
from argus_rl.core.signals.middle import (
    BankReading,
    Defense,
    DetectorReading,
    Dials,
    History,
    LieType,
    Order,
    PastDefense,
    Ruling,
    Verdict,
)
from argus_rl.deciders.defense_dispatch import defense_dispatch, no_defense

SETTINGS = DefenseSettings()
DIALS = Dials(context_rate=0.5, temperature=0.7, frontier_steps=3)
ACCEPT = Verdict(
    ruling=Ruling.accept, severity=0.0, divergent=False, streak=0, rule="r", z=0.0, reason=""
)
REFUSE = replace(ACCEPT, ruling=Ruling.refuse, severity=1.0)


def firing(lie, score=0.9, **more):
    return DetectorReading(lie=lie, score=score, threshold=0.5, because="figures", **more)


def dispatch(*readings, verdict=ACCEPT, history=None, dials=DIALS, keep=0.0):
    bank = BankReading(detectors=readings)
    return defense_dispatch(bank, verdict, history or History(), dials, SETTINGS, keep)


def past(action, episode=4, **more):
    return PastDefense(
        episode=episode,
        order=Order(action=action, lie=LieType.E, **more),
        frontier_share_before=0.3,
        dials_before=DIALS,
    )


@pytest.mark.parametrize(
    ("reading", "action", "amount", "deferred"),
    [
        (firing(LieType.A), Defense.force_context, 1.0, True),
        (firing(LieType.B), Defense.raise_temperature, 0.1, True),
        (firing(LieType.C), Defense.clear_replay, 0.0, False),
        (firing(LieType.D), Defense.soft_rollback, 0.5, False),
        (firing(LieType.E), Defense.raise_steps, 1, True),
        (firing(LieType.F, culprit=4), Defense.quarantine, 0.0, True),
        (firing(LieType.G, culprit=4), Defense.cap_cluster, 0.0, True),
    ],
)
def test_each_type_has_its_action(reading, action, amount, deferred):
    (order,) = dispatch(reading).orders
    assert (order.action, order.lie, order.deferred) == (action, reading.lie, deferred)
    assert order.amount == pytest.approx(amount)
    assert order.cluster == reading.culprit
    assert "figures" in order.because


def test_memorised_replay_is_decayed_where_a_share_is_to_be_kept():
    (order,) = dispatch(firing(LieType.C), keep=0.5).orders
    assert (order.action, order.amount) == (Defense.decay_replay, 0.5)


def test_a_quiet_bank_gets_no_orders():
    decision = dispatch(firing(LieType.A, score=0.5))
    assert (decision.orders, decision.reason) == ((), "nothing fired")


def test_a_refused_update_is_not_rolled_back_again():
    decision = dispatch(firing(LieType.D), firing(LieType.D, cluster=3), verdict=REFUSE)
    assert decision.orders == ()
    assert "refused already" in decision.reason


def test_several_clusters_that_forgot_lead_to_one_rollback():
    readings = [firing(LieType.D, score=0.6 + c / 100, cluster=c) for c in range(5)]
    (order,) = dispatch(*readings).orders
    assert (order.action, order.cluster) == (Defense.soft_rollback, 4)


def test_nothing_is_raised_past_its_limit():
    hot = replace(DIALS, temperature=SETTINGS.temperature_max, frontier_steps=SETTINGS.steps_max)
    assert dispatch(firing(LieType.B), firing(LieType.E), dials=hot).orders == ()
    warm = replace(DIALS, temperature=SETTINGS.temperature_max - 0.04)
    assert dispatch(firing(LieType.B), dials=warm).orders[0].amount == pytest.approx(0.04)


def test_without_a_culprit_there_is_no_cluster_to_act_on():
    assert dispatch(firing(LieType.F), firing(LieType.G)).orders == ()


def test_a_cluster_in_quarantine_is_not_put_there_again():
    dials = replace(DIALS, quarantined=(4,), capped=(5,))
    readings = (firing(LieType.F, culprit=4), firing(LieType.G, culprit=5))
    assert dispatch(*readings, dials=dials).orders == ()


def test_an_action_rests_for_its_cooldown_and_then_may_come_again():
    history, taken = History(), []
    for episode in range(9):
        decision = dispatch(firing(LieType.C), history=history)
        taken += [episode] * len(decision.orders)
        history = History(cooldowns=decision.cooldowns)
    assert taken == [0, 4, 8]


def test_an_undo_takes_back_the_newest_action_and_doubles_its_rest():
    history = History(defenses=(past(Defense.clear_replay, 2), past(Defense.raise_steps, 4)))
    decision = dispatch(firing(LieType.H), firing(LieType.E), history=history)
    (order,) = decision.orders
    assert order.action is Defense.undo
    assert dict(decision.cooldowns) == {Defense.undo: 3, Defense.raise_steps: 6}


def test_an_action_still_resting_rests_longer_when_it_is_undone():
    history = History(
        defenses=(past(Defense.raise_steps, 4),), cooldowns=((Defense.raise_steps, 3),)
    )
    decision = dispatch(firing(LieType.H), history=history)
    assert dict(decision.cooldowns)[Defense.raise_steps] == 2 + 6


def test_what_was_undone_or_cannot_be_is_not_undone_again():
    undone = History(defenses=(past(Defense.raise_steps), past(Defense.undo, 5)))
    assert dispatch(firing(LieType.H), history=undone).orders == ()
    blended = History(defenses=(past(Defense.soft_rollback),))
    assert dispatch(firing(LieType.H), history=blended).orders == ()


def test_an_undo_after_an_undo_takes_back_the_action_before():
    history = History(
        defenses=(
            past(Defense.raise_steps, 1),
            past(Defense.raise_temperature, 2),
            past(Defense.undo, 3),
        )
    )
    assert history.standing_defense == past(Defense.raise_steps, 1)


@st.composite
def banks(draw):
    lies = draw(st.lists(st.sampled_from(list(LieType)), max_size=8))
    return BankReading(
        detectors=tuple(
            firing(lie, draw(st.floats(0, 1)), culprit=draw(st.integers(-1, 3))) for lie in lies
        )
    )


@given(
    banks(),
    st.dictionaries(st.sampled_from(list(Defense)), st.integers(0, 5)),
    st.booleans(),
    st.sampled_from([0.0, 0.5]),
)
def test_orders_respect_cooldowns_and_come_at_most_once(bank, resting, refused, keep):
    history = History(
        cooldowns=tuple(sorted(resting.items())), defenses=(past(Defense.raise_steps),)
    )
    verdict = REFUSE if refused else ACCEPT
    decision = defense_dispatch(bank, verdict, history, DIALS, SETTINGS, keep)
    actions = [order.action for order in decision.orders]
    assert len(actions) == len(set(actions))
    assert all(resting.get(action, 0) == 0 for action in actions)
    assert all(left > 0 for _, left in decision.cooldowns)
    assert all(dict(decision.cooldowns)[action] >= SETTINGS.cooldown for action in actions)
    assert not (refused and Defense.soft_rollback in actions)
    quiet = no_defense(bank, verdict, history, DIALS, SETTINGS, keep)
    assert (quiet.orders, quiet.cooldowns) == ((), ())
