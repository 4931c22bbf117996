"""Rosenblatt's perceptron with a count of mistakes for every row, up to a budget.

The counts are what a search needs when the perceptron does not converge: rows that are
missed again and again are those that no hyperplane gets right, and Σ count_i·z_i = w makes
‖w‖/Σ count_i an upper bound on every margin.
"""

from __future__ import annotations

from novikoff.loops.compiled import compiled
from novikoff.loops.rows import add_row, dot_row


@compiled
def counting_pass(rows, signs, order, w, counts, budget):
    """Visit rows in `order`; on each mistake add sign·row to w and 1 to the row's count.

    A score of zero is a mistake. Stops early when `budget` mistakes are made. Returns the
    mistakes of this pass: zero is a claim, not a proof, because scores are rounded.
    Invariant: w = Σ counts[i]·signs[i]·row_i, up to rounding.
    """
    n_mistakes = 0
    for i in order:
        sign = float(signs[i])
        if sign * dot_row(rows, i, w) <= 0.0:
            add_row(rows, i, sign, w)
            counts[i] += 1
            n_mistakes += 1
            if n_mistakes >= budget:
                return n_mistakes
    return n_mistakes
