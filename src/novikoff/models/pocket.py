"""The pocket perceptron as a value."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.errors import InputError
from novikoff.loops.pocket import (
    COUNT,
    HELD,
    IN_POCKET,
    UNSEEN,
    mistakes_of,
    pocket_pass,
    radius_of,
)
from novikoff.models.data import check_finite
from novikoff.models.lines import Lines, regrow
from novikoff.models.perceptron import PerceptronModel
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.conventions import WholePasses

DEFAULT_SECONDS = 10.0  # of polishing a line, where polish is True


@dataclass(eq=False)
class Pockets:
    """A pocket for each line, or one, the first, for lines that are learnt jointly."""

    W: np.ndarray  # the best weights so far, like those of the lines
    everyone: np.ndarray  # the rows that they are judged on
    radius: float  # at least ‖row‖
    states: np.ndarray  # (lines, 4): see loops/pocket.py
    weights: np.ndarray  # of the mistakes of each
    judged: bool = False  # whether the weights are those of W already


@dataclass(eq=False, repr=False, kw_only=True)
class PocketPerceptronModel(PerceptronModel):
    """The weights that make the fewest mistakes of all that were seen (Gallant's pocket)."""

    kind = "PocketPerceptron"
    _advises = False
    _orders = ("cyclic", "shuffled")
    n_training_errors_: int = field(init=False)
    training_error_weight_: float = field(init=False)
    last_coef_: np.ndarray = field(init=False)
    last_intercept_: np.ndarray = field(init=False)
    _judgement: tuple[np.ndarray, np.ndarray] = field(init=False)  # states and weights of pockets

    max_iter: int = 100
    order: WholePasses = "shuffled"
    polish: bool | float = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        seconds_of(self.polish)
        if self.polish and self.multiclass == "joint":
            raise InputError(
                f"polish searches line by line, and "
                f"{keyword('multiclass', 'joint')} learns all lines together; "
                "set one of them otherwise."
            )

    def _finish(self, run: Lines) -> None:
        seconds = seconds_of(self.polish)
        if run.whole and seconds and run.last and not run.joint:
            for c in range(len(run)):
                self._polish(run, c, seconds)

    def _polish(self, lines: Lines, c: int, seconds: float) -> None:
        """Search for weights with fewer mistakes than those in the pocket of line c."""
        from novikoff.verdicts.fewest import fewest_mistakes

        pockets, batch = lines.kept, lines.batch
        if not pockets.weights[c] > 0.0:
            return
        positive = batch.targets == lines.positives[c]
        gains = np.where(positive, batch.gains[c, 0], batch.gains[c, 1]).astype(np.float64)
        costs = np.zeros(batch.n_rows)
        costs[pockets.everyone] = np.abs(batch.sizes * gains)[pockets.everyone]
        few = fewest_mistakes(
            batch.X, positive, None if (costs == 1.0).all() else costs,
            fit_intercept=self.fit_intercept, time_limit=seconds,
        )  # fmt: skip
        if few.weights is None:
            return
        before = pockets.W[c].copy(), pockets.states[c].copy(), pockets.weights[c]
        pockets.W[c] = np.append(few.weights, few.offset or 0.0)
        self._judge(lines, c)
        if not (np.isfinite(pockets.W[c]).all() and pockets.weights[c] < before[2]):
            pockets.W[c], pockets.states[c], pockets.weights[c] = before

    def _begin(self, lines: Lines) -> None:
        batch, best = lines.batch, lines.W.copy()
        if lines.goes_on:
            known = np.column_stack([self.coef_, self.intercept_])
            best = regrow(known, self.classes_, lines.classes).astype(best.dtype)
        everyone = np.arange(batch.n_rows) if batch.kept is None else batch.kept
        everyone = everyone.astype(lines.orders.rows.dtype)
        radius = radius_of.for_work(batch.n_numbers)(batch.rows, everyone)
        if not radius >= 0.0:
            check_finite(batch.X)
        if lines.same_rows:
            states, weights = (part.copy() for part in self._judgement)
            lines.kept = Pockets(best, everyone, radius, states, weights, judged=True)
            return
        states, weights = np.zeros((len(best), 4), dtype=np.int64), np.full(len(best), np.inf)
        same = (best == lines.W).all(axis=1)
        states[:, HELD] = np.where(same.all() if lines.joint else same, IN_POCKET, UNSEEN)
        lines.kept = Pockets(best, everyone, radius, states, weights)

    def _visit(self, lines: Lines, which: np.ndarray) -> int:
        pockets = lines.kept
        for c in which[:1] if lines.joint else which:
            if lines.passes == 1 and not pockets.judged:
                self._judge(lines, c)
            lines.mistakes[c] = self._visit_one(lines, c)
            if lines.mistakes[c] < 0:
                return -1
            if lines.mistakes[c] == 0:  # nothing is better than a clean pass
                these = self._lines_of_pocket(lines, c)
                pockets.W[these] = lines.W[these]
                pockets.weights[c], pockets.states[c, COUNT] = 0.0, 0
        return 0

    @np.errstate(over="ignore", invalid="ignore")
    def _judge(self, lines: Lines, c: int) -> None:
        """Count the mistakes of the weights that are in the pocket before the first visit."""
        batch, pockets, these = lines.batch, lines.kept, self._lines_of_pocket(lines, c)
        pockets.states[c, COUNT], pockets.weights[c] = mistakes_of.for_work(lines.work)(
            batch.rows, batch.targets, pockets.everyone, lines.joint, lines.positives[c],
            pockets.W[these], batch.sizes, batch.gains[these], lines.ties_positive,
            pockets.radius, np.inf, np.empty(len(lines)),
        )  # fmt: skip

    @np.errstate(over="ignore", invalid="ignore")
    def _visit_one(self, lines: Lines, c: int) -> int:
        """One pass of line c, or of all lines that are learnt jointly; its mistakes."""
        batch, pockets, these = lines.batch, lines.kept, self._lines_of_pocket(lines, c)
        found, pockets.weights[c] = pocket_pass.for_work(lines.work)(
            batch.rows, batch.targets, lines.orders.order, pockets.everyone, lines.joint,
            lines.positives[c], lines.W[these], batch.sizes, batch.gains[these],
            lines.ties_positive, pockets.radius, pockets.W[these], pockets.weights[c],
            pockets.states[c],
        )  # fmt: skip
        return int(found)

    @staticmethod
    def _lines_of_pocket(lines: Lines, c: int) -> slice:
        """The lines that lie in pocket c: that line, or all that are learnt jointly."""
        return slice(None) if lines.joint else slice(c, c + 1)

    def why_not(self) -> str:
        """Nothing: rows that no line separates are what this kind is for."""
        return ""

    def _judged(self, lines: Lines) -> np.ndarray:
        return np.asarray(lines.kept.W)

    def _badness(self, lines: Lines) -> float:
        """Of the pocket: it never gets worse, so that passes without a better one are counted."""
        return float(lines.kept.weights[: 1 if lines.joint else len(lines)].sum())

    def _publish(self, lines: Lines) -> None:
        pockets, judged = lines.kept, 1 if lines.joint else len(lines)
        self._set_weights(pockets.W)
        self._set_weights(lines.W, "last_")
        self.n_training_errors_ = int(pockets.states[:judged, COUNT].sum())
        self.training_error_weight_ = float(pockets.weights[:judged].sum())
        self._judgement = pockets.states.copy(), pockets.weights.copy()


def seconds_of(polish: Any) -> float:
    """The seconds that polishing may take: 0 for False."""
    if isinstance(polish, (bool, np.bool_)):
        return DEFAULT_SECONDS if polish else 0.0
    if not isinstance(polish, numbers.Real) or not float(polish) > 0.0:
        raise InputError(
            f"polish is {polish!r}; it must be True, False or a positive number of seconds."
        )
    return float(polish)
