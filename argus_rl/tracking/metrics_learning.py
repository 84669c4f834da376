"""Figures of learning: the two gauges, the zones of the problems, and the detectors of lies."""

from argus_rl.core.signals.middle import LieType
from argus_rl.ledger.records import EpisodeRecord
from argus_rl.tracking.metric import NAN, Getter, metric

LIES = {
    LieType.A: "proposer drift: the proposer asks one kind of question",
    LieType.B: "novelty collapse: chains agree because they are copies",
    LieType.C: "memorised replay: old pairs are known by heart",
    LieType.D: "forgetting: the lesson is learned and past problems are lost",
    LieType.E: "saturation: the frontier is empty",
    LieType.F: "hallucinated premises: all chains accept something false",
    LieType.G: "plateau capture: one cluster takes the curriculum and stops improving",
    LieType.H: "defense-induced collapse: our own action made it worse",
}
"""What each detector looks for, in a clause."""


GAUGE = (
    metric(
        "gauge/epi_gain",
        "nats per token",
        "Drop of the loss on the pairs that the update learned from; positive almost by "
        "construction.",
        lambda r: r.epiplexity.gain if r.epiplexity.n else NAN,
    ),
    metric(
        "gauge/epi_gain_low",
        "nats per token",
        "Lower end of its 95 % bootstrap interval.",
        lambda r: r.epiplexity.gain_low if r.epiplexity.n else NAN,
    ),
    metric(
        "gauge/epi_gain_high",
        "nats per token",
        "Upper end of that interval.",
        lambda r: r.epiplexity.gain_high if r.epiplexity.n else NAN,
    ),
    metric(
        "gauge/epi_gain_se",
        "nats per token",
        "Its standard error over pairs.",
        lambda r: r.epiplexity.gain_se if r.epiplexity.n else NAN,
    ),
    metric(
        "gauge/epi_pairs",
        "pairs",
        "Pairs behind it.",
        lambda r: float(r.epiplexity.n),
    ),
    metric(
        "gauge/epi_probe",
        "nats per token",
        "Drop of the loss on pairs of the same episode that the update never saw.",
        lambda r: r.epiplexity.probe_gain if r.epiplexity.n_probe else NAN,
    ),
    metric(
        "gauge/epi_probe_low",
        "nats per token",
        "Lower end of its 95 % bootstrap interval.",
        lambda r: r.epiplexity.probe_low if r.epiplexity.n_probe else NAN,
    ),
    metric(
        "gauge/epi_probe_high",
        "nats per token",
        "Upper end of that interval.",
        lambda r: r.epiplexity.probe_high if r.epiplexity.n_probe else NAN,
    ),
    metric(
        "gauge/epi_probe_se",
        "nats per token",
        "Its standard error over pairs.",
        lambda r: r.epiplexity.probe_se if r.epiplexity.n_probe else NAN,
    ),
    metric(
        "gauge/epi_probe_pairs",
        "pairs",
        "Pairs behind it.",
        lambda r: float(r.epiplexity.n_probe),
    ),
    metric(
        "gauge/retest_trend",
        "[-1, 1]",
        "Mean change of the share of chains that give the stored label of a past problem, "
        "measured fresh before and after the update with the same streams.",
        lambda r: r.retest.trend if r.retest.n else NAN,
    ),
    metric(
        "gauge/retest_se",
        "[0, 1]",
        "Its standard error over items.",
        lambda r: r.retest.se if r.retest.n else NAN,
    ),
    metric(
        "gauge/retest_n",
        "items",
        "Past problems that were retested.",
        lambda r: float(r.retest.n),
    ),
    metric(
        "gauge/retest_regressed",
        "[0, 1]",
        "Share of the retested items whose score fell by more than the tolerance.",
        lambda r: len(r.retest.regressed) / r.retest.n if r.retest.n else NAN,
    ),
    metric(
        "gauge/flip_rate",
        "[0, 1]",
        "Share of items answered with the stored label before the update and otherwise "
        "after it; it leads irreversible collapse.",
        lambda r: r.retest.flip_rate if r.retest.n else NAN,
    ),
)

ZONE = (
    metric(
        "zone/drafts",
        "proposals",
        "Proposals asked for.",
        lambda r: float(r.census.drafts),
    ),
    metric(
        "zone/refused_syntax",
        "proposals",
        "Refused as no problem: empty, over-long, without question or number, or a near-duplicate.",
        lambda r: float(r.census.refused_syntax),
    ),
    metric(
        "zone/refused_premise",
        "proposals",
        "Refused because something in the text is demonstrably false.",
        lambda r: float(r.census.refused_premise),
    ),
    metric(
        "zone/easy",
        "problems",
        "Solved problems that the model has mastered.",
        lambda r: float(r.census.easy),
    ),
    metric(
        "zone/frontier",
        "problems",
        "Solved problems that are trusted and not mastered: the only ones trained on.",
        lambda r: float(r.census.frontier),
    ),
    metric(
        "zone/hard",
        "problems",
        "Solved problems whose label cannot be trusted.",
        lambda r: float(r.census.hard),
    ),
    metric(
        "zone/frontier_share",
        "[0, 1]",
        "Frontier problems over solved ones.",
        lambda r: r.census.frontier_share,
    ),
    metric(
        "zone/score",
        "[0, 1]",
        "Mean agreement score (answers times working) over solved problems.",
        lambda r: r.census.mean_score,
    ),
    metric(
        "zone/outcome",
        "[0, 1]",
        "Mean agreement of answers alone.",
        lambda r: r.census.mean_outcome,
    ),
    metric(
        "zone/unique_share",
        "[0, 1]",
        "Distinct texts among the proposals.",
        lambda r: r.census.unique_share,
    ),
    metric(
        "zone/template_entropy",
        "[0, 1]",
        "Normalised entropy of the proposals over clusters or openings.",
        lambda r: r.census.template_entropy,
    ),
    metric(
        "zone/distinct_share",
        "(0, 1]",
        "Mean share of distinct chain texts per problem; low means copies.",
        lambda r: r.census.distinct_share,
    ),
    metric(
        "zone/length_spread",
        ">= 0",
        "Mean relative spread of chain lengths.",
        lambda r: r.census.length_spread,
    ),
    metric(
        "zone/answerless_share",
        "[0, 1]",
        "Share of chains without an answer.",
        lambda r: r.census.answerless_share,
    ),
    metric(
        "zone/truncated_share",
        "[0, 1]",
        "Share of chains that the token budget ended.",
        lambda r: r.census.truncated_share,
    ),
    metric(
        "zone/unsound_share",
        "[0, 1]",
        "Share of solved problems in which the validator finds something false.",
        lambda r: r.census.unsound_share,
    ),
    metric(
        "zone/context_used",
        "proposals",
        "Proposals that were conditioned on an external text.",
        lambda r: float(r.census.context_used),
    ),
)


def _score_of(lie: LieType) -> Getter:
    def get(r: EpisodeRecord) -> float:
        scores = [d.score for d in r.bank.detectors if d.lie is lie and d.cluster < 0]
        return max(scores, default=NAN)

    return get


DETECTOR = (
    *(
        metric(
            f"detector/{lie.value}",
            "[0, 1]",
            f"Score of type {lie.value}, {meaning}.",
            _score_of(lie),
        )
        for lie, meaning in LIES.items()
    ),
    metric(
        "detector/D_worst_cluster",
        "[0, 1]",
        "Highest type D score of a single cluster.",
        lambda r: r.bank.cluster_pressure if any(d.cluster >= 0 for d in r.bank.detectors) else NAN,
    ),
    metric(
        "detector/fired",
        "firings",
        "Detectors over their thresholds.",
        lambda r: float(len(r.bank.firings)),
    ),
)
