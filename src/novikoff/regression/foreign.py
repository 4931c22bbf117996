"""Models of other libraries, known by their shape: none of them is imported.

A model of statsmodels has `endog` and `exog`, its results have `model`. scikit-learn's
LogisticRegression and lifelines' CoxPHFitter hold no data: they say what would be fitted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.regression.codes import plain
from novikoff.regression.columns import missing_in
from novikoff.regression.models import FREE_DISPERSION
from novikoff.regression.question import RegressionQuestion
from novikoff.wording import plural

SAME = {  # classes of statsmodels that are one of our models as they are
    "Logit": "logistic",
    "Probit": "logistic",
    "Poisson": "poisson",
    "NegativeBinomial": "poisson",
    "MNLogit": "multinomial",
    "OrderedModel": "ordinal",
    "ConditionalLogit": "conditional",
    "PHReg": "cox",
}
BINOMIAL_LINKS = {
    "logit": "logit", "probit": "probit", "cloglog": "cloglog", "loglog": "loglog",
    "cauchy": "cauchit",
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
    family, dispersion = getattr(model, "family", None), 0.0
    if kind == "GLM":
        name, link = _of_glm(model, options)
        is_given = type(family).__name__ == "NegativeBinomial"
        dispersion = float(model.family.alpha) if is_given else 0.0
    elif kind in SAME:
        name = SAME[kind]
        link = "probit" if kind == "Probit" else "log" if name == "poisson" else "logit"
    elif kind in REFUSED:
        raise InputError(f"a {kind} of statsmodels is not asked about here: {REFUSED[kind]}.")
    else:
        raise InputError(
            f"a {kind} of statsmodels is not a model that is known here; known are GLM, "
            f"{', '.join(SAME)}."
        )
    if name == "multinomial":
        texts = [text for _, text in sorted(model._ynames_map.items())]
        options["y"] = _categorical(endog, texts)
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
    elif kind in ("Logit", "Probit") and not np.isin(endog, (0, 1)).all():
        name = "binomial"
    if name in ("logistic", "binomial", "log-binomial", "poisson", "multinomial"):
        options["fit_intercept"] = False  # the model says what it has
    parts = [getattr(model, part, None) for part in ("offset", "exposure")]  # of that, its log
    shifts = [np.asarray(part, dtype=np.float64) for part in parts if part is not None]
    offset = sum((shift for shift in shifts if shift.ndim), start=np.zeros(len(endog)))
    if offset.any():
        options["offset"] = offset
    if kind == "NegativeBinomial":
        notes.append(FREE_DISPERSION)
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
        numbers=numbers if left_out else None, index=index, link=link,
        dispersion=None if kind == "NegativeBinomial" else dispersion,
    )  # fmt: skip


def _is_model(model: Any) -> bool:
    return all(hasattr(model, part) for part in ("endog", "exog", "exog_names"))


def _of_glm(model: Any, options: dict[str, Any]) -> tuple[str, str]:
    """The model and its link; the counts of a binomial one, and the weights, become options."""
    family, link = type(model.family).__name__, type(model.family.link).__name__
    options["weights"] = np.asarray(model.freq_weights) * np.asarray(model.var_weights)
    if family == "Binomial" and (link.lower() in BINOMIAL_LINKS or link.lower() == "log"):
        trials = np.asarray(model.n_trials) * np.ones(len(options["y"]))
        is_there = (options["weights"] > 0) & (trials > 0)
        options["y"] = np.where(is_there, np.asarray(options["y"]) * trials, 0)
        options["trials"] = trials
        if link.lower() == "log":
            return "log-binomial", "log"
        return "binomial", BINOMIAL_LINKS[link.lower()]
    if family in ("Poisson", "NegativeBinomial") and link.lower() == "log":
        return "poisson", "log"
    if family == "Gamma" and link.lower() == "log":
        raise InputError(f"a GLM of family Gamma is not asked about here: {GAMMA}.")
    raise InputError(
        f"a GLM of family {family} with link {link} is not known here; known are Binomial with "
        "Logit, Probit, CLogLog, LogLog, Cauchy or Log, and Poisson and NegativeBinomial with Log."
    )


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
        notes = []
        if getattr(fitter, "C", None) != np.inf and getattr(fitter, "penalty", "l2") is not None:
            notes.append(PENALISES.format(kind, " unless C=inf"))
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
