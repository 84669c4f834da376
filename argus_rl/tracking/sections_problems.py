"""The page's sections on problems and control: zones, clusters, defenses, samples, set-up."""

import json
from collections import Counter
from typing import Any, cast

from argus_rl.config.control import FLAGS
from argus_rl.config.run import RunSettings
from argus_rl.ledger.codec import encode
from argus_rl.ledger.events import Event, EventKind
from argus_rl.ledger.records import Gate, RefusedProposal, SampleProblem, without_folders
from argus_rl.tracking import plots_problems
from argus_rl.tracking.html import chip, figure, fold, paragraph, section, table, tag, text
from argus_rl.tracking.plot_style import to_svg
from argus_rl.tracking.views import RunView

MOST_REFUSED = 40
"""Refused proposals that the page shows, false premises first."""


def zones(view: RunView) -> str:
    """What the problems were like."""
    return section(
        "zones",
        "Problems and chains",
        paragraph(
            "Only problems that the model can almost solve are worth learning from. Agreement of "
            "its own chains decides: too little and the label cannot be trusted (hard), too much "
            "and there is nothing to learn (easy); between them lies the frontier."
        ),
        figure(
            to_svg(plots_problems.zones(view.run.records), "zones", "Proposals by zone"),
            "Where the proposals of each episode ended. Red and grey ones were refused before any "
            "chain was spent on them.",
        ),
        figure(
            to_svg(plots_problems.sampling(view.run.records), "sampling", "Chains by episode"),
            "Mean agreement, with and without the working; distinct chains falling while agreement "
            "rises is how copies pass for consensus. Dashed: chains that gave no answer.",
        ),
    )


def labels(view: RunView) -> str:
    """Whether consensus was right, where an audit could tell; empty without one."""
    if not view.audit:
        return ""
    return section(
        "labels",
        "Were the labels true?",
        paragraph(
            "The run learns from its own consensus. On problems whose truth can be computed, an "
            "audit compared the two, aside from the run, which never sees the result."
        ),
        figure(
            to_svg(plots_problems.labels(view.audit), "labels", "True labels by episode"),
            "Share of the labels of an episode that are true, with 95 % Wilson intervals.",
        ),
    )


def clusters(view: RunView) -> str:
    """The capability map; empty where there is none."""
    drawn = plots_problems.clusters(view.run.records)
    if drawn is None:
        return ""
    last = next(r for r in reversed(view.run.records) if r.capability.clusters)
    rows = [
        (
            tag("strong", text(c.cluster)),
            text(c.n),
            text(f"{c.share:.2f}"),
            text(f"{c.mean_reward:.2f}"),
            text(f"{c.last_retest_delta:+.3f}"),
            text(f"{c.learning_progress:+.3f}"),
            text(f"{c.unsound_share:.2f}"),
            text(c.exemplar),
        )
        for c in last.capability.clusters
    ]
    heads = ("cluster", "problems", "share", "reward", "last retest", "progress", "unsound",
             "exemplar")  # fmt: skip
    return section(
        "clusters",
        "Clusters",
        paragraph(
            "Problems are grouped by what the frozen base model makes of their texts, so the map "
            "does not move with the policy. The planner aims at the cluster with most to learn."
        ),
        figure(
            to_svg(drawn, "clusters", "Clusters by episode"),
            "Above, how much compute each cluster has had so far. Below, how well it is solved; a "
            "ring marks the cluster that the planner aimed at.",
        ),
        table(heads, rows),
        paragraph(f"Last aim: {last.curriculum.reason}.", "quiet"),
    )


def defenses(view: RunView) -> str:
    """What was ordered against each firing, and what came of it."""
    events = view.run.events
    kinds = (EventKind.rollback, EventKind.attribution, EventKind.step_skipped)
    ordered = [e for e in events if e.kind is EventKind.defense_applied]
    others = [e for e in events if e.kind in kinds]
    parts = [
        paragraph(
            "Each firing may lead to one action, which then rests for some episodes. An episode "
            "later the ledger says what it did, so that a defense that harms is seen too."
        )
    ]
    if ordered:
        rows = [_order_row(order, events) for order in ordered]
        heads = ("episode", "against", "because", "action", "an episode later")
        parts.append(table(heads, rows))
    else:
        parts.append(paragraph("No defense was ordered in this run.", "quiet"))
    if others:
        rows = [
            (text(e.episode), text(e.kind.value.replace("_", " ")), text(_why(e)), text(e.done))
            for e in others
        ]
        heads = ("episode", "what", "because", "done")
        parts += [tag("h3", "Refusals, causes and skipped steps"), table(heads, rows)]
    return section("defenses", "What was done about it", *parts)


def _order_row(order: Event, events: tuple[Event, ...]) -> tuple[str, ...]:
    action = order.done.partition(":")[0]
    outcome = next(
        (
            e.done.partition(": ")[2]
            for e in events
            if e.kind is EventKind.defense_outcome
            and e.because.get("action") == action
            and e.because.get("applied_in") == order.episode
        ),
        "not judged",
    )
    return (
        text(order.episode),
        chip(f"type {order.because['lie']}", "bad"),
        text(order.because["reading"]),
        text(order.done.replace("_", " ")),
        text(outcome),
    )


def _why(event: Event) -> str:
    shown = {
        EventKind.rollback: ("reason",),
        EventKind.attribution: ("influence_p", "similarity_p"),
        EventKind.step_skipped: ("mean_loss",),
    }[event.kind]
    values = [(name, event.because[name]) for name in shown]
    return ", ".join(
        f"{name.replace('_', ' ')} {value:.3g}" if isinstance(value, float) else str(value)
        for name, value in values
    )


def samples(view: RunView) -> str:
    """Problems and chains to look at: the last episode open, earlier ones folded."""
    records = [r for r in view.run.records if r.samples]
    if not records:
        return ""
    folds = [
        fold(
            tag("strong", f"Episode {record.episode}"),
            *(_sample(one) for one in record.samples),
            shown=record is records[-1],
        )
        for record in reversed(records)
    ]
    earlier = fold("Earlier episodes", *folds[3:]) if len(folds) > 3 else ""
    return section(
        "samples",
        "Sample problems",
        paragraph(
            "A few problems of each episode, the newest first, with some of the model's chains. "
            "The label is what the chains agreed on: the model's opinion, not the truth."
        ),
        *folds[:3],
        earlier,
    )


def _sample(one: SampleProblem) -> str:
    label = f"label {one.label}" if one.label else "no majority"
    head = [
        chip(one.zone.value, one.zone.value),
        chip(f"agreement {one.score:.2f}", "off"),
        chip(label, "info" if one.label else "off"),
        chip(one.source, "off"),
    ]
    if one.cluster >= 0:
        head.append(chip(f"cluster {one.cluster}", "off"))
    asked = tag("p", "<em>asked:</em> ", text(one.asked)) if one.asked else ""
    chains = [
        tag(
            "pre",
            text(c.text),
            "\n",
            tag("span", text(_ending(c.answer, c.truncated)), kind="quiet"),
        )
        for c in one.chains
    ]
    return tag(
        "div", " ".join(head), tag("p", text(one.text)), asked, tag("div", *chains, kind="chains"),
        kind="sample",
    )  # fmt: skip


def _ending(answer: str, truncated: bool) -> str:  # noqa: FBT001  read off a chain
    if truncated:
        return "(cut off by the token budget)"
    return f"(answer {answer})" if answer else "(no answer)"


def refused(view: RunView) -> str:
    """Proposals that no chain was spent on."""
    found = [(r.episode, one) for r in reversed(view.run.records) for one in r.refused]
    found.sort(key=lambda pair: pair[1].gate is not Gate.premise)
    syntax = sum(r.census.refused_syntax for r in view.run.records)
    premise = sum(r.census.refused_premise for r in view.run.records)
    kinds = Counter(
        str(e.because["kind"])
        for e in view.run.events
        if e.kind is EventKind.proposal_refused and "kind" in e.because
    )
    words = (
        f"{syntax} proposals were refused as no problem, and {premise} because something in them "
        "is demonstrably false; a problem with a false premise teaches the model to agree with it."
    )
    if kinds:
        counted = ", ".join(f"{kind} ({n})" for kind, n in kinds.most_common())
        words += f" By what is false: {counted}."
    rows = [
        (text(episode), chip(one.gate.value, "bad" if one.gate is Gate.premise else "off"),
         _marked(one), text(one.reason))
        for episode, one in found[:MOST_REFUSED]
    ]  # fmt: skip
    parts = [table(("episode", "gate", "text", "reason"), rows, "tall")] if rows else []
    return section("refused", "Refused proposals", paragraph(words), *parts)


def _marked(one: RefusedProposal) -> str:
    """The text with what is false in it marked."""
    if not one.findings:
        return text(one.text) or tag("span", "(empty)", kind="quiet")
    first = one.findings[0]
    start, end = sorted((max(0, first.start), max(0, first.end)))
    before, false, after = one.text[:start], one.text[start:end], one.text[end:]
    return text(before) + (tag("mark", text(false)) if false else "") + text(after)


def setup(view: RunView) -> str:
    """What made the run: command, flags, settings off their defaults, versions."""
    header = view.run.header
    control = cast("dict[str, Any]", header.config.get("control", {}))
    flags = [chip(name, "good" if control.get(name) else "off") for name in FLAGS]
    default = dict(_leaves(without_folders(encode(RunSettings()))))
    changed = [
        (tag("code", text(key)), text(value), text(default.get(key, "")))
        for key, value in _leaves(header.config)
        if default.get(key) != value
    ]
    versions = [(text(name), text(version)) for name, version in header.versions.items()]
    return section(
        "setup",
        "What made this run",
        paragraph(header.model, "quiet"),
        tag("pre", text(header.command), kind="block"),
        tag("h3", "Flags of the control system"),
        tag("p", " ".join(flags)),
        tag("h3", "Settings off their defaults"),
        table(("setting", "this run", "default"), changed),
        fold("All settings", tag("pre", text(json.dumps(header.config, indent=2)), kind="block")),
        fold(
            "Versions and seed",
            table(("what", "version"), [("seed", text(header.seed)), *versions]),
        ),
    )


def _leaves(config: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Settings by dotted name, in order."""
    found: list[tuple[str, Any]] = []
    for key, value in config.items():
        if isinstance(value, dict):
            found += _leaves(cast("dict[str, Any]", value), f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", value))
    return found
