"""What is asked about: X and y, a file that was read, or a DataFrame with its label column."""

from __future__ import annotations

from typing import Any, NamedTuple

from novikoff.certificates import Reading
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table, take_label
from novikoff.inputs.frames import check_same_rows
from novikoff.io.data import Data
from novikoff.io.scanning import Scan


class Given(NamedTuple):
    """The rows, the labels, what the label column is called, and how a file was read."""

    table: Table
    y: Any
    name: str | None
    reading: Reading | None = None


def read_given(X: Any, y: Any, label: Any) -> Given:
    """What was given, ready to be asked about."""
    if isinstance(X, (Data, Scan)):
        return _of_file(X, y, label)
    X, y = take_label(X, y, label)
    check_same_rows({"X": X, "y": y})
    name = label if label is not None else _name_of(y)
    return Given(read_table(X), y, name if isinstance(name, str) else None)


def _of_file(X: Data | Scan, y: Any, label: str | None) -> Given:
    data = X.cached() if isinstance(X, Scan) else X
    if y is not None:
        raise InputError("X is a file, which has its labels; leave y out.")
    if data.y is None:
        raise InputError(f"{data.source} was read without labels; read it with them.")
    table = read_table(data.X)
    if table.names is None and data.names is not None:
        table = table.named(data.names)
    return Given(table, data.y, data.label if label is None else label, data.origin)


def _name_of(y: Any) -> Any:
    """The name of a Series, or of the only column of patsy's outcome."""
    names = getattr(getattr(y, "design_info", None), "column_names", None)
    return names[0] if names is not None and len(names) == 1 else getattr(y, "name", None)
