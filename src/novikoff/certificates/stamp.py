"""What a proof says about its data, so that it cannot be taken for a proof about other data."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Derivation
from novikoff.certificates.digest import digest_of
from novikoff.certificates.fields import read_fields, write_fields
from novikoff.certificates.reading import Reading
from novikoff.errors import CertificateError
from novikoff.inputs import Labels, Table, read_classes

NUMBERS = ("binary64", "decimal", "rational")
_FIELDS = """rows:count columns:count negative:?text positive:?text label:?text digest:text
    reading?:object derivation?:object"""
Source = Callable[[], tuple[Table, np.ndarray]]  # the rows and their signs, when asked for


@dataclass(frozen=True, eq=False)
class Stamp:
    """Size, labels, numbers, offset and digest of the rows that a certificate speaks of.

    The rows of a regression are its design table with the response columns after it, and have no
    labels.

    The digest is computed when it is first asked for: until then the stamp keeps hold of the
    rows, and refuses where they were changed in place.
    """

    n_rows: int
    n_columns: int
    numbers: str  # 'binary64', 'decimal' or 'rational': how the numbers are to be read
    offset: bool
    negative: str | None
    positive: str | None
    label: str | None  # the name of the label column, where the rows came from a file
    source: str | Source = field(repr=False)  # the digest, or what it is of
    reading: Reading | None = None  # how the rows came out of a file
    derivation: Derivation | None = None  # and what made the table of a regression out of them

    @classmethod
    def of(
        cls, table: Table, labels: Labels | None, fit_intercept: bool, label: str | None = None,
        reading: Reading | None = None, derivation: Derivation | None = None,
    ) -> Stamp:  # fmt: skip
        """The stamp of these rows and labels, or of a regression's data."""
        negative, positive = (None, None) if labels is None else map(str, labels.classes)
        signs = np.ones(table.n_rows, dtype=np.int8) if labels is None else labels.signs
        return cls(
            table.n_rows, table.n_columns, table.numbers, bool(fit_intercept), negative, positive,
            label, lambda: (table.unchanged(), signs), reading, derivation,
        )  # fmt: skip

    @classmethod
    def of_rows(cls, n_rows: int, n_columns: int, offset: bool) -> Stamp:
        """The stamp of rows that are made again by whoever checks, and so have no digest."""
        return cls(n_rows, n_columns, "rational", offset, "-", "+", None, "0" * 64)

    def __post_init__(self) -> None:
        for name in ("n_rows", "n_columns"):  # Python's integers, which never wrap around
            if isinstance(getattr(self, name), np.integer):
                object.__setattr__(self, name, int(getattr(self, name)))
        sizes = (self.n_rows, self.n_columns)
        if not all(type(size) is int and 1 <= size < 2**62 for size in sizes):
            raise CertificateError("the data of a proof must have at least 1 row and 1 column.")
        if self.numbers not in NUMBERS:
            raise CertificateError(
                f"a proof speaks of {' or '.join(NUMBERS)} numbers, not of {self.numbers!r}."
            )
        if self.negative == self.positive is not None:
            raise CertificateError(f"both labels of the proof are {self.negative!r}.")
        if (self.negative is None) != (self.positive is None):
            raise CertificateError("a proof has two labels, or none.")
        if isinstance(self.source, str) and not re.fullmatch("[0-9a-f]{64}", self.source):
            raise CertificateError("the digest of a proof must be 64 hexadecimal digits.")

    @property
    def digest(self) -> str:
        if not isinstance(self.source, str):
            object.__setattr__(self, "source", digest_of(*self.source()))
        return str(self.source)

    def to_dict(self) -> dict[str, Any]:
        """The data of a proof as plain JSON."""
        reading, derivation = (way and way.to_dict() for way in (self.reading, self.derivation))
        given = {**vars(self), "rows": self.n_rows, "columns": self.n_columns}
        given |= {"digest": self.digest, "reading": reading, "derivation": derivation}
        return write_fields(given, _FIELDS)

    @classmethod
    def from_dict(cls, fields: Any, numbers: str, offset: bool) -> Stamp:
        """What to_dict made; CertificateError where it is anything else."""
        found = read_fields(fields, _FIELDS, "its data")
        reading, derivation = found.get("reading"), found.get("derivation")
        return cls(
            found["rows"], found["columns"], numbers, offset, found["negative"], found["positive"],
            found["label"], found["digest"],
            None if reading is None else Reading.from_dict(reading),
            None if derivation is None else Derivation.from_dict(derivation),
        )  # fmt: skip

    def number(self, row: int) -> int:
        """The number of a row of the proof in the file that it came from, from 0."""
        return row if self.reading is None else self.reading.number(row)

    def __getstate__(self) -> dict[str, Any]:
        """A stamp travels with its digest, never with the rows."""
        return {**self.__dict__, "source": self.digest}

    def __str__(self) -> str:
        offset = "with" if self.offset else "without"
        size = f"{self.n_rows} × {self.n_columns}"
        return f"{size} {self.numbers} numbers, {offset} an offset"

    def check_size(self, table: Table) -> None:
        """Raise unless the table has the size that the proof speaks of."""
        if (table.n_rows, table.n_columns) != (self.n_rows, self.n_columns):
            raise CertificateError(
                f"X has {table.n_rows} rows and {table.n_columns} columns; the proof speaks of "
                f"{self.n_rows} rows and {self.n_columns} columns."
            )

    def read_signs(self, y: Any) -> np.ndarray:
        """y as signs, by the text of the two labels that the proof speaks of."""
        found, codes = read_classes(y, self.n_rows)
        texts = [str(v.item() if isinstance(v, np.generic) else v) for v in found]
        if sorted(texts) != sorted((str(self.negative), str(self.positive))):
            shown = ", ".join(map(repr, texts[:3])) + ", …" * (len(texts) > 3)
            raise CertificateError(
                f"y has the labels {shown}; the proof speaks of "
                f"{self.negative!r} and {self.positive!r}."
            )
        return np.where(codes == texts.index(str(self.positive)), 1, -1).astype(np.int8)

    def check_data(self, table: Table, signs: np.ndarray) -> None:
        """Raise unless these are the rows, numbers and signs that the proof speaks of.

        Integers are the same numbers in decimal and in binary; 0.1 is not.
        """
        crossed = (table.numbers == "binary64") != (self.numbers == "binary64")
        if crossed and not _holds_integers(table):
            raise CertificateError(
                f"the proof speaks of {self.numbers} numbers; X holds {table.numbers} numbers."
            )
        if digest_of(table, signs) != self.digest:
            raise CertificateError(
                "X and y are not the data that the proof speaks of: their digest is another."
            )


def _holds_integers(table: Table) -> bool:
    if table.exact is not None:
        return all(value.denominator == 1 for value in table.exact.flat)
    values = table.matrix.data if table.is_sparse else table.matrix
    return all(np.array_equal(part, np.trunc(part)) for part in np.array_split(values, 64))
