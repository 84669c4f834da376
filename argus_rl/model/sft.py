"""Weighted supervised fine-tuning: the one way in which a policy learns.

    loss = sum_i w_i (- log p(y_i | x, y_<i)) / sum_i w_i     over all tokens of an optimizer batch

The denominator is that of the whole batch, so splitting it into micro-batches changes memory and
not the gradient, however ragged the lengths. A step whose loss or gradient is not finite is not
taken: weights and optimizer stay as they were, and the caller is told.
"""

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from argus_rl.config.run import LearnerSettings
from argus_rl.core.rng import derive_seed
from argus_rl.model.optimizers import Optimizers, hidden_matrices
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import buckets, response_losses

LAST_SCALE = 0.1
"""Share of the peak learning rate at the end of the run."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one optimizer step did."""

    loss: float
    """Weighted mean nats per token, before the step."""
    grad_norm: float
    """Norm of the gradient before clipping."""
    finite: bool
    """Whether the step was taken; False leaves weights and optimizer untouched."""


@dataclass(frozen=True, slots=True)
class TrainerState:
    """All that a trainer remembers."""

    optimizer: dict[str, Tensor]
    """Moments and step counts, named `parameter/moment`."""
    steps: int
    """Steps taken; skipped ones are not counted."""


class Trainer:
    """Teaches one policy. Holds the optimizers and nothing else that outlives a step.

    Args:
        policy: Whose trainable weights move.
        settings: Learning rates, micro-batch size and clipping.
    """

    def __init__(self, policy: Policy, settings: LearnerSettings) -> None:
        self._policy = policy
        self._settings = settings
        hidden = hidden_matrices(policy.module) if policy.joint else frozenset[str]()
        self._optimizers = Optimizers(policy.trainable(), settings, hidden)
        self._steps = 0
        self._drops = any(isinstance(m, nn.Dropout) and m.p > 0 for m in policy.module.modules())

    @property
    def steps(self) -> int:
        """Optimizer steps taken."""
        return self._steps

    def step(self, examples: Sequence[Example], lr_scale: float) -> StepResult:
        """Take one optimizer step on the weighted token mean over `examples`.

        Args:
            examples: One optimizer batch; roles may be mixed.
            lr_scale: Share of the peak learning rates, in [0, 1]; see `lr_scale`.

        Raises:
            ValueError: where no token has weight, or an example is for the frozen base.
        """
        total = math.fsum(weight for example in examples for weight in example.weights)
        if total <= 0:
            raise ValueError("no token of the batch has a positive weight: nothing to learn from")
        loss = self._accumulate(examples, total)
        moved = [p for p in self._policy.trainable().values() if p.grad is not None]
        norm = float(nn.utils.clip_grad_norm_(moved, self._settings.clip))
        finite = math.isfinite(loss) and math.isfinite(norm)
        if finite:
            self._optimizers.step(lr_scale)
            self._steps += 1
        self._optimizers.clear()
        return StepResult(loss, norm, finite)

    def state_dict(self) -> TrainerState:
        """Copies of everything that the next step depends on, besides the weights."""
        return TrainerState(self._optimizers.state(), self._steps)

    def load_state_dict(self, state: TrainerState) -> None:
        """Put back what `state_dict` gave, bit-equal."""
        self._optimizers.load(state.optimizer)
        self._steps = state.steps

    def _accumulate(self, examples: Sequence[Example], total: float) -> float:
        """Add up gradients over micro-batches; return the loss."""
        losses: list[float] = []
        pad = self._policy.dialect.padding
        with self._dropout(), torch.enable_grad():
            for role, part in _micro_batches(examples, self._settings.micro_batch):
                with self._policy.using(role) as module:
                    module.train()
                    found = response_losses(module, part, pad)
                    share = (found.nats * found.weights).sum() / total
                    share.backward()
                    module.eval()
                losses.append(share.item())
        return math.fsum(losses) if all(map(math.isfinite, losses)) else math.nan

    @contextmanager
    def _dropout(self) -> Generator[None, None, None]:
        """Let dropout draw from a stream named by the step; give the generator back as it was."""
        if not self._drops:
            yield
            return
        device = self._policy.device
        on_cuda = device.type == "cuda"
        with torch.random.fork_rng(devices=[device] if on_cuda else []):
            seed = derive_seed("dropout", self._steps)
            torch.set_rng_state(torch.Generator().manual_seed(seed).get_state())
            if on_cuda:
                state = torch.Generator(device).manual_seed(seed).get_state()
                torch.cuda.set_rng_state(state, device)
            yield


def lr_scale(progress: float, within: float, settings: LearnerSettings) -> float:
    """Share of the peak learning rate, in (0, 1].

    Over the run it rises linearly in the first `warmup` share (never quite from 0), stays flat, and
    falls linearly to a tenth over the last `decay` share. Within each update it rises over the
    first `rise` share and falls to a tenth over the last `cool` share. An optimizer without
    moments, at the start and again after a refusal put them back, moves every weight by a full
    step, whatever its gradient; and an update is judged at its end, where weights that a high rate
    still shakes would be judged for the shaking.

    Args:
        progress: share of the run behind us, in [0, 1].
        within: share of this update behind us, in [0, 1].
        settings: the shares.
    """
    run = min(_rise(progress, settings.warmup), _fall(progress, settings.decay))
    return run * min(_rise(within, settings.rise), _fall(within, settings.cool))


def _rise(progress: float, share: float) -> float:
    """Linearly up to 1 over the first `share`, from a hundredth."""
    return 1.0 if progress >= share else max(progress / share, 0.01)


def _fall(progress: float, share: float) -> float:
    """1 until the last `share`, then linearly down to a tenth at 1."""
    progress = min(1.0, max(0.0, progress))
    if share <= 0 or progress <= 1 - share:
        return 1.0
    return 1 - (1 - LAST_SCALE) * (progress - (1 - share)) / share


def _micro_batches(
    examples: Sequence[Example], size: int
) -> Iterator[tuple[PolicyRole, list[Example]]]:
    """Examples of one role and similar length together, in an order the batch alone decides."""
    for role in PolicyRole:
        own = [example for example in examples if example.role is role]
        if own and role is PolicyRole.base:
            raise ValueError("the base is frozen: an example must be for the solver or proposer")
        for part in buckets(own, size):
            yield role, [own[i] for i in part]
