"""What loads, loads the same each time; what does not is one line that says what to change."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from argus_rl.config.run import LearnerSettings, ModelKind, ModelSettings
from argus_rl.core.errors import ModelError
from argus_rl.model.generate import generate
from argus_rl.model.loading import keep_freed_memory, load_policy
from argus_rl.model.policy import Example, Policy, PolicyRole, digest
from argus_rl.model.score import response_nll
from argus_rl.model.sft import Trainer
from argus_rl.model.snapshot import blend, load, restore, save, take


@pytest.fixture
def folder(
    tmp_path: Path,
    make_net: Callable[..., PreTrainedModel],
    make_tokenizer: Callable[[], PreTrainedTokenizerFast],
) -> Path:
    make_net("llama").save_pretrained(tmp_path)
    make_tokenizer().save_pretrained(tmp_path)
    return tmp_path


def asked(place: Path | str, **changes: object) -> ModelSettings:
    plain = ModelSettings(kind=ModelKind.hf, path=str(place), device="cpu", lora_rank=4)
    return replace(plain, **changes)


def test_a_folder_becomes_a_frozen_base_with_two_identity_adapters(folder: Path) -> None:
    policy = load_policy(asked(folder))
    assert not policy.joint
    assert {p.dtype for p in policy.trainable().values()} == {torch.float32}
    assert all(not p.any() for p in policy.trainable().values())
    assert len(policy.trainable()) == 2 * 2 * 7
    for role in PolicyRole:
        assert sum(f".{role}." in name for name in policy.trainable()) == (
            0 if role is PolicyRole.base else 14
        )


def test_equal_settings_give_equal_bytes_and_leave_the_global_generator_alone(
    folder: Path,
) -> None:
    state = torch.get_rng_state()
    one = load_policy(asked(folder))
    assert torch.equal(torch.get_rng_state(), state)
    torch.rand(3)
    two = load_policy(asked(folder))
    assert digest(one.fixed()) == digest(two.fixed())
    by_role = [digest({"": p}) for p in one.fixed().values()]
    assert len(set(by_role)) == len(by_role), "each place and role has its own projection"


def test_bfloat16_weights_keep_float32_adapters(folder: Path) -> None:
    policy = load_policy(asked(folder, dtype="bfloat16"))
    assert policy.module.get_input_embeddings().weight.dtype == torch.bfloat16
    assert {p.dtype for p in policy.trainable().values()} == {torch.float32}
    step = Trainer(policy, LearnerSettings(lr=1e-2)).step(
        [Example((1, 20, 30), (0.0, 1.0, 1.0))], 1.0
    )
    assert step.finite
    found = generate(
        policy,
        PolicyRole.solver,
        [[1, 20]],
        [[0]],
        max_tokens=4,
        temperature=1.0,
        batch=2,
        stop_ids=policy.dialect.chain_stops,
    )
    assert found[0][0].ids


def test_every_end_token_of_the_generation_configuration_stops(folder: Path) -> None:
    place = folder / "generation_config.json"
    config = json.loads(place.read_text())
    place.write_text(json.dumps({**config, "eos_token_id": [2, 9]}))
    assert load_policy(asked(folder)).dialect.chain_stops == (2, 9)


def test_the_embedded_model_trains_whole_and_keeps_a_frozen_copy() -> None:
    policy = load_policy(ModelSettings(device="cpu"))
    assert policy.joint
    assert sum(p.numel() for p in policy.trainable().values()) < 2e6
    prompt = policy.dialect.encode(policy.dialect.solve_prompt("Tom has 3 cards. How many?"))
    probe = [Example((*prompt, 20), (*([0.0] * len(prompt)), 1.0))]
    start = response_nll(policy, PolicyRole.base, probe, 1)
    assert response_nll(policy, PolicyRole.solver, probe, 1) == start
    Trainer(policy, LearnerSettings(lr=1e-2)).step(probe, 1.0)
    assert response_nll(policy, PolicyRole.solver, probe, 1) != start
    assert response_nll(policy, PolicyRole.base, probe, 1) == start


def broken(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder


def without(folder: Path, pattern: str) -> Path:
    for place in folder.glob(pattern):
        place.unlink()
    return folder


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"path": ""}, "needs model.path"),
        ({"path": "/no/such/folder"}, "does not exist"),
        ({"path": "./nowhere"}, "does not exist"),
        ({"path": "weights.gguf"}, "does not exist"),
        ({"path": "some-owner/no-such-model-anywhere"}, "hub"),
        ({"dtype": "float8"}, r"model\.dtype=float8"),
        ({"device": "tpu"}, r"model\.device=tpu"),
        ({"lora_rank": 0}, r"model\.lora_rank=0"),
        ({"lora_alpha": 0}, r"model\.lora_alpha=0"),
        ({"lora_dropout": 1.0}, r"model\.lora_dropout=1\.0"),
        ({"kind": ModelKind.scripted}, "no weights"),
        ({"kind": ModelKind.embedded, "dtype": "bfloat16"}, "float32"),
    ],
)
def test_what_cannot_be_had_is_one_line_with_the_fix(
    folder: Path, change: dict[str, object], says: str
) -> None:
    with pytest.raises(ModelError, match=says) as caught:
        load_policy(asked(folder, **change))
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_an_absent_gpu_is_said(folder: Path) -> None:
    with pytest.raises(ModelError, match="no CUDA device"):
        load_policy(asked(folder, device="cuda"))


def test_damaged_folders_are_said(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(ModelError, match=r"no config\.json"):
        load_policy(asked(empty))
    (empty / "notes.txt").write_text("x")
    with pytest.raises(ModelError, match=r"not a \.gguf"):
        load_policy(asked(empty / "notes.txt"))
    config = (folder / "config.json").read_text()
    with pytest.raises(ModelError, match=r"not a causal language model|cannot be read"):
        load_policy(asked(broken(folder, "config.json", '{"model_type": "t5"}')))
    broken(folder, "config.json", config)
    without(folder, "*.safetensors")
    with pytest.raises(ModelError, match="cannot be read"):
        load_policy(asked(folder))


def test_a_folder_without_tokenizer_is_said(folder: Path) -> None:
    without(folder, "tokenizer*")
    with pytest.raises(ModelError, match="tokenizer"):
        load_policy(asked(folder))


def test_a_tokenizer_larger_than_the_model_is_said(folder: Path) -> None:
    from_file = PreTrainedTokenizerFast.from_pretrained(folder)
    from_file.add_tokens([f"extra{i}" for i in range(9)])
    from_file.save_pretrained(folder)
    with pytest.raises(ModelError, match="do not belong together"):
        load_policy(asked(folder))


def test_freed_memory_is_kept_where_the_allocator_can_be_asked() -> None:
    assert keep_freed_memory() in {True, False}


def small_run(policy: Policy, place: Path) -> None:
    """A few chains, one step, a snapshot, a blend, a save: what an episode asks of a model."""
    dialect = policy.dialect
    prompt = dialect.encode(dialect.solve_prompt("Tom has 12 cards. He buys 5. How many now?"))
    found = generate(
        policy,
        PolicyRole.solver,
        [prompt],
        [[1, 2, 3, 4]],
        max_tokens=24,
        temperature=0.8,
        batch=8,
        stop_ids=dialect.chain_stops,
    )[0]
    assert len({chain.ids for chain in found}) > 1
    response = dialect.encode_chain("12 + 5 = 17\n#### 17")
    example = Example((*prompt, *response), (*([0.0] * len(prompt)), *([1.0] * len(response))))
    trainer = Trainer(policy, LearnerSettings(lr=1e-3))
    kept = take(policy, trainer)
    before = response_nll(policy, PolicyRole.solver, [example], 1)[0].total
    for _ in range(3):
        assert trainer.step([example], 1.0).finite
    after = response_nll(policy, PolicyRole.solver, [example], 1)[0].total
    assert after < before
    taught = {name: p.detach().clone() for name, p in policy.trainable().items()}
    blend(policy, kept, 0.5)
    for name, p in policy.trainable().items():
        expected = 0.5 * taught[name] + 0.5 * kept.weights[name]
        torch.testing.assert_close(p.detach(), expected, atol=1e-5, rtol=0)
    save(take(policy, trainer), place)
    fingerprint = policy.fingerprint()
    restore(policy, trainer, kept)
    restore(policy, trainer, load(place))
    assert policy.fingerprint() == fingerprint


def test_a_small_folder_goes_through_a_whole_episode(folder: Path, tmp_path: Path) -> None:
    small_run(load_policy(asked(folder)), tmp_path)


def test_adapters_are_saved_in_the_format_of_peft(folder: Path, tmp_path: Path) -> None:
    policy = load_policy(asked(folder))
    assert policy.adapters is not None
    policy.adapters.save_pretrained(tmp_path / "adapters")
    saved = load_file(tmp_path / "adapters" / "solver" / "adapter_model.safetensors")
    assert len(saved) == 2 * 14


@pytest.mark.hub
@pytest.mark.slow
def test_smollm2_goes_through_a_whole_episode(smollm2: str, tmp_path: Path) -> None:
    policy = load_policy(asked(smollm2, lora_rank=8))
    small_run(policy, tmp_path)
    prompt = policy.dialect.encode(policy.dialect.solve_prompt("Ann has 3 pens. How many pens?"))
    (found,) = generate(
        policy,
        PolicyRole.base,
        [prompt],
        [[0]],
        max_tokens=24,
        temperature=0,
        batch=1,
        stop_ids=policy.dialect.chain_stops,
    )[0]
    ids = torch.tensor([prompt])
    with policy.using(PolicyRole.base) as net:
        made = net.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=24, do_sample=False
        )
    assert list(found.ids) == made[0, len(prompt) :].tolist()


@pytest.mark.hub
@pytest.mark.slow
def test_smollm2_can_be_saved_as_an_ordinary_folder(smollm2: str, tmp_path: Path) -> None:
    policy = load_policy(asked(smollm2))
    assert policy.adapters is not None
    plain = policy.adapters.unload()
    plain.save_pretrained(tmp_path)
    again = AutoModelForCausalLM.from_pretrained(tmp_path)
    assert again.num_parameters() == plain.num_parameters()
