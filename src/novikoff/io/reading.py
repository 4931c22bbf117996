"""`read`: files in, X and y out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol

from novikoff.errors import FileError, InputError
from novikoff.io.data import Data, is_idle
from novikoff.io.formats import find_format
from novikoff.io.labels import check_positive
from novikoff.io.options import Options, options
from novikoff.io.sources import Source, find_sources


class Reader(Protocol):
    """What reads files of one format."""

    source: str
    format: str

    @property
    def needs_survey(self) -> bool:
        """Whether `finish` can be called on a block only after all were surveyed."""

    def blocks(self) -> Iterator[Any]:
        """One pass over the files."""

    def survey(self, blocks: Iterable[Any]) -> None:
        """Learn from blocks what one alone does not show."""

    def finish(self, blocks: list[Any]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""


def read(
    path_or_pattern: str | Path,
    label: str | int | Literal[False] | None = None,
    *,
    format: str | None = None,
    numbers: str | None = None,
    header: bool | None = None,
    missing: str = "error",
    positive: Any = None,
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str | None = None,
    categorical: Sequence[str | int] = (),
    drop: Sequence[str | int] = (),
    keep: Sequence[str | int] = (),
    columns: Sequence[str | int] | None = None,
    labels: str = "auto",
    encoding: Mapping[str, Sequence[str]] | None = None,
    unseen: str = "error",
    zero_based: bool | str = "auto",
    n_columns: int | None = None,
    bits: int | None = None,
) -> Data:
    """Read a file, several, or standard input, as `X, y = nk.read("iris.csv")`.

    Parameters
    ----------
    path_or_pattern : a path, a pattern such as "part-*.csv" (rows in sorted order of the files'
        names), or "-" for standard input. Files may be compressed with gzip, bzip2, xz or zstd.
    label : the label column of a table, by name or by number from 1, by default the last one.
        False reads rows without labels.
    format : "csv", "tsv", "svmlight", "vw", "parquet", "arrow", "npy" or "npz"; found out by
        default.
    numbers : "binary64" for the nearest floats, or "decimal" for the very numbers of the file,
        which makes X an exact Table. By default text is read as the nearest floats, and whole
        numbers and decimals of binary files that no float64 is equal to stay exact. "as written"
        is "decimal" for csv and tsv, and the default for all others.
    header : whether the first line of a CSV file names the columns; found out by default.
    missing : "error", or "drop" to leave out rows with a missing value.
    positive : the label whose rows get +1 in y, all others -1.
    delimiter : of a CSV file, by default the one of comma, semicolon and tab it has most of.
    decimal, thousands : how a CSV file writes numbers: its decimal mark, "." or ",", and what
        stands between thousands, such as "." or " ". Numbers in a notation that is not said are
        an error, never text.
    categorical : columns to encode as text even though they hold numbers, or as many texts that
        they name rows.
    drop, keep : columns to leave out, and columns to keep although they number the rows.
    columns : the columns to take, in this order, and no others.
    labels : "auto" makes labels numbers where all of them are; "text" never does. "as written"
        is "text" for csv and tsv, and "auto" for all others.
    encoding, unseen : the `.encoding` of other data, to encode this file alike; a level it does
        not list is an error, or, with "zeros", a row of zeros in the column's places.
    zero_based, n_columns : of svmlight, the first index (by default 1 unless a 0 occurs) and the
        number of columns (by default the largest index).
    bits : hashes Vowpal Wabbit features to 2^bits columns, as `vw -b` does, instead of giving
        each name its column.
    """
    given = options(
        label=label, format=format, numbers=numbers, header=header, missing=missing,
        positive=positive, delimiter=delimiter, decimal=decimal, thousands=thousands,
        categorical=categorical, drop=drop, keep=keep, columns=columns, labels=labels,
        encoding=encoding, unseen=unseen, zero_based=zero_based, n_columns=n_columns, bits=bits,
    )  # fmt: skip
    reader = open_reader(find_sources(path_or_pattern), given)
    blocks = list(reader.blocks())
    n_rows = sum(block.n_rows for block in blocks)
    if not n_rows:
        raise no_rows(reader.source, sum(block.n_dropped for block in blocks))
    reader.survey(blocks)
    data = reader.finish(blocks)
    data = replace(
        data,
        tags=None if is_idle(data.tags) else data.tags,
        queries=None if is_idle(data.queries) else data.queries,
    )
    if positive is not None and data.y is not None:
        check_positive(set(data.y.tolist()), positive, reader.source)
    return data


def no_rows(source: str, n_dropped: int) -> FileError:
    dropped = f" left: {n_dropped} lack a value" if n_dropped else ""
    return FileError(f"{source} has no rows{dropped}.")


def open_reader(sources: list[Source], given: Options) -> Reader:
    """The reader for these files, which must be of one format."""
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
    if found == "vw" and given.numbers == "decimal":
        raise InputError("numbers='decimal' is not for Vowpal Wabbit text; say 'binary64'.")
    if found == "svmlight":
        from novikoff.io.svmlight import SvmlightReader

        return SvmlightReader(sources, given)
    if found == "vw":
        from novikoff.io.vw import VwReader

        return VwReader(sources, given)
    if found in ("parquet", "arrow"):
        from novikoff.io.arrow import ArrowReader

        return ArrowReader(sources, given, found)
    if found in ("npy", "npz"):
        from novikoff.io.arrays import ArrayReader

        return ArrayReader(sources, given, found)
    from novikoff.io.csv import CsvReader

    return CsvReader(sources, replace(given, format=found))
