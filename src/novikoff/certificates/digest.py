"""Which data: a SHA-256 tree over blocks of 4096 rows, of numbers and signs only.

How a block is written depends on its numbers, never on how they are stored: where at least a
quarter of them are not zero, all are written, and else those which are not zero, each after its
place. So float32, integers, float64 and CSR of equal value have equal digests, and -0.0 is a zero.
A number that is no float64 is written as infinity, and as a fraction after the others.

A block depends on its own rows only, so blocks may be hashed by threads, by a scan of a file or on
other machines, and combined in the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from novikoff.inputs import Table

BLOCK = 4096  # rows of one block
_PIECE = 1 << 18  # numbers of one piece of a block, so that wide rows need no second copy
_ENTRY = np.dtype([("place", "<i8"), ("value", "<f8")])


def digest_of(table: Table, signs: np.ndarray) -> str:
    """The digest of `table` and `signs`, as 64 hexadecimal digits."""
    return digests_of(table, signs[:, None])[0]


def digests_of(table: Table, signs: np.ndarray) -> list[str]:
    """The digest of `table` with each column of `signs`: the numbers are read once for all."""
    starts = range(0, table.n_rows, BLOCK)
    hash_block = partial(_block_digests, table, signs)
    if len(starts) == 1:
        blocks = [hash_block(0)]
    else:
        with ThreadPoolExecutor(2) as pool:
            blocks = list(pool.map(hash_block, starts))
    return [combine(own, table.n_rows, table.n_columns) for own in zip(*blocks, strict=True)]


def combine(blocks: Iterable[bytes], n_rows: int, n_columns: int) -> str:
    """The digest of a table from the digests of its blocks, in order."""
    head = f"novikoff rows 1\n{n_rows} {n_columns}\n".encode()
    return hashlib.sha256(head + b"".join(blocks)).hexdigest()


def block_digest(table: Table, signs: np.ndarray, start: int) -> bytes:
    """The digest of rows start … start + 4095 and their signs."""
    return _block_digests(table, signs[:, None], start)[0]


def _block_digests(table: Table, signs: np.ndarray, start: int) -> list[bytes]:
    """The same with each column of signs, which come after the numbers."""
    rows = slice(start, min(start + BLOCK, table.n_rows))
    matrix, fractions = table.block(rows), ""
    if table.exact is not None:
        others = table.exact[rows] != matrix
        matrix = np.where(others, np.inf, matrix)
        ratios = (value.as_integer_ratio() for value in table.exact[rows][others])
        fractions = "".join(f"{p:x}/{q:x}\n" for p, q in ratios)
    n_rows, n_columns = matrix.shape
    n_present = int(np.count_nonzero(matrix.data if table.is_sparse else matrix))
    is_full = 4 * n_present >= n_rows * n_columns
    hasher = hashlib.sha256(n_present.to_bytes(8, "little"))
    step = max(1, _PIECE // n_columns if is_full else _PIECE * n_rows // max(1, matrix.size))
    for first in range(0, n_rows, step):
        piece = matrix[first : first + step]
        if is_full:
            dense = piece if isinstance(piece, np.ndarray) else piece.toarray()
            hasher.update(np.ascontiguousarray(dense + 0.0, dtype="<f8").data)  # without -0.0
        else:
            hasher.update(_entries(piece, first * n_columns).data)
    hasher.update(fractions.encode())
    found = []
    for column in signs[rows].astype(np.int8).T:
        own = hasher.copy()
        own.update(column.tobytes())
        found.append(own.digest())
    return found


def _entries(piece: Any, before: int) -> np.ndarray:
    """The numbers that are not zero, with their places, which `before` numbers precede."""
    if isinstance(piece, np.ndarray):
        values = piece.ravel()
        places = np.arange(values.size)
    else:
        values = piece.data
        rows = np.repeat(np.arange(piece.shape[0]), np.diff(piece.indptr))
        places = rows * piece.shape[1] + piece.indices
    present = np.flatnonzero(values)
    entries = np.empty(len(present), dtype=_ENTRY)
    entries["place"], entries["value"] = before + places[present], values[present]
    return entries
