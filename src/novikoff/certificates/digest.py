"""Which data: a SHA-256 tree over blocks of 4096 rows, of values and signs only.

Storage does not matter: float32, integers and float64 of equal value have equal digests,
-0.0 counts as 0.0, and a CSR matrix has the digest of the dense array in either layout.
A block depends on its own rows only, so blocks may be hashed by threads, by a scan of a
file or on other machines, and combined in the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from novikoff.errors import CertificateError
from novikoff.inputs import Table

BLOCK = 4096  # rows of one block
_PIECE = 1 << 18  # numbers of one piece of a block, so that wide rows need no second copy
_ENTRY = np.dtype([("row", "<i8"), ("column", "<i8"), ("value", "<f8")])


def digest_of(table: Table, signs: np.ndarray, layout: str) -> str:
    """The digest of `table` and `signs`, as 64 hexadecimal digits."""
    starts = range(0, table.n_rows, BLOCK)
    hash_block = partial(block_digest, table, signs, layout)
    if len(starts) == 1:
        return combine([hash_block(0)], table.n_rows, table.n_columns, layout)
    with ThreadPoolExecutor(2) as pool:
        return combine(pool.map(hash_block, starts), table.n_rows, table.n_columns, layout)


def combine(blocks: Iterable[bytes], n_rows: int, n_columns: int, layout: str) -> str:
    """The digest of a table from the digests of its blocks, in order."""
    head = f"novikoff rows 1\n{layout}\n{n_rows} {n_columns}\n".encode()
    return hashlib.sha256(head + b"".join(blocks)).hexdigest()


def block_digest(table: Table, signs: np.ndarray, layout: str, start: int) -> bytes:
    """The digest of rows start … start + 4095 and their signs."""
    stop = min(start + BLOCK, table.n_rows)
    hasher = hashlib.sha256()
    if layout == "sparse":
        if table.is_rounded:
            raise CertificateError(
                "the proof speaks of a sparse matrix of binary64 numbers; X holds other numbers."
            )
        hasher.update(b"sparse\n")
        step = max(1, _PIECE * table.n_rows // max(1, table.matrix.size))
        for first in range(start, stop, step):
            hasher.update(_entries(table, first, min(first + step, stop), start).data)
    elif table.exact is not None and any(
        value != rounded
        for value, rounded in zip(
            table.exact[start:stop].flat, table.matrix[start:stop].flat, strict=True
        )
    ):
        hasher.update(b"ratios\n")
        for value in table.exact[start:stop].flat:
            hasher.update(f"{value.numerator:x}/{value.denominator:x}\n".encode())
    else:
        hasher.update(b"floats\n")
        step = max(1, _PIECE // table.n_columns)
        for first in range(start, stop, step):
            floats = table.dense_rows(slice(first, min(first + step, stop)))
            hasher.update(np.ascontiguousarray(floats + 0.0, dtype="<f8").data)  # no -0.0
    hasher.update(signs[start:stop].astype(np.int8).tobytes())
    return hasher.digest()


def _entries(table: Table, first: int, stop: int, start: int) -> np.ndarray:
    """The non-zero numbers of rows first … stop-1, with the row counted from `start`."""
    if table.is_sparse:
        matrix = table.matrix
        cells = slice(matrix.indptr[first], matrix.indptr[stop])
        rows = np.repeat(np.arange(stop - first), np.diff(matrix.indptr[first : stop + 1]))
        columns, values = matrix.indices[cells], matrix.data[cells]
        present = values != 0
        rows, columns, values = rows[present], columns[present], values[present]
    else:
        block = table.matrix[first:stop]
        rows, columns = np.nonzero(block)
        values = block[rows, columns]
    entries = np.empty(len(values), dtype=_ENTRY)
    entries["row"], entries["column"], entries["value"] = rows + (first - start), columns, values
    return entries
