"""All directions that are zero on very many sparse rows: found modulo a prime, proven in integers.

A direction c has Σ c_j·a_ij = 0 on every row i. A row in which all but one of its c_j are known
gives the last one. Where no row is so far, the heaviest column of the lightest row is set aside
as a parameter, and the others are found in terms of the parameters: indicators need as many
parameters as there are factors, not levels. What is then left is a small dense system.
(Odlyzko's structured elimination, as fountain codes use it.)

Modulo a prime that is a matter of seconds, and it bounds the truth from one side: rows that are
independent modulo p are independent, so at most as many directions are free as are free modulo p.
If that many directions, independent and in small integers, are zero on every row, exactly, they are
all there are. So the residues are read as small fractions, which is a guess, and multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import BLOCK_NUMBERS, product_signs, with_ones
from novikoff.errors import InputError
from novikoff.search.integers import pivots_of, whole_multiples
from novikoff.search.signed_rows import SignedRows

SPARSE_COLUMNS = 500  # of CSR rows: with more, no dense matrix is made of them
PRIMES = (2147483629, 2147483587, 2147483579)  # products of two residues stay below 2^62
LOWEST = -1200  # below the exponent of every bit of a float, -1074
MOST_TERMS = 100_000_000  # numbers of the columns in terms of the parameters: 800 MB


@lru_cache(maxsize=64)
def powers_of_two(prime: int) -> np.ndarray:
    """2^(e - LOWEST) mod p for every e from LOWEST on that a float can have."""
    return np.array([pow(2, e - LOWEST, prime) for e in range(LOWEST, 1100)], dtype=np.int64)


def residues_of(values: np.ndarray, powers: np.ndarray, prime: int) -> np.ndarray:
    """Each float mod p, times 2^-LOWEST."""
    fraction, exponent = np.frexp(values.astype(np.float64))
    residues = (fraction * 2.0**53).astype(np.int64) % prime
    return np.asarray(residues * powers[exponent - 53 - LOWEST] % prime)


class SparseNull:
    """The directions, modulo a prime, that are zero on the rows of a CSR matrix.

    The offset, if there is one, is the last column. Columns without a number are no concern of it.
    """

    def __init__(self, matrix: Any, offset: bool, prime: int = PRIMES[0]) -> None:
        self.prime, self.has_offset = prime, offset
        self.n_rows, self.n_columns = matrix.shape
        self.width = self.n_columns + offset
        powers = powers_of_two(prime)
        values = np.empty(matrix.data.shape, dtype=np.int32)
        for part in _parts(len(values)):
            values[part] = residues_of(matrix.data[part], powers, prime)
        held = type(matrix)((values, matrix.indices, matrix.indptr), shape=matrix.shape)
        if not values.all():
            held = held.copy()  # the columns are those of the matrix given
            held.eliminate_zeros()
        self.starts, self.columns, self.values = held.indptr, held.indices, held.data
        self.one = int(residues_of(np.ones(1), powers, prime)[0])
        by_column = held.tocsc()
        self.column_starts, self.rows = by_column.indptr, by_column.indices
        self.weights = np.diff(by_column.indptr)  # numbers in each column
        self.empty = np.flatnonzero(self.weights == 0)

    def row(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns and residues of row i, the offset included."""
        held = slice(self.starts[i], self.starts[i + 1])
        columns, values = self.columns[held], self.values[held].astype(np.int64)
        if self.has_offset:
            columns, values = np.append(columns, self.n_columns), np.append(values, self.one)
        return columns, values

    def products(self, vector: np.ndarray) -> np.ndarray:
        """Every row times the vector, mod p."""
        first = self.one * int(vector[-1]) % self.prime if self.has_offset else 0
        totals = np.empty(self.n_rows, dtype=np.int64)
        for part in _parts(self.n_rows, len(self.values)):
            starts = self.starts[part.start : part.stop + 1]
            held = slice(starts[0], starts[-1])
            terms = self.values[held] * vector[self.columns[held]] % self.prime
            sums = np.concatenate([[0], np.cumsum(terms)])[starts - starts[0]]
            totals[part] = (np.diff(sums) + first) % self.prime
        return totals

    @cached_property
    def plan(self) -> tuple[list[tuple[int, int]], list[int]]:
        """Which row gives which column, in order, and the columns that are parameters."""
        return self.plan_within(None)

    def plan_within(self, most: int | None) -> tuple[list[tuple[int, int]], list[int]]:
        """The same; with more than `most` parameters it is left unfinished."""
        is_open = np.ones(self.n_columns, dtype=bool)
        counts = np.diff(self.starts).astype(np.int64)  # open columns in each row

        def open_of(i: int) -> np.ndarray:
            columns = self.columns[self.starts[i] : self.starts[i + 1]]
            return np.asarray(columns[is_open[columns]])

        def close(j: int) -> list[int]:
            """Column j is known: the rows that have one open column left because of it."""
            is_open[j] = False
            touched = self.rows[self.column_starts[j] : self.column_starts[j + 1]]
            counts[touched] -= 1
            return list(touched[counts[touched] == 1].tolist())

        steps: list[tuple[int, int]] = []
        parameters = [self.n_columns] if self.has_offset else []
        ready = np.flatnonzero(counts == 1).tolist()
        while True:
            while ready:
                i = ready.pop()
                if counts[i] == 1:
                    steps.append((i, int(open_of(i)[0])))
                    ready += close(steps[-1][1])
            left = np.flatnonzero(counts)
            if not len(left) or (most is not None and len(parameters) > most):
                return steps, parameters
            candidates = open_of(int(left[np.argmin(counts[left])]))  # of the lightest row
            parameters.append(int(candidates[np.argmax(self.weights[candidates])]))  # the heaviest
            ready += close(parameters[-1])

    @cached_property
    def terms(self) -> np.ndarray:
        """Each c_j as a combination of the parameters; columns without a number stay 0."""
        steps, parameters = self.plan
        if len(parameters) * (self.width + 1) > MOST_TERMS:
            raise InputError(
                f"{self.n_rows:,} rows and {self.n_columns:,} columns are too many to find their "
                "relations; leave out columns that are known to be combinations of others."
            )
        prime = self.prime
        terms = np.zeros((self.width, len(parameters)), dtype=np.int64)
        terms[parameters, np.arange(len(parameters))] = 1
        for i, j in steps:
            columns, values = self.row(i)
            here = columns == j
            others = ~here
            factor = prime - pow(int(values[here][0]), -1, prime)
            total = (values[others, None] * terms[columns[others]] % prime).sum(axis=0) % prime
            terms[j] = total * factor % prime
        return terms

    @cached_property
    def free(self) -> tuple[np.ndarray, list[int]]:
        """A basis, one a column, of the parameters under which the rows hold; and the rows, beside
        those of the plan, that show that no others do."""
        from flint import nmod_mat

        prime, size = self.prime, self.terms.shape[1]
        basis = np.eye(size, dtype=np.int64)
        equations: list[list[int]] = []
        used: list[int] = []
        random = np.random.default_rng(0)
        while basis.shape[1]:
            broken = np.zeros(self.n_rows, dtype=bool)
            for _ in range(2):
                mixed = multiplied(basis, random.integers(0, prime, basis.shape[1]), prime)
                broken |= self.products(multiplied(self.terms, mixed, prime)) != 0
            wrong = np.flatnonzero(broken)
            if not len(wrong):
                break
            few = wrong[:: max(1, len(wrong) // (basis.shape[1] + 20))][: basis.shape[1] + 40]
            used += few.tolist()
            for i in few.tolist():
                columns, values = self.row(i)
                equation = (values[:, None] * self.terms[columns] % prime).sum(axis=0) % prime
                equations.append(equation.tolist())
            flat = [value for equation in equations for value in equation]
            kernel, nullity = nmod_mat(len(equations), size, flat, prime).nullspace()
            entries = np.array([int(value) for value in kernel.entries()], dtype=np.int64)
            basis = entries.reshape(kernel.nrows(), kernel.ncols())[:, :nullity]
        return basis, used


def multiplied(matrix: np.ndarray, vector: np.ndarray, prime: int) -> np.ndarray:
    """matrix·vector mod p."""
    total = np.empty(len(matrix), dtype=np.int64)
    for part in _parts(len(matrix), matrix.size):
        total[part] = (matrix[part] * vector % prime).sum(axis=1) % prime
    return total


def _parts(length: int, numbers: int | None = None) -> Iterator[slice]:
    """Stretches of a length that holds so many numbers, one for each place unless told."""
    step = max(1, BLOCK_NUMBERS * length // max(1, length if numbers is None else numbers))
    for start in range(0, length, step):
        yield slice(start, min(start + step, length))


def exact_null_space(matrix: Any, offset: bool) -> np.ndarray | None:
    """All directions that are zero on the rows: integers, one a column, the offset last.

    They are 0 in columns without a number. None where they have large numbers.
    """
    filled = np.unique(matrix.indices[matrix.data != 0])
    for prime in PRIMES:
        found = SparseNull(matrix, offset, prime)
        if not found.weights[filled].all():
            continue  # the prime divides all numbers of a column, which would count as without any
        basis = found.free[0]
        reduced, rank = _echelon(basis.T, prime)  # each has a 1 where the others are 0
        null = np.zeros((found.width, rank))
        for k in range(rank):
            direction = np.array([int(reduced[k, j]) for j in range(len(basis))], dtype=np.int64)
            terms = multiplied(found.terms, direction, prime)
            residues, where = np.unique(terms, return_inverse=True)
            numbers = whole_multiples(residues.tolist(), prime)
            if numbers is None or max(map(abs, numbers)) > 2**53:
                return None
            null[:, k] = np.array(numbers, dtype=np.float64)[where]
        return null if zero_rows(matrix, offset, null).all() else None
    return None


def _echelon(whole: np.ndarray, prime: int) -> tuple[Any, int]:
    """The reduced echelon form modulo the prime, and its rank."""
    from flint import nmod_mat

    n_rows, n_columns = whole.shape
    flat: Any = whole.ravel().tolist()
    return nmod_mat(n_rows, n_columns, flat, prime).rref() if whole.size else (whole, 0)


def zero_rows(matrix: Any, offset: bool, null: np.ndarray) -> np.ndarray:
    """Which rows every one of the directions is zero on, exactly."""
    whole = null.astype(np.int64)[: matrix.shape[1] + offset]
    is_zero = np.ones(matrix.shape[0], dtype=bool)
    for rows in _parts(len(is_zero), max(matrix.nnz, null.shape[1] * len(is_zero))):
        part = with_ones(matrix[rows]) if offset else matrix[rows].astype(np.float64)
        is_zero[rows] = ~product_signs(part, whole).any(axis=1)
    return is_zero


def null_relations(z: SignedRows, prime: int) -> dict[int, dict[int, int]]:
    """For each column that depends on earlier ones, its shares of them modulo the prime."""
    found = SparseNull(_part(z), z.fit_intercept, prime)
    column_ids = z.column_ids
    shares: dict[int, dict[int, int]] = {int(column_ids[j]): {} for j in found.empty}
    # Each relation has the last of its columns on one side; the offset counts as first.
    order = np.append(np.arange(found.n_columns)[::-1], [found.n_columns] * z.fit_intercept)
    order = order.astype(np.intp)
    whole = [multiplied(found.terms, direction, prime)[order] for direction in found.free[0].T]
    if whole:
        reduced, rank = _echelon(np.stack(whole), prime)
        named = column_ids[order].tolist()
        for line, pivot in enumerate(pivots_of(reduced, rank)):
            entries = [(named[k], int(reduced[line, k])) for k in range(pivot + 1, len(named))]
            shares[named[pivot]] = {j: prime - value for j, value in entries if value}
    return shares


def count_parameters(z: SignedRows, prime: int, most: int) -> int:
    """How many parameters it would take; more than `most` are not counted."""
    return len(SparseNull(_part(z), z.fit_intercept, prime).plan_within(most)[1])


def _part(z: SignedRows) -> Any:
    """The rows and columns of the matrix that are in question."""
    matrix = z.table.matrix
    if z.n_rows < matrix.shape[0]:
        matrix = matrix[z.rows]
    return matrix if len(z.columns) == matrix.shape[1] else matrix[:, z.columns]
