"""certify: every status against an exact oracle, every hard case, and what it says of them."""

from __future__ import annotations

import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import novikoff as nk
from elimination import relations_of
from fourier_motzkin import infinite_columns_of, status_of
from mistakes_oracle import tiny_set
from novikoff import datasets
from novikoff.errors import InputError
from novikoff.search import engine, lp, strict
from novikoff.search.clock import Clock
from novikoff.search.hinge import HingeSolution
from novikoff.verdicts.numerals import above, at_least, below, bound_text

KNOWN = [name for name in datasets.names() if datasets.load(name).status]
KNOWN += [f"parity:{d}" for d in range(2, 9)]


def certified(X, y, fit_intercept=True, **options):
    """The verdict, after its proof was verified against the data from scratch."""
    verdict = nk.certify(X, y, fit_intercept, **options)
    verdict.certificate.verify(X, y)
    assert verdict.certificate.status == verdict.status
    return verdict


# ------------------------------------------------------------------ the status is exact


def test_status_rows_and_columns_are_those_of_fourier_motzkin_elimination(fresh_seed):
    """Columns are asked about when those that depend on earlier ones are taken out."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(400):
        X, signs, offset = tiny_set(random)
        d = len(X[0])
        verdict = nk.certify(np.array(X), signs, offset)
        assert verdict.status == status_of(X, signs, offset), (X, signs, offset)
        if verdict.status == "overlapping":
            assert len(verdict.certificate.witness.rows) <= 2 * (d + offset)
        if verdict.status != "separable":
            assert 1 <= len(verdict.rows) <= d + 2
        left_out = relations_of(X, offset)
        kept = [j for j in range(d) if j not in left_out]
        names = [*(f"x{j + 1}" for j in kept), "(intercept)"]
        rest = [[x[j] for j in kept] for x in X]
        found = infinite_columns_of(rest, signs, offset) if kept or offset else {}
        expected = {names[place]: sign for place, sign in found.items()}
        assert verdict.columns == expected, (X, signs, offset)
        assert not set(verdict.columns) & set(verdict.collinear)


def test_columns_cut_off_at_any_moment_are_never_wrong_and_go_on_to_the_end(monkeypatch):
    """The clock runs out at its n-th look, for every n until it is not looked at so often."""
    random = np.random.default_rng(2)
    looks = 0
    begun: set[str] = set()

    def left(_clock):
        nonlocal looks
        looks -= 1
        return float(looks)

    for _ in range(25):
        X, signs, offset = tiny_set(random)
        expected = nk.certify(np.array(X), signs, offset).columns
        for n in range(1, 100):
            verdict = nk.certify(np.array(X), signs, offset)
            with monkeypatch.context() as patched:
                patched.setattr(Clock, "left", left)
                looks = n
                found = verdict.infinite_columns(1.0)
            begun |= set(found.values())
            decided = {name: word for name, word in found.items() if word in ("+", "-", "either")}
            assert decided.items() <= expected.items()
            assert {name for name, word in found.items() if word == "infinite"} <= set(expected)
            assert set(expected) <= set(found)
            assert pickle.loads(pickle.dumps(verdict)).columns == verdict.columns == expected
            if found == expected:
                break
        else:
            raise AssertionError("100 looks at the clock were not enough")
    assert begun == {"+", "-", "either", "infinite", "unknown"}


def test_the_time_limit_of_certify_holds_for_collinear_columns_too(monkeypatch):
    verdict = nk.certify([[1, 2], [2, 4], [0, 0], [3, 6]], [0, 1, 0, 1], time_limit=60)
    monkeypatch.setattr(Clock, "spent", lambda _: 61.0)
    with pytest.raises(nk.InputError, match="in 60 s; give a longer time_limit"):
        _ = verdict.collinear
    monkeypatch.undo()
    assert list(verdict.collinear) == ["x2"]


def test_the_time_limit_of_certify_holds_for_columns_too():
    X, y = datasets.truth_table("and")
    verdict = nk.certify(X, y, time_limit=60)
    assert verdict.columns == {"x1": "+", "x2": "+", "(intercept)": "-"}
    with pytest.raises(InputError, match="time_limit"):
        verdict.infinite_columns(time_limit=-1)


@pytest.mark.parametrize("name", KNOWN)
def test_built_in_sets_have_the_status_that_they_state(name):
    dataset = datasets.load(name)
    fit_intercept = dataset.conventions.get("fit_intercept", True)
    verdict = certified(dataset.X, dataset.y, fit_intercept)
    assert verdict.status == dataset.status
    if verdict.status == "overlapping":
        assert len(verdict.certificate.witness.rows) <= 2 * (dataset.X.shape[1] + fit_intercept)


def unimodular(d, seed):
    """An integer matrix of determinant 1: it mixes the columns and changes no status."""
    random = np.random.default_rng(seed)
    lower = np.tril(random.integers(-1, 2, (d, d)), -1) + np.eye(d, dtype=int)
    upper = np.triu(random.integers(-1, 2, (d, d)), 1) + np.eye(d, dtype=int)
    return lower @ upper


@pytest.mark.parametrize("n", [4, 8, 16, 30, 60])
def test_badmargin_is_separable_in_any_basis(n):
    X, y = datasets.badmargin(n)
    assert certified(X, y).status == "separable"
    assert certified(X @ unimodular(n, 0), y).status == "separable"


@pytest.mark.parametrize("margin", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("d", [2, 4, 8])
def test_needle_is_separable_in_any_basis(d, margin):
    dataset = datasets.needle(60, d, margin)
    assert certified(dataset.X, dataset.y, False).status == "separable"
    mix = unimodular(d, 1)
    exact = np.array(
        [
            [sum(Fraction(v) * int(m) for v, m in zip(x, column, strict=True)) for column in mix.T]
            for x in dataset.X.tolist()
        ],
        dtype=object,
    )
    assert certified(exact, dataset.y, False).status == "separable"


def simplex_and_point(d, shift):
    """The corners 0, e1 … ed as one class; the other is a point of the outer face, times 1 + shift.

    The point overlaps the simplex for shift < 0, touches it at 0, and is apart for shift > 0.
    """
    weights = [Fraction(1, 2 ** (j + 1)) for j in range(d)]
    weights[-1] = 1 - sum(weights[:-1], Fraction(0))
    corners = [[Fraction(int(j == k)) for j in range(d)] for k in range(d + 1)]
    point = [w * (1 + shift) for w in weights]
    X = np.array([*corners, point], dtype=object)
    return X, [0] * (d + 1) + [1]


@pytest.mark.parametrize("bits", [10, 26, 40, 52, 200])
@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_a_gap_of_any_size_decides_and_its_absence_too(d, bits):
    gap = Fraction(1, 2**bits)
    mix = unimodular(d, 2)
    for shift, status in ((-gap, "overlapping"), (gap, "separable"), (0, "quasi-separable")):
        X, y = simplex_and_point(d, shift)
        X = X @ mix
        floats = X.astype(np.float64)
        if all(Fraction(a) == b for a, b in zip(floats.ravel(), X.ravel(), strict=True)):
            assert certified(floats, y).status == status
        assert certified(X, y).status == status


def planted(n=200, d=4, flips=0, seed=0):
    random = np.random.default_rng(seed)
    X = np.round(random.normal(size=(n, d)), 3)
    y = X @ np.arange(1, d + 1) > 0.2
    y[:flips] ^= True
    return X, y


@pytest.mark.parametrize("flips", [0, 3])
@pytest.mark.parametrize(
    "scale",
    [[1e150, 1e-150, 1, 1], [1e300, 1e-300, 1e5, 1e-5], [2.0**-1060] * 4, [1e-310, 1, 1, 1]],
)
def test_columns_of_any_size_keep_their_status(scale, flips):
    X, y = planted(flips=flips)
    status = "overlapping" if flips else "separable"
    assert certified(X * np.array(scale), y).status == status


@pytest.mark.parametrize("flips", [0, 3])
def test_columns_far_from_zero_and_rows_of_any_size_keep_their_status(flips):
    X, y = planted(flips=flips)
    status = "overlapping" if flips else "separable"
    for offset in (1e9, 1e12):
        verdict = certified(np.round(1000 * X) + offset, y)
        assert (verdict.status, verdict.how) == (status, ("squared hinge",))  # seen near zero
    sizes = 2.0 ** np.random.default_rng(1).integers(-400, 400, len(X))
    y = (X @ [1, -2, 3, -4] > 0) ^ (np.arange(len(X)) < flips)
    assert certified(X * sizes[:, None], y, False).status == status


def test_decimals_and_floats_of_the_same_text_have_their_own_status():
    as_floats = certified(*datasets.decimal_trap("binary64"))
    as_decimals = certified(*datasets.decimal_trap("decimal"))
    assert (as_floats.status, as_floats.numbers) == ("separable", "binary64")
    assert (as_decimals.status, as_decimals.numbers) == ("overlapping", "decimal")


def test_the_origin_is_harder_to_separate_through():
    X, y = datasets.counterexample_origin()
    assert certified(X, y, fit_intercept=True).status == "separable"
    assert certified(X, y, fit_intercept=False).status == "overlapping"


@pytest.mark.parametrize(
    ("X", "y", "fit_intercept", "status"),
    [
        ([[0.0], [1.0]], [0, 1], True, "separable"),
        ([[3.0], [3.0]], [0, 1], True, "overlapping"),
        ([[0.0], [0.0]], [0, 1], False, "overlapping"),
        ([[0.0, 0.0], [1.0, 1.0]], [0, 1], False, "quasi-separable"),
        ([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [0, 0, 1], True, "separable"),
        ([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [0, 1, 0], True, "overlapping"),
        ([[1.0, 0.0, 2.0, 7.0, 1.0]] * 2 + [[2.0, 0.0, 2.0, 7.0, 1.0]], [0, 1, 1], True,
         "quasi-separable"),
        (np.zeros((3, 2)), [0, 1, 1], True, "overlapping"),
        (np.eye(3), [0, 1, 0], False, "separable"),
    ],
)  # fmt: skip
def test_degenerate_shapes_are_decided(X, y, fit_intercept, status):
    assert certified(np.array(X), y, fit_intercept).status == status


# ------------------------------------------------------------------ liars change nothing


@pytest.fixture
def _lying_solvers(monkeypatch):
    """The hinge ends at nonsense and the linear program answers the opposite at random."""
    random = np.random.default_rng(0)

    def minimise(rows, held, pull, _clock):
        v, slacks = random.normal(size=len(pull)), random.uniform(0.0, 1.0, len(rows))
        end = random.choice(["balanced", "runs away", "open"])
        scores = np.ones(len(rows)) if end == "runs away" else 1.0 - slacks
        return HingeSolution(v, scores, slacks, random.normal(size=len(held)), end)

    def solve(self, _clock):
        n_rows = self.solver.getNumRow() - 1
        tight = random.permutation(n_rows)[: random.integers(0, n_rows + 1)]
        delta = random.normal(size=self.dim) if random.integers(2) else None
        return lp.Proposal(delta, tight)

    for module in (engine, strict):
        monkeypatch.setattr(module, "minimise_pulled", minimise)
    monkeypatch.setattr(lp.LinearProgram, "solve", solve)


@pytest.mark.usefixtures("_lying_solvers")
@pytest.mark.parametrize("name", ["xor", "parity:4", "touching", "overlap", "and", "badmargin:9"])
def test_solvers_that_lie_do_not_change_the_answer(name):
    dataset = datasets.load(name)
    assert certified(dataset.X, dataset.y).status == dataset.status


@pytest.mark.usefixtures("_lying_solvers")
def test_solvers_that_lie_leave_random_sets_to_the_exact_simplex():
    for seed in range(40):
        random = np.random.default_rng(seed)
        X, signs = random.integers(-2, 3, (7, 3)), random.choice([-1, 1], 7)
        signs[:2] = -1, 1
        verdict = nk.certify(X, signs)
        assert verdict.status == status_of(X.tolist(), signs.tolist(), True)
        if verdict.status in ("separable", "quasi-separable") and not verdict.collinear:
            expected = infinite_columns_of(X.tolist(), signs.tolist(), True)
            names = {3: "(intercept)", 0: "x1", 1: "x2", 2: "x3"}
            assert verdict.columns == {names[j]: word for j, word in expected.items()}


def test_a_proof_that_fails_its_check_is_not_given(monkeypatch):
    def wrong(z, _clock, _random, findings):
        findings.weights, findings.is_done = np.ones(z.table.n_columns + 1), True

    monkeypatch.setattr(sys.modules["novikoff.verdicts.single"], "search", wrong)
    verdict = nk.certify(*datasets.xor())
    assert (verdict.status, verdict.certificate) == ("undecided", None)


# ------------------------------------------------------------------ rows


def test_rows_alone_rule_out_a_separator_and_none_of_them_is_idle(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X, y = random.integers(-5, 6, (60, 4)), random.integers(0, 2, 60)
    verdict = certified(X, y)
    rows = list(verdict.rows)
    assert verdict.status == "overlapping"
    assert len(rows) <= 6
    assert certified(X[rows], y[rows]).status != "separable"
    for k in range(len(rows)):
        fewer = rows[:k] + rows[k + 1 :]
        if len(set(y[fewer])) == 2:
            assert certified(X[fewer], y[fewer]).status == "separable"


def test_a_row_with_both_labels_is_named():
    X, y = planted(n=300, d=6)
    X[123], y[123] = X[7], not y[7]
    assert set(certified(X, y).rows) == {7, 123}


# ------------------------------------------------------------------ columns


def endometrial_like():
    """NV is 1 for positive rows only; PI and EH overlap: quasi-complete separation."""
    random = np.random.default_rng(4)
    frame = pd.DataFrame({
        "NV": np.repeat([0, 1], [60, 8]),
        "PI": random.integers(0, 30, 68),
        "EH": np.round(random.uniform(0.2, 3.0, 68), 2),
    })  # fmt: skip
    return frame, np.where(frame["NV"] == 1, 1, random.integers(0, 2, 68))


def test_the_infinite_coefficient_is_named_with_its_sign():
    frame, y = endometrial_like()
    verdict = certified(frame, y)
    assert verdict.status == "quasi-separable"
    assert verdict.columns == {"NV": "+"}
    assert certified(frame, 1 - y).columns == {"NV": "-"}
    assert "coefficient of NV (+∞)" in str(verdict)


def test_an_aliased_column_is_collinear_and_leaves_the_first_of_its_kind_infinite():
    frame, y = endometrial_like()
    frame["NV2"] = frame["NV"]
    verdict = certified(frame, y)
    assert verdict.columns == {"NV": "+"}
    assert dict(verdict.collinear) == {"NV2": {"NV": 1}}


# ------------------------------------------------------------------ inputs


@pytest.mark.parametrize("flips", [0, 3])
@pytest.mark.parametrize(
    "kind", ["float64", "float32", "int64", "CSR", "CSR array", "CSR int64 indices", "pandas",
             "polars", "Fraction", "Decimal", "Fortran order", "list"],
)  # fmt: skip
def test_every_kind_of_table_gives_the_same_status(kind, flips):
    X, y = planted(n=80, flips=flips)
    X = np.round(1000 * X)
    given = {
        "float64": lambda: X,
        "float32": lambda: X.astype(np.float32),
        "int64": lambda: X.astype(np.int64),
        "CSR": lambda: sparse.csr_matrix(X),
        "CSR array": lambda: sparse.csr_array(X),
        "CSR int64 indices": lambda: _wide_indices(sparse.csr_matrix(X)),
        "pandas": lambda: pd.DataFrame(X),
        "polars": lambda: pl.DataFrame(X.tolist(), orient="row"),
        "Fraction": lambda: np.array([[Fraction(int(v), 3) for v in x] for x in X.tolist()]),
        "Decimal": lambda: np.array([[Decimal(v) / 10 for v in x] for x in X.tolist()]),
        "Fortran order": lambda: np.asfortranarray(X),
        "list": lambda: X.tolist(),
    }[kind]()
    assert certified(given, y).status == ("overlapping" if flips else "separable")


def _wide_indices(matrix):
    matrix.indices, matrix.indptr = (a.astype(np.int64) for a in (matrix.indices, matrix.indptr))
    return matrix


@pytest.mark.parametrize("conflict", [False, True])
def test_a_csr_matrix_that_would_fill_48_gigabytes_is_never_densified(conflict):
    random = np.random.default_rng(0)
    X = sparse.random_array((20_000, 300_000), density=1e-5, format="csr", random_state=random)
    X = X[np.diff(X.indptr) > 0]
    y = (X @ random.normal(size=300_000) > 0).astype(int)
    if conflict:
        X = sparse.vstack([X, X[:1]], format="csr")
        y = np.append(y, 1 - y[0])
    verdict = nk.certify(X, y, fit_intercept=False)
    assert verdict.status == ("quasi-separable" if conflict else "separable")


def test_labels_of_any_type_and_the_positive_class():
    X = [[0.0], [1.0], [2.0]]
    assert certified(X, ["spam", "spam", "ham"]).labels.classes == ("ham", "spam")
    assert certified(X, ["spam", "spam", "ham"], positive="ham").labels.classes == ("spam", "ham")


@pytest.mark.parametrize("flips", [0, 25])
def test_large_tables_are_decided_through_a_working_set(flips):
    random = np.random.default_rng(0)
    X = random.normal(size=(30_000, 40))
    y = X @ random.normal(size=40) > 0
    y[:flips] ^= True
    verdicts = [certified(X, y, random_state=seed) for seed in (0, 1)]
    assert {v.status for v in verdicts} == {"overlapping" if flips else "separable"}
    if flips:
        balanced = [set(v.certificate.witness.rows) for v in verdicts]
        assert balanced[0] != balanced[1]  # the seed draws the rows to begin with


@pytest.mark.parametrize(("d", "factor"), [(1100, 1.0), (300, 8.0), (35, 1e9), (20, 1e300)])
def test_a_chain_of_one_signed_columns_is_separated_however_long_its_weights_get(d, factor):
    """z = I - factor·superdiagonal: each weight must outweigh factor times the next."""
    signs = np.where(np.arange(d) % 2, 1, -1)
    X = (np.eye(d) - factor * np.eye(d, k=1)) * signs[:, None]
    verdict = certified(X, signs, False)
    assert (verdict.status, verdict.how) == ("separable", ("one-signed columns",))


def test_columns_of_subnormal_numbers_are_peeled():
    verdict = certified([[0.0, 1], [1e-310, 2], [2e-309, 1], [0, 2]], [0, 1, 1, 0])
    assert verdict.status == "separable"
    assert 0.0 < verdict.margin[0] <= verdict.margin[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [0, 0]}, "y has 1 class"),
        ({"y": [0, 1, 2]}, "3 labels"),
        ({"fit_intercept": "yes"}, "fit_intercept is 'yes'; it must be True or False"),
        ({"time_limit": 0}, "time_limit is 0; it must be a positive number of seconds"),
        ({"time_limit": "1"}, "time_limit is '1'"),
        ({"random_state": -1}, "random_state is -1"),
        ({"positive": 7}, "positive is 7"),
        ({"X": [[1.0], [float("nan")]]}, "NaN"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, message):
    with pytest.raises(InputError, match=message):
        nk.certify(**{"X": [[0.0], [1.0]], "y": [0, 1], **arguments})


# ------------------------------------------------------------------ margin, radius, bound


@pytest.mark.parametrize(
    ("dataset", "square"),
    [
        (datasets.truth_table("and"), Fraction(1, 17)),
        (datasets.tight(7), Fraction(1, 7)),
        (datasets.counterexample_origin(), Fraction(1, 11)),
    ],
)
def test_the_margin_bracket_holds_the_margin(dataset, square):
    verdict = certified(dataset.X, dataset.y, dataset.conventions["fit_intercept"])
    lower, upper = map(Fraction, verdict.margin)
    assert 0 < lower**2 <= square <= upper**2


def test_radius_and_mistake_bound_of_and():
    dataset = datasets.truth_table("and")
    verdict = certified(dataset.X, dataset.y)
    assert Fraction(np.nextafter(verdict.radius, 0)) ** 2 < 3 <= Fraction(verdict.radius) ** 2
    assert verdict.mistake_bound == 51  # R² = 3, γ² = 1/17
    assert nk.trace(dataset.X, dataset.y).n_mistakes == 18


def test_no_run_makes_more_mistakes_than_the_bound(fresh_seed):
    dataset = datasets.planted(300, 3, 0.05, random_state=fresh_seed)
    verdict = certified(dataset.X, dataset.y, False)
    run = nk.trace(dataset.X, dataset.y, fit_intercept=False)
    assert run.n_mistakes <= verdict.mistake_bound
    assert verdict.margin[0] <= verdict.margin[1]
    assert dataset.margin <= verdict.margin[1]


def test_a_bound_beyond_any_float_is_still_a_bound():
    X, y = planted(n=40)
    verdict = certified(X * 1e-300, y)
    lower, upper = verdict.margin
    assert 0 < lower <= upper
    assert verdict.mistake_bound >= 10**590
    assert "at most 10^6" in str(verdict)
    assert verdict.to_dict()["mistake_bound"] is None
    assert certified(*datasets.badmargin(60)).to_dict()["mistake_bound"] >= 1e24


def test_sets_that_overlap_have_no_margin_and_no_bound():
    verdict = certified(*datasets.xor())
    assert (verdict.margin, verdict.mistake_bound, verdict.columns) == ((0.0, 0.0), None, {})


def test_a_time_limit_leaves_it_undecided_with_a_bracket():
    dataset = datasets.planted(2000, 5, 0.01)
    verdict = nk.certify(dataset.X, dataset.y, False, time_limit=1e-9)
    assert (verdict.status, verdict.certificate, verdict.columns) == ("undecided", None, None)
    assert verdict.margin[0] == 0.0
    assert verdict.margin[1] >= dataset.margin
    assert str(verdict).startswith("It is undecided")
    json.dumps(verdict.to_dict())


# ------------------------------------------------------------------ words


def test_the_sentence_of_each_status():
    X, y = datasets.truth_table("and")
    assert str(certified(X, y)).startswith(
        "The classes -1 and 1 (4 rows and 2 columns) are linearly separable: a hyperplane has "
        "every row strictly on its side (exact for the binary64 numbers as given). A logistic "
        "regression on these columns has no maximum-likelihood estimate: complete separation."
    )
    assert "are quasi-separable: a hyperplane has no row on its wrong side" in str(
        certified(*datasets.touching())
    )
    overlap = str(certified(*datasets.xor(), fit_intercept=False))
    assert "overlap: no hyperplane through the origin separates them, not even weakly" in overlap
    assert "  rows     0, 1, 2, 3, counted from 0, alone rule out" in str(
        certified(*datasets.xor())
    )


@pytest.mark.parametrize("name", ["and", "touching", "xor", "undecided"])
def test_words_and_dicts_start_no_search(monkeypatch, name):
    if name == "undecided":
        verdict = nk.certify(*datasets.planted(2000, 5, 0.01), time_limit=1e-9)
    else:
        dataset = datasets.load(name)
        verdict = certified(dataset.X, dataset.y)

    def fail(*_args, **_options):
        raise AssertionError("a search was started")

    with monkeypatch.context() as patched:
        patched.setattr("novikoff.verdicts.verdict.Widest", fail)
        patched.setattr("novikoff.verdicts.verdict.InfiniteCoefficients", fail)
        text, page, found = str(verdict), verdict._repr_html_(), verdict.to_dict()
        repr(verdict)
    assert found["columns"] == ({} if name == "xor" else None)
    assert ("ask for verdict.columns" in text) == (name in ("and", "touching"))
    assert ("ask for verdict.margin" in page) == (name == "and")
    lower, upper = verdict.margin
    assert found["margin"][0] <= lower <= upper <= found["margin"][1]
    assert verdict.columns is None or "ask for verdict.columns" not in str(verdict)
    assert "ask for verdict.margin" not in str(verdict)


def test_bounds_in_words_are_rounded_outward():
    random = np.random.default_rng(6)
    values = [*np.ldexp(random.normal(size=300), random.integers(-1060, 1000, 300)), 1.0, 0.0]
    for value in np.abs(values).tolist():
        assert Fraction(below(value)) <= Fraction(value) <= Fraction(above(value))
        big = Fraction(value) * 10**400 + 1
        assert Fraction(below(big)) <= big <= Fraction(above(big))
        assert value == 0 or Fraction(above(value)) - Fraction(below(value)) <= value / 9e4
    assert above(np.inf) == "inf"
    for bound in (10**15 - 1, 10**15, 10**15 + 1, 10**40):
        base, _, power = bound_text(bound).partition("^")
        assert bound <= int(base) ** int(power or 1) < 10 * bound
        assert at_least(bound) >= bound
    assert at_least(2**53 + 1) == 2**53 + 2  # the float nearest to it is 2^53
    assert at_least(10**400) is at_least(np.inf) is None


def test_to_dict_is_json_and_html_is_escaped():
    frame = pd.DataFrame({"<a>": [0.0, 1.0, 2.0]})
    verdict = certified(frame, ["<x>", "<y>", "<y>"])
    assert verdict.to_dict()["columns"] is None  # nothing is searched for
    assert verdict.columns == {"<a>": "+", "(intercept)": "-"}
    assert verdict.to_dict()["columns"] == verdict.columns
    assert json.loads(json.dumps(verdict.to_dict())) == verdict.to_dict()
    page = verdict._repr_html_()
    assert all(text in page for text in ("&lt;x&gt;", "&lt;a&gt;"))
    assert "<x>" not in page


# ------------------------------------------------------------------ more than two classes


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, Fraction])
@pytest.mark.parametrize("against", ["rest", "each"])
def test_classes_have_the_verdicts_of_their_labellings_and_rows_by_number(form, against):
    X, y = datasets.iris()
    given = (
        np.array([[Fraction(str(v)) for v in x] for x in X.tolist()])
        if form is Fraction
        else form(X)
    )
    verdicts = nk.certify_classes(given, y, against=against)
    assert sorted(verdicts.status) == (
        ["overlapping", "overlapping", "separable"]
        if against == "rest"
        else ["overlapping", "separable", "separable"]
    )
    for name, verdict in verdicts.items():
        rows = verdicts.selected(name)
        labels = np.where(y == name, str(name), "rest") if against == "rest" else y[rows]
        verdict.certificate.verify(given[rows], labels)
        few = verdicts.rows(name)
        assert (
            verdict.status == "separable"
            or certified(X[few], labels[np.searchsorted(rows, few)]).status != "separable"
        )
    assert "3 labellings of 150 × 4 numbers" in str(verdicts)
    assert " against " in verdicts._repr_html_()
    assert len(json.loads(json.dumps(verdicts.to_dict()))["labellings"]) == 3
    with pytest.raises(InputError, match="against is 'all'"):
        nk.certify_classes(X, y, against="all")
    with pytest.raises(InputError, match="at least 2 are needed"):
        nk.certify_classes(X[:6], [0] * 6)


def test_threads_may_ask_one_verdict_for_its_columns_at_once(fresh_seed):
    """The program behind them is one, and it does not bear two questions at a time."""
    random = np.random.default_rng(fresh_seed)
    X = random.standard_normal((400, 24))
    y = (X @ random.standard_normal(24) > 0).astype(int)
    expected = nk.certify(X, y).columns
    for _ in range(3):
        verdict = nk.certify(X, y)
        with ThreadPoolExecutor(4) as pool:
            found = [pool.submit(lambda v=verdict: v.columns) for _ in range(8)]
            assert all(one.result() == expected for one in found)


@pytest.mark.parametrize("prime", [2**61 - 31, 2**61 - 1, 2147483629])
def test_numbers_that_a_prime_divides_are_told_apart(prime):
    """Modulo the prime these rows are 2, 0 and others: nothing may rest on that."""
    X = [[prime + 2, prime], [prime + 2, prime + 1], [2 - prime, -1 - prime]]
    y = [0, 1, 1]
    verdict = certified(X, y)
    assert verdict.status == status_of(X, [-1, 1, 1], True)
    assert nk.max_margin(X, y).lower > 0
    assert nk.fewest_mistakes(X, y).upper == 0
