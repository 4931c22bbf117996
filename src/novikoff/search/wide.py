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

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.engine import Balanced, Moved
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread_to_factor

FROM = 200  # columns beyond which digits of multipliers cost more than the search
PER_COLUMN = 4  # rows of the first working set
PULL = 0.05  # of all rows together, for each row of the working set
ENOUGH = 0.1  # of ε: how small c must become; it is twice as large for the rows that a check takes
STEPS = 400
ROUNDS = 30
BITS = 40  # of a multiplier behind the point
MOST_CELLS = 1 << 29  # numbers of the working set and its factor


class Wide:
    """Rows of a wide table in question, without equalities."""

    def __init__(self, z: SignedRows, counts: np.ndarray | None, clock: Clock) -> None:
        self.z, self.counts, self.clock = z, counts, clock
        matrix = z.table.matrix
        self.type = np.float32 if matrix.dtype == np.float32 else np.float64

    def ask(self) -> Balanced | Moved | None:
        """A balance of all rows, or a strict separator; None where steps find neither."""
        z, clock = self.z, self.clock
        size = PER_COLUMN * z.dim
        if z.is_wide or z.n_rows < z.dim or 2 * size * z.dim > MOST_CELLS:
            return None
        with clock.stage("sum of all rows"):
            total = self._total()
        if total is None:
            return None
        chosen = self._first_rows(size)
        rows = self._rows(chosen)
        gram = rows.T @ rows
        v = np.zeros(z.dim, dtype=self.type)
        for _ in range(ROUNDS):
            with clock.stage("steps of one metric"):
                factor = self._factor(gram)
                if factor is None:
                    return None
                epsilon = PULL * len(rows) / z.n_rows
                pull = (total * epsilon).astype(self.type)
                v, slacks, is_balanced = self._descend(rows, factor, pull, epsilon, v)
            if is_balanced:
                return self._balanced(chosen, slacks, epsilon)
            if slacks is not None:
                return None
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
            with clock.stage("steps of one metric"):
                new = self._rows(worst)
                chosen, rows = np.concatenate([chosen, worst]), np.vstack([rows, new])
                gram += new.T @ new
        return None

    def _total(self) -> np.ndarray | None:
        """Σ z'_i over all rows as the picture shows them, over their usual length."""
        z, picture = self.z, self.z.picture
        if picture.must_be_whole or z.table.is_beyond_floats:
            return None
        sums = np.zeros(z.table.n_columns)
        for start in range(0, z.n_rows, z.step):
            which = z.rows[start : start + z.step]
            block = z.table.matrix[which].astype(np.float64)
            sums += np.asarray(z.signs[which].astype(np.float64) @ block)
        last = float(z.signs[z.rows].sum(dtype=np.int64))
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
        rows = np.empty((len(which), self.z.dim), dtype=self.type)
        for start in range(0, len(which), self.z.step):
            part = which[start : start + self.z.step]
            rows[start : start + self.z.step] = self.z.picture.unit_rows(part)
        return rows

    def _factor(self, gram: np.ndarray) -> tuple[np.ndarray, bool] | None:
        from scipy.linalg import LinAlgError, cho_factor

        ridge = float(np.finfo(self.type).eps) * len(gram) * float(np.trace(gram)) / len(gram)
        try:
            with one_thread_to_factor(len(gram)):
                made = gram + np.diag(np.full(len(gram), ridge, dtype=self.type))
                return cho_factor(made, overwrite_a=True, check_finite=False)
        except LinAlgError:
            return None

    def _descend(
        self, rows: np.ndarray, factor: tuple[np.ndarray, bool], pull: np.ndarray, epsilon: float,
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

    def _balanced(self, chosen: np.ndarray, slacks: np.ndarray, epsilon: float) -> Balanced:
        active = np.flatnonzero(slacks)
        rows = chosen[active]
        beyond = slacks[active].astype(np.float64) / epsilon
        lengths = np.concatenate(
            [self.z.picture.lengths(rows[k : k + self.z.step]) for k in range(0, len(rows), self.z.step)]
        )
        beyond *= self.length / lengths
        over = 1 << BITS
        order = np.argsort(rows)
        numbers = [over + round(value * over) for value in beyond[order].tolist()]
        return Balanced(rows[order].tolist(), numbers, [], [], over, False)
