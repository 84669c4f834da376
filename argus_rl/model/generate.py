"""Sampling k chains for each of many prompts, in one batched generation.

A chain is named by (prompt, seed) and by nothing else: its tokens come from the inverse cumulative
distribution at uniforms drawn from its own seed, one a step, so neither its batch nor its
neighbours nor the order of rows can change it (up to float rounding in the logits).

    token_t = min { v : sum_{w <= v} softmax(logits_t / T)_w >= u_t },   u = Philox(seed)

Each distinct prompt is read once and its cache is shared by its chains; rows are bucketed by prompt
length; finished rows leave the batch, the last rows moving into their slots.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from transformers import LlamaForCausalLM, PreTrainedModel

from argus_rl.model.lean import LeanDecoder, is_lean
from argus_rl.model.policy import Policy, PolicyRole
from argus_rl.model.slots import SlotDecoder

CACHE_ROWS = 128
"""Rows of a small net that are decoded at a time on a CPU: more do not fit into its caches."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """One response."""

    ids: tuple[int, ...]
    """Token ids, the stop token included where one was reached."""
    truncated: bool
    """Whether the token budget ended it."""


class Decoder(Protocol):
    """Keys and values of a batch of rows: what a sampler needs of a net."""

    def prefill(self, ids: Tensor, pads: Tensor) -> Tensor:
        """Read left-padded prompts `[p, t]`, `pads [p]` places unused; return logits `[p, v]`."""
        ...

    def spread(self, owner: Tensor, room: int) -> None:
        """Open one row per entry of `owner` on that prompt's cache, for `room` more tokens."""
        ...

    def step(self, tokens: Tensor) -> Tensor:
        """Append `tokens [n]` to the first n rows; return the next logits `[n, v]`."""
        ...

    def move(self, source: Tensor, target: Tensor) -> None:
        """Copy rows `source` over rows `target`."""
        ...


@dataclass(frozen=True, slots=True)
class _Row:
    prompt: tuple[int, ...]
    seed: int
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Sampling:
    max_tokens: int
    temperature: float
    stop_ids: tuple[int, ...]
    pad: int


def generate(  # noqa: PLR0913 - what a batch of chains depends on, each named by the caller
    policy: Policy,
    role: PolicyRole,
    prompts: Sequence[Sequence[int]],
    seeds: Sequence[Sequence[int]],
    *,
    max_tokens: int,
    temperature: float,
    batch: int,
    stop_ids: Sequence[int],
) -> list[list[Sampled]]:
    """Return one response per seed of each prompt, in the order given.

    Args:
        policy: The weights; they are not changed.
        role: Whose weights speak.
        prompts: Token ids of each prompt, start token included; none empty.
        seeds: For each prompt one seed per chain, in [0, 2**63).
        max_tokens: Tokens per response, the stop token included; at least 1.
        temperature: 0 is greedy (seeds then change nothing), above it the softmax temperature.
        batch: Rows decoded at a time; bounds memory and changes no text.
        stop_ids: Ids that end a response.

    Raises:
        ValueError: for an empty prompt, unequal lengths, or a number outside its range.
    """
    _check(prompts, seeds, max_tokens, temperature, batch)
    sampling = _Sampling(max_tokens, temperature, tuple(stop_ids), policy.dialect.padding)
    rows = [
        _Row(tuple(prompt), seed, (i, j))
        for i, (prompt, own) in enumerate(zip(prompts, seeds, strict=True))
        for j, seed in enumerate(own)
    ]
    rows.sort(key=lambda row: (len(row.prompt), row.prompt))
    found: list[list[Sampled | None]] = [[None] * len(own) for own in seeds]
    with policy.using(role) as module:
        was_training = module.training
        module.eval()
        for row, sampled in _run_all(module, rows, batch, sampling):
            found[row.place[0]][row.place[1]] = sampled
        module.train(was_training)
    return [[sampled for sampled in own if sampled is not None] for own in found]


def _check(
    prompts: Sequence[Sequence[int]],
    seeds: Sequence[Sequence[int]],
    max_tokens: int,
    temperature: float,
    batch: int,
) -> None:
    if len(prompts) != len(seeds):
        raise ValueError(f"{len(prompts)} prompts but seeds for {len(seeds)}")
    if any(len(prompt) == 0 for prompt in prompts):
        raise ValueError("a prompt has no tokens: give it at least a start token")
    if max_tokens < 1 or batch < 1 or temperature < 0:
        raise ValueError(
            f"needs max_tokens >= 1, batch >= 1 and temperature >= 0, "
            f"got {max_tokens}, {batch} and {temperature}"
        )


def _run_all(
    module: PreTrainedModel, rows: Sequence[_Row], batch: int, sampling: _Sampling
) -> Iterator[tuple[_Row, Sampled]]:
    """Decode all rows in parts; small nets on a CPU use its threads for parts, not within products.

    A product of a hundred rows is too short to be shared between threads; two parts are not.
    """
    if module.device.type != "cpu" or not is_lean(module):
        for start in range(0, len(rows), batch):
            part = rows[start : start + batch]
            yield from zip(part, _run(module, part, sampling), strict=True)
        return
    threads = torch.get_num_threads()
    size = min(batch, CACHE_ROWS, max(1, -(-len(rows) // threads)))
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    with ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for part, found in zip(
            parts, pool.map(partial(_run, module, sampling=sampling), parts), strict=True
        ):
            yield from zip(part, found, strict=True)
    torch.set_num_threads(threads)


@torch.inference_mode()
def _run(module: PreTrainedModel, rows: Sequence[_Row], sampling: _Sampling) -> list[Sampled]:
    decoder: Decoder
    if isinstance(module, LlamaForCausalLM) and is_lean(module):
        decoder = LeanDecoder(module)
    else:
        decoder = SlotDecoder(module)
    distinct = {prompt: i for i, prompt in enumerate(dict.fromkeys(row.prompt for row in rows))}
    ids, pads = left_padded(list(distinct), sampling.pad)
    owner = torch.tensor([distinct[row.prompt] for row in rows]).to(module.device)
    logits = decoder.prefill(ids.to(module.device), pads.to(module.device))
    decoder.spread(owner, sampling.max_tokens - 1)
    tokens, lengths = _decode(decoder, logits[owner], _uniforms(rows, sampling), sampling)
    stops = set(sampling.stop_ids)
    responses = (tuple(ids[:n]) for ids, n in zip(tokens.tolist(), lengths.tolist(), strict=True))
    return [Sampled(ids, ids[-1] not in stops) for ids in responses]


def _decode(
    decoder: Decoder, logits: Tensor, uniforms: Tensor | None, sampling: _Sampling
) -> tuple[Tensor, Tensor]:
    """Return tokens `[n, max_tokens]` and lengths `[n]`; behind a length nothing has meaning."""
    rows, device = len(logits), logits.device
    tokens = torch.zeros(rows, sampling.max_tokens, dtype=torch.long, device=device)
    lengths = torch.full((rows,), sampling.max_tokens, device=device)
    stops = torch.tensor(sampling.stop_ids, dtype=torch.long, device=device)
    who = torch.arange(rows, device=device)
    alive = torch.ones(rows, dtype=torch.bool, device=device)
    for step in range(sampling.max_tokens):
        if uniforms is None:
            chosen = logits.argmax(-1)
        else:
            chosen = _choose(logits, sampling.temperature, uniforms[who, step])
        tokens[who, step] = chosen
        ended = alive & (chosen[:, None] == stops).any(-1)
        alive &= ~ended
        lengths[who[ended]] = step + 1
        left = int(alive.sum())
        if left == 0 or step + 1 == sampling.max_tokens:
            break
        if left <= len(who) - max(1, len(who) // 16):
            who, chosen = _close_ranks(decoder, alive, left, who, chosen)
            alive = alive.new_ones(left)
        logits = decoder.step(chosen)
    return tokens, lengths


def _choose(logits: Tensor, temperature: float, uniform: Tensor) -> Tensor:
    """Inverse-CDF draw: the first token whose cumulative probability exceeds the uniform."""
    cumulative = torch.softmax(logits.double() / temperature, -1).cumsum_(-1)
    points = (uniform * cumulative[:, -1])[:, None]
    chosen = torch.searchsorted(cumulative, points, right=True).squeeze(-1)
    return chosen.clamp_max_(logits.shape[-1] - 1)


def _close_ranks(
    decoder: Decoder, alive: Tensor, left: int, who: Tensor, chosen: Tensor
) -> tuple[Tensor, Tensor]:
    """Move living rows from behind `left` into finished slots; return who and chosen."""
    target = (~alive[:left]).nonzero().squeeze(-1)
    if len(target):
        source = alive[left:].nonzero().squeeze(-1) + left
        decoder.move(source, target)
        who[target], chosen[target] = who[source], chosen[source]
    return who[:left], chosen[:left]


def _uniforms(rows: Sequence[_Row], sampling: _Sampling) -> Tensor | None:
    if sampling.temperature == 0:
        return None
    drawn = np.empty((len(rows), sampling.max_tokens))
    for i, row in enumerate(rows):
        drawn[i] = np.random.Generator(np.random.Philox(key=row.seed)).random(sampling.max_tokens)
    return torch.from_numpy(drawn)


def left_padded(prompts: Sequence[Sequence[int]], pad: int) -> tuple[Tensor, Tensor]:
    """Return ids `[p, t]` aligned at the right, and how many places of each row are unused."""
    longest = max(len(prompt) for prompt in prompts)
    pads = [longest - len(prompt) for prompt in prompts]
    rows = [[pad] * n + list(prompt) for n, prompt in zip(pads, prompts, strict=True)]
    return torch.tensor(rows), torch.tensor(pads)
