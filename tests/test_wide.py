"""Wide tables: the same answers as with digits, and proofs that hold without them."""

from __future__ import annotations

import numpy as np
import pytest

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
    if kind == "settled":
        X[:, -1] = 0.0
    y = X @ random.normal(size=d) > 0
    y ^= random.random(n) < flipped
    if kind == "settled":
        X[: n // 10, -1] = np.where(y[: n // 10], 1.0, -1.0)
    return X.astype(type_), y


@pytest.mark.parametrize("kind", [None, "sums", "levels", "settled"])
@pytest.mark.parametrize("flipped", [0.0, 0.05, 0.005])
@pytest.mark.parametrize("type_", [np.float32, np.float64])
def test_the_verdict_is_that_of_the_search_with_digits(
    monkeypatch, fresh_seed, kind, flipped, type_
):
    X, y = drawn(fresh_seed, 800, 24, flipped, kind, type_)
    expected = nk.certify(X, y)
    monkeypatch.setattr(wide, "FROM", 10)
    verdict = nk.certify(X, y)
    assert verdict.status == expected.status
    assert verdict.separated.tolist() == expected.separated.tolist()
    verdict.certificate.verify(X, y)


def test_wide_tables_are_proven_without_digits(fresh_seed):
    X, y = drawn(fresh_seed, 2600, 260, 0.05)
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    assert not verdict.certificate.witness.is_exact
    verdict.certificate.verify(X, y)
    X[0, 0] += 1.0
    with pytest.raises(nk.CertificateError):
        verdict.certificate.verify(X, y)


def test_columns_that_depend_on_others_are_left_out_with_their_relations(fresh_seed):
    X, y = drawn(fresh_seed, 2600, 260, 0.05, "sums")
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    relations = np.array(verdict.certificate.witness.relations, dtype=np.float64)
    assert relations.shape == (3, 261)
    assert not (np.hstack([X, np.ones((len(X), 1))]) @ relations.T).any()
    verdict.certificate.verify(X, y)
