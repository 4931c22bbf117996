"""Rows on disk as raw arrays, to be mapped into memory instead of parsed again.

A cache is a folder beside its file, or in a folder of the user's choice: one file of raw
little-endian numbers for each array, and header.json, which says what they are, from which
files, and how those were read. It is written under a temporary name, synced, and renamed, so
that it is there as a whole or not at all. Nothing in it is code. All of it has checksums, and
what does not agree with them is made anew from the file.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError
from novikoff.io.cache.fingerprint import digest, fingerprint, is_same, look
from novikoff.io.cache.labels import WordsSoFar, WrittenWords
from novikoff.io.cache.raw_array import RawArray, mapped, sync_folder
from novikoff.io.data import Data, csr_over, is_idle
from novikoff.io.labels import Coded
from novikoff.io.sources import Source
from novikoff.io.text.numerals import Numerals
from novikoff.wording import keyword

VERSION = 5
HEADER = "header.json"
ARRAYS = ("X", "values", "columns", "starts", "y", "words", "weights", "tags", "queries")
Labels = Coded | np.ndarray | None
FORGOTTEN = 3600.0  # seconds without a change after which a half-written cache is nobody's


class Kept(NamedTuple):
    """What a cache holds: rows, their labels as written, and what was looked through for them."""

    data: Data  # without y
    labels: WrittenWords | np.ndarray | None
    guesses: list[str]

    def taken(self, labels: str, numerals: Numerals) -> np.ndarray | None:
        """The labels, words of them as text or, with "auto", as numbers if all of them are."""
        words = self.labels
        return words.taken(labels, numerals) if isinstance(words, WrittenWords) else words

    def notes(self, labels: str, numerals: Numerals) -> list[str]:
        """What there is to say of labels that are taken so."""
        if not isinstance(self.labels, WrittenWords) or labels == "text":
            return []
        return self.labels.seen(numerals).notes


def paths_of(sources: list[Source]) -> list[Path]:
    """The files, which must be regular ones: a cache is of what can be looked at again."""
    paths = [source.path for source in sources if source.path is not None]
    if len(paths) < len(sources):
        name = next(source.name for source in sources if source.path is None)
        raise FileError(f"{name} cannot be cached; save it to a file first.")
    return paths


class Cache:
    """The place where the rows of some files, known by `key`, are or will be."""

    def __init__(self, sources: list[Source], key: dict[str, Any], where: Path | None) -> None:
        self.paths = paths_of(sources)
        key = json.loads(json.dumps(key))
        self.key = {"version": VERSION, "rows": key}
        names = [str(path.absolute()) for path in self.paths]
        mark = hashlib.sha256(json.dumps([names, key], sort_keys=True).encode())
        parent = self.paths[0].parent if where is None else where
        self.folder = parent / f"{self.paths[0].name}.{mark.hexdigest()[:12]}.novikoff"

    def load(self) -> Kept | None:
        """The rows, mapped into memory; None where there is no cache that can be trusted."""
        try:
            header = json.loads((self.folder / HEADER).read_bytes())
            if _sealed(header) != header:
                return None
            if header["key"] != self.key or len(header["files"]) != len(self.paths):
                return None
            kept = [dict(file) for file in header["files"]]
            for path, file in zip(self.paths, kept, strict=True):
                if not is_same(path, file):
                    return None
            arrays = {
                name: mapped(self.folder / f"{name}.bin", **facts)
                for name, facts in header["arrays"].items()
                if name in ARRAYS
            }
            found = _as_kept(header, arrays)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        if kept != header["files"]:
            self._rewrite_header({**header, "files": kept})
        return found

    def _rewrite_header(self, header: dict[str, Any]) -> None:
        part = self.folder / f".{HEADER}.{os.urandom(4).hex()}"
        try:
            part.write_text(json.dumps(_sealed(header)))
            part.replace(self.folder / HEADER)
        except OSError:  # a cache that cannot be written can still be read
            part.unlink(missing_ok=True)

    def written(self, blocks: Iterator[tuple[Data, Labels]], guesses: list[str]) -> Iterator[Data]:
        """The blocks, which come with their labels as written; the cache is there once the last of
        them was taken."""
        seen = [look(path) for path in self.paths]
        part = self.folder.with_name(f".{self.folder.name}.{os.urandom(4).hex()}")
        with self._told():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._remove_remains()
            part.mkdir()
        arrays = _Arrays(part)
        try:
            with ThreadPoolExecutor(1) as pool:
                digests = [pool.submit(digest, path) for path in self.paths]
                for block, labels in blocks:
                    with self._told():
                        arrays.append(block, labels)
                    yield block
                contents = [future.result() for future in digests]
            if arrays.last is None or not arrays.n_rows:
                return
            if [look(path) for path in self.paths] != seen:
                raise FileError(f"{arrays.last.source} changed while it was read; read it again.")
            files = [fingerprint(*facts) for facts in zip(self.paths, seen, contents, strict=True)]
            with self._told():
                header = {"key": self.key, "files": files, "guesses": guesses, **arrays.finish()}
                self._commit(part, header)
            self._remove_outdated()
        finally:
            arrays.close()
            shutil.rmtree(part, ignore_errors=True)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the system says of writing here, as a FileError that says what to do."""
        try:
            yield
        except OSError as error:
            raise FileError(
                f"cannot write the cache in {self.folder.parent}: {error.strerror or error}; name "
                f"another folder for it by {keyword('cache', 'DIR')}."
            ) from None

    def _commit(self, part: Path, header: dict[str, Any]) -> None:
        """Put the cache in its place, unless there is one of these rows that serves as well."""
        there = self.load()
        if there is not None:  # another process was faster, or it was looked through for less
            if set(header["guesses"]) <= set(there.guesses):
                return
            header = {**header, "guesses": sorted({*header["guesses"], *there.guesses})}
        with (part / HEADER).open("w") as file:
            json.dump(_sealed(header), file)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(part)
        while True:
            aside = self.folder.with_name(f".{self.folder.name}.{os.urandom(4).hex()}")
            with suppress(FileNotFoundError):
                self.folder.rename(aside)
            try:
                part.rename(self.folder)
                break
            except OSError:
                if not self.folder.exists():  # else another process was faster, this very moment
                    raise
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        sync_folder(self.folder.parent)

    def _remove_remains(self) -> None:
        """Remove what a process that was killed left behind."""
        for remains in self.folder.parent.glob(f".{glob.escape(self.folder.name)}.*"):
            with suppress(OSError):  # it is no folder, or another process is done with it just now
                times = [entry.stat().st_mtime for entry in (remains, *remains.iterdir())]
                if time.time() - max(times) > FORGOTTEN:
                    shutil.rmtree(remains, ignore_errors=True)

    def _remove_outdated(self) -> None:
        """Remove caches of the same file that an older version made, which nothing reads now."""
        for other in self.folder.parent.glob(f"{glob.escape(self.paths[0].name)}.*.novikoff"):
            with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
                header = json.loads((other / HEADER).read_bytes())
                of_ours = header["files"][0]["path"] == str(self.paths[0].absolute())
                known = {HEADER, *(f"{name}.bin" for name in ARRAYS)}
                is_ours = of_ours and {entry.name for entry in other.iterdir()} <= known
                if is_ours and header["key"]["version"] < VERSION:
                    shutil.rmtree(other, ignore_errors=True)


class _Arrays:
    """The arrays of a cache while they are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arrays: dict[str, RawArray] = {}
        self.last: Data | None = None
        self.n_rows = self.n_entries = self.n_rounded = 0
        self.left_out: list[np.ndarray] = []
        self.notes: dict[str, None] = {}
        self.idle = {"tags", "queries"}
        self.words: WordsSoFar | None = None
        self.least = self.largest = np.empty(0)

    def append(self, block: Data, labels: Labels) -> None:
        X = block.X
        parts = {"y": None, "words": None, "weights": block.weights}
        if isinstance(labels, Coded):
            self.words = self.words or WordsSoFar()
            parts["y"], parts["words"] = self.words.add(labels)
        else:
            parts["y"] = labels
        parts |= {"tags": block.tags, "queries": block.queries}
        self.idle = {name for name in self.idle if is_idle(parts[name])}
        if isinstance(X, np.ndarray):
            parts["X"] = X
            if X.size:
                is_first = not self.least.size
                self.least = np.minimum(X.min(axis=0), X[0] if is_first else self.least)
                self.largest = np.maximum(X.max(axis=0), X[0] if is_first else self.largest)
        else:
            parts |= {"values": X.data, "columns": X.indices}
            parts["starts"] = X.indptr[:-1] + np.int64(self.n_entries)
            self.n_entries += len(X.data)
        for name, part in parts.items():
            if part is not None:
                if name not in self.arrays:
                    self.arrays[name] = RawArray(self.folder / f"{name}.bin", part)
                self.arrays[name].append(part)
        self.last = block
        self.n_rows += block.n_rows
        self.left_out.append(block.left_out)
        self.n_rounded += block.n_rounded
        self.notes |= dict.fromkeys(block.notes)

    def finish(self) -> dict[str, Any]:
        """Sync all arrays; what the header says of them."""
        last = self.last
        if last is None:
            raise ValueError("a cache needs at least one block")
        if "starts" in self.arrays:
            self.arrays["starts"].append(np.array([self.n_entries]))
            # scipy wants one type for both, the smaller one where it is enough.
            whole = np.dtype("<i4" if self.n_entries < 2**31 else "<i8")
            self.arrays["starts"].widen(whole)
            self.arrays["columns"].widen(whole)
        for name in self.idle & set(self.arrays):
            array = self.arrays.pop(name)
            array.close()
            array.path.unlink()
        return {
            "shape": [self.n_rows, last.n_columns],
            "names": last.names,
            "label": last.label,
            "encoding": last.encoding,
            "reading": last.reading,
            "source": last.source,
            "format": last.format,
            "told": last.told,
            "notes": list(self.notes),
            "n_rounded": self.n_rounded,
            "extremes": [self.least.tolist(), self.largest.tolist()],
            "labels": None if self.words is None else self.words.kind.name,
            "left_out": np.concatenate(self.left_out).tolist(),
            "arrays": {name: array.finish() for name, array in self.arrays.items()},
        }

    def close(self) -> None:
        for array in self.arrays.values():
            array.close()


def _sealed(header: dict[str, Any]) -> dict[str, Any]:
    """The header with the digest of all else that is in it."""
    rest = {name: value for name, value in header.items() if name != "digest"}
    return {**rest, "digest": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


def _check_places(columns: np.ndarray, starts: np.ndarray, n_columns: int) -> None:
    """Raise ValueError unless every index is within bounds: compiled loops do not look."""
    if starts[0] != 0 or (starts[1:] < starts[:-1]).any():
        raise ValueError("rows do not follow each other")
    if len(columns) and not (columns.min() >= 0 and columns.max() < n_columns):
        raise ValueError("a column is out of bounds")


def _extremes(kept: Any, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least, largest = np.array(kept, dtype=X.dtype)
    if least.shape != X.shape[1:]:
        raise ValueError("there must be a least and a largest number of each column")
    return least, largest


def _as_kept(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Kept:
    n_rows, n_columns = header["shape"]
    encoding, names = header["encoding"], header["names"]
    texts = [names or [], header["guesses"], header["notes"], *encoding.values()]
    if not all(type(part) is list and all(type(text) is str for text in part) for part in texts):
        raise ValueError("the header has something else where texts belong")
    if type(header["left_out"]) is not list or not set(header["told"].get("encoding", ())) <= set(
        encoding
    ):
        raise ValueError("the header does not fit together")
    X: Any = arrays.get("X")
    if X is None:
        X = csr_over(arrays["values"], arrays["columns"], arrays["starts"], n_columns)
        if X.indptr[-1] != len(X.data) or len(X.indices) != len(X.data):
            raise ValueError("the arrays do not belong together")
        _check_places(arrays["columns"], arrays["starts"], n_columns)
    if X.shape != (n_rows, n_columns):
        raise ValueError("X does not have the shape that the header says")
    for name in {"y", "weights", "tags", "queries"} & set(arrays):
        if arrays[name].shape != (n_rows,):
            raise ValueError(f"{name} does not have one value for each row")
    labels: WrittenWords | np.ndarray | None = arrays.get("y")
    if header["labels"] is not None:
        labels = WrittenWords(arrays["y"], arrays["words"], header["labels"])
        labels.check()
    data = Data(
        X=X,
        y=None,
        source=str(header["source"]),
        format=str(header["format"]),
        names=None if names is None else tuple(names),
        label=header["label"],
        encoding=dict(encoding),
        reading=dict(header["reading"]),
        weights=arrays.get("weights"),
        tags=arrays.get("tags"),
        queries=arrays.get("queries"),
        told=dict(header["told"]),
        notes=tuple(header["notes"]),
        n_rounded=int(header["n_rounded"]),
        left_out=np.array(header["left_out"], dtype=np.int64),
        extremes=_extremes(header["extremes"], X) if isinstance(X, np.ndarray) else None,
    )
    return Kept(data, labels, list(header["guesses"]))
