"""The weights of a voted perceptron, made again from the tape that its training has written, and
the votes of lines that were learnt together."""

from __future__ import annotations

import numpy as np

from novikoff.loops.bounds import score_error_bound
from novikoff.loops.compiled import compiled
from novikoff.loops.rows import add_row


@compiled
def replay(rows, members, lines, steps, W, made):
    """Make the mistakes of a tape again: made[k] = line lines[k] of W after entry k.

    The same updates as in training, so W ends as the bits that it had there.
    """
    for k in range(members.shape[0]):
        w = W[lines[k]]
        add_row(rows, members[k], steps[k], w)
        for j in range(w.shape[0]):
            made[k, j] = w[j]


@compiled
def add_joint_votes(lines, found, norms, bounds, width, visits, scores, norm_bounds, votes, unsure):
    """Votes of visits[k] of the scores of all lines after entry k, for the highest of each row.

    Entry k makes found[:, k] the scores of lines[k], whose norm is then at most bounds[k]; that of
    row i is at most norms[i]. Where rounding leaves the highest open, `unsure` is raised instead.
    """
    largest = np.empty(lines.shape[0])
    for k in range(lines.shape[0]):
        norm_bounds[lines[k]] = bounds[k]
        largest[k] = norm_bounds.max()
    for i in range(found.shape[0]):
        for k in range(lines.shape[0]):
            scores[i, lines[k]] = found[i, k]
            if visits[k] == 0:
                continue
            best = 0
            for c in range(1, scores.shape[1]):
                if scores[i, c] > scores[i, best]:
                    best = c
            bar = scores[i, best] - 2.0 * score_error_bound(norms[i], largest[k], width)
            for c in range(scores.shape[1]):
                if c != best and not scores[i, c] < bar:
                    unsure[i, k] = True
            if not unsure[i, k]:
                votes[i, best] += visits[k]
