"""Relations between the columns of a wide sparse matrix, modulo a prime, without filling it.

A relation c has Σ c_j·a_ij = 0 on every row i. A row in which all but one of its c_j are known
gives the last one. Where no row is so far, the heaviest column of the lightest row is set aside
as a parameter, and the others are found in terms of the parameters: indicators need as many
parameters as there are factors, not levels. What is then left is a small dense system.
(Odlyzko's structured elimination, as fountain codes use it.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.search.integers import pivots_of
from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import powers_of_two, residues_of

MOST_CELLS = 100_000_000  # numbers of the columns in terms of the parameters


def null_relations(z: SignedRows, prime: int) -> dict[int, dict[int, int]]:
    """For each column that depends on earlier ones, its shares of them modulo the prime."""
    rows = _Residues(z, prime)
    steps, parameters = _plan(rows)
    if len(parameters) * (rows.width + 1) > MOST_CELLS:
        raise InputError(
            f"{z.n_rows} rows and {z.dim} columns are too many to find the collinear columns; "
            "leave out columns that are known to be combinations of others."
        )
    terms = _in_parameters(rows, steps, parameters)
    free = _free(rows, terms)
    shares = _last_first(terms, free, z.fit_intercept, prime)
    for j in rows.empty.tolist():
        shares[j] = {}
    return shares


def count_parameters(z: SignedRows, prime: int, most: int) -> int:
    """How many parameters it would take; more than `most` are not counted."""
    return len(_plan(_Residues(z, prime), most)[1])


class _Residues:
    """The rows mod p by rows and by columns; the offset, if there is one, is the last column."""

    def __init__(self, z: SignedRows, prime: int) -> None:
        self.prime = prime
        powers = powers_of_two(prime)
        matrix = z.table.matrix.astype(np.float64)
        matrix.data = residues_of(matrix.data, powers, prime)
        matrix.eliminate_zeros()
        self.n_columns, self.has_offset = z.table.n_columns, z.fit_intercept
        self.width = self.n_columns + self.has_offset
        self.starts, self.columns = matrix.indptr, matrix.indices
        self.values = matrix.data
        self.one = int(residues_of(np.ones(1), powers, prime)[0])
        by_column = matrix.tocsc()
        self.column_starts, self.rows = by_column.indptr, by_column.indices
        self.n_rows = matrix.shape[0]
        self.weights = np.diff(by_column.indptr)  # numbers in each column
        self.empty = np.flatnonzero(self.weights == 0)

    def row(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns and residues of row i, the offset included."""
        held = slice(self.starts[i], self.starts[i + 1])
        columns, values = self.columns[held], self.values[held]
        if self.has_offset:
            columns, values = np.append(columns, self.n_columns), np.append(values, self.one)
        return columns, values

    def rows_of(self, j: int) -> np.ndarray:
        return np.asarray(self.rows[self.column_starts[j] : self.column_starts[j + 1]])

    def products(self, vector: np.ndarray) -> np.ndarray:
        """Every row times the vector, mod p."""
        terms = self.values * vector[self.columns] % self.prime
        sums = np.concatenate([[0], np.cumsum(terms)])
        total = sums[self.starts[1:]] - sums[self.starts[:-1]]
        if self.has_offset:
            total = total + self.one * int(vector[-1]) % self.prime
        return np.asarray(total % self.prime)


def _plan(rows: _Residues, most: int | None = None) -> tuple[list[tuple[int, int]], list[int]]:
    """Which row gives which column, in order, and the columns that are parameters.

    With more than `most` parameters it is left unfinished.
    """
    open_columns = np.ones(rows.n_columns, dtype=bool)
    counts = np.diff(rows.starts).astype(np.int64)  # open columns in each row
    steps: list[tuple[int, int]] = []
    parameters = [rows.n_columns] if rows.has_offset else []
    ready = np.flatnonzero(counts == 1).tolist()
    while True:
        while ready:
            i = ready.pop()
            if counts[i] == 1:
                j = int(_open(rows, open_columns, i)[0])
                steps.append((i, j))
                ready += _close(rows, open_columns, counts, j)
        left = np.flatnonzero(counts)
        if not len(left):
            return steps, parameters
        lightest = int(left[np.argmin(counts[left])])
        candidates = _open(rows, open_columns, lightest)
        heaviest = int(candidates[np.argmax(rows.weights[candidates])])
        parameters.append(heaviest)
        if most is not None and len(parameters) > most:
            return steps, parameters
        ready += _close(rows, open_columns, counts, heaviest)


def _open(rows: _Residues, open_columns: np.ndarray, i: int) -> np.ndarray:
    columns = rows.columns[rows.starts[i] : rows.starts[i + 1]]
    return np.asarray(columns[open_columns[columns]])


def _close(rows: _Residues, open_columns: np.ndarray, counts: np.ndarray, j: int) -> list[int]:
    """Column j is known: the rows that have one open column left because of it."""
    open_columns[j] = False
    touched = rows.rows_of(j)
    counts[touched] -= 1
    return list(touched[counts[touched] == 1].tolist())


def _in_parameters(
    rows: _Residues, steps: list[tuple[int, int]], parameters: list[int]
) -> np.ndarray:
    """Each c_j as a combination of the parameters; columns without a number stay 0."""
    prime = rows.prime
    terms = np.zeros((rows.width, len(parameters)), dtype=np.int64)
    terms[parameters, np.arange(len(parameters))] = 1
    for i, j in steps:
        columns, values = rows.row(i)
        here = columns == j
        others = ~here
        factor = prime - pow(int(values[here][0]), -1, prime)
        total = (values[others, None] * terms[columns[others]] % prime).sum(axis=0) % prime
        terms[j] = total * factor % prime
    return terms


def _free(rows: _Residues, terms: np.ndarray) -> np.ndarray:
    """A basis, one a column, of the parameters under which every row holds."""
    from flint import nmod_mat

    prime, size = rows.prime, terms.shape[1]
    basis = np.eye(size, dtype=np.int64)
    equations: list[list[int]] = []
    random = np.random.default_rng(0)
    while basis.shape[1]:
        broken = np.zeros(rows.n_rows, dtype=bool)
        for _ in range(2):
            mixed = _multiplied(basis, random.integers(0, prime, basis.shape[1]), prime)
            broken |= rows.products(_multiplied(terms, mixed, prime)) != 0
        wrong = np.flatnonzero(broken)
        if not len(wrong):
            break
        few = wrong[:: max(1, len(wrong) // (basis.shape[1] + 20))][: basis.shape[1] + 40]
        for i in few.tolist():
            columns, values = rows.row(i)
            equation = (values[:, None] * terms[columns] % prime).sum(axis=0) % prime
            equations.append(equation.tolist())
        flat = [value for equation in equations for value in equation]
        kernel, nullity = nmod_mat(len(equations), size, flat, prime).nullspace()
        entries = np.array([int(value) for value in kernel.entries()], dtype=np.int64)
        basis = entries.reshape(kernel.nrows(), kernel.ncols())[:, :nullity]
    return basis


def _multiplied(matrix: np.ndarray, vector: np.ndarray, prime: int) -> np.ndarray:
    """matrix·vector mod p."""
    return np.asarray((matrix * vector % prime).sum(axis=1) % prime)


def _last_first(
    terms: np.ndarray, free: np.ndarray, has_offset: bool, prime: int
) -> dict[int, dict[int, int]]:
    """The relations, each with the last of its columns on one side; the offset counts as first."""
    from flint import nmod_mat

    count = free.shape[1]
    if not count:
        return {}
    whole = np.stack([_multiplied(terms, free[:, k], prime) for k in range(count)])
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
