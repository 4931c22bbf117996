"""Concave log-likelihoods over linear predictors η = Z·β + offset, one for each shape of a model.

    Rows        Σ w·f(y, η): logistic, binomial and Poisson models, and contests
    Choices     Σ w·-log(1 + Σ exp(-η)) over groups: each η is by how much the outcome is ahead of
                another class, or of another member of its set
    Intervals   Σ w·log(F(η_above) + F(η_below) - 1): ordinal models, each η the distance of a
                threshold, where it has one on that side
    RiskSets    Σ over events of η - log Σ exp(η) over those at risk: Cox models

Each knows its value, its slopes by η, and the information Mᵀ·(-∂²/∂η²)·M of columns M.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from novikoff.regression.limit.links import Link

LEAST_PROBABILITY = 1e-300  # where an outcome has less, a line search goes back


class Likelihood(Protocol):
    """A concave log-likelihood of linear predictors."""

    def value(self, eta: np.ndarray) -> float: ...
    def slopes(self, eta: np.ndarray) -> np.ndarray: ...
    def information(self, eta: np.ndarray, columns: Any) -> np.ndarray: ...
    def start(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Predictors to start near, with weights; None for β = 0."""


def weighted(columns: Any, weights: np.ndarray) -> np.ndarray:
    """Mᵀ·diag(weights)·M, dense."""
    if isinstance(columns, np.ndarray):
        return np.asarray((columns * weights[:, None]).T @ columns)
    product = columns.T @ columns.multiply(weights[:, None]).tocsr()
    return np.asarray(product.toarray())


@dataclass(frozen=True, eq=False)
class Rows:
    """One outcome a row: y of w trials, or of weight w."""

    link: Link
    y: np.ndarray
    weights: np.ndarray

    def value(self, eta: np.ndarray) -> float:
        return float(self.weights @ self.link.value(self.y, eta))

    def slopes(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(self.weights * self.link.slope(self.y, eta))

    def bends(self, eta: np.ndarray) -> np.ndarray:
        """The diagonal of -∂²/∂η²."""
        return np.asarray(self.weights * self.link.bend(self.y, eta))

    def information(self, eta: np.ndarray, columns: Any) -> np.ndarray:
        return weighted(columns, self.bends(eta))

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        eta = self.link.start(self.y, self.weights)
        return eta, self.bends(eta)


@dataclass(frozen=True, eq=False)
class Choices:
    """Groups of consecutive η, each group of weight w; `starts` says where groups begin."""

    starts: np.ndarray
    weights: np.ndarray

    def _shares(self, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The probability of each alternative, and the logarithm of that of each outcome."""
        n = len(eta)
        sizes = np.diff(np.append(self.starts, n))
        lowest = np.minimum(np.minimum.reduceat(eta, self.starts), 0.0)
        odds = np.exp(np.repeat(lowest, sizes) - eta)
        total = np.exp(lowest) + np.add.reduceat(odds, self.starts)
        return odds / np.repeat(total, sizes), lowest - np.log(total)

    def value(self, eta: np.ndarray) -> float:
        return float(self.weights @ self._shares(eta)[1])

    def _spread(self, weights: np.ndarray, n: int) -> np.ndarray:
        return np.repeat(weights, np.diff(np.append(self.starts, n)))

    def slopes(self, eta: np.ndarray) -> np.ndarray:
        return np.asarray(self._spread(self.weights, len(eta)) * self._shares(eta)[0])

    def information(self, eta: np.ndarray, columns: Any) -> np.ndarray:
        shares = self._shares(eta)[0]
        if isinstance(columns, np.ndarray):
            means = np.add.reduceat(columns * shares[:, None], self.starts, axis=0)
        else:
            from scipy.sparse import csr_matrix

            ends = np.append(self.starts, len(eta))
            groups = csr_matrix((shares, np.arange(len(eta)), ends), (len(self.starts), len(eta)))
            means = (groups @ columns).toarray()
        whole = weighted(columns, self._spread(self.weights, len(eta)) * shares)
        return np.asarray(whole - (means * self.weights[:, None]).T @ means)

    def start(self) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Intervals:
    """An outcome between two thresholds, with one η for each side that has a threshold.

    above, below : for each outcome the place of its η on that side; -1 where it has none
    near : η to start from, at which every outcome is possible
    """

    link: Link  # of F, which is symmetric
    above: np.ndarray
    below: np.ndarray
    weights: np.ndarray
    near: np.ndarray

    def _probability(self, eta: np.ndarray) -> np.ndarray:
        """F(high) + F(low) - 1, as the difference of the two small tails."""
        high = np.where(self.above >= 0, eta[self.above], np.inf)
        low = np.where(self.below >= 0, eta[self.below], np.inf)
        near, far = np.minimum(high, low), np.maximum(high, low)
        return np.asarray(self.link.mean(near) - self.link.mean(-far))

    def value(self, eta: np.ndarray) -> float:
        probability = self._probability(eta)
        if not (probability > LEAST_PROBABILITY).all():
            return -np.inf
        return float(self.weights @ np.log(probability))

    def _sides(self, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each η its outcome, and F' and F'' there, each over the outcome's probability."""
        outcome = np.zeros(len(eta), dtype=np.intp)
        for places in (self.above, self.below):
            outcome[places[places >= 0]] = np.flatnonzero(places >= 0)
        one = np.ones(1)
        share = self.link.mean(eta) / self._probability(eta)[outcome]
        slope, bend = self.link.slope(one, eta), self.link.bend(one, eta)  # of log F
        return outcome, share * slope, share * (slope**2 - bend)

    def slopes(self, eta: np.ndarray) -> np.ndarray:
        outcome, first, _ = self._sides(eta)
        return np.asarray(self.weights[outcome] * first)

    def information(self, eta: np.ndarray, columns: Any) -> np.ndarray:
        from scipy.sparse import csr_matrix

        outcome, first, second = self._sides(eta)
        places = np.arange(len(eta))
        moved = csr_matrix((first, (outcome, places)), (len(self.above), len(eta))) @ columns
        moved = moved if isinstance(moved, np.ndarray) else moved.toarray()
        inner = weighted(columns, -self.weights[outcome] * second)
        return np.asarray(inner + (moved * self.weights[:, None]).T @ moved)

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

    def _spread(self, values: np.ndarray) -> np.ndarray:
        """Σ over the events at which a subject is at risk, of numbers of the events."""
        return np.asarray(self.parts.T @ (self.holders.T @ values) - self.tied.T @ values)

    def _odds(self, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """exp(η), and what is taken from η before: the highest of the stratum."""
        highest = np.full(int(self.stratum.max()) + 1, -np.inf)
        np.maximum.at(highest, self.stratum, eta)
        return self.weights * np.exp(eta - highest[self.stratum]), highest[self.stratum]

    def value(self, eta: np.ndarray) -> float:
        odds, highest = self._odds(eta)
        total = self._sums(odds)
        if not (total > 0).all():
            return -np.inf
        gains = (eta - highest)[self.event] - np.log(total)
        return float(self.weights[self.event] @ gains)

    def slopes(self, eta: np.ndarray) -> np.ndarray:
        odds, _ = self._odds(eta)
        weights = self.weights[self.event]
        found = -odds * self._spread(weights / self._sums(odds))
        np.add.at(found, self.event, weights)
        return np.asarray(found)

    def information(self, eta: np.ndarray, columns: Any) -> np.ndarray:
        odds, _ = self._odds(eta)
        weights = self.weights[self.event]
        total = self._sums(odds)
        means = self._sums(columns * odds[:, None]) / total[:, None]
        whole = weighted(columns, odds * self._spread(weights / total))
        return np.asarray(whole - (means * weights[:, None]).T @ means)

    def start(self) -> None:
        return None
