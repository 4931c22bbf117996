"""Delimited text by Python's csv module: its records, its delimiter, its header.

This is the grammar that loops/csv.py follows; here it also settles, from the first records of
a file, what its columns are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from novikoff.errors import FileError
from novikoff.io.chunks import LONGEST_LINE, TextError, last_line_end, without_mark
from novikoff.io.fields import BLANKS, is_missing, is_number
from novikoff.io.options import Options
from novikoff.io.sources import HEAD, Source
from novikoff.loops.csv import AS_NUMBER, AS_TEXT

SAMPLE = 100  # records that settle what columns hold
_QUOTED = re.compile(rb'"[^"]*"')
_LINE_END = re.compile(rb"\r\n|\n|\r")


def checked(text: bytes) -> str:
    """The text decoded; TextError where it is not UTF-8 or not text at all."""
    if b"\0" in text:
        raise TextError(": binary data; a text file is needed", text.index(b"\0"))
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise TextError(": not UTF-8 text; save the file as UTF-8", error.start) from None


def records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The records that are not blank, each with the line on which it begins, from 1."""
    lines = io.StringIO(checked(text), newline="")
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
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


def find_delimiter(text: bytes) -> str:
    """The one of comma, semicolon and tab that the first line has most of, outside quotes."""
    first = _QUOTED.sub(b"", _LINE_END.split(text.lstrip(b"\r\n"), maxsplit=1)[0])
    return max(",;\t", key=lambda mark: first.count(mark.encode()))


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


def open_table(source: Source, options: Options, delimiter: str | None) -> Opening:
    """Read the first records of a file and settle its columns."""
    delimiter = delimiter or options.delimiter or ("\t" if options.format == "tsv" else None)
    size = HEAD
    while True:
        text, is_whole = _first_lines(source, size)
        used = delimiter or find_delimiter(text)
        found: list[tuple[int, list[str]]] = []
        try:
            for record in records(text, used):
                found.append(record)
                if len(found) > SAMPLE:
                    break
        except TextError as trouble:
            if is_whole and len(found) < 2:
                raise trouble.in_file(source, text) from None
        if is_whole or len(found) > 2:
            break
        size *= 4
        if size > LONGEST_LINE:
            raise FileError(f"{source.name} has a line of more than 1 GB; is it a table?")
    if not found:
        raise FileError(f"{source.name} is empty; a table with at least two rows is needed.")
    (first_line, first), rest = found[0], [fields for _, fields in found[1:]]
    width = len(first)
    if width < 2 and options.label is not False:
        raise FileError(
            f"{source.name} has 1 column (line {first_line}); it needs a label column and at "
            "least one column of numbers, separated by commas, semicolons or tabs."
        )
    is_header = options.header
    if is_header is None:
        is_header = _is_header(first, rest, options, source)
    body = rest if is_header else [first, *rest]
    if not body and is_whole:
        raise FileError(f"{source.name} has a header and no rows.")
    body_line = first_line
    if is_header:
        body_line = found[1][0] if len(found) > 1 else first_line + 1
    kinds = tuple(_kind(body, c) for c in range(width))
    header = tuple(first) if is_header else None
    return Opening(used, width, first_line, header, body_line, kinds)


def _first_lines(source: Source, size: int) -> tuple[bytes, bool]:
    """Whole lines from the first `size` bytes, and whether they are the whole file."""
    if size <= HEAD:
        text = source.head
    else:
        with source.open() as stream:
            text = stream.read(size)
    is_whole = len(text) < size
    text = without_mark(text, source)
    return (text + b"\n", True) if is_whole else (text[: last_line_end(text)], False)


def _kind(body: Sequence[Sequence[str]], c: int) -> int:
    for fields in body:
        if c < len(fields) and not is_missing(fields[c]):
            return AS_NUMBER if is_number(fields[c]) else AS_TEXT
    return AS_NUMBER


def _is_header(
    first: Sequence[str], rest: Sequence[Sequence[str]], options: Options, source: Source
) -> bool:
    """Whether the first record names the columns: it is text where the others are numbers."""
    label = options.label
    if isinstance(label, str) and label in first and not is_number(label):
        return True
    place = None if label is False else len(first) - 1
    if label and str(label).isdecimal():
        place = int(label) - 1
    texts = [
        c
        for c, field in enumerate(first)
        if c != place and not is_number(field) and not is_missing(field)
    ]
    if not texts:
        return False
    if not rest or any(_kind(rest, c) == AS_NUMBER for c in texts):
        return True
    if len(texts) < len(first) - (place is not None):
        return False
    raise FileError(
        f"{source.name}: every column is text, so that line 1 could be a header or a row; "
        "say header=True or header=False."
    )
