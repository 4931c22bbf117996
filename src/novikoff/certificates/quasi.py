"""QuasiSeparator: the hulls touch, and a hyperplane separates them but for the contact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.certificate import (
    Certificate,
    Weights,
    integer_texts,
    read_weights,
    shown,
    weight_texts,
)
from novikoff.certificates.obstruction import check_balance, read_support
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table


@dataclass(frozen=True, eq=False, repr=False)
class QuasiSeparator(Certificate):
    """The claim that z_i·w >= 0 for all rows and > 0 for one, and that Σ λ_i·z_i = 0.

    The first half is a weak separator; the second, with λ_i > 0 on `rows`, rules out a
    strict one, as in an obstruction.
    """

    weights: Weights  # (w, b): the offset last, and 0 where there is none
    rows: np.ndarray
    obstruction_weights: Sequence[int]  # λ
    stamp: Stamp
    kind = "quasi-separator"
    status = "quasi-separable"

    def __post_init__(self) -> None:
        rows, multipliers = read_support(self.rows, self.obstruction_weights, self.stamp)
        object.__setattr__(self, "weights", read_weights(self.weights, self.stamp))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "obstruction_weights", multipliers)

    def _claim(self) -> dict[str, Any]:
        return {
            "weights": weight_texts(self.weights),
            "rows": self.rows.tolist(),
            "multipliers": integer_texts(self.obstruction_weights),
        }

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        check_balance(table, signs, self.rows, self.obstruction_weights, self.stamp.offset)
        strict = False
        for start, scores in score_signs(table, as_integers(self.weights)):
            sides = signs[start : start + len(scores)] * scores
            if sides.min() < 0:
                i = self.stamp.number(start + int(np.argmax(sides < 0)))
                raise CertificateError(f"row {i} is on the wrong side of the weak separator.")
            strict = strict or bool(sides.max() > 0)
        if not strict:
            raise CertificateError("every row is on the hyperplane, so w separates nothing.")

    def __repr__(self) -> str:
        numbers = map(self.stamp.number, self.rows)
        pairs = list(zip(self.obstruction_weights, numbers, strict=True))
        return (
            f"<QuasiSeparator ({shown(self.weights)}), {shown(pairs, '{}·z[{}]', ' + ')} = 0 "
            f"of {self.stamp}: {self.status}>"
        )
