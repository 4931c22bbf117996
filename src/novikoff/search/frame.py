"""Rows as floats see them, where columns depend on each other but for rounding.

Exactly, kg = lb·0.453592 in floats is independent of lb: by some 1e-16 of its size, which no float
solver tells from zero, and which may decide the question. So the coordinates are changed by an
exact matrix T, until the rows z·T, computed in integers and rounded once, have nearly orthonormal
columns. T is a product T₁·T₂·…: each factor inverts what floats see of the rows so far, and takes
away some twelve digits of what was hidden (Rump's way to invert very ill-conditioned matrices).
Columns that depend on others exactly are left out first.

A frame answers what a picture does (picture.py). Its map is linear and exact, too: weights are
carried back exactly, and a combination of rows vanishes in the frame just when it does in truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.search.integers import independent

if TYPE_CHECKING:
    from novikoff.search.picture import Picture
    from novikoff.search.signed_rows import SignedRows

MOST_COLUMNS = 400
MOST_CELLS = 600_000  # numbers that are multiplied exactly
HIDDEN = 1e-7  # a singular value under this share of the largest is seen by half of the digits only
BITS = 60  # of a number of a factor of T
ROUNDS = 80  # each takes away some twelve digits; floats have no more than some 600


class Frame:
    """The rows in question, in coordinates in which floats see all of them."""

    must_be_whole = True

    def __init__(self, z: SignedRows, columns: list[int], rows: np.ndarray, basis: Any) -> None:
        self.z, self.columns, self.basis = z, columns, basis  # basis: fmpz_mat
        self.rows = rows  # z·T, by their place in the table
        self.places = np.full(z.table.n_rows, -1, dtype=np.intp)
        self.places[z.rows] = np.arange(z.n_rows)

    @property
    def dim(self) -> int:
        return len(self.columns)

    def unit_rows(self, which: np.ndarray) -> np.ndarray:
        block = self._dense(which)
        lengths = np.linalg.norm(block, axis=1)
        return np.asarray(block / np.where(lengths > 0, lengths, 1.0)[:, None])

    def lengths(self, which: np.ndarray) -> np.ndarray:
        lengths = np.linalg.norm(self._dense(which), axis=1)
        return np.where(lengths > 0, lengths, 1.0)

    def _dense(self, which: np.ndarray) -> np.ndarray:
        return np.asarray(self.rows[self.places[which]])

    def scores(self, w: np.ndarray) -> np.ndarray:
        """z'·w for every row in question, up to rounding."""
        return np.asarray(self.rows @ w)

    def unit_target(self, target: Sequence[int]) -> np.ndarray:
        """A row vector of integers, over the places in z, as the frame shows it, of length 1."""
        from flint import fmpz_mat

        line = fmpz_mat(1, len(self.columns), [int(target[j]) for j in self.columns])
        seen = [int(value) for value in (line * self.basis).entries()]
        floats = _floats(np.array(seen, dtype=object).reshape(1, -1)).ravel()
        return np.asarray(floats / (np.linalg.norm(floats) or 1.0))

    def weights(self, w: np.ndarray) -> np.ndarray | None:
        """Weights of the frame as float64 weights of the rows as given, if floats can."""
        exact = self._outward(w)
        largest = max(map(abs, exact), default=0)
        if not largest:
            return None
        floats = np.array([float(Fraction(value, largest)) for value in exact])
        return np.array(self.z.place(floats.tolist()), dtype=np.float64)

    def exact_weights(self, w: np.ndarray) -> list[Any]:
        """Weights of the frame as exact weights of the rows as given."""
        return self.z.place(self._outward(w))

    def _outward(self, w: np.ndarray) -> list[int]:
        """A positive multiple of T·w, over the places in z."""
        from flint import fmpz_mat

        largest = float(np.abs(w).max()) or 1.0
        whole = [round(float(value) * 2.0**BITS) for value in (w / largest).tolist()]
        product = self.basis * fmpz_mat(len(whole), 1, whole)
        exact = [0] * self.z.dim
        for j, value in zip(self.columns, product.entries(), strict=True):
            exact[j] = int(value)
        return exact


def frame_of(z: SignedRows, picture: Picture) -> Frame | None:
    """The frame, where the picture hides something; else None."""
    dim = z.dim
    if z.is_wide or not 1 < dim <= MOST_COLUMNS or z.n_rows * dim > MOST_CELLS:
        return None
    if z.n_rows < dim or picture.sees_all():
        return None
    from flint import fmpz_mat

    whole = np.zeros((z.n_rows, dim), dtype=object)
    values, places, _ = z.integers(z.rows)
    whole[:, places] = values
    columns = independent(whole)[1]
    if not columns:
        return None
    rows = fmpz_mat(whole[:, columns].tolist())
    sizes = [max(map(abs, column)) for column in zip(*rows.tolist(), strict=True)]
    longest = max(int(size).bit_length() for size in sizes)
    shifts = [1 << (longest - int(size).bit_length()) for size in sizes]
    basis = fmpz_mat(len(columns), len(columns))
    for k, shift in enumerate(shifts):
        basis[k, k] = shift
    rows = rows * basis
    for _ in range(ROUNDS):
        seen = _floats(_objects(rows))
        lengths = np.linalg.norm(seen, axis=1)
        unit = seen / np.where(lengths > 0, lengths, 1.0)[:, None]
        _, sizes_seen, right = np.linalg.svd(np.linalg.qr(unit, mode="r"))
        if not np.isfinite(sizes_seen).all():
            return None
        if sizes_seen[-1] > HIDDEN * sizes_seen[0]:
            return Frame(z, columns, seen, basis)
        factor = right.T / np.maximum(sizes_seen, 1e-13 * sizes_seen[0])
        factor = factor / np.abs(factor).max(axis=0)
        step = fmpz_mat(
            np.vectorize(lambda v: round(v * 2**BITS), otypes=[object])(factor).tolist()
        )
        rows, basis = rows * step, basis * step
        rows, basis = _scaled_alike(rows, basis)
    return None


def _objects(matrix: Any) -> np.ndarray:
    flat = np.empty(matrix.nrows() * matrix.ncols(), dtype=object)
    flat[:] = [int(value) for value in matrix.entries()]
    return flat.reshape(matrix.nrows(), matrix.ncols())


def _floats(whole: np.ndarray) -> np.ndarray:
    """The integers over one power of two, each rounded once; the largest is about 1."""
    top = max(int(abs(value)).bit_length() for value in whole.flat)
    over = 1 << top
    flat = [value / over for value in whole.ravel().tolist()]
    return np.array(flat).reshape(whole.shape)


def _scaled_alike(rows: Any, basis: Any) -> tuple[Any, Any]:
    """Columns times powers of two, so that their largest numbers are as long as each other."""
    from flint import fmpz_mat

    sizes = [
        max(abs(int(v)) for v in column).bit_length() for column in zip(*rows.tolist(), strict=True)
    ]
    longest = max(sizes)
    scale = fmpz_mat(len(sizes), len(sizes))
    for k, size in enumerate(sizes):
        scale[k, k] = 1 << (longest - size)
    return rows * scale, basis * scale
