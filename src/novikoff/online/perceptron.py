"""The perceptron one row at a time: predict, then learn, for rows that are dicts or arrays."""

from __future__ import annotations

import math
import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.conventions import TIES, true_or_false
from novikoff.errors import InputError, one_of
from novikoff.exact.bounds import (
    LEAST_SQUARE_BOUND,
    SQUARE_OVERFLOW_LIMIT,
    SQUARE_ROUNDING_GROWTH,
    SQUARE_ROW_UNDERFLOW,
    SQUARE_SCORE_UNDERFLOW,
    square_norm_bound_after,
)
from novikoff.exact.scores import exact_score
from novikoff.files import write_whole
from novikoff.model_format import Stored, decode, model_bytes
from novikoff.online.weights import GrowingWeights

vdot = np.vdot  # which warns of no overflow, as dot does

if TYPE_CHECKING:
    from novikoff.conventions import Tie
    from novikoff.inputs.type_aliases import RowLike


class OnlinePerceptron(GrowingWeights):
    """Rosenblatt's perceptron for rows that come one at a time.

    A row is a dict of names and numbers, where a name may be new and one that is missing counts
    as 0, or a list or 1-D array, always of one length. Classes are met as they come: two share
    one line of weights, more have one each against the rest. The weights are, to the last bit,
    those of `Perceptron.partial_fit` on the same rows one by one.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means. 'mistake': an update on any row. 'positive': the
        positive (larger) class, so an update on negative rows only. 'zero': neither class, so an
        update on any row.

    Attributes
    ----------
    classes_ : list of the labels, sorted
    names_ : list of the features, in the order in which they came
    coef_, intercept_ : arrays of shape (lines, names) and (lines,), as in `Perceptron`
    n_rows_ : rows learnt
    n_wrong_ : rows whose prediction, made before they were learnt, was wrong or none
    accuracy_ : the share of the others
    n_mistakes_ : mistakes, and so updates, in all lines; a tie can be one without a wrong row

    Examples
    --------
    >>> import novikoff as nk
    >>> model = nk.OnlinePerceptron()
    >>> for words, y in [("win money", "spam"), ("see you", "ham"), ("win win", "spam")]:
    ...     print(model.learn_one(dict.fromkeys(words.split(), 1), y))
    None
    spam
    spam
    >>> model.predict_one({"money": 1}), model.score_one({"money": 1})
    ('spam', 1.0)
    """

    def __init__(self, *, fit_intercept: bool = True, tie: Tie = "mistake") -> None:
        one_of("tie", tie, TIES)
        is_offset = true_or_false("fit_intercept", fit_intercept)
        super().__init__(1.0 if is_offset else 0.0)
        self.fit_intercept = is_offset
        self.tie = tie
        self.n_rows_ = self.n_wrong_ = self.n_mistakes_ = 0
        self._ties_positive = tie == "positive"
        self._set_lines([], np.zeros((0, 1)))

    def learn_one(self, x: RowLike, y: Any, weight: float = 1.0, *, w: float | None = None) -> Any:
        """Learn from one row; returns the class predicted before that, None if there was none.

        `weight`, or `w` as river calls it, scales the row's update; a row of weight 0 changes
        nothing but the counts.
        """
        if w is not None:
            weight = _the_weight(weight, w)
        try:
            sign = self._signs.get(y)
        except TypeError:  # not hashable
            sign = None
        if sign is None or weight != 1.0 or not self._fill(x):
            return self._learn(x, y, weight)
        row = self._row
        score, square = float(vdot(row, self._lines[0])), float(vdot(row, row))
        if not self._is_sure(score, self._norm_bounds[0], square):
            return self._learn(x, y, weight)
        guessed = self._labels[-1 if score > 0.0 else 0]
        self.n_rows_ += 1
        if score * sign < 0.0:
            self._update(0, sign, square)
            self.n_wrong_ += guessed != y  # of a single class the prediction was right all the same
        return guessed

    def predict_one(self, x: RowLike) -> Any:
        """The class of a row: None before the first label was seen.

        Of two classes the sign of the exact score decides, of more the highest exact score. A
        tie goes to the larger of two where the tie rule is 'positive', else to the smaller.
        """
        if self._signs and self._fill(x):
            row = self._row
            score, square = float(vdot(row, self._lines[0])), float(vdot(row, row))
            if self._is_sure(score, self._norm_bounds[0], square):
                return self._labels[-1 if score > 0.0 else 0]
        return self._winner(*self._read(x, False))

    def score_one(self, x: RowLike) -> float | dict[Any, float]:
        """The score of a row: positive on the larger of two classes; {class: score} for more.

        Signs are those of the exact scores, and a tie is exactly 0.
        """
        scores, square = self._read(x, False)
        settled = [self._sure(c, score, square) for c, score in enumerate(scores)]
        if len(settled) > 1:
            return dict(zip(self._labels, settled, strict=True))
        return settled[0] if settled else 0.0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a safetensors file, which `novikoff.load` reads."""
        write_whole(path, self.to_bytes())

    def to_bytes(self, **more: Any) -> bytes:
        """The content of a model file; `more` is plain JSON to keep with it."""
        state = self.__getstate__()
        return model_bytes(OnlinePerceptron.__name__, state.pop("parameters"), state, **more)

    @classmethod
    def from_stored(cls, stored: Stored) -> OnlinePerceptron:
        """The model that `to_bytes` wrote; ValueError, KeyError or TypeError if it is none."""
        head, tensors = stored
        state = {name: decode(value, tensors, {}) for name, value in head["fitted"].items()}
        state["parameters"] = {n: decode(v, tensors, {}) for n, v in head["parameters"].items()}
        counts, names, classes = state["counts"], state["names"], state["classes"]
        n, W = len(classes) if len(classes) != 2 else 1, state["weights"]
        fits = {
            "counts": len(counts) == 3 and all(type(k) is int and k >= 0 for k in counts),
            "names": state["by_name"] in (None, True, False) and len(set(names)) == len(names),
            "classes": all(isinstance(label, (str, int, float)) for label in classes)
            and sorted(set(classes)) == list(classes),
            "weights": W.dtype == np.float64 and W.shape == (n, len(names) + 1)
            and bool(np.isfinite(W).all()),
        }  # fmt: skip
        for what, is_so in fits.items():
            if not is_so:
                raise ValueError(f"{what} do not fit")
        model = cls.__new__(cls)
        model.__setstate__(state)
        return model

    @property
    def classes_(self) -> list[Any]:
        return list(self._labels)

    @property
    def names_(self) -> list[Any]:
        return list(self._columns)

    @property
    def coef_(self) -> np.ndarray:
        return self._weights()[:, 1:].copy()

    @property
    def intercept_(self) -> np.ndarray:
        return self._weights()[:, 0].copy()

    @property
    def accuracy_(self) -> float:
        return (self.n_rows_ - self.n_wrong_) / self.n_rows_ if self.n_rows_ else math.nan

    def __repr__(self) -> str:
        return (
            f"OnlinePerceptron(fit_intercept={self.fit_intercept}, tie={self.tie!r}): "
            f"{self.n_rows_} rows, {len(self._labels)} classes, {self._n_names} features"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            "parameters": {"fit_intercept": self.fit_intercept, "tie": self.tie},
            "counts": [self.n_rows_, self.n_wrong_, self.n_mistakes_],
            "by_name": self._by_name,
            "names": self.names_,
            "classes": self.classes_,
            "weights": self._weights().copy(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["parameters"])  # type: ignore[misc]
        self.n_rows_, self.n_wrong_, self.n_mistakes_ = state["counts"]
        self._by_name = state["by_name"]
        self._columns = {name: j + 1 for j, name in enumerate(state["names"])}
        self._grow()
        self._set_lines(state["classes"], state["weights"])

    def _learn(self, x: Any, y: Any, weight: Any) -> Any:
        """learn_one for any row, class and weight."""
        if not (isinstance(weight, (int, float, np.number)) and 0.0 <= weight < math.inf):
            raise InputError(f"the weight is {weight!r}; it must be a finite number of at least 0.")
        y = y.item() if isinstance(y, np.generic) else y
        try:
            is_known = y in self._codes
        except TypeError:
            raise InputError(f"the label is {y!r:.80}; it must be a number or a word.") from None
        labels = self._labels if is_known else self._labels_with(y)
        scores, square = self._read(x, True)
        guessed = self._winner(scores, square)
        if not is_known:
            self._meet(labels)
            scores, square = self._read(x, True)
        for c, score in enumerate(scores):
            positive = self._signs[y] > 0.0 if self._signs else c == self._codes[y]
            score = self._sure(c, score, square)
            if score == 0.0:
                wrong = not (positive and self._ties_positive)
            else:
                wrong = (score > 0.0) != positive
            if wrong and weight:
                self._update(c, float(weight) if positive else -float(weight), square)
        self.n_rows_ += 1
        self.n_wrong_ += guessed is None or guessed != y
        return guessed

    # Lines of weights: one for two classes, else one for each

    def _set_lines(self, labels: list[Any], W: np.ndarray) -> None:
        """Other labels, sorted, and the weights of their lines, the offsets first.

        Invariant: _norm_bounds[c] >= ‖w‖² of line c, and 0 only where w is zero.
        """
        self._labels = labels
        self._codes: dict[Hashable, int] = {label: c for c, label in enumerate(labels)}
        self._signs: dict[Hashable, float] = {}  # of the labels, where there is only one line
        if len(labels) in (1, 2):
            self._signs = {label: 1.0 if label == labels[-1] else -1.0 for label in labels}
        with np.errstate(over="ignore"):
            squares = (
                SQUARE_ROUNDING_GROWTH * 1.001 * np.einsum("ij,ij->i", W, W) + LEAST_SQUARE_BOUND
            )
        self._norm_bounds: list[float] = np.where(W.any(axis=1), squares, 0.0).tolist()
        self._set_weights(W)

    def _labels_with(self, y: Any) -> list[Any]:
        """The labels, sorted, with one that is new."""
        if not isinstance(y, (str, int, float)) or (isinstance(y, float) and not y.is_integer()):
            raise InputError(
                f"the label is {y!r:.80}; it must be a word, a whole number or a truth value."
            )
        if self._labels and isinstance(y, str) != isinstance(self._labels[0], str):
            raise InputError(
                f"the label {y!r:.80} cannot be sorted among the known classes "
                f"{self._labels[:3]!r:.80}; give labels of one type."
            )
        return sorted([*self._labels, y])

    def _meet(self, labels: list[Any]) -> None:
        """Lines for these labels, one of them new, by the rule of models/lines.py.

        A class keeps its line. The line that two classes share is the larger one's own, and its
        negative the smaller one's. A class that is new starts from zeros.
        """
        W = self._weights()
        own = dict(zip(self._labels, W, strict=False))
        if len(self._labels) == 2:
            smaller, larger = self._labels
            own = {larger: W[0], smaller: 0.0 - W[0]}
        zeros = np.zeros(self._n_names + 1)
        if len(labels) == 2:
            smaller, larger = labels
            lines = [own[larger] if larger in own else 0.0 - own[smaller]]
        else:
            lines = [own.get(label, zeros) for label in labels]
        self._set_lines(labels, np.array(lines))

    def _winner(self, scores: list[float], square: float) -> Any:
        """The class whose exact score is the highest, the smallest of several; None of none."""
        if len(scores) < 2:
            if not scores:
                return None
            score = self._sure(0, scores[0], square)
            return self._labels[-(score > 0.0 or (score == 0.0 and self._ties_positive))]
        best = scores.index(max(scores))
        for c, score in enumerate(scores):
            gap = 0.5 * (scores[best] - score)
            if c != best and not self._is_sure(gap, max(self._norm_bounds), square):
                row, lines = self._row, self._lines
                difference = exact_score(
                    np.concatenate([row, row]), np.concatenate([lines[c], -lines[best]])
                )
                if difference > 0.0 or (difference == 0.0 and c < best):
                    best = c
        return self._labels[best]

    def _is_sure(self, score: float, norm_bound: float, square: float) -> bool:
        """Whether rounding leaves no doubt about the sign of a score: see `square_factor`."""
        error = self._factor * norm_bound * (square + SQUARE_ROW_UNDERFLOW) + SQUARE_SCORE_UNDERFLOW
        return score * score > error

    def _sure(self, c: int, score: float, square: float) -> float:
        """The score of line c with its exact sign, computed exactly where that is in doubt."""
        norm_bound = self._norm_bounds[c]
        if self._is_sure(score, norm_bound, square):
            return score
        return exact_score(self._row, self._lines[c]) if norm_bound else 0.0

    def _update(self, c: int, step: float, square: float) -> None:
        """Add step·row to line c.

        After a mistake ‖w‖² has grown by at most (step·‖row‖)².
        """
        norm_bound = square_norm_bound_after(
            self._norm_bounds[c], step, square + SQUARE_ROW_UNDERFLOW
        )
        row, w = self._row, self._lines[c]
        if not norm_bound < SQUARE_OVERFLOW_LIMIT:
            with np.errstate(over="ignore", invalid="ignore"):
                if not np.isfinite(w + step * row).all():
                    raise InputError(
                        "the weights have grown beyond what float64 can hold; divide the rows, or "
                        "their weights, by a power of ten."
                    )
        w += step * row
        if self._at is not None:
            self._memory[c, self._at] = w
        self._norm_bounds[c] = norm_bound
        self.n_mistakes_ += 1


def _the_weight(weight: Any, w: Any) -> Any:
    """The weight of a row that was given by its other name."""
    if type(weight) is float and weight == 1.0:  # the default
        return w
    raise InputError(f"weight is {weight!r} and w is {w!r}; they are one thing: give one of them.")
