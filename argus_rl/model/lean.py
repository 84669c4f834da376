"""Decoding with Llama-architecture nets, without what a single token does not need.

At a million parameters a token costs less arithmetic than the bookkeeping around it: mask objects,
cache objects, three projections where one would do. This decoder reads the module's own weights
(fused once a call, norms folded into the matrices behind them), writes keys and values into one
preallocated tensor, and keeps rows in slots that can be refilled, so that finished rows cost
nothing.

    x += W_o softmax(q k^T / sqrt(d)) v,   x += W_down (silu(W_gate x) * W_up x)

Logits equal those of the module to float rounding (tested to 1e-4).
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional
from transformers import LlamaForCausalLM, PreTrainedModel


@dataclass(frozen=True, slots=True)
class _Layer:
    qkv: Tensor
    out: Tensor
    gate_up: Tensor
    down: Tensor


def is_lean(module: PreTrainedModel) -> bool:
    """Whether `module` is a plain Llama net that `LeanDecoder` computes exactly."""
    if type(module) is not LlamaForCausalLM:
        return False
    config = module.config
    plain = not config.attention_bias and not config.mlp_bias and config.hidden_act == "silu"
    fixed = config.rope_parameters["rope_type"] in {"default", "linear", "llama3"}
    adapted = any(".lora_" in name for name, _ in module.named_parameters())
    return plain and fixed and not adapted


class LeanDecoder:
    """Keys and values of one batch of rows, and the step that extends them.

    Args:
        module: A net for which `is_lean` holds; its weights are read when the decoder is made.
    """

    def __init__(self, module: LlamaForCausalLM) -> None:
        config = module.config
        self._heads = config.num_attention_heads
        self._kv_heads = config.num_key_value_heads
        self._width = module.model.layers[0].self_attn.head_dim
        self._eps = config.rms_norm_eps
        self._embedding = module.model.embed_tokens.weight.detach()
        self._rotary = module.model.rotary_emb
        self._layers = [_fold(layer) for layer in module.model.layers]
        self._head = (module.lm_head.weight * module.model.norm.weight).detach()
        self._cache = torch.empty(0)
        self._prompt_cache = torch.empty(0)
        self._mask: Tensor | None = None
        self._cos = self._sin = torch.empty(0)
        self._pads = torch.empty(0, dtype=torch.long)
        self._length = 0

    def prefill(self, ids: Tensor, pads: Tensor) -> Tensor:
        """Read prompts `ids [p, t]`, `pads [p]` places unused at the left; logits `[p, v]`."""
        count, length = ids.shape
        columns = torch.arange(length, device=ids.device)
        self._rotate_up_to(length)
        places = (columns - pads[:, None]).clamp_min(0)
        cos, sin = self._cos[places][:, :, None], self._sin[places][:, :, None]
        mask = None
        if bool(pads.any()):
            causal = columns[:, None] >= columns
            seen = causal & (columns >= pads[:, None, None])
            mask = (seen | torch.eye(length, dtype=torch.bool, device=ids.device))[:, None]
        self._prompt_cache = self._empty_cache(count, length)
        x = self._embedding[ids]
        for index, layer in enumerate(self._layers):
            q, k, v = self._project(layer, x, cos, sin)
            self._prompt_cache[2 * index] = k.transpose(1, 2)
            self._prompt_cache[2 * index + 1] = v.transpose(1, 2)
            mixed = functional.scaled_dot_product_attention(
                q.transpose(1, 2),
                k.transpose(1, 2),
                v.transpose(1, 2),
                attn_mask=mask,
                is_causal=mask is None,
                enable_gqa=self._heads != self._kv_heads,
            )
            x = self._finish(layer, x, mixed.transpose(1, 2).reshape(count, length, -1))
        self._pads = pads
        self._length = length
        return self._logits(x[:, -1])

    def spread(self, owner: Tensor, room: int) -> None:
        """Open one row per entry of `owner [n]` on that prompt's cache, for `room` more tokens."""
        length = self._length
        self._rotate_up_to(length + room)
        self._cache = self._empty_cache(len(owner), length + room)
        for index, prompt in enumerate(self._prompt_cache):
            self._cache[index, :, :, :length] = prompt[owner]
        self._prompt_cache = torch.empty(0)
        self._mask = None
        if bool(self._pads.any()):
            columns = torch.arange(length + room, device=owner.device)
            hidden = columns < self._pads[owner][:, None]
            seen = torch.zeros(hidden.shape, dtype=self._cache.dtype, device=owner.device)
            self._mask = seen.masked_fill_(hidden, float("-inf"))
        self._pads = self._pads[owner]

    def step(self, tokens: Tensor) -> Tensor:
        """Append `tokens [n]` to the first n rows and return the next logits `[n, v]`."""
        rows, end = len(tokens), self._length + 1
        places = self._length - self._pads[:rows]
        cos, sin = self._cos[places][:, None, None], self._sin[places][:, None, None]
        mask = None if self._mask is None else self._mask[:rows, None, None, :end]
        group = self._heads // self._kv_heads
        x = self._embedding[tokens][:, None]
        for index, layer in enumerate(self._layers):
            q, k, v = self._project(layer, x, cos, sin)
            keys, values = self._cache[2 * index, :rows], self._cache[2 * index + 1, :rows]
            keys[:, :, self._length] = k[:, 0]
            values[:, :, self._length] = v[:, 0]
            mixed = functional.scaled_dot_product_attention(
                q.view(rows, self._kv_heads, group, self._width),
                keys[:, :, :end],
                values[:, :, :end],
                attn_mask=mask,
            )
            x = self._finish(layer, x, mixed.reshape(rows, 1, -1))
        self._length = end
        return self._logits(x[:, 0])

    def move(self, source: Tensor, target: Tensor) -> None:
        """Copy the rows `source` over the finished rows `target`."""
        used = self._length
        for layer in self._cache:
            layer[target, :, :used] = layer[source, :, :used]
        self._pads[target] = self._pads[source]
        if self._mask is not None:
            self._mask[target] = self._mask[source]

    def _project(
        self, layer: _Layer, x: Tensor, cos: Tensor, sin: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return rotated queries, rotated keys and values, each `[n, t, heads, width]`."""
        fused = functional.linear(functional.rms_norm(x, x.shape[-1:], None, self._eps), layer.qkv)
        heads = fused.view(*x.shape[:-1], -1, self._width)
        turned = heads[..., : self._heads + self._kv_heads, :]
        turned = torch.addcmul(turned * cos, turned.roll(self._width // 2, -1), sin)
        return (
            turned[..., : self._heads, :],
            turned[..., self._heads :, :],
            heads[..., self._heads + self._kv_heads :, :],
        )

    def _finish(self, layer: _Layer, x: Tensor, mixed: Tensor) -> Tensor:
        x = x + functional.linear(mixed, layer.out)
        inner = functional.linear(
            functional.rms_norm(x, x.shape[-1:], None, self._eps), layer.gate_up
        )
        gate, up = inner.chunk(2, -1)
        return x + functional.linear(functional.silu(gate) * up, layer.down)

    def _logits(self, x: Tensor) -> Tensor:
        return functional.linear(
            functional.rms_norm(x, x.shape[-1:], None, self._eps), self._head
        ).float()

    def _empty_cache(self, rows: int, length: int) -> Tensor:
        shape = (2 * len(self._layers), rows, self._kv_heads, length, self._width)
        return self._embedding.new_empty(shape)

    def _rotate_up_to(self, length: int) -> None:
        """Tabulate the rotations; the sign of the swapped half is folded into the sine."""
        places = torch.arange(length, device=self._embedding.device)[None]
        cos, sin = self._rotary(self._embedding, position_ids=places)
        half = self._width // 2
        self._cos = cos[0]
        self._sin = torch.cat((-sin[0, :, :half], sin[0, :, half:]), -1)


def _fold(layer: torch.nn.Module) -> _Layer:
    attention, mlp = layer.self_attn, layer.mlp
    before, after = layer.input_layernorm.weight, layer.post_attention_layernorm.weight
    qkv = torch.cat([p.weight for p in (attention.q_proj, attention.k_proj, attention.v_proj)])
    gate_up = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight])
    return _Layer(
        qkv=(qkv * before).detach(),
        out=attention.o_proj.weight.detach(),
        gate_up=(gate_up * after).detach(),
        down=mlp.down_proj.weight.detach(),
    )
