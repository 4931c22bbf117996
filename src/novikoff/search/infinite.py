"""Which coefficients are infinite, and in which direction?

Every direction δ along which the likelihood never falls is zero on the core, the rows that no
direction settles. On the core, of the columns that are not collinear, each column that depends on
earlier ones has its relation, and these relations span all directions that are zero there:
δ = N·t. A coefficient is infinite just when its line of N is not zero. Which signs it can have is
asked of the settled rows, as rows over t: two questions of Farkas for each coefficient, each
answered by an exact direction or by an exact combination of rows. A direction answers for every
coefficient that it moves.

Entries of t that no settled row has together are asked about apart: thousands of levels, each with
rows of its own, are thousands of small questions. Where the core is empty, t is δ itself, and the
rows are asked as they stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs import table_of_fractions
from novikoff.search.clock import Clock
from novikoff.search.collinear import dependent_columns
from novikoff.search.question import Question, SeparatingDirection
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.threads import one_thread

MOST_UNASKED = 200  # infinite coefficients whose signs are found without being asked for
PRODUCTS_UNASKED = 100_000_000  # of exact numbers, for the same
WORDS: dict[tuple[bool | None, bool | None], str] = {
    (True, False): "+",
    (False, True): "-",
    (True, True): "either",
}

Line = dict[int, Fraction]  # a line of N: its numbers by the place in t
Row = tuple[tuple[int, int], ...]  # a settled row over t: places in t with their numbers


class Part(NamedTuple):
    """Entries of t, by place, that rows have together, and these rows: over t, or as they stand."""

    places: list[int]
    rows: list[Row] | SignedRows


class InfiniteCoefficients:
    """The coefficients that directions of z move to infinity; their signs as far as time allows.

    settled : the rows of z that some direction settles
    dependent : columns that are collinear, and left out; the offset comes after all columns
    weights : of a direction that settles these rows, where it is known

    column_ids : of all other columns, the offset among them
    free : the column that each entry of t was made for
    """

    def __init__(
        self,
        z: SignedRows,
        settled: np.ndarray,
        dependent: Sequence[int],
        clock: Clock,
        weights: Weights | None = None,
    ) -> None:
        self.z, self.settled = z, settled
        self.columns = np.delete(np.arange(z.table.n_columns), list(dependent))
        self.column_ids = [*self.columns.tolist(), *([z.table.n_columns] * z.fit_intercept)]
        is_settled = np.zeros(z.table.n_rows, dtype=bool)
        is_settled[settled] = True
        core = z.rows[~is_settled[z.rows]]
        self.has_core = len(core) > 0
        self.shares: dict[int, Line] = {j: {} for j in self.column_ids}
        self.free = self.column_ids
        if self.has_core:
            found = dependent_columns(z.table.take(core), z.fit_intercept, clock, self.columns)
            self.free = found.columns
        for k, j in enumerate(self.free):
            clock.check()
            self.shares[j][k] = Fraction(1)
            if self.has_core:
                for other, share in found.relation(j).items():
                    self.shares[other][k] = -share
        self.n_free = len(self.free)
        self.infinite = [j for j in self.column_ids if self.shares[j]]
        self.moves: dict[tuple[int, int], bool] = {}  # whether column j can go up, and down: ±1
        # Weights of collinear columns would have to be spread over the others.
        self.weights = None if len(dependent) else weights
        if self.weights is not None:
            self._learn({j: self.weights[j] for j in self.infinite})
        self._parts: list[Part] | None = None

    def is_small(self, clock: Clock) -> bool:
        """Whether the signs are found in a moment; raises OutOfTimeError."""
        table = self.z.table
        if not table.is_sparse:
            work = len(self.settled) * table.n_columns * self.n_free
            return len(self.infinite) <= MOST_UNASKED and work <= PRODUCTS_UNASKED
        width = 1 + int(table.matrix.nnz // table.n_rows)
        most = max((len(line) for line in self.shares.values()), default=0)
        if len(self.settled) * width * most > PRODUCTS_UNASKED // 20:
            return False
        largest = max(len(part.places) for part in self.parts(clock))
        return largest == 1 or len(self.infinite) <= MOST_UNASKED

    def words(self) -> dict[int, str]:
        """For each infinite coefficient '+', '-' or 'either'; 'infinite' where not yet known."""
        pairs = {j: (self.moves.get((j, 1)), self.moves.get((j, -1))) for j in self.infinite}
        return {j: WORDS.get(pair, "infinite") for j, pair in pairs.items()}

    def work(self, clock: Clock) -> None:
        """Answer what is open; raises OutOfTimeError, and what was answered until then stays."""
        open_ones = [(j, sign) for j in self.infinite for sign in (1, -1)]
        open_ones = [one for one in open_ones if one not in self.moves]
        if not open_ones:
            return
        clock.check()
        questions: dict[int, Question] = {}
        with one_thread(max(len(part.places) for part in self.parts(clock))):
            for j, sign in open_ones:
                if (j, sign) not in self.moves:
                    line = {k: sign * share for k, share in self.shares[j].items()}
                    self.moves[j, sign] = self._can_raise(line, questions, clock)

    def line_of(self, combination: Mapping[int, Fraction]) -> Line:
        """Σ number·coefficient over t, without its zeros: empty just when it is finite."""
        total: Line = {}
        for j, number in combination.items():
            for k, share in self.shares[j].items():
                total[k] = total.get(k, Fraction(0)) + number * share
        return {k: share for k, share in total.items() if share}

    def word_of(self, line: Line, clock: Clock) -> str:
        """'+', '-' or 'either', for a combination of coefficients whose line is not empty.

        Raises OutOfTimeError.
        """
        questions: dict[int, Question] = {}
        with one_thread(self.n_free):
            rises = self._can_raise(line, questions, clock)
            return WORDS[rises, self._can_raise({k: -x for k, x in line.items()}, questions, clock)]

    def _can_raise(self, line: Line, questions: dict[int, Question], clock: Clock) -> bool:
        """Whether a direction that no row opposes raises line·t; what it moves is noted."""
        parts = self.parts(clock)
        for number in sorted({self._part_of[k] for k in line}):
            part = parts[number]
            t = self._raising(number, [line.get(k, Fraction(0)) for k in part.places], questions,
                              clock)  # fmt: skip
            if t is None:
                continue
            moved: dict[int, Fraction] = {}
            for k, value in zip(part.places, t, strict=True):
                for j in self._movers[k]:
                    moved[j] = moved.get(j, Fraction(0)) + self.shares[j][k] * value
            self._learn(moved)
            return True
        return False

    def _raising(
        self, number: int, line: list[Fraction], questions: dict[int, Question], clock: Clock
    ) -> list[int] | None:
        """A t of one part that no row opposes and that raises line·t, if there is one."""
        places, rows = self.parts(clock)[number]
        if isinstance(rows, list) and len(places) == 1:
            t = 1 if line[0] > 0 else -1  # the rows alone say whether it may have this sign
            return [t] if all(value * t > 0 for ((_, value),) in rows) else None
        if number not in questions:
            z = _as_rows(places, rows) if isinstance(rows, list) else rows
            is_small = isinstance(rows, list)
            some = z.rows if is_small else z.rows[:: max(1, z.n_rows // (4 * z.dim))]
            questions[number] = Question(z, some, clock, None if is_small else self.weights)
        answer = questions[number].ask([-share for share in line])
        if not isinstance(answer, SeparatingDirection):
            return None
        return [answer.weights[j] for j in questions[number].z.column_ids.tolist()]

    @cached_property
    def _part_of(self) -> dict[int, int]:
        """For each entry of t the number of its part; the parts must be known."""
        return {k: number for number, part in enumerate(self._parts or ()) for k in part.places}

    def _learn(self, moved: Mapping[int, Any]) -> None:
        """A direction that no row opposes answers for every coefficient that it moves."""
        self.moves |= {(j, 1 if far > 0 else -1): True for j, far in moved.items() if far}

    @cached_property
    def _movers(self) -> list[list[int]]:
        """For each entry of t the coefficients that it moves."""
        found: list[list[int]] = [[] for _ in self.free]
        for j in self.infinite:
            for k in self.shares[j]:
                found[k].append(j)
        return found

    def parts(self, clock: Clock) -> list[Part]:
        """The entries of t in parts that no settled row has together, with their rows."""
        if self._parts is None:
            z, is_sparse = self.z, self.z.table.is_sparse
            if not self.has_core and (not is_sparse or z.fit_intercept):
                rows = SignedRows(z.table, z.signs, z.fit_intercept, z.rows, self.columns)
                self._parts = [Part(list(range(self.n_free)), rows)]
            else:
                seen = self._seen_sparsely(clock) if is_sparse else self._seen(clock)
                self._parts = _apart(seen, self.n_free)
        return self._parts

    def _seen(self, clock: Clock) -> list[Row]:
        """The settled rows over t, in the smallest integers, each one once."""
        column_ids = np.array(self.infinite)
        scale = math.lcm(*(s.denominator for line in self.shares.values() for s in line.values()))
        null = np.zeros((len(column_ids), self.n_free), dtype=object)
        for place, j in enumerate(self.infinite):
            for k, share in self.shares[j].items():
                null[place, k] = int(share * scale)
        columns = column_ids[column_ids < self.z.table.n_columns]
        offset = len(columns) < len(column_ids)
        z = SignedRows(self.z.table, self.z.signs, offset, columns=columns)
        found: set[Row] = set()
        for which in z.blocks(self.settled):
            clock.check()
            whole, places, _ = z.integers(which)
            for line in (whole @ null[places]).tolist():
                found.add(_smallest([(k, value) for k, value in enumerate(line) if value]))
        return sorted(found)

    def _seen_sparsely(self, clock: Clock) -> list[Row]:
        """The same of sparse rows, number by number."""
        table, offset = self.z.table, self.shares.get(self.z.table.n_columns, {})
        found: set[Row] = set()
        for which in self.z.blocks(self.settled):
            clock.check()
            block = table.matrix[which]
            ends = itertools.pairwise(block.indptr.tolist())
            for sign, (first, last) in zip(self.z.signs[which].tolist(), ends, strict=True):
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


def _apart(rows: list[Row], n_free: int) -> list[Part]:
    """The entries of t in parts that no row has together."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    pairs = [(a[0], b[0]) for row in rows for a, b in itertools.pairwise(row)]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), (n_free,) * 2)
    leader = connected_components(graph, directed=False)[1]
    by_leader: dict[int, list[Row]] = {int(k): [] for k in np.unique(leader)}
    for row in rows:
        by_leader[int(leader[row[0][0]])].append(row)
    order = np.argsort(leader, kind="stable")
    places = np.split(order, np.flatnonzero(np.diff(leader[order])) + 1)
    return [Part(part.tolist(), by_leader[int(leader[part[0]])]) for part in places]


def _as_rows(places: list[int], rows: list[Row]) -> SignedRows:
    at = {k: place for place, k in enumerate(places)}
    flat = [Fraction(0)] * (len(rows) * len(at))
    for i, row in enumerate(rows):
        for k, value in row:
            flat[i * len(at) + at[k]] = Fraction(value)
    table = table_of_fractions(flat, (len(rows), len(at)), None, "rational")
    return SignedRows(table, np.ones(len(rows), dtype=np.int8), False)
