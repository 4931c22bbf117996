"""Times that differ by rounding alone, such as 0.3 and 0.1 + 0.2.

To everybody they are a tie, and R's coxph makes them one (its `timefix`); to exact numbers they are
two times. Those within 2^-40 of the largest time are taken for one, unless all of them were written
rather than computed: decimals whose last digit is worth four steps of floats or more, as that of 15
digits always is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.wording import keyword, written

SAME_TIME = 2.0**-40
STEPS_OF_A_DIGIT = 4  # between floats, in the last digit of a decimal that was written
POWERS_OF_TEN = np.array([float(10**k) for k in range(23)])  # those that are floats
TIMES = ("time", "entry")


def one_time(
    columns: dict[str, list[Any]], decimal: bool
) -> tuple[dict[str, list[Any]], list[str]]:
    """The columns with nearly equal times made equal, where `decimal`; and what to say of them."""
    values = sorted({value for name in TIMES for value in columns.get(name, ())})
    same = _nearly_equal(values)
    if not same:
        return columns, []
    one, other = next(iter(same.items()))
    few = f"the times {written(other)} and {written(one)} differ by no more than rounding"
    if len(same) > 1:
        few += f" (and {len(same) - 1} more)"
    if decimal:
        tied = {name: [same.get(v, v) for v in columns[name]] for name in TIMES if name in columns}
        return {**columns, **tied}, [f"{few}, and are one time here, as in R's coxph"]
    is_float = any(isinstance(value, float) for value in same)
    cure = f"say {keyword('numbers', 'decimal')}" if is_float else "round them"
    return columns, [f"{few}: no tie here, and one in R's coxph; to make them one, {cure}"]


def _nearly_equal(values: list[Any]) -> dict[Any, Any]:
    """For each of these ascending numbers that is another but for rounding, the first such."""
    if all(isinstance(value, int) for value in values):
        return {}
    try:
        floats = np.array([float(value) for value in values])
    except OverflowError:  # beyond the floats nothing was rounded
        return {}
    close = np.append(False, np.diff(floats) <= SAME_TIME * np.abs(floats).max())
    tied = np.flatnonzero(close | np.append(close[1:], False))
    if _are_written(floats[tied]):
        return {}
    first = np.maximum.accumulate(np.where(close, 0, np.arange(len(values))))
    return {values[k]: values[first[k]] for k in np.flatnonzero(close).tolist()}


def _are_written(floats: np.ndarray) -> bool:
    """Whether all are the floats of decimals that were hardly computed."""
    places = np.floor(-np.log10(STEPS_OF_A_DIGIT * np.spacing(np.abs(floats))))
    scale = POWERS_OF_TEN[np.clip(places, 0, len(POWERS_OF_TEN) - 1).astype(np.intp)]
    return bool((np.rint(floats * scale) / scale == floats).all())
