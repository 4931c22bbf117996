"""A model with its data: a design table, response columns, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates import Reading
from novikoff.certificates.comparisons import thresholds_of
from novikoff.certificates.derivation import Derivation, Design
from novikoff.certificates.model import WITH_CLASSES, Model
from novikoff.errors import InputError
from novikoff.inputs import Table, as_decimals, table_of_fractions
from novikoff.inputs.csr import side_by_side
from novikoff.regression.models import MODELS, Kind
from novikoff.verdicts.answer import CONSTANT, unlike_others

# Response columns whose numbers are compared with each other; those of others are short integers.
COMPARED = (("time", "entry"), ("successes", "trials"), ("y",), ("result",))


@dataclass(frozen=True, eq=False)
class ModelData:
    """A model and its data, ready to be asked about.

    table : the design table, of the rows that the model has; None where it has no columns
    response : the response columns, as exact numbers
    labels : of classes or players, in the order of their numbers
    numbers : for each row its number, from 0, in what was given
    index : what was given calls its rows, where it does
    notes : what was encoded, left out or found on the way
    failures : of a log-binomial model, which rows have a failure
    described : of a formula in the grammar of proofs, the column left of ~ ("" for none) and the
        design that is right of it
    columns : what X was read with, for new rows; None where the model has no columns

    Of the likelihood alone, which no direction of the coefficients moves:

    link : 'logit', 'probit', 'cloglog', 'loglog', 'cauchit' or 'log'
    ties : of cox, how tied events share the likelihood: 'breslow', 'efron' or 'exact'
    weights, offset : of each row; 1 and 0 unless given
    dispersion : of a negative binomial model, as it is given; None where it is estimated, and 0 of
        a Poisson model
    """

    table: Table | None
    response: dict[str, list[Any]]
    model: Model
    labels: list[Any]
    numbers: np.ndarray
    weights: np.ndarray
    offset: np.ndarray
    index: Any = None
    notes: list[str] = field(default_factory=list)
    called: str = ""
    reading: Reading | None = None
    derivation: Derivation | None = None
    failures: np.ndarray | None = None
    described: tuple[str, Design] | None = None
    columns: Any = None
    link: str = "logit"
    ties: str = "breslow"
    dispersion: float | None = 0.0

    @property
    def kind(self) -> Kind:
        """The record of the model, by the name that it has before it is proven."""
        return MODELS["log-binomial" if self.failures is not None else self.model.name]

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    def floats(self, name: str) -> np.ndarray:
        """A response column as floats."""
        return np.array(self.response[name], dtype=np.float64)

    # Names

    @property
    def design_names(self) -> list[str]:
        """What the columns of the design table are called."""
        if self.table is None:
            return []
        return [self.table.column_name(j) for j in range(self.table.n_columns)]

    @property
    def constant_name(self) -> str:
        """What the constant is called: no column has this name."""
        return unlike_others(CONSTANT, self.design_names)

    def layout(self) -> tuple[list[str], list[str]]:
        """The coefficients before those of the columns; and, for each time that the columns, with
        the constant as the last one, stand among the coefficients, what precedes their names."""
        others = [str(label) for k, label in enumerate(self.labels) if k != self.model.reference]
        if self.model.name == "multinomial":
            return [], [f"{label}: " for label in others]
        if self.model.name == "ordinal":
            return self.thresholds(), [""]
        return (others if self.model.name == "bradley-terry" else []), [""]

    def coefficients(self) -> list[str]:
        """What the coefficients are called, in the order of the comparisons' columns: no two alike;
        one that was there before, such as a player's, is put in brackets."""
        before, blocks = self.layout()
        names = [*self.design_names, *[self.constant_name] * self.model.constant]
        found: dict[str, None] = {}
        for name in (*before, *(f"{block}{name}" for block in blocks for name in names)):
            found[unlike_others(name, found)] = None
        return list(found)

    def design_columns(self, places: Iterable[int]) -> set[int]:
        """The columns of the design table all of whose coefficients are at these places."""
        before, blocks = self.layout()
        width, held = len(self.design_names), set(places)
        starts = [len(before) + k * (width + self.model.constant) for k in range(len(blocks))]
        return {j for j in range(width) if all(start + j in held for start in starts)}

    def thresholds(self) -> list[str]:
        """'low/mid' and so on; thresholds around a class that nobody has are one."""
        places = thresholds_of(np.array(self.response["class"], dtype=np.int64), len(self.labels))
        named: list[list[str]] = [[] for _ in range(int(places[-1]) + 1)]
        for k, place in enumerate(places.tolist()):
            named[place].append(f"{self.labels[k]}/{self.labels[k + 1]}")
        return [" = ".join(names) for names in named]

    def opponent_name(self, opponent: int) -> Any:
        """The class, the player, or the observation by its number, that a comparison is with."""
        if self.model.name in WITH_CLASSES:
            return self.labels[opponent]
        return int(self.numbers[opponent])

    def row_name(self, number: int) -> Any:
        """What the index calls the row of this number; the number where there is none."""
        if self.index is None:
            return number
        name = self.index[number]
        return name.item() if isinstance(name, np.generic) else name

    # Tables

    def design(self) -> Table:
        """The design table; InputError where the model has no columns."""
        if self.table is None:
            raise InputError("the model has no columns.")
        return self.table

    @property
    def has_changed(self) -> bool:
        """Whether X was changed in place, so that nothing more can be asked of it."""
        return self.table is not None and self.table.has_changed

    def check_unchanged(self) -> None:
        """InputError where it was."""
        if self.table is not None:
            self.table.unchanged()

    def take(self, kept: np.ndarray) -> ModelData:
        """Some observations; classes and players that none of them has are left out too."""
        response = {n: [column[i] for i in kept.tolist()] for n, column in self.response.items()}
        model, labels = self.model, self.labels
        if coded := [name for name in ("class", "winner", "loser") if name in response]:
            used = sorted({int(code) for name in coded for code in response[name]})
            if len(used) < 2:
                raise InputError("one class is left, so there is nothing to compare.")
            place = {code: k for k, code in enumerate(used)}
            response |= {name: [place[int(code)] for code in response[name]] for name in coded}
            labels = [labels[code] for code in used]
            model = replace(model, classes=len(used), reference=place.get(model.reference, 0))
        return replace(
            self,
            table=None if self.table is None else self.table.take(kept),
            response=response,
            model=model,
            labels=labels,
            numbers=self.numbers[kept],
            notes=[],
            reading=None,
            derivation=None,
            weights=self.weights[kept],
            offset=self.offset[kept],
            failures=None if self.failures is None else self.failures[kept],
        )

    def new_rows(self, X: Any) -> Table:
        """New rows, given as X was, in the columns of the design table.

        InputError where X lacks a column, or has a level or a missing value that is not known.
        """
        if self.table is None or self.columns is None:
            raise InputError("the model has no columns, so there are no new rows of them.")
        table: Table = self.columns.of_new(X)
        if table.n_columns != self.table.n_columns:
            raise InputError(
                f"the new rows have {table.n_columns} columns; the model has "
                f"{self.table.n_columns}."
            )
        return as_decimals(table) if self.table.numbers == "decimal" else table

    def whole(self) -> Table:
        """The design table with the response columns after it: what a proof's digest is of."""
        columns = list(self.response.values())
        is_sparse = self.table is not None and self.table.is_sparse
        if is_sparse:
            self.check_rounding()
        if is_sparse or all(_is_float(value) for column in columns for value in column):
            right = Table(
                np.array([list(map(float, c)) for c in columns]).T.copy(), None, "binary64"
            )
        else:
            flat = [Fraction(value) for row in zip(*columns, strict=True) for value in row]
            right = table_of_fractions(flat, (self.n_rows, len(columns)), None, "rational")
        if self.table is None:
            return right
        both = side_by_side([self.table, right])
        if both.exact is None:
            return both
        return table_of_fractions(both.exact.ravel().tolist(), both.exact.shape, None, both.numbers)

    def check_rounding(self) -> None:
        """Beside a sparse table responses are floats: the nearest, if that tells them apart.

        Apart from 0 and 1 too, and from the numbers of a column that they are compared with.
        """
        for names in COMPARED:
            there = [name for name in names if name in self.response]
            different = {0, 1}.union(*(self.response[name] for name in there))
            try:
                near = {float(value) for value in different}
            except OverflowError:
                near = set()
            if len(near) < len(different):
                raise InputError(
                    f"{' and '.join(there)} {'has' if len(there) == 1 else 'have'} numbers that "
                    "differ by less than floats can tell; beside a sparse X they must be floats."
                )


def _is_float(value: Any) -> bool:
    try:
        return bool(float(value) == value)  # exact, between numbers of any two types
    except OverflowError:
        return False
