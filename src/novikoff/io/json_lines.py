"""JSON Lines: one object a line, whose values are the cells of a table under the names of its keys.

A value is what the same text would be as a cell of CSV: "25" is a number, "NA", "" and null are
missing, other texts are words. true and false are 1 and 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from novikoff.errors import FileError
from novikoff.io.chunks import TextError, last_line_end
from novikoff.io.csv import CsvReader
from novikoff.io.fields import BLANKS, shown
from novikoff.io.layout import columns_in_words
from novikoff.io.opening import Opening, checked, column_kinds, first_records
from novikoff.io.sources import Source
from novikoff.wording import keyword

DEFAULT_LABEL = "label"


class JsonLineError(Exception):
    """Why a line is no row: the end of a sentence about it."""


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, so that a repeated key is seen."""


# Of numbers the very digits are kept, or they are floats; NaN and Infinity are words of no JSON.
_AS_WRITTEN = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_float=str, parse_int=str, parse_constant=str
)
_AS_NUMBERS = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=str)


def object_of(text: str, as_written: bool) -> dict[str, Any]:
    """The object in a line, its numbers as they are written or as numbers; JsonLineError if none.

    A value that is a list is one that cannot be a cell.
    """
    try:
        found = (_AS_WRITTEN if as_written else _AS_NUMBERS).decode(text)
    except json.JSONDecodeError as error:
        raise JsonLineError(f"not JSON at column {error.colno}: {error.msg}") from None
    except ValueError:
        raise JsonLineError("a number has too many digits; write it with an exponent") from None
    except RecursionError:
        raise JsonLineError("values are nested too deeply; a row is one flat object") from None
    if not isinstance(found, _Pairs):
        raise JsonLineError(f'a row must be an object such as {{"x": 1.5}}, not {shown(text)}')
    made = dict(found)
    if len(made) != len(found):
        keys = [key for key, _ in found]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise JsonLineError(f"the key {shown(twice)} stands twice in the object; rename one")
    return made


def nested(name: str, value: list[Any]) -> JsonLineError:
    """That a value is an array or an object."""
    kind = "object" if isinstance(value, _Pairs) else "array"
    return JsonLineError(
        f"the value of {shown(name)} is an {kind}; only numbers, words and truth values can be "
        "features: give its parts names of their own"
    )


class JsonReader(CsvReader):
    """Blocks of JSON Lines; the keys of the first rows are the columns."""

    is_delimited = False

    def first_opening(self, source: Source) -> Opening:
        rows, _ = first_records(source, _objects)
        keys = dict.fromkeys(key for _, row in rows for key in row)
        keys |= {str(name): None for name in self.options.drop if not str(name).isdecimal()}
        if self.options.label is None:
            if DEFAULT_LABEL not in keys:
                raise FileError(
                    f"{source.name}: which key holds the label? It is not {DEFAULT_LABEL!r}: say "
                    f"which by {keyword('label')}."
                )
            self.options = replace(self.options, label=DEFAULT_LABEL)
        self.keys = {key: place for place, key in enumerate(keys)}
        label = str(self.options.label)
        truths = {key for _, row in rows for key, value in row.items() if isinstance(value, bool)}
        if truths := truths - {label}:
            listed = columns_in_words(list(keys), True, [self.keys[key] for key in truths])
            self.notes.append(f"true and false are taken as 1 and 0: {listed}")
        try:
            sample = tuple(self._fields(row, line) for line, row in rows)
        except TextError as trouble:
            raise trouble.in_file(source, b"") from None
        kinds = column_kinds(sample, len(keys), self.options.numerals)
        skipped = self.options.skip_rows
        return Opening(",", 1, tuple(keys), 1, kinds, sample, None, self.options.numerals, skipped)

    def records(self, text: bytes) -> Iterator[tuple[int, list[str]]]:
        for line, row in _objects(text):
            yield line, self._fields(row, line)

    def _fields(self, row: dict[str, Any], line: int) -> list[str]:
        """The cells of a row in the order of the columns; a key that it lacks is missing."""
        fields = [""] * len(self.keys)
        for name, value in row.items():
            if name not in self.keys:
                raise TextError(
                    f": the key {shown(name)} is in none of the first rows; every row needs the "
                    f"same keys: write it in all of them, or leave it out with "
                    f"{keyword('drop', name)}",
                    line=line,
                )
            if isinstance(value, list):
                if name in self.options.drop:
                    continue
                raise TextError(f": {nested(name, value)}", line=line)
            if isinstance(value, bool):
                words = ("false", "true") if name == self.options.label else ("0", "1")
                value = words[value]
            fields[self.keys[name]] = "" if value is None else value.strip(BLANKS)
        return fields

    def record_end(self, text: bytes) -> int:
        return last_line_end(text)

    def body_line(self, source: Source) -> int:  # noqa: ARG002 - keys are looked at row by row
        return 1


def _objects(text: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of the lines that are not blank, each with its line; TextError if one is none."""
    checked(text)
    for line, raw in enumerate(text.splitlines(), 1):
        written = raw.decode()
        if written and not written.isspace():
            try:
                yield line, object_of(written, as_written=True)
            except JsonLineError as error:
                raise TextError(f": {error}", line=line) from None
