"""A .npy file that is written piece by piece, and read by mapping."""

from __future__ import annotations

import math
import mmap
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

PIECE_BYTES = 1 << 22  # bytes that are checked, or copied, at once
MOST_MAPPED_BYTES = 1 << 30  # bytes of an array whose pages may stay in memory after a check
HEADER_BYTES = 128  # bytes before the numbers


class GrowingArray:
    """An array that grows by rows; a part of a wider type widens all of it."""

    def __init__(self, path: Path, first: np.ndarray) -> None:
        self.path, self.dtype, self.row_shape = path, first.dtype, first.shape[1:]
        self.n_rows = self.crc = 0
        self.file = path.open("wb")
        self.file.write(bytes(HEADER_BYTES))

    def append(self, part: np.ndarray) -> None:
        self.widen(np.promote_types(self.dtype, part.dtype))
        raw = np.ascontiguousarray(part, dtype=self.dtype).reshape(-1).view(np.uint8).data
        self.file.write(raw)
        self.crc = zlib.crc32(raw, self.crc)
        self.n_rows += len(part)

    def widen(self, dtype: np.dtype) -> None:
        """Rewrite what is there in another type."""
        if dtype == self.dtype:
            return
        narrow = self.path.with_suffix(".narrow")
        facts = self.finish()
        self.path.rename(narrow)
        given = mapped(narrow, **facts)
        wide = GrowingArray(self.path, given[:0].astype(dtype))
        step = max(PIECE_BYTES // max(given.strides[0], 1), 1)
        for start in range(0, len(given), step):
            wide.append(given[start : start + step].astype(dtype))
        narrow.unlink()
        self.__dict__.update(wide.__dict__)

    def finish(self) -> dict[str, Any]:
        """Write what comes before the numbers; what `mapped` needs to find them again."""
        shape = (self.n_rows, *self.row_shape)
        self.file.seek(0)
        self.file.write(_head(self.dtype, shape))
        self.file.close()
        return {"dtype": self.dtype.str, "shape": list(shape), "crc32": self.crc}

    def close(self) -> None:
        with suppress(OSError):  # of what a full disk did not take, which was told before
            self.file.close()


def _head(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """What a .npy file of version 1 begins with."""
    described = f"{{'descr': {dtype.str!r}, 'fortran_order': False, 'shape': {shape}, }}"
    magic = b"\x93NUMPY\x01\x00" + (HEADER_BYTES - 10).to_bytes(2, "little")
    return magic + described.encode().ljust(HEADER_BYTES - 11) + b"\n"


def mapped(path: Path, dtype: str, shape: list[int], crc32: int) -> np.ndarray:
    """The array in a .npy file, mapped read-only; ValueError where it is not as it was written.

    numpy's own loader would evaluate what the file begins with; here it is only compared.
    """
    kind, sizes = np.dtype(dtype), tuple(int(size) for size in shape)
    n_bytes = HEADER_BYTES + kind.itemsize * math.prod(sizes)
    with path.open("rb") as file:
        as_written = (
            file.read(HEADER_BYTES) == _head(kind, sizes) and path.stat().st_size == n_bytes
        )
    if kind.kind not in "iufbU" or not as_written:
        raise ValueError(f"{path} is not what its header says")
    if n_bytes == HEADER_BYTES:
        return np.empty(sizes, dtype=kind)
    array = np.memmap(path, dtype=kind, mode="r", offset=HEADER_BYTES, shape=sizes)
    if checksum(array) != crc32:
        raise ValueError(f"{path} is damaged")
    return array


def checksum(array: np.ndarray) -> int:
    """The CRC-32 of an array's numbers; pages of a large one do not stay in memory."""
    crc, raw = 0, array.reshape(-1).view(np.uint8)
    for start in range(0, raw.nbytes, PIECE_BYTES):
        crc = zlib.crc32(raw[start : start + PIECE_BYTES].data, crc)
        if raw.nbytes > MOST_MAPPED_BYTES:
            let_go(raw, start, start + PIECE_BYTES)
    return crc


def let_go(array: np.ndarray, start: int, stop: int) -> None:
    """Tell the system that the rows from `start` up to `stop` need not stay in memory."""
    base: Any = array
    while base is not None and not isinstance(base, mmap.mmap):
        base = getattr(base, "base", None)
    if base is None or not hasattr(mmap, "MADV_DONTNEED"):
        return
    row = array.strides[0]
    first = -(-start * row // mmap.PAGESIZE) * mmap.PAGESIZE
    length = stop * row // mmap.PAGESIZE * mmap.PAGESIZE - first
    if length > 0:
        base.madvise(mmap.MADV_DONTNEED, first, length)
