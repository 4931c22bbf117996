"""Numbers of an answer in a few figures, rounded outward where they are bounds, and for JSON."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def about(value: Fraction | float, figures: int = 6) -> str:
    """So many figures of a number of any size."""
    near = nearest(value)
    if isinstance(near, Decimal):
        near = near.normalize(Context(figures))
    return f"{near:.{figures}g}"


def nearest(value: Fraction | float) -> float | Decimal:
    """The nearest float, or a decimal where the value is beyond floats, large or small."""
    try:
        near = float(value)
    except OverflowError:
        near = 0.0
    if near or not value or isinstance(value, float):
        return near
    return Decimal(value.numerator) / Decimal(value.denominator)


def bound_text(bound: int | None) -> str:
    """A number of mistakes, exactly or, where it is very long, as a power of ten above it."""
    if bound is None:
        return "finitely many"
    return str(bound) if bound < 10**15 else f"10^{len(str(bound - 1))}"


def below(value: float | Fraction, figures: int = 6) -> str:
    """A few figures of a lower bound, rounded down: still one."""
    return _rounded(Fraction(value), Context(figures, ROUND_FLOOR))


def above(value: float | Fraction, figures: int = 6) -> str:
    """A few figures of an upper bound, rounded up."""
    return (
        "inf" if value == math.inf else _rounded(Fraction(value), Context(figures, ROUND_CEILING))
    )


def _rounded(value: Fraction, context: Context) -> str:
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    number = float(rounded)
    if math.isfinite(number) and (number or not rounded):
        return f"{number:.{context.prec}g}"
    return f"{rounded.normalize():e}"  # beyond the floats


def at_least(value: float | None) -> int | float | None:
    """A bound as JSON holds it: whole numbers beyond 2^53 as a float that is not below them.

    None for what no float holds.
    """
    if value is None or (isinstance(value, int) and value <= 2**53):
        return value
    try:
        number = float(value)
    except OverflowError:
        return None
    if isinstance(value, int):
        number = math.nextafter(number, math.inf)
    return number if math.isfinite(number) else None


def as_json(value: Fraction | int | None) -> int | float | str | None:
    """An exact number as JSON holds it: a text where no float does."""
    if value is None or isinstance(value, int):
        return value
    near = nearest(value)
    return near if isinstance(near, float) else str(near)
