"""Rows, dense or CSR: the only file that knows the difference.

Every row ends in a constant: 1 where there is an offset, 0 where there is none. So w has
one entry more than there are columns, its last entry is the offset, and a score is always
x·w[:d] + constant·w[d].
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from novikoff.loops.compiled import LoopByLayout, compiled

# A place, or a count. To numba a 0 in the text is a type of its own, for which alone it would
# compile all that is called with it, and then all again for other numbers.
FIRST = np.int64(0)
BLOCK_ENTRIES = 32768  # numbers in a block of rows: 256 KB, which stays in the cache


class Dense(NamedTuple):
    """Rows of a C-ordered matrix."""

    values: np.ndarray
    constant: float


class Sparse(NamedTuple):
    """Rows in CSR form: row i holds values[starts[i]:starts[i+1]] at those columns."""

    values: np.ndarray
    columns: np.ndarray
    starts: np.ndarray
    constant: float


Rows = Dense | Sparse


def as_rows(values: Any, fit_intercept: bool) -> Rows:
    """Rows over a matrix (C-ordered, float) or anything with CSR's three arrays; no copy."""
    constant = 1.0 if fit_intercept else 0.0
    if isinstance(values, np.ndarray):
        return Dense(_plain(values), constant)
    return Sparse(_plain(values.data), _plain(values.indices), _plain(values.indptr), constant)


def _plain(values: np.ndarray) -> np.ndarray:
    """The same memory as a plain array that calls itself writable.

    Numba compiles anew for arrays that are read-only; no loop writes to rows.
    """
    if values.flags.writeable and type(values) is np.ndarray:
        return values
    interface = dict(values.__array_interface__)
    interface["data"] = (interface["data"][0], False)
    return np.asarray(SimpleNamespace(__array_interface__=interface, owner=values))


def rows_between(rows: Rows, start: int, stop: int) -> Rows:
    """The rows from `start` up to `stop`; no copy."""
    if isinstance(rows, Dense):
        return rows._replace(values=rows.values[start:stop])
    return rows._replace(starts=rows.starts[start : stop + 1])


def _by_layout(dense: Any, sparse: Any) -> LoopByLayout:
    return LoopByLayout({Dense: dense, Sparse: sparse})


_sum_in_any_order = compiled(fastmath={"reassoc", "contract"})


@_sum_in_any_order
def _dense_dot_row(rows, i, w):
    x = rows.values[np.uint64(i)]
    total = 0.0
    for j in range(x.shape[0]):
        total += float(x[j]) * float(w[j])
    return total + rows.constant * float(w[x.shape[0]])


@_sum_in_any_order
def _sparse_dot_row(rows, i, w):
    total = 0.0
    for p in range(np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])):
        total += float(rows.values[p]) * float(w[np.uint64(rows.columns[p])])
    return total + rows.constant * float(w[w.shape[0] - 1])


dot_row = _by_layout(_dense_dot_row, _sparse_dot_row)
"""x·w + constant·offset, summed in whatever order is fastest: not to be trusted near zero."""


@_sum_in_any_order
def _dense_dot_four(rows, i, W, c):
    x = rows.values[np.uint64(i)]
    first, second, third, fourth = W[c], W[c + 1], W[c + 2], W[c + 3]
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for j in range(x.shape[0]):
        value = float(x[j])
        one += value * float(first[j])
        two += value * float(second[j])
        three += value * float(third[j])
        four += value * float(fourth[j])
    last, constant = x.shape[0], rows.constant
    return (
        one + constant * float(first[last]),
        two + constant * float(second[last]),
        three + constant * float(third[last]),
        four + constant * float(fourth[last]),
    )


@_sum_in_any_order
def _sparse_dot_four(rows, i, W, c):
    first, second, third, fourth = W[c], W[c + 1], W[c + 2], W[c + 3]
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for p in range(np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])):
        value, j = float(rows.values[p]), np.uint64(rows.columns[p])
        one += value * float(first[j])
        two += value * float(second[j])
        three += value * float(third[j])
        four += value * float(fourth[j])
    last, constant = W.shape[1] - 1, rows.constant
    return (
        one + constant * float(first[last]),
        two + constant * float(second[last]),
        three + constant * float(third[last]),
        four + constant * float(fourth[last]),
    )


dot_four = _by_layout(_dense_dot_four, _sparse_dot_four)
"""dot_row for the lines c … c + 3 of W, for one reading of the row."""


@compiled(forceinline=True)
def _dense_add_row(rows, i, step, w):
    x = rows.values[np.uint64(i)]
    for j in range(x.shape[0]):
        w[j] += step * x[j]
    w[x.shape[0]] += step * rows.constant


@compiled
def _sparse_add_row(rows, i, step, w):
    for p in range(np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])):
        w[np.uint64(rows.columns[p])] += step * rows.values[p]
    w[w.shape[0] - 1] += step * rows.constant


add_row = _by_layout(_dense_add_row, _sparse_add_row)
"""w += step·row, each entry rounded as the plain loop rounds it."""


@compiled
def _dense_stored(rows, i):
    return rows.values[np.uint64(i)]


@compiled
def _sparse_stored(rows, i):
    return rows.values[rows.starts[i] : rows.starts[i + 1]]


stored = _by_layout(_dense_stored, _sparse_stored)
"""The numbers that are stored of row i."""


@_sum_in_any_order
def square_row(rows, i):
    """‖row‖², its constant included."""
    x, total = stored(rows, i), rows.constant
    for j in range(x.shape[0]):
        total += float(x[j]) * float(x[j])
    return total


@compiled
def row_is_finite(rows, i):
    """Whether row i holds neither NaN nor infinity."""
    x, finite = stored(rows, i), True
    for j in range(x.shape[0]):
        finite = finite and abs(x[j]) < np.inf
    return finite


@_sum_in_any_order
def _dense_dot_and_square_row(rows, i, w):
    x = rows.values[np.uint64(i)]
    total = 0.0
    square = rows.constant
    for j in range(x.shape[0]):
        total += float(x[j]) * float(w[j])
        square += float(x[j]) * float(x[j])
    return total + rows.constant * float(w[x.shape[0]]), square


@_sum_in_any_order
def _sparse_dot_and_square_row(rows, i, w):
    total = 0.0
    square = rows.constant
    for p in range(np.uint64(rows.starts[i]), np.uint64(rows.starts[i + 1])):
        value = float(rows.values[p])
        total += value * float(w[np.uint64(rows.columns[p])])
        square += value * value
    return total + rows.constant * float(w[w.shape[0] - 1]), square


dot_and_square_row = _by_layout(_dense_dot_and_square_row, _sparse_dot_and_square_row)
"""What dot_row and square_row give, for one reading of the row."""


@compiled
def rows_a_block(rows, n_rows):
    """How many rows are visited together, so that they stay in the cache."""
    return max(8, BLOCK_ENTRIES // (rows.values.size // n_rows + 1))
