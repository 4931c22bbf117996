"""All columns of the table that the plane shows two of: the verdict on them, and its proof.

A drag changes the two drawn numbers of a row, a flip its class; everything else is as in the
table. What cannot be known (a row that was added has no other columns) is said, not guessed.

What the verdict means to a statistician stands beside it: the remark on logistic regression, the
coefficients that are infinite, and the blocking rows with all their columns.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.inputs import Table, table_of_fractions
from novikoff.report.tables import cells
from novikoff.studio.proof import Finding, undecided
from novikoff.studio.sources import PROJECTION, Columns
from novikoff.studio.state import State
from novikoff.studio.timeline import proof_labels, written_decimal
from novikoff.studio.values import Section
from novikoff.verdicts.answer import SIGNS
from novikoff.verdicts.certify import Verdict, certify
from novikoff.wording import count, plural

TIME_LIMIT = 10.0  # seconds, in the background


def is_projection(state: State) -> bool:
    """Whether the table says more than the two numbers of each row that are drawn."""
    source = state.source
    return "width" in source and bool(
        source["width"] > 2 or source.get("columns") == PROJECTION or source.get("rounded")
    )


def whole_key(state: State) -> tuple[Any, ...]:
    """What the verdict on all columns depends on."""
    source = state.source
    origin = None if state.origin is None else state.origin.tobytes()
    return (
        "whole", state.rows_key, origin, state.offset, source.get("kind"), source.get("name"),
        source.get("file"), source.get("label"), str(source.get("columns")),
        str(source.get("reading")),
    )  # fmt: skip


def why_unknown(state: State, columns: Columns | None) -> str:
    """Why nothing can be said about all columns, in a sentence; empty where something can."""
    source = state.source
    if columns is None:
        return (
            f"Only the two drawn columns of {source.get('name', 'the table')} are here; open the "
            f"file again to decide on all {source.get('width')}."
        )
    if state.origin is not None and (state.origin < 0).any():
        added = int((state.origin < 0).sum())
        verb = plural(added, "has", "have")
        return f"Not known: {count(added, 'row', ',')} that you added {verb} no other columns."
    if source.get("columns") == PROJECTION and source.get("moved"):
        return "Not known: a row was moved in the projection, where the columns cannot follow it."
    places = np.arange(state.n_rows) if state.origin is None else state.origin
    if len(places) and int(places.max()) >= columns.table.n_rows:
        return "Not known: the rows on the screen are not those of the table."
    return ""


def decide(state: State, columns: Columns, owner: int) -> Finding:
    """Decide on all columns, with the rows as they are on the screen."""
    question: dict[str, Any] = {"fit_intercept": state.offset, "time_limit": TIME_LIMIT}
    positive = state.classes[owner]
    if state.is_binary and columns.data is not None and not state.source.get("edited"):
        label = columns.values.get(positive, positive)  # as the file's reader gave it
        verdict = certify(columns.data, positive=label, **question)
    else:
        table, labels = whole_table(state, columns), proof_labels(state, owner)
        question |= {"label": columns.source.get("label", "label"), "positive": positive}
        verdict = certify(table, labels, **question)
    if verdict.status == "undecided":
        return undecided(owner, verdict)
    return Finding(owner, verdict.status, "", verdict)


def whole_table(state: State, columns: Columns) -> Table:
    """All columns of the rows on the screen, in their order; exact where the table is."""
    table = columns.table
    places = np.arange(state.n_rows) if state.origin is None else state.origin
    matrix, names = table.dense_rows(places), table.names or columns.names
    exact = None if table.exact is None else table.exact[places].copy()
    drawn = _drawn(state, columns)
    moved = np.argwhere(matrix[:, drawn] != state.points[:, : len(drawn)]).tolist()
    if len(moved) and table.numbers != "binary64" and exact is None:
        exact = np.empty(matrix.shape, dtype=object)
        exact.ravel()[:] = [Fraction(value) for value in matrix.ravel().tolist()]
    for i, axis in moved:
        matrix[i, drawn[axis]] = value = float(state.points[i, axis])
        if exact is not None:
            exact[i, drawn[axis]] = written_decimal(value)
    if exact is None:
        return Table(matrix, names, table.numbers)
    return table_of_fractions(exact.ravel().tolist(), exact.shape, names, table.numbers)


def _drawn(state: State, columns: Columns) -> list[int]:
    """The places of the columns that are drawn; none in a projection."""
    chosen = state.source.get("columns")
    if chosen == PROJECTION:
        return []
    return list(chosen) if chosen is not None else list(range(min(2, columns.table.n_columns)))


COLUMNS_SECONDS = 20.0  # for the signs of infinite coefficients, in the background
MOST_ROWS, MOST_COLUMNS = 60, 60  # of the table of blocking rows


def regression(verdict: Verdict, state: State) -> Section:
    """The card's part for a statistician."""
    table = verdict.signed_rows.table
    found = verdict.columns_if_quick(COLUMNS_SECONDS)
    infinite = [
        {"name": name, "value": SIGNS.get(word, word)} for name, word in (found or {}).items()
    ]
    remark = verdict.sentence()
    if found is None and verdict.status in ("separable", "quasi-separable"):
        remark += " Which coefficients are infinite was not searched for: the table is large."
    width = min(table.n_columns, MOST_COLUMNS)
    blocking = [i for i in verdict.rows[:MOST_ROWS].tolist() if i < state.n_rows]
    return {
        "remark": remark,
        "infinite": infinite,
        "header": ["row", "class", *(table.column_name(j) for j in range(width))],
        "rows": [[str(i + 1), state.classes[state.codes[i]], *cells(table, i, width)]
                 for i in blocking],
        "more": f"The first {width} of {table.n_columns} columns."
        if width < table.n_columns
        else "",
    }  # fmt: skip
