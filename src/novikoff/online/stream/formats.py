"""Which format a stream has, by its name or its first line; and who reads it."""

from __future__ import annotations

from dataclasses import replace

from novikoff.errors import FileError, ParameterError
from novikoff.io.formats import TEXT, format_of
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.online.stream.rows import RowReader
from novikoff.wording import keyword


def format_of_stream(line: bytes, name: str) -> str:
    """The format of a stream of this name that begins with this line."""
    found = format_of(line, name)
    if found not in TEXT:
        raise FileError(
            f"{name} is a {found} file, and a stream is text, a row a line; `novikoff fit` reads "
            "Parquet, Arrow, npy and npz."
        )
    return found


def row_reader(format: str, given: Options, name: str = "the stream") -> RowReader:
    """The reader of a format; a ParameterError if an option does not go with it."""
    given.check_meant_for(format)
    if format == "jsonl" and given.keep:
        raise ParameterError(f"{keyword('keep')} is for csv and tsv, not for jsonl.", "keep")
    given = replace(given, format=format)
    source = Source(name, None)
    if format == "jsonl":
        from novikoff.online.stream.json_rows import JsonRows

        return JsonRows(given)
    if format in ("svmlight", "vw"):
        from novikoff.online.stream.sparse_rows import SparseTextRows

        return SparseTextRows(given, source)
    from novikoff.online.stream.csv_rows import CsvRows

    return CsvRows(given, source)
