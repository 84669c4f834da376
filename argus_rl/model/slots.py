"""Decoding with any causal language model of transformers, on a preallocated cache of row slots.

The module's own forward does the arithmetic; this file hands it a cache whose rows can be opened
on a shared prompt, dropped and refilled. Rows are aligned at the right: `pads` counts the unused
places on the left, which the mask hides and the position ids skip. Nets with grouped-query
attention keep one key a group: nothing is repeated.
"""

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer


class _Slots(DynamicLayer):
    """One layer's keys and values: prompts first (`spread` not yet called), rows after it."""

    def __init__(self) -> None:
        super().__init__()
        self.length = 0
        self.rows = 0
        self.store: tuple[Tensor, Tensor] | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, *_args: object, **_kwargs: object
    ) -> tuple[Tensor, Tensor]:
        """Append, and return all keys and values of the rows in use."""
        if self.store is None:
            self.store = (key_states, value_states)
            self.length, self.rows = key_states.shape[2], key_states.shape[0]
            return self.store
        end = self.length + key_states.shape[2]
        views = []
        for kept, new in zip(self.store, (key_states, value_states), strict=True):
            kept[: self.rows, :, self.length : end] = new
            views.append(kept[: self.rows, :, :end])
        self.length = end
        return views[0], views[1]

    def get_seq_length(self) -> int:
        """Tokens in the cache."""
        return self.length

    def spread(self, owner: Tensor, room: int) -> None:
        """Replace prompts by rows, each a copy of its owner's cache with room behind it."""
        if self.store is None:
            raise ValueError("spread needs a prefilled cache")
        grown = []
        for prompt in self.store:
            _, heads, length, width = prompt.shape
            rows = prompt.new_empty(len(owner), heads, length + room, width)
            rows[:, :, :length] = prompt[owner]
            grown.append(rows)
        self.store, self.rows = (grown[0], grown[1]), len(owner)

    def move(self, source: Tensor, target: Tensor) -> None:
        """Copy rows `source` over rows `target`."""
        for kept in self.store or ():
            kept[target, :, : self.length] = kept[source, :, : self.length]


class SlotDecoder:
    """The decoder for any causal language model with ordinary attention.

    Args:
        module: The net, in evaluation mode.
    """

    def __init__(self, module: PreTrainedModel) -> None:
        self._module = module
        self._layers = [_Slots() for _ in range(module.config.get_text_config().num_hidden_layers)]
        self._cache = Cache(layers=list(self._layers))
        self._pads = torch.empty(0, dtype=torch.long)
        self._ragged = False

    def prefill(self, ids: Tensor, pads: Tensor) -> Tensor:
        """Read prompts `ids [p, t]`, `pads [p]` places unused at the left; logits `[p, v]`."""
        columns = torch.arange(ids.shape[1], device=ids.device)
        self._pads, self._ragged = pads, bool(pads.any())
        mask = None
        if self._ragged:
            seen = (columns[:, None] >= columns) & (columns >= pads[:, None, None])
            own = torch.eye(len(columns), dtype=torch.bool, device=ids.device)
            mask = (seen | own)[:, None]
        return self._forward(ids, mask, (columns - pads[:, None]).clamp_min(0))

    def spread(self, owner: Tensor, room: int) -> None:
        """Open one row per entry of `owner [n]` on that prompt's cache, for `room` more tokens."""
        for layer in self._layers:
            layer.spread(owner, room)
        self._pads = self._pads[owner]

    def step(self, tokens: Tensor) -> Tensor:
        """Append `tokens [n]` to the first n rows and return the next logits `[n, v]`."""
        rows, length = len(tokens), self._layers[0].length
        for layer in self._layers:
            layer.rows = rows
        mask = None
        if self._ragged:
            columns = torch.arange(length + 1, device=tokens.device)
            mask = (columns >= self._pads[:rows, None])[:, None, None]
        return self._forward(tokens[:, None], mask, (length - self._pads[:rows])[:, None])

    def move(self, source: Tensor, target: Tensor) -> None:
        """Copy the rows `source` over the finished rows `target`."""
        for layer in self._layers:
            layer.move(source, target)
        self._pads[target] = self._pads[source]

    def _forward(self, ids: Tensor, mask: Tensor | None, places: Tensor) -> Tensor:
        found = self._module(
            input_ids=ids,
            attention_mask=mask,
            position_ids=places,
            cache=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        return found.logits[:, -1].float()
