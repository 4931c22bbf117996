"""Rows that are arrows: c·(e_j - e_k), or c·e_j. Which others do they span?

Take the columns as places, and one place more, the ground, for rows of a single number: an arrow
from j to k says w_j - w_k = 0 of a direction w that is zero on it, and an arrow from j to the
ground says w_j = 0. So w is the same at all places that arrows join, and 0 at those that are
joined with the ground, and any such w is zero on the arrows. Hence they span another arrow just
when they join its ends. The contests of a Bradley-Terry model are arrows.
"""

from __future__ import annotations

import numpy as np

from novikoff.inputs import Table

Arrows = tuple[np.ndarray, np.ndarray]  # the two ends of each


def are_spanned(table: Table, rows: np.ndarray, others: np.ndarray) -> bool:
    """Whether the sparse rows, all arrows, span the others, arrows too; False says nothing."""
    if not table.is_sparse:
        return False
    by, over = arrows_of(table, rows), arrows_of(table, others)
    if by is None or over is None:
        return False
    place = joined(*by, table.n_columns + 1)
    return bool((place[over[0]] == place[over[1]]).all())


def arrows_of(table: Table, rows: np.ndarray) -> Arrows | None:
    """The ends of these rows, the ground last; None where one of them is no arrow."""
    matrix = table.matrix[rows]
    if not matrix.has_canonical_format:  # numbers of one place are not added up in floats
        return None
    matrix.eliminate_zeros()
    sizes, starts = np.diff(matrix.indptr), matrix.indptr[:-1]
    if (sizes > 2).any():
        return None
    first, second = (np.full(len(sizes), table.n_columns, dtype=np.int64) for _ in range(2))
    some, two = np.flatnonzero(sizes), np.flatnonzero(sizes == 2)
    if (matrix.data[starts[two]] != -matrix.data[starts[two] + 1]).any():
        return None
    first[some] = matrix.indices[starts[some]]
    second[two] = matrix.indices[starts[two] + 1]
    return first, second


def joined(first: np.ndarray, second: np.ndarray, n_places: int) -> np.ndarray:
    """For each place one that stands for all that are joined with it."""
    leader = list(range(n_places))

    def lead(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    for a, b in zip(first.tolist(), second.tolist(), strict=True):
        leader[lead(a)] = lead(b)
    return np.array([lead(place) for place in range(n_places)])
