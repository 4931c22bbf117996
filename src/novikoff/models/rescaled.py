"""The rescaled perceptron as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.conventions import MULTICLASS, threads_of, true_or_false, whole_number
from novikoff.errors import InputError, one_of
from novikoff.loops.pocket import mistakes_of, radius_of
from novikoff.loops.rescaled import until_rescaled
from novikoff.memory import check_room
from novikoff.models.base import Model
from novikoff.models.data import check_finite
from novikoff.models.lines import Lines
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.conventions import Multiclass
    from novikoff.inputs.type_aliases import ClassWeight

MISTAKES_BEFORE_RESCALING = 200  # mistakes before the first attempt to rescale
LEAST_WEIGHT = 5e-324  # of mistakes: one of them is enough


class Squeezed(NamedTuple):
    """How far one line has come: plain numbers, so that a session can keep them."""

    transform: np.ndarray  # of the perceptron that starts next
    w: np.ndarray  # the weights of the last one, in the original space
    mistakes: int = 0
    rescalings: int = 0
    starts: int = 0
    end: str = ""  # 'clean', or the limit that was reached, or nothing yet


@dataclass(eq=False, repr=False, kw_only=True)
class RescaledPerceptronModel(Model):
    """The perceptron in a space that is squeezed until the margin is wide."""

    kind = "RescaledPerceptron"
    _advises = False
    # No parameters of this one; nothing is drawn.
    tie, order, start, warm_start, random_state = "mistake", "cyclic", None, False, 0
    n_rescalings_: int = field(init=False)
    _begun: tuple[tuple[Any, ...], ...] = field(init=False)  # of a session: how far each line is

    fit_intercept: bool = True
    max_rescalings: int = 100
    max_mistakes: int = 1_000_000
    class_weight: ClassWeight = None
    multiclass: Multiclass = "rest"
    n_jobs: int | None = None
    verbose: int = 0

    def _begin(self, lines: Lines) -> None:
        batch, dim = lines.batch, lines.batch.X.shape[1] + bool(self.fit_intercept)
        check_finite(batch.X)
        _check_size(batch.n_rows, batch.X.shape[1], len(lines) if lines.joint else 1)
        if lines.same_rows:
            lines.kept = [Squeezed(*line) for line in self._begun]
            return
        wide, n = (len(lines) * dim, 1) if lines.joint else (dim, len(lines))
        lines.kept = [Squeezed(np.eye(wide), np.zeros(wide)) for _ in range(n)]

    def _is_used_up(self, run: Lines) -> bool:
        return all(line.end for line in run.kept)

    def _progress(self, run: Lines) -> str:
        made = sum(line.mistakes for line in run.kept)
        return (
            f"start {run.passes}: {count(made, 'mistake')} so far, {count(run.last, 'line')} left"
        )

    def _visit(self, lines: Lines, which: np.ndarray) -> int:
        """Each line that has not ended runs until it has, or is rescaled."""
        batch, order = lines.batch, lines.orders.order
        rows, targets = _unit_rows(batch.X, order, self.fit_intercept), batch.targets[order]
        for c in which[:1] if lines.joint else which:
            if lines.kept[c].end:
                continue
            sizes = _sizes(lines, c, order)
            some, steps = sizes > 0.0, sizes[sizes > 0.0]
            if lines.joint:
                signed = _pairs(rows[some], targets[some], len(lines))
                steps = np.repeat(steps, len(lines) - 1)
            else:
                sides = np.where(targets == lines.positives[c], 1.0, -1.0)
                signed = (rows * sides[:, None])[some]
            lines.kept[c] = self._squeezed(lines.kept[c], signed, steps)
            lines.mistakes[c] = not lines.kept[c].end  # so that a line that has ended rests
        return 0

    def _squeezed(self, line: Squeezed, signed: np.ndarray, steps: np.ndarray) -> Squeezed:
        """The line after one more start of the perceptron."""
        left = self.max_mistakes - line.mistakes
        w, made, clean, transform = until_rescaled(  # type: ignore[no-untyped-call]
            signed, steps, line.transform, MISTAKES_BEFORE_RESCALING, left
        )
        mistakes, rescalings, starts = line.mistakes + made, line.rescalings, line.starts + 1
        end = "clean" if clean else "max_mistakes"
        if transform is None:
            transform = line.transform
        elif rescalings < self.max_rescalings:
            rescalings, end = rescalings + 1, ""
        else:
            end = "max_rescalings"
        if mistakes >= self.max_mistakes and not clean:
            end = "max_mistakes"
        return Squeezed(transform, transform @ w, mistakes, rescalings, starts, end)

    def _publish(self, lines: Lines) -> None:
        found = np.stack([line.w for line in lines.kept]).reshape(len(lines), -1)
        lines.W = np.zeros(lines.W.shape)
        lines.W[:, : found.shape[1]] = found
        super()._publish(lines)
        failures = self._failures(lines) if self._is_used_up(lines) else ["unfinished"]
        self.converged_, self.last_mistakes_ = not failures, len(failures)
        self.stop_reason_ = failures[0] if failures else "clean pass"
        self.n_iter_ = sum(line.starts for line in lines.kept)
        self.n_mistakes_ = sum(line.mistakes for line in lines.kept)
        self.n_rescalings_ = sum(line.rescalings for line in lines.kept)
        vars(self).pop("_begun", None)
        if lines.pass_by_pass and failures:
            self._begun = tuple(tuple(line) for line in lines.kept)

    @np.errstate(over="ignore", invalid="ignore")
    def _failures(self, lines: Lines) -> list[str]:
        """Why lines do not separate the rows as given, one reason for each that does not: exact."""
        failures, batch, work = [], lines.batch, float(lines.batch.n_numbers * len(lines))
        radius = radius_of.for_work(work)(batch.rows, lines.orders.order)
        for c, line in enumerate(lines.kept):
            these = slice(None) if lines.joint else slice(c, c + 1)
            _, weight = mistakes_of.for_work(work)(
                batch.rows, batch.targets, lines.orders.order, lines.joint, lines.positives[c],
                lines.W[these], batch.sizes, batch.gains[these], False, radius, LEAST_WEIGHT,
                np.empty(len(lines)),
            )  # fmt: skip
            if weight > 0.0:
                failures.append("rounding" if line.end == "clean" else line.end)
        return failures

    def why_not(self) -> str:
        """Why the weights do not separate the rows, and what to do."""
        if self.converged_:
            return ""
        what = {
            "unfinished": "has not come to its end",
            "max_rescalings": f"stopped after max_rescalings = {self.max_rescalings}",
            "max_mistakes": f"stopped after max_mistakes = {self.max_mistakes}",
            "rounding": "separated the rescaled rows, but not, without rounding, the rows given",
        }[self.stop_reason_]
        where = ""
        if len(self.coef_) > 1 and self.multiclass == "rest":
            where = f" on {self.last_mistakes_} of {len(self.coef_)} lines"
        ask = "certify" if len(self.classes_) == 2 else "certify_classes"
        return (
            f"{self.kind} {what}, and its weights still make mistakes{where}. Raise the "
            f"limits, or ask novikoff.{ask}(X, y) whether a separator exists at all."
        )

    def _check_goes_on(self) -> None:
        raise InputError(f"{self.kind} needs all rows at once: use fit.")

    def _check_parameters(self) -> None:
        one_of("multiclass", self.multiclass, MULTICLASS)
        whole_number("max_rescalings", self.max_rescalings)
        whole_number("max_mistakes", self.max_mistakes)
        true_or_false("fit_intercept", self.fit_intercept)
        threads_of(self.n_jobs)


def _sizes(lines: Lines, c: int, order: np.ndarray) -> np.ndarray:
    """The size of an update of line c, or of the joint lines, on each row in `order`."""
    batch, targets = lines.batch, lines.batch.targets[order]
    own = batch.sizes if len(batch.sizes) == 1 else batch.sizes[order]
    gains = np.where(targets == lines.positives[c], *batch.gains[c])
    return np.asarray(own * (batch.gains[targets, 0] if lines.joint else gains), dtype=np.float64)


def _check_size(n: int, d: int, joined: int) -> None:
    """Raise before rows are made dense that, with the matrix of the rescalings, have no room."""
    dim = joined * (d + 1)
    check_room(
        8 * (2 * n * (d + 1) + n * joined * dim + 2 * dim * dim),
        f"RescaledPerceptron, whose rescalings are a dense matrix, on {n:,} rows and {d:,} columns",
        "choose another member of the family, or fewer columns",
    )


def _unit_rows(X: Any, order: np.ndarray, fit_intercept: bool) -> np.ndarray:
    """The rows in `order`, dense, with their 1, each divided by a power of two near its size.

    A positive factor changes nothing about a row's side.
    """
    rows = X[order]
    rows = (rows if isinstance(rows, np.ndarray) else rows.toarray()).astype(np.float64)
    if fit_intercept:
        rows = np.column_stack([rows, np.ones(len(rows))])
    _, exponents = np.frexp(np.abs(rows).max(axis=1))
    return np.asarray(np.ldexp(rows, -exponents[:, None]))


def _pairs(rows: np.ndarray, targets: np.ndarray, n_classes: int) -> np.ndarray:
    """Kesler's construction: a row per row and wrong class, whose score under all lines laid end
    to end is the true class's minus the wrong one's.
    """
    pairs = np.zeros((len(rows), n_classes, n_classes, rows.shape[1]))
    every, classes = np.arange(len(rows)), np.arange(n_classes)
    pairs[every, :, targets] = rows[:, None]
    pairs[:, classes, classes] -= rows[:, None]
    wrong = classes != targets[:, None]
    return np.asarray(pairs[wrong].reshape(-1, n_classes * rows.shape[1]))
