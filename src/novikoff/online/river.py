"""The on-line perceptron as one of river's classifiers; this module needs river."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any

try:
    from river import base
except ImportError:
    raise ImportError(
        "novikoff.online.river needs river, which is not installed: pip install river.",
        name="river",
    ) from None

from novikoff.online.perceptron import OnlinePerceptron

if TYPE_CHECKING:
    import pandas as pd

    from novikoff.conventions import Tie
    from novikoff.inputs.type_aliases import RowLike


class RiverPerceptron(OnlinePerceptron, base.MiniBatchClassifier):  # type: ignore[misc]
    """`OnlinePerceptron` for river's pipelines, metrics and model selection.

    It learns and predicts what `OnlinePerceptron` does, to the last bit, and it is a
    `river.base.MiniBatchClassifier`: `StandardScaler() | RiverPerceptron()` is a pipeline, and
    `evaluate.progressive_val_score` takes it. Its model file is an `OnlinePerceptron`'s, which
    `novikoff.load` reads without river.

    `predict_proba_one` is the logistic function of the score, or the softmax of the scores of more
    classes. These numbers are not calibrated, since the length of w means nothing: they rank rows
    and classes, which is what `ROCAUC`, bagging, voting and one-vs-rest of river need.

    Parameters
    ----------
    fit_intercept
        Whether to learn an offset.
    tie
        What a score of exactly 0 means: 'mistake', 'positive' or 'zero'.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> from novikoff.online.river import RiverPerceptron
    >>> model = preprocessing.StandardScaler() | RiverPerceptron()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 85.91%
    """

    # river reads the parameters off this signature.
    def __init__(self, fit_intercept: bool = True, tie: Tie = "mistake") -> None:
        super().__init__(fit_intercept=fit_intercept, tie=tie)

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_proba_one(self, x: RowLike, **_: Any) -> dict[Any, float]:
        """Numbers that add up to 1 and are in the order of the scores, but are not calibrated."""
        classes = self.classes_
        if len(classes) < 2:
            return dict.fromkeys(classes, 1.0)
        scores = self.score_one(x)
        given = [0.0, scores] if isinstance(scores, float) else list(scores.values())
        largest = max(given)
        shares = [1.0 if score == largest else math.exp(score - largest) for score in given]
        return {one: share / sum(shares) for one, share in zip(classes, shares, strict=True)}

    def learn_many(self, X: pd.DataFrame, y: pd.Series, w: Any = None) -> None:
        """Learn from the rows of a DataFrame, in their order: the same as `learn_one` of each."""
        weights = repeat(1.0) if w is None else w
        for row, label, weight in zip(_rows(X), y, weights, strict=w is not None):
            self.learn_one(row, label, weight)

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The class of each row."""
        found = [self.predict_one(row) for row in _rows(X)]
        return type(X)({0: found}, index=X.index)[0].rename(None)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """`predict_proba_one` of each row, a column for each class."""
        found = [self.predict_proba_one(row) for row in _rows(X)]
        return type(X)(found, index=X.index, columns=self.classes_)

    __repr__ = base.Classifier.__repr__


def _rows(X: pd.DataFrame) -> Iterator[dict[Any, Any]]:
    names = list(X.columns)
    return (dict(zip(names, row, strict=True)) for row in X.itertuples(index=False, name=None))
