"""Which columns are combinations of earlier ones, on all rows? The offset comes before them all.

    modulo a prime    an echelon form tells the columns that stand on their own from those that
                      do not: what is independent modulo p is independent
    exactly           each of the others is solved for, in integers, from the columns before it,
                      and the solution is checked on every row

So both halves are proven: these columns are independent, and these depend on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import BLOCK_NUMBERS, homogeneous, product_signs, score_signs
from novikoff.errors import InputError
from novikoff.search.clock import Clock
from novikoff.search.integers import independent, pivots_of, small_fraction
from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import spanning_rows
from novikoff.search.sparse_relations import PRIMES as SPARSE_PRIMES
from novikoff.search.sparse_relations import (
    SPARSE_COLUMNS,
    count_parameters,
    null_relations,
    zero_rows,
)

Relation = dict[int, Fraction]  # the column is Σ share·column; n_columns stands for the offset
Shares = dict[int, dict[int, int]]  # the same modulo a prime, for each column that depends

MOST_ECHELON = 60_000_000  # numbers of an echelon form: 480 MB
QUICK_COLUMNS, QUICK_CELLS = 250, 5_000_000  # of a table whose echelon form takes about a second
QUICK_RELATIONS = 10  # dependences that are worked out before anybody asks
PRIMES = (2**61 - 31, 2**61 - 45, 2**61 - 1)  # no two fractions of 29 bits share a residue


class Dependent:
    """The columns that depend on earlier ones, and how: worked out when it is asked for."""

    def __init__(self, z: SignedRows, shares: Shares | None = None, prime: int = PRIMES[0]) -> None:
        self.z, self.shares, self.prime = z, shares or {}, prime
        self.columns = sorted(self.shares)
        self.known: dict[int, Relation] = {}
        self.offset = z.table.n_columns  # its place in relations

    def is_known(self, j: int) -> bool:
        """Whether the relation of column j has been worked out."""
        return j in self.known

    def relation(self, j: int) -> Relation:
        """Σ share·column over independent columns before column j, equal to it on every row."""
        if j not in self.known and self.learn([j]):
            raise RuntimeError("a column that depends on others was solved for wrongly")
        return self.known[j]

    def learn(self, columns: list[int]) -> list[int]:
        """Find and check the relations of these columns; the rows that break one, if any."""
        small = {j: _small_fractions(self.shares[j], self.prime) for j in columns}
        tried = {j: relation for j, relation in small.items() if relation is not None}
        wrong = _broken(self.z, tried)[1] if tried else []
        self.known |= {j: tried[j] for j in tried if j not in wrong}
        rows: np.ndarray = self.z.rows[:0]
        for choose in (self._named, self._before):  # a prime may divide a share, and hide it
            left = [j for j in columns if j not in self.known]
            if left:
                solved = _solved(
                    self.z, left, sorted({column_id for j in left for column_id in choose(j)})
                )
                rows, wrong = _broken(self.z, solved)
                self.known |= {j: solved[j] for j in solved if j not in wrong}
        return list(rows.tolist())

    def _named(self, j: int) -> Iterable[int]:
        return self.shares[j]

    def _before(self, j: int) -> Iterable[int]:
        """All columns before j that stand on their own, and the offset."""
        free = [k for k in self.z.column_ids.tolist() if k not in self.shares]
        return [k for k in free if k < j or k == self.z.table.n_columns]


def collinear_columns(z: SignedRows, clock: Clock | None = None) -> Dependent:
    """The columns of z that depend on earlier ones, by their place in the table.

    The clock is looked at between one step and the next, and raises OutOfTimeError.
    """
    clock = clock or Clock()
    sparsely = _is_wide_and_sparse(z)
    first = _spread(z, z.dim + 10)
    if not sparsely and _are_independent(z, first):
        return Dependent(z)
    for prime in SPARSE_PRIMES if sparsely else PRIMES:
        clock.check()
        shares = null_relations(z, prime) if sparsely else _dense_relations(z, first, prime)
        clock.check()
        found = Dependent(z, shares, prime)
        broken = found.learn(_doubtful(z, shares)) if shares else []
        if not broken:
            return found
        first = np.unique(np.concatenate([first, broken[: 2 * z.dim]]))
    raise RuntimeError("every prime has taken independent columns for dependent ones")


def _doubtful(z: SignedRows, shares: Shares) -> list[int]:
    """The columns whose dependence is known modulo the prime only.

    The others come after as many independent columns as there are different rows.
    """
    free = [column_id for column_id in z.column_ids.tolist() if column_id not in shares]
    n_different = z.n_rows
    if len(free) < z.n_rows and z.n_rows * z.dim <= QUICK_CELLS and not z.table.is_sparse:
        if z.table.exact is None:
            n_different = len(np.unique(z.table.matrix[z.rows], axis=0))
        else:
            n_different = len({tuple(row) for row in z.table.exact[z.rows].tolist()})
    if len(free) < n_different:
        return sorted(shares)
    last = max((column_id for column_id in free if column_id != z.table.n_columns), default=-1)
    return sorted(j for j in shares if j < last)


def collinear_if_quick(z: SignedRows) -> Dependent | None:
    """The same where it is a matter of a second or so; else None."""
    if _is_wide_and_sparse(z):
        few = z.table.matrix.nnz <= QUICK_CELLS and (
            count_parameters(z, SPARSE_PRIMES[0], QUICK_COLUMNS) <= QUICK_COLUMNS
        )
        return collinear_columns(z) if few else None
    if z.dim > QUICK_COLUMNS:
        return None
    if z.n_rows * z.dim <= QUICK_CELLS:
        found = collinear_columns(z)
        if len(found.columns) <= QUICK_RELATIONS:
            found.learn(found.columns)
        return found
    return Dependent(z) if _are_independent(z, _spread(z, 2 * z.dim)) else None


def _are_independent(z: SignedRows, few: np.ndarray) -> bool:
    """Whether a few rows show that all columns stand on their own."""
    return len(few) >= z.dim and len(independent(z.integers(few)[0])[0]) == z.dim


def _is_wide_and_sparse(z: SignedRows) -> bool:
    return z.table.is_sparse and z.dim > SPARSE_COLUMNS and z.n_rows >= z.dim


def _spread(z: SignedRows, size: int) -> np.ndarray:
    """About so many rows, from everywhere."""
    return z.rows[:: max(1, z.n_rows // size)][: 2 * size]


def _in_order(z: SignedRows) -> list[int]:
    """The places in z, the offset first."""
    places = list(range(z.dim))
    return [places.pop(), *places] if z.fit_intercept else places


def _dense_relations(z: SignedRows, first: np.ndarray, prime: int) -> Shares:
    """From an echelon form of rows that span all rows."""
    from flint import fmpz_mat, nmod_mat

    if min(z.n_rows, 3 * z.dim) * z.dim > MOST_ECHELON:
        raise InputError(
            f"{z.n_rows} rows and {z.dim} columns are too many to find the collinear columns; "
            "leave out columns that are known to be combinations of others."
        )
    basis = spanning_rows(z, first)
    if len(basis) == z.dim:
        return {}
    whole, places, _ = z.integers(basis)
    at = {place: k for k, place in enumerate(places.tolist())}
    order = _in_order(z)
    kept = [at[place] for place in order if place in at]
    flat = whole[:, kept].ravel().tolist()
    reduced, rank = nmod_mat(fmpz_mat(len(basis), len(kept), flat), prime).rref()
    column_ids = z.column_ids.tolist()
    named = [column_ids[place] for place in order if place in at]
    pivots = pivots_of(reduced, rank)
    shares: Shares = {column_ids[place]: {} for place in order if place not in at}
    for k in sorted(set(range(len(named))) - set(pivots)):
        column = {named[p]: int(reduced[line, k]) for line, p in enumerate(pivots)}
        shares[named[k]] = {column_id: share for column_id, share in column.items() if share}
    return shares


def _small_fractions(shares: dict[int, int], prime: int) -> Relation | None:
    """Fractions of few digits that have these residues; None where there are none."""
    found: Relation = {}
    for column_id, residue in shares.items():
        value = small_fraction(residue, prime)
        if value is None:
            return None
        found[column_id] = value
    return found


def _solved(z: SignedRows, targets: list[int], column_ids: list[int]) -> dict[int, Relation]:
    """Some columns from the columns `column_ids`, which are independent; to be checked."""
    from flint import fmpz_mat

    offset = z.table.n_columns
    columns = [column_id for column_id in column_ids if column_id != offset]
    chosen = np.array([*columns, *targets], dtype=np.intp)
    part = SignedRows(z.table, z.signs, offset in column_ids, z.rows, chosen)
    rows = spanning_rows(part, _spread(part, part.dim + 10))
    whole = np.zeros((len(rows), part.dim), dtype=object)
    numbers, places, _ = part.integers(rows)
    whole[:, places] = numbers
    wanted = range(len(columns), len(chosen))
    known = [place for place in range(part.dim) if place not in wanted]
    basis, _ = independent(whole[:, known])
    if len(basis) < len(known):
        basis, _ = independent(whole[:, known], is_sure=True)
    if len(basis) < len(known) or not known:
        return {j: {} for j in targets}
    square = fmpz_mat(whole[np.ix_(basis, known)].tolist())
    solution = square.solve(fmpz_mat(whole[np.ix_(basis, wanted)].tolist()))
    table: Any = solution.tolist()
    return {
        j: {
            column_id: Fraction(int(line[k].p), int(line[k].q))
            for column_id, line in zip([*columns, offset], table, strict=False)
            if line[k] != 0
        }
        for k, j in enumerate(targets)
    }


def _broken(z: SignedRows, relations: dict[int, Relation]) -> tuple[np.ndarray, list[int]]:
    """The rows on which one of the relations does not hold, exactly, and which do not."""
    listed = [_as_weights(z, j, relation) for j, relation in relations.items()]
    weights = np.array(listed, dtype=object).T
    bad = np.zeros(z.table.n_rows, dtype=bool)
    wrong = np.zeros(len(listed), dtype=bool)
    if z.table.is_sparse:
        for k in _unsettled(z, weights):
            for start, signs in score_signs(z.table, weights[:, k]):
                bad[start : start + len(signs)] |= signs != 0
                wrong[k] |= signs.any()
    else:
        used = np.flatnonzero((weights != 0).any(axis=1))
        columns, with_offset = used[used < z.table.n_columns], bool(used[-1] == z.table.n_columns)
        step = max(1, BLOCK_NUMBERS // (len(used) + 1))
        for start in range(0, z.table.n_rows, step):
            rows = np.arange(start, min(start + step, z.table.n_rows))
            block = homogeneous(z.table, rows, columns, with_offset)
            off = product_signs(block, weights[used])
            bad[rows] = off.any(axis=1)
            wrong |= off.any(axis=0)
    return np.flatnonzero(bad), [j for j, failed in zip(relations, wrong, strict=True) if failed]


def _unsettled(z: SignedRows, weights: np.ndarray) -> Iterator[int]:
    """The relations, a column of weights each, that floats do not show to hold exactly.

    Many at a time: of indicators there are thousands, with small numbers.
    """
    at_a_time = max(1, BLOCK_NUMBERS // len(weights))
    for start in range(0, weights.shape[1], at_a_time):
        part = weights[:, start : start + at_a_time]
        if max(map(abs, part.flat)) < 2**53:  # floats hold them all
            holds = zero_rows(z.table.matrix, True, part.astype(np.float64))
            if holds is not None and holds.all():
                continue
        yield from range(start, start + part.shape[1])


def _as_weights(z: SignedRows, j: int, relation: Relation) -> list[int]:
    """column j - Σ share·column, as integer weights of every column and the offset."""
    scale = math.lcm(*(share.denominator for share in relation.values()))
    weights = [0] * (z.table.n_columns + 1)
    weights[j] = scale
    for column_id, share in relation.items():
        weights[column_id] = -int(share * scale)
    return weights
