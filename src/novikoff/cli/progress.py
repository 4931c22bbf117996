"""Signs of life on a terminal, for work that takes longer than a second; nothing in a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from novikoff.cli.terminal import raw, visible

PATIENCE = 1.0  # seconds before anything is shown
RENEWED = 0.2  # seconds after which new words are shown


@contextmanager
def waiting(what: str, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show `what` and a spinner on stderr while the block runs, if stderr is a terminal.

    The block is given a function that puts other words in the place of these.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    words = [what]
    done = threading.Event()
    watcher = threading.Thread(target=_spin, args=(words, done), daemon=True)
    watcher.start()
    try:
        yield lambda text: words.__setitem__(0, text)
    finally:
        done.set()
        watcher.join()


def _spin(words: list[str], done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.text import Text

    with Console(file=raw(sys.stderr)).status("") as shown:
        shown.update(Text(f"{visible(words[0])} …"))
        while not done.wait(RENEWED):
            shown.update(Text(f"{visible(words[0])} …"))
