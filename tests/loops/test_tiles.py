"""Tiles of rows and lines: the mistakes and weights of the textbook, wherever a mistake falls."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from novikoff.loops.bounds import norm_bound_of
from novikoff.loops.perceptron import NOT_FINITE, perceptron_pass
from novikoff.loops.rows import as_rows
from novikoff.loops.tiles import COLUMNS_WORTH_A_TILE, ROWS_A_TILE, tile_for
from test_loops import pass_over


def quarters(rng, n, n_classes, width):
    """Whole numbers, to be divided by four, that class c has large in column c; and the classes."""
    targets = rng.integers(0, n_classes, size=n)
    K = rng.integers(-2, 3, size=(n, width))
    K[np.arange(n), targets] += 40
    return K, targets


def start_of(n_lines, width):
    """In quarters: a line for each class that is right on all of `quarters`."""
    start = np.zeros((n_lines, width + 1), dtype=np.int64)
    start[np.arange(n_lines), np.arange(n_lines)], start[:, -1] = 4, -20
    return start


def textbook(K, targets, order, start, ties_positive):
    """Weights in quarters, the mistakes of each line, and (place, line) of each mistake."""
    Z, W = np.column_stack([K, np.full(len(K), 4)]), start.copy()
    mistakes, tape = np.zeros(len(W), dtype=np.int64), set()
    for place, i in enumerate(order):
        for c, score in enumerate(W @ Z[i]):
            side = 1 if targets[i] == c else -1
            if side * score < 0 or (score == 0 and not (ties_positive and side > 0)):
                W[c] += side * Z[i]
                mistakes[c] += 1
                tape.add((place, c))
    return W, mistakes, tape


def burst(rng, targets, n_classes, first, length):
    """Other classes for some rows in a row."""
    few = targets[first : first + length]
    few += rng.integers(1, n_classes, size=len(few))
    few %= n_classes


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n_lines", range(1, 12))
def test_a_pass_in_tiles_is_that_of_the_textbook(dtype, n_lines):
    rng = np.random.default_rng([n_lines, np.dtype(dtype).itemsize])
    for width in (COLUMNS_WORTH_A_TILE, COLUMNS_WORTH_A_TILE + 1, COLUMNS_WORTH_A_TILE + 5):
        n_classes, block = n_lines + 1, 32768 // (width + 1)
        n = block + int(rng.integers(40, 80))
        K, targets = quarters(rng, n, n_classes, width)
        for first in rng.integers(block, n, size=3):  # several mistakes in one tile
            burst(rng, targets, n_classes, first, int(rng.integers(1, 2 * ROWS_A_TILE)))
        ties = rng.integers(block, n, size=6)
        K[ties, targets[ties]] = 20
        order = np.arange(n) if width == COLUMNS_WORTH_A_TILE else rng.permutation(n)
        order, ties_positive = order.astype(np.int32), bool(rng.integers(2))
        start = start_of(n_lines, width)
        expected, mistakes, tape = textbook(K, targets, order, start, ties_positive)
        assert mistakes.sum() > 3
        rows, lines = as_rows((K / 4).astype(dtype), True), np.arange(n_lines)
        ones, gains = np.ones(1, dtype), np.ones((n_lines, 2), dtype)
        sums, written = np.zeros(start.shape), np.empty((n * n_lines, 2), dtype=np.int64)
        W, counts = (start / 4).astype(dtype), np.zeros(n_lines, np.int64)
        norm_bounds, radii = np.array([norm_bound_of(w) for w in W]), np.zeros(n_lines)
        found = perceptron_pass.fast(
            rows, targets.astype(np.int8), order, lines, lines, W, ones, gains, ties_positive,
            False, norm_bounds, radii, True, counts, 0, sums, written, tile_for(rows, lines),
        )  # fmt: skip
        assert np.array_equal(4 * W.astype(np.float64), expected)
        assert np.array_equal(counts, mistakes)
        assert found == mistakes.sum()
        longest = np.sqrt(np.square(K / 4).sum(axis=1).max() + 1)
        assert ((radii >= longest) & (radii < 1.01 * longest)).all()
        assert {tuple(entry) for entry in written[:found].tolist()} == tape
        Z = np.column_stack([K, np.full(n, 4)])
        moments = np.zeros(start.shape)
        for place, c in tape:
            moments[c] += place * (1 if targets[order[place]] == c else -1) * Z[order[place]]
        assert np.array_equal(4 * sums, moments)


def five_lines(w, n_easy, X):
    """Line 0 is w; all others say no to every row. Rows far from w's plane come first."""
    easy = np.tile(w[:-1], (n_easy, 1))
    W = np.zeros((5, len(w)))
    W[0], W[1:, -1] = w, -1.0
    return np.concatenate([easy, X]), W


def one_pass(X, targets, W):
    return pass_over(perceptron_pass.fast, X, targets, W, tiles=True)[:2]


def test_rows_in_a_tile_that_only_rounding_puts_on_the_wrong_side_are_no_mistakes():
    rng = np.random.default_rng(3)
    w = np.append(rng.normal(size=COLUMNS_WORTH_A_TILE), 0.0)
    X = rng.normal(size=(30, COLUMNS_WORTH_A_TILE))
    X -= np.outer(X @ w[:-1] / (w @ w), w[:-1])
    exact = [sum(Fraction(a) * Fraction(b) for a, b in zip(x, w, strict=False)) for x in X.tolist()]
    computed = X @ w[:-1]
    assert any((score > 0) != (rounded > 0) for score, rounded in zip(exact, computed, strict=True))
    rows, W = five_lines(w, 200, X)
    targets = np.array([0] * 200 + [0 if score > 0 else 9 for score in exact], dtype=np.int8)
    found, after = one_pass(rows, targets, W)
    assert found == 0
    assert np.array_equal(after, W)
    targets[210] = 9 - targets[210]
    found, after = one_pass(rows, targets, W)
    assert found > 0
    assert not np.array_equal(after, W)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [200, 201, 203, 206])
def test_a_pass_in_tiles_ends_at_a_row_that_is_not_finite(value, row):
    rng = np.random.default_rng(4)
    X, W = five_lines(
        np.append(rng.normal(size=COLUMNS_WORTH_A_TILE), 0.0),
        207,
        np.empty((0, COLUMNS_WORTH_A_TILE)),
    )
    targets = np.zeros(207, dtype=np.int8)
    assert one_pass(X, targets, W)[0] == 0
    X[row, 7] = value
    assert one_pass(X, targets, W)[0] == NOT_FINITE
