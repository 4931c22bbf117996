"""The models by all their names, and which options each of them has."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError, KeywordError
from novikoff.wording import argument

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
TIES = ("breslow", "efron", "exact")


def read_model(model: Any) -> str:
    """The name by which the model is known here; InputError names what there is."""
    if isinstance(model, str):
        key = model.strip().lower().replace("_", "-").replace(" ", "-")
        if key in ALIASES:
            return ALIASES[key]
    known = ", ".join(map(repr, ALIASES))
    raise InputError(f"{argument('model')} is {model!r}; it must be one of {known}.")


def check_options(name: str, given: dict[str, Any], all_there: bool = True) -> None:
    """Raise where an option is given that the model does not have, or one is missing.

    Not `all_there`: what is missing may still come out of a formula.
    """
    allowed = {*OPTIONS[name], *EVERYWHERE}
    for option, value in given.items():
        if value is not None and option not in allowed:
            owners = [other for other, options in OPTIONS.items() if option in options]
            raise KeywordError(
                f"{option}= does not belong to a {name} model, but to {' and '.join(owners)}; "
                "leave it out."
            )
    for option in NEEDED[name] if all_there else ():
        if given.get(option) is None:
            raise InputError(f"a {name} model needs {option}=, which is missing.")
