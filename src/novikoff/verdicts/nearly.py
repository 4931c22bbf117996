"""Columns that are combinations of earlier ones but for rounding, such as x and x/2.54.

Exactly, such a column stands on its own, by what rounding left of it, and an exact answer takes
that remainder for data. To whoever made the column it is a combination, and R says NA. So it is
said in words. A column x_j is one of these if

    |x_j - Σ f_k·x_k| <= 64 u·(s_j + Σ |f_k|·s_k)    on every row,

u = 2^-53 (2^-24 of float32), s the largest number of a column, and if it does not depend exactly.
What formulas compute (units, scale, poly, splines) is within 8 u, columns of years to the fourth
power are 100,000 u away. Floats propose f, by least squares on some of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs import Table, as_decimals, is_whole
from novikoff.search.clock import Clock
from novikoff.search.collinear import collinear_columns
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.collinear import combination
from novikoff.wording import keyword, plural

ROUNDINGS = 64  # in units of rounding, the largest remainder
MOST_CANCELLED = 1e6  # the largest Σ |f_k|·s_k / s_j: beyond it nothing is left of the digits
MOST_NUMBERS = 50_000_000  # of a table that is looked at
MOST_COLUMNS = 1000  # columns; of a wider table those that are not whole
SAMPLED_NUMBERS = 200_000  # numbers of the rows that floats propose with, beside 2 rows a column
MOST_TRIES = 20  # columns that are tried
LEAST_LENGTH_LEFT = 1e-7  # of a column's length; where others leave less it is tried
FACTOR_ROUNDING = 1e-9  # a scaled factor below it is none; so near a short fraction it is that
LARGEST_SHORT = 1000  # numerator and denominator of a short fraction
MOST_NAMES = 4  # columns that are named
MOST_DECIMALS = 100_000  # numbers that are read as decimals, to see what becomes of them


class Nearly(NamedTuple):
    """Column `place` is Σ factor·column but for rounding; n_columns stands for the offset."""

    place: int
    relation: dict[int, Fraction]


def nearly_collinear(
    table: Table,
    offset: bool,
    sizes: np.ndarray | None = None,
    known: Collection[int] = (),
    clock: Clock | None = None,
) -> list[Nearly]:
    """The columns that depend on earlier ones but for rounding, and not exactly.

    sizes : how large the numbers were that the columns were made from; else those of the table
    known : columns that depend exactly

    The clock is looked at between one step and the next, and raises OutOfTimeError.
    """
    clock = clock or Clock()
    n, d, exactly = table.n_rows, table.n_columns, set(known)
    if table.matrix.size > MOST_NUMBERS or table.is_beyond_floats:
        return []
    largest = np.append(column_sizes(table) if sizes is None else sizes, 1.0)
    columns = [j for j in range(d) if largest[j] > 0 and j not in exactly]
    if len(columns) > MOST_COLUMNS:
        whole = _whole_columns(table.matrix)
        columns = [j for j in columns if not whole[j]]
    column_ids = [d] * offset + columns
    if not 1 < len(column_ids) <= MOST_COLUMNS + 1:
        return []
    clock.check()
    width = len(column_ids)
    size = min(n, 2 * width + 100 + SAMPLED_NUMBERS // width)
    rows = np.linspace(0, n - 1, size).astype(np.intp)
    few = _block(table, column_ids, rows) / largest[column_ids]
    unit = 2.0**-24 if table.matrix.dtype == np.float32 else 2.0**-53
    found = []
    with one_thread(0):
        for place, others, factors in _tried(few, ROUNDINGS * unit, clock):
            own, used = column_ids[place], [column_ids[k] for k in others]
            weights = np.array([-1.0, *factors]) / largest[[own, *used]]
            bound = ROUNDINGS * unit * (1 + np.abs(factors).sum())
            if _holds(table, [own, *used], weights, bound) and not _depends(table, own, used):
                shares = zip(used, factors / largest[used] * largest[own], factors, strict=True)
                relation = {k: _short(share) for k, share, f in shares if abs(f) > FACTOR_ROUNDING}
                found.append(Nearly(own, relation))
    return found


def _tried(
    few: np.ndarray, bound: float, clock: Clock
) -> Iterator[tuple[int, list[int], np.ndarray]]:
    """Columns of some rows that are nearly combinations of others, these, and their factors."""
    lengths = np.sqrt((few * few).sum(axis=0))
    there = np.flatnonzero(lengths)
    left = np.abs(np.diag(np.linalg.qr(few[:, there], mode="r")))
    left = np.append(left, np.zeros(len(there) - len(left)))
    suspects = there[left <= LEAST_LENGTH_LEFT * lengths[there]].tolist()[:MOST_TRIES]
    if not suspects:
        return
    from scipy.linalg import lstsq, solve_triangular

    free = [k for k in there.tolist() if k not in suspects and k <= max(suspects)]
    q, r = np.linalg.qr(few[:, free])
    for k in suspects:
        clock.check()
        p = sum(i < k for i in free)
        if p >= len(few):  # more columns than rows: they depend exactly
            return
        first = np.abs(solve_triangular(r[:p, :p], q[:, :p].T @ few[:, k]))
        others = [free[i] for i in np.flatnonzero(first > FACTOR_ROUNDING)]
        if others and first.sum() <= MOST_CANCELLED:
            factors = lstsq(few[:, others], few[:, k], lapack_driver="gelsy")[0]
            rest = np.abs(few[:, k] - few[:, others] @ factors).max()
            if rest <= bound * (1 + np.abs(factors).sum()):
                yield k, others, factors
                continue
        free = sorted([*free, k])
        q, r = np.linalg.qr(few[:, free])


def _holds(table: Table, column_ids: list[int], weights: np.ndarray, bound: float) -> bool:
    """Whether |Σ weight·column| is within the bound on every row."""
    step = max(1, 4_000_000 // len(column_ids))
    blocks = (slice(start, start + step) for start in range(0, table.n_rows, step))
    return all(np.abs(_block(table, column_ids, rows) @ weights).max() <= bound for rows in blocks)


def _depends(table: Table, own: int, others: list[int]) -> bool:
    """Whether a column depends on others exactly."""
    columns = np.array(sorted({own, *others} - {table.n_columns}))
    ones = np.ones(table.n_rows, dtype=np.int8)
    part = SignedRows(table, ones, table.n_columns in others, columns=columns)
    return own in collinear_columns(part).columns


def _short(factor: float) -> Fraction:
    near = Fraction(factor).limit_denominator(max(1, int(LARGEST_SHORT / max(1.0, abs(factor)))))
    is_near = abs(near - Fraction(factor)) <= FACTOR_ROUNDING * abs(factor)
    return near if is_near else Fraction(factor)


def column_sizes(table: Table) -> np.ndarray:
    """The largest |x| of each column."""
    ends = (table.matrix.max(axis=0), -table.matrix.min(axis=0))
    dense = [end.toarray().ravel() if table.is_sparse else end for end in ends]
    return np.asarray(np.maximum(*dense), dtype=np.float64)


def _whole_columns(matrix: Any) -> np.ndarray:
    """Which columns hold whole numbers only."""
    if isinstance(matrix, np.ndarray):
        return np.asarray((matrix == np.rint(matrix)).all(axis=0))
    whole = np.ones(matrix.shape[1], dtype=bool)
    whole[matrix.indices[matrix.data != np.rint(matrix.data)]] = False
    return whole


def _block(table: Table, column_ids: list[int], rows: np.ndarray | slice) -> np.ndarray:
    """Some rows of some columns, the offset among them, as dense floats."""
    columns = [own for own in column_ids if own != table.n_columns]
    block = table.matrix[rows][:, columns]
    block = np.asarray(block if isinstance(block, np.ndarray) else block.toarray(), np.float64)
    if len(columns) == len(column_ids):
        return block
    return np.insert(block, column_ids.index(table.n_columns), 1.0, axis=1)


def rounding_notes(
    z: SignedRows, known: Collection[int], name_of: Callable[[int], str]
) -> list[str]:
    """The notes about columns of two classes; `known` are those that depend exactly."""
    table = z.table
    if is_whole(table):
        return []
    found = nearly_collinear(table, z.fit_intercept, None, known)
    exactly: Collection[int] | None = None
    if table.numbers != "binary64":
        exactly = ()
    elif found and table.n_rows * table.n_columns <= MOST_DECIMALS:
        other = SignedRows(as_decimals(table), z.signs, z.fit_intercept)
        exactly = collinear_columns(other).columns
    return in_words(found, name_of, table.n_columns, exactly)


def in_words(
    found: Sequence[Nearly],
    name_of: Callable[[int], str],
    offset: int,
    decimal: Collection[int] | None,
    where: str = "",
) -> list[str]:
    """The notes about such columns.

    decimal : those of them that depend exactly where floats are read as decimals; None where
        that is not known
    where : 'within sets, ' where a relation holds there alone
    """
    notes = []
    for place, relation in found[:MOST_NAMES]:
        named = {name_of(k): share for k, share in relation.items()}
        said = combination(named, name_of(offset) if offset in relation else None)
        cure = "leave it out"
        if decimal is None or place in decimal:
            cure = f"say {keyword('numbers', 'decimal')}, which reads floats as the decimals that "
            cure += "print them" + ", or leave it out" * (decimal is None)
        notes.append(
            f"{where}column {name_of(place)!r} is {said} but for rounding, and counts here as a "
            f"column of its own; if it is meant to be that, {cure}"
        )
    more = len(found) - len(notes)
    if more > 0:
        notes.append(f"so {plural(more, 'does', 'do')} {more} other {plural(more, 'column')}")
    return notes
