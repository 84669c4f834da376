"""Makers of readings with plausible defaults, for the tests of this room."""

from dataclasses import replace

import numpy as np

from argus_rl.core.signals.inner import Agreement, Census
from argus_rl.core.signals.middle import (
    EpiplexityReading,
    EpisodeTrace,
    Measurement,
    PanelScore,
    RetestDelta,
    RetestReading,
)
from argus_rl.data.problem import Chain, Pair, Problem, Source


def agreement(problem_id="p", score=0.6, majority="7", **more):
    base = Agreement(
        problem_id=problem_id,
        k=8,
        outcome=score,
        process=1.0,
        score=score,
        true_share=1.0,
        majority=majority,
        majority_count=6,
        answerless=0,
        best=0,
        distinct=3,
        length_spread=0.2,
        low=0.4,
        high=0.9,
    )
    return replace(base, **more)


def census_of(**more):
    base = Census(
        drafts=64,
        refused_syntax=4,
        refused_premise=0,
        easy=20,
        frontier=20,
        hard=20,
        context_used=20,
        unique_share=0.95,
        template_entropy=0.8,
        mean_score=0.6,
        mean_outcome=0.65,
        distinct_share=0.5,
        length_spread=0.2,
        answerless_share=0.02,
        truncated_share=0.0,
        unsound_share=0.0,
    )
    return replace(base, **more)


def trace_of(episode, census, **more):
    base = EpisodeTrace(
        episode=episode,
        epi_gain=0.03,
        retest_trend=0.0,
        retest_n=64,
        frontier_share=census.frontier_share,
        unique_share=census.unique_share,
        template_entropy=census.template_entropy,
        distinct_share=census.distinct_share,
        length_spread=census.length_spread,
        mean_score=census.mean_score,
    )
    return replace(base, **more)


def epi_of(gain=0.03):
    return EpiplexityReading(
        gain=gain,
        gain_se=0.005,
        gain_low=gain - 0.01,
        gain_high=gain + 0.01,
        probe_gain=gain / 2,
        probe_se=0.01,
        probe_low=gain / 2 - 0.02,
        probe_high=gain / 2 + 0.02,
        n=40,
        n_probe=10,
    )


def retest_of(deltas, clusters=None):
    clusters = clusters if clusters is not None else [0] * len(deltas)
    n = len(deltas)
    items = tuple(
        RetestDelta(problem_id=f"q{i}", cluster=c, before=0.5, after=0.5 + d, flipped=d < -0.3)
        for i, (d, c) in enumerate(zip(deltas, clusters, strict=True))
    )
    return RetestReading(
        deltas=items,
        trend=float(np.mean(deltas)) if n else 0.0,
        se=float(np.std(deltas, ddof=1) / np.sqrt(n)) if n > 1 else 0.0,
        n=n,
        regressed=tuple(item.problem_id for item in items if item.delta < -0.02),
        flip_rate=0.0,
    )


def measurement(lesson=(), probe=(), replay=(), panel=()):
    return Measurement(
        fingerprint="f",
        lesson_nll=tuple(lesson),
        probe_nll=tuple(probe),
        replay_nll=tuple(replay),
        panel=tuple(panel),
    )


def panel_score(problem_id, score, majority="7", label="7", cluster=0):
    return PanelScore(
        problem_id=problem_id,
        cluster=cluster,
        agreement=agreement(problem_id, score, majority),
        label=label,
        held=score,
    )


def pair(name, cluster=0, steps=3, text=None):
    problem = Problem(id=name, text=text or f"text of {name}?", source=Source.proposed, steps=steps)
    chain = Chain(problem_id=name, text="the answer is 7", index=0, tokens=5)
    return Pair(problem=problem, chain=chain, label="7", score=0.6, cluster=cluster)
