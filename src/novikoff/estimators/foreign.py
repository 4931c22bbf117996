"""Keywords of scikit-learn's Perceptron that are none of ours, and what to use instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from novikoff.conventions import true_or_false
from novikoff.errors import KeywordError, ParameterError

_PENALTY = (
    "a perceptron has no penalty. For a penalised one use "
    "sklearn.linear_model.SGDClassifier(loss='perceptron', penalty=...)."
)
_STEP = (
    "an update adds the row itself. From zeros another step only scales the weights and changes no "
    "prediction: leave it out."
)
_START = "give the first weights to the constructor: start=[*coef, intercept]."
_STOPPING = "it ends with a clean pass or at its limits; {stoppers} have tol and early_stopping."
_ORDER = "say order='shuffled' for a new order in each pass, order='cyclic' for the rows as given."

ADVICE = {
    "shuffle": _ORDER,
    "penalty": _PENALTY,
    "alpha": _PENALTY,
    "l1_ratio": _PENALTY,
    "eta0": _STEP,
    "learning_rate": _STEP,
    "power_t": _STEP,
    "coef_init": _START,
    "intercept_init": _START,
    "n_iter": "the most passes are max_iter.",
    "max_iter": "the most passes are max_iter.",
    "average": "use AveragedPerceptron, whose weights are the mean over all visits.",
    "loss": "a perceptron's updates follow from its mistakes. For other losses use "
    "sklearn.linear_model.SGDClassifier.",
    "tol": _STOPPING,
    "early_stopping": _STOPPING,
    "validation_fraction": _STOPPING,
    "n_iter_no_change": _STOPPING,
}
STOPPERS = "Perceptron, AveragedPerceptron and PocketPerceptron"
NEEDED = {_ORDER: "order", _START: "start", ADVICE["n_iter"]: "max_iter"}
WITHOUT = {  # where the member has no such parameter either
    "order": "there is no order to choose.",
    "start": "it starts from zeros.",
    "max_iter": "its limits are max_rescalings and max_mistakes.",
}


def in_our_words(given: dict[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """`shuffle`, as scikit-learn's users write it, as our `order`."""
    if "shuffle" not in given or "order" not in known:
        return given
    ours = {name: value for name, value in given.items() if name != "shuffle"}
    means = "shuffled" if true_or_false("shuffle", given["shuffle"]) else "cyclic"
    order = ours.setdefault("order", means)
    if not isinstance(order, str) or order != means:
        raise ParameterError(
            f"shuffle={given['shuffle']} means order={means!r}, and order is {order!r}; "
            "leave one of them out.",
            "order",
        )
    return ours


def refuse_foreign(kind: type, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise KeywordError on a keyword that there is not; on scikit-learn's with what to use."""
    known = set(known)
    for name in given:
        if name in ADVICE and name not in known:
            advice = ADVICE[name]
            needed = NEEDED.get(advice)
            if needed is not None and needed not in known:
                advice = WITHOUT[needed]
            said = advice.format(stoppers=STOPPERS)
            raise KeywordError(f"{kind.__name__} has no parameter {name!r}: {said}")
        if name not in known:
            listed = ", ".join(sorted(known))
            raise KeywordError(f"{kind.__name__} has no parameter {name!r}; it has {listed}.")


def refuse_in_fit(estimator: Any, others: Iterable[str]) -> None:
    """Raise on any further keyword of `fit`."""
    advised = [name for name in others if name in ADVICE]
    refuse_foreign(type(estimator), advised, estimator.get_params(deep=False))
    for name in others:
        raise TypeError(f"fit() got an unexpected keyword argument {name!r}")
