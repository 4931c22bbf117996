"""Rows and weights made ready for the loops, from arrays or from what `read` and `scan` give.

X is read at most once here: the first pass finds out whether its values are finite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import Table, in_memory
from novikoff.io.data import Data
from novikoff.io.scanning import Scan
from novikoff.loops.rows import Rows, as_rows
from novikoff.models.labels import shown
from novikoff.models.lines import positives_of


@dataclass(frozen=True, eq=False)
class Batch:
    """What a pass reads."""

    X: Any  # the matrix that the rows are of
    rows: Rows
    targets: np.ndarray  # each row's class, as a number
    sizes: np.ndarray  # each row's weight, or one for all
    gains: np.ndarray  # (lines, 2): what a line multiplies it by on positive and negative rows
    kept: np.ndarray | None  # the rows whose weight is not zero, or None for all

    @property
    def dtype(self) -> Any:
        return self.rows.values.dtype

    @property
    def n_rows(self) -> int:
        return len(self.targets)

    @property
    def n_visits(self) -> int:
        """How many rows a pass visits: those whose weight is not zero."""
        return self.n_rows if self.kept is None else len(self.kept)

    @property
    def n_numbers(self) -> int:
        """How many numbers the rows store."""
        return int(self.rows.values.size)


def read_rows(X: Any) -> Any:
    """X as a C-ordered array or a canonical CSR matrix, of float64 or float32.

    Nothing is copied that has the right type already; values may still be NaN or infinite.
    """
    if hasattr(X, "tocsr"):
        matrix = X.tocsr()
        if matrix.dtype not in (np.float64, np.float32):
            matrix = matrix.astype(np.float64)
        return canonical(matrix)
    matrix = np.asarray(in_memory(X, "X"))
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf" or not matrix.size:
        raise InputError(
            f"X has shape {matrix.shape} and dtype {matrix.dtype}; it must be a 2-D array of "
            "numbers, with at least one row and one column."
        )
    dtype = matrix.dtype if matrix.dtype in (np.float64, np.float32) else np.float64
    return np.ascontiguousarray(matrix, dtype=dtype)


def canonical(matrix: Any) -> Any:
    """A CSR matrix whose columns are sorted in each row, and none of them stored twice."""
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def check_finite(X: Any) -> None:
    """Raise if X holds NaN or infinity, and say where."""
    values = X if isinstance(X, np.ndarray) else X.data
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    bad = np.argwhere(~np.isfinite(values))
    if not len(bad):
        return
    if isinstance(X, np.ndarray):
        (i, j), value = bad[0], X[tuple(bad[0])]
    else:
        k = int(bad[0, 0])
        i, j, value = np.searchsorted(X.indptr, k, side="right") - 1, X.indices[k], X.data[k]
    raise InputError(
        f"X contains {'NaN' if np.isnan(value) else 'infinity'} (row {i}, column {j}); every "
        "value must be a finite number: drop or fill such rows first."
    )


def make_batch(
    X: Any, codes: np.ndarray, classes: np.ndarray, sample_weight: Any, class_weight: Any,
    fit_intercept: bool, *, whole: bool,
) -> Batch:  # fmt: skip
    """The rows with their update sizes: sample_weight[i], times the weight of the row's class.

    With more than two classes the class weight counts on that class's own line only. `whole`:
    these are all the rows there are, so the frequencies of classes are known.
    """
    sizes, kept = np.ones(1, dtype=X.dtype), None
    if sample_weight is not None:
        sizes = _row_weights(sample_weight, X.shape[0], X.dtype)
        if (sizes < 0).any():
            raise InputError(
                f"sample_weight has a negative entry ({sizes.min()}); every weight must be "
                "at least 0."
            )
        if not sizes.all():
            kept = np.flatnonzero(sizes)
            if not len(kept):
                raise InputError("every row has weight 0; at least one must be above zero.")
    by_class = np.ones(len(classes))
    if class_weight is not None:
        counted = None if sample_weight is None else sizes
        counts = np.bincount(codes, weights=counted, minlength=len(classes)) if whole else None
        by_class = _class_weights(class_weight, classes, counts)
    other = by_class[:1] if len(classes) == 2 else np.ones(len(classes))
    gains = np.stack([by_class[positives_of(len(classes))], other], axis=1)
    return Batch(X, as_rows(X, fit_intercept), codes, sizes, gains.astype(X.dtype), kept)


def _row_weights(sample_weight: Any, n_rows: int, dtype: Any) -> np.ndarray:
    """A weight for each row, from as many numbers or from one for all."""
    sample_weight = in_memory(sample_weight, "sample_weight")
    try:
        weights = np.asarray(sample_weight, dtype=dtype)
    except (TypeError, ValueError):
        raise InputError(
            f"sample_weight is {sample_weight!r:.80}; it must be {n_rows} numbers, one a row."
        ) from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise InputError(
            f"sample_weight has shape {weights.shape}; it must be {n_rows} numbers, one a row."
        )
    if not np.isfinite(weights).all():
        raise InputError("sample_weight contains NaN or infinity; every weight must be finite.")
    return np.ascontiguousarray(weights)


def _class_weights(class_weight: Any, classes: np.ndarray, counts: np.ndarray | None) -> np.ndarray:
    if isinstance(class_weight, str) and class_weight == "balanced":
        if counts is None:
            raise InputError(
                "class_weight is 'balanced', which needs all rows at once; for partial_fit give "
                "a dict of weights by class."
            )
        return np.where(counts > 0, counts.sum() / (len(classes) * np.maximum(counts, 1e-300)), 1.0)
    if not isinstance(class_weight, dict):
        raise InputError(
            f"class_weight is {class_weight!r}; it must be None, 'balanced' or a dict of weights "
            "by class."
        )
    weights = np.ones(len(classes))
    places = {label: place for place, label in enumerate(classes.tolist())}
    for label, weight in class_weight.items():
        if label not in places:
            raise InputError(
                f"class_weight names the class {label!r}, but the classes are {shown(classes)}."
            )
        if not (isinstance(weight, Real) and 0 <= float(weight) < np.inf):
            raise InputError(
                f"class_weight of {label!r} is {weight!r}; it must be a number of at least 0."
            )
        weights[places[label]] = weight
    if not weights.any():
        raise InputError("every class has weight 0; at least one must be positive.")
    return weights


def squares_of(X: Any) -> np.ndarray:
    """‖row‖² of every row of a float matrix, dense or sparse."""
    if isinstance(X, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", X, X))
    return np.asarray(X.multiply(X).sum(axis=1)).ravel()


def stacked(upper: Any, lower: Any) -> Any:
    """The rows of one matrix above those of another; sparse if either is."""
    if isinstance(upper, np.ndarray) and isinstance(lower, np.ndarray):
        return np.concatenate([upper, lower])
    from scipy.sparse import vstack

    return vstack([upper, lower], format="csr")


def learnt_rows(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """X, y and weights as arrays: those of a file, where X is one, mapped from its cache.

    The estimator keeps what other files must be told to give the same columns, as `reading_`, and
    what the label column is called, as `label_`. Which rows it has learnt from, `rows_digest_`, is
    true no longer.
    """
    vars(estimator).pop("rows_digest_", None)
    if not isinstance(X, (Data, Scan)):
        for name in ("reading_", "label_"):
            vars(estimator).pop(name, None)
        return X, y, sample_weight
    if y is not None:
        raise InputError("X is a file, which has its labels; leave y out.")
    data = X.cached() if isinstance(X, Scan) else X
    if data.y is None:
        raise InputError(f"{data.source} was read without labels; read it with them to learn.")
    estimator.reading_, estimator.label_ = dict(data.reading), data.label
    return matrix_of(data), data.y, data.weights if sample_weight is None else sample_weight


def matrix_of(data: Data) -> Any:
    """The rows as an array or a CSR matrix; decimals as their nearest floats."""
    return data.X.matrix if isinstance(data.X, Table) else data.X


def by_blocks(answer: Callable[[Any], np.ndarray], X: Any) -> np.ndarray:
    """The answer to rows, to those of a file too: to a scan block by block."""
    if isinstance(X, Data):
        return answer(matrix_of(X))
    if isinstance(X, Scan):
        return np.concatenate([answer(matrix_of(block)) for block in X])
    return answer(X)
