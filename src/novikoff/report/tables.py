"""Numbers, rows and weights of an answer as a page shows them, with as much as it can hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from novikoff.certificates import Stamp
from novikoff.inputs import Table
from novikoff.report.markup import Markup, shortened, table
from novikoff.verdicts.numerals import about
from novikoff.wording import written

MOST_COLUMNS_SHOWN = 12  # of a row's numbers
MOST_WEIGHTS = 50
MOST_CHARACTERS = 20  # of an exact number in a table
LONGEST_NAME = 40  # characters of a column or row in the head of a table

Pairs = list[tuple[str, object]]


@dataclass(frozen=True)
class Contents:
    """What a page shows of one kind of answer, beside what it shows of all.

    heading : where the data has no name
    status, grade : the word beside the heading, and its colour
    sections : between the sentence and the proof
    data : facts about the data
    stamp : what identifies the data
    """

    heading: str
    status: str
    grade: Literal["good", "bad", "maybe"]
    sections: list[Markup]
    data: Pairs
    stamp: Stamp


def exact_text(value: Fraction | int) -> str:
    """A short decimal or fraction, or ≈ and six figures."""
    text = written(Fraction(value))
    return text if len(text) <= MOST_CHARACTERS else f"≈ {about(value)}"


def count_text(value: int) -> str:
    """A whole number with its thousands apart, or its size where it is very long."""
    return f"{value:,}".replace(",", "\u202f") if value < 10**15 else f"≈ {about(value)}"


def cells(source: Table, row: int, columns: int) -> list[str]:
    """The first few numbers of a row, as they are."""
    if source.exact is not None:
        return [exact_text(value) for value in source.exact[row, :columns]]
    values = source.dense_rows([row])[0, :columns].tolist()
    return [repr(value).removesuffix(".0") for value in values]


def first_of(most: int, total: int) -> str:
    """For a caption: that only the first of so many are listed."""
    return f" (the first {most} of {count_text(total)})" if total > most else ""


def columns_note(source: Table) -> str:
    """That not all columns of a row are shown."""
    if source.n_columns <= MOST_COLUMNS_SHOWN:
        return ""
    return f" The first {MOST_COLUMNS_SHOWN} of {count_text(source.n_columns)} columns are shown."


def size_facts(answer: Any) -> Pairs:
    """The size of the data of two classes."""
    return [("rows", count_text(answer.n_rows)), ("columns", count_text(answer.n_columns))]


def offset_text(fit_intercept: bool) -> str:
    return "with an offset" if fit_intercept else "through the origin only"


def row_label(number: int, named: Any, key: int) -> object:
    """The number of a row, with what the index of `named`, if it has one, calls the row `key`."""
    if named.index is None:
        return number
    return f"{number}: {shortened(named.row_name(key), LONGEST_NAME)}"


def rows_table(
    caption: str,
    source: Table | None,
    head: Sequence[str],
    rows: Iterable[tuple[int, object, Sequence[object]]],
    foot: Sequence[object] | None = None,
    numeric: Iterable[int] = (),
) -> Markup:
    """Rows with what is said of each, and their first columns.

    head : of what is said; `numeric` are its places that hold numbers
    rows : for each its index in the table, what it is called, and what is said of it
    """
    n_shown = 0 if source is None else min(source.n_columns, MOST_COLUMNS_SHOWN)
    names: list[str] = []
    entries: list[Sequence[object]] = []
    if source is not None:
        names = [shortened(source.column_name(j), LONGEST_NAME) for j in range(n_shown)]
    for index, who, said in rows:
        entries.append([who, *said, *([] if source is None else cells(source, index, n_shown))])
    whole = ["row (from 0)", *head, *names]
    right = [0, *(1 + k for k in numeric), *range(1 + len(head), len(whole))]
    return table(caption, whole, entries, foot, numeric=right)


def weights_table(
    caption: str, names: Sequence[str], weights: np.ndarray, said: dict[str, str] | None = None
) -> Markup:
    """The weights of a hyperplane, the largest of many, and what is `said` of each coefficient."""
    order = list(range(len(weights)))
    if len(order) > MOST_WEIGHTS:
        order = sorted(order, key=lambda j: (-abs(weights[j]), j))[:MOST_WEIGHTS]
        caption += f" (the {MOST_WEIGHTS} largest of {count_text(len(weights))} weights)"
    entries: list[list[object]] = []
    for j in order:
        entries.append([shortened(names[j], 60), about(float(weights[j]))])
        if said is not None:
            entries[-1].append(said[names[j]])
    head = ["column", "weight", *["coefficient"] * (said is not None)]
    return table(caption, head, entries, numeric=[1])
