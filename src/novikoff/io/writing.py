"""Tables out: a few columns of labels or scores, block by block, in any table format."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError
from novikoff.files import whole_file
from novikoff.io.cells import harmless
from novikoff.io.sources import import_pyarrow

Put = Callable[[np.ndarray], None]


class Written(NamedTuple):
    """What a table has come to."""

    rows: int
    guarded: int  # cells of text that would be formulas, and have an apostrophe before them


def write_table(path: str | Path, names: list[str], blocks: Iterable[np.ndarray]) -> Written:
    """Write the blocks' rows under these column names; the file is there as a whole or not at all.

    The suffix says the format: .csv, .tsv, .parquet, .arrow, .feather or .npy.
    """
    target, guarded = Path(path), Counter[str]()
    writers = {
        ".csv": _delimited(",", guarded), ".tsv": _delimited("\t", guarded),
        ".parquet": _arrow("parquet"),
        ".arrow": _arrow("arrow"), ".feather": _arrow("arrow"), ".npy": _npy,
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


def _arrow(format: str) -> Any:
    @contextmanager
    def writer(part: Path, names: list[str]) -> Iterator[Put]:
        pyarrow = import_pyarrow(f"a file of format {format} is asked for")
        opened: list[Any] = []

        def put(block: np.ndarray) -> None:
            columns = [pyarrow.array(np.ascontiguousarray(c)) for c in block.T]
            table = pyarrow.table(dict(zip(names, columns, strict=True)))
            if not opened:
                opened.append(_opened(pyarrow, format, part, table.schema))
            opened[0].write_table(table)

        try:
            yield put
        finally:
            for file in opened:
                file.close()

    return writer


def _opened(pyarrow: Any, format: str, part: Path, schema: Any) -> Any:
    if format == "parquet":
        from pyarrow import parquet

        return parquet.ParquetWriter(part, schema)
    return pyarrow.ipc.new_file(str(part), schema)


@contextmanager
def _npy(part: Path, names: list[str]) -> Iterator[Put]:
    blocks: list[np.ndarray] = []
    yield blocks.append
    whole = np.concatenate(blocks)
    with part.open("wb") as file:
        np.save(file, whole[:, 0] if len(names) == 1 else whole, allow_pickle=False)
