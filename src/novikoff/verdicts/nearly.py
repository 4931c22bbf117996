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

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs import Table, as_decimals, is_whole
from novikoff.search.collinear import collinear_columns
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.collinear import combination
from novikoff.wording import keyword, plural

ROUNDINGS = 64  # in units of rounding, the largest remainder
CANCELS = 1e6  # the largest Σ |f_k|·s_k / s_j: beyond it nothing is left of the digits
MOST_CELLS = 50_000_000  # numbers of a table that is looked at
MOST_COLUMNS = 500  # columns; of a wider table those that are not whole
MOST_ROWS, WORK = 50_000, 100_000_000  # of one least-squares problem, and its products
FEW_ROWS = 1000  # that a table of more columns is judged by at first
MOST_TRIES = 20  # columns that are tried
LOOK = 1e-7  # of a column's square, what others leave of it, from which on one looks closely
SUSPECT = 1e-7  # of its length, from which on it is tried
SHORT, CLOSE = 1000, 1e-9  # a factor this close to a fraction of such a denominator is that
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
) -> list[Nearly]:
    """The columns that depend on earlier ones but for rounding, and not exactly.

    sizes : how large the numbers were that the columns were made from; else those of the table
    known : columns that depend exactly
    """
    n, d = table.n_rows, table.n_columns
    largest = column_sizes(table) if sizes is None else sizes
    columns = [j for j in range(d) if largest[j] > 0 and j not in known]
    if n * d > MOST_CELLS or table.is_beyond_floats:
        return []
    for rows in (slice(0, FEW_ROWS), slice(None)):
        if len(columns) > MOST_COLUMNS:
            whole = _whole_columns(table.matrix[rows])
            broken = [j for j in columns if not whole[j]]
            columns = [] if len(broken) > MOST_COLUMNS else columns
            columns = broken if rows == slice(None) else columns
    homes = [d] * offset + columns
    if len(homes) < 2:
        return []
    scale = np.array([1.0 if home == d else largest[home] for home in homes])
    width = len(homes)
    size = min(n, max(2 * width + 100, min(MOST_ROWS, WORK // width**2)))
    few = _block(table, homes, np.linspace(0, n - 1, size).astype(np.intp)) / scale
    with one_thread(0):
        tried = _tried(few, homes, _unit(table))
    return [
        Nearly(home, relation)
        for home, factors in tried
        if (relation := _checked(table, home, factors, dict(zip(homes, scale, strict=True))))
    ]


def _tried(few: np.ndarray, homes: list[int], unit: float) -> list[tuple[int, dict[int, float]]]:
    """Columns of some rows that are nearly combinations of others, with factors for scaled ones."""
    lengths = np.sqrt((few * few).sum(axis=0))
    if not _looks_dependent(few[:, lengths > 0] / lengths[lengths > 0]):
        return []
    from scipy.linalg import lstsq

    left = np.abs(np.diag(np.linalg.qr(few, mode="r")))
    left = np.concatenate([left, np.zeros(few.shape[1] - len(left))])
    suspects = [k for k in np.flatnonzero(left <= SUSPECT * lengths).tolist() if k and lengths[k]]
    found: list[tuple[int, dict[int, float]]] = []
    out: set[int] = set()
    for k in suspects[:MOST_TRIES]:
        before = [i for i in range(k) if i not in out and lengths[i]]
        factors = lstsq(few[:, before], few[:, k], lapack_driver="gelsy")[0]
        size = 1 + np.abs(factors).sum()
        rest = np.abs(few[:, k] - few[:, before] @ factors).max()
        if size <= CANCELS and rest <= ROUNDINGS * unit * size:
            out.add(k)
            found.append(
                (homes[k], {homes[i]: f for i, f in zip(before, factors.tolist(), strict=True)})
            )
    return found


def _looks_dependent(units: np.ndarray) -> bool:
    """Whether columns of length 1 may depend on each other, by their products alone."""
    try:
        lower = np.linalg.cholesky(units.T @ units)
    except np.linalg.LinAlgError:
        return True
    return bool((np.diag(lower) ** 2).min() < LOOK)


def _checked(
    table: Table, home: int, factors: dict[int, float], scale: dict[int, float]
) -> dict[int, Fraction] | None:
    """The relation in the table's own numbers, if it holds on all rows, and not exactly."""
    shares = {k: f for k, f in factors.items() if abs(f) > CLOSE}
    used = [home, *factors]
    weights = np.array([-1.0 / scale[home], *(f / scale[k] for k, f in factors.items())])
    bound = ROUNDINGS * _unit(table) * (1 + sum(map(abs, factors.values())))
    step = max(1, 4_000_000 // len(used))
    for start in range(0, table.n_rows, step):
        rows = np.arange(start, min(start + step, table.n_rows))
        if not np.abs(_block(table, used, rows) @ weights).max() <= bound:
            return None
    columns = np.array(sorted({home, *shares} - {table.n_columns}))
    ones = np.ones(table.n_rows, dtype=np.int8)
    part = SignedRows(table, ones, table.n_columns in shares, columns=columns)
    if home in collinear_columns(part).columns:
        return None
    return {k: _short(f * scale[home] / scale[k]) for k, f in shares.items()}


def _short(factor: float) -> Fraction:
    near = Fraction(factor).limit_denominator(SHORT)
    return near if abs(near - Fraction(factor)) <= CLOSE * abs(factor) else Fraction(factor)


def _unit(table: Table) -> float:
    """Half the distance from 1 to the next float."""
    return 2.0**-24 if table.matrix.dtype == np.float32 else 2.0**-53


def column_sizes(table: Table) -> np.ndarray:
    """The largest |x| of each column."""
    found = abs(table.matrix).max(axis=0)
    return np.asarray(found.toarray() if table.is_sparse else found, dtype=np.float64).ravel()


def _whole_columns(matrix: Any) -> np.ndarray:
    """Which columns hold whole numbers only."""
    if isinstance(matrix, np.ndarray):
        return np.asarray((matrix == np.rint(matrix)).all(axis=0))
    whole = np.ones(matrix.shape[1], dtype=bool)
    whole[matrix.indices[matrix.data != np.rint(matrix.data)]] = False
    return whole


def _block(table: Table, homes: list[int], rows: np.ndarray) -> np.ndarray:
    """Some rows of some columns, the offset among them, as dense floats."""
    columns = [home for home in homes if home != table.n_columns]
    block = table.matrix[rows][:, columns]
    block = np.asarray(block if isinstance(block, np.ndarray) else block.toarray(), np.float64)
    if len(columns) == len(homes):
        return block
    return np.insert(block, homes.index(table.n_columns), 1.0, axis=1)


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
        said = combination(named, name_of(offset) if offset in relation else "")
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
