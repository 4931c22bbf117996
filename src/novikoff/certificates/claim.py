"""Claim: which rows one direction settles, and a witness that no direction ever moves the others.

Rows have the sign +1, -1 or 0. z_i = sign_i·(x_i, 1) for the first two; the rows of sign 0 are
equalities e_k = (x_k, 1). A direction v opposes row i if z_i·v < 0, and settles it if z_i·v > 0.
The claim has two halves:

    a direction w      z_i·w >= 0 for every row, and e_k·w = 0 for every equality. The rows with
                       z_i·w > 0 are settled; those with z_i·w = 0 are the core
    a witness          λ_i > 0 for EVERY row of the core, and μ_k of any sign, with
                       Σ λ_i·z_i + Σ μ_k·e_k = 0

Then no direction v that opposes no row, with e_k·v = 0, settles a row of the core: no term of
0 = Σ λ_i·(z_i·v) is negative, so each is 0. Hence w settles all that can be settled.

A row of the core that the witness does not name has λ_i = 1, and an equality that it does not name
has μ_k = 0. The sum is zero exactly, or its remainder is so small that corrections smaller than
every λ_i take it up (remainder.py). The core is never read from a proof: whoever checks computes it
from w, exactly. A claim with a model is about the comparisons that the model makes of its data
(comparisons.py). docs/certificates.md says more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
    read_weights,
    smallest_integers,
)
from novikoff.certificates.comparisons import Comparisons, comparisons
from novikoff.certificates.derivation import Design
from novikoff.certificates.entries import MakeCsr
from novikoff.certificates.model import Model, parted
from novikoff.certificates.obstruction import check_zero, read_pairs
from novikoff.certificates.remainder import check_remainder
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table, read_table


@dataclass(frozen=True, eq=False)
class Witness:
    """Multipliers of `rows`, over the denominator: λ_i of rows of the core, μ_k of equalities.

    relations : None where the sum is zero; else its remainder is to be bounded, and these are
        integer vectors that every row of the core and every named row is orthogonal to
    """

    rows: Sequence[int] | np.ndarray = ()
    multipliers: Sequence[int] = ()
    denominator: int = 1
    relations: Sequence[Sequence[int]] | None = None  # over all columns, the offset last

    @property
    def is_exact(self) -> bool:
        return self.relations is None

    def read(self, n_rows: int, n_columns: int, offset: bool) -> Witness:
        """The same, as tuples of Python's integers; CertificateError where it is malformed."""
        rows, multipliers = read_pairs(self.rows, self.multipliers, n_rows)
        if type(self.denominator) is not int or self.denominator < 1:
            raise CertificateError("the denominator of the multipliers must be a positive integer.")
        if self.relations is None:
            return Witness(rows, multipliers, self.denominator)
        relations = tuple(tuple(map(int, relation)) for relation in self.relations)
        if any(len(relation) != n_columns + 1 for relation in relations):
            raise CertificateError("a relation needs one number for each column and the offset.")
        if not offset and any(relation[-1] for relation in relations):
            raise CertificateError("a relation uses the offset, and there is none.")
        return Witness(rows, multipliers, self.denominator, relations)


@dataclass(frozen=True, eq=False, repr=False)
class Claim(Certificate):
    """The claim about the rows that `stamp` speaks of; see the head of this file.

    With a model, weights and relations are of its coefficients, and rows are its comparisons.
    """

    weights: Weights  # w: the offset last, and 0 where there is none
    witness: Witness
    n_settled: int  # rows strictly on their side
    n_core: int  # rows of sign ±1 on the hyperplane
    stamp: Stamp
    model: Model | None = None
    kind = "claim"
    fields = """model:?object weights:*hex settled:count core:count rows:*count multipliers:*hex
        denominator:hex relations:?**hex"""
    signs = (-1, 0, 1)

    def __post_init__(self) -> None:
        counts = (self.n_settled, self.n_core)
        if not all(type(number) is int and number >= 0 for number in counts):
            raise CertificateError("the numbers of settled and core rows must be counts.")
        stamp, model = self.stamp, self.model
        if (model is None) == (stamp.negative is None) or (stamp.derivation and model is None):
            raise CertificateError("a proof has two labels, or else a model.")
        n_rows, n_columns, offset = stamp.n_rows, stamp.n_columns, stamp.offset
        if model is not None:
            width = n_columns - len(model.response)  # of the design table
            design = None if stamp.derivation is None else stamp.derivation.design
            if width < 0 or (isinstance(design, Design) and design.n_columns != width):
                raise CertificateError(
                    f"the data of the proof has {width} columns beside the response; its model or "
                    "design makes another number."
                )
            if len(self.weights) < 2:
                raise CertificateError("a model needs a weight for a coefficient and the offset.")
            n_rows, n_columns = 2**62, len(self.weights) - 1  # until the comparisons are made
            offset = model.has_offset
        object.__setattr__(self, "weights", read_weights(self.weights, n_columns, offset))
        object.__setattr__(self, "witness", self.witness.read(n_rows, n_columns, offset))

    @classmethod
    def checked(
        cls, weights: Weights, witness: Witness, stamp: Stamp, table: Table, signs: np.ndarray
    ) -> Claim:
        """The claim with its counts, which the rows tell; CertificateError where it is false."""
        check_arithmetic()
        draft = cls(weights, witness, 0, 0, stamp)
        core, n_settled = draft._check_direction(table, signs)
        claim = replace(draft, n_settled=n_settled, n_core=int(np.count_nonzero(core)))
        check_witness(table, signs, core, stamp.offset, claim.witness)
        return claim

    def of_model(self, rows: Comparisons, model: Model, stamp: Stamp) -> Claim:
        """This claim about comparisons, as one about the data that the model makes them of."""
        return self._mapped(rows.outward, stamp, model)

    def of_rows(self, rows: Comparisons) -> Claim:
        """The claim of a model, as one about these comparisons."""
        stamp = Stamp.of_rows(rows.table.n_rows, rows.table.n_columns, rows.offset)
        if len(self.weights) != stamp.n_columns + 1:
            raise CertificateError(
                f"the model has {stamp.n_columns} coefficients; the proof has "
                f"{len(self.weights)} weights, and the last of them is the offset."
            )
        return self._mapped(rows.inward, stamp, None)

    def _mapped(
        self, move: Callable[[Sequence[int]], list[Any]], stamp: Stamp, model: Model | None
    ) -> Claim:
        """The same with directions and relations of other columns, as integers."""
        witness = self.witness
        if witness.relations is not None:
            moved = [as_integers(move(relation)).tolist() for relation in witness.relations]
            witness = replace(witness, relations=moved)
        weights = as_integers(move(as_integers(self.weights).tolist())).tolist()
        return Claim(weights, witness, self.n_settled, self.n_core, stamp, model)

    @property
    def status(self) -> str:
        """What follows from the two numbers, for two classes or for a model."""
        if self.model is not None:
            return "infinite" if self.n_settled else "finite"
        if self.n_settled == 0:
            return "overlapping"
        return "quasi-separable" if self.n_core else "separable"

    def settled(self, table: Table, signs: np.ndarray) -> np.ndarray:
        """The rows strictly on their side, ascending, of rows for which the claim holds."""
        return np.flatnonzero(self._sides(table, signs) > 0)

    def verify(self, X: Any, y: Any = None) -> None:
        """Raise CertificateError unless X and y are the proof's data and the claim is true.

        With a model, X is the design table with the response columns after it, and y is None.
        """
        if self.model is None:
            super().verify(X, y)
        elif y is not None:
            raise CertificateError(
                "the data of a regression's proof is one table: the response columns are its last."
            )
        else:
            self.verify_table(read_table(X))

    def verify_table(self, table: Table, make_csr: MakeCsr | None = None) -> None:
        """The same for the table of a model; `make_csr` as for `comparisons`."""
        if self.model is None:
            raise CertificateError("this proof has no model; give it X and y.")
        self.stamp.check_size(table)
        self.stamp.check_data(table, np.ones(table.n_rows, dtype=np.int8))
        rows = comparisons(*parted(table, self.model), self.model, make_csr)
        self.of_rows(rows).check(rows.table, rows.signs)

    def _sides(self, table: Table, signs: np.ndarray) -> np.ndarray:
        """1 for rows on their side, 0 on the hyperplane, -1 elsewhere."""
        scores = score_signs(table, self.weights)
        return np.asarray(np.where(signs == 0, -np.abs(scores), signs * scores))

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
        sides = self._sides(table, signs)
        if sides.min() < 0:
            i = int(np.argmax(sides < 0))
            where = "on the wrong side of" if signs[i] else "an equality, and not on"
            raise CertificateError(f"row {self.stamp.number(i)} is {where} the hyperplane.")
        return (sides == 0) & (signs != 0), int(np.count_nonzero(sides))

    def _claim(self) -> dict[str, Any]:
        return {
            **vars(self.witness),
            "model": None if self.model is None else self.model.to_dict(),
            "weights": smallest_integers(self.weights),
            "settled": self.n_settled,
            "core": self.n_core,
        }

    @classmethod
    def _of_fields(cls, proof: dict[str, Any], stamp: Stamp) -> Claim:
        parts = ("rows", "multipliers", "denominator", "relations")
        witness = Witness(*(proof[name] for name in parts))
        model = None if proof["model"] is None else Model.from_dict(proof["model"], stamp.offset)
        return cls(proof["weights"], witness, proof["settled"], proof["core"], stamp, model)


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
    rows, multipliers = np.array(witness.rows, dtype=np.intp), as_integers(witness.multipliers)
    is_equality = signs[rows] == 0
    if not (core[rows] | is_equality).all():
        raise CertificateError("a row with a multiplier is neither in the core nor an equality.")
    if any(m <= 0 for m in multipliers[~is_equality]):
        raise CertificateError("a multiplier is not positive; every row needs a positive one.")
    if not core.any() and not is_equality.any():
        return  # nothing is left to be moved
    if not witness.is_exact:
        check_remainder(table, signs, core, offset, witness, total)
        return
    sums, over = core_sum(table, signs, core, offset) if total is None else total
    beyond = multipliers - (~is_equality).astype(object) * witness.denominator
    factors = np.where(is_equality, 1, signs[rows]).astype(object) * beyond
    rest, under = weighted_sum(table, rows, factors, offset)
    check_zero(table, sums * (witness.denominator * under) + rest * over)
