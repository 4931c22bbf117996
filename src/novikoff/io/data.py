"""What comes out of a file: rows, labels, and what their columns are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.inputs import Table
from novikoff.inputs.csr import csr_over
from novikoff.io.fields import shown
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from novikoff.certificates.reading import Reading


OF_ROWS = ("y", "weights", "tags", "queries")
ENCODED = "text made columns of 0s and 1s"
# Below 2^53 every whole number is a float64. Above, two that differ may have one nearest float, and
# rows that are apart become one row.
LARGEST_EXACT = 2**53
MOST_EXACT_NUMBERS = 5_000_000  # of a table: each is an object


def n_beyond(values: np.ndarray) -> int:
    """How many floats are so large that the whole numbers that they stand for may be others."""
    if not values.size or -LARGEST_EXACT < values.min() <= values.max() < LARGEST_EXACT:
        return 0
    return int(np.count_nonzero(np.abs(values) >= LARGEST_EXACT))


def rounded_in_words(n: int) -> str:
    """That numbers were taken as their nearest floats."""
    what = "is taken as the nearest one" if n == 1 else "are taken as the nearest ones"
    return f"{n:,} {plural(n, 'number')} that a float64 may not hold exactly {what}"


def encoded_note(encoding: Mapping[str, Sequence[str]], n_spared: int) -> list[str]:
    """What text was made columns of 0s and 1s, by columns with their levels, if there are any.

    n_spared : how many of the first levels of each have no column: the reference, if any
    """
    listed = []
    for name, levels in encoding.items():
        what, indicators = count(len(levels), "level", ","), levels[n_spared:]
        if n_spared:
            few = ", ".join(map(shown, indicators[:5])) or "no other level"
            few += f", … ({len(levels):,} levels)" if len(indicators) > 5 else ""
            what = f"{few}; the reference is {shown(levels[0])}"
        listed.append(f"{name} ({what})")
    more = f", … ({len(listed)} columns)" if len(listed) > 8 else ""
    return [f"{ENCODED}: {', '.join(listed[:8])}{more}"] if listed else []


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """Rows X and labels y of one file, of several, or of one block; `X, y = data` unpacks them.

    X: a float64 array, a CSR matrix, or, for exact decimals, a Table.
    y: numbers or text, one a row; None where the file was read without labels.
    names: the columns of X, where the file names them.
    label: the name of the label column, or its number from 1; None where rows carry their own.
    encoding: for each text column its levels in order, one column of X each (with
        levels="reference" all but the first); for Vowpal Wabbit by name, under 'features', the
        name of every column. Plain JSON.
    weights, tags: Vowpal Wabbit's importance and tag of each row. queries: svmlight's qid.
    reading: what to tell `read` so that another file gives the same columns. Plain JSON.
    options: what to tell `read` so that the same file gives this very table. Plain JSON.
    notes: what was encoded or left out on the way, in words; `remarks` are these and more.
    left_out: the numbers, from 0, of the rows of the file that missing='drop' or classes= left out,
        or, in Vowpal Wabbit's, an importance of 0.
    n_rounded: how many numbers of 2^53 and more, or decimals of a binary file, are the nearest
        float64 of what the file has, which may be another number.
    extremes: the least and the largest number of each column of an array, where a cache knows.
    """

    X: Any
    y: np.ndarray | None
    source: str
    format: str
    names: tuple[str, ...] | None = None
    label: str | None = None
    encoding: dict[str, list[str]] = field(default_factory=dict)
    weights: np.ndarray | None = None
    tags: np.ndarray | None = None
    queries: np.ndarray | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    left_out: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_rounded: int = 0
    extremes: tuple[np.ndarray, np.ndarray] | None = None

    def __iter__(self) -> Iterator[Any]:
        yield self.X
        yield self.y

    def as_data(self) -> Data:
        """The rows of the file at once: these are. A `Scan` has the method too."""
        return self

    @property
    def n_rows(self) -> int:
        return self.X.n_rows if isinstance(self.X, Table) else int(self.X.shape[0])

    @property
    def n_columns(self) -> int:
        return self.X.n_columns if isinstance(self.X, Table) else int(self.X.shape[1])

    def column_number(self, place: int) -> str:
        """The number, from 1, that a column of X has in a file whose columns have no names."""
        label = self.label or ""
        return str(place + 1 + (label.isdecimal() and int(label) <= place + 1))

    @property
    def n_dropped(self) -> int:
        """How many rows of the file were left out."""
        return len(self.left_out)

    @property
    def row_numbers(self) -> np.ndarray:
        """For each row of X its number in the file, from 0: rows left out have theirs too."""
        kept = np.ones(self.n_rows + self.n_dropped, dtype=bool)
        kept[self.left_out] = False
        return np.flatnonzero(kept)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, how many numbers were rounded, how many rows were left out, and which."""
        return self.remarks_from(0)

    def remarks_from(self, first: int) -> tuple[str, ...]:
        """The remarks, in which the first row of the file has the number `first`."""
        n = self.n_dropped
        notes = self.notes
        if self.n_rounded:
            notes = (*notes, rounded_in_words(self.n_rounded))
        if not n:
            return notes
        classes, why = self.options.get("classes"), []
        if "missing" in self.options or (classes is None and self.format != "vw"):
            why.append(plural(n, "lacks a value", "lack a value"))
        if self.format == "vw":  # where such a row is always left out
            why.append(plural(n, "has importance 0", "have importance 0"))
        if classes is not None:
            are = plural(n, "is", "are")
            why.append(f"{are} of other classes than {', '.join(map(repr, classes))}")
        what = f"{plural(n, 'row')} {' or '.join(why)} and {plural(n, 'is', 'are')}"
        few = ", ".join(str(row + first) for row in self.left_out[:5].tolist()) + ", …" * (n > 5)
        few, name = f"{plural(n, 'row')} {few}", PurePath(self.source).name
        return (
            *notes,
            f"{n:,} {what} left out of {name} ({few}, counted from {first}; the others keep their "
            "numbers)",
        )

    def without_notes_on(self, columns: Collection[str]) -> Data:
        """The same, and nothing said of the encoding of these columns: they become no features."""
        if not any(name in self.encoding for name in columns):
            return self
        left = {name: levels for name, levels in self.encoding.items() if name not in columns}
        spared = any(
            f"{name}={levels[0]}" not in (self.names or ()) for name, levels in left.items()
        )
        notes = [note for note in self.notes if not note.startswith(ENCODED)]
        notes += encoded_note({repr(name): levels for name, levels in left.items()}, int(spared))
        return replace(self, notes=tuple(notes))

    @property
    def origin(self) -> Reading | None:
        """How the rows came out of their file, for a proof about them."""
        if not self.options:
            return None
        from novikoff.certificates.reading import Reading

        return Reading.of(self.options, self.remarks, self.left_out)

    def __repr__(self) -> str:
        dropped = f", {self.n_dropped} dropped" if self.n_dropped else ""
        return f"<Data {self.source}: {self.n_rows} rows{dropped}, {self.n_columns} columns>"

    def rows(self, start: int, stop: int) -> Data:
        """The rows from `start` up to `stop`; arrays are views where they can be."""
        X = self.X
        if isinstance(X, np.ndarray):
            part: Any = X[start:stop]
        else:
            starts = X.indptr[start : min(stop, X.shape[0]) + 1]
            entries = slice(int(starts[0]), int(starts[-1]))
            shifted = starts - starts[0]
            part = csr_over(X.data[entries], X.indices[entries], shifted, X.shape[1])
        of_rows = {name: getattr(self, name) for name in OF_ROWS}
        kept: Any = {name: v if v is None else v[start:stop] for name, v in of_rows.items()}
        return replace(self, X=part, left_out=self.left_out[:0], n_rounded=0, extremes=None, **kept)


def rows_left_out(blocks: Iterable[tuple[int, np.ndarray]]) -> np.ndarray:
    """The numbers of rows left out of all blocks, each given by its rows and by the places left
    out of it, both counted among all rows that it had."""
    found, above = [np.empty(0, dtype=np.int64)], 0
    for n_rows, dropped in blocks:
        found.append(dropped + above)
        above += n_rows + len(dropped)
    return np.concatenate(found)


def join(parts: list[Data]) -> Data:
    """The parts' rows, one after the other; the list is emptied, so that memory is free early."""
    if len(parts) == 1:
        return parts.pop()
    of_rows: Any = {name: join_columns(getattr(part, name) for part in parts) for name in OF_ROWS}
    joined = replace(
        parts[0],
        left_out=np.concatenate([part.left_out for part in parts]),
        n_rounded=sum(part.n_rounded for part in parts),
        **of_rows,
    )
    if not isinstance(joined.X, np.ndarray):
        from scipy.sparse import vstack

        X = vstack([part.X for part in parts], format="csr")
        X.has_canonical_format = True
        parts.clear()
        return replace(joined, X=X)
    n_rows = sum(part.n_rows for part in parts)
    dense = np.empty((n_rows, joined.n_columns), np.result_type(*(part.X for part in parts)))
    row = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        dense[row : row + part.n_rows] = part.X
        row += part.n_rows
    return replace(joined, X=dense)


def join_columns(parts: Iterable[np.ndarray | None]) -> np.ndarray | None:
    """The parts one after the other; None if one of them is, or if there is none."""
    listed = list(parts)
    kept = [part for part in listed if part is not None]
    if not kept or len(kept) < len(listed):
        return None
    return kept[0] if len(kept) == 1 else np.concatenate(kept)


def is_idle(column: np.ndarray | None) -> bool:
    """Whether tags or queries are there in name only: all empty, all -1."""
    if column is None:
        return True
    return bool((column == ("" if column.dtype.kind == "U" else -1)).all())
