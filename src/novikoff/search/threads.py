"""One thread for linear algebra where matrices are small, because threads would wait; else all.

Threads meet at every block of columns of a factorization. On a machine with other work they wait
there for one that does not run: a Cholesky factor of 500 columns, 2 ms in one thread, took 500 ms
in two. A product of matrices meets once.

The number of threads belongs to the process, so one thread of Python at a time sets and restores
it. If each restored what it had found, the last to leave would restore the 1 of another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from threading import Lock
from typing import Any

MANY = 768  # columns from which a product of matrices is worth all threads
THREADED = 1 << 23  # multiplications that are worth all threads: 2 ms, as they wait for each other
FACTORED_COLUMNS = 4096  # columns up to which a Cholesky factor is not
NUMPY_COLUMNS = 64  # up to here numpy alone does it: importing scipy would take longest


def one_thread(dim: int) -> AbstractContextManager[None]:
    """A context in which every BLAS uses one thread; without it small solves can take 50×.

    From `MANY` columns on it leaves the threads as they are.
    """
    if dim >= MANY:
        return nullcontext()
    return _limited(_controller(dim > NUMPY_COLUMNS or "scipy.linalg" in sys.modules))


def one_thread_to_factor(dim: int) -> AbstractContextManager[None]:
    """The same for a Cholesky factor of so many columns, which is a small part of all work.

    Few columns may be left of a table of many, for which threads were not limited.
    """
    return one_thread(0) if dim <= FACTORED_COLUMNS else nullcontext()


def one_thread_to_multiply(multiplications: int) -> AbstractContextManager[None]:
    """The same for products of rows with vectors."""
    return nullcontext() if multiplications > THREADED else one_thread(0)


_TURN = Lock()  # of what has set the number of threads


@contextmanager
def _limited(controller: Any) -> Iterator[None]:
    """One thread; where that is seen to already, here or in another thread, nothing is done."""
    if not _TURN.acquire(blocking=False):
        yield
        return
    try:
        with controller.limit(limits=1, user_api="blas"):
            yield
    finally:
        _TURN.release()


@cache
def _controller(with_scipy: bool) -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    if with_scipy:
        import scipy.linalg  # noqa: F401  (has a BLAS of its own: it must be loaded to be limited)

    return ThreadpoolController()
