"""X of rows that list their entries: sparse floats, or the decimals that are written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs import Table, table_of_fractions
from novikoff.io.counters import rising_notes
from novikoff.io.rounding import LARGEST_EXACT, MOST_CELLS, Budget
from novikoff.io.sparse import SparseBlock, stack
from novikoff.wording import keyword


class Rows(NamedTuple):
    """X, how many of its numbers are not what the file has, and how to read it alike."""

    X: Any
    n_rounded: int
    numbers: str | None
    notes: tuple[str, ...] = ()


def sparse_rows(
    blocks: list[SparseBlock], n_columns: int, source: str, budget: Budget,
    names: tuple[str, ...] | None = None, sum_repeats: bool = False,
) -> Rows:  # fmt: skip
    """The rows of the blocks, whose list is emptied: exact where that is asked for or needed."""
    n_rows = sum(block.n_rows for block in blocks)
    n_rounded = sum(block.n_rounded for block in blocks)
    is_exact = any(block.exact is not None for block in blocks)
    if budget.is_spent or (is_exact and n_rows * n_columns > MOST_CELLS):
        if budget.numbers == "decimal":
            raise FileError(
                f"{source} holds decimals that no float64 is equal to, in {n_rows} rows of "
                f"{n_columns} columns; more than {MOST_CELLS:,} exact numbers are too many"
                f": say {keyword('numbers', 'binary64')}."
            )
        n_rounded += sum(_n_rounded(block) for block in blocks)
        note = f"{n_rows:,} rows of {n_columns:,} columns are too many for exact decimals: numbers "
        note = f"{note}are taken as the nearest float64"
        X = stack(blocks, n_columns, sum_repeats)
        return Rows(X, n_rounded, "binary64", (note, *rising_notes(X, names)))
    if is_exact:
        table = _exact_table(blocks, n_columns, names)
        return Rows(table, n_rounded, "decimal", rising_notes(table.matrix, names))
    X = stack(blocks, n_columns, sum_repeats)
    notes = rising_notes(X, names)
    if budget.numbers in ("decimal", "as written"):
        return Rows(Table(X, names, "decimal"), n_rounded, "decimal", notes)
    return Rows(X, n_rounded, budget.numbers, notes)


def _n_rounded(block: SparseBlock) -> int:
    """How many numbers beyond 2^53 a block loses with its exact ones."""
    if block.exact is None:
        return 0
    large = np.abs(block.values) >= LARGEST_EXACT
    pairs = zip(block.exact[large].tolist(), block.values[large].tolist(), strict=True)
    return sum(value != nearest for value, nearest in pairs)


def _exact_table(blocks: list[SparseBlock], n_columns: int, names: tuple[str, ...] | None) -> Table:
    n_rows = sum(block.n_rows for block in blocks)
    cells = np.full((n_rows, n_columns), Fraction(0), dtype=object)
    row = 0
    for block in blocks:
        rows = row + np.repeat(np.arange(block.n_rows), np.diff(block.starts))
        exact = block.exact
        if exact is None:
            exact = np.array([Fraction(value) for value in block.values.tolist()], dtype=object)
        np.add.at(cells, (rows, block.columns), exact)
        row += block.n_rows
    blocks.clear()
    return table_of_fractions(cells.ravel().tolist(), cells.shape, names, "decimal")
