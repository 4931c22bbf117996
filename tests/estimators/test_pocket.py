"""nk.PocketPerceptron: the weights with the fewest mistakes, and a count of them that is exact."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from novikoff.errors import InputError
from novikoff.estimators import Perceptron, PocketPerceptron
from visits import (
    ORDERS,
    TIES,
    exact,
    interpreted,
    is_mistake,
    joint_over_visits,
    line_over_visits,
    orders_of,
    problems,
    sides_of,
    weights,
    with_constant,
)

STEADY = settings(deadline=None)


def noisy(n=300, d=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(d, n_classes))
    return X, (X @ W + rng.normal(size=(n, n_classes))).argmax(axis=1)


def line_errors(Z, sides, w, tie):
    return [i for i in range(len(Z)) if is_mistake(Z[i] @ w, sides[i], tie)]


def joint_errors(Z, y, W, tie):
    def is_wrong(i):
        scores = W @ Z[i]
        best = [c for c in range(len(W)) if scores[c] == max(scores)]
        return best[-1] != y[i] if tie == "positive" else best != [y[i]]

    return [i for i in range(len(Z)) if is_wrong(i)]


def gallant(over_visits, errors_of, sizes):
    """The best weights, their mistakes and the weight of these, by Gallant's rule.

    Weights that a clean pass, the last of these visits, has found make no mistake, and are kept.
    """
    if over_visits[-1] is over_visits[-1 - len(sizes)]:
        return over_visits[-1], 0, 0
    weigh = lambda errors: sum((Fraction(float(sizes[i])) for i in errors), Fraction(0))  # noqa: E731
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


@given(
    problems(), TIES, ORDERS, st.booleans(), st.booleans(), st.sampled_from(["rest", "joint"]),
    st.integers(1, 6), st.integers(0, 2**31 - 1),
)  # fmt: skip
@settings(STEADY, max_examples=200)
def test_the_pocket_is_the_one_that_gallants_rule_chooses(
    problem, tie, order, fit_intercept, weighted, multiclass, passes, seed
):
    X, y = problem
    n_classes, random = len(set(y)), np.random.RandomState(seed)
    order, orders = orders_of(order, len(X), passes, seed)
    sizes = random.choice([1.0, 0.5, 2.0, 3.0], size=len(X)) if weighted else None
    clf = PocketPerceptron(
        tie=tie, order=order, fit_intercept=fit_intercept, max_iter=passes, random_state=seed,
        multiclass=multiclass,
    )  # fmt: skip
    with interpreted():
        clf.fit(X if seed % 2 else sp.csr_matrix(X), y, sample_weight=sizes)

    done, Z = orders[: clf.n_iter_], with_constant(X, fit_intercept)
    own = np.ones(len(X)) if sizes is None else sizes
    if multiclass == "joint" and n_classes > 2:
        after = joint_over_visits(Z, y, n_classes, done, sizes=sizes, tie=tie)
        last = after[-1]
        pockets = [gallant(after, lambda W: joint_errors(Z, y, W, tie), own)]
        best = pockets[0][0]
    else:
        runs = [
            (sides, line_over_visits(Z, sides, done, sizes=sizes, tie=tie))
            for sides in sides_of(y, n_classes)
        ]
        last = np.stack([after[-1] for _, after in runs])
        pockets = [
            gallant(after, lambda w, sides=sides: line_errors(Z, sides, w, tie), own)
            for sides, after in runs
        ]
        best = np.stack([w for w, *_ in pockets])
    assert (weights(clf) == best.astype(float)).all()
    assert clf.n_training_errors_ == sum(count for _, count, _ in pockets)
    assert clf.training_error_weight_ == sum(weight for *_, weight in pockets)
    assert (clf.last_coef_ == last[:, :-1].astype(float)).all()


@given(problems(), TIES, st.sampled_from(["rest", "joint"]), st.integers(0, 2**31 - 1))
@settings(STEADY, max_examples=60)
def test_the_number_of_training_errors_is_exact_and_never_rises(problem, tie, multiclass, seed):
    X, y = problem
    Z, counts = with_constant(X), []
    for passes in range(1, 7):
        clf = PocketPerceptron(max_iter=passes, tie=tie, multiclass=multiclass, random_state=seed)
        with interpreted():
            W = exact(weights(clf.fit(X, y)))
        if multiclass == "joint" and len(W) > 1:
            found = len(joint_errors(Z, y, W, tie))
            assert (clf.predict(X) != y).sum() <= found
        else:
            sides = sides_of(y, len(set(y)))
            found = sum(len(line_errors(Z, s, w, tie)) for s, w in zip(sides, W, strict=True))
        assert clf.n_training_errors_ == clf.training_error_weight_ == found
        counts.append(found)
        if clf.converged_:
            assert found == 0
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_the_pocket_beats_the_last_weights_on_rows_that_overlap(multiclass):
    X, y = noisy(n=500, n_classes=3)
    clf = PocketPerceptron(random_state=0, multiclass=multiclass).fit(X, y)
    plain = Perceptron(max_iter=100, order="shuffled", random_state=0, multiclass=multiclass)
    with pytest.warns(UserWarning, match="max_iter"):
        plain.fit(X, y)
    assert clf.last_coef_.tobytes() == plain.coef_.tobytes()
    assert clf.n_mistakes_ == plain.n_mistakes_
    assert clf.score(X, y) > plain.score(X, y)
    assert (clf.converged_, clf.stop_reason_, clf.n_iter_) == (False, "max_iter", 100)


def test_rows_that_overlap_are_no_cause_for_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = PocketPerceptron(random_state=0).fit(*nk.datasets.load("xor"))
    assert (clf.converged_, clf.stop_reason_) == (False, "max_iter")
    assert clf.n_training_errors_ >= 1


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_on_separable_rows_the_pocket_holds_a_separator(order, multiclass):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.where(X[:, 0] > 0, 2, np.where(X[:, 0] > -1, 1, 0))
    X = X[(np.abs(X[:, 0]) > 0.1) & (np.abs(X[:, 0] + 1) > 0.1)]
    y = np.where(X[:, 0] > 0, 2, np.where(X[:, 0] > -1, 1, 0))
    y2 = (X[:, 0] > 0).astype(int)
    for labels in (y2, y) if multiclass == "joint" else (y2,):
        clf = PocketPerceptron(
            order=order, multiclass=multiclass, max_iter=10**4, random_state=0
        ).fit(X, labels)
        assert clf.converged_
        assert clf.n_training_errors_ == 0
        assert clf.score(X, labels) == 1.0
        assert clf.coef_.tobytes() == clf.last_coef_.tobytes()


def test_with_weights_the_lightest_mistakes_win():
    X, y = np.array([[0.0], [0.0], [0.0]]), np.array([0, 1, 1])
    options = {"max_iter": 20, "order": "cyclic"}
    light = PocketPerceptron(**options).fit(X, y)
    assert light.predict([[0.0]]) == [1]
    assert (light.n_training_errors_, light.training_error_weight_) == (1, 1.0)
    heavy = PocketPerceptron(**options).fit(X, y, sample_weight=[3, 1, 1])
    assert heavy.predict([[0.0]]) == [0]
    assert (heavy.n_training_errors_, heavy.training_error_weight_) == (2, 2.0)
    by_class = PocketPerceptron(class_weight={0: 3.0}, **options).fit(X, y)
    assert weights(by_class).tolist() == weights(heavy).tolist()


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_a_class_of_weight_zero_is_never_a_mistake(multiclass):
    X, y = noisy(n=60, n_classes=3)
    clf = PocketPerceptron(
        class_weight={0: 0.0}, multiclass=multiclass, max_iter=30, random_state=0
    ).fit(X, y)
    if multiclass == "joint":
        right = (clf.predict(X) == y) | (y == 0)
        assert clf.n_training_errors_ == (~right).sum()
    assert clf.n_mistakes_ > 0


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_partial_fit_judges_the_pocket_on_the_rows_at_hand(multiclass):
    X, y = noisy(n_classes=3)
    clf = PocketPerceptron(order="cyclic", multiclass=multiclass).partial_fit(X, y)
    before, last = weights(clf), clf.last_coef_.copy()
    few = X[:7]
    labels = clf.predict(few)
    clf.partial_fit(few, labels, sample_weight=np.full(7, 1e-9))
    if multiclass == "joint":  # nothing can beat a pocket without a mistake
        assert clf.n_training_errors_ == 0
        if not clf.converged_:
            assert weights(clf).tobytes() == before.tobytes()
    plain = Perceptron(multiclass=multiclass).partial_fit(X, y)
    assert last.tobytes() == plain.coef_.tobytes()


def test_a_warm_fit_never_loses_the_pocket():
    X, y = noisy()
    clf = PocketPerceptron(max_iter=2, random_state=0, warm_start=True).fit(X, y)
    errors = [clf.n_training_errors_] + [clf.fit(X, y).n_training_errors_ for _ in range(6)]
    assert errors == sorted(errors, reverse=True)


def overlapping(n=300, d=3, flips=12, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    y = np.where(X @ random.standard_normal(d) > 0.2, 1, 0)
    y[random.choice(n, flips, replace=False)] ^= 1
    return X, y


def test_a_polished_pocket_makes_the_fewest_mistakes_that_any_line_can():
    X, y = overlapping()
    least = nk.fewest_mistakes(X, y)
    assert least.optimal
    plain = nk.PocketPerceptron(max_iter=1, random_state=0).fit(X, y)
    clf = nk.PocketPerceptron(max_iter=1, random_state=0, polish=True).fit(X, y)
    assert plain.n_training_errors_ > clf.n_training_errors_ == least.upper
    assert round((1 - clf.score(X, y)) * len(y)) == least.upper
    assert (clf.last_coef_ == plain.last_coef_).all()


def test_polishing_counts_by_weight_and_line_by_line():
    X, y = overlapping(seed=1)
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    least = nk.fewest_mistakes(X, y, costs=weights)
    clf = nk.PocketPerceptron(max_iter=1, polish=5.0).fit(X, y, sample_weight=weights)
    assert clf.training_error_weight_ == float(least.upper)
    three = np.where(X[:, 0] > 1, 2, y)
    clf = nk.PocketPerceptron(max_iter=1, polish=True, random_state=0).fit(X, three)
    lines = nk.fewest_mistakes_classes(X, three)
    assert clf.n_training_errors_ == sum(few.upper for few in lines.values())


@pytest.mark.parametrize("form", [np.float32, sp.csr_matrix])
def test_polishing_is_for_every_form_of_rows(form):
    X, y = overlapping(seed=2)
    given = X.astype(np.float32) if form is np.float32 else form(X)
    exact = given.astype(np.float64) if form is np.float32 else given
    clf = nk.PocketPerceptron(max_iter=1, polish=True, random_state=0).fit(given, y)
    assert clf.n_training_errors_ == nk.fewest_mistakes(exact, y).upper


def test_what_polishing_cannot_do_is_refused():
    X, y = overlapping()
    with pytest.raises(InputError, match="polish is -1; it must be True, False or a positive"):
        nk.PocketPerceptron(polish=-1).fit(X, y)
    with pytest.raises(InputError, match="polish searches line by line"):
        nk.PocketPerceptron(polish=True, multiclass="joint").fit(X, y)
