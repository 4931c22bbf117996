"""Many rows of a stream at a time, when there are enough of them to load a compiler for.

Which rows go together changes nothing: a row that a block cannot take, or that something must
follow, such as a report or a checkpoint, is answered by itself or ends a stretch of rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from novikoff.loops.compiled import has_compiler
from novikoff.online.stream.csv_rows import CsvRows
from novikoff.online.stream.rows import MOST_CLASSES, RowReader, text_of_label
from novikoff.online.stream.sparse_rows import SvmlightRows, VwRows

if TYPE_CHECKING:
    from novikoff.online.stream.row_blocks import BlockReader, TextBlock
    from novikoff.online.stream.stream import Stream

ENOUGH = 4 << 20  # bytes, seen or to come, that take as long by lines as the compiler to load
LEAST = 4096  # bytes of a block that are worth a look
FEW_LINES = re.compile(rb"(?:[^\r\n]*(?:\r\n|\r|\n)){1,64}")  # taken between two looks
LINE_END = re.compile(rb"\r\n|\r|\n|\Z")


class ManyRows:
    """Takes stretches of rows for a stream, once there are many of them."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.n_seen = 0
        self.pays = False
        self.is_on: bool | None = None  # None until the format is known
        self.reader: BlockReader | None = None
        self.learner: Any = None

    def expect(self, n_bytes: int, n_left: int) -> None:
        """Another block came, and so much is still to come; once it pays, it goes on to pay."""
        self.n_seen += n_bytes
        self.pays = self.pays or max(self.n_seen, n_left) >= ENOUGH

    def lines_end(self, block: bytes, at: int) -> int:
        """How far the block is to be taken by lines before there is another look."""
        is_on = self.pays and self.is_on is not False
        few = FEW_LINES.match(block, at) if is_on else None
        return few.end() if few else len(block)

    def take(self, block: bytes, at: int) -> int:
        """Take what can be taken together; where that ended, always after the line of a row."""
        stream = self.stream
        if not self.pays or stream.reader is None or len(block) - at < LEAST:
            return at
        if self.is_on is None:
            is_any = stream.given.classes is None
            self.is_on = is_any and can_be_blocks(stream.reader) and has_compiler()
        if not self.is_on:
            return at
        if not (stream.first_rows.is_done and 1 <= len(stream.model.classes_) <= MOST_CLASSES):
            return at
        reader = self.reader or self._begin(stream.reader)
        text = block[at:] if block.endswith((b"\n", b"\r")) else block[at:] + b"\n"
        found = reader.block(text)
        return at if found is None else self._take_rows(reader, found, block, at)

    def _begin(self, rows: RowReader) -> BlockReader:
        from novikoff.online.block import BlockLearner
        from novikoff.online.stream.csv_blocks import CsvBlocks
        from novikoff.online.stream.sparse_blocks import SvmlightBlocks, VwBlocks

        self.learner = BlockLearner(self.stream.model)
        if isinstance(rows, CsvRows):
            self.reader = CsvBlocks(rows)
        else:
            self.reader = SvmlightBlocks() if isinstance(rows, SvmlightRows) else VwBlocks()
        return self.reader

    def _take_rows(self, reader: BlockReader, found: TextBlock, block: bytes, begin: int) -> int:
        """Take the rows that were found from the place `begin` of the block on."""
        stream, rows = self.stream, found.rows
        places = (found.places + begin).tolist()
        self.learner.begin(rows)
        n, i, at = len(rows.which), 0, begin
        while i < n and not stream.is_stopped:
            stop = min(n, i + min(stream.rows_to_go(), reader.most_rows()))
            learnt = self.learner.learn(i, stop)
            if learnt.stop > i:
                classes = stream.model.classes_
                guesses = self.learner.guesses[i : learnt.stop].tolist()
                texts = list(map(text_of_label, classes))
                start, at = at, line_end(block, places[learnt.stop - 1])
                i = learnt.stop
                reader.took(len(guesses))
                stream.took_rows(learnt, [texts[guess] for guess in guesses], start, at)
                stream.after_row(at, rows.label_of(i - 1), classes[guesses[-1]])
            if i < stop or (i < n and not reader.most_rows()):
                at = stream.take_lines(at, line_end(block, places[i]))
                i += 1
        return at


def line_end(block: bytes, at: int) -> int:
    """The place after the line that holds this one."""
    found = LINE_END.search(block, at)
    return found.end() if found else len(block)


def can_be_blocks(reader: RowReader) -> bool:
    """Whether there is a loop for this format: for all but JSON Lines."""
    return isinstance(reader, (CsvRows, SvmlightRows, VwRows))
