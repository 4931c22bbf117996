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
from novikoff.io.fields import odd_column, shown
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

    @property
    def guessed(self) -> list[int]:
        """The text columns that nobody named as such."""
        return [c for c in self.layout.texts if c not in self.layout.chosen]

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
        """Whether one pass must come first, to collect the levels of text columns."""
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
            for c, listed in zip(self.layout.texts, self.levels.values(), strict=True):
                self._check_text(c, listed, n_rows)

    def _check_text(self, c: int, levels: list[str], n_rows: int) -> None:
        """Raise where a column of text is rather one of numbers, or of names of rows."""
        if c not in self.guessed:
            return
        layout = self.layout
        where = f"{self.source}, column {layout.quoted(c)}"
        is_number = self.options.numerals.is_number
        usual = frozenset(filter(is_number, levels)) if layout.typed else frozenset()
        if odd := odd_column(levels, usual):
            raise FileError(f"{where}: {odd_cell(layout, c, odd)}.")
        if len(levels) > FEW_LEVELS and 2 * len(usual) >= len(levels):
            cell = next(level for level in levels if level in usual)
            raise FileError(
                f"{where}: the column is of text and holds numbers ({shown(cell)}); store them as "
                f"numbers, take them as levels with {naming(layout, c)}."
            )
        if too_many_levels(len(levels), n_rows):
            raise FileError(
                f"{where}: {len(levels):,} different texts in {n_rows:,} rows, such as "
                f"{shown(levels[0])}, name the rows rather than describe them; take them as levels "
                f"with {naming(layout, c)}."
            )

    def finish(self, blocks: list[TableBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        labels = join_columns(self._labels(block) for block in blocks)
        left_out = rows_left_out((block.n_rows, block.dropped) for block in blocks)
        levels = self.levels or {}
        if (limit := self.sources[0].limit) is not None:
            limit.check_shape(self.source, sum(b.n_rows for b in blocks), sum(self._widths()))
        names = self._names() if self.layout.named or self.layout.texts else None
        n_rounded = sum(block.n_rounded for block in blocks)
        n_rounded += self._round_if_too_many(blocks)
        if any(block.numbers.dtype == object for block in blocks):
            X = self._exact(blocks, names)
        elif self._is_sparse:
            X = self._sparse(blocks)
        else:
            X = self._dense(blocks)
        if self.options.numbers == "decimal" and not isinstance(X, Table):
            X = Table(X, names, "decimal")
        return Data(
            X=X,
            y=labels,
            source=self.source,
            format=self.format,
            names=names,
            label=self.layout.label_name,
            encoding=levels,
            reading=self._reading(levels),
            left_out=left_out,
            n_rounded=n_rounded,
            notes=self._notes(levels),
            options=self.options.to_read_again(
                self.layout.label_name,
                **self.facts,
                columns=None if self.layout.is_whole else self.layout.columns,
                encoding=levels or None,
                levels=self._coding,
            ),
        )

    @property
    def _is_sparse(self) -> bool:
        """Whether text columns have so many levels that X is a CSR matrix."""
        return sum(map(len, (self.levels or {}).values())) > MOST_DENSE_LEVELS

    def written_labels(self, block: TableBlock) -> Coded | np.ndarray | None:
        """The labels of a block before anything is made of them."""
        return self._labels(block)

    def notes_of(self, kept: Data) -> tuple[str, ...]:
        """What was left out or encoded, as this reader was asked to."""
        if self.options.encoding is None:  # they may have been given by whoever made the cache
            for c in self.layout.texts:
                self._check_text(c, kept.encoding[self.layout.names[c]], kept.n_rows)
        self.levels = dict(kept.encoding)
        return self._notes(self.levels)

    def _notes(self, levels: dict[str, list[str]]) -> tuple[str, ...]:
        notes = (*self.notes, *self.layout.notes, *self._encoded(levels))
        return (*notes, *self.label_kind.notes)

    def _reading(self, levels: dict[str, list[str]]) -> dict[str, Any]:
        """What another file must be told to give the same columns."""
        reading: dict[str, Any] = {"columns": self.layout.columns}
        if levels:
            reading["encoding"] = levels
        if self._coding:
            reading["levels"] = self._coding
        reading |= {name: self.facts[name] for name in ("decimal", "thousands", "na")
                    if self.facts.get(name)}  # fmt: skip
        return reading

    @property
    def _coding(self) -> str | None:
        """What `levels` says where it matters and is not as by default."""
        return self.options.levels if self.layout.texts and self.options.levels != "all" else None

    def _encoded(self, levels: dict[str, list[str]]) -> list[str]:
        """What text was made columns of 0s and 1s."""
        layout = self.layout
        texts = {layout.quoted(c): levels[layout.names[c]] for c in layout.texts}
        return encoded_note(texts, self._n_spared)

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

    def _widths(self) -> list[int]:
        """How many columns of X each feature becomes."""
        return [len(self._indicators(c)) if self._is_text(c) else 1 for c in self.layout.features]

    def _is_text(self, c: int) -> bool:
        return self.layout.kinds[c] == AS_TEXT

    def _names(self) -> tuple[str, ...]:
        names: list[str] = []
        for c in self.layout.features:
            name = self.layout.names[c]
            if self._is_text(c):
                names += [f"{name}={level}" for level in self._indicators(c)]
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
        """For every row the place of its level among the columns, -1 for one that has none."""
        order = {level: k for k, level in enumerate(self._indicators(self.layout.texts[t]))}
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

    def _round_if_too_many(self, blocks: list[TableBlock]) -> int:
        """Take floats where exact numbers would be too many; how many numbers that changes.

        Where decimals were asked for they stay, unless all are floats and X can be sparse, or
        FileError where there is no room for as many.
        """
        n_cells = sum(block.n_rows for block in blocks) * sum(self._widths())
        exact = [k for k, block in enumerate(blocks) if block.numbers.dtype == object]
        is_asked_for = self.options.numbers is not None
        if not exact or n_cells <= MOST_EXACT_NUMBERS or (is_asked_for and not self._is_sparse):
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

    def _exact(self, blocks: list[TableBlock], names: tuple[str, ...] | None) -> Any:
        X = self._dense(blocks, dtype=object)
        X = np.frompyfunc(_as_fraction, 1, 1)(X)
        numbers = "decimal" if self.options.numbers == "decimal" else "binary64"
        return table_of_fractions(X.ravel().tolist(), X.shape, names, numbers)

    def _sparse(self, blocks: list[TableBlock]) -> Any:
        """CSR with one entry for every number and every text of a row."""
        n_rows = sum(block.n_rows for block in blocks)
        numbers, texts = self._places()
        widths = zip(self.layout.features, self._widths(), strict=True)
        place_of = {c: place for place, c in enumerate(c for c, width in widths if width)}
        of_numbers = [place_of[c] for c in self.layout.numbers]
        of_texts = [place_of.get(c) for c in self.layout.texts]  # None: a reference alone
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
                if place is None:
                    continue
                ranks = self._ranks(t, column)
                columns[rows, place] = texts[t] + np.maximum(ranks, 0)
                values[rows, place] = ranks >= 0
            row += block.n_rows
        whole = np.int32 if values.size < 2**31 else np.int64
        starts = np.arange(n_rows + 1, dtype=whole) * len(place_of)
        flat = columns.ravel().astype(whole, copy=False)
        return csr_over(values.ravel(), flat, starts, sum(self._widths()))


def _as_fraction(value: Any) -> Any:
    return Fraction(value) if isinstance(value, float) else value
