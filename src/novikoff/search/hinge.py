"""The pulled squared hinge: one minimisation that balances rows, or finds a direction of them.

Over rows m_i, equalities q_k and a pull p

    f(v) = Σ ½·max(0, 1 - m_i·v)² + Σ ½·(q_k·v)² - p·v.

With κ_i = max(0, 1 - m_i·v) and μ_k = -q_k·v its gradient is -(Σ κ_i·m_i + Σ μ_k·q_k + p). So at a
minimum κ >= 0 and μ carry -p. There is a minimum just when no direction v has m_i·v >= 0 on every
row, q_k·v = 0 on every equality and p·v > 0; otherwise the steps run away along such a direction.

Newton's steps on the rows with m_i·v < 1, each as long as an exact line search makes it: the slope
along a line is piecewise linear. Where there are many columns, steps of one fixed metric, which is
above every such Hessian, with Nesterov's momentum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.threads import SMALL, one_thread_to_factor

STEPS = 80  # of Newton's; 5 to 20 are usual
LONGEST = 1e12  # a step this many times Newton's is one that runs away
BALANCED = 1e-11  # a gradient under this share of its terms is rounding
RIDGE = 1e-13  # of the trace: keeps a Hessian of few rows invertible
TIGHT = 1e-7  # a score under this, for rows and weights of length 1, is taken for zero


@dataclass(frozen=True)
class Hinge:
    """Where the minimisation ended: balanced, along a direction that runs away, or neither."""

    v: np.ndarray
    scores: np.ndarray  # m_i·v
    slacks: np.ndarray  # κ_i
    factors: np.ndarray  # μ_k
    end: Literal["balanced", "runs away", "open"]


def minimise(
    rows: np.ndarray,
    held: np.ndarray,
    pull: np.ndarray,
    clock: Clock,
    v: np.ndarray | None = None,
    is_enough: Callable[[np.ndarray], bool] | None = None,
    most_steps: int = STEPS,
    is_hasty: bool = False,
) -> Hinge:
    """Newton's steps from v; rows, and equalities `held`, near orthonormal in their columns.

    is_enough : whether so small a gradient may be taken for none; else only rounding may
    is_hasty : whether to end at the first direction that is zero on the active rows and opposes
        no other, both up to `TIGHT`: steps would run away along it, but slowly
    """
    dim = rows.shape[1]
    v = np.zeros(dim) if v is None else v
    scores, kept = rows @ v, held @ v
    square = held.T @ held
    end: Literal["balanced", "runs away", "open"] = "open"
    for _ in range(most_steps):
        clock.check()
        slacks = np.maximum(0.0, 1.0 - scores)
        active = np.flatnonzero(slacks)
        few = rows[active]
        gradient = few.T @ slacks[active] - held.T @ kept + pull
        terms = np.abs(few).T @ slacks[active] + np.abs(held).T @ np.abs(kept) + np.abs(pull)
        is_rounding = np.linalg.norm(gradient) <= BALANCED * np.linalg.norm(terms)
        if is_rounding or (is_enough is not None and is_enough(gradient)):
            end = "balanced"
            break
        solve = _solver(few.T @ few + square)
        step = solve(gradient)
        along, along_held = rows @ step, held @ step
        size = line_search(scores, along, kept, along_held, float(pull @ step))
        if size == 0.0:
            break
        v = v + size * step
        scores, kept = scores + size * along, kept + size * along_held
        if size >= LONGEST:
            end = "runs away"
            break
        if not len(held) and scores.min() > 0.0:
            end = "runs away"
            break
        if is_hasty:
            unmoved = solve(solve(v))  # next to nothing is left but what active rows do not see
            unmoved /= np.linalg.norm(unmoved)
            seen = rows @ unmoved
            if seen.min() > -TIGHT and seen.max() > TIGHT:
                v, scores, end = unmoved, seen, "runs away"
                break
    return Hinge(v, scores, np.maximum(0.0, 1.0 - scores), -kept, end)


def _solver(hessian: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """What multiplies by the inverse of the Hessian, with a ridge that makes it invertible."""
    ridge = RIDGE * (float(np.trace(hessian)) or 1.0)
    while True:
        try:
            with one_thread_to_factor(len(hessian)):
                factor = np.linalg.cholesky(hessian + ridge * np.eye(len(hessian)))
            break
        except np.linalg.LinAlgError:
            ridge *= 100.0
    if len(factor) <= SMALL:
        return lambda right: np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    from scipy.linalg import cho_solve

    return lambda right: np.asarray(cho_solve((factor, True), right, check_finite=False))


def line_search(
    scores: np.ndarray, along: np.ndarray, kept: np.ndarray, along_held: np.ndarray, pulled: float
) -> float:
    """The size at which f stops falling; `LONGEST` where it does not stop.

    scores, along : m_i·v and m_i·step
    kept, along_held : q_k·v and q_k·step
    pulled : p·step
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
        if high > LONGEST:
            return LONGEST
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
