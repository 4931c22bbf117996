"""y, times, sets and players as the response columns of a proof: numbers, each checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import exact_number, is_same_label, read_ordered
from novikoff.inputs.order import NUMBER
from novikoff.regression.codes import in_order, in_own_order, listed, plain
from novikoff.regression.missing import taken
from novikoff.regression.model_data import LikelihoodData
from novikoff.regression.models import TIES
from novikoff.regression.times import one_time
from novikoff.wording import keyword, written


@dataclass
class Response:
    """The response columns of the rows that the model has, and what their numbers stand for.

    columns : exact numbers by the name that the column has in a proof
    kept : which of the rows given these are: those of trials 0 are deleted
    failures : of a log-binomial model, which of these rows have a failure
    labels : of classes or players, in the order of their numbers
    ties, shared : of cox, how tied events are compared, and how they share the likelihood
    """

    columns: dict[str, list[Any]]
    kept: np.ndarray
    labels: list[Any] = field(default_factory=list)
    reference: int = 0
    ties: str = "breslow"
    shared: str = "breslow"
    notes: list[str] = field(default_factory=list)
    failures: np.ndarray | None = None


def read_response(name: str, given: dict[str, Any], n_rows: int, decimal: bool = False) -> Response:
    """The response columns of model `name` from the options that were given for it.

    decimal : whether times that differ by rounding alone are one
    """
    made = _READERS[name](given, n_rows)
    if name == "cox":
        made.columns, near = one_time(made.columns, decimal)
        made.notes += near
        _check_entries(made.columns)
    if given.get("offset") is not None:
        made.notes.append("the offset does not change whether the estimate is finite")
    return made


def ignored_rows(y: Any, classes: tuple[Any, ...]) -> np.ndarray | None:
    """Which rows are of a class that does not count; None where all classes do."""
    if not classes or y is None:
        return None
    labels = np.asarray(y).ravel().tolist()
    return np.array([any(is_same_label(label, one) for one in classes) for label in labels])


def counted_rows(
    weights: Any, idle: np.ndarray | None, kept: np.ndarray
) -> tuple[np.ndarray, list[str]]:
    """The places, among the rows `kept`, of those that count, and what to say about the others."""
    counts = np.ones(len(kept), dtype=bool) if idle is None else ~idle[kept]
    if weights is not None:
        found = numbers_of(taken(weights, kept), "weights", len(kept))
        _refuse("weights", found, lambda w: w < 0, "a weight cannot be negative")
        counts &= np.array([w > 0 for w in found], dtype=bool)
    places = np.flatnonzero(counts)
    return places, _deleted(len(kept), len(places), "weight")


def _deleted(n_rows: int, n_kept: int, what: str) -> list[str]:
    """What to say about rows that count nothing."""
    if n_kept == 0:
        raise InputError(f"every row has {what} 0, so there is nothing to compare.")
    n = n_rows - n_kept
    return [f"{n} row{'s' * (n != 1)} of {what} 0 {'are' if n != 1 else 'is'} deleted"] if n else []


def likelihood_data(
    made: Response, link: str, options: dict[str, Any], n_rows: int
) -> LikelihoodData:
    """Weights and offsets of the rows that the model has, as floats."""
    weights, offset = (
        None
        if options.get(name) is None
        else np.array(numbers_of(options[name], name, n_rows), dtype=np.float64)
        for name in ("weights", "offset")
    )
    return LikelihoodData(link, made.shared, weights, offset).take(made.kept)


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
        exact = exact_number(value)
    except (TypeError, ValueError, OverflowError):
        exact = None
    if exact is None:
        raise InputError(f"{name} is {value!r} in row {row}; it must be a finite number.")
    if isinstance(value, float) and math.isfinite(value):
        return value
    return int(exact) if exact.denominator == 1 else exact


def _refuse(name: str, values: list[Any], is_bad: Any, why: str) -> None:
    for row, value in enumerate(values):
        if is_bad(value):
            raise InputError(f"{name} is {written(value)} in row {row}; {why}.")


def _logistic(given: dict[str, Any], n_rows: int) -> Response:
    bits = numbers_of(given["y"], "y", n_rows)
    same = set(bits)
    notes = [f"y is {min(same)} on every row"] if len(same) == 1 else []
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
                    limit = f", which is more than its trials, {written(t)}"
                raise InputError(f"y is {written(s)} in row {row}{limit}.")
    kept = [row for row, t in enumerate(of_trials) if t > 0]
    notes = _deleted(n_rows, len(kept), "trials")
    columns = {"successes": [successes[i] for i in kept], "trials": [of_trials[i] for i in kept]}
    return Response(columns, np.array(kept, dtype=np.intp), notes=notes)


def _log_binomial(given: dict[str, Any], n_rows: int) -> Response:
    """The successes, as counts; which rows have failures says whether the model is possible."""
    made = _binomial(given, n_rows)
    pairs = zip(made.columns["successes"], made.columns["trials"], strict=True)
    made.failures = np.array([s < t for s, t in pairs], dtype=bool)
    made.columns = {"y": made.columns["successes"]}
    return made


def _poisson(given: dict[str, Any], n_rows: int) -> Response:
    counts = numbers_of(given["y"], "y", n_rows)
    _refuse("y", counts, lambda v: v < 0, "a count cannot be negative")
    return Response({"y": counts}, np.arange(n_rows))


def _multinomial(given: dict[str, Any], n_rows: int) -> Response:
    labels, codes = _codes(in_own_order(given["y"]), "y", n_rows)
    _check_several(labels, "a multinomial")
    reference, notes = _place(given.get("reference"), labels, "class")
    return Response({"class": codes}, np.arange(n_rows), labels, reference, notes=notes)


def _ordinal(given: dict[str, Any], n_rows: int) -> Response:
    y, order = given["y"], given.get("order")
    own = y if order is not None else in_own_order(y)
    found, codes = _codes(own, "y", n_rows)
    labels, notes = in_order(own, found, order)
    _check_several(labels, "an ordinal")
    if own is not y:
        shown = " < ".join(map(repr, labels[:8])) + " < …" * (len(labels) > 8)
        notes.append(f"the classes are taken in the order of the categorical: {shown}")
    place = {label: k for k, label in enumerate(labels)}
    places = [place[found[code]] for code in codes]
    return Response({"class": places}, np.arange(n_rows), labels, notes=notes)


def _check_several(labels: list[Any], model: str) -> None:
    if len(labels) < 2:
        raise InputError(
            f"y has 1 class ({listed(labels)}), so there is nothing to compare; {model} model "
            "needs at least 2."
        )


def _conditional(given: dict[str, Any], n_rows: int) -> Response:
    cases = numbers_of(given["y"], "y", n_rows)
    sets = _codes(given["groups"], "groups", n_rows)[1]
    return Response({"case": cases, "set": sets}, np.arange(n_rows))


def _cox(given: dict[str, Any], n_rows: int) -> Response:
    columns: dict[str, list[Any]] = {"time": numbers_of(given["time"], "time", n_rows)}
    notes: list[str] = []
    if given.get("event") is None:
        columns["event"] = [1] * n_rows
        notes.append("no event is given, so every time is that of an event")
    else:
        columns["event"] = numbers_of(given["event"], "event", n_rows)
    if given.get("entry") is not None:
        columns["entry"] = numbers_of(given["entry"], "entry", n_rows)
    if given.get("strata") is not None:
        columns["stratum"] = _codes(given["strata"], "strata", n_rows)[1]
    ties = "efron" if given.get("ties") is None else given["ties"]
    if not isinstance(ties, str) or ties.lower() not in TIES:
        raise InputError(f"ties is {ties!r}; it must be one of {', '.join(map(repr, TIES))}.")
    shared = ties.lower()
    if not any(columns["event"]):
        raise InputError("there is no event, so there is nothing to compare.")
    compared = "exact" if shared == "exact" else "breslow"
    return Response(columns, np.arange(n_rows), ties=compared, shared=shared, notes=notes)


def _check_entries(columns: dict[str, list[Any]]) -> None:
    for row, (a, b) in enumerate(zip(columns.get("entry", ()), columns["time"], strict=False)):
        if a >= b:
            raise InputError(
                f"entry is {written(a)} in row {row}, which is not before its time, {written(b)}."
            )


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
    reference, notes = _place(given.get("reference"), labels, "player")
    columns = {"winner": winner, "loser": loser, "result": results}
    return Response(columns, np.arange(n_rows), labels, reference, notes=notes)


def _labels(values: Any, name: str, n_rows: int) -> list[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or len(array) != n_rows:
        raise InputError(f"{name} has shape {array.shape}; it needs one label a row.")
    return list(array.tolist())


def _codes(values: Any, name: str, n_rows: int) -> tuple[list[Any], list[int]]:
    """Labels of any one type, in order, and for each row the place of its own."""
    found, codes = read_ordered(values, n_rows, name)
    return [plain(label) for label in found], codes.astype(np.int64).tolist()


def _place(label: Any, labels: list[Any], what: str) -> tuple[int, list[str]]:
    """The place of the reference, and a note where nobody has named it."""
    if label is None:
        return 0, [f"the reference is the first {what}, {listed(labels[:1])}"]
    for k, known in enumerate(labels):
        if is_same_label(known, label):
            return k, []
    raise InputError(f"reference is {label!r}; it must be a {what}: {listed(labels)}.")


_READERS = {
    "logistic": _logistic,
    "binomial": _binomial,
    "log-binomial": _log_binomial,
    "poisson": _poisson,
    "multinomial": _multinomial,
    "ordinal": _ordinal,
    "conditional": _conditional,
    "cox": _cox,
    "bradley-terry": _contests,
}
