"""One thread for linear algebra: the matrices of a search are small, and threads would wait."""

from __future__ import annotations

from functools import cache
from typing import Any


def one_thread() -> Any:
    """A context in which every BLAS uses one thread; without it small solves can take 50×."""
    return _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401  (has a BLAS of its own, which must be loaded to be limited)
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
