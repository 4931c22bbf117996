"""No false claim is accepted and no true one refused: by the library, the checker and fractions."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import false_claims
from novikoff.certificates import (
    Complete,
    Obstruction,
    RegressionProof,
    RowsAlone,
    Stamp,
    arithmetic,
    checker,
    modular,
)
from novikoff.certificates.checker import OVERLAPPING, ProofError
from novikoff.certificates.model import Model
from novikoff.certificates.modular import LIMB, PRIMES, nonzero_products
from novikoff.certificates.rank import WIDE, check_spans
from novikoff.certificates.regression import stamp_of_comparisons, stamp_of_table
from novikoff.certificates.sparse_null import PRIMES as LONG_PRIMES
from novikoff.certificates.sparse_null import exact_null_space
from novikoff.errors import CertificateError, InputError
from novikoff.inputs import read_labels, read_table


@pytest.mark.parametrize("seed", [0, None])
def test_claims_are_accepted_just_when_fractions_accept_them(seed, fresh_seed):
    seen = false_claims.attack(fresh_seed if seed is None else seed, 300)
    for kind in ("rows", "complete", "arrows", "held"):
        assert seen[f"{kind}: true, accepted"]
        assert seen[f"{kind}: false, refused"]


def alone(rows, X, signs, kind="rows"):
    """The library's claim about rows alone, and what both checkers make of it."""
    stamp = stamp_of_comparisons(len(X), len(X[0]), False)
    signs = np.array(signs, dtype=np.int8)
    table = read_table(np.array(X))
    said = checker.check_claim({"kind": kind, "rows": rows}, np.array(X).tolist(), signs.tolist())
    RowsAlone(rows, stamp).check(table, signs)
    return said


# ------------------------------------------------------------------ primes


def wide_poisson(first: float, other: list[float]) -> tuple[RegressionProof, sparse.csr_matrix]:
    """Two equal rows of y = 0 and y = 1, (first, 1, 0, …), and another of y = 0."""
    width = WIDE + 1
    X = np.zeros((3, width + 1))
    X[:2, :2] = first, 1.0
    X[2, :2] = other
    X[1, -1] = 1.0  # y
    data = sparse.csr_matrix(X)
    inner = stamp_of_comparisons(3, width, False)
    claim = Complete([0] * (width + 1), [], [], [], [], 0, 2, inner)
    stamp = stamp_of_table(read_table(data), None)
    return RegressionProof(claim, Model("poisson", ("y",)), stamp), data


@pytest.mark.parametrize("prime", LONG_PRIMES)
def test_a_prime_that_divides_a_whole_column_hides_no_direction(prime, tmp_path):
    """(p, 1) does not span (1, 0): (1, -p) is zero on the first alone, and so is e_1 modulo p."""
    proof, data = wide_poisson(float(prime), [1.0, 0.0])
    proof.save(tmp_path / "proof.json")
    np.savetxt(tmp_path / "rows.csv", data.toarray(), delimiter=",", fmt="%.17g")
    with pytest.raises(ProofError, match="outside the span"):
        checker.check(str(tmp_path / "proof.json"), str(tmp_path / "rows.csv"), header=False)
    with pytest.raises(CertificateError, match="span"):
        proof.verify(data)


def test_the_multiples_of_a_prime_are_spanned_with_the_help_of_another():
    proof, data = wide_poisson(3.0 * LONG_PRIMES[0], [6.0 * LONG_PRIMES[0], 2.0])
    assert exact_null_space(data[:2, :-1] * 1.0, False) is None  # (1, -3p) has a long number
    with pytest.raises(CertificateError, match="not known"):
        proof.verify(data)
    column = sparse.csr_matrix(np.full((2, 1), float(LONG_PRIMES[0])))
    assert exact_null_space(column, False).shape == (1, 0)


def test_numbers_that_every_prime_divides_are_not_zero():
    """A number of three million bits: whatever is made of it is 0 modulo every prime there is."""
    is_prime = np.ones(1 << LIMB, dtype=bool)
    for k in range(2, 1 << LIMB // 2):
        is_prime[k * k :: k] = False
    factors = [int(p) for p in np.flatnonzero(is_prime) if p >= 1 << (LIMB - 1)]
    while len(factors) > 1:
        factors = [math.prod(factors[k : k + 2]) for k in range(0, len(factors), 2)]
    table = read_table(np.array([[1, 2], [-1, -2], [factors[0], 0]], dtype=object))
    claim = Obstruction([0, 1], [1, 1], True, stamp_of_comparisons(3, 2, False))
    with pytest.raises(CertificateError, match="do not span row 2"):
        claim.check(table, np.ones(3, dtype=np.int8))


def test_products_are_told_from_zero_without_primes_too(monkeypatch, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    floats = random.integers(-3, 4, (40, 3)) * 2.0 ** random.integers(-90, 90, (1, 3))
    long = np.array([[0, 10**40], [1, 0], [-(10**40), 7]], dtype=object)
    for block in (floats, random.integers(-2, 3, (40, 3)).astype(object) * 10**30):
        by_primes = nonzero_products(block, long)
        with monkeypatch.context() as patched:
            patched.setattr(modular, "MOST_PRIMES", 0)
            np.testing.assert_array_equal(nonzero_products(block, long), by_primes)
        exact = [[sum(Fraction(v) * int(w) for v, w in zip(row, column, strict=True)) != 0
                  for column in long.T] for row in block.tolist()]  # fmt: skip
        np.testing.assert_array_equal(by_primes, exact)


def test_rows_that_the_prime_calls_dependent_still_help_to_span():
    p = float(PRIMES[0])
    table = read_table(np.array([[1, 0, 0], [0, p, 0], [2, p, 1], [0, 0, 1]]))
    check_spans(table, np.array([0, 1]), False, np.array([0, 1, 2]), np.array([3]))


@pytest.mark.parametrize("prime", [*PRIMES[:3], checker.PRIME])
def test_rows_alone_of_deficient_rank_that_a_prime_divides_are_accepted(prime):
    rows = [[1, 0, 1], [0, prime, 0], [-1, -prime, -1]]
    X = np.array(rows, dtype=object) if prime > 2**53 else np.array(rows, dtype=float)
    assert alone([0, 1, 2], X, [1, 1, 1]) == OVERLAPPING
    X[2, 1] *= -1
    with pytest.raises(ProofError):
        alone([0, 1, 2], X, [1, 1, 1])
    with pytest.raises(CertificateError):
        RowsAlone([0, 1, 2], stamp_of_comparisons(3, 3, False)).check(
            read_table(X), np.ones(3, dtype=np.int8)
        )


def test_signs_that_are_floats_do_not_round_the_multipliers():
    table = read_table(np.array([[1.0], [-1.0]]))
    wrong = Obstruction([0, 1], [2**60, 2**60 + 1], False, stamp_of_comparisons(2, 1, False))
    for signs in (np.ones(2), np.ones(2, dtype=np.int8), np.ones(2, dtype=bool)):
        with pytest.raises(CertificateError, match="not zero"):
            wrong.check(table, signs)


def test_a_thread_that_takes_subnormal_numbers_for_zero_proves_nothing(monkeypatch):
    """As after torch.set_flush_denormal(True): then 5e-324 != 0 is false, and much else."""
    table = read_table(np.array([[1.0], [-1.0]]))
    claim = Obstruction([0, 1], [1, 1], True, stamp_of_comparisons(2, 1, False))
    claim.check(table, np.ones(2, dtype=np.int8))
    monkeypatch.setattr(arithmetic, "SMALLEST", np.zeros(1))
    with pytest.raises(InputError, match="takes numbers below"):
        claim.check(table, np.ones(2, dtype=np.int8))


# ------------------------------------------------------------------ the stand-alone checker


def test_a_zero_row_alone_is_an_obstruction_of_zero_rows():
    assert alone([1], [[0.0, 0.0], [0.0, 0.0]], [1, -1]) == OVERLAPPING
    with pytest.raises(ProofError, match="row 0 is outside"):
        alone([1], [[0.0, 1.0], [0.0, 0.0]], [1, -1])


def test_one_row_of_a_complete_proof_needs_its_multiplier(tmp_path):
    X, y = np.zeros((2, 1)), ["no", "yes"]
    stamp = Stamp.of(read_table(X), read_labels(y, 2, "yes"), False, None)
    fields = Complete([0, 0], [0], [1], [], [], 0, 2, stamp).to_dict() | {"multipliers": None}
    (tmp_path / "proof.json").write_text(json.dumps(fields))
    with pytest.raises(ProofError, match="single row"):
        checker.read_proof(str(tmp_path / "proof.json"))


def hilbert(n: int) -> np.ndarray:
    """n rows of n-1 numbers 1/(i+j+1), rounded; the last row makes their sum 0."""
    rows = np.array([[1.0 / (i + j + 1) for j in range(n - 1)] for i in range(n - 1)])
    exact = [-sum(map(Fraction, column)) for column in rows.T.tolist()]
    return np.array([[*map(Fraction, row)] for row in rows.tolist()] + [exact], dtype=object)


@pytest.mark.parametrize("n", [3, 14, 24])
def test_where_floats_cannot_tell_few_rows_are_decided_by_fractions(n):
    X = hilbert(n)
    assert alone(list(range(n)), X, [1] * n) == OVERLAPPING
    with pytest.raises(ProofError, match="not positive"):
        alone(list(range(n)), X, [-1] + [1] * (n - 1))
    X[1] = X[0]
    with pytest.raises(ProofError):
        alone(list(range(n)), X, [1] * n)


def test_an_inverse_beyond_the_floats_tells_nothing(monkeypatch):
    rows = [[1, 0], [0, 1], [-1, -1]]
    assert checker.floats_tell(rows)
    for value in (1e300, math.inf, math.nan):
        monkeypatch.setattr(checker, "approximate_inverse", lambda _, v=value: [[v] * 3] * 3)
        assert not checker.floats_tell(rows)
    assert alone([0, 1, 2], np.array(rows, dtype=float), [1, 1, 1]) == OVERLAPPING
    monkeypatch.undo()
    assert not checker.floats_tell([[1, 0], [1, 0], [1, 0]])
