"""Blocks of a table as X and y.

A text column becomes one column of 0s and 1s for each of its levels, in sorted order and in
its place: this mapping is the encoding, which is kept, and can be given for the next file. With
levels="reference" the first level has no column: beside an offset, all levels are collinear.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs import Table, table_of_fractions
from novikoff.inputs.csr import csr_over
from novikoff.io.data import (
    MOST_EXACT_NUMBERS,
    Data,
    encoded_note,
    join_columns,
    n_beyond,
    rows_left_out,
)
from novikoff.io.fields import number_in_words, odd_number, shown
from novikoff.io.labels import Coded, LabelKind
from novikoff.io.layout import AS_TEXT, FEW_LEVELS, Layout, too_many_levels
from novikoff.io.options import Options
from novikoff.io.reading import Reader
from novikoff.io.sources import Source
from novikoff.io.tables import TableBlock, naming, odd_cell
from novikoff.wording import keyword

MOST_LEVELS = 100_000  # of one text column
MOST_EXACT_LEVELS = 4 * MOST_EXACT_NUMBERS  # numbers of a table of decimals and many levels
MOST_DENSE_LEVELS = 100  # of all text columns together; with more, X is sparse


class TableReader(Reader):
    """What readers of tables share: they know `layout` before the first block."""

    layout: Layout
    surveyed = ("encoding", "unseen")

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self.levels: dict[str, list[str]] | None = None
        if options.encoding is not None:
            self.levels = {name: list(levels) for name, levels in options.encoding.items()}
        self.label_kind = LabelKind(options.numerals)
        self.notes: list[str] = []
        self.facts: dict[str, Any] = {}  # what was found out about the file, for `read`

    def take_layout(self, layout: Layout) -> None:
        """Settle the columns; those to be kept are named from now on."""
        self.layout = layout
        kept = tuple(layout.wanted(c) for c in sorted(layout.kept))
        self.options = replace(self.options, keep=kept)

    def identity(self) -> dict[str, Any]:
        """What was found out about the columns, whatever was said of them."""
        layout = self.layout
        return {
            "format": self.format,
            **self.facts,
            "columns": layout.columns,
            "texts": [layout.wanted(c) for c in layout.texts],
            "label": layout.label_name,
            "missing": self.options.missing,
            "classes": self.options.classes,
            "levels": self.options.levels if layout.texts else "all",
        }

    @property
    def needs_survey(self) -> bool:
        return bool(self.layout.texts) and self.levels is None

    def survey(self, blocks: Iterable[TableBlock]) -> None:
        """Learn the levels and what labels are; FileError where a column is not to be guessed."""
        names = [self.layout.names[c] for c in self.layout.texts]
        found: list[set[str]] = [set() for _ in names]
        n_rows = 0
        for block in blocks:
            for name, levels, column in zip(names, found, block.texts, strict=True):
                levels.update(column.levels)
                if len(levels) > MOST_LEVELS:
                    raise FileError(
                        f"{self.source}: column {name!r} has more than {MOST_LEVELS:,} distinct "
                        f"texts; leave it out with {keyword('drop', name)}."
                    )
            n_rows += block.n_rows
            if isinstance(block.labels, Coded) and self.options.labels != "text":
                self.label_kind.add(block.labels.levels)
        if self.levels is None:
            self.levels = {name: sorted(s) for name, s in zip(names, found, strict=True)}
            self._check_texts(n_rows)

    def _check_texts(self, n_rows: int) -> None:
        """Raise where a column of text that nobody named is one of numbers, or of names of rows."""
        layout, is_number = self.layout, self.options.numerals.is_number
        for c in layout.texts:
            levels = (self.levels or {})[layout.names[c]]
            where = f"{self.source}, column {layout.quoted(c)}"
            if c in layout.chosen:
                continue
            numbers = list(filter(is_number, levels)) if layout.typed else []
            words = [x for x in levels if not is_number(x)] if layout.typed else levels
            odd = odd_number(words) if layout.typed else None  # else each cell was looked at
            if odd := odd or number_in_words(words, len(numbers)):
                raise FileError(f"{where}: {odd_cell(layout, c, odd)}.")
            if len(levels) > FEW_LEVELS and 2 * len(numbers) >= len(levels):
                raise FileError(
                    f"{where}: the column is of text and holds numbers ({shown(numbers[0])}); "
                    f"store them as numbers, take them as levels with {naming(layout, c)}."
                )
            if too_many_levels(len(levels), n_rows):
                raise FileError(
                    f"{where}: {len(levels):,} different texts in {n_rows:,} rows, such as "
                    f"{shown(levels[0])}, name the rows rather than describe them; take them as "
                    f"levels with {naming(layout, c)}."
                )

    def finish(self, blocks: list[TableBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        y = join_columns(self._labels(block) for block in blocks)
        left_out = rows_left_out((block.n_rows, block.dropped) for block in blocks)
        starts, width = self._starts()
        n_rows = sum(block.n_rows for block in blocks)
        if (limit := self.sources[0].limit) is not None:
            limit.check_shape(self.source, n_rows, width)
        names: tuple[str, ...] | None = None
        if self.layout.named or self.layout.texts:
            names = tuple(name for c in self.layout.features for name in self._names_of(c))
        is_sparse = sum(map(len, (self.levels or {}).values())) > MOST_DENSE_LEVELS
        n_rounded = sum(block.n_rounded for block in blocks)
        n_rounded += self._round_if_too_many(blocks, n_rows * width, is_sparse)
        X: Any
        if any(block.numbers.dtype == object for block in blocks):
            X = self._dense(blocks, np.empty((n_rows, width), dtype=object), starts)
            X = np.frompyfunc(lambda v: Fraction(v) if isinstance(v, float) else v, 1, 1)(X)
            numbers = "decimal" if self.options.numbers == "decimal" else "binary64"
            X = table_of_fractions(X.ravel().tolist(), X.shape, names, numbers)
        elif is_sparse:
            X = self._sparse(blocks, n_rows, starts, width)
        elif len(blocks) == 1 and self._is_as_read:
            X = blocks.pop().numbers
        else:
            X = self._dense(blocks, np.empty((n_rows, width)), starts)
        if self.options.numbers == "decimal" and not isinstance(X, Table):
            X = Table(X, names, "decimal")
        levels = self.levels or {}
        coding = self.options.levels if self.layout.texts else "all"
        coded = {} if coding == "all" else {"levels": coding}
        reading = {"columns": self.layout.columns, **({"encoding": levels} if levels else {})}
        reading |= coded | {name: self.facts[name] for name in ("decimal", "thousands", "na")
                            if self.facts.get(name)}  # fmt: skip
        return Data(
            X, y, self.source, self.format, names, self.layout.label_name, levels,
            reading=reading, left_out=left_out, n_rounded=n_rounded, notes=self._notes(),
            options=self.options.to_read_again(
                self.layout.label_name,
                **self.facts,
                columns=None if self.layout.is_whole else self.layout.columns,
                encoding=levels or None,
                **coded,
            ),
        )  # fmt: skip

    def written_labels(self, block: TableBlock) -> Coded | np.ndarray | None:
        return self._labels(block)

    def notes_of(self, kept: Data) -> tuple[str, ...]:
        """What was left out or encoded, as this reader was asked to."""
        self.levels = dict(kept.encoding)
        if self.options.encoding is None:  # they may have been given by whoever made the cache
            self._check_texts(kept.n_rows)
        return self._notes()

    def _notes(self) -> tuple[str, ...]:
        layout, levels = self.layout, self.levels or {}
        texts = {layout.quoted(c): levels[layout.names[c]] for c in layout.texts}
        encoded = encoded_note(texts, self._n_spared)
        return (*self.notes, *layout.notes, *encoded, *self.label_kind.notes)

    @property
    def _n_spared(self) -> int:
        """How many of the first levels of each text have no column: the reference, if any.

        Where X would have no columns at all, every level keeps its own.
        """
        levels = (self.levels or {}).values()
        is_left = bool(self.layout.numbers) or any(len(some) > 1 for some in levels)
        return int(self.options.levels == "reference" and is_left)

    def _indicators(self, c: int) -> list[str]:
        """The levels of a text that have a column of X."""
        return (self.levels or {})[self.layout.names[c]][self._n_spared :]

    def _labels(self, block: TableBlock) -> np.ndarray | None:
        if isinstance(block.labels, Coded):
            return self.label_kind.take(block.labels, self.options.labels, self.source)
        return block.labels

    def _names_of(self, c: int) -> list[str]:
        """The columns of X that a column of the file becomes."""
        name = self.layout.names[c]
        if self.layout.kinds[c] != AS_TEXT:
            return [name]
        return [f"{name}={level}" for level in self._indicators(c)]

    def _starts(self) -> tuple[dict[int, int], int]:
        """The first column of X of every feature, and how many columns X has."""
        starts, width = {}, 0
        for c in self.layout.features:
            starts[c] = width
            width += len(self._indicators(c)) if self.layout.kinds[c] == AS_TEXT else 1
        return starts, width

    @property
    def _is_as_read(self) -> bool:
        """Whether X is made of the numbers in the order of the file."""
        return self.layout.features == tuple(self.layout.numbers)

    def _ranks(self, t: int, column: Coded) -> np.ndarray:
        """For every row the place of its level among the columns, -1 for one that has none."""
        order = {level: k for k, level in enumerate(self._indicators(self.layout.texts[t]))}
        ranks = [order.get(level, -1) for level in column.levels]
        of_rows: np.ndarray = np.array(ranks, dtype=np.int64)[column.codes]
        return of_rows

    def _dense(self, blocks: list[TableBlock], X: np.ndarray, starts: dict[int, int]) -> np.ndarray:
        """X, filled with the rows of the blocks; the list is emptied, so that memory is free."""
        numbers = [starts[c] for c in self.layout.numbers]
        row = 0
        blocks.reverse()
        while blocks:
            block = blocks.pop()
            part = X[row : row + block.n_rows]
            row += block.n_rows
            if self._is_as_read:
                part[:] = block.numbers
                continue
            part[:] = 0
            part[:, numbers] = block.numbers
            for t, column in enumerate(block.texts):
                ranks = self._ranks(t, column)
                seen = np.flatnonzero(ranks >= 0)
                part[seen, starts[self.layout.texts[t]] + ranks[seen]] = 1
        return X

    def _round_if_too_many(self, blocks: list[TableBlock], n_cells: int, is_sparse: bool) -> int:
        """Take floats where exact numbers would be too many; how many numbers that changes.

        Where decimals were asked for they stay, unless all are floats and X can be sparse, or
        FileError where there is no room for as many.
        """
        exact = [k for k, block in enumerate(blocks) if block.numbers.dtype == object]
        is_asked_for = self.options.numbers is not None
        if not exact or n_cells <= MOST_EXACT_NUMBERS or (is_asked_for and not is_sparse):
            return 0
        floats = {k: blocks[k].numbers.astype(np.float64) for k in exact}
        if is_asked_for and any((floats[k] != blocks[k].numbers).any() for k in exact):
            if n_cells <= MOST_EXACT_LEVELS:
                return 0
            raise FileError(
                f"{self.source}: {n_cells:,} numbers, most of them of levels, are too many "
                f"beside decimals; {keyword('numbers', 'binary64')} takes the nearest floats."
            )
        for k in exact:
            blocks[k] = blocks[k]._replace(numbers=floats[k])
        return sum(map(n_beyond, floats.values()))

    def _sparse(
        self, blocks: list[TableBlock], n_rows: int, starts: dict[int, int], width: int
    ) -> Any:
        """CSR with one entry for every number and every text of a row."""
        layout = self.layout
        is_text = {c: layout.kinds[c] == AS_TEXT for c in layout.features}
        stored = [c for c in layout.features if not is_text[c] or self._indicators(c)]
        place_of = {c: place for place, c in enumerate(stored)}  # a reference alone has none
        of_numbers = [place_of[c] for c in layout.numbers]
        values = np.ones((n_rows, len(stored)))
        columns = np.empty((n_rows, len(stored)), dtype=np.int32)
        columns[:, of_numbers] = [starts[c] for c in layout.numbers]
        row = 0
        blocks.reverse()
        while blocks:
            block = blocks.pop()
            rows = slice(row, row + block.n_rows)
            values[rows, of_numbers] = block.numbers
            for t, (c, column) in enumerate(zip(layout.texts, block.texts, strict=True)):
                if c in place_of:
                    ranks = self._ranks(t, column)
                    columns[rows, place_of[c]] = starts[c] + np.maximum(ranks, 0)
                    values[rows, place_of[c]] = ranks >= 0
            row += block.n_rows
        whole = np.int32 if values.size < 2**31 else np.int64
        row_starts = np.arange(n_rows + 1, dtype=whole) * len(stored)
        return csr_over(
            values.ravel(), columns.ravel().astype(whole, copy=False), row_starts, width
        )
