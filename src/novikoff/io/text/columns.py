"""Columns that say which row it is, and not what it is like.

Row numbers and names of rows separate any two classes that stand one after the other in a file,
and prove nothing. So a column that pandas or R wrote without a name, to number the rows, is left
out and that is said; where it is less clear, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ENOUGH = 10  # rows that count 1, 2, 3, … before anybody wonders
FEW = 2  # levels of as many rows: too few to tell
SHARES = ((10, 2), (20, 4), (50, 5))  # over so many levels, one for so many rows is too many
_UNNAMED = re.compile(r"|Unnamed: ?\d+|__index_level_\d+__|\.\.\.1")
_NUMBERING = re.compile(
    r"(?:.*[ _.-])?(?:id|ids|uid|uuid|guid|index|idx|row|rows|rownum|rownames|row[ _.-]?"
    r"(?:id|no|nr|num|number|names?)|nr|no|num|key|pk|#|№)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r".*[a-z](?:ID|Id)")
_WHOLE = re.compile(r"\d{1,18}(?:\.0*)?")


def has_no_name(name: str) -> bool:
    """Whether this is what a writer calls a column that has no name."""
    return _UNNAMED.fullmatch(name) is not None


def is_called_a_number(name: str) -> bool:
    """Whether the name says that the column numbers rows: id, Id, row_no, customerId."""
    return _NUMBERING.fullmatch(name) is not None or _CAMEL.fullmatch(name) is not None


def tells_rows_apart(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers, each another one."""
    return all(map(_WHOLE.fullmatch, cells)) and len(set(cells)) == len(cells) > 0


def counts_rows(cells: Sequence[str]) -> bool:
    """Whether the cells are n, n + 1, n + 2, … for enough rows."""
    if len(cells) < ENOUGH or not all(map(_WHOLE.fullmatch, cells)):
        return False
    numbers = [int(cell.partition(".")[0]) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def too_many_levels(n_levels: int, n_rows: int) -> bool:
    """Whether a text column has so many levels that it names rows.

    One for each row; half as many as rows, if they are over ten; more than a quarter, if they
    are over twenty; or more than a fifth, if they are over fifty. Fifty states in five hundred
    rows are not.
    """
    if n_levels == n_rows and n_levels > FEW:
        return True
    shares = [share for least, share in SHARES if n_levels > least]
    return bool(shares) and max(shares) * n_levels >= n_rows
