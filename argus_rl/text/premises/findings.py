"""What a premise check reports: a kind, a place, and the claimed beside the true value."""

from dataclasses import dataclass
from enum import StrEnum


class PremiseKind(StrEnum):
    """The relation that a text states wrongly or that cannot hold."""

    SUM = "sum"
    """Two quantities and their stated sum."""
    LIST_TOTAL = "list_total"
    """Three or more quantities and their stated total."""
    DIFFERENCE = "difference"
    """What is left, saved or gained."""
    PRODUCT = "product"
    """Equal groups and their stated whole."""
    QUOTIENT = "quotient"
    """A whole and its stated equal shares."""
    MULTI_STEP = "multi_step"
    """A total that mixes products and sums."""
    FRACTION = "fraction"
    """A fraction of a quantity."""
    PERCENT = "percent"
    """A percentage of a quantity."""
    PERCENT_CHANGE = "percent_change"
    """A rise or fall by a percentage."""
    UNIT_CONVERSION = "unit_conversion"
    """One measure in two units."""
    DOZEN_UNITS = "dozen_units"
    """Dozens, pairs and other counted packs."""
    TIME_SPAN = "time_span"
    """Two moments and the time between them."""
    MONEY = "money"
    """Prices, change and coins."""
    COMPARE_MORE = "compare_more"
    """One quantity so much more or less than another."""
    COMPARE_TIMES = "compare_times"
    """One quantity so many times another."""
    AVERAGE = "average"
    """A mean, a rate or a speed."""
    RATIO = "ratio"
    """Two quantities in a stated ratio."""
    GEOMETRY = "geometry"
    """Area, perimeter and volume of plain shapes."""
    NEGATIVE_REMAINDER = "negative_remainder"
    """More taken away than there is."""
    NON_INTEGER_COUNT = "non_integer_count"
    """A fractional number of things that come whole."""
    PART_EXCEEDS_WHOLE = "part_exceeds_whole"
    """Parts that are larger than their whole."""
    ZERO_DIVISION = "zero_division"
    """Equal shares among nobody."""
    INCONSISTENT_RESTATEMENT = "inconsistent_restatement"
    """One quantity stated twice with different values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseFinding:
    """One assertion of a text that is false or impossible."""

    kind: PremiseKind
    """The relation that decides."""
    span: tuple[int, int]
    """Characters [start, end) of the claim in the text."""
    expression: str
    """The arithmetic that decides, in the numbers of the text."""
    claimed: str
    """The value the text claims."""
    true_value: str
    """The value that the expression has, or the condition it violates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiseReport:
    """Everything a check found, in the order of the text."""

    findings: tuple[PremiseFinding, ...]
    """The false or impossible assertions; empty for a sound text."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found."""
        return not self.findings
