"""The kernel perceptron as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any

from novikoff.estimators.base import Estimator
from novikoff.models.kernel import KernelPerceptronModel


class KernelPerceptron(Estimator, KernelPerceptronModel):
    """The perceptron in the space of a kernel, with the votes of Freund & Schapire (1999).

    Its weights are mistakes: w = Σ step·φ(row) over the rows of the support, which are all rows
    that were ever a mistake. There is no offset beyond what the kernel holds (`coef0`). More
    than two classes are told apart one against the rest; they share the support and its kernel
    values. Kernel values are floats of X's precision and their sums float64: a score within
    rounding of zero may fall on either side.

    Parameters
    ----------
    kernel : {'poly', 'linear', 'rbf', 'precomputed'} or callable, default='poly'
        (coef0 + gamma·x·x')^degree, x·x', exp(−gamma·‖x − x'‖²), a matrix of kernel values given
        in place of X, or a function of two matrices that returns all values between their rows.
    degree : int, default=2
        The degree of 'poly'.
    gamma : float, 'scale' or None, default=None
        The factor in 'poly' and 'rbf'. None is 1 for 'poly', and 'scale' for 'rbf':
        1 / (columns × variance of X).
    coef0 : float, default=1.0
        The constant in 'poly'.
    prediction : {'vote', 'average', 'last'}, default='vote'
        Every weight vector votes, with as many votes as visits it survived; or the mean of the
        weights after every visit decides; or the last weights do. May be changed after fit.
    budget : int or None, default=None
        The most rows in the support. A row that joins a full support pushes out the one whose
        loss moves the weights least (the smallest ‖coefficients‖·√K(x, x); of several, the one
        whose last mistake lies furthest back). With a budget, prediction must be 'last': a vote
        needs rows that are forgotten.
    max_iter : int, default=100
        The most passes.
    tie, random_state, class_weight, verbose : as in Perceptron
        A vote at 0 is none, or one for the positive class where the tie is 'positive'.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    cache_size : float, default=200
        Megabytes for columns of kernel values that are kept between passes.

    Attributes
    ----------
    support_ : numbers of the rows in the support, in the order they joined it
    support_vectors_ : these rows; empty for kernel='precomputed'
    dual_coef_ : array (support, 1) for two classes, else (support, classes): the last weights
    tape_ : the mistakes in order, as arrays `members` (places in the support), `lines`, `steps`
        (sign × size) and `visits`
    survival_ : for each mistake on the tape, the visits that the weights it made survived
    n_visits_ : visits of a row in all passes
    n_forgotten_ : how often a row was pushed out of a full support
    classes_, n_iter_, n_mistakes_, converged_, stop_reason_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]
    >>> clf = nk.KernelPerceptron(prediction="last").fit(X, y)
    >>> clf.predict(X).tolist(), clf.n_iter_, clf.n_mistakes_
    (['same', 'other', 'other', 'same'], 8, 21)
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
