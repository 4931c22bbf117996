"""Where rows come from: a built-in set, a CSV text, or X and y of a notebook."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.runs.table import number
from novikoff.studio.plane import fit, short
from novikoff.studio.state import (
    MOST_CLASSES,
    MOST_ROWS,
    SHOWN,
    Conventions,
    State,
    check_points,
)

MOST_CSV_BYTES = 5_000_000
MOST_COLUMNS = 1_000
MOST_NUMBERS = 2_000_000  # of a built-in set; sixteen of them are kept
PROJECTION = "projection"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")

# What the studio offers first; every other name that `datasets.load` takes can be typed.
OFFERED = {
    "Lectures": ("lecture:000", "lecture:001", "lecture:002", "lecture:003"),
    "Truth tables": ("and", "or", "xor", "implies"),
    "Shapes": (
        "planted:60,2,0.1",
        "planted:200,2,0.02",
        "planted_obstruction:60,2",
        "needle:50,2,0.001",
        "touching",
        "edge_contact",
        "conflict",
        "counterexample_origin",
        "tight:2",
        "decimal_trap:decimal",
    ),
    "Real tables": ("iris", "iris:setosa,versicolor", "iris:versicolor,virginica", "wine",
                    "breast_cancer", "digits:0,1", "digits"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Columns:
    """A table before two of its columns are chosen."""

    names: tuple[str, ...]
    X: np.ndarray  # (n, d) floats
    labels: tuple[str, ...]  # one a row, as text
    source: dict[str, Any]
    classes: tuple[str, ...] | None = None  # an order of the labels, where it is known
    settings: dict[str, Any] = field(default_factory=dict)  # of State
    others: tuple[str, ...] = ()  # columns that could be the label instead
    values: dict[str, Any] = field(default_factory=dict)  # labels as they were before text
    reread: Callable[[str], Columns] | None = None  # the same table with another label


@lru_cache(maxsize=16)
def load_set(name: str) -> Columns:
    """A built-in set with the conventions that it brings."""
    from novikoff import datasets

    n, d = datasets.shape_of(name) or (0, 0)
    if n > MOST_ROWS or n * d > MOST_NUMBERS:
        raise InputError(
            f"{name!r} has {n:,} rows and {d:,} columns; the studio takes at most {MOST_ROWS:,} "
            f"rows and {MOST_NUMBERS:,} numbers."
        )
    found = datasets.load(name)
    conventions = dict(found.conventions)
    y = np.asarray(found.y)
    classes = [str(label) for label in np.unique(y).tolist()]
    positive = conventions.pop("positive", None)
    if positive is not None:
        classes.sort(key=lambda label: label == str(positive))
    start = conventions.get("start")
    settings: dict[str, Any] = {
        "offset": conventions.get("fit_intercept", True),
        "tie": conventions.get("tie", "mistake"),
        "run": Conventions(
            conventions.get("order", "cyclic"), tuple(map(float, start)) if start else None
        ),
    }
    if found.X.dtype == object:
        settings["numbers"] = "decimal"
    d = found.X.shape[1]
    names = found.columns or tuple(f"x{j + 1}" for j in range(d))
    return Columns(
        names,
        found.X.astype(np.float64),
        tuple(str(label) for label in y.tolist()),
        {"kind": "set", "name": found.name, "note": found.description},
        tuple(classes),
        settings,
        values={str(label): label for label in np.unique(y).tolist()},
    )


def read_csv_text(text: str, name: str, label: str | None = None) -> Columns:
    """The numeric columns of a CSV text and its label column, by default the last one."""
    if len(text.encode()) > MOST_CSV_BYTES:
        raise FileError(f"the file is too large: the studio takes {MOST_CSV_BYTES // 10**6} MB.")
    if "\0" in text:
        raise FileError(f"{name} holds binary data; a CSV file is needed.")
    lines = _records(text, name)
    if len(lines) > MOST_ROWS + 1:
        raise FileError(f"{name} has {len(lines)} lines; the studio takes {MOST_ROWS} rows.")
    width = len(lines[0])
    if not 2 <= width <= MOST_COLUMNS:
        raise FileError(
            f"{name} has {width} column{'s' * (width != 1)}; a label and 1 to "
            f"{MOST_COLUMNS - 1} columns of numbers are needed."
        )
    for place, line in enumerate(lines):
        if len(line) != width:
            raise FileError(
                f"{name}, record {place + 1}: {len(line)} fields where the first has {width}."
            )
    columns = [list(column) for column in zip(*lines, strict=True)]
    headed = any(not _is_number(c[0]) and all(map(_is_number, c[1:])) for c in columns) or (
        len(lines) > 1 and not any(map(_is_number, lines[0]))
    )
    names = [text or f"column {j + 1}" for j, text in enumerate(lines[0])]
    if headed:
        columns = [column[1:] for column in columns]
    else:
        names = [f"x{j + 1}" for j in range(width)]
    if not columns[0]:
        raise FileError(f"{name} has a header and no rows.")
    place = _label_place(names, label, name)
    numeric = [j for j in range(width) if j != place and all(map(_is_number, columns[j]))]
    if not numeric:
        raise FileError(f"{name} has no column of numbers beside its label {names[place]!r}.")
    if not all(columns[place]):
        raise FileError(f"{name}: a label (column {names[place]!r}) is missing.")
    return Columns(
        tuple(names[j][:100] for j in numeric),
        np.array([[float(v) for v in columns[j]] for j in numeric]).T,
        tuple(columns[place]),
        {"kind": "csv", "name": name[:300], "label": names[place]},
        settings={"numbers": "decimal"},
        others=tuple(names),
    )


def _records(text: str, name: str) -> list[list[str]]:
    text = text.removeprefix("\ufeff")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        lines = [[f.strip() for f in line] for line in reader if any(f.strip() for f in line)]
    except csv.Error as error:
        raise FileError(f"{name}, line {reader.line_num}: {error}.") from None
    if not lines:
        raise FileError(f"{name} is empty; a table with a label column is needed.")
    return lines


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _label_place(names: list[str], label: str | None, name: str) -> int:
    if label is None:
        return len(names) - 1
    if label not in names:
        raise FileError(f"{name} has no column {label!r}; choose one of {', '.join(names[:8])}.")
    return names.index(label)


def of_arrays(X: Any, y: Any, positive: Any = None, name: str = "X, y") -> Columns:
    """X and y of a program: arrays, lists or a DataFrame."""
    from novikoff.inputs import read_classes, read_table

    table = read_table(X)
    if table.n_rows > MOST_ROWS:
        raise InputError(f"X has {table.n_rows} rows; the studio takes {MOST_ROWS}.")
    found, codes = read_classes(y, table.n_rows)
    classes = [str(label) for label in found.tolist()]
    labels = tuple(classes[code] for code in codes)
    if positive is not None:
        classes.sort(key=lambda label: label == str(positive))
    names = tuple(table.column_name(j) for j in range(table.n_columns))
    settings = {} if table.numbers == "binary64" else {"numbers": "decimal"}
    rows = table.dense_rows(slice(None))
    source = {"kind": "given", "name": name}
    values = {str(label): label for label in found.tolist()}
    return Columns(names, rows, labels, source, tuple(classes), settings, values=values)


def open_columns(columns: Columns, chosen: Any = None, size: Any = None) -> State:
    """The state that shows two columns, or the first two principal components."""
    classes = columns.classes or _sorted_classes(columns.labels)
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"the label has {len(classes)} classes; the studio shows at most {MOST_CLASSES}."
        )
    if len(classes) == 1:
        classes = (*classes, "other" if classes[0] != "other" else "another")
    places = {label: code for code, label in enumerate(classes)}
    codes = np.array([places[label] for label in columns.labels], dtype=np.int64)
    source = dict(columns.source)
    if source["kind"] == "csv":
        source |= {"names": list(columns.names), "labels": list(columns.others)}
    if chosen == PROJECTION and len(columns.names) > 2:
        points, axes, note = _principal(columns)
        source |= {"columns": PROJECTION, "note": note}
    else:
        a, b = _two_places(chosen, len(columns.names))
        if len(columns.names) == 1:
            points = np.stack([columns.X[:, 0], np.zeros(len(codes))], axis=1)
            axes = (columns.names[0], "0")
        else:
            points, axes = columns.X[:, [a, b]], (columns.names[a], columns.names[b])
        if len(columns.names) > 2:
            source |= {
                "columns": [a, b],
                "note": f"columns {axes[0]} and {axes[1]} of {len(columns.names)}",
            }
    state = State(check_points(points), codes, tuple(classes), axes, source, **columns.settings)
    if size is not None:
        state = replace(state, size=size)
    start = state.run.start
    if isinstance(start, tuple) and len(start) != 2 + state.offset:
        state = replace(state, run=replace(state.run, start=None))
    center, span, stretch = fit(state)
    return replace(state, center=center, span=span, stretch=stretch, show=SHOWN)


def _two_places(chosen: Any, n_columns: int) -> tuple[int, int]:
    if chosen is None:
        return 0, min(1, n_columns - 1)
    whole = isinstance(chosen, (list, tuple)) and len(chosen) == 2
    if not whole or not all(type(c) is int and 0 <= c < n_columns for c in chosen):
        raise InputError(f"choose two of the {n_columns} columns, or '{PROJECTION}'.")
    return chosen[0], chosen[1]


def _principal(columns: Columns) -> tuple[np.ndarray, tuple[str, str], str]:
    """The first two principal components of the columns as they are (centred, not scaled)."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = columns.X - columns.X.mean(axis=0)
        if not np.isfinite(middle).all():
            raise InputError("the columns hold numbers too large for a projection.")
        _, singular, axes = np.linalg.svd(middle, full_matrices=False)
    signs = np.where(np.abs(axes).max(axis=1) == axes.max(axis=1), 1.0, -1.0)
    points = np.zeros((len(middle), 2))  # of one row there is one component
    points[:, : len(axes[:2])] = middle @ (axes * signs[:, None])[:2].T
    points = np.array([[short(x), short(y)] for x, y in points.tolist()])
    share = float((singular[:2] ** 2).sum() / max(float((singular**2).sum()), 1e-300))
    note = (
        f"the first two principal components of {len(columns.names)} columns "
        f"({number(100 * round(share, 3))} % of the variance), to six figures"
    )
    return points, ("component 1", "component 2"), note


def _sorted_classes(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Labels in order: as numbers where all of them are, else as text."""
    found = set(labels)
    if all(map(_is_number, found)):
        return tuple(sorted(found, key=lambda text: (float(text), text)))
    return tuple(sorted(found))
