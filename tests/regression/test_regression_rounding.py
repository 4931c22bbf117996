"""Decimals that floats round: columns that depend on others but for that, and times that tie.

What is meant is what Decimals give, or, of columns that a formula computes, what the rank of numpy
sees; what is exact stays exact, and is said.
"""

from __future__ import annotations

import json
import random
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import patsy
import pytest
from scipy.sparse import csr_matrix

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError, ParameterError
from novikoff.inputs import as_decimals, read_table
from novikoff.verdicts.nearly import nearly_collinear
from regression_oracle import rows_of, truth

SHARES = pandas.DataFrame(
    {
        "a": [0.4, 0.2, 0.5, 0.1, 0.3, 0.6, 0.7, 0.2],
        "b": [0.2, 0.3, 0.4, 0.7, 0.1, 0.1, 0.1, 0.7],
        "c": [0.4, 0.5, 0.1, 0.2, 0.6, 0.3, 0.2, 0.1],
    }
)
Y = [0, 1, 0, 1, 1, 0, 1, 0]


def as_told(frame):
    """The same with Decimals for floats: what everybody means."""
    return frame.map(lambda value: Decimal(repr(value)))


def same(fit, other):
    assert (fit.status, list(fit.separated)) == (other.status, list(other.separated))
    assert dict(fit.infinite) == dict(other.infinite)
    assert fit.collinear.to_dict() == other.collinear.to_dict()
    assert fit.certificate.stamp.digest == other.certificate.stamp.digest


def test_shares_that_add_up_as_decimals_only_are_collinear_where_decimals_are_meant():
    assert (SHARES.sum(axis=1) != 1.0).any()
    plain = nk.certify_regression(SHARES, Y, model="logistic")
    assert not plain.collinear
    (note,) = plain.notes
    assert note.startswith("column 'c' is 1 - 'a' - 'b' but for rounding")
    assert "numbers='decimal'" in note
    meant = nk.certify_regression(SHARES, Y, model="logistic", numbers="decimal")
    same(meant, nk.certify_regression(as_told(SHARES), Y, model="logistic"))
    assert meant.collinear == {"c": {"(intercept)": 1, "a": -1, "b": -1}}
    meant.certificate.verify_table(meant.given.whole())


@pytest.mark.parametrize("model", ["logistic", "poisson", "multinomial", "ordinal"])
def test_decimal_shares_have_the_answer_of_whole_numbers(model, fresh_seed):
    """Ten times the shares are integers, of which the oracle knows everything."""
    draw = random.Random(fresh_seed)
    for _ in range(6):
        tenths = [sorted(draw.randint(0, 10) for _ in range(2)) for _ in range(7)]
        whole = [[a, b - a, 10 - b] for a, b in tenths]
        X = pandas.DataFrame([[value / 10 for value in row] for row in whole], columns=list("abc"))
        y = [0, 1, 2, *(draw.randint(0, 2) for _ in range(4))]
        if model == "logistic":
            y = [value % 2 for value in y]
        meant = nk.certify_regression(X, y, model=model, numbers="decimal")
        exact = nk.certify_regression(whole, y, model=model)
        assert (meant.status, list(meant.separated)) == (exact.status, list(exact.separated))
        assert list(meant.infinite.values()) == list(exact.infinite.values())
        assert len(meant.collinear) == len(exact.collinear)
        same(meant, nk.certify_regression(as_told(X), y, model=model))


def made(formula, n=60, seed=3):
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {"x": rng.uniform(1, 90, n).round(1), "z": rng.uniform(0, 9, n).round(2)}
    )
    frame["y"] = rng.integers(0, 2, n)
    return patsy.dmatrix(formula, frame, return_type="dataframe"), frame


@pytest.mark.parametrize(
    ("formula", "column"),
    [
        ("x + I(x / 2.54)", "I(x / 2.54)"),
        ("x + z + I(x * 0.453592 + 3)", "I(x * 0.453592 + 3)"),
        ("x + standardize(x)", "standardize(x)"),
        ("x + z + I((x + z) / 3)", "I((x + z) / 3)"),
        ("x + I(x**2) + I((x - 45.3)**2)", "I((x - 45.3) ** 2)"),
        ("bs(x, df=6, include_intercept=True)", "bs(x, df=6, include_intercept=True)[5]"),
        ("cr(x, df=5) + x", "cr(x, df=5)[4]"),
    ],
)
def test_what_a_formula_computes_from_other_columns_is_named(formula, column):
    X, frame = made(formula)
    assert np.linalg.matrix_rank(X.to_numpy(), tol=1e-9 * len(X)) < X.shape[1]
    fit = nk.certify_regression(X, frame["y"], model="logistic", fit_intercept=False)
    assert column not in fit.collinear
    notes = [note for note in fit.notes if "but for rounding" in note]
    assert notes[0].startswith(f"column {column!r} is ")
    assert "leave it out" in notes[0]
    assert "but for rounding" in str(fit)


def test_a_relation_is_named_with_its_factors():
    X, frame = made("x + z + I(x * 0.453592 + 3)")
    fit = nk.certify_regression(X, frame["y"], model="logistic", fit_intercept=False)
    assert "is 3·'Intercept' + 0.453592·'x' but for rounding" in " ".join(fit.notes)


@pytest.mark.parametrize("model", ["conditional", "cox"])
def test_differences_within_sets_are_looked_at_beside_the_size_of_the_numbers(model):
    """The constant of every set is gone, and with it most digits of what is left."""
    rng = np.random.default_rng(5)
    n = 60
    day = rng.integers(700_000, 700_050, n) + rng.integers(0, 9, n) / 10
    sets = np.arange(n) // 3
    frame = pandas.DataFrame({"day": day, "week": day / 7 + 0.1})
    given = {"y": rng.integers(0, 2, n), "groups": sets}
    if model == "cox":
        given = {"time": rng.integers(1, 40, n), "event": given["y"]}
    fit = nk.certify_regression(frame, model=model, **given)
    assert not fit.collinear
    (note,) = [note for note in fit.notes if "but for rounding" in note]
    where = {"conditional": "within sets", "cox": "among those at risk"}[model]
    assert note.startswith(f"{where}, column 'week' is 1/7·'day' but for rounding")


@pytest.mark.parametrize(
    "X",
    [
        np.vander(np.arange(1990.0, 2021.0), 5),  # years to the fourth power
        np.random.default_rng(0).normal(size=(40, 6)),
        np.c_[np.arange(30.0), np.arange(30.0) * 2],  # exactly twice: collinear, and said so
        np.c_[np.arange(30.0) / 7, np.arange(30.0) / 7 + 1e-9 * np.sin(np.arange(30.0))],
        1e9 + np.random.default_rng(1).normal(size=(30, 2)),
        np.random.default_rng(2).integers(0, 3, (30, 4)) / 4,
    ],
)
def test_columns_that_stand_on_their_own_or_depend_exactly_are_not_named(X):
    assert nearly_collinear(read_table(X), True) == []


def test_short_floats_have_their_own_unit():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(50, 3)).astype(np.float32)
    X[:, 2] = X[:, 0] * np.float32(0.3) + X[:, 1]
    (found,) = nearly_collinear(read_table(X), True)
    assert found.place == 2
    assert nearly_collinear(read_table(X.astype(np.float64)), True) == []


def test_many_columns_do_not_hide_two_that_depend_on_each_other():
    rng = np.random.default_rng(6)
    n, n_levels = 2500, 1100
    levels = csr_matrix((np.ones(n), (np.arange(n), rng.integers(0, n_levels, n))))
    x = rng.uniform(0, 9, n)
    X = csr_matrix(np.c_[x, x * 1.1, levels.toarray()])
    (found,) = nearly_collinear(read_table(X), True)
    assert found == (1, {0: Fraction(11, 10)})
    dense = rng.normal(size=(600, 400))
    assert nearly_collinear(read_table(dense), True) == []
    dense[:, 300] = dense[:, 3] / 3 - dense[:, 290]
    (found,) = nearly_collinear(read_table(dense), True)
    assert found == (300, {3: Fraction(1, 3), 290: -1})


def test_a_column_that_depends_exactly_is_not_named_for_a_relation_that_rounding_spoils():
    """Of four rows, no five columns are independent."""
    X = np.random.default_rng(8).normal(size=(4, 7))
    X[:, 6] = X[:, 0] / 3
    assert nearly_collinear(read_table(X), True) == []


def test_certify_and_reports_say_it_too_and_read_decimals(tmp_path):
    plain = nk.certify(SHARES, Y)
    for one in (plain, nk.certify_regression(SHARES, Y, model="logistic")):
        one.report(tmp_path / "r.html")
        assert "but for rounding" in (tmp_path / "r.html").read_text()
    assert "column 'c' is 1 - 'a' - 'b' but for rounding" in str(plain)
    assert plain.to_dict()["notes"] == list(plain.notes)
    meant = nk.certify(SHARES, Y, numbers="decimal")
    told = nk.certify(as_told(SHARES), Y)
    assert (meant.status, meant.numbers) == (told.status, "decimal")
    assert meant.collinear == told.collinear
    assert meant.certificate.stamp.digest == told.certificate.stamp.digest
    kinds = [0, 1, 2, 1, 1, 0, 2, 0]
    for one in nk.certify_classes(SHARES, kinds).values():
        assert "numbers='decimal'" in " ".join(one.notes)
    for one in nk.certify_classes(SHARES, kinds, numbers="decimal").values():
        assert list(one.collinear) == ["c"]
    with pytest.raises(ParameterError, match="numbers is 'binary64'; it must be 'decimal'"):
        nk.certify(SHARES, Y, numbers="binary64")


def test_a_file_is_read_as_decimals_where_it_is_read(tmp_path):
    path = tmp_path / "d.csv"
    SHARES.assign(y=Y).to_csv(path, index=False)
    with pytest.raises(InputError, match="read the file with numbers='decimal'"):
        nk.certify(nk.read(path, label="y"), numbers="decimal")
    assert nk.certify(nk.read(path, label="y", numbers="decimal")).numbers == "decimal"


def test_the_cure_that_a_formula_at_the_command_line_is_told_works_there(tmp_path):
    path, proof = tmp_path / "d.csv", tmp_path / "p.json"
    SHARES.assign(y=Y).to_csv(path, index=False)
    asked = ["certify", path, "--model", "logistic", "--formula", "y ~ a + b + c", "--json"]
    (note,) = [n for n in json.loads(novikoff(*asked).stdout)["notes"] if "but for rounding" in n]
    cure = re.search("--numbers decimal", note)
    done = novikoff(*asked, *cure[0].split(), "--proof", proof)
    assert list(json.loads(done.stdout)["collinear"]) == ["c"], done.stderr
    assert novikoff("verify", proof, path).returncode == 0


def test_a_float_is_the_decimal_that_prints_it(fresh_seed):
    draw = random.Random(fresh_seed)
    values = [draw.choice([draw.uniform(-9, 9), draw.randint(-9, 9), 10.0 ** draw.randint(-9, 25),
                           0.1 + draw.randint(0, 9)]) for _ in range(60)]  # fmt: skip
    X = np.array(values, dtype=np.float64).reshape(-1, 3)
    table = as_decimals(read_table(X))
    assert table.numbers == "decimal"
    assert table.exact.ravel().tolist() == [Fraction(repr(v)) for v in X.ravel().tolist()]
    assert (table.matrix == X).all()
    short = X.astype(np.float32)
    found = as_decimals(read_table(short)).exact.ravel().tolist()
    assert found == [Fraction(str(v)) for v in short.ravel()]
    sparse = as_decimals(read_table(csr_matrix(X)))
    assert (sparse.exact == table.exact).all()
    whole = as_decimals(read_table(np.rint(X[np.abs(X).max(axis=1) < 1e15])))
    assert (whole.exact, whole.numbers) == (None, "decimal")


def test_times_that_differ_by_rounding_alone_are_said_and_tie_as_decimals():
    X, event = [[1], [2], [3], [1], [0]], [1, 1, 0, 1, 1]
    times = [0.3, 0.1 + 0.2, 0.5, 0.7, 0.2]
    plain = nk.certify_regression(X, model="cox", time=times, event=event)
    (note,) = plain.notes
    assert note.startswith("the times 0.3 and 0.30000000000000004 differ by no more than rounding")
    assert "numbers='decimal'" in note
    meant = nk.certify_regression(X, model="cox", time=times, event=event, numbers="decimal")
    assert meant.given.response["time"][:2] == [0.3, 0.3]
    assert "are one time here" in meant.notes[0]


def test_times_that_were_added_up_have_the_answer_of_whole_times(fresh_seed):
    draw = random.Random(fresh_seed)
    differ = 0
    for _ in range(40):
        n = draw.randint(3, 7)
        whole = [draw.randint(1, 6) for _ in range(n)]
        times = [sum([0.1] * t) if draw.random() < 0.5 else t / 10 for t in whole]
        X = [[draw.randint(-1, 2)] for _ in range(n)]
        event = [1, *(draw.randint(0, 1) for _ in range(n - 1))]
        whole[0], times[0] = 1, 0.1
        whole[1], times[1] = 3, 0.1 + 0.2
        meant = nk.certify_regression(X, model="cox", time=times, event=event, numbers="decimal")
        status, separated, _, infinite, _ = truth(rows_of("cox", X, time=whole, event=event), n)
        assert (meant.status, list(meant.separated)) == (status, separated)
        assert list(meant.infinite.values()) == list(infinite.values())
        differ += len(set(times)) > len(set(whole))
    assert differ


@pytest.mark.parametrize(
    "times",
    [
        [1600000000.001, 1600000000.002, 5.0],  # written, and told apart by floats
        [1600000000.123456, 1600000000.123457, 5.0],  # with 16 digits
        [1.0, 1.0000001, 2.0],
        [2**60, 2**60 + 1, 5],
        [2.0**60, 2.0**60 + 256, 5.0],
        [Fraction(1, 3), Fraction(1, 2), 2],
        [10**400, 1, 2],
    ],
)
def test_times_that_were_written_apart_stay_apart(times):
    for numbers in (None, "decimal"):
        fit = nk.certify_regression([[1], [2], [0]], model="cox", time=times, numbers=numbers)
        assert fit.given.response["time"] == times
        assert not any("rounding" in note for note in fit.notes)


def test_sums_of_many_steps_tie_with_what_was_written():
    """Some sums, such as 99.9999999999986, look written themselves."""
    times = [*np.cumsum([0.1] * 1000).tolist(), *(k / 10 for k in range(1, 1001))]
    assert len(set(times)) > 1900
    fit = nk.certify_regression(np.arange(2000.0)[:, None], model="cox", time=times,
                                numbers="decimal")  # fmt: skip
    assert len(set(fit.given.response["time"])) == 1000


def test_entries_tie_with_times_too():
    given = {"model": "cox", "time": [0.3, 0.5, 0.6], "entry": [0.0, 0.1 + 0.2, 0.1]}
    plain = nk.certify_regression([[1], [2], [0]], **given)
    assert any("differ by no more than rounding" in note for note in plain.notes)
    meant = nk.certify_regression([[1], [2], [0]], **given, numbers="decimal")
    assert meant.given.response["entry"][1] == 0.3
    with pytest.raises(InputError, match=r"entry is 0\.3 in row 0, which is not before its time"):
        nk.certify_regression([[1], [2]], model="cox", time=[0.1 + 0.2, 1], entry=[0.3, 0.2],
                              numbers="decimal")  # fmt: skip


@pytest.mark.parametrize("form", ["array", "numbers", "texts"])
@pytest.mark.parametrize("kind", [Decimal, Fraction])
def test_exact_numbers_beside_floats_are_what_they_are(form, kind):
    """0.3 is a little less as a float, and 0.8 a little more: the difference of such a column from
    its exact twin separates. Read as decimals, or all as floats, the two columns are one.
    """
    floats, y = [0.1, 0.2, 0.3, 0.6, 0.7, 0.8], [0, 0, 1, 1, 1, 0]
    exact = [kind(repr(v)) for v in floats]
    assert [e > f for e, f in zip(exact, floats, strict=True)] == [bool(v) for v in y]
    if form == "array":
        X, few = np.array([exact, floats], dtype=object).T, np.array([floats, floats]).T
    else:
        group = {"group": ["a", "b"] * 3} if form == "texts" else {}
        X = pandas.DataFrame(
            {"exact": pandas.Series(exact, dtype=object), "float": floats, **group}
        )
        few = X.assign(exact=floats)
    fit = nk.certify_regression(X, y, model="logistic")
    assert (fit.status, list(fit.separated)) == ("infinite", [0, 1, 2, 3, 4, 5])
    fit.certificate.verify_table(fit.given.whole())
    assert nk.certify_regression(few, y, model="logistic").status == "finite"
    assert nk.certify_regression(X, y, model="logistic", numbers="decimal").status == "finite"
