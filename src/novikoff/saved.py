"""`load`: a model file as the object that saved it, an estimator or an online learner."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from novikoff import models
from novikoff.online import OnlinePerceptron

if TYPE_CHECKING:
    from novikoff.estimators.base import Estimator


def load(path: str | os.PathLike[str]) -> Estimator | Any:
    """The model in a file that `save` wrote. Nothing in the file is ever run."""
    found = models.read(path, {"OnlinePerceptron": OnlinePerceptron.from_stored})
    if not isinstance(found, models.Model):
        return found
    from novikoff.estimators import of

    return of(found)
