"""Many labellings of the same rows, checked together: products of matrices, rounding bounded.

A labelling gives each row the sign +1 or -1, or 0 where the row is no part of its question. The
claim about one labelling is that of claim.py, and here it is one of two kinds:

    separable      a direction w with s_i·(x_i, 1)·w > 0 on every row of the question: scores of all
                   labellings are one product of matrices. A score that its rounding bound leaves in
                   doubt is decided in integers
    overlapping    nothing is settled, so the core is every row of the question, and multipliers
                   λ_i = 1 + β_i, β_i >= 0, leave a remainder r = Σ λ_i·s_i·(x_i, 1) that
                   corrections smaller than 1 take up

The second is remainder.py's theorem. There A has distinct rows of the core, T is any matrix of
floats, f > 0 is a bound from below on the least singular value of A·T, and c <= ‖Tᵀ·r‖/f. Because
a_i = (x_i, 1) has no sign, A, T and f do not depend on the labels. One factor serves each labelling
to whose question the rows of A belong; and r, Tᵀ·r and their rounding bounds are products of
matrices with a column for each labelling. Every λ_i is at least 1, so c < 1 proves a labelling.

Rounding: r is a sum of at most n products s_i·x_ij, which are exact, and of products β_i·s_i·x_ij.
In any order of summation the first sum is wrong by at most γ_n·Σ|x_ij|, which does not depend on
the labels either; the second by γ_(m+1)·Σ β_i·|x_ij| over the m rows with β_i > 0.

Nothing else is trusted of the place where the rows are: inputs/device.py says what is tested there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, check_arithmetic, score_signs
from novikoff.certificates.claim import Claim, Witness
from novikoff.certificates.remainder import inverse_of_triangle, kept_columns
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs.device import Place, PlacedRows
from novikoff.inputs.device import inverse_of_triangle as inverse_there

_UNIT = 2.0**-53
_SAFE = 1.0 + 1e-9  # more than some thousand roundings
_TINY = 2.0**-960  # what underflow can lose in any sum here is far below it
BITS = 40  # of a multiplier behind the point


@dataclass(frozen=True, eq=False)
class Checked:
    """What is proven of one labelling: a separator, or multipliers of rows of its question.

    weights : floats of the separator, the offset last; None where the classes overlap
    rows, beyond : rows with λ_i = 1 + β_i, by place in the table, and their β_i
    margin : around the largest margin, both ends proven
    """

    weights: np.ndarray | None
    rows: np.ndarray
    beyond: np.ndarray
    margin: tuple[float, float]
    relations: Sequence[Sequence[int]] = ()

    @property
    def status(self) -> str:
        return "overlapping" if self.weights is None else "separable"

    def witness(self, question: np.ndarray) -> Witness:
        """The multipliers of rows by their place in the question, as integers over 2^40."""
        over = 1 << BITS
        rows = np.searchsorted(question, self.rows)
        numbers = [over + int(value) for value in (self.beyond * float(over)).tolist()]
        return Witness(rows.tolist(), numbers, over, self.relations)

    def claim(self, question: np.ndarray, stamp: Stamp) -> Claim:
        """The claim about the rows of the question, which is proven already."""
        if self.weights is not None:
            return Claim(self.weights, Witness(), len(question), 0, stamp)
        zeros = [0] * (stamp.n_columns + 1)
        return Claim(zeros, self.witness(question), 0, len(question), stamp)


@dataclass(frozen=True, eq=False)
class Factor:
    """T and f of some rows A, whatever the labels: see the head of this file.

    columns : those that are left in
    scales : powers of two that these columns are multiplied with
    """

    rows: np.ndarray
    columns: np.ndarray
    scales: Any
    inverse: Any
    least: float


class Labellings:
    """Rows, and for each labelling the sign of each row: an int8 array (rows, labellings)."""

    relations: Sequence[Sequence[int]] = ()

    def __init__(self, rows: PlacedRows, signs: np.ndarray) -> None:
        check_arithmetic()
        if rows.table.exact is not None:
            raise CertificateError("labellings are checked together where floats hold all numbers.")
        short = signs.astype(np.int8, copy=False)
        is_sign = signs.dtype == np.int8 or bool((short == signs).all())
        if signs.shape[0] != rows.n_rows or not is_sign or short.min() < -1 or short.max() > 1:
            raise CertificateError("every row needs a sign in every labelling: -1, 0 or 1.")
        self.rows, self.signs = rows, short
        self.placed = rows.place.put(self.signs)
        self.columns = np.flatnonzero(self.sums[1] > 0)  # that are left in; the others are 0

    def leave_out(self, relations: Sequence[Sequence[int]]) -> None:
        """Leave a column out for each relation; CertificateError unless all hold on every row."""
        every = np.arange(self.rows.n_rows)
        kept = kept_columns(self.rows.table, every, self.rows.offset, relations)
        self.relations, self.columns = relations, np.intersect1d(self.columns, kept)

    @property
    def place(self) -> Place:
        return self.rows.place

    @cached_property
    def sums(self) -> tuple[Any, np.ndarray]:
        """Σ s_i·(x_i, 1) of all labellings, up to rounding, and Σ|x_ij| of all rows, as a bound."""
        rows, place, xp = self.rows, self.place, self.place.xp
        total = place.zeros(rows.dim, self.signs.shape[1])
        known = rows.sums_known  # since the table was read
        size = place.zeros(rows.dim)
        for part in rows.parts(self.signs.shape[1]):
            block = rows.block(part)
            total = total + rows.sums(block, place.cast(self.placed[part, :], "float64"))
            if known is None:
                size = size + rows.sums(xp.abs(block), place.ones(block.shape[0], 1))[:, 0]
        above = 1.0 + 2.0 * _gamma(rows.n_rows)
        return total, (place.fetch(size) if known is None else known) * above

    # Separators

    def check_separators(self, weights: np.ndarray, which: np.ndarray) -> np.ndarray:
        """For each column of float weights, the offset last, a bound from below on its margin.

        NaN where the weights do not separate the rows of labelling `which`, and 0 where they do by
        less than floats can tell.
        """
        rows, place, xp = self.rows, self.place, self.place.xp
        with np.errstate(all="ignore"):
            exponents = np.frexp(np.abs(weights).max(axis=0))[1]
            v = np.ldexp(weights, -exponents)
        v = v if rows.offset else v[:-1]
        usable = np.isfinite(v).all(axis=0) & v.any(axis=0)
        if not rows.offset:
            usable &= weights[-1] == 0.0  # integers, which decide what is in doubt, would add it
        v = np.where(usable, v, 0.0)
        here, size = place.put(v), place.put(np.maximum(np.abs(v), _TINY))
        share = 1.01 * (rows.dim + 4) * _UNIT
        least = np.full(len(which), np.inf)
        doubtful: list[tuple[np.ndarray, int]] = []
        for part in rows.parts(len(which)):
            block = rows.block(part)
            signs = place.cast(place.take(self.placed[part, :], which, axis=1), "float64")
            bound = rows.scores(xp.abs(block), size) * share + _TINY
            sides = signs * rows.scores(block, here)
            clear = xp.where(signs != 0.0, sides - bound, place.zeros(*signs.shape) + np.inf)
            lowest = place.fetch(xp.min(clear, axis=0))
            least = np.minimum(least, lowest)
            usable &= ~(place.fetch(xp.min(sides + bound, axis=0)) < 0)  # NaN is decided below
            for k in np.flatnonzero(usable & ~(lowest > 0)).tolist():
                column = place.fetch(clear[:, k])
                doubtful.append((np.flatnonzero(~(column > 0)) + part.start, k))
        for places, k in doubtful:
            if usable[k]:
                usable[k] = self._holds_exactly(places, weights[:, k], int(which[k]))
        lengths = np.sqrt((v * v).sum(axis=0)) * _SAFE
        with np.errstate(all="ignore"):
            margins = np.where(least > 0, least / lengths / _SAFE, 0.0)
        return np.where(usable, margins, np.nan)

    def _holds_exactly(self, places: np.ndarray, weights: np.ndarray, labelling: int) -> bool:
        """Whether these rows are strictly on their side."""
        table = self.rows.on_host(places)
        signs = self.signs[places, labelling]
        exact = [side for _, side in score_signs(table, as_integers(weights))]
        return bool((np.concatenate(exact) * signs > 0).all())

    # Balances

    def factor(self, which: np.ndarray, per_column: int) -> Factor | None:
        """T and f of rows that belong to the questions of all these labellings.

        None where too few do, or where f is not positive.
        """
        rows, place, xp = self.rows, self.place, self.place.xp
        columns = self.columns
        common = np.flatnonzero(self._everywhere(which))
        m = min(len(common), per_column * len(columns) + 50)
        p = len(columns)
        if m < p or p == 0:
            return None
        chosen = common[np.unique(np.linspace(0, len(common) - 1, m).astype(np.intp))]
        m = len(chosen)

        def blocks() -> Iterator[Any]:  # A is never in memory as a whole
            for part in rows.parts(p, m):
                block = rows.with_offset(rows.take(chosen[part]))
                yield block if p == rows.dim else place.take(block, columns, axis=1)

        highest = np.zeros(p)
        for block in blocks():
            highest = np.maximum(highest, place.fetch(xp.max(xp.abs(block), axis=0)))
        if not ((highest > _TINY) & (highest < 1 / _TINY)).all():
            return None
        scales = place.put(np.ldexp(1.0, -np.frexp(highest)[1]))
        gram, size = place.zeros(p, p), 0.0
        for block in blocks():
            scaled = block * scales
            if bool(xp.any((xp.abs(scaled) < _TINY) & (block != 0.0))):
                return None
            gram = gram + scaled.T @ scaled
            size += _norm(xp, scaled) ** 2
        inverse = _inverse_factor(place, gram)
        if inverse is None:
            return None
        gram, squares = -xp.eye(p, dtype=gram.dtype, device=place.device), 0.0
        for block in blocks():
            product = (block * scales) @ inverse
            gram = gram + product.T @ product
            squares += _norm(xp, product) ** 2
        beyond = (_norm(xp, gram) + _gamma(m + 2) * (squares + p) * _SAFE) * _SAFE
        if not beyond + _TINY < 1.0:
            return None
        least = float(np.sqrt(1.0 - beyond - _TINY)) * (1.0 - 1e-9)
        lost = _gamma(p + 1) * math.sqrt(size) * _norm(xp, inverse) * _SAFE * _SAFE + _TINY
        if not lost < least / 2:  # a sharper bound, for the work of one more product
            sizes = (xp.abs(block * scales) @ xp.abs(inverse) for block in blocks())
            squares = sum(_norm(xp, part) ** 2 for part in sizes)
            lost = _gamma(p + 1) * math.sqrt(squares) * _SAFE * _SAFE + _TINY
        least -= lost
        return Factor(chosen, columns, scales, inverse, least) if least > 0.0 else None

    def _everywhere(self, which: np.ndarray) -> np.ndarray:
        """Whether a row belongs to the questions of all these labellings."""
        signs = self.place.take(self.placed, which, axis=1)
        return self.place.fetch(self.place.xp.all(signs != 0, axis=1))

    def _signs(self, places: np.ndarray, which: np.ndarray) -> Any:
        """The signs of some rows in some labellings, on the place of the rows."""
        return self.place.take(self.place.take(self.placed, places), which, axis=1)

    def check_balances(
        self, factor: Factor, places: np.ndarray, beyond: Any, which: np.ndarray
    ) -> np.ndarray:
        """Whether λ = 1 + β proves that the classes of labelling `which` overlap, for each.

        places : distinct rows of the table
        beyond : β_i of these rows, one column for each labelling, on the place of the rows; 0 where
            a row is no part of the question
        """
        place, xp = self.place, self.place.xp
        if not (np.diff(np.sort(places)) > 0).all():  # np.unique takes a hundred times as long
            raise CertificateError("a row has two multipliers.")
        if (self.signs[np.ix_(factor.rows, which)] == 0).any():
            raise CertificateError("a row of the factor is no part of the question.")
        whole, sizes = self.sums
        integers = beyond * float(1 << BITS)
        is_whole = place.fetch(xp.all((xp.floor(integers) == integers), axis=0))
        part, part_size, is_fine = self._weighted(places, integers / float(1 << BITS), which)
        outside = self._signs(places, which) == 0
        is_fine = is_fine & is_whole & ~place.fetch(xp.any(outside & (beyond != 0.0), axis=0))
        remainder = place.take(whole, which, axis=1) + part
        n, m = self.rows.n_rows, len(places)
        error = _gamma(2 * n + 2) * place.put(sizes)[:, None] + _gamma(2 * m + 3) * part_size
        error = (error + 2 * _UNIT * xp.abs(remainder)) * _SAFE
        remainder, error = (
            place.take(values, factor.columns) * factor.scales[:, None]
            for values in (remainder, error)
        )
        error = error + 2 * _TINY
        p = len(factor.columns)
        size = xp.abs(factor.inverse).T
        seen = _lengths(xp, factor.inverse.T @ remainder, p)
        unseen = _lengths(xp, size @ (error + _gamma(p + 1) * xp.abs(remainder)), p)
        found = place.fetch((seen + unseen) * _SAFE / factor.least + _TINY)
        return np.asarray((found * _SAFE < 1.0) & is_fine)  # never true of NaN

    def margins_above(self, places: np.ndarray, beyond: Any, which: np.ndarray) -> np.ndarray:
        """No separator of these labellings has a larger margin: ‖Σ β_i·z_i‖/Σ β_i, rounded up.

        Or the same of β = 1 on every row of the question, where that is less.
        """
        place, xp = self.place, self.place.xp
        part, size, is_fine = self._weighted(places, beyond, which)
        n, m = self.rows.n_rows, len(places)
        length = _lengths(xp, xp.abs(part) + _gamma(2 * m + 3) * size * _SAFE, self.rows.dim)
        signs = place.take(self.placed, which, axis=1)
        present = place.take(signs, places) != 0
        weights = xp.sum(xp.where(present, beyond, place.zeros(*beyond.shape)), axis=0)
        weights = place.fetch(weights)
        with np.errstate(all="ignore"):
            above = place.fetch(length) / weights * (1.0 + _gamma(m + 4)) * _SAFE + _TINY
        is_fine = is_fine & np.isfinite(weights)  # beyond the floats any bound would be 0
        above = np.where(is_fine & np.isfinite(above), above, np.inf)
        whole, sizes = self.sums
        error = _gamma(2 * n + 2) * place.put(sizes)[:, None] * _SAFE
        equal = _lengths(xp, xp.abs(place.take(whole, which, axis=1)) + error, self.rows.dim)
        counts = place.fetch(xp.sum(place.cast(signs != 0, "float64"), axis=0))
        least = place.fetch(equal) / counts * _SAFE
        return np.asarray(np.minimum(above, least))

    def _weighted(
        self, places: np.ndarray, beyond: Any, which: np.ndarray
    ) -> tuple[Any, Any, np.ndarray]:
        """Σ β_i·s_i·(x_i, 1) up to rounding, Σ β_i·|(x_i, 1)|, and whether all β are >= 0."""
        rows, place, xp = self.rows, self.place, self.place.xp
        is_fine = place.fetch(xp.all((beyond >= 0.0) & xp.isfinite(beyond), axis=0))
        used = np.flatnonzero(place.fetch(xp.any(beyond != 0.0, axis=1)))
        if 2 * len(used) < len(places):
            places, beyond = places[used], place.take(beyond, used)
        total, size = (place.zeros(rows.dim, len(which)) for _ in range(2))
        for part in rows.parts(len(which), len(places)):
            few = places[part]
            block = rows.take(few)
            signs = place.cast(self._signs(few, which), "float64")
            total = total + rows.sums(block, signs * beyond[part, :])
            size = size + rows.sums(xp.abs(block), xp.abs(signs) * beyond[part, :])
        return total, size, is_fine


def _inverse_factor(place: Place, gram: Any) -> Any:
    """About R⁻¹, where A = Q·R: a proposal, which need not be good; None where there is none."""
    try:
        upper = place.xp.linalg.cholesky(gram).T
        if place.is_host:
            return inverse_of_triangle(upper)
        return inverse_there(place, upper)
    except Exception:  # a matrix that is not positive definite: every library has its own error
        return None


def _gamma(k: int) -> float:
    """γ_k, rounded up."""
    if k * _UNIT >= 0.01:
        return float("inf")
    return k * _UNIT / (1.0 - k * _UNIT) * _SAFE


def _norm(xp: Any, matrix: Any) -> float:
    """The root of the sum of squares, rounded up."""
    n = int(matrix.shape[0]) * int(matrix.shape[1])
    return float(xp.sqrt(xp.sum(matrix * matrix))) * (1.0 + _gamma(n + 2)) + _TINY


def _lengths(xp: Any, columns: Any, n: int) -> Any:
    """The root of the sum of squares of each column, rounded up.

    Columns are divided by their largest numbers first: squares of small ones would become 0.
    """
    largest = xp.max(xp.abs(columns), axis=0)
    unit = xp.where((largest > 0.0) & xp.isfinite(largest), largest, xp.ones_like(largest))
    shares = columns / unit[None, :]
    return xp.sqrt(xp.sum(shares * shares, axis=0)) * unit * (1.0 + _gamma(n + 6)) + _TINY
