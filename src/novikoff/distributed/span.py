"""Rows outside the span of a few rows, found by halving with the exact check of `certificates`."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.rank import check_spans
from novikoff.distributed.rows import Picked, pick
from novikoff.distributed.shards import Rows
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.models.data import stacked


def outside_span(
    rows: Rows,
    place: int,  # noqa: ARG001 - every task has it
    classes: tuple[Any, Any],
    basis: Any,
    offset: bool,
    most: int,
    weights: Any = None,
) -> Picked:
    """Up to `most` rows, each outside the span of `basis` and of those before it; none if none.

    With weights, only rows on their hyperplane are looked at.
    """
    matrix, places = rows.table.matrix, np.arange(rows.table.n_rows)
    if weights is not None:
        parts = [scores for _, scores in score_signs(rows.table, as_integers(weights))]
        places = np.flatnonzero(np.concatenate(parts) == 0)
        matrix = matrix[places]
    found: list[int] = []
    first = 0  # all rows before are in the span
    while len(found) < most:
        outside = _first_outside(matrix, first, basis, offset)
        if outside is None:
            break
        found.append(outside)
        basis = stacked(basis, matrix[outside : outside + 1])
        first = outside + 1
    return pick(rows, rows.signs(*classes), places[np.array(found, dtype=np.intp)])


def _first_outside(matrix: Any, first: int, basis: Any, offset: bool) -> int | None:
    """The first row from `first` on that is outside the span of the basis."""
    start, stop = first, matrix.shape[0]
    if start == stop or _spans(basis, matrix[start:stop], offset):
        return None
    while stop - start > 1:
        middle = (start + stop) // 2
        if _spans(basis, matrix[start:middle], offset):
            start = middle
        else:
            stop = middle
    return start


def _spans(basis: Any, matrix: Any, offset: bool) -> bool:
    table = Table(stacked(basis, matrix), None, "binary64")
    try:
        check_spans(table, np.arange(basis.shape[0]), offset)
    except CertificateError:
        return False
    return True
