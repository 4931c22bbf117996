"""Numbers as a reader wants them: exact where that is short, and marked ≈ where it is not."""

from __future__ import annotations

import math
from fractions import Fraction

from novikoff.inputs import Table
from novikoff.wording import written

MOST_CHARACTERS = 20  # of an exact number in a table


def exact_text(value: Fraction | int) -> str:
    """A short decimal or fraction, or ≈ and six figures."""
    text = written(Fraction(value))
    return text if len(text) <= MOST_CHARACTERS else f"≈ {about(value)}"


def about(value: Fraction | int | float) -> str:
    """Six figures of a number of any size."""
    if isinstance(value, float):
        return f"{value:.6g}"
    exact = Fraction(value)
    try:
        rounded = exact.numerator / exact.denominator
    except OverflowError:
        rounded = math.inf
    if exact == 0 or (math.isfinite(rounded) and abs(rounded) > 1e-300):
        return f"{rounded:.6g}"
    size = _log10(abs(exact.numerator)) - _log10(exact.denominator)
    power = math.floor(size)
    return f"{'-' * (exact < 0)}{10 ** (size - power):.5g}e{power:+d}"


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


def _log10(value: int) -> float:
    """Of a positive integer of any size."""
    spare = max(0, value.bit_length() - 64)
    return math.log10(value >> spare) + spare * math.log10(2)
