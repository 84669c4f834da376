"""The weights of one run and the hats they wear: solver, proposer, and the base that never moves.

Two layouts behind one face. A *joint* policy is one net with all weights trainable; it solves and
proposes, and its base is a frozen copy of the weights that it started from. A *LoRA* policy is one
frozen net with two adapters, `W x + (alpha / r) B_role A x`, and its base is the net with adapters
off.

The adapters train `B` alone; `A` is a fixed random projection (LoRA-FA, arXiv 2308.03303; why it
costs little: arXiv 2402.16842). With `A` fixed the adapter is linear in what is trained, so

    (1 - s) B_post A + s B_pre A = ((1 - s) B_post + s B_pre) A

holds exactly and keeps its rank: a soft rollback of the *effective* matrix needs no decomposition,
however often it is repeated. Nothing is ever merged into the base.
"""

import hashlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import torch
from peft import PeftModel
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from argus_rl.core.errors import ModelError
from argus_rl.model.dialect import Dialect


class PolicyRole(StrEnum):
    """Which hat the weights wear."""

    solver = "solver"
    proposer = "proposer"
    base = "base"
    """The frozen start: what the capability map and the frozen teacher look through."""


@dataclass(frozen=True, slots=True)
class Example:
    """One sequence to learn from or to be scored on."""

    ids: tuple[int, ...]
    """Token ids of prompt and response, start and end tokens included."""
    weights: tuple[float, ...]
    """Loss weight of predicting `ids[t]`, >= 0; 0 for prompt tokens and for the first token."""
    role: PolicyRole = PolicyRole.solver
    """Whose weights learn it."""

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.weights):
            raise ValueError(f"{len(self.ids)} ids but {len(self.weights)} weights")
        if self.weights and self.weights[0] != 0:
            raise ValueError("the first token is not predicted from anything: its weight must be 0")


class Policy:
    """A language model with its tokenizer and dialect, in one of the two layouts.

    Args:
        module: The net that is called; with LoRA layers inside where `adapters` is given.
        tokenizer: Its tokenizer.
        dialect: How it is talked to.
        base: A frozen copy of the start (joint layout); None for LoRA.
        adapters: The PEFT model around `module`, with adapters `solver` and `proposer`; None for
            joint.
    """

    def __init__(
        self,
        *,
        module: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        dialect: Dialect,
        base: PreTrainedModel | None = None,
        adapters: PeftModel | None = None,
    ) -> None:
        if (base is None) == (adapters is None):
            raise ValueError("a policy is either joint (with a base copy) or LoRA (with adapters)")
        self.module = module
        self.tokenizer = tokenizer
        self.dialect = dialect
        self._base = base
        self._adapters = adapters
        self._active: PolicyRole | None = None
        self._weights = dict(sorted(self._named_weights().items()))
        self._fixed = dict(sorted(self._named_fixed().items()))
        self._freeze()

    @property
    def joint(self) -> bool:
        """Whether one net with full weights plays both roles."""
        return self._adapters is None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.module.device

    @property
    def adapters(self) -> PeftModel | None:
        """The PEFT model of a LoRA policy, for export in PEFT's format; None for a joint one."""
        return self._adapters

    @contextmanager
    def using(self, role: PolicyRole) -> Generator[PreTrainedModel, None, None]:
        """Give the module that speaks as `role`; LoRA adapters are switched for the duration.

        Dropout is off inside unless the caller turns training mode on.
        """
        if self._adapters is None:
            yield self._joint_module(role)
        elif role is PolicyRole.base:
            try:
                with self._adapters.disable_adapter():
                    yield self.module
            finally:
                self._freeze()
        else:
            self._switch(role)
            yield self.module

    def trainable(self) -> Mapping[str, nn.Parameter]:
        """All weights that learning moves, by name, sorted; both adapters' for LoRA."""
        return self._weights

    def fixed(self) -> Mapping[str, nn.Parameter]:
        """The adapters' fixed projections, by name, sorted; empty for a joint policy."""
        return self._fixed

    def starting(self) -> Mapping[str, Tensor]:
        """What `trainable` was at the start: the base copy's weights, or zeros for adapters."""
        if self._base is None:
            return {name: torch.zeros_like(p) for name, p in self._weights.items()}
        return dict(sorted(self._base.named_parameters()))

    def fingerprint(self) -> str:
        """Digest (BLAKE2b, 32 hex digits) of names, shapes and bytes of all trainable weights."""
        return digest(self._weights)

    def _joint_module(self, role: PolicyRole) -> PreTrainedModel:
        if role is not PolicyRole.base:
            return self.module
        if self._base is None:
            raise ModelError("a joint policy needs the copy of its starting weights")
        return self._base

    def _switch(self, role: PolicyRole) -> None:
        if self._adapters is not None and self._active is not role:
            self._adapters.set_adapter(role.value)
            self._active = role
            self._freeze()

    def _freeze(self) -> None:
        """Let gradients flow to trainable weights only; PEFT's switching undoes this each time."""
        for parameter in self._fixed.values():
            parameter.requires_grad_(False)
        for parameter in self._weights.values():
            parameter.requires_grad_(True)

    def _named_weights(self) -> dict[str, nn.Parameter]:
        if self._adapters is None:
            return dict(self.module.named_parameters())
        return self._lora("lora_B")

    def _named_fixed(self) -> dict[str, nn.Parameter]:
        return {} if self._adapters is None else self._lora("lora_A")

    def _lora(self, factor: str) -> dict[str, nn.Parameter]:
        return {name: p for name, p in self.module.named_parameters() if f".{factor}." in name}


def digest(tensors: Mapping[str, Tensor]) -> str:
    """BLAKE2b over names, dtypes, shapes and bytes: any change of any bit changes it."""
    summary = hashlib.blake2b(digest_size=16)
    for name, tensor in tensors.items():
        summary.update(f"{name}\x1f{tensor.dtype}\x1f{tuple(tensor.shape)}\x1f".encode())
        raw = tensor.detach().contiguous().cpu().view(-1).view(torch.uint8)
        summary.update(raw.numpy().data)
    return summary.hexdigest()
