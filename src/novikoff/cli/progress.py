"""Signs of life on a terminal, for work that takes longer than a second; nothing in a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from novikoff.cli.terminal import raw, visible

PATIENCE = 1.0  # seconds


@contextmanager
def waiting(what: str, quiet: bool = False) -> Iterator[None]:
    """Show `what` and a spinner on stderr while the block runs, if stderr is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_spin, args=(what, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _spin(what: str, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.text import Text

    with Console(file=raw(sys.stderr)).status(Text(f"{visible(what)} …")):
        done.wait()


class Passes:
    """A bar of passes with the mistakes of the last one and the rows a second."""

    def __init__(self, passes: int, quiet: bool) -> None:
        self.passes = passes
        self.bar: Any = None if quiet or not sys.stderr.isatty() else self._made()

    def _made(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        return Progress(
            TextColumn("pass"), MofNCompleteColumn(), BarColumn(),
            TextColumn("{task.fields[mistakes]} mistakes, {task.fields[speed]} rows a second"),
            console=Console(file=raw(sys.stderr)), transient=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        if self.bar:
            self.bar.start()
            self.task = self.bar.add_task("", total=self.passes, mistakes="–", speed="–")
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar:
            self.bar.stop()

    def passed(self, done: int, mistakes: int, speed: float) -> None:
        if self.bar:
            self.bar.update(
                self.task, completed=done, mistakes=f"{mistakes:,}", speed=f"{speed:,.0f}"
            )
