"""Relations between the columns of a wide sparse matrix, modulo a prime, without filling it."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.search.integers import pivots_of
from novikoff.search.signed_rows import SignedRows
from novikoff.search.sparse_relations import SparseNull, multiplied


def null_relations(z: SignedRows, prime: int) -> dict[int, dict[int, int]]:
    """For each column that depends on earlier ones, its shares of them modulo the prime."""
    found = SparseNull(_part(z), z.fit_intercept, prime)
    shares = _last_first(found.terms, found.free[0], z.fit_intercept, prime)
    for j in found.empty.tolist():
        shares[j] = {}
    homes = z.homes.tolist()
    return {homes[j]: {homes[k]: s for k, s in mine.items()} for j, mine in shares.items()}


def count_parameters(z: SignedRows, prime: int, most: int) -> int:
    """How many parameters it would take; more than `most` are not counted."""
    return len(SparseNull(_part(z), z.fit_intercept, prime).plan_within(most)[1])


def _part(z: SignedRows) -> Any:
    """The rows and columns of the matrix that are in question."""
    matrix = z.table.matrix
    if z.n_rows < matrix.shape[0]:
        matrix = matrix[z.rows]
    return matrix if len(z.columns) == matrix.shape[1] else matrix[:, z.columns]


def _last_first(
    terms: np.ndarray, free: np.ndarray, has_offset: bool, prime: int
) -> dict[int, dict[int, int]]:
    """The relations, each with the last of its columns on one side; the offset counts as first."""
    from flint import nmod_mat

    count = free.shape[1]
    if not count:
        return {}
    whole = np.stack([multiplied(terms, free[:, k], prime) for k in range(count)])
    width = whole.shape[1]
    last = np.arange(width - has_offset)[::-1]
    order = np.append(last, width - 1) if has_offset else last
    flat: Any = whole[:, order].ravel().tolist()
    reduced, rank = nmod_mat(count, width, flat, prime).rref()
    shares: dict[int, dict[int, int]] = {}
    for line, pivot in enumerate(pivots_of(reduced, rank)):
        entries = [(int(order[k]), int(reduced[line, k])) for k in range(pivot + 1, width)]
        shares[int(order[pivot])] = {j: prime - value for j, value in entries if value}
    return shares
