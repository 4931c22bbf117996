"""The same question for wide tables: steps of one metric, and a balance without digits.

The pulled hinge (hinge.py) over a working set W of rows û of length 1 has a Hessian that is never
above G = Σ ûûᵀ. So v ← v + G⁻¹·(Σ κ_i·û_i + p) never overshoots, one Cholesky factor of G serves
all steps, and with Nesterov's momentum (restarted where it turns uphill) some dozens of them are
enough, each two products of W with a vector, in the type that the table has.

The minimum need not be reached. With ε the pull of one row, c = √(gᵀ·G⁻¹·g) of the gradient g that
is left is a bound on how far the multipliers are from a balance (certificates/remainder.py), in
units of ε: a fraction of ε is enough.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import Sum
from novikoff.search.clock import Clock
from novikoff.search.engine import Balanced, Moved
from novikoff.search.frame import Frame
from novikoff.search.hinge import STEPS as STEPS_OF_NEWTON
from novikoff.search.hinge import minimise
from novikoff.search.lifted import short_null_space
from novikoff.search.modular import nonzero_products, short_integers
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread_to_factor

FROM = 200  # columns beyond which digits of multipliers cost more than the search
PER_COLUMN = 4  # rows of the first working set
PULL = 0.05  # of all rows together, for each row of the working set
ENOUGH = 0.1  # of ε: how small c must become; it is twice as large for the rows that a check takes
STEPS = 60  # of one metric, before Newton's: where few rows conflict they would be hundreds
ROUNDS = 30
MOST_NEWTON = 20  # of Newton's steps; more are those of rows that lack others
MOST_AT_ONCE = 1 << 25  # numbers of all rows, which join where a working set leads nowhere
DEPENDENT = 1e-9  # a pivot under this share of the largest may be that of a dependent column
BITS = 40  # of a multiplier behind the point
MOST_CELLS = 1 << 29  # numbers of the working set and its factor


class _MayDependError(Exception):
    """Columns may depend on each other, as far as the type of the table shows."""


class Wide:
    """Rows of a wide table in question, without equalities."""

    def __init__(
        self, z: SignedRows, counts: np.ndarray | None, clock: Clock, given: Sum | None = None
    ) -> None:
        self.z, self.counts, self.clock, self.given = z, counts, clock, given
        matrix = z.table.matrix
        self.type = np.float32 if matrix.dtype == np.float32 else np.float64

    def ask(self) -> Balanced | Moved | None:
        """A balance of all rows, or a strict separator; None where steps find neither.

        Columns that depend on others are left out first, each with the relation that shows it.
        """
        z = self.z
        if z.is_wide or z.n_rows < z.dim or z.table.exact is not None:
            return None
        try:
            return self._ask(is_judged=False)
        except _MayDependError:
            pass
        if not self._seem_dependent():
            return self._ask()
        if self.given is not None:  # whether relations hold on all rows is not known here
            return None
        with self.clock.stage("relations between columns"):
            relations = self._relations()
        if relations is None:
            return None
        if not relations.shape[1]:
            return self._ask()
        used = relations != 0
        alone = used & (used.sum(axis=1) == 1)[:, None]
        out = [int(np.flatnonzero(own)[0]) for own in alone.T]
        kept = np.setdiff1d(np.arange(len(z.columns)), out)
        offset = z.fit_intercept and len(z.columns) not in out
        part = SignedRows(z.table, z.signs, offset, z.rows, z.columns[kept])
        answer = Wide(part, self.counts, self.clock)._ask()
        if isinstance(answer, Balanced):
            placed = [z.place(relation.tolist()) for relation in relations.T]
            return replace(answer, relations=placed)
        return answer

    def _seem_dependent(self) -> bool:
        """Whether columns of some rows are so nearly dependent that they may be so exactly."""
        z = self.z
        rows = z.picture.unit_rows(z.rows[:: max(1, z.n_rows // (2 * z.dim))])
        try:
            with one_thread_to_factor(z.dim):
                lower = np.linalg.cholesky(rows.T @ rows)
        except np.linalg.LinAlgError:
            return True
        squares = np.diag(lower) ** 2
        return bool(squares.min() < DEPENDENT * squares.max())

    def _relations(self) -> np.ndarray | None:
        """All relations between the columns that hold on every row; None where they are long."""
        z = self.z
        sample = z.rows[:: max(1, z.n_rows // (2 * z.dim))]
        while True:
            self.clock.check()
            null = short_null_space(short_integers(z.exact_block(sample)))
            if null is None or not null.shape[1]:
                return null
            broken = [z.rows[:0]]
            for start in range(0, z.n_rows, z.step):
                part = z.rows[start : start + z.step]
                broken.append(part[nonzero_products(z.exact_block(part), null).any(axis=1)])
            new = np.setdiff1d(np.concatenate(broken), sample)
            if not len(new):
                return null
            sample = np.concatenate([sample, new[: z.dim]])

    def _ask(self, is_judged: bool = True) -> Balanced | Moved | None:
        """The steps; where not `is_judged`, columns that may depend on others end them."""
        z, clock = self.z, self.clock
        size = PER_COLUMN * z.dim
        if 2 * size * z.dim > MOST_CELLS:
            return None
        with clock.stage("sum of all rows"):
            total = self._total()
        if total is None:
            return None
        with clock.stage("steps of one metric"):
            chosen = self._first_rows(size)
            rows = self._rows(chosen)
            gram = rows.T @ rows
        v = np.zeros(z.picture.dim, dtype=self.type)
        for _ in range(ROUNDS):
            with clock.stage("steps of one metric"):
                factor = self._factor(gram)
                if factor is None:
                    return None
                if not is_judged and self._may_depend(gram, factor):
                    raise _MayDependError
                is_judged = True
                epsilon = PULL * len(rows) / z.n_rows
                pull = (total * epsilon).astype(self.type)
                v, slacks, is_balanced = self._descend(rows, factor, pull, epsilon, v)
                if slacks is not None and not is_balanced:
                    v, slacks, is_balanced = self._newton(rows, factor, pull, epsilon, v)
            if is_balanced and slacks is not None:
                return self._balanced(chosen, slacks, epsilon)
            with clock.stage("scan of all rows"):
                scores = z.picture.scores(v.astype(np.float64))
            if scores.min() > 0.0:
                weights = z.picture.weights(v.astype(np.float64))
                if weights is not None and len(z.opposed(weights, strict=True)) == 0:
                    return Moved(weights)
                return None
            worst = z.rows[np.argsort(scores)[: max(z.dim, 200)]]
            worst = np.setdiff1d(worst[np.isin(worst, z.rows[scores <= 0.0])], chosen)
            if not len(worst) or 2 * (len(rows) + len(worst)) * z.dim > MOST_CELLS:
                return None
            if slacks is not None and z.n_rows * z.dim <= MOST_AT_ONCE:
                worst = np.setdiff1d(z.rows, chosen)
            with clock.stage("steps of one metric"):
                new = self._rows(worst)
                chosen, rows = np.concatenate([chosen, worst]), np.vstack([rows, new])
                gram += new.T @ new
        return None

    def _total(self) -> np.ndarray | None:
        """Σ z'_i over all rows as the picture shows them, over their usual length."""
        z, picture = self.z, self.z.picture
        if isinstance(picture, Frame) or picture.must_be_whole or z.table.is_beyond_floats:
            return None
        sums = np.zeros(z.table.n_columns)
        last = float(z.signs[z.rows].sum(dtype=np.int64))
        if self.given is not None:
            whole, over = self.given
            sums, last = np.array([int(v) / over for v in whole[:-1]]), int(whole[-1]) / over
        for start in range(0, z.n_rows if self.given is None else 0, z.step):
            which = z.rows[start : start + z.step]
            block = z.table.matrix[which].astype(np.float64)
            sums += np.asarray(z.signs[which].astype(np.float64) @ block)
        centred = np.ldexp(sums[z.columns] - last * picture.float_centres, -picture.exponents)
        seen = np.append(centred, last) if z.fit_intercept else centred
        sample = z.rows[:: max(1, z.n_rows // 256)]
        self.length = float(np.median(picture.lengths(sample)))
        return seen / self.length if np.isfinite(seen).all() else None

    def _first_rows(self, size: int) -> np.ndarray:
        z = self.z
        if z.n_rows <= 1.5 * size:
            return z.rows
        if self.counts is None:
            return z.rows[:: max(1, z.n_rows // size)]
        spread = z.rows[:: max(1, 4 * z.n_rows // size)]
        missed = z.rows[np.argpartition(-self.counts[z.rows], size)[:size]]
        return np.union1d(spread, missed)

    def _rows(self, which: np.ndarray) -> np.ndarray:
        """Rows as the picture shows them, of length 1, in the type of the table."""
        z, picture = self.z, self.z.picture
        if isinstance(picture, Frame) or z.table.is_sparse:
            return np.asarray(picture.unit_rows(which), dtype=self.type)
        width = len(z.columns)
        centres = picture.float_centres.astype(self.type)
        scales = np.ldexp(1.0, -picture.exponents).astype(self.type)
        rows = np.ones((len(which), z.dim), dtype=self.type)
        for start in range(0, len(which), z.step):
            part = which[start : start + z.step]
            block = z.table.matrix[part]
            block = block if width == z.table.n_columns else block[:, z.columns]
            rows[start : start + z.step, :width] = (block - centres) * scales
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        rows *= (z.signs[which] / np.where(lengths > 0, lengths, 1.0)).astype(self.type)[:, None]
        return rows

    def _may_depend(self, gram: np.ndarray, factor: Any) -> bool:
        """Whether a pivot is so small that it may be that of a dependent column."""
        pivots = np.diag(factor[0]) ** 2
        return bool(pivots.min() < max(20.0 * self._ridge(gram), DEPENDENT * pivots.max()))

    def _ridge(self, gram: np.ndarray) -> float:
        return float(np.finfo(self.type).eps) * float(np.trace(gram))

    def _factor(self, gram: np.ndarray) -> Any:
        from scipy.linalg import LinAlgError, cho_factor

        try:
            with one_thread_to_factor(len(gram)):
                made = gram + np.diag(np.full(len(gram), self._ridge(gram), dtype=self.type))
                return cho_factor(made, overwrite_a=True, check_finite=False)
        except LinAlgError:
            return None

    def _descend(
        self, rows: np.ndarray, factor: Any, pull: np.ndarray, epsilon: float,
        v: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray | None, bool]:  # fmt: skip
        """(v, slacks, True) at a balance, (v, None, False) at a separator of W, or neither."""
        from scipy.linalg import cho_solve

        ahead, momentum = v, 1.0
        for _ in range(STEPS):
            self.clock.check()
            scores = rows @ ahead
            if scores.min() > 0.0:
                return ahead, None, False
            slacks = np.maximum(0.0, 1.0 - scores)
            gradient = slacks @ rows + pull
            step = cho_solve(factor, gradient, check_finite=False)
            if float(gradient @ step) <= (ENOUGH * epsilon) ** 2:
                return ahead, slacks, True
            new = ahead + step
            if float(gradient @ (new - v)) < 0.0:
                momentum = 1.0
            following = (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0
            ahead = new + self.type((momentum - 1.0) / following) * (new - v)
            v, momentum = new, following
        return v, slacks, False

    def _newton(
        self, rows: np.ndarray, factor: Any, pull: np.ndarray, epsilon: float,
        v: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray | None, bool]:  # fmt: skip
        """The same by Newton's steps, from v on."""
        from scipy.linalg import cho_solve

        def is_enough(gradient: np.ndarray) -> bool:
            step = cho_solve(factor, gradient.astype(self.type), check_finite=False)
            return float(gradient @ step) <= (ENOUGH * epsilon) ** 2

        most = STEPS_OF_NEWTON if len(rows) == self.z.n_rows else MOST_NEWTON
        found = minimise(rows, rows[:0], pull, self.clock, v, is_enough, most)
        if found.end == "balanced":
            return found.v, found.slacks, True
        is_separated = bool(found.scores.min() > 0.0)
        return found.v, None if is_separated else found.slacks, False

    def _balanced(self, chosen: np.ndarray, slacks: np.ndarray, epsilon: float) -> Balanced:
        active = np.flatnonzero(slacks)
        rows = chosen[active]
        beyond = slacks[active].astype(np.float64) / epsilon
        lengths = np.concatenate(
            [
                self.z.picture.lengths(rows[k : k + self.z.step])
                for k in range(0, len(rows), self.z.step)
            ]
        )
        beyond *= self.length / lengths
        over = 1 << BITS
        order = np.argsort(rows)
        numbers = [over + round(value * over) for value in beyond[order].tolist()]
        return Balanced(rows[order].tolist(), numbers, [], [], over, False)
