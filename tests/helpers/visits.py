"""The perceptron visit by visit, in exact arithmetic. An oracle for averages, votes and pockets.

Rows must be dyadic and small, so that training in floats does not round either.
"""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novikoff.loops.compiled import Loop


def exact(values):
    """An array of Fractions."""
    return np.vectorize(Fraction, otypes=[object])(np.asarray(values, dtype=np.float64))


def weights(clf):
    """(lines, columns + 1): the coefficients of a linear member, the offsets last."""
    return np.column_stack([clf.coef_, clf.intercept_])


def with_constant(X, fit_intercept=True):
    return exact(np.column_stack([X, np.full(len(X), float(fit_intercept))]))


def is_mistake(score, side, tie="mistake"):
    return side < 0 if tie == "positive" and score == 0 else side * score <= 0


def line_over_visits(Z, sides, orders, *, sizes=None, tie="mistake"):
    """The weights at the start and after each visit of a row of Z, for one line.

    The same object is there again just when a visit was no mistake.
    """
    w = exact(np.zeros(Z.shape[1]))
    after = [w]
    for i in (i for order in orders for i in order):
        if is_mistake(Z[i] @ w, sides[i], tie):
            w = w + int(sides[i]) * (1 if sizes is None else Fraction(float(sizes[i]))) * Z[i]
        after.append(w)
    return after


def joint_mistake(row, target, W, tie):
    """The rival that the row was lost to, or None."""
    scores = W @ row
    others = [c for c in range(len(W)) if c != target]
    best = max(scores[others])
    rival = [c for c in others if scores[c] == best][-1 if tie == "positive" else 0]
    is_lost_tie = scores[target] == best and not (tie == "positive" and rival < target)
    return rival if scores[target] < best or is_lost_tie else None


def joint_over_visits(Z, y, n_classes, orders, *, sizes=None, tie="mistake"):
    """The matrix of weights at the start and after each visit, for classes learnt together."""
    W = exact(np.zeros((n_classes, Z.shape[1])))
    after = [W]
    for i in (i for order in orders for i in order):
        rival = joint_mistake(Z[i], y[i], W, tie)
        if rival is not None:
            W = W.copy()
            size = 1 if sizes is None else Fraction(float(sizes[i]))
            W[y[i]] = W[y[i]] + size * Z[i]
            W[rival] = W[rival] - size * Z[i]
        after.append(W)
    return after


def rows_beyond_floats(seed, n):
    """Whole rows, small ones first, and labels 0 to 2. Sums of later rows are floats, scores are
    not: where their parts of 2^60 cancel, small ones decide, which floats have lost.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers([-1, -9] * 4, [2, 10] * 4, (n, 8)) * ([2.0**30, 1.0] * 4)
    X[:8, ::2] = 0.0
    return X, np.arange(n) % 3


@st.composite
def problems(draw, n_classes=None):
    """Halves rich in ties, labels 0 … that all occur, in either precision."""
    n_classes = n_classes or draw(st.sampled_from([2, 3, 4]))
    n, d = draw(st.integers(n_classes, 9)), draw(st.integers(1, 3))
    X = draw(arrays(np.float64, (n, d), elements=st.integers(-3, 3))) / 2
    y = draw(arrays(np.int64, n, elements=st.integers(0, n_classes - 1)))
    y[:n_classes] = np.arange(n_classes)
    return X.astype(draw(st.sampled_from([np.float64, np.float32]))), y


@contextmanager
def interpreted():
    """Loops as they are written: no time is lost on compiling them for every kind of rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loop, "for_work", lambda self, _: self)
        yield


TIES = st.sampled_from(["mistake", "positive", "zero"])
ORDERS = st.sampled_from(["cyclic", "shuffled", "given"])


def orders_of(order, n, passes, seed):
    """The parameter `order`, and the orders of the passes that it stands for."""
    random = np.random.RandomState(seed)
    if order == "shuffled":
        return order, [random.permutation(n) for _ in range(passes)]
    if order == "given":
        order = random.permutation(n)
        return order, [order] * passes
    return order, [range(n)] * passes


def sides_of(y, n_classes):
    """For each line, the side of every row on it."""
    positives = [1] if n_classes == 2 else range(n_classes)
    return [np.where(y == c, 1, -1) for c in positives]
