"""scikit-learn's conventions over a model: validation, warnings, tags, foreign keywords.

A member of the family is `class Perceptron(Estimator, PerceptronModel)`: its parameters are the
fields of the model, and what it does is the model's.
"""

from __future__ import annotations

import inspect
import os
import warnings
from functools import wraps
from typing import TYPE_CHECKING, Any, Never, Self, TypeVar, cast

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from novikoff.errors import InputError
from novikoff.estimators.data import NO_LABELS, read_matrix
from novikoff.estimators.foreign import in_our_words, refuse_foreign, refuse_in_fit
from novikoff.inputs import in_memory
from novikoff.models import Model, write

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from onnx import ModelProto

    from novikoff.inputs.type_aliases import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

    class BaseEstimator:
        """What scikit-learn's class of this name adds: it has no types of its own."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **parameters: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassifierMixin:
        """The same for classifiers."""

        def score(
            self, X: RowsLike | Data | Scan, y: LabelsLike, sample_weight: ArrayLike | None = None
        ) -> float: ...

else:
    from sklearn.base import BaseEstimator, ClassifierMixin


Method = TypeVar("Method")


def where_it_goes_on(method: Method) -> Method:
    """A method that a member has only where it can learn from more rows than it has seen."""

    def goes_on(estimator: Model) -> bool:
        try:
            estimator._check_goes_on()
        except InputError as error:
            raise AttributeError(str(error)) from None
        return True

    return cast(Method, available_if(goes_on)(method))


class Estimator(ClassifierMixin, BaseEstimator, Model):
    """A model as a scikit-learn classifier."""

    if not TYPE_CHECKING:  # where `__init__` alone says what is taken

        def __init_subclass__(cls, **options):
            super().__init_subclass__(**options)
            _, *taken = inspect.signature(cls.__init__).parameters.values()
            cls.__signature__ = inspect.Signature(taken)  # that of `__new__` says nothing
            plain = cls.__init__

            @wraps(plain)
            def begin(self, *args, **parameters):
                plain(self, *args, **in_our_words(parameters, self._get_param_names()))

            cls.__init__ = begin

        def __new__(cls, *args, **parameters):  # noqa: ARG004
            """Say what to use instead of a parameter of scikit-learn's that is none of ours."""
            known = cls._get_param_names()
            refuse_foreign(cls, in_our_words(parameters, known), known)
            return super().__new__(cls)

        def set_params(self, **parameters):
            known = self._get_param_names()
            ours = in_our_words(parameters, known)
            refuse_foreign(type(self), ours, known)
            return super().set_params(**ours)

    def fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        **others: Never,
    ) -> Self:
        """Pass over the rows until a pass makes no mistake, or a limit is reached.

        X may be what `read` or `scan` gives, in place of X and y; a scan is mapped from its cache.
        `sample_weight` scales each row's update; a row of weight 0 is left out.
        """
        refuse_in_fit(self, others)
        go_on = self.warm_start and self.is_fitted
        advice = self._learn(X, y, sample_weight, None, go_on, whole=True)
        if why := self.why_not():
            warnings.warn(why + advice, ConvergenceWarning, stacklevel=2)
        elif advice:
            warnings.warn(advice.lstrip(), UserWarning, stacklevel=2)
        return self

    @where_it_goes_on
    def partial_fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        classes: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One pass over these rows, from what was learnt before.

        `classes` may name classes to come. One that appears unannounced is accepted.
        """
        self._learn(X, y, sample_weight, classes, self.is_fitted, whole=False)
        return self

    def score(
        self, X: RowsLike | Data | Scan, y: LabelsLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """The share of rows whose label is predicted."""
        return super().score(X, in_memory(y, "y"), in_memory(sample_weight, "sample_weight"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a safetensors file, which `novikoff.load` reads."""
        check_is_fitted(self)
        write(self, path)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> ModelProto:
        """The fitted model as an ONNX graph, written to `path` where given; linear members only."""
        from novikoff.estimators.onnx_export import to_onnx

        check_is_fitted(self)
        return to_onnx(self, path)

    # What skl2onnx asks a step of a pipeline for

    def onnx_parser(self) -> Any:
        return lambda scope=None, inputs=None: ["label", "scores"]  # noqa: ARG005

    def onnx_shape_calculator(self) -> Any:
        from novikoff.estimators.onnx_export import declare_outputs

        return declare_outputs

    def onnx_converter(self) -> Any:
        from novikoff.estimators.onnx_export import add_nodes

        return add_nodes

    def _check_fitted(self) -> None:
        check_is_fitted(self)

    def _read(self, X: Any, y: Any = None, *, reset: bool, labelled: bool = True) -> Any:
        return read_matrix(self, X, y if labelled else NO_LABELS, reset=reset)

    def _drawing(self) -> np.random.RandomState:
        drawn: np.random.RandomState = check_random_state(self.random_state)
        return drawn

    def _split(self, targets: np.ndarray, fraction: float) -> tuple[np.ndarray, np.ndarray]:
        from sklearn.model_selection import StratifiedShuffleSplit

        splitter = StratifiedShuffleSplit(1, test_size=fraction, random_state=self._drawing())
        learnt, held = next(splitter.split(targets, targets))
        return learnt, held

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
