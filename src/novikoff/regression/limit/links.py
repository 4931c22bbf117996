"""Links: the log-likelihood of one row as a function of its linear predictor η, and its slopes.

Each link has, for rows with outcomes y,

    value(y, η)    the log-likelihood, up to a term that no coefficient moves
    slope(y, η)    its derivative by η
    bend(y, η)     minus its second derivative: never negative, since all of them are concave
    mean(η)        the expected outcome

Of binary outcomes and shares y lies between 0 and 1; of counts it is any number from 0 on.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.special import expit, log_expit, log_ndtr, ndtr, ndtri

SMALL_RATE = 1e-4  # below it two terms of a series are exact to 1e-13
MOST_TRIALS = 1e6  # of a row, where steps start: no share is nearer to 0 or 1
HALF_LOG_TWO_PI = 0.9189385332046727


class Link(Protocol):
    """What a likelihood of rows is made of."""

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray: ...
    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray: ...
    def bend(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray: ...
    def mean(self, eta: np.ndarray) -> np.ndarray: ...
    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Predictors near the outcomes of rows of these sizes (trials), to start from."""


class Logit:
    """P = 1/(1 + exp(-η))."""

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return np.asarray(y * eta + log_expit(-eta))

    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return np.asarray(y * expit(-eta) - (1 - y) * expit(eta))

    def bend(self, _y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return np.asarray(expit(eta) * expit(-eta))

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(expit(eta))

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        share = _inside(y, size)
        return np.asarray(np.log(share / (1 - share)))


class Probit:
    """P = Φ(η)."""

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return np.asarray(y * log_ndtr(eta) + (1 - y) * log_ndtr(-eta))

    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return np.asarray(y * _mills(eta) - (1 - y) * _mills(-eta))

    def bend(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        up, down = _mills(eta), _mills(-eta)
        return np.asarray(y * up * (up + eta) + (1 - y) * down * (down - eta))

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(ndtr(eta))

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        return np.asarray(ndtri(_inside(y, size)))


class CLogLog:
    """P = 1 - exp(-exp(η))."""

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        rate = np.exp(eta)
        with np.errstate(divide="ignore"):  # a probability of 0 is a line search's to refuse
            return np.asarray(np.where(y > 0, y * np.log(-np.expm1(-rate)), 0.0) - (1 - y) * rate)

    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        rate = np.exp(eta)
        return np.asarray(y * _over_expm1(rate) - (1 - y) * rate)

    def bend(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        rate = np.exp(eta)
        with np.errstate(divide="ignore", invalid="ignore"):
            more = rate / -np.expm1(-rate) - 1
        more = np.where(rate < SMALL_RATE, rate / 2 + rate**2 / 12, more)
        return np.asarray(y * _over_expm1(rate) * more + (1 - y) * rate)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(-np.expm1(-np.exp(eta)))

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(-np.log1p(-_inside(y, size))))


class LogLog:
    """P = exp(-exp(-η)): the complementary log-log link of the other outcome."""

    other = CLogLog()

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return self.other.value(1 - y, -eta)

    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return -self.other.slope(1 - y, -eta)

    def bend(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        return self.other.bend(1 - y, -eta)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return 1 - self.other.mean(-eta)

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        return -self.other.start(1 - y, size)


class Counts:
    """E = exp(η), of Poisson counts, or of negative binomial ones with a given dispersion α."""

    def __init__(self, dispersion: float = 0.0) -> None:
        self.alpha = dispersion

    def value(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        if self.alpha == 0:  # less the saturated model's, so that large counts cost no digits
            away = eta - np.log(np.where(y > 0, y, 1.0))
            return np.asarray(np.where(y > 0, -y * (np.expm1(away) - away), -np.exp(eta)))
        shifted = np.logaddexp(0.0, eta + np.log(self.alpha))
        return np.asarray(y * eta - (y + 1 / self.alpha) * shifted)

    def slope(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        mean = np.exp(eta)
        return np.asarray((y - mean) / (1 + self.alpha * mean))

    def bend(self, y: np.ndarray, eta: np.ndarray) -> np.ndarray:
        mean = np.exp(eta)
        return np.asarray(mean * (1 + self.alpha * y) / (1 + self.alpha * mean) ** 2)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(np.exp(eta))

    def start(self, y: np.ndarray, _size: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(y + 0.1))


LINKS: dict[str, Link] = {
    "logit": Logit(), "probit": Probit(), "cloglog": CLogLog(), "loglog": LogLog(),
}  # fmt: skip


def _inside(y: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Shares, moved inward by half a trial."""
    size = np.minimum(size, MOST_TRIALS)
    return np.asarray((y * size + 0.5) / (size + 1))


def _mills(eta: np.ndarray) -> np.ndarray:
    """φ(η)/Φ(η)."""
    return np.asarray(np.exp(-0.5 * eta**2 - HALF_LOG_TWO_PI - log_ndtr(eta)))


def _over_expm1(rate: np.ndarray) -> np.ndarray:
    """r/(exp(r) - 1), which is 1 at 0."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return np.asarray(np.where(rate == 0, 1.0, rate / np.expm1(rate)))
