"""One attack on every float that decides: rows over the whole range, and the same in Fractions.

`rows` draws tables on which floats are likely to lie; each `attack_…` lets one part of the library
decide about them, interpreted or compiled, and compares every decision with exact arithmetic.
An attack returns how many decisions it saw; a wrong one is an AssertionError.
"""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
from scipy import sparse

import novikoff as nk
import textbook
from novikoff.errors import InputError
from novikoff.loops.compiled import Loop
from novikoff.loops.pocket import mistakes_of, radius_of
from novikoff.loops.rows import as_rows
from novikoff.models import scoring
from novikoff.models.scoring import settled_scores
from visits import exact, is_mistake, joint_mistake, sides_of

TIES = ("mistake", "positive", "zero")


# Tables on which floats lie


def tenths(rng, n, d):
    return rng.integers(-4, 5, (n, d)) / 10


def integers(rng, n, d):
    return rng.integers(-3, 4, (n, d)).astype(float)


def normals(rng, n, d):
    return rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)


def far_from_the_origin(rng, n, d):
    return 10.0 ** rng.integers(5, 13) + rng.integers(-3, 4, (n, d)) / 10


def an_ulp_apart(rng, n, d):
    base = rng.integers(-3, 4, d) / 10
    return np.nextafter(np.tile(base, (n, 1)), rng.choice([-np.inf, np.inf], (n, d)))


def cancelling(rng, n, d):
    block = rng.integers(-3, 4, (n, d)) / 10
    if d > 1:
        block[:, -1] = -block[:, :-1].sum(axis=1)
    return block


def tiny(rng, n, d):
    return rng.integers(-9, 10, (n, d)) * 10.0 ** rng.integers(-320, -150)


def subnormal(rng, n, d):
    return rng.integers(-9, 10, (n, d)) * 5e-324


def huge(rng, n, d):
    return rng.integers(-9, 10, (n, d)) / 10 * 10.0 ** rng.integers(150, 300)


def any_scale(rng, n, d):
    return rng.integers(-9, 10, (n, d)) / 10 * 10.0 ** rng.integers(-300, 300, (n, d))


def scaled_columns(rng, n, d):
    return rng.integers(-9, 10, (n, d)) / 10 * 10.0 ** rng.integers(-150, 150, d)


KINDS = (
    tenths, integers, normals, far_from_the_origin, an_ulp_apart, cancelling, tiny, subnormal,
    huge, any_scale, scaled_columns,
)  # fmt: skip


def rows(rng, dtype=np.float64, n=None, d=None):
    """A small table of some kind, of finite numbers of this type."""
    n, d = n or int(rng.integers(2, 9)), d or int(rng.integers(1, 6))
    kind = KINDS[rng.integers(len(KINDS))] if rng.integers(2) else tenths
    with np.errstate(over="ignore", under="ignore"):
        X = kind(rng, n, d).astype(dtype)
    limit = np.finfo(dtype).max / 1e6
    return np.clip(X, -limit, limit)


def labels(rng, n, classes=2):
    """All classes occur, in any order."""
    y = rng.integers(0, classes, n)
    y[rng.permutation(n)[:classes]] = np.arange(classes)
    return y


@contextmanager
def speed(name):
    """All loops interpreted, or all compiled."""
    kept, bar = Loop.for_work, scoring.INTERPRETED_WORK
    Loop.for_work = (lambda loop, _: loop.fast) if name == "compiled" else (lambda loop, _: loop)
    scoring.INTERPRETED_WORK = -1 if name == "compiled" else math.inf
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", category=_expected_warning())
            yield
    finally:
        Loop.for_work, scoring.INTERPRETED_WORK = kept, bar


def _expected_warning():
    from sklearn.exceptions import ConvergenceWarning

    return ConvergenceWarning


def sign(value):
    return (value > 0) - (value < 0)


def with_ones(X, constant=1.0):
    return np.column_stack([X, np.full(len(X), constant, dtype=X.dtype)])


# Oracles: the textbook's loops with exact decisions and weights stored in X's own type


def joint_textbook(X, y, W, *, constant, tie, passes):
    Z, exact_rows = with_ones(X, constant), exact(with_ones(X, constant))
    for _ in range(passes):
        last = 0
        for i in range(len(X)):
            rival = joint_mistake(exact_rows[i], y[i], exact(W), tie)
            if rival is not None:
                W[y[i]] = W[y[i]] + Z[i]
                W[rival] = W[rival] - Z[i]
                last += 1
        if not last:
            break
    return W, not last


def joint_errors(X, y, W, tie):
    Z, E = exact(with_ones(X)), exact(W)
    return sum(joint_mistake(Z[i], y[i], E, tie) is not None for i in range(len(X)))


def line_errors(X, y, w, positive, tie):
    Z, e = exact(with_ones(X)), exact(w)
    return sum(is_mistake(Z[i] @ e, 1 if y[i] == positive else -1, tie) for i in range(len(X)))


# Attacks


def attack_fit(rng, dtype, layout):
    """Perceptron: every bit of the weights, and what it says of its last pass."""
    classes, joint = int(rng.integers(2, 5)), bool(rng.integers(2))
    X = rows(rng, dtype, n=int(rng.integers(classes, 10)))
    y = labels(rng, len(X), classes)
    tie, passes = str(rng.choice(TIES)), int(rng.integers(1, 5))
    offset, lines = bool(rng.integers(2)), 1 if classes == 2 else classes
    joint = joint and classes > 2
    model = nk.Perceptron(
        fit_intercept=offset, tie=tie, max_iter=passes, multiclass="joint" if joint else "rest"
    )
    if joint:
        W = np.zeros((lines, X.shape[1] + 1), dtype=X.dtype)
        W, clean = joint_textbook(X, y, W, constant=float(offset), tie=tie, passes=passes)
    else:
        runs = [
            textbook.run(X, sides, [range(len(X))] * passes, tie=tie, fit_intercept=offset)
            for sides in sides_of(y, classes)
        ]
        W, clean = np.stack([w for w, *_ in runs]), all(converged for *_, converged in runs)
    model.fit(layout(X), y)
    assert model.coef_.dtype == dtype
    np.testing.assert_array_equal(np.column_stack([model.coef_, model.intercept_]), W)
    assert model.converged_ == clean
    return len(X) * passes


def attack_pocket(rng, dtype, layout):
    """PocketPerceptron: how many mistakes its weights make."""
    classes = int(rng.integers(2, 4))
    X = rows(rng, dtype, n=int(rng.integers(classes, 10)))
    y = labels(rng, len(X), classes)
    joint, tie = classes > 2 and bool(rng.integers(2)), str(rng.choice(TIES))
    model = nk.PocketPerceptron(
        tie=tie, max_iter=3, random_state=int(rng.integers(99)),
        multiclass="joint" if joint else "rest",
    ).fit(layout(X), y)  # fmt: skip
    W = np.column_stack([model.coef_, model.intercept_])
    if joint:
        errors = joint_errors(X, y, W, tie)
    else:
        positives = [1] if classes == 2 else range(classes)
        errors = sum(line_errors(X, y, W[c], p, tie) for c, p in enumerate(positives))
    assert model.n_training_errors_ == errors
    return len(X)


@np.errstate(over="ignore", invalid="ignore")  # as the callers of loops have it
def attack_count(rng, dtype, layout):
    """The scan of a clean pass, row by row, with weights of another origin than the rows."""
    X = rows(rng, dtype)
    y = labels(rng, len(X))
    w = _aimed(rng, X, rows(rng, dtype, n=1, d=X.shape[1] + 1)[0])
    W = np.stack([w, _aimed(rng, X, w[::-1].copy()), np.roll(w, 1)])
    table, ties = as_rows(layout(X), True), bool(rng.integers(2))
    radius = radius_of.for_work(0)(table, np.arange(len(X)))
    tie, Z, e, E = "positive" if ties else "mistake", exact(with_ones(X)), exact(w), exact(W)

    def count(i, joint, W):
        return mistakes_of.for_work(0)(
            table, y, np.array([i]), joint, 1, W, np.ones(1, dtype), np.ones((3, 2), dtype), ties,
            radius, np.inf, np.empty(len(W)),
        )[0]  # fmt: skip

    for i in range(len(X)):
        assert count(i, False, W[:1]) == is_mistake(Z[i] @ e, 1 if y[i] == 1 else -1, tie)
        assert count(i, True, W) == (joint_mistake(Z[i], y[i], E, tie) is not None)
    return 2 * len(X)


def attack_scores(rng, dtype, layout):
    """decision_function: every sign, every tie, and the highest of joint scores."""
    X = rows(rng, dtype)
    lines = int(rng.integers(1, 7))
    W = np.stack([_aimed(rng, X, rows(rng, dtype, n=1, d=X.shape[1] + 1)[0]) for _ in range(lines)])
    W[rng.integers(lines)] *= rng.integers(2)
    truth = np.array([[z @ e for e in exact(W)] for z in exact(with_ones(X))])
    scores = settled_scores(layout(X), W[:, :-1], W[:, -1])
    np.testing.assert_array_equal(np.sign(scores), np.vectorize(sign)(truth))
    together = settled_scores(layout(X), W[:, :-1], W[:, -1], joint=True)
    for row, joint, best in zip(scores, together, truth, strict=True):
        assert [s == row.max() for s in row] == [b == max(best) for b in best]
        assert [s == joint.max() for s in joint] == [b == max(best) for b in best]
    return truth.size


def attack_trace(rng, dtype, layout):
    """trace: every mistake of a run whose weights are never rounded."""
    X = rows(rng, dtype)
    y = labels(rng, len(X))
    tie, offset = str(rng.choice(TIES)), bool(rng.integers(2))
    start = rows(rng, np.float64, n=1, d=X.shape[1] + offset)[0] if rng.integers(2) else None
    run = nk.trace(layout(X), y, tie=tie, fit_intercept=offset, start=start, max_iter=4)
    Z, w = exact(with_ones(X, float(offset))), exact(np.zeros(X.shape[1] + 1))
    if start is not None:
        w[: len(start)] = exact(start)
    tape = []
    for _ in range(4):
        before = len(tape)
        for i in range(len(X)):
            if is_mistake(Z[i] @ w, 1 if y[i] == 1 else -1, tie):
                w = w + (1 if y[i] == 1 else -1) * Z[i]
                tape.append(i)
        if len(tape) == before:
            break
    assert run.tape.rows.tolist() == tape
    for found, value in zip([*run.coef, run.intercept], w, strict=True):
        assert found == float(value) or abs(value) > Fraction(np.finfo(float).max)
    return len(X) * 4


def attack_votes(rng, dtype, layout):
    """VotedPerceptron: every vote of every weight vector that its tape makes, in float64."""
    classes = int(rng.integers(2, 5))
    X = rows(rng, dtype, n=int(rng.integers(classes, 9)))
    y = labels(rng, len(X), classes)
    tie, joint = str(rng.choice(TIES)), classes > 2 and bool(rng.integers(2))
    start = "random" if rng.integers(2) else None
    model = nk.VotedPerceptron(
        tie=tie, max_iter=2, start=start, random_state=int(rng.integers(99)),
        multiclass="joint" if joint else "rest",
    ).fit(layout(X), y)  # fmt: skip
    Z, W, tape = exact(with_ones(X)), model._start.astype(np.float64), model.tape_
    support = with_ones(X).astype(np.float64)[model.support_]
    truth = np.zeros((len(X), len(W)))

    def vote(lines, weight):
        for i, z in enumerate(Z):
            scores = [z @ exact(w) for w in W]
            best = [c for c, score in enumerate(scores) if score == max(scores)]
            if joint and (len(best) == 1 or tie == "positive"):
                truth[i, best[-1]] += weight
            if not joint:
                for c in lines:
                    truth[i, c] += weight * (sign(scores[c]) or (tie == "positive"))

    for c in range(1 if joint else len(W)):
        vote([c], model._survival_of_start[c])
    for m, c, step, weight in zip(*tape[:3], model.survival_, strict=True):
        W[c] = W[c] + step * support[m]
        if weight or not joint:
            vote([c], weight)
    found = model.decision_function(layout(X))
    np.testing.assert_array_equal(found, truth if truth.shape[1] > 1 else truth[:, 0])
    return len(X) * len(tape.members)


def attack_online(rng, dtype, layout):  # noqa: ARG001 - rows come one by one
    """OnlinePerceptron: weights, answers and scores, row by row."""
    X = rows(rng, dtype).astype(np.float64)
    y = labels(rng, len(X))
    tie, weight = str(rng.choice(TIES)), float(rng.choice([1.0, 1.0, 0.3, 1e-200, 1e100]))
    model = nk.OnlinePerceptron(tie=tie)
    w, Z = np.zeros(X.shape[1] + 1), with_ones(X)
    seen: list[int] = []
    for i in [*range(len(X)), *range(len(X))]:
        score = exact(Z[i]) @ exact(w)
        if len(set(seen)) == 2:
            found = model.score_one(X[i])
            assert sign(found) == sign(score)
            high = score > 0 or (score == 0 and tie == "positive")
            assert model.predict_one(X[i]) == int(high)
        if len(set(seen)) < 2:  # a single label counts as the positive one
            positive, flip = True, len(set(seen)) == 1 and y[i] != seen[0]
            if flip:
                positive = y[i] == 1
                w = w if seen[0] == 1 else 0.0 - w
                score = exact(Z[i]) @ exact(w)
        else:
            positive = y[i] == 1
        try:
            model.learn_one(X[i], int(y[i]), weight)
        except InputError as error:
            return _outgrown(error, i)
        seen.append(int(y[i]))
        if is_mistake(score, 1 if positive else -1, tie):
            with np.errstate(over="ignore"):
                w = w + (weight if positive else -weight) * Z[i]
        np.testing.assert_array_equal([*model.coef_[0], model.intercept_[0]], w)
    return 4 * len(X)


def _outgrown(error, decisions):
    """Weights may be refused, if they outgrow their type."""
    if "beyond what" not in str(error):
        raise error
    return decisions


def _aimed(rng, X, w):
    """Weights that are nearly orthogonal to some row, where that is possible."""
    if not rng.integers(4):
        return w
    row = X[rng.integers(len(X))].astype(np.float64)
    aimed = w.astype(np.float64)
    with np.errstate(all="ignore"):
        aimed[-1] = -(row @ aimed[:-1])
        aimed = aimed.astype(X.dtype)
    return aimed if np.isfinite(aimed).all() else w


ATTACKS = (
    attack_fit, attack_pocket, attack_count, attack_scores, attack_votes, attack_trace,
    attack_online,
)  # fmt: skip
DTYPES = (np.float32, np.float64)
LAYOUTS = (np.ascontiguousarray, sparse.csr_matrix)
SPEEDS = ("interpreted", "compiled")


def attack(which, seed, name, times):
    """So many tables for one attack at one speed, in both types and layouts."""
    rng, decisions = np.random.default_rng(seed), 0
    with speed(name):
        for k in range(times):
            dtype, layout = DTYPES[k % 2], LAYOUTS[k // 2 % 2]
            try:
                decisions += which(rng, dtype, layout)
            except InputError as error:
                decisions += _outgrown(error, 0)
    return decisions
