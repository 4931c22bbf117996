"""Rows that one column settles, set aside before anything is solved.

If z_ij >= 0 for every row (or <= 0 for every row), w = ±e_j is a weak separator, strict on the
rows where z_ij ≠ 0. Those rows can be set aside: a multiple of ±e_j large enough satisfies them
whatever the other weights are. Column j is then zero on the rest, and other columns may have
become one-signed. Counts of words, indicators and pixels settle rows in this way for many rounds.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.float_view import SAMPLED_ROWS
from novikoff.search.signed_rows import SignedRows, filled_columns

Step = tuple[np.ndarray, np.ndarray]  # a direction in integers, and the rows that it settles


def one_signed_columns(
    z: SignedRows, held: np.ndarray | None = None
) -> tuple[list[Step], SignedRows]:
    """All rounds, and what is left: rows and the columns that are not zero on all of them.

    Where no column is one-signed, nothing but a sample is read.

    held : equalities: columns that are not zero on all of them settle nothing, nor does the offset
    """
    n_columns = z.table.n_columns
    may_settle = np.ones(n_columns + 1, dtype=bool)
    if held is not None and len(held):
        values = z.table.signs_from[held]
        may_settle[-1] = not z.fit_intercept
        if z.table.is_sparse:
            may_settle[filled_columns(values)] = False
        else:
            may_settle[:-1] = ~(values != 0).any(axis=0)
    step = max(1, z.n_rows // SAMPLED_ROWS)
    positive, negative = _counts(z, z.rows[::step])
    if not (may_settle & ((positive == 0) | (negative == 0)))[:n_columns].any():
        return [], z
    if step > 1:
        positive, negative = _counts(z, z.rows)
    steps: list[Step] = []
    left = z.rows
    while True:
        one_signed = np.flatnonzero(may_settle & ((positive == 0) != (negative == 0)))
        if len(one_signed) == 0 or len(left) == 0:
            break
        settled = left[_touched(z, left, one_signed)]
        direction = np.zeros(n_columns + 1, dtype=object)
        direction[one_signed] = np.where(positive[one_signed] > 0, 1, -1).tolist()
        steps.append((direction, np.sort(settled)))
        less_positive, less_negative = _counts(z, settled)
        positive, negative = positive - less_positive, negative - less_negative
        left = np.setdiff1d(left, settled, assume_unique=True)
    live = np.flatnonzero((positive + negative)[:n_columns])
    return steps, SignedRows(z.table, z.signs, z.fit_intercept, left, live)


def _counts(z: SignedRows, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many of the rows have z_ij > 0, and how many z_ij < 0, for each column and the offset."""
    n_columns = z.table.n_columns
    positive, negative = np.zeros((2, n_columns + 1), dtype=np.int64)
    for which in z.blocks(rows):
        block, up = z.table.signs_from[which], z.signs[which] > 0
        if z.table.is_sparse:
            sides = np.repeat(z.signs[which], np.diff(block.indptr)) * np.sign(block.data)
            positive[:-1] += np.bincount(block.indices[sides > 0], minlength=n_columns)
            negative[:-1] += np.bincount(block.indices[sides < 0], minlength=n_columns)
        else:
            above, below = block > 0, block < 0
            positive[:-1] += np.count_nonzero(above[up], axis=0)
            positive[:-1] += np.count_nonzero(below[~up], axis=0)
            negative[:-1] += np.count_nonzero(below[up], axis=0)
            negative[:-1] += np.count_nonzero(above[~up], axis=0)
    if z.fit_intercept:
        positive[-1] = np.count_nonzero(z.signs[rows] > 0)
        negative[-1] = len(rows) - positive[-1]
    return positive, negative


def _touched(z: SignedRows, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Which of the rows have a number other than zero in one of the columns."""
    if z.fit_intercept and columns[-1] == z.table.n_columns:
        return np.ones(len(rows), dtype=bool)
    parts = []
    for which in z.blocks(rows):
        is_filled = z.table.signs_from[which][:, columns] != 0
        is_touched = is_filled.sum(axis=1) if z.table.is_sparse else is_filled.any(axis=1)
        parts.append(np.asarray(is_touched).ravel() > 0)
    return np.concatenate(parts)
