"""What of a log-likelihood no coefficient moves, and the saturated model's, on the core."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from novikoff.regression.limit.core import Core
from novikoff.regression.limit.problem import ROW_MODELS, outcomes_of
from novikoff.regression.model_data import ModelData


class Constants(NamedTuple):
    """log_likelihood : what is added to the maximum on the core
    saturated : the saturated model's on the core, without what is added; None where there is none
    n_left : how many observations make comparisons of the core
    """

    log_likelihood: float
    saturated: float | None
    n_left: int


def constants_of(given: ModelData, core: Core) -> Constants:
    left = np.unique(core.rows.observation[core.is_core])
    if given.model.name not in ROW_MODELS:
        return Constants(0.0, None, len(left))
    y, weights = outcomes_of(given)
    alpha = given.likelihood.dispersion or 0.0
    if given.model.name != "poisson":
        saturated = xlogy(y, y) + xlogy(1 - y, 1 - y)
    elif alpha:
        saturated = xlogy(y, y) - (y + 1 / alpha) * np.log1p(alpha * y)
    else:
        saturated = np.zeros(len(y))  # as the link has it
    added = _added(given, y, alpha)
    prior = 1.0 if given.likelihood.weights is None else given.likelihood.weights
    return Constants(
        float((prior * added).sum()), float(weights[left] @ saturated[left]), len(left)
    )


def _added(given: ModelData, y: np.ndarray, alpha: float) -> np.ndarray:
    """What a row's log-likelihood has besides the link's value."""
    if given.model.name == "binomial":
        trials = np.array([float(n) for n in given.response["trials"]])
        hits = y * trials
        ways = gammaln(trials + 1) - gammaln(hits + 1) - gammaln(trials - hits + 1)
        return np.where(trials > 1, ways, 0.0)
    if given.model.name == "poisson":
        if alpha:
            more = gammaln(y + 1 / alpha) - gammaln(1 / alpha) + y * np.log(alpha)
            return np.asarray(more - gammaln(y + 1))
        return np.asarray(xlogy(y, y) - y - gammaln(y + 1))
    return np.zeros(len(y))
