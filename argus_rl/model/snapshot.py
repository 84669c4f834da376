"""Everything an update touches in a policy, copied: so that it can be undone, wholly or in part.

    blend:  W <- (1 - severity) W_present + severity W_snapshot

For a joint policy W is every weight. For adapters it is the effective matrix `B A`: their `A` is
fixed (see `argus_rl.model.policy`), hence blending `B` blends `B A` exactly, adds no rank, and
leaves the optimizer's moments pointing at the same coordinates. Stored as safetensors and JSON:
reading a snapshot runs no code.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from argus_rl.core.errors import CheckpointError
from argus_rl.model.policy import Policy, digest
from argus_rl.model.sft import Trainer, TrainerState

SCHEMA = 1
TENSORS = "snapshot.safetensors"
FACTS = "snapshot.json"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Weights of both roles and optimizer state; no later step changes it."""

    weights: dict[str, Tensor]
    """Trainable weights by name."""
    fixed: dict[str, Tensor]
    """The adapters' fixed projections by name; empty for a joint policy."""
    trainer: TrainerState
    """Optimizer moments and step count."""

    @property
    def fingerprint(self) -> str:
        """What `Policy.fingerprint` gave when the snapshot was taken."""
        return digest(self.weights)


def take(policy: Policy, trainer: Trainer) -> Snapshot:
    """Copy what an update may change."""
    return Snapshot(
        weights={name: p.detach().clone() for name, p in policy.trainable().items()},
        fixed={name: p.detach() for name, p in policy.fixed().items()},
        trainer=trainer.state_dict(),
    )


def restore(policy: Policy, trainer: Trainer, snapshot: Snapshot) -> None:
    """Put weights, optimizer moments and step count back, bit-equal.

    Raises:
        CheckpointError: where the snapshot is of another model or another adapter rank.
    """
    _check_fit(policy.trainable(), snapshot.weights)
    _check_fit(policy.fixed(), snapshot.fixed)
    with torch.no_grad():
        for name, parameter in policy.trainable().items():
            parameter.copy_(snapshot.weights[name])
        for name, parameter in policy.fixed().items():
            parameter.copy_(snapshot.fixed[name])
    trainer.load_state_dict(snapshot.trainer)


def blend(policy: Policy, snapshot: Snapshot, severity: float) -> None:
    """Set the effective weights to `(1 - severity)` present + `severity` snapshot.

    The optimizer keeps its state. Severity 1 gives the snapshot's weights bit-equal, 0 changes
    nothing.

    Raises:
        ValueError: when `severity` is outside [0, 1].
        CheckpointError: where the snapshot is of another model, or of adapters with other
            projections.
    """
    if not 0 <= severity <= 1:
        raise ValueError(f"severity must be in [0, 1], got {severity}")
    _check_fit(policy.trainable(), snapshot.weights)
    _check_fit(policy.fixed(), snapshot.fixed)
    if any(not torch.equal(p, snapshot.fixed[name]) for name, p in policy.fixed().items()):
        raise CheckpointError("the snapshot's adapters use other fixed projections: restore it")
    with torch.no_grad():
        for name, parameter in policy.trainable().items():
            old = snapshot.weights[name].to(parameter.device)
            if severity == 1:
                parameter.copy_(old)
            elif severity > 0:
                present = parameter.float()
                parameter.copy_(present + severity * (old.float() - present))


def save(snapshot: Snapshot, folder: Path) -> None:
    """Write a snapshot into an existing folder; the caller makes that atomic."""
    tensors = _flat(snapshot)
    save_file({name: t.contiguous().cpu() for name, t in tensors.items()}, folder / TENSORS)
    facts = {"schema": SCHEMA, "steps": snapshot.trainer.steps, "digest": digest(tensors)}
    (folder / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def load(folder: Path) -> Snapshot:
    """Read what `save` wrote, bit-equal.

    Raises:
        CheckpointError: where a file is missing, damaged, or of another schema.
    """
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        tensors = load_file(folder / TENSORS)
        schema, steps, expected = facts["schema"], int(facts["steps"]), facts["digest"]
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise CheckpointError(f"{folder} holds no readable snapshot ({error})") from error
    if schema != SCHEMA:
        raise CheckpointError(f"{folder} has schema {schema}, this version reads {SCHEMA}")
    groups: dict[str, dict[str, Tensor]] = {"weights": {}, "fixed": {}, "optimizer": {}}
    for full, tensor in sorted(tensors.items()):
        group, _, name = full.partition(":")
        groups[group][name] = tensor
    found = Snapshot(groups["weights"], groups["fixed"], TrainerState(groups["optimizer"], steps))
    if digest(_flat(found)) != expected:
        raise CheckpointError(f"{folder / TENSORS} is damaged: its digest is not the recorded one")
    return found


def _flat(snapshot: Snapshot) -> dict[str, Tensor]:
    groups = {
        "fixed": snapshot.fixed,
        "optimizer": snapshot.trainer.optimizer,
        "weights": snapshot.weights,
    }
    return {
        f"{group}:{name}": tensor
        for group, tensors in groups.items()
        for name, tensor in sorted(tensors.items())
    }


def _check_fit(present: Mapping[str, nn.Parameter], stored: Mapping[str, Tensor]) -> None:
    if present.keys() != stored.keys():
        odd = sorted(present.keys() ^ stored.keys())
        raise CheckpointError(f"the snapshot is of another model: weights differ at {odd[0]!r}")
    for name, parameter in present.items():
        if parameter.shape != stored[name].shape:
            raise CheckpointError(
                f"the snapshot's {name!r} has shape {tuple(stored[name].shape)}, "
                f"the model's {tuple(parameter.shape)}: was the adapter rank changed?"
            )
