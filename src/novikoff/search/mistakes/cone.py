"""Many obstructions at once: a batch of small linear programs, solved side by side in floats.

    minimise  Σ p_j·λ_j    subject to    Σ λ_j·u_j = -u_i,    λ >= 0

for a row i and prices p > 0 of the others. Each solution is a basis, so the rows with λ_j > 0 and
row i are an obstruction of at most d + 2 rows. Different rows i, and different prices, give
different obstructions: prices are how the caller asks for what it lacks. All programs of a batch
make their pivots together, so a pivot costs one product of matrices; none of it is trusted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff.search.clock import Clock

LEFTOVER_PRICE = 1e3  # the price of what is left over, where prices of rows are at most about 1
ROUNDED_GAIN = 1e-9  # a gain or a change under this is rounding
BATCH_PIVOTS = 24  # pivots between two inversions of the bases
TARGET_SHAKE = 1e-7  # of the targets: ties of the ratio test do not go round in circles
LEAST_MULTIPLIER = 1e-6  # λ under this is taken for zero
PRICE_CELLS = 1 << 22  # numbers in a table of prices
PRICES_A_ROW = 4  # asked for at most: more give the same obstructions again
ROWS_ASKED = 400  # in a round


@dataclass(frozen=True)
class Batch:
    """For each target the rows of its basis (-1: an artificial one), and their λ."""

    basis: np.ndarray
    weights: np.ndarray
    solved: np.ndarray

    def supports(self, targets: np.ndarray) -> list[tuple[int, ...]]:
        """The obstructions as sorted places of rows, each once."""
        found = dict.fromkeys(
            tuple(sorted({int(target), *line[weight > LEAST_MULTIPLIER].tolist()}))
            for target, line, weight, solved in zip(
                targets, self.basis, self.weights, self.solved, strict=True
            )
            if solved
        )
        return list(found)


def missed_by(
    x: np.ndarray,
    rows: np.ndarray,
    targets: np.ndarray,
    barred: np.ndarray,
    first: bool,
    random: np.random.Generator,
    clock: Clock,
) -> list[tuple[int, ...]]:
    """Obstructions, as places of rows, of which x gives up less than one row in sum.

    Each has one of the targets. Prices are x and chance: little of it, or, at `first`, much.
    """
    repeats = max(1, min(PRICES_A_ROW, 2 * ROWS_ASKED // len(targets)))
    asked = np.repeat(targets, repeats)
    found: dict[tuple[int, ...], None] = {}
    for which in np.array_split(asked, -(-len(asked) // max(2, PRICE_CELLS // len(rows)))):
        clock.check()
        shape = len(which), len(x)
        prices = x * random.uniform(0.5, 1.5, shape)
        prices += (1.0 if first else 0.01) * random.exponential(1.0, shape) + 1e-4
        prices[:, barred] = np.inf
        for support in combinations(rows, which, prices, random, clock).supports(which):
            if x[list(support)].sum() < 1.0 - 1e-6:
                found[support] = None
    return list(found)


def combinations(
    rows: np.ndarray,
    targets: np.ndarray,
    prices: np.ndarray,
    random: np.random.Generator,
    clock: Clock,
) -> Batch:
    """Minus each target row from the others; `prices` has a line for each, inf for a row barred.

    `rows` (n × D) are of length about 1, `targets` places in it.
    """
    count, dim = len(targets), rows.shape[1]
    goal = -rows[targets]
    shaken = goal + TARGET_SHAKE * random.uniform(0.5, 1.0, goal.shape) * np.where(
        goal < 0, -1.0, 1.0
    )
    inverse = np.zeros((count, dim, dim))
    diagonal = np.arange(dim)
    inverse[:, diagonal, diagonal] = np.where(shaken < 0, -1.0, 1.0)
    basis = np.full((count, dim), -1)
    signs = np.where(shaken < 0, -1.0, 1.0)
    costs = np.full((count, dim), LEFTOVER_PRICE)
    weights = np.abs(shaken)
    prices = prices.copy()
    prices[np.arange(count), targets] = np.inf
    alive = np.arange(count)
    for step in range(20 + 12 * dim):
        clock.check()
        if step % BATCH_PIVOTS == BATCH_PIVOTS - 1:
            _refactor(rows, basis, signs, shaken, inverse, weights, alive)
        duals = np.einsum("ki,kij->kj", costs[alive], inverse[alive])
        gains = prices[alive] - duals @ rows.T
        entering = gains.argmin(axis=1)
        going = gains[np.arange(len(alive)), entering] < -ROUNDED_GAIN * LEFTOVER_PRICE
        alive, entering = alive[going], entering[going]
        if not len(alive):
            break
        change = np.einsum("kij,kj->ki", inverse[alive], rows[entering])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(
                change > ROUNDED_GAIN, np.maximum(weights[alive], 0.0) / change, np.inf
            )
        leaving = ratios.argmin(axis=1)
        places = np.arange(len(alive))
        least = ratios[places, leaving]
        bounded = np.isfinite(least)
        if not bounded.all():
            alive, entering, change = alive[bounded], entering[bounded], change[bounded]
            leaving, least = leaving[bounded], least[bounded]
            places = np.arange(len(alive))
        line = inverse[alive, leaving] / change[places, leaving][:, None]
        inverse[alive] -= change[:, :, None] * line[:, None, :]
        inverse[alive, leaving] = line
        weights[alive] -= least[:, None] * change
        weights[alive, leaving] = least
        basis[alive, leaving] = entering
        costs[alive, leaving] = prices[alive, entering]
    weights = np.einsum("kij,kj->ki", inverse, goal)
    left_over = np.where(basis < 0, np.abs(weights), 0.0).max(axis=1)
    solved = (left_over < LEAST_MULTIPLIER) & (weights.min(axis=1) > -LEAST_MULTIPLIER)
    weights = np.where(basis < 0, 0.0, weights)
    return Batch(basis, weights, solved)


def _refactor(
    rows: np.ndarray,
    basis: np.ndarray,
    signs: np.ndarray,
    goal: np.ndarray,
    inverse: np.ndarray,
    weights: np.ndarray,
    alive: np.ndarray,
) -> None:
    """The inverses anew, from the rows themselves: rounding adds up over pivots."""
    dim = rows.shape[1]
    for k in alive.tolist():
        columns = np.zeros((dim, dim))
        real = basis[k] >= 0
        columns[:, real] = rows[basis[k, real]].T
        for j in np.flatnonzero(~real).tolist():
            columns[j, j] = signs[k, j]
        try:
            inverse[k] = np.linalg.inv(columns)
        except np.linalg.LinAlgError:
            continue
        weights[k] = inverse[k] @ goal[k]
