"""Who solves: k chains for each problem, all in one batched generation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from argus_rl.core.rng import Stream
from argus_rl.data.growth import Grown, splice
from argus_rl.data.problem import Chain, Draft, Problem
from argus_rl.model.generate import Sampled, generate
from argus_rl.model.policy import Policy, PolicyRole


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySolver:
    """Samples chains from one role of the policy."""

    policy: Policy
    role: PolicyRole
    batch: int

    def solve(
        self,
        problems: Sequence[Problem],
        *,
        chains: int,
        max_tokens: int,
        temperature: float,
        stream: Stream,
    ) -> Sequence[Sequence[Chain]]:
        """Return `chains` attempts a problem; see `argus_rl.data.ports.Solver`."""
        dialect = self.policy.dialect
        sampled = generate(
            self.policy,
            self.role,
            [dialect.encode(dialect.solve_prompt(p.text)) for p in problems],
            [[stream.child(p.id, i).seed for i in range(chains)] for p in problems],
            max_tokens=max_tokens,
            temperature=temperature,
            batch=self.batch,
            stop_ids=dialect.chain_stops,
        )
        return [
            [self._chain(problem, i, response) for i, response in enumerate(responses)]
            for problem, responses in zip(problems, sampled, strict=True)
        ]

    def _chain(self, problem: Problem, index: int, response: Sampled) -> Chain:
        dialect = self.policy.dialect
        return Chain(
            problem_id=problem.id,
            text=dialect.read_chain(dialect.decode(response.ids)),
            index=index,
            tokens=len(response.ids),
            truncated=response.truncated,
        )


def complete(policy: Policy, draft: Draft, chain: Chain) -> Chain | None:
    """Return the chain on the whole problem, from the best chain on what was asked.

    A whole proposal's chain is complete as it is. A grown one is joined to the stored chain and
    must quote the problem step by step and compute truly; None where it does not.
    """
    if draft.base is None:
        return chain
    grown = splice(draft.base.problem.text, draft.base.chain.text, draft.ask.text, chain.text)
    if not isinstance(grown, Grown):
        return None
    tokens = len(policy.dialect.encode_chain(grown.chain))
    return replace(chain, problem_id=draft.problem.id, text=grown.chain, tokens=tokens)
