"""One thread for linear algebra where matrices are small, because threads would wait; else all.

Threads meet at every block of columns of a factorization. On a machine with other work they wait
there for one that does not run: a Cholesky factor of 500 columns, 2 ms in one thread, took 500 ms
in two. A product of matrices meets once.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import cache
from typing import Any

MANY = 768  # columns from which a product of matrices is worth all threads
FACTORED = 4096  # columns up to which a Cholesky factor is not
SMALL = 64  # up to so many columns, numpy alone does it, and importing scipy would take longest


def one_thread(dim: int) -> Any:
    """A context in which every BLAS uses one thread; without it small solves can take 50×.

    From `MANY` columns on it leaves the threads as they are.
    """
    if dim >= MANY:
        return nullcontext()
    with_scipy = dim > SMALL or "scipy.linalg" in sys.modules
    return _controller(with_scipy).limit(limits=1, user_api="blas")


def one_thread_to_factor(dim: int) -> Any:
    """The same for a Cholesky factor of so many columns, which is a small part of all work."""
    return one_thread(0 if MANY <= dim <= FACTORED else MANY)


@cache
def _controller(with_scipy: bool) -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    if with_scipy:
        import scipy.linalg  # noqa: F401  (has a BLAS of its own: it must be loaded to be limited)

    return ThreadpoolController()
