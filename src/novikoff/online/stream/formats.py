"""Which format a stream has, by its name or its first line; and who reads it."""

from __future__ import annotations

import re
from dataclasses import replace

from novikoff.errors import FileError, ParameterError
from novikoff.io.formats import NUMERAL, by_magic, by_name, refuse_others
from novikoff.io.options import Options
from novikoff.online.stream.csv_rows import CsvRows
from novikoff.online.stream.json_rows import JsonRows
from novikoff.online.stream.rows import RowReader
from novikoff.online.stream.sparse_rows import SvmlightRows, VwRows
from novikoff.wording import keyword

FORMATS = ("jsonl", "csv", "tsv", "svmlight", "vw")
_SVMLIGHT = re.compile(NUMERAL + rb"(?:\s+qid:\d+)?(?:[ \t]+\d+:[^\s:,]+)+\s*(?:#.*)?")
_VW = re.compile(rb"(?:" + NUMERAL + rb"\s+){0,3}'?[^\s|,;{]*\s*\|[^,]*")


_MEANT_FOR = {
    ("delimiter", "decimal", "thousands", "keep"): ("csv", "tsv"),
    ("drop", "categorical", "na"): ("jsonl", "csv", "tsv"),
}


def format_by_name(name: str) -> str | None:
    """The format that the name of a file tells, if it can be streamed."""
    found = by_name(name)
    return found if found in FORMATS else None


def format_by_look(line: bytes, source: str) -> str:
    """The format that the first line leaves no doubt about."""
    if by_magic(line):
        raise FileError(
            f"{source} is a binary file, and a stream is text, a row a line; `novikoff fit` reads "
            "Parquet, Arrow, npy and npz."
        )
    refuse_others(line, source)
    line = line.strip()[:100_000]
    if line.startswith(b"{"):
        return "jsonl"
    if _SVMLIGHT.fullmatch(line):
        return "svmlight"
    if _VW.fullmatch(line):
        return "vw"
    if (b"," in line) != (b"\t" in line):
        return "csv" if b"," in line else "tsv"
    if b";" in line:
        return "csv"
    raise FileError(
        f"{source}: the first line does not tell the format; say {keyword('format')} with one of "
        f"{', '.join(FORMATS)}."
    )


def row_reader(format: str, given: Options) -> RowReader:
    """The reader of a format; a ParameterError if an option does not go with it."""
    if format in ("svmlight", "vw") and given.label is not None:
        raise ParameterError(
            f"{keyword('label')} does not go with {format}, where a row begins with its label.",
            "label",
        )
    if format not in ("csv", "tsv") and given.header is not None:
        raise ParameterError(
            f"{keyword('header', given.header)} is for csv and tsv, not for {format}.", "header"
        )
    if format == "tsv" and given.delimiter not in (None, "\t"):
        raise ParameterError(
            f"{keyword('delimiter')} does not go with tsv, whose cells are separated by tabs.",
            "delimiter",
        )
    for names, formats in _MEANT_FOR.items():
        for name in names:
            if format not in formats and getattr(given, name) != getattr(Options(), name):
                raise ParameterError(
                    f"{keyword(name)} is for {' and '.join(formats)}, not for {format}.", name
                )
    if format == "jsonl":
        return JsonRows(given)
    if format == "svmlight":
        return SvmlightRows()
    if format == "vw":
        return VwRows()
    return CsvRows(replace(given, delimiter="\t") if format == "tsv" else given)
