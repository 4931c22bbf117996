"""Two nested models compared by their suprema.

The smaller model's certain observations are certain in the larger one too, since its directions are
directions of the larger. So the test is one on the core of the smaller model, and its degrees of
freedom are the difference of the two ranks there (Geyer, 2009). Ranks and nesting are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs.csr import side_by_side
from novikoff.regression.limit.core import clock_of, with_constant
from novikoff.regression.limit.limit import LikelihoodRatio
from novikoff.search.clock import Clock
from novikoff.search.collinear import dependent_columns
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict

PER_ROW = ("weights", "offset")


def compare(one: RegressionVerdict, other: RegressionVerdict) -> LikelihoodRatio:
    """The test of the smaller model against the larger; InputError where they are not nested."""
    if not hasattr(other, "given"):
        raise InputError(
            f"compare takes what certify_regression returns; this is a {type(other).__name__}."
        )
    first, second = one.given, other.given
    kinds = [(g.model.name, g.likelihood.kind) for g in (first, second)]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"models of the same kind are compared; these are {one.model!r} and {other.model!r}."
        )
    pairs = [(getattr(g.likelihood, part) for g in (first, second)) for part in PER_ROW]
    same = first.response == second.response and np.array_equal(first.numbers, second.numbers)
    if not same or not all(np.array_equal(a, b) for a, b in pairs):
        raise InputError(
            "models of the same outcomes are compared: response, rows, weights and offset must be "
            "the same in both."
        )
    if "undecided" in (one.status, other.status):
        raise InputError(
            f"models that are decided are compared; give a longer {keyword('time_limit')}."
        )
    with clock_of(one.time_limit) as clock:
        every = np.arange(one.comparison_rows.table.n_rows)
        ranks = [rank_of([verdict], every, clock) for verdict in (one, other)]
        if rank_of([one, other], every, clock) != max(ranks):
            raise InputError(
                "neither model holds the other: every column of the smaller one must be a "
                "combination of those of the larger."
            )
        large, small = (one, other) if ranks[0] >= ranks[1] else (other, one)
        left = np.flatnonzero(small.limit().core.is_core)
        df = rank_of([large], left, clock) - rank_of([small], left, clock)
    return large.limit().ratio(small.limit().maximum.value, df)


def rank_of(verdicts: list[RegressionVerdict], rows: np.ndarray, clock: Clock) -> int:
    """Of the comparisons of these models, side by side, on some of their rows."""
    if len(rows) == 0:
        return 0
    whole = side_by_side([with_constant(one.comparison_rows).take(rows) for one in verdicts])
    return whole.n_columns - len(dependent_columns(whole, False, clock).columns)
