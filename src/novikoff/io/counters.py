"""Columns of numbers that count the rows: 0, 1, 2, …, or 9, 8, 7, …

In tables of text io/layout.py looks at them by name and in more ways; here are arrays, whose
columns have no names, and sparse rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.io.text.columns import ENOUGH

LOOK = 1000  # rows that show whether a column may rise with all of them


class Rising(NamedTuple):
    """A column of whole numbers that rise, or fall, from each row to the next."""

    place: int  # in X, from 0
    counts: bool  # in steps of one
    few: str  # its first numbers


def rising_columns(X: Any) -> list[Rising]:
    """Those of an array or a CSR matrix that stand beside others which do not rise."""
    if X.ndim != 2 or X.shape[0] < ENOUGH or X.shape[1] < 2:
        return []
    found = []
    for place in _candidates(X).tolist():
        column = X[:, place] if isinstance(X, np.ndarray) else X[:, [place]].toarray().ravel()
        steps = np.diff(column.astype(np.float64))
        if (steps > 0).all() or (steps < 0).all():
            few = ", ".join(str(int(value)) for value in column[:3].tolist())
            found.append(Rising(place, bool((np.abs(steps) == 1).all()), f"{few}, …"))
    return found if len(found) < X.shape[1] else []


def _candidates(X: Any) -> np.ndarray:
    """The columns that rise or fall in the first rows; sparse ones lack at most one number."""
    if isinstance(X, np.ndarray):
        few = X[:LOOK]
    else:
        full = np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) >= X.shape[0] - 1)
        few = X[:LOOK][:, full].toarray()
    with np.errstate(all="ignore"):
        steps = np.diff(few.astype(np.float64), axis=0)
        rise = (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
        places = np.flatnonzero(rise & (few == np.floor(few)).all(axis=0))
    return places if isinstance(X, np.ndarray) else full[places]
