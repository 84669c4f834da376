"""Tiny nets with random weights and a word-level tokenizer, made afresh by each test that asks."""

import copy
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from argus_rl.config.run import ModelSettings
from argus_rl.model.dialect import EmbeddedDialect
from argus_rl.model.loading import adapt
from argus_rl.model.policy import Example, Policy, PolicyRole

WORDS = ["<pad>", "<bos>", "<eos>", "<unk>", "<sep>", "<step>", *(f"w{i}" for i in range(58))]
BOS, EOS = 1, 2


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def tokenizer() -> PreTrainedTokenizerFast:
    return word_tokenizer()


@pytest.fixture
def make_tokenizer() -> Callable[[], PreTrainedTokenizerFast]:
    return word_tokenizer


def word_tokenizer() -> PreTrainedTokenizerFast:
    inner = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=inner,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        unk_token="<unk>",
        additional_special_tokens=["<sep>", "<step>"],
    )


def tiny_net(kind: str = "llama", *, kv_heads: int = 2, seed: int = 0) -> PreTrainedModel:
    """A net whose next-token choices are peaked and varied, as a trained one's are."""
    sizes = {
        "vocab_size": len(WORDS),
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": kv_heads,
        "max_position_embeddings": 256,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "pad_token_id": 0,
    }
    made: PreTrainedModel
    if kind in {"llama", "tied"}:
        made = LlamaForCausalLM(LlamaConfig(**sizes, tie_word_embeddings=kind == "tied"))
    elif kind == "qwen2":
        made = Qwen2ForCausalLM(Qwen2Config(**sizes))
    else:
        made = GPT2LMHeadModel(
            GPT2Config(vocab_size=len(WORDS), n_embd=32, n_layer=2, n_head=4, n_positions=256)
        )
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in made.parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.copy_(noise * 0.35 if parameter.ndim > 1 else parameter + noise * 0.1)
    return made.eval()


@pytest.fixture
def make_net() -> Callable[..., PreTrainedModel]:
    return tiny_net


def joint_policy(kind: str = "llama", *, kv_heads: int = 2, seed: int = 0) -> Policy:
    net = tiny_net(kind, kv_heads=kv_heads, seed=seed)
    words = word_tokenizer()
    base = copy.deepcopy(net).requires_grad_(False)
    return Policy(module=net, tokenizer=words, dialect=EmbeddedDialect(words), base=base)


def lora_policy(kind: str = "llama", *, rank: int = 4, dropout: float = 0.0) -> Policy:
    words = word_tokenizer()
    settings = ModelSettings(lora_rank=rank, lora_alpha=2 * rank, lora_dropout=dropout)
    return adapt(tiny_net(kind), words, EmbeddedDialect(words), settings)


@pytest.fixture
def make_joint() -> Callable[..., Policy]:
    return joint_policy


@pytest.fixture
def make_lora() -> Callable[..., Policy]:
    return lora_policy


@pytest.fixture(params=["joint", "lora"])
def policy(request: pytest.FixtureRequest) -> Policy:
    """The same test for either layout."""
    return joint_policy() if request.param == "joint" else lora_policy()


@pytest.fixture
def joint() -> Policy:
    return joint_policy()


@pytest.fixture
def lora() -> Policy:
    return lora_policy()


@pytest.fixture
def make_lesson() -> Callable[..., list[Example]]:
    return lesson


@pytest.fixture
def smollm2() -> str:
    path = os.environ.get("ARGUS_SMOLLM2", "")
    if not Path(path).is_file():
        pytest.skip(
            "ARGUS_SMOLLM2 names no SmolLM2 .gguf file; docs/models.md says where to get it"
        )
    return path


def lesson(count: int, *, seed: int = 0, role: PolicyRole = PolicyRole.solver) -> list[Example]:
    """Sequences of ragged lengths and weights: a prompt of weight 0, then a response."""
    generator = torch.Generator().manual_seed(seed)

    def whole(low: int, high: int) -> int:
        return int(torch.randint(low, high, (), generator=generator))

    made = []
    for _ in range(count):
        prompt, response = whole(2, 8), whole(1, 14)
        ids = [BOS, *(whole(6, 64) for _ in range(prompt + response - 2)), EOS]
        weight = 0.25 * whole(1, 8)
        weights = [0.0] * prompt + [weight] * response
        made.append(Example(tuple(ids), tuple(weights), role))
    return made
