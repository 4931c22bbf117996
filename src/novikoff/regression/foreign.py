"""Models of other libraries, known by their shape: none of them is imported.

A model of statsmodels has `endog` and `exog`, its results have `model`. scikit-learn's
LogisticRegression and lifelines' CoxPHFitter hold no data: they say what would be fitted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError

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
BINOMIAL_LINKS = ("Logit", "Probit", "CLogLog", "LogLog", "Cauchy", "cloglog", "logit", "probit")
ORDINAL = ("logistic_gen", "norm_gen")


class Foreign(NamedTuple):
    """What a model of statsmodels holds, in our words."""

    model: str
    called: str
    X: np.ndarray
    names: list[str]
    index: Any
    options: dict[str, Any]


def read_foreign(X: Any) -> Foreign | None:
    """A model of statsmodels, or its results; None for anything else."""
    held: Any = getattr(X, "model", None)
    model: Any = held if _is_model(held) and hasattr(X, "params") else X
    if not _is_model(model):
        return None
    kind = type(model).__name__
    endog, exog = np.asarray(model.endog), np.asarray(model.exog)
    if exog.ndim == 1:
        exog = exog.reshape(-1, 1)
    names = [str(name) for name in list(model.exog_names)[: exog.shape[1]]]
    options: dict[str, Any] = {"y": endog}
    if kind == "GLM":
        name = _of_glm(model, options)
    elif kind in SAME:
        name = SAME[kind]
    else:
        raise InputError(
            f"a {kind} of statsmodels is not a model that is known here; known are GLM, "
            f"{', '.join(SAME)}."
        )
    if name == "multinomial":
        texts = [text for _, text in sorted(model._ynames_map.items())]
        options["y"] = _categorical([texts[int(k)] for k in endog], texts)
    elif name == "ordinal":
        distribution = type(model.distr).__name__
        if distribution not in ORDINAL:
            raise InputError(
                f"an OrderedModel with the distribution {distribution} is not known here; "
                "distr='logit' and 'probit' are."
            )
        labels = [_plain(label) for label in model.labels]
        options["y"] = _categorical([labels[int(k)] for k in endog], labels)
    elif name == "conditional":
        options["groups"] = np.asarray(model.groups)
    elif name == "cox":
        options = {"time": endog, "event": np.asarray(model.status), "ties": str(model.ties)}
        for ours, theirs in (("entry", "entry"), ("strata", "strata")):
            if getattr(model, theirs, None) is not None:
                options[ours] = np.asarray(getattr(model, theirs))
    elif kind in ("Logit", "Probit") and not np.isin(endog, (0, 1)).all():
        name = "binomial"
    if name in ("logistic", "binomial", "poisson", "multinomial"):
        options["fit_intercept"] = False  # the model says what it has
    labels_of_rows = getattr(getattr(model, "data", None), "row_labels", None)
    index = None if labels_of_rows is None else list(labels_of_rows)
    if index == list(range(len(endog))):
        index = None
    is_share = kind == "GLM" and name == "poisson" and type(model.family).__name__ == "Binomial"
    called = f"{kind} ({'log-binomial' if is_share else name})"
    return Foreign(name, called, exog, names, index, options)


def _is_model(model: Any) -> bool:
    return all(hasattr(model, part) for part in ("endog", "exog", "exog_names"))


def _of_glm(model: Any, options: dict[str, Any]) -> str:
    family, link = type(model.family).__name__, type(model.family.link).__name__
    weights = np.asarray(model.freq_weights) * np.asarray(model.var_weights)
    if family == "Binomial" and link in BINOMIAL_LINKS:
        options["weights"] = weights * np.asarray(model.n_trials)
        options["y"] = np.where(options["weights"] > 0, options["y"], 0)
        return "binomial"
    if family == "Binomial" and link in ("Log", "log"):
        options["weights"] = weights * np.asarray(model.n_trials)
        return "poisson"
    if family in ("Poisson", "NegativeBinomial") and link in ("Log", "log"):
        options["weights"] = weights
        return "poisson"
    raise InputError(
        f"a GLM of family {family} with link {link} is not known here; known are Binomial with "
        "Logit, Probit, CLogLog, LogLog, Cauchy or Log, and Poisson and NegativeBinomial with Log."
    )


def _categorical(values: list[Any], labels: list[Any]) -> Any:
    """Labels in their order: statsmodels needs pandas, so it is there."""
    import pandas

    return pandas.Series(pandas.Categorical(values, categories=labels, ordered=True))


def read_fitter(
    fitter: Any, options: dict[str, Any], X: Any, data: Any
) -> tuple[str, str, list[str]]:
    """The model that an estimator would fit; options that it says itself are filled in."""
    kind = type(fitter).__name__
    if kind == "LogisticRegression":
        if options.get("fit_intercept") is None and not isinstance(X, str):
            options["fit_intercept"] = bool(getattr(fitter, "fit_intercept", True))
        labels = _labels(options.get("y"), X, data)
        notes = []
        if getattr(fitter, "C", None) != np.inf and getattr(fitter, "penalty", "l2") is not None:
            notes.append(
                "LogisticRegression penalises unless C=inf, so what it prints is finite whatever "
                "the answer here, which is about the likelihood alone"
            )
        name = "multinomial" if len(labels) > 2 else "logistic"
        return name, kind, notes
    if kind == "CoxPHFitter":
        strata = getattr(fitter, "strata", None)
        if options.get("strata") is None and strata is not None:
            options["strata"] = strata
        return "cox", kind, []
    raise InputError(
        f"model is a {kind}, which is not known here; give a name such as 'logistic', or "
        "LogisticRegression or CoxPHFitter."
    )


def _labels(y: Any, X: Any, data: Any) -> set[str]:
    """The labels of y, which may be a column of a frame, or what is left of a formula's ~."""
    frame = X
    if isinstance(X, str):
        frame, y = data, X.rpartition("~")[0].strip() or y
    if isinstance(y, str):
        try:
            y = frame[y]
        except Exception:  # what is wrong with it is said where it is read
            return set()
    return set() if y is None else {*map(str, np.ravel(y).tolist())}


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
