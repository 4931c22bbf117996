"""Rows on disk, mapped into memory instead of parsed again: a folder of .npy files and one of JSON.

A folder is known by the files whose rows it holds and by how they were read. It has a .npy file for
each array and header.json, which says what they are, from which files, and how those were read. It
is written under a temporary name and renamed, so that it is there as a whole or not at all. Nothing
in it is code. All of it has checksums, and what does not agree with them is made anew.
"""

from __future__ import annotations

import glob
import hashlib
import json
import math
import mmap
import os
import shutil
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs.csr import csr_over
from novikoff.io.data import Data, is_idle, join_columns
from novikoff.io.labels import Coded
from novikoff.io.sources import Source, translated
from novikoff.wording import keyword

HEADER = "header.json"
OF_ROWS = ("weights", "tags", "queries")
ARRAYS = {"X", "values", "columns", "starts", "y", "words", *OF_ROWS}
KEPT = ("names", "label", "encoding", "reading", "source", "format", "options")  # of a block
HEAD_BYTES = 128  # bytes before the numbers of a .npy file
PIECE_BYTES = 1 << 22  # bytes that are checked, or copied, at once
MOST_MAPPED_BYTES = 1 << 30  # bytes of an array whose pages may stay in memory after a check
# A file changed so shortly before it was looked at could change again within one clock tick.
CLOCK_TICK_NS = 2_000_000_000  # ns
ABANDONED_AFTER = 3600.0  # seconds without a change after which a half-written cache is nobody's
Labels = Coded | np.ndarray | None


class Kept(NamedTuple):
    """What a cache holds: rows, and their labels as they are written."""

    data: Data  # without y
    labels: Labels
    given: dict[str, Any]  # what was said beforehand, and not found by a survey


def paths_of(sources: list[Source]) -> list[Path]:
    """The files, which must be regular ones: a cache is of what can be looked at again."""
    for source in sources:
        if source.path is None:
            raise FileError(f"{source.name} cannot be cached; save it to a file first.")
    return [source.path for source in sources if source.path is not None]


class Cache:
    """The folder where the rows of some files, known by `key`, are or will be."""

    def __init__(self, sources: list[Source], key: dict[str, Any], where: Path | None) -> None:
        self.paths = paths_of(sources)
        self.key = json.loads(json.dumps(key))
        names = [str(path.absolute()) for path in self.paths]
        mark = hashlib.sha256(json.dumps([names, self.key], sort_keys=True).encode())
        parent = self.paths[0].parent if where is None else where
        self.folder = parent / f"{self.paths[0].name}.{mark.hexdigest()[:12]}.novikoff"

    def load(self) -> Kept | None:
        """The rows, mapped into memory; None where there is no cache that can be trusted."""
        try:
            header = json.loads((self.folder / HEADER).read_bytes())
            if sealed(header) != header or header["key"] != self.key:
                return None
            if not all(is_same(*pair) for pair in zip(self.paths, header["files"], strict=True)):
                return None
            arrays = {
                name: mapped(self.folder / f"{name}.npy", **facts)
                for name, facts in header["arrays"].items()
                if name in ARRAYS
            }
            return _as_kept(header, arrays)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def write(self, blocks: Iterator[tuple[Data, Labels]], given: dict[str, Any]) -> None:
        """Write these blocks, which come with their labels as written."""
        seen = [look(path) for path in self.paths]
        part = self._beside()
        with self._explained():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            for remains in self.folder.parent.glob(f".{glob.escape(self.folder.name)}.*"):
                with suppress(OSError):  # no folder, or another process is done with it just now
                    times = [entry.stat().st_mtime for entry in (remains, *remains.iterdir())]
                    if time.time() - max(times) > ABANDONED_AFTER:  # by a process that was killed
                        shutil.rmtree(remains, ignore_errors=True)
            part.mkdir()
        arrays = _Arrays(part)
        try:
            with ThreadPoolExecutor(1) as pool:
                digests = [pool.submit(digest, path) for path in self.paths]
                for block, labels in blocks:
                    with self._explained():
                        arrays.append(block, labels)
                contents = [future.result() for future in digests]
            if [look(path) for path in self.paths] != seen:
                raise FileError(f"{block.source} changed while it was read; read it again.")
            now = time.time_ns()
            files = [
                {**facts, "sha256": content, "looked": now}
                for facts, content in zip(seen, contents, strict=True)
            ]
            with self._explained():
                header = {"key": self.key, "files": files, "given": given, **arrays.finish(block)}
                (part / HEADER).write_text(json.dumps(sealed(header)))
                self._put_in_place(part)
        finally:
            for array in arrays.files.values():
                with suppress(OSError):  # of what a full disk did not take, which was told before
                    array.file.close()
            shutil.rmtree(part, ignore_errors=True)

    def _beside(self) -> Path:
        """A new name beside the folder, which is not the name of a cache."""
        return self.folder.with_name(f".{self.folder.name}.{os.urandom(4).hex()}")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """What the system says of writing here, as a FileError that says what to do."""
        try:
            yield
        except OSError as error:
            raise FileError(
                f"cannot write the cache in {self.folder.parent}: {error.strerror or error}; name "
                f"another folder for it by {keyword('cache', 'DIR')}."
            ) from None

    def _put_in_place(self, part: Path) -> None:
        aside = self._beside()
        with suppress(FileNotFoundError):
            self.folder.rename(aside)
        try:
            part.rename(self.folder)
        except OSError:
            if not self.folder.exists():  # else another process was faster, this very moment
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def look(path: Path) -> dict[str, int]:
    """What the file system says of a file: all of it stays the same as long as the file does."""
    with translated(str(path)):
        seen = path.stat()
    return {name: getattr(seen, f"st_{name}") for name in ("size", "mtime_ns", "ctime_ns", "ino")}


def digest(path: Path) -> str:
    """The SHA-256 of the file's bytes."""
    with translated(str(path)), path.open("rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest()


def is_same(path: Path, kept: dict[str, Any]) -> bool:
    """Whether the file is the one that was read.

    Where the file system's word is as it was, and was not given in the same moment as a change,
    it is believed; otherwise the content decides.
    """
    now = look(path)
    unchanged = all(kept[name] == value for name, value in now.items())
    if unchanged and max(now["mtime_ns"], now["ctime_ns"]) < kept["looked"] - CLOCK_TICK_NS:
        return True
    return bool(now["size"] == kept["size"] and digest(path) == kept["sha256"])


def sealed(header: dict[str, Any]) -> dict[str, Any]:
    """The header with the digest of all else that is in it."""
    rest = {name: value for name, value in header.items() if name != "digest"}
    return {**rest, "digest": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


class GrowingArray:
    """A .npy file that grows by rows; a part of a wider type widens all of it."""

    def __init__(self, path: Path, first: np.ndarray) -> None:
        self.path, self.dtype, self.row_shape = path, first.dtype, first.shape[1:]
        self.n_rows = self.crc = 0
        self.file = path.open("wb")
        self.file.write(bytes(HEAD_BYTES))

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
        self.__init__(self.path, given[:0].astype(dtype))  # type: ignore[misc]
        step = max(PIECE_BYTES // max(given.strides[0], 1), 1)
        for start in range(0, len(given), step):
            self.append(given[start : start + step].astype(dtype))
        narrow.unlink()

    def finish(self) -> dict[str, Any]:
        """Write what comes before the numbers; what `mapped` needs to find them again."""
        shape = (self.n_rows, *self.row_shape)
        self.file.seek(0)
        self.file.write(_head(self.dtype, shape))
        self.file.close()
        return {"dtype": self.dtype.str, "shape": list(shape), "crc32": self.crc}


def _head(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """What a .npy file of version 1 begins with."""
    described = f"{{'descr': {dtype.str!r}, 'fortran_order': False, 'shape': {shape}, }}"
    magic = b"\x93NUMPY\x01\x00" + (HEAD_BYTES - 10).to_bytes(2, "little")
    return magic + described.encode().ljust(HEAD_BYTES - 11) + b"\n"


def mapped(path: Path, dtype: str, shape: list[int], crc32: int) -> np.ndarray:
    """The array in a .npy file, mapped read-only; ValueError where it is not as it was written.

    numpy's own loader would evaluate what the file begins with; here it is only compared.
    """
    kind, sizes = np.dtype(dtype), tuple(int(size) for size in shape)
    n_bytes = HEAD_BYTES + kind.itemsize * math.prod(sizes)
    with path.open("rb") as file:
        is_as_written = file.read(HEAD_BYTES) == _head(kind, sizes)
    if kind.kind not in "iufbU" or not is_as_written or path.stat().st_size != n_bytes:
        raise ValueError(f"{path} is not what its header says")
    if n_bytes == HEAD_BYTES:
        return np.empty(sizes, dtype=kind)
    array = np.memmap(path, dtype=kind, mode="r", offset=HEAD_BYTES, shape=sizes)
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


class _Arrays:
    """The arrays of a cache while they are written: rows piece by piece, all else at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, GrowingArray] = {}
        self.columns: dict[str, list[np.ndarray | None]] = {name: [] for name in ("y", *OF_ROWS)}
        self.starts: list[np.ndarray] = []
        self.words: dict[str, int] = {}
        self.n_rows = self.n_entries = self.n_rounded = 0
        self.left_out: list[np.ndarray] = []
        self.notes: dict[str, None] = {}
        self.extremes: Any = None  # the least and the largest number of each column

    def append(self, block: Data, labels: Labels) -> None:
        X = block.X
        if isinstance(X, np.ndarray):
            self._write("X", X)
            if X.size:
                old = [] if self.extremes is None else self.extremes
                found = np.vstack([X.min(axis=0), X.max(axis=0), *old])
                self.extremes = found.min(axis=0), found.max(axis=0)
        else:
            self._write("values", X.data)
            self._write("columns", X.indices)
            self.starts.append(X.indptr[:-1] + np.int64(self.n_entries))
            self.n_entries += len(X.data)
        y: Any = labels
        if isinstance(labels, Coded):  # as codes among the words of all blocks so far
            places = [self.words.setdefault(word, len(self.words)) for word in labels.levels]
            y = np.array(places, dtype=np.int64)[labels.codes]
        self.columns["y"].append(y)
        for name in OF_ROWS:
            self.columns[name].append(getattr(block, name))
        self.n_rows += block.n_rows
        self.left_out.append(block.left_out)
        self.n_rounded += block.n_rounded
        self.notes |= dict.fromkeys(block.notes)

    def _write(self, name: str, part: np.ndarray) -> None:
        if name not in self.files:
            self.files[name] = GrowingArray(self.folder / f"{name}.npy", part)
        self.files[name].append(part)

    def finish(self, last: Data) -> dict[str, Any]:
        """Write what is left to write; what the header says of all."""
        if "columns" in self.files:
            # scipy wants one type for both, the smaller one where it is enough.
            whole = np.dtype(np.int32 if self.n_entries < 2**31 else np.int64)
            self.files["columns"].widen(whole)
            self._write("starts", np.concatenate([*self.starts, [self.n_entries]]).astype(whole))
        if self.words:
            self._write("words", np.array(list(self.words)))
        for name, parts in self.columns.items():
            column = join_columns(parts)
            if column is not None and not (name in ("tags", "queries") and is_idle(column)):
                self._write(name, column)
        return {
            **{name: getattr(last, name) for name in KEPT},
            "shape": [self.n_rows, last.n_columns],
            "notes": list(self.notes),
            "n_rounded": self.n_rounded,
            "extremes": None if self.extremes is None else [e.tolist() for e in self.extremes],
            "left_out": np.concatenate(self.left_out).tolist(),
            "arrays": {name: array.finish() for name, array in self.files.items()},
        }


def _check(is_so: Any) -> None:
    """Raise ValueError where an array or the header is not as this module writes it."""
    if not is_so:
        raise ValueError("the parts of the cache do not fit together")


def _as_kept(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Kept:
    """What the header and the arrays say; ValueError where they do not fit together.

    Every place is compared with its bounds: compiled loops do not look.
    """
    n_rows, n_columns = header["shape"]
    encoding, names = header["encoding"], header["names"]
    for part in (names or [], header["notes"], *encoding.values()):
        _check(type(part) is list and all(type(text) is str for text in part))
    _check(type(header["left_out"]) is list)
    _check(set(header["options"].get("encoding", ())) <= set(encoding))
    X: Any = arrays.get("X")
    extremes = None
    if X is None:
        values, columns, starts = arrays["values"], arrays["columns"], arrays["starts"]
        _check({columns.dtype.kind, starts.dtype.kind} == {"i"} and values.shape == columns.shape)
        _check(starts[0] == 0 and starts[-1] == len(columns) and (np.diff(starts) >= 0).all())
        _check(not len(columns) or (columns.min() >= 0 and columns.max() < n_columns))
        X = csr_over(values, columns, starts, n_columns)
    else:
        least, largest = np.array(header["extremes"], dtype=X.dtype)
        _check(least.shape == largest.shape == (n_columns,))
        extremes = least, largest
    _check(X.shape == (n_rows, n_columns) and X.dtype.kind == "f")
    of_rows = {name: arrays.get(name) for name in ("y", *OF_ROWS)}
    _check(all(part is None or part.shape == (n_rows,) for part in of_rows.values()))
    y: Any = of_rows.pop("y")
    if y is not None and (words := arrays.get("words")) is not None:
        _check(y.dtype.kind == "i" and words.dtype.kind == "U" and words.ndim == 1)
        _check(not len(y) or 0 <= y.min() <= y.max() < len(words))
        y = Coded(y, words.tolist())
    data = Data(
        X=X,
        y=None,
        source=str(header["source"]),
        format=str(header["format"]),
        names=None if names is None else tuple(names),
        label=header["label"],
        encoding=dict(encoding),
        reading=dict(header["reading"]),
        options=dict(header["options"]),
        notes=tuple(header["notes"]),
        n_rounded=int(header["n_rounded"]),
        left_out=np.array(header["left_out"], dtype=np.int64),
        extremes=extremes,
        **of_rows,
    )
    return Kept(data, y, dict(header["given"]))
