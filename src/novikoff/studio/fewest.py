"""The fewest rows that a line must get wrong, for sets small enough to know while one looks on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from novikoff.inputs import read_labels, read_table
from novikoff.search.clock import Clock
from novikoff.studio.proof import Finding
from novikoff.studio.state import State
from novikoff.studio.timeline import proof_labels
from novikoff.verdicts.costs import read_costs
from novikoff.verdicts.fewest import bracketed

MOST_ROWS = 400
TIME_LIMIT = 0.5  # seconds, beside the replies
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
    return overlaps and state.n_rows <= MOST_ROWS


def find_fewest(
    state: State, owner: int, rows: Any, has_moved: Callable[[], bool]
) -> Fewest | None:
    """Search, for so long at most; None if the rows have moved on by then."""
    table = read_table(rows)
    labels = read_labels(proof_labels(state, owner), table.n_rows, state.classes[owner])
    costs = read_costs(None, None, table.n_rows)
    few = bracketed(table, labels, costs, state.offset, Clock(TIME_LIMIT, has_moved))
    if has_moved():
        return None
    return Fewest(int(few.lower or 0), int(few.upper or 0), tuple(few.rows.tolist()))


def said(fewest: Fewest | None) -> list[dict[str, str]]:
    """The facts of the card; none before it is known."""
    return [] if fewest is None else [{"name": "fewest mistakes", "value": fewest.text()}]
