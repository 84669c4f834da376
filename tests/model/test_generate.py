"""A chain is its prompt and its seed: not its batch, its neighbours or the decoder's tricks."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from transformers import PreTrainedModel

from argus_rl.model.generate import Sampled, generate, left_padded
from argus_rl.model.lean import LeanDecoder, is_lean
from argus_rl.model.policy import Policy, PolicyRole
from argus_rl.model.slots import SlotDecoder

STOPS = [2, 7, 9, 12, 15, 18]


def some_prompts(count: int, seed: int = 0) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [[1, *rng.integers(20, 64, int(n)).tolist()] for n in rng.integers(1, 24, count)]


def sample(
    policy: Policy,
    prompts: list[list[int]],
    seeds: list[list[int]],
    *,
    batch: int = 64,
    temperature: float = 1.0,
    max_tokens: int = 16,
    role: PolicyRole = PolicyRole.solver,
) -> list[list[Sampled]]:
    return generate(
        policy,
        role,
        prompts,
        seeds,
        max_tokens=max_tokens,
        temperature=temperature,
        batch=batch,
        stop_ids=STOPS,
    )


def greedy_by_transformers(net: PreTrainedModel, prompt: list[int], max_tokens: int) -> list[int]:
    ids = torch.tensor([prompt])
    made = net.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        max_new_tokens=max_tokens,
        do_sample=False,
        eos_token_id=STOPS,
        pad_token_id=0,
    )
    return made[0, len(prompt) :].tolist()


@pytest.mark.parametrize(
    ("kind", "kv_heads"), [("llama", 4), ("llama", 1), ("qwen2", 2), ("gpt2", 4)]
)
def test_greedy_text_is_that_of_transformers_on_50_prompts(
    make_joint: Callable[..., Policy], kind: str, kv_heads: int
) -> None:
    policy = make_joint(kind, kv_heads=kv_heads)
    prompts = some_prompts(50)
    found = sample(policy, prompts, [[0]] * 50, batch=16, temperature=0)
    expected = [greedy_by_transformers(policy.module, prompt, 16) for prompt in prompts]
    assert [list(own[0].ids) for own in found] == expected
    assert len({len(own[0].ids) for own in found}) > 3, "rows must end at different steps"


@pytest.mark.parametrize("kind", ["llama", "qwen2", "gpt2"])
def test_a_chain_does_not_depend_on_its_batch(make_joint: Callable[..., Policy], kind: str) -> None:
    policy = make_joint(kind)
    prompts = some_prompts(12)
    seeds = [[100 * i + j for j in range(4)] for i in range(12)]
    together = sample(policy, prompts, seeds)
    alone = [
        [sample(policy, [prompt], [[seed]])[0][0] for seed in own]
        for prompt, own in zip(prompts, seeds, strict=True)
    ]
    assert together == alone
    assert sample(policy, prompts[::-1], seeds[::-1], batch=7) == together[::-1]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    prompts=st.lists(st.lists(st.integers(10, 63), min_size=1, max_size=9), min_size=1, max_size=6),
    chains=st.integers(0, 3),
    batch=st.integers(1, 8),
)
def test_any_batch_size_and_any_repetition_gives_the_same_chains(
    joint: Policy, prompts: list[list[int]], chains: int, batch: int
) -> None:
    seeds = [list(range(chains)) for _ in prompts]
    found = sample(joint, prompts, seeds, batch=batch, max_tokens=6)
    assert [len(own) for own in found] == [chains] * len(prompts)
    assert found == sample(joint, prompts, seeds, batch=1000, max_tokens=6)


def test_lean_logits_equal_those_of_the_module(make_net: Callable[..., PreTrainedModel]) -> None:
    for kind, kv_heads in (("llama", 1), ("tied", 2), ("llama", 4)):
        net = make_net(kind, kv_heads=kv_heads)
        assert is_lean(net)
        prompts = some_prompts(9)
        ids, pads = left_padded(prompts, 0)
        owner = torch.tensor([0, 3, 3, 8])
        following = torch.tensor([[11, 12, 13], [14, 15, 16], [17, 18, 19], [20, 21, 22]])
        with torch.inference_mode():
            for decoder in (LeanDecoder(net), SlotDecoder(net)):
                found = [decoder.prefill(ids, pads)[owner]]
                decoder.spread(owner, 3)
                found += [decoder.step(following[:, i]) for i in range(3)]
                for row, prompt in enumerate(owner.tolist()):
                    whole = torch.tensor([prompts[prompt] + following[row].tolist()])
                    expected = net(whole).logits[0, -4:]
                    got = torch.stack([logits[row] for logits in found])
                    torch.testing.assert_close(got, expected, atol=1e-4, rtol=0)


def test_moved_rows_go_on_as_if_nothing_had_happened(
    make_net: Callable[..., PreTrainedModel],
) -> None:
    net = make_net("llama")
    ids, pads = left_padded(some_prompts(3, seed=5), 0)
    with torch.inference_mode():
        for make in (LeanDecoder, SlotDecoder):
            plain, moved = make(net), make(net)
            for decoder in (plain, moved):
                decoder.prefill(ids, pads)
                decoder.spread(torch.tensor([0, 1, 2]), 2)
                decoder.step(torch.tensor([11, 12, 13]))
            moved.move(torch.tensor([2]), torch.tensor([0]))
            expected = plain.step(torch.tensor([21, 22, 23]))
            got = moved.step(torch.tensor([23, 22]))
            torch.testing.assert_close(got, expected[[2, 1]], atol=1e-5, rtol=0)


def test_threads_decode_parts_side_by_side_and_change_nothing(joint: Policy) -> None:
    prompts, seeds = some_prompts(20), [[3 * i, 3 * i + 1] for i in range(20)]
    alone = sample(joint, prompts, seeds)
    torch.set_num_threads(3)
    shared = sample(joint, prompts, seeds)
    assert torch.get_num_threads() == 3, "the caller's number of threads is given back"
    assert shared == alone


def test_other_seeds_give_other_chains_and_equal_seeds_equal_ones(joint: Policy) -> None:
    found = sample(joint, some_prompts(1), [[*range(20), 0]])[0]
    assert len({chain.ids for chain in found}) > 10
    assert found[0] == found[-1]


def test_sampled_tokens_follow_the_softmax(joint: Policy) -> None:
    prompt = [1, 20, 30]
    first = [
        chain.ids[0] for chain in sample(joint, [prompt], [list(range(4000))], max_tokens=1)[0]
    ]
    with torch.inference_mode():
        expected = joint.module(torch.tensor([prompt])).logits[0, -1].softmax(-1).numpy()
    shares = np.bincount(first, minlength=64) / len(first)
    assert np.abs(shares - expected).max() < 4 * np.sqrt(0.25 / len(first))
    cold = sample(joint, [prompt], [list(range(50))], max_tokens=1, temperature=1e-3)[0]
    assert {chain.ids[0] for chain in cold} == {int(expected.argmax())}


def test_a_response_ends_at_its_first_stop_or_is_truncated(joint: Policy) -> None:
    found = [
        c for own in sample(joint, some_prompts(30), [[1, 2]] * 30, max_tokens=12) for c in own
    ]
    assert {chain.truncated for chain in found} == {True, False}
    for chain in found:
        assert not any(i in STOPS for i in chain.ids[:-1])
        assert chain.truncated == (chain.ids[-1] not in STOPS)
        assert len(chain.ids) == 12 or not chain.truncated


def test_generating_changes_no_weight(policy: Policy) -> None:
    before = policy.fingerprint()
    sample(policy, some_prompts(3), [[1]] * 3)
    assert policy.fingerprint() == before


def test_adapters_reach_the_sampler(lora: Policy) -> None:
    prompts, seeds = some_prompts(8), [[1, 2]] * 8
    start = sample(lora, prompts, seeds)
    assert sample(lora, prompts, seeds, role=PolicyRole.base) == start, "adapters begin as identity"
    with torch.no_grad():
        for name, weight in lora.trainable().items():
            if ".solver." in name:
                weight.add_(0.3)
    assert sample(lora, prompts, seeds) != start
    assert sample(lora, prompts, seeds, role=PolicyRole.proposer) == start
    assert sample(lora, prompts, seeds, role=PolicyRole.base) == start


@pytest.mark.parametrize(
    "wrong",
    [
        {"prompts": [[]]},
        {"max_tokens": 0},
        {"batch": 0},
        {"temperature": -0.1},
        {"seeds": [[1], [2]]},
    ],
)
def test_impossible_requests_are_refused(joint: Policy, wrong: dict[str, object]) -> None:
    asked = {"prompts": [[1]], "seeds": [[1]], **wrong}
    with pytest.raises(ValueError, match=r"."):
        sample(joint, **asked)


def test_nothing_asked_is_nothing_given(joint: Policy) -> None:
    assert sample(joint, [], []) == []
