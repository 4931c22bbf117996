"""`read`: files in, X and y out; and what the readers of all formats have in common.

A reader gives blocks of rows, learns from all blocks what one alone does not show (the survey), and
makes X and y of them. It also says which rows it gives, so that a cache of them is known again:
labels are kept as they are written, and what is found out about a file is compared, not what was
said. What only a survey finds may be given beforehand instead, as a model or a proof does; it is
then compared with what the survey found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from novikoff.errors import FileError
from novikoff.io.column_warnings import column_warnings
from novikoff.io.data import Data, is_idle
from novikoff.io.formats import TEXT, find_format, reader_class
from novikoff.io.labels import Coded, check_classes
from novikoff.io.options import (
    BESIDE_ROWS,
    Options,
    ReadOptions,
    ScanOptions,
    options,
    with_keywords,
)
from novikoff.io.sources import Source, find_sources
from novikoff.memory import check_growth
from novikoff.wording import keyword

MOST_EXACT_BYTES = 32 << 20  # bytes of text whose numbers are exact unless asked for
FRACTION_BYTES = 128  # bytes of a Fraction, its two integers and its place in an array
_OF_TEXTS = ("levels",)  # options that change rows only where there are columns of text


class Reader:
    """Files of one format. A subclass gives `blocks` and `finish`, and, if needed, a survey."""

    surveyed: tuple[str, ...] = ()  # options that give beforehand what a survey finds
    is_surveyed = False

    def __init__(self, sources: list[Source], options: Options) -> None:
        self.sources = sources
        self.options = options
        self.format = options.format or ""
        self.source = sources[0].name if len(sources) == 1 else f"{len(sources)} files"

    @property
    def needs_survey(self) -> bool:
        """Whether `finish` can be called on a block only after all were surveyed."""
        return False

    def blocks(self) -> Iterator[Any]:
        """One pass over the files."""
        raise NotImplementedError

    def survey(self, blocks: Iterable[Any]) -> None:
        """Learn from blocks what one alone does not show."""

    def finish(self, blocks: list[Any]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        raise NotImplementedError

    def check_room(self) -> None:
        """Raise where the files say beforehand that all rows together have no room in memory."""

    def written_labels(self, block: Any) -> Coded | np.ndarray | None:
        """The labels of a block before anything is made of them."""
        labels: Coded | np.ndarray | None = block.labels
        return labels

    def notes_of(self, kept: Data) -> tuple[str, ...]:
        """What is to be said of rows that were kept by another reader of this identity."""
        return kept.notes

    def identity(self) -> dict[str, Any]:
        """What decides the rows, but for what a survey finds. Plain JSON."""
        left_out = (*BESIDE_ROWS, *_OF_TEXTS, *self.surveyed)
        return {name: value for name, value in vars(self.options).items() if name not in left_out}

    def given_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        given = {name: getattr(self.options, name) for name in self.surveyed}
        return {name: value for name, value in given.items() if value != getattr(Options, name)}

    def fits(self, kept: Data) -> bool:
        """Whether rows of this identity are those of which something was given beforehand."""
        given = self.given_beforehand()
        given.pop("unseen", None)
        return given.items() <= kept.reading.items()


@with_keywords(ScanOptions, ReadOptions)
def read(
    path_or_pattern: str | Path,
    label: str | int | Literal[False] | None = None,
    **reading: Unpack[ReadOptions],
) -> Data:
    """Read a file, several, or standard input, as `X, y = nk.read("iris.csv")`.

    Parameters
    ----------
    path_or_pattern : a path, a pattern such as "part-*.csv" (rows in sorted order of the files'
        names), or "-" for standard input. Files may be compressed with gzip, bzip2, xz or zstd.
    label : the label column of a table, by name or by number from 1, by default the last one.
        False reads rows without labels.
    reading : the options that ScanOptions and ReadOptions list:
    """
    given = options(label=label, **reading)  # what is wrong with these is said first
    return read_sources(find_sources(path_or_pattern), given)


def read_sources(sources: list[Source], given: Options) -> Data:
    """All rows of these files."""
    sources = _as_text_of(sources, given)
    given, notes = _numbers_that_fit(sources, given)
    reader = open_reader(sources, given)
    reader.check_room()
    limit = sources[0].limit
    blocks = []
    n_rows = held = 0
    for block in reader.blocks():
        blocks.append(block)
        n_rows += block.n_rows
        held += _bytes_of(block)
        check_growth(held, f"{reader.source}, of which {n_rows:,} rows are read,")
        if limit is not None:
            limit.check_rows(reader.source, n_rows)
    if not n_rows:
        raise no_rows(reader.source, sum(block.n_dropped for block in blocks), given)
    reader.survey(blocks)
    data = reader.finish(blocks)
    data = replace(
        data,
        tags=None if is_idle(data.tags) else data.tags,
        queries=None if is_idle(data.queries) else data.queries,
        notes=(*notes, *data.notes, *column_warnings(data, given)),
    )
    if data.y is not None:
        check_classes(set(data.y.tolist()), given.classes, reader.source)
    return data


def _as_text_of(sources: list[Source], given: Options) -> list[Source]:
    """The same files, with the letters and from the line that the options name."""
    encoding, skipped = given.text_encoding, given.skip_rows
    if encoding is None and not skipped:
        return sources
    return [replace(one, text_encoding=encoding, skip_rows=skipped) for one in sources]


def _numbers_that_fit(sources: list[Source], given: Options) -> tuple[Options, tuple[str, ...]]:
    """The options with floats, and a note, where there is too much text for exact numbers."""
    if given.numbers != "as written" or find_format(sources[0], given) not in TEXT:
        return given, ()
    left = MOST_EXACT_BYTES
    for source in sources:
        left -= source.size_up_to(left + 1)
        if left < 0:
            what = f"{sources[0].name} has" if len(sources) == 1 else f"{len(sources)} files have"
            note = (
                f"{what} more than {MOST_EXACT_BYTES >> 20} MB of text, so that numbers are taken "
                f"as the nearest float64; {keyword('numbers', 'decimal')} takes them as written"
            )
            return replace(given, numbers="binary64"), (note,)
    return given, ()


def _bytes_of(block: Any) -> int:
    """Bytes that the arrays of a block take, in memory or on the disk that they are mapped from."""
    n_bytes = 0
    for part in block if isinstance(block, tuple) else (block.X, block.y):
        array = getattr(part, "codes", part if isinstance(part, np.ndarray) else None)
        array = part.data if hasattr(part, "indptr") else array
        if array is not None:
            n_bytes += array.size * (FRACTION_BYTES if array.dtype == object else array.itemsize)
    return n_bytes


def no_rows(source: str, n_dropped: int, given: Options) -> FileError:
    other = " or are of other classes" if given.classes is not None else ""
    dropped = f" left: {n_dropped} lack a value{other}" if n_dropped else ""
    return FileError(f"{source} has no rows{dropped}.")


def open_reader(sources: list[Source], given: Options, as_written: bool = False) -> Reader:
    """The reader for these files, which must be of one format; it may leave labels as written."""
    sources = _as_text_of(sources, given)
    formats = {find_format(source, given): source.name for source in sources}
    if len(formats) > 1:
        one, other = list(formats.items())[:2]
        raise FileError(
            f"{one[1]} is {one[0]} and {other[1]} is {other[0]}; files that are read together "
            "need one format."
        )
    found = next(iter(formats))
    given = given.as_written_in(found)
    given.check_meant_for(found)
    if as_written:
        given = replace(given, labels="as written").as_written_in(found)
    reader: Reader = reader_class(found)(sources, given)
    return reader
