"""Each stage of the driver is needed: what it decides, no other stage does, or not in time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk


def one_signed(_):
    """z = I - 8·superdiagonal: the weights of a chain of 300 columns are beyond the floats."""
    X = np.eye(300) - 8.0 * np.eye(300, k=1)
    return np.vstack([X, -X]), np.repeat([1, 0], 300), False


def large_factor(random):
    """Five rows of both labels for each of 1,000 levels: no dense matrix of them is made."""
    n, levels = 5000, 1000
    level = np.arange(n) % levels
    columns = sparse.csr_array((np.ones(n), (np.arange(n), level)), shape=(n, levels))
    x = sparse.csr_array(random.normal(size=(n, 1)))
    y = (np.arange(n) // levels) % 2
    return sparse.hstack([columns, x], format="csr"), y, True


def wide(random):
    X = random.normal(size=(2600, 260))
    return X, (X[:, 0] > 0) ^ (random.random(2600) < 0.05), True


def separable(random):
    """So many rows near the hyperplane that the steps of a pulled hinge do not come to an end."""
    X = random.normal(size=(3000, 60))
    return X, X @ random.normal(size=60) > 0, True


def quasi_separable(random):
    """A column settles a tenth of the rows, once a mixture of all others is taken off it."""
    X = random.integers(-256, 256, (960, 80)).astype(np.float64)
    y = random.integers(0, 2, 960)
    X[:, -1] = np.where(random.random(960) < 0.1, 2 * y - 1, 0)
    X[:, -1] += X[:, :-1] @ random.integers(-3, 4, 79)
    return X, y, True


def beyond_floats(_):
    """A chain of columns of sizes from 1 down to 1e-290: floats see a few of them at a time."""
    X = np.diag(10.0 ** -np.arange(0, 300, 10))
    X = np.vstack([X, -X + np.roll(X, 1, axis=1)])
    return X, np.repeat([1, 0], 30), False


@pytest.mark.parametrize(
    ("stage", "drawn", "status"),
    [
        ("one-signed columns", one_signed, "separable"),
        ("one large factor", large_factor, "overlapping"),
        ("steps of one metric", wide, "overlapping"),
        ("squared hinge", separable, "separable"),
        ("pulled hinge", quasi_separable, "quasi-separable"),
        ("exact simplex", beyond_floats, "quasi-separable"),
    ],
)
def test_what_a_stage_decides_is_decided_by_it(stage, drawn, status, fresh_seed):
    X, y, offset = drawn(np.random.default_rng(fresh_seed))
    verdict = nk.certify(X, y, fit_intercept=offset)
    assert verdict.status == status
    assert verdict.how[-1] == stage
    verdict.certificate.verify(X, y)


def test_few_wrong_labels_among_many_columns_need_no_simplex():
    """Six of 3,600 labels are wrong, in 305 columns: floats find the few rows that rule it out."""
    random = np.random.default_rng(3)
    X = random.normal(size=(3600, 305)).astype(np.float32)
    y = X @ random.normal(size=305) > 0
    y[random.choice(3600, 6, replace=False)] ^= True
    verdict = nk.certify(X, y, time_limit=120)
    assert verdict.status == "overlapping"
    assert "exact simplex" not in verdict.how
