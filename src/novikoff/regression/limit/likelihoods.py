"""Concave log-likelihoods over linear predictors η = Z·β + offset, and the links that they use.

    of_rows        Σ w·f(y, η): logistic, binomial and Poisson models, and contests
    of_choices     Σ w·-log(1 + Σ exp(-η)) over groups: each η is by how much the outcome is ahead
                   of another class, or of another member of its set
    of_intervals   Σ w·log(F(η_above) + F(η_below) - 1): ordinal models, each η the distance of a
                   threshold, where it has one on that side
    of_risk_sets   Σ over events of η - log Σ exp(η) over those at risk: Cox models

A link is the log-likelihood of one row as a function of its η. Of binary outcomes and shares y lies
between 0 and 1, and the link knows log P and log (1 - P); of counts y is any number from 0 on. All
of them are concave, so no bend is ever negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import expit, log_expit, log_ndtr

LEAST_PROBABILITY = 1e-300  # where an outcome has less, a line search goes back
SMALL_RATE = 1e-4  # below it two terms of a series are exact to 1e-13
MOST_TRIALS = 1e6  # of a row, where steps start: no share is nearer to 0 or 1
HALF_LOG_TWO_PI = 0.9189385332046727


class Curve(NamedTuple):
    """A function of η at some points: its values, its derivatives, and minus its second ones."""

    value: np.ndarray
    slope: np.ndarray
    bend: np.ndarray


class Local(NamedTuple):
    """A log-likelihood at some predictors. Its information is that of single η, and of groups.

    bends : -∂²/∂η² of single η
    grouped : what makes of columns of the η those of groups; None where there are no groups
    group_bends : of each group
    """

    value: float
    slopes: np.ndarray
    bends: np.ndarray
    grouped: Callable[[Any], Any] | None = None
    group_bends: np.ndarray | None = None

    def information(self, columns: Any) -> np.ndarray:
        """Mᵀ·(-∂²/∂η²)·M of columns M."""
        found = weighted(columns, self.bends)
        if self.grouped is None or self.group_bends is None:
            return found
        groups = self.grouped(columns)
        groups = np.asarray(groups if isinstance(groups, np.ndarray) else groups.toarray())
        return np.asarray(found + (groups * self.group_bends[:, None]).T @ groups)


Likelihood: TypeAlias = Callable[[np.ndarray], Local]


def weighted(columns: Any, weights: np.ndarray) -> np.ndarray:
    """Mᵀ·diag(weights)·M, dense."""
    if isinstance(columns, np.ndarray):
        return np.asarray((columns * weights[:, None]).T @ columns)
    return np.asarray((columns.T @ columns.multiply(weights[:, None]).tocsr()).toarray())


# Links


@dataclass(frozen=True)
class Binary:
    """hit, miss : log P and log (1 - P), of η"""

    hit: Callable[[np.ndarray], Curve]
    miss: Callable[[np.ndarray], Curve]

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        """The log-likelihood of each row, up to a term that no coefficient moves."""
        found = np.zeros((3, len(eta)))
        with np.errstate(all="ignore"):  # a probability of 0 is a line search's to refuse
            for curve, share in ((self.hit, y), (self.miss, 1 - y)):
                rows = np.flatnonzero(share)
                found[:, rows] += share[rows] * np.array(curve(eta[rows]))
        return Curve(*found)

    def mean(self, eta: np.ndarray) -> np.ndarray:
        """The expected outcome."""
        with np.errstate(all="ignore"):
            return np.asarray(np.exp(self.hit(eta).value))

    def start(self, y: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Predictors near the outcomes of rows of these sizes (trials), to start from."""
        size = np.minimum(size, MOST_TRIALS)
        share = (y * size + 0.5) / (size + 1)  # moved inward by half a trial
        return np.asarray(np.log(share / (1 - share)))


class Logit(Binary):
    """The same for P = 1/(1 + exp(-η)), in fewer steps."""

    def at(self, y: np.ndarray, eta: np.ndarray) -> Curve:
        hit, miss = expit(eta), expit(-eta)
        return Curve(y * eta + log_expit(-eta), y * miss - (1 - y) * hit, hit * miss)


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


# Likelihoods


def of_rows(link: Binary | Counts, y: np.ndarray, weights: np.ndarray) -> Likelihood:
    """One outcome a row: y of w trials, or of weight w."""

    def at(eta: np.ndarray) -> Local:
        value, slopes, bends = link.at(y, eta)
        return Local(float(weights @ value), weights * slopes, weights * bends)

    return at


def of_choices(starts: np.ndarray, weights: np.ndarray) -> Likelihood:
    """Groups of consecutive η, each group of weight w; `starts` says where groups begin."""

    def at(eta: np.ndarray) -> Local:
        ends = np.append(starts, len(eta))
        sizes = np.diff(ends)
        lowest = np.minimum(np.minimum.reduceat(eta, starts), 0.0)
        odds = np.exp(np.repeat(lowest, sizes) - eta)
        total = np.exp(lowest) + np.add.reduceat(odds, starts)
        shares = odds / np.repeat(total, sizes)  # the probability of each alternative
        slopes = np.repeat(weights, sizes) * shares
        groups = csr_matrix((shares, np.arange(len(eta)), ends), (len(sizes), len(eta)))
        value = float(weights @ (lowest - np.log(total)))
        return Local(value, slopes, slopes, lambda columns: groups @ columns, -weights)

    return at


def of_intervals(
    link: Binary, above: np.ndarray, below: np.ndarray, weights: np.ndarray
) -> Likelihood:
    """An outcome between two thresholds, with one η for each side that has a threshold.

    link : of F, which is symmetric
    above, below : for each outcome the place of its η on that side; -1 where it has none
    """

    def at(eta: np.ndarray) -> Local:
        high = np.where(above >= 0, eta[above], np.inf)
        low = np.where(below >= 0, eta[below], np.inf)
        near, far = np.minimum(high, low), np.maximum(high, low)
        # F(high) + F(low) - 1, as the difference of the two small tails
        probability = link.mean(near) - link.mean(-far)
        if not (probability > LEAST_PROBABILITY).all():
            return Local(-np.inf, np.zeros(len(eta)), np.ones(len(eta)))
        outcome = np.zeros(len(eta), dtype=np.intp)
        for places in (above, below):
            outcome[places[places >= 0]] = np.flatnonzero(places >= 0)
        log_F, slope, bend = link.hit(eta)
        share = np.exp(log_F) / probability[outcome]
        first, second = share * slope, share * (slope**2 - bend)  # F' and F'' over it
        moves = csr_matrix((first, (outcome, np.arange(len(eta)))), (len(above), len(eta)))
        each, value = weights[outcome], float(weights @ np.log(probability))
        return Local(value, each * first, -each * second, lambda columns: moves @ columns, weights)

    return at


def of_risk_sets(
    event: np.ndarray, parts: Any, holders: Any, stratum: np.ndarray, tied: Any, weights: np.ndarray
) -> Likelihood:
    """Events among those at risk, by Breslow's or Efron's rule; η and columns are of subjects.

    event : the subject of each event
    parts, holders : those at risk are unions of parts: `parts` is which subjects are in each part,
        `holders` which parts make up those at risk at each event. So sums over those at risk are
        sums of positive numbers, and lose no digits
    stratum : of the subjects, numbered from 0
    tied : events by subjects, the share of a tied subject that has failed before, by Efron's rule
    weights : of the subjects
    """

    def sums(values: np.ndarray) -> np.ndarray:
        """Σ over those at risk, for each event, of numbers of the subjects, or of their rows."""
        return np.asarray(holders @ (parts @ values) - tied @ values)

    def at(eta: np.ndarray) -> Local:
        highest = np.full(int(stratum.max()) + 1, -np.inf)
        np.maximum.at(highest, stratum, eta)
        above = highest[stratum]  # is taken from η before it is raised
        odds = weights * np.exp(eta - above)
        total, each = sums(odds), weights[event]
        if not (total > 0).all():
            return Local(-np.inf, np.zeros(len(eta)), odds)
        shares = each / total
        bends = odds * (parts.T @ (holders.T @ shares) - tied.T @ shares)
        slopes = -bends
        np.add.at(slopes, event, each)
        value = float(each @ ((eta - above)[event] - np.log(total)))
        return Local(
            value, slopes, bends,
            lambda columns: sums(columns * odds[:, None]) / total[:, None], -each,
        )  # fmt: skip

    return at
