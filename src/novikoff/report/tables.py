"""Rows and weights of an answer as tables, with as much as a page can hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from novikoff.inputs import Table
from novikoff.report.markup import Markup, shortened, table
from novikoff.report.numerals import cells, count_text
from novikoff.verdicts.numerals import about

MOST_COLUMNS_SHOWN = 12  # of a row's numbers
MOST_WEIGHTS = 50
LONGEST_NAME = 40  # characters of a column or row in the head of a table


def first_of(most: int, total: int) -> str:
    """For a caption: that only the first of so many are listed."""
    return f" (the first {most} of {count_text(total)})" if total > most else ""


def columns_note(source: Table) -> str:
    """That not all columns of a row are shown."""
    if source.n_columns <= MOST_COLUMNS_SHOWN:
        return ""
    return f" The first {MOST_COLUMNS_SHOWN} of {count_text(source.n_columns)} columns are shown."


def rows_table(
    caption: str,
    source: Table | None,
    head: Sequence[str],
    rows: Iterable[tuple[int, int, Any, Sequence[object]]],
    foot: Sequence[object] | None = None,
    numeric: Iterable[int] = (),
) -> Markup:
    """Rows with what is said of each, and their first columns.

    head : of what is said; `numeric` are its places that hold numbers
    rows : for each its place in the table, its number, what an index calls it, if one does, and
        what is said of it
    """
    n_shown = 0 if source is None else min(source.n_columns, MOST_COLUMNS_SHOWN)
    entries: list[Sequence[object]] = []
    names: list[str] = []
    if source is not None:
        names = [shortened(source.column_name(j), LONGEST_NAME) for j in range(n_shown)]
    for place, number, name, said in rows:
        who = number if name is None else f"{number}: {shortened(name, LONGEST_NAME)}"
        entries.append([who, *said, *([] if source is None else cells(source, place, n_shown))])
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
