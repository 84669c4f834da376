"""Decoding with Llama-architecture nets, without what a single token does not need.

At a million parameters a token costs less arithmetic than the bookkeeping around it: mask objects,
cache objects, three projections where one would do. This decoder reads the module's own weights
(fused once, norms and scale folded into the matrices), writes keys (transposed, as the product
wants them) and values into preallocated tensors, and keeps rows in slots, so that finished rows
cost nothing.

    x += W_o softmax(q k^T / sqrt(d)) v,   x += W_down (silu(W_gate x) * W_up x)

Logits equal those of the module to float rounding (tested to 1e-4).
"""

from collections.abc import Mapping
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
    rope = config.rope_parameters or {}
    fixed = rope.get("rope_type", "default") in {"default", "linear", "llama3"}
    adapted = any(".lora_" in name for name, _ in module.named_parameters())
    return plain and fixed and not adapted


class LeanDecoder:
    """Keys and values of one batch of rows, and the step that extends them.

    Args:
        module: A net for which `is_lean` holds; its weights are read when the decoder is made.
    """

    def __init__(self, module: LlamaForCausalLM) -> None:
        config = module.config
        weights = {name: tensor.detach() for name, tensor in module.state_dict().items()}
        self._heads = config.num_attention_heads
        self._kv_heads = config.num_key_value_heads or self._heads
        self._width = weights["model.layers.0.self_attn.q_proj.weight"].shape[0] // self._heads
        self._eps = config.rms_norm_eps
        self._embedding = weights["model.embed_tokens.weight"]
        self._rotary = module.model.rotary_emb
        scale = self._width**-0.5
        self._layers = [_fold(weights, i, scale) for i in range(config.num_hidden_layers)]
        self._head = weights["lm_head.weight"] * weights["model.norm.weight"]
        self._keys = self._values = torch.empty(0)
        self._prompts: list[tuple[Tensor, Tensor]] = []
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
        self._prompts = []
        x = self._embedding[ids]
        for layer in self._layers:
            q, k, v = (part.transpose(1, 2) for part in self._project(layer, x, cos, sin))
            self._prompts.append((k, v))
            mixed = functional.scaled_dot_product_attention(
                q,
                k,
                v,
                attn_mask=mask,
                is_causal=mask is None,
                scale=1.0,
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
        rows = (len(self._layers), len(owner), self._kv_heads)
        self._keys = self._embedding.new_empty(*rows, self._width, length + room)
        self._values = self._embedding.new_empty(*rows, length + room, self._width)
        for index, (keys, values) in enumerate(self._prompts):
            self._keys[index, ..., :length] = keys.transpose(2, 3)[owner]
            self._values[index, ..., :length, :] = values[owner]
        self._prompts = []
        self._mask = None
        if bool(self._pads.any()):
            columns = torch.arange(length + room, device=owner.device)
            hidden = columns < self._pads[owner][:, None]
            seen = torch.zeros(hidden.shape, dtype=self._values.dtype, device=owner.device)
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
            keys, values = self._keys[index, :rows], self._values[index, :rows]
            keys[..., self._length] = k[:, 0]
            values[..., self._length, :] = v[:, 0]
            shares = q.view(rows, self._kv_heads, group, self._width) @ keys[..., :end]
            if mask is not None:
                shares += mask
            mixed = shares.softmax(-1, torch.float32).to(v.dtype) @ values[..., :end, :]
            x = self._finish(layer, x, mixed.view(rows, 1, -1))
        self._length = end
        return self._logits(x[:, 0])

    def move(self, source: Tensor, target: Tensor) -> None:
        """Copy the rows `source` over the finished rows `target`."""
        used = self._length
        self._keys[:, target, ..., :used] = self._keys[:, source, ..., :used]
        self._values[:, target, :, :used] = self._values[:, source, :, :used]
        self._pads[target] = self._pads[source]
        if self._mask is not None:
            self._mask[target] = self._mask[source]

    def _project(
        self, layer: _Layer, x: Tensor, cos: Tensor, sin: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return rotated scaled queries, rotated keys and values, each `[n, t, heads, width]`."""
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

    def _rotate_up_to(self, length: int) -> None:
        """Tabulate the rotations; the sign of the swapped half is folded into the sine."""
        places = torch.arange(length, device=self._embedding.device)[None]
        cos, sin = self._rotary(self._embedding, position_ids=places)
        half = self._width // 2
        self._cos = cos[0]
        self._sin = torch.cat((-sin[0, :, :half], sin[0, :, half:]), -1)


def _fold(weights: Mapping[str, Tensor], index: int, scale: float) -> _Layer:
    def named(name: str) -> Tensor:
        return weights[f"model.layers.{index}.{name}.weight"]

    q, k, v = (named(f"self_attn.{part}_proj") for part in "qkv")
    gate_up = torch.cat([named("mlp.gate_proj"), named("mlp.up_proj")])
    return _Layer(
        qkv=torch.cat((q * scale, k, v)) * named("input_layernorm"),
        out=named("self_attn.o_proj"),
        gate_up=gate_up * named("post_attention_layernorm"),
        down=named("mlp.down_proj"),
    )
