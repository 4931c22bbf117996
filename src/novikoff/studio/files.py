"""A file that a person opened, read as every command reads it.

What the reader made of the columns (text encoded, rows left out, which column is the label) is
kept as notes, which the page shows: nothing is lost in silence. Where the label is not clear, the
page asks instead of guessing.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from novikoff.errors import FileError, InputError
from novikoff.inputs import read_ordered
from novikoff.io import Data
from novikoff.io.fields import numeral_form
from novikoff.io.layout import WhichLabelError
from novikoff.io.options import options
from novikoff.io.reading import read_sources
from novikoff.io.sources import Limit, Source
from novikoff.studio.sources import Columns, with_labels
from novikoff.studio.state import MOST_CLASSES, MOST_ROWS

MOST_BYTES = 5_000_000  # of a file, unpacked
LIMIT = Limit("the studio", MOST_BYTES, MOST_ROWS, n_columns=1_000, n_numbers=5_000_000)


class UnclearLabelError(InputError):
    """Which column is the label? The page asks; on the command line this is the error."""

    def __init__(self, text: str, choices: tuple[str, ...]) -> None:
        super().__init__(text)
        self.choices = choices


@dataclass(frozen=True, eq=False)
class OpenFile:
    """A file on this machine by its path, or one whose bytes came through the page or a pipe."""

    name: str
    kind: str  # 'given' at the start of the studio, 'csv' through the page
    key: str  # by which the page asks for it again
    path: Path | None = None
    raw: bytes = b""
    reading: Mapping[str, Any] = field(default_factory=dict)  # options of `read`

    def columns(
        self, label: str | None = None, more: Mapping[str, Any] | None = None, asks: bool = True
    ) -> Columns:
        """The table, with the label that is named, or the last column.

        asks: whether to raise a `UnclearLabelError` where the last column may not be meant.
        """
        given = {"numbers": "as written", "labels": "as written", **self.reading, **(more or {})}
        if label is not None:
            given["label"] = label
        size = len(self.raw) if self.path is None else self.path.stat().st_size
        if size > MOST_BYTES:
            raise FileError(
                f"{self.name} is too large: {size / 1e6:.1f} MB, and the studio takes "
                f"{MOST_BYTES // 10**6} MB."
            )
        sent = None if self.path is not None else partial(io.BytesIO, self.raw)
        name = self.name if self.path is None else str(self.path)
        try:
            read = read_sources([Source(name, self.path, sent, LIMIT)], options(**given))
        except WhichLabelError as error:
            if not asks:
                raise
            text = f"{self.name}: which column is the label? {' or '.join(error.choices)} may be."
            raise UnclearLabelError(text, error.choices) from None
        return self._columns(read, "label" in given, more or {}, asks)

    def _columns(self, data: Data, is_named: bool, more: Mapping[str, Any], asks: bool) -> Columns:
        name, n_rows, width = self.name, data.n_rows, data.n_columns
        if data.y is None:
            raise FileError(f"{name} was read without labels; the studio needs them.")
        LIMIT.check_shape(name, n_rows, width)
        found, _ = read_ordered(data.y, n_rows)
        classes = tuple(str(label) for label in found.tolist())
        others = () if data.label is None else (*data.reading.get("columns", ()), data.label)
        is_guessed = asks and not is_named
        if why := _why_unclear(data, classes, is_guessed):
            unclear = is_guessed and others
            text = f"{name}: {why}"
            raise UnclearLabelError(text, others) if unclear else FileError(text)
        source: dict[str, Any] = {"kind": self.kind, "name": name[:300], "file": self.key}
        if data.label is not None:
            source["label"] = data.label
        if more:
            source["reading"] = dict(more)
        names = data.names or tuple(f"x{j + 1}" for j in range(width))
        made = with_labels(data.X, data.y, source, tuple(text[:100] for text in names))
        return replace(made, others=others, notes=notes_of(data, is_named), data=data)


def notes_of(data: Data, is_named: bool) -> tuple[str, ...]:
    """What was made of the columns and rows, in sentences without a stop."""
    which = "" if is_named else ", the last column"
    label = [] if data.label is None else [f"the label is {data.label}{which}"]
    return (*label, *(str(note).rstrip(".") for note in data.remarks))


def _why_unclear(data: Data, classes: tuple[str, ...], is_guessed: bool) -> str:
    """Why the label may not be what is meant; empty where it may well be.

    It has too many classes, or the last column is a guess, holds numbers, and a column of text
    with few levels stands beside it.
    """
    if len(classes) > MOST_CLASSES:
        which = "the label" if data.label is None else f"column {data.label}"
        return (
            f"{which} has {len(classes):,} different values, and the studio shows at most "
            f"{MOST_CLASSES} classes; name the label column."
        )
    text = [name for name, levels in data.encoding.items() if 2 <= len(levels) <= MOST_CLASSES]
    if is_guessed and text and all(map(numeral_form().fullmatch, classes)):
        return (
            f"which column is the label? The last one, {data.label}, holds numbers, and "
            f"{', '.join(text[:3])} holds text."
        )
    return ""
