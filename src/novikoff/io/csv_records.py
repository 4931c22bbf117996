"""Delimited text by Python's csv module: its records, its delimiter, its header.

Here the first records of a file also settle what its columns are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from novikoff.errors import FileError
from novikoff.io.chunks import LONGEST_LINE, TextError, last_line_end, without_mark
from novikoff.io.fields import BLANKS, USUAL, Numerals, is_infinite
from novikoff.io.layout import AS_NUMBER, AS_TEXT
from novikoff.io.opening import (
    Header,
    HeaderDoubtError,
    find_delimiter,
    find_header,
    first_cell,
    other_delimiter,
    stated_delimiter,
)
from novikoff.io.options import Options
from novikoff.io.sources import HEAD_BYTES, Source
from novikoff.wording import keyword

SAMPLE_RECORDS = 100  # records that settle what columns hold
COLUMNS_PER_TAKEN = 10  # the columns that are taken: so many more are not looked at, to be left out
UNEXPECTED_END = "unexpected end of data"  # within quotes, in the words of Python's csv module
_LINE_END = re.compile(rb"\r\n|\n|\r")
Record = TypeVar("Record")


def checked(text: bytes) -> str:
    """The text decoded; TextError where it is not UTF-8 or not text at all."""
    if b"\0" in text:
        raise TextError(": binary data; a text file is needed", text.index(b"\0"))
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise TextError(f": {not_utf8()}", error.start) from None


def not_utf8(where: str = "") -> str:
    """What to say of text in another encoding."""
    return (
        f"not UTF-8 text{where}; say how its letters are stored, such as "
        f"{keyword('text_encoding', 'cp1252')}"
    )


def records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The records that are not blank, each with the line on which it begins, from 1."""
    text_lines = io.StringIO(checked(text), newline="")
    reader = csv.reader(text_lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for fields in reader:
            stripped = [field.strip(BLANKS) for field in fields]
            if stripped and stripped != [""]:
                yield line, stripped
            line = reader.line_num + 1
    except csv.Error as error:
        raise TextError(f": {csv_complaint(error)}", line=line) from None


def csv_complaint(error: csv.Error) -> str:
    """What the csv module says of a record, as the end of a sentence."""
    if "limit" in str(error):
        most = f"{csv.field_size_limit():,}"
        return f"a field has more than {most} characters; shorten it, or close its quotes"
    return str(error)


def skip_lines(text: bytes, n_lines: int) -> int:
    """Where the text goes on after its first `n_lines` lines."""
    at = 0
    for _ in range(n_lines):
        found = _LINE_END.search(text, at)
        at = found.end() if found else len(text)
    return at


@dataclass(frozen=True)
class Opening:
    """What the first records of a file show."""

    delimiter: str
    width: int
    first_line: int  # of the first record
    header: tuple[str, ...] | None
    body_line: int  # of the first record that is no header
    kinds: tuple[int, ...]  # AS_NUMBER or AS_TEXT
    sample: tuple[tuple[int, list[str]], ...] = ()  # the first rows, each with its line
    note: str | None = None  # what might be doubted of the header
    numerals: Numerals = USUAL
    skip_rows: int = 0  # that were asked for, or state the delimiter

    def cells(self, c: int) -> list[str]:
        """The first cells of a column that are not missing."""
        cells = (fields[c] for _, fields in self.sample if c < len(fields))
        return [cell for cell in cells if not self.numerals.is_missing(cell)]

    def line_of(self, c: int, cell: str) -> int:
        """The line of a row that has this cell."""
        return next(line for line, fields in self.sample if c < len(fields) and fields[c] == cell)


def open_table(source: Source, options: Options, delimiter: str | None) -> Opening:
    """Read the first records of a file and settle its columns."""
    delimiter = delimiter or options.delimiter or ("\t" if options.format == "tsv" else None)
    stated = stated_delimiter(first_text(source, HEAD_BYTES)[0])
    used = delimiter or stated

    def read(text: bytes) -> Iterator[tuple[int, list[str]]]:
        nonlocal used
        if stated:  # the line is no row
            text = b"\n" + text[skip_lines(text, 1) :]
        used = delimiter or stated or find_delimiter(text)
        return records(text, used)

    found, is_whole = first_records(source, read)
    used = used or ","
    (first_line, first), rest = found[0], [fields for _, fields in found[1:]]
    width = len(first)
    if source.limit is not None and width > COLUMNS_PER_TAKEN * source.limit.n_columns:
        source.limit.check_shape(source.name, len(found), width)
    if width < 2 and options.label is not False:
        begins = next((line for line, fields in found if len(fields) > 1), None)
        if begins is not None:
            raise FileError(
                f"{source.name} has 1 cell in line {first_line} and more from line {begins} on, "
                f"where its table may begin; say {keyword('skip_rows', begins - 1)}."
            )
        raise FileError(
            f"{source.name} has 1 column (line {first_line}); it needs a label column and at "
            "least one column of numbers, separated by commas, semicolons or tabs"
            f"{'' if delimiter else other_delimiter([row[0] for _, row in found[:20]])}."
        )
    found_header = Header(bool(options.header))
    try:
        if options.header is None:
            found_header = find_header(first, rest, options.label, options.numerals)
    except HeaderDoubtError as doubt:
        raise FileError(f"{source.name}: {doubt}") from None
    is_header = found_header.is_there
    body = rest if is_header else [first, *rest]
    if not body and is_whole:
        raise FileError(f"{source.name} has a header and no rows.")
    body_line = first_line
    if is_header:
        body_line = found[1][0] if len(found) > 1 else first_line + 1
    kinds = column_kinds(body, width, options.numerals)
    header = tuple(first) if is_header else None
    sample = tuple(found[1:] if is_header else found)
    return Opening(
        used, width, first_line, header, body_line, kinds, sample, found_header.note,
        options.numerals, options.skip_rows or int(stated is not None),
    )  # fmt: skip


def first_records(
    source: Source, read: Callable[[bytes], Iterator[tuple[int, Record]]]
) -> tuple[list[tuple[int, Record]], bool]:
    """The first records of a source, each with its line, and whether these are all it has."""
    size = HEAD_BYTES
    while size <= LONGEST_LINE:
        text, is_whole = first_text(source, size)
        found: list[tuple[int, Record]] = []
        try:
            for record in islice(read(text), SAMPLE_RECORDS + 1):
                found.append(record)  # until one is wrong
        except TextError as trouble:
            if is_whole and len(found) < 2:
                raise trouble.in_file(source, text) from None
        if is_whole and not found:
            below = f" below the {source.skip_rows} lines that are skipped"
            raise FileError(
                f"{source.name} is empty{below if source.skip_rows else ''}; a table with at least "
                "two rows is needed."
            )
        if is_whole or len(found) > 2:
            return found, is_whole
        size *= 4
    raise FileError(f"{source.name} has a line of more than 1 GB; is it a table?")


def first_text(source: Source, size: int) -> tuple[bytes, bool]:
    """Whole lines from the first `size` bytes, and whether they are the whole file."""
    if size <= HEAD_BYTES:
        text = source.head
    else:
        with source.open() as stream:
            text = stream.read(size)
    is_whole = len(text) < size
    text = without_mark(text, source.name)
    return (text + b"\n", True) if is_whole else (text[: last_line_end(text)], False)


def column_kinds(body: Sequence[Sequence[str]], width: int, numerals: Numerals) -> tuple[int, ...]:
    """What the first cell of each column holds that is not missing: AS_NUMBER or AS_TEXT."""
    cells = (first_cell(body, c, numerals) for c in range(width))
    is_number = (c is None or numerals.is_number(c) or is_infinite(c) for c in cells)
    return tuple(AS_NUMBER if number else AS_TEXT for number in is_number)
