"""Better weights for a line than those in its pocket: the search for the fewest mistakes."""

from __future__ import annotations

import numbers
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError

SECONDS = 10.0  # for a line, where polish is True


def seconds_of(polish: Any) -> float:
    """The seconds that polishing may take: 0 for False."""
    if isinstance(polish, (bool, np.bool_)):
        return SECONDS if polish else 0.0
    if not isinstance(polish, numbers.Real) or not float(polish) > 0.0:
        raise InputError(
            f"polish is {polish!r}; it must be True, False or a positive number of seconds."
        )
    return float(polish)


def polished(
    X: Any,
    positive: np.ndarray,
    costs: np.ndarray,
    rows: np.ndarray,
    known: np.ndarray,
    fit_intercept: bool,
    seconds: float,
) -> np.ndarray | None:
    """Weights, the offset last, whose mistakes on `rows` weigh least of all that were found.

    `known` are weights to begin with. None where no others were found.
    """
    from novikoff.inputs import read_table
    from novikoff.search.clock import Clock, OutOfTimeError
    from novikoff.search.mistakes.closing import close
    from novikoff.search.mistakes.costs import Costs
    from novikoff.search.mistakes.hitting_set import HittingSetSearch
    from novikoff.search.signed_rows import SignedRows
    from novikoff.search.threads import one_thread

    n_rows = X.shape[0]
    whole = np.zeros(n_rows)
    whole[rows] = np.broadcast_to(costs, (n_rows,))[rows]
    plain = len(rows) == n_rows and bool((whole == 1.0).all())
    exact = None if plain else [Fraction(cost) for cost in whole.tolist()]
    asked = Costs.of(n_rows, exact, np.zeros(n_rows, dtype=bool))
    signs = np.where(positive, 1, -1).astype(np.int8)
    z = SignedRows(read_table(X), signs, fit_intercept, asked.matter)
    hitting = HittingSetSearch(z, asked, Clock(seconds), np.random.default_rng(0))
    given = known.astype(np.float64)
    with one_thread(z.dim):
        if given.any():
            hitting.best.offer(given)
        with suppress(OutOfTimeError):
            close(hitting)
    weights = hitting.best.weights
    if weights is None or weights is given:
        return None
    if isinstance(weights, np.ndarray):
        return weights
    largest = max(abs(Fraction(value)) for value in weights) or Fraction(1)
    return np.array([float(Fraction(value) / largest) for value in weights])
