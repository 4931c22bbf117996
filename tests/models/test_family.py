"""What every kind of perceptron keeps to: one suite for the whole family.

A kind's own file tests what it alone promises; what is the same for all is here, for each kind and
each way of telling more than two classes apart.
"""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import novikoff as nk
from estimator_checks import assert_scikit_learn_accepts
from novikoff.errors import InputError
from novikoff.estimators import MEMBERS
from novikoff.loops.compiled import Loop
from visits import ORDERS, TIES, interpreted, orders_of, problems

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")
BY_LINES = [nk.Perceptron, nk.AveragedPerceptron, nk.VotedPerceptron, nk.PocketPerceptron]
PASSING = [*BY_LINES, nk.KernelPerceptron]  # pass over the rows as many times as max_iter says
LEARNT = (
    "coef_", "intercept_", "last_coef_", "last_intercept_", "support_", "support_vectors_",
    "dual_coef_", "survival_", "n_training_errors_", "n_mistakes_", "n_iter_", "n_visits_",
)  # fmt: skip
X4, Y4 = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])


def ways(members):
    """Each member with each way of telling more than two classes apart."""
    both = [(member, {"multiclass": how}) for member in members for how in ("rest", "joint")]
    both = [(member, how) for member, how in both if member is not nk.KernelPerceptron]
    alone = [(member, {}) for member in members if member is nk.KernelPerceptron]
    return pytest.mark.parametrize(("member", "how"), both + alone)


def noisy(n=60, d=4, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, size=(n, d)) / 2, np.arange(n) % n_classes


def assert_same(one, other, *apart):
    """What was learnt is the same to the last bit, but for the attributes named."""
    for name in LEARNT:
        assert hasattr(one, name) == hasattr(other, name)
        if hasattr(one, name) and name not in apart:
            values = (getattr(clf, name) for clf in (one, other))
            values = [v.toarray() if sp.issparse(v) else np.asarray(v) for v in values]
            assert values[0].dtype == values[1].dtype
            assert np.array_equal(*values)


@contextmanager
def compiled():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Loop, "for_work", lambda self, _: self.fast)
        yield


@ways(PASSING)
@given(problems(n_classes=3), TIES, ORDERS, st.booleans(), st.integers(0, 999))
@settings(deadline=None, max_examples=12)
def test_interpreted_loops_learn_what_compiled_ones_do(
    member, how, problem, tie, order, sparse, seed
):
    X, y = problem
    X = X.astype(np.float64)
    order, _ = orders_of(order, len(X), 3, seed)
    clf = [member(tie=tie, order=order, max_iter=3, random_state=seed, **how) for _ in range(2)]
    sizes = np.random.RandomState(seed).choice([1.0, 0.5, 2.0], size=len(X))
    matrix = sp.csr_matrix(X) if sparse else X
    with interpreted():
        clf[0].fit(matrix, y, sample_weight=sizes)
        scores = clf[0].decision_function(matrix)
    with compiled():
        clf[1].fit(matrix, y, sample_weight=sizes)
        assert np.array_equal(clf[1].decision_function(matrix), scores)
    assert_same(*clf)


@ways(MEMBERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_dense_and_sparse_rows_of_either_precision_are_learnt_alike(member, how, fit_intercept):
    X, y = noisy()
    options = {**how, **({} if "multiclass" not in how else {"fit_intercept": fit_intercept})}
    if member is nk.RescaledPerceptron:
        options["max_rescalings"] = 3
    else:
        options |= {"max_iter": 5, "random_state": 0}
    dense = member(**options).fit(X, y)
    if not (fit_intercept or member in (nk.VotedPerceptron, nk.KernelPerceptron)):
        assert not dense.intercept_.any()
    for matrix in (sp.csr_matrix(X), sp.csr_array(X), sp.csc_matrix(X), np.asfortranarray(X)):
        assert_same(member(**options).fit(matrix, y), dense)
    wide = sp.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert_same(member(**options).fit(wide, y), dense)
    single = member(**options).fit(X.astype(np.float32), y)
    assert single.n_mistakes_ == dense.n_mistakes_
    whole = member(**options).fit((2 * X).astype(np.int64), y)
    for name in ("coef_", "last_coef_", "support_vectors_"):
        if hasattr(dense, name) and member is not nk.RescaledPerceptron:
            assert getattr(single, name).dtype == np.float32
            assert getattr(whole, name).dtype == np.float64


@ways(BY_LINES[1:])
def test_the_last_weights_and_the_mistakes_are_the_perceptrons(member, how):
    X, y = noisy(n_classes=4)
    options = {"max_iter": 5, "order": "shuffled", "random_state": 1, "class_weight": "balanced"}
    ours, plain = (kind(**options, **how).fit(X, y) for kind in (member, nk.Perceptron))
    assert ours.last_coef_.tobytes() == plain.coef_.tobytes()
    assert ours.last_intercept_.tobytes() == plain.intercept_.tobytes()
    assert (ours.n_mistakes_, ours.n_iter_) == (plain.n_mistakes_, plain.n_iter_)


@ways(PASSING)
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_a_stream_of_rows_is_one_pass(member, how, layout):
    X, y = noisy()
    stream, once = member(order="cyclic", **how), member(order="cyclic", max_iter=1, **how)
    for first, last in ((0, 1), (1, 20), (20, 21), (21, 60)):
        stream.partial_fit(layout(X[first:last]), y[first:last], classes=[0, 1, 2])
    once.fit(X, y)
    apart = {"n_iter_"}
    if member is nk.PocketPerceptron:  # which judges its pocket on the rows at hand
        apart |= {"coef_", "intercept_", "n_training_errors_"}
    elif member is nk.KernelPerceptron:  # one number for many rows may be that of other bits
        apart |= {"support_vectors_"}
    assert_same(stream, once, *apart)
    assert stream.n_iter_ == 4
    assert stream.stop_reason_ in ("one pass", "clean pass")


@ways(BY_LINES)
def test_two_warm_fits_are_one_longer_fit(member, how):
    X, y = noisy()
    warm = member(max_iter=3, order="cyclic", warm_start=True, **how).fit(X, y)
    warm.set_params(max_iter=2).fit(X, y)
    long = member(max_iter=5, order="cyclic", **how).fit(X, y)
    apart = {"n_iter_", "n_mistakes_"}
    if member is nk.PocketPerceptron:  # the runs of the weights in it are counted anew
        apart |= {"coef_", "intercept_", "n_training_errors_"}
    else:  # a row that is given again has another number
        apart |= {"support_", "support_vectors_"}
        assert np.array_equal(warm.decision_function(X), long.decision_function(X))
    assert_same(warm, long, *apart)
    assert warm.n_iter_ == 2


@ways(PASSING)
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "given"])
def test_a_row_of_weight_zero_is_as_good_as_left_out(member, how, order):
    X, y = noisy()
    rng = np.random.default_rng(1)
    weight = rng.choice([0.0, 1.0, 2.0], size=60)
    weight[:3] = 1.0
    kept = np.flatnonzero(weight)
    whole = part = order
    if order == "given":
        whole = rng.permutation(60)
        part = np.searchsorted(kept, whole[np.isin(whole, kept)])
    options = {"max_iter": 4, "random_state": 0, "class_weight": "balanced", **how}
    all_rows = member(order=whole, **options).fit(X, y, sample_weight=weight)
    few_rows = member(order=part, **options).fit(X[kept], y[kept], sample_weight=weight[kept])
    assert_same(all_rows, few_rows, "support_")
    if hasattr(all_rows, "support_"):
        assert np.array_equal(all_rows.support_, kept[few_rows.support_])


@ways(MEMBERS)
def test_for_two_classes_class_weights_are_row_weights(member, how):
    X, y = noisy(n_classes=2)
    X[:, 0] += 4 * y
    by_class = member(class_weight={0: 0.5, 1: 3.0}, **how)
    by_row = member(**how)
    for clf in (by_class, by_row):
        if "random_state" in clf.get_params():
            clf.set_params(random_state=0)
    by_class.fit(X, y)
    assert_same(by_class, by_row.fit(X, y, sample_weight=np.where(y == 1, 3.0, 0.5)))


@ways(BY_LINES)
def test_a_class_that_comes_late_splits_the_shared_line_and_starts_from_zeros(member, how):
    clf = member(fit_intercept=False, order="cyclic", **how)
    clf.partial_fit([[1.0, 2.0], [-1.0, 0.5]], ["b", "c"])
    clf.partial_fit([[0.0, 0.0]], ["b"], classes=["a", "b", "c"])  # a row that moves nothing
    assert clf.classes_.tolist() == ["a", "b", "c"]
    last = clf.coef_ if member is nk.Perceptron else clf.last_coef_
    assert last.tolist() == [[0, 0], [2, 1.5], [-2, -1.5]]
    assert clf.decision_function([[1.0, 2.0]]).shape == (1, 3)


@ways(PASSING)
@pytest.mark.parametrize("late", ["ab c", "bc a", "a b c d", "cd ab", "abc d"])
def test_new_classes_in_partial_fit_are_accepted(member, how, late):
    rng, clf, seen = np.random.default_rng(1), member(**how), set()
    for names in late.split():
        X, y = rng.normal(size=(20, 3)), rng.choice(list(names), 20)
        seen |= set(y)
        clf.partial_fit(X, y)
        assert clf.classes_.tolist() == sorted(seen)
        assert set(clf.predict(X)) <= seen
    assert clf.decision_function(X).shape == (20, len(seen))


@ways([nk.Perceptron, nk.PocketPerceptron, nk.KernelPerceptron, nk.RescaledPerceptron])
@given(problems(), TIES)
@settings(deadline=None, max_examples=20)
def test_converged_means_that_every_training_row_is_predicted(member, how, problem, tie):
    X, y = problem
    own = {"prediction": "last"} if member is nk.KernelPerceptron else {}
    few = {"max_rescalings": 5, "max_mistakes": 2000}
    limits = few if member is nk.RescaledPerceptron else {"tie": tie}
    with interpreted():
        clf = member(**limits, **how, **own).fit(X, y)
        if clf.converged_:
            assert clf.score(X, y) == 1.0


@ways([nk.Perceptron, nk.AveragedPerceptron, nk.PocketPerceptron])
@pytest.mark.parametrize(("tie", "winner"), [("mistake", 0), ("positive", -1), ("zero", 0)])
def test_a_tie_goes_to_the_larger_class_only_where_the_rule_is_positive(member, how, tie, winner):
    for y in (Y4, np.array([0, 1, 2, 2])):
        clf = member(tie=tie, fit_intercept=False, max_iter=2, **how).fit(X4 + 1.0, y)
        assert not clf.decision_function([[0.0, 0.0]]).any()
        last = winner if how == {"multiclass": "joint"} or len(clf.classes_) == 2 else 0
        assert clf.predict([[0.0, 0.0]]) == [clf.classes_[last]]


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("labels", [[3, -2], [-1.0, -0.0], [True, False], ["b", "", "a"], [7, 500]])
def test_classes_are_those_of_numpys_unique_for_few_rows_and_for_many(member, labels):
    for n in (6, 100_001) if member is nk.Perceptron else (6,):
        y = np.resize(np.array(labels), n)
        X = np.searchsorted(np.unique(y), y)[:, None].astype(float)
        clf = member(**({"max_iter": 1} if member is not nk.RescaledPerceptron else {}))
        assert clf.fit(X, y).classes_.dtype == np.unique(y).dtype
        assert np.array_equal(clf.classes_, np.unique(y))
        assert clf.predict(X).dtype == y.dtype


@ways([*BY_LINES, nk.RescaledPerceptron])
def test_threads_do_not_change_a_bit(member, how):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 5))
    y = (X @ rng.normal(size=(5, 3))).argmax(axis=1)
    options = {"max_rescalings": 3} if member is nk.RescaledPerceptron else {"max_iter": 6}
    if member is not nk.RescaledPerceptron:
        options["random_state"] = 0
    for labels in (y, np.minimum(y, 1)):
        alone = member(**options, **how).fit(X, labels)
        for jobs in (2, -1):
            assert_same(member(n_jobs=jobs, **options, **how).fit(X, labels), alone)


@ways(MEMBERS)
def test_a_fit_that_is_refused_leaves_the_model_as_it_was(member, how):
    X = np.array([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-3.0, 1.0]])
    clf = member(**how).fit(pd.DataFrame(X, columns=["a", "b"]), [1, 1, 0, 0])
    before = dict(vars(clf))
    wider = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]])
    with pytest.raises(InputError, match="X contains NaN"):
        clf.fit(wider, [0, 1])
    assert vars(clf) == before
    if hasattr(clf, "partial_fit"):
        with pytest.raises(InputError, match="X contains infinity"):
            clf.partial_fit(pd.DataFrame([[np.inf, 0.0]], columns=["a", "b"]), [7])
        assert vars(clf) == before
    assert clf.predict(pd.DataFrame(X, columns=["a", "b"])).tolist() == [1, 1, 0, 0]


@ways(MEMBERS)
def test_bad_data_gets_one_clear_sentence(member, how):
    clf = member(**how)
    with pytest.raises(NotFittedError, match="not fitted"):
        clf.predict(X4)
    with pytest.raises(InputError, match="sample_weight has a negative entry"):
        clf.fit(X4, Y4, sample_weight=[1, 1, -1, 1])
    with pytest.raises(InputError, match=r"y has 1 class \(0\)"):
        clf.fit(X4, np.zeros(4, dtype=int))
    bad = np.where(np.arange(8).reshape(4, 2) == 7, np.nan, X4)
    orders = ["cyclic", "restart"] if member is nk.Perceptron else [None]
    for layout, order in itertools.product((np.asarray, sp.csr_matrix), orders):
        named = member(**how, **({} if order is None else {"order": order}))
        for matrix, word in ((bad, "NaN"), (np.where(np.isnan(bad), np.inf, bad), "infinity")):
            for weight in (None, [1, 1, 1, 0]):  # a row of weight 0 is read too
                with pytest.raises(InputError, match=rf"X contains {word} \(row 3, column 1\)"):
                    named.fit(layout(matrix), np.array([0, 1, 0, 1]), sample_weight=weight)
    clf.fit(X4, Y4)
    with pytest.raises(ValueError, match=f"X has 3 features, but {member.__name__} is expecting 2"):
        clf.predict(np.ones((1, 3)))
    with pytest.raises(InputError, match=r"X contains infinity \(row 0, column 0\)"):
        clf.predict([[np.inf, 0.0]])


@ways(BY_LINES)
def test_weights_that_overflow_are_an_error(member, how):
    with pytest.raises(InputError, match="the weights have grown beyond what float64 can hold"):
        member(**how).fit([[1.5e308]] * 3, [0, 1, 2], sample_weight=[9, 9, 9])


WRONG = [
    ({"tie": "never"}, "tie is 'never'; it must be one of 'mistake', 'positive', 'zero'"),
    ({"order": "random"}, "order is 'random'; it must be one of 'cyclic', "),
    ({"order": [0, 1, 1, 2]}, "order is not a permutation"),
    ({"order": [0, 1]}, r"order has shape \(2,\)"),
    ({"start": [1.0, 2.0]}, r"start is of shape \(2,\); .* 3 finite numbers"),
    ({"start": "ones"}, "start is 'ones'; it must be None, 'random' or 3 finite numbers"),
    ({"start": [1.0, np.nan, 0.0]}, "finite"),
    ({"max_iter": 0}, "max_iter is 0; it must be a whole number of at least 1"),
    ({"max_iter": 0.5}, "max_iter is 0.5; it must be a whole number"),
    ({"max_rescalings": 0}, "max_rescalings is 0; it must be a whole number of at least 1"),
    ({"max_mistakes": 1.5}, "max_mistakes is 1.5; it must be a whole number"),
    ({"n_jobs": 0}, "n_jobs is 0; it must be"),
    ({"n_jobs": "all"}, "n_jobs is 'all'; it must be"),
    ({"fit_intercept": "yes"}, "fit_intercept is 'yes'; it must be True or False"),
    ({"warm_start": 1}, "warm_start is 1; it must be True or False"),
    ({"randomized": "yes"}, "randomized is 'yes'; it must be True or False"),
    ({"multiclass": "ovo"}, "multiclass is 'ovo'; it must be one of 'rest', 'joint'"),
    ({"class_weight": {7: 1.0}}, "class_weight names the class 7, but the classes are 0, 1"),
    ({"class_weight": {0: -1.0}}, "class_weight of 0 is -1.0"),
    ({"class_weight": "even"}, "class_weight is 'even'"),
    ({"class_weight": {0: "heavy"}}, "class_weight of 0 is 'heavy'; it must be a number"),
    ({"class_weight": {0: 0, 1: 0}}, "every class has weight 0"),
]


@pytest.mark.parametrize("member", MEMBERS)
def test_a_bad_parameter_gets_one_clear_sentence(member):
    asked = 0
    for parameters, message in WRONG:
        if set(parameters) <= set(member().get_params()):
            asked += 1
            with pytest.raises(InputError, match=message):
                member(**parameters).fit(X4, Y4)
    assert asked > 8
    if "order" in member().get_params() and member is not nk.Perceptron:
        with pytest.raises(InputError, match="order is 'restart'; it must be one of 'cyclic', 's"):
            member(order="restart").fit(X4, Y4)
    if hasattr(member(), "partial_fit"):
        with pytest.raises(InputError, match="'balanced', which needs all rows"):
            member(class_weight="balanced").partial_fit(X4, Y4)
        for classes in ([], 3, [["spam", "ham"]]):
            with pytest.raises(InputError, match=r"classes is .*; it must be a list of labels, or"):
                member().partial_fit(X4, Y4, classes=classes)


ALL_ITS_OWN = (
    "asks that a class of weight 1000 take 87% of unseen rows; here it gets all of its own rows "
    "right, and no more is promised"
)


@ways(PASSING)
def test_scikit_learns_checks_pass_but_for_those_its_own_perceptron_fails(member, how):
    joint = how == {"multiclass": "joint"} and member in BY_LINES[:3]
    more = {"check_class_weight_classifiers": ALL_ITS_OWN} if joint else {}
    assert_scikit_learn_accepts(member(**how), **more)
