"""Concave log-likelihoods over linear predictors η = Z·β + offset, one for each shape of a model.

Rows        Σ w·f(y, η): logistic, binomial and Poisson models, and contests
Choices     Σ w·-log(1 + Σ exp(-η)) over groups: each η is by how much the outcome is ahead of
            another class, or of another member of its set
Intervals   Σ w·log(F(η_above) + F(η_below) - 1): ordinal models, each η the distance of a
            threshold, where it has one on that side
RiskSets    Σ over events of η - log Σ exp(η) over those at risk: Cox models
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from novikoff.regression.limit.links import Binary, Link

LEAST_PROBABILITY = 1e-300  # where an outcome has less, a line search goes back


class Local(NamedTuple):
    """A log-likelihood at some predictors.

    information : Mᵀ·(-∂²/∂η²)·M of columns M
    bends : the diagonal of -∂²/∂η², where that is all of it
    """

    value: float
    slopes: np.ndarray
    information: Callable[[Any], np.ndarray]
    bends: np.ndarray | None = None


class Likelihood(Protocol):
    """A concave log-likelihood of linear predictors."""

    def at(self, eta: np.ndarray) -> Local: ...
    def start(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Predictors to start near, with weights; None for β = 0."""


def weighted(columns: Any, weights: np.ndarray) -> np.ndarray:
    """Mᵀ·diag(weights)·M, dense."""
    if isinstance(columns, np.ndarray):
        return np.asarray((columns * weights[:, None]).T @ columns)
    product = columns.T @ columns.multiply(weights[:, None]).tocsr()
    return np.asarray(product.toarray())


def _dense(matrix: Any) -> np.ndarray:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


@dataclass(frozen=True, eq=False)
class Rows:
    """One outcome a row: y of w trials, or of weight w."""

    link: Link
    y: np.ndarray
    weights: np.ndarray

    def at(self, eta: np.ndarray) -> Local:
        value, slopes, bends = self.link.at(self.y, eta)
        bends = self.weights * bends
        return Local(
            float(self.weights @ value),
            self.weights * slopes,
            lambda columns: weighted(columns, bends),
            bends,
        )

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        eta = self.link.start(self.y, self.weights)
        return eta, self.weights * self.link.at(self.y, eta).bend


@dataclass(frozen=True, eq=False)
class Choices:
    """Groups of consecutive η, each group of weight w; `starts` says where groups begin."""

    starts: np.ndarray
    weights: np.ndarray

    def at(self, eta: np.ndarray) -> Local:
        from scipy.sparse import csr_matrix

        ends = np.append(self.starts, len(eta))
        sizes = np.diff(ends)
        lowest = np.minimum(np.minimum.reduceat(eta, self.starts), 0.0)
        odds = np.exp(np.repeat(lowest, sizes) - eta)
        total = np.exp(lowest) + np.add.reduceat(odds, self.starts)
        shares = odds / np.repeat(total, sizes)  # the probability of each alternative
        slopes = np.repeat(self.weights, sizes) * shares

        def information(columns: Any) -> np.ndarray:
            groups = csr_matrix((shares, np.arange(len(eta)), ends), (len(sizes), len(eta)))
            means = _dense(groups @ columns)
            return np.asarray(weighted(columns, slopes) - (means * self.weights[:, None]).T @ means)

        return Local(float(self.weights @ (lowest - np.log(total))), slopes, information)

    def start(self) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Intervals:
    """An outcome between two thresholds, with one η for each side that has a threshold.

    above, below : for each outcome the place of its η on that side; -1 where it has none
    near : η to start from, at which every outcome is possible
    """

    link: Binary  # of F, which is symmetric
    above: np.ndarray
    below: np.ndarray
    weights: np.ndarray
    near: np.ndarray

    def at(self, eta: np.ndarray) -> Local:
        from scipy.sparse import csr_matrix

        high = np.where(self.above >= 0, eta[self.above], np.inf)
        low = np.where(self.below >= 0, eta[self.below], np.inf)
        near, far = np.minimum(high, low), np.maximum(high, low)
        # F(high) + F(low) - 1, as the difference of the two small tails
        probability = self.link.mean(near) - self.link.mean(-far)
        outcome = np.zeros(len(eta), dtype=np.intp)
        for places in (self.above, self.below):
            outcome[places[places >= 0]] = np.flatnonzero(places >= 0)
        log_F, slope, bend = self.link.hit(eta)
        share = np.exp(log_F) / probability[outcome]
        first, second = share * slope, share * (slope**2 - bend)  # F' and F'' over it
        is_possible = (probability > LEAST_PROBABILITY).all()

        def information(columns: Any) -> np.ndarray:
            moves = csr_matrix((first, (outcome, np.arange(len(eta)))), (len(self.above), len(eta)))
            moved = _dense(moves @ columns)
            inner = weighted(columns, -self.weights[outcome] * second)
            return np.asarray(inner + (moved * self.weights[:, None]).T @ moved)

        value = float(self.weights @ np.log(probability)) if is_possible else -np.inf
        return Local(value, self.weights[outcome] * first, information)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        return self.near, np.ones(len(self.near))


@dataclass(frozen=True, eq=False)
class RiskSets:
    """Events among those at risk, by Breslow's or Efron's rule; η and columns are of subjects.

    event : the subject of each event
    parts, holders : those at risk are unions of parts: `parts` is which subjects are in each part,
        `holders` which parts make up those at risk at each event. So sums over those at risk are
        sums of positive numbers, and lose no digits
    stratum : of the subjects, numbered from 0
    tied : events by subjects, the share of a tied subject that has failed before, by Efron's rule
    weights : of the subjects
    """

    event: np.ndarray
    parts: Any
    holders: Any
    stratum: np.ndarray
    tied: Any
    weights: np.ndarray

    def _sums(self, values: np.ndarray) -> np.ndarray:
        """Σ over those at risk, for each event, of numbers of the subjects, or of their rows."""
        return np.asarray(self.holders @ (self.parts @ values) - self.tied @ values)

    def at(self, eta: np.ndarray) -> Local:
        highest = np.full(int(self.stratum.max()) + 1, -np.inf)
        np.maximum.at(highest, self.stratum, eta)
        above = highest[self.stratum]  # is taken from η before it is raised
        odds = self.weights * np.exp(eta - above)
        total, weights = self._sums(odds), self.weights[self.event]
        if not (total > 0).all():
            return Local(-np.inf, np.zeros(len(eta)), lambda columns: weighted(columns, odds))
        shares = weights / total
        hazard = self.parts.T @ (self.holders.T @ shares) - self.tied.T @ shares
        slopes = -odds * hazard
        np.add.at(slopes, self.event, weights)

        def information(columns: Any) -> np.ndarray:
            means = self._sums(columns * odds[:, None]) / total[:, None]
            whole = weighted(columns, odds * hazard)
            return np.asarray(whole - (means * weights[:, None]).T @ means)

        value = float(weights @ ((eta - above)[self.event] - np.log(total)))
        return Local(value, slopes, information)

    def start(self) -> None:
        return None
