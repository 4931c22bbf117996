"""Rows as floats see them, where columns depend on each other but for rounding.

Exactly, kg = lb·0.453592 in floats is independent of lb: by some 1e-16 of its size, which no float
solver tells from zero, and which may decide the question. So the coordinates are changed by an
exact matrix T. A direction that floats do not tell from zero on all rows is a combination of
columns: it takes the place of one of them, computed in integers, rounded once, and scaled, until
floats see every direction. That takes some twelve digits of what was hidden at a time (Rump's way
to invert very ill-conditioned matrices), and leaves all other columns as they are. Columns that
depend on others exactly are left out first.

A frame answers what a view does (float_view.py). Its map is linear and exact, too: weights are
carried back exactly, and a combination of rows vanishes in the frame just when it does in truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.arithmetic import (
    as_integers,
    exact_product,
    largest_integer,
    product_signs,
    whole_numbers,
)
from novikoff.search.clock import Clock
from novikoff.search.float_view import FloatView
from novikoff.search.integers import columns_of_their_own, independent, short_null_space

if TYPE_CHECKING:
    from novikoff.search.signed_rows import SignedRows

FRAME_COLUMNS = 600  # beyond, what floats do not see cannot be solved for in time
FRAME_CELLS = 4_000_000  # numbers: the product of all rows with themselves takes 0.2 s
SEEN_EIGENVALUE = 1e-12  # of the largest one of products: above, it is no rounding
HIDDEN_SINGULAR_VALUE = 1e-7  # of the largest: half of the digits see no less
SHARE_BITS = 60  # of a share of a column: more than the singular vector that it is from has
LADDER_ROUNDS = 80  # each takes away some twelve digits; floats have no more than some 600


class Frame(FloatView):
    """The rows in question, in coordinates in which floats see all of them."""

    def __init__(self, z: SignedRows, rows: np.ndarray, basis: np.ndarray) -> None:
        from flint import fmpz_mat

        self.z, self.basis = z, fmpz_mat(basis.tolist())  # T: one line for each place in z
        self.rows = rows  # z·T, by their place in the table
        self.places = np.full(z.table.n_rows, -1, dtype=np.intp)
        self.places[z.rows] = np.arange(z.n_rows)

    @property
    def dim(self) -> int:
        return int(self.rows.shape[1])

    def _dense(self, which: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
        """Rows without their signs, as those of the view."""
        return np.asarray(self.rows[self.places[which]] * self.z.signs[which][:, None], dtype=dtype)

    def scores(self, w: np.ndarray) -> np.ndarray:
        """z'·w for every row in question, up to rounding."""
        return np.asarray(self.rows @ w)

    def unit_target(self, target: Sequence[int]) -> np.ndarray:
        """A row vector of integers, over the places in z, as the frame shows it, of length 1."""
        from flint import fmpz_mat

        line = fmpz_mat(1, self.z.dim, [int(value) for value in target])
        seen = [int(value) for value in (line * self.basis).entries()]
        over = 1 << max(value.bit_length() for value in seen)
        floats = np.array([value / over for value in seen])
        return np.asarray(floats / (np.linalg.norm(floats) or 1.0))

    def weights(self, w: np.ndarray) -> np.ndarray | None:
        """Weights of the frame as float64 weights of the rows as given, if floats can."""
        exact = self._outward(w)
        largest = max(map(abs, exact), default=0)
        if not largest:
            return None
        floats = [float(Fraction(value, largest)) for value in exact]
        return np.array(self.z.place(floats), dtype=np.float64)

    def exact_weights(self, w: np.ndarray) -> list[Any]:
        """Weights of the frame as exact weights of the rows as given."""
        return self.z.place(self._outward(w))

    def _outward(self, w: np.ndarray) -> list[int]:
        """A positive multiple of T·w, over the places in z."""
        from flint import fmpz_mat

        largest = float(np.abs(w).max()) or 1.0
        whole = [round(float(value) * 2.0**SHARE_BITS) for value in (w / largest).tolist()]
        product = self.basis * fmpz_mat(len(whole), 1, whole)
        return [int(value) for value in product.entries()]


def frame_of(z: SignedRows, view: FloatView) -> Frame | None:
    """The frame, where the view hides something; else None."""
    dim = z.dim
    if z.is_wide or not 1 < dim <= FRAME_COLUMNS or z.n_rows * dim > FRAME_CELLS:
        return None
    if z.n_rows < dim or _sees_all(view.unit_rows(z.rows)):
        return None
    from scipy.linalg import qr

    block = z.exact_block(z.rows)
    columns = _independent_columns(block)
    if not columns:
        return None
    basis = np.zeros((dim, len(columns)), dtype=object)  # T, times 2^shifts in each column
    basis[columns, np.arange(len(columns))] = 1
    seen, shifts = _rounded(block[:, columns])
    for _ in range(LADDER_ROUNDS):
        lengths = np.linalg.norm(seen, axis=1)
        unit = seen / np.where(lengths > 0, lengths, 1.0)[:, None]
        _, sizes, right = np.linalg.svd(np.linalg.qr(unit, mode="r"))
        if not np.isfinite(sizes).all():
            return None
        hidden = right[sizes <= HIDDEN_SINGULAR_VALUE * sizes[0]].T
        count = hidden.shape[1]
        # T, times one power of two, which makes all of it integers.
        top = max(shifts.tolist())
        whole = basis * as_integers([1 << (top - shift) for shift in shifts.tolist()])
        if not count:
            return Frame(z, seen, whole)
        # Columns, one for each hidden direction, and what takes their places: shares, in integers.
        replaced = np.sort(qr(hidden.T, mode="r", pivoting=True)[-1][:count])
        shares = np.linalg.solve(hidden[replaced].T, hidden.T).T
        shares[replaced] = np.eye(count)
        exact = as_integers([round(value * 2**SHARE_BITS) for value in shares.ravel().tolist()])
        basis[:, replaced] = whole @ exact.reshape(shares.shape)
        products, scale = exact_product(block, basis[:, replaced])
        seen[:, replaced], shifts[replaced] = _rounded(products)
        shifts[replaced] -= scale.bit_length() - 1
    return None


def _sees_all(rows: np.ndarray) -> bool:
    """Whether floats tell every combination of columns from zero, with some of their digits."""
    if not np.isfinite(rows).all():
        return True  # nothing to be done about it here
    eigenvalues = np.linalg.eigvalsh(rows.T @ rows)
    return bool(eigenvalues[0] > SEEN_EIGENVALUE * eigenvalues[-1])


def _independent_columns(block: np.ndarray) -> list[int]:
    """The places of columns of which no relation holds on all rows; some rows often tell."""
    some = block[:: max(1, len(block) // (2 * block.shape[1]))]
    relations = short_null_space(some, Clock())
    if relations is not None and not product_signs(block, relations).any():
        return np.delete(np.arange(block.shape[1]), columns_of_their_own(relations)).tolist()
    columns = independent(whole_numbers(some))[1]
    if len(columns) == block.shape[1] or len(some) == len(block):
        return columns
    return independent(whole_numbers(block))[1]


def _rounded(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Floats or integers over a power of two for each column, rounded once; and these powers."""
    if columns.dtype != object:
        shifts = np.frexp(np.abs(columns).max(axis=0))[1].astype(np.int64)
        half = shifts // 2
        return np.ldexp(np.ldexp(columns, -half), half - shifts), shifts
    longest = [largest_integer(column).bit_length() for column in columns.T]
    over = as_integers([1 << bits for bits in longest])
    return (columns / over).astype(np.float64), np.array(longest, dtype=np.int64)
