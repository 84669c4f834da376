"""A real policy behind the faces of the workbench."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from argus_rl.actors.gauge import PolicyGauge, chain_example
from argus_rl.actors.learner import PolicyLearner
from argus_rl.actors.proposer import PolicyProposer
from argus_rl.actors.solver import PolicySolver, complete
from argus_rl.actors.workbench import Workbench
from argus_rl.config.run import LearnerSettings, RunSettings, SamplingSettings, TeacherMode
from argus_rl.core.rng import Stream
from argus_rl.core.signals.middle import ObserverCurve
from argus_rl.data.problem import Pair
from argus_rl.model.observer import observe
from argus_rl.model.policy import Policy, PolicyRole

OBSERVER_PAIRS = 256
"""Pairs that the observer studies at most."""
OBSERVER_EPOCHS = 8
VALIDATION_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyObserver:
    """A throwaway copy of the starting model that studies what the run produced."""

    policy: Policy
    settings: LearnerSettings

    def study(self, pairs: Sequence[Pair], stream: Stream) -> ObserverCurve | None:
        """Return the observer's loss curve on a draw of `pairs`; None for fewer than 20 of them."""
        if len(pairs) < 20:
            return None
        order = stream.generator().permutation(len(pairs))[:OBSERVER_PAIRS]
        examples = [chain_example(self.policy, pairs[i]) for i in order]
        held_back = max(2, round(len(examples) * VALIDATION_SHARE))
        return observe(
            self.policy,
            self.settings,
            examples[held_back:],
            examples[:held_back],
            epochs=OBSERVER_EPOCHS,
            seed=stream.seed,
        )


def policy_workbench(policy: Policy, settings: RunSettings) -> Workbench:
    """Return the faces of `policy` as the run's settings want them."""
    sampling: SamplingSettings = settings.sampling
    frozen = sampling.teacher is TeacherMode.frozen
    learner = PolicyLearner(policy, settings.learner)
    return Workbench(
        proposer=PolicyProposer(
            policy=policy,
            temperature=sampling.proposal_temperature,
            max_tokens=sampling.proposal_tokens,
            batch=sampling.batch,
            redrafts=sampling.redrafts,
        ),
        solver=PolicySolver(policy=policy, role=PolicyRole.solver, batch=sampling.batch),
        labeller=PolicySolver(
            policy=policy,
            role=PolicyRole.base if frozen else PolicyRole.solver,
            batch=sampling.batch,
        ),
        gauge=PolicyGauge(policy=policy, batch=settings.learner.micro_batch * 4),
        learner=learner,
        observer=PolicyObserver(policy=policy, settings=settings.learner),
        keeper=learner,
        complete=partial(complete, policy),
        description=describe(policy),
    )


def describe(policy: Policy) -> str:
    """The machine in a sentence."""
    weights = sum(p.numel() for p in policy.module.parameters())
    layout = "one net in both roles" if policy.joint else "LoRA roles solver and proposer"
    return f"{type(policy.module).__name__}, {weights / 1e6:.2f} M weights, {layout}"
