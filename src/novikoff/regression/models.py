"""The models by all their names, and which options each of them has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias, get_args

from novikoff.errors import InputError, KeywordError
from novikoff.wording import keyword

ModelName: TypeAlias = Literal[
    "logistic", "logit", "probit", "cloglog", "cauchit", "binomial", "poisson", "ppml",
    "negative-binomial", "log-binomial", "multinomial", "ordinal", "conditional", "cox",
    "bradley-terry",
]  # fmt: skip
OTHER_NAMES = {
    "logit": "logistic", "probit": "logistic", "cloglog": "logistic", "cauchit": "logistic",
    "ppml": "poisson", "negative-binomial": "poisson",
}  # fmt: skip
ALIASES: dict[str, str] = {name: OTHER_NAMES.get(name, name) for name in get_args(ModelName)}
EVERYWHERE = ("weights", "offset")
OPTIONS: dict[str, tuple[str, ...]] = {
    "logistic": ("y", "fit_intercept", "positive"),
    "binomial": ("y", "fit_intercept", "trials", "positive"),
    "log-binomial": ("y", "fit_intercept", "trials", "positive"),
    "poisson": ("y", "fit_intercept"),
    "multinomial": ("y", "fit_intercept", "reference"),
    "ordinal": ("y", "order"),
    "conditional": ("y", "groups", "positive"),
    "cox": ("time", "event", "entry", "strata", "ties", "positive"),
    "bradley-terry": ("y", "winner", "loser", "reference"),
}
NEEDED: dict[str, tuple[str, ...]] = {
    "logistic": ("y",),
    "binomial": ("y",),
    "log-binomial": ("y",),
    "poisson": ("y",),
    "multinomial": ("y",),
    "ordinal": ("y",),
    "conditional": ("y", "groups"),
    "cox": ("time",),
    "bradley-terry": ("winner", "loser"),
}
OUTCOMES = {  # the column whose codes are 0 and 1
    "logistic": "y", "binomial": "y", "log-binomial": "y", "conditional": "y", "cox": "event",
}  # fmt: skip
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
    known = ", ".join(map(repr, ALIASES))
    raise InputError(f"model is {model!r}; it must be one of {known}.")


def proven_as(name: str) -> str:
    """The model whose rows a proof has.

    A log-binomial model has those of counts, of its successes: a probability exp(x·β) cannot rise
    above 1, and that of a row with a success not fall to 0.
    """
    return "poisson" if name == "log-binomial" else name


def link_of(called: str) -> str:
    """The link that a model's name says; 'logit' where the model has classes or none."""
    name = usual(called)
    if name in ("probit", "cloglog", "cauchit"):
        return name
    return "log" if ALIASES.get(name) in ("poisson", "log-binomial") else "logit"


def usual(model: str) -> str:
    """A model's name as it is usually written."""
    return model.strip().lower().replace("_", "-").replace(" ", "-")


def check_options(
    name: str, given: dict[str, Any], called: str | None = None, all_there: bool = True
) -> None:
    """Raise where an option is given that the model does not have, or one is missing.

    called : the name that the model was given
    Not `all_there`: what is missing may still come out of a formula.
    """
    what = a_model(usual(called or name))
    allowed = {*OPTIONS[name], *EVERYWHERE}
    for option, value in given.items():
        if value is not None and option not in allowed:
            owners = [other for other, options in OPTIONS.items() if option in options]
            raise KeywordError(
                f"{keyword(option)} does not belong to {what}, but to {_listed(owners)}; "
                f"leave it out{_instead(name, option)}."
            )
    for option in NEEDED[name] if all_there else ():
        if given.get(option) is None:
            raise InputError(f"{what} needs {keyword(option)}, which is missing.")


def a_model(name: str) -> str:
    """'a poisson model', 'an ordinal model'."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} model"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _instead(name: str, option: str) -> str:
    """Where the model has something else for it."""
    if (name, option) != ("cox", "y"):
        return ""
    return f", and give {keyword('time')} and {keyword('event')}"
