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
    cone = []
    for x, sign in zip(X, signs, strict=True):
        for s in (sign,) if sign else (-1, 1):
            cone.append([*(s * v for v in x), *[s] * offset, 0])
    z = signed(X, signs, offset)
    return [i for i, s in enumerate(signs) if s and is_feasible([*cone, [*z[i], 1]])]


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
