"""The rows of a model: what a direction δ of its coefficients must keep for the likelihood not to
fall. The estimate is finite just when no δ keeps all of them and one of them strictly.

    logistic, binomial    y = 1: x·δ >= 0; y = 0: -x·δ >= 0; a share in between: x·δ = 0
    poisson               y = 0: -x·δ >= 0; y > 0: x·δ = 0
    multinomial           x·(δ_y - δ_k) >= 0 for each class k but y, and δ_reference = 0
    ordinal               a_y - x·δ >= 0 and x·δ - a_{y-1} >= 0, with the thresholds a_0 … a_{K-2}
    cox                   (x_event - x_j)·δ >= 0 for the j at risk (at_risk.py)
    conditional           (x_case - x_other)·δ >= 0: cox with exact ties, whose strata have one time
    bradley-terry         δ_winner - δ_loser + x·β >= 0, or = 0 where both won a share

An equality has sign 0. Indicators of thresholds or players come first, then the design's columns,
once for each class but the reference where the model is multinomial, with the constant among them.
Other models have their constant, a 1, last.

An ordinal class k that nobody has leaves only a_{k-1} <= a_k to keep, a row that never counts as
strict. Its two thresholds are one column here: a_{k-1} stands, with a plus, only in rows of the
class below, so in a direction that keeps all rows it can be raised to a_k; the strict ones stay
strict. The same holds of several such classes, and of those at an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.at_risk import risk_pairs
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
    if model.name in ("multinomial", "ordinal"):
        if model.classes == 1:
            raise CertificateError(f"{NOTHING}: there is one class only.")
        made = _multinomial if model.name == "multinomial" else _ordinal
        return made(design, _codes(response["class"]), model, make_csr)
    first, other = [*response.values(), [1] * design.n_rows][:2]
    if model.name == "conditional":  # sets are strata that have one time
        pairs = risk_pairs([1] * len(first), first, None, other, exact_ties=True)
        return _differences(design, *pairs)
    if model.name == "cox":
        entry, stratum = response.get("entry"), response.get("stratum")
        pairs = risk_pairs(first, other, entry, stratum, model.ties == "exact")
        return _differences(design, *pairs)
    if model.name == "poisson":
        signs = [0 if y > 0 else -1 for y in first]
    else:
        signs = [1 if y == n else -1 if y == 0 else 0 for y, n in zip(first, other, strict=True)]
    whose = np.arange(design.n_rows)
    return Comparisons(design, np.array(signs, dtype=np.int8), model.constant, whose)


def _codes(column: list[Any]) -> np.ndarray:
    return np.array([int(value) for value in column], dtype=np.int64)


def _differences(
    design: Table, first: np.ndarray, second: np.ndarray, signs: np.ndarray
) -> Comparisons:
    if len(first) == 0:
        raise CertificateError(f"{NOTHING}.")
    rows, scale = differences(design, first, second)
    if rows.dtype == object:
        table = table_of_fractions(rows.ravel().tolist(), rows.shape, None, "rational")
        return Comparisons(table, signs, False, first, second)
    if not isinstance(rows, np.ndarray):
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return Comparisons(Table(rows, None, "binary64"), signs, False, first, second, scale)


Parts = list[tuple[np.ndarray, np.ndarray]]  # of each row: where, -1 for nowhere, and a number
Scale = tuple[int | Fraction, ...] | None


def _summed(
    observation: np.ndarray, indicators: Parts, n_indicators: int, blocks: Parts, n_blocks: int,
    design: Table | None, constant: bool, make_csr: MakeCsr | None,
) -> tuple[Table, Scale]:  # fmt: skip
    """Rows that are sums: of numbers in the first columns, and of ±1 times the observation's
    numbers in blocks of the design's columns; and what the columns are multiplied with.
    """
    parts, width, scale = list[Entries](), 0, None
    for column, numbers in indicators:
        kept = np.flatnonzero(column >= 0)
        parts.append(Entries(kept, column[kept], numbers[kept].astype(np.float64)))
    if design is not None:
        matrix, scale = whole_columns(design)
        entries, n, width = entries_of(matrix), design.n_rows, design.n_columns
        if constant:
            one = Entries(np.arange(n), np.full(n, width), np.ones(n, dtype=entries.values.dtype))
            both = [np.concatenate(pair) for pair in zip(entries, one, strict=True)]
            entries = Entries(*(part[np.argsort(both[0], kind="stable")] for part in both))
            width, scale = width + 1, None if scale is None else (*scale, 1)
        for block, side in blocks:
            kept = np.flatnonzero(block >= 0)
            rows, columns, values = chosen(entries, observation[kept], n)
            rows = kept[rows]
            parts.append(Entries(rows, n_indicators + width * block[rows] + columns,
                                 side[rows] * values))  # fmt: skip
    table = table_of_entries(parts, len(observation), n_indicators + n_blocks * width, make_csr)
    return table, None if scale is None else ((1,) * n_indicators + scale * n_blocks)


def _multinomial(
    design: Table, classes: np.ndarray, model: Model, make_csr: MakeCsr | None
) -> Comparisons:
    """Rows by observation, then by class; columns by class, then by design column."""
    n_blocks = model.classes - 1
    others = np.arange(n_blocks)[None, :]
    opponent = (others + (others >= classes[:, None])).ravel()
    observation = np.repeat(np.arange(design.n_rows), n_blocks)
    ones, place = np.ones(len(opponent), dtype=np.int8), _places(model)
    blocks = [(place[classes[observation]], ones), (place[opponent], -ones)]
    made = _summed(observation, [], 0, blocks, n_blocks, design, model.constant, make_csr)
    return Comparisons(made[0], ones, False, observation, opponent, made[1])


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
    last, column_of = model.classes - 1, thresholds_of(classes, model.classes)
    lower, upper = np.flatnonzero(classes > 0), np.flatnonzero(classes < last)
    observation = np.concatenate([lower, upper])
    opponent = np.concatenate([classes[lower] - 1, classes[upper] + 1])
    order = np.lexsort((opponent, observation))
    observation, opponent = observation[order], opponent[order]
    is_above = opponent > classes[observation]  # a - x·δ >= 0; else x·δ - a >= 0
    threshold = column_of[np.where(is_above, opponent - 1, opponent)]
    side = np.where(is_above, -1, 1)
    signs, whole = np.ones(len(side), dtype=np.int8), np.zeros(len(side), dtype=np.intp)
    parts, n_thresholds = [(threshold, -side)], int(column_of[-1]) + 1
    made = _summed(observation, parts, n_thresholds, [(whole, side)], 1, design, False, make_csr)
    return Comparisons(made[0], signs, False, observation, opponent, made[1])


def _contests(
    design: Table | None, response: dict[str, list[Any]], model: Model, make_csr: MakeCsr | None
) -> Comparisons:
    winner, loser = _codes(response["winner"]), _codes(response["loser"])
    place, signs = _places(model), np.array([v == 1 for v in response["result"]], dtype=np.int8)
    ones, whole = np.ones(len(signs), dtype=np.int8), np.zeros(len(signs), dtype=np.intp)
    players = [(place[winner], ones), (place[loser], -ones)]
    every, n_players = np.arange(len(signs)), model.classes - 1
    made = _summed(every, players, n_players, [(whole, ones)], 1, design, False, make_csr)
    return Comparisons(made[0], signs, False, every, loser, made[1])
