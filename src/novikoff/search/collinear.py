"""Which columns are combinations of earlier ones, on all rows? The offset comes before them all.

    modulo a prime    an echelon form of some rows tells the columns that stand on their own, which
                      is proven, from those that seem to depend on columns before them
    exactly           each of these has its shares of the columns before it: read as small
                      fractions, else solved for in integers, and checked on every row

A row that breaks a relation joins the rows of the echelon form, so each round ends with more
independent columns, or with the answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import (
    BLOCK_NUMBERS,
    as_integers,
    homogeneous,
    largest_integer,
    product_signs,
    with_ones,
)
from novikoff.errors import InputError
from novikoff.inputs import Table
from novikoff.search.clock import Clock, seconds_to_reduce
from novikoff.search.integers import (
    a_prime,
    independent,
    pivots_of,
    short_null_space,
    small_fraction,
)
from novikoff.search.signed_rows import SignedRows
from novikoff.search.sparse_relations import (
    MOST_TERMS,
    PRIMES,
    SPARSE_COLUMNS,
    count_parameters,
    null_relations,
)

Relation = dict[int, Fraction]  # the column is Σ share·column; n_columns stands for the offset
Shares = dict[int, dict[int, int]]  # the same modulo a prime, for each column that depends

QUICK_COLUMNS, QUICK_CELLS = 250, 5_000_000  # of a table whose echelon form takes about a second
QUICK_RELATIONS = 10  # dependences that are worked out before anybody asks


@dataclass(eq=False)
class Dependent:
    """The columns that depend on earlier ones, and how: worked out when it is asked for.

    some : rows on which the other columns are independent; without them others are looked for
    """

    z: SignedRows
    shares: Shares = field(default_factory=dict)
    prime: int = 0
    some: np.ndarray | None = None
    known: dict[int, Relation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = sorted(self.shares)
        self.offset = self.z.table.n_columns  # its place in relations

    def is_known(self, j: int) -> bool:
        """Whether the relation of column j has been worked out."""
        return j in self.known

    def relation(self, j: int) -> Relation:
        """Σ share·column over independent columns before column j, equal to it on every row."""
        if j not in self.known and len(self.learn([j])):
            raise RuntimeError("a column that depends on others was solved for wrongly")
        return self.known[j]

    def learn(self, columns: list[int]) -> np.ndarray:
        """Find and check the relations of these columns; the rows that break one, if any."""
        small: dict[int, Relation] = {}
        for j in columns:
            read = {k: small_fraction(share, self.prime) for k, share in self.shares[j].items()}
            relation = {k: share for k, share in read.items() if share is not None}
            if len(relation) == len(read):
                small[j] = relation
        if self.some is not None and small:  # long shares may look like short ones
            few = SignedRows(self.z.table, self.z.signs, self.z.fit_intercept, self.some)
            wrong = _broken(few, small)[1]
            small = {j: relation for j, relation in small.items() if j not in wrong}
        broken = self._check(small)
        if len(broken) and self.some is not None:
            return broken
        left = [j for j in columns if j not in self.known]
        named = sorted({column_id for j in left for column_id in self.shares[j]})
        return self._check(_solved(self.z, left, named, self.some)) if left else self.z.rows[:0]

    def _check(self, relations: dict[int, Relation]) -> np.ndarray:
        """Keep the relations that hold on every row; the rows on which another does not."""
        if not relations:
            return self.z.rows[:0]
        rows, wrong = _broken(self.z, relations)
        self.known |= {j: relation for j, relation in relations.items() if j not in wrong}
        return rows


def dependent_columns(
    table: Table, offset: bool, clock: Clock, columns: np.ndarray | None = None
) -> Dependent:
    """The columns of a table that depend on earlier ones, whatever signs its rows have."""
    ones = np.ones(table.n_rows, dtype=np.int8)
    return collinear_columns(SignedRows(table, ones, offset, columns=columns), clock)


def collinear_columns(z: SignedRows, clock: Clock | None = None) -> Dependent:
    """The columns of z that depend on earlier ones, by their place in the table.

    The clock is looked at between one step and the next, and raises OutOfTimeError.
    """
    clock = clock or Clock()
    clock.check_call(elimination_seconds(z.table))
    sparsely = _is_wide_and_sparse(z)
    some = _spread(z, 2 * z.dim)
    for k in range(z.dim + len(PRIMES)):  # each round has a higher rank, or another prime
        clock.check()
        prime = PRIMES[k % len(PRIMES)] if sparsely else a_prime()
        shares = null_relations(z, prime) if sparsely else _dense_relations(z, some, prime)
        clock.check()
        found = Dependent(z, shares, prime, None if sparsely else some)
        broken = found.learn(_doubtful(z, shares, some)) if shares else z.rows[:0]
        if not len(broken):
            return found
        new = broken[: 2 * z.dim]
        some = np.sort(np.concatenate([some, new[~np.isin(new, some)]]))  # no numpy.ma
    raise RuntimeError("every prime has taken independent columns for dependent ones")


def _doubtful(z: SignedRows, shares: Shares, some: np.ndarray) -> list[int]:
    """The columns whose dependence is known modulo the prime only.

    The others come after as many independent columns as there are different rows.
    """
    free = [column_id for column_id in z.column_ids.tolist() if column_id not in shares]
    n_different = z.n_rows
    if len(free) < n_different and not z.table.is_sparse and z.n_rows * z.dim <= QUICK_CELLS:
        for rows in (some, z.rows):
            if z.table.exact is None:
                n_different = len({row.tobytes() for row in z.table.matrix[rows] + 0})  # -0 is 0
            else:
                n_different = len({tuple(row) for row in z.table.exact[rows].tolist()})
            if n_different > len(free):
                break
    if len(free) < n_different:
        return sorted(shares)
    last = max((column_id for column_id in free if column_id != z.table.n_columns), default=-1)
    return sorted(j for j in shares if j < last)


def collinear_if_quick(z: SignedRows) -> Dependent | None:
    """The same where it is a matter of a second or so; else None."""
    if _is_wide_and_sparse(z):
        few = z.table.matrix.nnz <= QUICK_CELLS and (
            count_parameters(z, PRIMES[0], QUICK_COLUMNS) <= QUICK_COLUMNS
        )
        return collinear_columns(z) if few else None
    if z.dim > QUICK_COLUMNS:
        return None
    if z.n_rows * z.dim <= QUICK_CELLS:
        found = collinear_columns(z)
        if len(found.columns) <= QUICK_RELATIONS:
            found.learn(found.columns)
        return found
    return None if _dense_relations(z, _spread(z, 2 * z.dim), a_prime()) else Dependent(z)


def elimination_seconds(table: Table) -> float:
    """About how long it takes to eliminate a dense table, which no clock interrupts.

    Twice an echelon form, and as long again for relations and their check.
    """
    if table.is_sparse:
        return 0.0
    return 4.0 * seconds_to_reduce(min(table.n_rows, 4 * table.n_columns), table.n_columns)


def _is_wide_and_sparse(z: SignedRows) -> bool:
    return z.table.is_sparse and z.dim > SPARSE_COLUMNS and z.n_rows >= z.dim


def _spread(z: SignedRows, size: int) -> np.ndarray:
    """About so many rows, from everywhere."""
    return z.rows[:: max(1, z.n_rows // max(1, size))][: 2 * size]


def _dense_relations(z: SignedRows, some: np.ndarray, prime: int) -> Shares:
    """From an echelon form of some rows, those of columns that depend on others there."""
    from flint import fmpz_mat, nmod_mat

    if len(some) * z.dim > MOST_TERMS:
        raise InputError(
            f"{z.n_rows} rows and {z.dim} columns are too many to find the collinear columns; "
            "leave out columns that are known to be combinations of others."
        )
    whole, places, _ = z.integers(some)
    column_ids = z.column_ids
    at = {column_id: k for k, column_id in enumerate(column_ids[places].tolist())}
    order = np.roll(column_ids, int(z.fit_intercept)).tolist()  # the offset first
    named = [column_id for column_id in order if column_id in at]
    flat = whole[:, [at[column_id] for column_id in named]].ravel().tolist()
    reduced, rank = nmod_mat(fmpz_mat(len(some), len(named), flat), prime).rref()
    pivots = pivots_of(reduced, rank)
    shares: Shares = {column_id: {} for column_id in order if column_id not in at}
    for k in sorted(set(range(len(named))) - set(pivots)):
        column = {named[p]: int(reduced[line, k]) for line, p in enumerate(pivots)}
        shares[named[k]] = {column_id: share for column_id, share in column.items() if share}
    return shares


def short_relations(z: SignedRows, clock: Clock) -> tuple[np.ndarray | None, np.ndarray]:
    """All relations between the columns of z, one a column; None where they are long.

    They are those of some rows, which the rows join that break one of them. These rows come back
    too: where the relations are short, they span all rows of z.
    """
    some = _spread(z, 2 * z.dim)
    while True:  # it ends: the rank of these rows grows from round to round
        clock.check()
        null = short_null_space(z.exact_block(some), clock)
        if null is None or not null.shape[1]:
            return null, some
        broken = [z.rows[:0]]
        for part in z.blocks():
            broken.append(part[product_signs(z.exact_block(part), null).any(axis=1)])
        new = np.setdiff1d(np.concatenate(broken), some)
        if not len(new):
            return null, some
        some = np.concatenate([some, new[: z.dim]])


def spanning_equalities(z: SignedRows, held: np.ndarray, clock: Clock) -> np.ndarray:
    """Independent ones of the rows `held`, which have no sign: in most cases as many as there are.

    Whoever relies on them looks at all of `held` again.
    """
    if not len(held):
        return held
    plain = np.ones(z.table.n_rows, dtype=np.int8)
    rows = SignedRows(z.table, plain, z.fit_intercept, held, z.columns)
    return np.sort(independent_rows(rows, short_relations(rows, clock)[1], clock))


def independent_rows(z: SignedRows, some: np.ndarray, clock: Clock) -> np.ndarray:
    """As many of these rows as are independent, the first ones, whatever their signs."""
    plain = np.ones(z.table.n_rows, dtype=np.int8)
    whole = SignedRows(z.table, plain, z.fit_intercept, some, z.columns).integers(some)[0]
    return some[independent(whole, clock=clock)[0]]


def _solved(
    z: SignedRows, targets: list[int], column_ids: list[int], some: np.ndarray | None
) -> dict[int, Relation]:
    """Some columns from the columns `column_ids`, which are independent; to be checked."""
    from flint import fmpz_mat

    if not column_ids:
        return {j: {} for j in targets}
    offset = z.table.n_columns
    columns = [column_id for column_id in column_ids if column_id != offset]
    chosen = np.array([*columns, *targets], dtype=np.intp)
    part = SignedRows(z.table, z.signs, offset in column_ids, z.rows, chosen)
    wanted = list(range(len(columns), len(chosen)))
    known = [place for place in range(part.dim) if place not in wanted]
    rows, size = _spread(part, 2 * part.dim) if some is None else some, 8 * part.dim
    while True:  # until these rows show that the columns are independent, as all rows do
        numbers, places, _ = part.integers(rows)
        whole = np.zeros((len(rows), part.dim), dtype=object)
        whole[:, places] = numbers
        basis, _ = independent(whole[:, known])
        if len(basis) == len(known):
            break
        if len(rows) == part.n_rows:
            return {j: {} for j in targets}
        rows, size = _spread(part, size), 4 * size
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
    weights = np.zeros((z.table.n_columns + 1, len(relations)), dtype=object)
    for k, (j, relation) in enumerate(relations.items()):  # column j - Σ share·column, in integers
        scale = math.lcm(*(share.denominator for share in relation.values()))
        weights[j, k] = scale
        weights[list(relation), k] = as_integers([-int(x * scale) for x in relation.values()])
    if largest_integer(weights) < 2**62:
        weights = weights.astype(np.int64)
    n_relations = weights.shape[1]
    bad, wrong = np.zeros(z.n_rows, dtype=bool), np.zeros(n_relations, dtype=bool)
    used = np.flatnonzero((weights != 0).any(axis=1))
    at_once = max(1, BLOCK_NUMBERS // len(used))  # of indicators there are thousands
    width = z.table.matrix.nnz // z.table.n_rows if z.table.is_sparse else len(used)
    step = max(1, BLOCK_NUMBERS // (max(width, min(at_once, n_relations)) + 1))
    for start in range(0, z.n_rows, step):
        part = z.rows[start : start + step]
        if z.table.is_sparse:
            block = with_ones(z.table.matrix[part])[:, used]
        else:
            columns = used[used < z.table.n_columns]
            block = homogeneous(z.table, part, columns, len(columns) < len(used))
        for first in range(0, n_relations, at_once):
            off = product_signs(block, weights[used, first : first + at_once]) != 0
            bad[start : start + step] |= off.any(axis=1)
            wrong[first : first + at_once] |= off.any(axis=0)
    return z.rows[bad], [j for j, failed in zip(relations, wrong, strict=True) if failed]
