"""`from_statsmodels`: what fitted models say of themselves, beside what is true of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.conventions import read_seed, seconds
from novikoff.errors import InputError
from novikoff.regression.certify import read_arguments
from novikoff.regression.foreign import read_foreign
from novikoff.regression.verdict import RegressionVerdict
from novikoff.verdicts.answer import listed, signed_names
from novikoff.wording import table_html, table_text

MOST_IN_A_CELL = 3  # coefficients of one model in the table
SAID = {True: "converged", False: "did not converge", None: "says nothing"}


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted model of statsmodels and the verdict on it.

    converged : what the result says of itself; None where it says nothing
    verdict : whether there is an estimate at all
    """

    result: Any
    verdict: RegressionVerdict

    @property
    def converged(self) -> bool | None:
        values = getattr(self.result, "mle_retvals", None)
        found = getattr(self.result, "converged", None)
        if found is None and isinstance(values, dict):
            found = values.get("converged")
        return None if found is None else bool(found)

    @cached_property
    def printed(self) -> dict[str, tuple[float, float]]:
        """For each infinite coefficient the number, and its standard error, of the result."""
        verdict, columns = self.verdict, []
        for part in ("params", "bse"):
            values = np.asarray(getattr(self.result, part), dtype=np.float64)
            flat = values.T.ravel()  # of MNLogit: a column for each class
            if verdict.given.model.name == "ordinal":  # its thresholds come last, as increments
                n = len(verdict.given.thresholds())
                flat = np.concatenate([np.full(n, np.nan), flat[: len(flat) - n]])
            columns.append(flat.tolist())
        pairs = dict(zip(verdict.coefficients, zip(*columns, strict=True), strict=False))
        return {name: pairs[name] for name in verdict.infinite or {} if name in pairs}

    def cells(self) -> list[str]:
        """A line of the table."""
        infinite = signed_names(self.verdict.infinite or {})
        numbers = [f"{value:.4g} ± {error:.4g}" for value, error in self.printed.values()]
        return [
            self.verdict.model, str(self.verdict.n_rows), SAID[self.converged],
            self.verdict.status, listed(infinite, MOST_IN_A_CELL), listed(numbers, MOST_IN_A_CELL),
        ]  # fmt: skip


class FittedModels(list[FittedModel]):
    """Fitted models with what is true of them: print them, or look at each."""

    def _table(self) -> tuple[list[str], list[list[str]]]:
        headers = ["model", "rows", "statsmodels", "estimate", "infinite", "printed"]
        return headers, [model.cells() for model in self]

    def __str__(self) -> str:
        return table_text(*self._table())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return table_html(*self._table())


def from_statsmodels(
    results: Any, *, time_limit: float | None = None, random_state: Any = None
) -> FittedModels:
    """What fitted models of statsmodels say of themselves, beside what is true.

    Parameters
    ----------
    results : one fitted model, or a list of them
    time_limit : float or None
        Seconds for each.

    Prints as a table; `[0].verdict` is what `certify_regression` says of the first.
    """
    several = list(results) if isinstance(results, (list, tuple)) else [results]
    if not several:
        raise InputError("the list of results is empty; give at least one fitted model.")
    found = []
    for result in several:
        if not hasattr(result, "params") or read_foreign(result) is None:
            raise InputError(
                f"{type(result).__name__} is not a fitted model of statsmodels; give what fit() "
                "returns."
            )
        given = read_arguments(result, None, None, {}, "error").data()
        verdict = RegressionVerdict.of(given, seconds(time_limit), read_seed(random_state))
        found.append(FittedModel(result, verdict))
    return FittedModels(found)
