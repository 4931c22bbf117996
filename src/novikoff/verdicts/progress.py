"""A progress bar for work of more than a second: on a terminal, or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from novikoff.errors import ParameterError

PATIENCE = 1.0  # seconds before anything is shown
RENEWED = 0.1  # seconds after which it is drawn again
WIDTH = 30  # letters of the bar on a terminal


@contextmanager
def bar(total: int, wanted: bool | None) -> Iterator[Callable[[int], None]]:
    """A function that is told how many are done; None is for a bar where somebody can see it."""
    if wanted is not None and not isinstance(wanted, bool):
        raise ParameterError(f"progress is {wanted!r}; it must be True, False or None.", "progress")
    notebook = _notebook() if wanted is not False else None
    if wanted is False or (notebook is None and not wanted and not sys.stderr.isatty()):
        yield lambda _: None
        return
    shown = _Bar(total, notebook)
    try:
        yield shown.add
    finally:
        shown.close()


def _notebook() -> Any:
    """IPython's `display`, where a notebook is running; nobody has one who has not loaded it."""
    loaded: Any = sys.modules.get("IPython")
    shell = loaded.get_ipython() if loaded is not None else None
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

    return display


class _Bar:
    def __init__(self, total: int, notebook: Any) -> None:
        self.total, self.done, self.notebook, self.handle = total, 0, notebook, None
        self.began = self.last = time.monotonic()
        self.is_drawn = False

    def add(self, number: int) -> None:
        self.done += number
        now = time.monotonic()
        if now - self.began < PATIENCE or now - self.last < RENEWED:
            return
        self.last = now
        self._draw()

    def _draw(self) -> None:
        self.is_drawn = True
        words = f"{self.done:,} of {self.total:,} labellings"
        if self.notebook is None:
            full = WIDTH * self.done // self.total
            print(f"\r[{'#' * full}{' ' * (WIDTH - full)}] {words}", end="", file=sys.stderr)
            sys.stderr.flush()
            return
        shown = _Html(f"<progress max='{self.total}' value='{self.done}'></progress> {words}")
        if self.handle is None:
            self.handle = self.notebook(shown, display_id=True)
        else:
            self.handle.update(shown)

    def close(self) -> None:
        if not self.is_drawn:
            return
        self._draw()
        if self.notebook is None:
            print(file=sys.stderr)


class _Html:
    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_html_(self) -> str:
        return self.text
