"""The voted perceptron of Freund & Schapire: every weight vector votes, none of them is kept.

Training writes a tape: which row was a mistake on which line, and when (see
loops/perceptron.py). Prediction replays it:
with G(x, row) = x·row the score of x after k mistakes is the running sum of step·G over the
first k entries, so a matrix of G and one sweep along the tape give all k scores.
"""

from __future__ import annotations

from novikoff.loops.compiled import compiled
from novikoff.loops.rows import add_row


@compiled
def add_votes(
    values, members, lines, steps, survivals, joint, ties_positive, norms, error_bounds, scores,
    votes, unsure,
):  # fmt: skip
    """Let every weight vector on a tape vote on every row, or, where `joint`, every matrix.

    values[i, m] is the product, or the kernel, of row i and member m of the support. Entry k adds
    steps[k]·values[i, members[k]] to scores[i, lines[k]]. The vector so made votes with
    survivals[k] times the sign of that score; the sign of zero is 0, or + where `ties_positive`.
    A matrix, if it survived a visit, gives survivals[k] votes to the class of the highest score: of
    several to the last where `ties_positive`, else to none.
    Scores are off by at most norms[i]·error_bounds[k]: where a vote might be another, unsure[i] is
    set; never if norms[i]·error_bounds[k] is negative.
    """
    for i in range(values.shape[0]):
        for k in range(members.shape[0]):
            c, bound = lines[k], norms[i] * error_bounds[k]
            score = scores[i, c] + steps[k] * values[i, members[k]]
            scores[i, c] = score
            if not joint:
                if not abs(score) > bound:
                    unsure[i] = True
                if score > 0.0 or (ties_positive and score == 0.0):
                    votes[i, c] += survivals[k]
                elif score < 0.0:
                    votes[i, c] -= survivals[k]
            elif survivals[k] > 0:
                best = best_class(scores[i], ties_positive)
                bar = scores[i].max() - 2.0 * bound
                n_near = 0
                for other in range(scores.shape[1]):
                    n_near += not scores[i, other] < bar
                if n_near > 1:
                    unsure[i] = True
                if best >= 0:
                    votes[i, best] += survivals[k]


@compiled
def best_class(scores, ties_last):
    """The class of the highest score; of several the last if `ties_last`, else none: -1."""
    best = 0
    alone = True
    for c in range(1, scores.shape[0]):
        if scores[c] > scores[best]:
            best = c
            alone = True
        elif scores[c] == scores[best]:
            alone = False
            if ties_last:
                best = c
    return best if alone or ties_last else -1


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
