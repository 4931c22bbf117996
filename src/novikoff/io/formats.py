"""The formats: one line of a table for each, and how a file's format is found.

It is found by the first bytes of a file, its name, or the look of its first lines.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from novikoff.errors import FileError
from novikoff.io.chunks import BOM, lines_before
from novikoff.io.sources import Source
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.io.options import Options

_TEXT = frozenset({"skip_rows", "text_encoding"})
_COLUMNS = frozenset({"drop", "keep", "columns"})
_LEVELS = frozenset({"encoding", "unseen"})
_TABLE = _COLUMNS | _LEVELS | {"categorical"}
_TEXT_TABLE = _TEXT | _TABLE | {"na", "labels"}
_DELIMITED = _TEXT_TABLE | {"header", "delimiter", "decimal", "thousands"}


class Format(NamedTuple):
    """What there is to know of a format before a file of it is opened."""

    reader: str  # the module of novikoff.io and its class, a novikoff.io.reading.Reader
    suffixes: tuple[str, ...]
    options: frozenset[str]  # that speak of this format and not of all
    starts: tuple[bytes, ...] = ()  # the first bytes of such a file, one of them


FORMATS = {
    "csv": Format("csv:CsvReader", (".csv",), _DELIMITED),
    "tsv": Format("csv:CsvReader", (".tsv", ".tab"), _DELIMITED),
    "jsonl": Format("json_lines:JsonReader", (".jsonl", ".ndjson"), _TEXT_TABLE),
    "svmlight": Format(
        "svmlight:SvmlightReader", (".svm", ".svmlight", ".libsvm"),
        _TEXT | {"zero_based", "n_columns"},
    ),
    "vw": Format("vw:VwReader", (".vw",), _TEXT | _LEVELS | {"bits"}),
    "parquet": Format("arrow:ArrowReader", (".parquet", ".pq"), _TABLE, (b"PAR1",)),
    "arrow": Format(
        "arrow:ArrowReader", (".arrow", ".feather", ".ipc"), _TABLE,
        (b"ARROW1", b"\xff\xff\xff\xff"),  # a file, or a stream of record batches
    ),
    "npy": Format("arrays:ArrayReader", (".npy",), _COLUMNS, (b"\x93NUMPY",)),
    "npz": Format("arrays:ArrayReader", (".npz",), _COLUMNS, (b"PK\x03\x04", b"PK\x05\x06")),
}  # fmt: skip
OF_SOME = frozenset().union(*(format.options for format in FORMATS.values()))
TEXT = {name for name, format in FORMATS.items() if format.options >= _TEXT}
TEXT_TABLES = {name for name, format in FORMATS.items() if format.options >= _TEXT_TABLE}

_SPREADSHEET = re.compile(  # an old workbook, or a new one by the name of the first file in it
    rb"\xd0\xcf\x11\xe0|PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/|"
    rb"mimetypeapplication/vnd\.oasis\.opendocument)",
    re.DOTALL,
)
_ARFF = re.compile(rb"(?:\s*(?:%[^\r\n]*)?[\r\n])*\s*@relation\b", re.IGNORECASE)
_ARFF_DATA = re.compile(rb"^[ \t]*@data[^\r\n]*(?:\r\n|\n|\r)", re.IGNORECASE | re.MULTILINE)
OTHERS = {  # the first bytes of tables that are not read, and what to do
    re.compile(rb"FEA1"): "is a Feather file of version 1; save it as version 2",
    _SPREADSHEET: "is a spreadsheet, which is not read; save its sheet as CSV UTF-8 and name "
    "that file",
    re.compile(rb"\s*\[\s*\{"): "is one JSON array; write its objects as JSON Lines, one a line, "
    "and name that file: jq -c '.[]' does it",
}
_COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".zstd"}
NUMERAL = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SVMLIGHT = re.compile(
    rb"\s*" + NUMERAL + rb"(?:\s+qid:\d+)?(?P<entries>(?:[ \t]+\d+:[^\s:]+)*)\s*(?:#.*)?"
)
_VW = re.compile(rb"(?:" + NUMERAL + rb"\s+){0,3}(?:'?[^\s|,;]*)\s*\|.*")


def reader_class(format: str) -> Any:
    """The class that reads files of a format; its module is imported now."""
    module, _, name = FORMATS[format].reader.partition(":")
    return getattr(import_module(f"novikoff.io.{module}"), name)


def find_format(source: Source, options: Options) -> str:
    """The format of the file."""
    return options.format or format_of(source.head, source.name)


def format_of(head: bytes, name: str) -> str:
    """The format of a file that begins so; FileError where it is a table that is not read."""
    if (found := by_magic(head)) and not _SPREADSHEET.match(head):
        return found
    for look, what in OTHERS.items():
        if look.match(head):
            raise FileError(f"{name} {what}.")
    if _ARFF.match(head):
        cure = "save it as CSV"
        if found_data := _ARFF_DATA.search(head):
            n_lines = lines_before(head, found_data.end())
            cure = f"say {keyword('skip_rows', n_lines)} {keyword('header', False)}"
        raise FileError(f"{name} is an ARFF file, whose names are not read; {cure}.")
    return by_name(name) or _by_look(head)


def format_of_file(name: str) -> str | None:
    """The format of a file on disk, where its first bytes or its name tell it."""
    path = Path(name)
    return by_magic(Source(name, path).head) or by_name(name) if path.is_file() else None


def by_magic(head: bytes) -> str | None:
    """The format of a binary file, by its first bytes."""
    found = (name for name, format in FORMATS.items() if head.startswith(format.starts))
    return next(found, None)


def by_name(name: str) -> str | None:
    """The format that the last suffix of a name tells, but for those of compression."""
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    last = next((suffix for suffix in reversed(suffixes) if suffix not in _COMPRESSED), None)
    return next((found for found, format in FORMATS.items() if last in format.suffixes), None)


def _by_look(head: bytes) -> str:
    """Text that is neither svmlight nor Vowpal Wabbit is taken as a table."""
    text_lines = head.removeprefix(BOM).replace(b"\r", b"\n").split(b"\n")
    if len(text_lines) > 1:
        text_lines.pop()  # it may be cut
    rows = [line for line in text_lines if line.strip() and not line.lstrip().startswith(b"#")][:20]
    if rows and rows[0].lstrip().startswith(b"{"):
        return "jsonl"
    bars = {row.count(b"|") for row in rows if not re.search(rb"\s", row.strip())}
    is_table = len(bars) == 1 and min(bars) > 0 and len(rows) > 1  # no row has a blank
    is_table = is_table and not any(re.search(rb"\s", row.strip()) for row in rows)
    if rows and not is_table and all(_VW.fullmatch(row.strip()) for row in rows):
        return "vw"
    looks = [_SVMLIGHT.fullmatch(row) for row in rows]
    if rows and all(looks) and any(look and look["entries"] for look in looks):
        return "svmlight"
    return "csv"
