"""X, y and weights as scikit-learn's users give them, made ready for the loops.

X is read once here at most: that its values are finite is found out by the first pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, validate_data

from novikoff.errors import InputError
from novikoff.estimators.labels import shown
from novikoff.estimators.lines import positives_of
from novikoff.inputs import check_one_type
from novikoff.loops.rows import Rows, as_rows, row_length

NO_LABELS = "no_validation"  # scikit-learn's word for a y that was not given


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

    def rows_in(self, numbers: int) -> int:
        """About how many rows store so many numbers."""
        return 1 + int(numbers // (1 + row_length(self.rows)))


def read_matrix(estimator: Any, X: Any, y: Any = NO_LABELS, *, reset: bool) -> Any:
    """X as a C-ordered or canonical CSR matrix of float64 or float32, and y as a 1-D array.

    Nothing is copied that has the right type already; values of X may still be NaN or infinite.
    """
    labelled = not (isinstance(y, str) and y == NO_LABELS)
    if _is_ready(estimator, X, y, reset):
        estimator.n_features_in_ = X.shape[1]
        return (X, y) if labelled else X
    _refuse_what_numpy_would_take(X, y)
    try:
        read = validate_data(
            estimator, X, y, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32],
            order="C", ensure_all_finite=False, accept_large_sparse=True,
        )  # fmt: skip
    except TypeError as error:
        if "NA is ambiguous" not in str(error):
            raise
        raise InputError(
            "y has a missing label; every row needs one: drop such rows first."
        ) from None
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise InputError(
                "the rows of X differ in length; every row needs the same number of values."
            ) from None
        if "could not convert" not in str(error):
            raise
        raise InputError(
            f"X holds text ({error}); every column must hold numbers: leave it out or encode it."
        ) from None
    X, y = read if labelled else (read, None)
    if not isinstance(X, np.ndarray) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X if y is None else (X, y)


def _is_ready(estimator: Any, X: Any, y: Any, reset: bool) -> bool:
    """Whether these are plain arrays that need no look from scikit-learn."""
    if type(X) is not np.ndarray or X.dtype not in (np.float64, np.float32) or X.ndim != 2:
        return False
    if not (isinstance(y, str) and y == NO_LABELS) and (
        type(y) is not np.ndarray or y.shape != X.shape[:1] or y.dtype.kind not in "biufU"
    ):
        return False
    known = not reset and getattr(estimator, "n_features_in_", None) == X.shape[1]
    named = hasattr(estimator, "feature_names_in_")
    return (reset or known) and not named and X.flags.c_contiguous and X.size > 0


def _refuse_what_numpy_would_take(X: Any, y: Any) -> None:
    """Raise on data that could be converted, but not to what it means."""
    if np.ma.is_masked(X):
        raise InputError("X has masked values; fill them, or drop their rows first.")
    kinds = np.atleast_1d(np.asarray(getattr(X, "dtypes", getattr(X, "dtype", None)), dtype=object))
    if any(getattr(kind, "kind", "") in ("m", "M") for kind in kinds.ravel()):
        raise InputError("X holds dates or times; every column must hold numbers: encode them.")
    text = _first_text(X, kinds)
    if text is not None:
        raise InputError(
            f"X holds text ({text!r}); every value must be a number: convert X, for example with "
            "X.astype(float), leave the column out or encode it."
        )
    check_one_type(y)


def _first_text(X: Any, kinds: np.ndarray) -> str | bytes | None:
    """A value of X that is text, even where it reads as a number; None where there is none."""
    if hasattr(X, "tocsr") or all(getattr(kind, "kind", "") in tuple("biufc") for kind in kinds):
        return None
    try:
        values = np.asarray(X)
    except ValueError:  # rows of different length
        return None
    if values.dtype.kind in "US":
        return str(values.flat[0]) if values.size else None
    if values.dtype.kind != "O":
        return None
    return next((value for value in values.flat if isinstance(value, (str, bytes))), None)


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
        sizes = np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=X.dtype))
        if (sizes < 0).any():
            raise InputError(
                f"sample_weight has a negative entry ({sizes.min()}); every weight must be "
                "at least 0."
            )
        if not sizes.all():
            kept = np.flatnonzero(sizes)
            if not len(kept):
                raise InputError("every row has weight 0; at least one must be positive.")
    by_class = np.ones(len(classes))
    if class_weight is not None:
        counted = None if sample_weight is None else sizes
        counts = np.bincount(codes, weights=counted, minlength=len(classes)) if whole else None
        by_class = _class_weights(class_weight, classes, counts)
    other = by_class[:1] if len(classes) == 2 else np.ones(len(classes))
    gains = np.stack([by_class[positives_of(len(classes))], other], axis=1)
    return Batch(X, as_rows(X, fit_intercept), codes, sizes, gains.astype(X.dtype), kept)


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


def stacked(upper: Any, lower: Any) -> Any:
    """The rows of one matrix above those of another; sparse if either is."""
    if isinstance(upper, np.ndarray) and isinstance(lower, np.ndarray):
        return np.concatenate([upper, lower])
    from scipy.sparse import vstack

    return vstack([upper, lower], format="csr")
