"""Numbers as students type them: 0.5, 0,5, 1/2, √5, 3/√2, 1,073, 1e-3, sqrt(5)/2.

A text may have more than one reading: 1,073 is a thousand and seventy-three where people group
digits, and a little more than one where they write a decimal comma. An answer is right if any of
its readings is.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from novikoff.wording import number

_PLAIN = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_DECIMAL = re.compile(rf"[+-]?{_PLAIN}(?:e[+-]?[0-9]{{1,3}})?")
_FACTOR = re.compile(rf"({_PLAIN})?(?:(√)({_PLAIN}))?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?")
_ROOT = re.compile(r"sqrt|\\sqrt")
_LEAST_FIGURES = 2  # of a number that is not whole: one figure would be a guess


@dataclass(frozen=True)
class Reading:
    """One number that a text can stand for; `decimals` is None where it is written exactly."""

    value: float
    figures: int = 0
    decimals: int | None = None


def readings(text: str) -> list[Reading]:
    """The numbers that a typed text can stand for; none where it is no number."""
    folded = _ROOT.sub("√", text.strip().lower()).replace("−", "-").replace("×", "*")
    folded = re.sub(r"[()\s\u00a0\u202f'*{}]", "", folded)
    if re.search(r"√\([^)]*/", _ROOT.sub("√", text)):
        return []  # a root of a quotient: write it as a quotient of roots
    made: list[Reading | None] = [_decimal(one) for one in _spellings(folded)]
    if not made and ("/" in folded or "√" in folded):
        made = [_exact(folded.replace(",", "."))]
    return [one for one in made if one is not None and math.isfinite(one.value)]


def _spellings(text: str) -> list[str]:
    """The decimals with a point that the text can stand for."""
    found = []
    if _DECIMAL.fullmatch(text):
        found.append(text)
    if _GROUPED.fullmatch(text):
        found.append(text.replace(",", ""))
    if text.count(",") == 1 and "." not in text and _DECIMAL.fullmatch(text.replace(",", ".")):
        found.append(text.replace(",", "."))
    return found


def _decimal(text: str) -> Reading:
    mantissa = text.lstrip("+-").partition("e")[0]
    decimals = None if "e" in text else len(mantissa.partition(".")[2])
    return Reading(float(text), len(mantissa.replace(".", "").lstrip("0")), decimals)


def _exact(text: str) -> Reading | None:
    """A quotient of factors such as 3, √2 and 2√5."""
    sign = -1.0 if text.startswith("-") else 1.0
    parts = text.lstrip("+-").split("/")
    values = [_factor(part) for part in parts]
    if len(parts) > 2 or None in values or values[1:] == [0.0]:
        return None
    over = values[1] if len(values) == 2 else 1.0
    return Reading(sign * values[0] / over)  # type: ignore[operator]


def _factor(text: str) -> float | None:
    found = _FACTOR.fullmatch(text)
    if found is None or not text:
        return None
    return float(found[1] or 1.0) * (math.sqrt(float(found[3])) if found[2] else 1.0)


def is_answer(text: str, true: float) -> bool:
    """Whether the text is the true number: as the screen shows it, or rounded to its own figures.

    A number that is not whole needs two figures, unless the screen shows it with one.
    """
    return any(_is_near(one, true) for one in readings(text))


def _is_near(given: Reading, true: float) -> bool:
    shown = float(number(true))
    if given.value in (true, shown) or math.isclose(given.value, true, rel_tol=1e-9):
        return True
    if given.decimals is None or shown == round(shown):
        return False
    is_rounded = abs(given.value - true) <= 0.5000001 * 10.0**-given.decimals
    return given.figures >= _LEAST_FIGURES and is_rounded
