"""svmlight and Vowpal Wabbit text, a line at a time, by the readers of novikoff.io."""

from __future__ import annotations

import math
from typing import Any

from novikoff.io.csv_records import checked
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.sparse import SparseRows
from novikoff.io.svmlight import SvmlightReader
from novikoff.io.vw import VwReader, full_name, key_of
from novikoff.online.stream.rows import DROPPED, Row, label_of_number

MOST_NAMES_REMEMBERED = 1 << 18


class SparseTextRows:
    """Every line is a row of its own, and nothing is learnt of the stream.

    Features of svmlight are called by their index, and those of Vowpal Wabbit space^name; its
    importance is the row's weight, and a tag is passed over.
    """

    def __init__(self, options: Options, source: Source) -> None:
        self.reader = (VwReader if options.format == "vw" else SvmlightReader)([source], options)
        self.reader.needs_labels = False
        self.may_drop = options.missing == "drop"
        self.more = (_Names(),) if options.format == "vw" else ()

    def state(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""

    def end(self) -> None:
        """A stream may end after any line."""

    def row(self, line: bytes) -> Row | None:
        rows = SparseRows(self.may_drop, is_exact=False)
        if self.more:
            checked(line)
        if not self.reader.add_line(line, rows, *self.more):
            return None
        if self.may_drop and any(map(math.isnan, rows.values)):
            return DROPPED
        x = dict(zip(rows.columns, rows.values, strict=True))
        if len(x) < len(rows.columns):  # features that are repeated are summed
            x = dict.fromkeys(x, 0.0)
            for name, value in zip(rows.columns, rows.values, strict=True):
                x[name] += value
        weight = rows.weights[0] if rows.weights else 1.0
        has_label = weight and not math.isnan(rows.labels[0])  # a row of weight 0 is not learnt
        return Row(x, label_of_number(rows.labels[0]) if has_label else None, weight)


class _Names(dict[tuple[bytes, bytes], str]):
    """What a feature is called, by its space and its name."""

    def __missing__(self, feature: tuple[bytes, bytes]) -> str:
        if len(self) >= MOST_NAMES_REMEMBERED:
            self.clear()
        name = self[feature] = full_name(key_of(*feature))
        return name
