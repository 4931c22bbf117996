"""numpy files: .npy, .npz with X and y, and scipy's sparse .npz. Nothing is ever unpickled."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.inputs import read_table
from novikoff.inputs.csr import csr_over
from novikoff.io.data import LARGEST_EXACT, MOST_EXACT_NUMBERS, Data, join, n_beyond, rows_left_out
from novikoff.io.fields import leaving_out, shown
from novikoff.io.labels import wanted_rows
from novikoff.io.options import Options
from novikoff.io.reading import Reader
from novikoff.io.sources import FLOAT_BYTES, Source, reason_of, translated
from novikoff.memory import check_room, in_words
from novikoff.wording import keyword, plural

NUMBERS_AT_ONCE = 1 << 20  # in a block
MOST_LISTED = 1_000_000  # columns that a model is told one by one


class ArrayReader(Reader):
    """Blocks of rows of numpy files that agree on their columns."""

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self._columns: list[str] | None = None  # of the file that X is made of, if not of all
        self._notes: tuple[str, ...] = ()

    def written_labels(self, block: Data) -> np.ndarray | None:
        return block.y

    def finish(self, blocks: list[Data]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        left_out = rows_left_out((block.n_rows, block.left_out) for block in blocks)
        is_long = any(_is_long(block.X) for block in blocks)
        data = join(blocks)
        X, n_rounded, reading = data.X, data.n_rounded, data.reading
        if is_long and X.shape[0] * X.shape[1] <= MOST_EXACT_NUMBERS:
            X = read_table(X if isinstance(X, np.ndarray) else X.toarray())
        elif is_long:
            X, n_rounded = _rounded(X)
        if self.options.numbers == "decimal":
            X = replace(read_table(X), numbers="decimal")
        if self.options.keep and data.n_columns <= MOST_LISTED:
            numbers = [data.column_number(place) for place in range(data.n_columns)]
            reading = {"columns": self._columns or numbers, **reading}
        return replace(
            data, X=X, left_out=left_out,
            options=self.options.to_read_again(data.label, columns=self._columns),
            notes=(*self._notes, *data.notes), n_rounded=n_rounded, reading=reading,
        )  # fmt: skip

    def blocks(self) -> Iterator[Data]:
        width: int | None = None
        for source in self.sources:
            whole = self._whole(source)
            if width is not None and whole.n_columns != width:
                raise FileError(
                    f"{source.name} has {whole.n_columns} columns and {self.sources[0].name} has "
                    f"{width}; files that are read together need the same ones."
                )
            width = whole.n_columns
            rows = max(NUMBERS_AT_ONCE // max(width, 1), 1)
            for start in range(0, whole.n_rows, rows):
                yield self._checked(whole.rows(start, start + rows), source, start)

    def _whole(self, source: Source) -> Data:
        """All rows of a file, unchecked, and not yet in memory where it can be mapped."""
        with translated(source.name):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # what numpy thinks of the header
                    X, y = self._npy(source) if self.format == "npy" else self._npz(source)
            except (FileError, OSError):
                raise
            except InputError as error:
                raise FileError(f"{source.name}: {error}") from None
            except Exception as error:  # a damaged header or archive fails in a hundred ways
                reason = reason_of(error)
                if "allow_pickle" in reason:
                    reason = "it holds Python objects, which are not read"
                raise FileError(f"{source.name} is not a {self.format} file: {reason}.") from None
        label = None
        if X.ndim != 2:
            raise FileError(f"{source.name}: X has {X.ndim} dimensions; it must have 2.")
        if self.options.label is False:
            y = None
        elif y is None:
            X, y, label = self._take_label(X, source)
        elif isinstance(self.options.label, str) and self.options.label != "y":
            label = self.options.label
        X = self._take_columns(X, label, source)
        if X.shape[1] == 0:
            raise FileError(f"{source.name}: X has no columns.")
        if y is not None and y.shape != (X.shape[0],):
            raise FileError(f"{source.name}: X has {X.shape[0]} rows and y has shape {y.shape}.")
        for name, array in (("X", X), ("y", y)):
            if array is None or (array.dtype.kind == "U" and name == "y"):
                continue
            if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
                raise FileError(
                    f"{source.name}: {name} has dtype {array.dtype}; real numbers of at most 64 "
                    "bits are needed."
                )
        reading = {}
        if label is not None and label.isdecimal() and isinstance(X, np.ndarray):
            others = [str(c + 1) for c in range(X.shape[1] + 1) if c != int(label) - 1]
            reading = {"columns": self._columns or others}
        return Data(X=X, y=y, source=self.source, format=self.format, label=label, reading=reading)

    def _take_columns(self, X: Any, label: str | None, source: Source) -> Any:
        """X with the columns that are asked for; they are numbered as in the file."""
        drop, columns = self.options.drop, self.options.columns
        if not drop and (columns is None or len(columns) == X.shape[1]):
            return X
        taken = int(label) if label is not None and label.isdecimal() else None
        places = [c for c in range(1, X.shape[1] + 1 + (taken is not None)) if c != taken]
        for wanted in (*drop, *(columns or ())):
            if not str(wanted).isdecimal() or int(wanted) not in places:
                raise FileError(
                    f"{source.name} has no column {wanted!r} beside its label; columns of an array "
                    f"are numbered from 1 to {max(places, default=0)}."
                )
        chosen = places if columns is None else [int(wanted) for wanted in columns]
        chosen = [c for c in chosen if c not in {int(wanted) for wanted in drop}]
        if drop:
            said = ", ".join(map(str, drop[:8])) + ", …" * (len(drop) > 8)
            self._notes = (f"left out, as asked: {plural(len(drop), 'column')} {said}",)
        self._columns = [str(c) for c in chosen]
        return X[:, [places.index(c) for c in chosen]]

    def _npy(self, source: Source) -> tuple[Any, None]:
        if not source.head.startswith(b"\x93NUMPY"):
            raise ValueError("it does not begin as one")
        array: Any
        if source.is_plain and source.path is not None:
            array = np.load(str(source.path), mmap_mode="r", allow_pickle=False)
            left = source.path.stat().st_size - array.offset - array.nbytes
        else:
            content = io.BytesIO(source.content())
            array = np.load(content, allow_pickle=False)
            left = content.getbuffer().nbytes - content.tell()
        if left > 0:  # which would be lost
            raise FileError(
                f"{source.name} has {left:,} bytes after its array, as a file has that "
                "several arrays were saved to; save each to its own file, or all to an npz file."
            )
        return array, None

    def _npz(self, source: Source) -> tuple[Any, np.ndarray | None]:
        if not source.head.startswith(b"PK"):
            raise ValueError("it is no archive of arrays")
        is_file = source.is_plain and source.path is not None
        opened: Any = source.path.open("rb") if is_file else io.BytesIO(source.content())  # type: ignore[union-attr]
        with opened, np.load(opened, allow_pickle=False) as archive:
            stored = archive.zip.namelist()
            found = [name.removesuffix(".npy") for name in stored if name.endswith(".npy")]
            if not found:
                listed = ", ".join(shown(name) for name in stored[:5]) or "nothing"
                raise FileError(
                    f"{source.name} is a zip archive with {listed} in it and no array; unpack it "
                    "first."
                )
            named = self.options.label
            label = named if isinstance(named, str) and named in found else "y"
            of_x = named not in (None, False, label)  # a column of X, by its number
            if of_x and not str(named).isdecimal():
                raise FileError(
                    f"{source.name} has no array {named!r}; {keyword('label')} is the name of one, "
                    "or the number of a column of X."
                )
            members = Members(archive, source)
            y = members[label] if label in found and not of_x else None
            if {"format", "shape", "data"} <= set(found):
                return sparse_matrix(members), y
            places = [name for name in found if name != label] if "X" not in found else ["X"]
            if len(places) != 1:
                listed = ", ".join(shown(name) for name in found[:5])
                raise FileError(
                    f"{source.name} holds {len(found)} arrays ({listed}); X is needed, and y, or "
                    f"another name given as {keyword('label')}."
                )
            return members[places[0]], y

    def _take_label(self, X: Any, source: Source) -> tuple[Any, np.ndarray, str]:
        """X without its label column, that column, and its number."""
        wanted = self.options.label
        if wanted is None and not isinstance(X, np.ndarray):
            raise FileError(
                f"{source.name} holds no labels; give the number of a column as "
                f"{keyword('label')}, or {keyword('label', False)} to read X alone."
            )
        number = X.shape[1] if wanted is None else wanted
        if not str(number).isdecimal() or not 1 <= int(number) <= X.shape[1]:
            raise FileError(
                f"{source.name} has no column {wanted!r}; give its number, from 1 to {X.shape[1]}."
            )
        place = int(number) - 1
        if isinstance(X, np.ndarray):
            others = np.delete(np.arange(X.shape[1]), place)
            rest = X[:, :place] if place == X.shape[1] - 1 else X[:, others]
            return rest, X[:, place], str(number)
        return *without_column(X, place), str(number)

    def _checked(self, block: Data, source: Source, above: int) -> Data:
        """The block as floats, without the rows that lack a value."""
        X, y = block.X, block.y
        kept = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
        n_rounded = 0
        if _is_long(X) and self.options.numbers == "binary64":
            X, n_rounded = _rounded(X)
        elif _is_long(X):
            kept = X.dtype
        if isinstance(X, np.ndarray):
            X = np.ascontiguousarray(X, dtype=kept)
            bad = ~np.isfinite(X).all(axis=1)
        else:
            X = X.astype(kept, copy=False)
            rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
            bad = np.zeros(X.shape[0], dtype=bool)
            bad[rows[~np.isfinite(X.data)]] = True
        if y is not None:
            y = np.array(y)
            if y.dtype.kind == "f":
                bad |= ~np.isfinite(y)
        wanted = np.ones(len(bad), dtype=bool)
        if y is not None and self.options.classes is not None:
            wanted = wanted_rows(y, self.options.classes)
            bad &= wanted
        if bad.any():
            row = int(np.argmax(bad))
            where = f"{source.name}, row {above + row + 1}"
            values = [X[row] if isinstance(X, np.ndarray) else X[row].data]
            values += [y[row : row + 1]] if y is not None and y.dtype.kind == "f" else []
            if any(np.isinf(part).any() for part in values):
                raise FileError(
                    f"{where}: a value is infinite; every value must be a finite number: write "
                    f"NaN where it is missing{leaving_out()}."
                )
            if self.options.missing != "drop":
                raise FileError(
                    f"{where}: a value is missing (NaN); every value must be a finite number"
                    f"{leaving_out()}."
                )
        keep = wanted & ~bad
        if not keep.all():
            X, y = X[keep], None if y is None else y[keep]
        if not isinstance(X, np.ndarray):
            X.has_canonical_format = True
        return Data(
            X=X,
            y=y,
            source=self.source,
            format=self.format,
            label=block.label,
            reading=block.reading,
            n_rounded=n_rounded,
            left_out=np.flatnonzero(~keep),
        )


def _is_long(X: Any) -> bool:
    """Whether there are whole numbers that float64 may round."""
    values = X if isinstance(X, np.ndarray) else X.data
    if X.dtype.kind not in "iu" or X.dtype.itemsize < 8 or not values.size:
        return False
    return max(abs(int(values.min())), abs(int(values.max()))) > LARGEST_EXACT


def _rounded(X: Any) -> tuple[Any, int]:
    """The nearest floats of whole numbers, and how many of them may not be equal to theirs."""
    floats = X.astype(np.float64)
    return floats, n_beyond(floats if isinstance(X, np.ndarray) else floats.data)


class Members:
    """The arrays of an archive by name; none is made that is larger than what is stored."""

    def __init__(self, archive: Any, source: Source) -> None:
        self.archive, self.source = archive, source

    def __getitem__(self, name: str) -> np.ndarray:
        zipped = self.archive.zip
        inside = f"{name}.npy" if f"{name}.npy" in zipped.namelist() else name
        there = zipped.getinfo(inside).file_size
        with zipped.open(inside) as member:
            is_first = np.lib.format.read_magic(member) == (1, 0)
            headers = np.lib.format
            read = headers.read_array_header_1_0 if is_first else headers.read_array_header_2_0
            shape, _, dtype = read(member)
        needed = math.prod(shape) * dtype.itemsize
        if needed > there:
            raise ValueError(
                f"its array {name} of shape {shape} needs {in_words(needed)}, and "
                f"{in_words(there)} are stored"
            )
        self.source.check_size(0, needed // FLOAT_BYTES)
        check_room(2 * needed, f"its array {name}")
        return np.asarray(self.archive[inside])


def without_column(X: Any, place: int) -> tuple[Any, np.ndarray]:
    """A CSR matrix without one of its columns, and that column; the cost is what is stored."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    taken = X.indices == place
    column = np.zeros(X.shape[0], dtype=X.dtype)
    column[rows[taken]] = X.data[taken]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[~taken], minlength=X.shape[0]))])
    columns = X.indices[~taken]
    columns = columns - (columns > place)
    return csr_over(X.data[~taken], columns, starts, X.shape[1] - 1), column


def sparse_matrix(archive: Members) -> Any:
    """scipy's own format, checked in full: a wrong index would reach compiled code."""
    from scipy import sparse

    given = archive["format"].item()
    made = given.decode("ascii") if isinstance(given, bytes) else str(given)
    shape = tuple(int(size) for size in archive["shape"])
    data = archive["data"]
    if len(shape) != 2 or min(shape) < 0:
        raise ValueError(f"a sparse matrix of shape {shape}")
    archive.source.check_size(shape[0], data.size)
    check_room(24 * shape[0], f"a sparse matrix of {shape[0]:,} rows")
    matrix: Any
    if made in ("csr", "csc", "bsr"):
        kind = getattr(sparse, f"{made}_matrix")
        matrix = kind((data, archive["indices"], archive["indptr"]), shape=shape)
        matrix.check_format(full_check=True)
    elif made == "coo":
        matrix = sparse.coo_matrix((data, (archive["row"], archive["col"])), shape=shape)
    elif made == "dia":
        matrix = sparse.dia_matrix((data, archive["offsets"]), shape=shape)
    else:
        raise ValueError(f"unknown sparse format {made!r}")
    result = matrix.tocsr()
    result.sum_duplicates()
    return result
