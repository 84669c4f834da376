"""Nats are those of the model, whatever else is in the batch."""

from collections.abc import Callable

import pytest
import torch

from argus_rl.model import score
from argus_rl.model.embed import embed
from argus_rl.model.policy import Example, Policy, PolicyRole
from argus_rl.model.score import NllScore, buckets, response_nll


def by_hand(policy: Policy, example: Example) -> float:
    with torch.inference_mode():
        logits = policy.module(torch.tensor([example.ids])).logits[0].double().log_softmax(-1)
    return -sum(
        float(logits[t - 1, example.ids[t]]) for t, w in enumerate(example.weights) if w > 0
    )


@pytest.mark.parametrize("kind", ["llama", "qwen2", "gpt2"])
def test_nats_are_those_of_the_full_logits(
    make_joint: Callable[..., Policy], make_lesson: Callable[..., list[Example]], kind: str
) -> None:
    policy, examples = make_joint(kind), make_lesson(9)
    found = response_nll(policy, PolicyRole.solver, examples, 4)
    for got, example in zip(found, examples, strict=True):
        assert got.tokens == sum(w > 0 for w in example.weights)
        assert got.total == pytest.approx(by_hand(policy, example), abs=1e-4)
        assert got.per_token == got.total / got.tokens


@pytest.mark.parametrize("batch", [1, 3, 64])
def test_padding_changes_nothing(
    policy: Policy, make_lesson: Callable[..., list[Example]], batch: int
) -> None:
    examples = make_lesson(20)
    alone = [response_nll(policy, PolicyRole.solver, [e], 1)[0].total for e in examples]
    found = response_nll(policy, PolicyRole.solver, examples, batch)
    assert [s.total for s in found] == pytest.approx(alone, abs=1e-5)


def test_the_vocabulary_is_met_in_chunks_with_the_same_result(
    joint: Policy, make_lesson: Callable[..., list[Example]], monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = make_lesson(6)
    whole = response_nll(joint, PolicyRole.solver, examples, 8)
    widest: list[int] = []
    joint.module.get_output_embeddings().register_forward_hook(
        lambda _m, _i, out: widest.append(out.numel())
    )
    monkeypatch.setattr(score, "MAX_LOGITS", 200)
    chunked = response_nll(joint, PolicyRole.solver, examples, 8)
    assert [s.total for s in chunked] == pytest.approx([s.total for s in whole], abs=1e-4)
    assert max(widest) <= 200
    assert len(widest) > 6


def test_logits_are_computed_at_response_places_only(
    joint: Policy, make_lesson: Callable[..., list[Example]]
) -> None:
    rows: list[int] = []
    joint.module.get_output_embeddings().register_forward_hook(
        lambda _m, _i, out: rows.append(out.shape[0])
    )
    examples = make_lesson(10)
    response_nll(joint, PolicyRole.solver, examples, 4)
    assert sum(rows) == sum(w > 0 for e in examples for w in e.weights)


def test_a_response_without_weight_scores_nothing(joint: Policy) -> None:
    found = response_nll(joint, PolicyRole.solver, [Example((1, 8, 9), (0.0, 0.0, 0.0))], 4)
    assert found == [NllScore(0.0, 0)]
    assert found[0].per_token == 0.0


def test_buckets_hold_like_lengths_and_every_example_once(
    make_lesson: Callable[..., list[Example]],
) -> None:
    examples = make_lesson(50)
    parts = list(buckets(examples, 8))
    assert sorted(i for part in parts for i in part) == list(range(50))
    for part in parts:
        lengths = [len(examples[i].ids) for i in part]
        assert len(part) <= 8
        assert max(lengths) <= 1.25 * min(lengths) + 4
    with pytest.raises(ValueError, match="at least one"):
        list(buckets(examples, 0))


def test_an_example_whose_first_token_has_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="first token"):
        Example((1, 2), (1.0, 1.0))
    with pytest.raises(ValueError, match="2 ids"):
        Example((1, 2), (0.0,))


def test_embeddings_are_unit_vectors_of_the_base_and_ignore_padding(policy: Policy) -> None:
    texts = [[1, 10, 11], [1, 10, 11, 12, 13, 14], [1, 40]]
    found = embed(policy, texts, batch=8)
    assert found.shape == (3, 32)
    assert (found**2).sum(1) == pytest.approx([1.0] * 3, abs=1e-5)
    alone = [embed(policy, [text])[0] for text in texts]
    for row, own in zip(found, alone, strict=True):
        assert row == pytest.approx(own, abs=1e-5)
    with torch.no_grad():
        for weight in policy.trainable().values():
            weight.add_(0.1)
    assert (embed(policy, texts, batch=8) == found).all(), "the map must not drift"
    with pytest.raises(ValueError, match="without tokens"):
        embed(policy, [[]])
