"""What is in an npz archive: arrays by name, and scipy's sparse matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.inputs.csr import csr_over
from novikoff.io.sources import FLOAT_BYTES, Source
from novikoff.memory import check_room, in_words


class Members:
    """The arrays of an archive by name; none is made that is larger than what is stored."""

    def __init__(self, archive: Any, source: Source) -> None:
        self.archive, self.source = archive, source

    def __getitem__(self, name: str) -> np.ndarray:
        zipped = self.archive.zip
        inside = f"{name}.npy" if f"{name}.npy" in zipped.namelist() else name
        there = zipped.getinfo(inside).file_size
        with zipped.open(inside) as member:
            version = np.lib.format.read_magic(member)
            if version == (1, 0):
                shape, _, dtype = np.lib.format.read_array_header_1_0(member)
            else:
                shape, _, dtype = np.lib.format.read_array_header_2_0(member)
        needed = math.prod(shape) * dtype.itemsize
        if needed > there:
            raise ValueError(
                f"its array {name} of shape {shape} needs {in_words(needed)}, and "
                f"{in_words(there)} are stored"
            )
        self.source.check_size(0, needed // FLOAT_BYTES)
        check_room(2 * needed, f"its array {name}")
        return np.asarray(self.archive[inside])


def without_column(X: Any, place: int) -> tuple[Any, np.ndarray]:
    """A CSR matrix without one of its columns, and that column; the cost is what is stored."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    taken = X.indices == place
    column = np.zeros(X.shape[0], dtype=X.dtype)
    column[rows[taken]] = X.data[taken]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[~taken], minlength=X.shape[0]))])
    columns = X.indices[~taken]
    columns = columns - (columns > place)
    return csr_over(X.data[~taken], columns, starts, X.shape[1] - 1), column


def sparse_matrix(archive: Members) -> Any:
    """scipy's own format, checked in full: a wrong index would reach compiled code."""
    from scipy import sparse

    made = (
        str(archive["format"].item(), "ascii")
        if archive["format"].dtype.kind == "S"
        else str(archive["format"].item())
    )
    shape = tuple(int(size) for size in archive["shape"])
    data = archive["data"]
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"a sparse matrix of shape {shape}")
    archive.source.check_size(shape[0], data.size)
    check_room(24 * shape[0], f"a sparse matrix of {shape[0]:,} rows")
    if made in ("csr", "csc", "bsr"):
        kind = {"csr": sparse.csr_matrix, "csc": sparse.csc_matrix, "bsr": sparse.bsr_matrix}[made]
        matrix = kind((data, archive["indices"], archive["indptr"]), shape=shape)
        matrix.check_format(full_check=True)
    elif made == "coo":
        matrix = sparse.coo_matrix((data, (archive["row"], archive["col"])), shape=shape)
    elif made == "dia":
        matrix = sparse.dia_matrix((data, archive["offsets"]), shape=shape)
    else:
        raise ValueError(f"unknown sparse format {made!r}")
    result = matrix.tocsr()
    result.sum_duplicates()
    return result
