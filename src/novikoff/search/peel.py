"""Rows that one column settles: peeled off before anything is solved.

If z_ij >= 0 for every row (or <= 0 for every row), w = ±e_j is a weak separator, strict on the
rows where z_ij ≠ 0. Those rows can be set aside: a multiple of ±e_j large enough satisfies them
whatever the other weights are. Column j is then zero on the rest, and other columns may have
become one-signed. Counts of words, indicator columns and pixels peel for many rounds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.search.signed_rows import SignedRows, Weights

SAMPLE = 4096
ROWS = 64  # that are read as integers at a time
LARGEST = 2.0**1000  # a multiple beyond this leaves no room for the next


@dataclass
class Round:
    """Columns that were one-signed, the sign of each, and the rows that they settled."""

    columns: np.ndarray
    signs: np.ndarray
    rows: np.ndarray


@dataclass
class Peeled:
    """The rounds, and what is left: rows and the columns that are not zero on all of them."""

    rest: SignedRows
    rounds: list[Round] = field(default_factory=list)

    def weak_separator(self) -> list[int]:
        """±1 in the columns of the first round: no row opposes it, and its rows are strict."""
        weights = [0] * (self.rest.table.n_columns + 1)
        first = self.rounds[0]
        for j, sign in zip(first.columns.tolist(), first.signs.tolist(), strict=True):
            weights[j] = sign
        return weights

    def extend(self, weights: Weights) -> np.ndarray | None:
        """Weights that separate the rest, made to separate the rows of all rounds as well.

        From the last round to the first, each gets a power of two that outweighs, on its rows,
        all that has been added before. In floats: to be checked, and None beyond their range.
        """
        try:
            total = np.array([float(value) for value in weights])
        except OverflowError:
            return None
        matrix, constant = self.rest.table.matrix, float(self.rest.fit_intercept)
        for step in reversed(self.rounds):
            push = np.zeros(len(total))
            push[step.columns] = step.signs
            block, side = matrix[step.rows], self.rest.signs[step.rows]
            with np.errstate(all="ignore"):
                score = side * (block @ total[:-1] + constant * total[-1])
                gain = side * (block @ push[:-1] + constant * push[-1])
                needed = float(np.max((np.abs(total).max() + 1.0 - 2.0 * score) / gain))
                if not needed < LARGEST:
                    return None
                total += 2.0 ** np.ceil(np.log2(max(needed, 2.0**-1000))) * push
        return total

    def extend_exactly(self, weights: Weights) -> list[int]:
        """The same in integers: always right, and no larger than it must be.

        Each round gets the least multiple that lifts its rows to the lowest score of the rest
        (to 1, where there is no rest), so weights grow only as fast as the rows demand.
        """
        total: list[int] = as_integers(weights).tolist()
        everything = SignedRows(self.rest.table, self.rest.signs, self.rest.fit_intercept)
        scores = (row.dot(total) for row in _whole_rows(everything, self.rest.rows))
        aim = min(scores, default=Fraction(1))
        for step in reversed(self.rounds):
            pushed: defaultdict[int, int] = defaultdict(int)
            pushed.update(zip(step.columns.tolist(), step.signs.tolist(), strict=True))
            needed = 1
            for row in _whole_rows(everything, step.rows):
                needed = max(needed, math.ceil((aim - row.dot(total)) / row.dot(pushed)))
            for j, sign in pushed.items():
                total[j] += needed * sign
        return total


class _WholeRow(NamedTuple):
    """The entries of a row that are not zero, as (place among all columns, integer)."""

    entries: list[tuple[int, int]]
    scale: int

    def dot(self, weights: list[int] | defaultdict[int, int]) -> Fraction:
        return Fraction(sum(value * weights[j] for j, value in self.entries), self.scale)


def _whole_rows(z: SignedRows, rows: np.ndarray) -> Iterator[_WholeRow]:
    for start in range(0, len(rows), ROWS):
        whole, places, scale = z.integers(rows[start : start + ROWS])
        homes = z.homes[places].tolist()
        for row in whole.tolist():
            pairs = zip(homes, row, strict=True)
            yield _WholeRow([(j, value) for j, value in pairs if value], scale)


def peel(z: SignedRows) -> Peeled:
    """Peel all that can be peeled; where no column is one-signed, nothing but a sample is read."""
    step = max(1, z.n_rows // SAMPLE)
    positive, negative = _counts(z, z.rows[::step])
    if not ((positive == 0) | (negative == 0))[: z.table.n_columns].any():
        return Peeled(z)
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
    return Peeled(SignedRows(z.table, z.signs, z.fit_intercept, left, live), rounds)


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
