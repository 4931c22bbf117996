"""Links: the log-likelihood of one row as a function of its linear predictor η, and its slopes.

Of binary outcomes and shares y lies between 0 and 1, and the link knows log P and log (1 - P); of
counts y is any number from 0 on. All of them are concave, so no bend is ever negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import expit, log_expit, log_ndtr

SMALL_RATE = 1e-4  # below it two terms of a series are exact to 1e-13
MOST_TRIALS = 1e6  # of a row, where steps start: no share is nearer to 0 or 1
HALF_LOG_TWO_PI = 0.9189385332046727


class Curve(NamedTuple):
    """A function of η at some points: its values, its derivatives, and minus its second ones."""

    value: np.ndarray
    slope: np.ndarray
    bend: np.ndarray


class Link(Protocol):
    """What a likelihood of rows is made of."""

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        """The log-likelihood of each row, up to a term that no coefficient moves."""

    def mean(self, eta: np.ndarray) -> np.ndarray:
        """The expected outcome."""

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Predictors near the outcomes of rows of these sizes (trials), to start from."""


@dataclass(frozen=True)
class Binary:
    """hit, miss : log P and log (1 - P), of η"""

    hit: Callable[[np.ndarray], Curve]
    miss: Callable[[np.ndarray], Curve]

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        found = np.zeros((3, len(eta)))
        with np.errstate(all="ignore"):  # a probability of 0 is a line search's to refuse
            for curve, share in ((self.hit, y), (self.miss, 1 - y)):
                rows = np.flatnonzero(share)
                found[:, rows] += share[rows] * np.array(curve(eta[rows]))
        return Curve(*found)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.asarray(np.exp(self.hit(eta).value))

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        size = np.minimum(size, MOST_TRIALS)
        share = (y * size + 0.5) / (size + 1)  # moved inward by half a trial
        return np.asarray(np.log(share / (1 - share)))


class Logit(Binary):
    """The same for P = 1/(1 + exp(-η)), in fewer steps."""

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        hit, miss = expit(eta), expit(-eta)
        value = y * eta + log_expit(-eta)
        return Curve(value, y * miss - (1 - y) * hit, hit * miss)


@dataclass(frozen=True)
class Counts:
    """E = exp(η), of Poisson counts, or of negative binomial ones with a given dispersion α."""

    alpha: float = 0.0

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        mean, alpha = np.exp(eta), self.alpha
        if alpha == 0:  # less the saturated model's, so that large counts cost no digits
            away = eta - np.log(np.where(y > 0, y, 1.0))
            value = np.where(y > 0, -y * (np.expm1(away) - away), -mean)
        else:
            value = y * eta - (y + 1 / alpha) * np.logaddexp(0.0, eta + np.log(alpha))
        damped = 1 + alpha * mean
        return Curve(value, (y - mean) / damped, mean * (1 + alpha * y) / damped**2)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(np.exp(eta))

    def start(self, y: np.ndarray, _size: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(y + 0.1))


def _logistic(eta: np.ndarray) -> Curve:
    """log 1/(1 + exp(-η))."""
    rest = expit(-eta)
    return Curve(log_expit(eta), rest, expit(eta) * rest)


def _normal(eta: np.ndarray) -> Curve:
    """log Φ(η)."""
    value = log_ndtr(eta)
    mills = np.exp(-0.5 * eta**2 - HALF_LOG_TWO_PI - value)  # φ(η)/Φ(η)
    return Curve(value, mills, mills * (mills + eta))


def _some(eta: np.ndarray) -> Curve:
    """log (1 - exp(-r)), with the rate r = exp(η)."""
    rate = np.exp(eta)
    slope = np.where(rate == 0, 1.0, rate / np.expm1(rate))
    more = np.where(rate < SMALL_RATE, rate / 2 + rate**2 / 12, rate / -np.expm1(-rate) - 1)
    return Curve(np.log(-np.expm1(-rate)), slope, slope * more)


def _none(eta: np.ndarray) -> Curve:
    """-exp(η)."""
    rate = np.exp(eta)
    return Curve(-rate, -rate, rate)


def _mirrored(curve: Callable[[np.ndarray], Curve]) -> Callable[[np.ndarray], Curve]:
    """The function of -η."""

    def at(eta: np.ndarray) -> Curve:
        value, slope, bend = curve(-eta)
        return Curve(value, -slope, bend)

    return at


LINKS = {
    "logit": Logit(_logistic, _mirrored(_logistic)),
    "probit": Binary(_normal, _mirrored(_normal)),
    "cloglog": Binary(_some, _none),
    "loglog": Binary(_mirrored(_none), _mirrored(_some)),
}
