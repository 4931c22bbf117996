"""A record of each model: its names, its options, its link, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

from novikoff.errors import InputError, KeywordError
from novikoff.wording import keyword

ModelName: TypeAlias = Literal[
    "logistic", "logit", "probit", "cloglog", "cauchit", "binomial", "poisson", "ppml",
    "negative-binomial", "log-binomial", "multinomial", "ordinal", "conditional", "cox",
    "bradley-terry",
]  # fmt: skip
EVERYWHERE = ("weights", "offset")  # options that every model has


@dataclass(frozen=True)
class Kind:
    """A model. certificates/comparisons.py has its rows.

    needed : options that must be given; `options` are the others, but for weights and offset
    certain : what is true of an observation that is predicted perfectly
    elsewhere : what other software says where the estimate is infinite
    other_names : of models whose estimate is finite for the same data, each with its link
    link : of the model by its own name
    has_rows : whether every observation has one outcome, whose mean its own columns give
    outcome : the option whose codes are 0 and 1
    label : the option that a file's label column is, on the command line
    within : where columns are compared, of a model that compares rows with each other, as
        "within sets" a column may be a combination of others, and as it may not vary
    nothing : why there may be nothing to compare
    """

    needed: tuple[str, ...]
    options: tuple[str, ...]
    certain: str
    elsewhere: str
    other_names: dict[str, str] = field(default_factory=dict)
    link: str = "logit"
    has_rows: bool = False
    outcome: str | None = None
    label: str = "y"
    within: tuple[str, str] | None = None
    nothing: str = "there is one class only"

    def has(self, option: str) -> bool:
        return option in (*self.needed, *self.options, *EVERYWHERE)


_GLM = (  # of R what its documentation says, of statsmodels what tests see it print
    "R's glm warns of fitted probabilities numerically 0 or 1, and statsmodels of perfect "
    "separation, but only where every observation is predicted perfectly"
)
_COXPH = "R's coxph tries to tell that a coefficient may be infinite, not always successfully"
MODELS: dict[str, Kind] = {
    "logistic": Kind(
        ("y",), ("fit_intercept", "positive"), "the outcome is certain", _GLM,
        {"logit": "logit", "probit": "probit", "cloglog": "cloglog", "cauchit": "cauchit"},
        has_rows=True, outcome="y",
    ),
    "binomial": Kind(
        ("y",), ("fit_intercept", "trials", "positive"), "the outcome is certain", _GLM,
        has_rows=True, outcome="y",
    ),
    "log-binomial": Kind(
        ("y",), ("fit_intercept", "trials", "positive"), "the probability is 0", _GLM,
        link="log", has_rows=True, outcome="y",
    ),
    "poisson": Kind(
        ("y",), ("fit_intercept",), "the expected count is 0",
        "R's glm may warn of fitted rates numerically 0, statsmodels' Poisson that it failed to "
        "converge, and its GLM says nothing",
        {"ppml": "log", "negative-binomial": "log"}, link="log", has_rows=True,
    ),
    "multinomial": Kind(
        ("y",), ("fit_intercept", "reference"), "the class is certain",
        "statsmodels' MNLogit mostly warns that it failed to converge",
    ),
    "ordinal": Kind(
        ("y",), ("order",), "the class is certain",
        "statsmodels' OrderedModel mostly says nothing",
    ),
    "conditional": Kind(
        ("y", "groups"), ("positive",), "the case of the set is certain",
        f"{_COXPH}, and statsmodels' ConditionalLogit mostly says nothing",
        outcome="y", within=("within sets", "within sets"),
        nothing="no set has a case beside others",
    ),
    "cox": Kind(
        ("time",), ("event", "entry", "strata", "ties", "positive"),
        "the next event is certain",
        f"{_COXPH}, and statsmodels' PHReg that it failed to converge",
        outcome="event", label="time",
        within=("among those at risk", "among those who are at risk together"),
        nothing="at no event is anybody else at risk",
    ),
    "bradley-terry": Kind(
        ("winner", "loser"), ("y", "reference"), "the winner is certain", _GLM, has_rows=True,
        label="winner",
    ),
}  # fmt: skip
ALIASES = {alias: name for name, kind in MODELS.items() for alias in (name, *kind.other_names)}
TIES = ("breslow", "efron", "exact")
FREE_DISPERSION = (
    "the answer is that for any given dispersion; where the dispersion is estimated too, it may go "
    "to 0, which is a Poisson model"
)


class Fitter(Protocol):
    """A model of another library, before its fit."""

    @property
    def fit(self) -> Callable[..., Any]: ...


def read_model(model: Any) -> str:
    """The name by which the model is known here; InputError names what there is."""
    if isinstance(model, str) and usual(model) in ALIASES:
        return ALIASES[usual(model)]
    known = ", ".join(map(repr, get_args(ModelName)))
    raise InputError(f"model is {model!r}; it must be one of {known}.")


def proven_as(name: str) -> str:
    """The model whose rows a proof has.

    A log-binomial model has those of counts, of its successes: a probability exp(x·β) cannot rise
    above 1, and that of a row with a success not fall to 0.
    """
    return "poisson" if name == "log-binomial" else name


def usual(model: str) -> str:
    """A model's name as it is usually written."""
    return model.strip().lower().replace("_", "-").replace(" ", "-")


def check_options(name: str, given: dict[str, Any], called: str) -> None:
    """Raise where an option is given that the model does not have, or one is missing."""
    what = a_model(usual(called) if usual(called) in ALIASES else name)
    for option, value in given.items():
        if value is not None and not MODELS[name].has(option):
            *owners, last = [other for other, kind in MODELS.items() if kind.has(option)]
            listed = f"{', '.join(owners)} and {last}" if owners else last
            raise KeywordError(
                f"{keyword(option)} does not belong to {what}, but to {listed}; leave it out."
            )
    for option in MODELS[name].needed:
        if given.get(option) is None:
            raise InputError(f"{what} needs {keyword(option)}, which is missing.")


def a_model(name: str) -> str:
    """'a poisson model', 'an ordinal model'."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} model"
