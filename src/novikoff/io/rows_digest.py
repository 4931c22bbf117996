"""Which rows: a SHA-256 of their numbers, columns, labels and weights, in their order.

It is made of what is in memory anyway, by two threads, at more than a gigabyte a second. Rows that
are mapped from a cache have the digest of the same rows read from the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

PIECE_BYTES = 1 << 22  # bytes hashed at once


def digest_of_rows(
    X: Any, y: np.ndarray | None, weights: np.ndarray | None = None, names: Any = None
) -> str:
    """The digest of an array or a CSR matrix, with labels, weights and names of columns."""
    if isinstance(X, np.ndarray):
        arrays = {"X": X}
    else:
        arrays = {"values": X.data, "columns": X.indices, "starts": X.indptr}
    for name, column in (("y", y), ("weights", weights)):
        if column is not None:
            arrays[name] = _plain(np.asarray(column))
    whole = hashlib.sha256(repr(("novikoff rows 1", X.shape, names and tuple(names))).encode())
    with ThreadPoolExecutor(2) as pool:
        for name, array in arrays.items():
            kind = array.dtype.newbyteorder("<")
            whole.update(f"\n{name} {kind.str} {array.shape}\n".encode())
            for piece in pool.map(_hash, _pieces(array.astype(kind, copy=False))):
                whole.update(piece)
    return whole.hexdigest()


def _hash(piece: np.ndarray) -> bytes:
    return hashlib.sha256(np.ascontiguousarray(piece).data.cast("B")).digest()


def _pieces(array: np.ndarray) -> Iterator[np.ndarray]:
    if not array.size:
        return
    step = max(PIECE_BYTES * len(array) // array.nbytes, 1)
    for start in range(0, len(array), step):
        yield array[start : start + step]


def _plain(column: np.ndarray) -> np.ndarray:
    """Labels or weights in a type that depends on their values alone."""
    if column.dtype.kind == "U":  # without the room that no text of them needs
        places = column.dtype.itemsize // 4
        codes = np.ascontiguousarray(column).view(np.uint32).reshape(len(column), places)
        used = np.flatnonzero(codes.any(axis=0))
        return codes[:, : int(used[-1]) + 1 if len(used) else 0]
    if column.dtype.kind in "biuf":
        floats = column.astype(np.float64)
        return floats if (floats == column).all() else column
    return np.array([repr(value) for value in column.tolist()])
