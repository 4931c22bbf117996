"""What all certificates share: the order of the checks, and the way to a file."""

from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from novikoff.certificates.arithmetic import as_integers, check_arithmetic
from novikoff.certificates.fields import integer_texts
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.files import write_whole
from novikoff.inputs import Table, read_table
from novikoff.wording import count

FORMAT = "novikoff certificate"
VERSION = 1
MOST_BYTES = 64 * 2**20  # of a proof file

Weights = np.ndarray | Sequence[int | Fraction | float]


class Certificate:
    """A claim about the rows that `stamp` speaks of, with all that is needed to check it."""

    stamp: Stamp
    kind: ClassVar[str]
    signs: ClassVar[tuple[int, ...]] = (-1, 1)  # that rows may have

    @property
    def status(self) -> str:
        """The verdict that the claim proves."""
        raise NotImplementedError

    def says(self, source: str) -> str:
        """What is proven of the rows of `source`, in words."""
        return f"the {count(self.stamp.n_rows, 'row')} of {source} are {self.status}"

    def _claim(self) -> dict[str, Any]:
        """The fields of the claim, as JSON has them."""
        raise NotImplementedError

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        raise NotImplementedError

    def check(self, table: Table, signs: np.ndarray) -> None:
        """Raise CertificateError unless the claim is true of these rows, whoever's they are."""
        check_arithmetic()
        self.stamp.check_size(table)
        if np.shape(signs) != (table.n_rows,) or not np.isin(signs, self.signs).all():
            raise CertificateError(f"every row needs a sign: {' or '.join(map(str, self.signs))}.")
        self._check_claim(table, np.asarray(signs).astype(np.int8))  # times integers: never floats

    def verify(self, X: Any, y: Any) -> None:
        """Raise CertificateError unless X and y are the proof's data and the claim is true."""
        table = read_table(X)
        self.stamp.check_size(table)
        signs = self.stamp.read_signs(y)
        self.stamp.check_data(table, signs)
        self.check(table, signs)

    def to_dict(self) -> dict[str, Any]:
        """The certificate as the documented JSON object."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "numbers": self.stamp.numbers,
            "offset": self.stamp.offset,
            "data": self.stamp.to_dict(),
            **self._claim(),
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.stamp}: {self.status}>"

    def to_json(self) -> str:
        """The text of the proof file."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the proof file: whole, or not at all."""
        text = self.to_json()
        if len(text) > MOST_BYTES:
            raise CertificateError(
                f"the proof is {len(text)} bytes long; a proof file has at most {MOST_BYTES}."
            )
        write_whole(path, text.encode())


def read_weights(weights: Any, n_columns: int, offset: bool) -> Weights:
    """Weights as a float64 array, or a tuple of exact numbers; the offset last."""
    values = list(weights)
    if len(values) != n_columns + 1:
        raise CertificateError(
            f"{len(values)} weights are given; {n_columns} columns and the offset "
            f"need {n_columns + 1}."
        )
    if not offset and values[-1] != 0:
        raise CertificateError("a proof without an offset must have 0 as its last weight.")
    if all(type(value) is int for value in values):
        return tuple(values)
    if all(isinstance(value, numbers.Rational) for value in values):
        exact = [Fraction(int(v.numerator), int(v.denominator)) for v in values]  # no numpy ints
        return tuple(v.numerator if v.denominator == 1 else v for v in exact)
    floats = np.array([v if isinstance(v, (float, np.floating)) else np.nan for v in values])
    if not np.isfinite(floats).all():
        raise CertificateError("weights must all be finite floats, or all integers and fractions.")
    floats.flags.writeable = False
    return floats


def weight_texts(weights: Weights) -> list[str]:
    """The smallest integers that are a positive multiple of the weights: the same direction."""
    whole = as_integers(weights).tolist()
    common = math.gcd(*whole) or 1
    return integer_texts([value // common for value in whole])
