"""A chunk of svmlight text as rows, by numpy and pyarrow.

All numbers of the text are read as one column; which of them are labels, indices and values is told
by what stands between them. Where a chunk holds anything else, such as comments, queries or a value
that is missing, there is no answer, and io/svmlight.py reads it line by line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.io.rounding import LARGEST_EXACT
from novikoff.io.sparse import SparseBlock, sort_rows

LARGEST_INDEX = 2**31 - 2  # so that an index and a count of columns fit int32
NO_QUERY = -1
LETTER, BLANK, LINE_END, COLON = range(4)
_KINDS = np.full(256, LETTER, dtype=np.uint8)
_KINDS[list(b" \t")], _KINDS[list(b"\r\n")], _KINDS[list(b":")] = BLANK, LINE_END, COLON
_TO_LINES = bytes.maketrans(b" \t\r:", b"\n\n\n\n")


def arrow_rows(text: bytes, limits: tuple[int, int]) -> SparseBlock | None:
    """The rows of a text whose indices are within `limits`; None where there is more to say."""
    if b"#" in text or b"q" in text or b"," in text or not text.isascii():
        return None
    kinds = _KINDS[np.frombuffer(text, np.uint8)]
    is_letter = kinds == LETTER
    begins = np.flatnonzero(is_letter[1:] & ~is_letter[:-1]) + 1
    if is_letter[:1].any():
        begins = np.concatenate([[0], begins])
    if not len(begins):
        return None
    before = kinds[begins - 1]
    is_value = before == COLON
    line_numbers = np.cumsum(kinds == LINE_END, dtype=np.int32)[begins]
    is_label = np.diff(line_numbers, prepend=-1) > 0
    is_index = np.append(is_value[1:], False)
    n_colons = text.count(b":")
    # Every number is a label, an index or a value, and every colon stands between two numbers.
    if not (
        n_colons == is_value.sum() == is_index.sum()
        and (is_label ^ is_index ^ is_value).all()
        and not (is_label & is_value).any()
        and is_letter[np.flatnonzero(kinds == COLON) - 1].all()
    ):
        return None
    numbers = _numbers(text, len(begins))
    if numbers is None or not _are_digits(text, begins[is_index], begins[is_value]):
        return None
    columns, values = numbers[is_index], numbers[is_value]
    smallest, largest = columns.min(initial=2**31), columns.max(initial=-1)
    if len(columns) and not limits[0] <= smallest <= largest <= limits[1]:
        return None
    per_row = np.add.reduceat(is_value, np.flatnonzero(is_label), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(per_row)])
    block = SparseBlock(
        numbers[is_label], starts, columns.astype(np.int32), values,
        int(smallest), int(largest), queries=np.full(len(per_row), NO_QUERY),
    )  # fmt: skip
    return _sorted(block)


def _numbers(text: bytes, n: int) -> np.ndarray | None:
    """All `n` numbers of a text; None where one is none, infinite, or may have been rounded."""
    import pyarrow
    from pyarrow import csv

    try:
        column: Any = csv.read_csv(
            pyarrow.BufferReader(text.translate(_TO_LINES)),
            csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=["number"]),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(column_types={"number": pyarrow.float64()}, null_values=[]),
        )["number"].combine_chunks()
    except pyarrow.ArrowException:
        return None
    numbers = np.frombuffer(column.buffers()[1], np.float64)[column.offset :][: len(column)]
    if len(numbers) != n or not (np.abs(numbers) < LARGEST_EXACT).all():
        return None
    return numbers


def _are_digits(text: bytes, begins: np.ndarray, values: np.ndarray) -> bool:
    """Whether every index, from where it begins to the colon before its value, is of digits."""
    given = np.frombuffer(text, np.uint8)
    is_digit = (given >= ord("0")) & (given <= ord("9"))
    digits = np.concatenate([[0], np.cumsum(is_digit, dtype=np.int32)])
    return bool((digits[values - 1] - digits[begins] == values - 1 - begins).all())


def _sorted(block: SparseBlock) -> SparseBlock | None:
    """The block with ascending columns; None where a row repeats one."""
    steps = np.diff(block.columns)
    inner = np.ones(len(steps), dtype=bool)
    ends = block.starts[1:-1] - 1
    inner[ends[(ends >= 0) & (ends < len(steps))]] = False
    if (steps[inner] > 0).all():
        return block
    block = sort_rows(block)
    return block if (np.diff(block.columns)[inner] > 0).all() else None
