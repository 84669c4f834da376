"""Epiplexity-retest cross-validation: may this update stand?

Two independent gauges answer "did we learn". Epiplexity says how much the update took up; the
retest says what it did to skill on past problems, measured with the weights just before and just
after it. An update is *divergent* when the first says yes and the second says no:

    fixed   gain > 0  and  trend < -trigger
    z-score gain > 0  and  trend < 0  and  z < z_cut,   z = (trend - mean) / max(sd, min_sd)

with mean and sd (n - 1) over this run's earlier trends of at least `min_retests` items. Those of
refused updates are left out (one large fall in the history would make the next one look usual), and
those of episodes that taught nothing (a run of exact zeros would make any fall an outlier). Before
`warmup` of them the fixed rule stands in. Either rule needs `min_retests` items, else the ruling is
*underpowered*: the update stands and the caller enlarges the next panel. `hysteresis` divergent
episodes in a row are refused.

What these rules are worth: gain on the pairs just trained on is positive almost always, so they
rest on the retest alone; a z-score against 4 to 14 past values errs in 5.6 to 1.6 % of quiet
episodes, and z alone would refuse an update that *improved* less than usual, which is why a
negative trend is asked for too. The rules with a promise are those of the calibrated gauges.

Severity says how much of the old weights a refusal puts back: all, or (soft)

    severity = min(1, |trend| / max(eps, |gain|)).

That divides a score by nats per token, two different units: at usual gains of about 0.03 nats any
trend below -0.03 gives 1, and a "soft" refusal is then a full one; at gains of 0.2 it keeps a third
of an update that did harm, episode after episode. The formula is kept as given, and what it blends
is retested in its turn (`confirm_blend`).
"""

# ruff: noqa: ARG001 - a null part takes what its twin takes

import math
from dataclasses import replace

from argus_rl.config.control import ErcvSettings
from argus_rl.core.roles import Loop, decider
from argus_rl.core.signals.middle import (
    EpiplexityReading,
    History,
    RetestReading,
    Ruling,
    Verdict,
)


@decider(Loop.middle, unless="ercv_rollback")
def never_refuse(
    epi: EpiplexityReading, retest: RetestReading, history: History, settings: ErcvSettings
) -> Verdict:
    """Let every update stand, and say whether the fixed rule would have found it divergent."""
    divergent = _forgot(epi, retest, settings)
    return Verdict(
        ruling=Ruling.accept,
        severity=0.0,
        divergent=divergent,
        streak=history.streak + 1 if divergent else 0,
        rule="never_refuse",
        z=0.0,
        reason=f"refusal is off; {_figures(epi, retest)}",
    )


@decider(Loop.middle, flag="ercv_rollback")
def fixed_threshold_verdict(
    epi: EpiplexityReading, retest: RetestReading, history: History, settings: ErcvSettings
) -> Verdict:
    """Refuse when information rose and the retest trend fell below `-trigger`."""
    return _verdict(
        divergent=_forgot(epi, retest, settings),
        rule="fixed_threshold",
        z=0.0,
        figures=f"{_figures(epi, retest)}, bar {-settings.trigger:+.3f}",
        retest=retest,
        history=history,
        settings=settings,
    )


@decider(Loop.middle, flag="ercv_zscore")
def zscore_verdict(
    epi: EpiplexityReading, retest: RetestReading, history: History, settings: ErcvSettings
) -> Verdict:
    """Refuse when information rose and the trend is an outlier, downwards, of its own history."""
    past = [
        e.retest_trend
        for e in history.episodes
        if e.learned and not e.refused and e.retest_n >= settings.min_retests
    ]
    if len(past) < settings.warmup:
        return fixed_threshold_verdict(epi, retest, history, settings)
    mean = sum(past) / len(past)
    variance = sum((t - mean) ** 2 for t in past) / max(1, len(past) - 1)
    z = (retest.trend - mean) / max(math.sqrt(variance), settings.min_sd)
    enough = retest.n >= settings.min_retests
    return _verdict(
        divergent=enough and epi.gain > 0 and retest.trend < 0 and z < settings.z,
        rule="zscore",
        z=z,
        figures=f"{_figures(epi, retest)}, z {z:+.2f} against {settings.z:+.2f}",
        retest=retest,
        history=history,
        settings=settings,
    )


@decider(Loop.middle, unless="ercv_soft_rollback")
def full_severity(
    verdict: Verdict, epi: EpiplexityReading, retest: RetestReading, settings: ErcvSettings
) -> Verdict:
    """Give a refusal severity 1: the whole update is undone."""
    return replace(verdict, severity=1.0 if verdict.ruling is Ruling.refuse else 0.0)


@decider(Loop.middle, flag="ercv_soft_rollback")
def soft_severity(
    verdict: Verdict, epi: EpiplexityReading, retest: RetestReading, settings: ErcvSettings
) -> Verdict:
    """Give a refusal severity `min(1, |trend| / max(eps, |gain|))`: a share of the old weights."""
    if verdict.ruling is not Ruling.refuse:
        return replace(verdict, severity=0.0)
    severity = min(1.0, abs(retest.trend) / max(settings.epsilon, abs(epi.gain)))
    return replace(verdict, severity=severity, reason=f"{verdict.reason}; severity {severity:.2f}")


@decider(Loop.middle, unless="ercv_soft_rollback")
def keep_severity(verdict: Verdict, blended: RetestReading) -> Verdict:
    """Leave the severity as it is: nothing was blended."""
    return verdict


@decider(Loop.middle, flag="ercv_soft_rollback")
def confirm_blend(verdict: Verdict, blended: RetestReading) -> Verdict:
    """Make a soft refusal a whole one when the blended weights fail the retest themselves.

    A blend keeps a share of an update that was refused, so it is an update too and has to pass: its
    trend, measured against the weights before the update, may not be negative. The doubt counts
    against it: a blend within its error of zero, let pass in every episode, adds up.

    Args:
        verdict: the refusal, with its severity.
        blended: the panel before the update against the same panel under the blended weights.
    """
    partial = verdict.ruling is Ruling.refuse and 0.0 < verdict.severity < 1.0
    if not partial or blended.trend >= 0.0:
        return verdict
    return replace(
        verdict,
        severity=1.0,
        reason=f"{verdict.reason}; the blend fell by {-blended.trend:.3f} (se {blended.se:.3f}), "
        "so all was undone",
    )


def _forgot(epi: EpiplexityReading, retest: RetestReading, settings: ErcvSettings) -> bool:
    """The fixed rule."""
    enough = retest.n >= settings.min_retests
    return enough and epi.gain > 0 and retest.trend < -settings.trigger


def _figures(epi: EpiplexityReading, retest: RetestReading) -> str:
    return (
        f"epi {epi.gain:+.4f} nats/token, retest {retest.trend:+.3f} "
        f"± {retest.se:.3f} (n = {retest.n})"
    )


def _verdict(
    *,
    divergent: bool,
    rule: str,
    z: float,
    figures: str,
    retest: RetestReading,
    history: History,
    settings: ErcvSettings,
) -> Verdict:
    streak = history.streak + 1 if divergent else 0
    if retest.n < settings.min_retests:
        ruling, words = Ruling.underpowered, f"fewer than {settings.min_retests} retests"
    elif divergent and streak >= settings.hysteresis:
        ruling, words = Ruling.refuse, "the gauges disagree"
    elif divergent:
        ruling, words = Ruling.accept, f"the gauges disagree, {streak} of {settings.hysteresis}"
    else:
        ruling, words = Ruling.accept, "the gauges do not disagree"
    return Verdict(
        ruling=ruling,
        severity=1.0 if ruling is Ruling.refuse else 0.0,
        divergent=divergent,
        streak=streak,
        rule=rule,
        z=z,
        reason=f"{words}: {figures}",
    )
