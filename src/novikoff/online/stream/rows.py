"""What one line of a stream is, and who reads the lines of its format.

svmlight and Vowpal Wabbit text are read by the readers of novikoff.io, a line at a time; tables by
table_rows.py.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from novikoff.errors import FileError, ParameterError
from novikoff.io.formats import TEXT, format_of
from novikoff.io.opening import checked
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.wording import keyword

MOST_NAMES_REMEMBERED = 1 << 18


class Row(NamedTuple):
    """A row by name; `x` is None where it was dropped, the label is None where there is none."""

    x: dict[Any, Any] | None
    label: Any = None
    weight: float = 1.0


DROPPED = Row(None)


class RowReader(Protocol):
    """Makes rows of lines; what it has learnt of the stream it can tell, as plain JSON."""

    def row(self, line: bytes) -> Row | None:
        """The row in this line, if there is one; TextError where it cannot be used."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


def label_of_number(value: float) -> float | int:
    """The label as an int where it is whole, so that 1, +1 and 1.0 are one class."""
    return int(value) if value.is_integer() else value


def text_of_label(label: Any) -> bytes:
    """A prediction as a line: nothing where there is none, JSON where a word has line ends."""
    if label is None:
        return b"\n"
    if isinstance(label, bool):
        return b"true\n" if label else b"false\n"
    text = str(label)
    if text.splitlines() != [text]:
        text = json.dumps(text)
    return text.encode("utf-8", "surrogatepass") + b"\n"


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
    if format in ("svmlight", "vw"):
        return SparseRowReader(given, name)
    from novikoff.online.stream.table_rows import CsvRows, JsonRows

    return JsonRows(given) if format == "jsonl" else CsvRows(given, name)


class SparseRowReader:
    """Every line is a row of its own, and nothing is learnt of the stream.

    Features of svmlight are called by their index, and those of Vowpal Wabbit space^name; its
    importance is the row's weight, and a tag is passed over.
    """

    def __init__(self, options: Options, name: str) -> None:
        from novikoff.io.sparse import SparseRows
        from novikoff.io.svmlight import SvmlightReader
        from novikoff.io.vw import VwReader

        self.new_rows = partial(SparseRows, options.missing == "drop", is_exact=False)
        self.is_vw = options.format == "vw"
        reader = VwReader if self.is_vw else SvmlightReader
        self.reader: Any = reader([Source(name, None)], options)
        self.reader.needs_labels = False
        self.may_drop = options.missing == "drop"
        self.more = (_Names(),) if self.is_vw else ()

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""

    def row(self, line: bytes) -> Row | None:
        rows = self.new_rows()
        if self.is_vw:
            checked(line)
        if not self.reader.add_line(line, rows, *self.more):
            return None
        if self.may_drop and any(map(math.isnan, rows.values)):
            return DROPPED
        x = dict(zip(rows.columns, rows.values, strict=True))
        if len(x) < len(rows.columns):  # features that are repeated are summed
            x = dict.fromkeys(x, 0.0)
            for name, value in zip(rows.columns, rows.values, strict=True):
                x[name] += value
        weight = rows.weights[0] if rows.weights else 1.0
        has_label = weight and not math.isnan(rows.labels[0])  # a row of weight 0 is not learnt
        return Row(x, label_of_number(rows.labels[0]) if has_label else None, weight)


class _Names(dict[tuple[bytes, bytes], str]):
    """What a feature is called, by its space and its name."""

    def __missing__(self, feature: tuple[bytes, bytes]) -> str:
        from novikoff.io.vw import full_name, key_of

        if len(self) >= MOST_NAMES_REMEMBERED:
            self.clear()
        name = self[feature] = full_name(key_of(*feature))
        return name
