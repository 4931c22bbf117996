"""Obstructions that span all rows, of tables whose vertices span less."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpz_mat

import novikoff as nk
from novikoff.certificates import Obstruction, RowsAlone
from novikoff.inputs import read_table
from novikoff.search import fuller, multipliers, weak
from novikoff.search.clock import Clock
from novikoff.search.fuller import spanning_obstruction
from novikoff.search.signed_rows import SignedRows


def with_levels(random: np.random.Generator, n_rows: int, n_levels: int, n_others: int):
    """Indicators of a factor beside numbers, labels drawn for each row: both in every level."""
    levels = np.arange(n_rows) % n_levels
    X = np.hstack(
        [levels[:, None] == np.arange(n_levels), random.integers(-99, 99, (n_rows, n_others))]
    ).astype(np.float64)
    y = random.integers(0, 2, n_rows)
    y[:n_levels], y[n_levels : 2 * n_levels] = 0, 1
    return X, y


def rank(rows: np.ndarray) -> int:
    return fmpz_mat(np.asarray(rows, dtype=object).astype(int).tolist()).rank()


@pytest.fixture(autouse=True)
def counted_as_wide(monkeypatch):
    monkeypatch.setattr(fuller, "FROM", 8)
    monkeypatch.setattr(multipliers, "FROM", 8)
    monkeypatch.setattr(weak, "FEW_FREE", 1)


@pytest.mark.parametrize("offset", [True, False])
def test_rows_of_a_factor_balance_exactly_and_span_all(offset, fresh_seed):
    X, y = with_levels(np.random.default_rng(fresh_seed), 400, 15, 5)
    z = SignedRows(read_table(X), np.where(y == 1, 1, -1).astype(np.int8), offset)
    found = spanning_obstruction(z, np.arange(0, 400, 3), Clock(None))
    assert found is not None
    rows, numbers = found
    whole, _, _ = z.integers(rows)
    assert min(numbers) > 0
    assert not (np.array(list(numbers), dtype=object) @ whole).any()
    assert rank(whole) == rank(z.integers(z.rows)[0]) == 20


def test_levels_that_the_first_rows_lack_join(fresh_seed):
    X, y = with_levels(np.random.default_rng(fresh_seed), 400, 15, 5)
    z = SignedRows(read_table(X), np.where(y == 1, 1, -1).astype(np.int8), True)
    first = np.flatnonzero(X[:, :5].sum(axis=1) == 0)
    found = spanning_obstruction(z, first, Clock(None))
    assert found is not None
    assert X[found[0], :5].any(axis=0).all()
    assert rank(z.integers(found[0])[0]) == 20


def test_separable_rows_have_no_obstruction(fresh_seed):
    X, _ = with_levels(np.random.default_rng(fresh_seed), 300, 10, 5)
    z = SignedRows(read_table(X), np.where(X[:, -1] > 0, 1, -1).astype(np.int8), True)
    assert spanning_obstruction(z, z.rows, Clock(None)) is None


def test_overlap_beside_a_factor_is_proven_without_a_linear_program(fresh_seed):
    X, y = with_levels(np.random.default_rng(fresh_seed), 600, 20, 6)
    verdict = nk.certify(X, y)
    assert verdict.status == "overlapping"
    assert isinstance(verdict.certificate, Obstruction | RowsAlone)
    assert "linear program" not in verdict.stages
