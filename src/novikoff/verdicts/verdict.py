"""Verdict: the answer of `certify`, its proof, and what follows from it."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates import Certificate, Obstruction, Reading
from novikoff.inputs import Labels
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import collinear_columns, collinear_if_quick
from novikoff.search.decide import Findings
from novikoff.search.margins import margin_above, radius
from novikoff.search.recession import infinite_columns
from novikoff.search.shrunk import Shrunk, shrunk
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest
from novikoff.verdicts.collinear import Collinear

if TYPE_CHECKING:
    from novikoff.display import BoundaryDisplay

OFFSET_NAME = "(intercept)"
QUICK = 5_000_000  # rows × columns²: up to here, columns are worked out in passing
MARGIN_ROUNDS = 2  # of the search for the largest margin, whose bracket is only to be useful
MARGIN_RTOL = 0.1
MARGIN_SECONDS = 2.0


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """What is true of the rows, exactly, and the proof.

    Attributes
    ----------
    status : 'separable', 'quasi-separable', 'overlapping' or 'undecided'
    certificate : Separator, QuasiSeparator, Obstruction, or None where undecided
    rows : the few rows (at most d + 2) that alone rule out a strict separator, by their number
        in X, counted from 0, or in the file that X was read from, where rows that were left out
        have numbers too; empty for separable data. `row_names` has what a DataFrame's index
        calls them
    reading : how the rows came out of a file, where they did: `.notes` says what was encoded,
        left out or rounded, `.options` is what `read` must be told to do it again
    how : the methods that found the proof, in the order in which they were needed
    stages : seconds spent in each stage of the search, the exact check included
    seconds : seconds in all
    """

    status: str
    certificate: Certificate | None
    rows: tuple[int, ...]
    how: tuple[str, ...]
    stages: dict[str, float]
    seconds: float
    labels: Labels
    signed_rows: SignedRows
    findings: Findings
    reading: Reading | None = None

    @property
    def places(self) -> tuple[int, ...]:
        """Where the rows that rule out a strict separator stand in X."""
        found = self.findings.obstruction
        return () if found is None else tuple(sorted(found[0].tolist()))

    def number(self, place: int) -> int:
        """The number, from 0, of a row of X in the file that X was read from."""
        return place if self.reading is None else self.reading.number(place)

    @property
    def n_rows(self) -> int:
        return self.signed_rows.table.n_rows

    @property
    def n_columns(self) -> int:
        return self.signed_rows.table.n_columns

    @property
    def fit_intercept(self) -> bool:
        return self.signed_rows.fit_intercept

    @property
    def numbers(self) -> str:
        """Which numbers the verdict speaks of: 'binary64', 'decimal' or 'rational'."""
        return self.signed_rows.table.numbers

    @property
    def row_names(self) -> tuple[Any, ...]:
        """`rows` as the DataFrame's index names them; their numbers where X has no index."""
        return tuple(self.signed_rows.table.row_name(i) for i in self.rows)

    @cached_property
    def collinear(self) -> Collinear:
        """The columns that depend on earlier ones on all rows, each with its dependence.

        The offset comes first, then the columns in their order. The coefficients of these columns
        are neither finite nor infinite: they are not determined. Exact, whatever the status, and
        computed when first asked for.
        """
        return Collinear(collinear_columns(self.signed_rows), self._column_name)

    def collinear_if_quick(self) -> Collinear | None:
        """`collinear` if it is known already, or a matter of a second; else None."""
        if "collinear" not in self.__dict__:
            found = collinear_if_quick(self.signed_rows)
            if found is None:
                return None
            self.__dict__["collinear"] = Collinear(found, self._column_name)
        return self.collinear

    @cached_property
    def columns(self) -> dict[str, str] | None:
        """The columns whose maximum-likelihood coefficient is infinite, by name, with its sign.

        '+' or '-' where every direction in which the likelihood of a logistic regression keeps
        rising agrees, else 'either'. Columns that are `collinear` are left out of the model
        before it is asked. Computed when first asked for, exactly: two questions a column. Empty
        for overlapping data; None where undecided. The offset is called '(intercept)', or
        `offset_name` where a column of X has that name.
        """
        if self.status == "undecided":
            return None
        known = self.findings.separator
        if known is None:
            known = self.findings.weak_separator
        if self.status == "overlapping" or known is None:
            return {}
        rows, weights = self._shrunk.rows, self._shrunk.inward(known)
        found = infinite_columns(rows, weights, self.collinear.places, Clock())
        return {self._column_name(j): sign for j, sign in found.items()}

    def columns_if_quick(self) -> dict[str, str] | None:
        """`columns` if they are known already, or few enough to be worked out in passing."""
        if "columns" in self.__dict__:
            return self.columns
        few = self.n_rows * self.n_columns * self.n_columns <= QUICK
        return self.columns if few and self.collinear_if_quick() is not None else None

    @property
    def offset_name(self) -> str:
        """What the offset is called in `columns` and `collinear`: no column has this name."""
        name = OFFSET_NAME
        while name in (self.signed_rows.table.names or ()):
            name = f"({name})"
        return name

    def _column_name(self, j: int) -> str:
        return self.offset_name if j == self.n_columns else self.signed_rows.table.column_name(j)

    @property
    def margin(self) -> tuple[float, float]:
        """(lower, upper) around the margin γ of the rows with their 1; both hold after rounding.

        (0, 0) where no strict separator exists. `max_margin` closes the bracket.
        """
        lower, upper = self._margin
        return self._shrunk.below(lower), self._shrunk.above(upper)

    @cached_property
    def _shrunk(self) -> Shrunk:
        return shrunk(self.signed_rows)

    @cached_property
    def _margin(self) -> tuple[float, float]:
        """The margin of the shrunk rows."""
        if self.status in ("quasi-separable", "overlapping"):
            return 0.0, 0.0
        if self.findings.separator is None:
            return 0.0, self._upper_margin()
        rows = self._shrunk.rows
        widest = Widest(rows, False, Clock(MARGIN_SECONDS))
        with one_thread(rows.dim), suppress(OutOfTimeError):
            widest.start(self._shrunk.inward(self.findings.separator))
            widest.close(MARGIN_RTOL, MARGIN_ROUNDS)
        return widest.lower, min(widest.upper, self._upper_margin())

    def _upper_margin(self) -> float:
        z = self._shrunk.rows
        if self.findings.balance is not None and len(self.findings.balance[0]):
            rows, weights = self.findings.balance
        else:
            step = max(1, self.n_rows // 1000)
            rows = z.rows[::step]
            weights = np.ones(len(rows))
        return margin_above(z, rows, weights)

    @cached_property
    def point(self) -> tuple[Fraction, ...] | None:
        """The point that the hulls of the two classes share, exactly; None where they share none.

        Without an offset it is a direction that the cones of both classes share.
        """
        if self.certificate is None or self.findings.obstruction is None:
            return None
        rows, multipliers = self.findings.obstruction
        shown = Obstruction(rows.tolist(), multipliers, False, self.certificate.stamp)
        return shown.point(self.signed_rows.table)

    def plot(self, ax: Any = None) -> BoundaryDisplay:
        """Draw the separator, or the hulls and what they share (needs matplotlib)."""
        # Pictures are a layer above: found by name, so that nothing here depends on them.
        display: type[BoundaryDisplay] = import_module("novikoff.display").BoundaryDisplay
        return display.from_verdict(self, ax=ax)

    def report(self, path: str | os.PathLike[str], source: str | None = None) -> None:
        """Write one HTML file with the answer, pictures, tables and proof (needs matplotlib).

        `source` is what the data is called, such as its file.
        """
        import_module("novikoff.report").write_report(self, path, source)

    @property
    def radius(self) -> float:
        """R, the largest norm of a row with its 1, about the origin; rounded up."""
        return self._shrunk.above(self._radius)

    @cached_property
    def _radius(self) -> float:
        return radius(self._shrunk.rows)

    @property
    def mistake_bound(self) -> int | None:
        """(R/γ)² for the proven lower γ: no run of the perceptron from zeros makes more mistakes.

        None where no margin is proven.
        """
        lower = self._margin[0]
        if lower == 0.0 or not math.isfinite(self._radius):
            return None
        return math.floor(Fraction(self._radius) ** 2 / Fraction(lower) ** 2)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as numbers, lists and texts that JSON can hold, without the proof.

        `columns` and `collinear` are None where they have not been asked for and would take long.
        """
        collinear = self.collinear_if_quick()
        negative, positive = self.labels.classes
        return {
            "status": self.status,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "negative": str(negative),
            "positive": str(positive),
            "offset": self.fit_intercept,
            "numbers": self.numbers,
            "certificate": None if self.certificate is None else self.certificate.kind,
            "rows": list(self.rows),
            "row_names": [str(name) for name in self.row_names],
            "notes": [] if self.reading is None else list(self.reading.notes),
            "left_out": 0 if self.reading is None else self.reading.n_left_out,
            "columns": self.columns_if_quick(),
            "collinear": None if collinear is None else collinear.to_dict(),
            "margin": list(self.margin),
            "radius": self.radius,
            "mistake_bound": _json_number(self.mistake_bound),
            "how": list(self.how),
            "stages": dict(self.stages),
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        from novikoff.verdicts.words import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from novikoff.verdicts.words import as_html

        return as_html(self)

    def __repr__(self) -> str:
        return f"<Verdict {self.status}: {self.n_rows} × {self.n_columns}>"


def _json_number(value: int | None) -> int | float | None:
    """An integer that every reader of JSON keeps; a larger one as a float that is not below it."""
    if value is None or value <= 2**53:
        return value
    try:
        return math.nextafter(float(value), math.inf)
    except OverflowError:
        return None
