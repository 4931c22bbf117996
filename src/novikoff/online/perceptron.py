"""The perceptron one row at a time: predict, then learn, for rows that are dicts or arrays."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.conventions import TIES, true_or_false
from novikoff.errors import InputError, one_of
from novikoff.exact.bounds import SQUARE_ROW_UNDERFLOW, SQUARE_SCORE_UNDERFLOW
from novikoff.files import write_whole
from novikoff.model_format import Stored, decode, model_bytes
from novikoff.online.lines import GrowingLines

vdot = np.vdot  # which warns of no overflow, as dot does
TERM_UNDERFLOW, NORM_UNDERFLOW = SQUARE_ROW_UNDERFLOW, SQUARE_SCORE_UNDERFLOW  # see _is_sure

if TYPE_CHECKING:
    from novikoff.conventions import Tie
    from novikoff.inputs.type_aliases import RowLike


class OnlinePerceptron(GrowingLines):
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
        if (
            not score * score
            > self._factor * self._norm_bounds[0] * (square + TERM_UNDERFLOW) + NORM_UNDERFLOW
        ):
            return self._learn(x, y, weight)  # the sign of the score is in doubt
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


def _the_weight(weight: Any, w: Any) -> Any:
    """The weight of a row that was given by its other name."""
    if type(weight) is float and weight == 1.0:  # the default
        return w
    raise InputError(f"weight is {weight!r} and w is {w!r}; they are one thing: give one of them.")
