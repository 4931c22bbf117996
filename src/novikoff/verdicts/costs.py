"""What giving up a row costs, which rows are trusted, and who is told: read from the caller."""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates import Reading
from novikoff.errors import InputError
from novikoff.inputs import in_memory
from novikoff.search.mistakes.costs import Costs
from novikoff.wording import count

MOST_DIGITS = 3000  # of a cost: Python writes an integer of 4,300 and no longer one
MOST_BITS = 10_000


def read_progress(progress: Any) -> Callable[[Any, Any, float], Any] | None:
    if progress is True:
        return lambda lower, upper, spent: print(
            f"novikoff: at least {lower}, at most {upper} after {spent:.2f} s", file=sys.stderr
        )
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise InputError(f"progress is {progress!r}; it must be True, False, None or a function.")
    return progress  # type: ignore[no-any-return]


def read_costs(costs: Any, trusted: Any, n_rows: int, reading: Reading | None = None) -> Costs:
    """Costs and trusted rows, exactly.

    Where rows were left out of the file that was read, rows are numbered as in the file, and what
    has an entry for each row may have one for each row of the file.
    """
    numbers = np.arange(n_rows) if reading is None else reading.numbers(np.arange(n_rows))
    n_all = n_rows + (0 if reading is None else reading.n_left_out)
    mask = _trusted(trusted, numbers, n_all)
    if costs is None:
        return Costs.of(n_rows, None, mask)
    costs = in_memory(costs, "costs")
    try:
        values = list(costs)
    except TypeError:
        given = "costs"
        raise InputError(f"{given} is {costs!r}; it must be {n_rows} numbers, one a row.") from None
    if len(values) not in (n_rows, n_all):
        there = f"there are {count(n_rows, 'row')}"
        if n_all > n_rows:
            there += f", and {n_all} with those that were left out"
        raise InputError(f"costs has {count(len(values), 'number')} and {there}; give one each.")
    exact = [_cost(value, row) for row, value in enumerate(values)]
    return Costs.of(
        n_rows, exact if len(exact) == n_rows else [exact[k] for k in numbers.tolist()], mask
    )


def _cost(value: Any, row: int) -> Fraction:
    """A float stands for the decimal that it prints as: 0.1 is a tenth."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        if isinstance(value, Decimal) and value and abs(value.adjusted()) > MOST_DIGITS:
            raise OverflowError
        if isinstance(value, (float, np.floating)):
            exact = Fraction(str(value))
        elif isinstance(value, (int, np.integer, Fraction, Decimal)):
            exact = Fraction(int(value) if isinstance(value, np.integer) else value)
        else:
            raise TypeError
        if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > MOST_BITS:
            raise OverflowError
    except OverflowError:
        what = f"not a number of at most {MOST_DIGITS:,} digits"
    except (TypeError, ValueError):
        what = f"{value!r}; a cost is a finite number"
    else:
        if exact >= 0:
            return exact
        what = f"{value}; a cost is 0 (free to give up) or more"
    raise InputError(f"the cost of row {row} is {what}.") from None


def _trusted(trusted: Any, numbers: np.ndarray, n_all: int) -> np.ndarray:
    """Which rows are trusted, as a mask; `numbers` are theirs among the `n_all` of the file."""
    mask, name = np.zeros(n_all, dtype=bool), "trusted"
    given = np.asarray(() if trusted is None else in_memory(trusted, name))
    if given.dtype == bool and given.shape in (numbers.shape, mask.shape):
        return np.array(given if given.shape == numbers.shape else given[numbers])
    if given.size and (given.ndim != 1 or given.dtype.kind not in "iu"):
        raise InputError(
            f"{name} has shape {given.shape} and dtype {given.dtype}; it must be {len(numbers)} "
            "values True or False, or the numbers of rows."
        )
    which = given if given.size else numbers[:0]
    odd = which[(which < 0) | (which >= n_all)]
    if len(odd):
        raise InputError(f"{name} has row {odd[0]}, and the rows are 0 … {n_all - 1}.")
    left_out = np.setdiff1d(which, numbers)
    if len(left_out):
        raise InputError(f"{name} has row {left_out[0]}, which was left out; it has no answer.")
    mask[which] = True
    return np.asarray(mask[numbers])
