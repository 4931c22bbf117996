"""fewest_mistakes: both bounds against every set of rows, and what is said of them."""

from __future__ import annotations

import json
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris

import novikoff as nk
from mistakes_oracle import fewest_of, tiny_set
from novikoff.certificates import checker
from novikoff.errors import InputError
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.mistakes import cone, counting, hitting_set, pool
from novikoff.search.mistakes.local import readmitted


def asked(X, signs, **options):
    """The answer, after its proof was verified against the data from scratch."""
    few = nk.fewest_mistakes(X, signs, **options)
    few.certificate.verify(X, signs)
    proven = few.certificate.lower, few.certificate.upper
    assert few.by_counting or (few.lower, few.upper) == proven
    return few


def options_for(random, kind, n):
    if kind == "costs":
        return {"costs": random.integers(0, 4, n).tolist()}
    if kind == "fractions":
        return {"costs": [Fraction(int(c), 7) for c in random.integers(1, 30, n)]}
    if kind == "trusted":
        return {"trusted": sorted(random.permutation(n)[: random.integers(0, n)].tolist())}
    return {}


@pytest.mark.parametrize("kind", ["plain", "costs", "fractions", "trusted"])
def test_the_bracket_closes_on_the_least_cost_of_all_sets_of_rows(kind, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(40):
        X, signs, offset = tiny_set(random)
        given = options_for(random, kind, len(X))
        few = asked(np.array(X), signs, fit_intercept=offset, **given)
        best, sets = fewest_of(X, signs, offset, given.get("costs"), given.get("trusted", ()))
        assert (few.lower, few.upper) == (best, best), (X, signs, offset, given)
        assert few.optimal == (best is not None) == (not few.impossible)
        assert str(pickle.loads(pickle.dumps(few))) == str(few)
        if best is not None and 0 not in given.get("costs", [1]):
            assert frozenset(few.rows) in sets


def varied(random, X):
    """The rows as they are, as decimals, close to degenerate, on scales far apart, or as floats."""
    return [
        X,
        X / 10,
        X / 10 + 1e-13 * random.standard_normal(X.shape),
        X * 10.0 ** random.integers(-12, 12, X.shape[1]),
        random.standard_normal(X.shape),
    ][random.integers(5)]


def test_counting_of_hyperplanes_finds_the_least_on_degenerate_sets(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(150):
        X, signs, offset = tiny_set(random)
        rows = np.column_stack([varied(random, np.array(X)), np.full(len(X), float(offset))])
        whole = np.array([[int(v * 2.0**100) for v in row] for row in rows.tolist()], dtype=object)
        costs = random.integers(1, random.choice([2, 5]), len(X)).tolist()
        best, sets = fewest_of(whole.tolist(), signs, False, costs)
        z, prices = whole * np.array(signs, dtype=object)[:, None], np.array(costs, dtype=float)
        found = counting.least(z, prices, 10**6, Clock())
        assert found[0] == best, (rows.tolist(), signs, costs)
        assert found[1] in sets
        assert counting.least(z, prices, best, Clock()) is None


def test_what_counting_decides_is_said_to_be_by_enumeration(monkeypatch):
    random = np.random.default_rng(5)
    X, y = random.integers(0, 4, (24, 2)), random.integers(0, 2, 24)
    truth = nk.fewest_mistakes(X, y).upper
    monkeypatch.setattr(counting, "SECONDS_FOR_A_PROOF", 0.0)
    told = []
    few = asked(X, y, progress=lambda *bracket: told.append(bracket[:2]))
    assert few.by_counting
    assert few.lower == few.upper == truth
    assert told[-1] == (truth, truth)
    assert few.certificate.lower < truth
    proven = f"(by enumeration; the proof file proves at least {few.certificate.lower})."
    assert str(few).startswith(
        f"Exactly {truth} of 24 rows are wrong for the best hyperplane {proven}"
    )
    assert f"at least {few.certificate.lower}" in few.certificate.says("d.csv")
    assert few.to_dict()["by_enumeration"]
    assert few.to_dict()["proven_lower"] == few.certificate.lower


@pytest.mark.parametrize("options", [{}, {"trusted": [0, 1]}, {"fit_intercept": False}])
def test_counting_and_obstructions_have_the_same_answer(options, fresh_seed, monkeypatch):
    random = np.random.default_rng(fresh_seed)
    X, y = random.standard_normal((30, 2)), random.integers(0, 2, 30)
    y[:2] = 0, 1
    few = asked(X, y, time_limit=None, **options)
    monkeypatch.setattr(counting, "SECONDS_FOR_A_PROOF", 0.0)
    again = asked(X, y, **options)
    assert (again.lower, again.upper) == (few.lower, few.upper)
    assert not few.by_counting
    assert again.by_counting


def test_noise_of_which_obstructions_prove_a_part_is_decided():
    random = np.random.default_rng(0)
    few = asked(random.standard_normal((100, 3)), random.integers(0, 2, 100))
    assert (few.lower, few.upper) == (37, 37)


def test_costs_that_a_count_cannot_hold_are_left_to_the_obstructions(monkeypatch):
    monkeypatch.setattr(counting, "SECONDS_FOR_A_PROOF", 0.0)
    random = np.random.default_rng(1)
    X, y = random.standard_normal((30, 2)), random.integers(0, 2, 30)
    few = asked(X, y, costs=[10**20 + k for k in range(30)])
    assert few.optimal
    assert not few.by_counting


def test_rows_that_many_columns_say_again_have_the_same_answer(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(12):
        X, signs, offset = tiny_set(random)
        mixed = np.array(X) @ random.integers(-3, 4, (len(X[0]), hitting_set.BATCH_COLUMNS + 5))
        if np.linalg.matrix_rank(mixed) < np.linalg.matrix_rank(np.array(X)):
            continue
        few = asked(mixed, signs, fit_intercept=offset)
        best, sets = fewest_of(X, signs, offset)
        assert few.lower == few.upper == best, (X, signs, offset)
        assert frozenset(few.rows) in sets


def test_rows_are_taken_back_only_while_all_others_stay_right():
    random = np.random.default_rng(0)
    rows = random.standard_normal((600, 80))
    rows[np.arange(600), 0] += 1.0
    w = rows.mean(axis=0)
    right = rows @ w > 0.0
    counts = [int((~right).sum())]
    for there in readmitted(rows, np.ones(600), w, Clock()):
        now = rows @ there > 0.0
        assert now[right].all()
        right = now
        counts.append(int((~right).sum()))
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) == len(counts) > 2
    assert not list(readmitted(rows, np.ones(600), w, Clock(1e-9)))


def test_pairs_that_conflict_bound_the_answer_before_any_long_search(monkeypatch):
    def out_of_time(*_):
        raise OutOfTimeError

    monkeypatch.setattr(hitting_set, "trimmed", out_of_time)
    X = np.repeat(np.arange(5), 2)[:, None]
    assert asked(X, [0, 1] * 5).lower == 5


def test_taking_rows_back_leaves_time_for_the_bound_from_below(monkeypatch):
    limits = []

    def seen(*arguments):
        limits.append(arguments[-1].time_limit)
        return iter(())

    monkeypatch.setattr(hitting_set, "readmitted", seen)
    X, y = planted(300, hitting_set.BATCH_COLUMNS + 5, 100)
    nk.fewest_mistakes(X, y, time_limit=4.0)
    assert len(limits) == 1
    assert 0.0 < limits[0] <= 2.0


@pytest.mark.parametrize(
    ("X", "y", "offset", "rows"),
    [
        ([[0.0], [1.0], [-1.0]], [1, 1, -1], False, [0]),  # on the hyperplane is wrong
        ([[0.0], [1.0]], ["a", "b"], True, []),
        ([[0.0]] * 7 + [[1.0]] * 5, [0] * 4 + [1] * 6 + [0] * 2, True, [4, 5, 6, 10, 11]),
    ],
)
def test_small_sets_have_the_answer_that_a_person_sees(X, y, offset, rows):
    few = asked(np.array(X), y, fit_intercept=offset)
    assert few.lower == few.upper == len(rows)
    assert few.rows.tolist() == rows
    verb = "is" if len(rows) == 1 else "are"
    assert f"Exactly {len(rows)} of {len(X)} rows {verb} wrong for the best hyperplane" in str(few)


def planted(n, d, flips, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    y = np.where(X @ random.standard_normal(d) > 0, 1, -1)
    y[random.choice(n, flips, replace=False)] *= -1
    return X, y


def test_planted_flips_are_found_and_proven():
    X, y = planted(600, 4, 12)
    few = asked(X, y)
    assert few.optimal
    assert few.upper <= 12


def test_rows_far_from_the_hyperplane_are_not_needed(monkeypatch):
    monkeypatch.setattr(hitting_set, "NEAR_ROWS", 150)
    X, y = planted(3000, 5, 9, seed=2)
    few = asked(X, y)
    assert few.optimal
    assert few.upper <= 9
    assert len(few.hitting.near) < 1500


def test_one_row_of_iris_is_in_the_way():
    X, y = load_iris(return_X_y=True)
    keep = y > 0
    few = asked(X[keep], y[keep])
    assert (few.lower, few.upper) == (1, 1)
    assert [suspect.always for suspect in few.suspects if suspect.row in few.rows] != []


def test_every_class_against_each_other_and_against_the_rest():
    X, y = load_iris(return_X_y=True)
    each = nk.fewest_mistakes_classes(X, y, against="each")
    assert {key: few.upper for key, few in each.items()} == {(0, 1): 0, (0, 2): 0, (1, 2): 1}
    assert all(y[row] in (1, 2) for row in each.rows((1, 2)))
    rest = nk.fewest_mistakes_classes(X, y, time_limit=2.0)  # versicolor against both is long
    assert (rest[0].upper, rest[2].upper, len(rest)) == (0, 1, 3)
    assert "0 against the rest" in str(rest)
    assert [one["upper"] for one in json.loads(json.dumps(rest.to_dict()))["labellings"]] == [
        few.upper for few in rest.values()
    ]


def test_suspects_are_always_in_an_answer_just_where_every_best_set_has_them(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(25):
        X, signs, offset = tiny_set(random)
        few = asked(np.array(X), signs, fit_intercept=offset)
        _, sets = fewest_of(X, signs, offset)
        found = few.find_suspects()
        assert set(few.rows) <= {suspect.row for suspect in found}
        for suspect in found:
            assert 0.0 <= suspect.share <= 1.0
            every = all(suspect.row in rows for rows in sets)
            assert suspect.always in (every, None)
        assert all(s.always is not None for s in found if s.row in few.rows)
    assert few.suspects is few.suspects


def test_labels_are_to_be_looked_at_and_never_called_wrong():
    few = asked(np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1])
    text = str(few) + str(few.suspects) + few._repr_html_() + few.suspects._repr_html_()
    assert "abels to look at" in text
    assert "wrong label" not in text


def test_trusted_rows_that_rule_every_hyperplane_out_are_an_answer():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    few = asked(X, y, trusted=[0, 1, 2])
    assert few.impossible
    assert (few.lower, few.upper, few.weights) == (None, None, None)
    assert list(few.rows) == [0, 1, 2]
    assert "gets a trusted row wrong: the trusted rows 0, 1, 2 alone" in str(few)
    assert few.to_dict()["impossible"]
    few = asked(np.array([[0, 0], [1, 1], [2, 1]]), [0, 1, 0], trusted=[0], fit_intercept=False)
    assert few.sentence().endswith("through the origin gets a trusted row wrong: row 0 is zero.")
    assert list(asked(X, y, trusted=[True, True, False, False]).rows) == [2]


def test_a_bound_that_rests_on_trusted_rows_says_so(tmp_path):
    path, proof = tmp_path / "d.csv", tmp_path / "p.json"
    path.write_text("x,y\n0,a\n1,b\n2,b\n3,a\n4,a\n5,b\n6,b\n7,b\n")
    data = nk.read(path, label="y")
    assert nk.fewest_mistakes(data).upper == 2
    for options, words in (
        ({}, "gets exactly 3 rows wrong"),
        ({"costs": [1] * 8}, "cost exactly 3 ("),
    ):
        few = nk.fewest_mistakes(data, trusted=[0, 3, 4, 7], **options)
        assert few.lower == few.upper
        few.certificate.save(proof)
        right = "hyperplane that is right on the 4 trusted"
        assert right in few.sentence()
        assert right in few.certificate.says("d.csv")
        assert f"best {right}" in checker.check(str(proof), str(path))
        if few.upper == 3:
            assert words in checker.check(str(proof), str(path))


def test_costs_choose_who_is_given_up():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    assert list(asked(X, y, costs=[9, 1, 9, 9]).rows) == [1]
    free = asked(X, y, costs=[1, 0, 1, 1])
    assert free.upper == 0
    assert "Exactly 0 is what the mistakes" in str(free)
    assert asked(X, y, costs=[0.1, 0.3, 0.2, 0.5]).upper == Fraction(1, 5)
    assert asked(X, y, costs=[Decimal("0.1")] * 4).upper == Fraction(1, 10)


@pytest.mark.parametrize("cost", [1e300, 10**700, Fraction(1, 10**700), Decimal("1e-2000")])
def test_costs_may_be_further_apart_than_floats_reach(cost, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    exact = Fraction(str(cost)) if isinstance(cost, float) else Fraction(cost)
    for _ in range(12):
        X, signs, offset = tiny_set(random)
        dear = random.integers(0, 3, len(X)).tolist()
        few = asked(
            np.array(X), signs, fit_intercept=offset, costs=[(1, 1e-300, cost)[k] for k in dear]
        )
        prices = [(1, Fraction(1, 10**300), exact)[k] for k in dear]
        assert few.lower == few.upper == fewest_of(X, signs, offset, prices)[0]
        assert str(few)
        assert json.dumps(few.to_dict())


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16, np.longdouble, Decimal, int])
def test_costs_of_every_type_of_number_count_as_they_print(kind):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    few = asked(X, y, costs=[kind(str(cost)) for cost in (3, 2, 4, 7)])
    assert few.upper == 2
    if kind in (np.float64, np.float32, np.longdouble):
        tenths = [kind(cost) for cost in ("0.3", "0.1", "0.4", "0.7")]
        assert asked(X, y, costs=tenths).upper == Fraction(1, 10)
        assert asked(X, y, costs=np.array(tenths)).upper == Fraction(1, 10)


def test_rows_of_a_file_keep_their_numbers_where_some_were_left_out(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("x,y\nNA,a\n0,a\n1,b\nNA,b\n2,a\n3,b\n")
    data = nk.read(path, label="y", missing="drop")
    assert list(nk.fewest_mistakes(data, trusted=[2]).rows) == [4]
    assert list(
        nk.fewest_mistakes(data, trusted=[False, False, False, False, True, False]).rows
    ) == [2]
    assert list(nk.fewest_mistakes(data, trusted=[False, True, False, False]).rows) == [4]
    assert list(nk.fewest_mistakes(data, costs=[1, 1, 3, 1, 2, 3]).rows) == [4]
    assert list(nk.fewest_mistakes(data, costs=[1, 3, 2, 3]).rows) == [4]
    with pytest.raises(InputError, match="trusted has row 3, which was left out"):
        nk.fewest_mistakes(data, trusted=[3])
    with pytest.raises(InputError, match="there are 4 rows, and 6 with those that were left out"):
        nk.fewest_mistakes(data, costs=[1, 2, 3, 4, 5])
    many = nk.fewest_mistakes_classes(data, against="each")
    assert many.rows(("a", "b")) in ((2,), (4,))
    (answer,) = many.to_dict()["labellings"]
    assert answer["rows"] == many.rows(("a", "b")).tolist()


def test_a_time_limit_of_nothing_ends_in_a_true_bracket():
    X, y = load_breast_cancer(return_X_y=True)
    few = asked(X, y, time_limit=1e-9)
    assert 0 <= few.lower <= few.upper <= 212


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C, when obstructions are asked for the second time."""
    calls = []

    def stopped(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return found(*arguments)

    found = cone.combinations
    monkeypatch.setattr(cone, "combinations", stopped)
    return calls


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_gives_the_bracket_so_far():
    X, y = planted(200, 3, 10)
    few = asked(X, y)
    assert few.interrupted
    assert 0 <= few.lower <= few.upper
    assert "interrupted after" in str(few)


def test_ctrl_c_ends_all_classes_and_leaves_a_bracket_for_each(interrupted):
    random = np.random.default_rng(0)
    many = nk.fewest_mistakes_classes(random.standard_normal((150, 2)), random.integers(0, 4, 150))
    assert len(many) == 4
    assert len(interrupted) == 2
    assert all(0 <= few.lower <= few.upper for few in many.values())


def test_progress_is_told_of_both_bounds_as_they_close(capsys):
    told = []
    X, y = planted(300, 3, 6)
    few = nk.fewest_mistakes(X, y, progress=lambda *bracket: told.append(bracket))
    lowers, uppers = [t[0] for t in told], [t[1] for t in told]
    assert lowers == sorted(lowers)
    assert uppers == sorted(uppers, reverse=True)
    assert told[-1][:2] == (few.lower, few.upper)
    nk.fewest_mistakes(np.array([[0.0], [1.0], [2.0]]), [0, 1, 0], progress=True)
    assert "novikoff: at least" in capsys.readouterr().err


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix, pd.DataFrame])
def test_every_form_of_rows_has_the_same_answer(form):
    random = np.random.default_rng(3)
    X, y = random.integers(0, 5, (40, 3)).astype(float), random.integers(0, 2, 40)
    few = asked(form(X), y)
    assert (few.lower, few.upper) == (asked(X, y).lower,) * 2


def test_exact_numbers_and_numbers_beyond_floats_are_decided_as_they_are():
    tiny = [[Fraction(k * k, 3 * 10**400)] for k in range(4)]
    huge = [[10**400 + k] for k in range(4)]
    spread = [[10**400 * (k + 12) // 12] for k in range(4)]
    for rows in (tiny, huge, spread):
        X = np.array([[Fraction(v) for v in row] for row in rows], dtype=object)
        few = asked(X, [0, 1, 0, 1])
        assert (few.lower, few.upper) == (1, 1)
        assert nk.certify(X, [0, 1, 0, 1]).status == "overlapping"
        assert nk.certify(X, [0, 0, 1, 1]).status == "separable"


def test_names_of_rows_come_from_the_index():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}, index=["a", "b", "c", "d"])
    few = asked(frame, [0, 1, 0, 1], costs=[9, 1, 9, 9])
    assert few.row_names == ["b"]
    assert "b, the same rows by name" in str(few)
    assert few.suspects[0].name == "b"


def test_a_solver_that_fails_leaves_a_true_bracket(monkeypatch):
    monkeypatch.setattr(pool.Pool, "hit", lambda *_: None)
    few = asked(np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1], time_limit=2.0)
    assert few.lower <= 1 <= few.upper


def test_proposals_that_are_false_are_not_taken(monkeypatch):
    proposed = [(0, 1), (0,), tuple(range(6))]
    monkeypatch.setattr(hitting_set, "missed_by", lambda *_: proposed)
    X, signs = [[0], [1], [2], [3], [4], [5]], [1, -1, 1, -1, 1, -1]
    assert asked(np.array(X), signs).upper == fewest_of(X, signs, True)[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": [1, 2]}, "costs has 2 numbers and there are 3 rows; give one each."),
        ({"costs": [1, -2, 1]}, "the cost of row 1 is -2; a cost is 0 (free to give up) or more."),
        ({"costs": [1, float("nan"), 1]}, "the cost of row 1 is nan; a cost is a finite number."),
        ({"costs": [1, "2", 1]}, "the cost of row 1 is '2'; a cost is a finite number."),
        ({"trusted": [3]}, "trusted has row 3, and the rows are 0 … 2."),
        ({"costs": 5}, "costs is 5; it must be 3 numbers, one a row."),
        ({"costs": [1, 1, True]}, "the cost of row 2 is True; a cost is a finite number."),
        ({"costs": [1, 1, float("inf")]}, "the cost of row 2 is inf; a cost is a finite number."),
        (
            {"costs": [Decimal("sNaN"), 1, 1]},
            "the cost of row 0 is Decimal('sNaN'); a cost",
        ),
        (
            {"costs": [1, 1, Decimal("1e999999999")]},
            "the cost of row 2 is not a number of at",
        ),
        (
            {"costs": [Fraction(1, 10**4000), 1, 1]},
            "the cost of row 0 is not a number of at",
        ),
        ({"trusted": [0.5]}, "trusted has shape (1,) and dtype float64; it must be 3 values"),
        ({"progress": 3}, "progress is 3; it must be True, False, None or a function."),
        ({"time_limit": 0}, "time_limit is 0; it must be a positive number"),
        ({"y": [0, 0, 0]}, "1 class"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(options, message):
    with pytest.raises(InputError) as caught:
        nk.fewest_mistakes(np.array([[0.0], [1.0], [2.0]]), **{"y": [0, 1, 0], **options})
    assert message in str(caught.value)


def test_the_page_and_the_picture_show_the_rows(tmp_path):
    X, y = planted(60, 2, 4)
    few = asked(X, y)
    few.report(tmp_path / "few.html", "few.csv", "proof.json")
    page = (tmp_path / "few.html").read_text()
    assert few.sentence() in page
    assert "Labels to look at" in page
    assert "novikoff verify proof.json few.csv" in page
    display = few.plot()
    assert "rows that are wrong" in [t.get_text() for t in display.figure_.legends[0].get_texts()]
