"""The kernel perceptron as a scikit-learn classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.metaestimators import available_if

from novikoff.estimators.base import Estimator
from novikoff.models.kernel.model import KernelPerceptronModel
from novikoff.wording import keyword

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.inputs.type_aliases import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan


def _has_rows(estimator: Any) -> bool:
    """Whether X holds rows, not kernel values, so that they can be compared with later ones."""
    if isinstance(estimator.kernel, str) and estimator.kernel == "precomputed":
        raise AttributeError(
            f"with {keyword('kernel', 'precomputed')} there is no partial_fit: use fit."
        )
    return True


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
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means, as in Perceptron. A vote at 0 is none, or one for the
        positive class where the tie is 'positive'.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled'.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron.
    cache_size : float, default=200
        Megabytes for kernel columns kept between passes, the least recently used dropped first.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

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

    @available_if(_has_rows)  # type: ignore[untyped-decorator]
    def partial_fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        classes: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One pass over these rows, from the support as it is.

        `support_` counts rows on from call to call. `classes` may name classes to come; one
        that appears unannounced is accepted.
        """
        go_on = self.is_fitted and self._kernel.name != "precomputed"
        self._learn(X, y, sample_weight, classes, go_on, whole=False)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags
