"""One array on disk, as raw little-endian numbers, written piece by piece and read by mapping.

Of every 4 MB a CRC-32 is kept and compared before the array is believed: two threads look through
a gigabyte in about a fifth of a second.
"""

from __future__ import annotations

import mmap
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

COPIED_AT_ONCE = 1 << 20  # rows
PIECE = 1 << 22  # bytes of one checksum


class RawArray:
    """A growing array; a part of a wider type (float after int, longer text) widens it."""

    def __init__(self, path: Path, first: np.ndarray) -> None:
        self.path = path
        self.file = path.open("w+b")
        self.dtype = _stored(first.dtype)
        self.row_shape = first.shape[1:]
        self.n = 0

    def append(self, part: np.ndarray) -> None:
        self.widen(_stored(np.promote_types(self.dtype, part.dtype)))
        np.ascontiguousarray(part, dtype=self.dtype).tofile(self.file)
        self.n += len(part)

    def widen(self, dtype: np.dtype) -> None:
        """Rewrite what is there in another type."""
        if dtype == self.dtype:
            return
        wider = self.path.with_suffix(".wider")
        self.file.flush()
        self.file.seek(0)
        row = int(np.prod(self.row_shape, dtype=np.int64))
        with wider.open("w+b") as file:
            left = self.n * row
            while left:
                count = min(left, COPIED_AT_ONCE)
                np.fromfile(self.file, self.dtype, count).astype(dtype).tofile(file)
                left -= count
        self.file.close()
        wider.replace(self.path)
        self.file = self.path.open("r+b")
        self.file.seek(0, os.SEEK_END)
        self.dtype = dtype

    def finish(self) -> dict[str, Any]:
        """Sync the file; what `mapped` needs to find it again."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        sums = checksums(self.path)
        return {"dtype": self.dtype.str, "shape": [self.n, *self.row_shape], "crc32": sums}

    def close(self) -> None:
        self.file.close()


def _stored(dtype: np.dtype) -> np.dtype:
    """The little-endian type; texts get room for a power of two of characters."""
    if dtype.kind == "U":
        return np.dtype(f"<U{1 << max(dtype.itemsize // 4 - 1, 0).bit_length()}")
    return dtype.newbyteorder("<")


def checksums(path: Path) -> list[int]:
    """The CRC-32 of every piece of a file, read rather than mapped: no memory is held."""

    def check(start: int) -> int:
        with path.open("rb", buffering=0) as raw:
            raw.seek(start)
            return zlib.crc32(raw.read(PIECE))

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(check, range(0, path.stat().st_size, PIECE)))


def mapped(path: Path, dtype: str, shape: list[int], crc32: list[int]) -> np.ndarray:
    """The array in the file, mapped read-only; ValueError where the file is not as written."""
    kind, dimensions = np.dtype(dtype), tuple(int(size) for size in shape)
    if kind.kind not in "iufbU" or path.stat().st_size != kind.itemsize * int(
        np.prod(dimensions, dtype=np.int64)
    ):
        raise ValueError(f"{path} is not what its header says")
    if checksums(path) != crc32:
        raise ValueError(f"{path} is damaged")
    if not np.prod(dimensions):
        return np.empty(dimensions, dtype=kind)
    return np.memmap(path, dtype=kind, mode="r", shape=dimensions)


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


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as lasting as the files."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
