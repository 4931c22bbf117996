"""What is true of a small regression, by definition: every comparison written out, and
Fourier-Motzkin elimination. Nothing of it is shared with the library; integers only.

A row is (kind, numbers, observation): '>' must stay >= 0 and counts as strict, '=' must stay 0, and
'>=' must stay >= 0 and never counts.
"""

from __future__ import annotations

from fractions import Fraction

from fourier_motzkin import SIGNS, is_feasible


def unit(width, place, value=1):
    return [value if j == place else 0 for j in range(width)]


def minus(a, b):
    return [p - q for p, q in zip(a, b, strict=True)]


def negative(a):
    return [-p for p in a]


def rows_of(model, X, *, constant=False, **given):
    """Every comparison of the model."""
    return _ROWS[model]([[*x, 1] if constant else list(x) for x in X], **given)


def _logistic(X, y):
    return [
        (">", x if one else negative(x), i) for i, (x, one) in enumerate(zip(X, y, strict=True))
    ]


def _binomial(X, y, trials):
    rows = []
    for i, (x, s, t) in enumerate(zip(X, y, trials, strict=True)):
        if t:
            one = (">", x) if s == t else (">", negative(x)) if s == 0 else ("=", x)
            rows.append((*one, i))
    return rows


def _poisson(X, y):
    return [
        ("=", x, i) if c else (">", negative(x), i)
        for i, (x, c) in enumerate(zip(X, y, strict=True))
    ]


def _multinomial(X, y, reference, n_classes):
    blocks = [k for k in range(n_classes) if k != reference]
    rows = []
    for i, (x, c) in enumerate(zip(X, y, strict=True)):
        for k in range(n_classes):
            if k != c:
                row = []
                for block in blocks:
                    row += x if block == c else negative(x) if block == k else [0] * len(x)
                rows.append((">", row, i))
    return rows


def _ordinal(X, y, n_classes):
    n = n_classes - 1
    rows = []
    for i, (x, c) in enumerate(zip(X, y, strict=True)):
        if c > 0:
            rows.append((">", [*unit(n, c - 1, -1), *x], i))
        if c < n:
            rows.append((">", [*unit(n, c), *negative(x)], i))
    for k in range(1, n):
        if k not in y:
            rows.append((">=", minus([*unit(n, k), *[0] * len(X[0])],
                                     [*unit(n, k - 1), *[0] * len(X[0])]), None))  # fmt: skip
    return rows


def _conditional(X, y, groups):
    everybody = range(len(X))
    return [
        (">", minus(X[i], X[j]), i)
        for i in everybody
        for j in everybody
        if groups[i] == groups[j] and y[i] and not y[j]
    ]


def _cox(X, time, event, entry=None, strata=None, ties="efron"):
    n = len(X)
    entry, strata = entry or [min(time) - 1] * n, strata or [0] * n
    rows = []
    for i in range(n):
        for j in range(n):
            at_risk = strata[i] == strata[j] and entry[j] < time[i] <= time[j]
            if i == j or not event[i] or not at_risk:
                continue
            is_tied = event[j] and time[i] == time[j]
            if not is_tied:
                rows.append((">", minus(X[i], X[j]), i))
            elif ties != "exact":
                rows.append(("=", minus(X[i], X[j]), i))
    return rows


def _contests(X, winner, loser, result, n_players):
    rows = []
    for i, (w, v, r) in enumerate(zip(winner, loser, result, strict=True)):
        players = minus(unit(n_players, w), unit(n_players, v))[1:]
        rows.append((">" if r == 1 else "=", [*players, *(X[i] if X else ())], i))
    return rows


_ROWS = {
    "logistic": _logistic, "binomial": _binomial, "poisson": _poisson,
    "multinomial": _multinomial, "ordinal": _ordinal, "conditional": _conditional, "cox": _cox,
    "bradley-terry": _contests,
}  # fmt: skip


def dependent_columns(rows, order):
    """The columns, by place, that depend on earlier ones in this order, on all rows."""
    basis, found = [], []
    for j in order:
        column = [Fraction(row[1][j]) for row in rows]
        for pivot, other in basis:
            factor = column[pivot] / other[pivot]
            column = [a - factor * b for a, b in zip(column, other, strict=True)]
        pivot = next((k for k, value in enumerate(column) if value), None)
        if pivot is None:
            found.append(j)
        else:
            basis.append((pivot, column))
    return found


def truth(rows, n_rows, order=None):
    """(status, separated observations, strict rows, {place: sign}, collinear places)."""
    width = len(rows[0][1])
    left_out = dependent_columns(rows, order or range(width))
    kept = [j for j in range(width) if j not in left_out]
    cone = []
    for kind, row, _ in rows:
        part = [row[j] for j in kept]
        cone.append([*part, 0])
        if kind == "=":
            cone.append([*negative(part), 0])
    if not kept:
        return "finite", [], [False] * len(rows), {}, left_out
    strict = [
        kind == ">" and is_feasible([*cone, [*(row[j] for j in kept), 1]]) for kind, row, _ in rows
    ]
    made = {
        i: [s for s, row in zip(strict, rows, strict=True) if row[2] == i] for i in range(n_rows)
    }
    separated = [i for i, mine in made.items() if mine and all(mine)]
    infinite = {}
    if any(strict):
        for place, j in enumerate(kept):
            one = unit(len(kept), place)
            ends = (is_feasible([*cone, [*one, 1]]), is_feasible([*cone, [*negative(one), 1]]))
            if any(ends):
                infinite[j] = SIGNS[ends]
    return "infinite" if any(strict) else "finite", separated, strict, infinite, left_out
