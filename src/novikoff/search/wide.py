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

from novikoff.certificates import Witness
from novikoff.certificates.arithmetic import Sum
from novikoff.certificates.remainder import check_remainder
from novikoff.errors import CertificateError
from novikoff.search.clock import Clock
from novikoff.search.collinear import short_relations
from novikoff.search.engine import (
    BITS_BEHIND_POINT,
    DIGIT_COLUMNS,
    MOST_ROUNDS,
    Balanced,
    Left,
    Moved,
)
from novikoff.search.float_view import FloatView
from novikoff.search.hinge import MOST_STEPS, TIGHT, End, minimise_pulled
from novikoff.search.integers import columns_of_their_own
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread_to_factor, one_thread_to_multiply

FIRST_ROWS_PER_COLUMN = 4  # of the first working set
ROWS_OF_A_COLUMN = 8  # that are not zero: with fewer, a column is looked for in all rows
PULL_OF_ALL_ROWS = 0.05  # of all rows together, for each row of the working set
ENOUGH_REMAINDER = 0.1  # of ε, for c; with the rows that a check takes it is twice as large
STEPS_OF_ONE_METRIC = 60  # before Newton's: where few rows conflict, hundreds were needed
MOST_NEWTON = 20  # of Newton's steps before more rows join
ZERO_EIGENVALUE = 1e-9  # of the mean one: a smaller one may be zero, for rows of 5 digits
INVERSE_STEPS = 4  # each makes what other eigenvalues leave smaller, by their ratio to the least
EXTREME_SUM_EXPONENT = 900  # binary exponents of columns; beyond, sums may leave the floats' range
SECONDS_TO_CHECK = 1e-10  # times the cube of the columns: what the proof's check takes at least
WORKING_SET_CELLS = 1 << 29  # numbers of the working set and its factor


class _MayDependError(Exception):
    """Columns may depend on each other, as far as the type of the table shows."""


class Wide:
    """Rows of a wide table in question, without equalities.

    left : the same rows, in all columns: what makes directions exact
    chosen : the working set: of an earlier question about more rows, at first
    """

    def __init__(
        self, z: SignedRows, left: Left, clock: Clock, given: Sum | None = None,
        chosen: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        self.z, self.left, self.clock, self.given = z, left, clock, given
        self.chosen = chosen
        matrix = z.table.matrix
        self.type = np.float32 if matrix.dtype == np.float32 else np.float64
        self.float_view = FloatView(z)

    @staticmethod
    def takes(z: SignedRows) -> bool:
        """Whether rows of this kind are asked about here."""
        if 2 * FIRST_ROWS_PER_COLUMN * z.dim * z.dim > WORKING_SET_CELLS:
            return False
        return z.n_rows >= z.dim > DIGIT_COLUMNS and z.table.exact is None

    def ask(self) -> Balanced | Moved | None:
        """A balance of all rows, or a strict separator; None where steps find neither.

        Columns that depend on others are left out first, each with the relation that shows it.
        """
        z = self.z
        try:
            return self._ask(is_judged=False)
        except _MayDependError:
            pass
        if not self._seem_dependent():
            return self._proven(self._ask())
        if self.given is not None:  # whether relations hold on all rows is not known here
            return None
        with self.clock.stage("relations between columns"):
            relations, _ = short_relations(z, self.clock)
        if relations is None:
            return None
        part, placed = z, list[list[int]]()
        if relations.shape[1]:
            out = columns_of_their_own(relations)
            kept = np.setdiff1d(np.arange(len(z.columns)), out)
            offset = z.fit_intercept and len(z.columns) not in out
            part = SignedRows(z.table, z.signs, offset, z.rows, z.columns[kept])
            placed = [z.place(relation.tolist()) for relation in relations.T]
        inner = Wide(part, self.left, self.clock, None, self.chosen)
        answer = inner._ask()
        self.chosen = inner.chosen
        if isinstance(answer, Balanced):
            answer = replace(answer, relations=placed)
        return self._proven(answer)

    def _proven(self, answer: Balanced | Moved | None) -> Balanced | Moved | None:
        """The answer, unless it is a balance that floats do not prove: columns nearly depend."""
        if not isinstance(answer, Balanced) or self.given is not None:
            return answer
        z = self.z
        core = np.zeros(z.table.n_rows, dtype=bool)
        core[z.rows] = True
        witness = Witness(answer.rows, answer.multipliers, answer.denominator, answer.relations)
        try:
            with self.clock.stage("exact check"):
                check_remainder(z.table, z.signs, core, z.fit_intercept, witness)
        except CertificateError:
            return None
        return answer

    def _seem_dependent(self) -> bool:
        """Whether columns of some rows are so nearly dependent that they may be so exactly."""
        z = self.z
        gram = gram_of(self.float_view.unit_rows(self._held_columns(self._spread(2 * z.dim))))
        inverse = inverse_factor(gram)
        return inverse is None or may_depend(gram, inverse)

    def _ask(self, is_judged: bool = True) -> Balanced | Moved | None:
        """The steps; where not `is_judged`, columns that may depend on others end them."""
        z, clock = self.z, self.clock
        size = FIRST_ROWS_PER_COLUMN * z.dim
        with clock.stage("sum of all rows"):
            total = self._total()
        if total is None:
            return None
        with clock.stage("steps of one metric"):
            first = self._spread(size) if self.chosen is None else self.chosen
            working = _WorkingSet(self, np.intersect1d(first, z.rows))
        if self.chosen is None and len(working.chosen) < z.n_rows:
            self._join_misplaced(working, total)
        v = np.zeros(z.dim, dtype=self.type)
        n_alone = 0  # rounds in which no row joined
        for _ in range(MOST_ROUNDS):
            with clock.stage("steps of one metric"):
                inverse = inverse_factor(working.gram)
                if inverse is None:
                    return None
                if not is_judged and may_depend(working.gram, inverse):
                    raise _MayDependError
                is_judged = True
                rows = working.rows
                epsilon = PULL_OF_ALL_ROWS * len(working.chosen) / z.n_rows
                pull = (total * epsilon).astype(self.type)
                with one_thread_to_multiply(rows.size):
                    v, slacks, end = self._descend(rows, inverse, pull, epsilon, v)
                if end == "open" and not z.is_wide:
                    if self.type is np.float32:  # of which Newton's steps make nothing
                        self.type = np.float64
                        working = _WorkingSet(self, working.chosen)
                        inverse = inverse_factor(working.gram)
                        if inverse is None:
                            return None
                    rows, pull, v = (a.astype(np.float64) for a in (working.rows, pull, v))
                    v, slacks, end = self._newton(rows, inverse, pull, epsilon, v)
            del inverse  # before the next one is made
            self.chosen = working.chosen
            if end == "balanced":
                clock.check_call(SECONDS_TO_CHECK * z.dim**3)
                return self._balanced(working.chosen, slacks, epsilon)
            with clock.stage("scan of all rows"):
                scores = self._scores(v)
            weights = self.float_view.weights(v.astype(np.float64))
            if scores.min() > 0.0:
                if weights is not None and len(z.opposed(weights, strict=True)) == 0:
                    return Moved(weights)
                return None
            if end == "runs away" and scores.min() > -TIGHT * self.longest:
                with clock.stage("scan of all rows"):
                    unit_scores = self._unit_scores(v)
                if unit_scores.min() > -TIGHT:
                    return self.left.made_exact(weights, unit_scores, clock)
            worst = z.rows[np.argsort(scores)[: max(z.dim, 200)]]
            worst = np.setdiff1d(worst[np.isin(worst, z.rows[scores <= 0.0])], working.chosen)
            n_alone = 0 if len(worst) else n_alone + 1
            is_stuck = n_alone and (end != "open" or n_alone * MOST_NEWTON >= MOST_STEPS)
            if is_stuck or len(working.chosen) + len(worst) > working.most_rows:
                return None
            with clock.stage("steps of one metric"):
                working.join(worst)
        return None

    def _spread(self, size: int) -> np.ndarray:
        """All rows of a table that is not much longer than `size`, else about as many."""
        z = self.z
        return z.rows if z.n_rows <= 1.5 * size else z.rows[:: z.n_rows // size]

    def _held_columns(self, chosen: np.ndarray) -> np.ndarray:
        """These rows, and a few of each column that is zero on nearly all of them.

        Pixels at the edge of images: a zero column would seem to depend on others.
        """
        z = self.z
        if z.table.is_sparse or len(chosen) == z.n_rows:
            return chosen
        filled = sum(np.count_nonzero(z.table.matrix[part], axis=0) for part in self._parts(chosen))
        rare = z.columns[filled[z.columns] < ROWS_OF_A_COLUMN]
        met = np.zeros(len(rare), dtype=np.int64)
        for part in self._parts(z.rows):
            if (met >= ROWS_OF_A_COLUMN).all():
                break
            present = z.table.matrix[np.ix_(part, rare)] != 0
            is_early = present & (np.cumsum(present, axis=0) + met <= ROWS_OF_A_COLUMN)
            chosen = np.union1d(chosen, part[is_early.any(axis=1)])
            met += present.sum(axis=0)
        return chosen

    def _parts(self, rows: np.ndarray) -> list[np.ndarray]:
        """The same rows in blocks of a sensible size."""
        return [rows[start : start + self.z.step] for start in range(0, len(rows), self.z.step)]

    def _join_misplaced(self, working: _WorkingSet, total: np.ndarray) -> None:
        """Let the rows join on which Fisher's discriminant, G⁻¹·Σ z_i, is least right.

        They are those near a hyperplane that separates, and those that conflict. One for each
        column: with as many as the others, steps would take ten times as long to balance them.
        """
        with self.clock.stage("steps of one metric"):
            inverse = inverse_factor(working.gram)
        if inverse is None:
            return
        with self.clock.stage("scan of all rows"):
            direction = inverse @ (inverse.T @ total.astype(self.type))
            del inverse  # rows take its place
            scores = self._scores(direction)
            worst = self.z.rows[np.argpartition(scores, self.z.dim)[: self.z.dim]]
        with self.clock.stage("steps of one metric"):
            working.join(np.setdiff1d(worst, working.chosen))

    def _scores(self, v: np.ndarray) -> np.ndarray:
        """z'·v for all rows, in lengths of a usual row, and v of length 1, up to rounding."""
        z, view = self.z, self.float_view
        columns, offset = v[: len(z.columns)], float(v[-1]) if z.fit_intercept else 0.0
        outward = np.zeros(z.table.n_columns, dtype=self.type)
        outward[z.columns] = np.ldexp(columns, -view.exponents)
        offset -= float(outward[z.columns].astype(np.float64) @ view.float_centres)
        scores = z.products(outward, z.rows) + offset
        return np.asarray(scores * z.signs[z.rows] / (self.length * np.linalg.norm(v)))

    def _unit_scores(self, v: np.ndarray) -> np.ndarray:
        """z·v for all rows and v of length 1, up to rounding."""
        found = [self.unit_rows(part) @ v for part in self._parts(self.z.rows)]
        return np.asarray(np.concatenate(found) / np.linalg.norm(v))

    def _total(self) -> np.ndarray | None:
        """Σ z'_i over all rows as the view shows them, over their usual length."""
        z, view = self.z, self.float_view
        is_extreme = bool((np.abs(view.exponents) > EXTREME_SUM_EXPONENT).any())
        if view.is_far or is_extreme or z.table.is_beyond_floats:
            return None
        sums = np.zeros(z.table.n_columns)
        last = float(z.signs[z.rows].sum(dtype=np.int64))
        if self.given is not None:
            whole, over = self.given
            sums, last = np.array([int(v) / over for v in whole[:-1]]), int(whole[-1]) / over
        for which in self._parts(z.rows if self.given is None else z.rows[:0]):
            self.clock.check()
            block = z.table.matrix[which].astype(np.float64)
            sums += np.asarray(z.signs[which].astype(np.float64) @ block)
        centred = np.ldexp(sums[z.columns] - last * view.float_centres, -view.exponents)
        seen = np.append(centred, last) if z.fit_intercept else centred
        sample = z.rows[:: max(1, z.n_rows // 256)]
        lengths = view.lengths(sample)
        self.length = float(np.median(lengths))
        self.longest = float(lengths.max()) / self.length
        return seen / self.length if np.isfinite(seen).all() else None

    def unit_rows(self, which: np.ndarray) -> Any:
        """Rows as the view shows them, of length 1, in the type of the table."""
        if self.z.is_wide:
            return self.float_view.unit_rows(which)
        rows = np.empty((len(which), self.z.dim), dtype=self.type)
        self.fill(rows, which)
        return rows

    def fill(self, rows: np.ndarray, which: np.ndarray) -> None:
        """The same, written into `rows`."""
        z, view = self.z, self.float_view
        width = len(z.columns)
        centres = view.float_centres.astype(self.type)
        scales = np.ldexp(1.0, -view.exponents).astype(self.type)
        for start in range(0, len(which), z.step):
            part, block = which[start : start + z.step], rows[start : start + z.step]
            if z.table.is_sparse:
                block[:] = view.unit_rows(part)
                continue
            given = z.table.matrix[part]
            block[:, width:] = 1.0
            block[:, :width] = given if width == z.table.n_columns else given[:, z.columns]
            block[:, :width] -= centres
            block[:, :width] *= scales
            lengths = np.sqrt(np.einsum("ij,ij->i", block, block))
            block *= (z.signs[part] / np.where(lengths > 0, lengths, 1.0))[:, None]

    def _descend(
        self, rows: np.ndarray, inverse: np.ndarray, pull: np.ndarray, epsilon: float,
        v: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, End]:  # fmt: skip
        """v, slacks and how the steps ended; they run away only where v separates W."""
        ahead, momentum = v, 1.0
        for _ in range(STEPS_OF_ONE_METRIC):
            self.clock.check()
            scores = rows @ ahead
            slacks = np.maximum(0.0, 1.0 - scores)
            if scores.min() > 0.0:
                return ahead, slacks, "runs away"
            gradient = slacks @ rows + pull
            within = inverse.T @ gradient
            if float(within @ within) <= (ENOUGH_REMAINDER * epsilon) ** 2:
                return ahead, slacks, "balanced"
            new = ahead + inverse @ within
            if float(gradient @ (new - v)) < 0.0:
                momentum = 1.0
            following = (1.0 + np.sqrt(1.0 + 4.0 * momentum * momentum)) / 2.0
            ahead = new + self.type((momentum - 1.0) / following) * (new - v)
            v, momentum = new, following
        return v, slacks, "open"

    def _newton(
        self, rows: np.ndarray, inverse: np.ndarray, pull: np.ndarray, epsilon: float,
        v: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, End]:  # fmt: skip
        """The same by Newton's steps, from v on."""

        def is_enough(gradient: np.ndarray) -> bool:
            within = inverse.T @ gradient.astype(self.type)
            return float(within @ within) <= (ENOUGH_REMAINDER * epsilon) ** 2

        found = minimise_pulled(
            rows, rows[:0], pull, self.clock, v, is_enough, MOST_NEWTON, is_hasty=True
        )
        return found.v, found.slacks, found.end

    def _balanced(self, chosen: np.ndarray, slacks: np.ndarray, epsilon: float) -> Balanced:
        active = np.flatnonzero(slacks)
        rows = chosen[active]
        beyond = slacks[active].astype(np.float64) / epsilon
        lengths = np.concatenate([self.float_view.lengths(part) for part in self._parts(rows)])
        beyond *= self.length / lengths
        over = 1 << BITS_BEHIND_POINT
        order = np.argsort(rows)
        numbers = [over + round(value * over) for value in beyond[order].tolist()]
        return Balanced(rows[order].tolist(), numbers, [], [], over, False)


class _WorkingSet:
    """Rows of length 1 that steps are made for, by their place in the table, and G of them."""

    def __init__(self, question: Wide, chosen: np.ndarray) -> None:
        z = question.z
        self.question, self.chosen = question, chosen[:0]
        self.most_rows = min(z.n_rows, WORKING_SET_CELLS // (2 * z.dim))
        # Room for all that may join: memory is taken only where rows are written.
        self._room = None if z.is_wide else np.empty((self.most_rows, z.dim), dtype=question.type)
        self.rows: Any = None
        self.gram = np.zeros((z.dim, z.dim), dtype=question.type, order="F")
        self.join(chosen)

    def join(self, which: np.ndarray) -> None:
        if self._room is None:
            self.chosen = np.concatenate([self.chosen, which])
            self.rows = self.question.unit_rows(self.chosen)
            self.gram = gram_of(self.rows)
            return
        step = max(self._room.shape[1], self.question.z.step)  # 0.1 s at 2,000 columns
        for start in range(0, len(which), step):
            self.question.clock.check()
            part = which[start : start + step]
            new = self._room[len(self.chosen) : len(self.chosen) + len(part)]
            self.question.fill(new, part)
            add_products(self.gram, new)
            self.chosen = np.concatenate([self.chosen, part])
        self.rows = self._room[: len(self.chosen)]


def gram_of(rows: Any) -> np.ndarray:
    """G = Σ z·zᵀ of rows that are an array or CSR."""
    gram = rows.T @ rows
    return gram if isinstance(gram, np.ndarray) else np.asarray(gram.toarray())


def add_products(gram: np.ndarray, rows: np.ndarray) -> None:
    """Add Σ z·zᵀ of these rows to a matrix in Fortran's order, below the diagonal, in place."""
    from scipy.linalg import get_blas_funcs

    (syrk,) = get_blas_funcs(("syrk",), (gram,))
    syrk(1.0, rows.T, beta=1.0, c=gram, lower=1, overwrite_c=1)


def _ridge(gram: np.ndarray) -> float:
    """More than rounding has left of an eigenvalue that is zero."""
    return float(np.finfo(gram.dtype).eps) * float(np.trace(gram))


def inverse_factor(gram: np.ndarray) -> np.ndarray | None:
    """T with T·Tᵀ about the inverse of the matrix, with a ridge; None where that does not help.

    Of the matrix only the part below the diagonal is read.
    """
    from scipy.linalg import get_lapack_funcs

    potrf, trtri = get_lapack_funcs(("potrf", "trtri"), (gram,))
    made = gram.copy(order="F")
    made[np.diag_indices(len(gram))] += _ridge(gram)
    with one_thread_to_factor(len(gram)):
        made, failed = potrf(made, lower=1, overwrite_a=1)  # in place: tables are large
        if not failed:
            made, failed = trtri(made, lower=1, overwrite_c=1)
    return None if failed else made.T


def may_depend(gram: np.ndarray, inverse: np.ndarray) -> bool:
    """Whether some direction is so nearly zero on all rows that it may be so exactly.

    The least eigenvalue tells, which inverse iteration finds. The least pivot would not: where
    a relation has many terms, as that of all levels of a factor, it is as many times larger.
    """
    v = np.random.default_rng(0).standard_normal(len(gram)).astype(gram.dtype)
    for _ in range(INVERSE_STEPS):
        v = inverse @ (inverse.T @ (v / np.linalg.norm(v)))
    least = 1.0 / float(np.linalg.norm(v))
    return least < max(4.0 * _ridge(gram), ZERO_EIGENVALUE * float(np.trace(gram)) / len(gram))
