"""An exact decision that shares nothing with the library: Fourier-Motzkin elimination.

For tiny integer sets only: each eliminated variable may square the number of inequalities.
"""

from __future__ import annotations

from math import gcd

SIGNS = {(True, False): "+", (False, True): "-", (True, True): "either"}


def is_feasible(inequalities):
    """Is there w with a·w >= b for every (*a, b)?"""
    rows = {tuple(row) for row in inequalities}
    width = len(next(iter(rows))) - 1
    for j in range(width):
        rising = [row for row in rows if row[j] > 0]
        falling = [row for row in rows if row[j] < 0]
        rows = {row for row in rows if row[j] == 0}
        for up in rising:
            for down in falling:
                sums = [a * -down[j] + b * up[j] for a, b in zip(up, down, strict=True)]
                common = gcd(*sums) or 1
                rows.add(tuple(value // common for value in sums))
    return all(row[-1] <= 0 for row in rows)


def signed(X, signs, offset):
    """sign·(x, 1), or sign·x without an offset."""
    return [[s * v for v in x] + [s] * offset for x, s in zip(X, signs, strict=True)]


def status_of(X, signs, offset):
    """'separable', 'quasi-separable' or 'overlapping'."""
    z = signed(X, signs, offset)
    if is_feasible([*row, 1] for row in z):
        return "separable"
    return "quasi-separable" if _is_weakly_separable(z) else "overlapping"


def settled_of(X, signs, offset):
    """The rows that some direction has strictly on their side and no row on the wrong one.

    A row of sign 0 is an equality: every direction has it on the hyperplane.
    """
    z = [[*row, 0] for row in signed(X, [sign or 1 for sign in signs], offset)]
    held = [row for row, sign in zip(z, signs, strict=True) if not sign]
    while held:  # solve one for one of its variables, and put that into all others
        one = held.pop()
        j = next((k for k, value in enumerate(one) if value), None)
        if j is not None:
            z, held = ([_without(row, one, j) for row in rows] for rows in (z, held))
    free = [row for row, sign in zip(z, signs, strict=True) if sign]
    return [i for i, s in enumerate(signs) if s and is_feasible([*free, [*z[i][:-1], 1]])]


def _without(row, one, j):
    """A positive multiple of the row, plus a multiple of `one`, with 0 in column j."""
    size, share = abs(one[j]), row[j] * (1 if one[j] > 0 else -1)
    sums = [a * size - b * share for a, b in zip(row, one, strict=True)]
    common = gcd(*sums) or 1
    return [value // common for value in sums]


def _is_weakly_separable(z):
    total = [sum(column) for column in zip(*z, strict=True)]
    return is_feasible([*([*row, 0] for row in z), [*total, 1]])


def infinite_columns_of(X, signs, offset):
    """{place: '+', '-' or 'either'} of the coefficients that some direction sends to infinity."""
    z = signed(X, signs, offset)
    if not _is_weakly_separable(z):
        return {}
    cone = [[*row, 0] for row in z]
    found = {}
    for j in range(len(z[0])):
        unit = [int(k == j) for k in range(len(z[0]))]
        ends = (
            is_feasible([*cone, [*unit, 1]]),
            is_feasible([*cone, [*(-v for v in unit), 1]]),
        )
        if any(ends):
            found[j] = SIGNS[ends]
    return found
