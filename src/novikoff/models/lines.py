"""Lines of weights: one for two classes, else one per class.

A line is d + 1 numbers, the offset last, and its sign is positive on one class. Two classes
share one line, positive on the larger; more have one line each, positive on their own class
and negative on all others. A single class, which a stream may begin with, has one line too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.conventions import read_start
from novikoff.loops.bounds import norm_bound_of
from novikoff.loops.joint import joint_pass
from novikoff.loops.perceptron import perceptron_pass
from novikoff.loops.tiles import tile_for
from novikoff.memory import check_columns
from novikoff.models.orders import Orders
from novikoff.wording import count

WEIGHT_COPIES = (
    10  # of the weights, that fitting, predicting and saving have at one time, as measured
)

if TYPE_CHECKING:
    from novikoff.models.data import Batch
    from novikoff.models.stopping import Stopping

NO_MOMENTS = np.empty((0, 0))
NO_TAPE = np.empty((0, 2), dtype=np.int64)


@dataclass(eq=False)
class Lines:
    """The weights in training, the rows, and what a pass keeps about each line."""

    W: np.ndarray  # (lines, d + 1)
    classes: np.ndarray  # all labels, sorted
    batch: Batch  # the rows
    orders: Orders
    joint: bool  # whether the lines are learnt together: see loops/joint.py
    ties_positive: bool
    goes_on: bool  # whether W comes from an earlier call
    stopping: Stopping  # what ends the passes before one is clean
    whole: bool = False  # whether these are all rows, for as many passes as may be
    same_rows: bool = False  # whether what W comes from was learnt from these very rows
    pass_by_pass: bool = False  # whether the model after each pass may be saved
    kept: Any = None  # what a kind of model keeps beyond this
    positives: np.ndarray = field(init=False)  # the class, as a number, each line is positive on
    norm_bounds: np.ndarray = field(init=False)  # at least ‖W[c]‖
    radii: np.ndarray = field(init=False)  # at least ‖row‖ of all rows, once a line has seen them
    mistakes: np.ndarray = field(init=False)  # of the pass at hand
    live: np.ndarray = field(init=False)  # the lines that have not had their clean pass
    work: float = 0.0  # multiplications so far, those of the pass at hand included
    passes: int = 0  # of this call, the one at hand included
    n_mistakes: int = 0  # of all passes so far
    last: int = 0  # mistakes of the last pass

    def __post_init__(self) -> None:
        self.positives = positives_of(len(self.classes))
        self.norm_bounds, self.radii = np.zeros((2, len(self.W)))
        self.mistakes = np.zeros(len(self.W), dtype=np.int64)
        self.live = np.arange(len(self.W))

    def __len__(self) -> int:
        return len(self.W)

    @property
    def n_visits(self) -> int:
        """Visits of a row in this call, those of the pass at hand included."""
        return self.passes * len(self.orders.rows)

    def begin_pass(self) -> None:
        """The next order, no mistakes yet, and tight norm bounds: those of the last pass have
        grown with every update.
        """
        self.work += float(self.batch.n_numbers + self.batch.n_rows) * len(self.live)
        self.passes += 1
        self.orders.next_pass()
        self.mistakes[:] = 0
        loop = norm_bound_of.for_work(self.work + self.W.size)
        for c in self.live:
            self.norm_bounds[c] = loop(self.W[c])

    def visit(
        self, which: np.ndarray, order: np.ndarray, first_visit: int = 0,
        moments: np.ndarray = NO_MOMENTS, tape: np.ndarray = NO_TAPE,
    ) -> int:  # fmt: skip
        """Visit the rows in `order` with the lines `which`, or with all if they are joint: the
        mistakes, also added to `mistakes`; negative if a row or a weight is not finite.

        See `perceptron_pass` and `joint_pass`. Rows are measured until each line has seen all.
        """
        batch, restarts = self.batch, self.orders.restarts
        with np.errstate(over="ignore", invalid="ignore"):
            if self.joint:
                found = joint_pass.for_work(self.work)(
                    batch.rows, batch.targets, order, self.W, batch.sizes, batch.gains,
                    self.ties_positive, restarts, self.radii, self.passes == 1, self.mistakes,
                    first_visit, moments, tape,
                )  # fmt: skip
                return int(found)
            loop = perceptron_pass.for_work(self.work)
            one_by_one = restarts or loop is perceptron_pass  # interpreted, a tile gains nothing
            found = loop(
                batch.rows, batch.targets, order, which, self.positives, self.W, batch.sizes,
                batch.gains, self.ties_positive, restarts, self.norm_bounds, self.radii,
                self.passes == 1, self.mistakes, first_visit, moments, tape,
                None if one_by_one else tile_for(batch.rows, which),
            )  # fmt: skip
            return int(found)


def n_lines(n_classes: int) -> int:
    return n_classes if n_classes > 2 else 1


def positives_of(n_classes: int) -> np.ndarray:
    """The class, as a number, that each line is positive on."""
    return np.arange(n_classes) if n_classes != 2 else np.array([1])


def regrow(W: np.ndarray, known: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The lines for `classes`, which hold all of `known`, from those for `known`.

    A class keeps its line. The line that two classes share is the larger one's own, and its
    negative the smaller one's. A class that is new starts from zeros.
    """
    if len(known) == len(classes):
        return W.copy()
    own = dict(zip(known.tolist(), W, strict=False))
    if len(known) == 2:
        smaller, larger = known.tolist()
        own = {larger: W[0], smaller: 0.0 - W[0]}
    labels = classes.tolist()
    if len(classes) == 2:
        return np.array([own[labels[1]] if labels[1] in own else 0.0 - own[labels[0]]])
    return np.stack([own.get(label, np.zeros_like(W[0])) for label in labels])


def start_lines(
    start: Any, n_classes: int, n_columns: int, fit_intercept: bool, dtype: Any, random: Any
) -> np.ndarray:
    """The first weights of all lines, if there is room for them."""
    n = n_lines(n_classes)
    check_columns(
        n_columns + 1, WEIGHT_COPIES * n * np.dtype(dtype).itemsize,
        f"a fit of {count(n, 'line')}",
    )  # fmt: skip
    return read_start(start, n_columns, fit_intercept, random, n, dtype)
