"""Newton's steps to the maximum of a concave log-likelihood that is known to have one.

Dense columns are made orthonormal first, so that their sizes and their near dependences cost no
digits of the information matrix. Sparse columns are scaled to length 1; with many of them the
steps are solved by conjugate gradients, so that no matrix of columns by columns is ever made.

The Newton decrement λ² = gᵀ·I⁻¹·g is twice by how much the log-likelihood is below its maximum,
and λ is how far the estimate is off, in standard errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.regression.limit.likelihoods import Likelihood, Local, weighted
from novikoff.search.threads import one_thread

MOST_STEPS = 200
DECREMENT_WANTED = 1e-20  # λ²: the estimate is 1e-10 standard errors from the maximum
DECREMENT_ACCEPTED = 1e-8  # λ² that is good enough where rounding lets no step raise the likelihood
MOST_FACTORED = 2_000  # sparse columns whose information matrix is factored
DECREMENT_FAR = 1.0  # λ² of steps that are shortened
MOST_MOVED_BY_A_STEP = 20.0  # by such a step, of a linear predictor, beyond what it is
MOST_HALVINGS = 41  # of a step
SHARE_OF_RISE = 1e-4  # of the rise that a step promises, what it must bring
ROUNDING_OF_SUMS = 1e-13  # of the log-likelihood, which is a sum of many terms
RESIDUAL = 1e-10  # of conjugate gradients, against the right-hand side
MOST_GRADIENTS = 5_000
Solve = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Maximum:
    """Where the log-likelihood is largest, perhaps under the constraint that d·γ is a number.

    multiplier : the slope of that maximum by the number; 0 without a constraint
    gradient_norm, decrement : what is left of the gradient, in the scaled coordinates, and λ²
    solve : v ↦ I⁻¹·v, at the maximum
    """

    problem: Problem
    gamma: np.ndarray
    value: float
    steps: int
    gradient_norm: float
    decrement: float
    multiplier: float
    solve: Solve

    def beta(self) -> np.ndarray:
        inward = self.problem.inward
        return np.asarray(inward @ self.gamma if inward.ndim == 2 else inward * self.gamma)

    def estimate(self, c: np.ndarray) -> float:
        return float(self.problem.combination(c) @ self.gamma)

    def standard_error(self, c: np.ndarray) -> float:
        """Of the estimate of c·β, by the inverse information."""
        d = self.problem.combination(c)
        size = float(np.abs(d).max(initial=0.0))
        return size * float(np.sqrt((d / size) @ self.solve(d / size))) if size else 0.0


@dataclass(frozen=True, eq=False)
class Problem:
    """A log-likelihood over η = Z·β + offset, in the coordinates of Newton's steps: Z = M·T⁻¹.

    matrix : M, orthonormal and dense, or CSR
    inward : T, or its diagonal: β = T·γ
    near : η to start near, and their weights; None to start at β = 0
    """

    likelihood: Likelihood
    matrix: Any
    inward: np.ndarray
    offset: np.ndarray
    near: tuple[np.ndarray, np.ndarray] | None

    @classmethod
    def of(
        cls,
        likelihood: Likelihood,
        columns: Any,
        offset: np.ndarray,
        near: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Problem:
        if isinstance(columns, np.ndarray):
            return cls(likelihood, *_orthonormal(columns), offset, near)
        scale = _lengths(np.sqrt(np.asarray(columns.multiply(columns).sum(axis=0)).ravel()))
        return cls(likelihood, columns.multiply(1 / scale).tocsr(), 1 / scale, offset, near)

    @property
    def is_factored(self) -> bool:
        """Whether the information matrix is made."""
        return isinstance(self.matrix, np.ndarray) or self.matrix.shape[1] <= MOST_FACTORED

    def combination(self, c: np.ndarray) -> np.ndarray:
        """c·β as a combination of γ."""
        return np.asarray(c @ self.inward if self.inward.ndim == 2 else c * self.inward)

    def eta(self, gamma: np.ndarray) -> np.ndarray:
        return np.asarray(self.matrix @ gamma + self.offset)

    def at(self, gamma: np.ndarray) -> Local:
        """The log-likelihood there; its value is -∞ where floats do not hold it."""
        with np.errstate(all="ignore"):
            found = self.likelihood(self.eta(gamma))
        return found if np.isfinite(found.value) else found._replace(value=-np.inf)

    def _solver(self, there: Local) -> Solve:
        """v ↦ I⁻¹·v, with the information at a point."""
        if self.is_factored or there.grouped is not None:
            return _factored(there.information(self.matrix))
        return self._by_gradients(there.bends)

    def _by_gradients(self, bends: np.ndarray) -> Solve:
        """Conjugate gradients, scaled by the diagonal; they need no independent columns."""
        from scipy.sparse.linalg import LinearOperator, cg

        matrix = self.matrix
        across, shape = matrix.T.tocsr(), (matrix.shape[1],) * 2
        diagonal = _lengths(np.asarray(across.multiply(across) @ bends).ravel())
        information = LinearOperator(shape, lambda v: across @ (bends * (matrix @ v)), dtype=float)
        scaled = LinearOperator(shape, lambda v: v / diagonal, dtype=float)

        def solve(right: np.ndarray) -> np.ndarray:
            found, _ = cg(information, right, rtol=RESIDUAL, maxiter=MOST_GRADIENTS, M=scaled)
            return np.asarray(found)

        return solve

    def _start(self) -> np.ndarray:
        """Zeros, or the least-squares fit to predictors near the outcomes."""
        zeros = np.zeros(self.matrix.shape[1])
        if self.near is None or not len(zeros):
            return zeros
        eta, weights = self.near
        solve = (
            _factored(weighted(self.matrix, weights))
            if self.is_factored
            else self._by_gradients(weights)
        )
        near = solve(np.asarray(self.matrix.T @ (weights * (eta - self.offset))))
        return near if self.at(near).value > self.at(zeros).value else zeros

    def maximise(
        self,
        start: np.ndarray | None = None,
        constraint: np.ndarray | None = None,
        number: float | None = None,
        enough: float = DECREMENT_WANTED,
    ) -> Maximum:
        """The maximum, of all γ or of those with constraint·γ = number, to a decrement `enough`.

        Without a number, constraint·γ stays what it is where the steps start.
        """
        with one_thread(self.matrix.shape[1]), np.errstate(all="ignore"):
            gamma = self._start() if start is None else start
            if constraint is not None and number is not None:
                away = number - float(constraint @ gamma)
                gamma = gamma + constraint * (away / float(constraint @ constraint))
            return self._steps(gamma, constraint, enough)

    def _steps(self, gamma: np.ndarray, constraint: np.ndarray | None, enough: float) -> Maximum:
        there, matrix = self.at(gamma), self.matrix
        if not np.isfinite(there.value):
            raise InputError(_LOST.format("the likelihood is zero where the steps start"))
        best: Maximum | None = None
        for step in range(MOST_STEPS):
            gradient, solve = np.asarray(matrix.T @ there.slopes), self._solver(there)
            ahead, multiplier = solve(gradient), 0.0
            if constraint is not None:
                across = solve(constraint)
                multiplier = float(constraint @ ahead) / float(constraint @ across)
                ahead = ahead - multiplier * across
                gradient = gradient - multiplier * constraint
            decrement = float(np.maximum(gradient @ ahead, 0.0))
            norm = float(np.linalg.norm(gradient))
            found = Maximum(self, gamma, there.value, step, norm, decrement, multiplier, solve)
            if not np.isfinite(decrement):
                break
            if best is None or decrement < best.decrement:
                best = found
            if decrement <= enough:
                return best
            if best is not found and best.decrement < DECREMENT_ACCEPTED:
                break
            if decrement > DECREMENT_FAR:  # a flat likelihood promises more than it holds
                moved = float(np.abs(matrix @ ahead).max())
                farthest = MOST_MOVED_BY_A_STEP + float(np.abs(self.eta(gamma)).max())
                ahead = ahead * min(1.0, farthest / moved)
            rise = SHARE_OF_RISE * float(gradient @ ahead)
            rounding = ROUNDING_OF_SUMS * (1 + abs(there.value))
            for length in 2.0 ** -np.arange(MOST_HALVINGS):
                then = self.at(gamma + length * ahead)
                if then.value - there.value >= rise * length - rounding:
                    break
            else:
                break
            gamma, there = gamma + length * ahead, then
        if best is None or best.decrement > DECREMENT_ACCEPTED:
            left = "nothing" if best is None else f"{best.decrement:.1e}"
            raise InputError(_LOST.format(f"Newton's steps ended with a decrement of {left}"))
        return best


def _orthonormal(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Q and T with Q = Z·T. Beside a constant, columns are centred first: differences of numbers
    near each other are exact, and the products of a factorization would round them."""
    if matrix.size == 0:
        return matrix, np.eye(matrix.shape[1])
    if not np.isfinite(matrix).all():
        raise InputError(_LOST.format("it has numbers beyond 1.8e308"))
    largest = np.ldexp(1.0, np.frexp(np.abs(matrix).max(axis=0))[1])  # no digit is lost by it
    scaled = matrix / largest
    centre = np.zeros(scaled.shape[1])
    constants = np.flatnonzero((scaled == scaled[0]).all(axis=0) & (scaled[0] != 0))
    if len(constants):
        centre = scaled.mean(axis=0)
        centre[constants[0]] = 0.0
    q, r = np.linalg.qr(scaled - centre)
    try:
        inward = np.linalg.inv(r)
    except np.linalg.LinAlgError:
        raise InputError(_LOST.format("to floats, its columns depend on each other")) from None
    if len(constants):
        one = constants[0]
        inward[one] -= (centre / scaled[0, one]) @ inward
    with np.errstate(over="ignore"):
        inward = inward / largest[:, None]
    if not np.isfinite(inward).all():
        raise InputError(_LOST.format("its columns have numbers below 1e-307"))
    return q, inward


def _lengths(lengths: np.ndarray) -> np.ndarray:
    return np.where(lengths > 0, lengths, 1.0)


def _factored(information: np.ndarray) -> Solve:
    """v ↦ I⁻¹·v, by Cholesky's factor."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    scale = np.sqrt(_lengths(np.diag(information)))
    found = information / np.outer(scale, scale)
    for ridge in (0.0, 1e-14, 1e-10, 1e-6):  # a nearly flat likelihood far from its maximum
        try:
            factor = cho_factor(found + ridge * np.eye(len(found)), check_finite=False)
        except LinAlgError:
            continue
        return lambda v: np.asarray(cho_solve(factor, v / scale, check_finite=False) / scale)
    raise InputError(_LOST.format("the information matrix is singular to rounding"))


_LOST = (
    "the estimate exists, by proof, but floats cannot compute it: {}; scale or centre the columns, "
    "or leave out columns that are nearly combinations of others."
)
