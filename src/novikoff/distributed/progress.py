"""What is said while the cluster works: nothing, unless it is asked for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from novikoff.wording import count, plural, unsteering

SHARDS_SHOWN = 8


@dataclass(frozen=True)
class Round:
    """A round that has ended."""

    number: int  # from 1
    mistakes: tuple[int, ...]  # of each shard
    n_rows: int  # that were visited
    seconds: float

    @property
    def n_mistakes(self) -> int:
        return sum(self.mistakes)

    @property
    def rows_a_second(self) -> float:
        return self.n_rows / max(self.seconds, 1e-9)

    def __str__(self) -> str:
        total = self.n_mistakes
        shown = ", ".join(map(str, self.mistakes[:SHARDS_SHOWN])) + ", …" * (
            len(self.mistakes) > SHARDS_SHOWN
        )
        return (
            f"round {self.number}: {count(total, 'mistake', ',')} on {len(self.mistakes)} "
            f"{plural(len(self.mistakes), 'shard')} ({shown}), {self.seconds:.2f} s, "
            f"{self.rows_a_second:,.0f} rows a second"
        )


class Reporter:
    """Says what happens: to standard error where `verbose`, and to `progress` where given."""

    def __init__(self, verbose: Any, progress: Callable[[Round], Any] | None) -> None:
        self.verbose = bool(verbose)
        self.progress = progress
        self.started = time.perf_counter()

    def say(self, text: str) -> None:
        if self.verbose:
            print(text, file=sys.stderr, flush=True)

    def begin(self, client: Any, n_shards: int) -> None:
        if self.verbose:
            link = client.dashboard_link
            self.say(f"{count(n_shards, 'shard')}; Dask's dashboard: {link}")

    def remark(self, notes: Sequence[str]) -> None:
        """What was encoded or left out of the rows, or is to be doubted."""
        if notes:
            self.say(f"novikoff: {unsteering('; '.join(notes))}.")

    def end_of(self, ended: Round) -> None:
        self.say(str(ended))
        if self.progress is not None:
            self.progress(ended)
