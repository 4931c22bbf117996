"""The trusted base: true proofs are accepted, everything else is refused, with no tolerance."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import pickle
import struct
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse

import novikoff as nk
from novikoff.certificates import Claim, Obstruction, Stamp, Witness, load_certificate
from novikoff.certificates.arithmetic import (
    as_integers,
    core_sum,
    exact_product,
    product_signs,
    score_signs,
    weighted_sum,
)
from novikoff.certificates.digest import BLOCK, block_digest, combine
from novikoff.errors import CertificateError, FileError, InputError
from novikoff.inputs import read_labels, read_table

LOGIC = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
AND, XOR = [0, 0, 0, 1], [0, 1, 1, 0]


def stamp_of(X, y, offset=True):
    table = read_table(X)
    return Stamp.of(table, read_labels(y, table.n_rows), offset)


def separator(weights, stamp):
    return Claim(weights, Witness(), stamp.n_rows, 0, stamp)


def overlap(stamp, rows=(), multipliers=()):
    weights = [0] * (stamp.n_columns + 1)
    return Claim(weights, Witness(rows, multipliers), 0, stamp.n_rows, stamp)


def decimals(*rows):
    return np.array([[Decimal(v) for v in row.split()] for row in rows], dtype=object)


# ------------------------------------------------------------------ claims and obstructions


@pytest.mark.parametrize(
    ("weights", "reason"),
    [([3, 2, -3], "3 rows are settled and 1 are on"), ([1, 1, 0.5], "row 0 is on the wrong side")],
)
def test_a_separator_needs_every_row_strictly_on_its_side(weights, reason):
    weights = [Fraction(v) for v in weights]
    with pytest.raises(CertificateError, match=reason):
        separator(weights, stamp_of(LOGIC, AND)).verify(LOGIC, AND)


def test_xor_meets_at_the_middle_of_the_square():
    certificate = Obstruction(range(4), [1] * 4, stamp_of(LOGIC, XOR))
    certificate.verify(LOGIC, XOR)
    assert certificate.status == "not separable"
    assert certificate.point(read_table(LOGIC)) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("bits", [2, 3, 4, 5])
def test_parity_overlaps(bits):
    X = np.array(list(itertools.product([0, 1], repeat=bits)))
    y = X.sum(axis=1) % 2
    certificate = overlap(stamp_of(X, y))
    certificate.verify(X, y)
    certificate.verify(sparse.csr_matrix(X), y)
    assert certificate.status == "overlapping"
    one_of_each = Obstruction([0, len(X) // 2], [1, 1], certificate.stamp)
    with pytest.raises(CertificateError, match="not zero in column x1"):
        one_of_each.verify(X, y)


def test_separable_with_an_offset_and_not_through_the_origin():
    X, y = [[1.0], [2.0]], [0, 1]
    separator([2, -3], stamp_of(X, y)).verify(X, y)
    overlap(stamp_of(X, y, offset=False), [0, 1], [2, 1]).verify(X, y)
    certificate = Obstruction([0, 1], [2, 1], stamp_of(X, y, offset=False))
    certificate.verify(X, y)
    assert certificate.point(read_table(X)) == (Fraction(4, 3),)  # on the ray that both share
    with pytest.raises(CertificateError, match="the offset"):
        Obstruction([0, 1], [2, 1], stamp_of(X, y)).verify(X, y)


# ------------------------------------------------------------------ which numbers


def test_the_decimal_trap_has_both_answers():
    y = [1, 0, 1]
    exact = decimals(".1 .3", ".2 .6", ".3 .9")
    floats = exact.astype(float)
    obstruction = Obstruction([0, 1, 2], [1, 2, 1], stamp_of(exact, y))
    obstruction.verify(exact, y)
    assert obstruction.stamp.numbers == "decimal"
    with pytest.raises(CertificateError, match="decimal numbers; X holds binary64"):
        obstruction.verify(floats, y)
    with pytest.raises(CertificateError, match="not zero in column x1"):
        Obstruction([0, 1, 2], [1, 2, 1], stamp_of(floats, y)).verify(floats, y)
    halves = separator([1, -1], stamp_of([[0.5], [1.5]], [0, 1]))
    with pytest.raises(CertificateError, match="speaks of binary64 numbers; X holds decimal"):
        halves.verify(decimals("0.5", "1.5"), [0, 1])
    # The three points of floats are not on one line, so one of them can be cut off.
    weights = nk.certify(floats, y).certificate.weights
    separator(weights, stamp_of(floats, y)).verify(floats, y)
    with pytest.raises(CertificateError, match="wrong side"):
        separator(weights, stamp_of(exact, y)).verify(exact, y)


def test_integers_are_the_same_numbers_in_every_form():
    certificate = separator([3, 2, -4], stamp_of(LOGIC, AND))
    from_csv = separator([3, 2, -4], stamp_of(decimals("0 0", "0 1", "1 0", "1 1"), AND))
    assert from_csv.stamp.numbers == "decimal"
    for X in (
        LOGIC,
        LOGIC.tolist(),
        LOGIC.astype(np.float32),
        LOGIC.astype(bool),
        np.where(LOGIC, 1.0, -0.0),
        sparse.csr_matrix(LOGIC),
        sparse.csc_matrix(LOGIC.astype(np.int8)),
        pd.DataFrame(LOGIC, columns=["a", "b"]),
        decimals("0 0", "0 1.0", "1 0", "1 1"),
    ):
        certificate.verify(X, AND)
        from_csv.verify(X, AND)
    for y in (np.array(AND, dtype=np.int8), ["0", "0", "0", "1"]):
        certificate.verify(LOGIC, y)


def test_proofs_hold_for_dense_and_sparse_alike():
    X = np.array([[0.0, 0.1], [-0.25, 0.0], [0.0, 0.0], [1.5, 2.5]])
    stored_zero = sparse.csr_matrix(
        (np.array([0.1, -0.25, 0.0, 1.5, 2.5]), np.array([1, 0, 0, 0, 1]), [0, 1, 2, 3, 5])
    )
    for made_of in (X, sparse.csr_matrix(X), stored_zero):
        certificate = separator([1, 1, -1], stamp_of(made_of, AND))
        for shown in (X, sparse.csr_matrix(X), stored_zero, sparse.coo_array(X)):
            certificate.verify(shown, AND)


# ------------------------------------------------------------------ exact signs

NUMBERS = {
    "any": st.floats(allow_nan=False, allow_infinity=False),
    "ties": st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 0.2, 0.3, 3.0, 1e16, -1e16, 0.5]),
    "small": st.sampled_from([5e-324, -5e-324, 1e-310, 2.0**-1022, 1e-150, 0.0, 1.0]),
    "large": st.sampled_from([1e308, -1e308, 1.7e308, 1e150, -1e150, 1.0, 1e-308]),
}


@st.composite
def rows_and_weights(draw):
    numbers = NUMBERS[draw(st.sampled_from(sorted(NUMBERS)))]
    n, d = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    X = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    weight = draw(st.sampled_from([numbers, st.integers(-(10**30), 10**30), st.integers(-2, 2)]))
    return X, draw(st.lists(weight, min_size=d + 1, max_size=d + 1))


def true_signs(X, w):
    scores = [
        sum((Fraction(a) * Fraction(b) for a, b in zip((*row, 1), w, strict=True)), Fraction(0))
        for row in X
    ]
    return [(score > 0) - (score < 0) for score in scores]


def signs_of(X, w):
    return score_signs(read_table(X), w).tolist()


@settings(max_examples=300)
@given(rows_and_weights())
@example(([[1e16, 1.0, -1e16]], [1.0, 1.0, 1.0, 0.0]))  # floats sum it to 0
@example(([[1e308, 1e308, -1e308]], [1e10, 1e10, 1e10, 1.0]))  # floats overflow
@example(([[5e-324]], [0.25, 0.0]))  # floats underflow to 0
@example(([[5e-324, -5e-324, -5e-324]], [0.6, 0.4, 0.4, 0.0]))  # and here to the wrong sign
@example(([[0.0, 0.0], [1.0, -1.0]], [1.0, 1.0, 0.0]))  # a row with nothing stored
@example(([[0.1, 0.2, 0.3]], [1.0, 1.0, -1.0, 0.0]))  # decimals sum it to 0, floats do not
@example(([[1.0, 2.0**-40]], [-(2**2000), 2**2040 + 1, 0]))
@example(([[2.0**-80, 2.0**1000]], [2**1075, -1, 0]))  # as a float, the second weight is 0
def test_scores_of_floats_have_their_exact_sign(case):
    X, w = case
    for given_as in (np.array(X), sparse.csr_matrix(np.array(X))):
        weights = np.array(w) if all(isinstance(v, float) for v in w) else w
        assert signs_of(given_as, weights) == true_signs(X, w)


fractions = st.fractions(-3, 3, max_denominator=12) | st.sampled_from(
    [Fraction(1, 10**400), Fraction(10**300, 3), Fraction(-(10**300), 3)]
)


@settings(max_examples=200)
@given(
    st.integers(1, 4).flatmap(
        lambda d: st.tuples(
            st.lists(st.lists(fractions, min_size=d, max_size=d), min_size=1, max_size=4),
            st.lists(fractions, min_size=d + 1, max_size=d + 1),
        )
    )
)
def test_scores_of_rounded_numbers_have_their_exact_sign(case):
    X, w = case
    assert signs_of(np.array(X, dtype=object), w) == true_signs(X, w)


def drawn(rng):
    """A block of floats of very different sizes, and integers; often with sums that cancel."""
    m, d, k = rng.integers(1, 7, 3)
    spread, middle = int(rng.choice([1, 5, 40, 400, 1000])), int(rng.choice([0, 0, -900, 800]))
    most = 2 ** int(rng.integers(1, 54))
    exponents = np.clip(rng.integers(-spread, spread, (m, d)) + middle, -1100, 960)
    block = np.ldexp(rng.integers(-most, most + 1, (m, d)).astype(float), exponents)
    block[rng.random((m, d)) < 0.3] = 0.0
    bits = int(rng.choice([1, 5, 30, 62, 70, 300, 5_000, 20_000]))
    sizes = [int.from_bytes(rng.bytes(bits // 8 + 1)) % 2**bits for _ in range(d * k)]
    weights = np.array([v * int(rng.choice([-1, 1])) for v in sizes], dtype=object).reshape(d, k)
    if d > 1 and rng.random() < 0.5:
        block[:, 1], weights[0], weights[2:] = block[:, 0], -weights[1], 0
        if d > 2 and rng.random() < 0.5:
            block[:, 2], block[0, 2], weights[2] = 0.0, 5e-324, 1
    return block, weights.astype(np.int64) if bits < 63 and rng.random() < 0.5 else weights


def test_products_and_their_signs_are_exact(fresh_seed):
    rng = np.random.default_rng(fresh_seed)
    for _ in range(100):
        block, weights = drawn(rng)
        left = [[Fraction(v) for v in row] for row in block.tolist()]
        right = [[int(v) for v in column] for column in weights.T]
        exact = [[sum(a * b for a, b in zip(row, w, strict=True)) for w in right] for row in left]
        for form in (block, sparse.csr_matrix(block), sparse.csr_matrix(block.T).T):
            whole, scale = exact_product(form, weights)
            assert [[Fraction(int(v), scale) for v in row] for row in whole] == exact
            signs = product_signs(form, weights)
            assert signs.tolist() == [[(v > 0) - (v < 0) for v in row] for row in exact]
        whole, scale = exact_product(block, weights[:, 0])
        assert [Fraction(int(v), scale) for v in whole] == [row[0] for row in exact]


def test_sums_of_many_terms_are_not_rounded():
    rng = np.random.default_rng(4)
    half = rng.integers(2**29, 2**30, 4_000).astype(float)
    weights = rng.integers(2**22, 2**23, 4_000)
    order = rng.permutation(8_000)
    block = np.array([[*np.append(half, -half)[order], last] for last in (-1.0, 0.0, 1.0)])
    W = np.array([*np.append(weights, weights)[order].tolist(), 1], dtype=object)[:, None]
    assert product_signs(block, W)[:, 0].tolist() == [-1, 0, 1]


@settings(max_examples=100)
@given(rows_and_weights(), st.booleans())
@example(([[1e308], [5e-324], [1e308], [-1e308]], [0.0, 0.0]), True)
def test_sums_of_rows_are_exact(case, offset):
    X, w = case
    signs = np.array([(-1) ** i for i in range(len(X))], dtype=np.int8)
    core = np.array([i % 3 != 2 for i in range(len(X))])
    factors = [int(Fraction(v) * 2**1074) for v in (w * len(X))[: len(X)]]
    columns = [*zip(*X, strict=True), [int(offset)] * len(X)]
    for given_as in (np.array(X), sparse.csr_matrix(np.array(X)), np.array(X, dtype=object)):
        table, rows = read_table(given_as), np.arange(len(X))
        for (total, scale), by in (
            (core_sum(table, signs, core, offset), (signs * core).tolist()),
            (weighted_sum(table, rows, as_integers(factors), offset), factors),
        ):
            for value, column in zip(total, columns, strict=True):
                exact = sum(m * Fraction(v) for m, v in zip(by, column, strict=True))
                assert Fraction(int(value), scale) == exact


@pytest.mark.parametrize("place", [0, 4_369, 4_370, 9_999])
def test_one_ulp_decides_a_row_among_many(place):
    """Row `place` is on the hyperplane, then one ulp beside it; floats see no difference."""
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((10_000, 60)), rng.standard_normal(61)
    w[-1] = 0.0
    X[place] = 0.0
    X[place, :2] = w[1], -w[0]
    expected = np.sign(X @ w[:-1]).astype(int).tolist()
    expected[place] = 0
    assert signs_of(X, w) == expected
    X[place, 0] = np.nextafter(X[place, 0], math.inf)
    expected[place] = int(np.sign(w[0]))
    assert signs_of(X, w) == expected


# ------------------------------------------------------------------ hard data


def test_subnormal_numbers_are_separated_exactly():
    tiny = 5e-324
    X, y = np.array([[tiny], [2 * tiny]]), [0, 1]
    separator([2**1075, -3], stamp_of(X, y)).verify(X, y)  # between 2^-1074 and 2^-1073
    with pytest.raises(CertificateError, match="1 rows are settled and 1 are on"):
        separator(np.array([1.0, -2 * tiny]), stamp_of(X, y)).verify(X, y)


# ------------------------------------------------------------------ the stamp


def digest_by_hand(head, *parts):
    return hashlib.sha256(head + hashlib.sha256(b"".join(parts)).digest()).hexdigest()


def test_the_digest_is_the_documented_one():
    count, rows = struct.pack("<q", 4), struct.pack("<8d", *np.ravel(LOGIC))
    whole = digest_by_hand(b"novikoff rows 1\n4 2\n", count, rows, struct.pack("4b", -1, 1, 1, -1))
    assert stamp_of(LOGIC, XOR).digest == stamp_of(sparse.csr_matrix(LOGIC), XOR).digest == whole
    few = np.zeros((2, 5))
    few[:, 0], few[1, 3] = -0.0, 0.5
    parts = struct.pack("<q", 1), struct.pack("<qd", 8, 0.5), struct.pack("2b", -1, 1)
    whole = digest_by_hand(b"novikoff rows 1\n2 5\n", *parts)
    assert stamp_of(few, [0, 1]).digest == stamp_of(sparse.csr_matrix(few), [0, 1]).digest == whole
    doubles = struct.pack("<q2d", 2, math.inf, 1.0)
    parts = doubles, b"-1/a\n", struct.pack("2b", -1, 1)
    whole = digest_by_hand(b"novikoff rows 1\n2 1\n", *parts)
    assert stamp_of(decimals("-0.1", "1"), [0, 1]).digest == whole


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_blocks_can_be_hashed_apart_and_every_row_counts(form):
    rng = np.random.default_rng(2)
    n = 2 * BLOCK + 5
    X = rng.integers(0, 3, (n, 3)).astype(float)
    y = rng.integers(0, 2, n)
    stamp = stamp_of(form(X), y)
    signs = 2 * y - 1
    parts = []
    for start in range(0, n, BLOCK):
        part = read_table(form(X[start : start + BLOCK]))
        parts.append(block_digest(part, signs[start : start + BLOCK], 0))
    assert combine(parts, n, 3) == stamp.digest
    for i in (0, BLOCK - 1, BLOCK, n - 1):
        other, flipped = X.copy(), y.copy()
        other[i, 1] += 1
        flipped[i] = 1 - flipped[i]
        assert stamp_of(form(other), y).digest != stamp.digest
        assert stamp_of(form(X), flipped).digest != stamp.digest


def test_wide_rows_have_one_digest_however_they_are_stored():
    rng = np.random.default_rng(3)
    X = sparse.random(9, 40_000, 1e-3, format="csr", random_state=rng)
    y = [0, 1, 1] * 3
    dense = separator([0] * 40_001, stamp_of(X.toarray(), y))
    thin = separator([0] * 40_001, stamp_of(X, y))
    for certificate in (dense, thin):
        for shown in (X, X.toarray()):
            with pytest.raises(CertificateError, match="0 rows are settled and 9 are"):
                certificate.verify(shown, y)


def test_a_stamp_travels_without_the_rows():
    X = np.random.default_rng(0).standard_normal((50_000, 4))
    certificate = separator([1, 0, 0, 0, 0], stamp_of(X, (X[:, 0] > 0).astype(int)))
    sent = pickle.dumps(certificate)
    assert len(sent) < 5_000
    pickle.loads(sent).verify(X, (X[:, 0] > 0).astype(int))


@pytest.mark.parametrize(
    ("X", "y", "reason"),
    [
        (LOGIC[:3], [0, 0, 1], "3 rows and 2 columns; the proof speaks of 4 rows"),
        (LOGIC[:, :1], AND, "4 rows and 1 columns"),
        (LOGIC, ["0", "0", "0", "2"], "labels '0', '2'; the proof speaks of '0' and '1'"),
        (LOGIC, [0, 1, 2, 3], "labels '0', '1', '2', …"),
        (LOGIC, [0, 0, 0, 0], "the labels '0';"),
        (LOGIC, [1, 1, 1, 0], "digest is another"),
        (LOGIC[::-1], AND[::-1], "digest is another"),
        (LOGIC + 1, AND, "digest is another"),
    ],
)
def test_other_data_is_refused(X, y, reason):
    with pytest.raises(CertificateError, match=reason):
        separator([3, 2, -4], stamp_of(LOGIC, AND)).verify(X, y)


def test_integers_are_the_same_numbers_in_decimal_and_fractions_are_not():
    proof, whole = separator([3, 2, -4], stamp_of(LOGIC, AND)), decimals("0 0", "0 1", "1 0", "1 1")
    proof.verify(whole, AND)
    separator([3, 2, -4], stamp_of(whole, AND)).verify(LOGIC, AND)
    for number, reason in (("0.5", "speaks of binary64 numbers"), ("0.1", "speaks of binary64"),
                           ("9007199254740993", "digest is another")):  # fmt: skip
        with pytest.raises(CertificateError, match=reason):
            proof.verify(decimals("0 0", "0 1", "1 0", f"1 {number}"), AND)


def test_sizes_of_numpy_are_pythons_integers():
    stamp = Stamp.of_rows(np.int64(4), np.uint8(2), True)
    assert (type(stamp.n_rows), type(stamp.n_columns)) == (int, int)
    assert separator([3, 2, -4], stamp).to_dict()["data"]["rows"] == 4
    for size in (np.int64(0), np.int64(-1), 4.0, True):
        with pytest.raises(CertificateError, match="at least 1 row"):
            Stamp.of_rows(size, 2, True)


def test_sparse_rows_of_zeros_balance_with_multipliers_of_any_length():
    empty = sparse.csr_array((2, 3))
    for length in (3, 10_000, 100_000):
        by = [1 << length, 3]
        Obstruction([0, 1], by, stamp_of(empty, [0, 1], False)).verify(empty, [0, 1])
        with pytest.raises(CertificateError, match="not zero in the offset"):
            Obstruction([0, 1], by, stamp_of(empty, [0, 1])).verify(empty, [0, 1])


def test_data_that_cannot_be_read_is_an_input_error():
    certificate = separator([3, 2, -4], stamp_of(LOGIC, AND))
    with pytest.raises(InputError, match="NaN"):
        certificate.verify(np.where(LOGIC == 1, np.nan, 0), AND)
    with pytest.raises(InputError, match="do not match"):
        certificate.verify(LOGIC, AND[:3])


def test_check_needs_no_digest_and_signs_of_the_right_kind():
    certificate = separator([3, 2, -4], stamp_of(LOGIC, AND))
    table = read_table(LOGIC)
    certificate.check(table, np.array([-1, -1, -1, 1]))
    assert not isinstance(certificate.stamp.source, str)
    for signs in (np.array([2, -1, -1, 1]), np.array([-1, 1])):
        with pytest.raises(CertificateError, match="needs a sign"):
            certificate.check(table, signs)


# ------------------------------------------------------------------ what cannot be a certificate


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda s: separator([1, 2], s), "2 weights are given"),
        (lambda s: separator([1, 2, np.nan], s), "finite"),
        (lambda s: separator([1, 2, math.inf], s), "finite"),
        (lambda s: separator(["1", "2", "3"], s), "finite"),
        (lambda s: separator([1, 2.5, 3], s), "finite"),
        (lambda s: Obstruction([], [], s), "at least one row"),
        (lambda s: Obstruction([0, 1], [1], s), "one multiplier for each"),
        (lambda s: Obstruction([0, 0], [1, 1], s), "repeated"),
        (lambda s: Obstruction([0, 4], [1, 1], s), "out of range"),
        (lambda s: Obstruction([0, -1], [1, 1], s), "out of range"),
        (lambda s: Obstruction([0, 1], [1, 0], s), "not positive"),
        (lambda s: Obstruction([0, 1], [1, -1], s), "not positive"),
        (lambda s: Obstruction([0, 1], [1, 1.5], s), "integers"),
        (lambda s: Claim([1, 0, 0], Witness([0, 9], [1, 1]), 3, 1, s), "out of range"),
        (lambda s: Claim([1, 0, 0], Witness([0], [1]), -1, 1, s), "counts"),
        (lambda s: Claim([1, 0, 0], Witness([0], [1], denominator=0), 3, 1, s), "denominator"),
        (lambda s: Claim([1, 0, 0], Witness([0], [1, 1]), 3, 1, s), "one multiplier for each"),
        (lambda s: Claim([1, 0, 0], Witness([2, 2], [1, 1]), 3, 1, s), "repeated"),
        (lambda s: Claim([1, 0, 0], Witness(relations=[[1]]), 3, 1, s), "each col"),
    ],
)
def test_nonsense_is_refused_when_it_is_made(make, reason):
    with pytest.raises(CertificateError, match=reason):
        make(stamp_of(LOGIC, AND))


def test_without_an_offset_its_weight_is_zero():
    with pytest.raises(CertificateError, match="0 as its last weight"):
        separator([1, 2, 3], stamp_of(LOGIC, AND, offset=False))


def test_numpy_integers_do_not_overflow_in_weights():
    X, y = np.array([[1.0], [-1.0]]), [0, 1]
    weights = [np.int64(-(2**62)), Fraction(1, 3)]
    separator(weights, stamp_of(X, y)).verify(X, y)


# ------------------------------------------------------------------ files


def proofs():
    touching = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 5.0], [-1.0, 7.0]])
    y = ["red", "blue", "red", "blue"]
    stamp = stamp_of(touching, y)
    yield separator(np.array([3.0, 2.0, -4.1]), stamp_of(LOGIC, AND)), LOGIC, AND
    yield separator([Fraction(3, 7), Fraction(2, 7), -4], stamp_of(LOGIC, AND)), LOGIC, AND
    yield Obstruction([0, 1, 2, 3], [5**9000] * 4, stamp_of(LOGIC, XOR)), LOGIC, XOR
    witness = Witness([0, 1], [1, 1])
    yield Claim(np.array([-1.0, 0, 0]) * -0.1, witness, 2, 2, stamp), touching, y


def test_a_saved_proof_comes_back(tmp_path):
    for certificate, X, y in list(proofs())[:1] + list(proofs())[2:]:
        certificate.save(tmp_path / "proof.json")
        back = load_certificate(tmp_path / "proof.json")
        assert type(back) is type(certificate)
        assert back.to_dict() == certificate.to_dict()
        assert back.status == certificate.status
        back.verify(X, y)
        assert list(tmp_path.iterdir()) == [tmp_path / "proof.json"]


def test_fractions_are_saved_as_integers_of_the_same_direction(tmp_path):
    certificate = separator([Fraction(3, 7), Fraction(1, 14), -1], stamp_of(9 * LOGIC, AND))
    certificate.save(tmp_path / "proof.json")
    back = load_certificate(tmp_path / "proof.json")
    assert back.weights == (6, 1, -14)
    for proof in (certificate, back):
        with pytest.raises(CertificateError, match="row 2 is on the wrong side"):
            proof.verify(9 * LOGIC, AND)


def test_a_failed_save_leaves_the_old_proof(tmp_path):
    certificate = next(proofs())[0]
    certificate.save(tmp_path / "proof.json")
    before = (tmp_path / "proof.json").read_bytes()
    with pytest.raises(FileError, match="cannot write"):
        certificate.save(tmp_path / "missing" / "proof.json")
    with pytest.raises(CertificateError, match="digits"):
        Obstruction([0, 1], [1 << 5_000_000] * 2, certificate.stamp).save(tmp_path / "proof.json")
    assert (tmp_path / "proof.json").read_bytes() == before
    assert list(tmp_path.iterdir()) == [tmp_path / "proof.json"]


def test_the_format_is_the_documented_one():
    stamp = stamp_of(LOGIC, XOR)
    data = {"rows": 4, "columns": 2, "negative": "0", "positive": "1", "label": None}
    common = {"format": "novikoff certificate", "version": 1, "numbers": "binary64",
              "offset": True, "data": {**data, "digest": stamp.digest}}  # fmt: skip
    assert Obstruction([0, 1, 2, 3], [1] * 4, stamp).to_dict() == {
        **common, "kind": "obstruction", "rows": [0, 1, 2, 3], "multipliers": ["0x1"] * 4,
    }  # fmt: skip
    witness = Witness([2, 1], [3, -20], 2, [[0, 1, -1]])
    assert Claim(np.array([1.5, 0.0, -0.875]), witness, 1, 3, stamp).to_dict() == {
        **common, "kind": "claim", "model": None, "weights": ["0xc", "0x0", "-0x7"],
        "settled": 1, "core": 3, "rows": [2, 1], "multipliers": ["0x3", "-0x14"],
        "denominator": "0x2",
        "relations": [["0x0", "0x1", "-0x1"]],
    }  # fmt: skip


def good():
    return overlap(stamp_of(LOGIC, XOR), [0, 1, 2, 3], [1, 1, 1, 1]).to_dict()


def without(key):
    fields = good()
    del fields[key]
    return fields


def within(**changes):
    return {**good(), "data": {**good()["data"], **changes}}


MALFORMED = {
    "not JSON": ("perceptron", "not JSON"),
    "empty": ("", "not JSON"),
    "truncated": (json.dumps(good())[:200], "not JSON"),
    "not UTF-8": (b'{"format": "\xff"}', "not JSON"),
    "NaN": (json.dumps({**good(), "version": math.nan}), "the proof has version"),
    "a float": (json.dumps({**good(), "version": 1.0}), "the proof has version"),
    "a list": ("[]", "not a proof"),
    "deeply nested": ("[" * 100_000, "not JSON"),
    "another format": (json.dumps({**good(), "format": "x"}), "not a proof"),
    "another version": (json.dumps({**good(), "version": 2}), "version 2"),
    "true as version": (json.dumps({**good(), "version": True}), "version True"),
    "another kind": (json.dumps({**good(), "kind": "oracle"}), "kind 'oracle'"),
    "a list as kind": (json.dumps({**good(), "kind": ["claim"]}), "kind"),
    "an unknown field": (json.dumps({**good(), "note": 1}), "unknown field note"),
    "a missing field": (json.dumps(without("relations")), "no field relations"),
    "a field of another kind": (json.dumps({**good(), "tree": {}}), "unknown field tree"),
    "a field twice": (json.dumps(good()).replace('"offset"', '"kind": 1, "offset"'), "twice"),
    "unknown data field": (json.dumps(within(note=1)), "its data has unknown field note"),
    "no data": (json.dumps({**good(), "data": None}), "data of the wrong type"),
    "one as offset": (json.dumps({**good(), "offset": 1}), "offset of the wrong type"),
    "true as relations": (json.dumps({**good(), "relations": True}), "relations of the wrong type"),
    "a flat relation": (json.dumps({**good(), "relations": ["0x1"]}), "relations of"),
    "a denominator of 0": (json.dumps({**good(), "denominator": "0x0"}), "denominator"),
    "a negative denominator": (json.dumps({**good(), "denominator": "-0x1"}), "denominator"),
    "true as a count": (json.dumps({**good(), "core": True}), "core of the wrong type"),
    "a negative count": (json.dumps({**good(), "settled": -1}), "settled of"),
    "unknown numbers": (json.dumps({**good(), "numbers": "real"}), "not of 'real'"),
    "no rows at all": (json.dumps(within(rows=0)), "at least 1 row"),
    "a short digest": (json.dumps(within(digest="abc")), "64 hexadecimal digits"),
    "one label": (json.dumps(within(positive="0")), "both labels"),
    "half a label": (json.dumps(within(positive=None)), "two labels"),
    "no label and no model": (json.dumps(within(positive=None, negative=None)), "or else a model"),
    "a number as label": (json.dumps(within(positive=1)), "positive of the wrong type"),
    "a decimal weight": (json.dumps({**good(), "weights": ["1", "0x0", "0x0"]}), "hexadecimal"),
    "a float as weight": (json.dumps({**good(), "weights": ["0x1.8p+1"] * 3}), "hexadecimal"),
    "NaN as weight": (json.dumps({**good(), "weights": ["nan"] * 3}), "hexadecimal"),
    "no weights": (json.dumps({**good(), "weights": []}), "0 weights are given"),
    "decimal multipliers": (json.dumps({**good(), "multipliers": ["1"] * 4}), "hexadecimal"),
    "digits of no ASCII": (json.dumps({**good(), "multipliers": ["0x١"] * 4}), "hexadecimal"),
    "capital digits": (json.dumps({**good(), "multipliers": ["0xA"] * 4}), "hexadecimal"),
    "plain multipliers": (json.dumps({**good(), "multipliers": [1] * 4}), "wrong type"),
    "too few multipliers": (json.dumps({**good(), "multipliers": ["0x1"]}), "one multiplier for"),
    "repeated rows": (json.dumps({**good(), "rows": [0, 1, 2, 2]}), "repeated"),
    "row out of range": (json.dumps({**good(), "rows": [0, 1, 2, 4]}), "out of range"),
    "negative row": (json.dumps({**good(), "rows": [0, 1, 2, -1]}), "rows of the wrong"),
    "true as a row": (json.dumps({**good(), "rows": [0, True, 2, 3]}), "rows of the wrong"),
    "long row": ('{"rows": [' + "1" * 5_000_000 + "]}", "is not JSON"),
    "long integer": (json.dumps({**good(), "multipliers": ["0x" + "1" * 1_000_002] * 4}), "digits"),
    "too long a file": (" " * (64 * 2**20 + 1), "more than 67108864 bytes"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_is_refused_with_the_reason(tmp_path, name):
    content, reason = MALFORMED[name]
    path = tmp_path / "proof.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(CertificateError, match=reason):
        load_certificate(path)


def test_a_missing_proof_is_a_file_error(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):  # a folder can be opened by nobody
        with pytest.raises(FileError, match="cannot read"):
            load_certificate(path)


def test_a_proof_that_nobody_would_read_is_not_written(tmp_path, monkeypatch):
    certificate = next(proofs())[0]
    length = len(certificate.to_json())
    for most, is_written in ((length, True), (length - 1, False)):
        monkeypatch.setattr("novikoff.certificates.certificate.MOST_BYTES", most)
        if is_written:
            certificate.save(tmp_path / "proof.json")
            assert load_certificate(tmp_path / "proof.json").status == "separable"
            (tmp_path / "proof.json").unlink()
        else:
            with pytest.raises(CertificateError, match=f"at most {most}"):
                certificate.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


def test_long_integers_are_read_and_checked(tmp_path):
    """400,000 decimal digits: beyond what Python turns into text, far below the limit."""
    large = 1 << 1_40_000
    certificate = Obstruction(range(4), [large] * 4, stamp_of(LOGIC, XOR))
    certificate.save(tmp_path / "proof.json")
    load_certificate(tmp_path / "proof.json").verify(LOGIC, XOR)
    with pytest.raises(CertificateError, match="the offset"):
        Obstruction(range(4), [large + 1, *[large] * 3], certificate.stamp).verify(LOGIC, XOR)


def test_a_proof_says_what_it_proves():
    said = [certificate.says("x.csv") for certificate, _, _ in proofs()]
    assert said[0] == "the 4 rows of x.csv are separable"
    assert said[2] == "the 4 rows of x.csv are not separable"


def test_reprs_read_as_claims():
    reprs = [repr(certificate) for certificate, _, _ in proofs()]
    assert reprs[0] == "<Claim of 4 × 2 binary64 numbers, with an offset: separable>"
    assert reprs[2] == "<Obstruction of 4 × 2 binary64 numbers, with an offset: not separable>"


def test_the_checker_loads_no_solver_and_no_compiler():
    code = (
        "import sys, numpy as np\n"
        "from novikoff.certificates import Claim, Stamp, Witness\n"
        "from novikoff.inputs import read_labels, read_table\n"
        "t = read_table(np.eye(2)); s = Stamp.of(t, read_labels([0, 1], 2), True)\n"
        "Claim([-1, 1, 0], Witness(), 2, 0, s).verify(np.eye(2), [0, 1])\n"
        "bad = 'highspy numba scipy sklearn flint novikoff.search novikoff.loops'.split()\n"
        "print(*(m for m in bad if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
