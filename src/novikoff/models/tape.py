"""The tape of mistakes of a voted or kernel perceptron, and what is predicted from it."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

PREDICTIONS = ("vote", "average", "last")


class DualTape(NamedTuple):
    """The mistakes in order: which member of the support, on which line, how large, and when."""

    members: np.ndarray  # the row's place in the support
    lines: np.ndarray
    steps: np.ndarray  # sign·size
    visits: np.ndarray  # from 0, over all passes

    @classmethod
    def blank(cls, n: int) -> Self:
        whole = np.int64
        return cls(np.empty(n, whole), np.empty(n, whole), np.empty(n), np.empty(n, whole))

    def last_coef(self, shape: tuple[int, ...]) -> np.ndarray:
        """The coefficients after the last mistake, of shape (support, lines)."""
        return self._added(self.steps, shape)

    def sum_of_coefs(self, shape: tuple[int, ...], n_visits: int) -> np.ndarray:
        """The coefficients after each of the visits, added up.

        A step made at visit v is in those after n_visits − v of them.
        """
        return self._added(self.steps * (n_visits - self.visits), shape)

    def _added(self, steps: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        coef = np.zeros(shape)
        np.add.at(coef, (self.members, self.lines), steps)
        return coef

    def survival(self, n_visits: int) -> np.ndarray:
        """For each mistake, the visits after which its line had the weights it made."""
        by_line = np.argsort(self.lines, kind="stable")
        starts, lines = self.visits[by_line], self.lines[by_line]
        ends = np.append(starts[1:], n_visits)
        ends[:-1][lines[1:] != lines[:-1]] = n_visits
        survival = np.empty_like(self.visits)
        survival[by_line] = ends - starts
        return survival

    def vote(
        self, values: np.ndarray, survival: np.ndarray, shape: tuple[int, ...],
        n_visits: int, ties_positive: bool,
    ) -> np.ndarray:  # fmt: skip
        """The votes on rows whose kernel with every member of the support is in `values`.

        The zero weights before the first mistake of a line vote too: they tie on every row.
        """
        votes = np.empty((len(values), shape[1]))
        for c in range(shape[1]):
            own = self.lines == c
            scores = np.take(values, self.members[own], axis=1) * self.steps[own]
            np.cumsum(scores, axis=1, out=scores)
            votes[:, c] = np.sign(scores, out=scores) @ survival[own].astype(np.float64)
            if ties_positive:
                votes[:, c] += (scores == 0.0) @ survival[own] + n_visits - survival[own].sum()
        return votes

    def regrown(self, known: np.ndarray, classes: np.ndarray) -> Self:
        """The tape for the lines of `classes`, which hold all of `known`, from those for `known`.

        A class keeps its line. The line that two classes share is the larger one's own, and its
        negative the smaller one's. A class that is new has no entries.
        """
        if len(known) == len(classes):
            return self
        places = np.searchsorted(classes, known)
        if len(known) > 2:
            return self._replace(lines=places[self.lines])
        larger = places[-1]
        if len(classes) == 2:
            return self if larger == 1 else self._replace(steps=-self.steps)
        own = self._replace(lines=np.full_like(self.lines, larger))
        if len(known) == 1:
            return own
        other = own._replace(lines=np.full_like(self.lines, places[0]), steps=-self.steps)
        return type(self)(
            *(np.stack(both, axis=1).ravel() for both in zip(own, other, strict=True))
        )
