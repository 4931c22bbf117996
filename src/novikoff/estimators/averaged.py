"""The averaged perceptron as a scikit-learn classifier."""

from __future__ import annotations

from novikoff.estimators.base import Estimator
from novikoff.models.averaged import AveragedPerceptronModel


class AveragedPerceptron(Estimator, AveragedPerceptronModel):
    """The perceptron whose weights are the mean over all visits, not the last (Freund & Schapire).

    It makes the perceptron's mistakes and updates; `coef_` is the mean of the weights after each
    visit of a row, over all rows and passes. Visits are averaged, not mistakes: weights count as
    often as they survive. The start counts only if it survives the first visit. A line that has
    had its clean pass stays, and counts, as it is while others go on. The cost is that of the
    mistakes: a visit without one costs nothing more than in Perceptron, for sparse rows too.

    Parameters
    ----------
    max_iter : int, default=100
        The most passes.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    tol, early_stopping, validation_fraction, n_iter_no_change : as in Perceptron
        Held-out rows are judged by the mean, `tol` alone by the mistakes of the passes.
    fit_intercept, tie, start, random_state, class_weight, multiclass : as in Perceptron
    warm_start : bool, default=False
        Whether fit goes on from the last weights and their mean: two fits are one longer fit.
    n_jobs, verbose : as in Perceptron

    Attributes
    ----------
    coef_, intercept_ : the mean, of shape (1, d) and (1,) for two classes, else one line a class
    last_coef_, last_intercept_ : the last weights, from which partial_fit and warm_start go on
    n_visits_ : visits of a row that the mean is over
    classes_, n_iter_, n_mistakes_, n_features_in_ : as in Perceptron
    converged_, stop_reason_ : as in Perceptron, of the last weights; their mean may still be
        wrong on some row

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "off", "off", "on"]
    >>> clf = nk.AveragedPerceptron().fit(X, y)
    >>> clf.last_coef_, clf.last_intercept_, clf.n_visits_
    (array([[3., 2.]]), array([-4.]), 36)
    >>> clf.coef_ * 36, clf.intercept_ * 36
    (array([[75., 48.]]), array([-92.]))
    """
