"""One net or two adapters: each role speaks with its own weights, and the base never moves."""

from collections.abc import Callable

import pytest
import torch
from peft import PeftModel
from transformers import PreTrainedModel

from argus_rl.model.dialect import EmbeddedDialect
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import response_nll


def log_probs(policy: Policy, role: PolicyRole) -> torch.Tensor:
    with policy.using(role) as module, torch.inference_mode():
        return module(torch.tensor([[1, 20, 30, 40]])).logits.log_softmax(-1).clone()


def test_the_fingerprint_sees_every_weight_and_the_smallest_change(policy: Policy) -> None:
    seen = {policy.fingerprint()}
    for weight in policy.trainable().values():
        with torch.no_grad():
            flat = weight.view(-1)
            kept = flat[0].clone()
            flat[0] = torch.nextafter(kept, torch.tensor(torch.inf))
            seen.add(policy.fingerprint())
            flat[0] = kept
    assert len(seen) == len(policy.trainable()) + 1
    assert policy.fingerprint() in seen


def test_trainable_names_are_sorted_and_the_same_after_switching(policy: Policy) -> None:
    names = list(policy.trainable())
    assert names == sorted(names)
    for role in (PolicyRole.base, PolicyRole.proposer, PolicyRole.base, PolicyRole.solver):
        with policy.using(role):
            pass
        assert list(policy.trainable()) == names
        assert all(p.requires_grad for p in policy.trainable().values())
        assert not any(p.requires_grad for p in policy.fixed().values())


def test_each_adapter_speaks_in_its_own_role_only(lora: Policy) -> None:
    start = {role: log_probs(lora, role) for role in PolicyRole}
    assert torch.equal(start[PolicyRole.solver], start[PolicyRole.base]), "B = 0 is the identity"
    with torch.no_grad():
        for name, weight in lora.trainable().items():
            if ".proposer." in name:
                weight.add_(0.2)
    for _ in range(2):
        assert torch.equal(log_probs(lora, PolicyRole.solver), start[PolicyRole.solver])
        assert not torch.allclose(log_probs(lora, PolicyRole.proposer), start[PolicyRole.base])
        assert torch.equal(log_probs(lora, PolicyRole.base), start[PolicyRole.base])


def test_an_error_under_one_role_leaves_the_others_as_they_were(lora: Policy) -> None:
    with torch.no_grad():
        for name, weight in lora.trainable().items():
            weight.add_(0.2 if ".solver." in name else -0.2)
    solver = log_probs(lora, PolicyRole.solver)
    with pytest.raises(RuntimeError, match="on purpose"), lora.using(PolicyRole.base):
        raise RuntimeError("on purpose")
    assert all(p.requires_grad for p in lora.trainable().values())
    assert torch.equal(log_probs(lora, PolicyRole.solver), solver)


def test_a_joint_policy_plays_both_roles_with_one_net(joint: Policy) -> None:
    with joint.using(PolicyRole.solver) as one, joint.using(PolicyRole.proposer) as two:
        assert one is two is joint.module
    start = log_probs(joint, PolicyRole.base)
    with torch.no_grad():
        for weight in joint.trainable().values():
            weight.add_(0.05)
    assert torch.equal(log_probs(joint, PolicyRole.base), start)
    assert not torch.allclose(log_probs(joint, PolicyRole.solver), start)


def test_the_starting_weights_are_what_trainable_was(policy: Policy) -> None:
    before = {name: p.detach().clone() for name, p in policy.trainable().items()}
    with torch.no_grad():
        for weight in policy.trainable().values():
            weight.add_(1.0)
    assert list(policy.starting()) == list(before)
    assert all(torch.equal(policy.starting()[name], before[name]) for name in before)


def test_hundreds_of_switches_leave_the_base_without_drift(lora: Policy) -> None:
    probe = [Example((1, 20, 30), (0.0, 1.0, 1.0))]
    with torch.no_grad():
        for weight in lora.trainable().values():
            weight.add_(0.1)
    first = {role: response_nll(lora, role, probe, 1) for role in PolicyRole}
    for _ in range(100):
        for role in PolicyRole:
            with lora.using(role):
                pass
    assert {role: response_nll(lora, role, probe, 1) for role in PolicyRole} == first


def test_a_policy_is_joint_or_has_adapters_but_not_both(
    make_net: Callable[..., PreTrainedModel], lora: Policy
) -> None:
    words = lora.tokenizer
    dialect = EmbeddedDialect(words)
    with pytest.raises(ValueError, match="either joint"):
        Policy(module=make_net(), tokenizer=words, dialect=dialect)
    assert isinstance(lora.adapters, PeftModel)
    assert not lora.joint
