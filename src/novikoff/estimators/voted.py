"""The voted perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from novikoff.conventions import true_or_false
from novikoff.estimators.base import BasePerceptron
from novikoff.estimators.data import check_finite, read_matrix, stacked
from novikoff.estimators.from_files import by_blocks
from novikoff.estimators.joint import visit_jointly
from novikoff.estimators.kernel_tape import DualTape
from novikoff.estimators.lines import Lines, regrow
from novikoff.estimators.orders import Piece
from novikoff.estimators.voted_replay import Replay
from novikoff.loops.voted import voted_pass

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Tie, WholePasses
    from novikoff.inputs.given import ClassWeight, RowsLike, Seed
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

PIECE = 1 << 13  # rows visited between two looks at the tape


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


class VotedPerceptron(BasePerceptron):
    """Every weight vector of the perceptron's run votes (Freund & Schapire 1999).

    A weight vector has as many votes as visits after which it was the current one: the visit of
    the mistake that made it, and those that it survived. They are kept as the tape of mistakes
    and one copy of each row on it, and replayed to predict, so that memory is that of the
    mistakes and not of as many weight vectors. With classes learnt jointly, a matrix of weights
    votes for the class that it scores highest. The scores of a replay are sums in float64 of
    products in X's precision: one within rounding of zero may fall on either side.

    Parameters
    ----------
    randomized : bool, default=False
        Whether `predict` draws, for each row, one of all visits at random and uses the weights
        after it. May be changed after fit.
    fit_intercept : bool, default=True
        Whether to learn an offset.
    max_iter : int, default=10
        The most passes.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means, as in Perceptron. A vote at 0 is none, or one for the
        positive class where the tie is 'positive'.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    start : None, 'random' or array, default=None
        The first weights, as in Perceptron. They vote too, for the visits that they survive.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled', start='random' and each randomized prediction.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart, as in Perceptron.
    warm_start : bool, default=False
        Whether fit goes on from the last weights and the tape: two fits are one longer fit.
    n_jobs : int or None, default=None
        Threads; -1 for all cores. The tape does not depend on it.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

    Attributes
    ----------
    tape_ : the mistakes in order, as arrays `members` (places in the support), `lines`, `steps`
        (sign × size) and `visits`; a joint mistake has two entries
    survival_ : for each entry, the votes of the weights that it made
    support_ : numbers of the rows on the tape, counted on from call to call of partial_fit
    support_vectors_ : these rows, dense or CSR
    n_visits_ : visits of a row, and so votes of a line, in all
    last_coef_, last_intercept_ : the last weights, from which partial_fit and warm_start go on
    classes_, n_iter_, n_mistakes_, converged_, stop_reason_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "off", "off", "on"]
    >>> clf = nk.VotedPerceptron().fit(X, y)
    >>> clf.n_mistakes_, clf.n_visits_, clf.decision_function(X)
    (18, 36, array([-35., -25., -13.,  16.]))
    """

    _orders = ("cyclic", "shuffled")
    support_: np.ndarray
    support_vectors_: Any
    survival_: np.ndarray
    last_coef_: np.ndarray
    last_intercept_: np.ndarray
    n_visits_: int
    _n_seen: int

    def __init__(
        self,
        *,
        randomized: bool = False,
        fit_intercept: bool = True,
        max_iter: int = 10,
        tie: Tie = "mistake",
        order: WholePasses = "cyclic",
        start: ArrayLike | Literal["random"] | None = None,
        random_state: Seed = None,
        class_weight: ClassWeight = None,
        multiclass: Multiclass = "rest",
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.randomized = randomized
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tie = tie
        self.order = order
        self.start = start
        self.random_state = random_state
        self.class_weight = class_weight
        self.multiclass = multiclass
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def tape_(self) -> DualTape:
        """The mistakes in order."""
        return DualTape(*self._tape)

    @by_blocks
    def decision_function(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The votes: one number per row for two classes, else one per row and class.

        The visits after which the weights put the row in the class, less those after which they
        did not; for classes learnt jointly, the visits after which the class scored highest.
        """
        return self._shaped(self._replay(X).votes(self.survival_, self._survival_of_start))

    @by_blocks
    def predict(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The class with the most votes, or the choice of the weights drawn where `randomized`."""
        self._check_randomized()
        if not self.randomized:
            return super().predict(X)
        replay = self._replay(X)
        random = check_random_state(self.random_state)
        drawn = random.randint(self.n_visits_, size=replay.X.shape[0])
        return self._classes_of(self._shaped(replay.scores_after(drawn)))

    def _shaped(self, scores: np.ndarray) -> np.ndarray:
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _replay(self, X: Any) -> Replay:
        check_is_fitted(self)
        X = read_matrix(self, X, reset=False)
        check_finite(X)
        return Replay(
            X, self.support_vectors_, self._constant, self.tape_, self._start,
            ties_positive=self.tie == "positive", joint=self._joint,
        )  # fmt: skip

    def _begin(self, lines: Any) -> None:
        lines.kept = Recorder(lines.W.copy(), DualTape.blank(0), 0)
        if lines.goes_on:
            start = regrow(self._start, self.classes_, lines.classes)
            past = self.tape_.regrown(self.classes_, lines.classes)
            lines.kept = Recorder(start, past, self.n_visits_)

    def _visit_rows(self, lines: Any, which: np.ndarray, piece: Piece) -> int:
        batch, ties_positive, total = lines.batch, self.tie == "positive", 0
        room = np.empty((min(PIECE, len(piece.order)) * len(which), 2), dtype=np.int64)
        for part in piece.split(PIECE):
            if lines.joint:
                found = visit_jointly(lines, part.order, ties_positive, tape=room)
            else:
                found = voted_pass.for_work(lines.work)(
                    batch.rows, batch.targets, part.order, which, lines.positives, lines.W,
                    batch.sizes, batch.gains, ties_positive, lines.reaches, lines.mistakes, room,
                )  # fmt: skip
            if found < 0:
                return found
            if found:
                places, who = room[:found].T
                visits = lines.kept.past_visits + lines.visit_of(part) + places
                lines.kept.pieces.append(np.stack([part.order[places], who, visits]))
            total += found
        return total

    def _publish(self, lines: Any) -> None:
        recorder: Recorder = lines.kept
        tape, rows = recorder.tape(lines)
        known, seen = (len(self.support_), self._n_seen) if lines.goes_on else (0, 0)
        vectors, numbers = lines.batch.X[rows], seen + rows
        if known:
            tape = tape._replace(members=known + tape.members)
            vectors = stacked(self.support_vectors_, vectors)
            numbers = np.concatenate([self.support_, numbers])
        tape = DualTape(*map(np.concatenate, zip(recorder.past, tape, strict=True)))
        self._tape, self.support_, self.support_vectors_ = tuple(tape), numbers, vectors
        self._n_seen, self._start = seen + lines.batch.n_rows, recorder.start
        self._constant, self._joint = float(lines.batch.rows.constant), lines.joint
        self.n_visits_ = recorder.past_visits + lines.n_visits
        self.survival_, self._survival_of_start = self._survivals(len(lines))
        self.last_coef_, self.last_intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()

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

    def _last_weights(self) -> np.ndarray:
        return np.column_stack([self.last_coef_, self.last_intercept_])

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_randomized()

    def _check_randomized(self) -> None:
        true_or_false("randomized", self.randomized)
