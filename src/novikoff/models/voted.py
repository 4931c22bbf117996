"""The voted perceptron as a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.conventions import true_or_false
from novikoff.loops.rows import as_rows
from novikoff.loops.voted import add_joint_votes, replay
from novikoff.models.base import Model
from novikoff.models.data import check_finite, stacked
from novikoff.models.lines import Lines, regrow
from novikoff.models.predicting import flat
from novikoff.models.scoring import rows_at, scores_and_norms, settled_scores
from novikoff.models.tape import DualTape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Tie, WholePasses
    from novikoff.inputs.type_aliases import ClassWeight, Seed

ROWS_A_TAPE_PIECE = 1 << 13  # rows visited between two looks at the tape
ROWS_A_TILE = 4096  # rows that are predicted at a time
LINES_MADE, NUMBERS_MADE = 256, 1 << 23  # most lines of weights, and their numbers, made at a time


@dataclass(eq=False)
class Recorder:
    """What is written down of the passes at hand, and what was of those before."""

    start: np.ndarray  # the first weights
    past: DualTape
    past_visits: int
    pieces: list[np.ndarray] = field(default_factory=list)  # of rows, lines or rivals, visits

    def tape(self, lines: Lines) -> tuple[DualTape, np.ndarray]:
        """The mistakes at hand in order, and the rows that are their members."""
        pieces = [np.empty((3, 0), dtype=np.int64), *self.pieces]
        rows, who, visits = np.concatenate(pieces, axis=1)
        if lines.joint:
            true = lines.batch.targets[rows].astype(np.int64)
            steps = _steps(lines, rows, true)
            rows, visits = np.repeat(rows, 2), np.repeat(visits, 2)
            who = np.stack([true, who], axis=1).ravel()
            steps = np.stack([steps, -steps], axis=1).ravel()
            in_time = np.argsort(visits, kind="stable")
        else:
            steps = _steps(lines, rows, who)
            in_time = np.lexsort((who, visits))
        found, members = np.unique(rows, return_inverse=True)
        return DualTape(*(part[in_time] for part in (members, who, steps, visits))), found


def _steps(lines: Lines, rows: np.ndarray, which: np.ndarray) -> np.ndarray:
    """What a mistake of these lines on these rows adds, as a multiple of the row."""
    batch = lines.batch
    positive = batch.targets[rows] == lines.positives[which]
    gains = np.where(positive, batch.gains[which, 0], -batch.gains[which, 1])
    sizes = batch.sizes if len(batch.sizes) == 1 else batch.sizes[rows]
    return np.asarray(sizes * gains, dtype=np.float64)


@dataclass(eq=False, repr=False, kw_only=True)
class VotedPerceptronModel(Model):
    """The votes of every weight vector of the perceptron's run (Freund & Schapire 1999)."""

    kind = "VotedPerceptron"
    _orders = ("cyclic", "shuffled")
    support_: np.ndarray = field(init=False)
    support_vectors_: Any = field(init=False)
    survival_: np.ndarray = field(init=False)
    last_coef_: np.ndarray = field(init=False)
    last_intercept_: np.ndarray = field(init=False)
    n_visits_: int = field(init=False)
    _n_seen: int = field(init=False)
    _start: np.ndarray = field(init=False)

    randomized: bool = False
    fit_intercept: bool = True
    max_iter: int = 10
    tie: Tie = "mistake"
    order: WholePasses = "cyclic"
    if TYPE_CHECKING:  # the estimators take it for `order`
        shuffle: InitVar[bool | None] = None
    start: ArrayLike | Literal["random"] | None = None
    random_state: Seed = None
    class_weight: ClassWeight = None
    multiclass: Multiclass = "rest"
    warm_start: bool = False
    n_jobs: int | None = None
    verbose: int = 0

    @property
    def tape_(self) -> DualTape:
        """The mistakes in order."""
        return DualTape(*self._tape)

    def _scores(self, X: Any) -> np.ndarray:
        """The votes: the visits after which the weights put the row in the class, less those after
        which they did not; for classes learnt jointly, those after which it scored highest.
        """
        X = self._finite(X)
        votes = np.zeros((X.shape[0], len(self._start)))
        for first in range(0, X.shape[0], ROWS_A_TILE):
            tile = slice(first, first + ROWS_A_TILE)
            if self._joint:
                self._vote_jointly(X[tile], votes[tile])
            else:
                self._vote(X[tile], votes[tile])
        return flat(votes)

    def _finite(self, X: Any) -> Any:
        X = self._read(X, reset=False, labelled=False)
        check_finite(X)
        return X

    def _vote(self, X: Any, votes: np.ndarray) -> None:
        """Every line of weights votes with the exact sign of its score, or + where that ties."""
        start = np.arange(len(votes.T)), self._start.astype(np.float64), self._survival_of_start
        for lines, made, visits in chain([start], self._stages()):
            signs = np.sign(settled_scores(X, made[:, :-1], made[:, -1], apart=True))
            if self.tie == "positive":
                signs[signs == 0.0] = 1.0
            for c in np.unique(lines):
                votes[:, c] += signs[:, lines == c] @ visits[lines == c]

    def _vote_jointly(self, X: Any, votes: np.ndarray) -> None:
        """Every matrix of weights that saw a row votes for the class of the highest score: of
        several for the last where ties are positive, else for none.
        """
        W: np.ndarray = np.zeros_like(self._start, dtype=np.float64)
        ties = self.tie == "positive"
        scores, norm_bounds = np.zeros(votes.shape), np.zeros(len(W))
        visits = np.append(np.zeros(len(W) - 1, dtype=np.int64), self._survival_of_start[0])
        start = np.arange(len(W)), self._start.astype(np.float64), visits
        for lines, made, visits in chain([start], self._stages()):
            found, norms, bounds = scores_and_norms(X, made)
            unsure: np.ndarray = np.zeros(found.shape, dtype=np.bool_)
            with np.errstate(over="ignore", invalid="ignore"):
                add_joint_votes.for_work(found.size * len(W))(
                    lines, np.ascontiguousarray(found), norms, bounds, W.shape[1], visits, scores,
                    norm_bounds, votes, unsure,
                )  # fmt: skip
            in_doubt = np.asarray(unsure.any(axis=0))
            for k, c in enumerate(lines):
                W[c] = made[k]
                if in_doubt[k]:
                    rows = np.flatnonzero(unsure[:, k])
                    few = settled_scores(rows_at(X, rows), W[:, :-1], W[:, -1], joint=True)
                    best = few == few.max(axis=1, keepdims=True)
                    which = np.flatnonzero(ties | (best.sum(axis=1) == 1))
                    last = len(W) - 1 - best[which, ::-1].argmax(axis=1)
                    votes[rows[which], last] += visits[k]

    def _stages(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Of the entries of the tape, some at a time: the lines, the weights that each made, and
        the visits that these survived.
        """
        W = self._start.astype(np.float64)
        for part in self._parts(0, len(self.survival_)):
            yield self.tape_.lines[part], self._made(W, part), self.survival_[part]

    def _parts(self, first: int, end: int) -> list[slice]:
        size = max(1, min(LINES_MADE, NUMBERS_MADE // self._start.shape[1]))
        return [slice(k, min(k + size, end)) for k in range(first, end, size)]

    def _made(self, W: np.ndarray, part: slice) -> np.ndarray:
        """The weights that each of these entries made from W before them; W becomes the last."""
        members, lines, steps = (column[part] for column in self.tape_[:3])
        made = np.empty((len(members), W.shape[1]))
        rows = as_rows(self.support_vectors_.astype(np.float64, copy=False), bool(self._constant))
        with np.errstate(over="ignore", invalid="ignore"):
            replay.for_work(made.size)(rows, members, lines, steps, W, made)
        return made

    def _classes(self, X: Any) -> np.ndarray:
        """The class with the most votes, or the choice of the weights drawn where `randomized`:
        for row i those after a visit, one of all, drawn at random.
        """
        self._check_randomized()
        if not self.randomized:
            return super()._classes(X)
        X = self._finite(X)
        drawn = self._drawing().randint(self.n_visits_, size=X.shape[0])
        scores, W, n_made = np.empty((X.shape[0], len(self._start))), self._start.astype(float), 0
        counts = np.searchsorted(self.tape_.visits, drawn, side="right")
        for k in np.unique(counts):
            for part in self._parts(n_made, k):
                self._made(W, part)
            n_made, rows = k, np.flatnonzero(counts == k)
            scores[rows] = settled_scores(rows_at(X, rows), W[:, :-1], W[:, -1])
        return self._classes_of(flat(scores))

    def _begin(self, lines: Lines) -> None:
        lines.kept = Recorder(lines.W.copy(), DualTape.blank(0), 0)
        if lines.goes_on:
            start = regrow(self._start, self.classes_, lines.classes)
            past = self.tape_.regrown(self.classes_, lines.classes)
            lines.kept = Recorder(start, past, self.n_visits_)

    def _visit(self, lines: Lines, which: np.ndarray) -> int:
        order = lines.orders.order
        before = lines.kept.past_visits + lines.n_visits - len(order)
        tape = np.empty((min(ROWS_A_TAPE_PIECE, len(order)) * len(which), 2), dtype=np.int64)
        for first in range(0, len(order), ROWS_A_TAPE_PIECE):
            part = order[first : first + ROWS_A_TAPE_PIECE]
            found = lines.visit(which, part, tape=tape)
            if found < 0:
                return found
            places, who = tape[:found].T
            lines.kept.pieces.append(np.stack([part[places], who, before + first + places]))
        return 0

    def _publish(self, lines: Lines) -> None:
        recorder: Recorder = lines.kept
        tape, rows = recorder.tape(lines)
        known = self.support_ if lines.goes_on else np.empty(0, dtype=np.int64)
        seen = self._n_seen if lines.goes_on else 0  # before these rows
        if lines.same_rows:
            seen -= lines.batch.n_rows
        mistaken = known[recorder.past.members], seen + rows[tape.members]
        numbers, members = np.unique(np.concatenate(mistaken), return_inverse=True)
        old, new = known[known < seen], numbers[numbers >= seen] - seen
        vectors = lines.batch.X[new]
        if len(old):
            vectors = stacked(self.support_vectors_[: len(old)], vectors)
        tape = DualTape(*map(np.concatenate, zip(recorder.past, tape, strict=True)))
        tape = tape._replace(members=members)
        self._tape, self.support_, self.support_vectors_ = tuple(tape), numbers, vectors
        self._n_seen, self._start = seen + lines.batch.n_rows, recorder.start
        self._constant, self._joint = float(lines.batch.rows.constant), lines.joint
        self.n_visits_ = recorder.past_visits + lines.n_visits
        self.survival_, self._survival_of_start = self._survivals(len(lines))
        self._set_weights(lines.W, "last_")

    def _survivals(self, n_lines: int) -> tuple[np.ndarray, np.ndarray]:
        """The visits that the weights made by each entry survived, and those of the start.

        Of the two entries of a joint mistake only the second makes weights that see a row.
        """
        tape = self.tape_
        if self._joint:
            ends = np.append(tape.visits, self.n_visits_)
            return np.diff(ends), ends[:1]
        first = np.full(n_lines, self.n_visits_)
        np.minimum.at(first, tape.lines, tape.visits)
        return tape.survival(self.n_visits_), first

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_randomized()

    def _check_randomized(self) -> None:
        true_or_false("randomized", self.randomized)
