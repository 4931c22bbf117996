"""Rows that a mixture of many columns settles, only just."""

from __future__ import annotations

import numpy as np
import pytest

import novikoff as nk
from novikoff.search.face import on_a_face


def hidden(random: np.random.Generator, n_columns: int, n_settling: int):
    """Columns of which the last few settle rows, once a mixture of the others is taken off them."""
    n_rows = 12 * n_columns
    X = random.integers(-256, 256, (n_rows, n_columns)).astype(np.float64)
    y = random.integers(0, 2, n_rows)
    settled = np.zeros(n_rows, dtype=bool)
    for j in range(n_columns - n_settling, n_columns):
        is_settled = random.random(n_rows) < 0.1
        X[:, j] = np.where(is_settled, (2 * y - 1) * random.integers(1, 9, n_rows), 0)
        settled |= is_settled
    others = X[:, : n_columns - n_settling]
    X[:, n_columns - n_settling :] += others @ random.integers(-3, 4, (others.shape[1], n_settling))
    return X, y, settled


@pytest.mark.parametrize(("n_columns", "n_settling"), [(80, 1), (80, 3), (260, 1)])
def test_hidden_settling_columns_are_found_without_a_linear_program(
    n_columns, n_settling, fresh_seed
):
    X, y, settled = hidden(np.random.default_rng(fresh_seed), n_columns, n_settling)
    verdict = nk.certify(X, y)
    assert verdict.status == "quasi-separable"
    assert verdict.certificate.n_settled == settled.sum()
    if n_columns >= 256:
        assert "linear program" not in verdict.stages


def test_a_direction_of_long_numbers_settles_its_rows(fresh_seed):
    """All columns are mixed with each other: what settles rows is a column of an inverse matrix."""
    random = np.random.default_rng(fresh_seed)
    d, n = 262, 12 * 262
    X = random.integers(-9, 10, (n, d)).astype(np.float64)
    y = random.integers(0, 2, n)
    settled = random.random(n) < 0.1
    X[:, -1] = np.where(settled, (2 * y - 1) * random.integers(1, 9, n), 0)
    verdict = nk.certify(X @ random.integers(-3, 4, (d, d)), y)
    assert verdict.status == "quasi-separable"
    assert verdict.certificate.n_settled == settled.sum()
    assert max(abs(int(weight)).bit_length() for weight in verdict.certificate.weights) > 1000
    assert "linear program" not in verdict.stages


def test_the_rows_of_a_face_are_those_on_its_hyperplane(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    rows = random.standard_normal((400, 20))
    direction = random.standard_normal(20)
    direction /= np.linalg.norm(direction)
    rows -= np.outer(rows @ direction, direction)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    off = random.random(400) < 0.1
    rows[off] += np.outer(random.uniform(1e-6, 1e-4, off.sum()), direction)
    found = on_a_face(rows, np.arange(400))
    assert found is not None
    assert (found == np.flatnonzero(~off)).all()


def test_rows_of_like_extent_in_every_direction_have_no_face(fresh_seed):
    rows = np.random.default_rng(fresh_seed).standard_normal((400, 20))
    assert on_a_face(rows, np.arange(400)) is None
