"""The rescaled perceptron as a scikit-learn classifier."""

from __future__ import annotations

from novikoff.estimators.base import Estimator
from novikoff.models.rescaled import RescaledPerceptronModel


class RescaledPerceptron(Estimator, RescaledPerceptronModel):
    """The perceptron for rows whose margin is so small that the plain one would need years.

    After a batch of mistakes it squeezes space along the directions that they exclude, and starts
    again: about D·log(1/margin) rescalings instead of 1/margin² mistakes. Its weights are those
    of the original columns, and `converged_` is True only after an exact pass over the rows as
    given has found every one strictly on its side. It needs all rows at once, as one dense
    matrix; there is no partial_fit.

    Parameters
    ----------
    fit_intercept, n_jobs : as in Perceptron
    max_rescalings : int, default=100
        The most rescalings of one line; where no separator exists it would never end.
    max_mistakes : int, default=1_000_000
        The most mistakes of one line.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron. In rescaled space
        every row has length 1.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart, as in Perceptron. 'joint' writes out a row of
        all lines' weights for each row and wrong class.
    verbose : int, default=0
        Whether to print, after each start, the mistakes so far and the lines that are left.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (1, d) and (1,) for two classes, else one line a class
    n_mistakes_, n_rescalings_ : of all lines together
    n_iter_ : how often the perceptron started: once, and after each rescaling
    converged_ : whether every row is strictly on its side, decided without rounding
    stop_reason_ : 'clean pass' (the exact one), 'max_rescalings', 'max_mistakes', or 'rounding': a
        clean pass over the rescaled rows that the exact one did not confirm
    classes_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> data = nk.datasets.badmargin(60)
    >>> clf = nk.RescaledPerceptron().fit(data.X, data.y)
    >>> clf.converged_, clf.score(data.X, data.y)
    (True, 1.0)
    """
