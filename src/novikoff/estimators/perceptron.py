"""Rosenblatt's perceptron as a scikit-learn classifier."""

from __future__ import annotations

from novikoff.estimators.base import Estimator
from novikoff.models.perceptron import PerceptronModel


class Perceptron(Estimator, PerceptronModel):
    """Rosenblatt's perceptron: one update per mistake, until a pass makes none.

    More than two classes are told apart one against the rest or jointly, all of them in one visit
    of each row. The weights are, to the last bit, those of the textbook loop in float64 (float32
    for float32 input), and the same for dense and sparse rows.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset.
    max_iter : int, default=1000
        The most passes. With order='restart' every look from the first row is a pass.
    tol : float or None, default=None
        None: only a clean pass or max_iter ends a fit. A number: so do n_iter_no_change passes in
        a row none of which makes fewer mistakes per row than the best before it, by at least tol.
    early_stopping : bool, default=False
        Whether to hold rows out, and to end where the share of them that is put in its class does
        not grow by at least tol (1e-3 if None) in n_iter_no_change passes, as scikit-learn does.
    validation_fraction : float, default=0.1
        The share of every class that early_stopping holds out.
    n_iter_no_change : int, default=5
        How many passes without a gain end a fit.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means. 'mistake': an update on any row. 'positive': the
        positive class, so an update on negative rows only. 'zero': neither class, so an
        update on any row.
    order : {'cyclic', 'restart', 'shuffled'} or array of int, default='cyclic'
        'restart' looks again from the first row after each update; 'shuffled' draws a new
        permutation each pass; an array is the permutation of every pass.
    start : None, 'random' or array, default=None
        The first weights: zeros, standard normal numbers, or d numbers (d + 1, the offset
        last, with an offset) for all lines or for each.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled', start='random' and the rows that early_stopping holds out.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class; with more than two classes,
        on the line of that class only, as scikit-learn does. 'balanced' weights are inverse to
        the classes' frequencies.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart. 'rest': each against the rest. 'joint': by one
        perceptron whose mistakes move the lines of the true and of the best wrong class.
    warm_start : bool, default=False
        Whether fit goes on from the weights of the last fit.
    n_jobs : int or None, default=None
        Threads; -1 for all cores. The lines of more than two classes are split over them, unless
        they are learnt jointly. The weights do not depend on it.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (1, d) and (1,) for two classes, else one line a class
    classes_ : the labels, sorted
    n_iter_ : passes made, the clean one included
    n_mistakes_ : mistakes, and so updates, in all passes and lines
    last_mistakes_ : mistakes of the last pass
    converged_ : whether the last pass made no mistake, and no held-out row is in a wrong class
    stop_reason_ : 'clean pass', 'max_iter', 'tol', 'early stopping', or 'one pass' after
        partial_fit
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "off", "off", "on"]
    >>> clf = nk.Perceptron().fit(X, y)
    >>> clf.coef_, clf.intercept_, clf.n_iter_, clf.n_mistakes_
    (array([[3., 2.]]), array([-4.]), 9, 18)
    >>> clf.stop_reason_
    'clean pass'
    """
