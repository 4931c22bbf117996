"""DistributedVerdict: the answer of `certify` on a cluster, and its proof."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from novikoff.certificates import Certificate, Reading


@dataclass(frozen=True, eq=False, repr=False)
class DistributedVerdict:
    """What is true of all rows of all shards, exactly, and the proof.

    Attributes
    ----------
    status : 'separable', 'quasi-separable', 'overlapping' or 'undecided'
    certificate : the proof, the same kind of file as from one machine; None where undecided
    rows : the few rows that alone rule out a strict separator, by their number among all rows,
        those that were left out included
    reading : how the rows came out of their files: `.notes` says what was encoded or left out
    margin : a proven lower bound of γ where separable, 0.0 where not, None where undecided
    radius : R, the largest norm of a row with its 1
    rounds : how often the workers were asked for rows that speak against a proposal
    fetched : how many rows the client has seen
    how : what was done, in words
    """

    status: str
    certificate: Certificate | None
    rows: tuple[int, ...]
    n_rows: int
    n_columns: int
    n_shards: int
    classes: tuple[Any, Any]
    fit_intercept: bool
    margin: float | None
    radius: float
    rounds: int
    fetched: int
    how: tuple[str, ...]
    seconds: float
    reading: Reading | None = None

    @property
    def mistake_bound(self) -> int | None:
        """(R/γ)² for the proven γ: no run of the perceptron makes more mistakes."""
        if not self.margin or not math.isfinite(self.radius):
            return None
        return math.floor(Fraction(self.radius) ** 2 / Fraction(self.margin) ** 2)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as numbers, lists and texts that JSON can hold, without the proof."""
        bound = self.mistake_bound
        return {
            "status": self.status,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "n_shards": self.n_shards,
            "negative": str(self.classes[0]),
            "positive": str(self.classes[1]),
            "offset": self.fit_intercept,
            "certificate": None if self.certificate is None else self.certificate.kind,
            "rows": list(self.rows),
            "notes": [] if self.reading is None else list(self.reading.notes),
            "left_out": 0 if self.reading is None else self.reading.n_left_out,
            "margin": self.margin,
            "radius": self.radius,
            "mistake_bound": bound if bound is None or bound <= 2**53 else float(bound),
            "rounds": self.rounds,
            "fetched": self.fetched,
            "how": list(self.how),
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        negative, positive = map(repr, self.classes)
        lines = [
            f"The classes {negative} and {positive} ({self.n_rows:,} rows and {self.n_columns:,} "
            f"columns on {self.n_shards} shards) are {self.status}.",
            "",
            f"  found by  {'; '.join(self.how)}",
            f"  seconds   {self.seconds:.3g}",
        ]
        if self.rows:
            shown = ", ".join(map(str, self.rows[:20])) + ", …" * (len(self.rows) > 20)
            lines.append(f"  rows      {shown}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<DistributedVerdict {self.status}: {self.n_rows} × {self.n_columns}>"
