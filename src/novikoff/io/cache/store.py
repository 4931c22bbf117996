"""A cache: rows as .npy files, which are mapped into memory instead of parsed again.

It is a folder beside its file, or in a folder of the user's choice, with a .npy file for each array
and header.json, which says what they are, from which files, and how those were read. It is written
under a temporary name and renamed, so that it is there as a whole or not at all. Nothing in it is
code. All of it has checksums, and what does not agree with them is made anew from the file.
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
from novikoff.inputs.csr import csr_over
from novikoff.io.cache.fingerprint import digest, fingerprint, is_same, look
from novikoff.io.cache.growing import GrowingArray, mapped
from novikoff.io.data import Data, is_idle, join_columns
from novikoff.io.labels import Coded, LabelKind
from novikoff.io.sources import Source
from novikoff.io.text.numerals import Numerals
from novikoff.wording import keyword

HEADER = "header.json"
PIECEWISE = ("X", "values", "columns")  # arrays that are written piece by piece
AT_ONCE = ("starts", "y", "words", "weights", "tags", "queries")  # one value a row, or fewer
Labels = Coded | np.ndarray | None
ABANDONED_AFTER = 3600.0  # seconds without a change after which a half-written cache is nobody's


class Kept(NamedTuple):
    """What a cache holds: rows, and their labels as they are written."""

    data: Data  # without y
    labels: Labels
    given: dict[str, Any]  # what was said beforehand, and not found by a survey

    def taken(self, labels: str, numerals: Numerals) -> tuple[np.ndarray | None, list[str]]:
        """The labels as `read` takes them by the same word, and what there is to say of them."""
        if not isinstance(self.labels, Coded):
            return self.labels, []
        kind = LabelKind(numerals)
        if labels != "text":
            kind.add(self.labels.levels)
        return kind.take(self.labels, labels), kind.notes


def paths_of(sources: list[Source]) -> list[Path]:
    """The files, which must be regular ones: a cache is of what can be looked at again."""
    paths = [source.path for source in sources if source.path is not None]
    if len(paths) < len(sources):
        name = next(source.name for source in sources if source.path is None)
        raise FileError(f"{name} cannot be cached; save it to a file first.")
    return paths


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
            files = [dict(file) for file in header["files"]]
            if not all(is_same(*pair) for pair in zip(self.paths, files, strict=True)):
                return None
            arrays = {
                name: mapped(self.folder / f"{name}.npy", **facts)
                for name, facts in header["arrays"].items()
                if name in PIECEWISE + AT_ONCE
            }
            found = _as_kept(header, arrays)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        if files != header["files"]:  # the same bytes, which were looked at again
            self._rewrite_header({**header, "files": files})
        return found

    def _rewrite_header(self, header: dict[str, Any]) -> None:
        part = self.folder / f".{HEADER}.{os.urandom(4).hex()}"
        try:
            part.write_text(json.dumps(sealed(header)))
            part.replace(self.folder / HEADER)
        except OSError:  # a cache that cannot be written can still be read
            part.unlink(missing_ok=True)

    def written(
        self, blocks: Iterator[tuple[Data, Labels]], given: dict[str, Any]
    ) -> Iterator[Data]:
        """The blocks, which come with their labels as written; the cache is there once the last of
        them was taken."""
        seen = [look(path) for path in self.paths]
        part = self.folder.with_name(f".{self.folder.name}.{os.urandom(4).hex()}")
        with self._explained():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self._remove_remains()
            part.mkdir()
        arrays = _Arrays(part)
        try:
            with ThreadPoolExecutor(1) as pool:
                digests = [pool.submit(digest, path) for path in self.paths]
                for block, labels in blocks:
                    with self._explained():
                        arrays.append(block, labels)
                    yield block
                contents = [future.result() for future in digests]
            if arrays.last is None or not arrays.n_rows:
                return
            if [look(path) for path in self.paths] != seen:
                raise FileError(f"{arrays.last.source} changed while it was read; read it again.")
            files = [fingerprint(*facts) for facts in zip(self.paths, seen, contents, strict=True)]
            with self._explained():
                header = {"key": self.key, "files": files, "given": given, **arrays.finish()}
                (part / HEADER).write_text(json.dumps(sealed(header)))
                self._put_in_place(part)
        finally:
            arrays.close()
            shutil.rmtree(part, ignore_errors=True)

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
        aside = self.folder.with_name(f".{self.folder.name}.{os.urandom(4).hex()}")
        with suppress(FileNotFoundError):
            self.folder.rename(aside)
        try:
            part.rename(self.folder)
        except OSError:
            if not self.folder.exists():  # else another process was faster, this very moment
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _remove_remains(self) -> None:
        """Remove what a process that was killed left behind."""
        for remains in self.folder.parent.glob(f".{glob.escape(self.folder.name)}.*"):
            with suppress(OSError):  # it is no folder, or another process is done with it just now
                times = [entry.stat().st_mtime for entry in (remains, *remains.iterdir())]
                if time.time() - max(times) > ABANDONED_AFTER:
                    shutil.rmtree(remains, ignore_errors=True)


class _Arrays:
    """The arrays of a cache while they are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, GrowingArray] = {}
        self.columns: dict[str, list[np.ndarray | None]] = {name: [] for name in AT_ONCE}
        self.words: dict[str, int] = {}
        self.last: Data | None = None
        self.n_rows = self.n_entries = self.n_rounded = 0
        self.left_out: list[np.ndarray] = []
        self.notes: dict[str, None] = {}
        self.least = self.largest = np.empty(0)

    def append(self, block: Data, labels: Labels) -> None:
        X = block.X
        if isinstance(X, np.ndarray):
            large = {"X": X}
            if X.size:
                is_first = not self.least.size
                self.least = np.minimum(X.min(axis=0), X[0] if is_first else self.least)
                self.largest = np.maximum(X.max(axis=0), X[0] if is_first else self.largest)
        else:
            large = {"values": X.data, "columns": X.indices}
            self.columns["starts"].append(X.indptr[:-1] + np.int64(self.n_entries))
            self.n_entries += len(X.data)
        for name, part in large.items():
            self._write(name, part)
        for name, column in (
            ("y", self._codes(labels) if isinstance(labels, Coded) else labels),
            ("weights", block.weights),
            ("tags", block.tags),
            ("queries", block.queries),
        ):
            self.columns[name].append(column)
        self.last = block
        self.n_rows += block.n_rows
        self.left_out.append(block.left_out)
        self.n_rounded += block.n_rounded
        self.notes |= dict.fromkeys(block.notes)

    def _codes(self, labels: Coded) -> np.ndarray:
        """The labels as codes among the words of all blocks so far."""
        places = [self.words.setdefault(word, len(self.words)) for word in labels.levels]
        codes: np.ndarray = np.array(places, dtype=np.int64)[labels.codes]
        return codes

    def _write(self, name: str, part: np.ndarray) -> None:
        if name not in self.files:
            self.files[name] = GrowingArray(self.folder / f"{name}.npy", part)
        self.files[name].append(part)

    def finish(self) -> dict[str, Any]:
        """Write what is left to write; what the header says of all."""
        last = self.last
        if last is None:
            raise ValueError("a cache needs at least one block")
        if "columns" in self.files:
            # scipy wants one type for both, the smaller one where it is enough.
            whole = np.dtype(np.int32 if self.n_entries < 2**31 else np.int64)
            self.files["columns"].widen(whole)
            starts = np.concatenate([*self.columns["starts"], [self.n_entries]])
            self.columns["starts"] = [starts.astype(whole)]
        if self.words:
            self.columns["words"] = [np.array(list(self.words))]
        for name, parts in self.columns.items():
            column = join_columns(parts)
            if column is None or (name in ("tags", "queries") and is_idle(column)):
                continue
            self._write(name, column)
        return {
            "shape": [self.n_rows, last.n_columns],
            "names": last.names,
            "label": last.label,
            "encoding": last.encoding,
            "reading": last.reading,
            "source": last.source,
            "format": last.format,
            "options": last.options,
            "notes": list(self.notes),
            "n_rounded": self.n_rounded,
            "extremes": [self.least.tolist(), self.largest.tolist()],
            "left_out": np.concatenate(self.left_out).tolist(),
            "arrays": {name: array.finish() for name, array in self.files.items()},
        }

    def close(self) -> None:
        for array in self.files.values():
            array.close()


def sealed(header: dict[str, Any]) -> dict[str, Any]:
    """The header with the digest of all else that is in it."""
    rest = {name: value for name, value in header.items() if name != "digest"}
    return {**rest, "digest": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}


def _check_places(columns: np.ndarray, starts: np.ndarray, n_columns: int) -> None:
    """Raise ValueError unless every index is within bounds: compiled loops do not look."""
    if starts[0] != 0 or (starts[1:] < starts[:-1]).any() or starts[-1] != len(columns):
        raise ValueError("rows do not follow each other")
    if len(columns) and not (columns.min() >= 0 and columns.max() < n_columns):
        raise ValueError("a column is out of bounds")


def _extremes(kept: Any, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least, largest = np.array(kept, dtype=X.dtype)
    if least.shape != X.shape[1:]:
        raise ValueError("there must be a least and a largest number of each column")
    return least, largest


def _labels(arrays: dict[str, np.ndarray]) -> Labels:
    y, words = arrays.get("y"), arrays.get("words")
    if y is None or words is None:
        return y
    if y.dtype.kind != "i" or words.dtype.kind != "U" or words.ndim != 1:
        raise ValueError("codes and words are needed")
    if len(y) and not 0 <= y.min() <= y.max() < len(words):
        raise ValueError("a code is out of bounds")
    return Coded(y, words.tolist())


def _as_kept(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Kept:
    n_rows, n_columns = header["shape"]
    encoding, names = header["encoding"], header["names"]
    texts = [names or [], header["notes"], *encoding.values()]
    if not all(type(part) is list and all(type(text) is str for text in part) for part in texts):
        raise ValueError("the header has something else where texts belong")
    levels_of = set(header["options"].get("encoding", ()))
    if type(header["left_out"]) is not list or not levels_of <= set(encoding):
        raise ValueError("the header does not fit together")
    X: Any = arrays.get("X")
    if X is None:
        values, columns, starts = arrays["values"], arrays["columns"], arrays["starts"]
        _check_places(columns, starts, n_columns)
        if values.shape != columns.shape or {columns.dtype.kind, starts.dtype.kind} != {"i"}:
            raise ValueError("the arrays do not belong together")
        X = csr_over(values, columns, starts, n_columns)
    if X.shape != (n_rows, n_columns) or X.dtype.kind != "f":
        raise ValueError("X does not have the shape that the header says")
    for name in {"y", "weights", "tags", "queries"} & set(arrays):
        if arrays[name].shape != (n_rows,):
            raise ValueError(f"{name} does not have one value for each row")
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
        options=dict(header["options"]),
        notes=tuple(header["notes"]),
        n_rounded=int(header["n_rounded"]),
        left_out=np.array(header["left_out"], dtype=np.int64),
        extremes=_extremes(header["extremes"], X) if isinstance(X, np.ndarray) else None,
    )
    return Kept(data, _labels(arrays), dict(header["given"]))
