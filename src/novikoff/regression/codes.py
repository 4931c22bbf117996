"""Which code of an outcome is 1, and in which order classes stand: said, or plain, never guessed.

0 and 1, true and false, and an ordered categorical say it themselves, and of two numbers the larger
is 1. Of other texts somebody must say it: alphabetically, 'dead' comes before 'living'.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import is_same_label, read_ordered
from novikoff.inputs.labels import NUMBER, ordered_categories
from novikoff.regression.columns import missing_in, taken
from novikoff.regression.models import MODELS
from novikoff.wording import first_few, keyword, written

TRUTH_WORDS = {"false": 0, "true": 1}


def code_outcomes(
    name: str, options: dict[str, Any], n_rows: int
) -> tuple[dict[str, Any], list[str]]:
    """The options with the outcome's codes as 0 and 1, and what to say about them.

    All rows are looked at that have a code, whatever else they lack: a code means the same
    whichever rows are left out.
    """
    key, positive = MODELS[name].outcome, options.get("positive")
    column = None if key is None else options.get(key)
    if key is None or column is None:
        if positive is not None:
            raise InputError(f"positive is {positive!r}, a code of {key}, which is missing.")
        return options, []
    if MODELS[name].has("trials"):  # then y is a number, unless it is text
        values = np.asarray(column)
        if positive is None and not (values.ndim == 1 and any(map(is_text, values.tolist()))):
            return options, []
        if options.get("trials") is not None or np.size(column) > n_rows:
            raise InputError(f"{key} has labels, and counts of successes are needed beside trials.")
    there = np.flatnonzero(~missing_in(np.asarray(column)))
    values = taken(in_own_order(column), there)
    categories = ordered_categories(values)
    found, codes = read_ordered(values, len(there), key)
    labels = [plain(label) for label in found]
    if positive is not None:  # where there is but one label, it may be the other
        bits = [int(is_same_label(label, positive)) for label in labels]
        if sum(bits) != 1 and len(labels) > 1:
            raise InputError(
                f"positive is {positive!r}, and {key} has the codes {listed(labels)}; choose one "
                "of them."
            )
    elif categories is not None and len(categories) == 2:
        labels = [*labels, *(label for label in categories if label not in labels)]
        bits = [int(label == categories[1]) for label in labels]
    else:
        bits = _bits(labels, key)
    coded = np.zeros(n_rows, dtype=np.int64)
    coded[there] = np.array(bits)[codes]
    notes, pairs = [], list(zip(labels, bits, strict=True))
    if any(_number(label) != bit for label, bit in pairs):
        ones, zeros = ([label for label, bit in pairs if bit == one] for one in (1, 0))
        said = listed(ones) if ones else f"no label of {key}"
        others = f", and {listed(zeros)} as 0" if zeros else ""
        notes = [f"{said} counts as 1 in {key}{others}"]
    return {**options, key: coded}, notes


def _bits(labels: list[Any], name: str) -> list[int]:
    """0 or 1 for each label, where that is plain."""
    numbers = [_number(label) for label in labels]
    if all(number in (0, 1) for number in numbers):
        return [int(number) for number in numbers if number is not None]
    words = [label.strip().lower() if isinstance(label, str) else "" for label in labels]
    if all(word in TRUTH_WORDS for word in words):
        return [TRUTH_WORDS[word] for word in words]
    shares = any(number is not None and 0 < number < 1 for number in numbers)
    if len(labels) == 2 and not shares and None not in numbers:
        return [0, 1]
    has = f"{name} has the code{'s' * (len(labels) > 1)} {listed(labels)}"
    if len(labels) <= 2 and not shares:
        options = " or ".join(keyword("positive", label) for label in labels)
        raise InputError(f"{has}; say which counts as 1 ({options}), or give 0s and 1s.")
    cure = f"{keyword('positive')} sets one of them against the others"
    if name == "y":
        cure += f", shares between 0 and 1 are for {keyword('model', 'binomial')}, and more "
        cure += f"classes for {keyword('model', 'multinomial')}"
    else:
        cure = f"it must be 0 for censoring and 1 for an event, or {cure}"
    raise InputError(f"{has}; {cure}.")


def in_order(y: Any, labels: list[Any], order: Any) -> tuple[list[Any], list[str]]:
    """The classes of an ordinal response from the lowest to the highest, and what to say of it."""
    categories, classes = ordered_categories(y), labels
    if order is not None:
        if isinstance(order, (str, bytes)) or not hasattr(order, "__getitem__"):
            raise InputError(f"order is {order!r}; it must be a list of classes.")
        wanted = [plain(label) for label in list(order)]
        classes = [next((k for k in labels if is_same_label(k, one)), one) for one in wanted]
        missing = [label for label in labels if label not in classes]
        if missing or len(set(classes)) < len(classes):
            what = f"lacks {listed(missing)}" if missing else "names a class twice"
            raise InputError(
                f"order {what}; name each class of y once, from the lowest to the highest."
            )
    elif categories is not None:
        classes = list(categories)
    elif any(map(is_text, labels)):
        raise InputError(
            f"y has the classes {listed(labels)}, whose order is not said; give all of them in "
            f"{keyword('order')} from the lowest to the highest, or an ordered categorical."
        )
    empty = [label for label in classes if label not in labels]
    return classes, [f"nobody has the class {listed(empty)}"] if empty else []


def in_own_order(y: Any) -> Any:
    """A categorical of pandas without an order, as one whose levels stand in the order they have.

    R, and OrderedModel of statsmodels, take the levels of a factor in that order too. Levels that
    nobody has are left out: they were not said to lie between others. Texts in the order of the
    alphabet are nobody's choice: pandas puts them so.
    """
    dtype = getattr(y, "dtype", None)
    if getattr(dtype, "ordered", True) or not hasattr(dtype, "categories"):
        return y
    part = getattr(y, "cat", y)  # a Series, or the Categorical itself
    used = part.remove_unused_categories()
    levels = list(getattr(used, "cat", used).categories)
    if any(isinstance(level, str) for level in levels) and levels == sorted(levels, key=str):
        return y
    return getattr(used, "cat", used).as_ordered()


def plain(label: Any) -> Any:
    """A label as Python has it; a whole fraction as an integer."""
    label = label.item() if isinstance(label, np.generic) else label
    return int(label) if isinstance(label, Fraction) and label.denominator == 1 else label


def listed(labels: Sequence[Any]) -> str:
    """Some labels, as they are written, and that there are more."""

    def shown(label: Any) -> str:
        if isinstance(label, float) and label.is_integer():
            return str(int(label))
        return repr(label) if isinstance(label, (str, bytes)) else written(label)

    return first_few(labels, show=shown)


def is_text(label: Any) -> bool:
    """Whether a label is a text that is no number."""
    return isinstance(label, (str, bytes)) and _number(label) is None


def _number(label: Any) -> float | None:
    """The number that a label is, or that its text writes; None where it is none."""
    text = label.decode("ascii", "replace") if isinstance(label, bytes) else label
    if isinstance(text, str):
        return float(text) if NUMBER.fullmatch(text) else None
    return float(text) if isinstance(text, Real | Decimal) else None
