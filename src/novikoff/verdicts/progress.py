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
    is_shown = sys.stderr.isatty() or "ipykernel" in sys.modules if wanted is None else wanted
    done, due, is_drawn = 0, time.monotonic() + PATIENCE, False

    def draw() -> None:
        full = WIDTH * done // total
        line = f"[{'#' * full}{' ' * (WIDTH - full)}] {done:,} of {total:,} labellings"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    def add(number: int) -> None:
        nonlocal done, due, is_drawn
        done += number
        if is_shown and time.monotonic() >= due:
            due, is_drawn = time.monotonic() + RENEWED, True
            draw()

    try:
        yield add
    finally:
        if is_drawn:
            draw()
            print(file=sys.stderr)
