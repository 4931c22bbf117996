"""Classes learnt jointly: lines of which a mistake moves two, the true one and its rival."""

from __future__ import annotations

import numpy as np

from novikoff.loops.joint import first_joint_mistake, joint_pass
from novikoff.models.lines import Lines
from novikoff.models.orders import Piece

NO_SUMS = np.empty((0, 0))
NO_TAPE = np.empty((0, 2), dtype=np.int64)


def visit_jointly(
    lines: Lines,
    order: np.ndarray,
    ties_last: bool,
    *,
    first_visit: int = 0,
    sums: np.ndarray = NO_SUMS,
    tape: np.ndarray = NO_TAPE,
) -> int:
    """The mistakes of all lines on the rows in `order`; see `joint_pass`."""
    batch = lines.batch
    found: int = joint_pass.for_work(lines.work)(
        batch.rows, batch.targets, order, lines.W, batch.sizes, batch.gains, ties_last,
        lines.orders.restarts, lines.mistakes, first_visit, sums, tape,
    )  # fmt: skip
    return found


def scan_jointly(lines: Lines, piece: Piece, ties_last: bool) -> int:
    """The place of the first mistake in the piece, or its length."""
    place: int = first_joint_mistake.fast(
        lines.batch.rows, lines.batch.targets, piece.order, lines.W, ties_last
    )
    return place


def last_of_the_best(scores: np.ndarray) -> np.ndarray:
    """The class of the highest score of each row, the last one of several."""
    return np.asarray(scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1))
