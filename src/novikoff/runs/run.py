"""`trace`: the perceptron algorithm, run exactly, with every mistake on a tape.

The mistakes are those of exact rational arithmetic on the numbers as given. Floats do the
work; where rounding leaves the sign of a score in doubt, it is decided from the tape.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from novikoff.conventions import (
    TIES,
    read_order,
    read_random,
    read_start,
    true_or_false,
    whole_number,
)
from novikoff.errors import InputError, NoTruthValue, one_of
from novikoff.exact.bounds import norm_above
from novikoff.exact.scores import nearest_float
from novikoff.exact.weights import ExactWeights
from novikoff.hooks import hook
from novikoff.inputs import Table, in_memory, read_labels, read_table, row_numbers
from novikoff.loops import trace as loop
from novikoff.loops.rows import as_rows
from novikoff.memory import check_columns
from novikoff.runs.audit import Audit, audit
from novikoff.runs.table import run_as_frame, run_as_html, run_as_text
from novikoff.wording import count

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from novikoff.conventions import Order, Tie
    from novikoff.display import BoundaryDisplay
    from novikoff.inputs.type_aliases import LabelsLike, RowsLike, Seed

BYTES_A_COLUMN = 300  # bytes that a run and its audit take for each column, as measured


class Tape(NamedTuple):
    """The mistakes in order: the row (from 0) of each, and the visit (from 0) it happened at."""

    rows: np.ndarray
    visits: np.ndarray


class Step(NamedTuple):
    """One update: mistake k (from 1) on `row`, its score before, the weights after."""

    k: int
    row: int
    visit: int
    sign: int
    score: float
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Run(NoTruthValue):
    """A finished run of the perceptron. Everything about it is replayed from its tape."""

    table: Table
    signs: np.ndarray
    classes: tuple[Any, Any]
    tie: str
    order: Any
    start: np.ndarray
    fit_intercept: bool
    tape: Tape
    n_visits: int
    n_passes: int
    converged: bool
    stop_reason: str
    floats_are_exact: bool
    numbers: np.ndarray | None = None  # of the rows in the file they came from, if not 0, 1, 2, …
    ask_instead = "run.converged"

    def number(self, row: int) -> int:
        """The number, from 0, of a row in the file that the rows came from."""
        return row if self.numbers is None else int(self.numbers[row])

    @property
    def n_mistakes(self) -> int:
        return len(self.tape.rows)

    @property
    def coef(self) -> np.ndarray:
        return self._last_weights[:-1]

    @property
    def intercept(self) -> float:
        return float(self._last_weights[-1])

    @property
    def survival(self) -> np.ndarray:
        """For k = 0 … n_mistakes, the visits after which w(k) was the weight vector."""
        ends = np.append(self.tape.visits, self.n_visits)
        return np.diff(ends, prepend=0)

    @property
    def dual_counts(self) -> np.ndarray:
        """How often each row was a mistake: w = start + Σ count·sign·row."""
        return np.bincount(self.tape.rows, minlength=self.table.n_rows)

    @cached_property
    def _last_weights(self) -> np.ndarray:
        return self._all_weights_at(self.n_mistakes)

    def weights_at(self, k: int) -> np.ndarray:
        """The weights after k mistakes, each rounded once; the offset last where there is one."""
        weights = self._all_weights_at(k)
        return weights if self.fit_intercept else weights[:-1]

    def exact_weights_at(self, k: int) -> ExactWeights:
        """The weights after k mistakes as exact rationals, a zero last where there is no offset."""
        self._check_k(k)
        weights = ExactWeights(self.table, self.signs, self.fit_intercept, self.start)
        weights.add(self.tape.rows[:k])
        return weights

    def _all_weights_at(self, k: int) -> np.ndarray:
        self._check_k(k)
        if not self.floats_are_exact:
            return self.exact_weights_at(k).floats()
        rows, counts = np.unique(self.tape.rows[:k], return_counts=True)
        signed = (counts * self.signs[rows]).astype(np.float64)
        weights = self.start.copy()
        weights[:-1] += signed @ self.table.matrix[rows].astype(np.float64)
        if self.fit_intercept:
            weights[-1] += signed.sum()
        return weights

    def _check_k(self, k: int) -> None:
        if not isinstance(k, (int, np.integer)) or not 0 <= k <= self.n_mistakes:
            raise InputError(
                f"k is {k!r}; this run made {count(self.n_mistakes, 'mistake')}, so k must be a "
                f"whole number from 0 to {self.n_mistakes}."
            )

    def steps(self, first: int = 1, last: int | None = None) -> Iterator[Step]:
        """The updates `first` to `last` (counted from 1, both included), in order."""
        last = self.n_mistakes if last is None else min(last, self.n_mistakes)
        weights = self.exact_weights_at(max(first, 1) - 1)
        for k in range(max(first, 1), last + 1):
            row = int(self.tape.rows[k - 1])
            score = weights.score(row)
            weights.add(self.tape.rows[k - 1 : k])
            floats = weights.floats()
            yield Step(
                k,
                row,
                int(self.tape.visits[k - 1]),
                int(self.signs[row]),
                nearest_float(score),
                floats if self.fit_intercept else floats[:-1],
            )

    def audit(
        self,
        margin: float | Fraction | Decimal | None = None,
        separator: Any = None,
        search: bool = True,
    ) -> Audit:
        """Check the mistake bound and its proof along this run.

        `separator` is (w, b), or weights with the offset last; `margin` a number that the
        margin is claimed to be. Without either, the separator of largest margin is searched
        for, and found where the rows are separable; with search=False, the last weights of a
        run that has converged serve instead.
        """
        own = self.exact_weights_at(self.n_mistakes).fractions() if self.converged else None
        return audit(
            self.table, self.signs, self.fit_intercept, self.start, self.tape.rows,
            margin=margin, separator=separator, last_weights=own, search=search,
        )  # fmt: skip

    def plot(self, k: int | None = None, ax: Any = None) -> BoundaryDisplay:
        """Draw the rows and the boundary after k mistakes (needs matplotlib)."""
        display: BoundaryDisplay = hook("run.plot")(self, k=k, ax=ax)
        return display

    def to_frame(self) -> Any:
        """One line per mistake, as a DataFrame of whichever library is installed."""
        return run_as_frame(self)

    def __str__(self) -> str:
        return run_as_text(self)

    def __repr__(self) -> str:
        return (
            f"<Run: {count(self.n_mistakes, 'mistake')} in {count(self.n_passes, 'pass')}, "
            f"{'converged' if self.converged else 'not converged: ' + self.stop_reason}>"
        )

    def _repr_html_(self) -> str:
        return run_as_html(self)


def trace(
    X: RowsLike,
    y: LabelsLike,
    *,
    tie: Tie = "mistake",
    order: Order = "cyclic",
    start: ArrayLike | Literal["random"] | None = None,
    fit_intercept: bool = True,
    max_iter: int = 1000,
    max_mistakes: int | None = None,
    random_state: Seed = None,
    positive: Any = None,
) -> Run:
    """Run the perceptron on X, y and keep every mistake.

    Parameters
    ----------
    X, y : rows and their two labels, as `certify` takes them
    tie : {'mistake', 'positive', 'zero'}
        What a score of exactly 0 means: an update on both signs; predicted +, so a mistake on
        negative rows only; or equal to neither label, so a mistake on both signs.
    order : {'cyclic', 'restart', 'shuffled'} or a permutation of the row numbers
        'restart' looks again from the first row after each update, 'shuffled' draws a new
        permutation each pass.
    start : None, 'random' or numbers
        Zeros, standard normal weights, or d weights (d + 1, the offset last, with an offset).
    fit_intercept : bool
        Whether there is an offset.
    max_iter : int
        The most passes; under 'restart' every look from the first row is a pass.
    max_mistakes : int or None
        The most mistakes. The run stops at the first one beyond, so that a run which needs no
        more than these still has its clean pass.
    random_state : int, RandomState or None
        Seeds order='shuffled' and start='random'.
    positive : a label or None
        The label of sign +1; by default the larger of the two (see `certify`).

    Returns
    -------
    Run
        The tape of all mistakes, and everything that is replayed from it.

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[1, 2], [-1, 2], [0, -1]], [1, -1, -1]
    >>> run = nk.trace(X, y, fit_intercept=False, start=[1, -0.8])
    >>> run.n_mistakes, run.converged, run.coef
    (3, True, array([3. , 0.2]))
    """
    table = read_table(X)
    order, start = in_memory(order, "order"), in_memory(start, "start")
    labels = read_labels(y, table.n_rows, positive)
    one_of("tie", tie, TIES)
    true_or_false("fit_intercept", fit_intercept)
    whole_number("max_iter", max_iter)
    if max_mistakes is not None:
        whole_number("max_mistakes", max_mistakes)
    random = read_random(random_state)
    fixed = read_order(order, table.n_rows)
    check_columns(table.n_columns, BYTES_A_COLUMN, "a run and its audit")
    first = read_start(start, table.n_columns, fit_intercept, random)[0]

    tracer = _Tracer(table, labels.signs, tie, bool(fit_intercept), first)
    reason = tracer.run(order, fixed, random, max_iter, max_mistakes)
    n = tracer.at[loop.MISTAKES]
    return Run(
        table, labels.signs, labels.classes, tie, order if isinstance(order, str) else fixed,
        first, bool(fit_intercept), Tape(*map(row_numbers, tracer.tape[:, :n])),
        int(tracer.at[loop.VISITS]), tracer.n_passes, reason == "clean pass", reason,
        bool(n <= tracer.exact_until),
    )  # fmt: skip


class _Tracer:
    """The state of a run, and who rules when the loop is in doubt."""

    def __init__(
        self, table: Table, signs: np.ndarray, tie: str, fit_intercept: bool, start: np.ndarray
    ) -> None:
        self.signs, self.ties_positive = signs, tie == "positive"
        self.rows = as_rows(table.matrix, fit_intercept)
        self.w = start.copy()
        self.at = loop.blank_place()
        self.tape = np.empty((2, 64), dtype=np.int64)
        self.exact_until = exact_until(table, start, fit_intercept)
        self.exact = ExactWeights(table, signs, fit_intercept, start)
        self.n_ruled = 0  # mistakes that `exact` has seen
        self.n_passes = 0
        work = table.n_rows * (table.n_columns + 1)
        self.work_of_a_pass = work
        self.norms = np.empty(table.n_rows)
        with np.errstate(over="ignore"):
            loop.row_norms.for_work(work)(self.rows, self.norms)
            self.size = np.array([norm_above(start @ start), 0.0])

    def run(
        self, order: Any, fixed: np.ndarray, random: Any, max_iter: int, max_mistakes: int | None
    ) -> str:
        """Pass over the rows until there is a reason to stop; returns the reason."""
        shuffled = isinstance(order, str) and order == "shuffled"
        restarts = isinstance(order, str) and order == "restart"
        while True:
            if shuffled:
                fixed = random.permutation(len(fixed))
                self.at[loop.PASSES] = 0
            outcome = self._passes(fixed, 1 if shuffled else max_iter, restarts, max_mistakes)
            self.n_passes += int(self.at[loop.PASSES]) if shuffled else 0
            if outcome == loop.TAPE_FULL or not shuffled or outcome == loop.CLEAN:
                break
            if self.n_passes >= max_iter:
                break
        if not shuffled:
            self.n_passes = int(self.at[loop.PASSES])
        self.n_passes += bool(self.at[loop.POSITION] > 0)
        return {loop.CLEAN: "clean pass", loop.USED_UP: "max_iter"}.get(outcome, "max_mistakes")

    def _passes(
        self, order: np.ndarray, passes: int, restarts: bool, max_mistakes: int | None
    ) -> int:
        while True:
            done = int(self.at[loop.VISITS]) * len(self.w)
            speed = loop.trace_passes.for_work(done + self.work_of_a_pass)
            with np.errstate(over="ignore", invalid="ignore"):
                outcome = speed(
                    self.rows, self.signs, order, self.w, self.ties_positive, restarts,
                    self.norms, self.exact_until, self._pass_limit(speed, passes),
                    self.at, self.size, self._room(max_mistakes),
                )  # fmt: skip
            if outcome == loop.IN_DOUBT:
                self._rule(int(order[self.at[loop.POSITION]]))
            elif outcome == loop.TAPE_FULL:
                if max_mistakes is not None and self.at[loop.MISTAKES] >= max_mistakes:
                    return loop.TAPE_FULL
                self.tape = np.concatenate([self.tape, np.empty_like(self.tape)], axis=1)
            elif outcome == loop.CLEAN or self.at[loop.PASSES] >= passes:
                return int(outcome)

    def _pass_limit(self, speed: Any, passes: int) -> int:
        """Interpreted, look up after each pass, to change to the compiled form in time."""
        if speed is loop.trace_passes:
            return min(passes, int(self.at[loop.PASSES]) + 1)
        return passes

    def _room(self, max_mistakes: int | None) -> np.ndarray:
        return self.tape if max_mistakes is None else self.tape[:, :max_mistakes]

    def _rule(self, i: int) -> None:
        """Decide row i exactly."""
        k = int(self.at[loop.MISTAKES])
        self.exact.add(self.tape[0, self.n_ruled : k])
        self.n_ruled = k
        score = self.exact.score(i) * int(self.signs[i])
        wrong = score < 0 or (score == 0 and not (self.ties_positive and self.signs[i] > 0))
        self.at[loop.RULING] = 1 if wrong else -1


def exact_until(table: Table, start: np.ndarray, fit_intercept: bool) -> int:
    """The number of mistakes up to which float64 sums on these rows cannot round."""
    if table.float_grid is None:
        return 0
    largest, grid = table.float_grid
    if fit_intercept:
        largest, grid = max(largest, 1.0), min(grid, 1.0)
    first = Table(start.reshape(1, -1), None, "binary64").float_grid
    if first is None:
        return 0
    weight, weight_grid = first
    units = math.ldexp(grid * min(grid, weight_grid), 53)
    if largest == 0.0:
        return 2**62
    mistakes = (units / (len(start) * largest) - weight) / largest
    return int(min(max(mistakes, 0.0), 2.0**62))
