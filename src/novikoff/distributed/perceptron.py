"""The perceptron with a small budget: often it ends the search, and its counts start the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.loops.counting import counting_pass
from novikoff.loops.rows import as_rows
from novikoff.search.clock import Clock
from novikoff.search.signed_rows import SignedRows

BUDGET = 1.0  # mistakes for each row
PASSES = 6
BLOCK = 64  # rows that are visited together, in the order of memory
LARGE = 1 << 28  # bytes from which rows may come from a disk, which wants longer blocks
LONG_BLOCK = 1 << 21  # bytes


@dataclass(frozen=True)
class Warm:
    """The weights, the mistakes on each row, and whether the last pass was clean."""

    w: np.ndarray
    counts: np.ndarray
    clean: bool


def run_perceptron(z: SignedRows, random: np.random.Generator, clock: Clock) -> Warm:
    """Passes over all rows until one is clean or the budget is spent."""
    matrix = z.table.matrix
    rows = as_rows(matrix, z.fit_intercept)
    w = np.zeros(z.table.n_columns + 1)
    counts = np.zeros(z.table.n_rows, dtype=np.int64)
    order = _shuffled_blocks(z.table.n_rows, _rows_a_block(matrix), random)
    left = int(BUDGET * z.table.n_rows) + 100
    one_pass = counting_pass.fast
    for _ in range(PASSES):
        clock.check()
        made = one_pass(rows, z.signs, order, w, counts, left)
        left -= made
        if made == 0:
            return Warm(w, counts, True)
        if left <= 0:
            break
    return Warm(w, counts, False)


def _rows_a_block(matrix: Any) -> int:
    values = matrix if isinstance(matrix, np.ndarray) else matrix.data
    if values.nbytes < LARGE:
        return BLOCK
    return max(BLOCK, int(LONG_BLOCK * matrix.shape[0] // values.nbytes))


def _shuffled_blocks(n: int, size: int, random: np.random.Generator) -> np.ndarray:
    """All rows, block by block in random order: labels are often sorted, memory should be."""
    starts = random.permutation(-(-n // size)) * size
    order = (starts[:, None] + np.arange(size)).ravel()
    return np.asarray(order[order < n], dtype=np.int64)
