"""Wide tables: an obstruction is proven by its rows, and its multipliers exist all the same."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from novikoff.certificates import Obstruction, RowsAlone, Stamp, checker, load_certificate
from novikoff.certificates.checker import OVERLAPPING
from novikoff.errors import CertificateError
from novikoff.inputs import Table, read_labels, read_table
from novikoff.search import multipliers
from novikoff.search.multipliers import FROM
from test_cli import novikoff
from test_verified import FAMILIES, exactly

D = FROM + 4


def overlapping(seed: int, n: int = 6 * D, d: int = D) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d)).astype(np.float32)
    return X, random.integers(0, 2, n)


@pytest.fixture(scope="module")
def wide():
    X, y = overlapping(0)
    return X, y, nk.certify(X, y)


def small(rows, X, y, offset=True) -> tuple[RowsAlone, Table, np.ndarray]:
    table = read_table(np.asarray(X) if not isinstance(X, (sparse.csr_array, list)) else X)
    labels = read_labels(y, table.n_rows, None)
    return RowsAlone(rows, Stamp.of(table, labels, offset, None)), table, labels.signs


def test_a_wide_table_is_decided_by_rows_alone(wide):
    X, y, verdict = wide
    assert verdict.status == "overlapping"
    assert isinstance(verdict.certificate, RowsAlone)
    assert len(verdict.rows) == D + 2
    verdict.certificate.verify(X, y)


def test_the_multipliers_exist_and_balance_exactly(wide):
    X, y, verdict = wide
    full = verdict.with_multipliers()
    assert isinstance(full, Obstruction)
    full.verify(X, y)
    assert verdict.with_multipliers().weights == full.weights
    total = np.zeros(D, dtype=object)
    for row, multiplier in zip(full.rows, full.weights, strict=True):
        sign = 1 if y[row] else -1
        total += sign * multiplier * np.array([Fraction(float(v)) for v in X[row]], dtype=object)
    assert not total.any()


def test_a_file_of_rows_alone_is_read_back_and_checked(wide, tmp_path):
    X, y, verdict = wide
    path = tmp_path / "proof.json"
    verdict.certificate.save(path)
    fields = json.loads(path.read_text())
    assert (fields["version"], fields["kind"]) == (2, "rows")
    assert "multipliers" not in fields
    read = load_certificate(path)
    read.verify(X, y)
    assert list(read.rows) == list(verdict.certificate.rows)


def test_other_rows_prove_nothing(wide):
    X, y, verdict = wide
    rows = list(verdict.certificate.rows)
    other = next(i for i in range(len(X)) if i not in rows)
    table = read_table(X)
    labels = read_labels(y, len(X), None)
    for wrong in ([*rows[1:], other], rows[1:]):
        certificate = RowsAlone(wrong, verdict.certificate.stamp)
        with pytest.raises(CertificateError):
            certificate.check(table, labels.signs)
    flipped = labels.signs.copy()
    flipped[rows[0]] *= -1
    with pytest.raises(CertificateError):
        verdict.certificate.check(table, flipped)


def test_one_more_row_is_proven_too_where_its_multipliers_are_positive(wide):
    X, y, verdict = wide
    rows = list(verdict.certificate.rows)
    other = next(i for i in range(len(X)) if i not in rows)
    more = RowsAlone([*rows, other], verdict.certificate.stamp)
    more.verify(X, y)
    table, signs = read_table(X), read_labels(y, len(X), None).signs
    more.with_multipliers(table, signs).check(table, signs)


def test_decimals_are_proven_like_floats():
    X, y = overlapping(1, n=3 * D)
    tenths = np.round(np.asarray(X, dtype=float), 1)
    exact = np.array([[Fraction(round(v * 10), 10) for v in row] for row in tenths], dtype=object)
    verdict = nk.certify(exact, y)
    assert verdict.status == "overlapping"
    assert isinstance(verdict.certificate, RowsAlone)
    verdict.certificate.verify(exact, y)


def test_sparse_rows_with_empty_columns_are_proven():
    X, y = overlapping(2)
    wider = np.zeros((len(X), D + 3))
    wider[:, 1 : D + 1] = X
    verdict = nk.certify(sparse.csr_array(wider), y)
    assert isinstance(verdict.certificate, RowsAlone)
    verdict.certificate.verify(sparse.csr_array(wider), y)
    wider[0, 0] = 1.0  # now the rows span one column less than there are
    certificate, table, signs = small(verdict.certificate.rows, sparse.csr_array(wider), y)
    with pytest.raises(CertificateError, match="zero on the rows"):
        certificate.check(table, signs)


@pytest.mark.parametrize("offset", [True, False])
def test_small_sets_agree_with_exact_multipliers(offset, fresh_seed):
    """Every choice of D+1 rows of small integers: accepted just when the relation is positive."""
    random = np.random.default_rng(fresh_seed)
    seen = set()
    for _ in range(300):
        d = int(random.integers(1, 4))
        n = d + 1 + offset
        X, y = random.integers(-2, 3, (n, d)).astype(float), random.integers(0, 2, n)
        if y.min() == y.max() or not X.any(axis=0).all():
            continue
        certificate, table, signs = small(range(n), X, y, offset)
        lifted = np.hstack([X, np.ones((n, 1))]) if offset else X
        relation = _relation(
            [[Fraction(v) * int(s) for v in r] for r, s in zip(lifted, signs, strict=True)]
        )
        expected = relation is not None and all(v > 0 for v in relation)
        seen.add(expected)
        plainly = {"kind": "rows", "rows": list(range(n))}
        if expected:
            assert checker.check_claim(plainly, lifted.tolist(), signs.tolist()) == OVERLAPPING
            certificate.check(table, signs)
            full = certificate.with_multipliers(table, signs)
            full.check(table, signs)
        else:
            with pytest.raises(CertificateError):
                certificate.check(table, signs)
            with pytest.raises(checker.ProofError):
                checker.check_claim(plainly, lifted.tolist(), signs.tolist())
    assert seen == {True, False}


def _relation(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The λ with Σ λ_i·rows_i = 0 and first entry positive, if it is unique up to a factor."""
    n, d = len(rows), len(rows[0])
    columns = [[rows[i][j] for i in range(n)] for j in range(d)]
    pivots: list[int] = []
    for place in range(n):
        line = next((k for k in range(len(pivots), d) if columns[k][place]), None)
        if line is None:
            continue
        r = len(pivots)
        columns[r], columns[line] = columns[line], columns[r]
        head = columns[r][place]
        columns[r] = [v / head for v in columns[r]]
        for k in range(d):
            if k != r and columns[k][place]:
                factor = columns[k][place]
                columns[k] = [a - factor * b for a, b in zip(columns[k], columns[r], strict=True)]
        pivots.append(place)
        if len(pivots) == d:
            break
    free = [i for i in range(n) if i not in pivots]
    if len(free) != 1:
        return None
    relation = [Fraction(0)] * n
    relation[free[0]] = Fraction(1)
    for line, place in enumerate(pivots):
        relation[place] = -columns[line][free[0]]
    return relation


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_plain_checker_never_says_a_wrong_yes(family, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for d in (1, 2, 4):
        for _ in range(25):
            z = family(random, d)
            if not np.isfinite(z).all():
                continue
            try:
                rows = list(range(d + 1))
                checker.check_alone(z.tolist(), [1] * (d + 1), rows, rows)
            except checker.ProofError:
                continue
            assert exactly(z), z.tolist()


def test_the_plain_checker_proves_a_file_by_its_rows(tmp_path):
    random = np.random.default_rng(5)
    X, y = random.integers(-50, 50, (200, 30)), random.integers(0, 2, 200)
    path, proof = tmp_path / "d.csv", tmp_path / "p.json"
    np.savetxt(path, np.column_stack([X, y]), fmt="%d", delimiter=",")
    known = nk.certify(X, y).certificate
    RowsAlone(known.rows, known.stamp).save(proof)
    assert checker.check(str(proof), str(path)).startswith("overlapping")
    fields = json.loads(proof.read_text())
    fields["rows"][0] = next(i for i in range(len(X)) if i not in fields["rows"])
    proof.write_text(json.dumps(fields))
    with pytest.raises(checker.ProofError, match="multiplier"):
        checker.check(str(proof), str(path))


def test_the_report_names_the_rows_without_solving_for_their_multipliers(wide, tmp_path):
    pytest.importorskip("matplotlib")
    _, _, verdict = wide
    path = tmp_path / "report.html"
    verdict.report(path)
    text = path.read_text()
    assert "linear relation" in text
    assert "their digits, which are many" in text
    assert "solved" not in vars(verdict.findings.obstruction[1])


def test_the_command_writes_multipliers_when_asked(tmp_path):
    X, y = overlapping(3, n=3 * D)
    np.savez(tmp_path / "d.npz", X=X, y=y)
    data, proof = str(tmp_path / "d.npz"), str(tmp_path / "p.json")
    assert novikoff("certify", data, "--proof", proof).returncode == 0
    assert isinstance(load_certificate(proof), RowsAlone)
    assert novikoff("verify", proof, data).returncode == 0
    assert novikoff("certify", data, "--proof", proof, "--multipliers").returncode == 0
    assert isinstance(load_certificate(proof), Obstruction)
    assert novikoff("verify", proof, data).returncode == 0
    alone = novikoff("certify", data, "--multipliers")
    assert (alone.returncode, "--proof" in alone.stderr) == (2, True)


def dependent_table(random, d, quasi):
    """Overlapping rows of d columns, some of them sums of others; `quasi` adds one that settles."""
    n, free = 12 * d, d - d // 3
    X = random.integers(-8, 9, (n, d)).astype(np.float64)
    for j in range(free, d):
        X[:, j] = X[:, random.choice(free, 2, replace=False)].sum(axis=1)
    y = np.where(random.random(n) < 0.15, 0, X @ random.standard_normal(d) > 0).astype(int)
    if quasi:
        settled = np.where(random.random(n) < 0.3, 2 * y - 1, 0)
        X = np.column_stack([X, settled + X[:, 0] - X[:, 1]])
    return X, y


@pytest.mark.parametrize("quasi", [False, True], ids=["overlapping", "quasi-separable"])
def test_rows_stand_alone_where_columns_depend_on_others(quasi, monkeypatch, fresh_seed, tmp_path):
    """From the first column on, as elsewhere from 256: the same status as with multipliers."""
    random = np.random.default_rng(fresh_seed)
    alone = 0
    for _ in range(12):
        X, y = dependent_table(random, 6, quasi)
        with monkeypatch.context() as patched:
            patched.setattr(multipliers, "FROM", 1)
            short = nk.certify(X, y)
        full = nk.certify(X, y)
        assert short.status == full.status
        assert set(short.separated) == set(full.separated)
        if not short.is_solved:
            alone += 1
            short.certificate.save(tmp_path / "proof.json")
            nk.load_certificate(tmp_path / "proof.json").verify(X, y)
            vectors = [[*row, 1.0] for row in X.tolist()]
            signs = np.where(y > 0, 1, -1).tolist()
            proof = checker_fields(short.certificate)
            checker.check_claim(proof, vectors, signs)
            solved = short.with_multipliers()
            solved.verify(X, y)
            assert min(checker_fields(solved)["multipliers"]) > 0
    assert alone > 0


def checker_fields(certificate):
    """The fields of a proof as the plain checker reads them."""
    fields = certificate.to_dict()
    for name in ("weights", "multipliers", "factors"):
        if fields.get(name) is not None:
            fields[name] = [int(text, 16) for text in fields[name]]
    return fields


def test_rows_alone_are_refused_where_a_row_breaks_a_relation_of_theirs(monkeypatch, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    monkeypatch.setattr(multipliers, "FROM", 1)
    for _ in range(50):
        X, y = dependent_table(random, 6, False)
        proof = nk.certify(X, y).certificate
        if proof.kind == "rows":
            break
    assert len(proof.rows) < X.shape[1] + 2
    other = next(i for i in range(len(X)) if i not in proof.rows)
    X[other, -1] += 1.0
    signs = np.where(y > 0, 1, -1)
    stamp = nk.certify(X, y).certificate.stamp
    broken = RowsAlone(proof.rows, stamp)
    with pytest.raises(nk.CertificateError, match="span"):
        broken.verify(X, y)
    vectors = [[*row, 1.0] for row in X.tolist()]
    with pytest.raises(checker.ProofError, match="span"):
        checker.check_claim({"kind": "rows", "rows": list(proof.rows)}, vectors, signs.tolist())
