"""Times that differ by rounding alone, such as 0.3 and 0.1 + 0.2.

To everybody they are a tie, and R's coxph makes them one (its `timefix`); to exact numbers they are
two times. Two are taken for one if they lie within 2^-40 of the largest, and not both of them were
written rather than computed: decimals whose last digit is worth four steps of floats or more, as
that of 15 digits always is.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.wording import decimal_digits, keyword, written

NEAR = 2.0**-40
STEPS = 4  # between floats, in the last digit of a decimal that was written
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
    few = f"the times {written(other)} and {written(one)} differ by rounding alone"
    if len(same) > 1:
        few += f" (and {len(same) - 1} more)"
    if decimal:
        tied = {name: [same.get(v, v) for v in columns[name]] for name in TIMES if name in columns}
        return {**columns, **tied}, [f"{few}, and are one time here, as in R's coxph"]
    is_float = any(isinstance(value, float) for value in same)
    cure = f"say {keyword('numbers', 'decimal')}" if is_float else "round them"
    return columns, [f"{few}: no tie here, and one in R's coxph; to make them one, {cure}"]


def _nearly_equal(values: list[Any]) -> dict[Any, Any]:
    """For each of these ascending numbers that is another but for rounding, that other."""
    if all(isinstance(value, int) for value in values):
        return {}
    try:
        floats = np.array([float(value) for value in values])
    except OverflowError:  # beyond the floats nothing was rounded
        return {}
    reach = NEAR * float(np.abs(floats).max())
    close = np.diff(floats) <= reach
    doubtful = np.flatnonzero(np.append(close, False) | np.append(False, close)).tolist()
    typed = [values[k] for k in doubtful if _is_written(values[k])]
    same: dict[Any, Any] = {}
    before: list[Any] = []  # the last of those that none of these is near to
    for value in sorted({values[k] for k in doubtful}.difference(typed)):
        place = bisect_left(typed, value)
        around = typed[max(0, place - 1) : place + 1]
        for few in (around, before):
            near = [one for one in few if _apart(one, value) <= reach]
            if near:
                same[value] = min(near, key=lambda one: _apart(one, value))
                break
        else:
            before = [value]
    return same


def _apart(a: Any, b: Any) -> Fraction:
    return abs(Fraction(a) - Fraction(b))


def _is_written(value: Any) -> bool:
    """Whether it is a decimal that was hardly computed."""
    if isinstance(value, int):
        return True
    digits = decimal_digits(Fraction(repr(value) if isinstance(value, float) else value))
    return digits is not None and Fraction(10) ** digits[1] >= STEPS * math.ulp(float(value))
