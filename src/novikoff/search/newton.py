"""One convex problem that answers both ways: the squared hinge, minimised by Newton steps.

    minimise  f(w) = ε/2·‖w‖² + ½·Σ max(0, 1 - u_i·w)²

If a separator exists, w becomes one as ε falls, and in the limit the one of largest margin. If
none exists, the slacks r_i = 1 - u_i·w of the active rows tend to an obstruction, because
Σ r_i·u_i = ε·w at the minimum. Only the active rows enter a step. After Mangasarian (2002) and
Keerthi & DeCoste (2005), whose ε is fixed.

Where the last weight is free (an offset that is not part of the margin) ε does not weigh it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.hinge import line_search
from novikoff.search.threads import SMALL, one_thread_to_factor

EPSILONS = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
STEPS = 40  # Newton steps for each ε
FEW = 1e-6  # a slack under this share of the largest is dropped before an obstruction is read
BLOCK = 4096
LARGE = 3000  # rows and columns from which no matrix of that many rows is made of CSR rows
MOST_DENSE = 12_000  # and of dense ones, which are larger than it
CONJUGATE_STEPS = 100
DROPS = 15  # attempts to balance the active rows, each without those that came out negative


@dataclass(frozen=True)
class Leaning:
    """Either w separates the rows, or `slacks` balance the rows at places `active`, nearly."""

    w: np.ndarray
    epsilon: float
    active: np.ndarray | None = None
    slacks: np.ndarray | None = None


def lean(rows: Any, w: np.ndarray, clock: Clock, first: float = EPSILONS[0]) -> Iterator[Leaning]:
    """Minimise for smaller and smaller ε; yield a separator, or balanced slacks as they appear."""
    for epsilon in (e for e in EPSILONS if e <= first):
        w, score = descend(rows, w, epsilon, clock, until_separated=True)
        if score.min() > 0.0:
            yield Leaning(w, epsilon)
            return
        active = np.flatnonzero(score < 1.0)
        if (balanced := _balanced(rows, active)) is not None:
            yield Leaning(w, epsilon, *balanced)


def descend(
    rows: Any,
    w: np.ndarray,
    epsilon: float,
    clock: Clock,
    until_separated: bool = False,
    free_last: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Minimise f from w for one ε; returns the weights and the scores rows @ w."""
    score, root = rows @ w, math.sqrt(epsilon)
    for _ in range(STEPS):
        clock.check()
        if until_separated and score.min() > 0.0:
            break
        slack = np.maximum(0.0, 1.0 - score)
        active = np.flatnonzero(slack)
        few = rows[active]
        gradient = epsilon * _weighed(w, free_last) - few.T @ slack[active]
        if np.linalg.norm(gradient) <= 1e-9 * slack.sum():
            break
        step = minimum_on(few, epsilon, free_last) - w
        along = rows @ step
        # The first term is that of equalities √ε·w_j = 0.
        kept, along_kept = root * _weighed(w, free_last), root * _weighed(step, free_last)
        size = line_search(score, along, kept, along_kept, 0.0)
        if size == 0.0:
            break
        w = w + size * step
        score = score + size * along
    return w, score


def _weighed(w: np.ndarray, free_last: bool) -> np.ndarray:
    return np.append(w[:-1], 0.0) if free_last else w


def minimum_on(few: Any, epsilon: float, free_last: bool = False) -> np.ndarray:
    """The w that minimises ε/2·‖w‖² + ½·Σ (1 - u_i·w)² over these rows."""
    count, dim = few.shape
    if min(count, dim) > (MOST_DENSE if isinstance(few, np.ndarray) else LARGE):
        return _conjugate_gradients(few, epsilon, free_last)
    if count >= dim:
        hessian = np.zeros((dim, dim))
        for start in range(0, count, BLOCK):
            part = few[start : start + BLOCK]
            hessian += dense(part.T @ part)
        weighed = np.full(dim, 1.0)
        weighed[-1] -= free_last
        return _solve(hessian, np.asarray(few.T @ np.ones(count)), epsilon * weighed)
    # Fewer rows than columns: w = Σ α_i·u_i, with α from the rows' Gram matrix.
    body = few[:, :-1] if free_last else few
    gram = dense(body @ body.T)
    ones = np.ones(count)
    weighed = np.full(count, epsilon)
    if not free_last:
        return np.asarray(few.T @ _solve(gram, ones, weighed))
    last = np.asarray(dense(few[:, -1:])).ravel()
    plain, tilted = _solve(gram, ones, weighed), _solve(gram, last, weighed)
    slope = float(last @ tilted)  # 0 where the rows are so large that nothing is left of it
    offset = float(last @ plain) / slope if slope else 0.0
    return np.append(body.T @ (plain - offset * tilted), offset)


def _conjugate_gradients(few: Any, epsilon: float, free_last: bool) -> np.ndarray:
    """The same minimum without a matrix of its size, and only nearly."""
    w = np.zeros(few.shape[1])
    residual = np.asarray(few.T @ np.ones(few.shape[0]))
    step, square = residual.copy(), float(residual @ residual)
    enough = 1e-12 * square
    for _ in range(CONJUGATE_STEPS):
        image = few.T @ (few @ step) + epsilon * _weighed(step, free_last)
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


def _solve(matrix: np.ndarray, right: np.ndarray, ridge: np.ndarray) -> np.ndarray:
    """(M + ridge)⁻¹·right for a positive semidefinite M; the ridge is raised where it must be."""
    trace = float(np.trace(matrix)) or 1.0
    while True:
        try:
            with one_thread_to_factor(len(matrix)):
                factor = np.linalg.cholesky(matrix + np.diag(ridge))
            return _solve_factored(factor, right)
        except np.linalg.LinAlgError:
            ridge = np.maximum(10.0 * ridge, 1e-15 * trace)


def _solve_factored(factor: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(L·Lᵀ)⁻¹·right."""
    if len(factor) <= SMALL:
        return np.linalg.solve(factor.T, np.linalg.solve(factor, right))
    from scipy.linalg import cho_solve

    return np.asarray(cho_solve((factor, True), right, check_finite=False))


def _balanced(rows: Any, active: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The slacks at ε → 0 on the active rows, if they are an obstruction up to rounding."""
    for _ in range(DROPS):
        if len(active) == 0:
            return None
        few = rows[active]
        slack = 1.0 - few @ minimum_on(few, 1e-14 * len(active))
        largest = float(slack.max())
        if largest <= 1e-6:
            return None
        enough = slack > FEW * largest
        if enough.all():
            off = float(np.linalg.norm(few.T @ slack))
            return (active, slack) if off <= 1e-6 * slack.sum() else None
        active = active[enough]
    return None
