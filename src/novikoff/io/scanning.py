"""`scan`: files of any size, block by block in constant memory, or mapped from a cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import InputError, KeywordError, ParameterError
from novikoff.io.column_warnings import column_warnings
from novikoff.io.data import Data, join
from novikoff.io.labels import check_labels, signs_of
from novikoff.io.options import BESIDE_ROWS, Options, ScanOptions, options, with_keywords
from novikoff.io.reader import Reader
from novikoff.io.reading import no_rows, open_reader
from novikoff.io.sources import find_sources
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.io.cache import Cache
    from novikoff.io.cache.store import Kept, Labels

MAPPED_NUMBERS = 1 << 20  # numbers in a block of a mapped cache, 8 MB
MOST_TRIES = 3  # to make a cache that is there when it is looked for


class Scan:
    """Files that are read block by block; every iteration is one pass over all rows.

    `for X, y in scan` yields blocks (each a Data, with names, weights and so on). What a block
    alone does not show, such as the levels of text columns or how wide sparse rows are, is
    found by one pass of its own before the first block, the survey.

    n_rows: after a pass (or from a cache), else None. n_columns, names, encoding: once known.
    """

    def __init__(self, path: Any, given: Options, block_rows: int | None, cache: Any) -> None:
        self._path = path
        self.sources = find_sources(path)
        self.options = given
        self.block_rows = block_rows
        self._where = None if cache is None or cache is False else self._folder_of(cache)
        self._reader: Reader | None = None
        self._surveyed = False
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

    def survey(self) -> Scan:
        """Read all files once, to know their rows, columns, labels and levels beforehand."""
        reader = self._open()
        counts = [0, 0]

        def counted() -> Iterator[Any]:
            for block in reader.blocks():
                counts[0] += block.n_rows
                counts[1] += block.n_dropped
                yield block

        reader.survey(counted())
        self._surveyed = True
        self.n_rows, self.n_dropped = counts
        return self

    def __iter__(self) -> Iterator[Data]:
        if self._where is None:
            yield from self._counted(self._reblocked(block for block, _ in self._parsed()))
        elif self._load() is not None:
            yield from self._mapped_blocks()
        else:
            blocks = self._cache().written(self._parsed(), self._open().given_beforehand())
            yield from self._counted(self._reblocked(blocks))

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
        data, tries = self._load(), 0
        while data is None and tries < MOST_TRIES:  # others may make, and remove, the same cache
            self._make()
            data, tries = self._load(), tries + 1
        if data is None:
            raise InputError(f"the cache {self._cache().folder} was removed while it was read.")
        warnings = column_warnings(data, self.options)
        return replace(data, notes=(*data.notes, *warnings))

    def _make(self) -> None:
        """Write the cache by a reader that takes no labels: those of any block are as written."""
        plain = Scan(self._path, replace(self.options, positive=None), None, None)
        plain.sources, plain._reader = self.sources, open_reader(self.sources, self.options, True)
        given = plain._reader.given_beforehand()
        for _ in plain._counted(self._cache().written(plain._parsed(), given)):
            pass

    def _folder_of(self, where: Any) -> Path | Literal[True]:
        if where is not True and not isinstance(where, (str, Path)):
            raise InputError(f"cache is {where!r}; it must be True or the path of a folder.")
        from novikoff.io.cache.store import paths_of

        paths_of(self.sources)
        folder = None if where is True else Path(where)
        if folder is not None and folder.exists() and not folder.is_dir():
            raise ParameterError(
                f"{keyword('cache', str(where))} is a file; a cache is a folder: name another.",
                "cache",
            )
        return folder or True

    def _cache(self) -> Cache:
        """Where these rows are, or are to be written."""
        from novikoff.io.cache import Cache

        folder = None if self._where is True else self._where
        return Cache(self.sources, self._open().identity(), folder)

    def _load(self) -> Data | None:
        if self._mapped is None and self._where is not None:
            kept = self._cache().load()
            if kept is not None and self._is_asked_for(kept):
                self._mapped = self._taken(kept)
                self.n_rows, self.n_dropped = self._mapped.n_rows, self._mapped.n_dropped
                self._sample = self._mapped.rows(0, 1)
        return self._mapped

    def _is_asked_for(self, kept: Kept) -> bool:
        """Whether what was said beforehand here, such as levels, was said or found there too."""
        given = self._open().given_beforehand()
        return given == kept.given or (not kept.given and self._open().fits(kept.data))

    def _taken(self, kept: Kept) -> Data:
        """The rows of a cache, with their labels as they are asked for."""
        reader, positive, data = self._open(), self.options.positive, kept.data
        labels, of_labels = kept.taken(reader.options.labels, self.options.numerals)
        y = signs_of(labels, positive)
        if y is not None:
            check_labels(_distinct(y, self.options), self.options, self.source)
        options = {name: value for name, value in data.options.items() if name not in BESIDE_ROWS}
        options |= reader.options.beside_rows()
        notes = (*reader.notes_of(data), *of_labels)
        return replace(data, y=y, source=self.source, options=options, notes=notes)

    def _open(self) -> Reader:
        if self._reader is None:
            self._reader = open_reader(self.sources, self.options)
        return self._reader

    def _parsed(self) -> Iterator[tuple[Data, Labels]]:
        """One pass over the files, in blocks as they come, with their labels as written."""
        reader = self._open()
        if reader.needs_survey and not self._surveyed:
            self.survey()
        above = 0
        for block in reader.blocks():
            if not self._surveyed:
                reader.survey([block])
                self._surveyed = True
            if block.n_rows or block.n_dropped:
                labels, data = reader.written_labels(block), reader.finish([block])
                if data.n_dropped:
                    data = replace(data, left_out=data.left_out + above)
                yield data, labels
                above += data.n_rows + data.n_dropped

    def _counted(self, blocks: Iterator[Data]) -> Iterator[Data]:
        """The blocks that have rows; at the end of them it is known how many there are."""
        n_rows = n_dropped = 0
        seen: set[Any] = set()
        for block in blocks:
            self._sample = self._sample or block
            n_rows += block.n_rows
            n_dropped += block.n_dropped
            if block.y is not None:
                seen |= _distinct(block.y, self.options)
            if block.n_rows:
                yield block
        if not n_rows:
            raise no_rows(self.source, n_dropped, self.options)
        check_labels(seen, self.options, self.source)
        self.n_rows, self.n_dropped = n_rows, n_dropped

    def _reblocked(self, blocks: Iterator[Data]) -> Iterator[Data]:
        """The same rows in blocks of `block_rows`, the last one shorter."""
        if self.block_rows is None:
            yield from blocks
            return
        waiting: list[Data] = []
        n_waiting = 0
        for block in blocks:
            waiting.append(block)
            n_waiting += block.n_rows
            if n_waiting < self.block_rows:
                continue
            whole = join(waiting)
            stop = n_waiting - n_waiting % self.block_rows
            for start in range(0, stop, self.block_rows):
                part = whole.rows(start, start + self.block_rows)
                yield replace(part, left_out=whole.left_out) if start == 0 else part
            waiting, n_waiting = [whole.rows(stop, n_waiting)], n_waiting - stop
        if waiting and (n_waiting or waiting[0].n_dropped or len(waiting) > 1):
            yield join(waiting)

    def _mapped_blocks(self) -> Iterator[Data]:
        """The cache's rows; pages that were passed are given back to the system."""
        data = self._mapped
        if data is None:
            return
        from novikoff.io.cache.growing import let_go

        rows = self.block_rows or max(MAPPED_NUMBERS * data.n_rows // _size(data.X), 1)
        for start in range(0, data.n_rows, rows):
            stop = min(start + rows, data.n_rows)
            yield data.rows(start, stop)
            if isinstance(data.X, np.ndarray):
                let_go(data.X, start, stop)
            else:
                first, last = int(data.X.indptr[start]), int(data.X.indptr[stop])
                let_go(data.X.data, first, last)
                let_go(data.X.indices, first, last)


def _distinct(y: np.ndarray, options: Options) -> set[Any]:
    """The different labels, where any were named."""
    return set() if options.positive is options.classes is None else set(np.unique(y).tolist())


def _size(X: Any) -> int:
    return max(int(X.size if isinstance(X, np.ndarray) else X.nnz), 1)


@with_keywords(ScanOptions)
def scan(
    path_or_pattern: str | Path,
    label: str | int | Literal[False] | None = None,
    *,
    block_rows: int | None = None,
    cache: str | Path | bool | None = None,
    **reading: Unpack[ScanOptions],
) -> Scan:
    """Files to be read block by block; nothing is read yet. Numbers are the nearest floats.

    Parameters
    ----------
    path_or_pattern, label : as of `read`.
    block_rows : rows in a block, all but the last; by default as many as come at once.
    cache : True writes the rows, at the first pass, as .npy files beside the file, or in the
        folder given, and maps them into memory at every later one.
    reading : the options that ScanOptions lists:
    """
    if "numbers" in reading:
        raise KeywordError("scan has no option 'numbers': its numbers are binary64; use read.")
    given = options(label=label, numbers="binary64", **reading)
    if block_rows is not None:
        whole_number("block_rows", block_rows, 1, 2**62)
    return Scan(path_or_pattern, given, block_rows, cache)
