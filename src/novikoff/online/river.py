"""The on-line perceptron as one of river's classifiers; this module needs river."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    from river import base
except ImportError:
    raise ImportError(
        "novikoff.online.river needs river, which is not installed: pip install river.",
        name="river",
    ) from None

from novikoff.online.perceptron import OnlinePerceptron

if TYPE_CHECKING:
    from novikoff.conventions import Tie


class RiverPerceptron(OnlinePerceptron, base.Classifier):  # type: ignore[misc]
    """`OnlinePerceptron` for river's pipelines, metrics and model selection.

    It learns and predicts what `OnlinePerceptron` does, to the last bit, and it is a
    `river.base.Classifier`: `StandardScaler() | RiverPerceptron()` is a pipeline, and
    `evaluate.progressive_val_score` takes it. It has no probabilities. Its model file is an
    `OnlinePerceptron`'s, which `novikoff.load` reads without river.

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

    __repr__ = base.Classifier.__repr__
