"""How the rows of a proof came out of their file: so that it can be read alike, and rows named.

It is no part of the claim: a proof is about the rows that its digest is of. It says which rows of
which table these are, to people and to the program that reads the file again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.fields import read_fields, write_fields
from novikoff.errors import CertificateError

MOST_ROWS = 2**53  # of a file
_FIELDS = "options:object notes:*text left_out:**count"
_OPTIONS = """format?:text label?:name numbers?:text missing?:text labels?:text
    header?:flag delimiter?:text decimal?:text thousands?:text na?:*name skip_rows?:count
    text_encoding?:text classes?:*name columns?:*name keep?:*name encoding?:@*text levels?:text
    zero_based?:flag n_columns?:count bits?:count"""  # what `read` may be told by a proof


@dataclass(frozen=True, eq=False)
class Reading:
    """options: arguments of `read` that give these rows from the file; plain JSON.
    notes: what was encoded, left out or rounded, in words.
    left_out: runs (first, count) of rows of the file, from 0, that are not among the rows.
    """

    options: dict[str, Any]
    notes: tuple[str, ...] = ()
    left_out: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, options: Mapping[str, Any], notes: Sequence[str], left_out: np.ndarray) -> Reading:
        """The same from the numbers of all rows that were left out, ascending."""
        runs = np.split(left_out, np.flatnonzero(np.diff(left_out) != 1) + 1)
        pairs = tuple((int(run[0]), len(run)) for run in runs if len(run))
        return cls(dict(options), tuple(notes), pairs)

    @property
    def label(self) -> str | None:
        """What the label column of the file is called, or its number from 1."""
        found = self.options.get("label")
        return found if isinstance(found, str) else None

    @property
    def n_left_out(self) -> int:
        return sum(count for _, count in self.left_out)

    def number(self, row: int) -> int:
        """The number in the file, from 0, of a row of the proof."""
        return int(self.numbers(np.array([row]))[0])

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """The same for many rows at once."""
        firsts, counts = np.array(self.left_out, dtype=np.int64).reshape(-1, 2).T
        above = np.concatenate([[0], np.cumsum(counts)])
        return np.asarray(rows + above[np.searchsorted(firsts - above[:-1], rows, side="right")])

    def of_rows(self, rows: np.ndarray, n_rows: int) -> Reading:
        """The same of some rows, ascending, of the n_rows that are here."""
        kept = np.zeros(n_rows + self.n_left_out, dtype=bool)
        kept[self.numbers(rows)] = True
        return Reading.of(self.options, self.notes, np.flatnonzero(~kept))

    def to_dict(self) -> dict[str, Any]:
        return write_fields(vars(self), _FIELDS)

    @classmethod
    def from_dict(cls, fields: Any) -> Reading:
        """What to_dict made; CertificateError where it is anything else."""
        found = read_fields(fields, _FIELDS, "the reading of a proof")
        options = read_fields(found["options"], _OPTIONS, "the reading of a proof")
        below = 0
        for run in found["left_out"]:
            if len(run) != 2 or run[0] < below or run[1] < 1:
                raise CertificateError("the rows left out of a proof are not pairs in order.")
            below = sum(run)
        if below > MOST_ROWS:
            raise CertificateError("more rows are left out of a proof than a file has.")
        return cls(options, tuple(found["notes"]), tuple(map(tuple, found["left_out"])))
