"""The perceptron as the lectures run it: every mistake is written down.

The weights here are floats that follow the exact weights closely, with a bound on how far
they can be off. As long as a score is farther from zero than its error can be, its sign is
the exact one. When it is not, the loop stops and asks its caller for a ruling.
"""

from __future__ import annotations

import numpy as np

from novikoff.exact.bounds import SLACK
from novikoff.loops.bounds import (
    drift_after,
    norm_above,
    norm_bound_after_mistake,
    score_error_bound,
)
from novikoff.loops.compiled import compiled
from novikoff.loops.rows import add_row, dot_row, square_row

CLEAN, USED_UP, IN_DOUBT, TAPE_FULL = 0, 1, 2, 3

# Where the run stands: the places of `at` and `size`.
PASSES, POSITION, VISITS, MISTAKES, IN_THIS_PASS, RULING = range(6)
NORM_BOUND, DRIFT = range(2)


@compiled
def row_norms(rows, norms):
    """norms[i] = ‖row i‖, its constant included, rounded up; infinite where squares overflow."""
    for i in range(norms.shape[0]):
        norms[i] = norm_above(square_row(rows, i))


@compiled
def trace_passes(
    rows, signs, order, w, ties_positive, restarts, norms, exact_until, passes, at, size, tape
):
    """Visit rows in `order`, pass after pass; write each mistake on the tape and add it to w.

    A mistake is a row whose sign·score is negative, or zero (where `ties_positive`, a zero is
    one on negative rows only). Where `restarts`, a mistake ends its pass and the next pass
    begins at the first row. `tape` has two lines: the row and the visit of each mistake.

    Invariant: size[NORM_BOUND] >= ‖exact w‖ and size[DRIFT] >= ‖w − exact w‖. Until `exact_until`
    mistakes floats are known not to round, and no score is in doubt.

    Goes on from where `at` stands; at[RULING] is the caller's answer on the row at hand: 1 a
    mistake, -1 none, 0 not asked. Returns why it stopped: CLEAN after a pass without a
    mistake, USED_UP after `passes` passes in all, IN_DOUBT, or TAPE_FULL.
    """
    while at[PASSES] < passes:
        if at[POSITION] == 0:
            at[IN_THIS_PASS] = 0
        while at[POSITION] < order.shape[0]:
            i = order[at[POSITION]]
            wrong = at[RULING] > 0
            if at[RULING] == 0:
                score = signs[i] * dot_row(rows, i, w)
                if at[MISTAKES] >= exact_until:
                    error_bound = score_error_bound(
                        norms[i], size[NORM_BOUND] + size[DRIFT], w.shape[0]
                    )
                    if not abs(score) > error_bound + SLACK * norms[i] * size[DRIFT]:
                        return IN_DOUBT
                wrong = score < 0.0 or (score == 0.0 and not (ties_positive and signs[i] > 0))
            if wrong:
                if at[MISTAKES] == tape.shape[1]:
                    return TAPE_FULL
                tape[0, at[MISTAKES]] = i
                tape[1, at[MISTAKES]] = at[VISITS]
                at[MISTAKES] += 1
                at[IN_THIS_PASS] += 1
                add_row(rows, i, float(signs[i]), w)
                size[NORM_BOUND] = norm_bound_after_mistake(size[NORM_BOUND], norms[i])
                if at[MISTAKES] > exact_until:
                    size[DRIFT] = drift_after(size[DRIFT], size[NORM_BOUND], norms[i])
            at[RULING] = 0
            at[VISITS] += 1
            at[POSITION] += 1
            if wrong and restarts:
                break
        at[POSITION] = 0
        at[PASSES] += 1
        if at[IN_THIS_PASS] == 0:
            return CLEAN
    return USED_UP


def blank_place() -> np.ndarray:
    return np.zeros(6, dtype=np.int64)
