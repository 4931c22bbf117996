"""A progress bar on standard error, for work of more than a second.

It is a line that is written over, which a notebook shows as a terminal does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from novikoff.errors import ParameterError

PATIENCE = 1.0  # seconds before anything is shown
RENEWED = 0.1  # seconds after which it is drawn again
WIDTH = 30  # letters of the bar


@contextmanager
def bar(total: int, wanted: bool | None) -> Iterator[Callable[[int], None]]:
    """A function that is told how many are done; None is for a bar where somebody can see it."""
    if wanted is not None and not isinstance(wanted, bool):
        raise ParameterError(f"progress is {wanted!r}; it must be True, False or None.", "progress")
    is_seen = sys.stderr.isatty() or "ipykernel" in sys.modules
    shown = _Bar(total, is_seen if wanted is None else wanted)
    try:
        yield shown.add
    finally:
        if shown.is_drawn:
            shown.draw()
            print(file=sys.stderr)


class _Bar:
    def __init__(self, total: int, is_wanted: bool) -> None:
        self.total, self.done, self.is_wanted = total, 0, is_wanted
        self.began = self.last = time.monotonic()
        self.is_drawn = False

    def add(self, number: int) -> None:
        self.done += number
        now = time.monotonic()
        if self.is_wanted and now - self.began >= PATIENCE and now - self.last >= RENEWED:
            self.last = now
            self.draw()

    def draw(self) -> None:
        self.is_drawn = True
        full = WIDTH * self.done // self.total
        bar = f"[{'#' * full}{' ' * (WIDTH - full)}]"
        print(f"\r{bar} {self.done:,} of {self.total:,} labellings", end="", file=sys.stderr)
        sys.stderr.flush()
