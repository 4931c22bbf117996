"""Models of other libraries, known by their shape: none of them is imported. And
`from_statsmodels`: what fitted models say of themselves, beside what is true of them.

A model of statsmodels has `endog` and `exog`, its results have `model`. scikit-learn's
LogisticRegression and lifelines' CoxPHFitter hold no data: they say what would be fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.conventions import read_seed, seconds
from novikoff.errors import InputError
from novikoff.regression.codes import plain
from novikoff.regression.columns import missing_in
from novikoff.regression.models import FREE_DISPERSION, MODELS
from novikoff.regression.question import RegressionQuestion
from novikoff.regression.verdict import RegressionVerdict
from novikoff.verdicts.answer import listed, signed_names
from novikoff.wording import plural, table_html, table_text

SAME = {  # classes of statsmodels that are one of our models as they are, with its link
    "Logit": ("logistic", "logit"), "Probit": ("logistic", "probit"),
    "Poisson": ("poisson", "log"), "NegativeBinomial": ("poisson", "log"),
    "MNLogit": ("multinomial", "logit"), "OrderedModel": ("ordinal", "logit"),
    "ConditionalLogit": ("conditional", "logit"), "PHReg": ("cox", "logit"),
}  # fmt: skip
GLM = {  # of a GLM's families, by the name of the link there
    "Binomial": {
        "logit": "logit", "probit": "probit", "cloglog": "cloglog", "loglog": "loglog",
        "cauchy": "cauchit", "log": "log",
    },
    "Poisson": {"log": "log"}, "NegativeBinomial": {"log": "log"},
}  # fmt: skip
ORDINAL = {"logistic_gen": "logit", "norm_gen": "probit"}

MIXED = (
    "its likelihood is a mean over random effects; ask about the model without them: for any given "
    "variance of the random effects the answer is the same"
)
INFLATED = (
    "a zero has two causes in its likelihood, which is not concave; ask about the counts as a "
    "Poisson model: where its estimate is infinite, so is that of this one"
)
GAMMA = (
    "every row of a Gamma model with log link has a likelihood that falls on both sides, so its "
    "estimate is finite; only collinear columns can spoil it, and a poisson model of the same "
    "columns names those"
)
NORMAL = "its estimate is finite unless columns are collinear"
REFUSED = {  # the reason, and the nearest question that can be answered
    "MixedLM": NORMAL, "OLS": NORMAL, "WLS": NORMAL, "GLS": NORMAL,
    "BinomialBayesMixedGLM": MIXED, "PoissonBayesMixedGLM": MIXED,
    "ZeroInflatedPoisson": INFLATED, "ZeroInflatedGeneralizedPoisson": INFLATED,
    "ZeroInflatedNegativeBinomialP": INFLATED,
    "GEE": "it has no likelihood; the GLM of the same columns has the same question",
}  # fmt: skip

PENALISES = (
    "{} penalises{}, so what it prints is finite whatever the answer here, which is about the "
    "likelihood alone"
)

MOST_IN_A_CELL = 3  # coefficients of one model in the table
SAID = {True: "converged", False: "did not converge", None: "says nothing"}


def read_foreign(X: Any) -> RegressionQuestion | None:
    """What a model of statsmodels, or its results, would be asked; None for anything else."""
    held: Any = getattr(X, "model", None)
    model: Any = held if _is_model(held) and hasattr(X, "params") else X
    if not _is_model(model):
        return None
    kind, notes = type(model).__name__, []
    endog, exog = np.asarray(model.endog), np.asarray(model.exog)
    exog = exog.reshape(-1, 1) if exog.ndim == 1 else exog
    options: dict[str, Any] = {"y": endog}
    dispersion: float | None = 0.0
    if kind == "GLM":
        name, link = _of_glm(model, options)
        if type(model.family).__name__ == "NegativeBinomial":
            dispersion = float(model.family.alpha)
    elif kind in SAME:
        name, link = SAME[kind]
    elif kind in REFUSED:
        raise InputError(f"a {kind} of statsmodels is not asked about here: {REFUSED[kind]}.")
    else:
        raise InputError(
            f"a {kind} of statsmodels is not a model that is known here; known are GLM, "
            f"{', '.join(SAME)}."
        )
    if kind == "NegativeBinomial":
        dispersion = None
        notes.append(FREE_DISPERSION)
    if name == "multinomial":
        options["y"] = _categorical(endog, [text for _, text in sorted(model._ynames_map.items())])
    elif name == "ordinal":
        distribution = type(model.distr).__name__
        if distribution not in ORDINAL:
            raise InputError(
                f"an OrderedModel with the distribution {distribution} is not known here; "
                "distr='logit' and 'probit' are."
            )
        link = ORDINAL[distribution]
        options["y"] = _categorical(endog, [plain(label) for label in model.labels])
    elif name == "conditional":
        options["groups"] = np.asarray(model.groups)
    elif name == "cox":
        options = {"time": endog, "event": np.asarray(model.status), "ties": str(model.ties)}
        options |= {key: getattr(model, key, None) for key in ("entry", "strata")}
    elif name == "logistic" and not np.isin(endog, (0, 1)).all():
        name = "binomial"
    if MODELS[name].has("fit_intercept"):
        options["fit_intercept"] = False  # the model says what it has
    parts = [getattr(model, part, None) for part in ("offset", "exposure")]  # of that, its log
    shifts = [np.asarray(part, dtype=np.float64) for part in parts if part is not None]
    offset = sum((shift for shift in shifts if shift.ndim), start=np.zeros(len(endog)))
    if offset.any():
        options["offset"] = offset
    result = type(X).__name__
    if result.startswith("L1") or "Regularized" in result:
        notes.append(PENALISES.format(result, ""))
    # Rows that the model has left out, since they lack a value, have numbers too, and no name.
    left_out = list(getattr(model.data, "missing_row_idx", None) or ())
    n_all = len(endog) + len(left_out)
    numbers = np.setdiff1d(np.arange(n_all), left_out)
    if n := len(left_out):
        notes.append(f"{n} of {n_all} rows {plural(n, 'is', 'are')} left out by {kind} itself")
    labels, index = getattr(model.data, "row_labels", None), None
    if labels is not None and list(labels) != numbers.tolist():
        index = [None] * n_all
        for number, label in zip(numbers.tolist(), labels, strict=True):
            index[number] = label
    return RegressionQuestion(
        exog, name, f"{kind} ({name})", options, notes=notes,
        names=[str(name) for name in list(model.exog_names)[: exog.shape[1]]],
        numbers=numbers, index=index, link=link, dispersion=dispersion,
    )  # fmt: skip


def _is_model(model: Any) -> bool:
    return all(hasattr(model, part) for part in ("endog", "exog", "exog_names"))


def _of_glm(model: Any, options: dict[str, Any]) -> tuple[str, str]:
    """The model and its link; the counts of a binomial one, and the weights, become options."""
    family, its_link = type(model.family).__name__, type(model.family.link).__name__
    options["weights"] = np.asarray(model.freq_weights) * np.asarray(model.var_weights)
    link = GLM.get(family, {}).get(its_link.lower())
    if family == "Gamma" and its_link.lower() == "log":
        raise InputError(f"a GLM of family Gamma is not asked about here: {GAMMA}.")
    if link is None:
        raise InputError(
            f"a GLM of family {family} with link {its_link} is not known here; known are Binomial "
            "with Logit, Probit, CLogLog, LogLog, Cauchy or Log, and Poisson and NegativeBinomial "
            "with Log."
        )
    if family != "Binomial":
        return "poisson", link
    trials = np.asarray(model.n_trials) * np.ones(len(options["y"]))
    is_there = (options["weights"] > 0) & (trials > 0)
    options["y"] = np.where(is_there, np.asarray(options["y"]) * trials, 0)
    options["trials"] = trials
    return ("log-binomial" if link == "log" else "binomial"), link


def _categorical(codes: np.ndarray, labels: list[Any]) -> Any:
    """Labels in their order: statsmodels needs pandas, so it is there."""
    import pandas

    values = [labels[int(code)] for code in codes]
    return pandas.Series(pandas.Categorical(values, categories=labels, ordered=True))


def read_fitter(
    fitter: Any, options: dict[str, Any], X: Any, data: Any
) -> tuple[str, str, list[str], tuple[Any, ...]]:
    """The model that an estimator would fit, its name, notes, and classes whose weight is 0.

    Options that it says itself are filled in.
    """
    kind = type(fitter).__name__
    if kind == "LogisticRegression":
        if options.get("fit_intercept") is None and not isinstance(X, str):
            options["fit_intercept"] = bool(getattr(fitter, "fit_intercept", True))
        labels = _labels(options.get("y"), X, data)
        is_free = getattr(fitter, "C", None) == np.inf or getattr(fitter, "penalty", "l2") is None
        notes = [] if is_free else [PENALISES.format(kind, " unless C=inf")]
        weights = getattr(fitter, "class_weight", None)
        none = tuple(c for c, w in weights.items() if w == 0) if isinstance(weights, dict) else ()
        if len(labels) > 2:
            return "multinomial", kind, notes, none
        if options.get("positive") is None and len(labels) == 2:
            options["positive"] = labels[1]  # as scikit-learn has it
        return "logistic", kind, notes, none
    if kind == "CoxPHFitter":
        strata = getattr(fitter, "strata", None)
        if options.get("strata") is None and strata is not None:
            options["strata"] = strata
        penalizer = np.asarray(getattr(fitter, "penalizer", 0.0))
        notes = [PENALISES.format(kind, " unless penalizer=0")] * bool(penalizer.any())
        return "cox", kind, notes, ()
    raise InputError(
        f"model is a {kind}, which is not known here; give a name such as 'logistic', or "
        "LogisticRegression or CoxPHFitter."
    )


def _labels(y: Any, X: Any, data: Any) -> list[Any]:
    """The labels of y in scikit-learn's order; y may be named, or stand left of a formula's ~."""
    frame = X
    if isinstance(X, str):
        frame, y = data, X.rpartition("~")[0].strip() or y
    if isinstance(y, str):
        try:
            y = frame[y]
        except Exception:  # what is wrong with it is said where it is read
            return []
    if y is None:
        return []
    values = np.ravel(np.asarray(y))
    try:
        return list(np.unique(values[~missing_in(values)]).tolist())
    except TypeError:  # of several types, which is said where they are read
        return []


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
        question = read_foreign(result) if hasattr(result, "params") else None
        if question is None:
            raise InputError(
                f"{type(result).__name__} is not a fitted model of statsmodels; give what fit() "
                "returns."
            )
        limit, seed = seconds(time_limit), read_seed(random_state)
        verdict = RegressionVerdict.of(question.data(), limit, seed)
        found.append(FittedModel(result, verdict))
    return FittedModels(found)
