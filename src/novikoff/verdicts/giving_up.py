"""What giving up a row costs, which rows are trusted, and who is told: read from the caller."""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.search.mistakes.costs import Costs
from novikoff.wording import argument, count


def read_progress(progress: Any) -> Callable[[Any, Any, float], Any] | None:
    if progress is None or progress is False:
        return None
    if progress is True:
        return lambda lower, upper, spent: print(
            f"novikoff: at least {lower}, at most {upper} after {spent:.2f} s", file=sys.stderr
        )
    if not callable(progress):
        raise InputError(f"progress is {progress!r}; it must be True, False, None or a function.")
    return progress  # type: ignore[no-any-return]


def read_costs(costs: Any, trusted: Any, n_rows: int) -> Costs:
    mask = _trusted(trusted, n_rows)
    if costs is None:
        return Costs.of(n_rows, None, mask)
    values = list(costs.tolist() if hasattr(costs, "tolist") else costs)
    if len(values) != n_rows:
        raise InputError(
            f"{argument('costs')} has {count(len(values), 'number')} and X has "
            f"{count(n_rows, 'row')}; give one each."
        )
    exact: list[Fraction] = []
    for row, value in enumerate(values):
        try:
            if not isinstance(value, (int, float, Fraction, Decimal)) or isinstance(value, bool):
                raise TypeError
            # A float stands for the decimal that it prints as: 0.1 is a tenth.
            exact.append(Fraction(repr(value)) if isinstance(value, float) else Fraction(value))
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"costs[{row}] is {value!r}; a cost is a finite number.") from None
        if exact[-1] < 0:
            raise InputError(f"costs[{row}] is {value!r}; a cost is 0 (free to give up) or more.")
    return Costs.of(n_rows, exact, mask)


def _trusted(trusted: Any, n_rows: int) -> np.ndarray:
    mask = np.zeros(n_rows, dtype=bool)
    if trusted is None:
        return mask
    given = np.asarray(trusted)
    if given.size == 0:
        return mask
    if given.dtype == bool and given.shape == (n_rows,):
        return given.copy()
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise InputError(
            f"trusted has shape {given.shape} and dtype {given.dtype}; it must be {n_rows} values "
            "True or False, or the numbers of rows."
        )
    if given.min() < 0 or given.max() >= n_rows:
        raise InputError(f"trusted has a row out of range: X has rows 0 … {n_rows - 1}.")
    mask[given] = True
    return mask
