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
from novikoff.regression.limit.core import Core, clock_of, model_columns
from novikoff.regression.limit.problem import ROW_MODELS, finer_sets
from novikoff.verdicts.answer import listed
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.regression.model_data import ModelData
    from novikoff.regression.verdict import RegressionVerdict

MOST_DENSE = 20_000_000  # numbers of a design that is handed out as an array
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
        rows = (
            f"{count(len(self.observations), 'observation')} and {count(len(self.names), 'column')}"
        )
        parts = [
            f"{count(len(left), what)}{shown}"
            for left, what, shown in (
                (self.left_out_observations, "observation", ""),
                (self.left_out_columns, "column", f" ({listed(self.left_out_columns)})"),
            )
            if len(left)
        ]
        return f"{rows}; left out: {' and '.join(parts) or 'nothing'}"


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
    names = verdict.coefficients
    if given.model.name in ROW_MODELS:
        places = core.rows.observation[core.is_core]
        X = model_columns(core.rows, np.flatnonzero(core.is_core), core.pivots)
        return _made(verdict, places, X, core.pivots, names, _response(given, places))
    sets = finer_sets(given, core)
    sizes = np.bincount(sets)
    places = np.flatnonzero(sizes[sets] > 1)
    X = given.design().take(places).matrix[:, core.pivots]
    key = "stratum" if given.model.name == "cox" else "set"
    response = _response(given, places) | {key: np.unique(sets[places], return_inverse=True)[1]}
    return _made(verdict, places, X, core.pivots, names, response)


def _of_classes(verdict: RegressionVerdict) -> RefitData:
    """The design table of what `drop()` leaves, without columns that are collinear there."""
    left = verdict
    if verdict.status == "infinite":
        dropped = verdict.drop()
        if dropped is None:
            raise InputError(f"no rows can be left out for a fit: {verdict.why_no_drop}")
        left = dropped.verdict
    given = left.given
    with clock_of(verdict.time_limit) as clock:
        collinear = given.design_columns(left._dependent(clock).columns)
    kept = [j for j in range(given.design().n_columns) if j not in collinear]
    X, names = given.design().matrix[:, kept], [given.design_names[j] for j in kept]
    if given.model.constant:
        ones = np.ones((given.n_rows, 1))
        X = np.hstack([X if isinstance(X, np.ndarray) else X.toarray(), ones])
        names.append(given.constant_name)
    codes = [int(code) for code in given.response["class"]]
    response = {"class": np.array([given.labels[code] for code in codes])}
    before = verdict.given
    places = np.flatnonzero(np.isin(before.numbers, given.numbers))
    whole = [*before.design_names, *([before.constant_name] if before.model.constant else [])]
    at = {name: j for j, name in enumerate(whole)}
    return _made(verdict, places, X, [at[name] for name in names], tuple(whole), response)


def _made(
    verdict: RegressionVerdict, places: np.ndarray, X: Any, kept: list[int],
    names: tuple[str, ...], response: dict[str, np.ndarray],
) -> RefitData:  # fmt: skip
    given = verdict.given
    other = given.likelihood.take(places)
    rest = np.setdiff1d(np.arange(given.n_rows), places)
    if not isinstance(X, np.ndarray) and X.shape[0] * X.shape[1] <= MOST_DENSE:
        X = X.toarray()
    return RefitData(
        np.asarray(X, dtype=np.float64) if isinstance(X, np.ndarray) else X,
        tuple(names[j] for j in kept),
        response,
        other.weights,
        other.offset,
        row_numbers(given.numbers[places]),
        tuple(name for j, name in enumerate(names) if j not in set(kept)),
        row_numbers(given.numbers[rest]),
    )


def _response(given: ModelData, places: np.ndarray) -> dict[str, np.ndarray]:
    columns = {
        name: np.array([float(column[i]) for i in places.tolist()])
        for name, column in given.response.items()
    }
    if given.model.name == "binomial":
        hits = columns["successes"]
        return {"successes": hits, "failures": columns["trials"] - hits}
    if given.model.name == "bradley-terry":
        return {"y": columns["result"]}
    return columns
