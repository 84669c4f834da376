"""A run that looks like a real one: made from a seed, with a refusal, firings and defenses.

It is loaded by path from the tests of the ledger, of tracking and of the report.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from argus_rl.config.control import ControlSettings
from argus_rl.config.run import RunSettings
from argus_rl.core.signals.across import Health, SpsiReading
from argus_rl.core.signals.inner import Census, FalsePremise, Zone
from argus_rl.core.signals.middle import (
    Attribution,
    BankReading,
    Defense,
    DefenseDecision,
    DefenseEffect,
    DetectorReading,
    Dials,
    EpiplexityReading,
    LearningEffect,
    LieType,
    Order,
    PastDefense,
    RetestDelta,
    RetestReading,
    RollbackEffect,
    Ruling,
    Verdict,
)
from argus_rl.core.signals.outer import (
    CapabilityReading,
    CapacityDecision,
    ClusterReading,
    CurriculumDecision,
    SeedingEffect,
)
from argus_rl.ledger.codec import encode
from argus_rl.ledger.events import Event, events_of, run_finished
from argus_rl.ledger.journal import Journal, note_timing
from argus_rl.ledger.records import (
    EpisodeRecord,
    Fingerprints,
    Gate,
    MemorySizes,
    RefusedProposal,
    RunHeader,
    SampleChain,
    SampleProblem,
    ShapingSummary,
    WeightSummary,
    summarise_run,
    versions_here,
    without_folders,
)

TEXTS = (
    "Mia has 14 marbles. She buys 3 bags of 6 marbles and gives 5 marbles to Tom. "
    "How many marbles does she have?",
    "A bus leaves at 9:15 and drives for 50 minutes, then waits 20 minutes. When does it go on?",
    "Tom buys 4 pens for £1.20 each and a book for £3. How much does he pay?",
    "A box holds 12 eggs. Ann fills 5 boxes and breaks 7 eggs. How many whole eggs are left?",
    "Ravi runs 3 km more than Lena, who runs twice as far as Ed, who runs 4 km. How far is that?",
)


def header(seed: int = 0, episodes: int = 12) -> RunHeader:
    """The header of the made run."""
    control = ControlSettings(
        capability_map=True, most_learnable_cluster=True, per_cluster_detectors=True,
        active_defense=True, proposer_validator=True, causal_attribution=True, ercv_rollback=True,
        ercv_zscore=True, epiplexity_weight=True, spsi=True, capacity_growth=0.05,
    )  # fmt: skip
    settings = RunSettings(preset="argus_full", seed=seed, episodes=episodes, control=control)
    return RunHeader(
        preset=settings.preset,
        seed=seed,
        episodes=episodes,
        model="embedded: 1.1 M parameters, Llama architecture, 512 words, made from seed 7",
        command=f"python -m argus_rl.train +preset=argus_full seed={seed}",
        config=without_folders(encode(settings)),
        versions=versions_here(),
    )


def _gauges(rng: np.random.Generator, e: int, bad: bool) -> tuple[EpiplexityReading, RetestReading]:
    gain = 0.055 * float(np.exp(-e / 9)) + float(rng.normal(0, 0.004)) + (0.03 if bad else 0)
    probe = gain * 0.55 + float(rng.normal(0, 0.004))
    deltas = tuple(
        RetestDelta(
            problem_id=f"p{e - 1}-{i}",
            cluster=int(i % 4),
            before=(before := float(rng.choice([0.25, 0.5, 0.75, 1.0]))),
            after=float(np.clip(before + rng.normal(-0.19 if bad else 0.012, 0.09), 0, 1)),
            flipped=bool(bad and i % 5 == 0),
        )
        for i in range(48)
    )
    moves = np.array([d.delta for d in deltas])
    return (
        EpiplexityReading(
            gain=gain, gain_se=0.004, gain_low=gain - 0.008, gain_high=gain + 0.008,
            probe_gain=probe, probe_se=0.006, probe_low=probe - 0.012, probe_high=probe + 0.012,
            n=31, n_probe=8,
        ),
        RetestReading(
            deltas=deltas,
            trend=float(moves.mean()),
            se=float(moves.std(ddof=1) / np.sqrt(len(moves))),
            n=len(deltas),
            regressed=tuple(d.problem_id for d in deltas if d.delta < -0.02),
            flip_rate=float(np.mean([d.flipped for d in deltas])),
        ),
    )  # fmt: skip


def _bank(rng: np.random.Generator, e: int, bad: bool) -> BankReading:
    found = [
        DetectorReading(
            lie=lie,
            score=float(np.clip(rng.beta(1.4, 7) + (0.7 if bad and lie is LieType.D else 0), 0, 1)),
            threshold=0.5,
            because=f"{lie.value}: reference 0.81, now {0.8 - 0.01 * e:.2f}",
        )
        for lie in LieType
    ]
    if e == 4:
        found[0] = replace(found[0], score=0.71, because="unique share 0.42 against 0.83")
    if e == 9:
        found[4] = replace(found[4], score=0.64, because="frontier share 0.04 of 58 problems")
    clusters = [
        DetectorReading(
            lie=LieType.D,
            cluster=c,
            score=float(np.clip(rng.beta(1.2, 8) + (0.5 if bad and c == 2 else 0), 0, 1)),
            threshold=0.5,
            because="mean delta of 12 items",
        )
        for c in range(4)
    ]
    return BankReading(detectors=(*found, *clusters))


def _census(rng: np.random.Generator, e: int) -> Census:
    solved = 58 - int(rng.integers(0, 5))
    easy = int(solved * (0.25 + 0.03 * e))
    frontier = 2 if e == 9 else int(solved * 0.38 - e)
    return Census(
        drafts=64, refused_syntax=64 - solved - 2, refused_premise=2, easy=easy, frontier=frontier,
        hard=solved - easy - frontier, context_used=30, unique_share=0.9 - 0.01 * e,
        template_entropy=0.82, mean_score=0.52 + 0.01 * e, mean_outcome=0.6, distinct_share=0.7,
        length_spread=0.2, answerless_share=0.05, truncated_share=0.02, unsound_share=0.03,
    )  # fmt: skip


def _capability(e: int) -> CapabilityReading:
    shares = np.array([0.25 + 0.01 * e, 0.3, 0.2, 0.25 - 0.01 * e])
    return CapabilityReading(
        clusters=tuple(
            ClusterReading(
                cluster=c, n=16 * (e + 1), share=float(shares[c] / shares.sum()),
                mean_reward=float(np.clip(0.35 + 0.12 * c + 0.015 * e, 0, 1)),
                last_retest_delta=0.01 * (c - 1), learning_progress=0.02 * (2 - c),
                exemplar=TEXTS[c], unsound_share=0.02 * c,
            )
            for c in range(4)
        )
    )  # fmt: skip


def _spsi(census: Census, epi: float, trend: float, bank: BankReading) -> SpsiReading:
    terms = (
        0.3 * min(1.0, max(0.0, epi / 0.04)),
        0.2 * min(1.0, max(0.0, (census.frontier_share - 0.05) / 0.2)),
        -0.15 * min(1.0, max(0.0, -trend / 0.08)),
        -0.15 * max(bank.strongest_global, bank.cluster_pressure),
        -0.2 * 0.18,
    )
    value = sum(terms)
    low = Health.consolidating if value >= 0 else Health.collapsing
    health = Health.healthy if value >= 0.2 else low
    return SpsiReading(
        value=value,
        health=health,
        information=terms[0], frontier=terms[1], forgetting=terms[2], deception=terms[3],
        waste=terms[4], wasted_share=0.18,
    )  # fmt: skip


def _chain(text: str, answer: str) -> SampleChain:
    return SampleChain(text=text, answer=answer, truncated=not answer)


def _samples(e: int) -> tuple[SampleProblem, ...]:
    zones = (Zone.frontier, Zone.easy, Zone.hard)
    return tuple(
        SampleProblem(
            problem_id=f"e{e}-{i}", text=TEXTS[(e + i) % len(TEXTS)], source="grown", zone=zone,
            score=(0.61, 0.93, 0.18)[i], label=("27", "10:25", "")[i], cluster=i,
            chains=(
                _chain("3 * 6 = 18\n14 + 18 = 32\n32 - 5 = 27\nAnswer: 27", "27"),
                _chain("3 * 6 = 18\n18 - 5 = 13\nAnswer: 13", "13"),
                _chain("14 + 3 = 17\n17 * 6 =", ""),
            ),
        )
        for i, zone in enumerate(zones)
    )  # fmt: skip


def _refused(e: int) -> tuple[RefusedProposal, ...]:
    text = "A shop sells 3 boxes of 8 cups, which is 26 cups. It sells 5 more. How many cups?"
    return (
        RefusedProposal(
            problem_id=f"e{e}-r0", text=text, gate=Gate.premise,
            reason="the product 3 x 8 is said to be 26, and is 24",
            findings=(
                FalsePremise(
                    kind="product", start=13, end=47, expression="3 * 8", claimed="26",
                    true_value="24",
                ),
            ),
        ),
        RefusedProposal(
            problem_id=f"e{e}-r1", text="Tom has", gate=Gate.syntax, reason="it asks nothing"
        ),
    )  # fmt: skip


def _defenses(e: int) -> tuple[tuple[Order, ...], tuple[DefenseEffect, ...]]:
    orders = {
        4: (Order(action=Defense.force_context, lie=LieType.A, amount=1.0, deferred=True,
                  because="unique share 0.42 against 0.83"),),
        7: (Order(action=Defense.soft_rollback, lie=LieType.D, amount=0.5,
                  because="epi up, retest down"),),
        9: (Order(action=Defense.raise_steps, lie=LieType.E, amount=1, deferred=True,
                  because="frontier share 0.04"),),
    }  # fmt: skip
    effects = {
        5: (Defense.force_context, "context rate 0.5 to 1.0"),
        7: (Defense.soft_rollback, "the refusal had undone it already"),
        10: (Defense.raise_steps, "steps 3 to 4"),
    }
    if e not in effects:
        return orders.get(e, ()), ()
    action, detail = effects[e]
    return orders.get(e, ()), (DefenseEffect(changed=("dials",), action=action, detail=detail),)


def record(e: int, seed: int = 0) -> EpisodeRecord:
    """Episode `e` of the made run; episode 7 is refused."""
    rng, bad, weights = np.random.default_rng([seed, e]), e == 7, e - (e > 7)
    epi, retest = _gauges(rng, e, bad)
    census, bank = _census(rng, e), _bank(rng, e, bad)
    ruling = Ruling.refuse if bad else Ruling.underpowered if e == 0 else Ruling.accept
    orders, effects = _defenses(e)
    return EpisodeRecord(
        episode=e,
        stream=("run", seed, "episode", e),
        seed=seed,
        curriculum=CurriculumDecision(target=e % 4 if e else -1, reason="score 0.71, 3 eligible"),
        capacity=CapacityDecision(k=8 + e // 3, max_tokens=160, reason="8 x 1.05^e"),
        dials=Dials(
            context_rate=1.0 if e == 5 else 0.5, temperature=0.7, frontier_steps=3 + (e > 9)
        ),
        seeding=SeedingEffect(
            changed=(), prompts=64, with_context=30, with_blind_spot=4, with_exemplars=20
        ),
        census=census,
        weights=WeightSummary(n=31, mean=1.0, low=0.2, high=2.7, effective=25.4),
        shaping=ShapingSummary(
            weights=WeightSummary(n=31, mean=0.5, low=0.05, high=1.0, effective=24.0),
            mean_factuality=0.97, mean_difficulty=0.66, mean_frontier_fit=0.8,
        ),
        learning=LearningEffect(
            changed=("weights", "optimizer"), updates=8, pairs=31, replayed=10, tokens=2210,
            mean_loss=0.41 - 0.01 * e, skipped=int(e == 3),
        ),
        epiplexity=epi,
        retest=retest,
        verdict=Verdict(
            ruling=ruling, severity=1.0 if bad else 0.0, divergent=bad, streak=int(bad),
            rule="fixed_threshold" if e < 4 else "zscore", z=-4.4 if bad else 0.3,
            reason=f"retest {retest.trend:+.3f} against a trigger of -0.050",
        ),
        rollback=RollbackEffect(
            severity=1.0 if bad else 0.0, kept=(),
            changed=("weights", "optimizer", "replay") if bad else (),
        ),
        bank=bank,
        attribution=Attribution(
            cause=2, effect=0, influence_p=0.006, similarity_p=0.04, pairs=("e7-3", "e7-9"),
            summary="pairs of cluster 2 lowered items of cluster 0 (p = 0.006)",
        ) if bad else None,
        defense=DefenseDecision(orders=orders, cooldowns=(), reason="one order a firing"),
        effects=effects,
        capability=_capability(e),
        spsi=_spsi(census, epi.gain, retest.trend, bank),
        fingerprints=Fingerprints(
            before=f"w{weights}", proposed=f"w{weights + 1}",
            committed=f"w{weights + (not bad)}",
        ),
        memory=MemorySizes(
            replay=min(64, 10 * e), library=60 * e, blind_spots=len(retest.regressed)
        ),
        skill=0.5 + 0.01 * e,
        samples=_samples(e),
        refused=_refused(e),
    )  # fmt: skip


def events(made: EpisodeRecord) -> tuple[Event, ...]:
    """The events of an episode of the made run, with outcomes of the defenses before it."""
    orders, _ = _defenses(made.episode - 1)
    past = [
        PastDefense(
            episode=made.episode - 1,
            order=order,
            frontier_share_before=0.12,
            dials_before=made.dials,
        )
        for order in orders
    ]
    return events_of(made, past=past)


def evaluation(shift: float, seed: int) -> dict[str, object]:
    """An evaluation file of 8 levels with 20 items each; `shift` moves the accuracy of all."""
    rng = np.random.default_rng(seed)
    items: list[dict[str, object]] = []
    for level in range(1, 9):
        rate = float(np.clip(1.02 - 0.12 * level + shift * (level > 3), 0.01, 0.99))
        for i in range(20):
            right = int(rng.binomial(8, rate))
            items.append(
                {
                    "id": f"h{level}-{i}", "level": level,
                    "greedy_right": bool(rng.random() < rate),
                    "greedy_truncated": False, "greedy_unparsable": False, "right": right,
                    "rivals": [8 - right] if right < 8 else [], "truncated": 0, "unparsable": 0,
                }
            )  # fmt: skip
    plan = {
        "name": "generated", "stream": "evaluation", "samples": 8, "temperature": 0.7,
        "max_tokens": 160, "easy_levels": [1, 2, 3],
    }  # fmt: skip
    return {"schema": 1, "plan": plan, "summaries": [], "items": items}


def write(run_dir: Path, episodes: int = 12, seed: int = 0) -> Sequence[EpisodeRecord]:
    """Write the made run's folder: ledger, timings, evaluations, audit and configuration."""
    run_dir.mkdir(parents=True, exist_ok=True)
    made = [record(e, seed) for e in range(episodes)]
    with Journal.start(run_dir, header(seed, episodes)) as journal:
        for one in made:
            journal.commit(one, events(one))
            note_timing(run_dir, one.episode, {"propose": 2.0, "solve": 11.5, "learn": 4.2})
        journal.note([run_finished(summarise_run(header(seed, episodes), made))])
    for name, shift, draw in (("before", 0.0, 1), ("after", 0.17, 2)):
        path = run_dir / f"evaluation_{name}.json"
        path.write_text(json.dumps(evaluation(shift, draw)), encoding="utf-8")
    (run_dir / "config.json").write_text(
        json.dumps(header(seed, episodes).config), encoding="utf-8"
    )
    return made
