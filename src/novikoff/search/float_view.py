"""The rows as floats see them: columns of like size, near zero, rows of length 1.

The view of z = sign·(x, 1) is z' = sign·((x - c)·2^-e, 1): columns are scaled by powers of two
and, where there is an offset, shifted, so that numbers of size 1e±150 or far from zero do no
harm. The map is linear and exact: weights of the view are carried back exactly, and a
positive combination of rows vanishes in the view just when it does in truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.exact.scores import nearest_float

if TYPE_CHECKING:
    from novikoff.search.signed_rows import SignedRows

SAMPLED_ROWS = 4096  # rows that decide how the view is scaled
NARROW_RANGE = 2.0**-20  # a range, as a share of the numbers, that is looked at exactly
FAR_RANGES = 2**12  # a column this many ranges from zero is shifted before it is multiplied
EXTREME_EXPONENT = 900  # binary: beyond it sums and products may leave the floats' range


class FloatView:
    """The view of the rows and columns that `z` has in question."""

    def __init__(self, z: SignedRows) -> None:
        self.z = z
        low, high = self._ranges()
        self.centres = [Fraction(0)] * len(low)
        sizes = np.maximum(np.abs(low), np.abs(high))
        self.is_far = False  # whether a column is so far from zero that sums lose what it holds
        if z.fit_intercept and not z.table.is_sparse:
            halves = low / 2 + high / 2, high / 2 - low / 2  # whose sums do not overflow
            for j in np.flatnonzero((np.abs(halves[0]) / 4 > halves[1]) & (halves[1] > 0)).tolist():
                bottom, top = Fraction(low[j]), Fraction(high[j])
                far = abs(bottom + top) > FAR_RANGES * (top - bottom)
                middle = (bottom + top) / 2
                exactly = (z.table.is_rounded and far) or z.table.is_beyond_floats
                centre = self.centres[j] = middle if exactly else Fraction(float(middle))
                size = max(abs(bottom - centre), abs(top - centre))
                sizes[j] = size if sizes.dtype == object else float(size)
                self.is_far = self.is_far or far
        self.exponents = (
            np.array([_exponent(size) for size in sizes.tolist()], dtype=np.int32)
            if sizes.dtype == object
            else np.frexp(sizes)[1].astype(np.int32)
        )
        self.float_centres = np.array([nearest_float(centre) for centre in self.centres])
        # x·(w·2^-e), summed over the rows as given, would lose what (x - c)·2^-e keeps.
        self.must_be_whole = self.is_far or bool((np.abs(self.exponents) > EXTREME_EXPONENT).any())

    @property
    def dim(self) -> int:
        """The length of a row here."""
        return self.z.dim

    def _ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest number of each column, exactly, in a sample of rows."""
        z = self.z
        which = z.rows[:: max(1, z.n_rows // SAMPLED_ROWS)]
        if z.table.is_sparse:
            block = z.table.matrix[which][:, z.columns]
            low, high = (getattr(block, end)(axis=0).toarray().ravel() for end in ("min", "max"))
        else:
            low, high = np.inf, -np.inf
            for part in z.blocks(which):
                block = z.table.matrix[np.ix_(part, z.columns)]
                low, high = np.minimum(low, block.min(axis=0)), np.maximum(high, block.max(axis=0))
        low, high = low.astype(np.float64), high.astype(np.float64)
        if z.table.is_beyond_floats:
            low, high = (np.zeros(len(z.columns)) for _ in range(2))
        if z.table.exact is None:
            return low, high
        # What floats show of a column far from zero may be nothing but rounding.
        sizes = np.maximum(np.abs(low), np.abs(high))
        with np.errstate(over="ignore"):  # a range beyond the floats is not narrow
            narrow = high - low <= NARROW_RANGE * sizes
        found = np.array([[Fraction(v) for v in end.tolist()] for end in (low, high)], dtype=object)
        for j in np.flatnonzero(narrow).tolist():
            column = z.table.exact[which, z.columns[j]]
            found[:, j] = Fraction(column.min()), Fraction(column.max())
        return found[0], found[1]

    @cached_property
    def _whole(self) -> np.ndarray | None:
        """Every x' at once, for exact numbers and where floats need it; else None."""
        z = self.z
        if not (self.must_be_whole or z.table.is_beyond_floats):
            return None  # the nearest floats are as good to propose with
        kept = z.table.matrix.dtype if z.table.exact is None else np.float64
        view = np.zeros((z.table.n_rows, len(z.columns)), dtype=kept)
        if z.table.exact is None:
            for which in z.blocks():
                block = self._scaled(which)
                view[which] = block if isinstance(block, np.ndarray) else block.toarray()
            return view
        factors = [Fraction(2) ** -e for e in self.exponents.tolist()]
        for i in z.rows.tolist():
            exact = z.table.exact[i, z.columns]
            triples = zip(exact, self.centres, factors, strict=True)
            view[i] = [float((x - c) * f) for x, c, f in triples]
        return view

    def _scaled(self, which: np.ndarray, dtype: Any = np.float64) -> Any:
        z = self.z
        if z.table.is_sparse:
            block = z.table.matrix[which][:, z.columns].astype(np.float64)
            block.data = np.ldexp(block.data, -self.exponents[block.indices])
            return block if z.is_wide else block.toarray()
        block = z.table.matrix[which]
        if len(z.columns) < z.table.n_columns:
            block = block[:, z.columns]
        block = block.astype(dtype, copy=False)
        block -= self.float_centres.astype(dtype)
        return np.ldexp(block, -self.exponents, out=block)

    def unit_rows(self, which: np.ndarray, dtype: Any = np.float64) -> Any:
        """Rows `which` of the table, each of length 1: an array, or CSR where z is wide."""
        z = self.z
        signs = z.signs[which].astype(dtype)
        if z.is_wide:
            from scipy import sparse

            return sparse.diags_array(signs / self.lengths(which)) @ self._sparse(which)
        block = self._dense(which, dtype)
        with np.errstate(all="ignore"):
            if not z.fit_intercept:  # squares of tiny numbers would vanish
                largest = np.abs(block).max(axis=1, initial=0.0)
                block /= np.where(largest > 0, largest, 1.0)[:, None]
            block *= (signs / _lengths(block))[:, None]
            return block

    def _dense(self, which: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
        """(x', 1) for rows `which`, as long as they are."""
        whole = self._whole
        block = self._scaled(which, dtype) if whole is None else whole[which].astype(dtype)
        if self.z.fit_intercept:
            block = np.hstack([block, np.ones((len(which), 1), dtype=dtype)])
        return np.asarray(block, dtype=dtype)

    def _sparse(self, which: np.ndarray) -> Any:
        """The same as CSR."""
        from scipy import sparse

        block = self._scaled(which)
        if self.z.fit_intercept:
            block = sparse.hstack([block, np.ones((len(which), 1))], format="csr")
        return block

    def lengths(self, which: np.ndarray) -> np.ndarray:
        """How long rows are of which `unit_rows` makes rows of length 1; 1 for zero."""
        if self.z.is_wide:
            block = self._sparse(which)
            lengths = np.sqrt(np.asarray(block.multiply(block).sum(axis=1)).ravel())
            return np.where(lengths > 0, lengths, 1.0)
        return _lengths(self._dense(which))

    def unit_target(self, target: Sequence[int]) -> np.ndarray:
        """A row vector (x, constant) of integers as the view shows it, of length 1."""
        last = int(target[-1]) if self.z.fit_intercept else 0
        triples = zip(target, self.centres, self.exponents.tolist(), strict=False)
        seen = [(int(t) - last * c) * Fraction(2) ** -e for t, c, e in triples]
        if self.z.fit_intercept:
            seen.append(Fraction(last))
        largest = max(map(abs, seen), default=Fraction(0)) or Fraction(1)
        floats = np.array([float(value / largest) for value in seen])
        return np.asarray(floats / (np.linalg.norm(floats) or 1.0))

    def scores(self, w: np.ndarray) -> np.ndarray:
        """z'·w for every row in question, up to rounding, z' as long as it is."""
        z = self.z
        columns, offset = w[: len(z.columns)], float(w[-1]) if z.fit_intercept else 0.0
        signs = z.signs[z.rows]
        with np.errstate(all="ignore"):
            if self._whole is not None:
                return np.asarray((z.products(columns, z.rows, self._whole) + offset) * signs)
            v = np.zeros(z.table.n_columns)
            v[z.columns] = np.ldexp(columns, -self.exponents)
            offset -= float(v[z.columns] @ self.float_centres)
            return np.asarray((z.products(v, z.rows) + offset) * signs)

    def weights(self, w: np.ndarray) -> np.ndarray | None:
        """Weights of the view as float64 weights of the rows as given, if floats can."""
        z = self.z
        with np.errstate(all="ignore"):
            placed = np.zeros(z.table.n_columns + 1)
            columns = np.ldexp(w[: len(z.columns)], -self.exponents)
            placed[z.columns] = columns
            if z.fit_intercept:
                placed[-1] = w[-1] - columns @ self.float_centres
        return placed if np.isfinite(placed).all() and placed.any() else None

    def exact_weights(self, w: np.ndarray) -> list[Any]:
        """Weights of the view as exact weights of the rows as given."""
        pairs = zip(w[: len(self.centres)].tolist(), self.exponents.tolist(), strict=True)
        columns = [Fraction(v) * Fraction(2) ** -e for v, e in pairs]
        if self.z.fit_intercept:
            shifts = (v * c for v, c in zip(columns, self.centres, strict=True))
            columns.append(Fraction(float(w[-1])) - sum(shifts, Fraction(0)))
        return self.z.place(columns)


def _exponent(size: Fraction) -> int:
    """The e with 2^(e-1) <= size < 2^e, beyond the floats' range too; 0 for 0."""
    if size == 0:
        return 0
    e = size.numerator.bit_length() - size.denominator.bit_length()
    return e + (size >= Fraction(2) ** e)


def _lengths(block: np.ndarray) -> np.ndarray:
    lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
    return np.asarray(np.where(lengths > 0, lengths, np.ones_like(lengths)))
