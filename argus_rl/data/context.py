"""Context: word problems that someone else wrote, as texts and nothing else.

External texts keep a proposer from talking only to itself. They reach it without answers, from
files or from the built-in world's training draw.
"""

from collections.abc import Sequence

from argus_rl.core.errors import ConfigError
from argus_rl.core.rng import Stream
from argus_rl.data.problem import Problem, Source
from argus_rl.data.splits import Split
from argus_rl.data.stories import draw_story


def context_texts(
    steps: Sequence[int],
    count: int,
    seed: int,
    *,
    restated_share: float = 0.1,
    scenery_share: float = 0.3,
) -> list[Problem]:
    """`count` unlabelled stories whose numbers of steps go round through `steps`.

    Args:
        steps: Numbers of steps, each at least 1.
        count: How many texts, at least 0.
        seed: Names the draw.
        restated_share: Share of texts that state a (true) running total, in [0, 1].
        scenery_share: Share of texts with one or two sentences about something else, in [0, 1].
    """
    if not steps or min(steps) < 1:
        raise ConfigError("context_steps: numbers of steps from 1 up are needed")
    texts: list[Problem] = []
    for index in range(count):
        level = steps[index % len(steps)]
        rng = Stream(("context", seed, level, index)).generator()
        restate = bool(rng.random() < restated_share)
        scenery = int(rng.integers(1, 3)) if rng.random() < scenery_share else 0
        story = draw_story(rng, level, Split.train, restate=restate, scenery=scenery)
        texts.append(
            Problem(
                id=f"context-{seed}-{index}", text=story.text, source=Source.context, steps=level
            )
        )
    return texts


def as_context(problems: Sequence[Problem], limit: int) -> list[Problem]:
    """The first `limit` problems as context texts; no text twice."""
    unique = {problem.text: problem for problem in problems}
    return [
        Problem(id=f"context-{problem.id}", text=problem.text, source=Source.context)
        for problem in list(unique.values())[:limit]
    ]
