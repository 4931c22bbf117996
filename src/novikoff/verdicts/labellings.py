"""Many questions about one table: columns of labels, classes against the rest, pairs of classes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np

from novikoff.certificates import Reading
from novikoff.errors import InputError, one_of
from novikoff.inputs import Labels, read_ordered, with_gaps
from novikoff.inputs.device import Place
from novikoff.inputs.frames import as_frame
from novikoff.inputs.labels import read_labels, without_missing
from novikoff.inputs.tensors import is_elsewhere


class Labelling(NamedTuple):
    """One question: its name, and the rows of X that have a label, with their signs.

    label : what its proof calls the column of labels
    title : its name in words, where it is called otherwise
    """

    name: Any
    rows: np.ndarray | None  # None for all
    labels: Labels
    label: str | None
    title: str | None = None

    @property
    def words(self) -> str:
        """Its name as it is printed."""
        return self.title or str(self.name)

    def reading_of(self, reading: Reading | None, n_rows: int) -> Reading | None:
        """How the rows that have a label came out of the file of all rows."""
        return (
            reading if reading is None or self.rows is None else reading.of_rows(self.rows, n_rows)
        )

    def signs(self, n_rows: int) -> np.ndarray:
        """The sign of every row of X, and 0 where it has no label."""
        if self.rows is None:
            return self.labels.signs
        signs = np.zeros(n_rows, dtype=np.int8)
        signs[self.rows] = self.labels.signs
        return signs


def is_many(y: Any) -> bool:
    """Whether y is a table of more than one column, or a mapping from names to columns."""
    if isinstance(y, Mapping):
        return True
    if isinstance(y, (list, tuple)):
        return bool(y) and isinstance(y[0], (list, tuple)) and len(y[0]) > 1
    shape = getattr(y, "shape", None)
    return shape is not None and len(shape) == 2 and int(shape[1]) > 1


def read_labellings(
    Y: Any, n_rows: int, positive: Any = None
) -> tuple[list[Labelling], np.ndarray]:
    """The columns of Y, each with its two labels as signs; InputError names the one that has not.

    Rows without a label are left out of that column's question only. The second value is the
    signs of all rows, a column for each labelling: 0 where there is no label.
    """
    if is_elsewhere(Y):
        Y = Place.of(Y, "Y").fetch(Y)
    known = _read_whole(Y, n_rows) if positive is None else None
    if known is not None:
        return known
    found = []
    for name, column in _columns_of(Y).items():
        words = f"labelling {name!r}"
        if len(column) != n_rows:
            raise InputError(
                f"X and Y do not match: X has {n_rows} rows and {words} has {len(column)} labels."
            )
        rows, values = without_missing(column)
        n_labels = n_rows if rows is None else len(rows)
        if n_labels == 0:
            raise InputError(f"{words} has no labels; 2 are needed.")
        labels = read_labels(values, n_labels, positive, words)
        found.append(Labelling(name, rows, labels, str(name)))
    return found, signs_of(found, n_rows)


def signs_of(labellings: list[Labelling], n_rows: int) -> np.ndarray:
    """The signs of all rows, a column for each labelling: 0 where there is no label."""
    return np.stack([one.signs(n_rows) for one in labellings]).T


def labellings_of_classes(
    y: Any, n_rows: int, against: Literal["rest", "each"], label: str | None
) -> list[Labelling]:
    """More than two classes as labellings: each against the rest, or each against each."""
    one_of("against", against, ("rest", "each"))
    found, codes = read_ordered(y, n_rows)
    classes = [one.item() if isinstance(one, np.generic) else one for one in found]
    if len(classes) < 2:
        raise InputError(f"y has 1 class ({classes[0]!r}); at least 2 are needed.")
    labellings = []
    for k, one in enumerate(classes) if against == "rest" else ():
        rest = "rest" if str(one) != "rest" else "all others"
        labels = Labels(np.where(codes == k, 1, -1).astype(np.int8), (rest, one))
        labellings.append(Labelling(one, None, labels, label, f"{one} against the rest"))
    for k, m in combinations(range(len(classes)), 2) if against == "each" else ():
        rows, pair = np.flatnonzero((codes == k) | (codes == m)), (classes[k], classes[m])
        labels = Labels(np.where(codes[rows] == m, 1, -1).astype(np.int8), pair)
        title = f"{pair[0]} against {pair[1]}"
        labellings.append(Labelling(pair, rows, labels, label, title))
    return labellings


def _read_whole(Y: Any, n_rows: int) -> tuple[list[Labelling], np.ndarray] | None:
    """All columns of a matrix of truth values or whole numbers at once; None where Y is anything
    else, or a column has not two values.
    """
    if not isinstance(Y, np.ndarray) or isinstance(Y, np.ma.MaskedArray):
        return None
    if Y.ndim != 2 or Y.dtype.kind not in "biu" or not Y.size or len(Y) != n_rows:
        return None
    low, high = Y.min(axis=0), Y.max(axis=0)
    is_high = high == Y if Y.dtype.kind != "b" else Y
    if not ((low != high).all() and (Y.dtype.kind == "b" or (is_high | (low == Y)).all())):
        return None
    signs = np.ascontiguousarray(is_high).view(np.int8) * np.int8(2) - np.int8(1)
    classes = zip(low.tolist(), high.tolist(), strict=True)
    found = [
        Labelling(k, None, Labels(signs[:, k], both), str(k)) for k, both in enumerate(classes)
    ]
    return found, signs


def _columns_of(Y: Any) -> dict[Any, Any]:
    """The columns of a table of labels, by name."""
    if isinstance(Y, Mapping):
        if not Y:
            raise InputError("Y has no columns; give at least one labelling.")
        return dict(Y)
    if hasattr(Y, "tocsr"):
        Y = Y.toarray()
    elif isinstance(Y, (list, tuple)):
        widths = {len(row) for row in Y}
        if len(widths) > 1:
            raise InputError(
                "the rows of Y differ in length; each needs a label for each labelling."
            )
        Y = np.array(Y, dtype=object)
    frame = None if isinstance(Y, np.ndarray) else as_frame(Y, "Y")
    if frame is not None:
        return {name: frame.get_column(name).to_native() for name in frame.columns}
    Y = with_gaps(Y, "Y")
    if isinstance(Y, np.ndarray):
        Y = np.asfortranarray(Y)  # each column is read several times
    return {k: Y[:, k] for k in range(int(Y.shape[1]))}
