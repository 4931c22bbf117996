"""What a core determines: which combinations of coefficients are finite, and which are not.

Of a model the settled comparisons, and with them the core, are known exactly. A combination c·β is
finite just when c is a combination of the core's rows: when c·n = 0 for all n of a basis N of the
directions that are zero there. Else every maximising sequence takes it to +∞, to -∞, or, where
directions exist both ways, it is not determined. Words are decided in fractions; floats only fill
in numbers.

The same holds under the constraint that some combinations are 0: their rows are equalities beside
those of the model, and what they leave settled is the core of the constrained model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.certificates import Stamp
from novikoff.errors import CertificateError, InputError
from novikoff.inputs import Table, table_of_fractions
from novikoff.inputs.csr import side_by_side
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import dependent_columns
from novikoff.search.decide import Findings, search
from novikoff.search.infinite import InfiniteCoefficients, Line
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts.single import claim_of
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.certificates.comparisons import Comparisons
    from novikoff.regression.collinear import DependentCoefficients
    from novikoff.regression.verdict import RegressionVerdict

State = Literal["finite", "+inf", "-inf", "not determined", "left out"]
STATES: dict[str, State] = {"+": "+inf", "-": "-inf", "either": "not determined"}
Combination = Mapping[int, Fraction]  # of coefficients, by place


@contextmanager
def clock_of(time_limit: float | None) -> Iterator[Clock]:
    """A clock for one exact question; InputError where it runs out."""
    try:
        yield Clock(time_limit)
    except OutOfTimeError:
        raise InputError(
            f"what is finite, and what is not, was not found in {time_limit:g} s; give a longer "
            f"{keyword('time_limit')}."
        ) from None


@dataclass(frozen=True, eq=False)
class Core:
    """The comparisons that a set of settled ones leaves, and what they determine.

    Each exact question about them has as many seconds as the verdict had.

    rows : the comparisons of the model
    settled : by place
    directions : which combinations of the coefficients that are not left out can be moved
    relations : of each coefficient that is left out, on which others it depends
    """

    rows: Comparisons
    settled: np.ndarray
    directions: InfiniteCoefficients
    relations: DependentCoefficients
    time_limit: float | None

    @classmethod
    def of(cls, verdict: RegressionVerdict, settled: np.ndarray) -> Core:
        with clock_of(verdict.time_limit) as clock:
            found, relations = verdict.directions(settled, clock), verdict.dependent(clock)
        return cls(verdict.comparison_rows, settled, found, relations, verdict.time_limit)

    @cached_property
    def is_core(self) -> np.ndarray:
        """Which comparisons are not settled."""
        found = np.ones(self.rows.table.n_rows, dtype=bool)
        found[self.settled] = False
        return found

    @cached_property
    def left(self) -> np.ndarray:
        """The observations that make comparisons of the core."""
        return np.unique(self.rows.observation[self.is_core])

    @cached_property
    def pivots(self) -> list[int]:
        """The coefficients that the core tells apart: the others are 0 in `Maximum.beta`."""
        free = set(self.directions.free)
        return [place for place in self.directions.column_ids if place not in free]

    def without(self, places: Sequence[int]) -> list[int]:
        """The coefficients that the core tells apart where those at `places` are 0."""
        kept = [place for place in self.directions.column_ids if place not in set(places)]
        width = self.rows.table.n_columns
        columns = np.array([place for place in kept if place < width], dtype=np.intp)
        core = self.rows.table.take(np.flatnonzero(self.is_core))
        with clock_of(self.time_limit) as clock:
            found = set(dependent_columns(core, width in kept, clock, columns).columns)
        return [place for place in kept if place not in found]

    def _scale(self, place: int) -> Fraction:
        """A column of the comparisons is so many times that of the model."""
        scale = self.rows.scale
        return Fraction(1) if scale is None or place >= len(scale) else Fraction(scale[place])

    def line_of(self, combination: Combination) -> Line:
        """How directions of the model move a combination of coefficients that are not left out."""
        return self.directions.line_of({j: v * self._scale(j) for j, v in combination.items()})

    def state_of(self, combination: Combination) -> State:
        """Of a combination of coefficients that are not left out."""
        line = self.line_of(combination)
        if not line:
            return "finite"
        with clock_of(self.time_limit) as clock:
            return STATES[self.directions.word_of(line, clock)]

    def states(self) -> dict[int, State]:
        """Of each coefficient that is not finite."""
        with clock_of(self.time_limit) as clock:
            self.directions.work(clock)
        found = {place: STATES[word] for place, word in self.directions.words().items()}
        return found | dict.fromkeys(self.relations.columns, "left out")

    def within(self, combination: Combination) -> dict[int, Fraction] | None:
        """The combination without what is left out; None where the model does not determine it.

        A coefficient that is left out can be exchanged for others by its relation, and the
        combination must not change with it.
        """
        left_out = set(self.relations.columns)
        for place in left_out:
            relation = self.relations.relation(place).items()
            if sum(share * combination.get(j, 0) for j, share in relation) != combination.get(
                place, 0
            ):
                return None
        return {j: value for j, value in combination.items() if j not in left_out}

    def numbers(self, combination: Combination) -> np.ndarray:
        """The combination as floats, of the pivots."""
        return np.array([float(combination.get(place, 0)) for place in self.pivots])

    def determined(self) -> dict[int, dict[int, Fraction]]:
        """For each pivot that is not finite itself, the combination with it that is.

        On the core a column that depends on others is Σ share·pivot, so pivot + Σ share·column, the
        coefficients taken together, is what the core can tell.
        """
        found: dict[int, dict[int, Fraction]] = {}
        for place in self.pivots:
            line = {place: Fraction(1)}
            for k, share in self.directions.shares[place].items():
                other = self.directions.free[k]  # δ_place = share·δ_other, of the comparisons
                line[other] = -share * self._scale(place) / self._scale(other)
            if len(line) > 1:
                found[place] = line
        return found

    def constrained(self, verdict: RegressionVerdict, constraints: Sequence[Combination]) -> Core:
        """The core where these combinations are held; InputError where it stays undecided."""
        if not any(self.line_of(combination) for combination in constraints):
            return self  # every direction of the model keeps them
        settled = self.settled[:0]  # a single direction is not left
        if self.directions.n_free > 1:
            scaled = [{j: v * self._scale(j) for j, v in line.items()} for line in constraints]
            table = _stacked(self.rows, scaled, self.directions.column_ids)
            with clock_of(self.time_limit) as clock:
                settled = _settled(table, self.rows.signs, verdict.seed, clock)
        return Core.of(verdict, settled)


def with_ones(table: Table) -> Table:
    """The table with a column of 1s after the others."""
    return side_by_side([table, Table(np.ones((table.n_rows, 1)), None, table.numbers)])


def with_constant(rows: Comparisons) -> Table:
    """The comparisons with their constant as a column, after the others."""
    return with_ones(rows.table) if rows.offset else rows.table


def model_columns(rows: Comparisons, places: np.ndarray, columns: Sequence[int]) -> Any:
    """Columns of the model, the constant after the others, of some of its comparisons."""
    matrix = with_constant(rows).take(places).matrix[:, columns]
    scale = rows.scale or ()
    shares = np.array([1 / float(scale[j]) if j < len(scale) else 1.0 for j in columns])
    if isinstance(matrix, np.ndarray):
        return np.asarray(matrix, dtype=np.float64) * shares
    return matrix.multiply(shares).tocsr()


def _settled(table: Table, signs: np.ndarray, seed: int, clock: Clock) -> np.ndarray:
    """The largest set of rows that a direction settles which keeps those after them at 0."""
    every = np.append(signs, np.zeros(table.n_rows - len(signs), dtype=np.int8))
    findings = Findings()
    try:
        search(SignedRows(table, every, False), clock, np.random.default_rng(seed), findings)
        stamp = Stamp.of_rows(table.n_rows, table.n_columns, False)
        settled = claim_of(findings, stamp, table, every).settled(table, every)
    except CertificateError as error:
        raise InputError(f"the constrained model is undecided: {error}") from None
    return np.asarray(settled[settled < len(signs)])


def _stacked(
    rows: Comparisons, constraints: Sequence[Combination], columns: Sequence[int]
) -> Table:
    """Some columns of the comparisons, and below them one row for each constraint."""
    table = with_constant(rows).take_columns(columns)
    flat = [held.get(j, Fraction(0)) for held in constraints for j in columns]
    below = table_of_fractions(flat, (len(constraints), len(columns)), None, "binary64")
    if table.is_sparse:
        if below.exact is not None:
            raise InputError(
                "beside a sparse X the numbers of a combination must be floats; scale it so that "
                "they are."
            )
        from scipy.sparse import csr_matrix, vstack

        stacked = vstack([table.matrix, csr_matrix(below.matrix)], format="csr")
        return Table(stacked, None, table.numbers)
    if table.exact is None and below.exact is None:
        return Table(np.vstack([table.matrix, below.matrix]), None, table.numbers)
    exact = np.frompyfunc(Fraction, 1, 1)
    both = np.vstack([exact(t.matrix) if t.exact is None else t.exact for t in (table, below)])
    return table_of_fractions(both.ravel().tolist(), both.shape, None, "rational")
