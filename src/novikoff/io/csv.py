"""CSV and TSV as exact numbers: every value is the decimal that is written in the file."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import FileError, one_of
from novikoff.inputs import Table, table_of_fractions

NUMBERS = ("decimal", "binary64")
# Exponents are capped so that a text of ten characters cannot ask for gigabytes.
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?")


@dataclass(frozen=True, eq=False)
class CsvData:
    """The features of a CSV file, its label column, and where both come from."""

    table: Table
    y: np.ndarray  # the labels, as text
    label: str  # the label column's name, or its number (from 1) where there is no header
    source: str


def read_csv(path: str | Path, label: str | None = None, numbers: str = "decimal") -> CsvData:
    """Read the file; `label` is the label column's name or number, by default the last one.

    The first line is a header if any of its fields outside the label column is not a number.
    `numbers` is 'decimal' (each number is what is written) or 'binary64' (the nearest float64).
    """
    one_of("numbers", numbers, NUMBERS)
    source = "standard input" if str(path) == "-" else str(path)
    lines = list(_records(path, source))
    if not lines:
        raise FileError(f"{source} is empty; a table with at least two rows is needed.")
    width = len(lines[0][1])
    if width < 2:
        raise FileError(
            f"{source} has 1 column (line {lines[0][0]}); it needs a label column and at least "
            "one column of numbers, separated by commas, semicolons or tabs."
        )
    first = [field.strip() for field in lines[0][1]]
    has_header, place = _find_label(first, label, source)
    names = tuple(first) if has_header else None
    body = lines[1:] if has_header else lines
    if not body:
        raise FileError(f"{source} has a header and no rows.")
    features = [c for c in range(width) if c != place]
    shape = (len(body), len(features))
    columns = [repr(names[c]) if names else str(c + 1) for c in range(width)]
    values, labels = [], []
    for line, fields in body:
        if len(fields) != width:
            raise FileError(
                f"{source}, line {line}: {len(fields)} fields where line {lines[0][0]} has {width}."
            )
        values += [
            _number(fields[c], f"{source}, line {line}, column {columns[c]}") for c in features
        ]
        labels.append(fields[place].strip())
        if not labels[-1]:
            raise FileError(
                f"{source}, line {line}: the label (column {columns[place]}) is missing."
            )
    kept = tuple(names[c] for c in features) if names else None
    if numbers == "binary64":
        table = Table(np.array([_as_float(v) for v in values]).reshape(shape), kept, "binary64")
    else:
        table = table_of_fractions(values, shape, kept, "decimal")
    return CsvData(table, np.array(labels), names[place] if names else str(place + 1), source)


def _records(path: str | Path, source: str) -> Iterator[tuple[int, list[str]]]:
    """The non-blank records with the number of the line each ends on."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise FileError(f"{source} does not exist.") from None
    except OSError as error:
        raise FileError(f"{source} cannot be read: {error.strerror}.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FileError(f"{source}, line {line}: not UTF-8 text; save the file as UTF-8.") from None
    if "\0" in text:
        raise FileError(f"{source} holds binary data; a CSV file is needed.")
    start = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(",;\t", key=start.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, fields
    except csv.Error as error:
        raise FileError(f"{source}, line {reader.line_num}: {error}.") from None


def _find_label(first: list[str], label: str | None, source: str) -> tuple[bool, int]:
    """Whether the first line is a header, and the place of the label column."""
    if label in first:
        if first.count(label) > 1:
            raise FileError(f"{source} has two columns named {label!r}; rename one of them.")
        return True, first.index(label)
    place = len(first) - 1
    if label is not None:
        if not label.isdecimal() or not 1 <= int(label) <= len(first):
            shown = ", ".join(repr(name) for name in first[:8]) + (", …" if len(first) > 8 else "")
            raise FileError(
                f"{source} has no column {label!r}; its first line is {shown}. "
                "Give one of those names, or a column number from 1."
            )
        place = int(label) - 1
    others = [field for c, field in enumerate(first) if c != place]
    return any(not _DECIMAL.fullmatch(field) for field in others), place


def _number(field: str, where: str) -> Fraction:
    text = field.strip()
    if not _DECIMAL.fullmatch(text):
        what = "is missing" if not text else f"is {text!r}"
        raise FileError(f"{where}: the value {what}; a finite number is needed.")
    try:
        return Fraction(text)
    except ValueError:  # more digits than Python converts
        raise FileError(f"{where}: the number has {len(text)} characters, too many.") from None


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise FileError(f"a number is beyond 1.8e308 ({value.numerator:.3e}…).") from None
