"""Where rows come from: a built-in set, a file that was read, or X and y of a notebook."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import Table, read_ordered, read_table
from novikoff.io.data import Data
from novikoff.studio.plane import fit, short
from novikoff.studio.state import (
    LARGEST,
    MOST_CLASSES,
    MOST_ROWS,
    Conventions,
    State,
    check_points,
)
from novikoff.wording import number

MOST_NUMBERS = 2_000_000  # of a built-in set; sixteen of them are kept
PROJECTION = "projection"

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
    table: Table  # all columns, exact where floats would round
    labels: tuple[str, ...]  # one a row, as text
    source: dict[str, Any]
    classes: tuple[str, ...]  # the labels in order; of two, the second has sign +1
    settings: dict[str, Any] = field(default_factory=dict)  # of State
    others: tuple[str, ...] = ()  # columns that could be the label instead
    values: dict[str, Any] = field(default_factory=dict)  # labels as they were before text
    notes: tuple[str, ...] = ()  # what was encoded, left out or rounded
    data: Data | None = None  # what a file was read as

    @cached_property
    def X(self) -> np.ndarray:  # noqa: N802 - as everywhere
        """All columns as floats."""
        return self.table.dense_rows(slice(None))

    @cached_property
    def is_rounded(self) -> bool:
        """Whether a number has more digits than its nearest float is written with."""
        if self.table.exact is None:
            return False
        pairs = zip(self.X.ravel().tolist(), self.table.exact.ravel().tolist(), strict=True)
        return any(Fraction(repr(nearest)) != value for nearest, value in pairs)


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
    given: Any = found.conventions
    start = tuple(map(float, given.get("start", ()))) or None
    settings = {
        "offset": given.get("fit_intercept", True), "tie": given.get("tie", "mistake"),
        "run": Conventions(given.get("order", "cyclic"), start),
    }  # fmt: skip
    source = {"kind": "set", "name": found.name, "note": found.description}
    return with_labels(found.X, found.y, source, found.columns, given.get("positive"), settings)


def of_arrays(X: Any, y: Any, positive: Any = None) -> Columns:
    """X and y of a program: arrays, lists or a DataFrame."""
    table = read_table(X)
    if table.n_rows > MOST_ROWS:
        raise InputError(f"X has {table.n_rows} rows; the studio takes {MOST_ROWS}.")
    made = with_labels(table, y, {"kind": "given", "name": "X, y"}, None, positive)
    made.source["file"] = digest_of(table, made.labels)
    return made


def with_labels(
    X: Any, y: Any, source: dict[str, Any], names: tuple[str, ...] | None = None,
    positive: Any = None, settings: dict[str, Any] | None = None,
) -> Columns:  # fmt: skip
    """A table with its labels as text, in the order in which every command has them."""
    table = read_table(X)
    found, codes = read_ordered(y, table.n_rows)
    classes = [str(label) for label in found.tolist()]
    labels = tuple(classes[code] for code in codes)
    values = dict(zip(classes, found.tolist(), strict=True))
    if positive is not None:
        classes.sort(key=lambda label: label == str(positive))
    names = names or tuple(table.column_name(j) for j in range(table.n_columns))
    numbers = {} if table.numbers == "binary64" else {"numbers": "decimal"}
    settings = {**numbers, **(settings or {})}
    return Columns(names, table, labels, source, tuple(classes), settings, values=values)


def digest_of(table: Table, labels: tuple[str, ...]) -> str:
    """A short name for these very rows: a page that comes back asks for them by it."""
    digest = blake2b(repr((table.matrix.shape, labels)).encode(), digest_size=12)
    digest.update(table.dense_rows(slice(None)).tobytes())
    return digest.hexdigest()


def open_columns(columns: Columns, chosen: Any = None, size: Any = None) -> State:
    """The state that shows two columns, or the first two principal components."""
    classes = columns.classes
    if len(classes) > MOST_CLASSES:
        raise InputError(
            f"the label has {len(classes)} classes; the studio shows at most {MOST_CLASSES}."
        )
    if len(classes) == 1:
        classes = (*classes, "other" if classes[0] != "other" else "another")
    places = {label: code for code, label in enumerate(classes)}
    codes = np.array([places[label] for label in columns.labels], dtype=np.int64)
    width = len(columns.names)
    source = {**columns.source, "width": width}
    settings = dict(columns.settings)
    if columns.notes:
        source["notes"] = list(columns.notes)
    if source["kind"] == "csv":
        source |= {"names": list(columns.names), "labels": list(columns.others)}
    if chosen == PROJECTION and width > 2:
        points, axes, drawn = _principal(columns)
        source |= {"columns": PROJECTION, "drawn": drawn}
        settings.pop("numbers", None)
    elif width == 1:
        points = np.stack([columns.X[:, 0], np.zeros(len(codes))], axis=1)
        axes = (columns.names[0], "0")
    else:
        a, b = telling_columns(columns, codes) if chosen is None else _two_places(chosen, width)
        points, axes = columns.X[:, [a, b]], (columns.names[a], columns.names[b])
        if width > 2:
            why = ", the two that differ most between the classes" * (chosen is None)
            drawn = f"columns {axes[0]} and {axes[1]} of {width}{why}"
            source |= {"columns": [a, b], "drawn": drawn}
    if columns.is_rounded and settings.pop("numbers", None):
        source["rounded"] = True
    state = State(check_points(points), codes, tuple(classes), axes, source, **settings)
    state = replace(state, size=state.size if size is None else size)
    start = state.run.start
    if isinstance(start, tuple) and len(start) != 2 + state.offset:
        state = replace(state, run=replace(state.run, start=None))
    center, span, stretch = fit(state)
    return replace(state, center=center, span=span, stretch=stretch)


def telling_columns(columns: Columns, codes: np.ndarray) -> tuple[int, int]:
    """The two columns, in their order, that differ most between the classes.

    By the ratio of the variance between the classes to that within them; of two columns, both.
    """
    X = columns.X
    if X.shape[1] == 2:
        return 0, 1
    size = np.abs(X).max(axis=0)
    scaled = X / np.where(size > 0, size, 1.0)
    middle = scaled.mean(axis=0)
    between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for code in np.unique(codes):
        part = scaled[codes == code]
        own = part.mean(axis=0)
        between += len(part) * (own - middle) ** 2
        within += ((part - own) ** 2).sum(axis=0)
    tiny = 1e-24 * len(X)
    ratio = np.where(between > tiny, between / np.maximum(within, tiny), -1.0)
    ratio = np.where((ratio < 0) & (within > tiny), 0.0, ratio)  # a constant column comes last
    ratio = np.where(size <= LARGEST, ratio, -2.0)  # but for one that cannot be drawn
    first, second = sorted(np.argsort(-ratio, kind="stable")[:2].tolist())
    return first, second


def _two_places(chosen: Any, n_columns: int) -> tuple[int, int]:
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
