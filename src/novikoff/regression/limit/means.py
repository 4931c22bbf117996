"""Fitted means, and means of new rows: numbers, bounds, or not determined.

The mean of a row is that of its linear predictor x·β in the limit. Where that is infinite, the mean
is at a bound: 0, 1, or an infinite count. A class is certain not to be where another is ahead of it
by +∞; the classes that are left have probabilities if all differences among them are finite.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.certificates.comparisons import thresholds_of
from novikoff.errors import InputError
from novikoff.inputs import Table
from novikoff.regression.limit.core import State, with_ones
from novikoff.regression.limit.problem import link_of, outcomes_of

if TYPE_CHECKING:
    from novikoff.regression.limit.limit import Limit

BOUNDS: dict[State, float] = {"+inf": math.inf, "-inf": -math.inf, "not determined": math.nan}


class Predicted(NamedTuple):
    """The means of new rows.

    mean : a number for each row, or a row of probabilities; nan where it is not determined
    state : 'determined' or 'not determined', for each row
    """

    mean: np.ndarray
    state: np.ndarray


# A linear predictor: for each coefficient, by place, its sign, and the column that goes with it.
Predictor = dict[int, tuple[int, int]]


def fitted_means(limit: Limit) -> np.ndarray:
    """Of the model's own observations."""
    given, core = limit.verdict.given, limit.core
    if given.kind.has_rows:
        means = outcomes_of(given)[0].copy()  # a settled row's mean is its outcome
        eta = limit.maximum.problem.eta(limit.maximum.gamma)
        means[core.rows.observation[core.is_core]] = link_of(given).mean(eta)
        return means
    _check_has_means(given.model.name)
    return _class_means(limit, given.design())


def predicted_means(limit: Limit, X: Any, offset: Any) -> Predicted:
    """Of new rows."""
    given = limit.verdict.given
    _check_has_means(given.model.name)
    table = given.new_rows(X)
    if not given.kind.has_rows:
        if offset is not None:
            raise InputError(
                f"predict of a {given.model.name} model takes no offset; leave it out."
            )
        mean = _class_means(limit, table)
        is_open = np.isnan(mean.sum(axis=1))
    else:
        shift = np.zeros(table.n_rows) if offset is None else np.asarray(offset, dtype=float)
        if shift.shape != (table.n_rows,):
            raise InputError(f"offset has shape {shift.shape}; it needs {table.n_rows} numbers.")
        if not np.isfinite(shift).all():
            raise InputError("offset has a value that is missing or infinite; fill it.")
        with np.errstate(over="ignore"):
            mean = link_of(given).mean(_predicted(limit, table, _columns(limit, 0, 1)) + shift)
        is_open = np.isnan(mean)
    return Predicted(mean, np.where(is_open, "not determined", "determined"))


def _check_has_means(name: str) -> None:
    if name in ("conditional", "cox", "bradley-terry"):
        raise InputError(
            f"a {name} model has no means of rows by themselves; ask for a combination of its "
            "coefficients with contrast()."
        )


def _columns(limit: Limit, start: int, sign: int) -> Predictor:
    """The columns of the design, and the constant if there is one, from a coefficient on."""
    given = limit.verdict.given
    width = len(given.design_names) + given.model.constant
    return {start + j: (sign, j) for j in range(width)}


def _class_means(limit: Limit, table: Table) -> np.ndarray:
    given, model = limit.verdict.given, limit.verdict.given.model
    if model.name == "ordinal":
        column_of = thresholds_of(given.floats("class").astype(np.int64), model.classes).tolist()
        slopes = _columns(limit, column_of[-1] + 1, -1)
        etas = [_predicted(limit, table, {k: (1, table.n_columns)} | slopes) for k in column_of]
        none = np.zeros(table.n_rows)
        return np.diff([none, *map(link_of(given).mean, etas), none + 1], axis=0).T
    width = len(_columns(limit, 0, 1))
    others = [k for k in range(model.classes) if k != model.reference]
    starts = {k: place * width for place, k in enumerate(others)}
    ahead = np.zeros((model.classes, model.classes, table.n_rows))  # the first of the second
    for k in range(model.classes):
        for m in range(k):
            own = _columns(limit, starts[k], 1) if k in starts else {}
            other = _columns(limit, starts[m], -1) if m in starts else {}
            ahead[k, m] = _predicted(limit, table, own | other)
            ahead[m, k] = -ahead[k, m]
    is_out = (ahead == math.inf).any(axis=0)
    with np.errstate(over="ignore", divide="ignore"):
        odds = np.where(is_out[:, None], 0.0, np.exp(ahead))
        means = np.where(is_out, 0.0, 1 / odds.sum(axis=0))
    return np.asarray(means.T)


def _predicted(limit: Limit, table: Table, terms: Predictor) -> np.ndarray:
    """Σ sign·x·β of each row, with 1 after its columns, in the limit: a number, an infinity, or
    nan."""
    core = limit.core
    table = with_ones(table)
    beta, weights = np.zeros(len(limit.coefficients)), np.zeros(table.n_columns)
    beta[core.pivots] = limit.maximum.beta()
    for place, (sign, column) in terms.items():
        weights[column] += sign * beta[place]
    values = np.asarray(table.matrix @ weights, dtype=np.float64)
    related = {j for place in core.relations.columns for j in core.relations.relation(place)}
    moved = {place for place, share in core.directions.shares.items() if share}
    doubtful = moved | related | set(core.relations.columns)
    touched = {place: term for place, term in terms.items() if place in doubtful}
    if not touched:
        return values
    read = sorted({column for _, column in touched.values()})
    part = table.matrix[:, read] if table.exact is None else table.exact[:, read]
    alike: dict[tuple, list[int]] = {}  # rows with the same numbers have the same state
    for i, row in enumerate((part if isinstance(part, np.ndarray) else part.toarray()).tolist()):
        alike.setdefault(tuple(row), []).append(i)
    for row, rows in alike.items():
        x = dict(zip(read, map(Fraction, row), strict=True))
        inner = core.within({place: s * x[column] for place, (s, column) in touched.items()})
        state = "not determined" if inner is None else core.state_of(inner)
        if state != "finite":
            values[rows] = BOUNDS[state]
    return values
