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
from novikoff.search.engine import BITS_BEHIND_POINT, MOST_ROUNDS, Balanced, Left, Moved
from novikoff.search.float_view import FloatView
from novikoff.search.hinge import MOST_STEPS, TIGHT, End, minimise_pulled
from novikoff.search.integers import columns_of_their_own
from novikoff.search.signed_rows import SignedRows
from novikoff.search.strict import DIGIT_COLUMNS
from novikoff.search.threads import one_thread_to_factor, one_thread_to_multiply

FIRST_ROWS_PER_COLUMN = 4  # of the first working set
ROWS_OF_A_COLUMN = 8  # that are not zero: with fewer, a column is looked for in all rows
PULL_OF_ALL_ROWS = 0.05  # of all rows together, for each row of the working set
ENOUGH_REMAINDER = 0.1  # of ε, for c; with the rows that a check takes it is twice as large
STEPS_OF_ONE_METRIC = 60  # before Newton's: where few rows conflict, hundreds were needed
MOST_NEWTON = 20  # of Newton's steps before more rows join
ZERO_EIGENVALUE = 1e-9  # of the mean one: a smaller one may be zero, for rows of 5 digits
INVERSE_STEPS = 4  # each makes what other eigenvalues leave smaller, by their ratio to the least
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
        self.type: Any = np.float32 if z.table.matrix.dtype == np.float32 else np.float64
        self.view = FloatView(z)

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
        if not seem_dependent(self.view, self._held_columns(self._spread(2 * z.dim))):
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

    def _ask(self, is_judged: bool = True) -> Balanced | Moved | None:
        """The steps; where not `is_judged`, columns that may depend on others end them."""
        z, clock = self.z, self.clock
        with clock.stage("sum of all rows"):
            total = self._total()
        if total is None:
            return None
        with clock.stage("steps of one metric"):
            is_first, first = self.chosen is None, self.chosen
            if first is None:
                first = self._spread(FIRST_ROWS_PER_COLUMN * z.dim)
            working = _WorkingSet(self, np.intersect1d(first, z.rows))
        if is_first and len(working.chosen) < z.n_rows:
            # Rows join on which Fisher's discriminant, G⁻¹·Σ z_i, is least right: those near a
            # hyperplane that separates, and those that conflict. One for each column: with as many
            # as the others, steps would take ten times as long to balance them.
            with clock.stage("steps of one metric"):
                inverse = inverse_factor(working.gram)
            if inverse is None:
                return None
            with clock.stage("scan of all rows"):
                direction = inverse @ (inverse.T @ total.astype(self.type))
                del inverse  # rows take its place
                worst = z.rows[np.argpartition(self._scores(direction), z.dim)[: z.dim]]
            with clock.stage("steps of one metric"):
                working.join(np.setdiff1d(worst, working.chosen))
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
            with clock.stage("steps of one metric"):
                epsilon = PULL_OF_ALL_ROWS * len(working.chosen) / z.n_rows
                v, slacks, end = self._step(working, inverse, total * epsilon, epsilon, v)
            del inverse  # before the next one is made
            self.chosen = working.chosen
            if end == "balanced":
                clock.check_call(SECONDS_TO_CHECK * z.dim**3)
                return self._balanced(working.chosen, slacks, epsilon)
            with clock.stage("scan of all rows"):
                scores = self._scores(v)
            weights = self.view.weights(v.astype(np.float64))
            if scores.min() > 0.0:
                if weights is not None and len(z.opposed(weights, strict=True)) == 0:
                    return Moved(weights)
                return None
            if end == "runs away" and scores.min() > -TIGHT * self.longest:
                with clock.stage("scan of all rows"):
                    parts = [self.view.unit_rows(part, self.type) @ v for part in z.blocks()]
                    unit_scores = np.concatenate(parts) / np.linalg.norm(v)
                if unit_scores.min() > -TIGHT:
                    return self.left.made_exact(weights, unit_scores)
            worst = z.rows[np.argsort(scores)[: max(z.dim, 200)]]
            worst = np.setdiff1d(worst[np.isin(worst, z.rows[scores <= 0.0])], working.chosen)
            n_alone = 0 if len(worst) else n_alone + 1
            is_stuck = n_alone and (end != "open" or n_alone * MOST_NEWTON >= MOST_STEPS)
            if is_stuck or len(working.chosen) + len(worst) > working.most_rows:
                return None
            with clock.stage("steps of one metric"):
                working.join(worst)
        return None

    def _step(
        self, working: _WorkingSet, inverse: np.ndarray, pull: np.ndarray, epsilon: float,
        v: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, End]:  # fmt: skip
        """v, slacks and how steps on the working set ended: with one metric, else by Newton's."""

        def is_enough(gradient: np.ndarray) -> bool:
            within = inverse.T @ gradient.astype(self.type)
            return float(within @ within) <= (ENOUGH_REMAINDER * epsilon) ** 2

        with one_thread_to_multiply(working.rows.size):
            v, slacks, end = self._descend(
                working.rows, inverse, pull.astype(self.type), epsilon, v
            )
        if end != "open" or self.z.is_wide:
            return v, slacks, end
        if self.type is np.float32:  # of which Newton's steps make nothing
            self.type = np.float64
            working.anew()
            made = inverse_factor(working.gram)
            if made is None:
                return v, slacks, end
            inverse = made
        found = minimise_pulled(
            working.rows, working.rows[:0], pull, self.clock, v.astype(np.float64), is_enough,
            MOST_NEWTON, is_hasty=True,
        )  # fmt: skip
        return found.v, found.slacks, found.end

    def _descend(
        self, rows: Any, inverse: np.ndarray, pull: np.ndarray, epsilon: float, v: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, End]:
        """Steps of one metric; they run away only where v separates W."""
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

    def _balanced(self, chosen: np.ndarray, slacks: np.ndarray, epsilon: float) -> Balanced:
        active = np.flatnonzero(slacks)
        active = active[np.argsort(chosen[active])]
        rows = chosen[active]
        lengths = np.concatenate([self.view.lengths(part) for part in self.z.blocks(rows)])
        beyond = slacks[active].astype(np.float64) / epsilon * (self.length / lengths)
        over = 1 << BITS_BEHIND_POINT
        numbers = [over + round(value * over) for value in beyond.tolist()]
        return Balanced(rows.tolist(), numbers, [], [], over, False)

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
        filled = sum(np.count_nonzero(z.table.matrix[part], axis=0) for part in z.blocks(chosen))
        rare = z.columns[filled[z.columns] < ROWS_OF_A_COLUMN]
        met = np.zeros(len(rare), dtype=np.int64)
        for part in z.blocks():
            if (met >= ROWS_OF_A_COLUMN).all():
                break
            present = z.table.matrix[np.ix_(part, rare)] != 0
            is_early = present & (np.cumsum(present, axis=0) + met <= ROWS_OF_A_COLUMN)
            chosen = np.union1d(chosen, part[is_early.any(axis=1)])
            met += present.sum(axis=0)
        return chosen

    def _scores(self, v: np.ndarray) -> np.ndarray:
        """z'·v for all rows, in lengths of a usual row, and v of length 1, up to rounding."""
        z, view = self.z, self.view
        columns, offset = v[: len(z.columns)], float(v[-1]) if z.fit_intercept else 0.0
        outward = np.zeros(z.table.n_columns, dtype=self.type)
        outward[z.columns] = np.ldexp(columns, -view.exponents)
        offset -= float(outward[z.columns].astype(np.float64) @ view.float_centres)
        scores = z.products(outward, z.rows) + offset
        return np.asarray(scores * z.signs[z.rows] / (self.length * np.linalg.norm(v)))

    def _total(self) -> np.ndarray | None:
        """Σ z'_i over all rows as the view shows them, over their usual length."""
        z, view = self.z, self.view
        if view.must_be_whole or z.table.is_beyond_floats:
            return None
        if self.given is not None:
            whole, over = self.given
            sums, last = np.array([int(v) / over for v in whole[:-1]]), int(whole[-1]) / over
        else:
            sums = np.zeros(z.table.n_columns)
            last = float(z.signs[z.rows].sum(dtype=np.int64))
            for which in z.blocks():
                self.clock.check()
                block = z.table.matrix[which].astype(np.float64)
                sums += np.asarray(z.signs[which].astype(np.float64) @ block)
        centred = np.ldexp(sums[z.columns] - last * view.float_centres, -view.exponents)
        seen = np.append(centred, last) if z.fit_intercept else centred
        lengths = view.lengths(z.rows[:: max(1, z.n_rows // 256)])
        self.length = float(np.median(lengths))
        self.longest = float(lengths.max()) / self.length
        return seen / self.length if np.isfinite(seen).all() else None


class _WorkingSet:
    """Rows of length 1 that steps are made for, by their place in the table, and G of them."""

    def __init__(self, question: Wide, chosen: np.ndarray) -> None:
        self.question, self.chosen = question, chosen
        self.most_rows = min(question.z.n_rows, WORKING_SET_CELLS // (2 * question.z.dim))
        self.anew()

    def anew(self) -> None:
        """The same rows in the type of the question."""
        z, chosen = self.question.z, self.chosen
        # Room for all that may join: memory is taken only where rows are written.
        shape = (0 if z.is_wide else self.most_rows, z.dim)
        self._room = np.empty(shape, dtype=self.question.type)
        self.gram = np.zeros((z.dim, z.dim), dtype=self.question.type, order="F")
        self.chosen = chosen[:0]
        self.join(chosen)

    def join(self, which: np.ndarray) -> None:
        from scipy.linalg import get_blas_funcs

        z, view = self.question.z, self.question.view
        if z.is_wide:
            self.chosen = np.concatenate([self.chosen, which])
            self.rows: Any = view.unit_rows(self.chosen)
            self.gram = (self.rows.T @ self.rows).toarray()
            return
        (syrk,) = get_blas_funcs(("syrk",), (self.gram,))
        step = max(z.dim, z.step)  # 0.1 s at 2,000 columns
        for start in range(0, len(which), step):
            self.question.clock.check()
            part = which[start : start + step]
            new = self._room[len(self.chosen) : len(self.chosen) + len(part)]
            new[:] = view.unit_rows(part, self.question.type)
            # Below the diagonal, in place.
            syrk(1.0, new.T, beta=1.0, c=self.gram, lower=1, overwrite_c=1)
            self.chosen = np.concatenate([self.chosen, part])
        self.rows = self._room[: len(self.chosen)]


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


def seem_dependent(view: FloatView, rows: np.ndarray) -> bool:
    """Whether columns of these rows are so nearly dependent that they may be so exactly."""
    units = view.unit_rows(rows)
    gram = units.T @ units
    gram = gram if isinstance(gram, np.ndarray) else gram.toarray()
    inverse = inverse_factor(gram)
    return inverse is None or may_depend(gram, inverse)
