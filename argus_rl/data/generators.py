"""Problems of the built-in world with their answers: evaluation, development and audit draws.

A draw is named by split, seed, number of steps and index, and each name gives the same text on any
machine. Splits share neither numbers nor wordings (`argus_rl.data.splits`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from argus_rl.core.errors import ConfigError
from argus_rl.core.rng import Stream
from argus_rl.data.answer_key import AnswerKey
from argus_rl.data.problem import Problem, Source
from argus_rl.data.splits import Split
from argus_rl.data.stories import Story, draw_story

MOST_STEPS = 10
"""Largest number of steps that a story is drawn with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySpec:
    """A draw of generated problems."""

    levels: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
    """Numbers of steps, each from 1 to `MOST_STEPS`."""
    per_level: int = 100
    """Problems a level, at least 1."""
    seed: int = 0
    """Names the draw."""
    split: Split = Split.held_out
    """Which numbers and wordings it may use."""


def checked_levels(levels: Sequence[int]) -> tuple[int, ...]:
    """The levels, if there are any and each lies from 1 to `MOST_STEPS`; raises ConfigError."""
    if not levels:
        raise ConfigError("levels: at least one number of steps is needed")
    wrong = [level for level in levels if not 1 <= level <= MOST_STEPS]
    if wrong:
        raise ConfigError(f"levels: stories have 1 to {MOST_STEPS} steps, not {wrong[0]}")
    return tuple(levels)


def story_at(split: Split, seed: int, steps: int, index: int, *, attempt: int = 0) -> Story:
    """The story of a name; `attempt` tells apart what is drawn again because it was a copy."""
    stream = Stream(("story", split.value, seed, steps, index, attempt))
    return draw_story(stream.generator(), steps, split)


def distinct_stories(split: Split, seed: int, steps: int, count: int) -> list[Story]:
    """`count` stories of one level, no text twice."""
    seen: set[str] = set()
    stories: list[Story] = []
    for index in range(count):
        attempt = 0
        story = story_at(split, seed, steps, index)
        while story.text in seen:
            attempt += 1
            if attempt > 200:
                raise ConfigError(f"per_level: there are no {count} different {steps}-step stories")
            story = story_at(split, seed, steps, index, attempt=attempt)
        seen.add(story.text)
        stories.append(story)
    return stories


def held_out(
    levels: Sequence[int], per_level: int, seed: int, split: Split = Split.held_out
) -> tuple[list[Problem], AnswerKey]:
    """Evaluation problems, level by level, and their answers.

    Args:
        levels: Numbers of steps, each from 1 to `MOST_STEPS`.
        per_level: Problems of each, at least 1.
        seed: Names the draw: the same for all runs that are to be compared.
        split: `held_out` for reporting, `choosing` while settings are tuned, `audit` in the lab.

    Raises:
        ConfigError: where a level is out of range, or there are not so many different stories.
    """
    if per_level < 1:
        raise ConfigError(f"per_level: at least 1 problem a level is needed, not {per_level}")
    problems: list[Problem] = []
    golds: dict[str, str] = {}
    for steps in checked_levels(levels):
        for index, story in enumerate(distinct_stories(split, seed, steps, per_level)):
            problem_id = f"{split.value}-{seed}-{steps}-{index}"
            problems.append(
                Problem(id=problem_id, text=story.text, source=Source.held_out, steps=steps)
            )
            golds[problem_id] = str(story.answer)
    return problems, AnswerKey(golds)
