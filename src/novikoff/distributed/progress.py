"""What is said while the cluster works: nothing, unless it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from novikoff.wording import count, first_few, plural

Say = Callable[[Any], None]


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
        return (
            f"round {self.number}: {count(self.n_mistakes, 'mistake', ',')} on "
            f"{len(self.mistakes)} {plural(len(self.mistakes), 'shard')} "
            f"({first_few(self.mistakes)}), {self.seconds:.2f} s, "
            f"{self.rows_a_second:,.0f} rows a second"
        )


def reporter(verbose: Any, client: Any, n_shards: int) -> Say:
    """What tells standard error how it goes, where that is wanted."""
    if not verbose:
        return lambda _: None
    print(f"{count(n_shards, 'shard')}; Dask's dashboard: {client.dashboard_link}", file=sys.stderr)
    return lambda text: print(text, file=sys.stderr, flush=True)
