"""A step learns what the weights say, in any split, or it does not happen at all."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.config.run import LearnerSettings
from argus_rl.model.generate import generate
from argus_rl.model.optimizers import hidden_matrices
from argus_rl.model.policy import Example, Policy, PolicyRole, digest
from argus_rl.model.score import response_nll
from argus_rl.model.sft import Trainer, lr_scale

ADAM = LearnerSettings(lr=1e-2)
MUON = LearnerSettings(lr=3e-3, muon_lr=0.02)
EOS = 2


def weights_of(policy: Policy) -> dict[str, torch.Tensor]:
    return {name: p.detach().clone() for name, p in policy.trainable().items()}


@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_any_split_into_micro_batches_gives_the_same_step(
    make_joint: Callable[..., Policy], make_lesson: Callable[..., list[Example]], size: int
) -> None:
    examples = make_lesson(16)
    found = []
    for micro_batch in (64, size):
        policy = make_joint()
        settings = LearnerSettings(lr=1e-3, micro_batch=micro_batch, clip=1e9)
        seen: dict[str, torch.Tensor] = {}
        for name, p in policy.trainable().items():
            p.register_post_accumulate_grad_hook(
                lambda q, name=name, seen=seen: seen.__setitem__(name, q.grad.clone())
            )
        found.append((Trainer(policy, settings).step(examples, 1.0), seen))
    (whole, gradients), (split, others) = found
    assert split.loss == pytest.approx(whole.loss, abs=1e-6)
    assert split.grad_norm == pytest.approx(whole.grad_norm, rel=1e-5)
    for name, gradient in gradients.items():
        torch.testing.assert_close(others[name], gradient, atol=1e-6, rtol=1e-5)


def test_the_loss_is_the_weighted_token_mean_of_the_whole_batch(
    joint: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    examples = make_lesson(7)
    scores = response_nll(joint, PolicyRole.solver, examples, 8)
    weight = [max(e.weights) for e in examples]
    expected = sum(w * s.total for w, s in zip(weight, scores, strict=True)) / sum(
        w * s.tokens for w, s in zip(weight, scores, strict=True)
    )
    assert Trainer(joint, ADAM).step(examples, 1.0).loss == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("settings", [ADAM, MUON])
def test_learning_lowers_the_loss(
    joint: Policy, make_lesson: Callable[..., list[Example]], settings: LearnerSettings
) -> None:
    trainer, examples = Trainer(joint, settings), make_lesson(8)
    losses = [trainer.step(examples, 1.0).loss for _ in range(60)]
    assert losses[-1] < 0.5 * losses[0]
    assert trainer.steps == 60


def test_adapters_learn_too(lora: Policy, make_lesson: Callable[..., list[Example]]) -> None:
    trainer, examples = Trainer(lora, ADAM), make_lesson(8)
    losses = [trainer.step(examples, 1.0).loss for _ in range(60)]
    assert losses[-1] < 0.8 * losses[0]


def test_the_end_token_is_learned(joint: Policy) -> None:
    prompt, response = (1, 30, 31), (40, 41, EOS)
    example = Example((*prompt, *response), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
    trainer = Trainer(joint, ADAM)
    for _ in range(60):
        trainer.step([example], 1.0)
    (chain,) = generate(
        joint,
        PolicyRole.solver,
        [prompt],
        [[0]],
        max_tokens=20,
        temperature=0,
        batch=1,
        stop_ids=joint.dialect.chain_stops,
    )[0]
    assert chain.ids == response
    assert not chain.truncated


def test_prompt_tokens_are_not_learned(joint: Policy) -> None:
    taught = Example((1, 30, 31, 40), (0.0, 0.0, 0.0, 1.0))
    other_prompt = Example((1, 30, 31, 40), (0.0, 1.0, 1.0, 0.0))
    before = response_nll(joint, PolicyRole.solver, [taught, other_prompt], 2)
    trainer = Trainer(joint, LearnerSettings(lr=1e-3))
    for _ in range(20):
        trainer.step([taught], 1.0)
    after = response_nll(joint, PolicyRole.solver, [taught, other_prompt], 2)
    assert before[0].total - after[0].total > 5 * abs(before[1].total - after[1].total)


@pytest.mark.parametrize("settings", [ADAM, MUON])
@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_a_non_finite_step_is_skipped_and_leaves_everything_untouched(
    joint: Policy,
    make_lesson: Callable[..., list[Example]],
    settings: LearnerSettings,
    poison: float,
) -> None:
    trainer, examples = Trainer(joint, settings), make_lesson(4)
    trainer.step(examples, 1.0)
    weights, state = joint.fingerprint(), trainer.state_dict()
    hook = joint.module.base_model.register_forward_hook(
        lambda _m, _i, out: replace_hidden(out, poison)
    )
    result = trainer.step(examples, 1.0)
    hook.remove()
    assert not result.finite
    assert joint.fingerprint() == weights
    assert digest(trainer.state_dict().optimizer) == digest(state.optimizer)
    assert trainer.steps == state.steps == 1
    assert trainer.step(examples, 1.0).finite, "the next good step goes on"


def replace_hidden(out: object, poison: float) -> object:
    out.last_hidden_state = out.last_hidden_state * poison
    return out


def test_a_finite_loss_with_an_infinite_gradient_is_skipped_too(
    joint: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    before = joint.fingerprint()
    name, parameter = next(iter(joint.trainable().items()))
    hook = parameter.register_hook(lambda gradient: gradient * float("inf"))
    result = Trainer(joint, ADAM).step(make_lesson(2), 1.0)
    hook.remove()
    assert not result.finite, name
    assert joint.fingerprint() == before


def test_gradients_are_clipped(
    make_joint: Callable[..., Policy], make_lesson: Callable[..., list[Example]]
) -> None:
    norms = []
    for clip in (1e9, 0.01):
        policy = make_joint()
        trainer = Trainer(policy, LearnerSettings(lr=1e-3, clip=clip))
        result = trainer.step(make_lesson(4), 1.0)
        moments = [v for k, v in trainer.state_dict().optimizer.items() if k.endswith("/exp_avg")]
        norms.append(float(torch.stack([m.norm() for m in moments]).norm()) / 0.1)
        assert result.grad_norm > 0.01, "the reported norm is that before clipping"
    assert norms[0] == pytest.approx(result.grad_norm, rel=1e-3)
    assert norms[1] == pytest.approx(0.01, rel=1e-3)


def test_learning_rate_zero_changes_nothing(
    policy: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    before = policy.fingerprint()
    trainer = Trainer(policy, replace(ADAM, lr=0.0))
    assert trainer.step(make_lesson(4), 1.0).finite
    assert Trainer(policy, ADAM).step(make_lesson(4), 0.0).finite
    assert policy.fingerprint() == before


def test_teaching_the_solver_leaves_proposer_and_base_bit_equal(
    lora: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    examples = make_lesson(6)
    before = weights_of(lora)
    probes = {role: response_nll(lora, role, examples, 8) for role in PolicyRole}
    frozen = digest({n: p for n, p in lora.module.named_parameters() if ".lora_B." not in n})
    trainer = Trainer(lora, replace(ADAM, weight_decay=0.1))
    for _ in range(3):
        trainer.step(make_lesson(6), 1.0)
    after = weights_of(lora)
    for name in before:
        moved = not torch.equal(before[name], after[name])
        assert moved == (".solver." in name), name
    assert response_nll(lora, PolicyRole.proposer, examples, 8) == probes[PolicyRole.proposer]
    assert response_nll(lora, PolicyRole.base, examples, 8) == probes[PolicyRole.base]
    assert response_nll(lora, PolicyRole.solver, examples, 8) != probes[PolicyRole.solver]
    assert frozen == digest(
        {n: p for n, p in lora.module.named_parameters() if ".lora_B." not in n}
    )


def test_a_batch_of_both_roles_moves_both_adapters(
    lora: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    before = weights_of(lora)
    mixed = [*make_lesson(3), *make_lesson(3, seed=1, role=PolicyRole.proposer)]
    Trainer(lora, ADAM).step(mixed, 1.0)
    assert all(not torch.equal(before[n], p) for n, p in weights_of(lora).items())


def test_a_state_taken_and_put_back_goes_on_bit_equal(
    make_joint: Callable[..., Policy], make_lesson: Callable[..., list[Example]]
) -> None:
    for settings in (ADAM, MUON):
        unbroken = make_joint()
        trainer = Trainer(unbroken, settings)
        for i in range(3):
            trainer.step(make_lesson(4, seed=i), 1.0)
        resumed = make_joint(seed=9)
        with torch.no_grad():
            for name, p in resumed.trainable().items():
                p.copy_(unbroken.trainable()[name])
        again = Trainer(resumed, settings)
        again.load_state_dict(trainer.state_dict())
        for i in range(3, 6):
            one = trainer.step(make_lesson(4, seed=i), 0.7)
            assert again.step(make_lesson(4, seed=i), 0.7) == one
        assert resumed.fingerprint() == unbroken.fingerprint()
        assert again.steps == trainer.steps == 6


def test_a_state_of_another_model_is_refused(joint: Policy) -> None:
    trainer = Trainer(joint, ADAM)
    state = trainer.state_dict()
    state.optimizer["no.such.weight/exp_avg"] = torch.zeros(2)
    with pytest.raises(KeyError, match=r"no\.such\.weight"):
        trainer.load_state_dict(state)


def test_dropout_draws_from_a_named_stream_and_gives_the_generator_back(
    make_lora: Callable[..., Policy], make_lesson: Callable[..., list[Example]]
) -> None:
    fingerprints = []
    for burn in (0, 5):
        policy = make_lora(dropout=0.5)
        torch.rand(burn)
        untouched = torch.get_rng_state()
        trainer = Trainer(policy, ADAM)
        losses = {trainer.step(make_lesson(4), 0.0).loss for _ in range(3)}
        assert len(losses) == 1, "adapters are still the identity: dropout has nothing to drop"
        trainer.step(make_lesson(4), 1.0)
        trainer.step(make_lesson(4), 1.0)
        assert torch.equal(torch.get_rng_state(), untouched)
        fingerprints.append(policy.fingerprint())
    assert fingerprints[0] == fingerprints[1]
    dry = make_lora()
    trainer = Trainer(dry, ADAM)
    for scale in (0.0, 0.0, 0.0, 1.0, 1.0):
        trainer.step(make_lesson(4), scale)
    assert dry.fingerprint() != fingerprints[0]


def test_what_cannot_be_learned_is_refused(joint: Policy) -> None:
    trainer = Trainer(joint, ADAM)
    with pytest.raises(ValueError, match="positive weight"):
        trainer.step([Example((1, 2), (0.0, 0.0))], 1.0)
    with pytest.raises(ValueError, match="frozen"):
        trainer.step([Example((1, 2), (0.0, 1.0), PolicyRole.base)], 1.0)


def test_muon_takes_hidden_matrices_only(joint: Policy) -> None:
    names = hidden_matrices(joint.module)
    assert "model.layers.0.self_attn.q_proj.weight" in names
    assert not any("embed" in n or "norm" in n or "lm_head" in n for n in names)
    assert len(names) == 2 * 7


@given(progress=st.floats(0, 1), warmup=st.floats(0, 0.4), decay=st.floats(0, 0.6))
def test_the_schedule_stays_in_bounds_and_ends_at_a_tenth(
    progress: float, warmup: float, decay: float
) -> None:
    settings = LearnerSettings(warmup=warmup, decay=decay)
    scale = lr_scale(progress, 0.3, settings)
    assert 0 < scale <= 1
    if warmup <= progress <= 1 - decay:
        assert scale == pytest.approx(1.0)
    if decay > 1e-6:
        assert lr_scale(1.0, 0.3, settings) == pytest.approx(0.1)


def test_the_schedule_rises_stays_and_falls() -> None:
    settings = LearnerSettings(warmup=0.1, decay=0.4)
    assert lr_scale(0.05, 0.3, settings) == pytest.approx(0.5)
    assert lr_scale(0.5, 0.3, settings) == 1.0
    assert lr_scale(0.8, 0.3, settings) == pytest.approx(0.55)
    assert lr_scale(7.0, 0.3, settings) == pytest.approx(0.1)


def test_each_update_begins_slowly_and_ends_at_a_tenth_of_its_rate():
    settings = LearnerSettings(warmup=0.0, decay=0.5, rise=0.2, cool=0.5)
    assert 0.0 < lr_scale(0.0, 0.0, settings) < 0.02
    assert lr_scale(0.0, 0.1, settings) == pytest.approx(0.5)
    assert lr_scale(0.0, 0.0, LearnerSettings(rise=0.0, warmup=0.0)) == 1.0
    assert lr_scale(0.0, 0.4, settings) == 1.0
    assert lr_scale(0.0, 1.0, settings) == pytest.approx(0.1)
    assert lr_scale(1.0, 1.0, settings) == pytest.approx(0.01)
    assert lr_scale(0.0, 1.0, LearnerSettings(cool=0.0, warmup=0.0)) == 1.0
