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
from novikoff.studio.state import State
from novikoff.studio.timeline import proof_labels
from novikoff.studio.values import Section
from novikoff.verdicts.certify import Verdict, certify
from novikoff.verdicts.costs import read_costs
from novikoff.verdicts.fewest import bracketed
from novikoff.verdicts.max_margin import max_margin
from novikoff.wording import number

TIME_LIMIT = 2.0  # seconds for each question
MOST_NAMED = 12  # rows of a proof
LONGEST_FRACTION = 1000  # a λ with a larger denominator is shown as a decimal


@dataclass(frozen=True, eq=False)
class Finding:
    """What is known about one class against the rest: on the drawn columns, or on all of them."""

    owner: int
    status: str  # of a verdict; 'deciding' or 'unknown' where there is none yet
    reason: str = ""  # why there is none, in a sentence
    verdict: Verdict | None = None
    separator: Any = None  # of the largest margin of the mistake bound
    bound: int | None = None  # (R/γ)² for its margin, rounded down: k is a whole number
    margin: tuple[float, float] = (0.0, 0.0)  # γ of the bound, from both sides
    radius: float = 0.0  # R
    widest: np.ndarray | None = None  # of the largest geometric margin, the offset last
    distance: tuple[float, float] = (0.0, 0.0)  # that margin, from both sides
    support: tuple[tuple[int, str], ...] = ()  # rows that rule out a separator, each with its λ
    point: tuple[float, float] | None = None  # that both hulls share

    @property
    def certificate(self) -> Certificate | None:
        return None if self.verdict is None else self.verdict.certificate

    def to_json(self) -> Section:
        """The facts, which the page puts into words."""
        facts: Section = {
            "owner": self.owner, "status": self.status, "reason": self.reason,
            "has_proof": self.certificate is not None, "margin": list(self.margin),
            "distance": list(self.distance), "radius": self.radius, "bound": self.bound,
            "support": list(map(list, self.support)),
            "numbers": "", "columns": 0, "rows": [], "n_rows": 0,
        }  # fmt: skip
        if self.verdict is None:
            return facts
        rows, columns = self.verdict.rows.tolist(), self.verdict.signed_rows.table.n_columns
        known = {"numbers": self.verdict.numbers, "columns": columns, "n_rows": len(rows)}
        return facts | known | {"rows": rows[:MOST_NAMED]}


def find(state: State, owner: int, rows: Any) -> Finding:
    """Decide whether the class `owner` can be separated from the rest, and prove it.

    rows: what `rows_of` gives for the state.
    """
    table, labels = read_table(rows), proof_labels(state, owner)
    question: dict[str, Any] = {
        "fit_intercept": state.offset, "time_limit": TIME_LIMIT, "positive": state.classes[owner],
        "label": "label",
    }  # fmt: skip
    verdict = certify(table, labels, **question)
    if verdict.status == "undecided":
        return undecided(owner, verdict)
    if verdict.status != "separable":
        return _obstructed(state, owner, verdict)
    margin, far = (
        max_margin(verdict, geometric=geometric, time_limit=TIME_LIMIT)
        for geometric in (False, True)
    )
    bound = math.floor(Fraction(verdict.radius) ** 2 / Fraction(margin.lower) ** 2)
    return Finding(
        owner, verdict.status, "", verdict, separator=margin.separator, bound=bound,
        margin=(margin.lower, margin.upper), radius=verdict.radius,
        widest=np.append(far.coef, far.intercept), distance=(far.lower, far.upper),
    )  # fmt: skip


def undecided(owner: int, verdict: Verdict) -> Finding:
    reason = f"It is not decided: the search ended after {number(verdict.seconds)} s."
    return Finding(owner, verdict.status, reason)


def _obstructed(state: State, owner: int, verdict: Verdict) -> Finding:
    found = verdict.findings.obstruction
    places, multipliers = ([], []) if found is None else (found[0].tolist(), list(found[1]))
    total = int(sum(multipliers))
    support = sorted(
        (int(i), Fraction(int(m), total)) for i, m in zip(places, multipliers, strict=True)
    )
    named = tuple((i, _share(weight)) for i, weight in support)
    point = _shared_point(state, owner, support)
    return Finding(
        owner, verdict.status, "", verdict, support=named, point=point, radius=verdict.radius
    )


def _shared_point(
    state: State, owner: int, support: list[tuple[int, Fraction]]
) -> tuple[float, float] | None:
    """Σ λ·x over the positive rows, which is Σ λ·x over the negative ones.

    Each side is scaled to weights of 1 in all; without an offset, to at most 1, so that the
    point lies in both hulls with the origin.
    """
    own = [(i, weight) for i, weight in support if state.codes[i] == owner]
    share = sum((weight for _, weight in own), Fraction(0))
    if state.feature_map != "none" or not support:
        return None
    heavier = max(share, 1 - share)
    x, y = (
        float(sum(w * Fraction(float(state.points[i, axis])) for i, w in own) / heavier)
        for axis in (0, 1)
    )
    return x, y


def _share(weight: Fraction) -> str:
    return str(weight) if weight.denominator <= LONGEST_FRACTION else f"{float(weight):.3g}"


MOST_FEWEST_ROWS = 400
FEWEST_SECONDS = 0.5  # beside the replies


@dataclass(frozen=True)
class Fewest:
    """The bracket, and the rows that the best line found gets wrong."""

    lower: int
    upper: int
    rows: tuple[int, ...]


def is_asked(state: State, finding: Finding) -> bool:
    """Whether there is a question: few rows, and no line is right on all of them."""
    overlaps = finding.status in ("overlapping", "quasi-separable")
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
