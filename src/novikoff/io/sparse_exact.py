"""svmlight values as the decimals that are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs import Table, table_of_fractions
from novikoff.io.chunks import TextError
from novikoff.io.fields import FieldError, as_fraction, is_number
from novikoff.io.sparse import SparseBlock, stack
from novikoff.wording import hint

MOST_CELLS = 5_000_000  # an exact table is dense, and each of its numbers an object
_SEGMENT = re.compile(rb"[^\r\n#]+")
_ENTRY = re.compile(rb"(?<![^ \t])\d+:(\S*)")


def exact_values(text: bytes, values: np.ndarray) -> np.ndarray | None:
    """The value of every entry of a text that was tokenized; None if floats hold them all."""
    nearest = values.tolist()
    if all(value == nearest[k] for k, value in enumerate(_written(text))):
        return None
    exact = np.empty(len(values), dtype=object)
    for k, value in enumerate(_written(text)):
        exact[k] = Fraction(value)
    return exact


def _written(text: bytes) -> Iterator[int | Fraction]:
    """The number of each entry; 0 for one that is missing, whose row is dropped."""
    for segment in _SEGMENT.finditer(text):
        start = segment.start()
        if start and text[start - 1] == ord("#"):
            continue  # a comment
        for found in _ENTRY.finditer(segment.group()):
            word = found[1].decode("utf-8", "replace")
            try:
                if word.isdecimal() and len(word) < 16:
                    yield int(word)
                else:
                    yield as_fraction(word) if is_number(word) else 0
            except FieldError as error:
                raise TextError(f": {error}", start) from None


def exact_table(blocks: list[SparseBlock], n_columns: int, source: str) -> Table:
    """The blocks' rows as a table of decimals; the list is emptied."""
    n_rows = sum(block.n_rows for block in blocks)
    if all(block.exact is None for block in blocks):
        return Table(stack(blocks, n_columns), None, "decimal")
    if n_rows * n_columns > MOST_CELLS:
        raise FileError(
            f"{source} holds decimals that no float64 is equal to, in {n_rows} rows of {n_columns} "
            f"columns; more than {MOST_CELLS:,} exact numbers are too many"
            f"{hint(': say {}', 'numbers', 'binary64')}."
        )
    cells = np.full((n_rows, n_columns), Fraction(0), dtype=object)
    row = 0
    for block in blocks:
        rows = row + np.repeat(np.arange(block.n_rows), np.diff(block.starts))
        exact = block.exact
        if exact is None:
            exact = np.array([Fraction(value) for value in block.values.tolist()], dtype=object)
        cells[rows, block.columns] = exact
        row += block.n_rows
    blocks.clear()
    return table_of_fractions(cells.ravel().tolist(), cells.shape, None, "decimal")
