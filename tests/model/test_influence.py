"""Sketched gradients keep dot products, and reading them changes nothing."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from argus_rl.model import influence
from argus_rl.model.influence import projected_gradients
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import response_losses


def true_gradients(policy: Policy, examples: list[Example]) -> np.ndarray:
    rows = []
    for example in examples:
        with policy.using(PolicyRole.solver) as module:
            losses = response_losses(module, [example], 0)
        loss = (losses.nats * losses.weights).sum() / losses.weights.sum()
        pulls = torch.autograd.grad(loss, list(policy.trainable().values()), allow_unused=True)
        rows.append(torch.cat([p.flatten() for p in pulls if p is not None]).numpy())
    return np.stack(rows)


def test_dot_products_are_kept_within_the_sketch_error(
    policy: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    examples = make_lesson(8)
    true = true_gradients(policy, examples)
    found = projected_gradients(policy, PolicyRole.solver, examples, 2048, 1)
    assert found.shape == (8, 2048)
    assert found.dtype == np.float32
    norms = np.linalg.norm(true, axis=1)
    error = (found @ found.T - true @ true.T) / np.outer(norms, norms)
    assert np.abs(error).max() < 5 * np.sqrt(2 / 2048)


def test_the_sketch_is_unbiased_over_seeds(
    joint: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    pair = make_lesson(2)
    one, two = true_gradients(joint, pair)
    dots = [
        np.prod(projected_gradients(joint, PolicyRole.solver, pair, 16, s), axis=0).sum()
        for s in range(60)
    ]
    scale = np.linalg.norm(one) * np.linalg.norm(two)
    assert abs(np.mean(dots) - one @ two) / scale < 4 * np.sqrt(2 / 16 / 60)
    assert np.std(dots) / scale > 0.05, "different seeds must give different projections"


def test_groups_and_calls_agree(
    policy: Policy, make_lesson: Callable[..., list[Example]], monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = make_lesson(5)
    whole = projected_gradients(policy, PolicyRole.solver, examples, 64, 3)
    monkeypatch.setattr(influence, "MAX_HELD", 1)
    assert (projected_gradients(policy, PolicyRole.solver, examples, 64, 3) == whole).all()
    assert (projected_gradients(policy, PolicyRole.solver, examples[2:3], 64, 3) == whole[2]).all()


def test_reading_gradients_changes_nothing(
    policy: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    before = policy.fingerprint()
    projected_gradients(policy, PolicyRole.proposer, make_lesson(3), 8, 0)
    assert policy.fingerprint() == before
    assert all(p.grad is None for p in policy.trainable().values())


def test_an_example_without_weight_pulls_nowhere_and_the_base_has_no_gradient(
    joint: Policy,
) -> None:
    empty = Example((1, 2), (0.0, 0.0))
    assert not projected_gradients(joint, PolicyRole.solver, [empty], 8, 0).any()
    with pytest.raises(ValueError, match="frozen"):
        projected_gradients(joint, PolicyRole.base, [empty], 8, 0)
    with pytest.raises(ValueError, match="width"):
        projected_gradients(joint, PolicyRole.solver, [empty], 0, 0)
