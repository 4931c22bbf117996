"""The models by all their names, and which options each of them has."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError, KeywordError
from novikoff.wording import argument, keyword

ALIASES = {
    "logistic": "logistic",
    "logit": "logistic",
    "probit": "logistic",
    "cloglog": "logistic",
    "cauchit": "logistic",
    "binomial": "binomial",
    "poisson": "poisson",
    "ppml": "poisson",
    "negative-binomial": "poisson",
    "log-binomial": "poisson",
    "multinomial": "multinomial",
    "ordinal": "ordinal",
    "conditional": "conditional",
    "cox": "cox",
    "bradley-terry": "bradley-terry",
}
EVERYWHERE = ("weights", "offset")
OPTIONS: dict[str, tuple[str, ...]] = {
    "logistic": ("y", "fit_intercept"),
    "binomial": ("y", "fit_intercept", "trials"),
    "poisson": ("y", "fit_intercept"),
    "multinomial": ("y", "fit_intercept", "reference"),
    "ordinal": ("y",),
    "conditional": ("y", "groups"),
    "cox": ("time", "event", "entry", "strata", "ties"),
    "bradley-terry": ("y", "winner", "loser", "reference"),
}
NEEDED: dict[str, tuple[str, ...]] = {
    "logistic": ("y",),
    "binomial": ("y",),
    "poisson": ("y",),
    "multinomial": ("y",),
    "ordinal": ("y",),
    "conditional": ("y", "groups"),
    "cox": ("time",),
    "bradley-terry": ("winner", "loser"),
}
SHARES = ("log-binomial",)  # by these names y is at most 1
TIES = ("breslow", "efron", "exact")


def read_model(model: Any) -> str:
    """The name by which the model is known here; InputError names what there is."""
    if isinstance(model, str) and usual(model) in ALIASES:
        return ALIASES[usual(model)]
    known = ", ".join(map(repr, ALIASES))
    raise InputError(f"{argument('model')} is {model!r}; it must be one of {known}.")


def usual(model: str) -> str:
    """A model's name as it is usually written."""
    return model.strip().lower().replace("_", "-").replace(" ", "-")


def check_options(name: str, given: dict[str, Any], all_there: bool = True) -> None:
    """Raise where an option is given that the model does not have, or one is missing.

    Not `all_there`: what is missing may still come out of a formula.
    """
    allowed = {*OPTIONS[name], *EVERYWHERE}
    for option, value in given.items():
        if value is not None and option not in allowed:
            owners = [other for other, options in OPTIONS.items() if option in options]
            raise KeywordError(
                f"{option}= does not belong to {a_model(name)}, but to {_listed(owners)}; "
                f"leave it out{_instead(name, option)}."
            )
    for option in NEEDED[name] if all_there else ():
        if given.get(option) is None:
            raise InputError(f"{a_model(name)} needs {option}=, which is missing.")


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
