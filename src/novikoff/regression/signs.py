"""Which coefficients are infinite, and in which direction?

Every direction along which the likelihood never falls is zero on the core and on the equalities.
On these rows, of the columns that are not collinear, each column that depends on earlier ones has
its relation, and such relations are all directions that are zero there: δ = N·t. A coefficient
is infinite just when N has something in its line. Which signs it can have is asked of the settled
rows, seen from t: with few relations these are few different rows, whatever the size of the data.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from novikoff.certificates.comparisons import Comparisons
from novikoff.inputs import table_of_fractions
from novikoff.search.clock import Clock
from novikoff.search.collinear import collinear_columns
from novikoff.search.question import Opposed, Question
from novikoff.search.recession import WORDS
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread

MOST_PRODUCTS = 100_000_000  # of exact numbers, to see the settled rows from t
FEW = 200  # infinite columns whose signs are found unasked
STEP = 512

Line = dict[int, Fraction]  # a line of N: its numbers by the place in t


class Directions:
    """All directions that are zero on the core: which coefficients they move, and to which side.

    settled : the comparisons, by place, that are settled
    dependent : columns that are collinear, by place; the offset comes after all columns
    """

    def __init__(
        self, rows: Comparisons, settled: np.ndarray, dependent: list[int], clock: Clock
    ) -> None:
        self.rows, self.settled = rows, settled
        table = rows.table
        columns = np.setdiff1d(np.arange(table.n_columns), dependent)
        homes = [*columns.tolist(), *([table.n_columns] if rows.offset else [])]
        core = np.setdiff1d(np.arange(table.n_rows), settled)
        self.shares: dict[int, Line] = {home: {} for home in homes}
        self.n_free = 0
        if len(core) == 0:
            for home in homes:
                self._add({home: Fraction(1)})
        else:
            ones = np.ones(len(core), dtype=np.int8)
            part = SignedRows(table.take(core), ones, rows.offset, columns=columns)
            found = collinear_columns(part, clock)
            for j in found.columns:
                clock.check()
                self._add({j: Fraction(1)} | {h: -s for h, s in found.relation(j).items()})
        self.infinite = [home for home in homes if self.shares[home]]
        self.rises: dict[int, bool | None] = dict.fromkeys(self.infinite)
        self.falls: dict[int, bool | None] = dict.fromkeys(self.infinite)

    def _add(self, direction: dict[int, Fraction]) -> None:
        """One more entry of t, which moves these coefficients."""
        for home, share in direction.items():
            if share:
                self.shares[home][self.n_free] = share
        self.n_free += 1

    @property
    def is_small(self) -> bool:
        """Whether the signs are found in a moment."""
        work = len(self.settled) * self.rows.table.n_columns * self.n_free
        return len(self.infinite) <= FEW and work <= MOST_PRODUCTS

    def words(self) -> dict[int, str]:
        """For each infinite coefficient '+', '-', 'either', or 'unknown' as long as it is."""
        found: dict[int, str] = {}
        for home in self.infinite:
            up, down = self.rises[home], self.falls[home]
            known = up is not None and down is not None
            found[home] = WORDS[bool(up), bool(down)] if known else "unknown"
        return found

    def work(self, clock: Clock) -> None:
        """Answer what is open; raises OutOfTimeError, and what was answered until then stays."""
        if None not in (*self.rises.values(), *self.falls.values()):
            return
        with one_thread(self.n_free):
            seen = self._seen(clock)
            shape = (len(seen), self.n_free)
            flat = [Fraction(value) for row in seen for value in row]
            table = table_of_fractions(flat, shape, None, "rational")
            z = SignedRows(table, np.ones(len(seen), dtype=np.int8), False)
            question = Question(z, np.arange(len(seen)), clock)
            for home in self.infinite:
                for found, sign in ((self.rises, -1), (self.falls, 1)):
                    if found[home] is None:
                        self._ask(question, home, sign, found)

    def _ask(self, question: Question, home: int, sign: int, found: dict[int, bool | None]) -> None:
        line = self.shares[home]
        answer = question.ask([sign * line.get(k, Fraction(0)) for k in range(self.n_free)])
        if isinstance(answer, Opposed):
            self._learn(answer.weights[:-1])
        else:
            found[home] = False

    def _learn(self, t: list[int]) -> None:
        """A direction that no settled row opposes answers for every coefficient that it moves."""
        for home in self.infinite:
            moved = sum(share * t[k] for k, share in self.shares[home].items())
            if moved > 0:
                self.rises[home] = True
            elif moved < 0:
                self.falls[home] = True

    def _seen(self, clock: Clock) -> list[tuple[int, ...]]:
        """The settled rows as t sees them, in the smallest integers, each one once."""
        homes = np.array(self.infinite)
        scale = math.lcm(*(s.denominator for line in self.shares.values() for s in line.values()))
        null = np.zeros((len(homes), self.n_free), dtype=object)
        for place, home in enumerate(self.infinite):
            for k, share in self.shares[home].items():
                null[place, k] = int(share * scale)
        columns = homes[homes < self.rows.table.n_columns]
        offset = len(columns) < len(homes)
        z = SignedRows(self.rows.table, self.rows.signs, offset, columns=columns)
        found: set[tuple[int, ...]] = set()
        for start in range(0, len(self.settled), STEP):
            clock.check()
            whole, places, _ = z.integers(self.settled[start : start + STEP])
            for line in (whole @ null[places]).tolist():
                common = math.gcd(*line) or 1
                found.add(tuple(value // common for value in line))
        return sorted(found)
