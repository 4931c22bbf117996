"""What the first rows of a stream show of its columns, as `read` says it of a whole file.

Nothing is left out and nothing ends because of it: it is said once, after MOST rows or at the
end, and a run that goes on from a checkpoint says nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.io.options import Options
from novikoff.online.stream.rows import Row

MOST = 1000  # rows
WIDE = 500  # columns; of more, those are looked at that every row has
BY_NAME = ("csv", "tsv", "jsonl")  # formats whose columns can be dropped


class FirstRows:
    """The first rows with a label, until there are enough."""

    def __init__(self, is_wanted: bool) -> None:
        self.rows: list[Row] = []
        self.is_done = not is_wanted

    def add(self, row: Row) -> bool:
        """Keep a row; whether that was the last."""
        if row.x is not None and row.label is not None:
            self.rows.append(row)
        return len(self.rows) >= MOST

    def notes(self, source: str, format: str, given: Options) -> tuple[str, ...]:
        """What to say of the columns; the rows are let go."""
        from novikoff.io.counters import rising_notes
        from novikoff.io.data import Data
        from novikoff.io.doubts import doubts

        rows, self.rows, self.is_done = self.rows, [], True
        names = _names(rows)
        X = np.zeros((len(rows), len(names)))
        try:
            for i, row in enumerate(rows):
                X[i] = [(row.x or {}).get(name, 0.0) for name in names]
        except (TypeError, ValueError, OverflowError):  # a number beyond all floats
            return ()
        words = tuple(map(str, names))
        labels = np.array([str(row.label) for row in rows])
        reading = {"columns": list(words)} if format in BY_NAME else {}
        data = Data(X, labels, source, format, names=words, reading=reading)
        kept = set(map(str, given.keep))
        rising = () if format in ("csv", "tsv") and kept else rising_notes(X, words)
        found = (*rising, *doubts(data, given))
        return (f"in the first {len(rows):,} rows {found[0]}", *found[1:]) if found else ()


def _names(rows: list[Row]) -> list[Any]:
    """The features that at least two rows have; of very many those that all rows have."""
    times: dict[Any, int] = {}
    for row in rows:
        for name in row.x or ():
            times[name] = times.get(name, 0) + 1
    names = [name for name, n in times.items() if n > 1]
    return names if len(names) <= WIDE else [n for n in names if times[n] == len(rows)][:WIDE]
