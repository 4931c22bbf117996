"""Columns that say which row it is, and not what it is like.

Row numbers and names of rows separate any two classes that stand one after the other in a file,
and prove nothing. So a column that pandas or R wrote without a name, to number the rows, is left
out and that is said; where it is less clear, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise

ENOUGH = 10  # rows that count 1, 2, 3, … before anybody wonders
FEW = 2  # levels of as many rows: too few to tell
SHARES = ((10, 2), (20, 4), (50, 5))  # over so many levels, one for so many rows is too many
LABELS = frozenset(
    {"y", "y_true", "label", "labels", "class", "class_label", "target", "targets", "outcome",
     "outcomes", "response"}
)  # fmt: skip
_UNNAMED = re.compile(r"|Unnamed: ?\d+|__index_level_\d+__|\.\.\.1")
_NUMBERING = re.compile(
    r"(?:.*[ _.-])?(?:id|ids|uid|uuid|guid|index|idx|row|rows|rownum|rownames|row[ _.-]?"
    r"(?:id|no|nr|num|number|names?)|nr|no|num|number|seq|sequence|serial|obs|record|account|ssn|"
    r"key|pk|#|№)|id[ _.-].*",
    re.IGNORECASE,
)
_CAMEL = re.compile(r".*[a-z](?:ID|Id|No|Nr|Num|Number|Key|Index)")
_TIMING = re.compile(
    r"(?:.*[ _.-])?(?:date|datetime|time|timestamp|day|ts|epoch)(?:[ _.-].*)?", re.IGNORECASE
)
_CAMEL_TIME = re.compile(r".*[a-z](?:Date|Time|Timestamp)")
_DATE = re.compile(r"(?:19|20)?\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_WHOLE = re.compile(r"[+-]?\d+(?:\.0*)?(?:[eE]\+?\d{1,2})?")


def is_called_a_label(name: str) -> bool:
    """Whether the name says that the column is what is to be told: y, Target, class."""
    return name.strip().lower() in LABELS


def has_no_name(name: str) -> bool:
    """Whether this is what a writer calls a column that has no name."""
    return _UNNAMED.fullmatch(name) is not None


def is_called_a_number(name: str) -> bool:
    """Whether the name says that the column numbers rows: id, Id, row_no, customerId."""
    return _NUMBERING.fullmatch(name) is not None or _CAMEL.fullmatch(name) is not None


def is_called_a_time(name: str) -> bool:
    """Whether the name says that the column tells when: date, start_time, createdDate."""
    return _TIMING.fullmatch(name) is not None or _CAMEL_TIME.fullmatch(name) is not None


def whole_numbers(cells: Sequence[str]) -> list[int] | None:
    """The cells as whole numbers; None where one is none."""
    if not cells or not all(map(_WHOLE.fullmatch, cells)):
        return None
    return [int(Decimal(cell)) for cell in cells]


def tells_rows_apart(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers, each another one."""
    numbers = whole_numbers(cells)
    return numbers is not None and len(set(numbers)) == len(numbers)


def names_rows(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers, so many different ones that they name rows."""
    numbers = whole_numbers(cells)
    return (
        numbers is not None
        and len(numbers) >= ENOUGH
        and too_many_levels(len(set(numbers)), len(numbers))
    )


def rises(cells: Sequence[str]) -> bool:
    """Whether the cells are whole numbers that rise, or fall, from each row to the next."""
    numbers = whole_numbers(cells)
    if numbers is None or len(numbers) < ENOUGH:
        return False
    steps = [after - before for before, after in pairwise(numbers)]
    return min(steps) > 0 or max(steps) < 0


def which_row(name: str, cells: Sequence[str], beside_others: bool = True) -> str:
    """Why a column of this name says which row it is, after its name; '' where it does not."""
    few = ", ".join(cells[:3]) + (", …" if len(cells) > 3 else "")
    if is_called_a_number(name) and names_rows(cells):
        return f"has other whole numbers from row to row ({few}), as a name of rows has"
    if is_called_a_time(name) and tells_when(cells):
        return f"tells when, in numbers ({few})"
    if beside_others and rises(cells):
        return f"rises or falls with the rows ({few}), as their numbers do"
    return ""


def tells_when(cells: Sequence[str]) -> bool:
    """Whether numbers are dates such as 20240131, or go on from row to row as time does."""
    try:
        numbers = [Decimal(cell) for cell in cells]
    except InvalidOperation:
        return False
    if len(numbers) < ENOUGH or not all(number.is_finite() for number in numbers):
        return False
    if all(map(_DATE.fullmatch, cells)):
        return True
    steps = [after - before for before, after in pairwise(numbers)]
    goes_on = min(steps) >= 0 or max(steps) <= 0
    return goes_on and too_many_levels(len(set(numbers)), len(numbers))


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
