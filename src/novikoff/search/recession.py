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

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.question import Opposed, Question
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.threads import one_thread

WORDS = {(True, False): "+", (False, True): "-", (True, True): "either"}


def infinite_columns(
    z: SignedRows, known: Weights, dependent: Sequence[int], clock: Clock
) -> dict[int, str]:
    """For each column that can go to infinity, '+', '-' or 'either'; n_columns is the offset.

    `known` are weights of a separator, strict or weak, of the rows of z. The columns that are
    `dependent` on others are left out, so that δ = 0 is the only direction without effect.
    """
    kept = np.setdiff1d(z.columns, np.asarray(dependent, dtype=np.intp))
    size = min(z.n_rows, max(4 * z.dim, 20_000 // max(1, z.dim)))
    scores = z.float_scores(known, z.rows)
    nearest = np.sort(z.rows[np.argpartition(scores, size - 1)[:size]])
    z = SignedRows(z.table, z.signs, z.fit_intercept, z.rows, kept)
    homes = z.homes.tolist()
    trusted = len(dependent) == 0  # else its weights are spread over columns left out
    rises = {j: trusted and bool(known[j] > 0) for j in homes}
    falls = {j: trusted and bool(known[j] < 0) for j in homes}
    with one_thread(z.dim):
        question = Question(z, nearest, clock)
        for place, j in enumerate(homes):
            for found, sign in ((rises, -1), (falls, 1)):
                if found[j]:
                    continue
                target = [0] * z.dim
                target[place] = sign
                answer = question.ask(target)
                if isinstance(answer, Opposed):
                    for k in homes:
                        rises[k] = rises[k] or answer.weights[k] > 0
                        falls[k] = falls[k] or answer.weights[k] < 0
    return {j: WORDS[rises[j], falls[j]] for j in homes if rises[j] or falls[j]}
