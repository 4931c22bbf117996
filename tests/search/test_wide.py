"""Wide tables: the same answers as with digits, and proofs that hold without them."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nk
from novikoff.search import wide


def drawn(seed, n, d, flipped, kind=None, type_=np.float64):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    if kind == "sums":
        X = np.round(X * 64)
        X[:, -3:] = X[:, :3] + X[:, 3:6]
    if kind == "levels":
        X[:, : d // 2] = np.eye(d // 2)[random.integers(0, d // 2, n)]
    if kind in ("settled", "hidden"):
        X = np.round(X * 64)
        X[:, -1] = 0.0
    y = X @ random.normal(size=d) > 0
    y ^= random.random(n) < flipped
    if kind in ("settled", "hidden"):
        X[: n // 10, -1] = np.where(y[: n // 10], 1.0, -1.0)
    if kind == "hidden":
        X[:, -1] += X[:, :-1] @ random.integers(-3, 4, d - 1)
    return X.astype(type_), y


@pytest.mark.parametrize("kind", [None, "sums", "levels", "settled", "hidden"])
@pytest.mark.parametrize("flipped", [0.0, 0.05, 0.005])
@pytest.mark.parametrize("type_", [np.float32, np.float64])
def test_the_verdict_is_that_of_the_search_with_digits(
    monkeypatch, fresh_seed, kind, flipped, type_
):
    X, y = drawn(fresh_seed, 800, 24, flipped, kind, type_)
    expected = nk.certify(X, y)
    monkeypatch.setattr(wide, "DIGIT_COLUMNS", 10)
    verdict = nk.certify(X, y)
    assert verdict.status == expected.status
    assert verdict.separated.tolist() == expected.separated.tolist()
    verdict.certificate.verify(X, y)


@pytest.mark.parametrize("scale", [1.0, 1e-150, 1e200])
def test_wide_tables_are_proven_without_digits(fresh_seed, scale):
    X, y = drawn(fresh_seed, 2600, 260, 0.05)
    X[:, 0] *= scale
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    assert not verdict.certificate.witness.is_exact
    verdict.certificate.verify(X, y)
    X[0, 1] += 1.0
    with pytest.raises(nk.CertificateError):
        verdict.certificate.verify(X, y)


def test_all_levels_of_a_factor_beside_the_offset_are_one_relation(fresh_seed):
    for seed in count(fresh_seed):
        X, y = drawn(seed, 5000, 500, 0.02, "levels", np.float32)
        shares = X[:, :250].T @ y / X[:, :250].sum(axis=0)
        if ((shares > 0) & (shares < 1)).all():  # a level of one outcome would be settled
            break
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    assert len(verdict.certificate.witness.relations) == 1
    verdict.certificate.verify(X, y)


def test_levels_of_which_no_row_has_slack_do_not_hold_up_the_steps():
    # Of this set the steps went to and fro; the search ended in the exact simplex, and took hours.
    X, y = drawn(8, 5000, 500, 0.02, "levels", np.float32)
    verdict = nk.certify(X, y, time_limit=100)
    assert verdict.status == "overlapping"
    assert not {"squared hinge", "exact simplex"} & set(verdict.stages)


@pytest.mark.parametrize(("n_columns", "n_hidden"), [(80, 1), (80, 3), (260, 1), (260, 40)])
def test_rows_are_settled_by_columns_hidden_in_a_mixture_of_all(n_columns, n_hidden, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    n_rows = 12 * n_columns
    X = random.integers(-256, 256, (n_rows, n_columns)).astype(np.float64)
    y = random.integers(0, 2, n_rows)
    is_settled = random.random((n_rows, n_hidden)) < 0.2 / n_hidden
    hidden = is_settled * (2 * y - 1)[:, None] * random.integers(1, 64, (n_rows, n_hidden))
    shares = random.integers(-3, 4, (n_columns - n_hidden, n_hidden))
    X[:, -n_hidden:] = hidden + X[:, :-n_hidden] @ shares
    verdict = nk.certify(X, y)
    assert verdict.status == "quasi-separable"
    assert verdict.certificate.n_settled == is_settled.any(axis=1).sum()
    assert n_columns < wide.DIGIT_COLUMNS or "squared hinge" not in verdict.stages  # with digits
    verdict.certificate.verify(X, y)


def test_a_round_begins_with_the_rows_of_the_one_before(fresh_seed, monkeypatch):
    """Of MNIST's digits the rounds after the first took three times as long without them."""
    first = []
    ask = wide.Wide.ask
    monkeypatch.setattr(
        wide.Wide, "ask", lambda self: first.append(self.chosen is None) or ask(self)
    )
    X, y = drawn(fresh_seed, 2600, 260, 0.05, "hidden")
    verdict = nk.certify(X, y)
    assert verdict.status == "quasi-separable"
    assert first == [True] + [False] * (len(first) - 1)
    assert len(first) > 1


def test_newtons_steps_end_where_no_row_joins_and_columns_are_equal_but_for_rounding(monkeypatch):
    """More of them would be made for nothing: 420 in place of 80, of a set with all its rows."""
    steps, minimise = [], wide.minimise_pulled
    monkeypatch.setattr(wide, "DIGIT_COLUMNS", 10)
    monkeypatch.setattr(
        wide, "minimise_pulled", lambda *a, **k: steps.append(a[6]) or minimise(*a, **k)
    )
    random = np.random.default_rng(0)
    X = random.normal(size=(130, 28))
    X[:, -1] = X[:, 0] + 1e-9 * random.normal(size=130)
    assert nk.certify(X, random.random(130) < 0.5).status == "overlapping"
    assert 0 < sum(steps) <= wide.MOST_STEPS


def test_columns_that_depend_on_others_are_left_out_with_their_relations(fresh_seed):
    X, y = drawn(fresh_seed, 2600, 260, 0.05, "sums")
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    relations = np.array(verdict.certificate.witness.relations, dtype=np.float64)
    assert relations.shape == (3, 261)
    assert not (np.hstack([X, np.ones((len(X), 1))]) @ relations.T).any()
    verdict.certificate.verify(X, y)


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


def test_sparse_rows_of_very_many_columns_are_decided(fresh_seed):
    """Words of texts: 2,100 columns, some in each row, and labels without rhyme or reason."""
    random = np.random.default_rng(fresh_seed)
    X = sp.random(9000, 2100, 0.005, format="csr", random_state=fresh_seed % 2**31)
    y = random.integers(0, 2, 9000)
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    verdict.certificate.verify(X, y)
    w = random.standard_normal(2100)
    verdict = nk.certify(X, X @ w > np.median(X @ w))
    assert verdict.status == "separable"
