"""y, times, sets and players as the response columns of a proof: numbers, each checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import exact_number, is_same_label, read_ordered
from novikoff.inputs.labels import NUMBER
from novikoff.regression.codes import in_order, in_own_order, listed, plain
from novikoff.regression.columns import taken
from novikoff.regression.models import TIES
from novikoff.wording import count, keyword, plural, written

SAME_TIME = 2.0**-40  # of the largest time, by which computed times differ that are one
STEPS_OF_A_DIGIT = 4  # between floats, in the last digit of a decimal that was written


@dataclass
class Response:
    """The response columns of the rows that the model has, and what their numbers stand for.

    columns : exact numbers by the name that the column has in a proof, in its order
    kept : which of the rows given these are: those of trials 0 are deleted
    labels : of classes or players, in the order of their numbers
    ties : of cox, how tied events share the likelihood; only 'exact' compares them otherwise
    failures : of a log-binomial model, which of these rows have a failure
    """

    columns: dict[str, list[Any]]
    kept: Any = ...  # all of them
    labels: list[Any] = field(default_factory=list)
    reference: int = 0
    ties: str = "breslow"
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
        columns = made.columns
        for row, (a, b) in enumerate(zip(columns.get("entry", ()), columns["time"], strict=False)):
            if a >= b:
                raise InputError(
                    f"entry is {written(a)} in row {row}, which is not before its time, "
                    f"{written(b)}."
                )
    if given.get("offset") is not None:
        made.notes.append("the offset does not change whether the estimate is finite")
    return made


def counted_rows(
    weights: Any, y: Any, ignored: tuple[Any, ...], kept: np.ndarray
) -> tuple[np.ndarray, list[str]]:
    """The places, among the rows `kept`, of those that count, and what to say about the others.

    ignored : classes of y that do not count
    """
    counts = np.ones(len(kept), dtype=bool)
    if ignored and y is not None:
        labels = np.asarray(y).ravel()[kept].tolist()
        counts = np.array([not any(is_same_label(k, one) for one in ignored) for k in labels])
    if weights is not None:
        found = _at_least_0(
            taken(weights, kept), "weights", len(kept), "a weight cannot be negative"
        )
        counts &= np.array([w > 0 for w in found], dtype=bool)
    places = np.flatnonzero(counts)
    return places, _deleted(len(kept), len(places), "weight")


def _deleted(n_rows: int, n_kept: int, what: str) -> list[str]:
    """What to say about rows that count nothing."""
    if n_kept == 0:
        raise InputError(f"every row has {what} 0, so there is nothing to compare.")
    n = n_rows - n_kept
    return [f"{count(n, 'row')} of {what} 0 {plural(n, 'is', 'are')} deleted"] if n else []


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


def _at_least_0(
    values: Any, name: str, n_rows: int, why: str = "it cannot be negative"
) -> list[Any]:
    found = numbers_of(values, name, n_rows)
    _refuse(name, found, lambda v: v < 0, why)
    return found


def _refuse(name: str, values: list[Any], is_bad: Any, why: str) -> None:
    for row, value in enumerate(values):
        if is_bad(value):
            raise InputError(f"{name} is {written(value)} in row {row}; {why}.")


def _logistic(given: dict[str, Any], n_rows: int) -> Response:
    bits = numbers_of(given["y"], "y", n_rows)
    same = set(bits)
    return Response({"y": bits}, notes=[f"y is {bits[0]} on every row"] if len(same) == 1 else [])


def _binomial(given: dict[str, Any], n_rows: int) -> Response:
    y, trials = given["y"], given.get("trials")
    pairs = np.asarray(y)
    limit = f"; a share is at most 1; give {keyword('trials')} for counts"
    if pairs.ndim == 2 and pairs.shape[1] == 2:
        if trials is not None:
            raise InputError(
                f"y has two columns, successes and failures; leave {keyword('trials')} out."
            )
        successes, failures = (
            _at_least_0(pairs[:, k], f"the number of {part} in y", n_rows)
            for k, part in enumerate(("successes", "failures"))
        )
        totals = [Fraction(a) + Fraction(b) for a, b in zip(successes, failures, strict=True)]
        of_trials: list[Any] = [int(t) if t.denominator == 1 else t for t in totals]
    else:
        of_trials = [1] * n_rows if trials is None else _at_least_0(trials, "trials", n_rows)
        successes = _at_least_0(y, "y", n_rows)
    for row, (s, t) in enumerate(zip(successes, of_trials, strict=True)):
        if s > t:
            if trials is not None:
                limit = f", which is more than its trials, {written(t)}"
            raise InputError(f"y is {written(s)} in row {row}{limit}.")
    kept = np.flatnonzero([t > 0 for t in of_trials])
    columns = {"successes": taken(successes, kept), "trials": taken(of_trials, kept)}
    return Response(columns, kept, notes=_deleted(n_rows, len(kept), "trials"))


def _log_binomial(given: dict[str, Any], n_rows: int) -> Response:
    """The successes, as counts; which rows have failures says whether the model is possible."""
    made = _binomial(given, n_rows)
    pairs = zip(made.columns["successes"], made.columns["trials"], strict=True)
    made.failures = np.array([s < t for s, t in pairs], dtype=bool)
    made.columns = {"y": made.columns["successes"]}
    return made


def _poisson(given: dict[str, Any], n_rows: int) -> Response:
    return Response({"y": _at_least_0(given["y"], "y", n_rows, "a count cannot be negative")})


def _multinomial(given: dict[str, Any], n_rows: int) -> Response:
    labels, codes = _codes(in_own_order(given["y"]), "y", n_rows)
    _check_several(labels, "a multinomial")
    reference, notes = _place(given.get("reference"), labels, "class")
    return Response({"class": codes}, labels=labels, reference=reference, notes=notes)


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
    return Response({"class": [place[found[code]] for code in codes]}, labels=labels, notes=notes)


def _check_several(labels: list[Any], model: str) -> None:
    if len(labels) < 2:
        raise InputError(
            f"y has 1 class ({listed(labels)}), so there is nothing to compare; {model} model "
            "needs at least 2."
        )


def _conditional(given: dict[str, Any], n_rows: int) -> Response:
    cases = numbers_of(given["y"], "y", n_rows)
    return Response({"case": cases, "set": _codes(given["groups"], "groups", n_rows)[1]})


def _cox(given: dict[str, Any], n_rows: int) -> Response:
    columns: dict[str, list[Any]] = {"time": numbers_of(given["time"], "time", n_rows)}
    notes, ties = [], "efron" if given.get("ties") is None else given["ties"]
    for name in ("event", "entry"):
        if given.get(name) is not None:
            columns[name] = numbers_of(given[name], name, n_rows)
        elif name == "event":
            columns[name] = [1] * n_rows
            notes.append("no event is given, so every time is that of an event")
    if given.get("strata") is not None:
        columns["stratum"] = _codes(given["strata"], "strata", n_rows)[1]
    if not isinstance(ties, str) or ties.lower() not in TIES:
        raise InputError(f"ties is {ties!r}; it must be one of {', '.join(map(repr, TIES))}.")
    if not any(columns["event"]):
        raise InputError("there is no event, so there is nothing to compare.")
    return Response(columns, ties=ties.lower(), notes=notes)


def one_time(
    columns: dict[str, list[Any]], decimal: bool
) -> tuple[dict[str, list[Any]], list[str]]:
    """The columns with times that differ by rounding alone, such as 0.3 and 0.1 + 0.2, made equal,
    where `decimal`; and what to say of them.

    To everybody they are a tie, and R's coxph makes them one (its `timefix`). Those within 2^-40 of
    the largest time are taken for one, unless all of them were written rather than computed:
    decimals whose last digit is worth four steps of floats or more, as that of 15 digits always is.
    """
    times = {name: column for name, column in columns.items() if name in ("time", "entry")}
    values = sorted({value for column in times.values() for value in column})
    try:
        floats = np.array([float(value) for value in values])
    except OverflowError:  # beyond the floats nothing was rounded
        return columns, []
    close = np.append(False, np.diff(floats) <= SAME_TIME * np.abs(floats).max())
    tied = floats[close | np.append(close[1:], False)]
    digits = [10.0 ** int(Decimal(repr(x)).as_tuple().exponent) for x in tied.tolist()]
    are_written = (tied == np.rint(tied)) | (digits >= STEPS_OF_A_DIGIT * np.spacing(np.abs(tied)))
    if are_written.all() or all(isinstance(value, int) for value in values):
        return columns, []
    first = np.maximum.accumulate(np.where(close, 0, np.arange(len(values))))
    same = {values[k]: values[first[k]] for k in np.flatnonzero(close).tolist()}
    one, other = next(iter(same.items()))
    few = f"the times {written(other)} and {written(one)} differ by no more than rounding"
    if len(same) > 1:
        few += f" (and {len(same) - 1} more)"
    if decimal:
        made = {name: [same.get(value, value) for value in times[name]] for name in times}
        return {**columns, **made}, [f"{few}, and are one time here, as in R's coxph"]
    is_float = any(isinstance(value, float) for value in same)
    cure = f"say {keyword('numbers', 'decimal')}" if is_float else "round them"
    return columns, [f"{few}: no tie here, and one in R's coxph; to make them one, {cure}"]


def _contests(given: dict[str, Any], n_rows: int) -> Response:
    both: list[Any] = []
    for part in ("winner", "loser"):
        array = np.asarray(given[part])
        if array.ndim != 1 or len(array) != n_rows:
            raise InputError(f"{part} has shape {array.shape}; it needs one label a row.")
        both += array.tolist()
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
    return Response(columns, labels=labels, reference=reference, notes=notes)


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
    "logistic": _logistic, "binomial": _binomial, "log-binomial": _log_binomial,
    "poisson": _poisson, "multinomial": _multinomial, "ordinal": _ordinal,
    "conditional": _conditional, "cox": _cox, "bradley-terry": _contests,
}  # fmt: skip
