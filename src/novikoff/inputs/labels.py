"""y as signs, or as places among its sorted labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError


@dataclass(frozen=True, eq=False)
class Labels:
    """Two labels as signs: `classes` is (the negative one, the positive one)."""

    signs: np.ndarray  # int8, -1 or +1
    classes: tuple[Any, Any]


def read_labels(y: Any, n_rows: int, positive: Any = None, name: str = "y") -> Labels:
    """y as signs; the positive class is `positive`, or else the larger label in sort order."""
    found, codes = read_classes(y, n_rows, name)
    if len(found) != 2:
        raise InputError(
            f"{name} has {_count_classes(found)}; 2 are needed."
            + (" Choose two of them, or use certify_classes." if len(found) > 2 else "")
        )
    if positive is None:
        positive = found[1]
    matches = [k for k in (0, 1) if found[k] == positive or str(found[k]) == str(positive)]
    if len(matches) != 1:
        raise InputError(
            f"positive is {positive!r}, but the labels of {name} are "
            f"{_plain(found[0])!r} and {_plain(found[1])!r}; choose one of them."
        )
    chosen = matches[0]
    signs = np.where(codes == chosen, 1, -1).astype(np.int8)
    return Labels(signs, (_plain(found[1 - chosen]), _plain(found[chosen])))


def read_classes(y: Any, n_rows: int, name: str = "y") -> tuple[np.ndarray, np.ndarray]:
    """The sorted labels of y, and for each row the place of its label among them."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.ravel()
    if labels.ndim != 1:
        raise InputError(f"{name} has shape {labels.shape}; it must be 1-D, one label a row.")
    if len(labels) != n_rows:
        raise InputError(
            f"X and {name} do not match: X has {n_rows} rows and {name} has {len(labels)} labels."
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise InputError(f"{name} contains NaN or infinity; every row needs a label.")
    if labels.dtype.kind == "O" and any(v is None or v != v for v in labels):
        raise InputError(f"{name} has a missing label; every row needs one: drop such rows first.")
    try:
        found, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        kinds = sorted({type(value).__name__ for value in labels})
        raise InputError(
            f"{name} mixes labels of types {' and '.join(kinds)}; give them one type."
        ) from None
    return found, codes


def _count_classes(found: np.ndarray) -> str:
    shown = ", ".join(repr(_plain(label)) for label in found[:5])
    more = ", …" if len(found) > 5 else ""
    return f"{len(found)} class{'es' * (len(found) != 1)} ({shown}{more})"


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
