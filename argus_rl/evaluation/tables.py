"""The comparison as a person reads it on a terminal: tables, and a sentence per condition.

Rates are printed in per cent and differences in points, each with half the width of its 95 %
interval over seeds. `(one seed)` stands where there is no interval, `(all equal)` where every seed
gave the same figure, as the start does when all runs begin from one model.
"""

from rich.table import Table

from argus_rl.core.stats.estimate import Interval
from argus_rl.evaluation.comparison import (
    Against,
    Comparison,
    Condition,
    ScopeComparison,
    SeedFigure,
)


def _spread(interval: Interval | None, scale: float, digits: int) -> str:
    if interval is None:
        return "(one seed)"
    half = scale * interval.half_width
    return "(all equal)" if half == 0.0 else f"± {half:.{digits}f}"


def percent(figure: SeedFigure) -> str:
    """A rate in per cent: `41.2 ± 3.1`."""
    return f"{100 * figure.value:.1f} {_spread(figure.interval, 100, 1)}"


def points(figure: SeedFigure | Against) -> str:
    """A difference in points, with its sign: `+13.0 ± 2.2`."""
    rounded = round(100 * figure.value, 1) + 0.0  # no "-0.0"
    if figure.interval is None:
        return f"{rounded:+.1f} (one seed)"
    return f"{rounded:+.1f} ± {100 * figure.interval.half_width:.1f}"


def _plain(figure: SeedFigure) -> str:
    return f"{figure.value:.4g} {_spread(figure.interval, 1, 3)}"


def _against(scope: ScopeComparison) -> str:
    return "reference" if scope.against is None else points(scope.against)


def _folded(name: str) -> str:
    """A condition's name with each differing setting on its own line."""
    return name.replace(", ", "\n  ")


def accuracy_table(comparison: Comparison) -> Table:
    """Accuracy before and after, its change, and the difference to the reference, by group."""
    table = Table(
        title=f"Held-out accuracy (mean of {comparison.samples} samples), % over seeds",
        caption=(
            "Interquartile mean over seeds ± half its 95 % interval (stratified bootstrap): "
            "what a new seed would do on these items. Change: of each seed's own figures."
        ),
    )
    for name in ("condition", "seeds", "items of"):
        table.add_column(name)
    for name in ("before", "after", "change", f"change - {comparison.reference}'s"):
        table.add_column(name, justify="right")
    for condition in comparison.conditions:
        for scope in condition.scopes:
            first = scope is condition.scopes[0]
            table.add_row(
                _folded(condition.name) if first else "",
                str(len(condition.seeds)) if first else "",
                f"{scope.scope} ({scope.items})",
                percent(scope.before),
                percent(scope.after),
                points(scope.change),
                _against(scope),
                end_section=scope is condition.scopes[-1],
            )
    return table


def figures_table(comparison: Comparison) -> Table | None:
    """Figures of the runs' summaries, None where no run has any."""
    names = dict.fromkeys(name for each in comparison.conditions for name in each.figures)
    if not names:
        return None
    table = Table(
        title="Figures of the whole run",
        caption="Mean over seeds ± half its 95 % interval (Student).",
    )
    table.add_column("figure")
    for condition in comparison.conditions:
        table.add_column(_folded(condition.name), justify="right")
    for name in names:
        cells = [each.figures.get(name) for each in comparison.conditions]
        table.add_row(name, *("-" if cell is None else _plain(cell) for cell in cells))
    return table


def _clause(scope: ScopeComparison, against: Against) -> str:
    return f"{scope.scope}: {against.word}, {points(against)} points"


def condition_sentence(condition: Condition, reference: str) -> str | None:
    """What can be said of a condition against the reference; None for the reference itself."""
    against = condition.scopes[0].against
    if against is None:
        return None
    how = f"paired over seeds: {against.paired_seeds}" if against.paired_seeds else "not paired"
    clauses = [
        _clause(scope, scope.against)
        for scope in condition.scopes
        if scope.against is not None and not scope.scope.startswith("level")
    ]
    return f"{condition.name} against {reference}, change in accuracy ({how}): " + (
        "; ".join(clauses) + "."
    )
