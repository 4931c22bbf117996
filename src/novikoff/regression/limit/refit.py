"""The data of the limiting model, as another fit takes it: no certain rows, no collinear columns.

Other software then finds the finite coefficients of the limit. Of a Cox model, or of matched sets,
no row need be left out: strata and sets become finer, and what is certain lies between them. Of
multinomial and ordinal models observations are left out where that alone does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import row_numbers
from novikoff.regression.limit.core import Core, clock_of, model_columns, with_ones
from novikoff.regression.limit.problem import finer_sets
from novikoff.verdicts.answer import listed
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict

MOST_DENSE = 20_000_000  # numbers of a design that is handed out as an array
WHAT = ("observation", "column")
NOTHING = (
    "every observation is predicted perfectly, so nothing is left to fit; limit() says what is"
)


@dataclass(frozen=True, eq=False)
class RefitData:
    """What a fit of another library accepts, and converges on.

    X : the design, an array, or a CSR matrix where that would be very large; the constant is a
        column of it, so add none
    names : of its columns
    response : the columns of the response by name, each an array: y, or successes and failures, or
        class, or case and set, or time, event, entry and stratum
    weights, offset : of each row; None where there are none
    observations : the numbers, from 0, of the rows in what was given
    left_out_columns, left_out_observations : what is not there, by name and by number
    """

    X: Any
    names: tuple[str, ...]
    response: dict[str, np.ndarray]
    weights: np.ndarray | None
    offset: np.ndarray | None
    observations: np.ndarray
    left_out_columns: tuple[str, ...]
    left_out_observations: np.ndarray

    @property
    def y(self) -> np.ndarray:
        """The response as one array: successes and failures are two columns of it."""
        columns = list(self.response.values())
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    @property
    def frame(self) -> Any:
        """X as a DataFrame of pandas, its index the observations' numbers."""
        import pandas

        values = self.X if isinstance(self.X, np.ndarray) else self.X.toarray()
        return pandas.DataFrame(values, index=self.observations, columns=list(self.names))

    def __str__(self) -> str:
        rows, columns = (count(n, what) for n, what in zip(self.X.shape, WHAT, strict=True))
        rows_out, out = self.left_out_observations, self.left_out_columns
        parts = [count(len(rows_out), WHAT[0])] * (len(rows_out) > 0)
        parts += [f"{count(len(out), WHAT[1])} ({listed(out)})"] * (len(out) > 0)
        return f"{rows} and {columns}; left out: {' and '.join(parts) or 'nothing'}"


def refit_data(verdict: RegressionVerdict) -> RefitData:
    """InputError where the verdict is undecided, or nothing is left to fit."""
    if verdict.settled is None:
        raise InputError("the model is undecided, so it is not known what a fit would accept.")
    verdict.given.check_unchanged()
    is_of_classes = verdict.given.model.name in ("multinomial", "ordinal")
    return _of_classes(verdict) if is_of_classes else _of_core(verdict, verdict.settled)


def _of_core(verdict: RegressionVerdict, settled: np.ndarray) -> RefitData:
    given = verdict.given
    core = Core.of(verdict, settled)
    if not core.pivots:
        raise InputError(f"{NOTHING}.")
    response = {}
    if given.kind.has_rows:
        places = core.rows.observation[core.is_core]
        X = model_columns(core.rows, np.flatnonzero(core.is_core), core.pivots)
    else:
        sets = finer_sets(given, core)
        places = np.flatnonzero(np.bincount(sets)[sets] > 1)
        X = given.design().take(places).matrix[:, core.pivots]
        key = "stratum" if given.model.name == "cox" else "set"
        response = {key: np.unique(sets[places], return_inverse=True)[1]}
    columns = {name: given.floats(name)[places] for name in given.response}
    if given.model.name == "binomial":
        columns["failures"] = columns.pop("trials") - columns["successes"]
    elif given.model.name == "bradley-terry":
        columns = {"y": columns["result"]}
    return _made(verdict, places, X, core.pivots, verdict.coefficients, columns | response)


def _of_classes(verdict: RegressionVerdict) -> RefitData:
    """The design table of what `drop()` leaves, without columns that are collinear there."""
    left, before = verdict, verdict.given
    if verdict.status == "infinite":
        dropped = verdict.drop()
        if dropped is None:
            raise InputError(f"no rows can be left out for a fit: {verdict.why_no_drop}")
        left = dropped.verdict
    given = left.given
    with clock_of(verdict.time_limit) as clock:
        collinear = given.design_columns(left.dependent(clock).columns)
    table, kept = given.design(), [j for j in range(given.design().n_columns) if j not in collinear]
    names, whole = [given.design_names[j] for j in kept], list(before.design_names)
    if given.model.constant:
        table, kept = with_ones(table), [*kept, table.n_columns]
        names, whole = [*names, given.constant_name], [*whole, before.constant_name]
    codes = [int(code) for code in given.response["class"]]
    response = {"class": np.array([given.labels[code] for code in codes])}
    places = np.flatnonzero(np.isin(before.numbers, given.numbers))
    at = [whole.index(name) for name in names]
    return _made(verdict, places, table.matrix[:, kept], at, tuple(whole), response)


def _made(
    verdict: RegressionVerdict, places: np.ndarray, X: Any, kept: list[int],
    names: tuple[str, ...], response: dict[str, np.ndarray],
) -> RefitData:  # fmt: skip
    given = verdict.given
    if not isinstance(X, np.ndarray) and X.shape[0] * X.shape[1] <= MOST_DENSE:
        X = X.toarray()
    return RefitData(
        np.asarray(X, dtype=np.float64) if isinstance(X, np.ndarray) else X,
        tuple(names[j] for j in kept),
        response,
        given.weights[places] if (given.weights != 1).any() else None,
        given.offset[places] if given.offset.any() else None,
        row_numbers(given.numbers[places]),
        tuple(name for j, name in enumerate(names) if j not in set(kept)),
        row_numbers(np.delete(given.numbers, places)),
    )
