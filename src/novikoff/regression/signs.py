"""Which coefficients are infinite, and in which direction?

Every direction along which the likelihood never falls is zero on the core and on the equalities.
On these rows, of the columns that are not collinear, each column that depends on earlier ones has
its relation, and such relations are all directions that are zero there: δ = N·t. A coefficient
is infinite just when N has something in its line. Which signs it can have is asked of the settled
rows, seen from t: with few relations these are few different rows, whatever the size of the data.
Entries of t that no settled row sees together are asked about on their own: thousands of levels,
each with its own rows, are thousands of small questions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from novikoff.certificates.comparisons import Comparisons
from novikoff.inputs import table_of_fractions
from novikoff.regression.collinear import dependent_columns
from novikoff.search.clock import Clock
from novikoff.search.question import Opposed, Question
from novikoff.search.recession import WORDS
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread

MOST_PRODUCTS = 100_000_000  # of exact numbers, to see the settled rows from t
FEW = 200  # infinite columns whose signs are found unasked
STEP = 512

Line = dict[int, Fraction]  # a line of N: its numbers by the place in t
Row = tuple[tuple[int, int], ...]  # a settled row as t sees it: places in t with their numbers


class Part(NamedTuple):
    """Entries of t that rows see together, by place, and these rows."""

    places: list[int]
    rows: list[Row]


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
            found = dependent_columns(table.take(core), rows.offset, clock, columns)
            for j in found.columns:
                clock.check()
                self._add({j: Fraction(1)} | {h: -s for h, s in found.relation(j).items()})
        self.infinite = [home for home in homes if self.shares[home]]
        self.rises: dict[int, bool | None] = dict.fromkeys(self.infinite)
        self.falls: dict[int, bool | None] = dict.fromkeys(self.infinite)
        self._parts: list[Part] | None = None
        self._refused: dict[tuple[int, int], set[int]] = {}  # by home and sign, the parts that do

    def _add(self, direction: dict[int, Fraction]) -> None:
        """One more entry of t, which moves these coefficients."""
        for home, share in direction.items():
            if share:
                self.shares[home][self.n_free] = share
        self.n_free += 1

    @property
    def is_small(self) -> bool:
        """Whether the signs are found in a moment."""
        table = self.rows.table
        width = table.n_columns
        if table.is_sparse:
            width = 1 + int(table.matrix.nnz // table.n_rows)
            most = max((len(line) for line in self.shares.values()), default=0)
            if len(self.settled) * width * most > MOST_PRODUCTS // 20:
                return False
            largest = max(len(part.places) for part in self.parts(Clock()))
            return largest == 1 or len(self.infinite) <= FEW
        work = len(self.settled) * width * self.n_free
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
        parts = self.parts(clock)
        part_of = {k: number for number, part in enumerate(parts) for k in part.places}
        homes: list[list[int]] = [[] for _ in parts]
        needs = {home: {part_of[k] for k in self.shares[home]} for home in self.infinite}
        for home, numbers in needs.items():
            for number in numbers:
                homes[number].append(home)
        with one_thread(max(len(part.places) for part in parts)):
            for number, part in enumerate(parts):
                ask = _asker(part, clock)
                for home in homes[number]:
                    for found, sign in ((self.rises, 1), (self.falls, -1)):
                        refused = self._refused.setdefault((home, sign), set())
                        if found[home] or number in refused:
                            continue
                        line = self.shares[home]
                        t = ask([sign * line.get(k, Fraction(0)) for k in part.places])
                        if t is None:
                            refused.add(number)
                        else:
                            self._learn(dict(zip(part.places, t, strict=True)))
                        if refused == needs[home]:
                            found[home] = False

    def _learn(self, t: dict[int, int]) -> None:
        """A direction that no settled row opposes answers for every coefficient that it moves."""
        for home in self.infinite if len(t) > 1 else self._movers[next(iter(t))]:
            moved = sum(share * t.get(k, 0) for k, share in self.shares[home].items())
            if moved > 0:
                self.rises[home] = True
            elif moved < 0:
                self.falls[home] = True

    @cached_property
    def _movers(self) -> dict[int, list[int]]:
        """For each entry of t the coefficients that it moves."""
        found: dict[int, list[int]] = {k: [] for k in range(self.n_free)}
        for home in self.infinite:
            for k in self.shares[home]:
                found[k].append(home)
        return found

    def parts(self, clock: Clock) -> list[Part]:
        """The entries of t in parts that no settled row sees together, with what they see."""
        if self._parts is None:
            seen = self._seen_sparsely(clock) if self.rows.table.is_sparse else self._seen(clock)
            pairs = [(a[0], b[0]) for row in seen for a, b in itertools.pairwise(row)]
            ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
            from scipy.sparse import csr_array
            from scipy.sparse.csgraph import connected_components

            graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), (self.n_free,) * 2)
            leader = connected_components(graph, directed=False)[1]
            rows: dict[int, list[Row]] = {int(k): [] for k in np.unique(leader)}
            for row in seen:
                rows[int(leader[row[0][0]])].append(row)
            order = np.argsort(leader, kind="stable")
            places = np.split(order, np.flatnonzero(np.diff(leader[order])) + 1)
            self._parts = [Part(part.tolist(), rows[int(leader[part[0]])]) for part in places]
        return self._parts

    def _seen(self, clock: Clock) -> list[Row]:
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
        found: set[Row] = set()
        for start in range(0, len(self.settled), STEP):
            clock.check()
            whole, places, _ = z.integers(self.settled[start : start + STEP])
            for line in (whole @ null[places]).tolist():
                found.add(_smallest([(k, value) for k, value in enumerate(line) if value]))
        return sorted(found)

    def _seen_sparsely(self, clock: Clock) -> list[Row]:
        """The same of sparse rows, number by number."""
        table, offset = self.rows.table, self.shares.get(self.rows.table.n_columns, {})
        found: set[Row] = set()
        for start in range(0, len(self.settled), STEP):
            clock.check()
            which = self.settled[start : start + STEP]
            block = table.matrix[which]
            ends = zip(block.indptr[:-1].tolist(), block.indptr[1:].tolist(), strict=True)
            for sign, (first, last) in zip(self.rows.signs[which].tolist(), ends, strict=True):
                total: dict[int, Fraction] = {k: sign * s for k, s in offset.items()}
                columns, values = block.indices[first:last], block.data[first:last]
                for j, value in zip(columns.tolist(), values.tolist(), strict=True):
                    for k, share in self.shares.get(j, {}).items():
                        total[k] = total.get(k, Fraction(0)) + sign * Fraction(value) * share
                scale = math.lcm(*(value.denominator for value in total.values()))
                line = [(k, int(value * scale)) for k, value in sorted(total.items()) if value]
                found.add(_smallest(line))
        return sorted(found)


def _smallest(line: list[tuple[int, int]]) -> Row:
    common = math.gcd(*(value for _, value in line)) or 1
    return tuple((k, value // common) for k, value in line)


def _asker(part: Part, clock: Clock) -> Callable[[list[Fraction]], list[int] | None]:
    """Asks for a t of this part that no row opposes and that raises line·t; None if there is none.

    One entry alone needs no search: its rows say which signs it may have.
    """
    questions: list[Question] = []

    def alone(line: list[Fraction]) -> list[int] | None:
        t = 1 if line[0] > 0 else -1
        return [t] if all(value * t > 0 for ((_, value),) in part.rows) else None

    def together(line: list[Fraction]) -> list[int] | None:
        if not questions:
            questions.append(_question(part, clock))
        answer = questions[0].ask([-share for share in line])
        return list(answer.weights[:-1]) if isinstance(answer, Opposed) else None

    return alone if len(part.places) == 1 else together


def _question(part: Part, clock: Clock) -> Question:
    at = {k: place for place, k in enumerate(part.places)}
    flat = [Fraction(0)] * (len(part.rows) * len(at))
    for i, row in enumerate(part.rows):
        for k, value in row:
            flat[i * len(at) + at[k]] = Fraction(value)
    shape = (len(part.rows), len(at))
    table = table_of_fractions(flat, shape, None, "rational")
    z = SignedRows(table, np.ones(len(part.rows), dtype=np.int8), False)
    return Question(z, np.arange(len(part.rows)), clock)
