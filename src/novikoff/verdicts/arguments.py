"""The arguments X, y and label of `certify` and `fewest_mistakes`: arrays, a frame, a file."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates import Reading
from novikoff.errors import InputError
from novikoff.inputs import Table, as_decimals, read_table, reads_decimals, take_label
from novikoff.inputs.device import read_device_table
from novikoff.inputs.frames import check_same_rows
from novikoff.wording import keyword


class Arguments(NamedTuple):
    """The rows, the labels, what the label column is called, and how a file was read."""

    table: Table
    y: Any
    name: str | None
    reading: Reading | None = None


def read_arguments(
    X: Any, y: Any, label: Any, many: bool = False, numbers: Any = None
) -> Arguments:
    """X and y as a table and labels, or as a table and `many` labellings.

    What `read` and `scan` return has the method `as_data`. It is looked for on the type, because a
    DataFrame may have a column of that name; so an array does not import the readers of files.
    """
    decimals = reads_decimals(numbers)
    if hasattr(type(X), "as_data"):
        if decimals:
            raise InputError(
                f"numbers is for arrays here; read the file with {keyword('numbers', 'decimal')}, "
                "which takes its numbers as they are written."
            )
        return _of_file(X.as_data(), y, label, many)
    if many and label is not None:
        raise InputError("label names one column; the labellings of a table Y have its names.")
    if not many:
        X, y = take_label(X, y, label)
    check_same_rows({"X": X, "Y" if many else "y": y})
    table = (read_device_table(X) if many else None) or read_table(X)
    name = None if many else _name_of(y) if label is None else label
    return Arguments(
        as_decimals(table) if decimals else table, y, name if isinstance(name, str) else None
    )


def _of_file(data: Any, y: Any, label: str | None, many: bool) -> Arguments:
    if y is not None and not (many and data.y is None):
        raise InputError("X is a file, which has its labels; leave y out.")
    if data.y is None and y is None:
        raise InputError(f"{data.source} was read without labels; read it with them.")
    table = read_table(data.X)
    if table.names is None and data.names is not None:
        table = table.named(data.names)
    name = data.label if label is None else label
    return Arguments(table, y if many else data.y, name, data.origin)


def _name_of(y: Any) -> Any:
    """The name of a Series, or of the only column of patsy's outcome."""
    names = getattr(getattr(y, "design_info", None), "column_names", None)
    return names[0] if names is not None and len(names) == 1 else getattr(y, "name", None)


def column_warnings(table: Table, codes: np.ndarray) -> tuple[str, ...]:
    """The columns of a DataFrame that a person would ask about, such as numbers of rows."""
    if table.names is None:
        return ()
    from novikoff.io.column_warnings import frame_warnings

    return frame_warnings(table, codes)
