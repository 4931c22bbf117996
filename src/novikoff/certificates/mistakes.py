"""Mistakes: the fewest rows that any hyperplane gets wrong, between two bounds.

Above: a hyperplane, and the rows that it gets wrong, a row on it included. Below: obstructions,
each of which has a row that any hyperplane gets wrong, and a tree. A branch of the tree is about
one row: it is given up, or kept. A row is free if it is neither kept on the path nor trusted. A
leaf has a packing: numbers u_C >= 0 for obstructions C that have no row given up on the path, such
that those of the obstructions of any free row add up to at most its cost. So the rows to give up
cost at least Σ u_C, rounded up to whole units, and those given up on the path besides. If an
obstruction of the packing has no free row, no hyperplane is possible there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from numbers import Rational
from typing import Any, NoReturn

import numpy as np

from novikoff.certificates.arithmetic import score_signs
from novikoff.certificates.certificate import Certificate, Weights, read_weights, smallest_integers
from novikoff.certificates.fields import read_fields, write_fields
from novikoff.certificates.obstruction import (
    Obstruction,
    check_balance,
    read_integers,
    read_pairs,
    read_rows,
)
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table

MOST_DEPTH = 300  # of a tree
MOST_BITS = 13_000  # of a cost, so that it can be printed: Python prints 4,300 digits
_LEAF = "obstructions:*count shares:*hex"


@dataclass(frozen=True)
class Leaf:
    """A packing, as pairs of an obstruction and its share over the scale."""

    packing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Branch:
    """Row `row` is given up, or it is kept."""

    row: int
    removed: Leaf | Branch
    kept: Leaf | Branch


@dataclass(frozen=True, eq=False, repr=False)
class Mistakes(Certificate):
    """The claim that the rows which any hyperplane gets wrong cost at least `lower` units, and
    that `weights` get the rows `mistakes` wrong and no others, which cost `upper`.

    `weights` and `upper` are None where trusted rows alone are not separable, and `lower` too.
    """

    weights: Weights | None
    mistakes: np.ndarray
    costs: Sequence[int] | None  # of every row, in units; None: 1 each
    unit: Fraction
    trusted: np.ndarray
    obstructions: Sequence[tuple[np.ndarray, Sequence[int]]]  # rows and multipliers
    scale: int  # the denominator of every packing
    tree: Leaf | Branch
    stamp: Stamp
    kind = "mistakes"
    fields = """weights:?*hex mistakes:*count costs:?*hex unit:*hex trusted:*count
        obstructions:*object scale:hex tree:object lower:?hex upper:?hex"""

    def __post_init__(self) -> None:
        stamp, put = self.stamp, partial(object.__setattr__, self)
        put("mistakes", read_rows(self.mistakes, stamp.n_rows))
        put("trusted", read_rows(self.trusted, stamp.n_rows))
        if self.costs is not None:
            put("costs", read_integers(self.costs))
            if len(self.costs) != stamp.n_rows or min(self.costs) < 0:
                _refuse("costs must be non-negative integers, one for each row.")
        if not isinstance(self.unit, (int, Rational)) or not self.unit > 0:
            _refuse("the unit of costs must be a positive fraction.")
        put("unit", Fraction(int(self.unit.numerator), int(self.unit.denominator)))
        dearest = self.unit.numerator * max(self.costs or (1,))
        if max(dearest, self.unit.denominator).bit_length() > MOST_BITS:
            _refuse(f"a cost has more than {MOST_BITS} bits.")
        if self.costs is None and self.unit != 1:
            _refuse("without costs a row counts 1, so the unit must be 1.")
        put("scale", *read_integers([self.scale]))
        if self.scale < 1:
            _refuse("the scale of a packing must be a positive integer.")
        found = [read_pairs(rows, by, stamp.n_rows, True) for rows, by in self.obstructions]
        put("obstructions", tuple(found))
        if (self.weights is None) != (self.lower_units is None):
            _refuse("a hyperplane is needed just where the trusted rows allow one.")
        if self.weights is not None:
            put("weights", read_weights(self.weights, stamp.n_columns, stamp.offset))
            if (self.lower_units or 0) > (self.upper_units or 0):
                _refuse(f"the lower bound, {self.lower_units}, is above the upper bound.")

    def _cost(self, row: int) -> int:
        return 1 if self.costs is None else self.costs[row]

    def _bound(
        self, node: Leaf | Branch, removed: frozenset[int], kept: frozenset[int]
    ) -> int | None:
        """What any hyperplane's mistakes cost in this branch at least; None: it has none."""
        if len(removed | kept) > len(self.trusted) + MOST_DEPTH:
            _refuse(f"the tree is deeper than {MOST_DEPTH} branches.")
        if isinstance(node, Branch):
            (row,) = read_integers([node.row])
            if not 0 <= row < self.stamp.n_rows or row in removed | kept:
                _refuse(f"the tree branches on row {row} twice, or there is no such row.")
            ends = (self._bound(node.removed, removed | {row}, kept),
                    self._bound(node.kept, removed, kept | {row}))  # fmt: skip
            return min((end for end in ends if end is not None), default=None)
        loads, total, is_possible = dict[int, int](), 0, True
        for place, share in map(read_integers, node.packing):
            if not 0 <= place < len(self.obstructions):
                _refuse(f"there is no obstruction {place}.")
            rows = self.obstructions[place][0].tolist()
            if share <= 0 or not removed.isdisjoint(rows):
                _refuse("a packing needs positive shares, and obstructions that are not yet hit.")
            is_possible &= not kept.issuperset(rows)
            total += share
            loads |= {row: loads.get(row, 0) + share for row in rows}
        if not is_possible:
            return None
        for row, load in loads.items():
            if row not in kept and load > self._cost(row) * self.scale:
                _refuse(f"a packing loads row {row} with more than its cost.")
        return sum(map(self._cost, removed)) + -(-total // self.scale)

    @cached_property
    def lower_units(self) -> int | None:
        """What any hyperplane's mistakes cost at least, in units; None: trusted rows allow none."""
        return self._bound(self.tree, frozenset(), frozenset(self.trusted.tolist()))

    @property
    def upper_units(self) -> int | None:
        """What the mistakes of `weights` cost, in units."""
        return None if self.weights is None else sum(map(self._cost, self.mistakes.tolist()))

    @property
    def lower(self) -> int | Fraction | None:
        """What any hyperplane's mistakes cost at least; None: the trusted rows allow none."""
        return self._outward(self.lower_units)

    @property
    def upper(self) -> int | Fraction | None:
        """What the mistakes of `weights` cost."""
        return self._outward(self.upper_units)

    def _outward(self, units: int | None) -> int | Fraction | None:
        value = None if units is None else units * self.unit
        return value.numerator if value is not None and value.denominator == 1 else value

    @property
    def method(self) -> str:
        """How the lower bound is proven."""
        if isinstance(self.tree, Branch):
            return "a branch tree"
        if self.weights is None:
            return "an obstruction of trusted rows"
        if not self.tree.packing:
            return "nothing: it is 0"
        is_disjoint = all(share == self.scale for _, share in self.tree.packing)
        return "disjoint obstructions" if is_disjoint and self.costs is None else "a packing"

    @property
    def status(self) -> str:
        if self.weights is None:
            return "impossible"
        return "optimal" if self.lower_units == self.upper_units else "bracketed"

    def says(self, source: str) -> str:
        rows = f"the {self.stamp.n_rows} rows of {source}"
        if self.weights is None:
            return f"any hyperplane gets a trusted one of {rows} wrong"
        plane = "any hyperplane"
        if len(self.trusted):  # the others may do better
            plane += f" that is right on the {len(self.trusted)} trusted"
        if self.costs is None:
            found = f"at least {self.lower} of {rows} wrong, and one gets {self.upper} wrong"
            return f"{plane} gets {found}"
        costs = [value * self.unit for value in (min(self.costs), max(self.costs))]
        return (
            f"mistakes on {rows} cost at least {self.lower} for {plane}, and {self.upper} for one, "
            f"where the proof gives each row a cost from {costs[0]} to {costs[1]}, in units of "
            f"{self.unit}"
        )

    def _claim(self) -> dict[str, Any]:
        given = {**vars(self), "lower": self.lower_units, "upper": self.upper_units}
        given["weights"] = None if self.weights is None else smallest_integers(self.weights)
        given["unit"] = [self.unit.numerator, self.unit.denominator]
        given["obstructions"] = [
            write_fields({"rows": rows, "multipliers": by}, Obstruction.fields)
            for rows, by in self.obstructions
        ]
        return {**given, "tree": _plain(self.tree)}

    @classmethod
    def _of_fields(cls, proof: dict[str, Any], stamp: Stamp) -> Mistakes:
        """The bracket of a proof; the bounds that it states must be those it proves."""
        unit, what = proof["unit"], "an obstruction of the proof"
        if len(unit) != 2 or unit[1] < 1:
            _refuse("the unit of costs must be a numerator and a denominator.")
        pairs = [read_fields(pair, Obstruction.fields, what) for pair in proof["obstructions"]]
        found = cls(
            proof["weights"], proof["mistakes"], proof["costs"], Fraction(*unit), proof["trusted"],
            [(pair["rows"], pair["multipliers"]) for pair in pairs], proof["scale"],
            _tree(proof["tree"], MOST_DEPTH), stamp,
        )  # fmt: skip
        if (proof["lower"], proof["upper"]) != (found.lower_units, found.upper_units):
            _refuse("the bounds that the proof states are not those that it proves.")
        return found

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        for rows, multipliers in self.obstructions:
            check_balance(table, signs, rows, multipliers, self.stamp.offset)
        if self.weights is None:
            return
        wrong = np.flatnonzero(signs * score_signs(table, self.weights) <= 0)
        odd = np.setxor1d(wrong, self.mistakes)
        if len(odd):
            claimed = "listed as wrong" if odd[0] in self.mistakes else "not listed as wrong"
            row = self.stamp.number(int(odd[0]))
            _refuse(f"row {row} is {claimed}, and the hyperplane says otherwise.")
        if len(np.intersect1d(self.trusted, wrong)):
            _refuse("the hyperplane gets a trusted row wrong.")


def _plain(node: Leaf | Branch) -> dict[str, Any]:
    """The tree as JSON has it."""
    if isinstance(node, Branch):
        return {"row": int(node.row), "removed": _plain(node.removed), "kept": _plain(node.kept)}
    places, shares = ([pair[k] for pair in node.packing] for k in (0, 1))
    return write_fields({"obstructions": places, "shares": shares}, _LEAF)


def _tree(node: dict[str, Any], depth: int) -> Leaf | Branch:
    what = "the tree of a proof"
    if "row" in node:
        if depth == 0:
            _refuse(f"{what} is too deep.")
        branch = read_fields(node, "row:count removed:object kept:object", what)
        ends = (_tree(branch[name], depth - 1) for name in ("removed", "kept"))
        return Branch(branch["row"], *ends)
    leaf = read_fields(node, _LEAF, what)
    if len(leaf["obstructions"]) != len(leaf["shares"]):
        _refuse(f"{what} needs one share for each obstruction of a packing.")
    return Leaf(tuple(zip(leaf["obstructions"], leaf["shares"], strict=True)))


def _refuse(why: str) -> NoReturn:
    raise CertificateError(why)
