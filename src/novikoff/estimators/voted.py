"""The voted perceptron as a scikit-learn classifier."""

from __future__ import annotations

from novikoff.estimators.base import Estimator
from novikoff.models.voted import VotedPerceptronModel


class VotedPerceptron(Estimator, VotedPerceptronModel):
    """Every weight vector of the perceptron's run votes (Freund & Schapire 1999).

    A weight vector has as many votes as visits after which it was the current one: the visit of
    the mistake that made it, and those that it survived. They are kept as the tape of mistakes
    and one copy of each row on it, and replayed to predict, so that memory is that of the
    mistakes and not of as many weight vectors. With classes learnt jointly, a matrix of weights
    votes for the class that it scores highest. Every vote has the sign of the exact score of the
    float64 weights.

    Parameters
    ----------
    randomized : bool, default=False
        Whether `predict` draws, for each row, one of all visits at random and uses the weights
        after it. May be changed after fit.
    max_iter : int, default=10
        The most passes.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        As in Perceptron. A vote at 0 is none, or one for the positive class where the tie is
        'positive'.
    start : None, 'random' or array, default=None
        The first weights, as in Perceptron. They vote too, for the visits that they survive.
    random_state : int, RandomState or None, default=None
        As in Perceptron, and for each randomized prediction.
    fit_intercept, class_weight, multiclass : as in Perceptron
    warm_start : bool, default=False
        Whether fit goes on from the last weights and the tape: two fits are one longer fit.
    n_jobs, verbose : as in Perceptron

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
