"""Separator: every row is strictly on its side of one hyperplane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.certificate import (
    Certificate,
    Weights,
    read_weights,
    shown,
    weight_texts,
)
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table


@dataclass(frozen=True, eq=False, repr=False)
class Separator(Certificate):
    """The claim that z_i·w > 0 for all rows.

    Any positive multiple of w claims the same, so a file holds exact weights as integers.
    """

    weights: Weights  # (w, b): the offset last, and 0 where there is none
    stamp: Stamp
    kind = "separator"
    status = "separable"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", read_weights(self.weights, self.stamp))

    def _claim(self) -> dict[str, Any]:
        return {"weights": weight_texts(self.weights)}

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        for start, scores in score_signs(table, as_integers(self.weights)):
            sides = signs[start : start + len(scores)] * scores
            if sides.min() <= 0:
                i = int(np.argmax(sides <= 0))
                where = "on the hyperplane" if sides[i] == 0 else "on the wrong side"
                row = self.stamp.number(start + i)
                raise CertificateError(f"row {row} is {where}, so w does not separate.")

    def __repr__(self) -> str:
        return f"<Separator ({shown(self.weights)}) of {self.stamp}: {self.status}>"
