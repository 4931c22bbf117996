"""One thread for linear algebra where matrices are small, because threads would wait; else all."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import cache
from typing import Any

MANY = 256  # columns from which a product of matrices is worth all threads
SMALL = 64  # up to so many columns, numpy alone does it, and importing scipy would take longest


def one_thread(dim: int) -> Any:
    """A context in which every BLAS uses one thread; without it small solves can take 50×.

    From `MANY` columns on it leaves the threads as they are.
    """
    if dim >= MANY:
        return nullcontext()
    with_scipy = dim > SMALL or "scipy.linalg" in sys.modules
    return _controller(with_scipy).limit(limits=1, user_api="blas")


@cache
def _controller(with_scipy: bool) -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    if with_scipy:
        import scipy.linalg  # noqa: F401  (has a BLAS of its own: it must be loaded to be limited)

    return ThreadpoolController()
