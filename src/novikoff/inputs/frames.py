"""DataFrames of any kind: the names of columns and rows, and the column that is the label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from novikoff.errors import InputError

MOST_LISTED_NAMES = 8


def as_frame(X: Any, name: str = "X") -> Any:
    """X by narwhals, where it is a DataFrame of any kind; else None."""
    names = _columns_of(X, name)
    names = getattr(X, "column_names", names)
    if not callable(names):
        unlike(names, name)
    import narwhals

    frame = narwhals.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, narwhals.DataFrame) else None


def data_frame(columns: dict[str, Any]) -> Any:
    """The columns as a DataFrame of whichever library is installed."""
    for library in ("pandas", "polars"):
        try:
            return import_module(library).DataFrame(columns)
        except ImportError:
            continue
    raise InputError("no DataFrame library is installed; to_frame needs pandas or polars.")


def unlike(names: Iterable[Any], name: str) -> tuple[str, ...]:
    """The names of columns as text; an InputError where two are the same."""
    texts = tuple(str(column) for column in names)
    if len(set(texts)) < len(texts):
        doubled = next(text for text, count in Counter(texts).items() if count > 1)
        raise InputError(f"{name} has two columns named {doubled!r}; rename one of them.")
    return texts


def index_of(X: Any) -> Any:
    """What X calls its rows; None where it merely counts them from 0."""
    index = getattr(X, "index", None)
    if index is None or callable(index):
        return None
    counts = (getattr(index, part, None) for part in ("start", "step"))
    return None if tuple(counts) == (0, 1) else index


def check_same_rows(columns: dict[str, Any]) -> None:
    """Raise where two of these have an index, and not the same: rows go by name or by place."""
    first = ""
    names: Any = None
    for key, column in columns.items():
        index: Any = getattr(column, "index", None)
        if not hasattr(index, "equals"):
            continue
        if names is None:
            first, names = key, index
        elif len(index) == len(names) and not index.equals(names):
            cure = f"give {key}.to_numpy(), if its rows stand in the order of those of {first}"
            if index.is_unique and names.isin(index).all():
                cure = f"give {key}.loc[{first}.index], or {key}.to_numpy() to go by place"
            pairs = enumerate(zip(index, names, strict=True))
            row = next(i for i, (a, b) in pairs if not (a == b or (a != a and b != b)))
            raise InputError(
                f"{key} and {first} name their rows otherwise: row {row} is {index[row]!r} in "
                f"{key} and {names[row]!r} in {first}; {cure}."
            )


def _columns_of(X: Any, name: str = "X") -> Iterable[Any]:
    """The names of a frame's columns; none for anything else."""
    if type(X).__name__ == "LazyFrame":  # a plan of polars
        raise InputError(f"{name} is a LazyFrame, which has no rows yet; give {name}.collect().")
    columns = getattr(X, "columns", ())
    return () if callable(columns) else columns


def take_label(X: Any, y: Any, label: str | None) -> tuple[Any, Any]:
    """X and y, where y may have been left out: then it is the column `label` of X."""
    if y is not None:
        if label is not None and str(label) in map(str, _columns_of(X)):
            raise InputError(
                f"y is given, and label names column {label!r} of X too; give one of them, and "
                "leave the column out of X if y is that column."
            )
        return X, y
    given = isinstance(X, (list, tuple)) or hasattr(X, "tocsr")
    frame = None if given or label is None else as_frame(X)
    if frame is None or label is None:
        raise InputError(
            "y is missing: give the labels, or a DataFrame and, as label, the name of its "
            "label column."
        )
    columns = {str(column): column for column in frame.columns}
    if str(label) not in columns:
        few = ", ".join(map(repr, list(columns)[:MOST_LISTED_NAMES])) + ", …" * (
            len(columns) > MOST_LISTED_NAMES
        )
        raise InputError(f"X has no column {label!r}; label must name one of {few}.")
    column = columns[str(label)]
    return frame.drop(column).to_native(), frame.get_column(column).to_native()
