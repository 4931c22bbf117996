"""Numbers as a reader wants them: exact where that is short, and marked ≈ where it is not."""

from __future__ import annotations

from fractions import Fraction

from novikoff.inputs import Table
from novikoff.verdicts.numerals import about
from novikoff.wording import written

MOST_CHARACTERS = 20  # of an exact number in a table


def exact_text(value: Fraction | int) -> str:
    """A short decimal or fraction, or ≈ and six figures."""
    text = written(Fraction(value))
    return text if len(text) <= MOST_CHARACTERS else f"≈ {about(value)}"


def count_text(value: int) -> str:
    """A whole number with its thousands apart, or its size where it is very long."""
    return f"{value:,}".replace(",", "\u202f") if value < 10**15 else f"≈ {about(value)}"


def cells(table: Table, row: int, columns: int) -> list[str]:
    """The first few numbers of a row, as they are."""
    if table.exact is not None:
        return [exact_text(value) for value in table.exact[row, :columns]]
    values = table.dense_rows([row])[0, :columns].tolist()
    return [repr(value).removesuffix(".0") for value in values]


def seconds_text(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1e-3 else "under 1 ms"
