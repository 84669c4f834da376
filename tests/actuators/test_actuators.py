"""Actuators do what was ordered, and say what changed."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.actuators.context import force_context
from argus_rl.actuators.ewcs_weighting import ewcs_weighting, score_weighting
from argus_rl.actuators.frontier import raise_steps
from argus_rl.actuators.learning import teach
from argus_rl.actuators.proposer_shaping import (
    ProposedText,
    adversarial_shaping,
    uniform_shaping,
)
from argus_rl.actuators.quarantine import cap_cluster, quarantine
from argus_rl.actuators.replay import clear_replay, decay_replay
from argus_rl.actuators.rollback import blend_back, roll_back
from argus_rl.actuators.temperature import raise_temperature
from argus_rl.actuators.undo import expire, undo
from argus_rl.config.control import EwcsSettings, FrontierSettings, ShapingSettings
from argus_rl.core.ports import Lever
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import (
    Defense,
    DefenseEffect,
    Dials,
    LearningEffect,
    LieType,
    Order,
    PastDefense,
    RollbackEffect,
    Ruling,
    Verdict,
)
from argus_rl.data.memory import Bounds, Memory, add_library, add_replay
from argus_rl.data.ports import Lesson

DIALS = Dials(context_rate=0.35, temperature=0.7, frontier_steps=3)
EWCS = EwcsSettings()
BOUNDS = Bounds(replay=8)


@dataclass
class Weights(Lever):
    """A learner of one number that notes what was done to it."""

    value: float = 1.0
    done: list[str] = field(default_factory=list)

    def learn(self, lesson: Lesson, progress: float, stream: Stream) -> LearningEffect:
        self.value += len(lesson.pairs)
        self.done.append("learn")
        return LearningEffect(
            changed=("weights",),
            updates=1,
            pairs=len(lesson.pairs),
            replayed=0,
            tokens=1,
            mean_loss=1.0,
            skipped=0,
        )

    def snapshot(self) -> Any:
        return self.value

    def restore(self, snapshot: Any) -> None:
        self.value = snapshot
        self.done.append("restore")

    def blend(self, snapshot: Any, severity: float) -> None:
        self.value = (1 - severity) * self.value + severity * snapshot
        self.done.append("blend")


def order(action, amount=0.0, cluster=-1):
    return Order(action=action, lie=LieType.A, amount=amount, cluster=cluster)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 20)), max_size=20))
def test_weights_have_mean_one_and_stay_within_their_bounds(rows):
    scores, nll = [s for s, _ in rows], [x for _, x in rows]
    for weigh in (ewcs_weighting, score_weighting):
        weights = weigh(scores, nll, EWCS).weights
        assert len(weights) == len(rows)
        if rows:
            assert sum(weights) / len(weights) == pytest.approx(1.0)
    if rows:
        weights = ewcs_weighting(scores, nll, EWCS).weights
        assert max(weights) <= 100.001 * min(weights)


def test_what_is_improbable_counts_more_and_agreement_counts_both_ways():
    weights = ewcs_weighting([0.6, 0.6, 0.3], [0.1, 0.3, 0.3], EWCS).weights
    assert weights[1] == pytest.approx(3 * weights[0])
    assert weights[1] == pytest.approx(2 * weights[2])
    plain = score_weighting([0.6, 0.6, 0.3], [0.1, 0.3, 0.3], EWCS).weights
    assert plain == pytest.approx((1.2, 1.2, 0.6))


def test_a_loss_that_is_not_finite_counts_as_the_mean():
    weights = ewcs_weighting([0.5, 0.5, 0.5], [1.0, float("nan"), 3.0], EWCS).weights
    assert weights == pytest.approx((0.5, 1.0, 1.5))


def test_every_pair_needs_a_loss():
    with pytest.raises(ValueError, match="zip"):
        ewcs_weighting([0.5], [0.5, 0.6], EWCS)


FRONTIER, SHAPING = FrontierSettings(), ShapingSettings()


def shaped(*texts, skill=0.0, dials=DIALS):
    return adversarial_shaping(texts, skill, dials, FRONTIER, SHAPING).weights


def test_a_sound_text_of_the_target_length_inside_the_zone_counts_fully():
    assert shaped(ProposedText(sound=True, steps=3, score=0.6)) == (1.0,)


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ({"sound": False, "steps": 3, "score": 0.6}, 0.05),
        ({"sound": True, "steps": 1, "score": 0.6}, 0.05),
        ({"sound": True, "steps": 2, "score": 0.6}, 0.5),
        ({"sound": True, "steps": 3, "score": 0.2}, 0.5),
        ({"sound": True, "steps": 3, "score": 0.9}, 0.5),
        ({"sound": True, "steps": 3, "score": 1.0}, 0.05),
        ({"sound": True, "steps": 9, "score": 0.6}, 1.0),
    ],
)
def test_false_short_and_misplaced_texts_count_less(text, weight):
    assert shaped(ProposedText(**text))[0] == pytest.approx(weight)


def test_a_quarantined_cluster_is_worth_the_floor():
    text = ProposedText(sound=True, steps=3, score=0.6, cluster=4)
    assert shaped(text, dials=replace(DIALS, quarantined=(4,))) == (0.05,)


@given(st.booleans(), st.integers(0, 12), st.floats(0, 1), st.floats(0, 1), st.integers(1, 6))
def test_shaping_weights_lie_between_the_floor_and_one(sound, steps, score, skill, target):
    text = ProposedText(sound=sound, steps=steps, score=score)
    dials = replace(DIALS, frontier_steps=target)
    assert 0.05 <= shaped(text, skill=skill, dials=dials)[0] <= 1.0
    plain = uniform_shaping([text], skill, dials, FRONTIER, SHAPING)
    assert plain.weights == (1.0,)


def test_a_lesson_is_learned_and_an_empty_one_changes_nothing(made):
    learner, pair = Weights(), made.pair("a")
    lesson = Lesson(pairs=(pair,), weights=(1.0,), proposal_weights=(1.0,))
    assert teach(lesson, learner, 0.5, Stream(("t",))).pairs == 1
    empty = Lesson(pairs=(), weights=(), proposal_weights=(), replay=(pair,))
    effect = teach(empty, learner, 0.5, Stream(("t",)))
    assert (effect.updates, effect.changed) == (0, ())
    assert (learner.value, learner.done) == (2.0, ["learn"])


def verdict(ruling, severity):
    return Verdict(
        ruling=ruling, severity=severity, divergent=True, streak=1, rule="r", z=0.0, reason=""
    )


def memories(made):
    before = add_replay(Memory(), [made.pair("a")], BOUNDS)
    return before, add_replay(before, [made.pair("b")], BOUNDS)


def test_a_hard_refusal_restores_everything(made):
    before, after = memories(made)
    learner = Weights(value=5.0)
    effect = roll_back(verdict(Ruling.refuse, 1.0), 1.0, before, after, learner)
    assert (learner.value, learner.done) == (1.0, ["restore"])
    assert effect.changed == ("weights", "optimizer", "memory")
    assert (effect.kept, effect.memory) == ((), before)


def test_a_soft_refusal_blends_and_says_what_it_kept(made):
    before, after = memories(made)
    learner = Weights(value=5.0)
    effect = roll_back(verdict(Ruling.refuse, 0.25), 1.0, before, after, learner)
    assert (learner.value, learner.done) == (4.0, ["blend"])
    assert (effect.severity, effect.kept, effect.memory) == (0.25, ("optimizer",), before)


@pytest.mark.parametrize("ruling", [Ruling.accept, Ruling.underpowered])
def test_an_update_that_stands_is_not_touched(made, ruling):
    before, after = memories(made)
    learner = Weights(value=5.0)
    effect = roll_back(verdict(ruling, 0.0), 1.0, before, after, learner)
    assert (learner.value, learner.done, effect.memory) == (5.0, [], after)
    assert (effect.changed, effect.severity) == ((), 0.0)
    assert type(effect.bare) is RollbackEffect


def test_a_defense_may_blend_old_weights_back():
    learner = Weights(value=5.0)
    effect = blend_back(order(Defense.soft_rollback, 0.5), DIALS, Memory(), 1.0, learner)
    assert (learner.value, effect.dials, effect.changed) == (3.0, DIALS, ("weights",))


@pytest.mark.parametrize(
    ("act", "ordered", "dials"),
    [
        (force_context, order(Defense.force_context, 1.0), replace(DIALS, context_rate=1.0)),
        (
            raise_temperature,
            order(Defense.raise_temperature, 0.1),
            replace(DIALS, temperature=0.7 + 0.1),
        ),
        (raise_steps, order(Defense.raise_steps, 1), replace(DIALS, frontier_steps=4)),
        (quarantine, order(Defense.quarantine, cluster=4), replace(DIALS, quarantined=(4,))),
        (cap_cluster, order(Defense.cap_cluster, cluster=4), replace(DIALS, capped=(4,))),
    ],
)
def test_each_dial_turns_and_turns_back(act, ordered, dials):
    effect = act(ordered, DIALS, Memory())
    assert (effect.dials, effect.changed) == (dials, ("dials",))
    assert type(effect.bare) is DefenseEffect
    past = PastDefense(episode=4, order=ordered, frontier_share_before=0.3, dials_before=DIALS)
    back = undo(order(Defense.undo), effect.dials, effect.memory, past, BOUNDS)
    assert replace(back.dials, temperature=round(back.dials.temperature, 9)) == DIALS
    assert "dials" in back.changed


def test_an_undo_leaves_what_other_actions_did_since():
    ordered = order(Defense.raise_steps, 1)
    past = PastDefense(episode=4, order=ordered, frontier_share_before=0.3, dials_before=DIALS)
    now = replace(DIALS, frontier_steps=5, temperature=0.9, capped=(2,))
    back = undo(order(Defense.undo), now, Memory(), past, BOUNDS)
    assert back.dials == replace(now, frontier_steps=4)


def test_replay_is_cleared_or_halved_and_an_undo_fills_it_from_the_library(made):
    pairs = [made.pair(str(i)) for i in range(8)]
    memory = add_library(add_replay(Memory(), pairs, BOUNDS), pairs, BOUNDS)
    cleared = clear_replay(order(Defense.clear_replay), DIALS, memory)
    halved = decay_replay(order(Defense.decay_replay, 0.5), DIALS, memory)
    assert cleared.memory.replay == ()
    assert halved.memory.replay == tuple(pairs[4:])
    assert halved.detail == "kept 4 of 8 replay pairs"
    past = PastDefense(
        episode=4,
        order=order(Defense.decay_replay, 0.5),
        frontier_share_before=0.3,
        dials_before=DIALS,
    )
    back = undo(order(Defense.undo), DIALS, halved.memory, past, BOUNDS)
    assert back.memory == memory
    assert back.changed == ("memory",)


def test_quarantine_forgets_what_memory_holds_of_the_cluster(made):
    pairs = [made.pair(str(i), cluster=i % 2) for i in range(6)]
    memory = add_library(add_replay(Memory(), pairs, BOUNDS), pairs, BOUNDS)
    effect = quarantine(order(Defense.quarantine, cluster=1), DIALS, memory)
    assert {p.cluster for p in (*effect.memory.replay, *effect.memory.library)} == {0}
    assert effect.changed == ("dials", "memory")


def test_what_is_meant_for_one_episode_expires_and_the_rest_stays():
    turned = Dials(
        context_rate=1.0, temperature=0.9, frontier_steps=5, quarantined=(1,), capped=(2,)
    )
    effect = expire(turned, DIALS, Memory())
    assert effect.dials == replace(DIALS, temperature=0.9, frontier_steps=5)
    assert expire(effect.dials, DIALS, Memory()).changed == ()
