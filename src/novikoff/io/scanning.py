"""`scan`: files of any size, block by block in constant memory, or mapped from a cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from novikoff.errors import InputError, KeywordError, ParameterError
from novikoff.io.column_warnings import column_warnings
from novikoff.io.data import Data
from novikoff.io.labels import Coded, LabelKind, check_classes
from novikoff.io.options import BESIDE_ROWS, Options, ScanOptions, options, with_keywords
from novikoff.io.reading import Reader, no_rows, open_reader
from novikoff.io.sources import find_sources
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.io.cache import Kept, Labels

MAPPED_NUMBERS = 1 << 20  # numbers in a block of a mapped cache, 8 MB
MOST_TRIES = 3  # to make a cache that is there when it is looked for


class Scan:
    """Files that are read block by block; every iteration is one pass over all rows.

    `for X, y in scan` yields blocks (each a Data, with names, weights and so on). What a block
    alone does not show, such as the levels of text columns or how wide sparse rows are, is
    found by one pass of its own before the first block, the survey.

    n_rows: after a pass (or from a cache), else None. n_columns, names, encoding: once known.
    """

    def __init__(self, path: Any, given: Options, cache: Any) -> None:
        self.sources = find_sources(path)
        self.options = given
        self._where = None if cache is None or cache is False else self._folder_of(cache)
        self._reader: Reader | None = None
        self._sample: Data | None = None  # a block, for what all have in common
        self._mapped: Data | None = None
        self.n_rows: int | None = None
        self.n_dropped: int | None = None

    def __repr__(self) -> str:
        size = "? rows" if self.n_rows is None else f"{self.n_rows} rows"
        width = "" if self.n_columns is None else f", {self.n_columns} columns"
        return f"<Scan {self.source}: {size}{width}>"

    @property
    def source(self) -> str:
        return self.sources[0].name if len(self.sources) == 1 else f"{len(self.sources)} files"

    @property
    def n_columns(self) -> int | None:
        return None if self._sample is None else self._sample.n_columns

    @property
    def names(self) -> tuple[str, ...] | None:
        return None if self._sample is None else self._sample.names

    @property
    def label(self) -> str | None:
        return None if self._sample is None else self._sample.label

    @property
    def encoding(self) -> dict[str, list[str]]:
        return {} if self._sample is None else self._sample.encoding

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self._sample is None else self._sample.notes

    @property
    def format(self) -> str:
        return self._open().format

    def __iter__(self) -> Iterator[Data]:
        if self._where is None:
            for block, _ in self._parsed(self._open()):
                if block.n_rows:
                    yield block
            return
        data = self._from_cache()
        from novikoff.io.cache import let_go

        size = data.X.size if isinstance(data.X, np.ndarray) else data.X.nnz
        rows = max(MAPPED_NUMBERS * data.n_rows // max(int(size), 1), 1)
        for start in range(0, data.n_rows, rows):
            stop = min(start + rows, data.n_rows)
            yield data.rows(start, stop)
            if isinstance(data.X, np.ndarray):  # the system gets back pages that were passed
                let_go(data.X, start, stop)
            else:
                first, last = int(data.X.indptr[start]), int(data.X.indptr[stop])
                let_go(data.X.data, first, last)
                let_go(data.X.indices, first, last)

    def as_data(self) -> Data:
        """All rows at once, mapped from the cache."""
        return self.cached()

    def cached(self, where: str | Path | Literal[True] | None = None) -> Data:
        """All rows as arrays that are mapped from a cache, which is made first if need be.

        `where` is a folder, or True for beside the file; by default that of `scan`.
        """
        if where is not None or self._where is None:
            self._where = self._folder_of(True if where is None else where)
            self._mapped = None
        data = self._from_cache()
        return replace(data, notes=(*data.notes, *column_warnings(data, self.options)))

    def _from_cache(self) -> Data:
        from novikoff.io.cache import Cache

        folder = None if self._where is True else self._where
        cache = Cache(self.sources, self._open().identity(), folder)
        for k in range(MOST_TRIES + 1):  # others may remove the same cache
            if self._mapped is None and (kept := cache.load()) is not None:
                self._mapped = self._taken(kept)
            if self._mapped is not None:
                return self._mapped
            if k < MOST_TRIES:
                reader = open_reader(self.sources, self.options, True)  # labels are as written
                cache.write(self._parsed(reader), reader.given_beforehand())
        raise InputError(f"the cache {cache.folder} was removed while it was read.")

    def _folder_of(self, where: Any) -> Path | Literal[True]:
        if where is not True and not isinstance(where, (str, Path)):
            raise InputError(f"cache is {where!r}; it must be True or the path of a folder.")
        from novikoff.io.cache import paths_of

        paths_of(self.sources)
        folder = None if where is True else Path(where)
        if folder is not None and folder.exists() and not folder.is_dir():
            raise ParameterError(
                f"{keyword('cache', str(where))} is a file; a cache is a folder: name another.",
                "cache",
            )
        return folder or True

    def _taken(self, kept: Kept) -> Data | None:
        """The rows of a cache, with their labels as they are asked for.

        None where levels and the like that were said beforehand here were neither said nor found
        by whoever made the cache.
        """
        reader, data, labels = self._open(), kept.data, kept.labels
        if reader.given_beforehand() != kept.given and (kept.given or not reader.fits(data)):
            return None
        of_labels: list[str] = []
        if isinstance(labels, Coded):
            kind, taking = LabelKind(self.options.numerals), reader.options.labels
            kind.add(labels.levels if taking != "text" else ())
            labels, of_labels = kind.take(labels, taking), kind.notes
        if labels is not None:
            check_classes(_distinct(labels, self.options), self.options.classes, self.source)
        options = {name: value for name, value in data.options.items() if name not in BESIDE_ROWS}
        notes = (*reader.notes_of(data), *of_labels)
        data = replace(
            data, y=labels, source=self.source, options=options | reader.options.beside_rows(),
            notes=notes,
        )  # fmt: skip
        self.n_rows, self.n_dropped = data.n_rows, data.n_dropped
        self._sample = data.rows(0, 1)
        return data

    def _open(self) -> Reader:
        if self._reader is None:
            self._reader = open_reader(self.sources, self.options)
        return self._reader

    def _parsed(self, reader: Reader) -> Iterator[tuple[Data, Labels]]:
        """One pass over the files, in blocks as they come, with their labels as written; at the end
        of it is known how many rows there are."""
        n_rows = n_dropped = 0
        if reader.needs_survey and not reader.is_surveyed:

            def counted() -> Iterator[Any]:
                for block in reader.blocks():
                    self.n_rows = (self.n_rows or 0) + block.n_rows
                    self.n_dropped = (self.n_dropped or 0) + block.n_dropped
                    yield block

            self.n_rows = self.n_dropped = 0
            reader.survey(counted())
            reader.is_surveyed = True
        seen: set[Any] = set()
        for block in reader.blocks():
            if not reader.is_surveyed:
                reader.survey([block])
                reader.is_surveyed = True
            if not block.n_rows and not block.n_dropped:
                continue
            labels, data = reader.written_labels(block), reader.finish([block])
            if data.n_dropped:
                data = replace(data, left_out=data.left_out + n_rows + n_dropped)
            self._sample = self._sample or data
            n_rows, n_dropped = n_rows + data.n_rows, n_dropped + data.n_dropped
            if data.y is not None:
                seen |= _distinct(data.y, self.options)
            yield data, labels
        if not n_rows:
            raise no_rows(self.source, n_dropped, self.options)
        check_classes(seen, self.options.classes, self.source)
        self.n_rows, self.n_dropped = n_rows, n_dropped


def _distinct(y: np.ndarray, options: Options) -> set[Any]:
    """The different labels, where any were named."""
    return set() if options.classes is None else set(np.unique(y).tolist())


@with_keywords(ScanOptions)
def scan(
    path_or_pattern: str | Path,
    label: str | int | Literal[False] | None = None,
    *,
    cache: str | Path | bool | None = None,
    **reading: Unpack[ScanOptions],
) -> Scan:
    """Files to be read block by block; nothing is read yet. Numbers are the nearest floats.

    Parameters
    ----------
    path_or_pattern, label : as of `read`.
    cache : True writes the rows, at the first pass, as .npy files beside the file, or in the
        folder given, and maps them into memory at every later one.
    reading : the options that ScanOptions lists:
    """
    if "numbers" in reading:
        raise KeywordError("scan has no option 'numbers': its numbers are binary64; use read.")
    given = options(label=label, numbers="binary64", **reading)
    return Scan(path_or_pattern, given, cache)
