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
from novikoff.verdicts.answer import CONSTANT, unlike_others

# Response columns whose numbers are compared with each other; those of others are short integers.
COMPARED = (("time", "entry"), ("successes", "trials"), ("y",), ("result",))


@dataclass(frozen=True, eq=False)
class LikelihoodData:
    """What a likelihood needs besides the response, and no direction of the coefficients moves.

    link : 'logit', 'probit', 'cloglog', 'loglog', 'cauchit' or 'log'
    ties : of cox, how tied events share the likelihood: 'breslow', 'efron' or 'exact'
    weights, offset : of each row of the model; None where they are 1 and 0
    dispersion : of a negative binomial model, as it is given; None where it is estimated, and 0 of
        a Poisson model
    """

    link: str = "logit"
    ties: str = "breslow"
    weights: np.ndarray | None = None
    offset: np.ndarray | None = None
    dispersion: float | None = 0.0

    @property
    def kind(self) -> tuple[Any, ...]:
        """What is not of single rows."""
        return self.link, self.ties, self.dispersion

    def take(self, rows: np.ndarray) -> LikelihoodData:
        """The same of some rows."""
        weights = None if self.weights is None else self.weights[rows]
        offset = None if self.offset is None else self.offset[rows]
        return replace(self, weights=weights, offset=offset)


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
    likelihood : what the likelihood needs besides the response
    columns : what X was read with, for new rows; None where the model has no columns
    """

    table: Table | None
    response: dict[str, list[Any]]
    model: Model
    labels: list[Any]
    numbers: np.ndarray
    index: Any = None
    notes: list[str] = field(default_factory=list)
    called: str = ""
    reading: Reading | None = None
    derivation: Derivation | None = None
    failures: np.ndarray | None = None
    described: tuple[str, Design] | None = None
    likelihood: LikelihoodData = LikelihoodData()
    columns: Any = None

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    def floats(self, name: str) -> np.ndarray:
        """A response column as floats."""
        return np.array(self.response[name], dtype=np.float64)

    @property
    def design_names(self) -> list[str]:
        """What the columns of the design table are called."""
        if self.table is None:
            return []
        return [self.table.column_name(j) for j in range(self.table.n_columns)]

    def design(self) -> Table:
        """The design table; InputError where the model has no columns."""
        if self.table is None:
            raise InputError("the model has no columns.")
        return self.table

    @property
    def constant_name(self) -> str:
        """What the constant is called: no column has this name."""
        return unlike_others(CONSTANT, self.design_names)

    def coefficients(self) -> list[str]:
        """What the coefficients are called, in the order of the comparisons' columns: no two alike.

        The constant comes last where the comparisons have an offset, and last of each class of a
        multinomial model.
        """
        model, names = self.model, self.design_names
        if model.constant:
            names = [*names, self.constant_name]
        others = [label for k, label in enumerate(self.labels) if k != model.reference]
        if model.name == "multinomial":
            return _apart([f"{label}: {name}" for label in others for name in names])
        if model.name == "ordinal":
            return _apart([*self.thresholds(), *names])
        if model.name == "bradley-terry":
            return _apart([*map(str, others), *names])
        return names

    def design_columns(self, places: Iterable[int]) -> set[int]:
        """The columns of the design table all of whose coefficients are at these places."""
        width = 0 if self.table is None else self.table.n_columns
        before, step, n_blocks = 0, width, 1
        if self.model.name == "multinomial":
            step, n_blocks = width + self.model.constant, self.model.classes - 1
        elif self.model.name == "ordinal":
            before = len(self.thresholds())
        elif self.model.name == "bradley-terry":
            before = self.model.classes - 1
        held = set(places)
        return {
            j for j in range(width) if all(before + k * step + j in held for k in range(n_blocks))
        }

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

    @property
    def has_changed(self) -> bool:
        """Whether X was changed in place, so that nothing more can be asked of it."""
        return self.table is not None and self.table.has_changed

    def check_unchanged(self) -> None:
        """InputError where it was."""
        if self.table is not None:
            self.table.unchanged()

    def row_name(self, number: int) -> Any:
        """What the index calls the row of this number; the number where there is none."""
        if self.index is None:
            return number
        name = self.index[number]
        return name.item() if isinstance(name, np.generic) else name

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


def _apart(names: list[str]) -> list[str]:
    """The names; one that was there before, such as a player's, is put in brackets."""
    found: dict[str, None] = {}
    for name in names:
        found[unlike_others(name, found)] = None
    return list(found)


def _is_float(value: Any) -> bool:
    try:
        return bool(float(value) == value)  # exact, between numbers of any two types
    except OverflowError:
        return False
