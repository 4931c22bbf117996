"""The perceptron of the textbook in the precision of its rows, every score exact. An oracle."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def is_mistake(x, side, w, tie):
    """Whether the exact score of (x, 1) under w is wrong for a row of that side."""
    terms = zip([*x, 1.0], w, strict=True)
    score = sum((Fraction(float(a)) * Fraction(float(b)) for a, b in terms), Fraction(0))
    if tie == "positive" and score == 0:
        return side < 0
    return side * score <= 0


def run(X, sides, orders, *, tie="mistake", sizes=None, start=None, fit_intercept=True):
    """(w, mistakes, passes, converged): passes over `orders`, each a list of row numbers, until
    one is clean; an order of None looks from the first row and ends at the first mistake.
    """
    dtype = X.dtype.type
    w = np.zeros(X.shape[1] + 1, dtype=dtype)
    if start is not None:
        w[: len(start)] = start
    mistakes = passes = 0
    for order in orders:
        before, passes = mistakes, passes + 1
        for i in range(len(X)) if order is None else order:
            size = dtype(1 if sizes is None else sizes[i])
            if size and is_mistake(X[i], sides[i], w, tie):
                step = dtype(sides[i]) * size
                w[:-1] += step * X[i]
                w[-1] += step * dtype(fit_intercept)
                mistakes += 1
                if order is None:
                    break
        if mistakes == before:
            return w, mistakes, passes, True
    return w, mistakes, passes, False
