"""One thread for linear algebra: the matrices of a search are small, and threads would wait."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

SMALL = 64  # up to so many columns, numpy alone does it, and importing scipy would take longest


def one_thread(dim: int) -> Any:
    """A context in which every BLAS uses one thread; without it small solves can take 50×."""
    with_scipy = dim > SMALL or "scipy.linalg" in sys.modules
    return _controller(with_scipy).limit(limits=1, user_api="blas")


@cache
def _controller(with_scipy: bool) -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    if with_scipy:
        import scipy.linalg  # noqa: F401  (has a BLAS of its own: it must be loaded to be limited)

    return ThreadpoolController()
