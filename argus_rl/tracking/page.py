"""One page that holds a run: it opens offline, asks nobody for anything, and fits any screen.

Pictures are SVG inside the page, the style sheet is inside it too, and there is no script. What is
on it comes from the ledger and the files beside it alone, so a page can be made again at any time.
"""

from pathlib import Path

from argus_rl.tracking import sections, sections_problems
from argus_rl.tracking.html import paragraph, section, tag, text
from argus_rl.tracking.views import RunView

STYLE = Path(__file__).with_name("page.css")

CONTENTS = (
    ("outcome", "Outcome", sections.outcome),
    ("gauges", "Two gauges", sections.gauges),
    ("episodes", "Episodes", sections.episodes),
    ("zones", "Problems and chains", sections_problems.zones),
    ("labels", "True labels", sections_problems.labels),
    ("detectors", "Detectors", sections.detectors),
    ("defenses", "Defenses", sections_problems.defenses),
    ("clusters", "Clusters", sections_problems.clusters),
    ("spsi", "Health", sections.spsi),
    ("samples", "Samples", sections_problems.samples),
    ("refused", "Refused proposals", sections_problems.refused),
    ("setup", "Set-up", sections_problems.setup),
)
"""Name, title in the table of contents, and maker of each section; an empty one is left out."""

NEEDS_EPISODES = {"gauges", "episodes", "zones", "detectors", "spsi", "clusters", "refused"}
"""Sections that have nothing to show before the first episode is committed."""


def page(view: RunView) -> str:
    """Return the whole page as HTML."""
    header = view.run.header
    made = [
        (name, title, make(view))
        for name, title, make in CONTENTS
        if view.run.records or name not in NEEDS_EPISODES
    ]
    shown = [(name, title, html) for name, title, html in made if html]
    if not view.run.records:
        note = paragraph("No episode of this run was committed yet.", "warn")
        shown.insert(1, ("episodes", "Episodes", section("episodes", "Episodes", note)))
    items = [tag("li", tag("a", text(title), href=f"#{name}")) for name, title, _ in shown]
    body = [
        _headline(view),
        tag(
            "div",
            tag("nav", tag("ol", *items), **{"aria-label": "Contents"}),
            tag("main", *(html for _, _, html in shown)),
            kind="columns",
        ),
        tag("footer", "Made from the ledger by ", tag("code", text(view.command)), "."),
    ]
    title = f"{header.preset} seed {header.seed}: {_outcome(view).lower()}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{text(title)}</title>",
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head>",
            tag("body", tag("div", *body, kind="frame")),
            "</html>",
            "",
        ]
    )


def _outcome(view: RunView) -> str:
    if view.accuracy:
        return view.accuracy.outcome.capitalize()
    return "Unfinished" if view.start else "Not evaluated"


def _claim(view: RunView) -> str:
    if view.accuracy:
        return view.accuracy.sentence
    if view.start is None:
        return "Nothing was evaluated before and after this run, so nothing can be claimed."
    done = f"{len(view.run.records)} of {view.asked} episodes are committed"
    return (
        f"{done}. Held-out accuracy was {view.start.text()} % before the run; what has changed is "
        "measured at its end: python -m argus_rl.train resume=RUN_DIR goes on."
    )


def _headline(view: RunView) -> str:
    header = view.run.header
    kicker = f"argus_rl run report · {header.preset} · seed {header.seed}"
    return tag(
        "header",
        paragraph(kicker, "kicker"),
        tag("h1", text(_outcome(view)), kind=_outcome(view).lower().replace(" ", "-")),
        paragraph(_claim(view), "claim"),
        *(paragraph(warning, "warn") for warning in view.run.warnings),
        sections.cards(view),
    )
