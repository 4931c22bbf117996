"""Members by lines against the perceptron visit by visit, in Fractions, on rows rich in ties."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from novikoff.models import voted
from visits import (
    ORDERS,
    TIES,
    interpreted,
    is_mistake,
    joint_mistake,
    joint_over_visits,
    line_over_visits,
    orders_of,
    problems,
    sides_of,
    weights,
    with_constant,
)

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")


def the_last_weights(clf, after, **_):
    assert (weights(clf) == after[-1].astype(float)).all()


def the_mean_rounded_once(clf, after, X, **_):
    mean = (sum(after[1:]) / (len(after) - 1)).astype(float).astype(X.dtype)
    assert clf.coef_.dtype == X.dtype
    assert (weights(clf) == mean).all()


def sign(score, tie):
    return 1 if score > 0 or (score == 0 and tie == "positive") else -1 if score < 0 else 0


def joint_vote(scores, tie):
    """One vote for the class of the highest score, the last of several, or none."""
    best = [c for c, score in enumerate(scores) if score == max(scores)]
    ballot = np.zeros(len(scores))
    if len(best) == 1 or tie == "positive":
        ballot[best[-1]] = 1
    return ballot


def the_votes_and_drawn_predictions(clf, after, X, tie, joint, seed, **_):
    """Predicted in tiles of two rows, and from so many lines of weights at a time."""
    random = np.random.RandomState(seed)
    tests, made = random.randint(-3, 4, size=(5, X.shape[1])) / 2, random.choice([1, 2, 3, 1000])
    with interpreted(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(voted, "LINES_MADE", made)
        patch.setattr(voted, "ROWS_A_TILE", 2)
        votes = clf.decision_function(tests.astype(X.dtype))
        drawn = clf.set_params(randomized=True).predict(sp.csr_matrix(tests))
    rows, after = with_constant(tests, clf.fit_intercept), after[1:]
    scores = np.array([rows @ W.T for W in after])
    if joint:
        expected = np.array([[joint_vote(s, tie) for s in row] for row in scores]).sum(axis=0)
    else:
        expected = np.vectorize(lambda score: sign(score, tie))(scores).sum(axis=0)
    assert np.array_equal(votes.reshape(expected.shape), expected)
    choices = np.random.RandomState(seed).randint(len(after), size=len(tests))
    for found, s in zip(
        drawn.tolist(), scores[choices, np.arange(len(tests))].tolist(), strict=True
    ):
        if len(s) == 1:
            assert found == int(sign(s[0], tie) > 0)
        else:
            best = [c for c in range(len(s)) if s[c] == max(s)]
            assert found == best[-1 if joint and tie == "positive" else 0]


def gallant(over_visits, errors_of, sizes):
    """The best weights, their mistakes and the weight of these, by Gallant's rule.

    Weights that a clean pass, the last of these visits, has found make no mistake, and are kept.
    """
    if over_visits[-1] is over_visits[-1 - len(sizes)]:
        return over_visits[-1], 0, 0

    def weigh(errors):
        return sum((Fraction(float(sizes[i])) for i in errors), Fraction(0))

    best = w = over_visits[0]
    errors = errors_of(best)
    run, bar, in_pocket, compared = 0, 0, True, False
    for new in over_visits[1:]:
        if new is not w:
            w, run, in_pocket, compared = new, 0, False, False
            continue
        run += 1
        if in_pocket:
            bar = max(bar, run)
        elif run > bar and not compared:
            compared, found = True, errors_of(w)
            if weigh(found) < weigh(errors):
                best, errors, bar, in_pocket = w, found, run, True
    return best, len(errors), weigh(errors)


def the_pocket_that_gallants_rule_chooses(clf, after, Z, y, sizes, tie, joint, lines, **_):
    """And its mistakes, counted exactly: so they never rise from pass to pass."""

    def errors_of(W):
        return [i for i in range(len(Z)) if joint_mistake(Z[i], y[i], W, tie) is not None]

    if joint:
        pockets = [gallant(after, errors_of, sizes)]
        best = pockets[0][0]
    else:
        pockets = [
            gallant(
                over_visits,
                lambda w, s=sides: [i for i in range(len(Z)) if is_mistake(Z[i] @ w, s[i], tie)],
                sizes,
            )
            for sides, over_visits in lines
        ]
        best = np.stack([w for w, *_ in pockets])
    assert (weights(clf) == best.astype(float)).all()
    assert clf.n_training_errors_ == sum(count for _, count, _ in pockets)
    assert clf.training_error_weight_ == sum(weight for *_, weight in pockets)


MEMBERS = {
    nk.Perceptron: the_last_weights,
    nk.AveragedPerceptron: the_mean_rounded_once,
    nk.VotedPerceptron: the_votes_and_drawn_predictions,
    nk.PocketPerceptron: the_pocket_that_gallants_rule_chooses,
}


@pytest.mark.parametrize("member", MEMBERS)
@given(
    problems(), TIES, ORDERS, st.booleans(), st.booleans(), st.sampled_from(["rest", "joint"]),
    st.integers(1, 5), st.integers(0, 2**31 - 1),
)  # fmt: skip
@settings(max_examples=200)
def test_what_is_learnt_is_that_of_the_exact_weights_after_every_visit(
    member, problem, tie, order, fit_intercept, weighted, multiclass, passes, seed
):
    X, y = problem
    n_classes = len(set(y))
    order, orders = orders_of(order, len(X), passes, seed)
    sizes = np.ones(len(X))
    if weighted:
        sizes = np.random.RandomState(seed).choice([1.0, 0.5, 2.0, 3.0], size=len(X))
    clf = member(
        tie=tie, order=order, fit_intercept=fit_intercept, max_iter=passes, random_state=seed,
        multiclass=multiclass,
    )  # fmt: skip
    with interpreted(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(voted, "ROWS_A_TAPE_PIECE", 1 + seed % 4)
        clf.fit(X if seed % 2 else sp.csr_matrix(X), y, sample_weight=sizes if weighted else None)

    done, Z = orders[: clf.n_iter_], with_constant(X, fit_intercept)
    joint, lines = multiclass == "joint" and n_classes > 2, []
    if joint:
        after = joint_over_visits(Z, y, n_classes, done, sizes=sizes, tie=tie)
        changes = [a is not b for a, b in itertools.pairwise(after)]
    else:
        lines = [
            (sides, line_over_visits(Z, sides, done, sizes=sizes, tie=tie))
            for sides in sides_of(y, n_classes)
        ]
        after = [
            np.stack(ws) for ws in zip(*(over_visits for _, over_visits in lines), strict=True)
        ]
        changes = sum(np.array([a is not b for a, b in itertools.pairwise(ws)]) for _, ws in lines)
    last = "last_" if member is not nk.Perceptron else ""
    found = np.column_stack([getattr(clf, f"{last}coef_"), getattr(clf, f"{last}intercept_")])
    assert (found == after[-1].astype(float)).all()
    assert clf.n_mistakes_ == sum(changes)
    assert clf.converged_ == (not any(changes[-len(X) :]))
    if hasattr(clf, "n_visits_"):
        assert clf.n_visits_ == len(after) - 1 == clf.n_iter_ * len(X)
    MEMBERS[member](
        clf, after, X=X, Z=Z, y=y, sizes=sizes, tie=tie, joint=joint, lines=lines, seed=seed
    )
