"""Labels as small numbers: which classes there are, and where each row's label stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import in_memory, read_classes


def encode(y: np.ndarray, n_rows: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes of the 1-D array y, and each row's place among them (int8 or int32)."""
    classes, codes = read_classes(y, len(y) if n_rows is None else n_rows)
    if classes.dtype.kind == "f" and (broken := classes[classes != np.floor(classes)]).size:
        raise InputError(
            f"Unknown label type: continuous. y holds measurements such as {broken[0]!s}; classes "
            "are needed, words or whole numbers."
        )
    if codes.dtype != np.int8:
        codes = codes.astype(np.int8 if len(classes) < 128 else np.int32)
    return classes, codes


def with_announced(known: np.ndarray, classes: Any) -> np.ndarray:
    """The known classes, and those that the argument `classes` of partial_fit names, if any."""
    if classes is None:
        return known
    announced = np.asarray(in_memory(classes, "classes"))
    if announced.ndim != 1 or not announced.size:
        raise InputError(f"classes is {classes!r}; it must be a list of labels, or None.")
    return union(known, encode(announced)[0])


def union(known: np.ndarray | None, found: np.ndarray) -> np.ndarray:
    """The classes of both, sorted."""
    if known is None:
        return found
    if not _comparable(known, found):
        raise InputError(
            f"the labels {found[:3].tolist()} cannot be sorted among the known classes "
            f"{known[:3].tolist()}; give labels of one type."
        )
    return np.asarray(np.union1d(known, found))


def _comparable(known: np.ndarray, found: np.ndarray) -> bool:
    def is_number(labels: np.ndarray) -> bool:
        return labels.dtype.kind in "biuf"

    if "O" in (known.dtype.kind, found.dtype.kind):
        return isinstance(found[0], str) == isinstance(known[0], str)
    return is_number(known) == is_number(found)


def recode(codes: np.ndarray, found: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Codes among `found`, a part of `classes`, as codes among `classes`."""
    if len(found) == len(classes):
        return codes
    places = np.searchsorted(classes, found)
    return np.asarray(places.astype(np.int8 if len(classes) < 128 else np.int32)[codes])


def shown(classes: Any) -> str:
    """A few classes, for a message."""
    few = ", ".join(repr(label) for label in np.asarray(classes)[:5].tolist())
    return few + (", …" if len(classes) > 5 else "")
