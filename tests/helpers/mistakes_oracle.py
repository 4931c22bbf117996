"""The fewest mistakes by trying every set of rows, with an exact decision on what is left.

For tiny integer sets only. It shares nothing with the library.
"""

from __future__ import annotations

from itertools import combinations

from fourier_motzkin import is_feasible, signed


def fewest_of(X, signs, offset, costs=None, trusted=()):
    """(least cost, all sets of rows of that cost); (None, []) where trusted rows rule all out."""
    z = signed(X, signs, offset)
    n = len(z)
    costs = [1] * n if costs is None else costs
    free = [i for i in range(n) if i not in trusted]
    sets = [s for size in range(len(free) + 1) for s in combinations(free, size)]
    sets.sort(key=lambda s: sum(costs[i] for i in s))
    best, found = None, []
    for gone in sets:
        cost = sum(costs[i] for i in gone)
        if best is not None and cost > best:
            break
        rest = [[*row, 1] for i, row in enumerate(z) if i not in gone]
        if not rest or is_feasible(rest):
            best = cost
            found.append(frozenset(gone))
    return best, found


def tiny_set(random):
    """Integer rows rich in ties: repeated and zero rows, collinear columns, few values."""
    d, n = int(random.integers(1, 4)), int(random.integers(2, 9))
    size = int(random.choice([1, 1, 2, 3, 9]))
    X = random.integers(-size, size + 1, (n, d))
    kind = random.random()
    if d > 1 and kind < 0.25:
        X[:, -1] = X[:, 0]
    elif d > 1 and kind < 0.4:
        X[:, -1] = 2 * X[:, 0] - 1
    elif kind < 0.55:
        X[n // 2 :] = X[: n - n // 2]
    signs = random.choice([-1, 1], n)
    signs[random.permutation(n)[:2]] = -1, 1
    return X.tolist(), signs.tolist(), bool(random.integers(2))
