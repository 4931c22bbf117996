"""How the table of a regression's proof is made from a file: a closed grammar, of which nothing is
ever evaluated. It is all that a proof says about that, and `novikoff verify` rebuilds only this.

    derivation  {"model", "columns", "label", "intercept", "missing", "choices", "design"}
    model       what the model was called, such as "probit"
    columns     an object: for a role of the response ("y", "trials", "time", …) the column's name
    label       the role of the file's label column, where the file was read with one; or null
    intercept   whether a constant was asked for
    missing     "error" or "drop": what became of rows that lack a value
    choices     an object of "ties", "reference" and "positive", texts, and "order", a list of texts
    design      "columns": all other columns, as `data.reading` says; or a list of terms; or null:
                the formula is none of this grammar, so that its rows must come with the proof
    term        a list of factors, whose product makes the columns. The empty one is the constant
    factor      {"column", "power"}: a column of numbers, multiplied by itself
                {"column", "levels", "without"}: one column of 0s and 1s for each level, in this
                order, but for the level `without` (a text, or null for none); every row has one
                of the levels

In a term of several factors with levels, the first factor's levels change fastest. Products of
floats are rounded one by one, from the left. A number's level is its shortest text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from novikoff.certificates.fields import read_fields, write_fields
from novikoff.errors import CertificateError

ROLES = ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser", "weights")
AS_READ = "columns"  # the design of a file without a formula
MOST_POWER = 100
_FIELDS = f"""model:text columns:object label:?{"|".join(ROLES)} intercept:flag
    missing:error|drop choices:object design:any"""
_COLUMNS = " ".join(f"{role}?:text" for role in ROLES)
_CHOICES = "ties?:text reference?:text positive?:text order?:*text"


@dataclass(frozen=True)
class Power:
    """A column of numbers, `power` times a factor of its term."""

    column: str
    power: int = 1
    width = 1

    @property
    def names(self) -> list[str]:
        return [self.column if self.power == 1 else f"I({self.column} ** {self.power})"]


@dataclass(frozen=True)
class Levels:
    """A column of 0s and 1s for each level of a column but `without`."""

    column: str
    levels: tuple[str, ...]
    without: str | None = None

    @property
    def width(self) -> int:
        return len(self.levels) - (self.without is not None)

    @property
    def names(self) -> list[str]:
        mark = "" if self.without is None else "T."
        shown = [level for level in self.levels if level != self.without]
        return [f"{self.column}[{mark}{level}]" for level in shown]


Factor = Power | Levels
Term = tuple[Factor, ...]
_TABLES = {Power: "column:text power:count", Levels: "column:text levels:*text without:?text"}


@dataclass(frozen=True)
class Design:
    """The terms of a design table, in the order of its columns."""

    terms: tuple[Term, ...]

    @property
    def n_columns(self) -> int:
        return sum(math.prod(factor.width for factor in term) for term in self.terms)

    @property
    def columns(self) -> list[str]:
        """The columns of the file that it is made of."""
        return sorted({factor.column for term in self.terms for factor in term})

    @property
    def factors(self) -> set[str]:
        """The columns of the file whose values are levels."""
        every = (factor for term in self.terms for factor in term)
        return {factor.column for factor in every if isinstance(factor, Levels)}

    def names(self) -> Iterator[str]:
        """What its columns are called: as formulas call them."""
        for term in self.terms:
            found = [""]
            for factor in term:
                found = [f"{one}:{name}" if one else name for name in factor.names for one in found]
            yield from found if term else ["Intercept"]


@dataclass(frozen=True)
class Derivation:
    """What makes the table of a proof out of a file; the grammar above."""

    model: str
    columns: Mapping[str, str]
    label: str | None = None
    intercept: bool = True
    missing: str = "error"
    choices: Mapping[str, Any] = field(default_factory=dict)
    design: Design | str | None = AS_READ

    def to_dict(self) -> dict[str, Any]:
        design: Any = self.design
        if isinstance(design, Design):
            design = [[write_fields(vars(factor), _TABLES[type(factor)]) for factor in term]
                      for term in design.terms]  # fmt: skip
        return write_fields({**vars(self), "design": design}, _FIELDS)

    @classmethod
    def from_dict(cls, fields: Any) -> Derivation:
        """What to_dict made; CertificateError where it is anything else."""
        what = "the derivation of a proof's data"
        found = read_fields(fields, _FIELDS, what)
        read_fields(found["columns"], _COLUMNS, what)
        read_fields(found["choices"], _CHOICES, what)
        terms = found["design"]
        if isinstance(terms, list) and all(isinstance(term, list) for term in terms):
            found["design"] = Design(tuple(tuple(map(_factor, term)) for term in terms))
        elif terms not in (None, AS_READ):
            raise CertificateError("the design of a proof's data is not a list of lists.")
        return cls(**found)


def _factor(fields: Any) -> Factor:
    what = "a factor of a proof's design"
    if isinstance(fields, dict) and "power" in fields:
        power = Power(**read_fields(fields, _TABLES[Power], what))
        if 1 <= power.power <= MOST_POWER:
            return power
        raise CertificateError(f"{what} has a power that is not from 1 to {MOST_POWER}.")
    found = read_fields(fields, _TABLES[Levels], what)
    levels, without = tuple(found["levels"]), found["without"]
    if len(set(levels)) < len(levels) or (without is not None and without not in levels):
        raise CertificateError(f"{what} repeats a level, or is without one that it has not.")
    return Levels(found["column"], levels, without)
