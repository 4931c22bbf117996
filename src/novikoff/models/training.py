"""Passes over the rows until one is clean, with all the threads that can help.

A call that fails, or is broken off, leaves its model as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np

from novikoff.errors import InputError
from novikoff.loops.perceptron import first_mistake
from novikoff.models.data import check_finite
from novikoff.models.joint import scan_jointly
from novikoff.models.lines import Lines
from novikoff.models.lookahead import Helpers, visit_ahead
from novikoff.models.orders import Piece
from novikoff.wording import count

T = TypeVar("T")


class Made(NamedTuple):
    """What some passes came to."""

    passes: int
    mistakes: int
    last: int  # mistakes of the last pass


def undone_on_error(method: Callable[..., T]) -> Callable[..., T]:
    """Let a method that sets attributes set all of them, or none where it raises.

    Without this, a fit that is refused would leave a learnt model with the new number of columns
    and the old weights. Attributes must be replaced, never changed in place.
    """

    @wraps(method)
    def careful(self: Any, *args: Any, **options: Any) -> T:
        before = dict(vars(self))
        try:
            return method(self, *args, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return careful


def train(
    visit: Callable[[Lines, np.ndarray, Helpers], bool],
    lines: Lines,
    max_iter: int,
    jobs: int,
    verbose: bool,
    is_enough: Callable[[Lines, int], bool],
) -> Made:
    """Passes until one is clean.

    visit(lines, which, helpers) makes one pass of the lines `which`; False if a row or a weight
    is not finite. A line whose pass was clean stays as it is, so it has nothing more to learn,
    unless the others can still change it. is_enough(lines, mistakes) ends them after a pass that
    was not.
    """
    batch = lines.batch
    work_of_line = float(batch.n_numbers + batch.n_rows)
    work, total, passes, last = lines.work, 0, 0, 0
    with ThreadPoolExecutor(jobs) as threads:
        for passes in range(1, max_iter + 1):
            which = lines.live
            work += work_of_line * len(which)
            lines.new_pass(which, work)
            groups = np.array_split(which, 1 if lines.joint else min(jobs, len(which)))
            helpers = Helpers(jobs - 1 if len(groups) == 1 else 0)
            calls = [(lines, group, helpers) for group in groups]
            run = map if len(groups) == 1 else threads.map
            if not all(list(run(visit, *zip(*calls, strict=True)))):
                check_finite(batch.X)
                raise InputError(
                    f"the weights have grown beyond what {batch.dtype} can hold; divide X, or the "
                    "weights of rows and classes, by a power of ten."
                )
            last = int(lines.mistakes.sum())
            total += last
            if verbose:
                print(f"pass {passes}: {count(last, 'mistake')}")
            if not lines.joint:
                lines.live = which[lines.mistakes[which] > 0]
            if not last or is_enough(lines, last):
                break
    return Made(passes, total, last)


def visit_in_pieces(
    lines: Lines,
    which: np.ndarray,
    helpers: Helpers,
    visit_rows: Callable[[Lines, np.ndarray, Piece], int],
    ties_positive: bool,
) -> bool:
    """One pass of the lines `which`; False if a row or a weight is not finite.

    visit_rows(lines, which, piece) returns its mistakes, or a negative number.
    """
    batch, orders = lines.batch, lines.orders

    def visit(piece: Piece) -> int:
        left = which
        if orders.restarts:  # a line's pass ends at its first mistake
            left = which[lines.mistakes[which] == 0]
            if lines.joint and len(left) < len(which):
                return 0
        with np.errstate(over="ignore", invalid="ignore"):
            return visit_rows(lines, left, piece)

    def scan(piece: Piece) -> int:
        if lines.joint:
            return scan_jointly(lines, piece, ties_positive)
        c = which[0]
        place: int = first_mistake.fast(
            batch.rows, batch.targets, piece.order, lines.positives[c], lines.W[c], ties_positive,
            lines.reaches[c],
        )  # fmt: skip
        return place

    alone = lines.joint or len(which) == 1
    if helpers.idle and alone and not orders.restarts:
        lines.calm = visit_ahead(orders, visit, scan, helpers, lines.gap, batch.rows_in)
        lines.norms.seen[which] = np.nan  # for scans do not tell what they measure
        return lines.calm >= 0
    return all(visit(piece) >= 0 for piece in orders.pieces())
