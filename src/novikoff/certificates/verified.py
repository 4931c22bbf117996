"""Signs that floats can prove: do D+1 rows balance with positive multipliers, and span all?

The question. V is a matrix of n = D+1 rows (z_i, 1), exact in binary64, and M is its transpose. If
M is invertible, the one x with M·x = (0, …, 0, 1) has Σ x_i·z_i = 0 and Σ x_i = 1. If every x_i is
positive these rows are an obstruction, and because n rows (z_i, 1) of n columns are independent,
the z_i have rank D: no hyperplane separates, not even weakly. Neither fact needs the digits of x,
only its signs, and those are what rounded arithmetic can prove.

The bound. Let R be any matrix and x any vector: in practice the inverse of M and R's last column,
both as floats found them. Write F = I - R·M and r = e - M·x, exactly. If ‖F‖∞ <= α < 1, then
R·M = I - F is invertible, so M is; the solution x* has

    x* - x = M⁻¹·r = (I - F)⁻¹·R·r = R·r + F·(I - F)⁻¹·R·r,

and so |x* - x|_i <= |R·r|_i + α/(1 - α)·‖R·r‖∞. If x_i exceeds that for every i, every x*_i > 0.

The rounding. A product of n terms, summed in floats in any order, with or without fused steps, is
off by at most γ·Σ|a_k·b_k| + n·η, with γ = n·u/(1 - n·u), u = 2^-53 and η = 2^-1074 (Higham,
Accuracy and Stability of Numerical Algorithms, 3.1). That is so in every BLAS that multiplies
matrices by adding products of doubles, as OpenBLAS, MKL, BLIS and Accelerate do. Hence

    ‖F‖∞  <= max_i  Σ_j |I - fl(R·M)|_ij + γ·(|R|·(|M|·1))_i + n²·η
    |r|   <= |fl(e - M·x)| + γ·|M|·|x| + u·|fl(e - M·x)| + n·η
    |R·r| <= |R|·|r|

and each right-hand side is a sum of numbers that are not negative, so that floats get it right to a
relative error of a few n·u: far less than SLACK, by which all of it is enlarged. What overflows on
the way is infinite or not a number, and then nothing is claimed.

The last row may itself be rounded, each of its numbers by u of its size at most: a sum of rows that
floats do not hold. Then the last column of M is off by E with |E| <= 2·u·|M|, and what is computed
with the rounded M is off by |R|·|E| more in F and by |E|·|x_n| more in r.

Before that rows and columns of z are multiplied by powers of two, which changes no sign of x; where
that would lose a bit of a subnormal number nothing is claimed either. "Cannot tell" is always
allowed; a wrong yes never.
"""

from __future__ import annotations

import numpy as np

UNIT = 2.0**-53
TINIEST = 2.0**-1000  # for η: what is computed of the bounds may lose some η, too
SLACK = 1.0 + 2.0**-20
MOST_ROWS = 1 << 28  # up to here a few n·u are below the slack


def proves_obstruction(z: np.ndarray, is_last_rounded: bool = False) -> bool:
    """Whether floats prove that these D+1 rows of D columns balance positively and have rank D.

    Where the last row is rounded, each of its numbers to the nearest float of normal size, it is
    proven of the row that it stands for. False means that floats cannot tell.
    """
    n_rows, n_columns = z.shape
    if n_rows != n_columns + 1 or n_rows > MOST_ROWS or not np.isfinite(z).all():
        return False
    scaled = _balanced(z)
    if scaled is None:
        return False
    matrix = np.vstack([scaled.T, np.ones(n_rows)])
    del scaled
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            return False
        return bool(_all_positive(matrix, inverse, 2.0 * UNIT * is_last_rounded))


def _all_positive(matrix: np.ndarray, inverse: np.ndarray, rounded: float) -> bool:
    """Whether M is surely invertible, and the solution of M·x = e_n surely positive.

    The last column of M is off by `rounded` times its size at most.
    """
    n = len(matrix)
    right = np.zeros(n)
    right[-1] = 1.0
    gamma = n * UNIT / (1.0 - n * UNIT)
    sizes = np.abs(inverse)
    last = rounded * np.abs(matrix[:, -1])

    residual = inverse @ matrix
    residual[np.diag_indices(n)] -= 1.0
    np.abs(residual, out=residual)
    sums = residual.sum(axis=1)
    del residual
    sums += gamma * (sizes @ np.abs(matrix).sum(axis=1)) + n * n * TINIEST
    sums += sizes @ last
    alpha = float(sums.max()) * SLACK
    if not alpha < 0.5:  # an inverse as poor as this proves nothing that integers should not
        return False

    x = inverse[:, -1].copy()
    x += inverse @ (right - matrix @ x)  # one step nearer; any x will do
    off = np.abs(right - matrix @ x)
    off = off * (1.0 + 2.0 * UNIT) + gamma * (np.abs(matrix) @ np.abs(x)) + n * TINIEST
    off += last * abs(x[-1])
    reach = (sizes @ (off * SLACK)) * SLACK
    error = (reach + alpha / (1.0 - alpha) * reach.max()) * SLACK
    return bool((x > error).all())  # false for all that is not a number


def _balanced(z: np.ndarray) -> np.ndarray | None:
    """Rows and columns times powers of two, near 1 in size; None where a bit would be lost."""
    down = np.zeros((z.shape[0], 1), dtype=np.int32)
    across = np.zeros((1, z.shape[1]), dtype=np.int32)
    scaled = z
    for _ in range(3):
        for shift, axis in ((across, 0), (down, 1)):
            largest = np.abs(scaled).max(axis=axis, keepdims=True, initial=0.0)
            if not largest.all():
                return None  # a zero row or column: the rank is not D, or integers see it at once
            shift -= np.frexp(largest)[1]
            scaled = np.ldexp(z, down + across)
    kept = np.isfinite(scaled).all() and (np.ldexp(scaled, -(down + across)) == z).all()
    return scaled if kept else None
