"""`certify_regression`: does the maximum-likelihood estimate exist? Decided exactly, with proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from novikoff.certificates.derivation import Design
from novikoff.conventions import read_seed, seconds
from novikoff.errors import InputError, one_of
from novikoff.inputs import reads_decimals, with_gaps
from novikoff.inputs.frames import check_same_rows
from novikoff.regression.columns import COLUMNS
from novikoff.regression.foreign import read_fitter, read_foreign
from novikoff.regression.formula import read_formula
from novikoff.regression.models import Fitter, ModelName, proven_as, read_model
from novikoff.regression.question import RegressionQuestion
from novikoff.regression.verdict import RegressionVerdict
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import LabelsLike, NumbersLike

__all__ = ["RegressionVerdict", "certify_regression"]


def certify_regression(
    X: Any = None,
    y: LabelsLike | None = None,
    model: ModelName | Fitter | None = None,
    fit_intercept: bool | None = None,
    time_limit: float | None = None,
    *,
    data: Any = None,
    trials: NumbersLike | str | None = None,
    groups: LabelsLike | None = None,
    time: NumbersLike | str | None = None,
    event: LabelsLike | None = None,
    entry: NumbersLike | str | None = None,
    strata: LabelsLike | None = None,
    ties: Literal["breslow", "efron", "exact"] | None = None,
    winner: LabelsLike | None = None,
    loser: LabelsLike | None = None,
    reference: Any = None,
    positive: Any = None,
    order: Sequence[Any] | None = None,
    weights: NumbersLike | str | None = None,
    offset: NumbersLike | str | None = None,
    missing: Literal["error", "drop"] = "error",
    numbers: Literal["decimal"] | None = None,
    random_state: Any = None,
) -> RegressionVerdict:
    """Decide whether a regression's maximum-likelihood estimate is finite, and prove the answer.

    Parameters
    ----------
    X : array, sparse matrix or DataFrame (text and categorical columns become indicators, the
        first level the reference); a formula such as "y ~ x1 + C(firm)", with `data`; or a model
        of statsmodels, before or after its fit, and then nothing else
    y : the response, or the name of its column in X; with a formula it is left out
    model : "logistic" (also "logit", "probit", "cloglog", "cauchit"), "binomial", "poisson" (also
        "negative-binomial", "ppml", "log-binomial"), "multinomial", "ordinal", "conditional", "cox"
        or "bradley-terry". Or scikit-learn's LogisticRegression or lifelines' CoxPHFitter, for
        what they would fit
    fit_intercept : whether logistic, binomial, poisson and multinomial get a constant; by
        default they do, unless a formula or a model of statsmodels says what there is
    time_limit : seconds after which the search gives up and the status is 'undecided'; each
        question that follows (`infinite`, `collinear`, `drop()`) has as many of its own
    data : the DataFrame of a formula, and of columns that are named
    trials : of binomial and log-binomial, how many; without it y is a share, or has two columns:
        successes and failures. A row of 0 trials is deleted
    groups : of conditional, the set of each row
    time, event, entry, strata, ties : of cox: the time of the event (1) or of censoring (0), after
        which time a subject is at risk, its stratum, and "efron", "breslow" or "exact"
    winner, loser : of bradley-terry; y is 1 unless a contest was drawn (0.5), and X, if any, has
        what speaks for the winner
    reference : the class, or the player, whose coefficients are 0; by default the first
    positive : the code of y, or of event, that counts as 1; all others count as 0. Needed where
        codes are texts, unless they are an ordered categorical
    order : of ordinal, the classes from the lowest to the highest; needed where they are texts,
        unless they are an ordered categorical
    weights : 0 deletes a row, and negative ones are an error; positive ones, and the offset, change
        no verdict, since no direction of the coefficients moves them: `limit()` computes with them
    offset : what is added to every linear predictor; of an exposure its logarithm
    missing : "error", or "drop" to leave out rows with a missing value
    numbers : "decimal" reads the floats of X as the shortest decimals that print them, so that
        shares 0.4, 0.2 and 0.4 add up to 1, and Cox times that differ by rounding alone as one,
        as R does; by default floats are the binary numbers that they are
    random_state : seeds the search; the answer does not depend on it, the certificate may

    What else is a column can be given by its name in X, where that is a DataFrame, or in `data`.
    """
    options: dict[str, Any] = {
        "y": y, "trials": trials, "groups": groups, "time": time, "event": event, "entry": entry,
        "strata": strata, "ties": ties, "winner": winner, "loser": loser, "reference": reference,
        "positive": positive, "order": order, "weights": weights, "offset": offset,
        "fit_intercept": fit_intercept,
    }  # fmt: skip
    limit, seed = seconds(time_limit), read_seed(random_state)
    one_of("missing", missing, ("error", "drop"))
    X = with_gaps(X, "X")
    options |= {key: with_gaps(options.get(key), key) for key in COLUMNS}
    decimal = reads_decimals(numbers)
    foreign = read_foreign(X)
    if foreign is not None:
        others = {**options, "model": model, "data": data}
        if given := [f"{name}=" for name, value in others.items() if value is not None]:
            raise InputError(
                f"X is a model of statsmodels ({type(X).__name__}), which says all there is; leave "
                f"{', '.join(given)} out."
            )
        question = replace(foreign, decimal=decimal)
        return RegressionVerdict.of(question.data(), limit, seed)
    if model is None:
        raise InputError(
            f"model is missing: say {keyword('model', 'logistic')}, poisson, cox or another."
        )
    asked: tuple[Any, ...] = model, model, [], ()
    if not isinstance(model, str):
        asked = read_fitter(model, options, X, data)
    name, (called, notes, ignored) = read_model(asked[0]), asked[1:]
    is_formula = isinstance(X, (str, Design))
    holder = {"data" if is_formula else "X": data if is_formula else X}
    check_same_rows({**holder, **{key: options.get(key) for key in COLUMNS}})
    if is_formula:
        X, options = read_formula(X, data, proven_as(name), options)
    elif data is not None:
        raise InputError("data= goes with a formula; X is the data here, so leave data= out.")
    question = RegressionQuestion(
        X, name, called, options, missing, notes, decimal=decimal, ignored=ignored
    )
    return RegressionVerdict.of(question.data(), limit, seed)
