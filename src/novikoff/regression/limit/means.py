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
from novikoff.regression.limit.problem import ROW_MODELS, link_of, outcomes_of

if TYPE_CHECKING:
    from novikoff.regression.limit.limit import Limit

BOUNDS: dict[State, float] = {"+inf": math.inf, "-inf": -math.inf, "not determined": math.nan}


class Term(NamedTuple):
    """What a column of a row, the last of which is 1, adds to a linear predictor."""

    column: int
    coefficient: int  # by place
    sign: int


class Predicted(NamedTuple):
    """The means of new rows.

    mean : a number for each row, or a row of probabilities; nan where it is not determined
    state : 'determined' or 'not determined', for each row
    """

    mean: np.ndarray
    state: np.ndarray


def fitted_means(limit: Limit) -> np.ndarray:
    """Of the model's own observations."""
    given, core = limit.verdict.given, limit.core
    if given.model.name in ROW_MODELS:
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
    if given.model.name not in ROW_MODELS:
        if offset is not None:
            raise InputError(
                f"predict of a {given.model.name} model takes no offset; leave it out."
            )
        mean = _class_means(limit, table)
        return Predicted(mean, _states_of(mean.sum(axis=1)))
    shift = np.zeros(table.n_rows) if offset is None else np.asarray(offset, dtype=float)
    if shift.shape != (table.n_rows,):
        raise InputError(f"offset has shape {shift.shape}; it needs {table.n_rows} numbers.")
    if not np.isfinite(shift).all():
        raise InputError("offset has a value that is missing or infinite; fill it.")
    with np.errstate(over="ignore"):
        mean = link_of(given).mean(_predictor(limit, table, _terms(limit, 0, 1)) + shift)
    return Predicted(mean, _states_of(mean))


def _states_of(means: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(means), "not determined", "determined")


def _check_has_means(name: str) -> None:
    if name in ("conditional", "cox", "bradley-terry"):
        raise InputError(
            f"a {name} model has no means of rows by themselves; ask for a combination of its "
            "coefficients with contrast()."
        )


def _terms(limit: Limit, start: int, sign: int) -> list[Term]:
    """The columns of the design, and the constant if there is one, from a coefficient on."""
    given = limit.verdict.given
    width = 0 if given.table is None else given.table.n_columns
    return [Term(j, start + j, sign) for j in range(width + given.model.constant)]


def _class_means(limit: Limit, table: Table) -> np.ndarray:
    given, model = limit.verdict.given, limit.verdict.given.model
    if model.name == "ordinal":
        column_of = thresholds_of(given.floats("class").astype(np.int64), model.classes).tolist()
        slopes = _terms(limit, column_of[-1] + 1, -1)
        below = [
            link_of(given).mean(
                _predictor(limit, table, [Term(table.n_columns, place, 1), *slopes])
            )
            for place in column_of
        ]
        none = np.zeros(table.n_rows)
        return np.diff(np.array([none, *below, none + 1]), axis=0).T
    width = len(_terms(limit, 0, 1))
    place = {k: p for p, k in enumerate(k for k in range(model.classes) if k != model.reference)}
    ahead = np.zeros((model.classes, model.classes, table.n_rows))  # the first of the second
    for k in range(model.classes):
        for m in range(k):
            pair = [(one, sign) for one, sign in ((k, 1), (m, -1)) if one in place]
            terms = [t for one, sign in pair for t in _terms(limit, place[one] * width, sign)]
            ahead[k, m] = _predictor(limit, table, terms)
            ahead[m, k] = -ahead[k, m]
    is_out = (ahead == math.inf).any(axis=0)
    with np.errstate(over="ignore", divide="ignore"):
        odds = np.where(is_out[:, None], 0.0, np.exp(ahead))
        means = np.where(is_out, 0.0, 1 / odds.sum(axis=0))
    return np.asarray(means.T)


def _predictor(limit: Limit, table: Table, terms: list[Term]) -> np.ndarray:
    """Σ sign·x·β of each row in the limit: a number, an infinity, or nan."""
    core = limit.core
    table = with_ones(table)
    beta, weights = np.zeros(len(limit.coefficients)), np.zeros(table.n_columns)
    beta[core.pivots] = limit.maximum.beta()
    for column, coefficient, sign in terms:
        weights[column] += sign * beta[coefficient]
    values = np.asarray(table.matrix @ weights, dtype=np.float64)
    related = {j for place in core.relations.columns for j in core.relations.relation(place)}
    moved = {home for home, share in core.directions.shares.items() if share}
    doubtful = moved | related | set(core.relations.columns)
    touched = [term for term in terms if term.coefficient in doubtful]
    for rows, state in _states(limit, table, touched) if touched else ():
        if state != "finite":
            values[rows] = BOUNDS[state]
    return values


def _states(limit: Limit, table: Table, terms: list[Term]) -> list[tuple[list[int], State]]:
    """The rows that have the same numbers for these terms, with the state of such a row."""
    read = sorted({term.column for term in terms})
    part = table.matrix[:, read] if table.exact is None else table.exact[:, read]
    numbers = part if isinstance(part, np.ndarray) else part.toarray()
    alike: dict[tuple, list[int]] = {}
    for i, row in enumerate(numbers.tolist()):
        alike.setdefault(tuple(row), []).append(i)
    found: list[tuple[list[int], State]] = []
    for row, rows in alike.items():
        value = dict(zip(read, map(Fraction, row), strict=True))
        combination: dict[int, Fraction] = {}
        for column, coefficient, sign in terms:
            before = combination.get(coefficient, Fraction(0))
            combination[coefficient] = before + sign * value[column]
        inner = limit.core.within(combination)
        found.append((rows, "not determined" if inner is None else limit.core.state_of(inner)))
    return found
