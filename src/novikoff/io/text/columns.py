"""Columns that say which row it is, and not what it is like, by their names and cells.

A column that pandas or R wrote without a name, to number the rows, is left out and that is said. A
text column with so many levels that they name rows is an error. What columns of numbers do with the
rows is looked at when all rows are there: see io/column_warnings.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

FEW_LEVELS = 2  # levels of as many rows: too few to tell
SHARES = ((10, 2), (20, 4), (50, 5))  # over so many levels, one for so many rows is too many
LABELS = frozenset(
    {"y", "y_true", "label", "labels", "class", "class_label", "target", "targets", "outcome",
     "outcomes", "response"}
)  # fmt: skip
_UNNAMED = re.compile(r"|Unnamed: ?\d+|__index_level_\d+__|\.\.\.1")
_WHOLE = re.compile(r"[+-]?\d+(?:\.0*)?(?:[eE]\+?\d{1,2})?")


def is_called_a_label(name: str) -> bool:
    """Whether the name says that the column is what is to be told: y, Target, class."""
    return name.strip().lower() in LABELS


def has_no_name(name: str) -> bool:
    """Whether this is what a writer calls a column that has no name."""
    return _UNNAMED.fullmatch(name) is not None


def tells_rows_apart(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers, each another one."""
    if not cells or not all(map(_WHOLE.fullmatch, cells)):
        return False
    return len({int(Decimal(cell)) for cell in cells}) == len(cells)


def too_many_levels(n_levels: int, n_rows: int) -> bool:
    """Whether a text column has so many levels that it names rows.

    One for each row; half as many as rows, if they are over ten; more than a quarter, if they
    are over twenty; or more than a fifth, if they are over fifty. Fifty states in five hundred
    rows are not.
    """
    if n_levels == n_rows and n_levels > FEW_LEVELS:
        return True
    shares = [share for least, share in SHARES if n_levels > least]
    return bool(shares) and max(shares) * n_levels >= n_rows
