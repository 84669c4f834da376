"""Planted faults: what a proposer that hallucinates would do, at a known rate.

A fault wraps one face of the machine and leaves all others alone, so the loops meet it as they
would meet the real thing. Here: a share of the proposals is replaced by texts that assert something
false.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from argus_rl.actors.workbench import Workbench
from argus_rl.core.rng import Stream
from argus_rl.data.false_premises import false_premise_problems
from argus_rl.data.ports import Proposer
from argus_rl.data.problem import Draft, ProposalPrompt

POOL = 512
"""Different false texts that are drawn from."""


@dataclass(frozen=True, slots=True)
class HallucinatingProposer:
    """Replaces a share of another proposer's drafts by false-premise texts."""

    face: Proposer
    share: float

    def propose(self, prompts: Sequence[ProposalPrompt], stream: Stream) -> Sequence[Draft | None]:
        """Return the face's drafts, each replaced with probability `share`."""
        drafts = self.face.propose(prompts, stream)
        rng = stream.child("false premises").generator()
        pool = false_premise_problems(POOL, int(rng.integers(2**31)))
        found: list[Draft | None] = []
        for draft, prompt in zip(drafts, prompts, strict=True):
            planted, chosen = rng.random() < self.share, int(rng.integers(POOL))
            if planted:
                problem = replace(pool[chosen][0], id=prompt.id)
                found.append(Draft(problem=problem, ask=problem))
            else:
                found.append(draft)
        return found


def hallucinating(bench: Workbench, share: float) -> Workbench:
    """Return `bench` with a proposer that hallucinates at rate `share`; unchanged at 0."""
    if share <= 0:
        return bench
    return replace(bench, proposer=HallucinatingProposer(bench.proposer, share))
