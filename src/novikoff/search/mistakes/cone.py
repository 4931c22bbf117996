"""Many obstructions at once: a batch of small linear programs, solved side by side in floats.

    minimise  Σ p_j·λ_j    subject to    Σ λ_j·u_j = -u_i,    λ >= 0

for a row i and prices p > 0 of the others. Each solution is a basis, so the rows with λ_j > 0 and
row i are an obstruction of at most d + 2 rows. Different rows i, and different prices, give
different obstructions: prices are how the caller asks for what it lacks. All programs of a batch
make their pivots together, so a pivot costs one product of matrices; none of it is trusted.
"""

from __future__ import annotations

from contextlib import suppress

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
    found: list[tuple[int, ...]] = []
    for which in np.array_split(asked, -(-len(asked) // max(2, PRICE_CELLS // len(rows)))):
        clock.check()
        shape = len(which), len(x)
        prices = x * random.uniform(0.5, 1.5, shape)
        prices += (1.0 if first else 0.01) * random.exponential(1.0, shape) + 1e-4
        prices[:, barred] = np.inf
        supports = combinations(rows, which, prices, random, clock)
        found += [support for support in supports if x[list(support)].sum() < 1.0 - 1e-6]
    return found


def combinations(
    rows: np.ndarray,
    targets: np.ndarray,
    prices: np.ndarray,
    random: np.random.Generator,
    clock: Clock,
) -> list[tuple[int, ...]]:
    """Minus each target row from the others; `prices` has a line for each, inf for a row barred.

    `rows` (n × D) are of length about 1, `targets` places in it. The obstructions as sorted places
    of rows; one may be there twice.
    """
    count, dim = len(targets), rows.shape[1]
    goal = -rows[targets]
    signs = np.where(goal < 0, -1.0, 1.0)
    shaken = goal + TARGET_SHAKE * random.uniform(0.5, 1.0, goal.shape) * signs
    artificial = signs[:, None, :] * np.eye(dim)
    inverse = artificial.copy()
    basis = np.full((count, dim), -1)
    costs = np.full((count, dim), LEFTOVER_PRICE)
    weights = np.abs(shaken)
    prices = prices.copy()
    prices[np.arange(count), targets] = np.inf
    alive = np.arange(count)
    for step in range(20 + 12 * dim):
        clock.check()
        if step % BATCH_PIVOTS == BATCH_PIVOTS - 1:
            is_real = (basis[alive] >= 0)[:, None, :]  # anew: rounding adds up over pivots
            columns = np.where(is_real, rows[basis[alive]].transpose(0, 2, 1), artificial[alive])
            with suppress(np.linalg.LinAlgError):
                inverse[alive] = np.linalg.inv(columns)
            weights[alive] = np.einsum("kij,kj->ki", inverse[alive], shaken[alive])
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
        leaving, least = ratios.argmin(axis=1), ratios.min(axis=1)
        if not np.isfinite(least).all():  # by rounding
            parts = alive, entering, change, leaving, least
            alive, entering, change, leaving, least = (one[np.isfinite(least)] for one in parts)
        line = inverse[alive, leaving] / np.take_along_axis(change, leaving[:, None], axis=1)
        inverse[alive] -= change[:, :, None] * line[:, None, :]
        inverse[alive, leaving] = line
        weights[alive] -= least[:, None] * change
        weights[alive, leaving] = least
        basis[alive, leaving] = entering
        costs[alive, leaving] = prices[alive, entering]
    weights = np.einsum("kij,kj->ki", inverse, goal)
    left_over = np.where(basis < 0, np.abs(weights), 0.0).max(axis=1)
    solved = (left_over < LEAST_MULTIPLIER) & (weights.min(axis=1) > -LEAST_MULTIPLIER)
    used = (basis >= 0) & (weights > LEAST_MULTIPLIER)
    return [
        tuple(sorted({int(targets[k]), *basis[k, used[k]].tolist()}))
        for k in np.flatnonzero(solved)
    ]
