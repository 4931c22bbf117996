"""y, times, sets and players as the response columns of a proof: numbers, each checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import read_ordered
from novikoff.inputs.order import NUMBER, ordered_categories
from novikoff.regression.models import SHARES, TIES, usual
from novikoff.wording import argument, keyword

OUTCOMES = ("y", "event")


@dataclass
class Response:
    """The response columns of the rows that the model has, and what their numbers stand for.

    columns : exact numbers by the name that the column has in a proof
    kept : which of the rows given these are: those of trials 0 are deleted
    labels : of classes or players, in the order of their numbers
    """

    columns: dict[str, list[Any]]
    kept: np.ndarray
    labels: list[Any] = field(default_factory=list)
    reference: int = 0
    ties: str = "breslow"
    notes: list[str] = field(default_factory=list)


def read_response(name: str, given: dict[str, Any], n_rows: int, called: str = "") -> Response:
    """The response columns of model `name` from the options that were given for it.

    Called log-binomial, a model of counts has shares: its comparisons are those of counts, since
    a probability exp(x·β) cannot rise above 1, and that of a row with a success not fall to 0.
    """
    own = {key: in_own_order(given[key]) for key in OUTCOMES if given.get(key) is not None}
    made = _READERS[name]({**given, **own}, n_rows)
    if name == "ordinal" and own["y"] is not given["y"]:
        shown = " < ".join(map(repr, made.labels[:8])) + " < …" * (len(made.labels) > 8)
        made.notes.append(f"the classes are taken in the order of the categorical: {shown}")
    if usual(called) in SHARES:
        _refuse("y", made.columns["y"], lambda v: v > 1, "a share is at most 1")
    if given.get("offset") is not None:
        numbers_of(given["offset"], "offset", n_rows)
        made.notes.append("the offset changes nothing here")
    return made


def in_own_order(y: Any) -> Any:
    """A categorical of pandas without an order, as one whose levels stand in the order they have.

    R, and OrderedModel of statsmodels, take the levels of a factor in that order too. Levels that
    nobody has are left out: they were not said to lie between others.
    """
    dtype = getattr(y, "dtype", None)
    if getattr(dtype, "ordered", True) or not hasattr(dtype, "categories"):
        return y
    part = getattr(y, "cat", y)  # a Series, or the Categorical itself
    used = part.remove_unused_categories()
    return getattr(used, "cat", used).as_ordered()


def counted_rows(weights: Any, n_rows: int) -> tuple[np.ndarray, list[str]]:
    """The places of rows that count, and what to say about the others."""
    found = numbers_of(weights, "weights", n_rows)
    _refuse("weights", found, lambda w: w < 0, "a weight cannot be negative")
    places = np.flatnonzero([w > 0 for w in found])
    return places, _deleted(n_rows, len(places), "weight")


def _deleted(n_rows: int, n_kept: int, what: str) -> list[str]:
    """What to say about rows that count nothing."""
    if n_kept == 0:
        raise InputError(f"every row has {what} 0, so there is nothing to compare.")
    n = n_rows - n_kept
    return [f"{n} row{'s' * (n != 1)} of {what} 0 {'are' if n != 1 else 'is'} deleted"] if n else []


def numbers_of(values: Any, name: str, n_rows: int) -> list[Any]:
    """A column of finite numbers, exactly; numerals in text are numbers too."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1 or len(array) != n_rows:
        raise InputError(
            f"{name} has shape {array.shape}; it needs one number for each of the {n_rows} rows."
        )
    values = array.tolist()
    if array.dtype.kind in "iu" or (array.dtype == np.float64 and np.isfinite(array).all()):
        return list(values)
    return [_number(value, name, row) for row, value in enumerate(values)]


def _number(value: Any, name: str, row: int) -> Any:
    if isinstance(value, str) and re.fullmatch(NUMBER, value):
        return Fraction(value.strip())
    try:
        exact = Fraction(value) if not isinstance(value, (str, bytes)) else None
    except (TypeError, ValueError, OverflowError):
        exact = None
    if exact is None:
        raise InputError(f"{argument(name)} is {value!r} in row {row}; it must be a finite number.")
    if isinstance(value, float) and math.isfinite(value):
        return value
    return int(exact) if exact.denominator == 1 else exact


def _refuse(name: str, values: list[Any], is_bad: Any, why: str) -> None:
    for row, value in enumerate(values):
        if is_bad(value):
            raise InputError(f"{argument(name)} is {value} in row {row}; {why}.")


def zero_one(values: Any, name: str, n_rows: int) -> tuple[list[int], list[str]]:
    """Two labels as 0 and 1, and what to say about them; one label only where it is 0 or 1."""
    categories = ordered_categories(values)
    found, codes = read_ordered(values, n_rows, name)
    labels = [_plain(label) for label in found]
    if categories is not None and len(categories) == 2:
        labels = list(categories)
        place = {label: k for k, label in enumerate(labels)}
        codes = np.array([place[_plain(found[c])] for c in codes.tolist()])
    if all(_is_bit(label) for label in labels):
        bits = [int(float(label)) for label in labels]
        return [bits[code] for code in codes.tolist()], []
    if len(labels) != 2 or any(_is_share(label) for label in labels):
        shown = ", ".join(map(repr, labels[:4])) + ", …" * (len(labels) > 4)
        more = ", 0 for censoring and 1 for an event"
        if name == "y":
            more = f"; shares between 0 and 1 are for {keyword('model', 'binomial')}, and more "
            more += f"classes for {keyword('model', 'multinomial')}"
        cure = (
            "give 0s and 1s, so that it is known which of them it is"
            if len(labels) == 1
            else f"two are needed{more}"
        )
        raise InputError(
            f"{argument(name)} has the label{'s' * (len(labels) > 1)} {shown}; {cure}."
        )
    return codes.tolist(), [f"{labels[1]!r} counts as 1 in {name}, and {labels[0]!r} as 0"]


def _is_share(label: Any) -> bool:
    try:
        return 0.0 < float(label) < 1.0
    except (TypeError, ValueError):
        return False


def _is_bit(label: Any) -> bool:
    try:
        return float(label) in (0.0, 1.0)
    except (TypeError, ValueError):
        return False


def _logistic(given: dict[str, Any], n_rows: int) -> Response:
    bits, notes = zero_one(given["y"], "y", n_rows)
    return Response({"y": bits}, np.arange(n_rows), notes=notes)


def _binomial(given: dict[str, Any], n_rows: int) -> Response:
    y, trials = given["y"], given.get("trials")
    pairs = np.asarray(y)
    if pairs.ndim == 2 and pairs.shape[1] == 2:
        if trials is not None:
            raise InputError(
                f"y has two columns, successes and failures; leave {keyword('trials')} out."
            )
        successes = numbers_of(pairs[:, 0], "the successes in y", n_rows)
        failures = numbers_of(pairs[:, 1], "the failures in y", n_rows)
        for part, column in (("successes", successes), ("failures", failures)):
            _refuse(f"the number of {part} in y", column, lambda v: v < 0, "it cannot be negative")
        totals = [Fraction(a) + Fraction(b) for a, b in zip(successes, failures, strict=True)]
        of_trials: list[Any] = [int(t) if t.denominator == 1 else t for t in totals]
    else:
        successes = numbers_of(y, "y", n_rows)
        of_trials = [1] * n_rows if trials is None else numbers_of(trials, "trials", n_rows)
        _refuse("trials", of_trials, lambda v: v < 0, "it cannot be negative")
        _refuse("y", successes, lambda v: v < 0, "it cannot be negative")
        for row, (s, t) in enumerate(zip(successes, of_trials, strict=True)):
            if s > t:
                limit = f"; a share is at most 1; give {keyword('trials')} for counts"
                if trials is not None:
                    limit = f", which is more than its trials, {t}"
                raise InputError(f"{argument('y')} is {s} in row {row}{limit}.")
    kept = [row for row, t in enumerate(of_trials) if t > 0]
    notes = _deleted(n_rows, len(kept), "trials")
    columns = {"successes": [successes[i] for i in kept], "trials": [of_trials[i] for i in kept]}
    return Response(columns, np.array(kept, dtype=np.intp), notes=notes)


def _poisson(given: dict[str, Any], n_rows: int) -> Response:
    counts = numbers_of(given["y"], "y", n_rows)
    _refuse("y", counts, lambda v: v < 0, "a count cannot be negative")
    return Response({"y": counts}, np.arange(n_rows))


def _multinomial(given: dict[str, Any], n_rows: int) -> Response:
    found, codes = read_ordered(given["y"], n_rows)
    labels = [_plain(label) for label in found]
    if len(labels) < 2:
        raise InputError(
            f"y has 1 class ({labels[0]!r}), so there is nothing to compare; a multinomial model "
            "needs at least 2."
        )
    reference = _place(given.get("reference"), labels, "a class of y")
    return Response({"class": codes.tolist()}, np.arange(n_rows), labels, reference)


def _ordinal(given: dict[str, Any], n_rows: int) -> Response:
    y = given["y"]
    found, codes = read_ordered(y, n_rows)
    labels = [_plain(label) for label in found]
    notes = []
    categories = ordered_categories(y)
    if categories is None and any(isinstance(label, str) for label in labels):
        shown = " < ".join(map(repr, labels[:8])) + " < …" * (len(labels) > 8)
        notes.append(
            f"the classes are taken in the order {shown}; an ordered categorical has its own"
        )
    if categories is not None:
        place = {label: k for k, label in enumerate(categories)}
        codes = np.array([place[labels[c]] for c in codes.tolist()])
        empty = [label for label in categories if label not in labels]
        labels = list(categories)
        if empty:
            shown = ", ".join(map(repr, empty[:8]))
            notes.append(f"nobody has the class {shown}")
    if len(labels) < 2:
        raise InputError(
            f"y has 1 class ({labels[0]!r}), so there is nothing to compare; an ordinal model "
            "needs at least 2."
        )
    return Response({"class": codes.tolist()}, np.arange(n_rows), labels, notes=notes)


def _conditional(given: dict[str, Any], n_rows: int) -> Response:
    cases, notes = zero_one(given["y"], "y", n_rows)
    sets = _codes(given["groups"], "groups", n_rows)[1]
    return Response({"case": cases, "set": sets}, np.arange(n_rows), notes=notes)


def _cox(given: dict[str, Any], n_rows: int) -> Response:
    columns: dict[str, list[Any]] = {"time": numbers_of(given["time"], "time", n_rows)}
    notes: list[str] = []
    if given.get("event") is None:
        columns["event"] = [1] * n_rows
        notes.append(f"no {argument('event')} is given, so every time is that of an event")
    else:
        columns["event"], notes = zero_one(given["event"], "event", n_rows)
    if given.get("entry") is not None:
        columns["entry"] = numbers_of(given["entry"], "entry", n_rows)
        for row, (a, b) in enumerate(zip(columns["entry"], columns["time"], strict=True)):
            if a >= b:
                raise InputError(
                    f"{argument('entry')} is {a} in row {row}, which is not before its time, {b}."
                )
    if given.get("strata") is not None:
        columns["stratum"] = _codes(given["strata"], "strata", n_rows)[1]
    ties = "efron" if given.get("ties") is None else given["ties"]
    if not isinstance(ties, str) or ties.lower() not in TIES:
        raise InputError(
            f"{argument('ties')} is {ties!r}; it must be one of {', '.join(map(repr, TIES))}."
        )
    exact = ties.lower() == "exact"
    if not any(columns["event"]):
        raise InputError("there is no event, so there is nothing to compare.")
    return Response(columns, np.arange(n_rows), ties="exact" if exact else "breslow", notes=notes)


def _contests(given: dict[str, Any], n_rows: int) -> Response:
    both = [*_labels(given["winner"], "winner", n_rows), *_labels(given["loser"], "loser", n_rows)]
    labels, codes = _codes(both, "winner and loser", 2 * n_rows)
    winner, loser = codes[:n_rows], codes[n_rows:]
    for row, (one, other) in enumerate(zip(winner, loser, strict=True)):
        if one == other:
            raise InputError(f"winner and loser are both {labels[one]!r} in row {row}.")
    results: list[Any] = [1] * n_rows
    if given.get("y") is not None:
        results = numbers_of(given["y"], "y", n_rows)
        why = "it must be 1 where the winner won, and between 0 and 1, such as 0.5, for a draw"
        _refuse("y", results, lambda v: not 0 <= v <= 1, why)
        lost = "the winner did not win: exchange winner and loser, and say 1"
        _refuse("y", results, lambda v: v == 0, lost)
    reference = _place(given.get("reference"), labels, "a player")
    columns = {"winner": winner, "loser": loser, "result": results}
    return Response(columns, np.arange(n_rows), labels, reference)


def _labels(values: Any, name: str, n_rows: int) -> list[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or len(array) != n_rows:
        raise InputError(f"{name} has shape {array.shape}; it needs one label a row.")
    return list(array.tolist())


def _codes(values: Any, name: str, n_rows: int) -> tuple[list[Any], list[int]]:
    """Labels of any one type, in order, and for each row the place of its own."""
    found, codes = read_ordered(values, n_rows, name)
    return [_plain(label) for label in found], codes.astype(np.int64).tolist()


def _place(label: Any, labels: list[Any], what: str) -> int:
    if label is None:
        return 0
    for k, known in enumerate(labels):
        if known == label or str(known) == str(label):
            return k
    shown = ", ".join(map(repr, labels[:8])) + ", …" * (len(labels) > 8)
    raise InputError(f"{argument('reference')} is {label!r}; it must be {what}: {shown}.")


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


_READERS = {
    "logistic": _logistic,
    "binomial": _binomial,
    "poisson": _poisson,
    "multinomial": _multinomial,
    "ordinal": _ordinal,
    "conditional": _conditional,
    "cox": _cox,
    "bradley-terry": _contests,
}
