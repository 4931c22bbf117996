"""Which coefficients are infinite? The directions along which the likelihood never falls.

A direction δ with z_i·δ >= 0 on every row, not zero on all of them, raises the likelihood of a
logistic regression without end. If one exists, δ_j can be positive just when -e_j is not a
non-negative combination of rows, and negative just when e_j is not: two questions of Farkas for
every column, each answered by an exact direction or by an exact combination. A direction
answers for many columns at once. Columns that depend on others are left out first: theirs and
those of the others could be moved against each other without any effect, and are not determined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.question import Opposed, Question
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.threads import one_thread

SMALL = 1_000_000  # numbers: all rows of such a table are asked at once

WORDS = {(True, False): "+", (False, True): "-", (True, True): "either", (False, False): ""}


class Recession:
    """The columns of z that can go to infinity, found as far as time allows, and gone on with.

    known : weights of a separator of the rows of z, strict where `is_strict`, else weak
    dependent : columns that are combinations of others; they are left out, so that δ = 0 is the
        only direction without effect
    """

    def __init__(
        self, z: SignedRows, known: Weights, dependent: Sequence[int], *, is_strict: bool
    ) -> None:
        kept = np.array(sorted(set(z.columns.tolist()) - set(dependent)), dtype=np.intp)
        size = z.n_rows
        if z.n_rows * z.dim > SMALL:
            size = min(z.n_rows, max(4 * z.dim, 20_000 // max(1, z.dim)))
        scores = z.float_scores(known, z.rows)
        self.nearest = np.sort(z.rows[np.argpartition(scores, size - 1)[:size]])
        self.z = SignedRows(z.table, z.signs, z.fit_intercept, z.rows, kept)
        self.homes: list[int] = self.z.homes.tolist()
        self.is_strict = is_strict
        self.rises: dict[int, bool | None] = dict.fromkeys(self.homes)
        self.falls: dict[int, bool | None] = dict.fromkeys(self.homes)
        self.question: Question | None = None
        self.inside: Weights | None = None  # a direction that is strict on every row
        if len(dependent) == 0:  # else its weights are spread over columns left out
            self._learn(known)
            self.inside = known if is_strict else None

    def __getstate__(self) -> dict[str, Any]:
        """Without the question, which holds a solver: it is begun again where it is needed."""
        return self.__dict__ | {"question": None}

    def words(self) -> dict[int, str]:
        """For each column that is not known to be finite, one word; n_columns is the offset.

        '+', '-' or 'either' where all is known; 'infinite' where only the sign is not, and
        'unknown' where not even that it is infinite.
        """
        found: dict[int, str] = {}
        for j in self.homes:
            up, down = self.rises[j], self.falls[j]
            if up is not None and down is not None:
                found[j] = WORDS[up, down]
            else:
                found[j] = "infinite" if up or down or self.is_strict else "unknown"
        return {j: word for j, word in found.items() if word}

    def work(self, clock: Clock) -> None:
        """Answer what is open; raises OutOfTimeError, and what was answered until then stays."""
        if None not in (*self.rises.values(), *self.falls.values()):
            return
        clock.check()
        with one_thread(self.z.dim):
            if self.question is None:
                self.question = Question(self.z, self.nearest, clock, self.inside)
            self.question.clock = clock
            for place, j in enumerate(self.homes):
                for found, sign in ((self.rises, -1), (self.falls, 1)):
                    if found[j] is None:
                        self._ask(self.question, place, sign, found)
        self.question = None

    def _ask(
        self, question: Question, place: int, sign: int, found: dict[int, bool | None]
    ) -> None:
        target = [0] * self.z.dim
        target[place] = sign
        answer = question.ask(target)
        if isinstance(answer, Opposed):
            self._learn(answer.weights)
        else:
            found[self.homes[place]] = False

    def _learn(self, direction: Weights) -> None:
        """A direction that no row opposes answers for every column that it moves."""
        for j in self.homes:
            if direction[j] > 0:
                self.rises[j] = True
            elif direction[j] < 0:
                self.falls[j] = True
