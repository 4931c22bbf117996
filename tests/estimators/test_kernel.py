"""The kernel perceptron, against the plain loop over its mistakes, one row at a time."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise
from sklearn.svm import SVC

import novikoff as nk
from novikoff.errors import InputError
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.models.kernel import training as kernel_training
from novikoff.models.kernel.training import KernelColumns
from novikoff.models.kernel.values import Kernel, read_kernel
from novikoff.models.lines import regrow
from novikoff.models.tape import DualTape


def oracle(K, steps, orders, ties_positive=False, budget=None):
    """Visit row after row; the mistakes that count in the end, as (visit, row, line)."""
    tape, lines = [], range(steps.shape[1])
    for visit, i in enumerate(np.concatenate(orders)):
        scores = [sum(steps[j, c] * K[i, j] for _, j, c in tape if c == line) for line in lines]
        for c, score in enumerate(scores):
            tie = score == 0 and not (ties_positive and steps[i, c] > 0)
            if steps[i, c] * score < 0 or (tie and steps[i, c] != 0):
                tape.append((visit, int(i), c))
        members = {j: v for v, j, _ in tape}  # with their last mistake
        if budget is not None and len(members) > budget:
            coef = {j: np.zeros(len(lines)) for j in members}
            for _, j, c in tape:
                coef[j][c] += steps[j, c]
            del members[i]
            lightest = min(members, key=lambda j: (coef[j] @ coef[j] * K[j, j], members[j]))
            tape = [mistake for mistake in tape if mistake[1] != lightest]
    return tape


def coefficients_after_each_visit(tape, steps, n_visits):
    """(visits, rows, lines), replayed from the mistakes."""
    coef = np.zeros((n_visits, *steps.shape))
    for visit, row, line in tape:
        coef[visit:, row, line] += steps[row, line]
    return coef


def signs_of(y):
    found = np.unique(y)
    lines = found[1:] if len(found) == 2 else found
    return np.where(y[:, None] == lines, 1.0, -1.0)


def fit(clf, X, y, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return clf.fit(X, y, **keywords)


def full_coef(clf, n):
    coef = np.zeros((n, clf.dual_coef_.shape[1]))
    coef[clf.support_] = clf.dual_coef_
    return coef


def integers(seed, n=30, d=3, n_classes=3):
    """Small integers, so that sums of kernel values are exact, and ties are frequent."""
    random = np.random.RandomState(seed)
    y = np.concatenate([np.arange(n_classes), random.randint(n_classes, size=n - n_classes)])
    return random.randint(-2, 3, size=(n, d)).astype(float), y


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.sampled_from([2, 3, 4]),
    degree=st.sampled_from([1, 2, 3]),
    tie=st.sampled_from(["mistake", "positive", "zero"]),
    order=st.sampled_from(["cyclic", "shuffled", "given"]),
    passes=st.integers(1, 4),
    block=st.integers(1, 12),
    columns=st.sampled_from([0, 1, 3, 8, 100]),
    budget=st.sampled_from([None, None, 1, 4, 9]),
    weighted=st.booleans(),
)
def test_mistakes_and_predictions_are_those_of_the_row_by_row_loop(
    seed, n_classes, degree, tie, order, passes, block, columns, budget, weighted
):
    X, y = integers(seed, n_classes=n_classes)
    n, random = len(X), np.random.RandomState(seed)
    K = (1 + X @ X.T) ** degree
    weights = random.randint(1, 4, size=n).astype(float) if weighted else np.ones(n)
    given = np.random.RandomState(1).permutation(n)
    if order == "shuffled":
        draw = np.random.RandomState(seed)
        orders = [draw.permutation(n) for _ in range(passes)]
    else:
        orders = [np.arange(n) if order == "cyclic" else given] * passes
    clf = KernelPerceptron(
        degree=degree, tie=tie, order=given if order == "given" else order, max_iter=passes,
        random_state=seed, budget=budget, cache_size=columns * n * 8 / 2**20, prediction="last",
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_training, "ROWS_A_BLOCK", block)
        patch.setattr(kernel_training, "MEMBERS_A_PRODUCT", 5)
        fit(clf, X, y, sample_weight=weights)

    steps = signs_of(y) * weights[:, None]
    n_visits = n * clf.n_iter_
    tape = oracle(K, steps, orders[: clf.n_iter_], tie == "positive", budget)
    rows = clf.support_[clf.tape_.members]
    assert list(zip(clf.tape_.visits, rows, clf.tape_.lines, strict=True)) == tape
    if not clf.n_forgotten_:
        assert clf.n_mistakes_ == len(tape)
    coef = coefficients_after_each_visit(tape, steps, n_visits)
    assert (full_coef(clf, n) == coef[-1]).all()

    tests = random.randint(-2, 3, size=(7, X.shape[1])).astype(float)
    scores = np.einsum("tj,vjc->vtc", (1 + tests @ X.T) ** degree, coef)
    signs = np.sign(scores)
    if tie == "positive":
        signs[signs == 0] = 1
    expected = {"last": scores[-1], "average": scores.mean(axis=0), "vote": signs.sum(axis=0)}
    for prediction, expect in list(expected.items())[: 1 if clf.n_forgotten_ else 3]:
        clf.set_params(prediction=prediction)
        found = clf.decision_function(tests).reshape(expect.shape)
        np.testing.assert_allclose(found, expect, rtol=1e-12, atol=1e-9)
        if prediction != "average" and n_classes > 2:
            assert (clf.predict(tests) == expect.argmax(axis=1)).all()


@pytest.mark.parametrize("tie", ["mistake", "positive", "zero"])
@pytest.mark.parametrize("order", ["cyclic", "given"])
def test_the_linear_kernel_makes_the_mistakes_of_the_plain_perceptron(tie, order):
    X, y = integers(5, n=60, d=6, n_classes=2)
    order = np.random.RandomState(2).permutation(60) if order == "given" else order
    run = nk.trace(X, y, tie=tie, order=order, fit_intercept=False, max_iter=20)
    clf = fit(KernelPerceptron(kernel="linear", tie=tie, order=order, max_iter=20), X, y)
    assert (clf.support_[clf.tape_.members] == run.tape.rows).all()
    assert (clf.tape_.visits == run.tape.visits).all()
    assert (clf.survival_ == run.survival[1:]).all()
    assert (clf.dual_coef_[:, 0] @ clf.support_vectors_ == run.coef).all()


@pytest.mark.parametrize("prediction", ["vote", "average", "last"])
@pytest.mark.parametrize("other", ["precomputed", "callable", "csr", "float32"])
def test_a_kernel_gives_one_model_however_it_is_given(other, prediction):
    X, y = integers(3, n=50)
    tests = integers(4)[0]
    clf = fit(KernelPerceptron(prediction=prediction, max_iter=6), X, y)
    twin = KernelPerceptron(prediction=prediction, max_iter=6)
    X2, tests2 = X, tests
    if other == "precomputed":
        twin.set_params(kernel="precomputed")
        X2, tests2 = (1 + X @ X.T) ** 2, (1 + tests @ X.T) ** 2
    elif other == "callable":
        twin.set_params(kernel=lambda A, B: (1 + A @ B.T) ** 2)
    elif other == "csr":
        X2, tests2 = sparse.csr_array(X), sparse.csr_array(tests)
    else:
        X2, tests2 = X.astype(np.float32), tests.astype(np.float32)
    fit(twin, X2, y)
    assert (twin.support_ == clf.support_).all()
    assert (twin.dual_coef_ == clf.dual_coef_).all()
    assert (twin.decision_function(tests2) == clf.decision_function(tests)).all()


def test_named_kernels_are_scikit_learns():
    random = np.random.RandomState(0)
    A, B = random.randn(5, 4), random.randn(6, 4)
    A[A < 0.3] = 0.0
    for rows in ((A, B), (sparse.csr_array(A), sparse.csr_array(B))):
        poly = read_kernel("poly", 5, 0.3, -0.7, A).between(*rows)
        expect = pairwise.polynomial_kernel(A, B, degree=5, gamma=0.3, coef0=-0.7)
        np.testing.assert_allclose(poly, expect, rtol=1e-12)
        rbf = read_kernel("rbf", 1, 0.3, 0, A).between(*rows)
        np.testing.assert_allclose(rbf, pairwise.rbf_kernel(A, B, gamma=0.3), rtol=1e-12)
        scaled = read_kernel("rbf", 1, None, 0, rows[0])
        fitted = SVC(gamma="scale").fit(rows[0], [0, 1, 0, 1, 0])
        assert scaled.gamma == pytest.approx(fitted._gamma, rel=1e-12)
    assert read_kernel("poly", 2, None, 1.0, A).gamma == 1.0


def test_no_rounding_lifts_a_gaussian_above_one():
    X = 1e4 + np.random.RandomState(0).rand(20, 7)
    values = Kernel("rbf", gamma=0.1).between(X, X)
    assert values.max() <= 1.0
    assert values.min() < 1.0


@pytest.mark.parametrize("name", ["xor", "parity:3", "parity:4"])
def test_poly_separates_parity_and_a_line_does_not(name):
    X, y = nk.datasets.load(name)
    degree = X.shape[1]
    clf = KernelPerceptron(degree=degree, prediction="last").fit(X, y)
    assert clf.converged_
    assert clf.stop_reason_ == "clean pass"
    assert (clf.predict(X) == y).all()
    with pytest.warns(ConvergenceWarning, match="max_iter = 100 passes, and the last one still"):
        line = KernelPerceptron(degree=degree - 1).fit(X, y)
    assert not line.converged_
    assert line.stop_reason_ == "max_iter"
    assert line.n_iter_ == 100


@pytest.mark.parametrize("kernel", ["poly", "rbf"])
def test_the_squared_norm_grows_by_at_most_the_squared_radius_a_mistake(kernel):
    X, y = nk.datasets.breast_cancer()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    clf = fit(KernelPerceptron(kernel=kernel, max_iter=5), X, y)
    K = clf._kernel.between(clf.support_vectors_, clf.support_vectors_)
    alpha = clf.dual_coef_[:, 0]
    assert 0 < alpha @ K @ alpha <= clf.n_mistakes_ * K.diagonal().max()


def test_a_budget_bounds_the_support_of_every_class_together():
    X, y = nk.datasets.digits()
    clf = fit(KernelPerceptron(budget=40, max_iter=2, prediction="last"), X, y)
    assert len(clf.support_) == len(clf.support_vectors_) == len(clf.dual_coef_) == 40
    assert len(np.unique(clf.support_)) == 40
    assert clf.tape_.members.max() < 40
    assert clf.n_forgotten_ > 0
    with pytest.raises(InputError, match="prediction is 'vote' and this model has forgotten rows"):
        clf.set_params(prediction="vote").predict(X)


def counting_columns(n, room):
    asked = []

    def between(A, B):
        asked.extend(B[:, 0].tolist())
        return A @ B.T

    X = np.arange(1.0, n + 1).reshape(-1, 1)
    return KernelColumns(Kernel("callable", function=between), X, room * n * 8 / 2**20), asked


def test_as_many_columns_as_there_is_room_for_are_computed_once():
    columns, asked = counting_columns(n=6, room=2)
    rows, everyone = np.arange(6), np.arange(6)
    for _ in range(2):
        total = columns.sums(rows, everyone, np.ones((6, 1)))
        assert (total[:, 0] == 21 * (rows + 1)).all()
    assert sorted(asked) == [1.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0]


def test_the_kernel_is_asked_for_blocks_and_never_for_the_whole_matrix():
    shapes = []

    def kernel(A, B):
        shapes.append((len(A), len(B)))
        return (1 + A @ B.T) ** 2

    X, y = nk.datasets.digits()
    clf = fit(KernelPerceptron(kernel=kernel, max_iter=2, cache_size=1), X, y)
    clf.predict(X)
    blocks = kernel_training.ROWS_A_BLOCK, len(clf.support_)
    assert max(rows for rows, _ in shapes) <= blocks[0] < len(X)
    assert max(members for _, members in shapes) <= max(blocks) < len(X)


def test_a_class_of_weight_zero_is_never_a_mistake_of_its_own_line():
    X, y = integers(6, n=40)
    clf = fit(KernelPerceptron(max_iter=3, class_weight={1: 0.0}), X, y)
    steps = signs_of(y)
    steps[y == 1, 1] = 0.0
    tape = oracle((1 + X @ X.T) ** 2, steps, [np.arange(40)] * 3)
    rows = clf.support_[clf.tape_.members]
    assert list(zip(clf.tape_.visits, rows, clf.tape_.lines, strict=True)) == tape


def test_partial_fit_in_pieces_keeps_the_budget_of_one_pass():
    X, y = integers(9, n=45)
    parameters = {"budget": 7, "prediction": "last"}
    whole = fit(KernelPerceptron(max_iter=1, **parameters), X, y)
    pieces = KernelPerceptron(**parameters)
    for first, last in ((0, 10), (10, 11), (11, 45)):
        pieces.partial_fit(X[first:last], y[first:last], classes=[0, 1, 2])
    assert (pieces.support_ == whole.support_).all()
    assert (pieces.support_vectors_ == whole.support_vectors_).all()
    for found, expect in zip(pieces.tape_, whole.tape_, strict=True):
        assert (found == expect).all()
    assert (pieces.survival_ == whole.survival_).all()
    assert pieces.n_mistakes_ == whole.n_mistakes_


def test_a_class_that_comes_late_leaves_the_others_their_weights():
    random = np.random.RandomState(0)
    for known, classes in (("b", "ab"), ("a", "ab"), ("b", "abc"), ("ac", "abc"), ("abd", "abcd")):
        n_lines = 1 if len(known) < 3 else len(known)
        members, lines = random.randint(9, size=30), random.randint(n_lines, size=30)
        steps = random.choice([-1.0, 1.0], size=30)
        tape = DualTape(members, lines, steps, np.arange(30))
        known, classes = np.array(list(known)), np.array(list(classes))
        expect = regrow(tape.last_coef((9, n_lines)).T, known, classes)
        grown = tape.regrown(known, classes)
        coef = grown.last_coef((9, len(expect)))
        assert np.array_equal(coef.T, expect)
        assert (np.diff(grown.visits) >= 0).all()
    clf = KernelPerceptron().partial_fit([[1.0], [2.0]], ["b", "a"]).partial_fit([[5.0]], ["c"])
    assert clf.classes_.tolist() == ["a", "b", "c"]
    assert clf.decision_function([[5.0]]).shape == (1, 3)


X4, Y4 = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "cubic"}, "kernel is 'cubic'; it must be one of 'linear', 'poly'"),
        ({"kernel": lambda A, B: (A @ B.T)[:2, :3]}, r"returned shape \(2, 3\).*shape \(4, 4\)"),
        ({"kernel": lambda A, B: A @ B.T * np.nan}, "the kernel returned NaN"),
        ({"kernel": lambda A, B: A @ B.T + np.inf}, "the kernel returned infinity"),
        ({"kernel": lambda *_: "no"}, "the kernel returned str; it must return a matrix"),
        ({"degree": 0}, "degree is 0; it must be a whole number of at least 1"),
        ({"degree": 1.5}, "degree is 1.5; it must be a whole number"),
        ({"gamma": 0}, "gamma is 0; it must be None, 'scale' or a number above 0"),
        ({"gamma": "auto"}, "gamma is 'auto'; it must be"),
        ({"coef0": np.nan}, "coef0 is nan; it must be a finite number"),
        ({"prediction": "mean"}, "prediction is 'mean'; it must be one of 'vote'"),
        ({"budget": 3}, "prediction is 'vote' and budget is 3; it needs every row"),
        ({"budget": 0}, "budget is 0; it must be a whole number of at least 1"),
        ({"cache_size": -1}, "cache_size is -1; it must be a number of megabytes"),
        ({"cache_size": None}, "cache_size is None; it must be a number of megabytes"),
        ({"kernel": lambda A, B: A @ B.T * 1j}, "ndarray; it must return a matrix of real numbers"),
        ({"kernel": "precomputed"}, r"X has shape \(4, 2\); with kernel='precomputed'"),
    ],
)
def test_a_bad_parameter_of_the_kernel_gets_one_clear_sentence(parameters, message):
    with pytest.raises(InputError, match=message):
        KernelPerceptron(**parameters).fit(X4, Y4)


def test_what_only_a_kernel_cannot_do_gets_one_clear_sentence():
    clf = KernelPerceptron()
    with pytest.raises(InputError, match="the kernel 'poly' overflows"):
        clf.fit(1e200 * X4, Y4)
    with pytest.raises(InputError, match="sums of kernel values overflow"):
        KernelPerceptron(kernel="linear").fit([[1e154], [-1.0]], [0, 1], [1e10, 1e300])
    clf.fit(X4, Y4)
    with pytest.raises(InputError, match="budget is 1, but the support to go on from has 4 rows"):
        clf.set_params(budget=1, prediction="last").partial_fit(X4, Y4)
    with pytest.raises(AttributeError, match="partial_fit"):
        KernelPerceptron(kernel="precomputed").partial_fit(X4 @ X4.T, Y4)
