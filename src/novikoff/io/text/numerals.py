"""Numbers with another decimal mark than the point, or with marks between thousands; words that
stand for a missing value.

Only where that was asked for: 1.234 is one number here and another there, and which was meant
cannot be seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from novikoff.io.fields import (
    MISSING,
    FieldError,
    MissingError,
    as_float,
    as_fraction,
    complaint,
    is_infinite,
    is_number,
    missing_value,
    shown,
)
from novikoff.io.text.notation import numeral_form
from novikoff.wording import keyword


@dataclass(frozen=True)
class Numerals:
    """How numbers are written in a table; the usual way is that of io/fields.py."""

    decimal: str = "."
    thousands: str | None = None
    na: frozenset[str] = frozenset()  # what stands for a missing value, beside the usual words

    @property
    def is_usual(self) -> bool:
        return self.decimal == "." and self.thousands is None and not self.na

    def is_missing(self, field: str) -> bool:
        return field in MISSING or field in self.na

    @property
    def arguments(self) -> str:
        """The arguments of `read` that name this notation."""
        thousands = f" and {keyword('thousands', self.thousands)}" if self.thousands else ""
        return f"{keyword('decimal', self.decimal)}{thousands}"

    def usual(self, field: str) -> str | None:
        """The field in the usual notation; None if it is no number in this one."""
        if field in self.na:
            return None
        if self.decimal == "." and self.thousands is None:
            return field if is_number(field) else None
        found = numeral_form(self.decimal, self.thousands).fullmatch(field)
        if found is None:
            return None
        whole = re.sub(r"\D", "", found["whole"] or "")
        part = found["part"] or found["only"] or ""
        return f"{found['sign']}{whole or '0'}.{part or '0'}{found['power'] or ''}"

    def is_number(self, field: str) -> bool:
        return self.usual(field) is not None

    def as_float(self, field: str) -> float:
        """The nearest float64, or FieldError."""
        return as_float(field) if self.is_usual else as_float(self._given(field))

    def as_fraction(self, field: str) -> Fraction:
        """The number as written, or FieldError."""
        return as_fraction(field) if self.is_usual else as_fraction(self._given(field))

    def _given(self, field: str) -> str:
        usual = self.usual(field)
        if usual is None:
            if self.is_missing(field):
                raise MissingError(missing_value(field))
            if is_infinite(field) or (self.decimal == "." and self.thousands is None):
                raise FieldError(complaint(field))
            what = f"the value is {shown(field)}, which is no number"
            raise FieldError(f"{what} with {self.arguments}")
        return usual


USUAL = Numerals()
