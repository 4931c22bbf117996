"""Nothing finite crashes anything, and what is said at the ends of the range is still true."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import extremes
import novikoff as nk
from novikoff import geometry

# Each of these seeds once found a crash, a warning or a false number.
FOUND = (5, 7, 11, 52, 72, 127, 150, 172, 225, 592, 921, 26451790823095)


@pytest.mark.parametrize("seed", FOUND)
def test_what_a_fresh_seed_has_found_stays_mended(seed):
    extremes.attack(1, seed)


def test_a_report_is_written_of_extreme_rows():
    for seed in (127, 150):
        extremes.attack(1, seed, reports=True)


def test_no_finite_number_crashes_anything(fresh_seed):
    extremes.attack(15, fresh_seed)


def largest_square(X, fit_intercept):
    return max(extremes.square_norms(X, fit_intercept))


def forms(X):
    yield X
    yield sparse.csr_array(X)
    yield np.array([[Fraction(v) for v in row] for row in X.tolist()], dtype=object)
    yield np.array([[Fraction(v) / 3 for v in row] for row in X.tolist()], dtype=object)
    with np.errstate(over="ignore", under="ignore"):
        single = X.astype(np.float32)
    if np.isfinite(single).all():
        yield single


SCALES = [5e-324, 1e-310, 1.5e-162, 1e-165, 1e-20, 1.0, 1e160, 1e300, 4e306]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_the_radius_is_the_largest_norm_rounded_up_at_every_scale(scale, fit_intercept):
    rows = np.random.default_rng(0).normal(size=(30, 20)) * 3
    with np.errstate(under="ignore"):
        rows = rows * scale
    signs = np.arange(30) % 2
    for X in forms(rows):
        square = largest_square(X, fit_intercept)
        found = geometry.radius(X, fit_intercept=fit_intercept)
        assert Fraction(found) ** 2 >= square
        assert Fraction(np.nextafter(found, 0)) ** 2 < square or square == 0
        assert nk.certify(X, signs, fit_intercept=fit_intercept).radius == found


def test_a_radius_that_very_many_rows_share_is_not_below_theirs():
    X = np.random.default_rng(0).choice([-0.1, 0.1], size=(2000, 30)) * 1e-165
    found = geometry.radius(X)
    assert Fraction(found) ** 2 >= largest_square(X[:1], False)
    assert found == pytest.approx(0.1 * np.sqrt(30) * 1e-165, rel=1e-12, abs=0)


def test_rows_whose_squares_vanish_keep_a_true_bound():
    """Three rows of 100 entries of 1.5e-162, each with a sign pattern: three mistakes happen."""
    X = np.full((4, 100), 1.5e-162)
    X[1, :50] *= -1
    X[2, 25:75] *= -1
    X[3, ::2] *= -1
    y = np.array([1, 1, -1, -1])
    run = nk.trace(X, y, fit_intercept=False)
    verdict = nk.certify(X, y, fit_intercept=False)
    assert run.converged
    assert run.n_mistakes <= verdict.mistake_bound
    assert Fraction(verdict.radius) ** 2 >= largest_square(X, False)


EXPONENTS = {
    "float64": (-1070, -548, -498, 0, 498, 1000),
    "float32": (-145, -100, 0, 100),
    "CSR": (-1070, -548, 0, 1000),
    "Fraction": (-1070, -548, 0, 1000),
}


@pytest.mark.parametrize(
    ("form", "exponent"), [(form, e) for form, some in EXPONENTS.items() for e in some]
)
def test_the_bracket_holds_the_margin_at_every_scale(form, exponent):
    """The first column alone separates with a margin of 1 unit, and two rows allow no more."""
    random = np.random.default_rng(1)
    n = 40 if form == "Fraction" else 800
    signs, unit = np.arange(n) % 2 * 2 - 1, 2.0**exponent
    whole = random.integers(-3, 4, size=(n, 10)).astype(float)
    whole[:, 0] = signs * random.integers(1, 5, size=n)
    whole[:2, 1:], whole[:2, 0] = 0.0, signs[:2]
    X = whole * unit
    given = {
        "float64": lambda: X,
        "float32": lambda: X.astype(np.float32),
        "CSR": lambda: sparse.csr_array(X),
        "Fraction": lambda: np.array(
            [[Fraction(v) / 3 for v in row] for row in X.tolist()], dtype=object
        ),
    }[form]()
    margin = Fraction(unit) / (3 if form == "Fraction" else 1)
    verdict = nk.certify(given, signs, fit_intercept=False)
    lower, upper = verdict.margin
    assert Fraction(lower) <= margin <= Fraction(upper)
    found = nk.max_margin(given, signs, fit_intercept=False)
    assert Fraction(found.lower) <= margin <= Fraction(found.upper)
    bound = verdict.mistake_bound
    if bound is not None:
        assert bound >= largest_square(given, False) // margin**2


def test_normal_rows_times_1e_165_have_a_bracket_that_is_not_upside_down():
    random = np.random.default_rng(0)
    X = random.normal(size=(800, 100)) * 1e-165
    y = X @ random.normal(size=100) > 0
    lower, upper = nk.certify(X, y).margin
    assert lower <= upper
    without = nk.certify(X, y, fit_intercept=False)
    assert 0.0 < without.margin[0] <= without.margin[1]
    run = nk.trace(X, y, fit_intercept=False, max_iter=50)
    assert run.n_mistakes <= without.mistake_bound


def test_a_margin_below_every_float_has_a_separator_all_the_same():
    X, y = [[5e-324, 0.0], [0.0, 5e-324], [-5e-324, 5e-324]], [1, 1, 0]
    for geometric in (False, True):
        found = nk.max_margin(X, y, geometric=geometric)
        found.separator.verify(X, y)
        assert found.lower <= found.upper


def test_the_geometric_margin_at_the_end_of_the_range():
    X, y = [[1.5e308, 0.0], [-1.5e308, 1.0], [1.5e308, 1.5e308]], [1, 0, 1]
    found = nk.max_margin(X, y, geometric=True)
    found.separator.verify(X, y)
    assert found.lower <= 1.5e308 <= found.upper  # half the way from the second row to the others


def test_a_score_beyond_the_floats_is_printed_as_what_it_is():
    run = nk.trace([[1e200], [2e200]], [1, 0], max_iter=2)
    assert "> 1.8e308" in str(run)
    assert np.isinf([step.score for step in run.steps()]).any()
    assert run.audit().holds
    assert "bound (R/γ)² = > 1.8e308" in str(run.audit())
