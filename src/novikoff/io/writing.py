"""Tables out: labels or scores as CSV, TSV, Parquet or npy; the exact rows of a proof as CSV.

Text in a cell that others will open is quoted, and never a formula.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError
from novikoff.files import whole_file
from novikoff.inputs import Table, read_table
from novikoff.io.fields import is_number
from novikoff.io.sources import import_pyarrow

ROWS_AT_ONCE = 1024  # written at once
Put = Callable[[np.ndarray], None]


_OPENS = tuple("=+-@\t\r＝＋－＠")
_NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|^\s|\s$')


def quoted(text: str) -> str:
    """The text as one field of CSV, in quotes where it has marks, line ends or outer blanks."""
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def begins_a_formula(text: str) -> bool:
    """Whether a spreadsheet would compute the text; a number such as -1 is none, nor a sign."""
    return text.startswith(_OPENS) and len(text) > 1 and not is_number(text)


def harmless(value: object) -> object:
    """The value for a cell: text that would be a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and begins_a_formula(value) else value


class Written(NamedTuple):
    """What a table has come to."""

    rows: int
    guarded: int  # cells of text that would be formulas, and have an apostrophe before them


def write_table(path: str | Path, names: list[str], blocks: Iterable[np.ndarray]) -> Written:
    """Write the blocks' rows under these column names; the file is there as a whole or not at all.

    The suffix says the format: .csv, .tsv, .parquet or .npy.
    """
    target, guarded = Path(path), Counter[str]()
    writers = {
        ".csv": _delimited(",", guarded), ".tsv": _delimited("\t", guarded),
        ".parquet": _parquet, ".npy": _npy,
    }  # fmt: skip
    writer = writers.get(target.suffix.lower())
    if writer is None:
        raise FileError(f"{target} ends in none of {' '.join(writers)}; choose one of them.")
    n_rows = 0
    with whole_file(target) as part, writer(part, names) as put:
        for block in blocks:
            put(block.reshape(len(block), -1))
            n_rows += len(block)
    return Written(n_rows, guarded.total())


def _delimited(delimiter: str, guarded: Counter[str]) -> Any:
    def cell(value: Any) -> Any:
        safe = harmless(value)
        guarded[delimiter] += safe is not value
        return safe

    @contextmanager
    def writer(part: Path, names: list[str]) -> Iterator[Put]:
        with part.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file:
            rows = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            rows.writerow([cell(name) for name in names])

            def put(block: np.ndarray) -> None:
                cells = block.tolist()
                if block.dtype.kind not in "biuf":
                    cells = [[cell(value) for value in row] for row in cells]
                rows.writerows(cells)

            yield put

    return writer


@contextmanager
def _parquet(part: Path, names: list[str]) -> Iterator[Put]:
    pyarrow = import_pyarrow("a file of format parquet is asked for")
    from pyarrow.parquet import ParquetWriter

    opened: list[Any] = []

    def put(block: np.ndarray) -> None:
        columns = [pyarrow.array(np.ascontiguousarray(c)) for c in block.T]
        table = pyarrow.table(dict(zip(names, columns, strict=True)))
        if not opened:
            opened.append(ParquetWriter(part, table.schema))
        opened[0].write_table(table)

    try:
        yield put
    finally:
        for file in opened:
            file.close()


@contextmanager
def _npy(part: Path, names: list[str]) -> Iterator[Put]:
    blocks: list[np.ndarray] = []
    yield blocks.append
    whole = np.concatenate(blocks)
    with part.open("wb") as file:
        np.save(file, whole[:, 0] if len(names) == 1 else whole, allow_pickle=False)


MOST_WRITTEN_NUMBERS = 20_000_000  # of rows that are written out one by one


def write_exact_rows(path: str | Path, data: Any, numbers: str) -> int:
    """Write the rows of X and their labels as a CSV file of plain numbers, each one exactly.

    There is a header, in which no column is called as a number, so that the checker knows it; the
    label is the last column. `numbers` says which numbers a proof about the rows speaks of. Returns
    how many rows there are.
    """
    table = read_table(data.X)
    names = data.names or [table.column_name(j) for j in range(table.n_columns)]
    label = data.label if data.label is not None else "label"
    labels = [v.item() if isinstance(v, np.generic) else v for v in data.y]
    return _write_exact(path, data.source, table, [*names, label], numbers, labels)


def write_exact_table(path: str | Path, source: str, table: Table, names: list[str]) -> int:
    """The same of a table of numbers alone, all of its columns by name."""
    return _write_exact(path, source, table, names, table.numbers, None)


def _write_exact(
    path: str | Path, source: str, table: Table, names: list[str], numbers: str,
    labels: list[Any] | None,
) -> int:  # fmt: skip
    if table.n_rows * table.n_columns > MOST_WRITTEN_NUMBERS:
        raise FileError(
            f"{source} has {table.n_rows:,} rows of {table.n_columns:,} columns; more than "
            f"{MOST_WRITTEN_NUMBERS:,} numbers are too many to write out one by one."
        )
    as_text = repr if table.exact is None and numbers == "binary64" else exact_text
    with whole_file(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        is_numeral = re.compile(r"[-+0-9./eE]*").fullmatch
        rows.writerow([f"column {name}" if is_numeral(name) else name for name in names])
        for start in range(0, table.n_rows, ROWS_AT_ONCE):
            some = slice(start, start + ROWS_AT_ONCE)
            exact = table.exact[some] if table.exact is not None else table.dense_rows(some)
            ends = [[]] * len(exact) if labels is None else [[v] for v in labels[some]]
            rows.writerows(
                [*map(as_text, row), *end] for row, end in zip(exact.tolist(), ends, strict=True)
            )
    return table.n_rows


def exact_text(value: Fraction | int | float) -> str:
    """The number as a decimal where it has an end, as p/q where it has none."""
    given = Fraction(value)
    twos = fives = 0
    rest = given.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{given.numerator}/{given.denominator}"
    places = max(twos, fives)
    digits = str(given.numerator * 10**places // given.denominator)
    return f"{digits}e-{places}" if places else digits
