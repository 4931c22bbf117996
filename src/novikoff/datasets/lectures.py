"""The lectures' worked examples, each with the conventions of its lecture; truth tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.datasets.dataset import Dataset, margin_of, obstruction, rows_and_signs
from novikoff.errors import InputError, one_of

# name: (description, [(row, sign), …], conventions, the weights that the run ends with)
_LECTURES: dict[str, tuple[str, list[tuple[tuple[float, ...], int]], dict[str, Any], list[float]]]
_LECTURES = {
    "000": (
        "Six points, no offset, a tie counts as positive: mistakes on rows 1, 3 and 5, "
        "w = (0,0), (1,-2), (2,-1), (3,1).",
        [((-1, 2), -1), ((1, 0), 1), ((1, 1), 1), ((-1, 0), -1), ((-1, -2), -1), ((1, -1), 1)],
        {"fit_intercept": False, "tie": "positive", "order": "cyclic"},
        [3.0, 1.0, 0.0],
    ),
    "001": (
        "Three points, no offset, start (1, -0.8): weights (2, 1.2), (3, -0.8), (3, 0.2).",
        [((1, 2), 1), ((-1, 2), -1), ((0, -1), -1)],
        {"fit_intercept": False, "tie": "mistake", "order": "cyclic", "start": (1.0, -0.8)},
        [3.0, 0.2, 0.0],
    ),
    "002": (
        "Four points with an offset: 9 mistakes, ending at (4, -0.5) and offset 1.",
        [((-1, 3), -1), ((-1, -1), -1), ((3, -1), 1), ((0, 1.5), 1)],
        {"fit_intercept": True, "tie": "mistake", "order": "cyclic"},
        [4.0, -0.5, 1.0],
    ),
    "003": (
        "o = (1,2) positive, then x = (2,1) negative, with an offset, a tie counts as "
        "positive: the first mistake is on x, the second on o.",
        [((1, 2), 1), ((2, 1), -1)],
        {"fit_intercept": True, "tie": "positive", "order": "cyclic"},
        [-1.0, 1.0, 0.0],
    ),
}

# name: (outputs at 00, 01, 10, 11; an integer separator, if there is one)
_TRUTH_TABLES: dict[str, tuple[tuple[int, int, int, int], list[float] | None]] = {
    "and": ((-1, -1, -1, 1), [2.0, 2.0, -3.0]),
    "or": ((-1, 1, 1, 1), [2.0, 2.0, -1.0]),
    "nand": ((1, 1, 1, -1), [-2.0, -2.0, 3.0]),
    "nor": ((1, -1, -1, -1), [-2.0, -2.0, 1.0]),
    "xor": ((-1, 1, 1, -1), None),
    "implies": ((1, 1, -1, 1), [-2.0, 2.0, 1.0]),
}


def lecture_names() -> tuple[str, ...]:
    """The lectures that have a worked example."""
    return tuple(_LECTURES)


def lecture(name: str) -> Dataset:
    """The worked example of a lecture: '000', '001', '002' or '003'.

    `trace(X, y, **conventions)` is the lecture's run, line by line.
    """
    if name not in _LECTURES:
        known = ", ".join(repr(key) for key in _LECTURES)
        raise InputError(f"lecture {name!r} has no worked example; those that have are {known}.")
    description, rows, conventions, weights = _LECTURES[name]
    X, y = rows_and_signs(rows)
    separator = np.array(weights)
    return Dataset(
        f"lecture:{name}",
        X,
        y,
        description,
        dict(conventions),
        status="separable",
        separator=separator,
        margin=margin_of(X, y, separator),
    )


def truth_table(name: str) -> Dataset:
    """A function of two bits, rows 00, 01, 10, 11: sign + where it is true.

    'and', 'or', 'nand', 'nor', 'implies' are separable (with an offset); 'xor' is not.
    """
    one_of("the truth table", name, tuple(_TRUTH_TABLES))
    outputs, weights = _TRUTH_TABLES[name]
    X = np.array([(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)])
    y = np.array(outputs)
    description = f"The truth table of {name.upper()}, rows 00, 01, 10, 11."
    conventions = {"fit_intercept": True, "tie": "mistake", "order": "cyclic"}
    if weights is None:
        facts: dict[str, Any] = {
            "status": "overlapping",
            "obstruction": obstruction(dict.fromkeys(range(4), 0.25)),
        }
    else:
        separator = np.array(weights)
        facts = {
            "status": "separable",
            "separator": separator,
            "margin": margin_of(X, y, separator),
        }
    return Dataset(name, X, y, description, conventions, **facts)
