"""The pocket perceptron as a scikit-learn classifier."""

from __future__ import annotations

from novikoff.estimators.base import Estimator
from novikoff.models.pocket import PocketPerceptronModel


class PocketPerceptron(Estimator, PocketPerceptronModel):
    """The perceptron for rows that no line separates: the weights with the fewest mistakes seen.

    Gallant's pocket algorithm with ratchet. The perceptron runs as ever, and in the pocket lie
    its best weights: those that make the fewest mistakes on all training rows. Weights that have
    survived more visits in a row than those in the pocket are counted out on all rows, and take
    their place only if they make fewer. With sample or class weights, fewest means of the least
    total weight. A tie counts as a mistake where the tie rule says so.

    Each line of more than two classes has a pocket of its own; classes learnt jointly share one,
    judged by the rows that it puts in a wrong class.

    Parameters
    ----------
    max_iter : int, default=100
        The most passes. Rows that cannot be separated take them all: that is no cause for a
        warning here.
    order : {'cyclic', 'shuffled'} or array of int, default='shuffled'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    tol, early_stopping, validation_fraction, n_iter_no_change : as in Perceptron
        What is judged is the pocket: held-out rows by its classes, `tol` alone by its mistakes.
    start : None, 'random' or array, default=None
        The first weights, as in Perceptron, which are also the first in the pocket.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row, and its mistake, by the weight of its class, as in Perceptron.
    fit_intercept, tie, random_state, multiclass : as in Perceptron
    warm_start : bool, default=False
        Whether fit goes on from the last weights and the pocket, judged anew on its rows.
    polish : bool or float, default=False
        Whether to finish with the search of `fewest_mistakes`, for so many seconds a line (True:
        10): where it finds weights with fewer mistakes than those in the pocket, these go in.
    n_jobs, verbose : as in Perceptron

    Attributes
    ----------
    coef_, intercept_ : the pocket, of shape (1, d) and (1,) for two classes, else one line a class
    n_training_errors_ : the mistakes that the pocket makes on the rows of the last call, of all
        lines together
    training_error_weight_ : their weight; the same number where no weights are given
    last_coef_, last_intercept_ : the last weights, from which partial_fit and warm_start go on
    converged_, stop_reason_, n_iter_, n_mistakes_, classes_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0], [1], [2], [3], [4], [5]], ["low", "low", "high", "low", "high", "high"]
    >>> clf = nk.PocketPerceptron(random_state=0).fit(X, y)
    >>> clf.n_training_errors_, clf.stop_reason_
    (1, 'max_iter')
    """
