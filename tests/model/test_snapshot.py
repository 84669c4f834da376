"""An update can be undone, wholly and in part, in memory and from disk."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from argus_rl.config.run import LearnerSettings
from argus_rl.core.errors import CheckpointError
from argus_rl.model.policy import Example, Policy, PolicyRole, digest
from argus_rl.model.sft import Trainer
from argus_rl.model.snapshot import FACTS, TENSORS, blend, load, restore, save, take

SETTINGS = LearnerSettings(lr=1e-2)


def effective(policy: Policy) -> dict[str, torch.Tensor]:
    """What the net computes with: each weight, or each adapter's scaled product `B A`."""
    weights = {name: p.detach().double() for name, p in policy.trainable().items()}
    if policy.joint:
        return {name: w.clone() for name, w in weights.items()}
    fixed = {name: p.detach().double() for name, p in policy.fixed().items()}
    return {n: 2 * w @ fixed[n.replace("lora_B", "lora_A")] for n, w in weights.items()}


def taught(
    policy: Policy, lesson: Callable[..., list[Example]], steps: int = 3, seed: int = 0
) -> Trainer:
    trainer = Trainer(policy, SETTINGS)
    teach(trainer, lesson, steps, seed)
    return trainer


def teach(
    trainer: Trainer, lesson: Callable[..., list[Example]], steps: int, seed: int = 0
) -> None:
    for i in range(steps):
        mixed = [*lesson(3, seed=seed + i), *lesson(2, seed=seed - i, role=PolicyRole.proposer)]
        assert trainer.step(mixed, 1.0).finite


def test_restoring_is_bit_equal_in_weights_optimizer_and_what_follows(
    policy: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    trainer = taught(policy, make_lesson)
    kept = take(policy, trainer)
    fingerprint = policy.fingerprint()
    assert kept.fingerprint == fingerprint
    teach(trainer, make_lesson, 2, seed=50)
    followed = policy.fingerprint()
    assert followed != fingerprint
    restore(policy, trainer, kept)
    assert policy.fingerprint() == fingerprint
    assert digest(trainer.state_dict().optimizer) == digest(kept.trainer.optimizer)
    assert trainer.steps == 3
    teach(trainer, make_lesson, 2, seed=50)
    assert policy.fingerprint() == followed, "the same lesson after a restore gives the same bits"
    restore(policy, trainer, kept)
    assert policy.fingerprint() == fingerprint, "training did not reach into the snapshot"


@pytest.mark.parametrize("severity", [0.0, 0.25, 0.5, 1.0])
def test_a_blend_is_linear_in_the_effective_weights(
    policy: Policy, make_lesson: Callable[..., list[Example]], severity: float
) -> None:
    trainer = taught(policy, make_lesson)
    old, kept = effective(policy), take(policy, trainer)
    teach(trainer, make_lesson, 4, seed=9)
    new = effective(policy)
    blend(policy, kept, severity)
    for name, found in effective(policy).items():
        expected = (1 - severity) * new[name] + severity * old[name]
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    if severity == 1:
        assert policy.fingerprint() == kept.fingerprint


def test_blends_stay_exact_after_training_on_and_after_a_second_one(
    policy: Policy, make_lesson: Callable[..., list[Example]], tmp_path: Path
) -> None:
    trainer = taught(policy, make_lesson)
    first = take(policy, trainer)
    teach(trainer, make_lesson, 2, seed=5)
    blend(policy, first, 0.3)
    save(take(policy, trainer), tmp_path)
    middle = effective(policy)
    teach(trainer, make_lesson, 2, seed=6)
    last = effective(policy)
    second = load(tmp_path)
    blend(policy, second, 0.6)
    for name, found in effective(policy).items():
        expected = 0.4 * last[name] + 0.6 * middle[name]
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


def test_what_the_net_says_is_blended_with_its_weights(
    lora: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    """Outputs of one adapted layer are linear in `B A`, so they show what the sampler would see."""
    trainer = taught(lora, make_lesson)
    kept, x = take(lora, trainer), torch.linspace(-1, 1, 32)[None]

    def layer() -> torch.Tensor:
        with lora.using(PolicyRole.solver) as net, torch.inference_mode():
            return net.get_submodule("model.layers.0.mlp.up_proj")(x).clone()

    old = layer()
    teach(trainer, make_lesson, 3, seed=8)
    new = layer()
    blend(lora, kept, 0.25)
    torch.testing.assert_close(layer(), 0.75 * new + 0.25 * old, atol=1e-5, rtol=0)
    assert not torch.allclose(old, new, atol=1e-3)


def test_a_snapshot_survives_the_disk_bit_equal(
    policy: Policy, make_lesson: Callable[..., list[Example]], tmp_path: Path
) -> None:
    trainer = taught(policy, make_lesson)
    kept = take(policy, trainer)
    save(kept, tmp_path)
    found = load(tmp_path)
    assert found.trainer.steps == 3
    for group in ("weights", "fixed"):
        assert digest(getattr(found, group)) == digest(getattr(kept, group))
    assert digest(found.trainer.optimizer) == digest(kept.trainer.optimizer)
    teach(trainer, make_lesson, 1)
    restore(policy, trainer, found)
    assert policy.fingerprint() == kept.fingerprint
    assert digest(trainer.state_dict().optimizer) == digest(kept.trainer.optimizer)
    assert not list(tmp_path.glob("*.pt")), "nothing is pickled"


def test_damage_is_recognised_and_named(
    policy: Policy, make_lesson: Callable[..., list[Example]], tmp_path: Path
) -> None:
    save(take(policy, taught(policy, make_lesson)), tmp_path)
    tensors, facts = (tmp_path / TENSORS).read_bytes(), (tmp_path / FACTS).read_text()

    def damaged(tensor_bytes: bytes = tensors, fact_text: str = facts) -> None:
        (tmp_path / TENSORS).write_bytes(tensor_bytes)
        (tmp_path / FACTS).write_text(fact_text)
        with pytest.raises(CheckpointError, match=str(tmp_path)):
            load(tmp_path)

    flipped = bytearray(tensors)
    flipped[-5] ^= 1
    damaged(bytes(flipped))
    damaged(tensors[:-100])
    damaged(b"")
    damaged(fact_text="{")
    damaged(fact_text="[]")
    damaged(fact_text=json.dumps({**json.loads(facts), "schema": 99}))
    (tmp_path / FACTS).unlink()
    with pytest.raises(CheckpointError):
        load(tmp_path)


def test_snapshots_of_another_shape_are_refused(
    make_lora: Callable[..., Policy], joint: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    narrow, wide = make_lora(rank=2), make_lora(rank=4)
    kept = take(narrow, Trainer(narrow, SETTINGS))
    before = wide.fingerprint()
    with pytest.raises(CheckpointError, match="rank"):
        restore(wide, Trainer(wide, SETTINGS), kept)
    with pytest.raises(CheckpointError, match="another model"):
        blend(joint, kept, 0.5)
    assert wide.fingerprint() == before
    with pytest.raises(ValueError, match="severity"):
        blend(narrow, kept, 1.5)


def test_adapters_with_other_projections_are_not_blended(
    make_lora: Callable[..., Policy],
) -> None:
    policy = make_lora()
    kept = take(policy, Trainer(policy, SETTINGS))
    other = make_lora()
    with torch.no_grad():
        next(iter(other.fixed().values())).add_(1.0)
    with pytest.raises(CheckpointError, match="projections"):
        blend(other, kept, 0.5)
    restore(other, Trainer(other, SETTINGS), kept)
    blend(other, kept, 0.5)
