"""Blocks of a table as X and y.

A text column becomes one column of 0s and 1s for each of its levels, in sorted order and in
its place: this mapping is the encoding, which is kept, and can be given for the next file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs import table_of_fractions
from novikoff.io.data import Data, csr_over, join_columns
from novikoff.io.labels import Coded, kind_of, labels_of, signs_of, wider
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.io.tables import TableBlock
from novikoff.loops.csv import AS_TEXT

MOST_LEVELS = 100_000  # of one text column
MOST_DENSE_LEVELS = 100  # of all text columns together; with more, X is sparse


class TableReader:
    """What readers of tables share: they know `layout` before the first block."""

    format: str
    layout: Layout

    def __init__(self, options: Options, source: str) -> None:
        self.options = options
        self.source = source
        self.levels: dict[str, list[str]] | None = None
        if options.encoding is not None:
            self.levels = {name: list(levels) for name, levels in options.encoding.items()}
        self.label_kind: str | None = "text" if options.labels == "text" else None

    @property
    def needs_survey(self) -> bool:
        """Whether one pass must come first, to collect the levels of text columns."""
        return bool(self.layout.texts) and self.levels is None

    def survey(self, blocks: Iterable[TableBlock]) -> None:
        """Learn the levels and what the labels are."""
        names = [self.layout.names[c] for c in self.layout.texts]
        found: list[set[str]] = [set() for _ in names]
        for block in blocks:
            for name, levels, column in zip(names, found, block.texts, strict=True):
                levels.update(column.levels)
                if len(levels) > MOST_LEVELS:
                    raise FileError(
                        f"{self.source}: column {name!r} has more than {MOST_LEVELS:,} distinct "
                        "texts; leave it out with drop=."
                    )
            if isinstance(block.labels, Coded) and self.label_kind != "text":
                self.label_kind = wider(self.label_kind, kind_of(block.labels.levels))
        if self.levels is None:
            self.levels = {name: sorted(s) for name, s in zip(names, found, strict=True)}

    def finish(self, blocks: list[TableBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        labels = join_columns(self._labels(block) for block in blocks)
        n_dropped = sum(block.n_dropped for block in blocks)
        levels = self.levels or {}
        names = self._names() if self.layout.named or self.layout.texts else None
        if any(block.numbers.dtype == object for block in blocks):
            X = self._exact(blocks, names)
        elif sum(map(len, levels.values())) > MOST_DENSE_LEVELS:
            X = self._sparse(blocks)
        else:
            X = self._dense(blocks)
        return Data(
            X=X,
            y=signs_of(labels, self.options.positive),
            source=self.source,
            format=self.format,
            names=names,
            label=self.layout.label_name,
            encoding=levels,
            reading={"columns": self.layout.columns, **({"encoding": levels} if levels else {})},
            n_dropped=n_dropped,
        )

    def _labels(self, block: TableBlock) -> np.ndarray | None:
        if isinstance(block.labels, Coded):
            return labels_of(block.labels, self.label_kind or "text", self.source)
        return block.labels

    def _widths(self) -> list[int]:
        """How many columns of X each feature becomes."""
        return [
            len((self.levels or {})[self.layout.names[c]]) if self._is_text(c) else 1
            for c in self.layout.features
        ]

    def _is_text(self, c: int) -> bool:
        return self.layout.kinds[c] == AS_TEXT

    def _names(self) -> tuple[str, ...]:
        names: list[str] = []
        for c in self.layout.features:
            name = self.layout.names[c]
            if self._is_text(c):
                names += [f"{name}={level}" for level in (self.levels or {})[name]]
            else:
                names.append(name)
        return tuple(names)

    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """The first column of X of every number, and of every text."""
        starts = [0, *np.cumsum(self._widths()).tolist()]
        start_of = dict(zip(self.layout.features, starts, strict=False))
        numbers, texts = self.layout.numbers, self.layout.texts
        return np.array([start_of[c] for c in numbers], dtype=np.int64), np.array(
            [start_of[c] for c in texts], dtype=np.int64
        )

    @property
    def _is_as_read(self) -> bool:
        """Whether X is made of the numbers in the order of the file."""
        return self.layout.features == tuple(self.layout.numbers)

    def _ranks(self, t: int, column: Coded) -> np.ndarray:
        """For every row the place of its level among the encoding's, -1 for one that is unseen."""
        name = self.layout.names[self.layout.texts[t]]
        order = {level: k for k, level in enumerate((self.levels or {})[name])}
        ranks = [order.get(level, -1) for level in column.levels]
        of_rows: np.ndarray = np.array(ranks, dtype=np.int64)[column.codes]
        return of_rows

    def _dense(self, blocks: list[TableBlock], dtype: Any = np.float64) -> np.ndarray:
        if len(blocks) == 1 and self._is_as_read:
            return blocks.pop().numbers
        n_rows = sum(block.n_rows for block in blocks)
        width = sum(self._widths()) if self.layout.texts else len(self.layout.numbers)
        numbers, texts = (None, None) if self._is_as_read else self._places()
        X = np.zeros((n_rows, width), dtype=dtype)
        row = 0
        blocks.reverse()
        while blocks:
            block = blocks.pop()
            part = X[row : row + block.n_rows]
            if numbers is None or texts is None:
                part[:] = block.numbers
            else:
                part[:, numbers] = block.numbers
                for t, column in enumerate(block.texts):
                    ranks = self._ranks(t, column)
                    seen = np.flatnonzero(ranks >= 0)
                    part[seen, texts[t] + ranks[seen]] = 1
            row += block.n_rows
        return X

    def _exact(self, blocks: list[TableBlock], names: tuple[str, ...] | None) -> Any:
        X = self._dense(blocks, dtype=object)
        return table_of_fractions(X.ravel().tolist(), X.shape, names, "decimal")

    def _sparse(self, blocks: list[TableBlock]) -> Any:
        """CSR with one entry for every number and every text of a row."""
        n_rows = sum(block.n_rows for block in blocks)
        numbers, texts = self._places()
        place_of = {c: place for place, c in enumerate(self.layout.features)}
        of_numbers = [place_of[c] for c in self.layout.numbers]
        of_texts = [place_of[c] for c in self.layout.texts]
        values = np.ones((n_rows, len(place_of)))
        columns = np.empty((n_rows, len(place_of)), dtype=np.int32)
        columns[:, of_numbers] = numbers
        row = 0
        blocks.reverse()
        while blocks:
            block = blocks.pop()
            rows = slice(row, row + block.n_rows)
            values[rows, of_numbers] = block.numbers
            for t, (place, column) in enumerate(zip(of_texts, block.texts, strict=True)):
                ranks = self._ranks(t, column)
                columns[rows, place] = texts[t] + np.maximum(ranks, 0)
                values[rows, place] = ranks >= 0
            row += block.n_rows
        whole = np.int32 if values.size < 2**31 else np.int64
        starts = np.arange(n_rows + 1, dtype=whole) * len(place_of)
        flat = columns.ravel().astype(whole, copy=False)
        return csr_over(values.ravel(), flat, starts, sum(self._widths()))
