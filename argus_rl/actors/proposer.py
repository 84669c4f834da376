"""Who writes problems: prompts through the dialect, one batch, and drafts out of responses.

A whole proposal (`fresh`, `vary`) is put to the vote as it is. To grow a solved problem, the
proposer is shown only its present state ("Tom has 17 cards."), asked for a short problem about it,
and the new events are joined to the old text; the vote is then about the new steps alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.core.rng import Stream
from argus_rl.data.growth import (
    Refusal,
    count_events,
    going_on,
    grown_text,
    shared_sentences,
    without_scenery,
)
from argus_rl.data.problem import Draft, Pair, Problem, ProposalPrompt, Source
from argus_rl.model.generate import generate
from argus_rl.model.policy import Policy, PolicyRole


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyProposer:
    """Samples proposals from the policy's proposer role."""

    policy: Policy
    temperature: float
    max_tokens: int
    batch: int
    redrafts: int = 0

    def propose(self, prompts: Sequence[ProposalPrompt], stream: Stream) -> Sequence[Draft | None]:
        """Return one draft a prompt, None where no response is a problem that fits its base.

        One batch, and up to `redrafts` smaller ones for the prompts that are left without a draft:
        without them, what is hard to go on from (a story that has named many people) would be
        grown the least.
        """
        drafts: dict[str, Draft | None] = {}
        for attempt in range(1 + self.redrafts):
            left = [prompt for prompt in prompts if drafts.get(prompt.id) is None]
            if not left:
                break
            drafts |= zip((p.id for p in left), self._attempt(left, attempt, stream), strict=True)
        return [drafts[prompt.id] for prompt in prompts]

    def _attempt(
        self, prompts: Sequence[ProposalPrompt], attempt: int, stream: Stream
    ) -> Sequence[Draft | None]:
        dialect = self.policy.dialect
        written = [self._prompt(prompt) for prompt in prompts]
        seeds = [[stream.child(prompt.id, attempt).seed] for prompt in prompts]
        sampled = generate(
            self.policy,
            PolicyRole.proposer,
            [dialect.encode(text) for text in written],
            seeds,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            batch=self.batch,
            stop_ids=dialect.proposal_stops,
        )
        return [
            None
            if response.truncated
            else self._draft(
                prompt, dialect.read_proposal(text, dialect.decode(response.ids)), seed
            )
            for prompt, text, [response], [seed] in zip(
                prompts, written, sampled, seeds, strict=True
            )
        ]

    def _prompt(self, prompt: ProposalPrompt) -> str:
        dialect = self.policy.dialect
        if prompt.base is not None:
            state = beginning(prompt.base)
            if state is not None:
                return dialect.grow_prompt(state, prompt.steps - prompt.base.problem.steps)
        context = prompt.context.text if prompt.context is not None else None
        return dialect.propose_prompt(prompt.steps, context, prompt.exemplars)

    def _draft(self, prompt: ProposalPrompt, text: str | None, seed: int) -> Draft | None:
        if text is None:
            return None
        if prompt.base is not None:
            return grow(prompt, prompt.base, text, seed)
        problem = Problem(
            id=prompt.id,
            text=text,
            source=Source.proposed if prompt.context is None else Source.varied,
            seed=seed,
            steps=prompt.steps,
            parent="" if prompt.context is None else prompt.context.id,
        )
        return Draft(problem=problem, ask=problem)


def beginning(base: Pair) -> str | None:
    """What a problem that goes on from a solved one begins with; None for no whole number."""
    if not base.label.isdigit():
        return None
    given = going_on(base.problem.text, base.chain.text)
    return None if isinstance(given, Refusal) else given


def grow(prompt: ProposalPrompt, base: Pair, asked: str, seed: int) -> Draft | None:
    """Join a short problem to the solved problem it goes on from; None where they do not fit.

    What the short problem says about something else is left out: it would make the whole longer
    without making it harder.
    """
    asked = without_scenery(asked)
    known = shared_sentences(base.problem.text, asked) - 1
    text = grown_text(base.problem.text, asked)
    if isinstance(text, Refusal):
        return None
    whole = Problem(
        id=prompt.id,
        text=text,
        source=Source.grown,
        seed=seed,
        steps=base.problem.steps + count_events(asked) - known,
        parent=base.problem.id,
    )
    ask = Problem(
        id=f"{prompt.id}/step",
        text=asked,
        source=Source.grown,
        seed=seed,
        steps=count_events(asked),
    )
    return Draft(problem=whole, ask=ask, base=base)
