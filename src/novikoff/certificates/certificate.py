"""What all certificates share: the order of the checks, and the way to a file and back.

The reader is strict: what is not exactly the documented format is refused. The file is bounded in
size, integers are written in hexadecimal and bounded in length, so reading takes linear time
whatever the file holds.
"""

from __future__ import annotations

import json
import math
import numbers
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from novikoff.certificates.arithmetic import as_integers, check_arithmetic
from novikoff.certificates.fields import read_fields, write_fields
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError, FileError, no_file
from novikoff.files import write_whole
from novikoff.inputs import Table, read_table
from novikoff.wording import count

FORMAT = "novikoff certificate"
VERSION = 1
HEAD = "format:text version:count kind:text numbers:text offset:flag data:object"
MOST_BYTES = 64 * 2**20  # of a proof file

Weights = np.ndarray | Sequence[int | Fraction | float]
KINDS: dict[str, type[Certificate]] = {}  # by the kind that stands in the file


class Certificate(ABC):
    """A claim about the rows that `stamp` speaks of, with all that is needed to check it."""

    stamp: Stamp
    kind: ClassVar[str]
    fields: ClassVar[str]  # of a proof of this kind, besides those of every proof
    signs: ClassVar[tuple[int, ...]] = (-1, 1)  # that rows may have

    @property
    @abstractmethod
    def status(self) -> str: ...  # the verdict that the claim proves

    def says(self, source: str) -> str:
        """What is proven of the rows of `source`, in words."""
        return f"the {count(self.stamp.n_rows, 'row')} of {source} are {self.status}"

    def __init_subclass__(cls) -> None:
        KINDS[cls.kind] = cls

    @abstractmethod
    def _claim(self) -> dict[str, Any]: ...  # the values of `fields`

    @classmethod
    @abstractmethod
    def _of_fields(cls, proof: dict[str, Any], stamp: Stamp) -> Self: ...  # as they were read

    @abstractmethod
    def _check_claim(self, table: Table, signs: np.ndarray) -> None: ...

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
        head = {"format": FORMAT, "version": VERSION, "kind": self.kind, "data": stamp.to_dict()}
        given = {**head, "numbers": stamp.numbers, "offset": stamp.offset, **self._claim()}
        return write_fields(given, f"{HEAD} {self.fields}")

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
    if all(isinstance(value, numbers.Rational) for value in values):
        exact = [Fraction(int(v.numerator), int(v.denominator)) for v in values]  # no numpy ints
        return tuple(v.numerator if v.denominator == 1 else v for v in exact)
    floats = np.array([v if isinstance(v, (float, np.floating)) else np.nan for v in values])
    if not np.isfinite(floats).all():
        raise CertificateError("weights must all be finite floats, or all integers and fractions.")
    floats.flags.writeable = False
    return floats


def smallest_integers(weights: Weights) -> list[int]:
    """The smallest integers that are a positive multiple of the weights: the same direction."""
    whole = as_integers(weights).tolist()
    common = math.gcd(*whole) or 1
    return [value // common for value in whole]


def load_certificate(path: str | os.PathLike[str]) -> Certificate:
    """The certificate in a proof file; CertificateError says what is wrong with the file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise no_file(path, f"cannot read {path}: {error.strerror}.") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    return from_bytes(content, str(path))


def from_bytes(content: bytes, name: str) -> Certificate:
    """The certificate in the bytes of the proof file `name`."""
    if len(content) > MOST_BYTES:
        raise CertificateError(f"{name} has more than {MOST_BYTES} bytes; a proof has fewer.")
    try:
        fields = json.loads(content.decode("utf-8"), object_pairs_hook=_without_repeats)
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"{name} is not JSON ({error}), so it is not a proof.") from None
    return from_dict(fields)


def from_dict(fields: Any) -> Certificate:
    """The certificate that `to_dict` made; every field is checked."""
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise CertificateError(f"this is not a proof: its format is not {FORMAT!r}.")
    kind, version = fields.get("kind"), fields.get("version")
    if type(version) is not int or version != VERSION:
        raise CertificateError(
            f"the proof has version {version!r}; version {VERSION} can be read here."
        )
    if not (isinstance(kind, str) and kind in KINDS):
        raise CertificateError(f"the proof is of kind {kind!r}; it must be {', '.join(KINDS)}.")
    made = KINDS[kind]
    proof = read_fields(fields, f"{HEAD} {made.fields}", "the proof")
    return made._of_fields(proof, Stamp.from_dict(proof["data"], proof["numbers"], proof["offset"]))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise CertificateError("the proof has a field twice.")
    return fields
