"""A state's run as one sequence of updates, also where more than two classes are learnt at once.

Of two classes there is one run. Of more, each class has a run against the rest, all over the
same visits; their updates are told in the order of the visits, so that step k of the timeline is
mistake `kc` of one class's run.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from novikoff.exact.weights import ExactWeights
from novikoff.inputs import table_of_fractions
from novikoff.runs.run import Run, Step, trace
from novikoff.studio.features import mapped
from novikoff.studio.state import MOST_ROWS, Conventions, State
from novikoff.studio.values import Section
from novikoff.studio.visits import Cycle, Visits, find_cycle

AROUND = 12  # updates on either side of one that is asked for: the next question is about those


class Update(NamedTuple):
    """Update k of the timeline: which class's run made it, and its step there."""

    k: int
    owner: int
    step: Step


@lru_cache(maxsize=2 * MOST_ROWS)
def written_decimal(value: float) -> Fraction:
    """The decimal that a float is written as."""
    return Fraction(repr(value))


def rows_of(state: State) -> Any:
    """X for the library: floats, or the decimals that the floats are written as."""
    if state.numbers == "binary64":
        return mapped(state.points, state.feature_map)
    exact = np.empty(state.points.shape, dtype=object)
    exact.ravel()[:] = [written_decimal(value) for value in state.points.ravel().tolist()]
    rows = mapped(exact, state.feature_map)
    return table_of_fractions(rows.ravel().tolist(), rows.shape, None, "decimal")


def labels_of(state: State) -> np.ndarray:
    """y for the library: the classes as they are named."""
    return np.asarray(np.array(state.classes)[state.codes])


def proof_labels(state: State, owner: int) -> np.ndarray:
    """y for a verdict: of two classes as they are, of more the one against the rest."""
    if state.is_binary:
        return labels_of(state)
    name = state.classes[owner]
    return np.where(state.codes == owner, name, "rest" if name != "rest" else "all others")


def owners_of(state: State) -> list[int]:
    """The classes that have a run of their own."""
    return [1] if state.is_binary else list(range(len(state.classes)))


def trace_class(state: State, rows: Any, owner: int, run: Conventions) -> Run:
    """The run of one class against the rest."""
    order: Any = np.array(run.order) if isinstance(run.order, tuple) else run.order
    start: Any = list(run.start) if isinstance(run.start, tuple) else run.start
    return trace(
        rows, np.where(state.codes == owner, 1, -1), tie=state.tie, order=order, start=start,
        fit_intercept=state.offset, max_iter=state.max_iter, max_mistakes=state.limit,
        random_state=run.seed,
    )  # fmt: skip


class Timeline:
    """The updates of a state's runs in the order in which they happen."""

    def __init__(self, state: State, run: Conventions, rows: Any = None) -> None:
        self.owners = owners_of(state)
        rows = rows_of(state) if rows is None else rows
        self.runs = [trace_class(state, rows, owner, run) for owner in self.owners]
        self.classes = state.classes
        self.conventions = run
        self._kept_updates: list[Update] = []
        self._kept_weights: dict[tuple[int, int], np.ndarray] = {}
        self._kept_exact: dict[int, tuple[int, ExactWeights]] = {}

    @property
    def n_updates(self) -> int:
        return sum(run.n_mistakes for run in self.runs)

    @property
    def converged(self) -> bool:
        return all(run.converged for run in self.runs)

    @property
    def n_passes(self) -> int:
        return max(run.n_passes for run in self.runs)

    @cached_property
    def _turns(self) -> np.ndarray:
        """For each update the place of its run among `runs`."""
        visits = np.concatenate([run.tape.visits for run in self.runs])
        turns = np.repeat(np.arange(len(self.runs)), [run.n_mistakes for run in self.runs])
        return turns[np.lexsort((turns, visits))]

    @cached_property
    def visits(self) -> Visits:
        """Every row that is looked at; all runs of a timeline look at the same ones."""
        longest = max(self.runs, key=lambda run: run.n_visits)
        return Visits(longest, self.conventions)

    def k_before(self, visit: int) -> int:
        """The updates made before a visit."""
        return sum(int(np.searchsorted(run.tape.visits, visit)) for run in self.runs)

    @cached_property
    def cycle(self) -> Cycle | None:
        """How the one run comes back to where it was, if it is seen to; then it never ends."""
        return find_cycle(self.runs[0]) if len(self.runs) == 1 else None

    def owner(self, k: int) -> int:
        """The class whose run made update k, from 1."""
        return self.owners[0 if len(self.runs) == 1 else int(self._turns[k - 1])]

    def nearest(self, owner: int, k: int) -> int:
        """The newest update of a class up to k, or its first one after; 0 where it has none."""
        own = np.flatnonzero(self._turns == self.owners.index(owner)) + 1
        if not len(own):
            return 0
        return int(own[max(0, int(np.searchsorted(own, k, side="right")) - 1)])

    def counts(self, k: int) -> list[int]:
        """After k updates of the timeline, the mistakes that each run has made."""
        if len(self.runs) == 1:
            return [k]
        return [int(c) for c in np.bincount(self._turns[:k], minlength=len(self.runs))]

    def weights(self, k: int) -> np.ndarray:
        """One line of weights per run after k updates; the offset last, 0 where there is none."""
        lines = [self._weights(place, kc) for place, kc in enumerate(self.counts(k))]
        return np.array(lines if self.runs[0].fit_intercept else [np.append(w, 0.0) for w in lines])

    def _weights(self, place: int, kc: int) -> np.ndarray:
        if (place, kc) not in self._kept_weights:
            weights = self.exact(place, kc).floats()
            with_offset = self.runs[place].fit_intercept
            self._kept_weights[place, kc] = weights if with_offset else weights[:-1]
        return self._kept_weights[place, kc]

    def exact(self, place: int, kc: int) -> ExactWeights:
        """The weights of one run after kc of its mistakes, exactly; the newest ones are kept."""
        if self._kept_exact.get(place, (-1, None))[0] != kc:
            self._kept_exact[place] = (kc, self.runs[place].exact_weights_at(kc))
        return self._kept_exact[place][1]

    def update(self, k: int) -> Update:
        """Update k, from 1."""
        return self.updates(k, k)[0]

    def before(self, update: Update) -> np.ndarray:
        """The weights that the update was made to; the offset last where there is one."""
        return self._weights(self.owners.index(update.owner), update.step.k - 1)

    def score_after(self, update: Update) -> float:
        """The score that the row of an update has after it, rounded once."""
        weights = self.exact(self.owners.index(update.owner), update.step.k)
        score = weights.score(update.step.row)
        return score.numerator / score.denominator

    def updates(self, first: int, last: int) -> list[Update]:
        """Updates `first` to `last` (from 1, both included). The newest stretch is kept."""
        first, last = max(first, 1), min(last, self.n_updates)
        kept = self._kept_updates
        if kept and kept[0].k <= first and last <= kept[-1].k:
            return kept[first - kept[0].k : last - kept[0].k + 1]
        found = self._updates(max(1, first - AROUND), min(last + AROUND, self.n_updates))
        for update in found:
            place = self.owners.index(update.owner)
            self._kept_weights[place, update.step.k] = update.step.weights
        self._kept_updates = found
        return found[first - found[0].k : last - found[0].k + 1] if found else []

    def _updates(self, first: int, last: int) -> list[Update]:
        if len(self.runs) == 1:
            steps = self.runs[0].steps(first, last)
            return [Update(step.k, self.owners[0], step) for step in steps]
        before, after = self.counts(first - 1), self.counts(last)
        told = [
            run.steps(b + 1, a) if a > b else iter(())
            for run, b, a in zip(self.runs, before, after, strict=True)
        ]
        return [
            Update(k, self.owners[turn], next(told[turn]))
            for k, turn in enumerate(self._turns[first - 1 : last].tolist(), start=first)
        ]

    def padded(self, weights: np.ndarray) -> list[float]:
        """Weights of one run as the page has them: the offset last, 0 where there is none."""
        line: list[float] = weights.tolist()
        return line if self.runs[0].fit_intercept else [*line, 0.0]

    def lines(self, first: int, last: int) -> Section:
        """The facts of some updates; the page makes lines of the lecture's table of them."""
        return {
            "first": max(0, first),
            "updates": list(map(self._facts, self.updates(first, last))),
        }

    def _facts(self, update: Update) -> Section:
        k, owner, step = update
        facts = {"k": k, "owner": owner, "row": step.row, "sign": step.sign, "score": step.score}
        return facts | {"weights": self.padded(step.weights)}

    def full(self, update: Update) -> Section:
        """An update with all that is said of it."""
        run, row = self.runs[self.owners.index(update.owner)], update.step.row
        return self._facts(update) | {
            "after": self.score_after(update), "count": update.step.k,
            "before": self.padded(self.before(update)),
            "features": run.table.dense_rows([row])[0].tolist(),
        }  # fmt: skip


MOST_TICKED = 300  # rows with a tick or a cross


def looked_at(state: State, timeline: Timeline) -> Section | None:
    """The row of the newest visit, and those of its pass so far, each with whether it was wrong.

    Of several classes a row is wrong if it was for any of them, and has no one score. None where
    the run is stepped by mistakes, or nothing has been looked at yet.
    """
    shares = len(timeline.runs) == 1 or state.run.order != "restart"  # all look at the same row
    if not state.visit or not shares:
        return None
    visits = timeline.visits
    last = min(state.visit, visits.total) - 1
    looked = np.arange(max(visits.pass_begin(last), last - MOST_TICKED + 1), last + 1)
    wrong = np.isin(looked, np.concatenate([run.tape.visits for run in timeline.runs])).tolist()
    ticked = dict(zip(map(visits.row, looked.tolist()), wrong, strict=True))
    row, score = visits.row(last), None
    if len(timeline.runs) == 1:
        exact = timeline.runs[0].exact_weights_at(visits.k_before(last)).score(row)
        score = exact.numerator / exact.denominator
    pairs = [list(pair) for pair in ticked.items()]
    return {"row": row, "wrong": wrong[-1], "score": score, "ticked": pairs}
