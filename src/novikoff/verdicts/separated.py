"""The rows that are predicted perfectly: all, some or none of them, by the certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from novikoff.verdicts.held import Held
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict

MOST = 1000  # rows that are listed in JSON


def how_many(verdict: Verdict) -> int | None:
    """How many rows are predicted perfectly; None where that is not known."""
    return None if verdict.certificate is None else verdict.certificate.n_settled


def places(verdict: Verdict) -> np.ndarray | None:
    """Where in X these rows are, ascending."""
    if verdict.certificate is None:
        return None
    if verdict.status != "quasi-separable":
        return np.arange(verdict.certificate.n_settled)
    if isinstance(verdict.evidence, Held):
        rows = verdict.evidence.unchanged()
        return verdict.certificate.settled(rows.table, rows.signs)
    return verdict.evidence.settled_places()


def listed(verdict: Verdict) -> list[int] | None:
    """Their numbers for JSON, where they are some of the rows and not very many."""
    number = how_many(verdict)
    if number is None or number > MOST or verdict.separated is None:
        return None
    rows: list[int] = verdict.separated.tolist()
    return rows


def ending(verdict: Verdict) -> str:
    """The sentence about quasi-separable rows that says how many are predicted perfectly."""
    number = how_many(verdict)
    if number is None:
        return ""
    rest = verdict.n_rows - number
    are = "is" if number == 1 else "are"
    others = "the other row" if rest == 1 else f"the other {rest}"
    return (
        f" {number} of the {count(verdict.n_rows, 'row')} {are} predicted perfectly; on {others} "
        "alone the estimate is finite."
    )


def text(verdict: Verdict, most: int) -> str:
    """The first of them by number."""
    found = verdict.separated
    if found is None:
        return "not known: the time limit ended the search for the rows predicted perfectly"
    shown = ", ".join(map(str, found[:most].tolist()))
    many = len(found) > most
    more = f", … ({len(found)} in all; ask for verdict.separated)" * many
    are = "is" if len(found) == 1 else "are"
    return f"{shown}{more}, counted from 0, {are} predicted perfectly"
