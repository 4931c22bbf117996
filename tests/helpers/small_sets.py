"""Random small sets, and what is true of them by exact oracles that share nothing with the library.

`attack(seed, trials)` draws sets of two classes, regressions of every model, and sets to be
separated with the fewest mistakes. Of each the library's whole answer is held against
Fourier-Motzkin elimination, all comparisons written out, or every set of rows tried.
"""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
from scipy import sparse

import novikoff as nk
from fourier_motzkin import settled_of
from mistakes_oracle import fewest_of, tiny_set
from regression_draws import DRAWS
from regression_oracle import rows_of, truth

FORMS = {
    "int": np.array,
    "float": lambda X: np.array(X, dtype=float),
    "CSR": lambda X: sparse.csr_matrix(np.array(X, dtype=float)),
    "tenths": lambda X: of_objects([[Decimal(v) / 10 for v in row] for row in X]),
    "thirds": lambda X: of_objects([[Fraction(v, 3) for v in row] for row in X]),
    "subnormal": lambda X: np.array(X) * 2.0**-1074,
    "huge": lambda X: np.array(X) * 2.0**1000,
}
WITHOUT_OFFSET = ("tenths", "thirds", "subnormal", "huge")  # another scale is another offset


def of_objects(rows):
    exact = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            exact[i, j] = value
    return exact


def two_classes(numpy_random, draw):
    """One set of two classes: its status, the rows that are separated, and the proof."""
    X, signs, offset = tiny_set(numpy_random)
    form = draw.choice(list(FORMS))
    offset = offset and form not in WITHOUT_OFFSET
    expected = settled_of(X, signs, offset)
    given = FORMS[form](X)
    verdict = nk.certify(given, signs, offset)
    whole = "separable" if len(expected) == len(X) else "quasi-separable"
    case = (X, signs, offset, form)
    assert verdict.status == (whole if expected else "overlapping"), case
    assert verdict.separated.tolist() == expected, case
    verdict.certificate.verify(given, signs)
    return f"two classes, {verdict.status}"


def regression(draw, model):
    """One regression: its status, what is separated, infinite and collinear, and the proof."""
    options, given, known, X, constant = DRAWS[model](draw)
    about = dict(given)
    if "winner" in about:
        about["result"] = about.pop("y")
    rows = rows_of(model, X or [], constant=constant, **about, **known)
    width, block = len(rows[0][1]), len(X[0]) + 1 if X else 0
    firsts = list(range(block - 1, width, block)) if constant else []
    order = [*firsts, *(j for j in range(width) if j not in firsts)]
    n = len(next(iter(given.values())))
    status, separated, _, infinite, collinear = truth(rows, n, order)
    fit = nk.certify_regression(X, model=model, **options, **given)
    case = (model, X, options, given)
    assert fit.status == status, case
    assert list(fit.separated) == separated, case
    assert list(fit.collinear) == [fit.coefficients[j] for j in sorted(collinear)], case
    assert dict(fit.infinite) == {fit.coefficients[j]: s for j, s in infinite.items()}, case
    fit.certificate.verify_table(fit.given.whole())
    return f"{model}, {fit.status}"


def fewest(numpy_random):
    """One set: the fewest rows that any hyperplane gets wrong, and the proof."""
    X, signs, offset = tiny_set(numpy_random)
    X, signs = X[:7], signs[:7]
    if len(set(signs)) < 2:
        return "one class only"
    least, _ = fewest_of(X, signs, offset)
    found = nk.fewest_mistakes(np.array(X), signs, fit_intercept=offset)
    assert found.lower == found.upper == least, (X, signs, offset)
    found.certificate.verify(np.array(X), signs)
    return "the fewest mistakes"


def attack(seed: int, trials: int) -> Counter[str]:
    """So many sets; AssertionError with the set of which the library says anything untrue."""
    draw, numpy_random, seen = random.Random(seed), np.random.default_rng(seed), Counter[str]()
    models = list(DRAWS)
    for trial in range(trials):
        if trial % 10 == 8:
            seen[regression(draw, models[trial // 10 % len(models)])] += 1
        elif trial % 10 == 9:
            seen[fewest(numpy_random)] += 1
        else:
            seen[two_classes(numpy_random, draw)] += 1
    return seen
