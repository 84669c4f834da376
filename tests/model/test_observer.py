"""The observer starts fresh, learns structure, finds none in noise, and leaves the policy alone."""

from collections.abc import Callable

import numpy as np
import pytest

from argus_rl.config.run import LearnerSettings
from argus_rl.model.observer import observe
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import response_nll
from argus_rl.model.sft import Trainer

SETTINGS = LearnerSettings(lr=3e-3, batch=4, micro_batch=16)


def successor(count: int, seed: int, *, noise: bool = False) -> list[Example]:
    """`a -> a + 1`: a rule that two dozen pairs reveal; with `noise` there is no rule."""
    rng = np.random.default_rng(seed)
    made = []
    for a in rng.integers(20, 50, count).tolist():
        b = int(rng.integers(20, 50)) if noise else a + 1
        made.append(Example((1, a, 4, b, 2), (0.0, 0.0, 0.0, 1.0, 1.0)))
    return made


def test_the_curve_holds_first_pass_and_every_epoch(joint: Policy) -> None:
    train, held_back = successor(24, 0), successor(8, 1)
    curve = observe(joint, SETTINGS, train, held_back, epochs=3, seed=5)
    assert len(curve.online) == 24
    assert len(curve.train) == len(curve.validation) == 3
    assert (curve.train_tokens, curve.validation_tokens) == (48, 16)
    assert curve.skipped == 0
    assert curve.train[2] < curve.train[0] < sum(curve.online)


def test_the_first_batch_is_measured_before_anything_is_learned(joint: Policy) -> None:
    train = successor(4, 0)
    curve = observe(joint, SETTINGS, train, train, epochs=1, seed=5)
    fresh = response_nll(joint, PolicyRole.base, train, 16)
    assert curve.online == pytest.approx([score.total for score in fresh], abs=1e-5)


def test_the_policy_is_bit_equal_afterwards_and_the_observer_starts_fresh(
    policy: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    train, held_back = make_lesson(8), make_lesson(3, seed=1)
    first = observe(policy, SETTINGS, train, held_back, epochs=2, seed=5)
    Trainer(policy, LearnerSettings(lr=1e-2)).step(train, 1.0)
    before = policy.fingerprint()
    again = observe(policy, SETTINGS, train, held_back, epochs=2, seed=5)
    assert policy.fingerprint() == before
    assert again == first, "what the policy has learned is nothing to the observer"
    assert observe(policy, SETTINGS, train, held_back, epochs=2, seed=6) != first


def test_a_failing_observer_gives_the_weights_back(joint: Policy) -> None:
    Trainer(joint, SETTINGS).step(successor(4, 0), 1.0)
    before = joint.fingerprint()
    wrong = [Example((1, 20), (0.0, 1.0), PolicyRole.base)]
    with pytest.raises(ValueError, match="frozen"):
        observe(joint, SETTINGS, wrong, successor(2, 1), epochs=1, seed=0)
    assert joint.fingerprint() == before


def test_rules_are_learned_past_the_training_pairs_and_noise_is_not(joint: Policy) -> None:
    ruled = observe(joint, SETTINGS, successor(60, 0), successor(20, 1), epochs=12, seed=0)
    noisy = observe(
        joint,
        SETTINGS,
        successor(60, 0, noise=True),
        successor(20, 1, noise=True),
        epochs=12,
        seed=0,
    )
    assert min(ruled.validation) < 0.5 * min(noisy.validation)
    assert noisy.validation[-1] > min(noisy.validation), "on noise, more passes only memorise"


def test_an_empty_set_is_refused(joint: Policy) -> None:
    for train, held_back, epochs in (([], successor(1, 0), 1), (successor(1, 0), [], 1)):
        with pytest.raises(ValueError, match="observer"):
            observe(joint, SETTINGS, train, held_back, epochs=epochs, seed=0)
    with pytest.raises(ValueError, match="epoch"):
        observe(joint, SETTINGS, successor(1, 0), successor(1, 0), epochs=0, seed=0)
