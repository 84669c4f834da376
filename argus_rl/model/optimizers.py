"""The optimizers of one policy, as one thing with one state.

AdamW moves everything, or Muon moves the hidden matrices of a joint policy and AdamW the rest
(embeddings, output head, norms). Muon replaces the momentum of a matrix by its nearest orthogonal
one (five Newton-Schulz steps), so each direction of the matrix moves at the same speed; adapters
stay with AdamW. The state is plain named tensors, so it can be copied, compared and stored without
pickling.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from argus_rl.config.run import LearnerSettings

BETAS = (0.9, 0.95)
"""AdamW's decay rates: the second is short because runs are."""


class Optimizers:
    """AdamW, alone or with Muon, over named parameters.

    Args:
        weights: Trainable parameters by name.
        settings: Learning rates and weight decay.
        hidden: Names that Muon may take; ignored unless `settings.muon_lr > 0`.
    """

    def __init__(
        self, weights: Mapping[str, nn.Parameter], settings: LearnerSettings, hidden: frozenset[str]
    ) -> None:
        self._weights = weights
        muon = [p for n, p in weights.items() if n in hidden and settings.muon_lr > 0]
        chosen = {id(p) for p in muon}
        adam = [p for p in weights.values() if id(p) not in chosen]
        self._parts: list[tuple[torch.optim.Optimizer, float]] = []
        if adam:
            made = torch.optim.AdamW(
                adam, settings.lr, betas=BETAS, weight_decay=settings.weight_decay, fused=True
            )
            self._parts.append((made, settings.lr))
        if muon:
            rate = settings.muon_lr
            made = torch.optim.Muon(muon, rate, weight_decay=settings.weight_decay)
            self._parts.append((made, rate))

    def step(self, scale: float) -> None:
        """Move every parameter that has a gradient, at `scale` times its peak learning rate."""
        for optimizer, peak in self._parts:
            for group in optimizer.param_groups:
                group["lr"] = peak * scale
            optimizer.step()

    def clear(self) -> None:
        """Forget all gradients."""
        for optimizer, _ in self._parts:
            optimizer.zero_grad(set_to_none=True)

    def state(self) -> dict[str, Tensor]:
        """Copies of all moments and step counts, named `parameter/moment`."""
        return {
            f"{name}/{key}": value.detach().clone()
            for name, p in self._weights.items()
            for optimizer, _ in self._parts
            for key, value in sorted(optimizer.state.get(p, {}).items())
        }

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Put a state back, bit-equal; parameters that it does not name start afresh.

        Raises:
            KeyError: for a name that is no parameter of this policy.
        """
        moments: dict[str, dict[str, Tensor]] = {}
        for full, value in state.items():
            name, _, key = full.rpartition("/")
            moments.setdefault(name, {})[key] = value
        unknown = sorted(set(moments) - set(self._weights))
        if unknown:
            raise KeyError(f"the optimizer state names weights that are not here: {unknown[:3]}")
        for optimizer, _ in self._parts:
            optimizer.state.clear()
            owned = {id(p) for group in optimizer.param_groups for p in group["params"]}
            for name, values in moments.items():
                parameter = self._weights[name]
                if id(parameter) in owned:
                    optimizer.state[parameter] = {
                        key: value.to(parameter.device, copy=True) for key, value in values.items()
                    }


def hidden_matrices(module: nn.Module) -> frozenset[str]:
    """Names of matrices that map hidden states to hidden states: no embedding, no output head."""
    outside = {
        id(p)
        for name, part in module.named_modules()
        if isinstance(part, nn.Embedding) or name.rpartition(".")[2] == "lm_head"
        for p in part.parameters()
    }
    return frozenset(
        name for name, p in module.named_parameters() if p.ndim == 2 and id(p) not in outside
    )
