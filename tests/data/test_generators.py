import re
from itertools import combinations

import pytest

from argus_rl.core.errors import ConfigError
from argus_rl.data.context import as_context, context_texts
from argus_rl.data.executable import executable_answer, read_story
from argus_rl.data.false_premises import FalseKind, false_premise_problems
from argus_rl.data.generators import StorySpec, held_out, story_at
from argus_rl.data.growth import well_formed
from argus_rl.data.problem import Source
from argus_rl.data.sources import load_problems
from argus_rl.data.splits import Split


def masked(text):
    return re.sub(r"\d+", "#", text)


def test_draws_of_different_splits_share_neither_numbers_nor_wordings():
    readings = {}
    for split in Split:
        problems, _ = held_out((1, 2, 5), 150, 0, split)
        readings[split] = [read_story(problem.text) for problem in problems]
    for one, other in combinations(Split, 2):
        for what in ("numbers", "wording"):
            ours = {getattr(reading, what) for reading in readings[one]}
            theirs = {getattr(reading, what) for reading in readings[other]}
            assert not ours & theirs


def test_context_texts_share_nothing_with_held_out_problems():
    context = [read_story(problem.text) for problem in context_texts((1, 2, 3), 400, 0)]
    problems, _ = held_out((1, 2, 3), 100, 0)
    told = [read_story(problem.text) for problem in problems]
    assert not {one.numbers for one in context} & {one.numbers for one in told}
    assert not {one.wording for one in context} & {one.wording for one in told}


def test_held_out_problems_come_with_true_answers_and_without_copies():
    problems, key = held_out((1, 4, 10), 40, 7)
    assert len({problem.text for problem in problems}) == len(problems) == len(key) == 120
    for problem in problems:
        assert executable_answer(problem.text) == int(key.gold(problem.id))
        assert problem.source is Source.held_out
    assert [problem.steps for problem in problems] == [1] * 40 + [4] * 40 + [10] * 40


def test_a_problem_has_no_answer_among_its_fields():
    problems, key = held_out((3,), 20, 0)
    for problem in problems:
        fields = (problem.id, problem.seed, problem.steps, problem.parent)
        assert key.gold(problem.id) not in map(str, fields)


def test_a_name_gives_the_same_text_whatever_was_drawn_before():
    first, _ = held_out((2, 3), 10, 5)
    longer, _ = held_out((1, 2, 3), 20, 5)
    assert {problem.text for problem in first} <= {problem.text for problem in longer}
    assert first[0].text == story_at(Split.held_out, 5, 2, 0).text


def test_seeds_give_different_draws():
    assert held_out((3,), 10, 0)[0] != held_out((3,), 10, 1)[0]


@pytest.mark.parametrize(
    ("levels", "per_level", "says"),
    [((), 1, "at least one"), ((0,), 1, "not 0"), ((11,), 1, "not 11"), ((1,), 0, "not 0")],
)
def test_an_impossible_draw_is_refused(levels, per_level, says):
    with pytest.raises(ConfigError, match=says):
        held_out(levels, per_level, 0)


def test_a_draw_can_be_loaded_by_its_specification():
    problems, key = load_problems(StorySpec(levels=(1, 2), per_level=3, split=Split.choosing))
    assert [problem.steps for problem in problems] == [1, 1, 1, 2, 2, 2]
    assert len(key) == 6


def test_context_texts_are_sound_stories_of_the_asked_steps_with_some_restated_totals():
    texts = context_texts((1, 3), 200, 1)
    assert [read_story(problem.text).steps for problem in texts] == [1, 3] * 100
    assert all(problem.source is Source.context for problem in texts)
    assert 5 <= sum("So " in problem.text for problem in texts) <= 45
    assert texts == context_texts((1, 3), 200, 1)


def test_context_of_other_problems_is_cut_and_without_copies():
    problems, _ = held_out((1,), 5, 0)
    context = as_context([*problems, *problems], 3)
    assert [one.text for one in context] == [one.text for one in problems[:3]]
    assert {one.source for one in context} == {Source.context}


def test_context_without_steps_is_refused():
    with pytest.raises(ConfigError, match="from 1 up"):
        context_texts((), 3, 0)


def test_false_premises_come_in_every_kind_and_have_no_answer():
    planted = false_premise_problems(200, 0)
    assert {kind for _, kind in planted} == set(FalseKind)
    for problem, _ in planted:
        assert executable_answer(problem.text) is None
        assert problem.source is Source.injected
        assert problem.text.endswith("?")


def test_a_false_premise_is_false_only_where_it_was_planted():
    for kind in FalseKind:
        for problem, _ in false_premise_problems(40, 3, kinds=(kind,)):
            said = re.findall(r"[^.?]+[.?]", problem.text)
            rest = [
                " ".join([*said[:i], *said[i + 1 :]]).replace("  ", " ").strip()
                for i in range(1, len(said) - 1)
            ]
            assert any(executable_answer(text) is not None for text in rest), problem.text


def test_most_false_premises_look_like_any_other_story():
    planted = false_premise_problems(50, 0, kinds=(FalseKind.inconsistent_restatement,))
    assert all(well_formed(problem.text) is None for problem, _ in planted)
