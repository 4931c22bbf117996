"""Very many sparse columns: the same answers as by dense algebra and by Fourier and Motzkin."""

from __future__ import annotations

import random

import numpy as np
import pandas
import pytest
from flint import fmpz_mat
from scipy import sparse
from scipy.sparse import csgraph

import novikoff as nk
from fourier_motzkin import settled_of
from novikoff.search import collinear, decide, fixed_effects, levels
from novikoff.search.sparse_relations import exact_null_space, zero_rows
from test_settled import found_for, tiny_set


@pytest.fixture
def every_table_is_wide(monkeypatch):
    monkeypatch.setattr(decide, "SPARSE_COLUMNS", 0)


def indicators(random, n, sizes):
    """Rows of indicators, one of each factor's levels; some factors nested in others."""
    codes = [random.integers(0, size, n) for size in sizes]
    if random.random() < 0.4 and len(codes) > 1:
        codes[1] = codes[0] % sizes[1]
    shifts = np.cumsum([0, *sizes])[: len(sizes)]
    columns = np.stack(codes, axis=1) + shifts
    X = np.zeros((n, sum(sizes)))
    np.put_along_axis(X, columns, 1.0, axis=1)
    return X


def test_null_spaces_are_those_of_exact_elimination(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(150):
        sizes = [int(k) for k in random.integers(1, 6, random.integers(1, 4))]
        X = indicators(random, int(random.integers(1, 25)), sizes)
        if random.random() < 0.3:
            X = np.hstack([X, random.integers(-3, 4, (len(X), 2))])
        offset = bool(random.integers(2))
        found = exact_null_space(sparse.csr_array(X), offset)
        assert found is not None
        filled = X.any(axis=0)
        whole = np.hstack([X[:, filled], np.ones((len(X), 1))]) if offset else X[:, filled]
        if not whole.shape[1]:
            continue
        rank_of_all = fmpz_mat(whole.astype(int).tolist()).rank()
        assert found.shape[1] == whole.shape[1] - rank_of_all
        lifted = np.hstack([X, np.ones((len(X), 1))]) if offset else X
        assert not (lifted @ found).any()
        assert fmpz_mat(found.T.astype(int).tolist()).rank() == found.shape[1]


def test_a_row_outside_the_span_is_seen():
    X = sparse.csr_array(np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]]))
    null = exact_null_space(X, False)
    others = sparse.csr_array(np.array([[1.0, 1, 1, 1], [1, 0, 0, 1]]))
    assert zero_rows(others, False, null).tolist() == [True, False]


def test_long_numbers_are_not_guessed():
    X = np.array([[1.0, 1234567.0, 0], [0, 1.0, 7654321.0]])
    assert exact_null_space(sparse.csr_array(X), False) is None


@pytest.mark.usefixtures("every_table_is_wide")
def test_settled_rows_are_those_of_fourier_motzkin_elimination(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    used = 0
    for trial in range(600):
        if trial % 2:
            X, signs, offset = tiny_set(random)
            X = np.array(X, dtype=float)
        else:
            X = indicators(random, int(random.integers(2, 9)), [3, 2])
            signs = random.choice([-1, 0, 1], len(X), p=[0.4, 0.4, 0.2]).tolist()
            offset = bool(random.integers(2))
        certificate, table, given = found_for(sparse.csr_matrix(X), signs, offset)
        expected = settled_of(X.astype(int).tolist(), signs, offset)
        assert certificate.settled(table, given).tolist() == expected, (X, signs, offset)
        used += (given[certificate.witness.rows] == 0).any()
    assert used > 10  # what balances was carried back to the equalities


def test_one_large_factor_is_taken_out_exactly(monkeypatch, fresh_seed):
    """A factor, numbers beside it and no equalities: as Fourier and Motzkin have it."""
    monkeypatch.setattr(levels, "LEAST_LEVELS", 2)
    random = np.random.default_rng(fresh_seed)
    seen = set()
    for _ in range(250):
        n = int(random.integers(3, 10))
        numbers = random.integers(-2, 3, (n, int(random.integers(1, 3))))
        factor = indicators(random, n, [int(random.integers(2, 4))])
        X = np.hstack([factor * random.choice([1, 1, 2, -3], factor.shape[1]), numbers])
        signs, offset = random.choice([-1, 1], n), bool(random.integers(2))
        certificate, table, given = found_for(sparse.csr_matrix(X), signs, offset)
        expected = settled_of(X.astype(int).tolist(), signs.tolist(), offset)
        assert certificate.settled(table, given).tolist() == expected, (X, signs, offset)
        seen.add(certificate.status)
    assert seen == {"separable", "quasi-separable", "overlapping"}


def test_a_factor_over_its_deviations_is_taken_out_too():
    random = np.random.default_rng(2)
    n, size = 1600, 400
    codes, x = random.integers(0, size, n), random.normal(size=(n, 3))
    factor = sparse.csr_array((np.ones(n), (np.arange(n), codes)), (n, size))
    scaled = factor.multiply(1.0 / np.sqrt(2.0 + np.arange(size))).tocsr()
    y = x @ [1.0, -2.0, 0.5] + random.normal(size=size)[codes] > 0
    answers = [
        nk.certify(sparse.hstack([part, sparse.csr_array(x)], format="csr"), y)
        for part in (factor, scaled)
    ]
    assert {answer.status for answer in answers} == {"separable"}
    assert all("one large factor" in answer.how for answer in answers)


def test_a_logistic_model_of_ten_thousand_levels_is_decided():
    random = np.random.default_rng(3)
    n, size = 40_000, 10_000
    codes, x = random.integers(0, size, n), random.normal(size=n)
    y = (random.random(n) < 0.5).astype(int)
    part = sparse.csr_array((np.ones(n), (np.arange(n), codes)), (n, size))
    X = sparse.hstack([part, sparse.csr_array(x[:, None])], format="csr")
    fit = nk.certify_regression(X, y, model="logistic", fit_intercept=False)
    sums, counts = np.bincount(codes, y, size), np.bincount(codes, minlength=size)
    alone = (sums == 0) | (sums == counts)
    assert fit.status == "infinite"
    assert list(fit.separated) == np.flatnonzero(alone[codes]).tolist()


@pytest.mark.usefixtures("every_table_is_wide")
def test_collinear_and_infinite_levels_are_those_of_the_dense_table(monkeypatch, fresh_seed):
    monkeypatch.setattr(collinear, "SPARSE_COLUMNS", 0)
    random = np.random.default_rng(fresh_seed)
    seen = set()
    for _ in range(60):
        sizes = [int(k) for k in random.integers(1, 5, random.integers(1, 4))]
        n = int(random.integers(15, 40))
        X = indicators(random, n, sizes)
        y = random.poisson(0.25, n)
        dense = nk.certify_regression(X, y, model="poisson")
        found = nk.certify_regression(sparse.csr_array(X), y, model="poisson")
        assert found.status == dense.status
        assert list(found.separated) == list(dense.separated)
        assert dict(found.infinite) == dict(dense.infinite)
        assert {c: found.collinear[c] for c in found.collinear} == {
            c: dense.collinear[c] for c in dense.collinear
        }
        proposed, expected = found.drop(), dense.drop()
        assert (proposed is None) == (expected is None)
        if proposed is not None:
            assert proposed.columns == expected.columns
            assert list(proposed.observations) == list(expected.observations)
        seen |= {(found.status, bool(found.collinear), len(found.infinite) > 1)}
    assert ("infinite", True, True) in seen


def test_thousands_of_levels_are_decided_and_proven():
    random = np.random.default_rng(1)
    n, size = 20_000, 1500
    codes = np.minimum(random.zipf(1.4, (n, 2)) - 1, size - 1)
    columns = codes + np.array([0, size])
    X = sparse.csr_matrix(
        (np.ones(2 * n), columns.ravel(), np.arange(0, 2 * n + 1, 2)), (n, 2 * size)
    )
    signs = np.where(random.random(n) < 0.6, -1, 0)
    certificate, table, given = found_for(X, signs.tolist(), True)
    settled = set(certificate.settled(table, given).tolist())
    assert settled == _by_components(columns, signs)
    assert 0 < len(settled) < np.count_nonzero(signs)


def _by_components(columns: np.ndarray, signs: np.ndarray) -> set[int]:
    """Poisson with two factors, by graphs alone.

    Rows of positive count join levels; along a free direction a component adds t to its levels of
    the first factor and takes t from those of the second. A row of count zero asks that t does not
    fall from the component of its first level to that of its second: it is settled just when no
    cycle of such rows leads back.
    """
    size = int(columns.max()) + 1
    joined = columns[signs == 0]
    graph = sparse.coo_array((np.ones(len(joined)), joined.T), (size, size))
    n_parts, part = csgraph.connected_components(graph, directed=False)
    zeros = np.flatnonzero(signs)
    ends = part[columns[zeros]]
    arrows = sparse.coo_array((np.ones(len(zeros)), ends.T), (n_parts, n_parts))
    _, strong = csgraph.connected_components(arrows, directed=True, connection="strong")
    return set(zeros[strong[ends[:, 0]] != strong[ends[:, 1]]].tolist())


def test_a_limit_on_free_directions_falls_back(monkeypatch, every_table_is_wide):  # noqa: ARG001
    monkeypatch.setattr(fixed_effects, "MOST_FREE_DIRECTIONS", 0)
    X = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0]])
    certificate, table, given = found_for(sparse.csr_matrix(X), [0, -1, -1], False)
    assert certificate.settled(table, given).tolist() == settled_of(
        X.astype(int).tolist(), [0, -1, -1], False
    )


def levels_of(draw, n_rows, n_levels):
    """Counts of many levels, with a number beside them that is often 0."""
    levels = [draw.randrange(n_levels) for _ in range(n_rows)]
    counts = [draw.choice([0, 0, 0, 1]) for _ in range(n_rows)]
    numbers = [draw.choice([0.0, 0.0, 1.5, -2.25]) for _ in range(n_rows)]
    return levels, counts, numbers


def test_a_zero_that_is_stored_is_no_number(fresh_seed):
    """Of 700 levels: the answer, its signs and its proof are those of the matrix without them."""
    draw = random.Random(fresh_seed)
    levels, counts, numbers = levels_of(draw, 2100, 700)
    n = len(counts)
    columns = np.column_stack([np.zeros(n, dtype=int), 1 + np.array(levels)]).ravel()
    values = np.column_stack([numbers, np.ones(n)]).ravel()
    stored = sparse.csr_matrix((values, columns, np.arange(0, 2 * n + 1, 2)), (n, 701))
    plain = stored.copy()
    plain.eliminate_zeros()
    assert plain.nnz < stored.nnz
    one, other = (nk.certify_regression(X, counts, model="poisson") for X in (stored, plain))
    assert one.status == other.status == "infinite"
    assert list(one.separated) == list(other.separated)
    assert one.infinite == other.infinite
    assert one.certificate.to_dict()["data"] == other.certificate.to_dict()["data"]
    one.certificate.verify_table(other.given.whole())


def test_the_sign_of_every_level_without_a_count_is_known(fresh_seed):
    draw = random.Random(fresh_seed)
    levels, counts, numbers = levels_of(draw, 3000, 700)
    frame = pandas.DataFrame({"x": numbers, "firm": [f"f{k:03}" for k in levels], "y": counts})
    reference = min(frame["firm"])
    frame.loc[frame["firm"] == reference, "y"] = 1
    fit = nk.certify_regression(frame, "y", model="poisson")
    total = frame.groupby("firm")["y"].sum()
    empty = {f"firm[T.{firm}]" for firm in total.index[total == 0]}
    assert len(empty) > 200
    assert {name for name, sign in fit.infinite.items() if sign == "-"} == empty
    assert set(fit.infinite) == empty


def test_a_factor_without_its_baseline_is_taken_out_too(fresh_seed, monkeypatch):
    """With an offset, rows without an indicator are one more level: as the dense search has it."""
    monkeypatch.setattr(levels, "LEAST_LEVELS", 1)
    whole = levels.Levels.ask
    answered = []

    def ask(self, question):
        answer = whole(self, question)
        answered.append(answer is not None and self.level_of_run[0] < 0)
        return answer

    monkeypatch.setattr(levels.Levels, "ask", ask)
    for seed in range(60):
        random = np.random.default_rng([fresh_seed, seed])
        n, n_levels = int(random.integers(8, 40)), int(random.integers(2, 6))
        level = random.integers(0, n_levels, n)
        x = random.integers(-3, 4, (n, 1)).astype(float)
        y = x[:, 0] + level + random.normal(size=n) * random.choice([0.3, 5.0]) > n_levels / 2
        if y.all() or not y.any():
            continue
        X = np.hstack([x, (level[:, None] == np.arange(1, n_levels)).astype(float)])
        verdict, dense = nk.certify(sparse.csr_array(X), y), nk.certify(X, y)
        assert verdict.status == dense.status
        assert verdict.separated.tolist() == dense.separated.tolist()
        verdict.certificate.verify(X, y)
    assert any(answered)
