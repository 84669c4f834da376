from functools import cache

import numpy as np

from argus_rl.actors.proposer import PolicyProposer
from argus_rl.config.run import ModelSettings
from argus_rl.core.rng import Stream
from argus_rl.data.growth import sentences, well_formed
from argus_rl.data.problem import Chain, Pair, Problem, ProposalPrompt, Source
from argus_rl.data.splits import Split
from argus_rl.data.stories import draw_story
from argus_rl.model.loading import load_policy
from argus_rl.model.policy import Policy


@cache
def embedded() -> Policy:
    return load_policy(ModelSettings(threads=1))


def requests(count: int, steps: int) -> list[ProposalPrompt]:
    rng = np.random.default_rng(0)
    return [_growing(f"p{i}", rng, steps) for i in range(count)]


def _growing(name: str, rng: np.random.Generator, steps: int) -> ProposalPrompt:
    story = draw_story(rng, steps, Split.train)
    problem = Problem(id=f"{name}.base", text=story.text, source=Source.proposed, steps=steps)
    chain = Chain(problem_id=problem.id, text=story.chain, index=0, tokens=60, truncated=False)
    base = Pair(problem=problem, chain=chain, label=str(story.answer), score=1.0)
    return ProposalPrompt(id=name, steps=steps + 2, base=base)


def proposer(redrafts: int) -> PolicyProposer:
    return PolicyProposer(
        policy=embedded(), temperature=0.9, max_tokens=96, batch=64, redrafts=redrafts
    )


def test_a_request_without_a_draft_is_repeated_and_the_others_are_left_alone():
    asked, stream = requests(40, steps=4), Stream(("redrafts",))
    once = proposer(0).propose(asked, stream)
    again = proposer(3).propose(asked, stream)
    assert all(after == before for before, after in zip(once, again, strict=True) if before)
    assert sum(d is not None for d in again) > sum(d is not None for d in once)


def test_what_is_grown_holds_the_base_and_is_asked_from_its_last_event():
    for draft in proposer(0).propose(requests(40, steps=3), Stream(("growth",))):
        if draft is None:
            continue
        base, whole, ask = (
            sentences(p.text) for p in (draft.base.problem, draft.problem, draft.ask)
        )
        assert whole[: len(base) - 1] == base[:-1]
        assert ask[1] == base[-2]
        assert whole[len(base) - 1 :] == ask[2:]
        assert draft.problem.steps - draft.base.problem.steps == draft.ask.steps - 1
        assert well_formed(draft.problem.text) is None
