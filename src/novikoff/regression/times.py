"""Times that differ by rounding alone, such as 0.3 and 0.1 + 0.2.

To everybody they are a tie, and R's coxph makes them one (its `timefix`); to exact numbers they are
two times. Two are taken for one if they lie within 2^-40 of the largest, and not both of them are
decimals of at most 15 digits, which floats hold apart: those were written, and not computed.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.wording import decimal_digits, keyword, written

NEAR = 2.0**-40
SHORT = 15  # digits of a decimal that its nearest float still tells from every other
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
    short = [values[k] for k in doubtful if _n_digits(values[k]) <= SHORT]
    same: dict[Any, Any] = {}
    before: list[Any] = []  # the last of those that no short one is near to
    for value in (values[k] for k in doubtful):
        if _n_digits(value) <= SHORT:
            continue
        place = bisect_left(short, value)
        around = [
            one for one in short[max(0, place - 1) : place + 1] if _apart(one, value) <= reach
        ]
        near = around or [one for one in before if _apart(one, value) <= reach]
        if near:
            same[value] = min(near, key=lambda one: _apart(one, value))
        else:
            before = [value]
    return same


def _apart(a: Any, b: Any) -> Fraction:
    return abs(Fraction(a) - Fraction(b))


def _n_digits(value: Any) -> int:
    """Of the decimal that prints it; of a fraction that is no decimal more than a short one has."""
    if isinstance(value, float):
        return len(Decimal(repr(value)).normalize().as_tuple().digits)
    digits = decimal_digits(Fraction(value))
    return SHORT + 1 if digits is None else len(str(abs(digits[0])).rstrip("0"))
