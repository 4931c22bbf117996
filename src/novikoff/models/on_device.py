"""Scores and classes of rows on a device, by the array API standard: the answer stays there.

Scores are products of float64 matrices, where the rows are. Rows for which a sign, or which score
is the highest, is within rounding error come to the host, and are scored exactly as any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.bounds import SLACK, SPARE, UNIT
from novikoff.inputs.device import Place, PlacedRows, read_device_table
from novikoff.models.scoring import settled_scores

ROUNDED = 2.0**-22  # of the highest score: a lead that may vanish when scores become float32
HOST = Place()
LEAST = 2.0**-120  # a score below may lose its sign as a float32, and bounds underflow far below it


def scores_on_device(
    X: Any, coef: np.ndarray, intercept: np.ndarray, kind: str, joint: bool
) -> Any:
    """The scores of `settled_scores`, on the device of X."""
    table = read_device_table(X)
    if table is None:
        raise RuntimeError("X is not on a device")
    if table.n_columns != coef.shape[1]:
        raise InputError(
            f"X has {table.n_columns} columns; the {kind} was fitted on {coef.shape[1]}."
        )
    rows, place = PlacedRows(table, False), table.place
    xp, lines = place.xp, np.asarray(coef, dtype=np.float64).T
    weights, offsets = place.put(lines), place.put(intercept, "float64")
    share = SLACK * (coef.shape[1] + 1 + SPARE) * UNIT
    narrow = np.result_type(rows.search_type, coef.dtype).name
    found, doubtful = [], []
    for part in rows.parts(len(coef)):
        block = rows.block(part)
        scores = block @ weights + offsets[None, :]
        bound = (xp.abs(block) @ xp.abs(weights) + xp.abs(offsets)[None, :]) * share + LEAST
        is_sure = xp.all((xp.abs(scores) > bound) | joint, axis=1)
        if len(coef) > 1:
            ordered = xp.sort(scores, axis=1)
            lead = ordered[:, -1] - ordered[:, -2]
            lost = ROUNDED * xp.max(xp.abs(scores), axis=1) if narrow == "float32" else 0.0
            is_sure = is_sure & (lead > 2.0 * xp.max(bound, axis=1) + lost)
        found.append(scores)
        doubtful.append(part.start + np.flatnonzero(~place.fetch(is_sure)))
    scores = xp.concat(found, axis=0)
    places = np.concatenate(doubtful)
    scores = place.cast(scores, narrow)
    if len(places):
        few = rows.on_host(places).matrix.astype(rows.search_type)
        exact = place.put(settled_scores(few, coef, intercept, joint=joint), narrow)
        chosen = np.arange(table.n_rows)
        chosen[places] = table.n_rows + np.arange(len(places))
        scores = place.take(xp.concat([scores, exact], axis=0), chosen)
    return scores[:, 0] if len(coef) == 1 else scores


def class_places(
    scores: Any, n_classes: int, ties_positive: bool, joint: bool, place: Place = HOST
) -> Any:
    """The class, as a number, that each row is put in; `place` is where the scores are."""
    if n_classes == 1:
        places = 0.0 * scores
    elif scores.ndim == 1:
        places = scores >= 0.0 if ties_positive else scores > 0.0
    elif ties_positive and joint:  # the last of the best
        places = n_classes - 1 - place.xp.argmax(place.xp.flip(scores, axis=1), axis=1)
    else:
        places = place.xp.argmax(scores, axis=1)
    return place.cast(places, "int64")


def classes_on_device(scores: Any, classes: np.ndarray, ties_positive: bool, joint: bool) -> Any:
    """The class of each row: on the device where classes are numbers, else on the host."""
    place = Place.of(scores)
    places = class_places(scores, len(classes), ties_positive, joint, place)
    if classes.dtype.kind not in "biuf":
        return classes[place.fetch(places)]
    return place.xp.take(place.put(classes), places, axis=0)
