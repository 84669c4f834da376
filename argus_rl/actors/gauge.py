"""Who measures: likelihoods, embeddings and gradients of the policy, none of which changes it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from argus_rl.data.problem import Pair
from argus_rl.model.embed import embed
from argus_rl.model.influence import projected_gradients
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import response_nll

PROJECTION_SEED = 20_601
"""Names the random projection of gradients; any constant does, as long as it is one."""


def chain_example(
    policy: Policy, pair: Pair, weight: float = 1.0, question_weight: float = 0.0
) -> Example:
    """Return the sequence that teaches `pair`'s chain; question tokens weigh `question_weight`.

    Question tokens are learned only by a joint policy, whose one sequence is question and chain.
    """
    dialect = policy.dialect
    prompt = dialect.encode(dialect.solve_prompt(pair.problem.text))
    chain = dialect.encode_chain(pair.chain.text)
    shown = [question_weight] * len(prompt)
    shown[0] = 0.0
    return Example(
        ids=(*prompt, *chain),
        weights=(*shown, *([weight] * len(chain))),
        role=PolicyRole.solver,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyGauge:
    """Reads the policy."""

    policy: Policy
    batch: int

    def nll(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Mean negative log-likelihood of each pair's chain, in nats per response token."""
        examples = [chain_example(self.policy, pair) for pair in pairs]
        scores = response_nll(self.policy, PolicyRole.solver, examples, self.batch)
        return [score.per_token for score in scores]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit embeddings `[n, d]` of problem texts under the frozen base."""
        dialect = self.policy.dialect
        return embed(self.policy, [dialect.encode(text) for text in texts], self.batch)

    def gradients(self, pairs: Sequence[Pair], width: int) -> NDArray[np.float32]:
        """Gradient of each pair's loss, randomly projected to `[n, width]`."""
        examples = [chain_example(self.policy, pair) for pair in pairs]
        return projected_gradients(self.policy, PolicyRole.solver, examples, width, PROJECTION_SEED)

    def fingerprint(self) -> str:
        """Digest of all trainable weights."""
        return self.policy.fingerprint()
