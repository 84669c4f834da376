"""Evaluating a solver: what counts as right, and that the file says exactly what was measured."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argus_rl.core.errors import DataError, SealedAnswerError
from argus_rl.core.rng import Stream
from argus_rl.data.answer_key import AnswerKey
from argus_rl.data.problem import Chain, Problem, Source
from argus_rl.evaluation.files import read_result, write_result
from argus_rl.evaluation.result import (
    EvaluationPlan,
    EvaluationResult,
    ItemResult,
    result_from_json,
)
from argus_rl.evaluation.suites import evaluate, judge
from argus_rl.evaluation.summary import result_to_json, summaries

PLAN = EvaluationPlan(name="held_out", stream="0", samples=4, temperature=0.7, max_tokens=32)
PROBLEMS = [
    Problem(id=f"p{i}", text=f"What is {i} + 1?", source=Source.held_out, steps=1 + i % 2)
    for i in range(6)
]
KEY = AnswerKey({f"p{i}": str(i + 1) for i in range(6)})


class ScriptedSolver:
    """Right on problems below `skill`; keeps what it was asked."""

    def __init__(self, skill: int) -> None:
        self.skill = skill
        self.asked: list[tuple[int, int, float, Stream]] = []

    def solve(
        self,
        problems: Sequence[Problem],
        *,
        chains: int,
        max_tokens: int,
        temperature: float,
        stream: Stream,
    ) -> Sequence[Sequence[Chain]]:
        self.asked.append((chains, max_tokens, temperature, stream))
        return [
            [
                Chain(
                    problem_id=problem.id,
                    text=f"the answer is {i + 1 + (i >= self.skill)}",
                    index=k,
                )
                for k in range(chains)
            ]
            for i, problem in enumerate(problems)
        ]


def chains_of(*texts: str, truncated: bool = False) -> list[Chain]:
    return [
        Chain(problem_id="p0", text=text, index=i, truncated=truncated)
        for i, text in enumerate(texts)
    ]


def test_each_problem_is_solved_once_greedily_and_n_times_by_named_streams():
    solver = ScriptedSolver(skill=4)
    result = evaluate(solver, PROBLEMS, KEY, PLAN)
    greedy, sampled = solver.asked
    assert greedy[:3] == (1, 32, 0.0)
    assert sampled[:3] == (4, 32, 0.7)
    assert greedy[3] != sampled[3]
    assert [item.right for item in result.items] == [4, 4, 4, 4, 0, 0]
    assert [item.rivals for item in result.items[4:]] == [(4,), (4,)]
    assert [item.greedy_right for item in result.items] == [True] * 4 + [False] * 2


def test_the_streams_are_the_same_before_and_after():
    first, second = ScriptedSolver(skill=1), ScriptedSolver(skill=5)
    evaluate(first, PROBLEMS, KEY, PLAN)
    evaluate(second, PROBLEMS, KEY, PLAN)
    assert first.asked == second.asked


def test_right_wrong_truncated_and_unreadable_samples_are_counted_apart():
    samples = [
        *chains_of("the answer is 1", "so #### 1", "the answer is 2", "the answer is 3"),
        *chains_of("the answer is 2", "no idea at all"),
        *chains_of("the answer is 1", truncated=True),
    ]
    item = judge(PROBLEMS[0], "1", chains_of("hm")[0], samples)
    assert (item.right, item.rivals, item.truncated, item.unparsable) == (2, (2, 1), 1, 1)
    assert item.greedy_unparsable
    assert not item.greedy_right
    assert item.samples == 7


def test_a_truncated_chain_gets_no_credit_for_an_answer_it_happened_to_state():
    chain = chains_of("the answer is 1", truncated=True)[0]
    item = judge(PROBLEMS[0], "1", chain, [chain])
    assert (item.right, item.truncated, item.greedy_truncated, item.greedy_right) == (
        0,
        1,
        True,
        False,
    )


def test_chains_of_another_problem_are_refused():
    with pytest.raises(ValueError, match="does not belong"):
        judge(PROBLEMS[1], "1", chains_of("1")[0], chains_of("1"))


def test_a_missing_gold_answer_stops_before_anything_is_solved():
    solver = ScriptedSolver(skill=3)
    with pytest.raises(SealedAnswerError):
        evaluate(solver, PROBLEMS, AnswerKey({"p0": "1"}), PLAN)
    assert solver.asked == []


def test_a_gold_answer_that_is_no_number_is_named_and_not_scored_as_zero_for_ever():
    with pytest.raises(DataError, match="'p0' is not a number: 'seventeen or so'"):
        evaluate(ScriptedSolver(3), PROBLEMS[:1], AnswerKey({"p0": "seventeen or so"}), PLAN)


def test_no_problems_and_repeated_problems_are_refused():
    with pytest.raises(DataError, match="no held-out problems"):
        evaluate(ScriptedSolver(3), [], KEY, PLAN)
    with pytest.raises(DataError, match="same id"):
        evaluate(ScriptedSolver(3), [PROBLEMS[0], PROBLEMS[0]], KEY, PLAN)


def test_a_solver_that_returns_too_few_chains_is_refused():
    class Lazy(ScriptedSolver):
        def solve(self, problems, **request):
            return super().solve(problems, **{**request, "chains": 1})

    with pytest.raises(ValueError, match="1 chains, not 4"):
        evaluate(Lazy(3), PROBLEMS, KEY, PLAN)


@pytest.mark.parametrize("change", [{"samples": 0}, {"temperature": 0.0}, {"max_tokens": 0}])
def test_a_plan_that_cannot_be_carried_out_is_refused(change):
    with pytest.raises(ValueError, match="an evaluation needs"):
        replace(PLAN, **change)


def test_figures_are_given_overall_by_group_and_by_level():
    result = evaluate(ScriptedSolver(4), PROBLEMS, KEY, replace(PLAN, easy_levels=(1,)))
    found = {summary.scope: summary for summary in summaries(result)}
    assert list(found) == ["all", "easy", "harder", "level 1", "level 2"]
    assert found["all"].mean.value == pytest.approx(4 / 6)
    assert found["easy"].mean == found["level 1"].mean
    assert found["easy"].greedy.n == 3
    assert len(found["all"].pass_at) == len(found["all"].majority_at) == 4


def test_without_levels_or_easy_levels_there_is_only_one_group():
    flat = [replace(problem, steps=0) for problem in PROBLEMS]
    assert [s.scope for s in summaries(evaluate(ScriptedSolver(4), flat, KEY, PLAN))] == ["all"]


def test_one_item_and_a_perfect_score_still_have_wide_intervals():
    summary = summaries(evaluate(ScriptedSolver(6), PROBLEMS[:1], KEY, PLAN))[0]
    for figure in (summary.greedy, summary.mean, *summary.pass_at, summary.truncated):
        assert figure.interval.half_width > 0.3


@st.composite
def results(draw: st.DrawFn) -> EvaluationResult:
    samples = draw(st.integers(1, 6))
    items = []
    for i in range(draw(st.integers(1, 5))):
        votes = draw(st.lists(st.sampled_from("rxyztu"), min_size=samples, max_size=samples))
        rivals = sorted((votes.count(vote) for vote in "xyz" if vote in votes), reverse=True)
        outcome = draw(st.sampled_from(["right", "wrong", "truncated", "unparsable"]))
        items.append(
            ItemResult(
                id=f"{i}-{draw(st.text(max_size=5))}",
                level=draw(st.integers(0, 8)),
                greedy_right=outcome == "right",
                greedy_truncated=outcome == "truncated",
                greedy_unparsable=outcome == "unparsable",
                right=votes.count("r"),
                rivals=tuple(rivals),
                truncated=votes.count("t"),
                unparsable=votes.count("u"),
            )
        )
    plan = replace(PLAN, samples=samples, easy_levels=tuple(draw(st.sets(st.integers(0, 8)))))
    return EvaluationResult(plan=plan, items=tuple(items))


@given(results())
def test_a_result_survives_its_file_exactly(result):
    data = json.loads(json.dumps(result_to_json(result), allow_nan=False))
    assert result_from_json(data) == result
    assert json.loads(json.dumps(result_to_json(result_from_json(data)))) == data


@given(results())
def test_every_figure_lies_in_its_interval_and_pass_at_k_rises(result):
    for summary in summaries(result):
        figures = (summary.greedy, summary.mean, *summary.pass_at, *summary.majority_at)
        for figure in figures:
            assert figure.interval.contains(figure.value)
        values = [figure.value for figure in summary.pass_at]
        assert all(a <= b + 1e-12 for a, b in pairwise(values))
        assert summary.mean.value == pytest.approx(values[0])


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "evaluation.json"
    write_result(path, evaluate(ScriptedSolver(3), PROBLEMS, KEY, PLAN))
    return path


def test_a_written_file_is_read_back_and_leaves_nothing_beside_it(written):
    assert read_result(written) == evaluate(ScriptedSolver(3), PROBLEMS, KEY, PLAN)
    assert list(written.parent.iterdir()) == [written]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda data: data.pop("plan"), "lacks the field 'plan'"),
        (lambda data: data.update(schema=99), "schema 99"),
        (lambda data: data["items"][0].update(right="4"), "'right'"),
        (lambda data: data["items"][0].update(right=True), "'right'"),
        (lambda data: data["items"][0].update(right=3), "samples of the plan"),
        (lambda data: data["items"][0].update(right=-1, truncated=5), "impossible counts"),
        (lambda data: data["items"][0].update(rivals=["a"]), "whole numbers"),
        (lambda data: data.update(items=[1]), "should hold objects"),
        (lambda data: data.update(items=[]), "no items"),
        (lambda data: data["plan"].update(temperature=0), "an evaluation needs"),
    ],
)
def test_a_damaged_file_is_named_with_what_is_wrong(written, damage, complaint):
    data = json.loads(written.read_text(encoding="utf-8"))
    damage(data)
    written.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DataError, match=complaint) as caught:
        read_result(written)
    assert str(written) in str(caught.value)


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"schema": '])
def test_a_file_that_holds_no_object_is_refused(written, text):
    written.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"evaluation\.json"):
        read_result(written)
