"""The search from both sides: obstructions that must be hit, hyperplanes that hit them.

The smallest set of rows whose removal leaves the rest separable hits every obstruction, and what
hits them all is such a set. So the linear program over a pool of obstructions (pool.py) bounds the
answer from below, and each hyperplane bounds it from above. Where x, the program's answer,
hits all that is known, more obstructions are asked for that it misses (cone.py): each has a row
that the best hyperplane gets wrong, so only these are asked about. Where none is found, x is whole
and right, or the tree branches on a row of which x gives up a part.

On large tables the obstructions are looked for among the rows near the hyperplane, which grow by
the rows that speak against an answer; a bound from few rows holds for all.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.mistakes.cone import ROWS_ASKED, missed_by
from novikoff.search.mistakes.costs import Costs
from novikoff.search.mistakes.local import approach, readmitted, trimmed, walk
from novikoff.search.mistakes.pool import ROUNDED_COST, Hit, Packing, Pool
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.strict import FoundObstruction, Separated, conflicting_pairs, decide_strict

NEAR_ROWS = 3000  # rows near the hyperplane, at first
BATCH_COLUMNS = 60  # columns beyond which a batch of programs is slower than one search at a time
ALL_NEAR_CELLS = 1 << 24  # numbers of a table with many columns whose rows are all near
FIRST_ROWS = 20_000  # rows that the first hyperplane is looked for in
STALE_ROUNDS = 8  # rounds at a node that raise its bound by little before it is branched on
LITTLE = 0.02  # units that a round must raise it by
MOST_WRONG, MOST_ANSWERS = 5000, 10_000  # rows of an answer that is remembered, and such answers
SAMPLE_SHAKE = 0.02  # of the length of w: the least that it is shaken by to see other answers

Progress = Callable[[int, int | None], None]


@dataclass(eq=False)
class Node:
    """A branch: rows given up and rows kept on the path, its bound and what proves it.

    `blocked` is an obstruction of kept and trusted rows alone: nothing is possible here.
    """

    removed: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    bound: int = 0  # in units; meaningless where blocked
    packing: Packing = field(default_factory=dict)
    blocked: int | None = None
    row: int = -1  # that it branches on
    branches: tuple[Node, Node] | None = None  # `row` is given up, or kept

    def nodes(self) -> Iterator[Node]:
        """This node and all below."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.branches or ()


def _nobody(lower: int, upper: int | None) -> None:
    """Nobody is told of progress."""


class HittingSetSearch:
    """Both bounds, and the tree that proves the lower one; valid whenever it is stopped.

    z : the rows that matter: a row that is free to give up is not asked
    weights, wrong, upper : the best hyperplane so far, of every column with the offset last; the
        rows that it gets wrong, those on it among them; and what they cost, in units
    answers : other sets of wrong rows, and their cost
    goal : a bound at which a node is closed, where it is not `upper`
    impossible : whether trusted rows alone are not separable
    """

    def __init__(
        self, z: SignedRows, costs: Costs, clock: Clock, random: np.random.Generator,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.z, self.costs, self.clock, self.random = z, costs, clock, random
        self.pool, self.root, self.progress = Pool(z, costs), Node(), progress
        self.weights: Weights | None = None
        self.wrong: np.ndarray = z.rows[:0]
        self.upper: int | None = None
        self.answers: dict[tuple[int, ...], int] = {}
        self.how: list[str] = []
        self.impossible = False
        self.near: np.ndarray = z.rows[:0]
        self.units: np.ndarray = np.zeros((0, z.dim))
        self.heap: list[tuple[int, int, int, Node]] = []
        self.n_nodes = 0
        self.told: tuple[int, int | None] | None = None
        self.goal: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without who was told of progress, and by whose clock."""
        return {**vars(self), "progress": _nobody, "clock": Clock()}

    @property
    def lower(self) -> int:
        """What the tree proves: the least of its leaves."""
        leaves = (node for node in self.root.nodes() if not node.branches)
        return min((leaf.bound for leaf in leaves if leaf.blocked is None), default=0)

    @property
    def is_closed(self) -> bool:
        return self.impossible or (self.upper is not None and self.lower >= self.upper)

    def _tell(self) -> None:
        bracket = self.lower, self.upper
        if self.goal is None and bracket != self.told:
            self.told = bracket
            self.progress(*bracket)

    def offer(self, weights: Any) -> bool:
        """Count what weights of the rows as given get wrong; keep them if that costs least."""
        wrong = self.z.opposed(weights, strict=True)
        if self.costs.trusted[wrong].any():
            return False
        cost = self.costs.of_rows(wrong)
        if len(wrong) <= MOST_WRONG and len(self.answers) < MOST_ANSWERS:
            self.answers[tuple(wrong.tolist())] = cost
        if self.upper is not None and cost >= self.upper:
            return False
        self.weights, self.wrong, self.upper = weights, wrong, cost
        return True

    def _offer_view(self, w: np.ndarray) -> bool:
        """The same of weights of the view: as floats of the rows as given and, where these are no
        better, without rounding.
        """
        if not np.isfinite(w).all() or not w.any():
            return False
        floats = self.z.float_view.weights(w)
        if floats is not None and self.offer(floats):
            return True
        return self.offer(self.z.float_view.exact_weights(w))

    def run(self) -> None:
        """Close the bracket; raises OutOfTimeError, and what was found by then stays."""
        self.how.append("local search")
        self._start()
        self.how.append("obstructions that must be hit")
        self.resume()

    def resume(self) -> None:
        """Go on where time has ended `run`: with every leaf that is open."""
        self.heap = []
        for node in self.root.nodes():
            if not node.branches and node.blocked is None:
                self.push(node)
        while self.heap and not self.is_closed:
            self.process_next()
            self._tell()

    def process_next(self) -> None:
        """Work on the open node whose bound is the lowest."""
        self.clock.check()
        node = heapq.heappop(self.heap)[-1]
        if not self.is_enough(node):
            self._process(node)

    def is_enough(self, node: Node) -> bool:
        goal = self.upper if self.goal is None else self.goal
        return goal is not None and node.bound >= goal

    def push(self, node: Node) -> None:
        self.n_nodes += 1
        entry = node.bound, -len(node.removed) - len(node.kept), self.n_nodes, node
        heapq.heappush(self.heap, entry)

    def _start(self) -> None:
        trusted = np.flatnonzero(self.costs.trusted)
        if len(trusted):
            # Without an answer here there is no bracket, so it takes what time it needs.
            answer = decide_strict(self.among(trusted), Clock())
            if isinstance(answer, FoundObstruction):
                self.pool.take(answer.rows, answer.multipliers)
                self.root.blocked, self.impossible = 0, True
                return
            self.offer(answer.weights)
        if self.z.fit_intercept:
            for offset in (1.0, -1.0):
                self.offer(np.append(np.zeros(self.z.table.n_columns), offset))
        elif not len(trusted):
            self.offer(np.append(np.ones(self.z.table.n_columns), 0.0))
        if self.upper == 0:
            return
        self.clock.check()
        for pair in conflicting_pairs(self.z):
            self.pool.take(np.array(pair), [1] * len(pair))
        if len(self.pool) and (hit := self.pool.hit((), (), self.clock)) is not None:
            self._bound(self.root, hit)
        self._look_near()
        self._tell()

    def among(self, rows: np.ndarray) -> SignedRows:
        z = self.z
        return SignedRows(z.table, z.signs, z.fit_intercept, rows, z.columns)

    def _first_weights(self) -> np.ndarray:
        """A hyperplane to begin with, from some rows."""
        z = self.z
        size = max(FIRST_ROWS, 4 * z.dim)
        some = z.rows if z.n_rows <= size else self.random.permutation(z.rows)[:size]
        units = z.float_view.unit_rows(np.sort(some))
        with np.errstate(all="ignore"):
            w = np.linalg.lstsq(units, np.ones(len(units)), rcond=None)[0]
            if not np.isfinite(w).all() or not w.any():
                w = np.eye(z.float_view.dim)[-1]
            return trimmed(units, w, self.clock)

    def _look_near(self) -> None:
        """Find a hyperplane, choose the rows near it, and walk from it to better ones."""
        z, self.near = self.z, self.z.rows
        if z.is_wide:
            return
        w = self._first_weights()
        if z.n_rows > NEAR_ROWS and (z.dim <= BATCH_COLUMNS or z.n_rows * z.dim > ALL_NEAR_CELLS):
            count = min(z.n_rows, max(NEAR_ROWS, 12 * z.dim))
            w, scores = approach(z, w, count, self.clock)
            order = np.argpartition(np.abs(scores), count - 1)[:count]
            self.near = np.union1d(z.rows[order], self._some(z.rows[scores <= 0.0]))
        self.units = z.float_view.unit_rows(self.near)
        self._offer_view(w)
        self.improve(w, patience=12)
        if z.dim > BATCH_COLUMNS:
            half = Clock(self.clock.left() / 2.0, self.clock.stop)  # then for the lower bound
            for there in readmitted(self.units, self._prices_of(), w, half):
                self._offer_view(there)
                self._tell()

    def _some(self, rows: np.ndarray) -> np.ndarray:
        """As many of these rows as a round can ask about."""
        return rows if len(rows) <= ROWS_ASKED else self.random.permutation(rows)[:ROWS_ASKED]

    def _prices_of(self) -> np.ndarray:
        costs = self.costs.floats(self.near)
        return np.where(self.costs.trusted[self.near], costs.sum() + 1.0, costs)

    def improve(self, w: np.ndarray, patience: int) -> bool:
        """Walk from w among the rows near; whether a better hyperplane of all rows comes of it."""
        if not len(self.units):
            return False
        prices = self._prices_of()
        return self._offer_view(walk(self.units, prices, w, self.random, self.clock, patience))

    def _process(self, node: Node) -> None:
        """Raise the bound of a node as far as it pays, then close it or branch on a row."""
        history: list[float] = []
        while True:
            self.clock.check()
            node.blocked = self.pool.blocked(node.kept)
            if node.blocked is not None:
                return
            hit = self.pool.hit(node.removed, node.kept, self.clock)
            if hit is None:
                return self._branch(node, None)
            self._bound(node, hit)
            self._tell()
            if self.is_enough(node):
                return
            history.append(hit.value)
            is_whole = bool((np.abs(hit.x - np.round(hit.x)) < 1e-6).all())
            old = history[-STALE_ROUNDS - 1 : -STALE_ROUNDS]
            slow = bool(old) and hit.value - old[0] < LITTLE * STALE_ROUNDS
            if not is_whole and (slow or not self._separate(hit, node)):
                return self._branch(node, hit.x)
            if is_whole and not self._separate(hit, node):
                settled = self._settle(hit.x)
                if settled is not False:
                    return None if self.is_enough(node) else self._branch(node, hit.x, 1.0)

    def _bound(self, node: Node, hit: Hit) -> None:
        rounded = hit.value >= ROUNDED_COST  # a float of that size does not show single units
        if rounded or np.ceil(hit.value - 1e-6) > node.bound or not node.packing:
            packing = self.pool.packing(hit, node.removed, node.kept)
            bound = self.pool.worth(packing, node.removed)
            if bound >= node.bound:
                node.bound, node.packing = bound, packing

    def _branch(self, node: Node, x: np.ndarray | None, part: float = 0.5) -> None:
        """Branch on the row of which x gives up nearest to this part: of several, the most used.

        Where x is whole, and the best there is but for digits that floats do not show, on a row
        that it gives up. Without x, for a solver may fail, any row is as good.
        """
        far = np.zeros(len(self.costs.whole)) if x is None else np.abs(x - part)
        far[[*node.removed, *node.kept]] = np.inf
        uses = Counter(row for rows in self.pool.rows for row in rows)
        row = max(np.flatnonzero(far <= far.min() + 1e-6).tolist(), key=lambda tie: uses[tie])
        if not uses[row] or (part == 1.0 and far[row] >= 0.5):
            return
        if node is self.root:
            self.how.append("a branch tree")
        cost = max(self.pool.worth(node.packing, (*node.removed, row)), node.bound)
        node.row = row
        node.branches = (
            Node((*node.removed, row), node.kept, cost, node.packing),
            Node(node.removed, (*node.kept, row), node.bound, node.packing),
        )
        for child in node.branches:
            self.push(child)

    # More obstructions

    def _separate(self, hit: Hit, node: Node) -> bool:
        """Find obstructions that x does not hit; whether there are new ones in the pool."""
        if not len(self.units) or self.z.dim > BATCH_COLUMNS:
            # One at a time: without all rows of which x gives up a part, or without the larger.
            parts = (1e-6, 0.5) if (hit.x > 1e-6).any() else (0.5,)
            return any(self._settle((hit.x > part).astype(float)) is False for part in parts)
        wrong = self.wrong if self.upper is not None else self.near
        gone = np.array(node.removed, dtype=np.intp)
        asked = self._some(np.intersect1d(np.setdiff1d(wrong, gone), self.near))
        if not len(asked):
            return False
        missed = missed_by(
            hit.x[self.near], self.units, np.searchsorted(self.near, asked),
            np.isin(self.near, gone), not len(self.pool), self.random, self.clock,
        )  # fmt: skip
        found = [self.pool.offer(self.near[list(support)].tolist()) for support in missed]
        return any(found)

    def _settle(self, x: np.ndarray) -> bool | None:
        """Without the rows that x gives up the rest is separable, or has an obstruction.

        True in the first case; False if the obstruction is new, None if it is known.
        """
        while True:
            rest = self.near[x[self.near] < 0.5]
            if not len(rest):
                any_weights = np.append(np.ones(self.z.table.n_columns), 0.0)
                answer: Separated | FoundObstruction = Separated(any_weights)
            else:
                answer = decide_strict(self.among(rest), self.clock)
            if isinstance(answer, FoundObstruction):
                return False if self.pool.take(answer.rows, answer.multipliers) else None
            self.offer(answer.weights)
            wrong = self.z.opposed(answer.weights, strict=True)
            against = np.setdiff1d(wrong[x[wrong] < 0.5], self.near)
            if not len(against):
                return True
            self._join(against, answer.weights)

    def _join(self, rows: np.ndarray, weights: Weights) -> None:
        """Add to the rows near those that are most on the wrong side, and those that are least."""
        order = np.argsort(self.z.float_scores(weights, rows))
        few = np.concatenate([order[:ROWS_ASKED], order[-ROWS_ASKED:]])
        self.near = np.union1d(self.near, rows[few])
        self.units = self.z.float_view.unit_rows(self.near)

    # Other answers

    def has_answer_without(self, row: int) -> bool:
        """Whether a best answer is known that does not give this row up."""
        answers = self.answers.items()
        return any(cost == self.upper and row not in wrong for wrong, cost in answers)

    def is_in_every_answer(self, row: int) -> bool:
        """Whether every hyperplane that costs `upper` gives this row up; the bracket is closed.

        The row is kept, and the search goes on until the bound is passed, or an answer is found.
        """
        self.goal, self.heap = (self.upper or 0) + 1, []
        try:
            self.push(Node(kept=(row,)))
            while self.heap and not self.has_answer_without(row):
                self.process_next()
            return not self.has_answer_without(row)
        finally:
            self.goal = None

    def sample_optima(self, times: int) -> None:
        """Walk from shaken forms of the best hyperplane, to see other answers."""
        right = ~np.isin(self.near, self.wrong)
        if not len(self.units) or not right.any():
            return
        units = self.units[right]
        w = trimmed(units, units.mean(axis=0), self.clock, 2)
        size = SAMPLE_SHAKE * float(np.linalg.norm(w)) / self.z.dim**0.5
        for k in range(times):
            if self.clock.left() <= 0.0:
                return
            self.improve(w + self.random.standard_normal(len(w)) * size * 2 ** (k % 6), patience=3)
