"""The rows of each model: library and stand-alone checker, which share no code, make the same."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from novikoff.certificates import checker
from novikoff.certificates.comparisons import comparisons
from novikoff.certificates.entries import differences
from novikoff.certificates.model import Model, parted
from novikoff.errors import CertificateError
from novikoff.inputs import read_table
from regression_draws import DRAWS


def exact(table):
    cells = table.dense_rows(slice(None)) if table.exact is None else table.exact
    return [[Fraction(value) for value in row] for row in cells.tolist()]


def of_library(table, model):
    rows = comparisons(*parted(table, model), model)
    scale = rows.scale or [1] * rows.table.n_columns
    vectors = [[a / s for a, s in zip(row, scale, strict=True)] for row in exact(rows.table)]
    return [[*row, int(rows.offset)] for row in vectors], rows.signs.tolist()


def of_checker(table, model):
    return checker_rows(table, model.to_dict(), model.constant)


def checker_rows(table, fields, constant):
    """The rows that the checker makes, divided by the number that they are all multiplied with."""
    cells = exact(table)
    model = checker.read_fields(fields, "model")
    vectors, signs = checker.comparisons(cells, {"model": model, "offset": constant})
    _, one = checker.whole([row[: len(row) - len(model["response"])] for row in cells])
    return [[Fraction(v, one) for v in vector] for vector in vectors], signs


@pytest.mark.parametrize("name", DRAWS)
def test_both_make_the_same_comparisons_in_the_same_order(name, fresh_seed):
    draw = random.Random(fresh_seed)
    for _ in range(40):
        options, given, _, X, _ = DRAWS[name](draw)
        fit = nk.certify_regression(X, model=name, **options, **given)
        table, model = fit.given.whole(), fit.certificate.model
        assert of_checker(table, model) == of_library(table, model)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array], ids=["dense", "sparse"])
def test_differences_of_rows_are_never_rounded(form, fresh_seed):
    """Numbers of very different sizes, also near the ends of the floats."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(200):
        n, spread = int(random.integers(2, 6)), int(random.choice([2, 8, 60, 900]))
        exponents = random.integers(-spread, spread, (n, 3)) + int(random.choice([0, 120, -170]))
        X = np.ldexp(random.integers(-9, 10, (n, 3)).astype(float), np.clip(exponents, -1074, 1019))
        first, second = random.integers(0, n, (2, 4))
        table = read_table(form(X))
        rows, scale = differences(table, first, second)
        assert scale is None
        cells = rows if isinstance(rows, np.ndarray) else rows.toarray()
        exact = [[Fraction(v) for v in row] for row in X.tolist()]
        assert [[Fraction(v) for v in row] for row in cells.tolist()] == [
            [a - b for a, b in zip(exact[i], exact[j], strict=True)]
            for i, j in zip(first, second, strict=True)
        ]


GOOD = {
    "logistic": (("y",), 0, [[0], [1], [0]]),
    "binomial": (("successes", "trials"), 0, [[0, 2], [1, 2], [2, 2]]),
    "poisson": (("y",), 0, [[0], [1], [2.5]]),
    "multinomial": (("class",), 3, [[0], [1], [2]]),
    "ordinal": (("class",), 4, [[0], [1], [3]]),
    "conditional": (("case", "set"), 0, [[1, 0], [0, 0], [0, 7]]),
    "cox": (("time", "event", "entry", "stratum"), 0,
            [[2, 1, 0, 0], [-1, 0, -3, 0], [3, 1, 2.5, 1], [4, 0, 2.5, 1]]),
    "bradley-terry": (("winner", "loser", "result"), 3, [[0, 1, 1], [1, 2, 0.5], [2, 0, 1]]),
}  # fmt: skip
BAD = [
    ("logistic", 0, 0, 0.5), ("logistic", 0, 0, 2), ("logistic", 0, 0, -1),
    ("binomial", 1, 0, 3), ("binomial", 1, 0, -1), ("binomial", 0, 1, 0), ("binomial", 0, 1, -2),
    ("poisson", 1, 0, -1), ("poisson", 0, 0, -0.5),
    ("multinomial", 2, 0, 1), ("multinomial", 2, 0, 3), ("multinomial", 2, 0, 1.5),
    ("multinomial", 2, 0, -1), ("ordinal", 2, 0, 4), ("ordinal", 2, 0, 0.5), ("ordinal", 0, 0, -1),
    ("conditional", 0, 0, 2), ("conditional", 0, 0, 0.5), ("conditional", 2, 1, 0.5),
    ("conditional", 2, 1, -1), ("cox", 0, 1, 2), ("cox", 0, 2, 2), ("cox", 0, 2, 3),
    ("cox", 1, 3, 0.5), ("cox", 1, 3, -1),
    ("conditional", 0, 0, 0), ("cox", 2, 1, 0),  # there is nothing to compare
    ("bradley-terry", 0, 1, 0), ("bradley-terry", 0, 0, 3),
    ("bradley-terry", 1, 2, 0), ("bradley-terry", 1, 2, 1.5), ("bradley-terry", 1, 2, -1),
]  # fmt: skip


def made(name, change=None):
    """What both make of a small table of this model, with one number of its response changed."""
    response, classes, rows = GOOD[name]
    rows = [list(row) for row in rows]
    if change is not None:
        row, column, value = change
        rows[row][column] = value
    design = [[i % 2, i * 0.25] for i in range(len(rows))]
    table = read_table(np.column_stack([design, rows]).astype(float))
    model = Model(name, response, classes=classes)
    answers = []
    for make, error in ((of_library, CertificateError), (of_checker, checker.ProofError)):
        try:
            answers.append(make(table, model))
        except error:
            answers.append(None)
    return answers


@pytest.mark.parametrize("name", GOOD)
def test_a_response_that_the_model_may_have_is_taken(name):
    library, alone = made(name)
    assert library is not None
    assert library == alone


def fractions_of(values, first=Fraction(1), second=Fraction(0)):
    """The same numbers of the response; of the design first·number + second."""
    table = np.array([list(map(Fraction, row)) for row in values.tolist()], dtype=object)
    table[:, :2] = table[:, :2] * first + second
    return table


FORMS = {
    "dense": np.asarray,
    "sparse": sparse.csr_array,
    "thirds": lambda values: fractions_of(values, Fraction(1, 3)),
    "long": lambda values: fractions_of(values, Fraction(1), Fraction(1, 3**40)),
    "long in differences": lambda values: fractions_of(
        values, Fraction(-(2**53) - 1, 3), Fraction(2**53, 3)
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", GOOD)
def test_the_rows_of_a_model_are_the_same_however_its_numbers_are_held(name, form):
    response, classes, rows = GOOD[name]
    values = np.column_stack([[[i % 2, (i + 1) % 2] for i in range(len(rows))], rows])
    table, model = (
        read_table(FORMS[form](values.astype(float))),
        Model(name, response, classes=classes),
    )
    assert (table.exact is not None) == (form not in ("dense", "sparse"))
    assert of_library(table, model) == of_checker(table, model)


@pytest.mark.parametrize(("name", "row", "column", "value"), BAD)
def test_a_response_that_the_model_cannot_have_is_refused_by_both(name, row, column, value):
    assert made(name, (row, column, value)) == [None, None]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("logit", {"name": "logit"}), ("multinomial", {"classes": 0}),
        ("multinomial", {"classes": 1_000_001}), ("multinomial", {"reference": 3}),
        ("ordinal", {"reference": 1}), ("ordinal", {"classes": 0}), ("cox", {"classes": 1}),
        ("poisson", {"ties": "exact"}), ("poisson", {"ties": "efron"}),
        ("poisson", {"response": ["x"]}), ("poisson", {"response": ["y", "entry"]}),
        ("cox", {"response": ["time", "event", "stratum", "entry"]}),
        ("cox", {"constant": True}), ("ordinal", {"constant": True}),
    ],
)  # fmt: skip
def test_a_model_that_cannot_be_is_refused_by_both(name, changes):
    response, classes, rows = GOOD.get(name, GOOD["poisson"])
    fields = Model(name if name in GOOD else "poisson", response, classes=classes).to_dict()
    constant = changes.get("constant", False)
    fields |= {key: value for key, value in changes.items() if key != "constant"}
    with pytest.raises(CertificateError):
        Model.from_dict(fields, constant)
    with pytest.raises(checker.ProofError):
        checker_rows(read_table(np.array([[0, *row] for row in rows], float)), fields, constant)
