"""Many labellings of the same rows, searched together by products of matrices.

The pulled hinge of wide.py, with one column of v for each labelling. The rows û of length 1 have no
sign here: the signs s_il of labelling l stand in a matrix S of their own, so that scores are
S∘(Û·V), and gradients Ûᵀ·(S∘κ) + ε·Σ z. G = ÛᵀÛ does not know the labels: one factor serves the
steps of all labellings, and is never below the Hessian of any, also where a row is no part of a
labelling's question. Rows are never copied: what makes û of x is applied to V and to the gradients.

Steps begin on a sample of the rows, and labellings that it does not decide go on with more rows,
until they are all, or until a search of each alone costs less. What is found is a proposal:
certificates/labellings.py decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.labellings import BITS
from novikoff.inputs import Table
from novikoff.inputs.device import DeviceTable, Place, PlacedRows, inverse_of_triangle
from novikoff.search.clock import Clock
from novikoff.search.collinear import short_relations
from novikoff.search.float_view import SAMPLED_ROWS, FloatView
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread_to_factor, one_thread_to_multiply
from novikoff.search.wide import ENOUGH_REMAINDER, PULL_OF_ALL_ROWS, seem_dependent

PER_COLUMN = 16  # rows of the first sample
CHECKED = 2  # rows for each column that a check takes: c is larger for fewer rows than a sample's
GROWTH = 8  # of the samples
STEPS = 40  # on the host; what they leave open is asked alone
ALONE = 1 << 24  # multiplications that a search of a labelling alone takes beside its factor
STEPS_THERE = (160, 1000)  # on all rows of a device, in float32 and in float64
MOST_LENGTH = 1e4  # of a step, where the hinge falls for ever: rows are then on their sides
LENGTH_STEPS = 3  # of Newton towards the length of a step
MOST_COLUMNS = 1 << 13  # of a factor
CELLS_AS_GIVEN = 1 << 28  # in a block that is not copied; products of more rows take twice as long


@dataclass
class Found:
    """How the steps on some rows ended, for labellings by their number.

    rows : the rows of the sample
    balanced, beyond : labellings with multipliers 1 + β of these rows, a column each
    parted, weights : labellings whose rows of the sample a direction has on their sides
    slacks : of those, for a bound on the margin
    """

    rows: np.ndarray
    balanced: np.ndarray
    beyond: Any
    parted: np.ndarray
    weights: np.ndarray
    slacks: Any


class Together:
    """The steps of all labellings.

    signs : on the place of the rows
    columns : those that are left in, the offset last; the others are 0 or depend on them
    totals : Σ s_i·(x_i, 1) of each labelling
    """

    def __init__(
        self, rows: PlacedRows, signs: Any, columns: np.ndarray, totals: Any, clock: Clock
    ) -> None:
        self.rows, self.signs, self.columns, self.clock = rows, signs, columns, clock
        self.place: Place = rows.place
        xp = self.place.xp
        every = np.arange(rows.n_rows)
        sample = rows.take(every[:: max(1, rows.n_rows // SAMPLED_ROWS)])
        self.inner = columns[columns < rows.table.n_columns]
        self.has_offset = len(self.inner) < len(columns)
        # The view is that of the least and the largest number of each column.
        ends = np.stack([self.place.fetch(end(sample, axis=0)) for end in (xp.min, xp.max)])
        pair = Table(ends, None, "binary64")
        two = SignedRows(pair, np.ones(2, dtype=np.int8), self.has_offset, columns=self.inner)
        self.float_view = FloatView(two)
        self.scales = np.ldexp(1.0, -self.float_view.exponents)
        self.centres = self.float_view.float_centres
        few = self.place.take(sample, self.inner, axis=1)
        shown = (few - self.place.put(self.centres)) * self.place.put(self.scales)
        squares = self.place.fetch(xp.sum(shown * shown, axis=1)) + float(self.has_offset)
        self.length = float(np.median(np.sqrt(squares))) or 1.0
        seen = self.place.take(totals, self.inner)
        if self.has_offset:
            last = self.place.take(totals, columns[-1:])
            seen = seen - self.place.put(self.centres)[:, None] * last
        seen = seen * self.place.put(self.scales)[:, None]
        seen = xp.concat([seen, last], axis=0) if self.has_offset else seen
        self.totals = seen / self.length
        self.start = self.place.zeros(len(columns), int(signs.shape[1]))

    @staticmethod
    def takes(rows: PlacedRows) -> bool:
        """Whether tables of this kind are searched here."""
        return rows.table.exact is None and rows.dim <= MOST_COLUMNS

    @property
    def is_ordinary(self) -> bool:
        """Whether floats of the rows' type, as they are given, show what the columns hold."""
        return not self.float_view.must_be_whole

    def weights_of(self, v: np.ndarray) -> np.ndarray:
        """Directions of the float view as float64 weights of every column, the offset last."""
        weights = np.zeros((self.rows.table.n_columns + 1, v.shape[1]))
        weights[self.inner] = (v[:-1] if self.has_offset else v) * self.scales[:, None]
        if self.has_offset:
            weights[-1] = v[-1] - self.centres @ weights[self.inner]
        return weights

    def levels(self) -> Iterator[Level]:
        """Steps on samples of rows, each larger than the last, then on all.

        On the host they end where the search of a labelling alone costs less than steps. A search
        of rows on a device costs more: they would have to leave it.
        """
        n, p, type_ = self.rows.n_rows, len(self.columns), self.rows.search_type
        alone = (8 * p**3 + ALONE) / (2 * STEPS * p) if self.place.is_host else math.inf
        known, size = None, PER_COLUMN * p
        while 2 * size <= n and (known is None or size <= alone):
            known = Level(self, np.arange(n)[:: n // size], type_, STEPS, known)
            yield known
            size *= GROWTH
        if self.place.is_host:
            if known is None or n <= alone:
                yield Level(self, None, type_, STEPS, known)
            return
        if type_ == "float32":
            yield Level(self, None, "float32", STEPS_THERE[0], known)
            if known is not None:
                yield Level(self, None, "float64", STEPS, known)
        yield Level(self, None, "float64", STEPS_THERE[1])


def relations_between(
    rows: PlacedRows, columns: np.ndarray, clock: Clock
) -> list[list[int]] | None:
    """All relations between these columns, the offset last, that hold on every row.

    None where they are too long to be found. Rows on a device are not looked at: there, columns
    that depend on others have no factor, and their labellings stay open.
    """
    if not rows.place.is_host or not 0 < len(columns) <= rows.n_rows:
        return []
    inner = columns[columns < rows.table.n_columns]
    ones = np.ones(rows.n_rows, dtype=np.int8)
    z = SignedRows(rows.table, ones, len(inner) < len(columns), columns=inner)
    if not seem_dependent(FloatView(z), z.rows[:: max(1, z.n_rows // (2 * z.dim))]):
        return []
    null, _ = short_relations(z, clock)
    return None if null is None else [z.place(relation.tolist()) for relation in null.T]


class Level:
    """Some rows, their lengths, and the factor of G: `inverse`, None where there is none.

    known : a level of fewer rows, whose G times the share of rows stands for G. With PER_COLUMN
        rows for each column the two differ by a factor of at most 2, if the rows are alike. Steps
        go no further than their hinges fall, so that they are safe where the rows are not.
    """

    def __init__(
        self, asked: Together, sample: np.ndarray | None, dtype: str, most_steps: int,
        known: Level | None = None,
    ) -> None:  # fmt: skip
        self.asked, self.sample, self.type, self.most_steps = asked, sample, dtype, most_steps
        rows, place = asked.rows, asked.place
        self.n_rows = rows.n_rows if sample is None else len(sample)
        self.taken = None if sample is None else rows.take(sample, dtype)
        self.signs = asked.signs if sample is None else place.take(asked.signs, sample)
        self.xp, self.place = place.xp, place
        width = rows.table.n_columns
        self.scales = place.put(asked.scales, self.type)[:, None]
        self.centres = place.put(asked.centres, self.type)[:, None]
        self.is_whole = len(asked.inner) == width
        self.inverse: Any = None
        spots = np.full(width, len(asked.inner), dtype=np.int64)
        spots[asked.inner] = np.arange(len(asked.inner))
        self.spots = spots  # of each column of the table among those left in; the last is none
        self.over, gram = self._measure(known is None)
        if known is None:
            self.inverse = self._inverse(gram)
        elif known.inverse is not None:
            share = math.sqrt(known.n_rows / self.n_rows)
            self.inverse = place.cast(known.inverse, dtype) * share

    def _block(self, part: slice) -> Any:
        if self.taken is None:
            return self.asked.rows.block(part, self.type)
        return self.taken[part, :]

    def _parts(self, width: int) -> Iterator[slice]:
        return self.asked.rows.parts(width, self.n_rows)

    def _steps(self, width: int) -> Iterator[slice]:
        """Large blocks on a device that has the rows in this type: they are not copied."""
        table = self.asked.rows.table
        if isinstance(table, DeviceTable):
            given = table.array if self.taken is None else self.taken
            if self.type in str(given.dtype):
                step = max(1, CELLS_AS_GIVEN // self.asked.rows.dim)
                starts = range(0, self.n_rows, step)
                return (slice(start, min(start + step, self.n_rows)) for start in starts)
        return self._parts(width)

    def _measure(self, with_gram: bool) -> tuple[Any, Any]:
        """1 over the length of each row, and G of the rows of length 1 where it is wanted."""
        xp, place, p = self.xp, self.place, len(self.asked.columns)
        gram, over = place.zeros(p, p, dtype=self.type), []
        for part in self._parts(p):
            self.asked.clock.check()
            block = self._block(part)
            block = block if self.is_whole else place.take(block, self.asked.inner, axis=1)
            block = (block - self.centres.T) * self.scales.T
            one = place.ones(block.shape[0], 1, dtype=self.type)
            if self.asked.has_offset:
                block = xp.concat([block, one], axis=1)
            lengths = xp.sqrt(xp.sum(block * block, axis=1))
            over.append(1.0 / xp.where(lengths > 0.0, lengths, one[:, 0]))
            if with_gram:
                block = block * over[-1][:, None]
                gram = gram + block.T @ block
        return xp.concat(over, axis=0), gram

    def _inverse(self, gram: Any) -> Any:
        """T with T·Tᵀ about G⁻¹, with a ridge; None where that does not help."""
        xp, place, p = self.xp, self.place, len(self.asked.columns)
        eye = xp.eye(p, dtype=gram.dtype, device=place.device)
        eps = float(xp.finfo(gram.dtype).eps)
        ridge = eps * float(xp.sum(xp.sum(gram * eye, axis=0)))
        try:
            with one_thread_to_factor(p):
                upper = xp.linalg.cholesky(gram + ridge * eye).T
                inverse = inverse_of_triangle(place, upper)
                return inverse if bool(xp.all(xp.isfinite(inverse))) else None
        except Exception:  # not positive definite: every library has its own error
            return None

    def _scores(self, v: Any, signs: Any) -> Any:
        """S∘(Û·V): the score of each row in each labelling."""
        xp, place, width = self.xp, self.place, int(v.shape[1])
        weights = (v[:-1, :] if self.asked.has_offset else v) * self.scales
        offsets = -xp.sum(weights * self.centres, axis=0)
        if self.asked.has_offset:
            offsets = offsets + v[-1, :]
        if not self.is_whole:
            none = place.zeros(1, width, dtype=self.type)
            weights = place.take(xp.concat([weights, none], axis=0), self.spots)
        found = []
        for part in self._steps(width):
            self.asked.clock.check()
            scores = self._block(part) @ weights + offsets[None, :]
            here = place.cast(signs[part, :], self.type)
            found.append(scores * here * self.over[part][:, None])
        return xp.concat(found, axis=0)

    def _gradient(self, slacks: Any, signs: Any) -> Any:
        """Ûᵀ·(S∘κ): Σ k_i·x_i and Σ k_i, as the float view shows Σ k_i·(x_i, 1)."""
        xp, place, width = self.xp, self.place, int(slacks.shape[1])
        products = place.zeros(self.asked.rows.table.n_columns, width, dtype=self.type)
        counts = place.zeros(1, width, dtype=self.type)
        for part in self._steps(width):
            self.asked.clock.check()
            here = place.cast(signs[part, :], self.type)
            drawn = slacks[part, :] * here * self.over[part][:, None]
            products = products + self._block(part).T @ drawn
            counts = counts + xp.sum(drawn, axis=0)[None, :]
        products = products if self.is_whole else place.take(products, self.asked.inner)
        inner = (products - self.centres * counts) * self.scales
        return xp.concat([inner, counts], axis=0) if self.asked.has_offset else inner

    def _length(self, scores: Any, along: Any, pulled: Any) -> Any:
        """How far each labelling goes along its direction: about the minimum of its hinge.

        The slope is piecewise linear and rises: Newton's steps, held between a point before the
        minimum and one behind it. Where there is none, MOST_LENGTH.
        """
        xp, place, width = self.xp, self.place, int(scores.shape[1])
        low = place.zeros(width, dtype=self.type)
        high = low + MOST_LENGTH
        length = low
        none, rest, squares = place.zeros(1, 1, dtype=self.type), 1.0 - scores, along * along
        for _ in range(LENGTH_STEPS):
            slacks = xp.maximum(rest - along * length[None, :], none)
            slope = -xp.sum(along * slacks, axis=0) - pulled
            bend = xp.sum(xp.where(slacks > 0.0, squares, none), axis=0)
            low = xp.where(slope < 0.0, length, low)
            high = xp.where(slope < 0.0, high, length)
            aim = length - slope / xp.where(bend > 0.0, bend, bend + 1e-30)
            length = xp.where((aim > low) & (aim < high), aim, (low + high) / 2.0)
        return length

    def descend(self, which: np.ndarray) -> Found:
        """All steps; the last directions become the start of the next level."""
        with one_thread_to_multiply(self.n_rows * len(self.asked.columns) * len(which)):
            return self._descend(which)

    def _descend(self, which: np.ndarray) -> Found:
        """Conjugate gradients in the metric of G, each as far as its hinge falls."""
        asked, xp, place, inverse = self.asked, self.xp, self.place, self.inverse
        n, p = asked.rows.n_rows, len(asked.columns)
        epsilon = PULL_OF_ALL_ROWS * self.n_rows / n
        taken = min(self.n_rows, CHECKED * p)
        enough = ENOUGH_REMAINDER * epsilon * math.sqrt(taken / self.n_rows)
        signs, ended = self._signs_of(which), dict[str, list[tuple[np.ndarray, Any]]]()
        pull = place.cast(place.take(asked.totals, which, axis=1) * epsilon, self.type)
        v = place.cast(place.take(asked.start, which, axis=1), self.type)
        scores = self._scores(v, signs)
        # The length that suits a sample may be thousands of times too large for more rows.
        length = self._length(0.0 * scores, scores, xp.sum(pull * v, axis=0))[None, :]
        v, scores = length * v, length * scores
        has_gaps = bool(xp.any(signs == 0))
        direction = before = square = None
        none = place.zeros(1, 1, dtype=self.type)
        # A check of all rows costs less than float64.
        is_last = self.sample is None and self.type == "float32"
        rounding = 0.0 if is_last else float(xp.finfo(scores.dtype).eps)  # v has length 1
        for _ in range(self.most_steps):
            gradient = self._gradient(xp.maximum(1.0 - scores, none), signs) + pull
            within = inverse.T @ gradient
            now = xp.sum(within * within, axis=0)
            shown = scores
            if has_gaps:  # a row that is no part of the question is on no side
                shown = xp.where(signs == 0, place.ones(*scores.shape, dtype=self.type), shown)
            sizes = xp.sqrt(xp.sum(v * v, axis=0))
            seen = xp.stack([xp.min(shown, axis=0) - rounding * sizes, now])
            seen = place.fetch(seen)  # once a step: a device has to be waited for
            is_parted = seen[0] > 0.0
            is_balanced = (seen[1] <= enough * enough) & ~is_parted
            left = np.flatnonzero(~(is_balanced | is_parted))
            if len(left) < len(which):
                for how, is_there in (("balanced", is_balanced), ("parted", is_parted)):
                    at = np.flatnonzero(is_there)
                    if len(at):
                        ended.setdefault(how, []).append((which[at], place.take(v, at, axis=1)))
                which = which[left]
                if not len(left):
                    break
                v, scores, pull, gradient, within = (
                    place.take(a, left, axis=1) for a in (v, scores, pull, gradient, within)
                )
                signs, now = place.take(signs, left, axis=1), place.take(now, left)
                if direction is not None:
                    direction = place.take(direction, left, axis=1)
                    before, square = place.take(before, left, axis=1), place.take(square, left)
            towards = inverse @ within
            if direction is None:
                direction = towards
            else:
                share = xp.sum(within * (within - before), axis=0) / square
                joined = towards + xp.maximum(share[None, :], none) * direction
                is_down = xp.sum(joined * gradient, axis=0) > 0.0
                direction = xp.where(is_down[None, :], joined, towards)
            before, square = within, now
            along = self._scores(direction, signs)
            pulled = xp.sum(pull * direction, axis=0)
            length = self._length(scores, along, pulled)[None, :]
            v, scores = v + length * direction, scores + length * along
        if len(which):
            ended["open"] = [(which, v)]
        return self._found(ended, epsilon)

    def _signs_of(self, which: np.ndarray) -> Any:
        is_all = np.array_equal(which, np.arange(int(self.signs.shape[1])))
        return self.signs if is_all else self.place.take(self.signs, which, axis=1)

    def _found(self, ended: dict[str, list[tuple[np.ndarray, Any]]], epsilon: float) -> Found:
        asked, xp, place = self.asked, self.xp, self.place

        def of(how: str) -> tuple[np.ndarray, Any]:
            which, directions = zip(*ended.get(how, [(np.arange(0), None)]), strict=True)
            return np.concatenate(which), xp.concat(directions, axis=1) if how in ended else None

        every = np.arange(asked.rows.n_rows) if self.sample is None else self.sample
        balanced, at = of("balanced")
        beyond = None
        if len(balanced):
            slacks = self._slacks(at, balanced)
            beyond = slacks / epsilon * asked.length * place.cast(self.over, "float64")[:, None]
            beyond = place.cast(place.cast(beyond, self.type), "float64")  # short ones travel fast
            beyond = xp.round(beyond * float(1 << BITS)) / float(1 << BITS)
        parted, at = of("parted")
        weights, slacks = np.zeros((asked.rows.table.n_columns + 1, 0)), None
        if len(parted):
            weights = asked.weights_of(place.fetch(at).astype(np.float64))
            slacks = self._slacks(at, parted)
        for which, v in (of(how) for how in ("parted", "open")):
            if len(which):  # where the next level begins
                spots = np.arange(int(asked.start.shape[1]))
                spots[which] = len(spots) + np.arange(len(which))
                both = xp.concat([asked.start, place.cast(v, "float64")], axis=1)
                asked.start = place.take(both, spots, axis=1)
        return Found(every, balanced, beyond, parted, weights, slacks)

    def _slacks(self, v: Any, which: np.ndarray) -> Any:
        """κ of each row, in float64: 0 where it is no part of the question."""
        signs = self._signs_of(which)
        none = self.place.zeros(1, 1, dtype=self.type)
        slacks = self.xp.maximum(1.0 - self._scores(v, signs), none)
        return self.place.cast(slacks, "float64") * self.place.cast(signs * signs, "float64")
