"""A model once it has learnt: its parameters, what it has learnt, and its answers to new rows.

How it learns is base.py. Both are plain values: parameters are the fields of a dataclass, and what
was learnt are attributes that end in an underscore.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import in_memory
from novikoff.inputs.tensors import is_elsewhere
from novikoff.models.data import by_blocks, read_rows
from novikoff.models.on_device import class_places, classes_on_device, scores_on_device
from novikoff.models.scoring import settled_scores

if TYPE_CHECKING:
    from novikoff.conventions import Multiclass, Tie
    from novikoff.inputs.type_aliases import RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan


class Predictor:
    """A classifier of one line of weights for two classes, else one line per class."""

    kind: ClassVar[str]  # what model files call it
    _records: ClassVar[Mapping[str, Any]] = {}  # what its file holds beside plain values and arrays

    if TYPE_CHECKING:  # parameters; a kind declares its own
        tie: Tie
        multiclass: Multiclass

    coef_: np.ndarray
    intercept_: np.ndarray
    classes_: np.ndarray
    n_features_in_: int
    n_iter_: int
    n_mistakes_: int
    last_mistakes_: int
    converged_: bool
    stop_reason_: str
    rows_digest_: str  # which rows a session has learnt from
    _random: np.random.RandomState

    @classmethod
    def parameter_names(cls) -> tuple[str, ...]:
        """What the constructor takes."""
        return tuple(field.name for field in fields(cls) if field.init)  # type: ignore[arg-type]

    def parameters(self) -> dict[str, Any]:
        """What the constructor was given, or would have been."""
        return {name: getattr(self, name) for name in self.parameter_names()}

    def learnt(self) -> dict[str, Any]:
        """What has been learnt: every attribute that is no parameter."""
        parameters = self.parameter_names()
        return {name: value for name, value in vars(self).items() if name not in parameters}

    @property
    def is_fitted(self) -> bool:
        return "classes_" in vars(self)

    def _check_fitted(self) -> None:
        if not self.is_fitted:
            raise InputError(f"the {self.kind} has learnt nothing yet; train it first.")

    def _read(self, X: Any, y: Any = None, *, reset: bool, labelled: bool = True) -> Any:
        """X as a matrix for the loops, and y as a 1-D array where it is `labelled`.

        `reset`: the columns are what these rows have; else they must be those known.
        """
        matrix = read_rows(X)
        if reset:
            self.n_features_in_ = matrix.shape[1]
        elif matrix.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {matrix.shape[1]} columns; the {self.kind} was fitted on "
                f"{self.n_features_in_}."
            )
        return (matrix, np.asarray(in_memory(y, "y"))) if labelled else matrix

    def decision_function(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The scores: one per row for two classes, else one per row and class.

        Their signs are those of the exact scores, and a tie is exactly 0. Of classes learnt
        jointly not the signs but the highest score, and a tie of the highest, are exact. Rows on
        a device are scored there, and so is the answer. Where weight vectors vote, the score is the
        votes for the class less those against it; for classes learnt jointly, those for it.
        """
        self._check_fitted()
        return by_blocks(self._scores, X)

    def predict(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The class of each row. A tie goes to the larger class where the tie rule is 'positive'
        and the classes are two or learnt jointly, else to the smaller. The classes of rows on a
        device are there too, where they are numbers; no device holds text.
        """
        self._check_fitted()
        return by_blocks(self._classes, X)

    def _scores(self, X: Any) -> np.ndarray:
        joint = self._is_joint and len(self.coef_) > 1
        if is_elsewhere(X):
            found: np.ndarray = scores_on_device(X, self.coef_, self.intercept_, self.kind, joint)
            return found
        matrix = self._read(X, reset=False, labelled=False)
        return flat(settled_scores(matrix, self.coef_, self.intercept_, joint=joint))

    def _classes(self, X: Any) -> np.ndarray:
        scores = self._scores(X)
        if is_elsewhere(X):
            classes: np.ndarray = classes_on_device(
                scores, self.classes_, self.tie == "positive", self._is_joint
            )
            return classes
        return self._classes_of(scores)

    @property
    def _is_joint(self) -> bool:
        return getattr(self, "multiclass", "rest") == "joint"

    def _classes_of(self, scores: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[self._places_of(scores, len(self.classes_))])

    def _places_of(self, scores: np.ndarray, n_classes: int) -> np.ndarray:
        """The class, as a number, that each row is put in."""
        places = class_places(scores, n_classes, self.tie == "positive", self._is_joint)
        return np.asarray(places)


def flat(scores: np.ndarray) -> np.ndarray:
    """Scores of one line as one number a row."""
    return scores[:, 0] if scores.shape[1] == 1 else scores
