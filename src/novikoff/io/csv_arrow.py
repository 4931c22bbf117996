"""A chunk of delimited text as a block of a table, by pyarrow.

pyarrow reads ten times as fast as Python's csv module, and knows neither lines nor our sentences.
So it either gives the very block that Python's csv module would give, or none, and then that
module reads the chunk: whatever has to be said of a cell is said there alone.
"""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io.arrow_columns import dictionary_words, is_null, values_of
from novikoff.io.chunks import last_line_end
from novikoff.io.csv_records import UNEXPECTED_END, checked
from novikoff.io.data import n_beyond
from novikoff.io.fields import BLANKS, MISSING
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.io.tables import TableBlock, make_block

QUOTE, LF, CR = b'"\n\r'


class DeclinedError(Exception):
    """Python's csv module is to read this chunk."""


def arrow_block(text: bytes, delimiter: str, layout: Layout, options: Options) -> TableBlock | None:
    """The rows of a text of whole records; None where Python's csv module is to read them."""
    if len(layout.kinds) < 2 or not _is_simple(text, delimiter):
        return None
    if not text.isascii() or b"\0" in text:
        checked(text)
    import pyarrow

    try:
        columns = _columns(pyarrow, text, delimiter, layout, options)
        return _block(columns, layout, options)
    except (pyarrow.ArrowException, DeclinedError):
        return None


def _is_simple(text: bytes, delimiter: str) -> bool:
    """Whether quotes stand about whole fields alone, and no field is too long for Python's csv."""
    given = np.frombuffer(text, np.uint8)
    if b'"' in text and not _are_about_fields(given, np.flatnonzero(given == QUOTE), delimiter):
        return False
    limit = csv.field_size_limit()
    half = limit // 2  # a line of more than the limit goes through one of these without an end
    if all(text.find(b"\n", at, at + half) >= 0 for at in range(0, len(text) - half, half)):
        return True
    ends = np.flatnonzero((given == LF) | (given == CR) | (given == ord(delimiter)))
    return bool(np.diff(ends, prepend=0).max(initial=0) <= limit)


def _are_about_fields(given: np.ndarray, quotes: np.ndarray, delimiter: str) -> bool:
    """Whether every quote opens or closes a field, or is one of two that stand for one.

    Then an odd quote opens and an even one closes, and both readers agree on what is quoted.
    """
    borders = np.zeros(256, dtype=bool)
    borders[[ord(delimiter), LF, CR]] = True
    opens, closes = quotes[::2], quotes[1::2]
    closes = closes[closes + 1 < len(given)]
    before = borders[given[opens - 1]] | (opens == 0)
    before[1:] |= given[opens[1:] - 1] == QUOTE  # the one that this one doubles, or an odd quote,
    after = borders[given[closes + 1]] | (given[closes + 1] == QUOTE)  # before which none closes
    return bool(before.all() and after.all())


def record_end(text: bytes, delimiter: str, source: str) -> int:
    """Where the last whole record of a text ends, which may go on within quotes."""
    if b'"' not in text:
        return last_line_end(text)
    given = np.frombuffer(text, np.uint8)
    quotes = np.flatnonzero(given == QUOTE)
    if not _are_about_fields(given, quotes, delimiter):
        return _record_end_by_python(text, delimiter, source)
    if len(quotes) % 2 and len(text) - int(quotes[-1]) > csv.field_size_limit():
        raise _open_field(source)
    for mark, stop in ((LF, len(text)), (CR, len(text) - 1)):  # a last \r may be half a line end
        ends = np.flatnonzero(given[:stop] == mark)
        outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
        if len(outside):
            return int(outside[-1]) + 1
    return 0


def _record_end_by_python(text: bytes, delimiter: str, source: str) -> int:
    """The same by Python's csv module, for text with other quotes; what is wrong is said later."""
    text_lines = text.splitlines(keepends=True)
    if not text.endswith(b"\n"):
        text_lines.pop()
    sizes = np.cumsum([0, *map(len, text_lines)])
    reader = csv.reader(
        (line.decode("latin-1") for line in text_lines), delimiter=delimiter, skipinitialspace=True,
        strict=True,
    )  # fmt: skip
    n_lines = 0
    try:
        for _ in reader:
            n_lines = reader.line_num
    except csv.Error as error:
        if "limit" in str(error):
            raise _open_field(source) from None
        if UNEXPECTED_END not in str(error):
            n_lines = len(text_lines)
    return int(sizes[n_lines])


def _open_field(source: str) -> FileError:
    return FileError(
        f"{source} has a field of more than {csv.field_size_limit()} bytes in quotes; is one "
        "missing?"
    )


def _columns(
    pyarrow: Any, text: bytes, delimiter: str, layout: Layout, options: Options
) -> dict[int, Any]:
    """The columns that are used, by their places in the file: numbers, or words."""
    from pyarrow import csv as arrow

    places = [*layout.numbers, *layout.texts, *([] if layout.label is None else [layout.label])]
    words = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    types = dict.fromkeys(map(str, places), words)
    types |= dict.fromkeys(map(str, layout.numbers), pyarrow.float64())
    table = arrow.read_csv(
        pyarrow.BufferReader(text),
        arrow.ReadOptions(
            use_threads=False,
            block_size=len(text) + 1,
            column_names=[str(c) for c in range(len(layout.kinds))],
        ),
        arrow.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in text),
        arrow.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=sorted(MISSING | options.numerals.na),
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
            decimal_point=options.numerals.decimal,
        ),
    )
    return {c: table.column(k).combine_chunks() for k, c in enumerate(map(int, types))}


def _block(columns: dict[int, Any], layout: Layout, options: Options) -> TableBlock:
    n_rows = len(next(iter(columns.values())))
    numbers = np.empty((n_rows, len(layout.numbers)))
    missing = None
    for k, c in enumerate(layout.numbers):
        numbers[:, k] = values_of(columns[c], np.float64)
        if columns[c].null_count:
            missing = np.zeros(numbers.shape, dtype=bool) if missing is None else missing
            missing[:, k] = is_null(columns[c])
            numbers[missing[:, k], k] = 0.0
    if numbers.size and not np.isfinite([numbers.min(), numbers.max()]).all():
        raise DeclinedError  # infinite, or no number at all

    def read(word: str) -> str | None:
        if len(word) > csv.field_size_limit():
            raise DeclinedError
        word = word.strip(BLANKS)
        return None if options.numerals.is_missing(word) else word

    texts = [dictionary_words(columns[c], read) for c in layout.texts]
    labels = None if layout.label is None else dictionary_words(columns[layout.label], read)
    n_rounded = n_beyond(numbers)
    return make_block(layout, options, numbers, missing, texts, labels, _decline, n_rounded)


def _decline(row: int, message: str) -> Exception:  # noqa: ARG001 - said by Python's csv module
    return DeclinedError()
