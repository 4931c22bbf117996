"""The fewest mistakes by counting: every hyperplane through enough rows to fix it.

A best hyperplane can be moved until it passes through D - 1 independent rows z (D: their rank).
So the least cost is the least, over such hyperplanes and both orientations, of the rows strictly
on the wrong side and of the same question for the rows *on* it. Independent rows cost nothing:
all of them can be made right.

Floats only pass hyperplanes over: those of which the mistakes that a bound on rounding makes sure
cost as much as a known answer already. All others are looked at in integers. It is decided, not
proven in a file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, islice

import numpy as np

from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.integers import pivots_of
from novikoff.search.mistakes.hitting_set import HittingSetSearch
from novikoff.search.strict import Separated, decide_strict

SECONDS_FOR_A_PROOF = 2.0  # seconds that obstructions, which prove, have before a count
COUNTED_ROWS, COUNTED_COLUMNS = 5000, 8  # of a count that is thought of at all
SIDES_A_SECOND = 3e8  # sides of hyperplanes that are told in a second
PENCIL_SECONDS = 1e-5  # seconds for what a pencil takes besides
ROUNDED_VOLUME = 1e-11  # bounds the rounding of a volume of unit rows, 8 at most, many times
BLOCK_SIDES = 1 << 15  # told at a time: more are slower, because memory is
MOST_COST = 1 << 53  # units in all: sums of costs are exact as floats

Answer = tuple[int, frozenset[int]]  # a cost, and the rows given up for it


class CannotTellError(Exception):
    """Costs or rows are further apart than floats reach."""


def close(hitting: HittingSetSearch) -> bool:
    """Close the bracket as far as time allows; whether counting has decided what it is.

    Obstructions are first, and have the time of three counts, or half of all. They go on where a
    count is too long, or cannot tell.
    """
    clock, needed = hitting.clock, seconds_of(hitting.z.n_rows, hitting.z.dim)
    if 4.0 * needed > clock.left():
        hitting.run()
        return False
    pause = min(max(SECONDS_FOR_A_PROOF, 3.0 * needed), clock.left() / 2.0)
    hitting.clock = Clock(pause, clock.stop)
    try:
        hitting.run()
        return False
    except OutOfTimeError:
        pass
    finally:
        hitting.clock = clock
    try:
        counted(hitting)
    except CannotTellError:
        hitting.resume()
        return False
    if hitting.upper is not None:
        hitting.progress(hitting.upper, hitting.upper)
    return True


def seconds_of(n_rows: int, dim: int) -> float:
    """How long a count takes, about; infinity where it is out of the question."""
    if n_rows > COUNTED_ROWS or dim > COUNTED_COLUMNS:
        return math.inf
    sides = math.comb(n_rows, max(0, dim - 1)) * n_rows
    return sides / SIDES_A_SECOND + math.comb(n_rows, max(0, dim - 2)) * PENCIL_SECONDS


def counted(hitting: HittingSetSearch) -> None:
    """Make the best hyperplane one that costs least of all."""
    z, costs = hitting.z, hitting.costs
    total = sum(costs.whole[row] for row in z.rows.tolist())
    prices = [total + 1 if costs.trusted[row] else costs.whole[row] for row in z.rows.tolist()]
    if hitting.upper is None or sum(prices) >= MOST_COST:
        raise CannotTellError
    hitting.how.append("counting of hyperplanes")
    whole, _, scale = z.integers(z.rows)
    if z.fit_intercept:  # columns are shifted, so that floats see their differences
        signs = z.signs[z.rows].astype(object)
        for j in range(whole.shape[1] - 1):  # sign·x becomes sign·(x - middle)
            column = whole[:, j] * signs
            middle = (int(min(column)) + int(max(column))) // 2
            whole[:, j] -= signs * (middle - middle % scale)
    found = least(whole, np.array(prices, dtype=np.float64), hitting.upper, hitting.clock)
    if found is not None:
        rest = np.delete(z.rows, sorted(found[1]))
        answer = decide_strict(hitting.among(rest), hitting.clock)
        if not isinstance(answer, Separated):
            raise RuntimeError("a hyperplane was counted wrongly")
        hitting.offer(answer.weights)


def least(whole: np.ndarray, costs: np.ndarray, bound: int, clock: Clock) -> Answer | None:
    """The least cost of these integer rows, if it is below `bound`, and rows to give up."""
    clock.check()
    is_live = whole.any(axis=1)
    live, zero = np.flatnonzero(is_live), np.flatnonzero(~is_live)
    base = int(costs[zero].sum())
    found: Answer | None = (0, frozenset())
    if len(live):
        columns = _pivots(whole[live])
        rows = whole[live][:, columns]
        if len(columns) == 1:
            sides = [np.flatnonzero(rows[:, 0] > 0), np.flatnonzero(rows[:, 0] < 0)]
            price, gone = min((int(costs[live[side]].sum()), side.tolist()) for side in sides)
            found = price, frozenset(gone)
        elif len(columns) < len(live):
            found = _over_planes(rows, costs[live], bound - base, clock)
    if found is None or base + found[0] >= bound:
        return None
    return base + found[0], frozenset([*zero.tolist(), *live[list(found[1])].tolist()])


def _over_planes(rows: np.ndarray, costs: np.ndarray, bound: int, clock: Clock) -> Answer | None:
    """The same over all hyperplanes through rows, which have full rank D >= 2, none of them 0.

    The hyperplanes through D - 2 chosen rows leave each row i two coordinates p_i. The volume of
    the chosen rows, row j and row i is that of the chosen ones times the product p_j × p_i: its
    sign is the side of row i of the hyperplane through row j.
    """
    from flint import fmpz_mat

    best: Answer | None = None
    seen: set[bytes] = set()  # the sides, as floats see them

    def limit() -> int:
        return bound

    for plane, sides in _promising(rows, costs, limit, clock):
        if sides.tobytes() in seen:
            continue
        basis, nullity = fmpz_mat(rows[plane].tolist()).nullspace()
        if nullity != 1:
            continue
        normal = np.array([int(basis[j, 0]) for j in range(rows.shape[1])], dtype=object)
        scores = rows @ normal
        on = np.flatnonzero(scores == 0)
        if (sides == 0).sum() == len(on):  # so that rows on another hyperplane have other sides
            seen.add(sides.tobytes())
        for wrong in (np.flatnonzero(scores < 0), np.flatnonzero(scores > 0)):
            price = int(costs[wrong].sum())
            inner = least(rows[on], costs[on], bound - price, clock) if price < bound else None
            if inner is not None:
                bound = price + inner[0]
                best = bound, frozenset([*wrong.tolist(), *on[list(inner[1])].tolist()])
    return best


def _promising(
    rows: np.ndarray, costs: np.ndarray, limit: Callable[[], int], clock: Clock
) -> Iterator[tuple[list[int], np.ndarray]]:
    """Rows of the hyperplanes that may be below the limit, and the sides as floats see them."""
    units = _units(rows)
    for chosen in _choices(*rows.shape):
        clock.check()
        bases, triangles = np.linalg.qr(units[chosen].transpose(0, 2, 1), mode="complete")
        volumes = np.abs(np.prod(np.diagonal(triangles, axis1=1, axis2=2), axis=1))[:, None]
        p = units @ bases[:, :, -2:]
        turned = volumes[:, :, None] * np.stack([p[..., 1], -p[..., 0]], axis=1)
        step = max(1, BLOCK_SIDES // (len(chosen) * len(rows)))
        for start in range(chosen[0, -1] + 1 if chosen.size else 0, len(rows), step):
            through = p[:, start : start + step]
            unsure = np.linalg.norm(through, axis=2) * volumes <= ROUNDED_VOLUME
            dependent = unsure.copy()
            for k in np.flatnonzero(unsure.any(axis=1)):
                together = np.append(chosen[k], start + np.flatnonzero(unsure[k]))
                dependent[k] &= len(_pivots(rows[together])) <= chosen.shape[1]
            sides = through @ turned
            above, below = sides > ROUNDED_VOLUME, sides < -ROUNDED_VOLUME
            sure_cost = np.minimum(above @ costs, below @ costs)
            for k, j in np.argwhere(~dependent & (sure_cost < limit())):
                yield [*chosen[k].tolist(), start + int(j)], above[k, j].astype("i1") - below[k, j]


def _choices(n_rows: int, dim: int) -> Iterator[np.ndarray]:
    """Every D - 2 rows, many at a time, with the same last one: others come after it."""
    if dim == 2:
        yield np.zeros((1, 0), dtype=np.intp)
    for last in range(dim - 3, n_rows - 1) if dim > 2 else ():
        before = combinations(range(last), dim - 3)
        size = max(1, BLOCK_SIDES // (n_rows * (n_rows - last)))
        while some := [(*first, last) for first in islice(before, size)]:
            yield np.array(some)


def _units(rows: np.ndarray) -> np.ndarray:
    """The rows as floats of length 1, after each column is divided by its largest number."""
    shares = (rows / np.abs(rows).max(axis=0)).astype(np.float64)
    lengths = np.linalg.norm(shares, axis=1)
    if lengths.min() < 1e-150:
        raise CannotTellError
    return np.asarray(shares / lengths[:, None])


def _pivots(rows: np.ndarray) -> list[int]:
    """Columns that all others depend on, for certain: as many as the rank."""
    from flint import fmpz_mat

    reduced, _, rank = fmpz_mat(rows.tolist()).rref()
    return pivots_of(reduced, rank)
