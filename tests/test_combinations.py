"""Sums of rows, and of many balanced ones, as combinations of a few: against Fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpz_mat, nmod_mat
from scipy import sparse

import novikoff as nk
from novikoff.certificates import RowsAlone, Stamp, determined, lifted
from novikoff.certificates.combinations import are_combinations, hadamard_bits, signed_sum
from novikoff.certificates.modular import PRIMES, echelon, short_integers
from novikoff.certificates.rank import check_rules_out
from novikoff.errors import CertificateError
from novikoff.inputs import read_labels, read_table
from tampering import rank
from test_verified import FAMILIES, exactly


def of_rank(random, m, k, n, most=9):
    left, right = (random.integers(-most, most + 1, size) for size in ((m, k), (k, n)))
    return left.astype(object) @ right.astype(object)


def exact_rank(whole) -> int:
    return fmpz_mat(np.asarray(whole, dtype=object).tolist()).rank()


@pytest.mark.parametrize("bits", [0, 20, 60, 200])
def test_combinations_are_those_of_exact_elimination(bits, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(100):
        n = int(random.integers(2, 10))
        k = int(random.integers(1, n))
        rows = of_rank(random, k, k, n) + (of_rank(random, k, k, n) << bits) * (bits > 0)
        if exact_rank(rows) < k:
            continue
        inside = of_rank(random, 2, 2, k) @ rows
        outside = inside.copy()
        outside[1, random.integers(n)] += 1
        assert are_combinations(rows, inside)
        spans = exact_rank(np.vstack([rows, outside])) == k
        assert are_combinations(rows, outside) == spans


def test_what_differs_by_a_multiple_of_every_power_of_the_prime_that_fits_is_outside():
    """The last column is off by p^k, which k digits do not see: there are more digits than that."""
    for prime in PRIMES[:2]:
        for power in range(1, 12):
            rows = np.array([[1, 0, prime**power], [0, 1, 1]], dtype=object)
            assert not are_combinations(rows, np.array([[1, 1, 1]], dtype=object))
            assert are_combinations(rows, np.array([[1, 1, prime**power + 1]], dtype=object))


def test_rows_that_a_prime_calls_dependent_are_told_by_another():
    rows = np.array([[PRIMES[0], 0, 1], [0, 1, 0], [0, PRIMES[0], 1]], dtype=object)
    assert are_combinations(rows, np.array([[1, 2, 3]], dtype=object) @ rows)
    dependent = np.array([[1, 2], [2, 4]], dtype=object)
    assert not are_combinations(dependent, np.array([[1, 2]], dtype=object))  # it cannot tell


def test_the_bound_of_hadamard_exceeds_every_minor(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for most in (1, 9, 2**40, 2**90):
        for n in range(1, 7):
            whole = random.integers(-9, 10, (n, n)).astype(object) * most
            assert abs(int(fmpz_mat(whole.tolist()).det())) < 2 ** hadamard_bits(whole)


FLOATS = [
    lambda random, size: random.standard_normal(size).astype(np.float32),
    lambda random, size: random.standard_normal(size) * 2.0 ** random.integers(-500, 500, size),
    lambda random, size: random.standard_normal(size) * 2.0**-1060,
    lambda random, size: random.integers(-3, 4, size) * 2.0**900,
    lambda random, size: sparse.csr_array(random.integers(-3, 4, size) * 0.1),
    lambda random, size: np.array([Fraction(1, 7)]) * random.integers(-9, 10, size),
]


@pytest.mark.parametrize("made", FLOATS)
@pytest.mark.parametrize("offset", [True, False])
def test_the_sum_of_signed_rows_is_exact(made, offset, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    with np.errstate(all="ignore"):
        X = made(random, (30, 4))
    signs = random.choice(np.array([-1, 1], dtype=np.int8), 30)
    rows = np.sort(random.choice(30, 20, replace=False))
    found = signed_sum(read_table(X), signs, rows, offset)
    cells = X.toarray() if sparse.issparse(X) else X
    true = [
        sum(int(signs[i]) * Fraction(*cells[i, j].as_integer_ratio()) for i in rows)
        for j in range(4)
    ]
    true += [Fraction(int(signs[rows].sum()))] * offset
    assert [bool(value) for value in found] == [bool(value) for value in true]
    ratios = {Fraction(a) / b for a, b in zip(found, true, strict=True) if b}
    assert len(ratios) <= 1
    assert min(ratios, default=1) > 0


@pytest.fixture
def nothing_is_short(monkeypatch):
    monkeypatch.setattr(lifted, "SHORT_DIGITS", 0)


@pytest.mark.usefixtures("nothing_is_short")
@pytest.mark.parametrize("offset", [True, False])
def test_where_relations_are_long_rows_must_span_the_sum(offset, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    refused = by_sum = 0
    for turn in range(150):
        X = of_rank(random, 14, 3, 5, 2).astype(np.float64)
        signs = random.choice(np.array([-1, 1], dtype=np.int8), 14)
        if turn % 3:  # a row that breaks the relations
            X[-1] = random.integers(-3, 4, 5)
        if turn % 3 == 2:  # and one that makes up for it
            X[-2] = X[-1]
            signs[-2:] = 1, -1
        few = np.sort(random.choice(12, 6, replace=False))
        z = [[Fraction(int(s) * v) for v in (*row, float(offset))]
             for s, row in zip(signs, X.tolist(), strict=True)]  # fmt: skip
        total = [sum(column) for column in zip(*z, strict=True)]
        first = [z[i] for i in few]
        try:
            check_rules_out(read_table(X), signs, few, offset)
        except CertificateError:
            refused += 1
            assert rank(first) < rank(z)
        else:
            by_sum += rank(first) < rank(z)
            assert rank(first) == rank([*first, total])
    assert min(refused, by_sum) > 0


@pytest.mark.usefixtures("nothing_is_short")
def test_statuses_are_the_same_where_no_relation_is_short(monkeypatch, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    statuses = set()
    for _ in range(30):
        X = of_rank(random, 40, 3, 6, 3).astype(np.float64)
        y = np.where(random.random(40) < 0.1, 0, X @ random.standard_normal(6) > 0).astype(int)
        if len(set(y.tolist())) < 2:
            continue
        found = nk.certify(X, y)
        found.certificate.verify(X, y)
        with monkeypatch.context() as patched:
            patched.setattr(lifted, "SHORT_DIGITS", 16)
            assert found.status == nk.certify(X, y).status
        statuses.add(found.status)
    assert "overlapping" in statuses


def test_a_table_of_mixed_columns_is_proven_by_few_rows(fresh_seed):
    """Dependence that is spread over all columns has relations of very long numbers."""
    random = np.random.default_rng(fresh_seed)
    X = of_rank(random, 1600, 256, 270, 3).astype(np.float64)
    y = random.integers(0, 2, len(X))
    verdict = nk.certify(X, y)
    assert (verdict.status, verdict.certificate.kind) == ("overlapping", "rows")
    assert len(verdict.certificate.rows) == 258
    verdict.certificate.verify(X, y)
    rows = list(verdict.certificate.rows)
    other = next(i for i in range(len(X)) if i not in rows)
    X[other, 0] += 1.0  # the columns depend on each other no longer
    stamp = nk.certify(X, y).certificate.stamp
    with pytest.raises(nk.CertificateError, match="span"):
        RowsAlone(rows, stamp).verify(X, y)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_signs_with_a_rounded_last_row_are_true(family, monkeypatch, fresh_seed):
    """Rows beyond the first d are added up with weights: every yes holds for the exact sum."""
    random = np.random.default_rng(fresh_seed)
    monkeypatch.setattr(determined, "FROM", 1)
    proven = 0
    for d in (1, 2, 3, 5):
        for _ in range(40):
            block = np.vstack([family(random, d), family(random, d)])
            if not np.isfinite(block).all():
                continue
            try:
                found = determined.determined(block)
            except CertificateError:
                continue
            if found.is_proven_by_floats:
                proven += 1
                multipliers = found.multipliers()  # raises unless all are positive
                whole = short_integers(block).astype(object)[:, found.columns]
                assert min(multipliers) > 0
                assert not (np.array(multipliers, dtype=object) @ whole).any()
    assert proven or family.__name__ not in ("balanced", "integers")


def test_more_rows_than_the_rank_needs_are_proven_just_when_they_balance(monkeypatch, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    monkeypatch.setattr(determined, "FROM", 1)
    proven = 0
    for _ in range(200):
        d, offset = int(random.integers(1, 5)), bool(random.integers(2))
        X = random.integers(-4, 5, (14, d)).astype(np.float64)
        if random.random() < 0.5:
            X = np.column_stack([X, X[:, 0] - 2 * X[:, -1]])
        y = random.integers(0, 2, 14)
        y[:2] = 0, 1
        table = read_table(X)
        labels = read_labels(y, 14, None)
        rows = np.sort(random.choice(14, int(random.integers(3, 14)), replace=False)).tolist()
        proof = RowsAlone(rows, Stamp.of(table, labels, offset, None))
        try:
            proof.check(table, labels.signs)
        except CertificateError:
            continue
        proven += 1
        proof.with_multipliers(table, labels.signs).check(table, labels.signs)
        assert nk.certify(X, y, fit_intercept=offset).status == "overlapping"
    assert proven > 0


def test_tall_matrices_have_the_pivots_of_exact_elimination(fresh_seed):
    """Few of the rows are eliminated, and levels that are rare are not missed."""
    random = np.random.default_rng(fresh_seed)
    prime = PRIMES[0]
    for rare in (0, 3):
        whole = of_rank(random, 700, 50, 80, 3)
        whole[:, 60:] = 0
        whole[random.choice(700, rare, replace=False), 60 + np.arange(rare)] = 1
        found = echelon((whole % prime).astype(np.float64), prime)
        reduced, true = nmod_mat(fmpz_mat(whole.tolist()), prime).rref()
        lines = [[int(reduced[i, j]) for j in range(80)] for i in range(true)]
        pivots = [next(j for j, value in enumerate(line) if value) for line in lines]
        assert found.columns.tolist() == pivots
        block = whole[np.ix_(found.rows, found.columns)]
        assert nmod_mat(fmpz_mat(block.tolist()), prime).rank() == true == found.rank


def test_integers_stand_for_the_floats_they_are_made_of(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for low, high in ((-5, 5), (-30, 30), (-1070, -1000), (-500, 500), (900, 960)):
        values = np.ldexp(random.integers(-9, 10, (5, 4)), random.integers(low, high, (5, 4)))
        whole = short_integers(values)
        ratios = {Fraction(int(a)) / Fraction(b)
                  for a, b in zip(whole.flat, values.flat, strict=True) if b}  # fmt: skip
        assert len(ratios) <= 1
        assert min(ratios, default=1) > 0
        assert ((whole == 0) == (values == 0)).all()


def test_a_last_row_with_numbers_below_the_normal_floats_is_left_to_integers():
    near = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -(2.0**-1070)]])
    assert exactly(near)
    found = determined.determined(near)
    assert not found.is_proven_by_floats
    assert min(found.multipliers()) > 0
