"""Several cores on one line of weights, with the same mistakes.

While one thread visits a piece of the rows, others score the pieces after it with the weights
as they are. If the visit made no mistake, the weights have not moved, and what the others saw
is what the visit would have seen: it goes on at the first mistake that they found. If it did,
their work is thrown away. So this is tried only after a piece without mistakes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice

import numpy as np

from novikoff.errors import ParameterError
from novikoff.models.orders import Piece
from novikoff.wording import argument, in_python

PIECE = 1 << 20  # numbers in a piece: enough to be worth a message between threads


@dataclass(frozen=True)
class Helpers:
    """Threads, and how many of them have nothing else to do."""

    threads: Executor
    idle: int


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
    pieces: Iterator[Piece],
    visit: Callable[[Piece], int],
    scan: Callable[[Piece], int],
    helpers: Helpers,
) -> bool:
    """Visit the pieces; False as soon as `visit` returns a negative number.

    visit(piece) makes the updates and returns their number; scan(piece) changes nothing and
    returns the place of the first mistake, or the number of rows.
    """
    calm = False
    for piece in pieces:
        ahead = list(islice(pieces, helpers.idle)) if calm else []
        scans = [helpers.threads.submit(scan, later) for later in ahead]
        found = visit(piece)
        for later, scanned in zip(ahead, scans, strict=True):
            place = scanned.result()
            rest = later if found else later.rest(place)
            if found >= 0 and len(rest.order):
                made = visit(rest)
                found = made if made < 0 else found + made
        if found < 0:
            return False
        calm = found == 0
    return True
