"""Labels as small numbers: which classes there are, and where each row's label stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from novikoff.errors import InputError
from novikoff.inputs import read_classes

FEW = 16  # up to so many classes, comparing with each is cheaper than sorting all labels


def encode(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sorted classes of the 1-D array y, and each row's place among them (int8 or int32)."""
    few = _encode_few(y) if y.dtype.kind in "biufUS" else None
    classes, codes = few or read_classes(y, len(y))
    if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
        check_classification_targets(classes)  # raises: these are measurements, not labels
    if codes.dtype != np.int8:
        codes = codes.astype(np.int8 if len(classes) < 128 else np.int32)
    return classes, codes


def _encode_few(y: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The same where the classes are few; None where they are not, or one equals nothing."""
    firsts = [0]  # the row where each class first appears
    rest = y != y[0]
    codes = None
    while rest[k := int(rest.argmax())]:
        if len(firsts) == FEW or y[k] != y[k]:
            return None
        same = y == y[k]
        rest ^= same
        if codes is None:
            codes = same.view(np.int8)
        else:
            codes += same.view(np.int8) * np.int8(len(firsts))
        firsts.append(k)
    if codes is None:
        codes = np.zeros(len(y), dtype=np.int8)
    found = y[firsts]
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        return None
    by_size = np.argsort(found)
    if len(found) == 2 and by_size[0] == 1:
        codes ^= 1
    elif len(found) > 2:
        codes = np.argsort(by_size).astype(np.int8)[codes]
    return found[by_size], codes


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
