"""How long each stage of a search took, and when it must end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TIME_ENDED = "the time limit ended the search"


def seconds_to_solve(n_columns: int, n_bits: int) -> float:
    """About how long an exact solve takes, of integers of so many bits.

    Measured: 2.3 s for 400 columns of 53 bits; 1.1 s for 300 of 59, and 2 s for 1,000 of 11.
    """
    return float(2.3 * (n_columns / 400) ** 3.4 * (n_bits / 53) ** 2)


def seconds_to_reduce(n_rows: int, n_columns: int) -> float:
    """About how long an echelon form modulo a prime takes, and making its integers.

    Measured: 0.22 s and 0.16 s for 2,000 × 600.
    """
    cells = n_rows * n_columns
    return cells * min(n_rows, n_columns) / 3e9 + cells * 2e-7


def seconds_to_pivot(n_rows: int, n_columns: int) -> float:
    """About how long a QR factorization with pivots takes: 2·10^9 products and sums a second."""
    return 2.0 * max(n_rows, n_columns) * min(n_rows, n_columns) ** 2 / 2e9


class OutOfTimeError(Exception):
    """The time limit has passed: the search stops where it is and says so."""


class Clock:
    """Seconds by stage, and an optional limit on their sum; `stop` may end it before."""

    def __init__(
        self, time_limit: float | None = None, stop: Callable[[], bool] | None = None
    ) -> None:
        self.started = time.perf_counter()
        self.time_limit = time_limit
        self.stop = stop
        self.seconds: dict[str, float] = {}

    def left(self) -> float:
        """The seconds that remain: infinity without a limit."""
        if self.stop is not None and self.stop():
            return 0.0
        if self.time_limit is None:
            return float("inf")
        return self.time_limit - self.spent()

    def spent(self) -> float:
        """The seconds since the start."""
        return time.perf_counter() - self.started

    def check(self) -> None:
        if self.left() <= 0.0:
            raise OutOfTimeError

    def check_call(self, seconds: float) -> None:
        """Raise now, if a call that nothing interrupts would end too late."""
        if self.left() <= seconds:
            raise OutOfTimeError

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time spent inside under `name`; a stage may be entered many times."""
        self.check()
        began = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - began
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
