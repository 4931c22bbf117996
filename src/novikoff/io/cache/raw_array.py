"""One array on disk, as raw little-endian numbers, written piece by piece and read by mapping.

Of every 4 MB a CRC-32 is kept, and compared before the array is believed. A gigabyte costs about
0.3 s of processor time, shared by two threads, over pages that are needed anyway.
"""

from __future__ import annotations

import mmap
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

COPIED_AT_ONCE = 1 << 20  # rows
PIECE = 1 << 22  # bytes of one checksum
KEPT_MAPPED = 1 << 30  # bytes of an array whose pages may stay in memory


class RawArray:
    """A growing array; a part of a wider type (float after int, longer text) widens it."""

    def __init__(self, path: Path, first: np.ndarray) -> None:
        self.path = path
        self.file = path.open("w+b")
        self.given, self.dtype = first.dtype, _stored(first.dtype)
        self.row_shape = first.shape[1:]
        self.n = 0

    def append(self, part: np.ndarray) -> None:
        self.given = np.promote_types(self.given, part.dtype)
        self.widen(_stored(np.promote_types(self.dtype, part.dtype)))
        _write(self.file, np.ascontiguousarray(part, dtype=self.dtype))
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
                _write(file, np.fromfile(self.file, self.dtype, count).astype(dtype))
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
        shape = (self.n, *self.row_shape)
        sums = checksums(_mapped(self.path, self.dtype, shape))
        letters = {"letters": self.given.itemsize // 4} if self.dtype.kind == "U" else {}
        return {"dtype": self.dtype.str, "shape": list(shape), "crc32": sums, **letters}

    def close(self) -> None:
        with suppress(OSError):  # of what a full disk did not take, which was told before
            self.file.close()


def _write(file: BinaryIO, array: np.ndarray) -> None:
    """Write the numbers; unlike `tofile`, this raises what the system says."""
    if array.size:
        file.write(array.reshape(-1).view(np.uint8).data)


def _stored(dtype: np.dtype) -> np.dtype:
    """The little-endian type; texts get room for a power of two of characters."""
    if dtype.kind == "U":
        return np.dtype(f"<U{1 << max(dtype.itemsize // 4 - 1, 0).bit_length()}")
    return dtype.newbyteorder("<")


def checksums(array: np.ndarray) -> list[int]:
    """The CRC-32 of every piece of an array; pages of a large one do not stay in memory."""
    raw = array.reshape(-1).view(np.uint8)

    def check(start: int) -> int:
        piece = zlib.crc32(raw[start : start + PIECE].data)
        if raw.nbytes > KEPT_MAPPED:
            let_go(raw, start, start + PIECE)
        return piece

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(check, range(0, raw.nbytes, PIECE)))


def mapped(
    path: Path, dtype: str, shape: list[int], crc32: list[int], letters: int = 0
) -> np.ndarray:
    """The array in the file, mapped read-only; ValueError where the file is not as written.

    Texts are of so many letters, as they were given, whatever room they have in the file.
    """
    array = _mapped(path, np.dtype(dtype), tuple(int(size) for size in shape))
    if checksums(array) != crc32:
        raise ValueError(f"{path} is damaged")
    if letters:
        return np.ndarray(array.shape, f"<U{letters}", buffer=array, strides=array.strides)
    return array


def _mapped(path: Path, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    size = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    if dtype.kind not in "iufbU" or path.stat().st_size != size:
        raise ValueError(f"{path} is not what its header says")
    if not np.prod(shape):
        return np.empty(shape, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode="r", shape=shape)


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
    """Make the names in a folder as lasting as the files, where the system opens folders.

    Windows does not: it keeps names in a journal of its own.
    """
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
