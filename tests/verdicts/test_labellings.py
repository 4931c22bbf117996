"""Many labellings of one table: each as it is alone, against exact oracles, in any form."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction
from itertools import product

import array_api_strict as xp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import novikoff as nk
from fourier_motzkin import status_of
from novikoff.certificates import load_certificate
from novikoff.certificates.labellings import Labellings
from novikoff.errors import CertificateError, InputError
from novikoff.inputs import device, read_table
from novikoff.inputs.device import Place, PlacedRows, inverse_of_triangle
from novikoff.search.labellings import Level
from novikoff.verdicts import together
from novikoff.verdicts.labellings import read_labellings

DEVICE = xp.Device("device1")
BATCH = ("steps of many labellings",)


def there(values):
    return xp.asarray(np.ascontiguousarray(values), device=DEVICE)


def planted(seed, n=600, d=12, flipped=(0.0, 0.02, 0.3), dtype=np.float32):
    """Rows, and labellings by planted directions of which some shares are flipped."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d)).astype(dtype)
    shares = np.array(flipped)
    scores = X @ random.standard_normal((d, len(shares)))
    return X, (scores > 0) ^ (random.random(scores.shape) < shares)


def check_alone(X, Y, **options):
    """Each labelling has the status that it has alone, and a proof that holds."""
    verdicts = nk.certify(X, Y, **options)
    for k, name in enumerate(verdicts):
        rows = verdicts.selected(name)
        own = np.asarray(Y)[rows, k]
        own = own.astype(type(own[0])) if own.dtype == object else own
        verdict = verdicts[name]
        assert verdict.status == nk.certify(X[rows], own, **options).status == verdicts.status[k]
        verdict.certificate.verify(X[rows], own)
    return verdicts


# ------------------------------------------------------------------ the status is exact


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_covers_count_of_separable_labellings_is_met_over_all_labellings(fit_intercept):
    """Of 2^n labellings of n points in general position, 2·Σ_(k<D) C(n - 1, k) are separable."""
    d, times = 3, np.array([-4, -3, -2, -1, 1, 2, 3, 4, 5])
    X, n = times[:, None] ** np.arange(1, d + 1), len(times)  # a curve in general position
    Y = np.array([y for y in product([0, 1], repeat=n) if 0 < sum(y) < n]).T
    verdicts = nk.certify(X, Y, fit_intercept)
    expected = 2 * sum(math.comb(n - 1, k) for k in range(d + fit_intercept))
    one_sided = nk.certify(np.vstack([X, -X]), [1] * n + [0] * n, False).status == "separable"
    expected -= 2 * (fit_intercept or one_sided)  # labellings of one value, which are not asked
    assert verdicts.counts["separable"] == expected
    assert verdicts.counts.get("undecided", 0) == 0


def test_small_tables_rich_in_ties_agree_with_fourier_motzkin_elimination(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(25):
        n, d = int(random.integers(3, 9)), int(random.integers(1, 4))
        X = random.integers(-2, 3, (n, d))
        if d > 1 and random.random() < 0.4:
            X[:, -1] = X[:, 0]
        Y = random.random((n, 8)) < 0.5
        Y[0], Y[1] = True, False
        offset = bool(random.integers(2))
        verdicts = nk.certify(X, Y, offset)
        for k in range(8):
            signs = np.where(Y[:, k], 1, -1).tolist()
            assert verdicts.status[k] == status_of(X.tolist(), signs, offset), (X, signs, offset)
            verdicts[k].certificate.verify(X, Y[:, k])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int64])
def test_a_labelling_among_others_is_what_it_is_alone(fresh_seed, dtype):
    X, Y = planted(fresh_seed)
    X = (8 * X).astype(dtype)
    verdicts = check_alone(X, Y)
    assert verdicts[2].how == BATCH


def test_columns_that_are_zero_or_depend_on_others_are_decided_together(fresh_seed):
    X, Y = planted(fresh_seed, flipped=(0.1, 0.3, 0.5))
    X = np.round(64 * X)
    X = np.hstack([X, 0 * X[:, :1], X[:, :1] + 2 * X[:, 1:2], np.full((len(X), 1), 3.0)])
    verdicts = check_alone(X, Y)
    assert [verdicts[k].how for k in range(3)] == [BATCH] * 3
    assert len(verdicts[0].certificate.witness.relations) == 2


def test_columns_of_unlike_size_and_far_from_zero_are_as_they_are_alone(fresh_seed):
    X, Y = planted(fresh_seed, dtype=np.float64)
    check_alone(X * 10.0 ** np.linspace(-12, 12, X.shape[1]), Y)
    check_alone(X + 1e9, Y)
    check_alone(X * 1e-200, Y)


@pytest.fixture
def sizes(monkeypatch):
    """The rows of every sample, in the order in which steps were made on them."""
    seen, descend = [], Level.descend
    monkeypatch.setattr(
        Level, "descend", lambda self, which: seen.append(self.n_rows) or descend(self, which)
    )
    return seen


def test_rows_in_their_thousands_go_through_samples(fresh_seed, sizes):
    check_alone(*planted(fresh_seed, 4000, 5, (0.05, 0.2, 0.0)))
    assert sizes[0] < 200
    assert max(sizes) <= 4000


def test_labellings_that_are_nearly_separable_are_searched_alone(fresh_seed, sizes):
    """Steps on all rows would take ten times as long: 40 of them read X 80 times."""
    verdicts = nk.certify(*planted(fresh_seed, 40_000, 16, (0.0, 0.2)))
    assert verdicts.status.tolist() == ["separable", "overlapping"]
    assert max(sizes) < 20_000
    assert verdicts[1].how == BATCH
    assert verdicts[0].how != BATCH


def test_sparse_rows_and_sparse_labellings_are_taken(fresh_seed):
    X, Y = planted(fresh_seed, 300, 6, (0.2, 0.4))
    X[np.abs(X) < 0.8] = 0.0
    dense = nk.certify(X, Y)
    thin = nk.certify(sparse.csr_matrix(X), sparse.csr_matrix(Y.astype(int)))
    assert thin.status.tolist() == dense.status.tolist()
    thin[0].certificate.verify(X, Y[:, 0].astype(int))


def test_rows_of_zeros_are_decided():
    Y = np.eye(4, 2)
    assert nk.certify(np.zeros((4, 2)), Y, False).counts == {"overlapping": 2}
    assert nk.certify(np.zeros((4, 2)), Y).counts == {"overlapping": 2}


def test_exact_decimals_take_the_single_way(fresh_seed):
    X, Y = planted(fresh_seed, 60, 3, (0.2, 0.0), np.float64)
    X = np.round(X, 2)
    verdicts = nk.certify(X, Y, numbers="decimal")
    assert verdicts[0].numbers == "decimal"
    assert verdicts.status[0] == nk.certify(X, Y[:, 0], numbers="decimal").status


# ------------------------------------------------------------------ the check says no


def labellings_of(X, Y):
    table = read_table(X)
    return Labellings(PlacedRows(table, True), np.where(Y, 1, -1).astype(np.int8))


def test_no_multipliers_prove_that_separable_classes_overlap(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X, Y = planted(fresh_seed, 200, 4, (0.0,) * 40, np.float64)
    checked = labellings_of(X, Y)
    every = np.arange(40)
    factor = checked.factor(every, 2)
    for size in (0.0, 1e-9, 1.0, 1e6):
        beyond = np.round(size * random.random((200, 40)) ** 8 * 2.0**40) / 2.0**40
        assert not checked.check_balances(factor, np.arange(200), beyond, every).any()


def test_multipliers_that_were_changed_prove_nothing(monkeypatch):
    X, Y = planted(3, 300, 6, (0.1, 0.3), np.float64)
    given = {}
    check = Labellings.check_balances

    def watch(self, factor, places, beyond, which):
        given.update(factor=factor, places=places, beyond=beyond, which=which)
        return check(self, factor, places, beyond, which)

    monkeypatch.setattr(Labellings, "check_balances", watch)
    verdicts = nk.certify(X, Y)
    assert verdicts.counts == {"overlapping": 2}
    assert [verdicts[k].how for k in (0, 1)] == [BATCH] * 2
    checked, true = labellings_of(X, Y), given["beyond"]
    assert check(checked, **given).all()
    spoilt = (
        true - 1.0, true * np.nan, true + np.inf, np.nextafter(true, np.inf), true * 1.01,
        np.roll(true, 1, axis=0),
    )  # fmt: skip
    with np.errstate(all="ignore"):
        for beyond in spoilt:
            assert not check(checked, **{**given, "beyond": beyond}).any()


def test_a_negative_multiplier_proves_nothing():
    rows = PlacedRows(read_table(np.array([[1.0], [-1.0], [2.0]])), False)
    checked = Labellings(rows, np.array([[1], [-1], [1]], dtype=np.int8))  # separable: w = 1
    which, factor = np.array([0]), checked.factor(np.array([0]), 2)
    beyond = np.array([[0.0], [-4.0], [0.0]])  # 1·1 - 3·1 + 1·2 = 0
    assert not checked.check_balances(factor, np.arange(3), beyond, which).any()


def test_a_direction_on_the_wrong_side_of_one_row_is_no_separator(fresh_seed):
    X, Y = planted(fresh_seed, 300, 4, (0.0,), np.float64)
    weights = nk.certify(X, Y[:, 0]).weights
    checked = labellings_of(X, Y)
    right = checked.check_separators(np.array(weights, dtype=float)[:, None], np.array([0]))
    assert right[0] >= 0.0
    margin = nk.max_margin(X, Y[:, 0])
    assert right[0] <= margin.upper
    Y[7] ^= True
    wrong = labellings_of(X, Y).check_separators(
        np.array(weights, dtype=float)[:, None], np.array([0])
    )
    assert np.isnan(wrong[0])


def test_a_score_within_rounding_is_decided_in_integers():
    X = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-52], [1.0, 1.0 - 2.0**-53]])
    Y = np.array([[0], [1], [0]], dtype=bool)
    checked = Labellings(PlacedRows(read_table(X), False), np.where(Y, 1, -1).astype(np.int8))
    assert np.isnan(checked.check_separators(np.array([[-1.0], [1.0], [0.0]]), np.array([0]))[0])
    checked = Labellings(PlacedRows(read_table(X[1:]), False), np.where(Y[1:], 1, -1).astype("i1"))
    assert checked.check_separators(np.array([[-1.0], [1.0], [0.0]]), np.array([0]))[0] == 0.0


def test_the_weight_of_an_offset_that_is_not_there_separates_nothing():
    rows = PlacedRows(read_table(np.array([[1.0], [0.0]])), False)  # no w has 0·w > 0
    checked = Labellings(rows, np.array([[1], [1]], dtype=np.int8))
    assert np.isnan(checked.check_separators(np.array([[1.0], [1.0]]), np.array([0]))[0])


@pytest.mark.parametrize("size", [1e-300, 1e-170, 1.0, 1e170, 1e300])
@pytest.mark.parametrize("weight", [1e-300, 1e-200, 1.0, 1e200, 1e308])
def test_no_bound_on_a_margin_is_below_it_at_any_scale(size, weight):
    rows = PlacedRows(read_table(np.array([[size], [-size]])), False)  # the margin is `size`
    checked = Labellings(rows, np.array([[1], [-1]], dtype=np.int8))
    beyond = np.full((2, 1), weight)
    with np.errstate(all="ignore"):
        assert checked.margins_above(np.arange(2), beyond, np.array([0]))[0] >= size


def test_each_labelling_is_decided_by_its_own_rows_in_every_block(monkeypatch):
    monkeypatch.setattr(device, "CELLS", 1)  # a row in each
    rows = PlacedRows(read_table(np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 1.0]])), False)
    checked = Labellings(rows, np.array([[1, 0, 0], [1, 0, 1], [1, 1, 1]], dtype=np.int8))
    weights = np.array([[1.0], [-1.0], [0.0]]) * np.ones(3)  # two rows are on it
    found = checked.check_separators(weights, np.arange(3))
    assert np.isnan(found).tolist() == [True, False, True]
    assert found[1] == pytest.approx(1 / np.sqrt(2))


@pytest.mark.parametrize(
    "signs", [[[1]], [[1], [2]], [[1], [-2]], [[1], [257]], [[1.0], [0.5]], [[1], [-1], [1]]]
)
def test_what_is_no_sign_of_each_row_is_refused(signs):
    rows = PlacedRows(read_table(np.array([[1.0], [2.0]])), True)
    with pytest.raises(CertificateError, match="needs a sign in every labelling"):
        Labellings(rows, np.array(signs))
    for right in (np.array([[1.0], [-1.0]]), np.array([[0], [1]])):
        assert Labellings(rows, right).signs.tolist() == right.tolist()


def test_numbers_that_floats_round_are_not_checked_together():
    table = read_table(np.array([[Fraction(1, 3)], [Fraction(2)]], dtype=object))
    with pytest.raises(CertificateError, match="where floats hold all numbers"):
        Labellings(PlacedRows(table, True), np.array([[1], [-1]], dtype=np.int8))


def test_a_row_has_one_multiplier():
    rows = PlacedRows(read_table(np.array([[1.0], [1.0], [5.0]])), False)
    checked = Labellings(rows, np.array([[1], [-1], [0]], dtype=np.int8))
    which, factor = np.array([0]), checked.factor(np.array([0]), 2)
    for places in ([0, 1], [1, 0]):
        assert checked.check_balances(factor, np.array(places), np.zeros((2, 1)), which).all()
    with pytest.raises(CertificateError, match="two multipliers"):
        checked.check_balances(factor, np.array([1, 1]), np.zeros((2, 1)), which)


def test_a_row_with_a_multiplier_must_belong_to_the_question():
    rows = PlacedRows(read_table(np.array([[1.0], [1.0], [5.0]])), False)
    checked = Labellings(rows, np.array([[1], [-1], [0]], dtype=np.int8))
    which, factor = np.array([0]), checked.factor(np.array([0]), 2)
    for beyond, is_proof in ((0.0, True), (1.0, False)):
        given = np.array([[0.0], [0.0], [beyond]])
        assert checked.check_balances(factor, np.arange(3), given, which)[0] == is_proof


def test_a_row_of_the_factor_must_belong_to_the_question():
    X, Y = planted(0, 100, 3, (0.3, 0.3), np.float64)
    signs = np.where(Y, 1, -1).astype(np.int8)
    whole = Labellings(PlacedRows(read_table(X), True), signs)
    factor = whole.factor(np.array([0, 1]), 2)
    signs[factor.rows[0], 1] = 0
    part = Labellings(PlacedRows(read_table(X), True), signs)
    with pytest.raises(CertificateError, match="no part of the question"):
        part.check_balances(factor, np.arange(100), np.zeros((100, 2)), np.array([0, 1]))


# ------------------------------------------------------------------ labels in any form


def test_missing_labels_leave_rows_out_of_that_question_only(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X, Y = planted(fresh_seed, 400, 5, (0.1, 0.1, 0.1, 0.0))
    Y = Y.astype(object)
    Y[random.random(Y.shape) < 0.3] = None
    Y[:, 2] = np.where(np.equal(Y[:, 2], None), np.nan, Y[:, 2])
    verdicts = check_alone(X, Y)
    assert len(verdicts.selected(0)) < 400
    assert verdicts[0].n_rows == len(verdicts.selected(0))
    assert verdicts[0].how == BATCH
    few = verdicts.rows(0)
    assert set(few) <= set(verdicts.selected(0).tolist())
    assert nk.certify(X[few], Y[few, 0].astype(bool)).status != "separable"


def frames():
    when = [pd.Timestamp("2020-01-01"), pd.NaT, pd.Timestamp("2021-01-01")] * 10
    table = {
        "truth": [True, False, True] * 10,
        "text": ["a", None, "b"] * 10,
        "number": [-1.0, 1.0, float("nan")] * 10,
    }
    yield pd.DataFrame({**table, "when": when})
    yield pd.DataFrame({**table, "maybe": pd.array([True, pd.NA, False] * 10, dtype="boolean")})
    yield pl.DataFrame({**table, "number": [-1.0, 1.0, None] * 10})
    yield pa.table({**table, "number": [-1.0, 1.0, None] * 10})
    levels = pa.array(table["text"]).dictionary_encode()
    yield pa.table({**table, "text": levels, "number": [-1.0, 1.0, None] * 10})
    yield table


@pytest.mark.parametrize("Y", list(frames()), ids=lambda Y: type(Y).__module__)
def test_names_and_missing_labels_of_any_frame(Y):
    X = np.arange(30.0)[:, None] ** [1, 2]
    verdicts = nk.certify(X, Y)
    assert verdicts.names[:3] == ["truth", "text", "number"]
    assert [verdicts[name].n_rows for name in verdicts.names[:3]] == [30, 20, 20]
    assert verdicts["text"].classes == ("a", "b")
    assert set(verdicts.status) <= {"overlapping", "separable", "quasi-separable"}


@pytest.mark.parametrize(
    ("Y", "words"),
    [
        ({"a": [1, 1, 1], "b": [0, 1, 1]}, "labelling 'a' has 1 class"),
        ({"a": [1, 2, 3], "b": [0, 1, 1]}, "labelling 'a' has 3 classes .*certify_classes"),
        ({"a": [None] * 3, "b": [0, 1, 1]}, "labelling 'a' has no labels"),
        ({"a": [0, 1], "b": [0, 1, 1]}, "labelling 'a' has 2 labels"),
        ({}, "no columns"),
        ([[0, 1], [1]], "differ in length"),
        (np.ones((2, 2)), "X has 3 rows and labelling 0 has 2 labels"),
    ],
)
def test_a_column_that_is_no_labelling_is_refused_by_name(Y, words):
    with pytest.raises(InputError, match=words):
        nk.certify(np.eye(3), Y)


def test_options_of_many_labellings_are_refused_for_one():
    for option in ({"n_jobs": 2}, {"progress": True}, {"time_limit_each": 1.0}):
        with pytest.raises(InputError, match="table Y of several labellings"):
            nk.certify([[0.0], [1.0]], [0, 1], **option)
    with pytest.raises(InputError, match="time_limit_each is -1"):
        nk.certify(np.eye(3), np.eye(3), time_limit_each=-1)


def test_other_names_of_rows_are_refused():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[1, 2, 3])
    Y = pd.DataFrame({"a": [0, 1, 1], "b": [0, 0, 1]}, index=[3, 2, 1])
    with pytest.raises(InputError, match="name their rows otherwise"):
        nk.certify(X, Y)


# ------------------------------------------------------------------ the table


def test_the_table_counts_sorts_and_folds():
    X, Y = planted(1, 300, 4, (0.4,) * 2998 + (0.0,) * 2)
    verdicts = nk.certify(X, Y)
    assert len(verdicts) == 3000
    assert list(verdicts)[:2] == [0, 1]
    assert verdicts.counts == {"separable": 2, "overlapping": 2998}
    text = str(verdicts)
    assert len(text.splitlines()) < 20
    assert "3,000 labellings of 300 × 4 numbers: 2 separable, 2,998 overlapping" in text
    assert "… 2,990 more" in text
    html = verdicts._repr_html_()
    assert html.count("<details>") == 2
    assert "2,498 more" in html
    frame = verdicts.to_frame()
    assert frame["status"].value_counts().to_dict() == verdicts.counts
    lower, upper = frame.loc[2999, ["margin_lower", "margin_upper"]]
    widest = nk.max_margin(X, Y[:, 2999])
    assert 0.0 < lower <= widest.upper
    assert widest.lower <= upper
    assert json.loads(json.dumps(verdicts.to_dict()))["n_labellings"] == 3000
    few = nk.certify(X, Y[:, -3:])
    assert [line.split()[0] for line in str(few).splitlines()[4:]] == [
        *sorted(["1", "2"], key=lambda name: -few.lines()[int(name)]["margin_lower"]), "0",
    ]  # fmt: skip
    with pytest.raises(KeyError, match="no labelling 'x'"):
        verdicts["x"]
    with pytest.raises(InputError, match="no truth value"):
        bool(verdicts)


def test_names_in_a_notebook_are_escaped():
    verdicts = nk.certify(np.eye(3), {"<b>": [0, 1, 1], "c": [0, 0, 1]})
    assert "<b>" not in verdicts._repr_html_()


def test_a_folder_of_proofs_that_hold_from_one_pass_over_x(tmp_path, monkeypatch):
    X, Y = planted(2, 300, 4, (0.4, 0.0, 0.2))
    frame = pd.DataFrame(Y, columns=["a/b", "../c", "d"]).astype(object)
    frame.loc[5:40, "d"] = None
    verdicts = nk.certify(X, frame)
    blocks = []
    original = type(read_table(X)).block
    monkeypatch.setattr(
        type(read_table(X)), "block",
        lambda self, rows: blocks.append(self.n_rows) or original(self, rows),
    )  # fmt: skip
    paths = verdicts.save(tmp_path / "proofs")
    assert sorted(blocks) == [264, 300]  # once for two labellings, and once for the third
    assert [path.name for path in paths] == ["0_a_b.json", "1_c.json", "2_d.json"]
    for name, path in zip(verdicts, paths, strict=True):
        rows = verdicts.selected(name)
        load_certificate(path).verify(X[rows], frame[name].iloc[rows].astype(bool))
    with pytest.raises(CertificateError):
        load_certificate(paths[0]).verify(X, Y[:, 1])


@pytest.mark.parametrize("seed", range(5))
def test_proofs_about_nearly_equal_columns_hold_when_they_are_verified(seed):
    random = np.random.default_rng(seed)
    a = random.standard_normal(86)
    X = np.stack([a, a * (1.0 + 1e-9 * random.standard_normal(86))], axis=1)
    Y = random.random((86, 4)) < 0.5
    check_alone(X, Y)


def test_a_table_that_was_changed_in_place_has_no_proofs(tmp_path):
    X, Y = planted(2, 300, 4, (0.4, 0.3))
    verdicts = nk.certify(X, Y)
    X[0] = 0.0
    with pytest.raises(InputError, match="changed in place"):
        verdicts.save(tmp_path)


# ------------------------------------------------------------------ time, threads, progress


def test_a_time_limit_leaves_labellings_undecided_and_says_so(fresh_seed):
    X, Y = planted(fresh_seed, 3000, 60, (0.001,) * 6)
    for limit in ({"time_limit": 1e-4}, {"time_limit_each": 1e-5}):
        verdicts = nk.certify(X, Y, **limit)
        assert set(verdicts.status) == {"undecided"}
        assert "time limit ended the search" in verdicts[0].why_undecided
        assert "6 undecided" in str(verdicts)
        assert verdicts.save("unused") == []


def test_threads_change_nothing(fresh_seed, monkeypatch):
    X, Y = planted(fresh_seed, 200, 8, (0.05, 0.0, 0.3, 0.01))
    monkeypatch.setattr(together.Batch, "decide", lambda _: None)
    one, two = nk.certify(X, Y), nk.certify(X, Y, n_jobs=2)
    assert one.status.tolist() == two.status.tolist()
    assert two[0].how != BATCH
    for k in range(4):
        two[k].certificate.verify(X, Y[:, k])


def test_a_bar_is_shown_where_it_is_wanted(capsys, monkeypatch):
    monkeypatch.setattr(together, "BAR_SECONDS", 0.0)
    X, Y = planted(0, 100, 3, (0.3, 0.3))
    nk.certify(X, Y)
    assert capsys.readouterr().err == ""
    nk.certify(X, Y, progress=True)
    shown = capsys.readouterr().err
    assert shown.endswith("2 of 2 labellings\n")
    with pytest.raises(InputError, match="progress is 'yes'"):
        nk.certify(X, Y, progress="yes")


# ------------------------------------------------------------------ on a device


@pytest.fixture
def copies(monkeypatch):
    """How many numbers each copy from the device to the host had."""
    seen, fetch = [], device.Place.fetch
    monkeypatch.setattr(
        device.Place, "fetch", lambda self, array: seen.append(array.size) or fetch(self, array)
    )
    device.check_products(device.Place.of(there(np.eye(1))))
    seen.clear()
    return seen


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_on_a_device_have_the_verdicts_and_digests_of_the_host(
    fresh_seed, dtype, fit_intercept, copies
):
    X, Y = planted(fresh_seed, 500, 6, (0.1, 0.3, 0.05))
    X = (20 * X).astype(dtype)
    X[:, 3] = 0  # a unit that never fires
    verdicts = nk.certify(there(X), Y, fit_intercept)
    host = nk.certify(X, Y, fit_intercept)
    assert verdicts.status.tolist() == host.status.tolist()
    assert max(copies) <= X.size  # the picture is made from a sample: all of so few rows
    for k in range(3):
        assert verdicts[k].how == BATCH
        verdicts[k].certificate.verify(X, Y[:, k])
        assert verdicts[k].certificate.stamp.digest == host[k].certificate.stamp.digest


def test_a_large_table_never_leaves_its_device(fresh_seed, copies):
    X, Y = planted(fresh_seed, 30_000, 3, (0.1, 0.3))
    X[:, 0] += np.where(X[:, 0] > 0, 0.5, -0.5)  # a gap, so that the second is separable
    Y[:, 1] = X[:, 0] > 0
    verdicts = nk.certify(there(X), there(Y.astype(np.int8)))
    assert verdicts.status.tolist() == nk.certify(X, Y).status.tolist()
    assert "matrix" not in vars(verdicts._table_of_rows)
    beyond = 2 * 30_000  # multipliers or labels of two labellings
    assert max(copies) <= beyond


def test_labellings_that_stay_open_on_a_device_come_to_the_host():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    verdicts = nk.certify(there(X), Y)
    assert verdicts.status.tolist() == ["separable", "overlapping"]


def test_a_device_whose_rows_were_changed_is_noticed():
    X, Y = planted(0, 200, 3, (0.3, 0.3))
    array = there(X)
    verdicts = nk.certify(array, Y)
    array[0, 0] = 100.0
    with pytest.raises(InputError, match="changed in place"):
        verdicts[0].certificate.to_json()


class Reduced:
    """numpy's functions under another name, with products that are not those of doubles."""

    __name__ = "reduced"

    def __init__(self, how):
        self.how = how

    def asarray(self, values, device=None):  # noqa: ARG002
        array = np.asarray(values).view(ReducedArray)
        array.how = self.how
        return array

    def astype(self, array, dtype, copy=True):
        found = np.asarray(array).astype(dtype, copy=copy)
        if self.how == "flushed":
            found = np.where(np.abs(found) < 2.0**-126, 0, found).astype(dtype)
        return found

    def sum(self, array, axis, dtype):
        if self.how == "summed":
            return np.float64(np.sum(np.asarray(array), axis=axis))
        return np.sum(np.asarray(array), axis=axis, dtype=dtype)

    float64, int32, finfo, any = np.float64, np.int32, np.finfo, staticmethod(np.any)


class ReducedArray(np.ndarray):
    how = ""

    def to_device(self, _):
        return np.asarray(self)

    def __array_finalize__(self, other):
        self.how = getattr(other, "how", "")

    def __matmul__(self, other):
        left, right = np.asarray(self), np.asarray(other)
        if self.how == "single":
            return left.astype(np.float32) @ right.astype(np.float32)
        if self.how == "fixed":  # 55 bits below the largest number of each row
            units = 2.0 ** (np.frexp(np.abs(left).max(axis=1))[1] - 55)[:, None]
            return np.round(left / units) * units @ right
        if self.how == "strassen":
            a, b = left.shape[0] // 2, right.shape[0] // 2
            top = (left[:a, :b] + left[a:, b:]) @ right[:b] - left[a:, b:] @ right[:b]
            return np.vstack([top + left[:a, b:] @ right[b:], left[a:] @ right])
        return left @ right


@pytest.mark.parametrize("how", ["single", "fixed", "strassen", "summed"])
def test_reduced_precision_of_a_device_is_noticed(how, monkeypatch):
    monkeypatch.setattr(device.Place, "fetch", lambda _, array: np.asarray(array))
    with np.errstate(all="ignore"), pytest.raises(InputError, match="cannot check a proof"):
        device.check_products(device.Place(Reduced(how), "gpu:0"))
    device.check_products(device.Place(Reduced("exact"), f"gpu:{how}"))


@pytest.mark.parametrize("small", [2.0**-149, 2.0**-127, -(2.0**-130)])
def test_flushed_numbers_are_seen_where_comparisons_flush_them_too(small, monkeypatch):
    monkeypatch.setattr(device.Place, "fetch", lambda _, array: np.asarray(array))
    place = device.Place(Reduced("flushed"), "gpu:1")
    device.check_products(place)
    assert device.flushes(place, np.dtype("float32"))
    assert not device.flushes(device.Place(Reduced("exact"), "gpu:2"), np.dtype("float32"))
    X = np.array([[1.0, 0.0], [-(2.0**-126), 3e38], [-0.0, 2.0**-126]], dtype=np.float32)
    assert not device.has_small_numbers(device.DeviceTable(place.put(X), place))
    X[2, 1] = small
    assert device.has_small_numbers(device.DeviceTable(place.put(X), place))


def test_a_device_that_flushes_takes_a_table_without_small_numbers(monkeypatch):
    X, Y = planted(5, 300, 4, (0.1, 0.3))
    monkeypatch.setattr(device, "flushes", lambda *_: True)
    assert nk.certify(there(X), Y).counts == {"overlapping": 2}
    X[7, 2] = 1e-40  # less than the smallest normal float32
    with pytest.raises(InputError, match="small numbers become 0"):
        nk.certify(there(X), Y)
    X[7, 2] = 1.0
    monkeypatch.setattr(device.Place, "fetch", None)  # of a type that the host does not know
    assert device.has_small_numbers(device.DeviceTable(there(X), Place.of(there(X))))


def test_labels_read_at_once_are_those_read_one_by_one(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X = random.standard_normal((40, 3))
    for Y in (
        random.random((40, 5)) < 0.5,
        np.asfortranarray(random.integers(0, 2, (40, 5))),
        random.integers(0, 2, (40, 5)).astype(np.uint8) * 200,
        np.where(random.random((40, 5)) < 0.5, -128, 127).astype(np.int8),
    ):
        Y[:2] = [[Y.min()], [Y.max()]]
        columns = {k: Y[:, k].tolist() for k in range(5)}
        for k, (one, other) in enumerate(
            zip(read_labellings(Y, 40)[0], read_labellings(columns, 40)[0], strict=True)
        ):
            assert one.labels.classes == other.labels.classes
            assert type(one.labels.classes[0]) is type(other.labels.classes[0])
            assert np.array_equal(one.labels.signs, other.labels.signs)
            assert nk.certify(X, Y)[k].status == nk.certify(X, columns)[k].status
    with pytest.raises(InputError, match="labelling 1 has 3 classes"):
        nk.certify(np.eye(3), np.array([[0, 0, 0], [1, 1, 1], [1, 2, 1]]))
    with pytest.raises(InputError, match="labelling 0 has 1 class"):
        nk.certify(np.eye(3), np.array([[0, 0], [0, 1], [0, 1]]))


def test_what_is_no_table_of_numbers_on_a_device_is_refused():
    Y = np.eye(3, 2)
    with pytest.raises(InputError, match="at least 1 row"):
        nk.certify(there(np.zeros(3)), Y)
    with pytest.raises(InputError, match="it must hold floats"):
        nk.certify(there(np.zeros((3, 2), dtype=np.int64)), Y)
    with pytest.raises(InputError, match="column 1 of X contains NaN"):
        nk.certify(there(np.array([[0.0, 1.0], [0.0, np.nan], [1.0, 1.0]])), Y)
    with pytest.raises(InputError, match="computed on the processor"):
        nk.certify(there(np.zeros((3, 2))), [0, 1, 1])


def test_a_table_of_verdicts_pickles_with_its_proofs():
    rng = np.random.default_rng(24)
    X = rng.normal(size=(300, 5))
    side = X[:, 1] > 0
    gaps = np.array([None if i % 9 == 0 else bool(side[i]) for i in range(300)], dtype=object)
    Y = {"separable": side, "noise": rng.random(300) < 0.5, "gaps": gaps}
    before = nk.certify(X, Y)
    after = pickle.loads(pickle.dumps(before))
    assert str(after) == str(before)
    for name in Y:
        rows = np.array([label is not None for label in Y[name]])
        assert after[name].status == before[name].status
        after[name].certificate.verify(X[rows], Y[name][rows])


@pytest.mark.parametrize("size", [1, 128, 129, 300, 513])
def test_a_triangular_matrix_on_a_device_is_inverted(fresh_seed, size):
    random = np.random.default_rng(fresh_seed)
    upper = np.triu(random.uniform(-1, 1, (size, size)) / size) + np.eye(size)
    there = xp.asarray(upper, device=DEVICE)
    found = inverse_of_triangle(Place.of(there), there)
    identity = upper @ np.asarray(found.to_device(xp.Device("CPU_DEVICE")))
    assert np.abs(identity - np.eye(size)).max() < 1e-12
