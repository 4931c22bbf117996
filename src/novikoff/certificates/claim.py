"""Claim: which rows one direction settles, and a witness that no direction ever moves the others.

Rows have the sign +1, -1 or 0. z_i = sign_i·(x_i, 1) for the first two; the rows of sign 0 are
equalities e_k = (x_k, 1). The claim has two halves:

    a direction w      z_i·w >= 0 for every row, and e_k·w = 0 for every equality. The rows with
                       z_i·w > 0 are settled; those with z_i·w = 0 are the core
    a witness          λ_i > 0 for EVERY row of the core, and μ_k of any sign, with
                       Σ λ_i·z_i + Σ μ_k·e_k = 0

Then no direction ever moves the core. Proof: let v oppose no row and be zero on the equalities. The
sum above times v is 0 = Σ λ_i·(z_i·v), and no term is negative, so z_i·v = 0 on every row of the
core. Hence the settled rows are the largest set that any direction settles. Nothing settled: the
classes overlap. Everything settled: they are separable. Otherwise they are quasi-separable.

λ_i is 1 on every row of the core that the witness does not name: by Carathéodory's theorem it need
name no more rows than there are columns. The sum is zero exactly, or its remainder is so small that
corrections smaller than every λ_i take it up (remainder.py). The core is never read from a proof:
it is computed from w, exactly, by whoever checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import (
    Sum,
    as_integers,
    check_arithmetic,
    core_sum,
    score_signs,
    weighted_sum,
)
from novikoff.certificates.certificate import (
    Certificate,
    Weights,
    integer_texts,
    read_weights,
    shown,
    weight_texts,
)
from novikoff.certificates.obstruction import as_objects, check_positive, read_pairs
from novikoff.certificates.remainder import check_remainder
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.wording import count


@dataclass(frozen=True, eq=False)
class Witness:
    """λ_i of `rows`, over the denominator, and 1 on the rest of the core; μ_k of `equalities`.

    is_exact : whether the sum is zero; else its remainder is to be bounded, for which `relations`
        names integer vectors that every row of the core and every equality is orthogonal to
    """

    rows: Sequence[int] | np.ndarray = ()
    multipliers: Sequence[int] = ()
    equalities: Sequence[int] | np.ndarray = ()
    factors: Sequence[int] = ()
    denominator: int = 1
    is_exact: bool = True
    relations: Sequence[Sequence[int]] = ()  # over all columns, the offset last

    def read(self, stamp: Stamp) -> Witness:
        """The same, as tuples of Python's integers; CertificateError where it is malformed."""
        rows, multipliers = read_pairs(self.rows, self.multipliers, stamp)
        equalities, factors = read_pairs(self.equalities, self.factors, stamp)
        check_positive(multipliers)
        if type(self.denominator) is not int or self.denominator < 1:
            raise CertificateError("the denominator of the multipliers must be a positive integer.")
        relations = tuple(tuple(map(int, relation)) for relation in self.relations)
        if any(len(relation) != stamp.n_columns + 1 for relation in relations):
            raise CertificateError("a relation needs one number for each column and the offset.")
        if self.is_exact and relations:
            raise CertificateError("relations are for a witness whose sum has a remainder.")
        return Witness(
            rows, multipliers, equalities, factors, self.denominator, self.is_exact, relations
        )


@dataclass(frozen=True, eq=False, repr=False)
class Claim(Certificate):
    """The claim about the rows that `stamp` speaks of; see the head of this file."""

    weights: Weights  # w: the offset last, and 0 where there is none
    witness: Witness
    n_settled: int  # rows strictly on their side
    n_core: int  # rows of sign ±1 on the hyperplane
    stamp: Stamp
    kind = "claim"
    signs = (-1, 0, 1)

    def __post_init__(self) -> None:
        counts = (self.n_settled, self.n_core)
        if not all(type(number) is int and number >= 0 for number in counts):
            raise CertificateError("the numbers of settled and core rows must be counts.")
        object.__setattr__(self, "weights", read_weights(self.weights, self.stamp))
        object.__setattr__(self, "witness", self.witness.read(self.stamp))

    @classmethod
    def checked(
        cls, weights: Weights, witness: Witness, stamp: Stamp, table: Table, signs: np.ndarray
    ) -> Claim:
        """The claim with its counts, which the rows tell; CertificateError where it is false."""
        check_arithmetic()
        draft = cls(weights, witness, 0, 0, stamp)
        core, n_settled = draft._check_direction(table, signs)
        claim = cls(weights, witness, n_settled, int(np.count_nonzero(core)), stamp)
        check_witness(table, signs, core, stamp.offset, claim.witness)
        return claim

    @property
    def status(self) -> str:
        """'overlapping' where nothing is settled, 'separable' where all is, else between them."""
        if self.n_settled == 0:
            return "overlapping"
        return "quasi-separable" if self.n_core else "separable"

    def settled(self, table: Table, signs: np.ndarray) -> np.ndarray:
        """The rows strictly on their side, ascending, of rows for which the claim holds."""
        parts = [start + np.flatnonzero(sides > 0) for start, sides in self._sides(table, signs)]
        return np.concatenate(parts)

    def _sides(self, table: Table, signs: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """1 for rows on their side, 0 on the hyperplane, -1 elsewhere: (first row, block)."""
        for start, scores in score_signs(table, as_integers(self.weights)):
            here = signs[start : start + len(scores)]
            yield start, np.where(here == 0, -np.abs(scores), here * scores)

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        core, n_settled = self._check_direction(table, signs)
        n_core = int(np.count_nonzero(core))
        if (n_settled, n_core) != (self.n_settled, self.n_core):
            raise CertificateError(
                f"{n_settled} rows are settled and {n_core} are on the hyperplane; the proof says "
                f"{self.n_settled} and {self.n_core}."
            )
        check_witness(table, signs, core, self.stamp.offset, self.witness)

    def _check_direction(self, table: Table, signs: np.ndarray) -> tuple[np.ndarray, int]:
        """Which rows are the core, and how many are settled.

        Raises unless w opposes no row and keeps every equality.
        """
        core = np.zeros(table.n_rows, dtype=bool)
        n_settled = 0
        for start, sides in self._sides(table, signs):
            here = signs[start : start + len(sides)]
            if sides.min() < 0:
                i = int(np.argmax(sides < 0))
                row = self.stamp.number(start + i)
                where = "on the wrong side of" if here[i] else "an equality, and not on"
                raise CertificateError(f"row {row} is {where} the hyperplane.")
            n_settled += int(np.count_nonzero(sides))
            core[start : start + len(sides)] = (sides == 0) & (here != 0)
        return core, n_settled

    def _claim(self) -> dict[str, Any]:
        witness = self.witness
        return {
            "weights": weight_texts(self.weights),
            "settled": self.n_settled,
            "core": self.n_core,
            "rows": np.asarray(witness.rows).tolist(),
            "multipliers": integer_texts(witness.multipliers),
            "equalities": np.asarray(witness.equalities).tolist(),
            "factors": integer_texts(witness.factors),
            "denominator": hex(witness.denominator),
            "exact": witness.is_exact,
            "relations": [integer_texts(relation) for relation in witness.relations],
        }

    def __repr__(self) -> str:
        named = len(self.witness.rows) + len(self.witness.equalities)
        return (
            f"<Claim ({shown(self.weights)}), {self.n_settled} rows settled, {self.n_core} not, by "
            f"{count(named, 'multiplier')}, of {self.stamp}: {self.status}>"
        )


def check_witness(
    table: Table,
    signs: np.ndarray,
    core: np.ndarray,
    offset: bool,
    witness: Witness,
    total: Sum | None = None,
) -> None:
    """Raise CertificateError unless positive multipliers balance every row of the core.

    total : Σ z_i over the core, exactly, where the table has only some of its rows: those of the
        witness, and others of the core
    """
    rows, equalities = (
        np.array(part, dtype=np.intp) for part in (witness.rows, witness.equalities)
    )
    if not core[rows].all():
        raise CertificateError("a row with a multiplier is not in the core.")
    if signs[equalities].any():
        raise CertificateError("a row among the equalities has a sign that is not 0.")
    if not core.any() and not len(equalities):
        return  # nothing is left to be moved
    if not witness.is_exact:
        check_remainder(table, signs, core, offset, witness, total)
        return
    sums, over = core_sum(table, signs, core, offset) if total is None else total
    beyond = as_objects(witness.multipliers) - witness.denominator
    named = np.concatenate([signs[rows] * beyond, as_objects(witness.factors)])
    rest, under = weighted_sum(table, np.concatenate([rows, equalities]), named, offset)
    wrong = np.flatnonzero(sums * (witness.denominator * under) + rest * over)
    if wrong.size:
        j = int(wrong[0])
        what = "the offset" if j == table.n_columns else f"column {table.column_name(j)}"
        raise CertificateError(f"the weighted sum of the rows is not zero in {what}.")
