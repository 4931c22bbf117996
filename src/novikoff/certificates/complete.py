"""Complete: which rows one direction can settle, and why no other direction settles more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.certificates.alone import check_alone, solved_multipliers
from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.arrows import are_spanned
from novikoff.certificates.certificate import (
    Certificate,
    Weights,
    integer_texts,
    read_weights,
    shown,
    weight_texts,
)
from novikoff.certificates.obstruction import as_objects, check_positive, check_sum, read_pairs
from novikoff.certificates.rank import check_rules_out, check_spans
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table


@dataclass(frozen=True, eq=False, repr=False)
class Complete(Certificate):
    """A strictly complementary pair: a direction δ, and multipliers that rule out a better one.

    Rows have the sign +1, -1 or 0. With z_i = sign_i·(x_i, 1) for the first two, and e_j =
    (x_j, 1) for the rows of sign 0, the equalities, the claim is

        z_i·δ >= 0 for every row of sign ±1, and e_j·δ = 0 for every equality;
        Σ λ_i·z_i + Σ μ_j·e_j = 0, with λ_i > 0 on `rows` and μ_j ≠ 0 on `equalities`;
        every z_i with z_i·δ = 0, the core, is in the span of `rows` and of all equalities.

    Then the rows with z_i·δ > 0, the settled ones, are the largest set that any direction
    settles. Proof: let z_i·w >= 0 for all rows of sign ±1 and e_j·w = 0 for all equalities. The
    sum above times w is 0 = Σ λ_i·(z_i·w), of which no term is negative, so z_i·w = 0 on `rows`.
    Then w is zero on all that `rows` and the equalities span: on the whole core. (If they span its
    sum alone, the terms of Σ z_i·w = 0 are not negative, so they are zero as well.)

    So the core alone, with the equalities, has no direction that settles any of its rows, and a
    likelihood that rises along all such directions has its maximum on the core at a finite place;
    along δ the settled rows are predicted better without end. Where nothing is settled δ may be
    0, and where the core adds nothing to the span of the equalities there need be no multipliers.

    Without equalities the multipliers may be left out, as None: then the rows must be r+1 of the
    core, which has rank r, so that they determine them (alone.py).
    """

    weights: Weights  # δ: the offset last, and 0 where there is none
    rows: np.ndarray
    multipliers: Sequence[int] | None  # λ
    equalities: np.ndarray
    factors: Sequence[int]  # μ
    n_settled: int  # rows strictly on their side
    n_core: int  # rows of sign ±1 on the hyperplane
    stamp: Stamp
    kind = "complete"
    version = 2
    signs = (-1, 0, 1)

    def __post_init__(self) -> None:
        is_alone = self.multipliers is None
        ones = [1] * len(self.rows)
        rows, multipliers = read_pairs(
            self.rows, ones if self.multipliers is None else self.multipliers, self.stamp
        )
        equalities, factors = read_pairs(self.equalities, self.factors, self.stamp)
        check_positive(multipliers)
        if 0 in factors:
            raise CertificateError("the factor of an equality is 0; leave the equality out.")
        if is_alone and (len(equalities) or len(rows) < 2):
            raise CertificateError(
                "multipliers can be left out only of two or more rows, without equalities."
            )
        counts = (self.n_settled, self.n_core)
        if not all(type(count) is int and count >= 0 for count in counts):
            raise CertificateError("the numbers of settled and core rows must be counts.")
        object.__setattr__(self, "weights", read_weights(self.weights, self.stamp))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "multipliers", None if is_alone else multipliers)
        object.__setattr__(self, "equalities", equalities)
        object.__setattr__(self, "factors", factors)

    @property
    def status(self) -> str:
        """'overlapping' where nothing is settled, 'separable' where all is, else between them."""
        if self.n_settled == 0:
            return "overlapping"
        return "quasi-separable" if self.n_core else "separable"

    def settled(self, table: Table, signs: np.ndarray) -> np.ndarray:
        """The places of the rows strictly on their side, of rows for which the claim holds."""
        parts = [start + np.flatnonzero(sides > 0) for start, sides in self._sides(table, signs)]
        return np.concatenate(parts)

    def _sides(self, table: Table, signs: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """1 for rows on their side, 0 on the hyperplane, -1 elsewhere: (first row, block)."""
        for start, scores in score_signs(table, as_integers(self.weights)):
            here = signs[start : start + len(scores)]
            yield start, np.where(here == 0, -np.abs(scores), here * scores)

    def _claim(self) -> dict[str, Any]:
        return {
            "weights": weight_texts(self.weights),
            "rows": self.rows.tolist(),
            "multipliers": (None if self.multipliers is None else integer_texts(self.multipliers)),
            "equalities": self.equalities.tolist(),
            "factors": integer_texts(self.factors),
            "settled": self.n_settled,
            "core": self.n_core,
        }

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        rows, equalities = self.rows, self.equalities
        if not signs[rows].all():
            raise CertificateError("a row of the obstruction has the sign 0: it is an equality.")
        if signs[equalities].any():
            raise CertificateError("a row among the equalities has a sign that is not 0.")
        if self.multipliers is None:
            core = self._check_sides(table, signs)
            if not np.isin(rows, core).all():
                raise CertificateError("a row of the obstruction is not on the hyperplane.")
            check_alone(table, signs, rows, self.stamp.offset, core)
            return
        signed = signs[rows].astype(object) * as_objects(self.multipliers)
        support = np.concatenate([rows, equalities])
        factors = np.concatenate([signed, as_objects(self.factors)])
        check_sum(table, support, factors, self.stamp.offset)
        core = self._check_sides(table, signs)
        held = np.flatnonzero(signs == 0)
        if self.stamp.offset or not are_spanned(table, np.concatenate([rows, held]), core):
            if len(held):
                check_spans(table, rows, self.stamp.offset, core, held)
            else:
                check_rules_out(table, signs, rows, self.stamp.offset, core)

    def _check_sides(self, table: Table, signs: np.ndarray) -> np.ndarray:
        """The core; raises unless every row is on its side or on the hyperplane."""
        n_settled, core = 0, []
        for start, sides in self._sides(table, signs):
            here = signs[start : start + len(sides)]
            if sides.min() < 0:
                i = int(np.argmax(sides < 0))
                where = "on the wrong side of" if here[i] else "an equality, and not on"
                row = self.stamp.number(start + i)
                raise CertificateError(f"row {row} is {where} the weak separator.")
            n_settled += int(np.count_nonzero(sides))
            core.append(start + np.flatnonzero((sides == 0) & (here != 0)))
        places = np.concatenate(core)
        if (n_settled, len(places)) != (self.n_settled, self.n_core):
            raise CertificateError(
                f"{n_settled} rows are settled and {len(places)} are on the hyperplane; the proof "
                f"says {self.n_settled} and {self.n_core}."
            )
        return places

    def with_multipliers(self, table: Table, signs: np.ndarray) -> Complete:
        """The same claim with its multipliers; where they were left out they are solved for."""
        if self.multipliers is not None:
            return self
        found = solved_multipliers(table, signs, self.rows, self.stamp.offset)
        return replace(self, multipliers=found)

    def __repr__(self) -> str:
        multipliers = ["λ"] * len(self.rows) if self.multipliers is None else self.multipliers
        pairs = [*zip(multipliers, map(self.stamp.number, self.rows), strict=True)]
        texts = [shown(pairs, "{}·z[{}]", " + ")] if pairs else []
        held = [*zip(self.factors, map(self.stamp.number, self.equalities), strict=True)]
        texts += [shown(held, "{}·e[{}]", " + ")] if held else []
        balance = f", {' + '.join(texts)} = 0" if texts else ""
        return (
            f"<Complete ({shown(self.weights)}){balance}, {self.n_settled} rows settled, "
            f"{self.n_core} not, of {self.stamp}: {self.status}>"
        )
