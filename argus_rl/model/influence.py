"""Which way each example pulls the weights, in few numbers.

A training pair helps or hurts a test item, to first order, by the dot product of their gradients. A
count sketch keeps dot products without ever holding the gradients of all examples: entry `i` of a
gradient is added to place `h(i)` with sign `s(i)`, both fixed and random, and

    E <S g, S g'> = <g, g'>,   Var <= 2 |g|^2 |g'|^2 / width.

Source: Charikar, Chen, Farach-Colton 2002; influence by gradient dot products: TracIn, arXiv
2002.08484.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from argus_rl.core.rng import derive_seed
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import response_losses

MAX_HELD = 2**26
"""Gradient entries held at a time (256 MiB in float32)."""


def projected_gradients(
    policy: Policy, role: PolicyRole, examples: Sequence[Example], width: int, seed: int
) -> NDArray[np.float32]:
    """Return each example's loss gradient, projected to `[n, width]`, in the order given.

    The loss is the weighted mean of nats per token; an example without a weighted token has
    gradient 0. Equal `width` and `seed` give comparable rows across calls.

    Args:
        policy: The weights; they are not changed.
        role: Whose weights the gradient is of: `solver` or `proposer`.
        examples: Sequences.
        width: Places of the sketch, >= 1.
        seed: Names the projection.

    Raises:
        ValueError: for the frozen base, or a width below 1.
    """
    if role is PolicyRole.base:
        raise ValueError("the base is frozen: it has no gradient")
    if width < 1:
        raise ValueError(f"a projection needs width >= 1, got {width}")
    entries = sum(p.numel() for p in policy.trainable().values())
    group = max(1, MAX_HELD // entries)
    found = np.zeros((len(examples), width), dtype=np.float32)
    for start in range(0, len(examples), group):
        rows = [_gradient(policy, role, e) for e in examples[start : start + group]]
        found[start : start + group] = _sketch(rows, width, seed).numpy()
    return found


def _gradient(policy: Policy, role: PolicyRole, example: Example) -> dict[str, Tensor]:
    """Gradient by parameter name; parameters that `role` does not use are left out."""
    if not any(example.weights):
        return {}
    weights = policy.trainable()
    with policy.using(role) as module, torch.enable_grad():
        losses = response_losses(module, [example], policy.dialect.padding)
        loss = (losses.nats * losses.weights).sum() / losses.weights.sum()
        pulls = torch.autograd.grad(loss, list(weights.values()), allow_unused=True)
    return {
        name: pull.flatten().float().cpu()
        for name, pull in zip(weights, pulls, strict=True)
        if pull is not None
    }


def _sketch(rows: Sequence[dict[str, Tensor]], width: int, seed: int) -> Tensor:
    sketched = torch.zeros(len(rows), width)
    sizes = {name: pull.numel() for row in rows for name, pull in row.items()}
    for name, size in sizes.items():
        generator = torch.Generator().manual_seed(derive_seed("sketch", seed, name))
        places = torch.randint(width, (size,), generator=generator)
        signs = torch.randint(2, (size,), generator=generator).mul_(2).sub_(1).float()
        for i, row in enumerate(rows):
            if name in row:
                sketched[i].index_add_(0, places, row[name] * signs)
    return sketched
