"""The arguments of `certify_regression`, in any of their forms, as a question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from novikoff.certificates.derivation import Design
from novikoff.errors import InputError, one_of
from novikoff.inputs import reads_decimals, with_gaps
from novikoff.inputs.frames import check_same_rows
from novikoff.regression.foreign import read_fitter, read_foreign
from novikoff.regression.formula import read_formula
from novikoff.regression.models import check_options, proven_as, read_model
from novikoff.regression.named import COLUMNS
from novikoff.regression.question import RegressionQuestion
from novikoff.wording import keyword


def read_arguments(
    X: Any, model: Any, data: Any, options: dict[str, Any], missing: str, numbers: Any = None
) -> RegressionQuestion:
    """What is asked; InputError where the arguments do not belong together."""
    one_of("missing", missing, ("error", "drop"))
    X = with_gaps(X, "X")
    options |= {key: with_gaps(options.get(key), key) for key in COLUMNS}
    decimal = reads_decimals(numbers)
    foreign = read_foreign(X)
    if foreign is not None:
        _refuse_others(X, model, data, options)
        return replace(foreign, decimal=decimal)
    if model is None:
        raise InputError(
            f"model is missing: say {keyword('model', 'logistic')}, poisson, cox or another."
        )
    called, ignored = model, ()
    notes: list[str] = []
    if not isinstance(model, str):
        model, called, notes, ignored = read_fitter(model, options, X, data)
    name = read_model(model)
    is_formula = isinstance(X, (str, Design))
    check_options(name, options, model, all_there=not is_formula)
    given = {"data" if is_formula else "X": data if is_formula else X}
    check_same_rows({**given, **{key: options.get(key) for key in COLUMNS}})
    if is_formula:
        X, options = read_formula(X, data, proven_as(name), options)
        check_options(name, options, model)
    elif data is not None:
        raise InputError("data= goes with a formula; X is the data here, so leave data= out.")
    return RegressionQuestion(
        X, name, called, options, missing, notes, decimal=decimal, ignored=ignored
    )


def _refuse_others(X: Any, model: Any, data: Any, options: dict[str, Any]) -> None:
    """A model of another library says all there is to say."""
    given = [name for name, value in options.items() if value is not None]
    given += ["model"] * (model is not None) + ["data"] * (data is not None)
    if given:
        raise InputError(
            f"X is a model of statsmodels ({type(X).__name__}), which says all there is; leave "
            f"{', '.join(f'{name}=' for name in given)} out."
        )
