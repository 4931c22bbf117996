"""The mistake bound and its proof: they hold on every true run, and fail on false claims."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import audit_oracle
import novikoff as nk

LECTURE_002 = ([[-1, 3], [-1, -1], [3, -1], [0, 1.5]], [-1, -1, 1, 1])


def check(audit, name):
    return next(check for check in audit.checks if check.name == name)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["cyclic", "restart", "shuffled"]))
def test_every_inequality_of_the_proof_holds_on_separable_data(seed, order):
    random = np.random.RandomState(seed)
    v = random.randint(-3, 4, 4).astype(float)
    v[0] = v[0] or 1.0
    X = random.randint(-5, 6, (30, 3)) + random.choice([0.0, 0.1], (30, 3))
    scores = X @ v[:3] + v[3]
    clear = np.abs(scores) > 1e-6
    X, y = X[clear], scores[clear] > 0
    if len(set(y)) < 2:
        return
    run = nk.trace(X, y, order=order, max_iter=100_000, random_state=seed)
    assert run.converged
    audit = run.audit(separator=v)
    assert audit.holds
    assert all(check.holds for check in audit.checks)
    assert run.n_mistakes <= audit.bound
    assert (audit.potential <= 1 + 1e-12).all()


def test_the_sandwich_equals_its_definition_at_every_k():
    run = nk.trace(*LECTURE_002)
    v = np.array([1.0, 0.5, 0.0])
    audit = run.audit(separator=(v[:2], 0.0))
    unit = v / np.linalg.norm(v)
    weights = [run.weights_at(k) for k in range(10)]
    assert np.allclose(audit.progress, [w @ unit for w in weights])
    assert np.allclose(audit.norm, [np.linalg.norm(w) for w in weights])
    assert np.allclose(audit.upper, np.sqrt(np.arange(10)) * np.sqrt(11))
    assert audit.radius == pytest.approx(np.sqrt(11))


def test_a_margin_that_is_too_large_fails_and_says_where():
    run = nk.trace(*LECTURE_002)
    audit = run.audit(margin=1.0)
    failed = check(audit, "progress")
    assert not audit.holds
    assert failed.holds is False
    norms = [np.linalg.norm(run.weights_at(k)) for k in range(10)]
    assert failed.first_failure == next(k for k in range(10) if k * 1.0 > norms[k])
    assert failed.slack == pytest.approx(min(norms[k] - k for k in range(1, 10)))
    assert "FAILS" in str(audit)
    bound = check(run.audit(margin=1.2), "bound")
    assert bound.holds is False  # 11 / 1.44 = 7.6 < 9 mistakes
    assert bound.first_failure == 8


def test_equality_counts_as_holding_even_where_floats_round():
    signs = np.array([(-1) ** i for i in range(7)])
    run = nk.trace(np.eye(7) * 0.1 * signs[:, None], signs, fit_intercept=False)
    audit = run.audit(separator=np.full(7, 0.3))
    assert run.n_mistakes == 7
    for name in ("progress", "norm", "bound"):
        assert check(audit, name).holds
        assert check(audit, name).slack == 0.0  # attained exactly at some k, in exact arithmetic


def test_one_part_in_ten_to_the_sixteenth_too_much_is_seen():
    signs = np.array([(-1) ** i for i in range(4)])
    run = nk.trace(np.eye(4) * signs[:, None], signs, fit_intercept=False)
    assert run.audit(margin=0.5).holds  # γ = 1/√4, exactly
    assert check(run.audit(margin=np.nextafter(0.5, 1)), "bound").holds is False


def test_a_start_other_than_zero_is_audited_with_its_own_inequalities():
    run = nk.trace([[1, 2], [-1, 2], [0, -1]], [1, -1, -1], start=[1, -0.8], fit_intercept=False)
    audit = run.audit(separator=[3, 0.2])
    assert check(audit, "progress").holds
    assert check(audit, "norm").holds
    assert check(audit, "bound").holds is None
    assert "start at zero" in check(audit, "bound").note
    assert audit.bound is None


def test_without_a_separator_only_the_norm_is_checked():
    run = nk.trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_iter=50)
    audit = run.audit()
    assert check(audit, "norm").holds
    assert check(audit, "progress").holds is None
    assert "no separator" in check(audit, "progress").note
    assert audit.margin is None
    assert audit.holds


def test_a_separator_that_does_not_separate_is_named_with_its_row():
    run = nk.trace(*LECTURE_002)
    audit = run.audit(separator=[1, 0, 0])
    assert check(audit, "progress").holds is None
    assert "wrong side of row 4" in check(audit, "progress").note


def test_the_margin_of_a_separator_is_its_smallest_normalised_score():
    run = nk.trace(*LECTURE_002)
    audit = run.audit(separator=[4, -0.5, 1])
    z = np.hstack([LECTURE_002[0], np.ones((4, 1))]) * np.array(LECTURE_002[1])[:, None]
    assert audit.margin == pytest.approx((z @ [4, -0.5, 1]).min() / np.linalg.norm([4, -0.5, 1]))
    assert audit.bound == pytest.approx(11 / audit.margin**2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"margin": 0.0}, "margin is 0.0; it must be a positive number"),
        ({"margin": "wide"}, "margin is 'wide'; it must be a positive number"),
        ({"margin": np.nan}, "margin is nan"),
        ({"separator": [1, 2]}, "separator has 2 entries; 3 are needed"),
        ({"separator": [0, 0, 0]}, "all zero"),
        ({"separator": [np.inf, 0, 0]}, "finite numbers"),
    ],
)
def test_bad_claims_get_one_clear_sentence(arguments, message):
    with pytest.raises(nk.InputError, match=message):
        nk.trace(*LECTURE_002).audit(**arguments)


def test_values_beyond_the_square_root_of_the_float_range_are_audited():
    run = nk.trace([[1e200, 1.0], [-1e200, 1.0]], [1, -1], fit_intercept=False)
    audit = run.audit(separator=[Fraction(1), Fraction(0)])
    assert audit.radius == pytest.approx(1e200)
    assert audit.holds


@pytest.mark.parametrize(
    ("X", "bound"),
    [
        ([[1.0, 1e-200], [1.0, -1e-200]], np.inf),  # the weights cancel to 2e-200
        ([[1e308], [-1e308]], 1.0),
        ([[1.0, 1e-9], [1.0, -1e-9]], 1e18),
    ],
)
def test_true_inequalities_hold_at_the_ends_of_the_float_range(X, bound):
    audit = nk.trace(X, [1, -1], fit_intercept=False, max_iter=5).audit()
    assert audit.bound == pytest.approx(bound, rel=1e-5)
    assert all(check.holds for check in audit.checks)


def test_the_largest_norm_is_exact_where_many_rows_share_it():
    X = np.random.default_rng(0).choice([-1.0, 1.0], size=(50_000, 7))
    assert nk.trace(X, X[:, 0], max_iter=1).audit().radius == np.sqrt(8)


def test_a_notebook_shows_every_inequality_and_its_outcome():
    X, y = [[1.0], [2.0], [5.0]], [-1, -1, 1]
    audit = nk.trace(X, y, max_iter=100).audit(margin=50.0)
    shown = audit._repr_html_()
    assert shown.count("<tr>") == 1 + len(audit.checks)
    assert shown.count("FAILS") == sum(check.holds is False for check in audit.checks) > 0
    assert shown.count("<td>holds</td>") == sum(check.holds is True for check in audit.checks)
    assert "<td>k &lt;= (R/γ)²</td><td>FAILS</td>" in shown


def test_the_audit_is_that_of_fractions_at_every_scale():
    audit_oracle.attack(150, 0)


def test_the_audit_is_that_of_fractions_on_fresh_runs(fresh_seed):
    audit_oracle.attack(100, fresh_seed)


@pytest.mark.parametrize("seed", [729])
def test_what_a_fresh_seed_has_found_stays_mended(seed):
    audit_oracle.attack(1, seed)


def test_scores_that_cancel_do_not_refute_the_theorem():
    audit = nk.trace([[998.1], [998.6]], [1, -1], max_iter=5).audit()
    assert all(check.holds for check in audit.checks)


@pytest.mark.parametrize("offset", [1e5, 1e7, 1e9, 1e12])
def test_rows_far_from_zero_do_not_refute_the_theorem(offset):
    for seed in range(20):
        random = np.random.default_rng(seed)
        X = np.round(random.normal(size=(6, 2)), 1) + offset
        y = np.where(X[:, 0] > np.median(X[:, 0]), 1, -1)
        if len(set(y.tolist())) < 2:
            continue
        run = nk.trace(X, y, max_iter=20)
        assert run.audit().holds


def test_a_norm_is_right_after_cancellation():
    """w climbs to 2^53 steps of 1 and comes back: what floats lost on the way is 3.16."""
    X = [[2.0**53, 1.0, 3.0], [2.0**53, 0.0, 0.0], [1.0, 0.0, 0.0]]
    run = nk.trace(X, [1, -1, 1], fit_intercept=False, max_iter=1, tie="mistake")
    audit = run.audit(margin=1e-9)
    for k in range(run.n_mistakes + 1):
        exact = run.exact_weights_at(k).square()
        assert audit_oracle.is_root(audit.norm[k], exact)
    far = nk.trace([[1e16, 1.0, 3.0], [1e16, 0.0, 0.0]], [1, -1], fit_intercept=False, max_iter=1)
    assert far.audit(margin=1.0).norm.tolist() == [0.0, 1e16, np.sqrt(10)]


def test_long_runs_that_cancel_keep_their_norms():
    """Rows near 1e9: floats lose w, limbs do not; a few k are checked in fractions."""
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4)) + 1e9
    y = np.where(random.random(300) < 0.5, 1, -1)
    run = nk.trace(X, y, max_iter=200)
    audit = run.audit(search=False)
    assert run.n_mistakes > 10_000
    for k in range(0, run.n_mistakes, 997):
        assert audit_oracle.is_root(audit.norm[k], run.exact_weights_at(k).square(), 1e-9)


def test_the_worst_row_is_found_where_scores_differ_in_the_last_bit():
    X = np.full((50, 2), 0.1)
    X[:, 0] = 1e6
    X[37, 0] = np.nextafter(1e6, 0)
    X[0] = -1e6, 0.3
    y = np.ones(50, dtype=int)
    y[0] = -1
    run = nk.trace(X, y, fit_intercept=False)
    audit = run.audit(separator=[1e-3, -1e4])
    audit_oracle.agrees(audit, run, [1e-3, -1e4, 0], None)


def test_a_margin_of_any_size_is_refuted_or_not():
    run = nk.trace([[1e-200], [-2e-200]], [1, -1], fit_intercept=False)
    assert run.audit(margin=1e-200).holds
    assert not run.audit(margin=1e300).holds
    assert not run.audit(margin=Fraction(10) ** 400).holds
    assert run.audit(margin=5e-324).holds
