"""The voted perceptron as a value."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.conventions import true_or_false
from novikoff.models.base import Model
from novikoff.models.data import check_finite, stacked
from novikoff.models.lines import Lines, regrow
from novikoff.models.predicting import flat
from novikoff.models.tape import DualTape
from novikoff.models.voted_replay import Replay

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Tie, WholePasses
    from novikoff.inputs.type_aliases import ClassWeight, Seed

ROWS_A_TAPE_PIECE = 1 << 13  # rows visited between two looks at the tape


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
        return flat(self._replay(X).votes(self.survival_, self._survival_of_start))

    def _classes(self, X: Any) -> np.ndarray:
        """The class with the most votes, or the choice of the weights drawn where `randomized`."""
        self._check_randomized()
        if not self.randomized:
            return super()._classes(X)
        replay = self._replay(X)
        drawn = self._drawing().randint(self.n_visits_, size=replay.X.shape[0])
        return self._classes_of(flat(replay.scores_after(drawn)))

    def _replay(self, X: Any) -> Replay:
        X = self._read(X, reset=False, labelled=False)
        check_finite(X)
        return Replay(
            X, self.support_vectors_, self._constant, self.tape_, self._start,
            ties_positive=self.tie == "positive", joint=self._joint,
        )  # fmt: skip

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
