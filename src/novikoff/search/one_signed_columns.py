"""Rows that one column settles, set aside before anything is solved.

If z_ij >= 0 for every row (or <= 0 for every row), w = ±e_j is a weak separator, strict on the
rows where z_ij ≠ 0. Those rows can be set aside: a multiple of ±e_j large enough satisfies them
whatever the other weights are. Column j is then zero on the rest, and other columns may have
become one-signed. Counts of words, indicators and pixels settle rows in this way for many rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.search.float_view import SAMPLED_ROWS
from novikoff.search.signed_rows import SignedRows


@dataclass
class Round:
    """Columns that were one-signed, the sign of each, and the rows that they settled."""

    columns: np.ndarray
    signs: np.ndarray
    rows: np.ndarray


@dataclass
class Settled:
    """The rounds, and what is left: rows and the columns that are not zero on all of them."""

    rest: SignedRows
    rounds: list[Round] = field(default_factory=list)


def one_signed_columns(z: SignedRows) -> Settled:
    """All rounds; where no column is one-signed, nothing but a sample is read."""
    step = max(1, z.n_rows // SAMPLED_ROWS)
    positive, negative = _counts(z, z.rows[::step])
    if not ((positive == 0) | (negative == 0))[: z.table.n_columns].any():
        return Settled(z)
    if step > 1:
        positive, negative = _counts(z, z.rows)
    rounds: list[Round] = []
    left = z.rows
    while True:
        one_signed = np.flatnonzero((positive == 0) != (negative == 0))
        if len(one_signed) == 0 or len(left) == 0:
            break
        settled = left[_touched(z, left, one_signed)]
        signs = np.where(positive[one_signed] > 0, 1, -1)
        rounds.append(Round(one_signed, signs, settled))
        less_positive, less_negative = _counts(z, settled)
        positive, negative = positive - less_positive, negative - less_negative
        left = np.setdiff1d(left, settled, assume_unique=True)
    live = np.flatnonzero((positive + negative)[: z.table.n_columns])
    return Settled(SignedRows(z.table, z.signs, z.fit_intercept, left, live), rounds)


def _blocks(z: SignedRows, rows: np.ndarray) -> Iterator[tuple[np.ndarray, Any]]:
    values = z.table.signs_from
    for start in range(0, len(rows), z.step):
        which = rows[start : start + z.step]
        yield which, values[which]


def _counts(z: SignedRows, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many of the rows have z_ij > 0, and how many z_ij < 0, for each column and the offset."""
    n_columns = z.table.n_columns
    positive, negative = np.zeros((2, n_columns + 1), dtype=np.int64)
    for which, block in _blocks(z, rows):
        up = z.signs[which] > 0
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
    for _, block in _blocks(z, rows):
        if z.table.is_sparse:
            stored = (block[:, columns] != 0).sum(axis=1)
            parts.append(np.asarray(stored).ravel() > 0)
        else:
            parts.append((block[:, columns] != 0).any(axis=1))
    return np.concatenate(parts)
