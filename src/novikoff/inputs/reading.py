"""X in any of its forms, checked and made a Table; and floats read as the decimals that print them.

A float is a binary number, and shares such as 0.4, 0.2 and 0.4 add up to 1 as decimals only. Who
has typed them, or read them from a file, means the decimals.
"""

from __future__ import annotations

import decimal
import numbers as abstract
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError, ParameterError
from novikoff.inputs.frames import as_frame, index_of, unlike
from novikoff.inputs.table import INTEGER_BYTES, Table, table_of_fractions
from novikoff.inputs.tensors import in_memory, widened
from novikoff.memory import check_room
from novikoff.wording import count

LARGEST_EXACT_INTEGER = 2**53  # up to here a whole float is, and prints as, the number that it is
NUMBERS_AT_ONCE = 100_000  # numbers that are looked at together


def read_table(X: Any, name: str = "X") -> Table:
    """X as a Table: an array, a list of rows, CSR (or another sparse matrix), a DataFrame.

    Also the design matrices of patsy and formulaic, which know the names of their columns.
    """
    if isinstance(X, Table):
        return X
    names = None
    for keeper in ("design_info", "model_spec"):  # patsy's DesignMatrix, formulaic's ModelMatrix
        found = getattr(getattr(X, keeper, None), "column_names", None)
        if found is not None and getattr(X, "ndim", 0) == 2 and len(found) == X.shape[1]:
            names = names or unlike(found, name)
    X = in_memory(X, name)
    if hasattr(X, "tocsr"):
        return _read_sparse(X, names, name)
    if not isinstance(X, (np.ndarray, list, tuple)) and (frame := as_frame(X, name)) is not None:
        return _read_frame(frame, name)
    try:
        given = widened(np.asarray(X))
    except ValueError:
        raise InputError(
            f"the rows of {name} differ in length; every row needs the same number of values."
        ) from None
    if given.ndim == 0 and given.dtype.kind not in "biuf":
        raise InputError(
            f"{name} is of type {type(X).__name__}; it must be an array, a list of rows, a "
            "sparse matrix or a DataFrame."
        )
    return _read_array(given, names, name)


def _read_frame(frame: Any, name: str) -> Table:
    names = unlike(frame.columns, name)
    columns = []
    exact = (abstract.Rational, decimal.Decimal, float, np.floating)
    for column, series in zip(names, frame.iter_columns(), strict=True):
        values = series.to_numpy()
        is_exact = values.dtype == object and all(isinstance(v, exact) for v in values)
        if values.dtype.kind not in "biuf" and not is_exact:
            shown = next((v for v in values.tolist() if v is not None), None)
            what = "text" if isinstance(shown, str) else type(shown).__name__
            raise InputError(
                f"column {column!r} of {name} holds {what} ({shown!r}); "
                "it must hold numbers: leave the column out or encode it."
            )
        columns.append(values)
    _check_shape((len(frame), len(columns)), name)
    if any(_is_long(values) for values in columns):
        columns = [values.astype(object) for values in columns]  # floats would round them
    table = _read_array(np.stack(columns, axis=1), names, name)
    return replace(table, index=index_of(frame.to_native()))


def _check_shape(shape: tuple[int, ...], name: str) -> None:
    if len(shape) != 2:
        raise InputError(
            f"{name} has {count(len(shape), 'dimension')}; "
            "it must have 2 (rows and columns): Reshape your data, for example with "
            "X.reshape(-1, 1) for one column."
        )
    if shape[0] == 0:
        raise InputError(f"{name} has 0 rows (shape {shape}); at least 1 is needed.")
    if shape[1] == 0:
        raise InputError(
            f"{name} has 0 feature(s) (shape {shape}) while a minimum of 1 is required."
        )


def _read_array(X: np.ndarray, names: tuple[str, ...] | None, name: str) -> Table:
    _check_shape(X.shape, name)
    if X.dtype.kind == "O" or _is_long(X):
        return _read_objects(X.astype(object, copy=False), names, name)
    if X.dtype.kind not in "biuf" or X.dtype.itemsize > 8:
        raise InputError(
            f"{name} has dtype {X.dtype}; it must hold real numbers of at most 64 bits."
        )
    kept = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
    matrix = np.ascontiguousarray(X, dtype=kept)
    _check_finite(table := Table(matrix, names, "binary64"), matrix, name)
    return table


def _is_long(X: np.ndarray) -> bool:
    """Whether there are whole numbers that float64 may round."""
    if X.dtype.kind not in "iu" or not X.size:
        return False
    return max(abs(int(X.min())), abs(int(X.max()))) > LARGEST_EXACT_INTEGER


def _read_sparse(X: Any, names: tuple[str, ...] | None, name: str) -> Table:
    _check_shape(X.shape, name)
    matrix = X.tocsr()
    if matrix.dtype.itemsize <= 2 and matrix.dtype.kind in "biuf":
        matrix = matrix.astype(np.float32)
    if matrix.dtype.kind not in "biuf" or matrix.dtype.itemsize > 8:
        raise InputError(f"{name} has dtype {matrix.dtype}; it must hold real numbers.")
    if _is_long(matrix.data):
        raise InputError(
            f"{name} is sparse and holds integers beyond 2^53, which float64 would round; "
            "give it as a dense integer array."
        )
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    _check_finite(table := Table(matrix, names, "binary64"), matrix.data.reshape(1, -1), name)
    return table


def _check_finite(table: Table, matrix: np.ndarray, name: str) -> None:
    """Raise where a number of the matrix is none; the table then knows its largest one."""
    if np.isfinite(table.largest_entry):
        return
    names = None if table.is_sparse else table.names
    for i in range(len(matrix)):
        bad = ~np.isfinite(matrix[i])
        if bad.any():
            j = int(np.argmax(bad))
            column = repr(names[j]) if names else str(j)
            what = "NaN" if np.isnan(matrix[i, j]) else "infinity"
            raise InputError(
                f"{name} contains {what} (row {i}, column {column}); every value must be a "
                "finite number: drop or fill such rows first."
            )


def exact_number(value: Any) -> Fraction:
    """The very number, of any type that has one; TypeError for all else, ValueError for NaN."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.longdouble):  # which Python has no type for
        return Fraction(*value.as_integer_ratio())
    if not isinstance(value, (abstract.Real, decimal.Decimal)):
        raise TypeError(f"{value!r} is no number")
    real: Any = value
    given = Fraction(real)  # it may hold numpy's integers, which overflow
    return Fraction(int(given.numerator), int(given.denominator))


def _read_objects(X: np.ndarray, names: tuple[str, ...] | None, name: str) -> Table:
    """Fractions, Decimals, integers of any size, floats, or numbers written as such."""
    exact: list[Fraction] = []
    has_decimal = has_fraction = False
    for (i, j), value in np.ndenumerate(X):
        try:
            exact.append(exact_number(value))
        except (TypeError, ValueError, OverflowError) as error:
            where = f"(row {i}, column {repr(names[j]) if names else j})"
            if isinstance(error, TypeError):
                raise InputError(
                    f"{name} holds {value!r} of type {type(value).__name__} {where}; every value "
                    "must be a number: leave the column out or encode it."
                ) from None
            raise InputError(
                f"{name} contains {value} {where}; every value must be a finite number: drop or "
                "fill such rows first."
            ) from None
        has_decimal = has_decimal or isinstance(value, decimal.Decimal)
        has_fraction = has_fraction or isinstance(value, Fraction)
    numbers = "rational" if has_fraction else "decimal" if has_decimal else "binary64"
    return table_of_fractions(exact, X.shape, names, numbers)


def reads_decimals(numbers: Any) -> bool:
    """Whether `numbers` asks for decimals; ParameterError where it is another word."""
    if numbers is None or (isinstance(numbers, str) and numbers == "decimal"):
        return numbers is not None
    raise ParameterError(
        f"numbers is {numbers!r}; it must be 'decimal', which reads floats as the "
        f"decimals that print them, or None, which takes them as they are.",
        "numbers",
    )


def is_whole(table: Table) -> bool:
    """Whether every number is whole and no larger than floats count: it is its own decimal."""
    if table.exact is not None:
        return all(value.denominator == 1 for value in table.exact.flat)
    values = table.matrix.data if table.is_sparse else table.matrix
    step = max(1, NUMBERS_AT_ONCE * len(values) // max(1, values.size))
    blocks = (values[start : start + step] for start in range(0, len(values), step))
    return table.largest_entry <= LARGEST_EXACT_INTEGER and all(
        (part == np.rint(part)).all() for part in blocks
    )


def as_decimals(table: Table) -> Table:
    """The table whose floats are decimals; Decimals, Fractions and whole numbers stay."""
    if table.exact is None and is_whole(table):
        return replace(table, numbers="decimal")
    shape = (table.n_rows, table.n_columns)
    what = f"a table of {shape[0]:,} rows and {shape[1]:,} columns of decimals"
    cure = "multiply columns by a power of ten, so that they hold whole numbers: no answer changes"
    check_room(2 * INTEGER_BYTES * shape[0] * shape[1], what, cure)
    if table.exact is not None:
        values = [_of_exact(value) for value in table.exact.flat]
        kind = table.numbers if table.numbers == "rational" else "decimal"
    else:
        dense = table.matrix.toarray() if table.is_sparse else table.matrix
        different, places = np.unique(dense, return_inverse=True)
        decimals = [_of_float(value) for value in different]
        values, kind = [decimals[k] for k in places.ravel().tolist()], "decimal"
    return replace(table_of_fractions(values, shape, table.names, kind), index=table.index)


def _of_float(value: np.floating) -> Fraction:
    return Fraction(*decimal.Decimal(str(value)).as_integer_ratio())


def _of_exact(value: Fraction) -> Fraction:
    """A number that was given beside Decimals: if it is a float, its decimal."""
    if value.denominator == 1 or value.denominator & (value.denominator - 1):
        return value
    try:
        near = value.numerator / value.denominator
    except OverflowError:
        return value
    return _of_float(np.float64(near)) if Fraction(near) == value else value
