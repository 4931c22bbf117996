"""nk.VotedPerceptron: every weight vector votes, and all of them come from the tape."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import novikoff as nk
from estimator_checks import assert_scikit_learn_accepts
from novikoff.errors import InputError
from novikoff.estimators import Perceptron, VotedPerceptron
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.loops import voted as loops
from novikoff.loops.doubt import reach_of
from novikoff.loops.rows import as_rows
from novikoff.models import lookahead, voted, voted_replay
from visits import (
    ORDERS,
    TIES,
    interpreted,
    joint_over_visits,
    line_over_visits,
    orders_of,
    problems,
    sides_of,
    with_constant,
)

STEADY = settings(deadline=None)


@pytest.fixture(autouse=True)
def _quiet_about_convergence():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def noisy(n=300, d=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n)


def sign(score, tie):
    return 1 if score > 0 or (score == 0 and tie == "positive") else -1 if score < 0 else 0


def joint_vote(scores, tie):
    """One vote for the class of the highest score, the last of several, or none."""
    best = [c for c, score in enumerate(scores) if score == max(scores)]
    ballot = np.zeros(len(scores))
    if len(best) == 1 or tie == "positive":
        ballot[best[-1]] = 1
    return ballot


@given(
    problems(), TIES, ORDERS, st.booleans(), st.booleans(), st.sampled_from(["rest", "joint"]),
    st.integers(1, 3), st.sampled_from([1, 2, 3, 1000]), st.integers(0, 2**31 - 1),
)  # fmt: skip
@settings(STEADY, max_examples=150)
def test_votes_and_drawn_predictions_are_those_of_all_weights_after_every_visit(
    problem, tie, order, fit_intercept, weighted, multiclass, passes, block, seed
):
    X, y = problem
    n_classes, random = len(set(y)), np.random.RandomState(seed)
    order, orders = orders_of(order, len(X), passes, seed)
    sizes = random.choice([1.0, 0.5, 2.0, 3.0], size=len(X)) if weighted else None
    tests = random.randint(-3, 4, size=(5, X.shape[1])) / 2
    clf = VotedPerceptron(
        tie=tie, order=order, fit_intercept=fit_intercept, max_iter=passes, random_state=seed,
        multiclass=multiclass,
    )  # fmt: skip
    with interpreted(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(voted, "PIECE", block)
        patch.setattr(voted_replay, "STRETCH", block)
        patch.setattr(voted_replay, "TILE", 2)
        clf.fit(X if seed % 2 else sp.csr_matrix(X), y, sample_weight=sizes)
        votes = clf.decision_function(tests.astype(X.dtype))
        drawn = clf.set_params(randomized=True).predict(sp.csr_matrix(tests))

    done, Z = orders[: clf.n_iter_], with_constant(X, fit_intercept)
    joint = multiclass == "joint" and n_classes > 2
    if joint:
        after = joint_over_visits(Z, y, n_classes, done, sizes=sizes, tie=tie)[1:]
    else:
        runs = [
            line_over_visits(Z, sides, done, sizes=sizes, tie=tie)
            for sides in sides_of(y, n_classes)
        ]
        after = [np.stack(lines) for lines in zip(*runs, strict=True)][1:]
    scores = np.array([with_constant(tests, fit_intercept) @ W.T for W in after])
    if joint:
        expected = np.array([[joint_vote(s, tie) for s in row] for row in scores]).sum(axis=0)
    else:
        expected = np.vectorize(lambda score: sign(score, tie))(scores).sum(axis=0)
    assert clf.n_visits_ == len(after)
    assert np.array_equal(votes.reshape(expected.shape), expected)

    choices = np.random.RandomState(seed).randint(len(after), size=len(tests))
    own = scores[choices, np.arange(len(tests))]
    if n_classes == 2:
        assert drawn.tolist() == [int(sign(score, tie) > 0) for score in own[:, 0]]
    elif joint and tie == "positive":
        assert drawn.tolist() == [max(c for c in range(n_classes) if s[c] == max(s)) for s in own]
    else:
        assert drawn.tolist() == [list(s).index(max(s)) for s in own]


@pytest.mark.parametrize("tie", ["mistake", "positive", "zero"])
def test_the_tape_is_that_of_trace(tie):
    X, y = nk.datasets.load("iris")
    X, y = X[50:], y[50:]
    run = nk.trace(X, y, tie=tie, max_iter=6)
    clf = VotedPerceptron(max_iter=6, tie=tie).fit(X, y)
    assert (clf.support_[clf.tape_.members] == run.tape.rows).all()
    assert (clf.tape_.visits == run.tape.visits).all()
    assert (clf.survival_ == run.survival[1:]).all()
    assert clf.survival_.sum() + run.survival[0] == clf.n_visits_ == 600


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_linear_kernel_perceptron_casts_the_same_votes(n_classes):
    X, y = noisy(n_classes=n_classes)
    clf = VotedPerceptron(max_iter=4).fit(X, y)
    dual = KernelPerceptron(kernel="linear", max_iter=4)
    dual.fit(np.column_stack([X, np.ones(len(X))]), y)
    tests = noisy(seed=1)[0]
    votes = dual.decision_function(np.column_stack([tests, np.ones(len(tests))]))
    assert np.array_equal(clf.decision_function(tests), votes)


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_the_last_weights_are_the_perceptrons(multiclass):
    X, y = noisy(n_classes=4)
    options = {"max_iter": 5, "multiclass": multiclass, "class_weight": "balanced"}
    ours, plain = VotedPerceptron(**options).fit(X, y), Perceptron(**options).fit(X, y)
    assert ours.last_coef_.tobytes() == plain.coef_.tobytes()
    assert ours.last_intercept_.tobytes() == plain.intercept_.tobytes()
    assert ours.n_mistakes_ == plain.n_mistakes_
    replayed = np.zeros((4, 7))
    for member, line, step, _ in zip(*ours.tape_, strict=True):
        replayed[line] += step * np.append(ours.support_vectors_[member], 1.0)
    np.testing.assert_allclose(replayed[:, :-1], ours.last_coef_, atol=1e-12)


def test_a_start_votes_while_it_survives():
    X, y = np.array([[1.0], [2.0], [-4.0]]), [1, 1, 0]
    clf = VotedPerceptron(start=[1.0], fit_intercept=False).fit(X, y)
    assert clf.n_mistakes_ == len(clf.support_) == 0
    assert clf.decision_function([[3.0], [-1.0], [0.0]]).tolist() == [3, -3, 0]
    clf = VotedPerceptron(start=[-0.5], fit_intercept=False, max_iter=1, order=[2, 0, 1])
    clf.fit(X, y)  # −½ is wrong on −4, which makes 3½
    assert clf.decision_function([[1.0]]).tolist() == [3]
    clf.set_params(start=[2.0], order=[0, 1, 2]).fit(X, [1, 0, 0])  # 2, then 0, then 4
    assert clf.survival_.tolist() == [1, 1]
    assert clf.decision_function([[1.0]]).tolist() == [2]


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_memory_is_that_of_the_tape_and_of_each_row_on_it_once(multiclass):
    X, y = noisy(n=400, d=50, n_classes=3)
    clf = VotedPerceptron(max_iter=10, multiclass=multiclass).fit(X, y)
    entries = len(clf.tape_.members)
    assert entries > 5 * len(clf.support_)
    assert len(np.unique(clf.support_)) == len(clf.support_) == len(clf.support_vectors_)
    assert np.array_equal(clf.support_vectors_, X[clf.support_])
    held = 0
    for value in vars(clf).values():
        held += sum(a.nbytes for a in (value if isinstance(value, tuple) else (value,))
                    if isinstance(a, np.ndarray))  # fmt: skip
    assert held <= X[clf.support_].nbytes + 48 * entries + 10_000


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_a_stream_of_rows_is_one_pass(multiclass, layout):
    X, y = noisy(n=60, d=3, n_classes=3)
    stream = VotedPerceptron(multiclass=multiclass)
    for first, last in ((0, 1), (1, 20), (20, 21), (21, 60)):
        rows = layout(X[first:last])
        stream.partial_fit(rows, y[first:last], classes=[0, 1, 2])
    once = VotedPerceptron(max_iter=1, multiclass=multiclass).fit(X, y)
    assert (stream.support_ == once.support_).all()
    assert (stream.survival_ == once.survival_).all()
    assert stream.n_visits_ == 60
    assert np.array_equal(stream.decision_function(X), once.decision_function(X))


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_two_warm_fits_are_one_longer_fit(multiclass):
    X, y = noisy(n_classes=3)
    warm = VotedPerceptron(max_iter=3, multiclass=multiclass, warm_start=True)
    warm.fit(X, y).set_params(max_iter=2).fit(X, y)
    long = VotedPerceptron(max_iter=5, multiclass=multiclass).fit(X, y)
    assert np.array_equal(warm.decision_function(X), long.decision_function(X))
    assert (warm.tape_.visits == long.tape_.visits).all()


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
@pytest.mark.parametrize("late", ["ab c", "bc a", "a b c", "c ab"])
def test_classes_that_come_late_vote_with_the_lines_they_have(multiclass, late):
    """The lines of votes are those whose last weights partial_fit goes on from."""
    rng, plain = np.random.default_rng(3), Perceptron(multiclass=multiclass)
    clf = VotedPerceptron(multiclass=multiclass)
    for names in late.split():
        X, y = rng.integers(-2, 3, size=(12, 2)).astype(float), rng.choice(list(names), 12)
        clf.partial_fit(X, y)
        plain.partial_fit(X, y)
        assert clf.last_coef_.tobytes() == plain.coef_.tobytes()
        last = np.column_stack([plain.coef_, plain.intercept_])
        replayed = np.zeros_like(last)
        for member, line, step, _ in zip(*clf.tape_, strict=True):
            replayed[line] += step * np.append(clf.support_vectors_[member], 1.0)
        assert np.array_equal(replayed, last)
    votes = clf.decision_function(X)
    assert votes.shape == (12, 3)
    total = clf.survival_.sum() + clf._survival_of_start.sum()
    assert total == clf.n_visits_ * (1 if multiclass == "joint" else 3)


def test_dense_and_sparse_calls_mix():
    X, y = noisy(n=80)
    mixed = VotedPerceptron().partial_fit(X[:40], y[:40]).partial_fit(sp.csr_array(X[40:]), y[40:])
    dense = VotedPerceptron().partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    assert np.array_equal(mixed.decision_function(X), dense.decision_function(X))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_threads_do_not_change_the_tape(n_classes, multiclass, monkeypatch):
    monkeypatch.setattr(lookahead, "STRIPE", 64)
    monkeypatch.setattr(lookahead, "ALONE", 256)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5))
    y = (X @ rng.normal(size=(5, n_classes))).argmax(axis=1)
    options = {"max_iter": 6, "multiclass": multiclass}
    alone = VotedPerceptron(**options).fit(X, y)
    clf = VotedPerceptron(n_jobs=3, **options).fit(X, y)
    for one, other in zip(clf.tape_, alone.tape_, strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(clf.support_, alone.support_)


def test_rows_of_weight_zero_are_no_visits():
    X, y = noisy(n=60, n_classes=3)
    weight = np.random.default_rng(1).choice([0.0, 1.0, 2.0], size=60)
    kept = weight > 0
    whole = VotedPerceptron(max_iter=4).fit(X, y, sample_weight=weight)
    part = VotedPerceptron(max_iter=4).fit(X[kept], y[kept], sample_weight=weight[kept])
    assert np.array_equal(whole.decision_function(X), part.decision_function(X))
    assert whole.n_visits_ == 4 * kept.sum()
    assert (whole.support_ == np.flatnonzero(kept)[part.support_]).all()


def test_a_drawn_prediction_is_right_as_often_as_the_votes_are():
    """Its expected accuracy is the mean, over rows and visits, of right weight vectors."""
    X, y = nk.datasets.load("breast_cancer")
    y = np.asarray(y) == np.asarray(y)[0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    clf = VotedPerceptron(max_iter=3).fit(X, y)
    votes = np.where(y, 1, -1) * clf.decision_function(X) / clf.n_visits_
    expected = ((1 + votes) / 2).mean()
    clf.set_params(randomized=True)
    draws = [clf.set_params(random_state=seed).score(X, y) for seed in range(40)]
    spread = 0.5 / np.sqrt(40 * len(X))
    assert abs(np.mean(draws) - expected) < 5 * spread
    assert np.array_equal(clf.predict(X), clf.predict(X))
    assert len(set(draws)) > 1


@given(problems(), st.booleans(), st.booleans())
@settings(STEADY, max_examples=40)
def test_the_interpreted_forms_compute_what_the_compiled_forms_do(problem, sparse, ties):
    X, y = problem
    lines, outcomes = np.arange(len(set(y))), []
    for form in (loops.voted_pass, loops.voted_pass.fast):
        W = np.ones((len(lines), X.shape[1] + 1), X.dtype)
        reaches, mistakes = np.array([reach_of(w) for w in W]), np.zeros(len(lines), np.int64)
        tape = np.full((len(X) * len(lines), 2), -1, dtype=np.int64)
        found = form(
            as_rows(sp.csr_matrix(X) if sparse else X, True), y.astype(np.int8),
            np.arange(len(X), dtype=np.int32), lines, lines, W, np.ones(1, X.dtype),
            np.ones((len(lines), 2), X.dtype), ties, reaches, mistakes, tape,
        )  # fmt: skip
        outcomes.append((found, W, mistakes, tape))
    for slow, fast in zip(*outcomes, strict=True):
        assert np.array_equal(slow, fast)

    values, entries = X.astype(np.float64) @ X.T.astype(np.float64), 6
    rng = np.random.default_rng(len(X))
    members, who = rng.integers(len(X), size=entries), rng.integers(len(lines), size=entries)
    steps, visits = rng.choice([-1.0, 0.5, 1.0], size=entries), np.sort(rng.integers(9, size=6))
    ends = np.cumsum(np.bincount(who, minlength=len(lines)))
    for loop in (loops.add_joint_votes, loops.add_votes_by_line, loops.add_until):
        results = []
        for form in (loop, loop.fast):
            scores, votes = np.zeros((2, len(X), len(lines)))
            norms, doubts, unsure = np.ones(len(X)), np.full(entries, 0.3), np.zeros(len(X), bool)
            if loop is loops.add_joint_votes:
                form(
                    values, members, who, steps, visits, ties, norms, doubts, scores, votes, unsure
                )
            elif loop is loops.add_votes_by_line:
                form(
                    values, members, steps, visits, ends, ties, norms, doubts, scores, votes, unsure
                )
            else:
                form(values, members, who, steps, visits, np.full(len(X), 4), scores)
            results.append(np.stack([scores, votes, np.repeat(unsure[:, None], len(lines), 1)]))
        assert np.array_equal(*results)


def test_a_wide_prediction_is_made_in_bounded_memory(monkeypatch):
    shapes = []
    X, y = noisy(n=500, d=4)
    clf = VotedPerceptron(max_iter=3).fit(X, y)
    assert len(clf.support_) > 100
    expected = clf.decision_function(X)
    monkeypatch.setattr(voted_replay, "TILE", 20)
    monkeypatch.setattr(voted_replay, "STRETCH", 30)
    monkeypatch.setattr(voted_replay, "dense", lambda m: shapes.append(m.shape) or np.asarray(m))
    assert np.array_equal(clf.decision_function(X), expected)
    assert max(rows for rows, _ in shapes) == 20
    assert max(columns for _, columns in shapes) <= 30


X4, Y4 = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"randomized": "yes"}, "randomized is 'yes'; it must be True or False"),
        ({"order": "restart"}, "order is 'restart'; it must be one of 'cyclic', 'shuffled'"),
        ({"multiclass": None}, "multiclass is None; it must be one of 'rest', 'joint'"),
        ({"tie": "never"}, "tie is 'never'; it must be one of"),
        ({"max_iter": 0.5}, "max_iter is 0.5; it must be a whole number"),
        ({"class_weight": {7: 1.0}}, "class_weight names the class 7"),
    ],
)
def test_a_bad_parameter_gets_one_clear_sentence(parameters, message):
    with pytest.raises(InputError, match=message):
        VotedPerceptron(**parameters).fit(X4, Y4)


@pytest.mark.parametrize("randomized", [False, True])
def test_bad_data_gets_one_clear_sentence(randomized):
    clf = VotedPerceptron(randomized=randomized)
    with pytest.raises(NotFittedError, match="not fitted"):
        clf.predict(X4)
    with pytest.raises(InputError, match="sample_weight has a negative entry"):
        clf.fit(X4, Y4, sample_weight=[1, 1, -1, 1])
    with pytest.raises(InputError, match="X contains infinity"):
        clf.fit(np.where(X4 == 0, np.inf, X4), Y4)
    clf.fit(X4, Y4)
    with pytest.raises(ValueError, match="X has 3 features, but VotedPerceptron is expecting 2"):
        clf.predict(np.ones((1, 3)))
    with pytest.raises(InputError, match="X contains NaN"):
        clf.predict([[np.nan, 0.0]])


def test_an_error_in_training_leaves_the_model_as_it_was():
    X, y = noisy(n=40)
    clf = VotedPerceptron().partial_fit(X, y)
    before = clf.decision_function(X)
    with pytest.raises(InputError, match="X contains NaN"):
        clf.partial_fit([[np.nan] * 6], [7])
    assert np.array_equal(clf.decision_function(X), before)
    assert clf.classes_.tolist() == [0, 1]


def test_scikit_learns_checks_pass_but_for_those_its_own_perceptron_fails():
    assert_scikit_learn_accepts(VotedPerceptron())
