"""Several cores on one line of weights, with the same mistakes.

While one thread visits rows, others score the rows after them with the weights as they are. If
the visit made no mistake, the weights have not moved, and what the others saw is what the visit
would have seen: it goes on at the first mistake that they found. If it did, their work is thrown
away. So they look only as far ahead as mistakes are likely to be apart, and not at all where
that is not worth a message between threads: a thread that sleeps takes fifty microseconds to wake.
Hence few messages: where the last pass came far without a mistake, this one looks as far at once.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from novikoff.errors import ParameterError
from novikoff.models.orders import Orders, Piece
from novikoff.wording import argument, in_python

STRIPE = 1 << 18  # numbers for each thread that are worth a message between threads
PARTS = 4  # of a stripe: so finely is shared what is left when one thread is done
ALONE = 1 << 21  # numbers that are visited before it is asked again whether to look ahead


@dataclass(frozen=True)
class Helpers:
    """Threads that have nothing else to do."""

    idle: int

    @property
    def threads(self) -> Executor:
        return _threads(self.idle)


@cache
def _threads(n: int) -> Executor:
    """So many threads, kept: starting one takes as long as scoring a megabyte or two."""
    return ThreadPoolExecutor(n, "novikoff")


if hasattr(os, "register_at_fork"):  # a child process has none of its parent's threads
    os.register_at_fork(after_in_child=_threads.cache_clear)


def threads_of(n_jobs: int | None) -> int:
    """How many threads n_jobs asks for: one for None, all cores for -1, all but one for -2."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ParameterError(
            f"{argument('n_jobs')} is {n_jobs!r}; it must be {in_python('None, ')}a number of "
            "threads, or -1 for all cores.",
            "n_jobs",
        )
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def visit_ahead(
    orders: Orders,
    visit: Callable[[Piece], int],
    scan: Callable[[Piece], int],
    helpers: Helpers,
    gap: float,
    rows_in: Callable[[int], int],
) -> int:
    """Visit all rows of a pass; how many were seen to be right before the first mistake, or a
    negative number as soon as `visit` returns one.

    visit(piece) makes the updates and returns their number; scan(piece) changes nothing and
    returns the place of the first mistake, or the number of rows. `gap`: how many rows are likely
    to pass between two mistakes, before the pass tells. rows_in(n): how many rows have n numbers.
    """
    place, n, calm = 0, orders.n_visits, 0  # calm: rows since the last mistake
    until_first: int | None = None
    while place < n:
        near = int(min(gap, n - place))
        n_threads = max(1, min(helpers.idle + 1, near // rows_in(STRIPE)))
        length = -(-near // n_threads) if n_threads > 1 else rows_in(ALONE)
        own = orders.piece(place, length)
        ahead = Ahead(orders, scan, place + length, place + near, 1 + length // PARTS)
        others = [helpers.threads.submit(ahead.look) for _ in range(n_threads - 1)]
        found = visit(own)
        place += len(own.order)
        if not found:
            calm += len(own.order)
            right, ended = ahead.first_mistake(others)
            place, calm = place + right, calm + right
            if ended:
                until_first = place if until_first is None else until_first
                found = visit(orders.piece(place, 1))
                place, gap, calm = place + 1, (gap + calm) / 2, 0
            gap = max(gap, calm)
        else:
            ahead.give_up()
            until_first = own.first if until_first is None else until_first
            gap, calm = (gap + len(own.order) / found) / 2, 0
        if found < 0:
            return found
    return n if until_first is None else until_first


class Ahead:
    """Rows scored ahead, part by part, by whoever has time."""

    def __init__(
        self, orders: Orders, scan: Callable[[Piece], int], first: int, stop: int, length: int
    ) -> None:
        self.scan = scan
        self.parts = [
            orders.piece(start, min(length, stop - start)) for start in range(first, stop, length)
        ]
        self.left = deque(range(len(self.parts)))
        self.right = [0] * len(self.parts)  # rows of each part before its first mistake

    def look(self) -> None:
        """Score parts, in order, until there are none; those after a mistake are in vain."""
        while True:
            try:
                part = self.left.popleft()
            except IndexError:
                return
            self.right[part] = self.scan(self.parts[part])
            if self.right[part] < len(self.parts[part].order):
                self.give_up()

    def give_up(self) -> None:
        self.left.clear()

    def first_mistake(self, others: list[Future[None]]) -> tuple[int, bool]:
        """How many rows are right before the first mistake, and whether there is one.

        A thread that has not begun is not waited for: this one does its work.
        """
        self.look()
        for other in others:
            if not other.cancel():
                other.result()
        n_right = 0
        for part, right in zip(self.parts, self.right, strict=True):
            n_right += right
            if right < len(part.order):
                return n_right, True
        return n_right, False
