"""w·v after each update of a run, for a fixed v: floats with their doubt, integers where asked.

An update on row i adds sign_i·(row_i·v) to w·v, so w·v is a running sum of a few different numbers:
the scores of the rows under v. A score that has cancelled is computed exactly and rounded once.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from novikoff.exact.bounds import SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import scaled
from novikoff.exact.roots import nearest_root
from novikoff.exact.running import Curve, Updates, partial_sums
from novikoff.exact.scores import nearest_float
from novikoff.exact.tables import CLOSE, exact_scores, float_scores, near_the_bottom

CLEAR = 2.0**-40  # of itself: how far off a score may be before it is computed exactly


class Progress:
    """What v, in integers with the offset last, makes of the rows and along the run.

    curve : w·v/‖v‖ at k = 0 … n
    least, worst_row : the smallest sign·(row·v) of all rows, exactly, and the first row that has it
    """

    def __init__(self, updates: Updates, v: np.ndarray, exponent: int) -> None:
        self.updates, self.v, self.exponent = updates, v, exponent
        self.square = sum(int(value) ** 2 for value in v)
        start = [Fraction(value) for value in updates.start.tolist()]
        self.first = sum((a * int(b) for a, b in zip(start, v, strict=True) if b), Fraction(0))
        found = float_scores(updates.table, v)
        signed = found.values * updates.signs
        self._find_least(signed, found.doubts)
        with np.errstate(all="ignore"):  # what is beyond the floats is in doubt
            self._sum_up(signed, found.doubts, found.exponent)

    def _find_least(self, scores: np.ndarray, doubts: np.ndarray) -> None:
        near = near_the_bottom(scores, doubts)
        exact = exact_scores(self.updates.table, near, self.v)
        signs = self.updates.signs[near].tolist()
        pairs = ((score * sign, i) for score, sign, i in zip(exact, signs, near, strict=True))
        self.least, worst = min(pairs)
        self.worst_row = int(worst)

    def _sum_up(self, scores: np.ndarray, doubts: np.ndarray, e: int) -> None:
        """Running sums of scores·2^e, over ‖v‖·2^exponent.

        ‖v‖ is rounded once, the quotient once, and so is what is exact to begin with: together
        with the quotient's underflow, at most 4·u of itself and η. What partial sums are off by
        is derived in running.py.
        """
        tape = self.updates.tape
        used = np.zeros(len(scores), dtype=bool)
        used[tape] = True
        poor = np.flatnonzero(used & ~(doubts < CLEAR * np.abs(scores)))
        exact = exact_scores(self.updates.table, poor, self.v)
        for i, score in zip(poor.tolist(), exact, strict=True):
            scores[i] = nearest_float(score / Fraction(2) ** e) * int(self.updates.signs[i])
            doubts[i] = UNIT * abs(scores[i]) + (SMALLEST if score else 0.0)
        top = max(int(value).bit_length() for value in self.v)
        length = nearest_root(Fraction(self.square, 1 << 2 * top))
        shift = e - top - self.exponent
        steps = scaled(scores / length, shift)
        off = scaled(doubts / length, shift) + SPARE * UNIT * np.abs(steps)
        off += np.where(steps == 0.0, SMALLEST * (scores != 0.0), SMALLEST)
        first = nearest_root(self.signed_square(self.first) / Fraction(4) ** self.exponent)
        sums = partial_sums(steps[tape][:, None], np.array([first]))
        values = np.concatenate([[first], sums.sums[:, 0]])
        drifts = UNIT * np.concatenate([[0.0], sums.drifts]) + UNIT * abs(first)
        doubts = SLACK * (np.concatenate([[0.0], np.cumsum(off[tape])]) + drifts)
        self.curve = Curve(values, doubts, self.exponent, {})
        self.curve.fix(0, self.signed_square(self.first))
        far = np.flatnonzero(~(doubts < CLOSE * np.abs(values)) & (doubts != 0.0))
        if len(far):
            gains = self.gains(int(far[-1]))
            unit = 1 / Fraction(2) ** (top + self.exponent)
            for k in far.tolist():
                product = self.first + gains.at(k)
                if not self.curve.put(k, nearest_float(product * unit) / length):
                    self.curve.fix(k, self.signed_square(product))

    def signed_square(self, product: Fraction) -> Fraction:
        """(w·v/‖v‖)², with the sign of w·v."""
        return product * abs(product) / self.square

    def gains(self, last: int) -> Gains:
        """What w·v gains, exactly, up to k = `last`."""
        tape = self.updates.tape[:last]
        rows = np.unique(tape)
        scores = list(exact_scores(self.updates.table, rows, self.v))
        scale = math.lcm(*(score.denominator for score in scores))
        signs = self.updates.signs[rows].tolist()
        whole = [
            sign * score.numerator * (scale // score.denominator)
            for sign, score in zip(signs, scores, strict=True)
        ]
        return Gains(tape, dict(zip(rows.tolist(), whole, strict=True)), scale)


class Gains:
    """What w·v has gained since the start, exactly, at one k after another, in rising order.

    `steps` are sign·(row·v) of the rows on the tape, as integers over one scale.
    """

    def __init__(self, tape: np.ndarray, steps: dict[int, int], scale: int) -> None:
        self._tape, self._steps, self._scale = tape, steps, scale
        self._total, self._seen = 0, 0

    def at(self, k: int) -> Fraction:
        self._total += sum(map(self._steps.__getitem__, self._tape[self._seen : k].tolist()))
        self._seen = k
        return Fraction(self._total, self._scale)
