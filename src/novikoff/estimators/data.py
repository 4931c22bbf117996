"""X and y as scikit-learn's users give them: lists, frames, matrices of every kind.

X is read once here at most: that its values are finite is found out by the first pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from novikoff.errors import InputError
from novikoff.inputs import check_one_type, in_memory
from novikoff.inputs.frames import unlike
from novikoff.models.data import canonical

NO_LABELS = "no_validation"  # scikit-learn's word for a y that was not given


def read_matrix(estimator: Any, X: Any, y: Any = NO_LABELS, *, reset: bool) -> Any:
    """X as a C-ordered or canonical CSR matrix of float64 or float32, and y as a 1-D array.

    Nothing is copied that has the right type already; values of X may still be NaN or infinite.
    """
    labelled = not (isinstance(y, str) and y == NO_LABELS)
    if _is_ready(estimator, X, y, reset):
        estimator.n_features_in_ = X.shape[1]
        return (X, y) if labelled else X
    X = in_memory(X, "X")
    y = in_memory(y, "y") if labelled else y
    _refuse_what_numpy_would_take(X, y)
    try:
        read = validate_data(
            estimator, X, y, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32],
            order="C", ensure_all_finite=False, accept_large_sparse=True,
        )  # fmt: skip
    except OverflowError:
        raise InputError(
            "X holds a whole number beyond 1.8e308, and estimators compute in floats; divide the "
            "column by a power of ten, or ask certify or trace, which take numbers of any size."
        ) from None
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
    if not isinstance(X, np.ndarray):
        X = canonical(X)
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
    kinds = np.atleast_1d(np.asarray(getattr(X, "dtypes", getattr(X, "dtype", None)), dtype=object))
    if any(getattr(kind, "kind", "") in ("m", "M") for kind in kinds.ravel()):
        raise InputError("X holds dates or times; every column must hold numbers: encode them.")
    if hasattr(X, "columns") and not callable(X.columns):
        unlike(X.columns, "X")
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
