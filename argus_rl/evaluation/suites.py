"""Evaluate a solver on held-out problems: one greedy chain and n samples each.

Answers are opened here and nowhere on the training side. A chain counts as right if it ended by
itself and its answer has exactly the value of the gold answer; a truncated chain has no answer
(credit for one would pay for rambling), and a chain without a readable answer is counted apart, so
that a fall in accuracy can be told from a fall in format. Called twice with the same plan and
stream, before and after an update, only the weights differ.
"""

from collections import Counter
from collections.abc import Sequence

from argus_rl.core.errors import DataError
from argus_rl.core.rng import Stream
from argus_rl.data.answer_key import AnswerKey
from argus_rl.data.ports import Solver
from argus_rl.data.problem import Chain, Problem
from argus_rl.evaluation.result import EvaluationPlan, EvaluationResult, ItemResult
from argus_rl.text.answers import answers_match, extract_answer, parse_answer

_RIGHT, _TRUNCATED, _UNPARSABLE = "right", "truncated", "unparsable"


def plan_stream(plan: EvaluationPlan) -> Stream:
    """The random stream that a plan names: the same whenever the plan is carried out."""
    return Stream(("evaluation", plan.name, plan.stream))


def _vote(chain: Chain, gold: str) -> str:
    """What the chain says: right, truncated, unparsable, or `=` and the key of a wrong answer."""
    if chain.truncated:
        return _TRUNCATED
    answer = extract_answer(chain.text)
    if answer is None:
        return _UNPARSABLE
    return _RIGHT if answers_match(answer, gold) else f"={answer.key}"


def judge(problem: Problem, gold: str, greedy: Chain, samples: Sequence[Chain]) -> ItemResult:
    """The record of one problem. Raises ValueError for a chain of another problem."""
    if any(chain.problem_id != problem.id for chain in (greedy, *samples)):
        raise ValueError(f"a chain does not belong to problem {problem.id!r}")
    first = _vote(greedy, gold)
    votes = Counter(_vote(chain, gold) for chain in samples)
    rivals = (count for vote, count in votes.items() if vote.startswith("="))
    return ItemResult(
        id=problem.id,
        level=problem.steps,
        greedy_right=first == _RIGHT,
        greedy_truncated=first == _TRUNCATED,
        greedy_unparsable=first == _UNPARSABLE,
        right=votes[_RIGHT],
        rivals=tuple(sorted(rivals, reverse=True)),
        truncated=votes[_TRUNCATED],
        unparsable=votes[_UNPARSABLE],
    )


def _open(key: AnswerKey, problem: Problem) -> str:
    gold = key.gold(problem.id)
    if parse_answer(gold) is None:
        raise DataError(f"the gold answer of problem {problem.id!r} is not a number: {gold!r}")
    return gold


def evaluate(
    solver: Solver, problems: Sequence[Problem], key: AnswerKey, plan: EvaluationPlan
) -> EvaluationResult:
    """Solve each held-out problem greedily and `plan.samples` times, and count.

    Raises:
        DataError: no problems, two with one id, or a gold answer that is no number (every chain
            would count as wrong, for ever and in silence).
        SealedAnswerError: a problem has no answer in the key; nothing has been solved then.
        ValueError: the solver returned another number of chains than it was asked for.
    """
    if not problems:
        raise DataError("there are no held-out problems to evaluate on")
    golds = [_open(key, problem) for problem in problems]
    stream = plan_stream(plan)
    greedy = solver.solve(
        problems,
        chains=1,
        max_tokens=plan.max_tokens,
        temperature=0.0,
        stream=stream.child("greedy"),
    )
    sampled = solver.solve(
        problems,
        chains=plan.samples,
        max_tokens=plan.max_tokens,
        temperature=plan.temperature,
        stream=stream.child("samples"),
    )
    rows = zip(problems, golds, greedy, sampled, strict=True)
    items: list[ItemResult] = []
    for problem, gold, first, rest in rows:
        if len(first) != 1 or len(rest) != plan.samples:
            raise ValueError(f"the solver returned {len(rest)} chains, not {plan.samples}")
        items.append(judge(problem, gold, first[0], rest))
    return EvaluationResult(plan=plan, items=tuple(items))
