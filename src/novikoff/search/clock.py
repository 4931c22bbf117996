"""How long each stage of a search took, and when it must end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TIME_ENDED = "the time limit ended the search"


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
