"""Many labellings of the same rows, checked together: products of matrices, rounding bounded.

A labelling gives each row the sign +1 or -1, or 0 where the row is no part of its question. The
claim about one labelling is that of claim.py, and here it is one of two kinds:

    separable      a direction w with s_i·(x_i, 1)·w > 0 on every row of the question. A score that
                   its rounding bound leaves in doubt is decided in integers
    overlapping    nothing is settled, and multipliers λ_i = 1 + β_i, β_i >= 0, leave a remainder
                   r = Σ λ_i·s_i·(x_i, 1) that corrections smaller than 1 take up

The second is remainder.py's theorem. Because a_i = (x_i, 1) has no sign, A, T and f do not depend
on the labels: one factor serves each labelling to whose question the rows of A belong. r is a sum
of at most n products s_i·x_ij, which are exact, and of products β_i·s_i·x_ij. In any order of
summation the first is wrong by at most γ_n·Σ|x_ij|, which does not depend on the labels either; the
second by γ_(m+1)·Σ β_i·|x_ij| over the m rows with β_i > 0. Nothing else is trusted of the place
where the rows are: inputs/device.py says what is tested there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import check_arithmetic, score_signs
from novikoff.certificates.claim import Claim, Witness
from novikoff.certificates.remainder import (
    SAFE,
    TINY,
    UNIT,
    Factor,
    factor_of,
    gamma,
    kept_columns,
    lengths,
)
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs.device import Place, PlacedRows

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
        above = 1.0 + 2.0 * gamma(rows.n_rows)
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
        here, size = place.put(v), place.put(np.maximum(np.abs(v), TINY))
        share = 1.01 * (rows.dim + 4) * UNIT
        least = np.full(len(which), np.inf)
        doubtful: list[tuple[np.ndarray, int]] = []
        for part in rows.parts(len(which)):
            block = rows.block(part)
            signs = place.cast(place.take(self.placed[part, :], which, axis=1), "float64")
            bound = rows.scores(xp.abs(block), size) * share + TINY
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
                exact = score_signs(self.rows.on_host(places), weights[:, k])
                usable[k] = (exact * self.signs[places, which[k]] > 0).all()
        lengths = np.sqrt((v * v).sum(axis=0)) * SAFE
        with np.errstate(all="ignore"):
            margins = np.where(least > 0, least / lengths / SAFE, 0.0)
        return np.where(usable, margins, np.nan)

    # Balances

    def factor(self, which: np.ndarray, per_column: int) -> Factor | None:
        """T and f of rows that belong to the questions of all these labellings.

        None where too few do, or where f is not positive.
        """
        rows, place, columns = self.rows, self.place, self.columns
        signs = place.take(self.placed, which, axis=1)
        common = np.flatnonzero(place.fetch(place.xp.all(signs != 0, axis=1)))
        m = min(len(common), per_column * len(columns) + 50)
        chosen = common[np.unique(np.linspace(0, len(common) - 1, m).astype(np.intp))]

        def blocks() -> Iterator[Any]:
            for part in rows.parts(len(columns), len(chosen)):
                block = rows.with_offset(rows.take(chosen[part]))
                yield block if len(columns) == rows.dim else place.take(block, columns, axis=1)

        return factor_of(chosen, columns, blocks, place)

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
        error = gamma(2 * n + 2) * place.put(sizes)[:, None] + gamma(2 * m + 3) * part_size
        error = (error + 2 * UNIT * xp.abs(remainder)) * SAFE
        remainder, error = (place.take(values, factor.columns) for values in (remainder, error))
        found = factor.corrections(remainder, error)
        return np.asarray((found * SAFE < 1.0) & is_fine)  # never true of NaN

    def margins_above(self, places: np.ndarray, beyond: Any, which: np.ndarray) -> np.ndarray:
        """No separator of these labellings has a larger margin: ‖Σ β_i·z_i‖/Σ β_i, rounded up.

        Or the same of β = 1 on every row of the question, where that is less.
        """
        place, xp = self.place, self.place.xp
        part, size, is_fine = self._weighted(places, beyond, which)
        n, m = self.rows.n_rows, len(places)
        length = lengths(xp, xp.abs(part) + gamma(2 * m + 3) * size * SAFE, self.rows.dim)
        signs = place.take(self.placed, which, axis=1)
        present = place.take(signs, places) != 0
        weights = xp.sum(xp.where(present, beyond, place.zeros(*beyond.shape)), axis=0)
        weights = place.fetch(weights)
        with np.errstate(all="ignore"):
            above = place.fetch(length) / weights * (1.0 + gamma(m + 4)) * SAFE + TINY
        is_fine = is_fine & np.isfinite(weights)  # beyond the floats any bound would be 0
        above = np.where(is_fine & np.isfinite(above), above, np.inf)
        whole, sizes = self.sums
        error = gamma(2 * n + 2) * place.put(sizes)[:, None] * SAFE
        equal = lengths(xp, xp.abs(place.take(whole, which, axis=1)) + error, self.rows.dim)
        counts = place.fetch(xp.sum(place.cast(signs != 0, "float64"), axis=0))
        least = place.fetch(equal) / counts * SAFE
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
