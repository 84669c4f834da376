"""How surprised a policy is by a response: negative log-likelihood in nats, response tokens only.

    NLL(y | x) = - sum_t log p(y_t | x, y_<t)

Sequences are padded on the right without a mask: under causal attention nothing to the left of a
place can see the padding, so an example's figure does not depend on its neighbours. The vocabulary
is met at response places only and a chunk at a time, so memory never holds batch x length x
vocabulary.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint
from transformers import PreTrainedModel

from argus_rl.core.errors import ModelError
from argus_rl.model.policy import Example, Policy, PolicyRole

MAX_LOGITS = 2**24
"""Logits held at a time (64 MiB in float32)."""
LONGEST = 1.25
"""Longest sequence of a bucket over its shortest, give or take a few tokens."""


@dataclass(frozen=True, slots=True)
class NllScore:
    """The surprise of one response."""

    total: float
    """Nats over all scored tokens."""
    tokens: int
    """Scored tokens: those with weight > 0."""

    @property
    def per_token(self) -> float:
        """Nats per scored token; 0 for a response without tokens."""
        return self.total / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, slots=True)
class Losses:
    """Nats at each scored place of a batch, flat."""

    nats: Tensor
    """Shape `[m]`, float32."""
    rows: Tensor
    """Shape `[m]`: which example each place belongs to."""
    weights: Tensor
    """Shape `[m]`: loss weight of each place."""


def response_nll(
    policy: Policy, role: PolicyRole, examples: Sequence[Example], batch: int
) -> list[NllScore]:
    """Score each example under `role`'s weights, in the order given; weights over 0 count alike.

    Args:
        policy: The weights; they are not changed.
        role: Whose weights are read (the examples' own roles are not).
        examples: Sequences; tokens of weight 0 are context.
        batch: Sequences per forward pass; changes memory, not the result.

    Raises:
        ValueError: when `batch` is below 1.
    """
    scores = [NllScore(0.0, 0)] * len(examples)
    with policy.using(role) as module, torch.inference_mode():
        was_training = module.training
        module.eval()
        for part in buckets(examples, batch):
            found = response_losses(module, [examples[i] for i in part], policy.dialect.padding)
            totals = torch.zeros(len(part), dtype=torch.float64)
            totals.index_add_(0, found.rows.cpu(), found.nats.double().cpu())
            counts = torch.bincount(found.rows, minlength=len(part))
            for i, total, count in zip(part, totals.tolist(), counts.tolist(), strict=True):
                scores[i] = NllScore(total, count)
        module.train(was_training)
    return scores


def buckets(examples: Sequence[Example], size: int) -> Iterator[list[int]]:
    """Indices of examples with a scored token, shortest first, at most `size` at a time.

    A bucket also ends where lengths have grown by a quarter: padding would cost more than a pass.
    """
    if size < 1:
        raise ValueError(f"a batch needs at least one sequence, got {size}")
    lengths = [len(example.ids) for example in examples]
    order = sorted(
        (i for i, example in enumerate(examples) if any(example.weights)),
        key=lambda i: (lengths[i], i),
    )
    part: list[int] = []
    for i in order:
        if part and (len(part) == size or lengths[i] > LONGEST * lengths[part[0]] + 4):
            yield part
            part = []
        part.append(i)
    if part:
        yield part


def response_losses(module: PreTrainedModel, examples: Sequence[Example], pad: int) -> Losses:
    """Nats at every place with weight > 0; differentiable where gradients are on."""
    longest = max(len(example.ids) for example in examples)
    ids = torch.tensor([[*e.ids, *[pad] * (longest - len(e.ids))] for e in examples])
    weights = torch.tensor([[*e.weights, *[0.0] * (longest - len(e.ids))] for e in examples])
    rows, places = weights.nonzero(as_tuple=True)
    chosen, targets = weights[rows, places], ids[rows, places]
    rows, places = rows.to(module.device), places.to(module.device)
    hidden = last_hidden(module, ids.to(module.device))[rows, places - 1]
    return Losses(_nats(module, hidden, targets.to(module.device)), rows, chosen.to(module.device))


def last_hidden(module: PreTrainedModel, ids: Tensor) -> Tensor:
    """Last hidden states `[n, t, d]` of right-padded `ids [n, t]`, final norm included."""
    return module.base_model(input_ids=ids, use_cache=False).last_hidden_state


def output_head(module: PreTrainedModel) -> nn.Module:
    """The map from last hidden states to logits.

    Raises:
        ModelError: where the net has none.
    """
    head = module.get_output_embeddings()
    if not isinstance(head, nn.Module):
        raise ModelError(f"{type(module).__name__} has no output head over its vocabulary")
    return head


def _nats(module: PreTrainedModel, hidden: Tensor, targets: Tensor) -> Tensor:
    head = output_head(module)
    rows = max(1, MAX_LOGITS // module.config.get_text_config().vocab_size)

    def chunk(hidden: Tensor, targets: Tensor) -> Tensor:
        return functional.cross_entropy(head(hidden).float(), targets, reduction="none")

    if len(hidden) <= rows:
        return chunk(hidden, targets)
    pieces = itertools.starmap(
        lambda h, t: (
            checkpoint(chunk, h, t, use_reentrant=False, preserve_rng_state=False)
            if torch.is_grad_enabled()
            else chunk(h, t)
        ),
        zip(hidden.split(rows), targets.split(rows), strict=True),
    )
    return torch.cat(list(pieces))
