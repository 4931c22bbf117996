"""Mistakes: the fewest rows that any hyperplane gets wrong, between two bounds.

Above: a hyperplane, and the rows that it gets wrong, a row on it included. Below: obstructions,
each of which has a row that any hyperplane gets wrong, and a tree. A branch of the tree is about
one row: it is given up, or kept. A row is free if it is neither kept on the path nor trusted. A
leaf has a packing: numbers u_C >= 0 for obstructions C that have no row given up on the path. For
every free row i, the u_C of the obstructions that contain i add up to at most cost_i. So the rows
to give up cost at least Σ u_C, and those given up on the path besides; costs are whole numbers of
units, so Σ u_C is rounded up. If an obstruction of the packing has no free row, no hyperplane is
possible there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, NoReturn

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.certificate import Certificate, Weights, read_weights, weight_texts
from novikoff.certificates.fields import integer_texts
from novikoff.certificates.obstruction import check_balance, read_integers, read_rows, read_support
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table

MOST_DEPTH = 300  # of a tree
MOST_BITS = 13_000  # of a cost, so that it can be printed: Python prints 4,300 digits


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

    def __post_init__(self) -> None:
        stamp, put = self.stamp, object.__setattr__
        put(self, "mistakes", read_rows(self.mistakes, stamp.n_rows))
        put(self, "trusted", read_rows(self.trusted, stamp.n_rows))
        if self.costs is not None:
            costs = read_integers(self.costs)
            if len(costs) != stamp.n_rows or min(costs) < 0:
                _refuse("costs must be non-negative integers, one for each row.")
            put(self, "costs", costs)
        if not isinstance(self.unit, (int, Rational)) or not self.unit > 0:
            _refuse("the unit of costs must be a positive fraction.")
        put(self, "unit", Fraction(int(self.unit.numerator), int(self.unit.denominator)))
        dearest = self.unit.numerator * max(self.costs or (1,))
        if max(dearest, self.unit.denominator).bit_length() > MOST_BITS:
            _refuse(f"a cost has more than {MOST_BITS} bits.")
        if self.costs is None and self.unit != 1:
            _refuse("without costs a row counts 1, so the unit must be 1.")
        put(self, "scale", *read_integers([self.scale]))
        if self.scale < 1:
            _refuse("the scale of a packing must be a positive integer.")
        put(self, "tree", _plain_numbers(self.tree, MOST_DEPTH))
        found = tuple(read_support(rows, by, stamp) for rows, by in self.obstructions)
        put(self, "obstructions", found)
        kept = frozenset(self.trusted.tolist())
        lower = self._bound(self.tree, frozenset(), kept)
        put(self, "_lower", lower)
        if (self.weights is None) != (lower is None):
            _refuse("a hyperplane is needed just where the trusted rows allow one.")
        if self.weights is not None:
            put(self, "weights", read_weights(self.weights, stamp.n_columns, stamp.offset))
        if lower is not None and lower > (self.upper_units or 0):
            _refuse(f"the lower bound, {lower}, is above the upper bound, {self.upper_units}.")

    def _cost(self, row: int) -> int:
        return 1 if self.costs is None else self.costs[row]

    def _bound(
        self, node: Leaf | Branch, removed: frozenset[int], kept: frozenset[int]
    ) -> int | None:
        """What any hyperplane's mistakes cost in this branch at least; None: it has none."""
        if isinstance(node, Branch):
            if not 0 <= node.row < self.stamp.n_rows or node.row in removed | kept:
                _refuse(f"the tree branches on row {node.row} twice, or there is no such row.")
            ends = (
                self._bound(node.removed, removed | {node.row}, kept),
                self._bound(node.kept, removed, kept | {node.row}),
            )
            return min((end for end in ends if end is not None), default=None)
        loads: dict[int, int] = {}
        is_possible = True
        for place, share in node.packing:
            rows = self._obstruction(place)
            if share <= 0 or not removed.isdisjoint(rows):
                _refuse("a packing needs positive shares, and obstructions that are not yet hit.")
            is_possible &= not kept.issuperset(rows)
            for row in rows:
                loads[row] = loads.get(row, 0) + share
        if not is_possible:
            return None
        for row, load in loads.items():
            if row not in kept and load > self._cost(row) * self.scale:
                _refuse(f"a packing loads row {row} with more than its cost.")
        total = sum(share for _, share in node.packing)
        return sum(map(self._cost, removed)) + -(-total // self.scale)

    def _obstruction(self, place: int) -> list[int]:
        if not 0 <= place < len(self.obstructions):
            _refuse(f"there is no obstruction {place}.")
        found: list[int] = self.obstructions[place][0].tolist()
        return found

    @property
    def lower_units(self) -> int | None:
        """What any hyperplane's mistakes cost at least, in units; None: trusted rows allow none."""
        return self._lower  # type: ignore[attr-defined, no-any-return]

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
        if units is None:
            return None
        value = units * self.unit
        return value.numerator if value.denominator == 1 else value

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
        least, most = self.lower, self.upper
        plane = "any hyperplane"
        if len(self.trusted):  # the others may do better
            plane += f" that is right on the {len(self.trusted)} trusted"
        if self.costs is not None:
            costs = [value * self.unit for value in (min(self.costs), max(self.costs))]
            return (
                f"mistakes on {rows} cost at least {least} for {plane}, and {most} for one, where "
                f"the proof gives each row a cost from {costs[0]} to {costs[1]}, in units of "
                f"{self.unit}"
            )
        return f"{plane} gets at least {least} of {rows} wrong, and one gets {most} wrong"

    def _claim(self) -> dict[str, Any]:
        none = self.weights is None
        return {
            "weights": None if self.weights is None else weight_texts(self.weights),
            "mistakes": self.mistakes.tolist(),
            "costs": None if self.costs is None else integer_texts(self.costs),
            "unit": [hex(self.unit.numerator), hex(self.unit.denominator)],
            "trusted": self.trusted.tolist(),
            "obstructions": [
                {"rows": rows.tolist(), "multipliers": integer_texts(by)}
                for rows, by in self.obstructions
            ],
            "scale": hex(self.scale),
            "tree": _plain(self.tree),
            "lower": None if none else hex(self.lower_units or 0),
            "upper": None if none else hex(self.upper_units or 0),
        }

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        for rows, multipliers in self.obstructions:
            check_balance(table, signs, rows, multipliers, self.stamp.offset)
        if self.weights is None:
            return
        wrong: list[int] = []
        for start, scores in score_signs(table, as_integers(self.weights)):
            sides = signs[start : start + len(scores)] * scores
            wrong += (start + np.flatnonzero(sides <= 0)).tolist()
        listed = set(self.mistakes.tolist())
        if listed != set(wrong):
            other = min(listed.symmetric_difference(wrong))
            claimed = "listed as wrong" if other in listed else "not listed as wrong"
            row = self.stamp.number(other)
            _refuse(f"row {row} is {claimed}, and the hyperplane says otherwise.")
        if not set(self.trusted.tolist()).isdisjoint(wrong):
            _refuse("the hyperplane gets a trusted row wrong.")


def _plain_numbers(node: Any, depth: int) -> Leaf | Branch:
    """The tree with Python's integers; what is no tree is refused."""
    if isinstance(node, Branch) and depth > 0:
        ends = (_plain_numbers(end, depth - 1) for end in (node.removed, node.kept))
        return Branch(read_integers([node.row])[0], *ends)
    if isinstance(node, Leaf):
        places, shares = (read_integers(pair[k] for pair in node.packing) for k in (0, 1))
        return Leaf(tuple(zip(places, shares, strict=True)))
    _refuse(f"the tree is deeper than {MOST_DEPTH} branches, or is none.")


def _plain(node: Leaf | Branch) -> dict[str, Any]:
    """The tree as JSON has it."""
    if isinstance(node, Branch):
        return {"row": node.row, "removed": _plain(node.removed), "kept": _plain(node.kept)}
    return {
        "obstructions": [place for place, _ in node.packing],
        "shares": integer_texts([share for _, share in node.packing]),
    }


def _refuse(why: str) -> NoReturn:
    raise CertificateError(why)
