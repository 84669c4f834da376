"""What a set of pairs could teach a fresh observer, epoch by epoch.

Prequential epiplexity asks how far the loss falls while an observer reads the data: the online
loss of the first pass minus the loss of the trained observer. With little data one pass is not
enough and many passes memorise, so the whole curve is recorded, on the training pairs and on pairs
that are never learned from, and the reader (`argus_rl.sensors`) picks the epoch of least
description length:

    S_k = (L_online - L_train,k) / ln 2,    k* = argmin_k  S_k / N_train + L_val,k / (ln 2 N_val)

Source: Liu et al. 2026 (arXiv 2603.02218, algorithm 1); epiplexity: Finzi et al. 2026 (arXiv
2601.03220). The observer is the starting model with a new optimizer; the policy is bit-equal
afterwards.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from argus_rl.config.run import LearnerSettings
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import ObserverCurve
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import NllScore, response_nll
from argus_rl.model.sft import Trainer


def observe(
    policy: Policy,
    settings: LearnerSettings,
    train: Sequence[Example],
    validation: Sequence[Example],
    *,
    epochs: int,
    seed: int,
) -> ObserverCurve:
    """Train an observer on `train` for `epochs` passes and return its losses.

    Args:
        policy: Lends net and starting weights; its own weights are put back bit-equal.
        settings: Learning rates and batch size of the observer; its rate is constant.
        train: Sequences to learn, of the solver's role; at least one.
        validation: Sequences that are only scored; at least one.
        epochs: Passes over `train`, >= 1.
        seed: Names the order in which they are read.

    Raises:
        ValueError: for an empty set or no epochs.
    """
    if not train or not validation or epochs < 1:
        raise ValueError(
            "an observer needs training pairs, validation pairs and at least one epoch"
        )
    online = [0.0] * len(train)
    after_train: list[float] = []
    after_validation: list[float] = []
    skipped = 0
    with _start_over(policy):
        trainer = Trainer(policy, settings)
        for epoch in range(epochs):
            order = Stream(("observer", seed, epoch)).generator().permutation(len(train)).tolist()
            for start in range(0, len(order), settings.batch):
                part = order[start : start + settings.batch]
                batch = [train[i] for i in part]
                if epoch == 0:
                    for i, score in zip(part, _scores(policy, batch, settings), strict=True):
                        online[i] = score.total
                skipped += not trainer.step(batch, 1.0).finite
            after_train.append(math.fsum(s.total for s in _scores(policy, train, settings)))
            held_back = _scores(policy, validation, settings)
            after_validation.append(math.fsum(score.total for score in held_back))
    return ObserverCurve(
        online=tuple(online),
        train=tuple(after_train),
        validation=tuple(after_validation),
        train_tokens=_tokens(train),
        validation_tokens=_tokens(validation),
        skipped=skipped,
    )


def _scores(
    policy: Policy, examples: Sequence[Example], settings: LearnerSettings
) -> list[NllScore]:
    return response_nll(policy, PolicyRole.solver, examples, settings.micro_batch)


def _tokens(examples: Sequence[Example]) -> int:
    return sum(weight > 0 for example in examples for weight in example.weights)


@contextmanager
def _start_over(policy: Policy) -> Generator[None, None, None]:
    """Give the policy its starting weights, and its own back afterwards, whatever happens."""
    own = {name: p.detach().clone() for name, p in policy.trainable().items()}
    try:
        _put(policy, policy.starting())
        yield
    finally:
        _put(policy, own)


def _put(policy: Policy, weights: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in policy.trainable().items():
            parameter.copy_(weights[name])
