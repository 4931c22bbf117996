"""Is it separable? The library's answer, as far as the studio draws and prints it; and the fewest
rows that a line must get wrong, for sets small enough to know while one looks on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates import Certificate
from novikoff.inputs import read_labels, read_table
from novikoff.search.clock import Clock
from novikoff.studio.features import MAPS
from novikoff.studio.state import State
from novikoff.studio.timeline import proof_labels, rows_of
from novikoff.verdicts.certify import Verdict, certify
from novikoff.verdicts.costs import read_costs
from novikoff.verdicts.fewest import bracketed
from novikoff.verdicts.max_margin import MaxMargin, max_margin
from novikoff.wording import count, number

TIME_LIMIT = 2.0  # seconds for each question
BOUND = "bound (R/γ)²"
LONGEST_FRACTION = 1000  # a λ with a larger denominator is shown as a decimal


@dataclass(frozen=True, eq=False)
class Finding:
    """What is known about one class against the rest."""

    owner: int
    status: str  # 'separable', 'quasi-separable', 'overlapping' or 'undecided'
    certificate: Certificate | None
    separator: Any = None  # of the largest margin of the mistake bound
    bound: int | None = None  # (R/γ)² for its margin, rounded down: k is a whole number
    margin: tuple[float, float] = (0.0, 0.0)  # γ of the bound, from both sides
    radius: float = 0.0  # R
    widest: np.ndarray | None = None  # of the largest geometric margin, the offset last
    half_width: float = 0.0  # that margin
    support: tuple[tuple[int, str], ...] = ()  # rows that rule out a separator, each with its λ
    point: tuple[float, float] | None = None  # that both hulls share
    verdict: Verdict | None = None
    sentence: str = ""
    facts: tuple[tuple[str, str], ...] = ()


def find(state: State, owner: int, rows: Any = None) -> Finding:
    """Decide whether the class `owner` can be separated from the rest, and prove it.

    rows: what `rows_of` gives for the state, where it is at hand already.
    """
    table, labels = read_table(rows_of(state) if rows is None else rows), proof_labels(state, owner)
    question: dict[str, Any] = {
        "fit_intercept": state.offset, "time_limit": TIME_LIMIT, "positive": state.classes[owner],
        "label": "label",
    }  # fmt: skip
    verdict = certify(table, labels, **question)
    if verdict.status == "separable":
        margin, far = (
            max_margin(table, labels, geometric=geometric, verdict=verdict, **question)
            for geometric in (False, True)
        )
        return _separable(state, owner, verdict, margin, far)
    if verdict.status == "undecided":
        return Finding(
            owner, verdict.status, None,
            sentence=f"It is not decided: the search ended after {number(verdict.seconds)} s.",
        )  # fmt: skip
    return _obstructed(state, owner, verdict)


def _separable(
    state: State, owner: int, verdict: Verdict, margin: MaxMargin, far: MaxMargin
) -> Finding:
    bound = math.floor(Fraction(verdict.radius) ** 2 / Fraction(margin.lower) ** 2)
    facts = [
        ("margin γ", bracket(margin.lower, margin.upper)),
        ("radius R", number(verdict.radius)),
        (BOUND, count(bound, "mistake", ",")),
    ]
    if state.feature_map == "none":
        facts.append(("largest distance", bracket(far.lower, far.upper)))
    facts.append(checked(verdict))
    return Finding(
        owner,
        verdict.status,
        verdict.certificate,
        separator=margin.separator,
        bound=bound,
        margin=(margin.lower, margin.upper),
        radius=verdict.radius,
        widest=np.append(far.coef, far.intercept),
        half_width=far.lower,
        verdict=verdict,
        sentence=f"A{_what(state)[1:]} has every row strictly on its side.",
        facts=tuple(facts),
    )


def _obstructed(state: State, owner: int, verdict: Verdict) -> Finding:
    found = verdict.findings.obstruction
    places, multipliers = ([], []) if found is None else (found[0].tolist(), list(found[1]))
    total = sum(multipliers)
    support = sorted(
        (int(i), Fraction(int(m), int(total))) for i, m in zip(places, multipliers, strict=True)
    )
    count = len(support)
    many = f"These {count} rows prove it" if count != 1 else "This row proves it"
    if verdict.status == "quasi-separable":
        sentence = (
            f"The hulls touch: {_what(state)} has no row on its wrong side, but none has every "
            f"row strictly on its side. {many}."
        )
    else:
        sentence = f"No {_what(state).partition(' ')[2]} separates them, not even weakly. {many}."
    if state.offset and state.feature_map == "none" and verdict.status == "overlapping":
        sentence += " Weighed by λ, the positive and the negative ones meet in one point."
    return Finding(
        owner,
        verdict.status,
        verdict.certificate,
        support=tuple((i, _share(weight)) for i, weight in support),
        point=_shared_point(state, owner, support),
        radius=verdict.radius,
        verdict=verdict,
        sentence=sentence,
        facts=(checked(verdict),),
    )


def _shared_point(
    state: State, owner: int, support: list[tuple[int, Fraction]]
) -> tuple[float, float] | None:
    """Σ λ·x over the positive rows, which is Σ λ·x over the negative ones.

    Each side is scaled to weights of 1 in all; without an offset, to at most 1, so that the
    point lies in both hulls with the origin.
    """
    sides = {side: [(i, w) for i, w in support if (state.codes[i] == owner) == side]
             for side in (True, False)}  # fmt: skip
    heaviest = max((sum((w for _, w in side), Fraction(0)) for side in sides.values()), default=0)
    if state.feature_map != "none" or not heaviest:
        return None
    x, y = (
        sum((w * Fraction(float(state.points[i, axis])) for i, w in sides[True]), Fraction(0))
        / heaviest
        for axis in (0, 1)
    )
    return float(x), float(y)


def _what(state: State) -> str:
    line = (
        "a line"
        if state.feature_map == "none"
        else f"a curve of the {MAPS[state.feature_map].title} map"
    )
    return line if state.offset or state.feature_map != "none" else "a line through the origin"


def checked(verdict: Verdict) -> tuple[str, str]:
    numbers = {"binary64": "float64", "decimal": "decimal", "rational": "rational"}
    kind = type(verdict.certificate).__name__
    return "proof", f"{kind}, checked exactly on the {numbers[verdict.numbers]} numbers"


def bracket(lower: float, upper: float) -> str:
    """One number where both ends agree to six figures, else both."""
    low, high = number(lower), number(upper)
    return low if low == high else f"{low} to {high}"


def _share(weight: Fraction) -> str:
    return str(weight) if weight.denominator <= LONGEST_FRACTION else f"{float(weight):.3g}"


MOST_FEWEST_ROWS = 400
FEWEST_SECONDS = 0.5  # beside the replies
MOST_NAMED = 8


@dataclass(frozen=True)
class Fewest:
    """The bracket, and the rows that the best line found gets wrong."""

    lower: int
    upper: int
    rows: tuple[int, ...]

    def text(self) -> str:
        """As a fact of the card."""
        bracket = str(self.upper) if self.lower == self.upper else f"{self.lower} to {self.upper}"
        if not 0 < len(self.rows) <= MOST_NAMED:
            return f"{bracket} {'row' if bracket == '1' else 'rows'}"
        named = ", ".join(str(row + 1) for row in self.rows)
        return f"{bracket}: {'row' if len(self.rows) == 1 else 'rows'} {named}"


def is_asked(state: State, finding: Finding | None) -> bool:
    """Whether there is a question: few rows, and no line is right on all of them."""
    overlaps = finding is not None and finding.status in ("overlapping", "quasi-separable")
    return overlaps and state.n_rows <= MOST_FEWEST_ROWS


def find_fewest(
    state: State, owner: int, rows: Any, has_moved: Callable[[], bool]
) -> Fewest | None:
    """Search, for so long at most; None if the rows have moved on by then."""
    table = read_table(rows)
    labels = read_labels(proof_labels(state, owner), table.n_rows, state.classes[owner])
    costs = read_costs(None, None, table.n_rows)
    few = bracketed(table, labels, costs, state.offset, Clock(FEWEST_SECONDS, has_moved))
    if has_moved():
        return None
    return Fewest(int(few.lower or 0), int(few.upper or 0), tuple(few.rows.tolist()))


def said(fewest: Fewest | None) -> list[dict[str, str]]:
    """The facts of the card; none before it is known."""
    return [] if fewest is None else [{"name": "fewest mistakes", "value": fewest.text()}]
