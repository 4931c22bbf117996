"""Parquet and Arrow IPC (Feather) files, through pyarrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io.assembly import TableReader
from novikoff.io.data import n_beyond
from novikoff.io.labels import MISSING_CODE, Coded
from novikoff.io.layout import AS_NUMBER, AS_TEXT, Layout, columns_in_words, make_layout
from novikoff.io.opening import SAMPLE_RECORDS
from novikoff.io.options import Options
from novikoff.io.sources import FLOAT_BYTES, Source, import_pyarrow, reason_of, translated
from novikoff.io.tables import TableBlock, dictionary_words, is_null, make_block, values_of
from novikoff.memory import check_room
from novikoff.wording import count, keyword

BATCH_ROWS = 1 << 16
UNKNOWN = -1


class ArrowReader(TableReader):
    """Blocks of Parquet or Arrow files that share their columns."""

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self.n_rows: dict[str, int] = {}  # by the names of files
        self.pyarrow = import_pyarrow(f"{sources[0].name} is a file of format {self.format}")
        with self._opened(sources[0]) as (schema, batches):
            self.names = tuple(schema.names)
            self.types = list(schema.types)
            self.take_layout(self._layout(schema, next(iter(batches), None)))
        is_boolean = self.pyarrow.types.is_boolean
        if truths := [c for c in self.layout.numbers if is_boolean(self.types[c])]:
            listed = columns_in_words(self.names, True, truths)
            self.notes.append(f"true and false are taken as 1 and 0: {listed}")

    def _layout(self, schema: Any, first: Any) -> Layout:
        kinds = [self._kind(kind) for kind in self.types]
        name = self.sources[0].name
        known = [kind if kind != UNKNOWN else AS_NUMBER for kind in kinds]

        def cells(c: int) -> list[str]:
            if first is None or not self._is_number(self.types[c]):
                return []
            values = first.column(c)[:SAMPLE_RECORDS].to_pylist()
            return [str(value) for value in values if value is not None and value == value]

        index = [c for c, column in enumerate(self.names) if column in _index_names(schema)]
        layout = make_layout(self.names, known, self.options, name, cells, index)
        for c in [*layout.features, *([] if layout.label is None else [layout.label])]:
            if kinds[c] == UNKNOWN:
                raise FileError(
                    f"{name}: column {layout.quoted(c)} holds {self.types[c]}; numbers or text "
                    f"are needed: leave it out with {keyword('drop', layout.wanted(c))}."
                )
        return replace(layout, typed=True)

    def _kind(self, kind: Any) -> int:
        types = self.pyarrow.types
        if types.is_dictionary(kind):
            kind = kind.value_type
        if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
            return AS_TEXT
        return AS_NUMBER if self._is_number(kind) or types.is_boolean(kind) else UNKNOWN

    def _is_number(self, kind: Any) -> bool:
        types = self.pyarrow.types
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))

    @contextmanager
    def _opened(self, source: Source) -> Iterator[tuple[Any, Iterator[Any]]]:
        """The schema of a file, and its record batches."""
        pyarrow = self.pyarrow
        with ExitStack() as stack:
            stack.enter_context(translated(source.name))
            try:
                yield self._open(source, stack)
            except (pyarrow.ArrowException, ValueError, MemoryError, OverflowError) as error:
                if isinstance(error, FileError):
                    raise
                raise FileError(
                    f"{source.name} is not a {self.format} file: {reason_of(error)}."
                ) from None

    def _open(self, source: Source, stack: ExitStack) -> tuple[Any, Iterator[Any]]:
        pyarrow = self.pyarrow
        if source.is_plain:
            stream = stack.enter_context(pyarrow.OSFile(str(source.path), "rb"))
        else:
            stream = stack.enter_context(pyarrow.BufferReader(source.content()))
        if self.format == "parquet":
            from pyarrow.parquet import ParquetFile

            found = stack.enter_context(ParquetFile(stream)).metadata
            source.check_size(found.num_rows, _numbers_in(found))
            self.n_rows[source.name] = found.num_rows
            file = ParquetFile(stream, metadata=found, read_dictionary=_texts_in(found))
            return file.schema_arrow, file.iter_batches(batch_size=BATCH_ROWS)
        if source.limit is not None:
            raise FileError(
                f"{source.name} is an Arrow file, which does not say how much it holds; "
                f"{source.limit.taker} takes Parquet."
            )
        if source.head.startswith(b"ARROW1"):
            reader = stack.enter_context(pyarrow.ipc.open_file(stream))
            batches = (reader.get_batch(k) for k in range(reader.num_record_batches))
        else:
            reader = batches = stack.enter_context(pyarrow.ipc.open_stream(stream))
        return reader.schema, iter(batches)

    def check_room(self) -> None:
        """Raise where all rows of Parquet files together have no room in memory."""
        for source in self.sources[1:]:
            with self._opened(source):
                pass  # which counts it
        n_rows, n_columns = sum(self.n_rows.values()), len(self.layout.features)
        shape = f"{count(n_rows, 'row', ',')} and {count(n_columns, 'column', ',')}"
        do = f"leave columns out with {keyword('drop')}, or split the file"
        check_room(FLOAT_BYTES * n_rows * n_columns, f"{self.source}, with {shape},", do)

    def blocks(self) -> Iterator[TableBlock]:
        for source in self.sources:
            row = 0
            with self._opened(source) as (schema, batches):
                if tuple(schema.names) != self.names or list(schema.types) != self.types:
                    raise FileError(
                        f"{source.name} does not have the columns of {self.sources[0].name}; "
                        "files that are read together need the same ones."
                    )
                for batch in batches:
                    batch.validate(full=True)
                    yield self._block(batch, source, row)
                    row += batch.num_rows

    def _block(self, batch: Any, source: Source, above: int) -> TableBlock:
        layout = self.layout

        def wrong(row: int, message: str) -> FileError:
            return FileError(f"{source.name}, row {above + row + 1}{message}.")

        numbers = np.empty((batch.num_rows, len(layout.numbers)))
        missing = np.zeros(numbers.shape, dtype=bool)
        n_rounded = 0
        for k, c in enumerate(layout.numbers):
            column = _plain(batch.column(c))
            floats = self._floats(column, c, wrong)
            missing[:, k] = np.isnan(floats)
            exact, lost = self._exact_numbers(column, floats)
            n_rounded += lost
            if exact is not None and numbers.dtype != object:
                numbers = numbers.astype(object)
            numbers[:, k] = floats if exact is None else exact
        texts = [self._words(batch.column(c)) for c in layout.texts]
        labels: Coded | np.ndarray | None = None
        if layout.label is not None:
            column = batch.column(layout.label)
            if self._kind(column.type) == AS_TEXT:
                labels = self._words(column)
            else:
                labels = self._numeric_labels(column, layout.label, wrong)
        return make_block(
            layout, self.options, numbers, missing if missing.any() else None, texts, labels, wrong,
            n_rounded,
        )  # fmt: skip

    def _floats(self, column: Any, c: int, wrong: Any) -> np.ndarray:
        """The column as float64, NaN where a value is missing."""
        pyarrow = self.pyarrow
        if pyarrow.types.is_boolean(column.type):
            column = column.cast(pyarrow.uint8())
        floats = column.cast(pyarrow.float64(), safe=False)
        values = values_of(floats, np.float64)
        if floats.null_count:
            values = np.where(is_null(column), np.nan, values)
        if np.isinf(values).any():
            row = int(np.argmax(np.isinf(values)))
            raise wrong(
                row,
                f", column {self.layout.quoted(c)}: the value is infinite; a finite number is "
                f"needed; {keyword('drop', self.layout.wanted(c))} leaves the column out",
            )
        return values

    def _exact_numbers(self, column: Any, floats: np.ndarray) -> tuple[list[Fraction] | None, int]:
        """The very numbers of a column, 0 where one is missing, None where floats hold them or
        are asked for; and how many numbers these may not be equal to."""
        is_decimal = self.pyarrow.types.is_decimal(column.type)
        n_rounded = n_beyond(floats) if self.pyarrow.types.is_integer(column.type) else 0
        if not n_rounded and not is_decimal:
            return None, 0
        exact = [Fraction(0 if value is None else value) for value in column.to_pylist()]
        if is_decimal:
            pairs = zip(exact, floats.tolist(), strict=True)
            n_rounded = sum(value != nearest and nearest == nearest for value, nearest in pairs)
        if not n_rounded or self.options.numbers == "binary64":
            return None, n_rounded
        return exact, 0

    def _words(self, column: Any) -> Coded:
        if not self.pyarrow.types.is_dictionary(column.type):
            column = column.cast(self.pyarrow.large_string()).dictionary_encode()
        return dictionary_words(column)

    def _numeric_labels(self, column: Any, c: int, wrong: Any) -> Coded | np.ndarray:
        types, pyarrow = self.pyarrow.types, self.pyarrow
        column = _plain(column)
        floats = self._floats(column, c, wrong)
        if np.isnan(floats).any():
            whole = types.is_integer(column.type) or types.is_boolean(column.type)
            values = [None if v is None or v != v else v for v in column.to_pylist()]
            known = sorted({value for value in values if value is not None})
            places = {None: MISSING_CODE, **{value: code for code, value in enumerate(known)}}
            codes = np.array([places[value] for value in values], dtype=np.int32)
            levels = [str(int(v)) if whole else repr(float(v)) for v in known]
            return Coded(codes, levels, [0] * len(levels))
        if types.is_uint64(column.type):
            return np.array(values_of(column, np.uint64))
        if types.is_integer(column.type):
            return np.array(values_of(column.cast(pyarrow.int64()), np.int64))
        return floats


def _plain(column: Any) -> Any:
    """A column without a dictionary."""
    return column.dictionary_decode() if hasattr(column, "dictionary_decode") else column


def _numbers_in(metadata: Any) -> int:
    """The float64 numbers that would take as much memory as a Parquet file does, unpacked.

    A column of one value that is repeated takes a few bytes in the file and eight a row in memory.
    """
    n_numbers = 0
    for j in range(metadata.num_columns):
        wide = max(1, metadata.schema.column(j).length // FLOAT_BYTES)
        for k in range(metadata.num_row_groups):
            n_numbers += wide * metadata.row_group(k).column(j).num_values
    return n_numbers


def _texts_in(metadata: Any) -> list[str]:
    """The columns of text of a Parquet file, whose words need not be repeated row by row."""
    columns = [metadata.schema.column(j) for j in range(metadata.num_columns)]
    return [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL"
    ]


def _index_names(schema: Any) -> set[str]:
    """The columns that pandas says hold the index of the DataFrame that it wrote."""
    try:
        stored = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
        names = {name for name in stored.get("index_columns", ()) if isinstance(name, str)}
    except (ValueError, AttributeError, TypeError):  # not what pandas writes
        names = set()
    return names | {name for name in schema.names if name.startswith("__index_level_")}
