"""The lectures' conventions as parameters: ties, orders of the rows, starts."""

from __future__ import annotations

import numbers
import os
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from novikoff.errors import ParameterError, one_of

Tie: TypeAlias = Literal["mistake", "positive", "zero"]
OrderWord: TypeAlias = Literal["cyclic", "restart", "shuffled"]
Order: TypeAlias = OrderWord | Sequence[int] | np.ndarray
WholePasses: TypeAlias = Literal["cyclic", "shuffled"] | Sequence[int] | np.ndarray
Multiclass: TypeAlias = Literal["rest", "joint"]
TIES: tuple[str, ...] = get_args(Tie)
ORDERS: tuple[str, ...] = get_args(OrderWord)
MULTICLASS: tuple[str, ...] = get_args(Multiclass)


def read_order(order: Any, n_rows: int) -> np.ndarray:
    """The order of a pass as row numbers; a word or a permutation is accepted."""
    if isinstance(order, str):
        one_of("order", order, ORDERS)
        return np.arange(n_rows)
    given = np.asarray(order)
    if given.ndim != 1 or given.dtype.kind not in "iu" or len(given) != n_rows:
        raise ParameterError(
            f"order has shape {given.shape} and dtype {given.dtype}; it must be a "
            "word such as "
            f"'cyclic', or a permutation of the row numbers 0 … {n_rows - 1}."
        )
    if not np.array_equal(np.sort(given), np.arange(n_rows)):
        raise ParameterError(
            f"order is not a permutation: each row number 0 … {n_rows - 1} must be in it once."
        )
    return given.astype(np.int64)


def read_start(
    start: Any, n_columns: int, fit_intercept: bool, random: Any, n_lines: int = 1,
    dtype: Any = np.float64,
) -> np.ndarray:  # fmt: skip
    """The first weights of each line, always with an entry for the offset: zeros, standard normal
    numbers, or those given.
    """
    W, needed = np.zeros((n_lines, n_columns + 1), dtype=dtype), n_columns + bool(fit_intercept)
    if start is None:
        return W
    if isinstance(start, str) and start == "random":
        given = random.standard_normal((n_lines, needed))
    else:
        try:
            given = np.asarray(start, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.empty(0)
    if given.shape not in ((needed,), (n_lines, needed)) or not np.isfinite(given).all():
        shapes = f"{needed}" if n_lines == 1 else f"{needed} or {n_lines}×{needed}"
        raise ParameterError(
            f"start is {f'of shape {given.shape}' if given.size else f'{start!r}'}; it must be "
            f"None, 'random' or {shapes} finite numbers"
            f"{' (the offset last)' if fit_intercept else ''}."
        )
    W[:, :needed] = given
    W += 0.0  # no negative zeros, which dense and sparse updates would treat differently
    return W


def whole_number(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """The value, which must be a whole number of at least `least`, and at most `most`."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < least or (most is not None and value > most):
        span = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name} is {value!r}; it must be a whole number {span}.", name)
    return int(value)


def true_or_false(name: str, value: Any) -> bool:
    """The value, which must be True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} is {value!r}; it must be True or False.", name)
    return bool(value)


def seconds(value: Any, name: str = "time_limit") -> float | None:
    """A time limit: a positive number, or None for none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) > 0.0:
        raise ParameterError(
            f"{name} is {value!r}; it must be a positive number of seconds or None.",
            name,
        )
    return float(value)


def read_random(random_state: Any) -> np.random.RandomState:
    """A RandomState, whose stream numpy promises never to change."""
    if isinstance(random_state, np.random.RandomState):
        return random_state
    is_whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if random_state is None or (is_whole and 0 <= random_state < 2**32):
        return np.random.RandomState(random_state)
    raise ParameterError(
        f"random_state is {random_state!r}; it must be None, a whole number from 0 "
        "to 2^32 - 1, or a RandomState.",
        "random_state",
    )


def read_seed(random_state: Any) -> int:
    """A seed for an answer that does not depend on it: 0 for None, a draw from a generator."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    is_whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if not is_whole or random_state < 0:
        raise ParameterError(
            f"random_state is {random_state!r}; it must be a non-negative integer, a "
            "numpy generator or None.",
            "random_state",
        )
    return int(random_state)


def threads_of(n_jobs: int | None) -> int:
    """How many threads n_jobs asks for: one for None, all cores for -1, all but one for -2."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs is {n_jobs!r}; it must be None, a number of threads, or -1 for all cores.",
            "n_jobs",
        )
    return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))
