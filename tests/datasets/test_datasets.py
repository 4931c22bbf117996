"""Every fact that a data set states about itself, checked in exact rationals."""

from __future__ import annotations

import gzip
import subprocess
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import novikoff as nk
from elimination import relations_of
from novikoff import datasets
from novikoff.datasets import shipped
from novikoff.errors import InputError

SHIPPED = ("iris", "digits", "breast_cancer", "wine")
PLANTED = [name for name in datasets.names() if name not in SHIPPED]


def exact_rows(dataset):
    """sign·(row, constant) in Fractions, the constant being 1 with an offset and 0 without."""
    one = int(dataset.conventions["fit_intercept"])
    return [
        [int(sign) * Fraction(value) for value in (*row, one)]
        for row, sign in zip(dataset.X.tolist(), dataset.y.tolist(), strict=True)
    ]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def textbook(dataset, max_passes=10**6):
    """The perceptron in Fractions: (weights after each mistake, mistaken rows, passes)."""
    conventions = {"tie": "mistake", "start": None, **dataset.conventions}
    Z = exact_rows(dataset)
    w = [Fraction(0)] * len(Z[0])
    for j, value in enumerate(conventions["start"] or ()):
        w[j] = Fraction(value)
    weights, tape = [w], []
    for passes in range(1, max_passes + 1):
        before = len(tape)
        for i, z in enumerate(Z):
            score = dot(z, w)
            spared = conventions["tie"] == "positive" and dataset.y[i] == 1
            if score < 0 or (score == 0 and not spared):
                w = [a + b for a, b in zip(w, z, strict=True)]
                weights.append(w)
                tape.append(i)
        if len(tape) == before:
            return weights, tape, passes
    raise RuntimeError("no clean pass")


def rank(rows):
    """By elimination in Fractions."""
    return len(rows[0]) - len(relations_of(rows, False))


def check_separator(dataset):
    """Strict on every row, with at least the margin stated."""
    v = [Fraction(value) for value in dataset.separator.tolist()]
    smallest = min(dot(z, v) for z in exact_rows(dataset))
    assert smallest > 0
    assert smallest**2 >= Fraction(dataset.margin) ** 2 * dot(v, v)


def check_obstruction(dataset):
    """λ > 0, Σλ = 1, Σ λ·sign·(row, 1) = 0; returns the rows of λ."""
    rows, weights = dataset.obstruction
    exact = [Fraction(weight) for weight in weights.tolist()]
    assert min(exact) > 0
    assert sum(exact) == 1
    assert sorted(set(rows.tolist())) == rows.tolist()
    Z = exact_rows(dataset)
    support = [Z[i] for i in rows]
    assert not any(dot(exact, column) for column in zip(*support, strict=True))
    return support


# The lectures

# The weights after each mistake, and the rows mistaken, as the lectures have them on the board.
BOARD = {
    "000": ([(0, 0), (1, -2), (2, -1), (3, 1)], [0, 2, 4]),
    "001": ([(1, -0.8), (2, 1.2), (3, -0.8), (3, 0.2)], [0, 1, 2]),
    "002": ([(0, 0, 0), (1, -3, -1), (2, -2, -2)], [0, 1, 3, 3, 0, 3, 3, 0, 3]),
    "003": ([(0, 0, 0), (-2, -1, -1), (-1, 1, 0)], [1, 0]),
}


@pytest.mark.parametrize("name", datasets.lecture_names())
def test_a_lecture_is_reproduced_line_by_line_and_ends_at_its_separator(name):
    dataset = datasets.lecture(name)
    weights, tape, _ = textbook(dataset)
    shown, mistaken = BOARD[name]
    for w, line in zip(weights, shown, strict=False):
        assert [float(value) for value in w[: len(line)]] == pytest.approx(line, abs=1e-15)
    assert tape == mistaken
    run = nk.trace(*dataset, **dataset.conventions)
    assert (run.converged, run.tape.rows.tolist()) == (True, mistaken)
    assert [*run.coef, run.intercept] == pytest.approx(dataset.separator.tolist(), abs=1e-15)
    for k, line in enumerate(shown):
        assert run.weights_at(k).tolist() == pytest.approx(list(line), abs=1e-15)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("and", lambda a, b: a and b),
        ("or", lambda a, b: a or b),
        ("nand", lambda a, b: not (a and b)),
        ("nor", lambda a, b: not (a or b)),
        ("xor", lambda a, b: a != b),
        ("implies", lambda a, b: not a or b),
    ],
)
def test_truth_tables_are_those_of_logic_in_binary_order(name, function):
    X, y = datasets.truth_table(name)
    assert X.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert y.tolist() == [1 if function(bool(a), bool(b)) else -1 for a, b in X]


# Facts


MORE = [
    *(f"planted_obstruction:{5 * d + 10},{d},{d}" for d in (1, 2, 3, 10)),
    *(f"parity:{d}" for d in (2, 3, 5, 8)),
    *(f"overlap:{gap!r}" for gap in (0.25, 1e-8, 1e-300, 2.0**-1070)),
    *("planted_flips:50,1,0", "planted_flips:2,1,1", "planted_flips:40,60,40"),
]


@pytest.mark.parametrize("name", [*PLANTED, *MORE])
def test_what_a_set_states_about_itself_is_exactly_true(name):
    dataset = datasets.load(name)
    if dataset.separator is not None:
        assert dataset.status == "separable"
        check_separator(dataset)
    elif dataset.obstruction is not None:
        support, Z = check_obstruction(dataset), exact_rows(dataset)
        full = rank(support) == rank(Z)
        assert len(support) <= dataset.X.shape[1] + 2 or name.startswith("parity")
        assert dataset.status == ("overlapping" if full else "quasi-separable")
    elif dataset.flipped is not None:
        v = [Fraction(value) for value in dataset.hyperplane.tolist()]
        wrong = [i for i, z in enumerate(exact_rows(dataset)) if dot(z, v) <= 0]
        assert wrong == dataset.flipped.tolist()
        assert len(wrong) == int(name.split(",")[2])
    else:  # as many rows as unknowns, of full rank: some (w, b) scores 1 on every side
        assert dataset.status == "separable"
        assert rank(exact_rows(dataset)) == len(dataset.X)


def test_the_counterexample_is_separable_only_with_an_offset():
    X, y = datasets.counterexample_origin()
    assert (y * np.array([2, 1]) @ X == 0).all()  # an obstruction without an offset


def test_the_decimal_trap_is_two_different_sets():
    decimal, binary = datasets.decimal_trap(), datasets.decimal_trap("binary64")
    assert [[float(value) for value in row] for row in decimal.X] == binary.X.tolist()
    assert decimal.status == "overlapping"
    assert binary.status == "separable"


def test_parity_is_positive_where_the_number_of_ones_is_odd():
    X, y = datasets.parity(5)
    assert ((y == 1) == (X.sum(axis=1) % 2 == 1)).all()


# Families


@pytest.mark.parametrize("d", [2, 3, 4])
def test_tight_attains_the_bound_in_every_order(d):
    dataset = datasets.tight(d)
    for order in permutations(range(d)):
        shuffled = datasets.Dataset(
            "", dataset.X[list(order)], dataset.y[list(order)], "", dataset.conventions
        )
        assert len(textbook(shuffled)[1]) == d
    check_separator(dataset)
    assert Fraction(np.nextafter(dataset.margin, 1)) ** 2 > Fraction(1, d)


@pytest.mark.parametrize("n", [2, 5, 8, 13, 60, 76])
def test_the_margin_of_badmargin_is_exactly_that_of_its_separator(n):
    """w scores 1 on every row and is Σ λ·z with λ >= 0: by duality no separator is better."""
    dataset = datasets.badmargin(n)
    check_separator(dataset)
    v = [Fraction(value) for value in dataset.separator.tolist()]
    Z = exact_rows(dataset)
    assert all(dot(z, v) == 1 for z in Z)
    rest, multipliers = v, []
    for i, z in enumerate(Z):  # Z is triangular up to its last column
        multipliers.append(rest[i] / z[i])
        rest = [a - multipliers[-1] * b for a, b in zip(rest, z, strict=True)]
    assert not any(rest)
    assert min(multipliers) >= 0


def test_badmargin_keeps_its_margin_where_floats_cannot_hold_the_separator():
    assert datasets.badmargin(77).separator is None
    assert 0 < datasets.badmargin(77).margin < datasets.badmargin(76).margin


# Planted sets


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("offset", [None, 0.0, 0.4, -0.7])
@pytest.mark.parametrize(
    ("n", "d", "margin"), [(2, 1, 0.2), (40, 1, 0.01), (60, 2, 1e-9), (60, 5, 0.05), (30, 40, 0.2)]
)
def test_planted_margins_hold_exactly_and_are_attained(n, d, margin, offset, seed):
    dataset = datasets.planted(n, d, margin, seed, offset)
    assert dataset.margin == margin
    assert dataset.conventions == {"fit_intercept": offset is not None}
    check_separator(dataset)
    v = [Fraction(value) for value in dataset.separator.tolist()]
    size = float(dot(v, v)) ** 0.5
    nearest = [float(dot(z, v)) / size for z in exact_rows(dataset)]
    for sign in (1, -1):
        slack = min(np.array(nearest)[dataset.y == sign]) - margin
        assert slack <= (d + 8) * 2.0**-51
    assert all(dot(z[:-1], z[:-1]) <= 1 for z in exact_rows(dataset))


@pytest.mark.parametrize("d", [1, 3, 10])
def test_without_the_planted_obstruction_the_rest_is_separable(d):
    dataset = datasets.planted_obstruction(300, d)
    rest = np.setdiff1d(np.arange(300), dataset.obstruction.rows)
    assert nk.trace(dataset.X[rest], dataset.y[rest], max_iter=10**5).converged


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "d", "margin"), [(4, 4, 0.1), (21, 4, 1e-3), (40, 9, 1e-12)])
def test_the_margin_of_a_needle_is_exact_from_below_and_above(n, d, margin, seed):
    """Both classes have a pair of rows around ±margin·v, so no hyperplane does better than v."""
    dataset = datasets.needle(n, d, margin, seed)
    check_separator(dataset)
    assert dataset.margin == margin
    v = [Fraction(value) for value in dataset.separator.tolist()]
    exact = Fraction(dataset.margin)
    assert dot(v, v) == 1
    ends = {1: {}, -1: {}}
    reached = set()
    for z, sign in zip(exact_rows(dataset), dataset.y.tolist(), strict=True):
        assert dot(z, v) == exact
        across = [a - exact * b for a, b in zip(z, v, strict=True)]
        size = sum(abs(value) for value in across)
        direction = tuple(value / size for value in across)
        if tuple(-value for value in direction) in ends[sign]:
            reached.add(sign)
        ends[sign][direction] = size
    assert reached == {1, -1}


# Names


@pytest.mark.parametrize("name", datasets.names())
def test_a_name_always_loads_the_same_set_and_is_its_name(name):
    first, second = datasets.load(name), datasets.load(name)
    assert first.name == name
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()
    assert first.description.endswith(".")
    assert len(first.X) == len(first.y)


@pytest.mark.parametrize(
    "made",
    [
        datasets.planted(20, 3, 0.1, 7),
        datasets.planted(20, 3, 0.1, 0, offset=0.3),
        datasets.planted_obstruction(20, 3, 5),
        datasets.needle(20, 4, 0.05, 3),
        datasets.iris("virginica", "setosa"),
        datasets.digits(3, 8),
        datasets.overlap(1e-5),
    ],
    ids=lambda made: made.name,
)
def test_the_name_of_a_made_set_makes_it_again(made):
    again = datasets.load(made.name)
    assert (again.X == made.X).all()
    assert (again.y == made.y).all()
    assert again.conventions == made.conventions


def test_another_seed_makes_another_set_and_none_a_new_one():
    first = datasets.planted(20, 3, 0.1)
    assert not (first.X == datasets.planted(20, 3, 0.1, 1).X).all()
    fresh = datasets.planted(20, 3, 0.1, None)
    assert not (fresh.X == datasets.planted(20, 3, 0.1, None).X).all()
    assert fresh.name == "planted"
    assert (datasets.planted(20, 3, 0.1, np.random.RandomState(0)).X == first.X).all()


def test_a_set_unpacks_into_rows_and_labels_and_shows_what_it_is():
    dataset = datasets.xor()
    X, y = dataset
    assert X is dataset.X
    assert y is dataset.y
    assert repr(dataset) == "<Dataset 'xor': 4 rows, 2 columns, overlapping>"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (3, "it must be text"),
        ("xro", "did you mean 'xor'?"),
        ("Iris", "did you mean 'iris'?"),
        ("lectur:002", "did you mean 'lecture'?"),
        ("qqq", "the names are lecture, and,"),
        ("", "the names are lecture, and,"),
        ("lecture:9", "those that have are '000'"),
        ("lecture", "'lecture:name' is needed"),
        ("xor:3", "'xor' is needed"),
        ("overlap:1,2", "'overlap[:gap]' is needed"),
        ("planted:200,5", "'planted:n,d,margin[,seed[,offset]]' is needed"),
        ("planted:200,five,0.1", "d of data set 'planted:200,five,0.1' is 'five'"),
        ("planted:200,5,2", "margin is 2.0; it must be above 0 and below 1"),
        ("planted:200,5,0.6,0,0.5", "below 0.447214 with offset 0.5"),
        ("planted:200,5,0.1,0,2", "below 0 with offset 2.0"),
        ("planted:1,5,0.1", "n is 1; it must be a whole number of at least 2"),
        ("planted:9,5,nan", "margin is nan; it must be a finite number"),
        ("planted:9,5,0.1,-1", "random_state is -1"),
        ("planted_obstruction:4,3", "n is 4; it must be a whole number of at least 5"),
        ("needle:9,3,0.5", "margin is 0.5; it must be above 0, at most 0.1"),
        ("needle:9,3,0.05,x", "random_state of data set 'needle:9,3,0.05,x' is 'x'"),
        ("tight:1", "d is 1"),
        ("badmargin:1", "n is 1; it must be a whole number from 2 to 1000"),
        ("parity:21", "d is 21; it must be a whole number from 2 to 20"),
        ("overlap:0", "gap is 0.0"),
        ("decimal_trap:float", "numbers is 'float'; it must be one of 'decimal', 'binary64'"),
        ("iris:setosa", "iris was asked for one class, 'setosa'; give none or two"),
        ("iris:setosa,rose", "iris has no class 'rose'; its classes are 'setosa'"),
        ("iris:setosa,setosa", "two different classes"),
    ],
)
def test_a_name_that_cannot_be_loaded_gets_one_clear_sentence(name, part):
    with pytest.raises(InputError) as raised:
        datasets.load(name)
    assert part in str(raised.value)
    assert str(raised.value).endswith((".", "?"))


def test_the_catalogue_and_what_it_names_need_no_import_of_scikit_learn():
    code = (
        "import sys, novikoff; novikoff.datasets.catalogue(); novikoff.datasets.xor();"
        "novikoff.datasets.iris(); novikoff.datasets.digits(0, 1);"
        "print(sorted({'sklearn', 'scipy', 'numba', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# What scikit-learn ships


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tables_are_scikit_learns_with_class_names(name):
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")()
    dataset = datasets.load(name)
    assert (bunch.data == dataset.X).all()
    assert dataset.y.tolist() == [bunch.target_names[code].item() for code in bunch.target]
    assert dataset.columns == tuple(bunch.feature_names)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("held", [None, "", "150,4,a\n", "150,4,a\n1,2,0\n"])
def test_shipped_tables_are_the_same_if_their_files_are_others(name, held, tmp_path, monkeypatch):
    expected = datasets.load(name)
    path = tmp_path / ("table.gz" if name == "digits" else "table.csv")
    if held is not None:
        path.write_bytes(gzip.compress(held.encode()) if name == "digits" else held.encode())
    monkeypatch.setitem(shipped.FILES, name, str(path))
    found = datasets.load(name)
    assert (found.X.tolist(), found.y.tolist()) == (expected.X.tolist(), expected.y.tolist())
