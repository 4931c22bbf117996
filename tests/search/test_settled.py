"""The search finds exactly the rows that can be settled, with equalities and without."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from fourier_motzkin import settled_of
from novikoff.certificates import Reading, Stamp, checker
from novikoff.inputs import read_table
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts.single import claim_of


def found_for(X, signs, offset, seed=0):
    """What the search finds, as a claim, checked; the table and the signs that it is of."""
    table, signs, findings = read_table(X), np.asarray(signs, dtype=np.int8), Findings()
    random = np.random.default_rng(seed)
    search(SignedRows(table, signs, offset), Clock(), random, findings)
    stamp = Stamp.of_rows(table.n_rows, table.n_columns, offset)
    return claim_of(findings, stamp, table, signs), table, signs


def alone(folder, certificate, rows, signs):
    """How many rows the stand-alone checker takes for settled, and how many for the core."""
    certificate.save(folder / "proof.json")
    proof = checker.read_proof(str(folder / "proof.json"))
    vectors = [[*row, int(proof["offset"])] for row in rows]
    return checker.check_claim(proof, vectors, [int(sign) for sign in signs])


def tiny_set(random):
    """Few integer rows of all three signs, often nearly separable, with repeats and zeros."""
    d, n, size = random.integers(1, 4), random.integers(1, 9), random.choice([1, 1, 2, 3])
    X = random.integers(-size, size + 1, (n, d))
    if random.random() < 0.3:
        X[:, random.integers(d)] = 0
    if random.random() < 0.3:
        X[random.integers(n)] = 0
    if random.random() < 0.3:
        X[-1] = X[0]
    shares = random.dirichlet([1, 0.5, 1])
    signs = random.choice([-1, 0, 1], n, p=shares)
    if random.random() < 0.5:
        scores = X @ random.integers(-2, 3, d) + random.integers(-1, 2)
        signs = np.where(random.random(n) < 0.2, signs, np.sign(scores))
    return X.tolist(), signs.tolist(), bool(random.integers(2))


def test_settled_rows_are_those_of_fourier_motzkin_elimination_on_thousands_of_sets(
    tmp_path, fresh_seed
):
    random = np.random.default_rng(fresh_seed)
    seen = dict.fromkeys(("separable", "quasi-separable", "overlapping"), 0)
    for trial in range(1500):
        X, signs, offset = tiny_set(random)
        form = sparse.csr_matrix if trial % 2 else np.array
        certificate, table, given = found_for(form(np.array(X, dtype=float)), signs, offset)
        expected = settled_of(X, signs, offset)
        assert certificate.settled(table, given).tolist() == expected, (X, signs, offset)
        n_core = sum(sign != 0 for sign in signs) - len(expected)
        whole = "quasi-separable" if n_core else "separable"
        assert certificate.status == (whole if expected else "overlapping")
        seen[certificate.status] += 1
        if trial % 5 == 0:
            assert alone(tmp_path, certificate, X, signs) == (len(expected), n_core)
    assert min(seen.values()) > 100


def test_two_classes_are_separated_as_fourier_motzkin_elimination_says(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(400):
        X, signs, offset = tiny_set(random)
        signs = [sign or 1 for sign in signs]
        if len(set(signs)) < 2:
            continue
        verdict = nk.certify(np.array(X), signs, offset)
        expected = settled_of(X, signs, offset)
        assert verdict.separated.tolist() == expected
        assert verdict.n_separated == len(expected)
        verdict.certificate.verify(np.array(X), signs)


def test_settled_rows_of_numbers_of_every_form(fresh_seed):
    """Thirds and tenths in X, exactly; a common factor of the rows changes nothing."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(60):
        X, signs, offset = tiny_set(random)
        if offset:  # the constant as a column, so that the rows may be scaled
            X = [[*row, 1] for row in X]
        expected = settled_of(X, signs, False)
        for scale in (Fraction(1, 3), Fraction(1, 10), Fraction(10**320), Fraction(1, 10**320)):
            exact = np.array([[v * scale for v in row] for row in X], dtype=object)
            certificate, table, given = found_for(exact, signs, False)
            assert certificate.settled(table, given).tolist() == expected
        tenths = np.array([[Decimal(v) / 10 for v in row] for row in X], dtype=object)
        doubles = [np.array(X) * 2.0**power for power in (-1074, -1000, 1000)]  # without rounding
        for rows in (tenths, *doubles):
            certificate, table, given = found_for(rows, signs, False)
            assert certificate.settled(table, given).tolist() == expected


def test_exact_zeros_stay_zeros_among_floats(fresh_seed):
    """Rows w·x = 0 in both classes, as floats that are not round; and equalities among them."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(40):
        d, n = int(random.integers(2, 6)), int(random.integers(12, 60))
        X = random.normal(size=(n, d))
        settled = random.random(n) < 0.5
        X[~settled, 0] = 0.0
        signs = np.where(settled, np.sign(X[:, 0]), random.choice([-1, 0, 1], n)).astype(int)
        certificate, table, given = found_for(X, signs, bool(random.integers(2)))
        everything = certificate.settled(table, given)
        assert set(np.flatnonzero(settled)) <= set(everything.tolist())


# ------------------------------------------------------------------ edges


@pytest.mark.parametrize(
    ("X", "signs", "offset", "status", "n_settled"),
    [
        ([[1.0], [2.0]], [0, 0], True, "overlapping", 0),  # nothing but equalities
        ([[0.0], [0.0]], [1, -1], False, "overlapping", 0),  # nothing but zero rows
        ([[1.0], [2.0], [3.0]], [0, 0, 1], True, "overlapping", 0),  # held by the equalities
        ([[1.0, 0], [2.0, 1], [1.0, 5]], [0, 0, 1], False, "overlapping", 0),
        ([[0.0, 1], [1.0, 3]], [0, 1], False, "separable", 1),
        ([[1.0], [1.0]], [1, 0], False, "overlapping", 0),
        ([[1.0]], [1], False, "separable", 1),
        ([[0.0]], [1], True, "separable", 1),  # one class: the offset alone
        ([[0.0]], [0], False, "overlapping", 0),
    ],
)
def test_edges(X, signs, offset, status, n_settled, tmp_path):
    certificate, _, _ = found_for(np.array(X), signs, offset)
    assert (certificate.status, certificate.n_settled) == (status, n_settled)
    assert alone(tmp_path, certificate, X, signs) == (n_settled, certificate.n_core)


def test_a_million_equalities_of_full_rank_are_decided_at_once():
    random = np.random.default_rng(0)
    X = random.normal(size=(200_000, 6))
    signs = np.zeros(len(X), dtype=np.int8)
    signs[::10] = random.choice([-1, 1], len(signs[::10]))
    certificate, _, _ = found_for(X, signs, True)
    assert certificate.status == "overlapping"


def test_equalities_that_a_few_of_many_rows_complete():
    """Only 2 of 100,000 equalities reach into the last columns; the core needs both."""
    random = np.random.default_rng(1)
    X = np.zeros((100_000, 5))
    X[:, :3] = random.integers(-3, 4, (len(X), 3))
    X[70_001, 3], X[90_002, 4] = 2.0, 3.0
    signs = np.zeros(len(X), dtype=np.int8)
    signs[:50] = 1
    X[:50, 3:] = random.integers(-1, 2, (50, 2))
    for rows in (X, sparse.csr_matrix(X)):
        assert found_for(rows, signs, False)[0].status == "overlapping"
    X[90_002, 4] = 0.0
    X[:50, 4] = np.abs(X[:50, 4])
    certificate, table, given = found_for(X, signs, False)
    assert certificate.settled(table, given).tolist() == np.flatnonzero(X[:, 4]).tolist()


@pytest.mark.parametrize("has_more", [False, True])
def test_equalities_whose_relation_is_long_are_looked_at_again(has_more):
    """(a, b, c) with c of so many digits that a sample of rows alone says what they span."""
    random = np.random.default_rng(2)
    pairs = random.integers(-9, 10, (400, 2)).astype(object)
    rows = np.column_stack([pairs, pairs @ np.array([10**40 + 37, 10**39 + 31], dtype=object)])
    signs = np.zeros(400, dtype=np.int8)
    rows[5], signs[5] = [0, 0, 3], -1
    if has_more:  # none of which is in the sample
        rows[np.arange(400) % 66 > 5] = [0, 0, 1]
    certificate, table, given = found_for(rows, signs, False)
    assert certificate.settled(table, given).tolist() == ([] if has_more else [5])


def test_many_rounds_are_added_up():
    """Each row can be settled only when those before it are: e_1, -e_1·10^6 + e_2, …"""
    d = 12
    rows, signs = [], []
    for k in range(d):
        row = [0.0] * d
        row[k] = 1.0
        if k:
            row[k - 1] = -(10.0**6)
        rows.append(row)
        signs.append(1)
    core = [0.0] * d
    certificate, _, _ = found_for(np.array([*rows, core, core]), [*signs, 1, -1], False)
    assert (certificate.n_settled, certificate.n_core) == (d, 2)


def test_time_runs_out_at_any_moment_and_nothing_false_is_said(monkeypatch):
    X = np.array([[0, 1], [0, -1], [0, 2], [1, 0], [2, 1], [-1, 3], [0, 0.5]])
    y = [0, 1, 1, 1, 1, 0, 0]
    expected = nk.certify(X, y)
    assert expected.separated.tolist() == [3, 4, 5]
    looks, seen = 0, set()

    def left(clock):
        nonlocal looks
        looks -= 1
        return float("inf") if clock.time_limit is None else float(looks)

    monkeypatch.setattr(Clock, "left", left)
    for n in range(1, 40):
        looks = n
        verdict = nk.certify(X, y, time_limit=1.0)
        seen.add(type(verdict.certificate).__name__)
        assert verdict.status in ("undecided", "quasi-separable")
        if verdict.separated is not None:
            assert verdict.separated.tolist() == [3, 4, 5]
        if verdict.certificate is not None:
            verdict.certificate.verify(X, y)
    assert seen == {"NoneType", "Claim"}
    looks = 1
    with pytest.raises(OutOfTimeError):
        search(SignedRows(read_table(X), np.array([1] * 7), True), Clock(1.0), None, Findings())


# ------------------------------------------------------------------ what a verdict says of it


def test_rows_are_named_by_their_number_in_the_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b,y\n0,1,0\n,5,1\n0,1,1\n0,2,0\n,7,0\n3,0,1\n,1,1\n4,9,1\n")
    verdict = nk.certify(nk.read(path, "y", missing="drop"))
    assert (verdict.status, verdict.n_separated) == ("quasi-separable", 3)
    assert verdict.separated.tolist() == [3, 5, 7]
    assert verdict.to_dict()["separated"] == [3, 5, 7]
    assert "3 of the 5 rows are predicted perfectly; on the other 2 alone" in str(verdict)
    assert "3, 5, 7, counted from 0, are predicted perfectly" in str(verdict)


def test_many_numbers_at_once_are_those_one_by_one(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(50):
        left_out = np.flatnonzero(random.random(40) < random.random())
        reading = Reading.of({}, (), left_out)
        rows = np.arange(60)
        assert reading.numbers(rows).tolist() == [reading.number(row) for row in range(60)]


def test_pairs_of_classes_name_rows_of_all_rows():
    X = np.array([[0], [0], [5], [7], [1], [0], [6]])
    y = ["a", "b", "c", "c", "b", "a", "c"]
    verdicts = nk.certify_classes(X, y, against="each")
    for pair, rows in ((("a", "b"), [4]), (("b", "c"), [1, 2, 3, 4, 6])):
        own = verdicts.selected(pair)[verdicts[pair].separated]
        assert own.tolist() == rows
    listed = {one["labelling"]: one["n_separated"] for one in verdicts.to_dict()["labellings"]}
    assert listed["a against b"] == 1


def test_very_many_rows_are_counted_and_not_listed():
    X = np.repeat([[0.0], [0.0], [1.0]], 1500, axis=0)
    verdict = nk.certify(X, np.repeat([0, 1, 1], 1500))
    found = verdict.to_dict()
    assert (found["n_separated"], found["separated"]) == (1500, None)
    assert verdict.separated.tolist() == list(range(3000, 4500))
    assert "… (1500 in all; ask for verdict.separated)" in str(verdict)
