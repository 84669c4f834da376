"""How pictures look: one palette with one meaning a colour, and SVG that fits a light or dark page.

Colours keep their meaning in every picture: blue is information gained, teal what is good (the
frontier, accuracy after), red what is refused. Ink, rules and paper are drawn in marker colours
that `to_svg` replaces by the page's own (`currentColor`, `var(--rule)`, `var(--paper)`), so that a
picture is readable whichever way the reader's screen is set. Text stays text.
"""

import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK = "#1b1e28"
RULE = "#d5d9e2"
PAPER = "#fdfdfe"
QUIET = "#6b7385"

BLUE = "#3f7fca"
TEAL = "#239a86"
RED = "#d64550"
AMBER = "#dd962f"
VIOLET = "#8a68c2"
GREY = "#929bab"
SKY = "#7db3e6"
CYCLE = (BLUE, AMBER, TEAL, VIOLET, RED, "#5aa9c9", "#b58a5a", "#7a8f3c", "#c470a5", GREY)
"""For things without a meaning of their own (clusters), in order."""

PAGE_COLOURS = {
    INK: "currentColor",
    RULE: "var(--rule)",
    PAPER: "var(--paper)",
    QUIET: "var(--quiet)",
}

RC: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "svg.fonttype": "none",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": RULE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def canvas(
    rows: int = 1, *, height: float = 3.0, width: float = 9.0, ratios: tuple[float, ...] = ()
) -> tuple[Figure, list[Axes]]:
    """Return a figure with `rows` panels that share their x axis; sizes in inches."""
    with mpl.rc_context(RC):
        figure = Figure(figsize=(width, height), layout="constrained")
        grid = figure.subplots(
            rows,
            1,
            sharex=True,
            squeeze=False,
            gridspec_kw={"height_ratios": ratios or (1.0,) * rows},
        )
    return figure, [grid[row][0] for row in range(rows)]


def titled(axes: Axes, title: str, unit: str = "") -> None:
    """Put a title over the left end of a panel, and name the unit of its y axis."""
    axes.set_title(title, loc="left", fontsize=10.5, fontweight="bold", color=INK)
    axes.set_ylabel(unit, color=INK, fontsize=9)


def episode_axis(axes: Axes, episodes: list[int]) -> None:
    """Label the x axis as episodes, whole numbers only."""
    axes.set_xlabel("episode")
    axes.set_xticks(range(min(episodes), max(episodes) + 1, 1 + len(episodes) // 16))
    axes.set_xlim(min(episodes) - 0.6, max(episodes) + 0.6)


def legend_above(axes: Axes, columns: int) -> None:
    """Put the legend over the right end of the panel, on the line of its title."""
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=columns, borderaxespad=0.1,
        frameon=False, fontsize=8.5, labelcolor=INK,
        handlelength=1.4, columnspacing=1.3, handletextpad=0.5,
    )  # fmt: skip


def to_svg(figure: Figure, name: str, label: str) -> str:
    """Return the picture as an `<svg>` element for a page.

    Args:
        figure: the picture.
        name: unique within the page; ids inside the picture derive from it.
        label: what a screen reader says.
    """
    buffer = io.StringIO()
    with mpl.rc_context({**RC, "svg.hashsalt": name}):
        figure.savefig(
            buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True
        )
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(
        r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', _opening(label), text, count=1, flags=re.DOTALL
    )
    text = re.sub(r'(\bid="|url\(#|xlink:href="#)', rf"\g<1>{name}-", text)
    for drawn, shown in PAGE_COLOURS.items():
        text = text.replace(drawn, shown)
    return re.sub(r"font: ([^;\"]*?)'DejaVu Sans'[^;\"]*", r"font: \1var(--sans)", text)


def _opening(label: str) -> str:
    safe = label.replace("&", "&amp;").replace('"', "&quot;").replace("\\", "")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        rf'viewBox="\g<1>" role="img" aria-label="{safe}">'
    )


def write_png(figure: Figure, path: Path, *, dpi: int = 160) -> None:
    """Write the picture on white paper, for documents that cannot hold SVG."""
    with mpl.rc_context(RC):
        figure.savefig(path, format="png", dpi=dpi, facecolor="white", metadata={"Software": None})
