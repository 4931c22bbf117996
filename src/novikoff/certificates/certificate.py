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
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.files import write_whole
from novikoff.inputs import Table, read_table
from novikoff.wording import count

FORMAT = "novikoff certificate"
VERSION = 1
MOST_BYTES = 64 * 2**20  # of a proof file
MOST_DIGITS = 1_000_000  # hexadecimal digits of one integer

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
        stamp = self.stamp
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": self.kind,
            "numbers": stamp.numbers,
            "offset": stamp.offset,
            "data": {
                "rows": stamp.n_rows,
                "columns": stamp.n_columns,
                "negative": stamp.negative,
                "positive": stamp.positive,
                "label": stamp.label,
                "layout": stamp.layout,
                "digest": stamp.digest,
                **({} if stamp.reading is None else {"reading": stamp.reading.to_dict()}),
            },
            **self._claim(),
        }

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


def read_weights(weights: Any, stamp: Stamp) -> Weights:
    """Weights as a float64 array, or a tuple of exact numbers; the offset last."""
    values = list(weights)
    if len(values) != stamp.n_columns + 1:
        raise CertificateError(
            f"{len(values)} weights are given; {stamp.n_columns} columns and the offset "
            f"need {stamp.n_columns + 1}."
        )
    if not stamp.offset and values[-1] != 0:
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
    """Floats in hexadecimal; exact weights times their common denominator, as integers."""
    if isinstance(weights, np.ndarray):
        return [value.hex() for value in weights.tolist()]
    return integer_texts(as_integers(weights))


def integer_texts(values: Sequence[int] | np.ndarray) -> list[str]:
    """Integers in hexadecimal: read in linear time, whatever their length."""
    if max((abs(value) for value in values), default=0).bit_length() > 4 * MOST_DIGITS:
        raise CertificateError(f"an integer of a proof has more than {MOST_DIGITS} digits.")
    return [hex(value) for value in values]


def shown(values: Any, template: str = "{}", between: str = ", ") -> str:
    """The first few of many numbers, or tuples of numbers, short enough to be read."""
    rows = [value if isinstance(value, tuple) else (value,) for value in values[:6]]
    texts = [template.format(*map(_short, row)) for row in rows]
    return between.join(texts + ["…"] * (len(values) > 6))


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        size = math.log2(abs(value.numerator)) - math.log2(value.denominator)
        return f"{'-' * (value < 0)}2^{size:.0f}"
