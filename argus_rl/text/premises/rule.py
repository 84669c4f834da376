"""Relations as patterns: what makes a rule, and how it is judged.

A rule is a pattern over the abstract form of a text, a formula over the quantities it names, and
the quantity that claims the value.  `<a:NM>` in a pattern is a quantity of type N or M under the
name a; `~` is a run of words of one sentence without quantities.  The claim is false where it
differs from the formula and from every reading in `accept`; quantities that do not fit together
(dollars and apples) give no judgement.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from argus_rl.text.expression import evaluate
from argus_rl.text.premises.findings import PremiseFinding, PremiseKind
from argus_rl.text.premises.reading import Quantity, Reading

_SLOT = re.compile(r"<(\w):([NMUPFXTY]+)>")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a rule pattern."""
    pattern = _SLOT.sub(r"(?P<\1>\\b[\2]\\d+\\b)", pattern)
    return re.compile(pattern.replace("~", r"[^A-Z.#]*?"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One relation between quantities."""

    kind: PremiseKind
    """The kind a violation is reported as."""
    pattern: str
    """Where the relation is stated."""
    formula: str
    """Value of the claim in the names of the pattern ("a - b")."""
    claim: str = "c"
    """Name of the claiming quantity."""
    alike: str = ""
    """Names whose quantities must be of the claim's type and dimension."""
    accept: tuple[str, ...] = ()
    """Further formulas whose value makes the claim true."""
    holds: Callable[[Reading, re.Match[str]], bool] | None = None
    """Condition on the match beyond the pattern."""


def findings_of(rule: Rule, reading: Reading) -> Iterator[PremiseFinding]:
    """Violations of one rule in a text."""
    for match in compiled(rule.pattern).finditer(reading.form):
        if rule.holds is not None and not rule.holds(reading, match):
            continue
        named = {
            name: reading.of(group)
            for name, group in match.groupdict().items()
            if len(name) == 1 and group is not None
        }
        claim = named[rule.claim]
        if not all(comparable(named[name], claim) for name in rule.alike if name in named):
            continue
        expected = value_of(rule.formula, named, claim)
        if expected is None or expected == claim.value:
            continue
        if any(value_of(other, named, claim) == claim.value for other in rule.accept):
            continue
        yield finding(rule.kind, claim, spelled(rule.formula, named, claim), expected)


def value_of(formula: str, named: dict[str, Quantity], claim: Quantity) -> Fraction | None:
    """Value of a formula in the unit of `claim`, None where it divides by zero."""
    return evaluate(spelled(formula, named, claim))


def spelled(formula: str, named: dict[str, Quantity], claim: Quantity) -> str:
    """The formula with the numbers of the text in place of names."""
    return re.sub(
        r"\b[a-z]\b",
        lambda name: written(in_unit_of(named[name.group()], claim), bracket=True),
        formula,
    )


def in_unit_of(quantity: Quantity, other: Quantity) -> Fraction:
    """Value of `quantity` in the unit of `other` where they share a dimension."""
    if quantity.dimension and quantity.dimension == other.dimension:
        return quantity.base / other.ratio
    return quantity.value


def comparable(quantity: Quantity, other: Quantity) -> bool:
    """Whether two quantities can be added or compared."""
    if quantity.kind == other.kind:
        return quantity.dimension == other.dimension
    bare = quantity if quantity.kind == "N" else other
    measure = other if bare is quantity else quantity
    return bare.kind == "N" and not bare.noun and measure.kind in "UM"


def written(value: Fraction, *, bracket: bool = False) -> str:
    """A value as text: decimals where they are exact and short, else a fraction."""
    if value.denominator == 1:
        text = str(value.numerator)
    elif 10**6 % value.denominator == 0:
        whole, rest = divmod(abs(value.numerator) * 10**6 // value.denominator, 10**6)
        text = f"{'-' * (value < 0)}{whole}.{rest:06d}".rstrip("0")
    else:
        text = f"{value.numerator}/{value.denominator}"
    return f"({text})" if bracket and not text.replace(".", "").isdigit() else text


def finding(
    kind: PremiseKind, claim: Quantity, expression: str, true: Fraction | str
) -> PremiseFinding:
    """A finding about the claim of one quantity."""
    return PremiseFinding(
        kind=kind,
        span=claim.span,
        expression=expression,
        claimed=written(claim.value),
        true_value=true if isinstance(true, str) else written(true),
    )
