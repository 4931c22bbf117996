"""Small regressions at random, of every model, with zero columns, duplicates and ties among them.

Each draw gives the options of `certify_regression`, the columns of the response, what the oracle
must know besides, X, and whether there is a constant.
"""

from __future__ import annotations

from fractions import Fraction

import novikoff as nk


def numbers(draw, n, d):
    """Small integers, with zero columns and duplicates often among them."""
    X = [[draw.randint(-1, 2) for _ in range(d)] for _ in range(n)]
    if draw.random() < 0.2:
        for x in X:
            x[0] = 0
    if n > 1 and draw.random() < 0.3:
        X[1] = list(X[0])
    return X


def bits(draw, n):
    return [draw.randint(0, 1) for _ in range(n)]


def draw_logistic(draw):
    n, d = draw.randint(1, 7), draw.randint(1, 2)
    X, y, constant = numbers(draw, n, d), bits(draw, n), draw.random() < 0.7
    return {"fit_intercept": constant}, {"y": y}, {}, X, constant


def draw_binomial(draw):
    n, d = draw.randint(1, 7), draw.randint(1, 2)
    X, constant = numbers(draw, n, d), draw.random() < 0.7
    trials = [draw.randint(0, 2) for _ in range(n)]
    trials[0] = 1
    y = [draw.randint(0, t) for t in trials]
    return {"fit_intercept": constant}, {"y": y, "trials": trials}, {}, X, constant


def draw_poisson(draw):
    n, d = draw.randint(1, 7), draw.randint(1, 2)
    X, constant = numbers(draw, n, d), draw.random() < 0.7
    y = [draw.choice([0, 0, 1, 3]) for _ in range(n)]
    return {"fit_intercept": constant}, {"y": y}, {}, X, constant


def draw_multinomial(draw):
    n = draw.randint(3, 6)
    X, constant = numbers(draw, n, 1), draw.random() < 0.7
    y = [0, 1, 2, *(draw.randint(0, 2) for _ in range(n - 3))]
    reference = draw.randint(0, 2)
    options = {"fit_intercept": constant, "reference": reference}
    return options, {"y": y}, {"reference": reference, "n_classes": 3}, X, constant


def draw_ordinal(draw):
    n = draw.randint(2, 6)
    X = numbers(draw, n, draw.randint(1, 2))
    y = [0, draw.randint(1, 2), *(draw.randint(0, 2) for _ in range(n - 2))]
    present = sorted(set(y))
    y = [present.index(c) for c in y]
    return {}, {"y": y}, {"n_classes": len(present)}, X, False


def draw_conditional(draw):
    n = draw.randint(2, 8)
    X = numbers(draw, n, draw.randint(1, 3))
    y, groups = bits(draw, n), [draw.randint(0, 2) for _ in range(n)]
    y[0], y[1], groups[1] = 1, 0, groups[0]
    return {}, {"y": y, "groups": groups}, {}, X, False


def draw_cox(draw):
    n = draw.randint(2, 7)
    X = numbers(draw, n, draw.randint(1, 2))
    given = {"time": [draw.randint(1, 4) for _ in range(n)], "event": bits(draw, n)}
    given["event"][0], given["time"][0], given["time"][1] = 1, 2, 3
    if draw.random() < 0.5:
        given["entry"] = [draw.randint(0, t - 1) for t in given["time"]]
        given["entry"][1] = 0
    if draw.random() < 0.4:
        given["strata"] = [0, 0, *(draw.randint(0, 1) for _ in range(n - 2))]
    ties = draw.choice(["efron", "breslow", "exact"])
    return {"ties": ties}, given, {"ties": ties}, X, False


def draw_contests(draw):
    n, players = draw.randint(1, 7), draw.randint(2, 4)
    winner = [draw.randrange(players) for _ in range(n)]
    loser = [(w + draw.randrange(1, players)) % players for w in winner]
    present = sorted({*winner, *loser})
    winner, loser = ([present.index(p) for p in part] for part in (winner, loser))
    y = [draw.choice([1, 1, 1, Fraction(1, 2)]) for _ in range(n)]
    X = numbers(draw, n, 1) if draw.random() < 0.4 else None
    given = {"winner": winner, "loser": loser, "y": y}
    return {}, given, {"n_players": len(present)}, X, False


DRAWS = {
    "logistic": draw_logistic, "binomial": draw_binomial, "poisson": draw_poisson,
    "multinomial": draw_multinomial, "ordinal": draw_ordinal, "conditional": draw_conditional,
    "cox": draw_cox, "bradley-terry": draw_contests,
}  # fmt: skip


def fit_of(draw, model):
    """A random verdict of this model, and what it is asked with."""
    options, given, _, X, _ = DRAWS[model](draw)
    asked = {"X": X, "model": model, **options, **given}
    return nk.certify_regression(**asked), asked
