"""The comparison as one picture: what each seed gained, and accuracy by level before and after."""

# matplotlib leaves its keyword arguments untyped.
# pyright: reportUnknownMemberType=false

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from argus_rl.evaluation.comparison import Comparison, Condition, SeedFigure

PLOT_KINDS = (".png", ".svg", ".pdf")
"""File endings that a plot can be written to."""

_COLOURS = ("#4C78A8", "#E45756", "#54A24B", "#B279A2", "#F58518", "#72B7B2", "#9D755D")
_NO_LEVEL = ("all", "easy", "harder")


def _bar(figure: SeedFigure) -> tuple[float, float]:
    """Value and half width in points; no width where there is no interval."""
    half = 0.0 if figure.interval is None else figure.interval.half_width
    return 100 * figure.value, 100 * half


def _draw_changes(axes: Axes, comparison: Comparison) -> None:
    """Change of every seed as a dot, with the interquartile mean and its interval beside it."""
    scopes = [s.scope for s in comparison.conditions[0].scopes if s.scope in _NO_LEVEL]
    width = 0.8 / len(comparison.conditions)
    for index, condition in enumerate(comparison.conditions):
        colour = _COLOURS[index % len(_COLOURS)]
        changes = [s.change for s in condition.scopes if s.scope in scopes]
        for place, change in enumerate(changes):
            x = place - 0.4 + width * (index + 0.5)
            seeds = [100 * value for _, value in change.values]
            axes.plot([x - width / 5] * len(seeds), seeds, "o", color=colour, alpha=0.35, ms=4)
            value, half = _bar(change)
            name = condition.name if place == 0 else None
            axes.errorbar(x, value, half, fmt="D", color=colour, capsize=3, ms=5, label=name)
    axes.axhline(0.0, color="black", lw=0.8)
    axes.set_xticks(range(len(scopes)), scopes)
    axes.set_ylabel("change in accuracy (points)")
    axes.set_title("What each seed gained")
    axes.legend(fontsize=7, frameon=False)


def _levels(condition: Condition) -> list[tuple[int, SeedFigure, SeedFigure]]:
    return [
        (int(s.scope.removeprefix("level ")), s.before, s.after)
        for s in condition.scopes
        if s.scope.startswith("level ")
    ]


def _draw_levels(axes: Axes, comparison: Comparison) -> None:
    """Accuracy by level: dashed for the start, solid for the end, intervals as whiskers."""
    for index, condition in enumerate(comparison.conditions):
        colour = _COLOURS[index % len(_COLOURS)]
        rows = _levels(condition)
        levels = [level for level, _, _ in rows]
        starts = [100 * before.value for _, before, _ in rows]
        ends = [_bar(after) for _, _, after in rows]
        axes.plot(levels, starts, "--", color=colour, lw=1.0, alpha=0.6)
        axes.errorbar(
            levels,
            [value for value, _ in ends],
            [half for _, half in ends],
            fmt="o-",
            color=colour,
            capsize=2,
            ms=4,
        )
    axes.set_xticks([level for level, _, _ in _levels(comparison.conditions[0])])
    axes.set_ylim(-2, 102)
    axes.set_xlabel("steps of reasoning")
    axes.set_ylabel("accuracy (%)")
    axes.set_title("Start (dashed) and end (solid) by level")


def save_plot(comparison: Comparison, path: Path) -> None:
    """Write the picture as PNG, SVG or PDF, by the ending. Raises OSError if it cannot."""
    by_level = bool(_levels(comparison.conditions[0]))
    figure = Figure(figsize=(10 if by_level else 5.5, 4), layout="constrained")
    _draw_changes(figure.add_subplot(1, 2 if by_level else 1, 1), comparison)
    if by_level:
        _draw_levels(figure.add_subplot(1, 2, 2), comparison)
    figure.savefig(path, dpi=150)
