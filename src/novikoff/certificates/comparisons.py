"""The rows of a model: what a direction δ of its coefficients must keep for the likelihood not to
fall. The estimate is finite just when no δ keeps all of them and one of them strictly.

    logistic, binomial    y = 1: x·δ >= 0; y = 0: -x·δ >= 0; a share in between: x·δ = 0
    poisson               y = 0: -x·δ >= 0; y > 0: x·δ = 0
    multinomial           x·(δ_y - δ_k) >= 0 for each class k but y, and δ_reference = 0
    ordinal               a_y - x·δ >= 0 and x·δ - a_{y-1} >= 0, with the thresholds a_0 … a_{K-2}
                          between neighbouring classes, and of the two only those there are
    cox                   (x_event - x_j)·δ >= 0 for the j at risk (at_risk.py)
    conditional           (x_case - x_other)·δ >= 0 for each case and each other of its set: those
                          of cox with exact ties, where each set is a stratum that has one time
    bradley-terry         δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share

An equality has sign 0. The columns are those of the design table, and where the model has a
constant every row has a 1 after them. For multinomial the columns, the constant 1 among them, are
there once for each class but the reference, and no 1 comes after them; for ordinal the thresholds,
and then the design table; for bradley-terry the players but the reference, and then it.

An ordinal class k that nobody has, between two that somebody has, leaves only a_{k-1} <= a_k to
keep, a row which never counts as strict. Its two thresholds are one column here, and that is
no loss: a_{k-1} stands, with a plus, only in rows of the class below, so in a direction that keeps
all rows it can be raised to a_k; every row is kept, and the strict ones stay strict. The same holds
of several such classes, and of those at an end, whose thresholds all go to the same infinity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.at_risk import Pairs, risk_pairs
from novikoff.certificates.certificate import Weights
from novikoff.certificates.entries import (
    Entries,
    MakeCsr,
    chosen,
    differences,
    entries_of,
    table_of_entries,
    whole_columns,
)
from novikoff.certificates.model import Model
from novikoff.errors import CertificateError
from novikoff.inputs import Table, table_of_fractions

NOTHING = "there is nothing to compare"


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The rows of a model, each with its sign, in an order that depends on the data alone.

    table : the rows; its column c is `scale[c]` times that of the model
    offset : whether every row has a 1 after its columns
    observation : which row of the design table makes each row here
    opponent : the class, or the row of the design table, that it is compared with; None where
        every observation makes one row
    scale : positive; None where all are 1
    """

    table: Table
    signs: np.ndarray
    offset: bool
    observation: np.ndarray
    opponent: np.ndarray | None = None
    scale: tuple[int | Fraction, ...] | None = None

    def inward(self, weights: Weights) -> list[Any]:
        """Weights of the model's columns, the offset last, as weights of the table's."""
        if self.scale is None:
            return list(weights)
        shares = [Fraction(w) / s for w, s in zip(weights[:-1], self.scale, strict=True)]
        return [*shares, Fraction(weights[-1])]

    def outward(self, weights: Sequence[int | Fraction]) -> list[int | Fraction]:
        """Weights of the table's columns, the offset last, as weights of the model's."""
        if self.scale is None:
            return list(weights)
        return [*(w * s for w, s in zip(weights[:-1], self.scale, strict=True)), weights[-1]]


def comparisons(
    design: Table | None,
    response: dict[str, list[Any]],
    model: Model,
    make_csr: MakeCsr | None = None,
) -> Comparisons:
    """The rows of the model; `response` holds exact numbers by the name of their column.

    make_csr : makes a CSR matrix of values, columns, starts and a width; else rows are dense
    """
    model.check_response(response)
    if model.name == "bradley-terry":
        return _contests(design, response, model, make_csr)
    if design is None:
        raise CertificateError(f"a {model.name} model needs a design table.")
    if model.name == "multinomial":
        return _multinomial(design, _codes(response["class"]), model, make_csr)
    if model.name == "ordinal":
        return _ordinal(design, _codes(response["class"]), model, make_csr)
    if model.name in ("conditional", "cox"):
        return _differences(design, *_pairs(response, model))
    signs = np.array([_sign(model.name, *row) for row in _rows(response)], dtype=np.int8)
    return Comparisons(design, signs, model.constant, np.arange(design.n_rows))


def _sign(name: str, first: Any, trials: Any = 1) -> int:
    if name == "poisson":
        return 0 if first > 0 else -1
    return 1 if first == trials else -1 if first == 0 else 0


def _rows(response: dict[str, list[Any]]) -> Any:
    return zip(*response.values(), strict=True)


def _codes(column: list[Any]) -> np.ndarray:
    return np.array([int(value) for value in column], dtype=np.int64)


def _ones(observation: np.ndarray) -> np.ndarray:
    return np.ones(len(observation), dtype=np.int8)


def _pairs(response: dict[str, list[Any]], model: Model) -> Pairs:
    """Who is compared with whom: sets of a conditional model are strata that have one time."""
    if model.name == "conditional":
        cases, sets = response["case"], response["set"]
        return risk_pairs([1] * len(cases), cases, None, sets, exact_ties=True)
    entry, stratum = response.get("entry"), response.get("stratum")
    return risk_pairs(response["time"], response["event"], entry, stratum, model.ties == "exact")


def _differences(
    design: Table, first: np.ndarray, second: np.ndarray, signs: np.ndarray
) -> Comparisons:
    if len(first) == 0:
        raise CertificateError(f"{NOTHING}.")
    rows, scale = differences(design, first, second)
    if not isinstance(rows, np.ndarray):
        rows.sum_duplicates()
        rows.eliminate_zeros()
    elif rows.dtype == object:
        table = table_of_fractions(rows.ravel().tolist(), rows.shape, None, "rational")
        return Comparisons(table, signs, False, first, second)
    return Comparisons(Table(rows, None, "binary64"), signs, False, first, second, scale)


def _multinomial(
    design: Table, classes: np.ndarray, model: Model, make_csr: MakeCsr | None
) -> Comparisons:
    """Rows by observation, then by class; columns by class, then by design column."""
    n, n_blocks = design.n_rows, model.classes - 1
    if n_blocks == 0:
        raise CertificateError(f"{NOTHING}: there is one class only.")
    others = np.arange(n_blocks)[None, :]
    opponent = (others + (others >= classes[:, None])).ravel()
    observation = np.repeat(np.arange(n), n_blocks)
    matrix, scale = whole_columns(design)
    entries, width = entries_of(matrix), design.n_columns
    if model.constant:
        one = Entries(np.arange(n), np.full(n, width), np.ones(n, dtype=entries.values.dtype))
        order = np.argsort(np.concatenate([entries.rows, one.rows]), kind="stable")
        entries = Entries(*(np.concatenate(pair)[order] for pair in zip(entries, one, strict=True)))
        width, scale = width + 1, None if scale is None else (*scale, 1)
    block = _places(model)
    parts = []
    for who, sign in ((classes[observation], 1), (opponent, -1)):
        kept = np.flatnonzero(block[who] >= 0)
        rows, columns, values = chosen(entries, observation[kept], n)
        parts.append(Entries(kept[rows], columns + width * block[who[kept[rows]]], sign * values))
    table = table_of_entries(parts, len(observation), n_blocks * width, make_csr)
    scale = None if scale is None else scale * n_blocks
    return Comparisons(table, _ones(observation), False, observation, opponent, scale)


def _places(model: Model) -> np.ndarray:
    """The place of each class, or player, among those that have columns; -1 of the reference."""
    place = np.full(model.classes, -1)
    place[np.arange(model.classes) != model.reference] = np.arange(model.classes - 1)
    return place


def thresholds_of(classes: np.ndarray, n_classes: int) -> np.ndarray:
    """For each threshold, from the lowest, its column: one for those around empty classes."""
    there = np.zeros(n_classes, dtype=bool)
    there[classes] = True
    # Threshold k lies above class k. It has the column of the one below it if class k is empty.
    return np.cumsum(np.concatenate([[False], there[1 : n_classes - 1]]))[: n_classes - 1]


def _ordinal(
    design: Table, classes: np.ndarray, model: Model, make_csr: MakeCsr | None
) -> Comparisons:
    """Rows by observation, the threshold below before that above; thresholds come first."""
    last = model.classes - 1
    if last == 0:
        raise CertificateError(f"{NOTHING}: there is one class only.")
    column_of = thresholds_of(classes, model.classes)
    n_thresholds = int(column_of[-1]) + 1
    lower, upper = np.flatnonzero(classes > 0), np.flatnonzero(classes < last)
    observation = np.concatenate([lower, upper])
    opponent = np.concatenate([classes[lower] - 1, classes[upper] + 1])
    order = np.lexsort((opponent, observation))
    observation, opponent = observation[order], opponent[order]
    is_above = opponent > classes[observation]  # a - x·δ >= 0; else x·δ - a >= 0
    threshold = column_of[np.where(is_above, opponent - 1, opponent)]
    side = np.where(is_above, -1, 1)
    matrix, scale = whole_columns(design)
    rows, columns, values = chosen(entries_of(matrix), observation, design.n_rows)
    one = np.array(1, dtype=values.dtype)
    parts = [
        Entries(np.arange(len(observation)), threshold, -side * one),
        Entries(rows, n_thresholds + columns, side[rows] * values),
    ]
    width = n_thresholds + design.n_columns
    table = table_of_entries(parts, len(observation), width, make_csr)
    scale = None if scale is None else ((1,) * n_thresholds + scale)
    return Comparisons(table, _ones(observation), False, observation, opponent, scale)


def _contests(
    design: Table | None, response: dict[str, list[Any]], model: Model, make_csr: MakeCsr | None
) -> Comparisons:
    winner, loser = _codes(response["winner"]), _codes(response["loser"])
    signs = np.array([1 if result == 1 else 0 for result in response["result"]], dtype=np.int8)
    n, n_players, place = len(winner), model.classes - 1, _places(model)
    parts, width, scale = [], n_players, None
    for who, sign in ((place[winner], 1.0), (place[loser], -1.0)):
        kept = np.flatnonzero(who >= 0)
        parts.append(Entries(kept, who[kept], np.full(len(kept), sign)))
    if design is not None:
        matrix, scale = whole_columns(design)
        rows, columns, values = entries_of(matrix)
        parts.append(Entries(rows, n_players + columns, values))
        width += design.n_columns
        scale = None if scale is None else ((1,) * n_players + scale)
    table = table_of_entries(parts, n, width, make_csr)
    return Comparisons(table, signs, False, np.arange(n), loser, scale)
