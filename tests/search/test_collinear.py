"""Collinear columns: exactly those that elimination in Fractions finds, with its relations."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import novikoff as nk
from elimination import relations_of
from novikoff.inputs import read_table
from novikoff.search import collinear, sparse_relations
from novikoff.search.signed_rows import SignedRows

LAYOUTS = {
    "dense": np.array,
    "float32": lambda X: np.array(X, dtype=np.float32),
    "Fraction": lambda X: np.array([[Fraction(v) for v in row] for row in X], dtype=object),
    "Decimal": lambda X: np.array([[Decimal(v) for v in row] for row in X], dtype=object),
    "CSR": lambda X: sparse.csr_matrix(np.array(X, dtype=float)),
}


def found(X, offset=True):
    """Every collinear column of X with its relation, by place."""
    table = read_table(X)
    z = SignedRows(table, np.ones(table.n_rows, dtype=np.int8), offset)
    dependent = collinear.collinear_columns(z)
    return {j: dependent.relation(j) for j in dependent.columns}


def random_set(random, size=2):
    """Integer columns: zero, constant, repeated, or combinations of others, some of them."""
    n, d = random.integers(1, 9), random.integers(1, 6)
    X = random.integers(-size, size + 1, (n, d))
    for j in range(d):
        kind = random.random()
        if kind < 0.1:
            X[:, j] = 0
        elif kind < 0.2:
            X[:, j] = random.integers(-3, 4)
        elif kind < 0.4:
            X[:, j] = X @ random.integers(-2, 3, d)
    return X.tolist()


@pytest.fixture
def any_width(monkeypatch):
    """Small CSR matrices are treated as very wide ones are."""
    monkeypatch.setattr(collinear, "SPARSE_COLUMNS", 0)


@pytest.mark.usefixtures("any_width")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_collinear_columns_are_those_of_elimination_in_fractions(layout):
    random = np.random.default_rng(0)
    for _ in range(250):
        X, offset = random_set(random), bool(random.integers(2))
        assert found(LAYOUTS[layout](X), offset) == relations_of(X, offset), (X, offset)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_numbers_that_the_primes_divide_deceive_nobody(seed, offset, is_sparse):
    """To a prime its multiples are zero, and it takes independent columns for dependent ones."""
    random = np.random.default_rng(seed)
    X = np.array(random_set(random), dtype=object)
    primes = [2**31 - 1, *sparse_relations.PRIMES[:2], *([] if is_sparse else [2**61 - 1])]
    X = X * random.choice(np.array([1, *primes], dtype=object), X.shape)
    given_rows = sparse.csr_matrix(X.astype(float)) if is_sparse else X
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collinear, "SPARSE_COLUMNS", 0)
        assert found(given_rows, offset) == relations_of(X.tolist(), offset)


def test_a_single_row_among_many_sets_a_column_apart():
    X = np.zeros((50, 2))
    X[:, 0], X[33, 1] = 1, 2**31 - 1
    assert found(X) == {0: {2: 1}}
    X[33, 1] = 0
    assert found(X) == {0: {2: 1}, 1: {}}


def test_floats_are_the_binary_numbers_that_they_are():
    tenth = np.array([0.1, 0.2, 0.3, 0.7])
    X = np.stack([tenth, 3 * tenth, tenth * 2], axis=1)
    assert found(X, False) == {2: {0: 2}}
    exact = [
        [Decimal(text), 3 * Decimal(text), 2 * Decimal(text)] for text in ["0.1", "0.2", "0.3"]
    ]
    assert found(np.array(exact), False) == {1: {0: 3}, 2: {0: 2}}


def test_a_constant_has_its_exact_share_of_the_offset():
    X = np.stack([np.arange(5.0), np.full(5, 0.1)], axis=1)
    assert found(X) == {1: {2: Fraction(0.1)}}
    assert found(X, False) == {}


def test_numbers_beyond_floats_are_collinear_or_not_exactly():
    big = 10**400
    X = [[big, big + 1, 2 * big], [1, 2, 2], [5, 6, 10]]
    assert found(X) == {1: {3: 1, 0: 1}, 2: {0: 2}}


@pytest.mark.parametrize("offset", [True, False])
def test_of_two_factors_with_all_their_levels_one_level_each_depends(offset):
    random = np.random.default_rng(0)
    n, levels = 4000, 1500
    first, second = random.integers(0, levels, n), random.integers(0, 6, n)
    first[:levels] = np.arange(levels)
    places = np.concatenate([first, levels + second])
    X = sparse.csr_matrix((np.ones(2 * n), (np.tile(np.arange(n), 2), places)))
    relations = found(X, offset)
    last, width = levels - 1, levels + 6
    ones = dict.fromkeys(range(levels, width - 1), -1)
    if offset:
        everything = {width: 1}
        assert relations == {
            last: everything | dict.fromkeys(range(last), -1),
            width - 1: everything | ones,
        }
    else:
        assert relations == {width - 1: dict.fromkeys(range(levels), 1) | ones}


def test_of_more_columns_than_rows_the_first_independent_ones_are_kept():
    X = np.random.default_rng(0).normal(size=(20, 60))
    verdict = nk.certify(X, [0, 1] * 10)
    assert list(verdict.collinear) == [f"x{j}" for j in range(20, 61)]
    shares = verdict.collinear["x60"]
    names = {"(intercept)": np.ones(20)} | {f"x{j + 1}": X[:, j] for j in range(60)}
    row = sum((Fraction(names[name][7]) * share for name, share in shares.items()), Fraction(0))
    assert row == Fraction(X[7, 59])


# ------------------------------------------------------------------ what is said of them


def overlapping_frame():
    return pd.DataFrame({
        "const": 1.0, "dose": [1, 2, 3, 4, 5, 6], "low": [1, 1, 0, 0, 1, 0],
        "high": [0, 0, 1, 1, 0, 1], "twice": [2, 4, 6, 8, 10, 12], "nothing": 0,
        "y": [0, 1, 0, 1, 0, 1],
    })  # fmt: skip


def test_a_constant_column_beside_the_offset_is_said_in_one_sentence():
    verdict = nk.certify(overlapping_frame()[["const", "dose", "y"]], label="y")
    said = "column 'const' is constant, the offset already has it"
    assert verdict.status == "overlapping"
    assert f"has a finite maximum-likelihood estimate, but not a unique one: {said}." in str(
        verdict
    )
    assert f"{said}: the coefficient of 'const' is not determined" in str(verdict)
    assert dict(verdict.collinear) == {"const": {"(intercept)": 1}}
    assert verdict.columns == {}


def test_each_kind_of_dependence_has_its_words():
    verdict = nk.certify(overlapping_frame(), label="y")
    assert [verdict.collinear.why(name) for name in verdict.collinear] == [
        "column 'const' is constant, the offset already has it",
        "column 'high' is 1 - 'low'",
        "column 'twice' is 2·'dose'",
        "column 'nothing' is zero on every row",
    ]
    assert "'high' is 1 - 'low'" in verdict._repr_html_().replace("&#x27;", "'")
    said = json.loads(json.dumps(verdict.to_dict()))["collinear"]
    assert said == {
        "const": {"(intercept)": "1"}, "high": {"(intercept)": "1", "low": "-1"},
        "twice": {"dose": "2"}, "nothing": {},
    }  # fmt: skip


def test_nothing_is_said_of_columns_that_are_independent():
    """A constant column is one like others where there is no offset."""
    verdict = nk.certify([[1.0, 0], [2, 1], [3, 0], [4, 1]], [0, 1, 0, 1])
    assert "collinear" not in str(verdict)
    frame = overlapping_frame()[["const", "dose", "y"]]
    for one in (verdict, nk.certify(frame, label="y", fit_intercept=False)):
        assert len(one.collinear) == 0
        assert one.to_dict()["collinear"] == {}


def test_a_separated_indicator_is_infinite_and_its_complement_not_determined():
    """Every level of a factor as an indicator, beside an offset."""
    frame = pd.DataFrame({"a": [1, 1, 0, 0, 0], "b": [0, 0, 1, 1, 1]})
    verdict = nk.certify(frame, [1, 1, 0, 1, 0])
    assert verdict.status == "quasi-separable"
    assert verdict.columns == {"a": "+"}
    assert dict(verdict.collinear) == {"b": {"(intercept)": 1, "a": -1}}


def test_columns_too_many_to_be_looked_at_in_passing_are_left_to_who_asks(monkeypatch):
    X = np.random.default_rng(0).integers(0, 2, (60, 12)).astype(float)
    X[:, 11] = X[:, 0]
    y = [0, 1] * 30
    monkeypatch.setattr(collinear, "QUICK_COLUMNS", 5)
    verdict = nk.certify(X, y)
    assert verdict.to_dict()["collinear"] is None
    assert "a unique one unless columns are collinear" in str(verdict)
    assert "ask for verdict.collinear" in str(verdict)
    assert list(verdict.collinear) == ["x12"]
    assert "'x12' is the same as 'x1'" in str(verdict)


def test_a_large_table_is_not_read_to_say_that_its_columns_are_independent(monkeypatch):
    X = np.random.default_rng(0).normal(size=(400, 5))
    verdict = nk.certify(X, [0, 1] * 200)
    monkeypatch.setattr(collinear, "QUICK_CELLS", 100)
    monkeypatch.setattr(collinear, "collinear_columns", None)
    assert verdict.to_dict()["collinear"] == {}
