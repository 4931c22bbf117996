"""Tiles of rows and lines: the mistakes and weights of the textbook, wherever a mistake falls."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer

import novikoff as nk
from novikoff.loops import averaged, perceptron, voted
from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import reach_of
from novikoff.loops.perceptron import NOT_FINITE, perceptron_pass
from novikoff.loops.rows import as_rows
from novikoff.loops.tile_sums import measured_tile_sums, tile_sums
from novikoff.loops.tiles import ROWS, WIDE, rows_a_turn, tile_for
from novikoff.models import lines
from novikoff.models.lines import Lines


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
    for width in (WIDE, WIDE + 1, WIDE + 5):
        n_classes, block = n_lines + 1, 32768 // (width + 1)
        n = block + int(rng.integers(40, 80))
        K, targets = quarters(rng, n, n_classes, width)
        for first in rng.integers(block, n, size=3):  # several mistakes in one tile
            burst(rng, targets, n_classes, first, int(rng.integers(1, 2 * ROWS)))
        ties = rng.integers(block, n, size=6)
        K[ties, targets[ties]] = 20
        order = np.arange(n) if width == WIDE else rng.permutation(n)
        order, ties_positive = order.astype(np.int32), bool(rng.integers(2))
        start = start_of(n_lines, width)
        expected, mistakes, tape = textbook(K, targets, order, start, ties_positive)
        assert mistakes.sum() > 3
        rows, lines = as_rows((K / 4).astype(dtype), True), np.arange(n_lines)
        ones, gains = np.ones(1, dtype), np.ones((n_lines, 2), dtype)
        common = (rows, targets.astype(np.int8), order, lines, lines)
        sums, written = np.zeros(start.shape), np.empty((n * n_lines, 2), dtype=np.int64)
        for form, middle, last in (
            (perceptron.perceptron_pass, (), (ties_positive, False)),
            (averaged.averaged_pass, (sums,), (ties_positive, 0)),
            (voted.voted_pass, (), (ties_positive,)),
        ):
            W = (start / 4).astype(dtype)
            reaches, counts = np.array([reach_of(w) for w in W]), np.zeros(n_lines, np.int64)
            tail = (reaches, counts, written) if form is voted.voted_pass else (reaches, counts)
            tile = tile_for(rows, lines)
            found = form.fast(*common, W, *middle, ones, gains, *last, *tail, tile)
            assert np.array_equal(4 * W.astype(np.float64), expected)
            assert np.array_equal(counts, mistakes)
            assert found == mistakes.sum()
        assert {tuple(entry) for entry in written[:found].tolist()} == tape
        Z = np.column_stack([K, np.full(n, 4)])
        moments = np.zeros(start.shape)
        for place, c in tape:
            moments[c] += place * (1 if targets[order[place]] == c else -1) * Z[order[place]]
        assert np.array_equal(4 * sums, moments)


@compiled
def sums_of(X, W, sums, measured):
    tile, under, ahead = (X[0], X[1], X[2]), (W[0], W[1]), (X[3], X[3])
    if measured:
        measured_tile_sums(tile, under, ahead, sums)
    else:
        tile_sums(tile, under, ahead, sums)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("width", [*range(20), 64, 71, 785])
def test_the_sums_of_a_tile_are_exact_on_whole_numbers_whatever_the_width(dtype, width):
    rng = np.random.default_rng(width)
    X, W = (
        rng.integers(-9, 10, size=shape).astype(dtype) for shape in ((4, width), (2, 1 + width))
    )
    scores, squares = W[:, :width] @ X[:3].T, [(X[:3] * X[:3]).sum(axis=1)]
    for form in (sums_of, sums_of.fast):
        sums = np.full((3, 3), np.nan)
        form(X, W, sums, True)
        assert np.array_equal(sums, np.concatenate([scores, squares]))
        sums[:] = 7.0
        form(X, W, sums, False)
        assert np.array_equal(sums, np.concatenate([scores, np.full((1, 3), 7.0)]))


def test_wide_dense_rows_and_several_lines_are_visited_in_tiles_unless_mistakes_are_many():
    X, lines = np.zeros((400, WIDE)), np.arange(11)
    for n_lines in range(1, 12):
        assert (tile_for(as_rows(X, True), lines[:n_lines]) is not None) == (n_lines > 3)
    assert tile_for(as_rows(X[:, 1:], True), lines) is None
    assert tile_for(as_rows(sp.csr_matrix(X), True), lines) is None
    assert rows_a_turn.fast(lines, 100, 200, 0) == ROWS
    assert rows_a_turn.fast(lines, 100, 200, 200) == 100
    assert rows_a_turn(lines, 100, 200, 0) == 100  # interpreted


def five_lines(w, n_easy, X):
    """Line 0 is w; all others say no to every row. Rows far from w's plane come first."""
    easy = np.tile(w[:-1], (n_easy, 1))
    W = np.zeros((5, len(w)))
    W[0], W[1:, -1] = w, -1.0
    return np.concatenate([easy, X]), W


def one_pass(X, targets, W):
    W, lines = W.copy(), np.arange(len(W))
    reaches, mistakes = np.array([reach_of(w) for w in W]), np.zeros(len(W), np.int64)
    order = np.arange(len(X), dtype=np.int32)
    found = perceptron_pass.fast(
        as_rows(X, True), targets, order, lines, lines, W, np.ones(1), np.ones((len(W), 2)),
        False, False, reaches, mistakes, tile_for(as_rows(X, True), lines),
    )  # fmt: skip
    return found, W


def test_rows_in_a_tile_that_only_rounding_puts_on_the_wrong_side_are_no_mistakes():
    rng = np.random.default_rng(3)
    w = np.append(rng.normal(size=WIDE), 0.0)
    X = rng.normal(size=(30, WIDE))
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
    X, W = five_lines(np.append(rng.normal(size=WIDE), 0.0), 207, np.empty((0, WIDE)))
    targets = np.zeros(207, dtype=np.int8)
    assert one_pass(X, targets, W)[0] == 0
    X[row, 7] = value
    assert one_pass(X, targets, W)[0] == NOT_FINITE


@pytest.mark.parametrize("jobs", [None, 2])
@pytest.mark.parametrize("n_classes", [2, 6])
@pytest.mark.parametrize(
    ("kind", "order"),
    [
        *itertools.product(
            (nk.Perceptron, nk.AveragedPerceptron, nk.VotedPerceptron), ("cyclic", "shuffled")
        ),
        (nk.Perceptron, "restart"),
    ],
)
def test_passes_after_the_first_know_how_long_rows_are_and_trust_no_score_the_more(
    kind, n_classes, order, jobs, monkeypatch
):
    rng = np.random.default_rng(n_classes)
    X, y = rng.normal(size=(300, WIDE)), np.arange(300) % n_classes
    X[::7] *= 1e3
    X[150] *= 1e6  # the bound on rounding from other rows would be too small for this one
    options = {"max_iter": 12, "order": order, "random_state": 0}
    asked = []

    def spied(self, which, work):
        new_pass(self, which, work)
        asked.append(self.norms.radius)

    new_pass = Lines.new_pass
    monkeypatch.setattr(Lines, "new_pass", spied)
    monkeypatch.setattr(lines, "SHORT", WIDE + 1)  # one line keeps norms of short rows only
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = kind(n_jobs=jobs, **options).fit(X, y)
    longest = max(np.linalg.norm(np.append(x, 1.0)) for x in X)
    assert asked[0] == 0.0
    known = np.array(asked[1:])
    assert ((known == 0.0) | (known >= longest)).all()
    if order == "restart":
        assert not known.any()
    elif n_classes > 2 or jobs is None:
        assert (known < 1.01 * longest).all()
        assert known.all()
    if kind is nk.Perceptron and order == "cyclic":
        peer = Peer(max_iter=len(asked), tol=None, shuffle=False).fit(X, y)
        assert np.array_equal(model.coef_, peer.coef_)
