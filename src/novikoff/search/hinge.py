"""The squared hinge and its two forms, minimised by Newton steps with one exact line search.

**Pulled.** Over rows m_i, equalities q_k and a pull p

    f(v) = Σ ½·max(0, 1 - m_i·v)² + Σ ½·(q_k·v)² - p·v.

With κ_i = max(0, 1 - m_i·v) and μ_k = -q_k·v its gradient is -(Σ κ_i·m_i + Σ μ_k·q_k + p). So at a
minimum κ >= 0 and μ carry -p. There is a minimum just when no direction v has m_i·v >= 0 on every
row, q_k·v = 0 on every equality and p·v > 0; otherwise the steps run away along such a direction.
Without a pull there always is a minimum: a v with m_i·v >= 1 on every row, or κ that balances rows.

**With a ridge.** f(w) = ε/2·‖w‖² + Σ ½·max(0, 1 - u_i·w)². If a separator exists, w tends to the
one of largest margin as ε falls. After Mangasarian (2002) and Keerthi & DeCoste (2005). Rows may be
CSR. Where the last weight is free (an offset that is not part of the margin) ε does not weigh it.

A step is Newton's on the rows with slack, as long as the line search makes it: the slope of f along
a line is piecewise linear.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.threads import NUMPY_COLUMNS, one_thread_to_factor

MOST_STEPS = 80  # of Newton's; 5 to 20 are usual
LONGEST_STEP = 1e12  # times Newton's: a step this long runs away
ROUNDED_GRADIENT = 1e-11  # of its terms: a smaller gradient is rounding
SMALL_RIDGE = 1e-8  # ε: eight digits of the largest margin, by steps that are sure
LEAST_RIDGE = 1e-13  # of the trace: keeps a Hessian of few rows invertible
MOST_RIDGE = 1e-7  # of the trace; with 1e-3 MNIST's 2 against 3 took 60 s in place of 5
SHORT_STEP = 1e-4  # of Newton's: so short a one met rows that were not active
TIGHT = 1e-7  # a score under this, for rows and weights of length 1, is taken for zero
MOST_PRODUCTS = 5000  # rows and columns: a larger matrix of products, 200 MB, is not made
CONJUGATE_STEPS = 100  # enough to come near the minimum on text, from which Newton goes on

End = Literal["balanced", "runs away", "open"]
Solver = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class HingeSolution:
    """Where the minimisation ended: balanced, along a direction that runs away, or neither."""

    v: np.ndarray
    scores: np.ndarray  # m_i·v
    slacks: np.ndarray  # κ_i
    factors: np.ndarray  # μ_k
    end: End


def minimise_pulled(
    rows: np.ndarray,
    held: np.ndarray,
    pull: np.ndarray,
    clock: Clock,
    v: np.ndarray | None = None,
    is_enough: Callable[[np.ndarray], bool] | None = None,
    most_steps: int = MOST_STEPS,
    is_hasty: bool = False,
) -> HingeSolution:
    """Newton's steps from v; rows, and equalities `held`, near orthonormal in their columns.

    Where no active row sees some direction, a level of which every row has its margin, the step
    goes far along it, meets rows at once, and all other directions wait. So a short step is
    followed by one with a larger ridge, as Levenberg and Marquardt do: a table of 5,000 rows, 250
    levels and 250 numbers takes some 20 steps, and without it more than 80.

    is_enough : whether so small a gradient may be taken for none; else only rounding may
    is_hasty : whether to end at the first direction that is zero on the active rows and opposes
        no other, both up to `TIGHT`: steps would run away along it, but slowly
    """
    v = np.zeros(rows.shape[1]) if v is None else v
    scores, kept = rows @ v, held @ v
    square = held.T @ held
    ridge = LEAST_RIDGE
    end: End = "open"
    for _ in range(most_steps):
        clock.check()
        slacks = np.maximum(0.0, 1.0 - scores)
        active = np.flatnonzero(slacks)
        few = rows[active]
        gradient = few.T @ slacks[active] - held.T @ kept + pull
        terms = np.abs(few).T @ slacks[active] + np.abs(held).T @ np.abs(kept) + np.abs(pull)
        is_rounding = np.linalg.norm(gradient) <= ROUNDED_GRADIENT * np.linalg.norm(terms)
        if is_rounding or (is_enough is not None and is_enough(gradient)):
            end = "balanced"
            break
        hessian = few.T @ few + square
        solve = _solver(hessian, np.full(len(hessian), ridge * _trace(hessian)))
        step = solve(gradient)
        along, along_held = rows @ step, held @ step
        size = line_search(scores, along, kept, along_held, float(pull @ step))
        if size == 0.0:
            break
        v = v + size * step
        scores, kept = scores + size * along, kept + size * along_held
        if size >= LONGEST_STEP or (not len(held) and scores.min() > 0.0):
            end = "runs away"
            break
        if is_hasty and ridge == LEAST_RIDGE:
            unmoved = solve(solve(v))  # next to nothing is left but what active rows do not see
            unmoved /= np.linalg.norm(unmoved)
            seen = rows @ unmoved
            if seen.min() > -TIGHT and seen.max() > TIGHT:
                v, scores, end = unmoved, seen, "runs away"
                break
        is_short = size < SHORT_STEP
        ridge = min(1e3 * ridge, MOST_RIDGE) if is_short else max(0.01 * ridge, LEAST_RIDGE)
    return HingeSolution(v, scores, np.maximum(0.0, 1.0 - scores), -kept, end)


def minimise_with_ridge(
    rows: Any,
    w: np.ndarray,
    epsilon: float,
    clock: Clock,
    until_separated: bool = False,
    free_last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Newton's steps from w for one ε; returns the weights and the scores rows @ w."""
    score, weighed = rows @ w, np.ones(len(w))  # which weights ε weighs
    weighed[-1] -= free_last
    for _ in range(MOST_STEPS):
        clock.check()
        if until_separated and score.min() > 0.0:
            break
        slack = np.maximum(0.0, 1.0 - score)
        active = np.flatnonzero(slack)
        few = rows[active]
        gradient = epsilon * weighed * w - few.T @ slack[active]
        if np.linalg.norm(gradient) <= 1e-9 * slack.sum():
            break
        step = _minimum_on(few, epsilon * weighed) - w
        along = rows @ step
        # The first term is that of equalities √ε·w_j = 0.
        root = math.sqrt(epsilon) * weighed
        size = line_search(score, along, root * w, root * step, 0.0)
        if size == 0.0:
            break
        w = w + size * step
        score = score + size * along
    return w, score


def _minimum_on(few: Any, ridge: np.ndarray) -> np.ndarray:
    """The w that minimises ½·Σ ridge_j·w_j² + ½·Σ (1 - u_i·w)² over these rows."""
    count, dim = few.shape
    if min(count, dim) > MOST_PRODUCTS:
        return _conjugate_gradients(few, ridge)
    if count >= dim:
        return _solver(dense(few.T @ few), ridge)(np.asarray(few.T @ np.ones(count)))
    # Fewer rows than columns: w = Σ α_i·u_i, with α from the rows' Gram matrix.
    is_free = ridge[-1] == 0.0
    body = few[:, :-1] if is_free else few
    solve = _solver(dense(body @ body.T), np.full(count, ridge[0]))
    plain = solve(np.ones(count))
    if not is_free:
        return np.asarray(few.T @ plain)
    last = np.asarray(dense(few[:, -1:])).ravel()
    tilted = solve(last)
    slope = float(last @ tilted)  # 0 where the rows are so large that nothing is left of it
    offset = float(last @ plain) / slope if slope else 0.0
    return np.append(body.T @ (plain - offset * tilted), offset)


def _conjugate_gradients(few: Any, ridge: np.ndarray) -> np.ndarray:
    """The same minimum without a matrix of its size, and only nearly."""
    w = np.zeros(few.shape[1])
    residual = np.asarray(few.T @ np.ones(few.shape[0]))
    step, square = residual.copy(), float(residual @ residual)
    enough = 1e-12 * square
    for _ in range(CONJUGATE_STEPS):
        image = few.T @ (few @ step) + ridge * step
        size = square / float(step @ image)
        w += size * step
        residual -= size * image
        last, square = square, float(residual @ residual)
        if square <= enough:
            break
        step = residual + (square / last) * step
    return w


def dense(matrix: Any) -> np.ndarray:
    """The matrix as an array, whichever it was."""
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())


def _trace(matrix: np.ndarray) -> float:
    return float(np.trace(matrix)) or 1.0


def _solver(matrix: np.ndarray, ridge: np.ndarray) -> Solver:
    """What multiplies by (M + ridge)⁻¹, M positive semidefinite; the ridge is raised at need."""
    least = 0.01 * LEAST_RIDGE * _trace(matrix)
    while True:
        try:
            with one_thread_to_factor(len(matrix)):
                factor = np.linalg.cholesky(matrix + np.diag(ridge))
            break
        except np.linalg.LinAlgError:
            ridge = np.maximum(10.0 * ridge, least)
    if len(factor) <= NUMPY_COLUMNS:
        return lambda right: np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    from scipy.linalg import cho_solve

    return lambda right: np.asarray(cho_solve((factor, True), right, check_finite=False))


def line_search(
    scores: np.ndarray, along: np.ndarray, kept: np.ndarray, along_held: np.ndarray, pulled: float
) -> float:
    """The size at which f stops falling; `LONGEST_STEP` where it does not stop.

    scores, along : m_i·v and m_i·step; kept, along_held : q_k·v and q_k·step; pulled : p·step
    """
    linear = float(kept @ along_held) - pulled
    square = float(along_held @ along_held)

    def slope(size: float) -> float:
        slack = np.maximum(0.0, 1.0 - scores - size * along)
        return linear + size * square - float(slack @ along)

    if not slope(0.0) < 0.0:
        return 0.0
    low, high = 0.0, 1.0
    while slope(high) < 0.0:
        low, high = high, 4.0 * high
        if high > LONGEST_STEP:
            return LONGEST_STEP
    # Between two breakpoints the slope is linear: false position, halved where it is slow.
    at_low, at_high = slope(low), slope(high)
    for k in range(60):
        middle = low - at_low * (high - low) / (at_high - at_low) if k % 3 else (low + high) / 2.0
        value = slope(middle)
        if value < 0.0:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
        if value == 0.0 or high - low <= 1e-12 * high:
            break
    return high
